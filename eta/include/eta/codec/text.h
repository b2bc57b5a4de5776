// Text forms of primitives: what people read and type (rwf.md 2.4, 2.9, 2.10, 6.1 - 6.4).
//
// Writers fill a caller's TextBuffer and return a view of it; nothing is allocated. Readers return Decoded::value,
// Decoded::blank (empty text) or Decoded::malformed, and touch `out` only when the outcome is not malformed.
#pragma once

#include "eta/codec/Types.h"

#include <array>
#include <string>
#include <string_view>

namespace emissary::eta::codec {

/// Room for the longest text below (a Qos); the returned view lives as long as the buffer.
using TextBuffer = std::array<char, 128>;

// --- Real
/// "150.25", "3 1/2", "Inf"; decimals as many as the hint says (rwf.md 6.3).
[[nodiscard]] std::string_view toText(const Real& v, TextBuffer& buffer) noexcept;
/// "150.25" -> (15025, hint 12); "3 1/2" -> (7, hint 23); see rwf.md 6.2 for what is blank.
[[nodiscard]] Decoded parseReal(std::string_view text, Real& out) noexcept;
/// Infinities and NaN for the special hints.
[[nodiscard]] double toDouble(const Real& v) noexcept;
/// The Real nearest to the double, halves away from zero. False when the result does not fit or the hint is not in
/// 0..30 (rwf.md 6.1).
[[nodiscard]] bool fromDouble(double v, std::uint8_t hint, Real& out) noexcept;

// --- numbers
[[nodiscard]] std::string_view toText(std::int64_t v, TextBuffer& buffer) noexcept;  ///< decimal, without leading zeros
/// Decimal, without leading zeros.
[[nodiscard]] std::string_view toText(std::uint64_t v, TextBuffer& buffer) noexcept;
/// Up to 7 significant digits, shortest of fixed and exponent style.
[[nodiscard]] std::string_view toText(float v, TextBuffer& buffer) noexcept;
/// Up to 16 significant digits.
[[nodiscard]] std::string_view toText(double v, TextBuffer& buffer) noexcept;

// --- date and time; blank values give empty text (rwf.md 6.4)
/// "17 MAR 2025"; unknown parts are blanks of the same width; "Invalid date" for what no calendar has.
[[nodiscard]] std::string_view toText(const Date& v, TextBuffer& buffer) noexcept;
/// "12:30:15:500:000:000"; stops before the first blank member.
[[nodiscard]] std::string_view toText(const Time& v, TextBuffer& buffer) noexcept;
/// Date and time with a blank between; only the date or the time when the other is blank.
[[nodiscard]] std::string_view toText(const DateTime& v, TextBuffer& buffer) noexcept;
/// "2025-03-17".
[[nodiscard]] std::string_view toIsoText(const Date& v, TextBuffer& buffer) noexcept;
/// "12:30:15.5"; no trailing zeros in the fraction.
[[nodiscard]] std::string_view toIsoText(const Time& v, TextBuffer& buffer) noexcept;
/// "2025-03-17T12:30:15.5".
[[nodiscard]] std::string_view toIsoText(const DateTime& v, TextBuffer& buffer) noexcept;
/// Reads what toText() and toIsoText() write (rwf.md 6.4).
[[nodiscard]] Decoded parseDate(std::string_view text, Date& out) noexcept;
/// Reads what toText() and toIsoText() write.
[[nodiscard]] Decoded parseTime(std::string_view text, Time& out) noexcept;
/// Reads what toText() and toIsoText() write.
[[nodiscard]] Decoded parseDateTime(std::string_view text, DateTime& out) noexcept;

// --- quality of service and state
/// "Qos: Realtime/TickByTick/Static - timeInfo: 0 - rateInfo: 0".
[[nodiscard]] std::string_view toText(const Qos& v, TextBuffer& buffer) noexcept;

// Words of single codes; never null. Codes without a word give "" (state codes) or "Unknown" (the others).
[[nodiscard]] const char* timelinessName(std::uint8_t timeliness) noexcept;  ///< "Realtime", "DelayedByUnknown" ...
[[nodiscard]] const char* rateName(std::uint8_t rate) noexcept;              ///< "TickByTick" ...
[[nodiscard]] const char* streamStateName(std::uint8_t stream) noexcept;     ///< "Open", "Closed" ...
[[nodiscard]] const char* dataStateName(std::uint8_t data) noexcept;         ///< "Ok", "Suspect" ...
[[nodiscard]] const char* stateCodeName(std::uint8_t code) noexcept;         ///< "None", "NotFound" ...

}  // namespace emissary::eta::codec
