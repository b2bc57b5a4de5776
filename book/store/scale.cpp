// Scales fractions and unusual exponents, with checks for overflow.
#include "store/scale.h"

namespace emissary::book::detail {

ScaledNumber scaledOther(std::int64_t mantissa, std::uint8_t hint, int scale) noexcept {
    if (mantissa == 0) return {Scaled::exact, 0};
    if (kFactors[static_cast<std::size_t>(scale)][hint] != 0) return {Scaled::outOfRange};
    if (hint >= 22) return {Scaled::finer, 0, hint - 22};  // 1/2^k has k decimals
    if (hint >= 14) return {Scaled::outOfRange};           // a power of ten above 10^18
    const int decimals = 14 - hint;
    if (scale >= decimals) return {Scaled::outOfRange};
    // More decimals than the scale has: they may be zeros.
    const std::int64_t below = powerOfTen(decimals - scale);
    if (mantissa % below == 0) return {Scaled::exact, mantissa / below};
    return {Scaled::finer, 0, decimals};
}

}  // namespace emissary::book::detail
