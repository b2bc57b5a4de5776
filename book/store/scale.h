// Numbers of the wire as whole multiples of 10^-scale, without floating point (docs/spec/order-books.md 4.1).
#pragma once

#include <array>
#include <cstdint>
#include <limits>

namespace emissary::book::detail {

inline constexpr int kMaxScale = 14;                             ///< of the finest hint
inline constexpr std::uint8_t kHints = 31;                       ///< 0..21 powers of ten, 22..30 fractions 1 .. 1/256
inline constexpr std::int64_t kMaxSize = std::int64_t{1} << 56;  ///< of one row, in units of the size scale

[[nodiscard]] constexpr std::int64_t powerOfTen(int n) noexcept {
    std::int64_t p = 1;
    for (int i = 0; i < n; ++i)
        p *= 10;
    return p;
}

/// factor[scale][hint]: units in mantissa 1, or 0 where that is not whole or above 10^18.
inline constexpr auto kFactors = [] {
    std::array<std::array<std::int64_t, kHints + 1>, kMaxScale + 1> all{};
    for (int scale = 0; scale <= kMaxScale; ++scale) {
        auto& row = all[static_cast<std::size_t>(scale)];
        for (int hint = 0; hint <= 21; ++hint) {
            const int power = scale + hint - 14;
            row[static_cast<std::size_t>(hint)] = power >= 0 && power <= 18 ? powerOfTen(power) : 0;
        }
        for (int k = 0; k <= 8; ++k)
            row[22 + static_cast<std::size_t>(k)] = scale >= k ? powerOfTen(scale) >> k : 0;
    }
    return all;
}();

enum class Scaled : std::uint8_t {
    exact,
    finer,  ///< needs a finer scale; `needs` says which
    outOfRange
};

struct ScaledNumber {
    Scaled outcome;
    std::int64_t units = 0;
    int needs = 0;
};

/// Everything but the usual case, which is units = mantissa x factor without overflow.
[[nodiscard]] ScaledNumber scaledOther(std::int64_t mantissa, std::uint8_t hint, int scale) noexcept;

/// The usual case; false: scaled() knows more. hint is below kHints.
[[nodiscard]] inline bool scaledExactly(std::int64_t mantissa, std::uint8_t hint, int scale,
                                        std::int64_t& units) noexcept {
    const std::int64_t factor = kFactors[static_cast<std::size_t>(scale)][hint];
    return factor != 0 && !__builtin_mul_overflow(mantissa, factor, &units) &&
           units != std::numeric_limits<std::int64_t>::min();
}

/// hint is below kHints.
[[nodiscard]] inline ScaledNumber scaled(std::int64_t mantissa, std::uint8_t hint, int scale) noexcept {
    std::int64_t units = 0;
    if (scaledExactly(mantissa, hint, scale, units)) [[likely]]
        return {Scaled::exact, units};
    return scaledOther(mantissa, hint, scale);
}

}  // namespace emissary::book::detail
