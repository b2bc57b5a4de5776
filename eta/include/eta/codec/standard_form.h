// Values of set data as content of their base types (rwf.md 2.13).
#pragma once

#include "eta/codec/SetDefinitions.h"
#include "eta/codec/primitives.h"

#include <array>

namespace emissary::eta::codec {

/// Room for a value that has to be rewritten.
using ValueScratch = std::array<std::byte, 16>;

/// The value of a set entry as content of its base type; borrows `data` or `scratch`. Only two forms differ. Empty when
/// such a value is malformed.
[[nodiscard]] inline Bytes standardForm(DataType setType, Bytes data, ValueScratch& scratch) noexcept {
    if (setType != DataType::Real4RB && setType != DataType::Real8RB) return data;
    Real real;
    if (decodeSetReal(data, setType, real) != Decoded::value) return {};
    BeWriter out{scratch};
    encodeReal(out, real);
    return out.view();
}

}  // namespace emissary::eta::codec
