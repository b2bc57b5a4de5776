// Keys in the form in which they are stored.
#pragma once

#include "eta/codec/standard_form.h"

namespace emissary::hub::cache {

using eta::codec::ValueScratch;

/// A map key in the form in which equal numbers are equal bytes: the shortest. What is not a number, or cannot be one,
/// stays as it is.
[[nodiscard]] inline eta::Bytes shortestKey(eta::codec::DataType type, eta::Bytes key, ValueScratch& scratch) noexcept {
    using eta::codec::DataType;
    using eta::codec::Decoded;
    eta::BeWriter out{scratch};
    std::int64_t i = 0;
    std::uint64_t u = 0;
    std::uint16_t e = 0;
    eta::codec::Real r;
    if (type == DataType::Int && eta::codec::decodeInt(key, i) == Decoded::value) eta::codec::encodeInt(out, i);
    else if (type == DataType::UInt && eta::codec::decodeUInt(key, u) == Decoded::value) eta::codec::encodeUInt(out, u);
    else if (type == DataType::Enum && eta::codec::decodeEnum(key, e) == Decoded::value) eta::codec::encodeEnum(out, e);
    else if (type == DataType::Real && eta::codec::decodeReal(key, r) == Decoded::value) eta::codec::encodeReal(out, r);
    else return key;
    return out.ok() ? out.view() : key;
}

}  // namespace emissary::hub::cache
