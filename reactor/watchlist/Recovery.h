// Streams that wait: for their service, for room in its open window, for the next attempt after their end.
#pragma once

#include "session/RetryPace.h"
#include "watchlist/Sharers.h"

namespace emissary::reactor::consumer {

using session::RetryPace;

/// Session lock held throughout.
class Recovery {
public:
    Recovery(const Context& context, const Services& services, StreamTable& streams, WireRequests& wire,
             Sharers& sharers)
        : context_(context), services_(services), streams_(streams), wire_(wire), sharers_(sharers) {}
    ~Recovery();
    Recovery(const Recovery&) = delete;
    Recovery& operator=(const Recovery&) = delete;

    /// A stream that ends recoverably comes back (session.md 4.4).
    [[nodiscard]] bool comesBack(const Stream& s) const noexcept { return context_.singleOpen && !s.isPrivate; }

    // --- beginning
    /// Sends the first request, or queues the stream while the service's open window is full.
    void start(Stream& s);
    /// No service can serve a new stream now: it waits for one, or ends.
    void startLater(Stream& s, std::string_view why);

    // --- waiting
    /// Off the wire, waiting for its service. It is not shared: newcomers find it when it comes back.
    void park(Stream& s);
    /// Parked because it ended: asked for again when askAgain() is called.
    void again(Stream& s) { streams_.step(s, StreamEvent::askAgain); }
    /// The same, at once or after a pause that grows from time to time.
    void againInTime(Stream& s);
    /// At the end of everything that may have called again().
    void askAgain() {
        if (streams_.again().first != nullptr) [[unlikely]]
            askAllAgain();
    }

    // --- the service moves
    void recoverParked(ServiceEntry& service);
    void stopRecovering(ServiceEntry& service) noexcept;
    /// There may be room in the service's open window.
    void releaseQueued(ServiceEntry& service);

    // --- ending
    /// The stream is off the wire for good. Its sharers get their final status, and then retire() follows.
    void end(Stream& s);
    /// No sharer is left. The record stays while a delivery is under way.
    void retire(Stream& s, bool sayClose);
    /// The same for a stream that was never requested.
    void finish(Stream& s);

    void trim() noexcept { trimTable(retries_); }
    [[nodiscard]] std::size_t places() const noexcept { return retries_.bucket_count(); }

private:
    struct Retry {
        RetryPace pace;
        TimerId timer = 0;  // runs in phase pausing only
    };
    void recover(Stream& s);
    void recoverSome(ServiceEntry& service);
    void askAllAgain();
    void forgetRetry(Stream& s) noexcept;

    const Context& context_;
    const Services& services_;
    StreamTable& streams_;
    WireRequests& wire_;
    Sharers& sharers_;
    ItemMap<const Stream*, Retry> retries_;  // of streams that ended recoverably; Stream::hasRetry
};

}  // namespace emissary::reactor::consumer
