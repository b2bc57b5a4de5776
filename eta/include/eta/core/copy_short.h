// Copies and comparisons of short texts without a call: of a length that is not known when the program is compiled.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace emissary::eta {

/// Most bytes that copyShort() and copyPadded() copy.
inline constexpr std::size_t kShortCopy = 32;

/// Copies n bytes, kShortCopy at most, with two loads and stores of a fixed size that may overlap; touches no other
/// byte. Returns where the copy ends.
inline char* copyShort(char* to, const char* from, std::size_t n) noexcept {
    const auto ends = [=]<std::size_t Size>(std::integral_constant<std::size_t, Size>) {
        char first[Size], last[Size];
        std::memcpy(first, from, Size);
        std::memcpy(last, from + n - Size, Size);
        std::memcpy(to, first, Size);
        std::memcpy(to + n - Size, last, Size);
        return to + n;
    };
    if (n >= 16) return ends(std::integral_constant<std::size_t, 16>{});
    if (n >= 8) return ends(std::integral_constant<std::size_t, 8>{});
    if (n >= 4) return ends(std::integral_constant<std::size_t, 4>{});
    if (n == 0) return to;
    to[0] = from[0];
    to[n / 2] = from[n / 2];
    to[n - 1] = from[n - 1];
    return to + n;
}

/// Copies n bytes, kShortCopy at most, where kShortCopy bytes may be read and written. Returns where the copy ends.
inline char* copyPadded(char* to, const char* from, std::size_t n) noexcept {
    std::memcpy(to, from, kShortCopy);
    return to + n;
}

/// Whether both texts are equal; without a call for 16 characters at most.
[[nodiscard]] inline bool equalShort(std::string_view a, std::string_view b) noexcept {
    if (a.size() != b.size()) return false;
    const std::size_t n = a.size();
    const char* const p = a.data();
    const char* const q = b.data();
    const auto ends = [=](auto x) {
        auto first = x, last = x, otherFirst = x, otherLast = x;
        std::memcpy(&first, p, sizeof x);
        std::memcpy(&otherFirst, q, sizeof x);
        std::memcpy(&last, p + n - sizeof x, sizeof x);
        std::memcpy(&otherLast, q + n - sizeof x, sizeof x);
        return ((first ^ otherFirst) | (last ^ otherLast)) == 0;
    };
    if (n > 16) return std::memcmp(p, q, n) == 0;
    if (n >= 8) return ends(std::uint64_t{});
    if (n >= 4) return ends(std::uint32_t{});
    return n == 0 || (p[0] == q[0] && p[n / 2] == q[n / 2] && p[n - 1] == q[n - 1]);
}

}  // namespace emissary::eta
