// Map: building and reading (ema-api.md 3.3, rwf.md 3.4).
#include "Access/Include/Map.h"

#include "data/MapImpl.h"

#include "data/add_values.h"
#include "data/contained_types.h"
#include "data/wire_qos.h"
#include "rdm/DictionaryAccess.h"

namespace emissary::ema {

using T = codec::DataType;

void MapImpl::setKeyFieldId(std::int16_t fieldId) {
    requireUntouched("keyFieldId()");
    hasKeyFieldId_ = true;
    keyFieldId_ = fieldId;
}
void MapImpl::setKeyType(access::DataType::DataTypeEnum type) {
    requireUntouched("keyType()");
    if (const int n = type; n < 0 || n > 255 || !codec::ArrayEncoder::takes(static_cast<T>(n), 0))
        refuse("keyType(" + std::to_string(n) + ") must be a primitive type");
    keyType_ = static_cast<T>(type);
}
void MapImpl::checkKeyType(T type) const {
    if (keyType_ != T::Unknown && keyType_ != type)
        refuse(std::string("add of a ") + codec::name(type) + " key to a Map with " + codec::name(keyType_) + " keys");
}
void MapImpl::begin() {
    // An empty Map has a key type on the wire, too: Buffer, unless keyType() named one (ema-api.md 3.3).
    encoder_.begin(writer(), header(), keyType_ == T::Unknown ? T::Buffer : keyType_,
                   hasKeyFieldId_ ? &keyFieldId_ : nullptr);
}
void MapImpl::finish() {
    finishEncoder(encoder_.complete());
}
void MapImpl::forget() noexcept {
    EntryContainerImpl::forget();
    keyType_ = T::Unknown;
    hasKeyFieldId_ = false;
}
void MapImpl::endChild(Bytes bytes) {
    writer().bytes(bytes);
    encoder_.endEntry();
}
void MapImpl::dropChild() noexcept {
    beforeChild_.restore(encoder_, writer());
}

/// Checks everything first, so that a refused entry leaves no trace; then writes key, permissions and payload.
void MapImpl::addEntry(T keyType, std::uint8_t action, const access::ComplexType* value,
                       const access::EmaBuffer& permission) {
    requireAddable("add");
    const bool payload = value != nullptr && action != codec::MapAction::del;
    const T type = payload ? DataAccess::wireType(*value) : T::NoData;
    Bytes bytes;
    bool ready = true;
    if (payload) {
        requireContent(*value, "add");
        requireType(type, "add");
        ready = readyBytes(*value, "add", bytes);
    }
    const Bytes perm = bytesOf(permission);
    requireAction("add", action);
    requireFits("add", "a key", key_.view(), inHead);
    requireFits("add", "permission data", perm, inHead);
    requireFits("add", "a value", bytes);
    // From here on nothing is refused, so a refused entry has left no trace.
    keyType_ = keyType;
    if (payload) {
        const T before = entryType();
        useType(type, "add");
        if (!untouched() && before == T::NoData && type != T::NoData) retype(type);
    }
    beginAdd("add");
    const Bytes* permData = perm.empty() ? nullptr : &perm;
    if (ready) {
        encoder_.add(action, key_.view(), bytes, permData);
    } else {
        beforeChild_.keep(encoder_, writer());
        encoder_.beginEntry(action, key_.view(), permData);
        DataAccess::impl(*value)->fillInPlaceOf(*this);
    }
}

/// Writes the entries so far again: they were begun without payload, and the first payload decides the type of all.
void MapImpl::retype(T) {
    if (!encoder_.complete().ok()) refuse("add: more than 65535 entries");
    const std::vector<std::byte> before(writer().view().begin(), writer().view().end());
    writer().truncate(0);
    begin();
    codec::MapDecoder old;
    codec::MapEntry e;
    if (!old.start(before).ok()) return;
    while (old.next(e))
        encoder_.add(e.action, e.key, {}, e.hasPermData ? &e.permData : nullptr);
}

bool MapImpl::forth() {
    startOnce();
    if (failed_ || told_ || !decoder_.next(current_)) {
        current_ = {};
        return endOrError(load_);
    }
    const bool payload = current_.action != codec::MapAction::del;
    load_.set(payload ? decoder_.entryType() : T::NoData, current_.data, childScope_);
    keyLoad_.set(codec::baseType(decoder_.keyType()), current_.key, childScope_);
    return atEntry_ = true;
}
const access::MapEntry& MapImpl::entry() {
    if (!atEntry_) refuse("getEntry() before a successful forth(); call forth() first");
    return entry_.value;
}
bool MapImpl::hasKeyFieldId() {
    if (untouched() || isOpen()) return hasKeyFieldId_;
    startOnce();
    return !failed_ && decoder_.hasKeyFieldId();
}
std::int16_t MapImpl::keyFieldId() {
    if (!hasKeyFieldId()) refuse("getKeyFieldId() without a key field id; ask hasKeyFieldId() first");
    return isOpen() || untouched() ? keyFieldId_ : decoder_.keyFieldId();
}

}  // namespace emissary::ema

