// Dates as the public classes print them (ema-api.md 2.2).
#pragma once

#include "eta/codec/text.h"

#include <cstring>

namespace emissary::ema {

namespace detail {
[[nodiscard]] inline const eta::codec::Date& dateIn(const eta::codec::Date& v) noexcept {
    return v;
}
[[nodiscard]] inline const eta::codec::Date& dateIn(const eta::codec::DateTime& v) noexcept {
    return v.date;
}
}  // namespace detail

/// The text of rwf.md 6.4, but a year alone stands where it does behind a day and a month ("       2011"); the codec
/// has only the blanks of the month before it.
template <class V>
[[nodiscard]] std::string_view rsslText(const V& value, eta::codec::TextBuffer& buffer) noexcept {
    constexpr std::size_t kDay = 3;
    const std::string_view text = toText(value, buffer);
    const eta::codec::Date& date = detail::dateIn(value);
    if (date.day != 0 || date.month != 0 || date.year == 0 || text.size() + kDay > buffer.size()) return text;
    std::memmove(buffer.data() + kDay, text.data(), text.size());
    std::memset(buffer.data(), ' ', kDay);
    return {buffer.data(), text.size() + kDay};
}

}  // namespace emissary::ema
