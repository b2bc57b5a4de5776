// What a figure is worth nothing without: where it was taken, with what, and how.
#pragma once

#include <string>
#include <string_view>

namespace emissary::perf {

/// The last section of a summary: version, command line, time, processors, memory and kernel. A line is left out where
/// the system does not tell. Called when a run starts, for that is the time that it names.
[[nodiscard]] std::string runRecord();

/// A word of a command line as a shell takes it again; bytes that a terminal could obey are spelled out.
[[nodiscard]] std::string shellWord(std::string_view word);

}  // namespace emissary::perf
