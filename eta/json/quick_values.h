// Most values of fields as JSON, without a call and with few branches that depend on the value (json.md 7).
#pragma once

#include "eta/codec/primitives.h"
#include "eta/core/copy_short.h"
#include "eta/core/json_escapes.h"
#include "eta/dictionary/Dictionary.h"
#include "json/text_forms.h"

namespace emissary::eta::json {

/// Bytes that may be written from the place on, and read from the value's first one on.
inline constexpr std::size_t kQuickRoom = 64, kQuickInput = 16;

namespace detail {

[[nodiscard]] inline std::uint64_t leftAligned(const std::byte* p) noexcept {
    return loadBe<std::uint64_t>(p);
}

/// Of 1 to 8 bytes.
[[nodiscard]] inline std::uint64_t unsignedOf(const std::byte* p, std::size_t n) noexcept {
    return leftAligned(p) >> (64 - 8 * n);
}
[[nodiscard]] inline std::int64_t signedOf(const std::byte* p, std::size_t n) noexcept {
    return static_cast<std::int64_t>(leftAligned(p)) >> (64 - 8 * n);
}

[[nodiscard]] inline char* quickReal(char* to, Bytes in) noexcept {
    if (in.size() - 2 < 8) [[likely]] {
        const auto hint = static_cast<std::uint8_t>(loadBe<std::uint8_t>(in.data()) & 0x3F);
        if (hint <= 30) [[likely]]
            return putReal(to, codec::Real{signedOf(in.data() + 1, in.size() - 1), hint});
    }
    codec::Real v;
    return codec::decodeReal(in, v) == codec::Decoded::value ? putReal(to, v) : nullptr;
}

/// Plain ones, not empty.
[[nodiscard]] inline char* quickString(char* to, Bytes in) noexcept {
    const std::size_t n = in.size();
    *to++ = '"';
    if (n <= 8 && kHasWords) [[likely]] {
        constexpr std::uint64_t kBlanks = ~std::uint64_t{0} / 0xFF * ' ';
        const std::uint64_t mask = ~std::uint64_t{0} >> (64 - 8 * n);
        std::uint64_t word;
        std::memcpy(&word, in.data(), sizeof word);
        word = (word & mask) | (kBlanks & ~mask);
        if (!eta::detail::isPlainJsonWord(word)) return nullptr;
        std::memcpy(to, &word, sizeof word);
    } else {
        if (n > kShortCopy || !isPlainJson(asText(in))) return nullptr;
        static_cast<void>(copyShort(to, asText(in).data(), n));
    }
    to[n] = '"';
    return to + n + 1;
}

/// Hours to seconds, with milliseconds or without, are in one word.
[[nodiscard]] inline char* quickTime(char* to, Bytes in) noexcept {
    const std::uint64_t word = leftAligned(in.data());
    const auto hour = static_cast<unsigned>(word >> 56), minute = static_cast<unsigned>(word >> 48 & 0xFF),
               second = static_cast<unsigned>(word >> 40 & 0xFF);
    const unsigned ms = in.size() == 3 ? 0 : static_cast<unsigned>(word >> 24 & 0xFFFF);
    *to++ = '"';
    if ((in.size() == 3 || in.size() == 5) && hour < 100 && minute < 100 && second < 100 && ms < 1000) [[likely]] {
        to = putPair(to, hour);
        *to++ = ':';
        to = putPair(to, minute);
        *to++ = ':';
        to = putPair(to, second);
        *to = '.';
        to[1] = static_cast<char>('0' + ms / 100);
        static_cast<void>(putPair(to + 2, ms % 100));
        to += ms == 0 ? 0 : 4 - (ms % 10 == 0) - (ms % 100 == 0);
    } else {
        codec::Time v;
        if (codec::decodeTime(in, v) != codec::Decoded::value) return nullptr;
        to = putTime(to, v);
    }
    *to = '"';
    return to + 1;
}

[[nodiscard]] inline char* quickDate(char* to, Bytes in) noexcept {
    codec::Date v;
    if (codec::decodeDate(in, v) != codec::Decoded::value) return nullptr;
    *to = '"';
    to = putDate(to + 1, v);
    *to = '"';
    return to + 1;
}

}  // namespace detail

/// Writes the value at `to` and returns the end of the text; null when it has to go the long way, and then what stands
/// at `to` means nothing. The text is what ValuesToJson::value() writes. `enums`: null for numbers.
[[nodiscard]] inline char* putQuick(char* to, codec::DataType type, Bytes in,
                                    const dictionary::EnumTable* enums) noexcept {
    using codec::DataType;
    if (in.empty()) return codec::isPrimitive(type) ? copyShort(to, "null", 4) : nullptr;
    switch (type) {
    case DataType::Real:
        return detail::quickReal(to, in);
    case DataType::RmtesString:
    case DataType::AsciiString:
    case DataType::Utf8String:
        return detail::quickString(to, in);
    case DataType::Enum: {
        if (in.size() > 2) return nullptr;
        const auto v = static_cast<std::uint16_t>(detail::unsignedOf(in.data(), in.size()));
        const dictionary::EnumValue* const entry = enums != nullptr ? enums->find(v) : nullptr;
        if (entry == nullptr) return putDigits(to, v);
        const std::string_view text = entry->json;
        return text.empty() || text.size() > kShortCopy ? nullptr : copyPadded(to, text.data(), text.size());
    }
    case DataType::UInt:
        return in.size() <= 8 ? putDigits(to, detail::unsignedOf(in.data(), in.size())) : nullptr;
    case DataType::Int:
        return in.size() <= 8 ? putSigned(to, detail::signedOf(in.data(), in.size())) : nullptr;
    case DataType::Time:
        return detail::quickTime(to, in);
    case DataType::Date:
        return detail::quickDate(to, in);
    default:
        return nullptr;
    }
}

}  // namespace emissary::eta::json
