// Items of a session with several servers: who goes on with which stream (session.md section 6, warm standby).
#pragma once

#include "watchlist/ServiceEvents.h"

#include <functional>
#include <string_view>
#include <vector>

namespace emissary::reactor::consumer {

/// Streams are named by their wire ids, which are the same at all servers of a group. Session lock held throughout.
class Takeover {
public:
    static constexpr std::uint32_t kActive = ServiceEntry::kActive, kEvery = 0xFFFFFFFE;

    Takeover(const Services& services, StreamTable& streams, WireRequests& wire, Recovery& recovery, Delivery& delivery,
             ServiceEvents& events)
        : services_(services), streams_(streams), wire_(wire), recovery_(recovery), delivery_(delivery),
          events_(events) {}

    /// Every stream that is out, as a request that wants an image.
    void replay(const std::function<void(const eta::codec::Msg&)>& send);
    /// Another server goes on; `holds`: by wire stream id, whether it has the stream open.
    void takeOver(const std::vector<bool>& holds);

    // --- service-based groups: the channel whose server's data count for a service
    [[nodiscard]] bool hasSources() const noexcept { return sources_ != 0; }
    /// `theirs`: what that server lists; null for the active one. `ended` (by wire id, may be null): streams that the
    /// new source has not open. Items of a service that it has not got wait.
    void setSource(ServiceEntry& service, std::uint32_t channel, const rdm::Service* theirs,
                   const std::vector<bool>* ended);
    /// The source of the service lists it anew.
    void sourceLists(ServiceEntry& service, const rdm::Service& theirs);
    /// That server is gone: the active one stands in. kEvery: only the active one is left.
    void sourceLost(std::uint32_t channel, const std::vector<bool>& endedOnActive);
    /// That server is the active one now, or will be when its directory is known.
    void sourceIsActive(std::uint32_t channel) noexcept;
    /// The connection is lost: items that no directory will say goodbye to wait.
    void connectionLost();

private:
    struct Target {
        Stream* stream;
        std::int32_t wireId;
    };
    static void gather(const ServiceEntry& service, std::vector<Target>& targets);
    /// Null when it ended in a callback meanwhile.
    [[nodiscard]] Stream* still(const Target& t) const noexcept;
    void notThere(Stream& s);
    void countSource(ServiceEntry& service, std::uint32_t channel) noexcept;

    const Services& services_;
    StreamTable& streams_;
    WireRequests& wire_;
    Recovery& recovery_;
    Delivery& delivery_;
    ServiceEvents& events_;
    std::size_t sources_ = 0;  // services whose data do not come from the active server
};

}  // namespace emissary::reactor::consumer
