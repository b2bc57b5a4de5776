// The bytes of wire values as the inline getters and add methods read and write them; not for applications. How numbers
// look on the wire is eta's (emissary/wire_numbers.h); what is here makes up for what C++17 does not have.
#pragma once

#include "emissary/wire_numbers.h"

#include <cstddef>
#include <cstring>

namespace emissary::ema::wire {

using emissary::wire_numbers::isPlainWord;
using emissary::wire_numbers::networkOrder;
using emissary::wire_numbers::packDate;
using emissary::wire_numbers::packTime;
using emissary::wire_numbers::signedWidth;
using emissary::wire_numbers::timeWidth;
using emissary::wire_numbers::unsignedWidth;

/// A byte in a block; std::byte, where the language has it.
#if __cplusplus >= 201703L
using Octet = std::byte;
#else
/// The same.
enum class Octet : unsigned char {};
#endif

/// The big-endian number of sizeof(U) readable bytes, which need no alignment.
template <class U>
[[nodiscard]] inline U load(const void* from) noexcept {
    U v;
    std::memcpy(&v, from, sizeof v);
    return networkOrder(v);
}

/// std::bit_cast, which C++17 does not have.
template <class To, class From>
[[nodiscard]] inline To bits(From from) noexcept {
    static_assert(sizeof(To) == sizeof(From), "the bits of one are those of the other");
    To to;
    std::memcpy(&to, &from, sizeof to);
    return to;
}

/// The condition, which seldom holds: [[unlikely]], which C++17 does not have.
[[nodiscard]] constexpr bool rarely(bool condition) noexcept {
    return __builtin_expect(static_cast<long>(condition), 0) != 0;
}

}  // namespace emissary::ema::wire
