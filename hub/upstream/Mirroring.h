// Tells sources how the hub uses their services: SourceMirroringMode of ConsumerStatus (hub.md 4.1).
#pragma once

#include "hub/core/Service.h"
#include "hub/upstream/Lanes.h"
#include "reactor/Reactor.h"
#include "reactor/rdm/consumer_status.h"

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace emissary::hub::upstream {

/// Keeps the last mode sent to each source for each service, so that only a change is sent, soon after it: one message
/// for many services of a source. In hot mode a source that serves goes on until it is lost, whatever the order of
/// sources, because its items stay there too. Stage thread only.
class Mirroring {
public:
    /// `lanes` says which source has streams.
    Mirroring(reactor::Reactor& reactor, ServiceTable& services, const Lanes& lanes) noexcept
        : reactor_(reactor), services_(services), lanes_(lanes) {}
    ~Mirroring() { reactor_.cancelTimer(timer_); }
    Mirroring(const Mirroring&) = delete;
    Mirroring& operator=(const Mirroring&) = delete;

    /// Offers of the service have come, gone or changed, or a source has its first stream.
    void look(const Service& service);
    /// A source has lost its last stream of the service. Looks at it a little later, so that one that has streams for
    /// short moments is not sent two modes for each.
    void lookSoon(const Service& service);
    /// The source no longer offers the service, and has forgotten its mode; other sources may get another mode.
    void lost(const Service& service, const Source& source) {
        told_.erase({service.id, &source});
        look(service);
    }
    /// The source is about to be destroyed.
    void forget(const Source& source) noexcept {
        std::erase_if(told_, [&](const auto& told) { return told.first.second == &source; });
    }

private:
    using Use = reactor::rdm::ServiceUse;
    static constexpr std::chrono::seconds kSoon{1};
    /// Services in one message.
    static constexpr std::size_t kMost = 500;
    [[nodiscard]] const Source* activeOf(const Service& service) const noexcept;
    /// Whether the source is to hear the mode of the service.
    [[nodiscard]] static bool hears(const Service& service, const Offer& offer) noexcept;
    [[nodiscard]] Use useOf(const Service& service, const Offer& offer, const Source* first,
                            std::size_t usable) const noexcept;
    /// True: a source is to hear of the service, which is due now.
    [[nodiscard]] bool wants(const Service& service);
    void later(reactor::Duration delay);
    void say();
    void say(UpstreamSource& source, const std::vector<std::uint16_t>& services);

    reactor::Reactor& reactor_;
    ServiceTable& services_;
    const Lanes& lanes_;
    std::map<std::pair<std::uint16_t, const Source*>, Use> told_;
    std::set<std::uint16_t> due_;  // services to look at
    reactor::TimerId timer_ = 0;
    bool slow_ = false;  // the timer is one of kSoon
};

}  // namespace emissary::hub::upstream
