// The shortest forms of numbers and times (rwf.md 1.7, 2.7): how many bytes (emissary/wire_numbers.h), and one wide
// store that writes them.
#pragma once

#include "emissary/wire_numbers.h"
#include "eta/core/byte_order.h"

namespace emissary::eta::codec::detail {

using wire_numbers::packDate;
using wire_numbers::packTime;
using wire_numbers::signedWidth;
using wire_numbers::timeWidth;
using wire_numbers::unsignedWidth;

/// The low n bytes of v as an 8-byte store whose first n bytes count; needs 8 writable bytes.
inline void storeWide(std::byte* p, std::uint64_t v, std::size_t n) noexcept {
    storeBe(p, v << (64 - 8 * n));
}

}  // namespace emissary::eta::codec::detail
