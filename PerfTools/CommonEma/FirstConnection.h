// PerfTools/CommonEma: the first connection of a tool's thread, tried until the peer is there and accepts the login.
#pragma once
#include "ConnectNotice.h"

#include <cstdint>
#include <functional>
#include <string>

namespace emissary::perf {

/// A login that is not answered in time, or refused for the time being, is tried again, and the user hears why; the
/// same reason is said once. On the thread that connects.
struct FirstConnection {
    ConnectNotice& notice;
    std::string peer;                               ///< "provider", "server"
    std::string target;                             ///< "localhost:14002"
    std::string thread;                             ///< its name, in front of what is printed
    std::function<bool()> over;                     ///< the thread is to end
    std::function<void(std::int64_t nanos)> pause;  ///< no longer than until then
    std::function<bool()> refusedForNow;  ///< the status that the last attempt got leaves room for another one

    /// `attempt` makes the consumer or the provider, and throws what the API throws. False: the thread is to end. What
    /// no further attempt mends is thrown on.
    [[nodiscard]] bool make(const std::function<void()>& attempt) const;
};

}  // namespace emissary::perf
