// PerfTools/EmaCppIProvPerf: sends the images that items wait for, at the pace at which connections take them.
#pragma once
#include "BookPublisher.h"
#include "Ema.h"
#include "OpenItems.h"
#include "PublishedMessages.h"
#include "TunnelBuffers.h"
#include "emissary/Counter.h"
#include "image_share.h"

#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>

namespace emissary::perf {

/// Used by the publishing thread only.
class ImageSender {
public:
    struct Parts {
        OpenItems& items;
        PublishedMessages& messages;
        BookPublisher& books;
        TunnelBuffers& tunnelBuffers;
        Counter& sent;
        std::function<bool()> stopping;
    };
    /// `burst`: images between two looks at the clock. `share`: percent of the bytes of a connection that has more to
    /// send than it takes, for its images while some wait.
    ImageSender(Parts parts, std::uint32_t burst, std::uint32_t share);

    /// Sends until that time, or until nobody waits for an image, or has room for one.
    void send(refinitiv::ema::access::OmmProvider& provider, std::int64_t until);
    /// Sends for a short while, although updates are due: when the update rate is higher than the provider can reach,
    /// images would get no time otherwise.
    void sendSome(refinitiv::ema::access::OmmProvider& provider);
    /// The connection has no room for the images that wait for it, and these have not had their share of its bytes: its
    /// updates give way.
    [[nodiscard]] bool updatesGiveWay(refinitiv::ema::access::OmmProvider& provider, Connection& connection);
    /// Sends updates to the connection by `send`, and counts their bytes against its images as long as some wait.
    template <class Send>
    void countUpdates(refinitiv::ema::access::OmmProvider& provider, Connection& connection, Send&& send) {
        const std::uint64_t client = connection.client;  // the connection may go with its last item
        const std::uint64_t bytes = bytesOf(provider, client, connection.share.counting(), std::forward<Send>(send));
        if (bytes != 0) parts_.items.updatesSent(client, bytes);
    }
    /// Nanoseconds until images that wait for room look again; 0: none do.
    [[nodiscard]] std::int64_t hold() const noexcept { return hold_; }

private:
    [[nodiscard]] bool sendOne(refinitiv::ema::access::OmmProvider& provider, const WaitingItem& item,
                               std::string_view name);

    Parts parts_;
    const std::uint32_t burst_, share_;
    std::int64_t hold_ = 0;
    refinitiv::ema::access::RefreshMsg bookImage_;
    refinitiv::ema::access::EmaString name_;
    const refinitiv::ema::access::EmaString text_;
};

}  // namespace emissary::perf
