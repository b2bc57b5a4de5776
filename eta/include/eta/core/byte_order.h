// eta/core: big- and little-endian integers in memory. The conversion itself is emissary/wire_numbers.h. Apart from
// bytes.h, and light, because the shortest forms of codec need no more.
#pragma once

#include "emissary/wire_numbers.h"

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace emissary::eta {

/// A value whose bytes stand in `order` when it is seen as one of this machine, and the other way round.
template <std::endian order, std::unsigned_integral U>
[[nodiscard]] constexpr U reorder(U v) noexcept {
    if constexpr (std::endian::native == order) return v;
    else return wire_numbers::reversed(v);
}

/// The big-endian integer of sizeof(U) readable bytes, which need no alignment.
template <std::unsigned_integral U>
[[nodiscard]] inline U loadBe(const std::byte* p) noexcept {
    U v;
    std::memcpy(&v, p, sizeof v);
    return reorder<std::endian::big>(v);
}
/// Writes the integer big-endian into sizeof(U) bytes, which need no alignment.
template <std::unsigned_integral U>
inline void storeBe(std::byte* p, U v) noexcept {
    v = reorder<std::endian::big>(v);
    std::memcpy(p, &v, sizeof v);
}

}  // namespace emissary::eta
