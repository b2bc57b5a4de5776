// Values of arrays of fixed width (rwf.md 2.11).
#pragma once

#include "eta/codec/containers.h"

namespace emissary::ema {

/// The item without the zero bytes that fill a text or buffer up to the array's fixed width.
[[nodiscard]] inline eta::Bytes valueOf(const eta::codec::ArrayDecoder& array, eta::Bytes item) noexcept {
    using T = eta::codec::DataType;
    const T type = array.itemType();
    if (array.itemLength() == 0) return item;
    if (type != T::Buffer && type != T::AsciiString && type != T::Utf8String && type != T::RmtesString) return item;
    while (!item.empty() && item.back() == std::byte{0})
        item = item.first(item.size() - 1);
    return item;
}

}  // namespace emissary::ema
