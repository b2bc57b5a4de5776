// Encodes one JSON value as the RWF type that the dictionary asks for.
#include "json/ValuesToRwf.h"

#include "eta/codec/Rmtes.h"
#include "eta/codec/primitives.h"
#include "json/text_values.h"

#include <limits>

namespace emissary::eta::json {

using codec::Real;

namespace {

/// "Inf", "-Inf" and "NaN" as the hint of a Real; 0 for other texts.
[[nodiscard]] std::uint8_t specialHint(std::string_view text) noexcept {
    if (text == "Inf") return Real::kInfinity;
    if (text == "-Inf") return Real::kNegInfinity;
    return text == "NaN" ? Real::kNotANumber : std::uint8_t{0};
}

template <class T>
[[nodiscard]] T specialValue(std::uint8_t hint) noexcept {
    if (hint == Real::kNotANumber) return std::numeric_limits<T>::quiet_NaN();
    return hint == Real::kInfinity ? std::numeric_limits<T>::infinity() : -std::numeric_limits<T>::infinity();
}

[[nodiscard]] bool isAscii(std::string_view text) noexcept {
    unsigned char all = 0;
    for (const char c : text)
        all = static_cast<unsigned char>(all | static_cast<unsigned char>(c));
    return all < 0x80;
}

constexpr std::string_view kQuotedReal = "a number stands without quotes; in quotes are only Inf, -Inf and NaN";
constexpr std::string_view kUtf8Switch = "\x1b%0";
constexpr std::size_t kLongestDisplay = 255;
constexpr std::uint64_t kMax16 = 0xFFFF, kMax8 = 0xFF;
constexpr MemberSet kStateMembers{Member::Stream, Member::Data, Member::Code, Member::Text},
    kQosMembers{Member::Timeliness, Member::Rate, Member::TimeInfo, Member::RateInfo, Member::Dynamic};

}  // namespace

bool ValuesToRwf::real(NodeIndex at, Real& out) noexcept {
    switch (tree_.kind(at)) {
    case Kind::integer:
    case Kind::decimal:
        if (const std::size_t point = tree_.point(at); point != 0 && quickReal(tree_.text(at), point, out)) return true;
        return readReal(tree_.text(at), out) == Decoded::value || in_.fail(ErrorClass::EncodeError, at);
    case Kind::string:
        out = {0, specialHint(tree_.text(at))};
        return out.hint != 0 || in_.failBecause(kQuotedReal, ErrorClass::ParseError, at);
    default:
        return in_.fail(ErrorClass::UnexpectedValue, at);
    }
}

bool ValuesToRwf::qos(NodeIndex at, codec::Qos& out) noexcept {
    Members q;
    if (!in_.collect(at, q) || !in_.known(q, kQosMembers)) return false;
    if (!q.has(Member::Timeliness)) return in_.missing("Timeliness", at);
    if (!q.has(Member::Rate)) return in_.missing("Rate", at);
    constexpr std::uint8_t kLargest = 3;
    codec::Qos v;
    if (!in_.word(q[Member::Timeliness], kTimelinesses, kLargest, v.timeliness) ||
        !in_.word(q[Member::Rate], kRates, kLargest, v.rate) || !in_.boolean(q, Member::Dynamic, false, v.dynamic))
        return false;
    if (q.has(Member::TimeInfo) && !in_.number(q[Member::TimeInfo], kMax16, v.timeInfo)) return false;
    if (q.has(Member::RateInfo) && !in_.number(q[Member::RateInfo], kMax16, v.rateInfo)) return false;
    out = v;
    return true;
}

bool ValuesToRwf::state(NodeIndex at, codec::State& out) noexcept {
    Members s;
    if (!in_.collect(at, s) || !in_.known(s, kStateMembers)) return false;
    constexpr std::uint8_t kLargestStream = codec::StreamState::redirected, kLargestData = codec::DataState::suspect;
    codec::State v;
    if (s.has(Member::Stream) && !in_.word(s[Member::Stream], kStreamStates, kLargestStream, v.stream)) return false;
    if (s.has(Member::Data) && !in_.word(s[Member::Data], kDataStates, kLargestData, v.data)) return false;
    if (s.has(Member::Code) && !in_.word(s[Member::Code], kStateCodes, kMax8, v.code)) return false;
    if (s.has(Member::Text) && !in_.string(s[Member::Text], v.text)) return false;
    out = v;
    return true;
}

bool ValuesToRwf::enumerated(NodeIndex at, const dictionary::EnumTable* enums, std::uint16_t& out, bool& blank) {
    blank = false;
    if (tree_.kind(at) != Kind::string)
        return in_.number(at, std::numeric_limits<std::uint16_t>::max(), out, ErrorClass::UnexpectedValue);
    if (!options_.acceptEnumText) return in_.fail(ErrorClass::UnexpectedValue, at);
    const std::string_view text = tree_.text(at);
    blank = true;  // also for text that no entry has
    if (enums == nullptr || text.empty() || text.size() > kLongestDisplay) return true;
    const bool ascii = isAscii(text);
    for (const dictionary::EnumValue& entry : enums->values()) {
        if (ascii && entry.display != text) continue;
        if (!ascii) {
            if (isAscii(entry.display)) continue;
            std::string display;  // rare: pictures such as arrows
            if (!codec::rmtesToUtf8(asBytes(entry.display), display).ok() || display != text) continue;
        }
        out = entry.value;
        blank = false;
        break;
    }
    return true;
}

/// The octets of a text outside ASCII follow the switch to UTF-8, so that they read back.
Bytes ValuesToRwf::rmtes(std::string_view utf8) noexcept {
    if (isAscii(utf8)) return asBytes(utf8);
    BeWriter& out = scratch_.value.start();
    out.bytes(asBytes(kUtf8Switch));
    out.bytes(asBytes(utf8));
    return out.view();
}

bool ValuesToRwf::value(NodeIndex at, DataType type, const dictionary::EnumTable* enums, Bytes& out) {
    out = {};
    const Kind kind = tree_.kind(at);
    if (kind == Kind::null) return true;
    const std::string_view text = tree_.text(at);
    const bool numeric = isNumber(kind);
    const auto wrong = [&] { return in_.fail(ErrorClass::UnexpectedValue, at); };
    const auto notInteger = [&] {
        return kind == Kind::string ? in_.failBecause(kQuotedInteger, ErrorClass::UnexpectedValue, at) : wrong();
    };
    BeWriter& w = scratch_.value.start();
    switch (type) {
    case DataType::Int: {
        std::int64_t v = 0;
        if (!in_.isInteger(at) || readInt(text, v) != Decoded::value) return notInteger();
        codec::encodeInt(w, v);
        break;
    }
    case DataType::UInt: {
        std::uint64_t v = 0;
        if (!in_.isInteger(at) || readUInt(text, v) != Decoded::value) return notInteger();
        codec::encodeUInt(w, v);
        break;
    }
    case DataType::Real: {
        Real v;
        if (!real(at, v)) return false;
        codec::encodeReal(w, v);
        break;
    }
    case DataType::Float: {
        float v = specialValue<float>(specialHint(text));
        if (numeric ? readFloat(text, v) != Decoded::value : kind != Kind::string || specialHint(text) == 0)
            return numeric ? in_.fail(ErrorClass::EncodeError, at)
                           : in_.failBecause(kQuotedReal, ErrorClass::ParseError, at);
        codec::encodeFloat(w, v);
        break;
    }
    case DataType::Double: {
        double v = specialValue<double>(specialHint(text));
        if (numeric ? readDouble(text, v) != Decoded::value : kind != Kind::string || specialHint(text) == 0)
            return numeric ? in_.fail(ErrorClass::EncodeError, at)
                           : in_.failBecause(kQuotedReal, ErrorClass::ParseError, at);
        codec::encodeDouble(w, v);
        break;
    }
    case DataType::Enum: {
        std::uint16_t v = 0;
        bool blank = false;
        if (!enumerated(at, enums, v, blank)) return false;
        if (blank) return true;
        codec::encodeEnum(w, v);
        break;
    }
    case DataType::Date: {
        codec::Date v;
        if (kind != Kind::string) return wrong();
        if (text.empty()) return true;
        if (readDate(text, v) != Decoded::value) return wrong();
        codec::encodeDate(w, v);
        break;
    }
    case DataType::Time: {
        codec::Time v;
        if (kind != Kind::string) return wrong();
        if (text.empty()) return true;
        if (!quickTime(text, v) && readTime(text, v) != Decoded::value) return wrong();
        codec::encodeTime(w, v);
        break;
    }
    case DataType::DateTime: {
        codec::DateTime v;
        if (kind != Kind::string) return wrong();
        if (text.empty()) return true;
        if (readDateTime(text, v) != Decoded::value) return wrong();
        codec::encodeDateTime(w, v);
        break;
    }
    case DataType::Qos: {
        codec::Qos v;
        if (!qos(at, v)) return false;
        codec::encodeQos(w, v);
        break;
    }
    case DataType::State: {
        codec::State v;
        if (!state(at, v)) return false;
        codec::encodeState(w, v);
        break;
    }
    case DataType::AsciiString:
    case DataType::Utf8String:
        if (kind != Kind::string) return wrong();
        return out = asBytes(text), true;
    case DataType::RmtesString:
        if (kind != Kind::string) return wrong();
        return out = rmtes(text), true;
    case DataType::Buffer:
        return kind == Kind::string ? in_.base64(at, out) : wrong();
    default:
        return in_.fail(ErrorClass::InvalidPrimitiveType, at);
    }
    if (!w.ok()) return in_.fail(ErrorClass::EncodeError, at);
    out = w.view();
    return true;
}

}  // namespace emissary::eta::json
