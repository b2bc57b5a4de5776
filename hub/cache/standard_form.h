// Values and keys in the form in which they are stored.
#pragma once

#include "eta/codec/SetDefinitions.h"
#include "eta/codec/primitives.h"

#include <array>

namespace emissary::hub::cache {

/// Room for a value that has to be rewritten.
using ValueScratch = std::array<std::byte, 16>;

/// A value of set data as content of its base type; borrows one of the two. Only two forms differ (rwf.md 2.13).
[[nodiscard]] inline eta::Bytes standardForm(eta::codec::DataType setType, eta::Bytes data,
                                             ValueScratch& scratch) noexcept {
    using eta::codec::DataType;
    if (setType != DataType::Real4RB && setType != DataType::Real8RB) return data;
    eta::codec::Real real;
    if (eta::codec::decodeSetReal(data, setType, real) != eta::codec::Decoded::value) return {};
    eta::BeWriter out{scratch};
    eta::codec::encodeReal(out, real);
    return out.view();
}

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
