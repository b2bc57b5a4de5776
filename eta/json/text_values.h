// Values read from the text of JSON numbers and strings (json.md 7). Numbers follow the JSON grammar already.
#pragma once

#include "eta/codec/Types.h"

#include <string_view>

namespace emissary::eta::json {

using codec::Decoded;

// Each is Decoded::value or Decoded::malformed: text is not empty, so nothing is blank.

/// Whether a number has no fraction: JSON has one type of number, so 5.0 and 1e3 are integers as 5 and 1000 are.
[[nodiscard]] bool isWhole(std::string_view number) noexcept;
/// A number that isWhole().
[[nodiscard]] Decoded readInt(std::string_view text, std::int64_t& out) noexcept;
[[nodiscard]] Decoded readUInt(std::string_view text, std::uint64_t& out) noexcept;
/// Any number. The text decides on the hint; digits beyond 64 bits or 10^-14 are rounded, halves away from zero. What
/// is too large for 64 bits and 10^7 is malformed.
[[nodiscard]] Decoded readReal(std::string_view text, codec::Real& out) noexcept;
[[nodiscard]] Decoded readDouble(std::string_view text, double& out) noexcept;
[[nodiscard]] Decoded readFloat(std::string_view text, float& out) noexcept;
/// Parts of zeros are blank. Times with a zone are converted to UTC, with the date where there is one.
[[nodiscard]] Decoded readDate(std::string_view text, codec::Date& out) noexcept;
[[nodiscard]] Decoded readTime(std::string_view text, codec::Time& out) noexcept;
[[nodiscard]] Decoded readDateTime(std::string_view text, codec::DateTime& out) noexcept;
/// "a.b.c.d".
[[nodiscard]] Decoded readAddress(std::string_view text, std::uint32_t& out) noexcept;

}  // namespace emissary::eta::json
