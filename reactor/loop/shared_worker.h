// The worker threads that the reactors of a process share.
#pragma once

#include <memory>

namespace emissary::reactor {

class Worker;

/// One of a few workers, as many as there are processors and eight at most: a new one as long as there are fewer, then
/// the one that the fewest reactors have. Each ends with the last reactor that has it. A process that came out of
/// fork() makes its own. Any thread; throws std::system_error when no thread can be started, and std::bad_alloc.
[[nodiscard]] std::shared_ptr<Worker> sharedWorker();

}  // namespace emissary::reactor
