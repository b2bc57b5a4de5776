// Items of a session with several servers: who goes on with which stream (session.md section 6, warm standby).
#pragma once

#include "watchlist/Delivery.h"

#include <functional>
#include <string_view>
#include <vector>

namespace emissary::reactor::consumer {

/// Streams are named by their wire ids, which are the same at all servers of a group. Session lock held throughout.
class Takeover {
public:
    static constexpr std::uint32_t kActive = ServiceEntry::kActive, kEvery = 0xFFFFFFFE;

    Takeover(const Services& services, StreamTable& streams, WireRequests& wire, Recovery& recovery, Delivery& delivery)
        : services_(services), streams_(streams), wire_(wire), recovery_(recovery), delivery_(delivery) {}

    /// Every stream that is out, as a request that wants an image.
    void replay(const std::function<void(const eta::codec::Msg&)>& send);
    /// Another server goes on; `holds`: by wire stream id, whether it has the stream open.
    void takeOver(const std::vector<bool>& holds);

    // --- service-based groups: the channel whose server's data count for a service
    [[nodiscard]] bool hasSources() const noexcept { return sources_ != 0; }
    /// `ended` (by wire id, may be null): streams that the new source has not open.
    void setSource(ServiceEntry& service, std::uint32_t channel, const std::vector<bool>* ended);
    /// That server is gone: the active one stands in. kEvery: only the active one is left.
    void sourceLost(std::uint32_t channel, const std::vector<bool>& endedOnActive);
    /// That server is the active one now.
    void sourceIsActive(std::uint32_t channel) noexcept;

private:
    struct Target {
        Stream* stream;
        std::int32_t wireId;
    };
    static void gather(const ServiceEntry& service, std::vector<Target>& targets);
    /// Null when it ended in a callback meanwhile.
    [[nodiscard]] Stream* still(const Target& t) const noexcept;
    void notThere(Stream& s);

    const Services& services_;
    StreamTable& streams_;
    WireRequests& wire_;
    Recovery& recovery_;
    Delivery& delivery_;
    std::size_t sources_ = 0;  // services whose data do not come from the active server
};

}  // namespace emissary::reactor::consumer
