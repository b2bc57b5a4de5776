// Ctrl-C and SIGTERM as a mark that threads can poll.
#pragma once

namespace emissary::perf {

/// Makes SIGINT and SIGTERM set the stop mark instead of ending the process, and ignores SIGPIPE and SIGXFSZ.
void installStopSignal() noexcept;
/// True once the user asked for the end of the run. Any thread may ask.
[[nodiscard]] bool stopRequested() noexcept;

}  // namespace emissary::perf
