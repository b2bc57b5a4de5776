// Writes one primitive value in its JSON form, with special cases for enumerations, RMTES, QoS and state.
#include "json/ValuesToJson.h"

#include "eta/codec/Rmtes.h"
#include "eta/codec/primitives.h"
#include "eta/core/printable.h"
#include "json/PayloadToJson.h"

namespace emissary::eta::json {

using codec::Decoded;

namespace {

constexpr std::size_t kRmtesColumns = 4096;

}  // namespace

bool ValuesToJson::value(DataType type, Bytes in, DataType setType, const dictionary::EnumTable* enums,
                         int depth) noexcept {
    if (in.empty() && codec::isPrimitive(type)) return w_.null(), true;
    const auto primitive = [&](auto v, auto decode, auto write) {
        switch (decode(in, v)) {
        case Decoded::value:
            return write(v), true;
        case Decoded::blank:
            return w_.null(), true;
        case Decoded::malformed:
            break;
        }
        return w_.fail(Errc::badLength);
    };
    switch (type) {
    case DataType::Real: {
        codec::Real v;
        if (setType == DataType::Unknown) [[likely]]
            return primitive(v, codec::decodeReal, [this](const auto& r) { w_.real(r); });
        const auto decode = [setType](Bytes bytes, codec::Real& r) { return codec::decodeSetReal(bytes, setType, r); };
        return primitive(v, decode, [this](const auto& r) { w_.real(r); });
    }
    case DataType::Int:
        return primitive(std::int64_t{}, codec::decodeInt, [this](auto v) { w_.integer(v); });
    case DataType::UInt:
        return primitive(std::uint64_t{}, codec::decodeUInt, [this](auto v) { w_.integer(v); });
    case DataType::Enum:
        return primitive(std::uint16_t{}, codec::decodeEnum, [&](auto v) { enumerated(v, enums); });
    case DataType::Date:
        return primitive(codec::Date{}, codec::decodeDate, [this](const auto& v) { w_.date(v); });
    case DataType::Time:
        return primitive(codec::Time{}, codec::decodeTime, [this](const auto& v) { w_.time(v); });
    case DataType::DateTime:
        return primitive(codec::DateTime{}, codec::decodeDateTime, [this](const auto& v) { w_.dateTime(v); });
    case DataType::Float:
        return primitive(float{}, codec::decodeFloat, [this](auto v) { w_.number(v); });
    case DataType::Double:
        return primitive(double{}, codec::decodeDouble, [this](auto v) { w_.number(v); });
    case DataType::Qos:
        return primitive(codec::Qos{}, codec::decodeQos, [this](const auto& v) { qos(v); });
    case DataType::State:
        return primitive(codec::State{}, codec::decodeState, [this](const auto& v) { state(v); });
    case DataType::RmtesString:
        return rmtes(in), true;
    case DataType::AsciiString:
    case DataType::Utf8String:
        return w_.string(asText(in)), true;
    case DataType::Buffer:
        return w_.base64(in), true;
    case DataType::Array:
        return payloads_.array(in, depth + 1);
    default:
        return codec::isContainer(type) ? payloads_.container(type, in, nullptr, depth + 1)
                                        : w_.fail(Errc::unsupportedType);
    }
}

void ValuesToJson::enumerated(std::uint16_t v, const dictionary::EnumTable* enums) noexcept {
    const dictionary::EnumValue* entry = options_.expandEnums && enums != nullptr ? enums->find(v) : nullptr;
    if (entry == nullptr) return w_.integer(std::uint64_t{v});
    if (entry->json.empty()) rmtes(asBytes(entry->display));
    else w_.padded(false, entry->json);
}

void ValuesToJson::rmtes(Bytes in) noexcept {
    if (isPlainJson(asText(in))) return w_.plain(asText(in));
    if (isPlain(asText(in))) return w_.string(asText(in));
    if (codec::isRmtesPartial(in)) {  // has no JSON form: it is applied to an empty field
        std::size_t length = 0;
        scratch_.store.resize(kRmtesColumns);
        if (codec::applyRmtes(in, scratch_.store, length).ok()) in = Bytes(scratch_.store).first(length);
    }
    scratch_.text.clear();
    if (codec::rmtesToUtf8(in, scratch_.text).ok()) return w_.string(scratch_.text);
    w_.string(asText(in));  // not RMTES: what is not UTF-8 in it is replaced
}

void ValuesToJson::qos(const codec::Qos& v) noexcept {
    constexpr std::uint8_t kDelayed = 3, kTimeConflated = 3;
    w_.word("{\"Timeliness\":", kTimelinesses, v.timeliness);
    w_.word(",\"Rate\":", kRates, v.rate);
    if (v.timeliness == kDelayed) w_.number(",\"TimeInfo\":", v.timeInfo);
    if (v.rate == kTimeConflated) w_.number(",\"RateInfo\":", v.rateInfo);
    if (v.dynamic) w_.flag(",\"Dynamic\":", true);
    w_.raw('}');
}

void ValuesToJson::state(const codec::State& v) noexcept {
    w_.word("{\"Stream\":", kStreamStates, v.stream);
    w_.word(",\"Data\":", kDataStates, v.data);
    if (v.code != 0) w_.word(",\"Code\":", kStateCodes, v.code);
    if (!v.text.empty()) {
        w_.raw(",\"Text\":");
        w_.string(asText(v.text));
    }
    w_.raw('}');
}

}  // namespace emissary::eta::json
