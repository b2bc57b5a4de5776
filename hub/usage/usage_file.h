// The files of use: one for each day, rows of text.
#pragma once

#include "hub/usage/Table.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace emissary::hub::usage {

/// usage-2026-11-28.csv: a heading, then rows `user,service,product,opened,seconds,updates,snapshots`.
[[nodiscard]] std::string fileNameOf(std::int64_t day);
/// Nothing: no such name.
[[nodiscard]] std::optional<std::int64_t> dayOf(std::string_view fileName) noexcept;
/// "2026-11-28".
[[nodiscard]] std::string dateOf(std::int64_t day);

[[nodiscard]] std::string fileText(const Snapshot& snapshot);

using Rows = std::map<Key, Numbers>;
/// Adds what can be read; each fault names its line. An absent file has no rows and no fault.
void readFile(const std::string& path, Rows& into, std::vector<std::string>& faults);

/// A field of comma-separated values: in quotes where it must be.
[[nodiscard]] std::string csvField(std::string_view text);

}  // namespace emissary::hub::usage
