// PerfTools/EmaCppIProvPerf: sends the images that items wait for, at the pace at which connections take them.
#pragma once
#include "BookPublisher.h"
#include "Ema.h"
#include "ItemTable.h"
#include "PublishedMessages.h"
#include "TunnelBuffers.h"
#include "emissary/Counter.h"

#include <cstdint>
#include <functional>
#include <string_view>

namespace emissary::perf {

/// Used by the publishing thread only.
class ImageSender {
public:
    struct Parts {
        ItemTable& items;
        PublishedMessages& messages;
        BookPublisher& books;
        TunnelBuffers& tunnelBuffers;
        Counter& sent;
        std::function<bool()> stopping;
    };
    /// `burst`: images between two looks at the clock.
    ImageSender(Parts parts, std::uint32_t burst);

    /// Sends until that time, or until nobody waits for an image, or has room for one.
    void send(refinitiv::ema::access::OmmProvider& provider, std::int64_t until);
    /// Sends for a short while, although updates are due: when the update rate is higher than the provider can reach,
    /// images would get no time otherwise.
    void sendSome(refinitiv::ema::access::OmmProvider& provider);
    /// So much waits to leave on this connection, before its images have been sent, that its updates give way until one
    /// more was: there would never be room for it.
    [[nodiscard]] bool updatesGiveWay(refinitiv::ema::access::OmmProvider& provider, Connection& connection);
    /// Nanoseconds until images that wait for room look again; 0: none do.
    [[nodiscard]] std::int64_t hold() const noexcept { return hold_; }

private:
    [[nodiscard]] bool sendOne(refinitiv::ema::access::OmmProvider& provider, const WaitingItem& item,
                               std::string_view name);

    Parts parts_;
    const std::uint32_t burst_;
    std::int64_t hold_ = 0;
    refinitiv::ema::access::RefreshMsg bookImage_;
    refinitiv::ema::access::EmaString name_;
    const refinitiv::ema::access::EmaString text_;
};

}  // namespace emissary::perf
