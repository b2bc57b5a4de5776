// Requests whose image does not come in time (session.md 4.5).
#pragma once

#include "watchlist/DeadlineQueue.h"
#include "watchlist/StreamTable.h"

namespace emissary::reactor::consumer {

/// Session lock held throughout. There is one timeout for all.
class RequestTimeouts {
public:
    struct Handler {
        std::function<void(Stream&)> expired;
        std::function<void()> allExpired;  ///< after those whose time was over together
    };

    RequestTimeouts(const Context& context, const StreamTable& streams, Handler handler)
        : streams_(streams), waiting_(context.reactor, context.options.requestTimeout,
                                      {[this](const Asked& r) { return stream(r) != nullptr; },
                                       [this, expired = handler.expired](const Asked& r) { expired(*stream(r)); },
                                       std::move(handler.allExpired)}) {}

    /// From now on; one that runs for the stream is over.
    void start(Stream& s) {
        s.timerMark = ++lastMark_ == 0 ? ++lastMark_ : lastMark_;
        waiting_.start({s.wireId, s.timerMark});
    }
    void forget() noexcept { waiting_.forget(); }
    void trim() { waiting_.trim(); }

private:
    struct Asked {
        std::int32_t wireId;
        std::uint32_t mark;
    };
    /// Null when it was answered meanwhile.
    [[nodiscard]] Stream* stream(const Asked& r) const noexcept {
        Stream* s = streams_.find(r.wireId);
        return s != nullptr && s->timerMark == r.mark ? s : nullptr;
    }

    const StreamTable& streams_;
    std::uint32_t lastMark_ = 0;
    DeadlineQueue<Asked> waiting_;
};

}  // namespace emissary::reactor::consumer
