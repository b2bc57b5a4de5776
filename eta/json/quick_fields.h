// eta/json: most fields as RWF entries, without a call and with few branches that depend on the value (json.md 7). The
// one place for the reader of trees and for that of tokens.
#pragma once

#include "eta/codec/primitives.h"
#include "eta/dictionary/Dictionary.h"
#include "json/digits.h"

namespace emissary::eta::json {

/// Bytes that may be written from the place of an entry on.
inline constexpr std::size_t kQuickEntry = 32;

/// A value in a text that has kDigitRoom bytes behind it.
struct PlainValue {
    std::string_view text;  ///< without quotes
    bool quoted = false;
};

namespace detail {

static_assert(kLongestDigits == 16, "two words hold every short text");

/// A number that is no shortReal(). Not inlined: what is rare would take the registers of what is not.
[[nodiscard, gnu::noinline]] inline bool longReal(std::string_view text, codec::Real& out) noexcept {
    const std::size_t point = plainPoint(text.data(), text.size());
    return point != 0 && quickReal(text, point, out);
}

/// Length and content of a short text.
[[nodiscard]] inline std::byte* putShortText(std::byte* to, const char* p, std::size_t n) noexcept {
    *to = static_cast<std::byte>(n);
    std::memcpy(to + 1, p, kLongestDigits);
    return to + 1 + n;
}

}  // namespace detail

/// Writes the entry at `to` and returns its end; null when it has to go the long way, and then what stands at `to`
/// means nothing. The entry is the one that the long way makes.
[[nodiscard, gnu::always_inline]] inline std::byte*
putQuickField(std::byte* to, const dictionary::FieldDefinition& field, const PlainValue& value) noexcept {
    using codec::DataType;
    constexpr std::uint64_t kMost16 = 0xFFFF;
    storeBe(to, static_cast<std::uint16_t>(field.fieldId));
    to += 2;
    switch (field.type) {
    case DataType::Real: {
        codec::Real v;
        if (value.quoted || (!shortReal(value.text, v) && !detail::longReal(value.text, v))) return nullptr;
        const std::size_t n = codec::detail::signedWidth(v.mantissa);
        to[0] = static_cast<std::byte>(n + 1);
        to[1] = static_cast<std::byte>(v.hint);
        codec::detail::storeWide(to + 2, static_cast<std::uint64_t>(v.mantissa), n);
        return to + 2 + n;
    }
    case DataType::UInt: {
        std::uint64_t v = 0;
        if (value.quoted || !plainUInt(value.text, v)) return nullptr;
        const std::size_t n = codec::detail::unsignedWidth(v);
        to[0] = static_cast<std::byte>(n);
        codec::detail::storeWide(to + 1, v, n);
        return to + 1 + n;
    }
    case DataType::Enum: {
        std::uint64_t v = 0;
        if (value.quoted || !plainUInt(value.text, v) || v > kMost16) return nullptr;
        const std::size_t n = v < 0x100 ? 1 : 2;
        to[0] = static_cast<std::byte>(n);
        codec::detail::storeWide(to + 1, v, n);
        return to + 1 + n;
    }
    case DataType::Time: {
        codec::Time v;
        if (!value.quoted || !quickTime(value.text, v)) return nullptr;
        const std::size_t n = codec::detail::timeWidth(v.second, v.millisecond, 0, 0);
        to[0] = static_cast<std::byte>(n);
        storeBe(to + 1, codec::detail::packTime(v.hour, v.minute, v.second, v.millisecond, 0, 0));
        return to + 1 + n;
    }
    case DataType::RmtesString:
    case DataType::AsciiString:
        if (!value.quoted || !isShortAscii(value.text)) return nullptr;
        return detail::putShortText(to, value.text.data(), value.text.size());
    default:
        return nullptr;
    }
}

}  // namespace emissary::eta::json
