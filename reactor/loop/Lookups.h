// Looking up the names of hosts beside the loop.
#pragma once

#include "loop/Mailbox.h"
#include "reactor/Reactor.h"

#include <memory>
#include <mutex>

namespace emissary::reactor {

/// Results of name look-ups on their way back; outlives the reactor while a look-up runs. A link asks for one look-up
/// in its life, so that it takes thousands of connection attempts within one turn of the loop to fill it.
struct Lookups {
    struct Letter {
        std::uint64_t linkId;
        std::shared_ptr<const eta::transport::Route> route;  // null = failed
        eta::Refused refused;                                // why there is no route
    };
    Mailbox<Letter> letters{4096};
    std::mutex mutex;
    int wakeFd = -1;  // guarded by mutex; -1 once the reactor is gone

    /// True when it has arrived, or when its reactor is gone; false when there is no room.
    [[nodiscard]] bool deliver(Letter& letter);
    /// Looks up what the options name, on a thread of its own, and delivers the result for the link. Called by the
    /// thread that empties the box; throws std::bad_alloc when it is full.
    static void begin(const std::shared_ptr<Lookups>& box, std::uint64_t linkId,
                      const eta::transport::ConnectOptions& options);
};

}  // namespace emissary::reactor
