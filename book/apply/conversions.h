// Small conversions that both ways of reading share.
#pragma once

#include <charconv>
#include <cstdint>
#include <string_view>

namespace emissary::book::detail {

/// A number as decimal text, in memory of its own.
class NumericKey {
public:
    template <class Integer>
    [[nodiscard]] std::string_view of(Integer n) noexcept {
        const auto end = std::to_chars(text_, text_ + sizeof text_, n);
        return {text_, static_cast<std::size_t>(end.ptr - text_)};
    }

private:
    char text_[24];
};

/// Blank parts (255, 65535, 2047) are taken as 0; -1 when the hour is blank.
[[nodiscard]] inline std::int64_t nanosOfDay(unsigned hour, unsigned minute, unsigned second, unsigned ms, unsigned us,
                                             unsigned ns) noexcept {
    if (hour > 24) return -1;
    const auto part = [](unsigned v, unsigned limit) { return static_cast<std::int64_t>(v < limit ? v : 0); };
    const std::int64_t seconds = (static_cast<std::int64_t>(hour) * 60 + part(minute, 60)) * 60 + part(second, 61);
    return ((seconds * 1000 + part(ms, 1000)) * 1000 + part(us, 1000)) * 1000 + part(ns, 1000);
}

/// year << 16 | month << 8 | day
[[nodiscard]] inline std::int64_t packedDate(unsigned year, unsigned month, unsigned day) noexcept {
    return static_cast<std::int64_t>(year << 16 | month << 8 | day);
}

}  // namespace emissary::book::detail
