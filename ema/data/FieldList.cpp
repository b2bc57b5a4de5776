// FieldList: building and reading (ema-api.md 3.2, rwf.md 3.2). The plain part of a list is read by FieldCursor without
// a call, and FieldOutput writes the plain fields of one that is built; everything else comes here.
#include "Access/Include/FieldList.h"

#include "data/FieldListImpl.h"

#include "Access/Include/OmmInvalidUsageException.h"
#include "data/add_values.h"
#include "data/contained_types.h"
#include "data/view_definition.h"
#include "data/wire_qos.h"
#include "errors/raise.h"
#include "rdm/DictionaryAccess.h"

#include <algorithm>

namespace emissary::ema {

using access::OmmError;

// While the block is lent, the encoder and its writer stand where it was lent; settle() moves them on.
void FieldListImpl::lend() noexcept {
    // The application's adds write straight into this room, without a call for each field.
    output.position = writer().room(0);
    output.end = output.position + writer().space();
}
void FieldListImpl::settle() noexcept {
    if (output.position == nullptr) return;
    writer().advance(static_cast<std::size_t>(output.position - writer().room(0)));
    encoder_.written(output.count);
    endPrepared(output.count != 0);
    output = {};
}

// The block is prepared here, so the first add is as cheap as the others.
void FieldListImpl::clear() noexcept {
    ContainerImpl::clear();
    if (!prepare()) return;
    encoder_.begin(writer());
    lend();
}

void FieldListImpl::begin() {
    if (hasInfo_) encoder_.begin(writer(), {infoDictionary_, infoNumber_});
    else encoder_.begin(writer());
}
void FieldListImpl::finish() {
    settle();
    if (!encoder_.complete().ok()) [[unlikely]]
        refuseComplete();
}
void FieldListImpl::refuseComplete() {
    // Too many fields are reported before a writer that ran full because of them.
    if (encoder_.count() <= 0xFFFF) checkWriter("complete()");
    refuse("complete(): more than 65535 fields");
}
void FieldListImpl::forget() noexcept {
    hasInfo_ = false;
}
void FieldListImpl::restartReading() noexcept {
    settle();
    started_ = failed_ = told_ = plain_ = false;
    entry = nullptr;
    leavePlain();
}
void FieldListImpl::leavePlain() noexcept {
    lent_ = false;
    leave();
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

/// Adds a contained object: its bytes when it is complete, an open entry when it is still empty.
void FieldListImpl::child(std::int16_t fieldId, const access::ComplexType& v, const char* what) {
    settle();
    requireAddable(what);
    requireContent(v, what);
    Bytes bytes;
    const bool ready = readyBytes(v, what, bytes);
    requireFits(what, "a value", bytes);
    beginAdd(what);
    childAt_ = writer().size();
    encoder_.field(fieldId);
    if (ready) {
        endChild(bytes);
        lend();
    } else DataAccess::impl(v)->fillInPlaceOf(*this);
}

/// Takes the entry back that was begun, then throws.
void FieldListImpl::refuseValue(std::int16_t fieldId, std::size_t before) {
    encoder_.takeBack(before);
    if (encoder_.count() == 0) forgetBegun();
    refuse("add of field " + std::to_string(fieldId) + ": the value does not fit its wire form");
}

/// As every add that does not go into the lent room: settle() takes over what stands there, lend() hands out the rest.
void FieldListImpl::array(std::int16_t fieldId, const access::OmmArray& v) {
    settle();
    requireAddable("addArray()");
    const Bytes bytes = DataAccess::encodedArray(v);
    requireFits("addArray()", "an OmmArray", bytes);
    beginAdd("addArray()");
    encoder_.add(fieldId, bytes);
    lend();
}

void FieldListImpl::startReading() noexcept {
    started_ = true;
    plain_ = false;
    failed_ = !decoder_.start(bytesToRead(), scope().sets).ok();
}

bool FieldListImpl::startPlain() {
    constexpr std::size_t kListHeader = 3;
    constexpr std::byte kStandardData{0x08};
    const Bytes in = bytesToRead();
    // Only the plainest lists, which are nearly all: standard data, no info, no set. Types come from the dictionary.
    if (in.size() < kListHeader + kHeader || in.front() != kStandardData || scope().dictionary == nullptr) return false;
    load_.setField(0, {}, childScope_, codec::DataType::Unknown);
    entry = &entryView_.value;
    const auto* const begin = reinterpret_cast<const std::uint8_t*>(in.data());
    lookAhead(begin + kListHeader, begin + in.size(), eta::loadBe<std::uint16_t>(in.data() + 1));
    const std::uint32_t first = nextType;
    if (first == kNotPlain) return entry = nullptr, leave(), false;
    started_ = lent_ = plain_ = true;
    step();
    // A first field of one byte has too little before it.
    if (load_.length < 2 || !load_.lookInList(first)) load_.setPending();
    return true;
}

/// Data that cannot be read appear once, as an entry of type Error; then the list ends.
bool FieldListImpl::endOrError() noexcept {
    const bool skipped = !failed_ && decoder_.error().ok() && decoder_.setSkipped();
    if (told_ || (!failed_ && !skipped && decoder_.error().ok())) return false;
    told_ = true;
    leavePlain();
    load_.fieldId = 0;
    load_.setError(skipped ? OmmError::NoSetDefinitionEnum : errorOf(decoder_.error()), {}, childScope_);
    entry = &entryView_.value;
    return true;
}

/// The start of the list, set data, long contents, broken bytes and the end. When plain fields follow, the cursor goes
/// on by itself.
bool FieldListImpl::forthOther() {
    entry = nullptr;
    // A plain list ends here without the decoder: its bytes have been checked field by field.
    if (lent_ && left == 0) return !plain_ && endOrError();  // the ordinary end
    if (!started_ && startPlain()) return true;
    if (!started_ || plain_) startReading();
    if (failed_ || told_) return endOrError();
    // The cursor has read plain fields since: the decoder goes on behind them.
    if (lent_) decoder_.resume(reinterpret_cast<const std::byte*>(behind), static_cast<std::uint16_t>(left));
    leavePlain();
    codec::FieldEntry e;
    if (decoder_.next(e)) [[likely]] {
        load_.setField(e.fieldId, e.data, childScope_, e.setType);
        entry = &entryView_.value;
        if (const codec::FieldListDecoder::Plain plain = decoder_.plain();
            plain.left != 0 && load_.fieldTypes != nullptr) {
            const auto* const rest = reinterpret_cast<const std::uint8_t*>(plain.rest.data());
            lookAhead(rest, rest + plain.rest.size(), plain.left);
            lent_ = true;
        }
        return true;
    }
    return endOrError();
}

bool FieldCursor::other() {
    return static_cast<FieldListImpl*>(this)->forthOther();
}
void FieldCursor::refuseEntry() {
    static_cast<FieldListImpl*>(this)->refuseEntry();
}

bool FieldListImpl::hasInfo() {
    if (untouched() || isOpen()) return hasInfo_;
    if (!started_) startReading();
    return !failed_ && !plain_ && decoder_.hasInfo();
}
std::int16_t FieldListImpl::infoNumber() {
    if (!hasInfo()) refuse("getInfoFieldListNum() without info; ask hasInfo() first");
    return isOpen() || untouched() ? infoNumber_ : decoder_.fieldListNum();
}
std::int16_t FieldListImpl::infoDictionary() {
    if (!hasInfo()) refuse("getInfoDictionaryId() without info; ask hasInfo() first");
    return isOpen() || untouched() ? infoDictionary_ : decoder_.dictionaryId();
}

}  // namespace emissary::ema

namespace refinitiv::ema::access {

namespace codec = emissary::eta::codec;
using emissary::eta::BeWriter;
using T = codec::DataType;

FieldList::FieldList()
    : impl_(std::make_unique<emissary::ema::FieldListImpl>()), cursor_(impl_.get()), output_(&impl_->output) {}
EMISSARY_CONTAINER_DATA_BUT_CTOR(FieldList, FieldListEnum)

bool FieldList::hasInfo() const {
    return impl_->hasInfo();
}
Int16 FieldList::getInfoFieldListNum() const {
    return impl_->infoNumber();
}
Int16 FieldList::getInfoDictionaryId() const {
    return impl_->infoDictionary();
}
bool FieldList::forth(Int16 fieldId) const {
    return cursor_->forthTo(fieldId);
}
// The name becomes an id once; a name without a field runs to the end, as an id that the list does not have.
bool FieldList::forth(const EmaString& name) const {
    const auto* dictionary = impl_->scope().dictionary;
    const auto* wanted = dictionary == nullptr ? nullptr : dictionary->find(emissary::ema::viewOf(name));
    if (wanted == nullptr) {
        while (cursor_->forth()) {}
        return false;
    }
    return forth(wanted->fieldId);
}
bool FieldList::forth(const Data& data) const {
    using emissary::reactor::rdm::View;
    View view = emissary::ema::readView(data, View::Kind::fields);
    const auto* dictionary = impl_->scope().dictionary;
    for (const std::string& name : view.elements)
        if (const auto* field = dictionary == nullptr ? nullptr : dictionary->find(name))
            view.fields.push_back(field->fieldId);
    while (cursor_->forth())
        if (std::ranges::find(view.fields, cursor_->entry->getFieldId()) != view.fields.end()) return true;
    return false;
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

FieldList& FieldList::otherBlank(Int16 fieldId) {
    impl_->value(fieldId, T::Unknown, [](BeWriter& w) { codec::encodeBlank(w); });
    return *this;
}

#define EMISSARY_KEYS Int16 fieldId,
#define EMISSARY_ARGS fieldId,
#define EMISSARY_ADD(Name) other##Name
EMISSARY_ADD_TABLE(FieldList)
EMISSARY_ADD_COMPLEX_TABLE(FieldList)

}  // namespace refinitiv::ema::access
