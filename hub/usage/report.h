// The use of a month, for people and programs.
#pragma once

#include "hub/usage/usage_file.h"

#include <string>
#include <vector>

namespace emissary::hub::usage {

/// The files of a folder, or of one month of it.
struct Report {
    std::string month;  ///< "2026-11"; empty = all days
    std::map<std::int64_t, Rows> byDay;
    std::vector<std::string> faults;  ///< with file and line
};
/// "2026-11": such a month there can be.
[[nodiscard]] bool isMonth(const std::string& text) noexcept;
/// Reads them. A folder that cannot be read is a fault.
[[nodiscard]] Report readReport(const std::string& folder, const std::string& month);

/// One line for each user, service and product code, all days together, by user; then the sum.
[[nodiscard]] std::string asTable(const Report& report);
/// A row for each day, user, service and product code. Names that a spreadsheet would take for a formula have a ' in
/// front.
[[nodiscard]] std::string asCsv(const Report& report);
/// A page that needs nothing else: the table, and the days as bars.
[[nodiscard]] std::string asHtml(const Report& report);

}  // namespace emissary::hub::usage
