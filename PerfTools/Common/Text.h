// Text for reports: printf-style formatting into a string, time and version (never on a hot path).
#pragma once
#include <cstdarg>
#include <string>
#include <string_view>

namespace emissary::perf {

/// Appends the formatted text.
[[gnu::format(printf, 2, 3)]] void appendf(std::string& out, const char* format, ...);
/// The wall clock as `YYYY-MM-DD HH:MM:SS`, UTC.
[[nodiscard]] std::string utcNow();
/// The version of the project, which the tools have.
[[nodiscard]] std::string_view toolVersion() noexcept;

}  // namespace emissary::perf
