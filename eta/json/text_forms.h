// Numbers, dates and times as JSON text, written into room that the caller has (json.md 7).
//
// Each writes at `to` and returns the end of the text. It may write more than the text, but not beyond its room.
#pragma once

#include "eta/codec/Types.h"

#include <cstddef>
#include <cstdint>

namespace emissary::eta::json {

/// Room that each of them needs.
inline constexpr std::size_t kDigitsRoom = 20, kSignedRoom = 21, kRealRoom = 56, kDateRoom = 16, kTimeRoom = 40;

[[nodiscard]] char* putDigits(char* to, std::uint64_t v) noexcept;
[[nodiscard]] char* putSigned(char* to, std::int64_t v) noexcept;
/// A number, or a quoted word for what is none: sign, up to 20 digits before the point, and 7 zeros behind them or up
/// to 30 decimals.
[[nodiscard]] char* putReal(char* to, const codec::Real& v) noexcept;
/// "2024-02-29", "2024-02", "2024", "--02-29"; outside ISO "2024--29", "----29". Without quotes; the date is not all
/// blank.
[[nodiscard]] char* putDate(char* to, const codec::Date& v) noexcept;
/// "17", "17:45" or "17:45:01" with what is not zero of the fraction. Without quotes; the time is not all blank.
[[nodiscard]] char* putTime(char* to, const codec::Time& v) noexcept;

}  // namespace emissary::eta::json
