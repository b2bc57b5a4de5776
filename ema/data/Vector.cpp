// Vector: building and reading (ema-api.md 3.4, rwf.md 3.5).
#include "Access/Include/Vector.h"

#include "data/VectorImpl.h"

#include "Access/Include/OmmInvalidUsageException.h"
#include "data/add_values.h"
#include "data/contained_types.h"
#include "errors/raise.h"
#include "rdm/DictionaryAccess.h"

namespace emissary::ema {

using T = codec::DataType;

void VectorImpl::setSortable(bool sortable) {
    requireUntouched("sortable()");
    sortable_ = sortable;
}
void VectorImpl::forget() noexcept {
    EntryContainerImpl::forget();
    sortable_ = false;
}
void VectorImpl::endChild(Bytes bytes) {
    writer().bytes(bytes);
    encoder_.endEntry();
}
void VectorImpl::dropChild() noexcept {
    beforeChild_.restore(encoder_, writer());
}
void VectorImpl::add(std::uint32_t position, std::uint8_t action, const access::ComplexType* value,
                     const access::EmaBuffer& permission) {
    // 30 bits on the wire (rwf.md 3.5).
    if (position > 0x3FFFFFFF) throwOutOfRange("Vector: position " + std::to_string(position) + " is above 1073741823");
    const bool payload = value != nullptr && action != codec::VectorAction::del && action != codec::VectorAction::clear;
    requireAddable("add()");
    requireAction("add()", action);
    const Bytes perm = bytesOf(permission);
    requireFits("add()", "permission data", perm, inHead);
    Bytes bytes;
    bool ready = true;
    if (payload) {
        requireContent(*value, "add()");
        const T before = entryType(), type = DataAccess::wireType(*value);
        requireType(type, "add()");
        ready = readyBytes(*value, "add()", bytes);
        requireFits("add()", "a value", bytes);
        useType(type, "add()");
        if (!untouched() && before == T::NoData && type != T::NoData) retype();
    }
    beginAdd("add()");
    const Bytes* permData = perm.empty() ? nullptr : &perm;
    if (ready) {
        encoder_.add(action, position, bytes, permData);
    } else {
        beforeChild_.keep(encoder_, writer());
        encoder_.beginEntry(action, position, permData);
        DataAccess::impl(*value)->fillInPlaceOf(*this);
    }
}
/// Writes the entries so far again: they were begun without payload, and the first payload decides the type of all.
void VectorImpl::retype() {
    if (!encoder_.complete().ok()) refuse("add(): more than 65535 entries");
    const std::vector<std::byte> before(writer().view().begin(), writer().view().end());
    writer().truncate(0);
    begin();
    codec::VectorDecoder old;
    codec::VectorEntry e;
    if (!old.start(before).ok()) return;
    while (old.next(e))
        encoder_.add(e.action, e.index, {}, e.hasPermData ? &e.permData : nullptr);
}
bool VectorImpl::forth() {
    startOnce();
    if (failed_ || told_ || !decoder_.next(current_)) {
        current_ = {};
        return endOrError(load_);
    }
    const bool payload = current_.action != codec::VectorAction::del && current_.action != codec::VectorAction::clear;
    load_.set(payload ? decoder_.entryType() : T::NoData, current_.data, childScope_);
    return atEntry_ = true;
}
const access::VectorEntry& VectorImpl::entry() {
    if (!atEntry_) refuse("getEntry() before a successful forth(); call forth() first");
    return entry_.value;
}
bool VectorImpl::sortable() {
    if (untouched() || isOpen()) return sortable_;
    startOnce();
    return !failed_ && decoder_.sortable();
}

}  // namespace emissary::ema

namespace refinitiv::ema::access {

EMISSARY_CONTAINER_DATA(Vector, VectorEnum)

bool Vector::forth() const {
    return impl_->forth();
}
void Vector::reset() const {
    impl_->reset();
}
bool Vector::hasTotalCountHint() const {
    return impl_->hasTotalCountHint();
}
bool Vector::getSortable() const {
    return impl_->sortable();
}
UInt32 Vector::getTotalCountHint() const {
    return impl_->totalCountHint();
}
const SummaryData& Vector::getSummaryData() const {
    return impl_->summary();
}
const VectorEntry& Vector::getEntry() const {
    return impl_->entry();
}
Vector& Vector::clear() {
    impl_->clear();
    return *this;
}
Vector& Vector::add(UInt32 position, VectorEntry::VectorAction action, const ComplexType& value,
                    const EmaBuffer& permissionData) {
    impl_->add(position, static_cast<UInt8>(action), &value, permissionData);
    return *this;
}
Vector& Vector::add(UInt32 position, VectorEntry::VectorAction action, const EmaBuffer& permissionData) {
    impl_->add(position, static_cast<UInt8>(action), nullptr, permissionData);
    return *this;
}
const Vector& Vector::complete() {
    impl_->complete();
    return *this;
}
Vector& Vector::sortable(bool sortable) {
    impl_->setSortable(sortable);
    return *this;
}
Vector& Vector::totalCountHint(UInt32 hint) {
    impl_->setTotalCountHint(hint);
    return *this;
}
Vector& Vector::summaryData(const ComplexType& data) {
    impl_->setSummary(data);
    return *this;
}

}  // namespace refinitiv::ema::access
