// ElementList: building and reading (ema-api.md 3.2, rwf.md 3.3).
#include "Access/Include/ElementList.h"

#include "data/ElementListImpl.h"

#include "data/add_values.h"
#include "data/contained_types.h"
#include "data/view_definition.h"
#include "data/wire_qos.h"
#include "rdm/DictionaryAccess.h"

#include <algorithm>

namespace emissary::ema {

using access::OmmError;

void ElementListImpl::begin() {
    if (hasInfo_) encoder_.begin(writer(), infoNumber_);
    else encoder_.begin(writer());
}
void ElementListImpl::finish() {
    checkWriter("complete()");
    if (!encoder_.complete().ok()) refuse("complete(): more than 65535 elements");
}
void ElementListImpl::setInfo(std::int16_t number) {
    if (!untouched()) refuse("info() must come before the first add");
    hasInfo_ = true;
    infoNumber_ = number;
}
void ElementListImpl::child(const access::EmaString& name, const access::ComplexType& v, const char* what) {
    requireAddable(what);
    requireContent(v, what);
    Bytes bytes;
    // Checked before the entry begins: a refusal leaves the list as it was.
    const bool ready = readyBytes(v, what, bytes);
    requireFits(what, "a name", bytesOf(name), inHead);
    requireFits(what, "a value", bytes);
    beginAdd(what);
    childAt_ = writer().size();
    encoder_.element(viewOf(name), DataAccess::wireType(v));
    if (ready) endChild(bytes);
    else DataAccess::impl(v)->fillInPlaceOf(*this);
}
void ElementListImpl::refuseValue(const access::EmaString& name, std::size_t before) {
    encoder_.takeBack(before);
    // The list is untouched again, so info() may still come.
    if (encoder_.count() == 0) forgetBegun();
    requireFits("add", "a name", bytesOf(name), inHead);
    refuse("add of element \"" + std::string(viewOf(name)) + "\": the value does not fit its wire form");
}
void ElementListImpl::array(const access::EmaString& name, const access::OmmArray& v) {
    requireAddable("addArray()");
    const Bytes bytes = DataAccess::encodedArray(v);
    requireFits("addArray()", "a name", bytesOf(name), inHead);
    requireFits("addArray()", "an OmmArray", bytes);
    beginAdd("addArray()");
    encoder_.add(viewOf(name), codec::DataType::Array, bytes);
}
void ElementListImpl::none(const access::EmaString& name) {
    requireFits("add()", "a name", bytesOf(name), inHead);
    beginAdd("add()");
    encoder_.element(viewOf(name), codec::DataType::NoData);
}

void ElementListImpl::startReading() noexcept {
    started_ = true;
    failed_ = !decoder_.start(bytesToRead(), scope().sets).ok();
}
bool ElementListImpl::forth() {
    if (!started_) startReading();
    if (failed_ || told_) return endOrError();
    if (decoder_.next(current_)) [[likely]] {
        load_.set(current_.type, current_.data, childScope_, current_.setType);
        return atEntry_ = true;
    }
    return endOrError();
}
/// Data that cannot be read appear once, as an entry of type Error; then the list ends.
bool ElementListImpl::endOrError() noexcept {
    // Entries of a set without its definition are skipped by the decoder, and the application must hear of it once.
    const bool skipped = !failed_ && decoder_.error().ok() && decoder_.setSkipped();
    if (told_ || (!failed_ && !skipped && decoder_.error().ok())) return atEntry_ = false;
    told_ = true;
    current_ = {};
    load_.setError(skipped ? OmmError::NoSetDefinitionEnum : errorOf(decoder_.error()), {}, childScope_);
    return atEntry_ = true;
}
const access::ElementEntry& ElementListImpl::entry() {
    if (!atEntry_) refuse("getEntry() before a successful forth(); call forth() first");
    return entry_.value;
}
bool ElementListImpl::hasInfo() {
    if (untouched() || isOpen()) return hasInfo_;
    if (!started_) startReading();
    return !failed_ && decoder_.hasInfo();
}
std::int16_t ElementListImpl::infoNumber() {
    if (!hasInfo()) refuse("getInfoElementListNum() without info; ask hasInfo() first");
    return isOpen() || untouched() ? infoNumber_ : decoder_.elementListNum();
}

}  // namespace emissary::ema

namespace refinitiv::ema::access {

namespace codec = emissary::eta::codec;
using emissary::eta::BeWriter;
using T = codec::DataType;

EMISSARY_CONTAINER_DATA(ElementList, ElementListEnum)

bool ElementList::hasInfo() const {
    return impl_->hasInfo();
}
Int16 ElementList::getInfoElementListNum() const {
    return impl_->infoNumber();
}
bool ElementList::forth() const {
    return impl_->forth();
}
bool ElementList::forth(const EmaString& name) const {
    while (impl_->forth())
        if (impl_->name() == emissary::ema::viewOf(name)) return true;
    return false;
}
bool ElementList::forth(const Data& data) const {
    // Read before the first step: a view that cannot be used throws and leaves the position alone.
    using emissary::reactor::rdm::View;
    const View view = emissary::ema::readView(data, View::Kind::elements);
    while (impl_->forth())
        if (std::ranges::find(view.elements, impl_->name()) != view.elements.end()) return true;
    return false;
}
const ElementEntry& ElementList::getEntry() const {
    return impl_->entry();
}
void ElementList::reset() const {
    impl_->reset();
}
ElementList& ElementList::clear() {
    impl_->clear();
    return *this;
}
ElementList& ElementList::info(Int16 elementListNum) {
    impl_->setInfo(elementListNum);
    return *this;
}
const ElementList& ElementList::complete() {
    impl_->complete();
    return *this;
}
ElementList& ElementList::add(const EmaString& name) {
    impl_->none(name);
    return *this;
}
ElementList& ElementList::addArray(const EmaString& name, const OmmArray& value) {
    impl_->array(name, value);
    return *this;
}

#define EMISSARY_KEYS const EmaString &name,
#define EMISSARY_KEY const EmaString& name
#define EMISSARY_ARGS name,
#define EMISSARY_ADD(Name) add##Name
EMISSARY_ADD_TABLE(ElementList)
EMISSARY_ADD_CODE_TABLE(ElementList)
EMISSARY_ADD_COMPLEX_TABLE(ElementList)

}  // namespace refinitiv::ema::access
