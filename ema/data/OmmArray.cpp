// OmmArray: building and reading (ema-api.md 2.6, rwf.md 2.11). Items are written in their ordinary form first and then
// take the form of the array.
#include "Access/Include/OmmArray.h"

#include "data/OmmArrayImpl.h"

#include "Access/Include/OmmInvalidUsageException.h"
#include "data/add_values.h"
#include "data/wire_qos.h"
#include "errors/raise.h"
#include "rdm/DictionaryAccess.h"
#include "text/array_item.h"

namespace emissary::ema {

using access::OmmInvalidUsageException;
using T = codec::DataType;

namespace {

/// The remedy for a width that values of the type cannot have (rwf.md 2.11).
const char* widthsOf(T type) noexcept {
    switch (type) {
    case T::Int:
    case T::UInt:
        return "for integers it must be 1, 2, 4 or 8";
    case T::Enum:
        return "for enumerations it must be 1 or 2";
    case T::Float:
    case T::Date:
        return "it must be 4";
    case T::Double:
        return "it must be 8";
    case T::Time:
        return "it must be 3, 5, 7 or 8";
    case T::DateTime:
        return "it must be 7, 9, 11 or 12";
    default:
        return "values of this type have no fixed width; leave fixedWidth() out";
    }
}

}  // namespace

void OmmArrayImpl::begin() {
    encoder_.begin(writer(), itemType_, width_);
}
void OmmArrayImpl::finish() {
    if (itemType_ == T::Unknown) refuse("complete() without any value; add one or leave the array out");
    checkWriter("complete()");
    if (!encoder_.complete().ok()) refuse("complete(): more than 65535 values");
}
void OmmArrayImpl::setFixedWidth(std::uint16_t width) {
    if (!untouched()) refuse("fixedWidth() must come before the first add");
    width_ = width;
}

void OmmArrayImpl::startItem(T type) {
    if (untouched()) {
        if (!codec::ArrayEncoder::takes(type, width_))
            refuse(std::string("add of a ") + codec::name(type) + " with fixedWidth(" + std::to_string(width_) +
                   "): " + widthsOf(type));
        itemType_ = type;
    } else if (isOpen() && type != itemType_) {
        refuse(std::string("add of a ") + codec::name(type) + " to an array of " + codec::name(itemType_));
    }
    // With a refused first item the type that it gave the array goes as well.
    fresh_ = untouched();
    beginAdd("add");
}

void OmmArrayImpl::addItem(T type, bool written) {
    eta::BeReader in(item_.view());
    const Bytes content = in.buf16();
    std::int64_t v = 0;
    // The documented range of fixed-width signed integers is symmetric.
    bool fits = true;
    if (type == T::Int && width_ > 0 && width_ < 8 && codec::decodeInt(content, v) == codec::Decoded::value) {
        const std::int64_t limit = (std::int64_t{1} << (8 * width_ - 1)) - 1;
        fits = v >= -limit && v <= limit;
    }
    if (fits && written) encoder_.add(content);
    if (fits && written && writer().ok()) return;
    writer().clearFailure();
    if (fresh_) {  // what was refused leaves no trace
        itemType_ = T::Unknown;
        forgetBegun();
    }
    if (width_ == 0) refuse("the value does not fit its wire form");
    throwInvalidUsage("OmmArray: value does not fit a fixed width of " + std::to_string(width_) + " bytes",
                      OmmInvalidUsageException::InvalidArgumentEnum);
}

void OmmArrayImpl::startReading() noexcept {
    started_ = true;
    failed_ = !decoder_.start(bytesToRead()).ok();
}
bool OmmArrayImpl::forth() {
    if (!started_) startReading();
    Bytes item;
    if (!failed_ && !told_ && decoder_.next(item)) {
        load_.set(decoder_.itemType(), valueOf(decoder_, item), childScope_);
        return atEntry_ = true;
    }
    // Data that cannot be read appear once, as an entry of type Error; then the array ends.
    if (told_ || (!failed_ && decoder_.error().ok())) return atEntry_ = false;
    told_ = true;
    load_.setError(errorOf(decoder_.error()), {}, childScope_);
    return atEntry_ = true;
}
const access::OmmArrayEntry& OmmArrayImpl::entry() {
    if (!atEntry_) refuse("getEntry() before a successful forth(); call forth() first");
    return entry_.value;
}
std::uint16_t OmmArrayImpl::fixedWidth() {
    if (untouched() || isOpen()) return width_;
    if (!started_) startReading();
    return failed_ ? std::uint16_t{0} : decoder_.itemLength();
}

Bytes DataAccess::encodedArray(const access::OmmArray& array) {
    return array.impl_->encoded();
}
void DataAccess::decodeArray(access::OmmArray& array, Bytes bytes, const Scope& scope) {
    array.impl_->decode(bytes, scope);
}

}  // namespace emissary::ema

namespace refinitiv::ema::access {

namespace codec = emissary::eta::codec;
using emissary::eta::BeWriter;
using T = codec::DataType;

OmmArray::OmmArray() : impl_(std::make_unique<emissary::ema::OmmArrayImpl>()) {}
OmmArray::~OmmArray() = default;
DataType::DataTypeEnum OmmArray::getDataType() const {
    return DataType::ArrayEnum;
}
Data::DataCode OmmArray::getCode() const {
    return impl_->isBlank() ? BlankEnum : NoCodeEnum;
}
const EmaBuffer& OmmArray::getAsHex() const {
    return impl_->hex();
}
const EmaString& OmmArray::toString() const {
    return impl_->text(nullptr);
}
const EmaString& OmmArray::toString(const refinitiv::ema::rdm::DataDictionary& dictionary) const {
    return impl_->text(&emissary::ema::DictionaryAccess::get(dictionary));
}
bool OmmArray::hasFixedWidth() const {
    return impl_->fixedWidth() != 0;
}
UInt16 OmmArray::getFixedWidth() const {
    return impl_->fixedWidth();
}
bool OmmArray::forth() const {
    return impl_->forth();
}
const OmmArrayEntry& OmmArray::getEntry() const {
    return impl_->entry();
}
void OmmArray::reset() const {
    impl_->reset();
}
OmmArray& OmmArray::clear() {
    impl_->clear();
    return *this;
}
OmmArray& OmmArray::fixedWidth(UInt16 width) {
    impl_->setFixedWidth(width);
    return *this;
}
const OmmArray& OmmArray::complete() {
    impl_->complete();
    return *this;
}

#define EMISSARY_KEYS
#define EMISSARY_KEY
#define EMISSARY_ARGS
#define EMISSARY_ADD(Name) add##Name
EMISSARY_ADD_TABLE(OmmArray)
EMISSARY_ADD_CODE_TABLE(OmmArray)

}  // namespace refinitiv::ema::access
