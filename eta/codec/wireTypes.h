// Type numbers as they stand on the wire, shared by the decoders of this folder.
#pragma once

#include "eta/codec/Types.h"

namespace emissary::eta::codec {

/// Container types travel less 128; a number that would wrap below 128 is not a type (rwf.md 3.1) and gives false.
[[nodiscard]] inline bool readContainerType(BeReader& in, DataType& out) noexcept {
    const unsigned wire = in.u8();
    out = static_cast<DataType>((wire + 128u) & 0xFFu);
    return wire < 128;
}

}  // namespace emissary::eta::codec
