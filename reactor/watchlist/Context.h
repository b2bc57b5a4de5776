// The base of all parts of the watchlist.
#pragma once

#include "session/RequestTable.h"
#include "session/Sender.h"
#include "watchlist/Services.h"

#include <string>

namespace emissary::reactor::consumer {

using session::RequestTable;
using session::Sender;

/// What the watchlist's owner does for it.
class WatchlistOwner {
public:
    virtual ~WatchlistOwner() = default;
    /// A message for one of the owner's own requests (dictionary download).
    virtual void onInternalMessage(const eta::codec::Msg& msg, Handle handle) = 0;
    /// An off-stream post gets no ack of the server; `nak` answers it.
    virtual void onPostNak(const eta::codec::Msg& nak) = 0;
    /// A request or a close went out on an item stream; only after Watchlist::tellRequests(true).
    virtual void onRequestSent(const eta::codec::Msg& msg) = 0;
    /// An item stream is over, by either side; `source`: channel whose data counted. After tellRequests(true) only.
    virtual void onStreamEnded(std::int32_t wireId, std::uint8_t domain, std::uint32_t source) = 0;
    /// The way to a server other than the active one; null while it is not there.
    [[nodiscard]] virtual Sender* senderOf(std::uint32_t channel) = 0;
};

/// Lives as long as the watchlist. Session lock held throughout.
struct Context {
    Reactor& reactor;
    Sender& sender;
    RequestTable& requests;
    ConsumerSink& sink;
    WatchlistOwner& owner;
    const WatchlistOptions& options;
    bool singleOpen = true, allowSuspect = true;       ///< from the consumer's own login request (session.md 4.6)
    bool supportsPause = false, supportsView = false;  ///< from the provider's login refresh
    bool tellRequests = false;                         ///< the owner gets calls for requests and for streams that end
    std::string closedText{};  ///< why nothing can be opened any more; empty while something can

    /// The server that a stream's messages go to: the one whose data count for its service. Private streams are the
    /// active server's.
    [[nodiscard]] static std::uint32_t sourceOf(const Stream& stream) noexcept {
        return stream.isPrivate ? ServiceEntry::kActive : stream.service->source;
    }
    [[nodiscard]] Sender& senderFor(const Stream& stream) const {
        const std::uint32_t source = sourceOf(stream);
        if (source == ServiceEntry::kActive) return sender;
        Sender* other = owner.senderOf(source);
        return other != nullptr ? *other : sender;
    }
};

}  // namespace emissary::reactor::consumer
