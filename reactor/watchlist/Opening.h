// Handles of items: how one is opened, changed and closed (session.md 4.1 to 4.3).
#pragma once

#include "watchlist/DeadlineQueue.h"
#include "watchlist/Recovery.h"
#include "watchlist/request_payload.h"

namespace emissary::reactor::consumer {

/// Session lock held throughout.
class Opening {
public:
    /// What a request has beside its message.
    struct Traits {
        bool internal = false;
        bool isData = false;  ///< opened by the symbol list that is the subscriber's parent
        DataStreams dataStreams = DataStreams::none;
        SharedView view{};
    };

    Opening(const Context& context, Services& services, StreamTable& streams, Views& views, WireRequests& wire,
            Sharers& sharers, Recovery& recovery);

    /// One item: joins the stream that there is, or makes one. 0 with a refusal.
    Handle open(const RequestView& request, const Subscriber& subscriber, Refusal& refusal, const Traits& traits);
    /// When nothing can be opened any more, or not at that service (null: `unknown` says why), the request is closed
    /// from the start and the dispatching thread tells so.
    [[nodiscard]] bool refused(Request& r, const RequestView& request, const ServiceEntry* service,
                               std::string unknown);
    /// A request waits for its service, also for one that was never seen.
    [[nodiscard]] bool waits(const eta::codec::Msg& m) const noexcept;
    [[nodiscard]] Refusal reissue(Request& r, const RequestView& request);
    void close(Request& r);
    /// Pause or resume of everything (login reissue).
    void pauseAll(bool paused);
    void trim() { unseen_.trim(); }

private:
    [[nodiscard]] Request* awaiting(Handle handle) noexcept;
    void waitedEnough(Request& r);
    [[nodiscard]] Request& makeRequest(const eta::codec::Msg& m, const Subscriber& subscriber, const Traits& traits);
    [[nodiscard]] Stream& makeStream(const eta::codec::Msg& m, ServiceEntry& service);
    void place(Request& r, const eta::codec::Msg& m, ServiceEntry& service);
    [[nodiscard]] static std::string_view forbiddenChange(const Request& r, const RequestView& request);
    void pause(Stream& s, bool paused) noexcept;

    const Context& context_;
    Services& services_;
    StreamTable& streams_;
    Views& views_;
    WireRequests& wire_;
    Sharers& sharers_;
    Recovery& recovery_;
    DeadlineQueue<Handle> unseen_;  // items of services that were never seen, when that may last so long only
};

}  // namespace emissary::reactor::consumer
