// Requests whose image does not come in time (session.md 4.5).
#pragma once

#include "watchlist/StreamTable.h"

#include <deque>
#include <functional>

namespace emissary::reactor::consumer {

/// Session lock held throughout. There is one timeout for all, so first in is first out. Bounded by the requests of one
/// timeout: an entry goes when its time is over, answered or not.
class RequestTimeouts {
public:
    struct Handler {
        std::function<void(Stream&)> expired;
        std::function<void()> allExpired;  ///< after those whose time was over together
    };

    RequestTimeouts(const Context& context, const StreamTable& streams, Handler handler)
        : context_(context), streams_(streams), handler_(std::move(handler)) {}
    ~RequestTimeouts() { forget(); }
    RequestTimeouts(const RequestTimeouts&) = delete;
    RequestTimeouts& operator=(const RequestTimeouts&) = delete;

    /// From now on; one that runs for the stream is over.
    void start(Stream& s);
    void forget() noexcept;
    void trim() noexcept { trimDeque(pending_); }

private:
    struct Pending {
        std::int32_t wireId;
        std::uint32_t mark;
        TimePoint at;
    };
    /// Null when it was answered meanwhile.
    [[nodiscard]] Stream* waiting(const Pending& p) const noexcept;
    void arm(Duration delay);
    void expire();

    const Context& context_;
    const StreamTable& streams_;
    const Handler handler_;
    std::deque<Pending> pending_;
    std::uint32_t lastMark_ = 0;
    TimerId timer_ = 0;
};

}  // namespace emissary::reactor::consumer