namespace refinitiv::ema::access {

namespace codec = emissary::eta::codec;
using emissary::ema::bytesOf;
using emissary::eta::BeWriter;
using T = codec::DataType;

EMISSARY_CONTAINER_DATA(Map, MapEnum)

bool Map::forth() const {
    return impl_->forth();
}
void Map::reset() const {
    impl_->reset();
}
const MapEntry& Map::getEntry() const {
    return impl_->entry();
}
bool Map::hasKeyFieldId() const {
    return impl_->hasKeyFieldId();
}
bool Map::hasTotalCountHint() const {
    return impl_->hasTotalCountHint();
}
Int16 Map::getKeyFieldId() const {
    return impl_->keyFieldId();
}
UInt32 Map::getTotalCountHint() const {
    return impl_->totalCountHint();
}
const SummaryData& Map::getSummaryData() const {
    return impl_->summary();
}
Map& Map::clear() {
    impl_->clear();
    return *this;
}
Map& Map::keyFieldId(Int16 fieldId) {
    impl_->setKeyFieldId(fieldId);
    return *this;
}
Map& Map::totalCountHint(UInt32 hint) {
    impl_->setTotalCountHint(hint);
    return *this;
}
Map& Map::summaryData(const ComplexType& summary) {
    impl_->setSummary(summary);
    return *this;
}
Map& Map::keyType(DataType::DataTypeEnum type) {
    impl_->setKeyType(type);
    return *this;
}
const Map& Map::complete() {
    impl_->complete();
    return *this;
}

// Both overloads of one key kind: PARAMETERS in parentheses, then how the content is written.
#define EMISSARY_UNPACK(...) __VA_ARGS__
#define EMISSARY_ADD_KEY(Name, Type, PARAMETERS, ...)                                                                  \
    Map& Map::addKey##Name(EMISSARY_UNPACK PARAMETERS, MapEntry::MapAction action, const ComplexType& value,           \
                           const EmaBuffer& permission) {                                                              \
        impl_->add(T::Type, static_cast<UInt8>(action), &value, permission, [&](BeWriter& w) { __VA_ARGS__; });        \
        return *this;                                                                                                  \
    }                                                                                                                  \
    Map& Map::addKey##Name(EMISSARY_UNPACK PARAMETERS, MapEntry::MapAction action, const EmaBuffer& permission) {      \
        impl_->add(T::Type, static_cast<UInt8>(action), nullptr, permission, [&](BeWriter& w) { __VA_ARGS__; });       \
        return *this;                                                                                                  \
    }
using emissary::ema::checkedDate;
using emissary::ema::checkedTime;
EMISSARY_ADD_KEY(Int, Int, (Int64 key), codec::encodeInt(w, key))
EMISSARY_ADD_KEY(UInt, UInt, (UInt64 key), codec::encodeUInt(w, key))
EMISSARY_ADD_KEY(Float, Float, (float key), codec::encodeFloat(w, key))
EMISSARY_ADD_KEY(Double, Double, (double key), codec::encodeDouble(w, key))
EMISSARY_ADD_KEY(Enum, Enum, (UInt16 key), codec::encodeEnum(w, key))
EMISSARY_ADD_KEY(Real, Real, (Int64 mantissa, OmmReal::MagnitudeType magnitude),
                 codec::encodeReal(w, emissary::ema::checkedReal(mantissa, magnitude)))
EMISSARY_ADD_KEY(Date, Date, (UInt16 year, UInt8 month, UInt8 day), codec::encodeDate(w, checkedDate(year, month, day)))
EMISSARY_ADD_KEY(Time, Time, (UInt8 hour, UInt8 minute, UInt8 second, UInt16 milli, UInt16 micro, UInt16 nano),
                 codec::encodeTime(w, checkedTime(hour, minute, second, milli, micro, nano)))
EMISSARY_ADD_KEY(DateTime, DateTime,
                 (UInt16 year, UInt8 month, UInt8 day, UInt8 hour, UInt8 minute, UInt8 second, UInt16 milli,
                  UInt16 micro, UInt16 nano),
                 codec::encodeDateTime(w, {checkedDate(year, month, day),
                                           checkedTime(hour, minute, second, milli, micro, nano)}))
EMISSARY_ADD_KEY(Qos, Qos, (UInt32 timeliness, UInt32 rate),
                 codec::encodeQos(w, emissary::ema::wireQos(timeliness, rate)))
EMISSARY_ADD_KEY(State, State,
                 (OmmState::StreamState stream, OmmState::DataState data, UInt8 code, const EmaString& text),
                 codec::encodeState(w, {static_cast<UInt8>(stream), static_cast<UInt8>(data), code, bytesOf(text)}))
EMISSARY_ADD_KEY(Buffer, Buffer, (const EmaBuffer& key), w.bytes(bytesOf(key)))
EMISSARY_ADD_KEY(Utf8, Utf8String, (const EmaBuffer& key), w.bytes(bytesOf(key)))
EMISSARY_ADD_KEY(Rmtes, RmtesString, (const EmaBuffer& key), w.bytes(bytesOf(key)))
EMISSARY_ADD_KEY(Ascii, AsciiString, (const EmaString& key), w.bytes(bytesOf(key)))

Map& Map::addKeyRealFromDouble(double key, MapEntry::MapAction action, const ComplexType& value,
                               OmmReal::MagnitudeType magnitude, const EmaBuffer& permission) {
    const codec::Real v = emissary::ema::realFromDouble(key, magnitude);
    impl_->add(T::Real, static_cast<UInt8>(action), &value, permission, [&](BeWriter& w) { codec::encodeReal(w, v); });
    return *this;
}
Map& Map::addKeyRealFromDouble(double key, MapEntry::MapAction action, OmmReal::MagnitudeType magnitude,
                               const EmaBuffer& permission) {
    const codec::Real v = emissary::ema::realFromDouble(key, magnitude);
    impl_->add(T::Real, static_cast<UInt8>(action), nullptr, permission, [&](BeWriter& w) { codec::encodeReal(w, v); });
    return *this;
}

}  // namespace refinitiv::ema::access
