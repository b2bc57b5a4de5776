// Requests to the source of an item on behalf of all its mounts, and reissues when the mounts change
// (hub.md 4.3, 5.4).
#pragma once

#include "hub/core/ViewTable.h"
#include "hub/flow/ItemLife.h"
#include "hub/upstream/DueList.h"
#include "hub/upstream/UpstreamSource.h"

#include <boost/unordered/unordered_flat_map.hpp>

#include <vector>

namespace emissary::hub::upstream {

/// Keeps, by item, what only its requests need: the name that a source redirected it to, that it is paused, that its
/// mounts have changed. On the reactor's thread.
class SourceRequests {
public:
    SourceRequests(reactor::Reactor& reactor, ItemTable& items, ServiceTable& services, const ViewTable& views,
                   flow::ItemFlow& flow) noexcept
        : reactor_(reactor), items_(items), services_(services), views_(views), flow_(flow) {}
    ~SourceRequests() { reactor_.cancelTimer(reviewTimer_); }
    SourceRequests(const SourceRequests&) = delete;
    SourceRequests& operator=(const SourceRequests&) = delete;

    /// The request that covers all mounts of the item. Valid until the next call.
    [[nodiscard]] UpstreamSource::Ask of(const Item& item, const UpstreamSource& source);
    /// Reissues the request of an item that has a stream, with what its mounts want now.
    void reissue(Item& item, bool wantsRefresh);
    /// One of its mounts is to have a better QoS than its source was asked for.
    [[nodiscard]] bool wantsBetter(const Item& item) const noexcept {
        return item.qosAsked != 0 && qosOf(item) < item.qosAsked;
    }
    /// Mounts came, left or want something else. A pause ends at once; other changes are sent at most once a second.
    void mountsChanged(Item& item);
    /// The source was asked for the item, or is asked again: for a view or for all fields.
    static void asked(Item& item, const UpstreamSource::Ask& ask) noexcept {
        flow::ItemLife::apply(item, ask.view != nullptr ? flow::Event::viewAsked : flow::Event::allAsked);
    }
    /// The source sends no updates of it, since all mounts were paused.
    [[nodiscard]] bool pausedAtSource(const Item& item) const noexcept;

    /// How often the item was redirected since its source took it.
    [[nodiscard]] std::uint8_t redirects(const Item& item) const noexcept;
    /// From its next request on the item is asked for under this name.
    void redirect(const Item& item, Bytes name, std::uint8_t redirects);
    /// Its stream is over.
    void forget(const Item& item) noexcept;

private:
    struct Redirect {
        std::vector<std::byte> name;
        std::uint32_t generation = 0;
        std::uint8_t followed = 0;
    };
    [[nodiscard]] const reactor::rdm::View* viewOf(const Item& item, const UpstreamSource& source);
    [[nodiscard]] static bool anyWantsConfInfo(const Item& item) noexcept;
    [[nodiscard]] static bool allPaused(const Item& item) noexcept;
    [[nodiscard]] std::uint8_t qosOf(const Item& item) const noexcept;
    void review();

    reactor::Reactor& reactor_;
    ItemTable& items_;
    ServiceTable& services_;
    const ViewTable& views_;
    flow::ItemFlow& flow_;
    boost::unordered_flat_map<std::uint32_t, Redirect> redirects_;     // this and the next two by the item's index
    boost::unordered_flat_map<std::uint32_t, std::uint32_t> changed_;  // generations of items to look at
    boost::unordered_flat_map<std::uint32_t, std::uint32_t> paused_;   // at their source
    reactor::TimerId reviewTimer_ = 0;
    reactor::rdm::View view_;  // the union that a request asks for
};

}  // namespace emissary::hub::upstream
