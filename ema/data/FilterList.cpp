// FilterList: building and reading (ema-api.md 3.4, rwf.md 3.7). Entries have types of their own, and at most 255 of
// them fit.
#include "Access/Include/FilterList.h"

#include "data/FilterListImpl.h"

#include "data/add_values.h"
#include "data/contained_types.h"
#include "errors/raise.h"
#include "rdm/DictionaryAccess.h"

namespace emissary::ema {

using T = codec::DataType;

void FilterListImpl::setTotalCountHint(std::uint32_t hint) {
    if (!untouched()) refuse("totalCountHint() must come before the first add");
    if (hint > 255) throwOutOfRange("FilterList: totalCountHint " + std::to_string(hint) + " is above 255");
    hasHint_ = true;
    hint_ = static_cast<std::uint8_t>(hint);
}
void FilterListImpl::forget() noexcept {
    hasHint_ = false;
    defaultType_ = T::NoData;
}
void FilterListImpl::finish() {
    checkWriter("complete()");
    if (!encoder_.complete().ok()) refuse("complete(): more than 255 entries");
}
void FilterListImpl::endChild(Bytes bytes) {
    writer().bytes(bytes);
    encoder_.endEntry();
}
void FilterListImpl::dropChild() noexcept {
    beforeChild_.restore(encoder_, writer());
}
void FilterListImpl::add(std::uint8_t id, std::uint8_t action, const access::ComplexType* value,
                         const access::EmaBuffer& permission) {
    requireAddable("add()");
    requireAction("add()", action);
    const Bytes perm = bytesOf(permission);
    requireFits("add()", "permission data", perm, inHead);
    const bool payload = value != nullptr && action != codec::FilterAction::clear;
    T type = T::NoData;
    ContainerImpl* inPlace = nullptr;
    Bytes bytes;
    if (payload) {
        requireContent(*value, "add()");
        type = DataAccess::wireType(*value);
        ContainerImpl* child = DataAccess::impl(*value);
        if (child != nullptr && child->untouched()) inPlace = child;
        else if (child != nullptr && child->isOpen()) refuse("add() of a container whose complete() was not called");
        else bytes = DataAccess::encoded(*value).bytes;
        requireFits("add()", "a value", bytes);
    }
    if (untouched()) defaultType_ = type;  // the other entries need not name the first one's type
    if (action == codec::FilterAction::clear) type = defaultType_;  // there is no payload whose type must be named
    beginAdd("add()");
    const Bytes* permData = perm.empty() ? nullptr : &perm;
    if (inPlace == nullptr) {
        encoder_.add(action, id, type, bytes, permData);
    } else {
        beforeChild_.keep(encoder_, writer());
        encoder_.beginEntry(action, id, type, permData);
        inPlace->fillInPlaceOf(*this);
    }
}
void FilterListImpl::startOnce() {
    if (started_) return;
    started_ = true;
    failed_ = !decoder_.start(bytesToRead()).ok();
}
bool FilterListImpl::forth() {
    startOnce();
    if (!failed_ && !told_ && decoder_.next(current_)) {
        load_.set(current_.action == codec::FilterAction::clear ? T::NoData : current_.type, current_.data,
                  childScope_);
        return atEntry_ = true;
    }
    // Data that cannot be read appear once, as an entry of type Error; then the list ends.
    current_ = {};
    if (told_ || (!failed_ && decoder_.error().ok())) return atEntry_ = false;
    told_ = true;
    load_.setError(errorOf(decoder_.error()), {}, childScope_);
    return atEntry_ = true;
}
const access::FilterEntry& FilterListImpl::entry() {
    if (!atEntry_) refuse("getEntry() before a successful forth(); call forth() first");
    return entry_.value;
}
bool FilterListImpl::hasTotalCountHint() {
    if (untouched() || isOpen()) return hasHint_;
    startOnce();
    return !failed_ && decoder_.hasTotalCountHint();
}
std::uint32_t FilterListImpl::totalCountHint() {
    if (!hasTotalCountHint()) refuse("getTotalCountHint() without a hint; ask hasTotalCountHint() first");
    return isOpen() || untouched() ? hint_ : decoder_.totalCountHint();
}

}  // namespace emissary::ema

namespace refinitiv::ema::access {

EMISSARY_CONTAINER_DATA(FilterList, FilterListEnum)

bool FilterList::hasTotalCountHint() const {
    return impl_->hasTotalCountHint();
}
UInt32 FilterList::getTotalCountHint() const {
    return impl_->totalCountHint();
}
bool FilterList::forth() const {
    return impl_->forth();
}
bool FilterList::forth(UInt8 filterId) const {
    while (impl_->forth())
        if (impl_->current().id == filterId) return true;
    return false;
}
const FilterEntry& FilterList::getEntry() const {
    return impl_->entry();
}
void FilterList::reset() const {
    impl_->reset();
}
FilterList& FilterList::clear() {
    impl_->clear();
    return *this;
}
FilterList& FilterList::totalCountHint(UInt32 hint) {
    impl_->setTotalCountHint(hint);
    return *this;
}
FilterList& FilterList::add(UInt8 filterId, FilterEntry::FilterAction action, const ComplexType& value,
                            const EmaBuffer& permissionData) {
    impl_->add(filterId, static_cast<UInt8>(action), &value, permissionData);
    return *this;
}
FilterList& FilterList::add(UInt8 filterId, FilterEntry::FilterAction action, const EmaBuffer& permissionData) {
    impl_->add(filterId, static_cast<UInt8>(action), nullptr, permissionData);
    return *this;
}
const FilterList& FilterList::complete() {
    impl_->complete();
    return *this;
}

}  // namespace refinitiv::ema::access
