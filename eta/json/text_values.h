// Values read from the text of JSON numbers and strings (json.md 7). Numbers follow the JSON grammar already.
#pragma once

#include "eta/codec/Types.h"

#include <string_view>

namespace emissary::eta::json {

enum class Read : std::uint8_t { good, bad, outOfRange };

/// An integer without fraction and exponent.
[[nodiscard]] Read readInt(std::string_view text, std::int64_t& out) noexcept;
[[nodiscard]] Read readUInt(std::string_view text, std::uint64_t& out) noexcept;
/// Any number. The text decides on the hint; what 64 bits and 10^-14 .. 10^7 cannot hold is outOfRange.
[[nodiscard]] Read readReal(std::string_view text, codec::Real& out) noexcept;
[[nodiscard]] Read readDouble(std::string_view text, double& out) noexcept;
[[nodiscard]] Read readFloat(std::string_view text, float& out) noexcept;
// Text is not empty; bad when it is no date or time.
[[nodiscard]] Read readDate(std::string_view text, codec::Date& out) noexcept;
[[nodiscard]] Read readTime(std::string_view text, codec::Time& out) noexcept;
[[nodiscard]] Read readDateTime(std::string_view text, codec::DateTime& out) noexcept;
/// "a.b.c.d".
[[nodiscard]] Read readAddress(std::string_view text, std::uint32_t& out) noexcept;

}  // namespace emissary::eta::json
