// printf-style formatting into a string, for reports (never on a hot path).
#pragma once
#include <cstdarg>
#include <string>

namespace emissary::perf {

/// Appends the formatted text.
[[gnu::format(printf, 2, 3)]] void appendf(std::string& out, const char* format, ...);
/// The wall clock as `YYYY-MM-DD HH:MM:SS`, UTC.
[[nodiscard]] std::string utcNow();

}  // namespace emissary::perf
