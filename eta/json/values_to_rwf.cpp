// Primitive values of JSON as RWF content (json.md 7).
#include "eta/codec/Rmtes.h"
#include "eta/codec/primitives.h"
#include "json/JsonToRwf.h"
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
    for (const char c : text)
        if (static_cast<unsigned char>(c) > 0x7F) return false;
    return true;
}

constexpr std::string_view kUtf8Switch = "\x1b%0";
constexpr std::size_t kLongestDisplay = 255;

}  // namespace

bool JsonToRwf::real(NodeIndex at, Real& out) noexcept {
    switch (tree_.kind(at)) {
    case Kind::integer:
    case Kind::decimal:
        return readReal(tree_.text(at), out) == Read::good || fail(ErrorClass::EncodeError, at);
    case Kind::string:
        out = {0, specialHint(tree_.text(at))};
        return out.hint != 0 || fail(ErrorClass::ParseError, at);
    default:
        return fail(ErrorClass::UnexpectedValue, at);
    }
}

bool JsonToRwf::enumerated(NodeIndex at, const dictionary::EnumTable* enums, std::uint16_t& out, bool& blank) {
    blank = false;
    if (tree_.kind(at) != Kind::string)
        return number(at, std::numeric_limits<std::uint16_t>::max(), out, ErrorClass::UnexpectedValue);
    if (!options_.acceptEnumText) return fail(ErrorClass::UnexpectedValue, at);
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
Bytes JsonToRwf::rmtes(std::string_view utf8) noexcept {
    if (isAscii(utf8)) return asBytes(utf8);
    BeWriter& out = scratch_.value.start();
    out.bytes(asBytes(kUtf8Switch));
    out.bytes(asBytes(utf8));
    return out.view();
}

bool JsonToRwf::value(NodeIndex at, DataType type, const dictionary::EnumTable* enums, Bytes& out) {
    out = {};
    const Kind kind = tree_.kind(at);
    if (kind == Kind::null) return true;
    const std::string_view text = tree_.text(at);
    const bool numeric = kind == Kind::integer || kind == Kind::decimal;
    const auto wrong = [&] { return fail(ErrorClass::UnexpectedValue, at); };
    BeWriter& w = scratch_.value.start();
    switch (type) {
    case DataType::Int: {
        std::int64_t v = 0;
        if (kind != Kind::integer || readInt(text, v) != Read::good) return wrong();
        codec::encodeInt(w, v);
        break;
    }
    case DataType::UInt: {
        std::uint64_t v = 0;
        if (kind != Kind::integer || readUInt(text, v) != Read::good) return wrong();
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
        if (numeric ? readFloat(text, v) != Read::good : kind != Kind::string || specialHint(text) == 0)
            return fail(numeric ? ErrorClass::EncodeError : ErrorClass::ParseError, at);
        codec::encodeFloat(w, v);
        break;
    }
    case DataType::Double: {
        double v = specialValue<double>(specialHint(text));
        if (numeric ? readDouble(text, v) != Read::good : kind != Kind::string || specialHint(text) == 0)
            return fail(numeric ? ErrorClass::EncodeError : ErrorClass::ParseError, at);
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
        if (readDate(text, v) != Read::good) return wrong();
        codec::encodeDate(w, v);
        break;
    }
    case DataType::Time: {
        codec::Time v;
        if (kind != Kind::string) return wrong();
        if (text.empty()) return true;
        if (readTime(text, v) != Read::good) return wrong();
        codec::encodeTime(w, v);
        break;
    }
    case DataType::DateTime: {
        codec::DateTime v;
        if (kind != Kind::string) return wrong();
        if (text.empty()) return true;
        if (readDateTime(text, v) != Read::good) return wrong();
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
        return kind == Kind::string ? base64(at, out) : wrong();
    default:
        return fail(ErrorClass::InvalidPrimitiveType, at);
    }
    if (!w.ok()) return fail(ErrorClass::EncodeError, at);
    out = w.view();
    return true;
}

}  // namespace emissary::eta::json
