// When the process's heap gives free pages back to the system.
#pragma once

#include <cstddef>

namespace emissary::reactor {

/// Reports that small blocks of about `bytes` bytes were freed. The heap keeps pages between blocks in use until it is
/// asked to give them back, so all sessions of the process add up what they free. Any thread.
void noteHeapFreed(std::size_t bytes) noexcept;
/// Called once a trim period: whether it is time for returnHeap(), that is, enough was freed since the last time and
/// freeing has slackened (or has gone on for a dozen such periods). Returns true to one caller only. Any thread.
[[nodiscard]] bool heapReturnDue() noexcept;
/// Gives the free pages back. Takes up to some milliseconds and holds the heap's locks meanwhile: not for dispatching
/// threads.
void returnHeap() noexcept;

}  // namespace emissary::reactor
