// Values read from the text of JSON numbers and strings (json.md 7). Numbers follow the JSON grammar already.
#pragma once

#include "eta/codec/Types.h"

#include <string_view>

namespace emissary::eta::json {

using codec::Decoded;

// Each is Decoded::value or Decoded::malformed: text is not empty, so nothing is blank.

/// An integer without fraction and exponent.
[[nodiscard]] Decoded readInt(std::string_view text, std::int64_t& out) noexcept;
[[nodiscard]] Decoded readUInt(std::string_view text, std::uint64_t& out) noexcept;
/// Any number. The text decides on the hint; what 64 bits and 10^-14 .. 10^7 cannot hold is malformed.
[[nodiscard]] Decoded readReal(std::string_view text, codec::Real& out) noexcept;
[[nodiscard]] Decoded readDouble(std::string_view text, double& out) noexcept;
[[nodiscard]] Decoded readFloat(std::string_view text, float& out) noexcept;
[[nodiscard]] Decoded readDate(std::string_view text, codec::Date& out) noexcept;
[[nodiscard]] Decoded readTime(std::string_view text, codec::Time& out) noexcept;
[[nodiscard]] Decoded readDateTime(std::string_view text, codec::DateTime& out) noexcept;
/// "a.b.c.d".
[[nodiscard]] Decoded readAddress(std::string_view text, std::uint32_t& out) noexcept;

}  // namespace emissary::eta::json
