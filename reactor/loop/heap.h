// When the process's heap gives free pages back to the system.
#pragma once

#include <cstddef>

namespace emissary::reactor {

/// Small blocks of about so many bytes were freed. The heap keeps what lies between blocks in use until it is told; so
/// the sessions of the process count together what they free. Any thread.
void noteHeapFreed(std::size_t bytes) noexcept;
/// Asked once a trim period: whether it is time for returnHeap(), that is, enough was freed since the last time and
/// freeing has slackened (or has gone on for a dozen such periods). One of those who ask is told so.
[[nodiscard]] bool heapReturnDue() noexcept;
/// Gives the free pages back. Takes up to some milliseconds and holds the heap's locks meanwhile: not for dispatching
/// threads.
void returnHeap() noexcept;
/// How often that was done.
[[nodiscard]] std::size_t heapReturns() noexcept;

}  // namespace emissary::reactor
