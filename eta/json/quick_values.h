// Most values of fields as JSON, without a call and with few branches that depend on the value (json.md 7).
#pragma once

#include "eta/codec/primitives.h"
#include "eta/core/copy_short.h"
#include "eta/core/json_escapes.h"
#include "eta/dictionary/Dictionary.h"
#include "json/text_forms.h"

#include <bit>
#include <cstring>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

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

/// One that is no short one. Not inlined: what is rare would take the registers of what is not.
[[nodiscard, gnu::noinline]] inline char* longReal(char* to, Bytes in) noexcept {
    codec::Real v;
    return codec::decodeReal(in, v) == codec::Decoded::value ? putReal(to, v) : nullptr;
}
[[nodiscard]] inline char* quickReal(char* to, Bytes in) noexcept {
    const std::size_t decimals =
        std::size_t{json::kHintOfOne} - loadBe<std::uint8_t>(in.data());  // large for every other hint
    if (kHasWords && in.size() - 2 < 8 && decimals < kWordDigits) [[likely]] {
        const std::int64_t v = signedOf(in.data() + 1, in.size() - 1);
        if (const std::uint64_t m = magnitude(v); m < json::kPowers[kWordDigits]) [[likely]]
            return putShortReal(to, v < 0, m, decimals);
    }
    return longReal(to, in);
}

/// Plain ones, not empty.
[[nodiscard]] inline char* quickString(char* to, Bytes in) noexcept {
    const std::size_t n = in.size();
    *to++ = '"';
#ifdef __SSE2__
    if (n <= kQuickInput) [[likely]] {
        const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(in.data()));
        const auto is = [text](char c) { return _mm_cmpeq_epi8(text, _mm_set1_epi8(c)); };
        // What is not ASCII is less than a blank.
        const __m128i odd = _mm_or_si128(_mm_or_si128(_mm_cmplt_epi8(text, _mm_set1_epi8(' ')), is('\x7F')),
                                         _mm_or_si128(is('"'), is('\\')));
        if ((static_cast<unsigned>(_mm_movemask_epi8(odd)) & ((1U << n) - 1)) != 0) return nullptr;
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to), text);
        to[n] = '"';
        return to + n + 1;
    }
#endif
    if (n > kShortCopy || !isPlainJson(asText(in))) return nullptr;
    to = copyShort(to, asText(in).data(), n);
    *to = '"';
    return to + 1;
}

/// In another form than hours to seconds.
[[nodiscard, gnu::noinline]] inline char* otherTime(char* to, Bytes in) noexcept {
    codec::Time v;
    if (codec::decodeTime(in, v) != codec::Decoded::value) return nullptr;
    *to = '"';
    to = putTime(to + 1, v);
    *to = '"';
    return to + 1;
}

/// Hours to seconds, with milliseconds or without, are in one word.
[[nodiscard]] inline char* quickTime(char* to, Bytes in) noexcept {
    const std::uint64_t word = leftAligned(in.data());
    const auto parts = static_cast<std::uint32_t>(word >> 40);  // a byte each
    const std::uint32_t ms = in.size() == 3 ? 0 : static_cast<std::uint32_t>(word >> 24 & 0xFFFF);
    constexpr std::uint32_t kTops = 0x0080'8080, kTo100 = 0x001C'1C1C;
    if ((in.size() != 3 && in.size() != 5) || (((parts + kTo100) | parts) & kTops) != 0 || ms >= kTriples.size())
        [[unlikely]]
        return otherTime(to, in);
    const auto pair = [](char* at, std::uint32_t v) { std::memcpy(at, &json::kPairs[std::size_t{2} * v], 2); };
    *to = '"';
    pair(to + 1, parts >> 16);
    to[3] = ':';
    pair(to + 4, parts >> 8 & 0xFF);
    to[6] = ':';
    pair(to + 7, parts & 0xFF);
    to[9] = '.';
    // Without zeros at the end.
    const std::uint32_t digits = kTriples[ms];
    const auto count = (static_cast<std::size_t>(std::bit_width(digits)) + 7) / 8;
    to[10] = static_cast<char>('0' + (digits & 0xFF));
    to[11] = static_cast<char>('0' + (digits >> 8 & 0xFF));
    to[12] = static_cast<char>('0' + (digits >> 16));
    to += 9 + count + (count != 0);
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
/// at `to` means nothing. The text is what ValuesToJson::value() writes. Enumerated ones as numbers without `texts`.
[[nodiscard, gnu::always_inline]] inline char* putQuick(char* to, const dictionary::FieldDefinition& field, Bytes in,
                                                        bool texts) noexcept {
    using codec::DataType;
    const DataType type = field.type;
    if (in.empty()) return type != DataType::Unknown && codec::isPrimitive(type) ? copyShort(to, "null", 4) : nullptr;
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
        const dictionary::EnumValue* const entry = texts && field.enums != nullptr ? field.enums->find(v) : nullptr;
        if (entry == nullptr)
            return detail::kHasWords && v < detail::kTriples.size() ? putThreeDigits(to, v) : putDigits(to, v);
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
