#include "Access/Include/FieldList.h"

#include "FieldListImpl.h"

#include "../rdm/DictionaryAccess.h"
#include "Access/Include/OmmInvalidUsageException.h"
#include "add_values.h"
#include "contained_types.h"
#include "raise.h"
#include "view_definition.h"
#include "wire_qos.h"

namespace emissary::ema {

using access::OmmError;
using access::OmmInvalidUsageException;

void FieldListImpl::begin() {
    if (hasInfo_) encoder_.begin(writer(), {infoDictionary_, infoNumber_});
    else encoder_.begin(writer());
}
void FieldListImpl::finish() {
    checkWriter("complete()");
    if (!encoder_.complete().ok()) refuse("complete(): more than 65535 fields");
}
void FieldListImpl::forget() noexcept {
    hasInfo_ = false;
}
void FieldListImpl::restartReading() noexcept {
    started_ = atEntry_ = failed_ = false;
}
void FieldListImpl::endChild(Bytes bytes) {
    writer().buf16(bytes);
}

void FieldListImpl::setInfo(std::int16_t dictionaryId, std::int16_t fieldListNum) {
    if (!untouched()) refuse("info() must come before the first add");
    hasInfo_ = true;
    infoDictionary_ = dictionaryId;
    infoNumber_ = fieldListNum;
}

void FieldListImpl::child(std::int16_t fieldId, const access::ComplexType& v, const char* what) {
    requireContent(v, what);
    beginAdd(what);
    Bytes bytes;
    const bool ready = readyBytes(v, what, bytes);
    encoder_.field(fieldId);
    if (ready) endChild(bytes);
    else DataAccess::impl(v)->fillInPlaceOf(*this);
    checkWriter(what);
}

void FieldListImpl::array(std::int16_t fieldId, const access::OmmArray& v) {
    beginAdd("addArray()");
    const Bytes bytes = DataAccess::encodedArray(v);
    encoder_.add(fieldId, bytes);
    checkWriter("addArray()");
}

void FieldListImpl::startReading() noexcept {
    started_ = true;
    if (const eta::Error e = decoder_.start(bytesToRead(), scope().sets); !e.ok()) fail();
}

void FieldListImpl::fail() noexcept {
    failed_ = true;
}

bool FieldListImpl::forth() {
    if (!started_) startReading();
    if (failed_) return atEntry_ = false;
    codec::FieldEntry e;
    if (decoder_.next(e)) [[likely]] {
        load_.setField(e.fieldId, e.data, childScope_, e.setType);
        return atEntry_ = true;
    }
    if (decoder_.error().ok()) return atEntry_ = false;
    // What is left cannot be read: said once as an entry of type Error, then the list ends.
    fail();
    load_.setError(OmmError::IncompleteDataEnum, {}, childScope_);
    return atEntry_ = true;
}

const access::FieldEntry& FieldListImpl::entry() {
    if (!atEntry_) refuse("getEntry() before a successful forth(); call forth() first");
    return entry_.value;
}

bool FieldListImpl::hasInfo() {
    if (untouched() || isOpen()) return hasInfo_;
    if (!started_) startReading();
    return !failed_ && decoder_.hasInfo();
}
std::int16_t FieldListImpl::infoNumber() {
    if (!hasInfo()) refuse("getInfoFieldListNum() without info");
    return isOpen() || untouched() ? infoNumber_ : decoder_.fieldListNum();
}
std::int16_t FieldListImpl::infoDictionary() {
    if (!hasInfo()) refuse("getInfoDictionaryId() without info");
    return isOpen() || untouched() ? infoDictionary_ : decoder_.dictionaryId();
}

}  // namespace emissary::ema

namespace refinitiv::ema::access {

namespace codec = emissary::eta::codec;
using emissary::eta::BeWriter;
using T = codec::DataType;

EMISSARY_CONTAINER_DATA(FieldList, FieldListEnum)

bool FieldList::hasInfo() const {
    return impl_->hasInfo();
}
Int16 FieldList::getInfoFieldListNum() const {
    return impl_->infoNumber();
}
Int16 FieldList::getInfoDictionaryId() const {
    return impl_->infoDictionary();
}
bool FieldList::forth() const {
    return impl_->forth();
}
bool FieldList::forth(Int16 fieldId) const {
    while (impl_->forth())
        if (impl_->load().fieldId() == fieldId) return true;
    return false;
}
bool FieldList::forth(const EmaString& name) const {
    const auto* dictionary = impl_->scope().dictionary;
    const auto* wanted = dictionary == nullptr ? nullptr : dictionary->find(emissary::ema::viewOf(name));
    if (wanted == nullptr) {
        while (impl_->forth()) {}
        return false;
    }
    return forth(wanted->fieldId);
}
bool FieldList::forth(const Data& data) const {
    const emissary::ema::ViewDefinition view = emissary::ema::readView(data, emissary::ema::ViewDefinition::fieldIds);
    while (impl_->forth())
        if (view.names(impl_->load().fieldId())) return true;
    return false;
}
const FieldEntry& FieldList::getEntry() const {
    return impl_->entry();
}
void FieldList::reset() const {
    impl_->reset();
}
FieldList& FieldList::clear() {
    impl_->clear();
    return *this;
}
FieldList& FieldList::info(Int16 dictionaryId, Int16 fieldListNum) {
    impl_->setInfo(dictionaryId, fieldListNum);
    return *this;
}
const FieldList& FieldList::complete() {
    impl_->complete();
    return *this;
}
FieldList& FieldList::addArray(Int16 fieldId, const OmmArray& value) {
    impl_->array(fieldId, value);
    return *this;
}

#define EMISSARY_KEYS Int16 fieldId,
#define EMISSARY_KEY Int16 fieldId
#define EMISSARY_ARGS fieldId,
EMISSARY_ADD_TABLE(FieldList)
EMISSARY_ADD_COMPLEX_TABLE(FieldList)

}  // namespace refinitiv::ema::access
