// Who serves the items of published services (hub.md 4.4, 4.5).
#pragma once

#include "hub/directory/GroupStates.h"
#include "hub/directory/Merge.h"
#include "hub/flow/Records.h"
#include "hub/publisher/StandbyImages.h"
#include "hub/publisher/UnknownItems.h"
#include "hub/source/Slices.h"
#include "reactor/MetricSource.h"
#include "reactor/metrics/Snapshot.h"

#include <set>

namespace emissary::hub::publisher {

/// Borrowed; all of it outlives the supply.
struct PublisherRooms {
    ItemTable& items;
    ServiceTable& services;
    flow::ItemFlow& flow;
    flow::Records& records;
    directory::Groups& groups;
    directory::GroupStates& groupStates;
    reactor::Reactor& reactor;
};

/// Binds items to publishers, keeps what second publishers say of them, and answers for items that nobody holds. An
/// item's `upstream` is the publisher's stream while it has a source, else the number of the loss that took it. On the
/// reactor's thread.
class PublisherSupply final : public Supply,
                              public PublishedItems,
                              public directory::OfferListener,
                              private reactor::MemoryOwner {
public:
    explicit PublisherSupply(const PublisherRooms& rooms)
        : MemoryOwner(rooms.reactor), rooms_(rooms), standby_(rooms.flow, counts_),
          unknown_(rooms.flow, rooms.records, rooms.items, rooms.reactor), offers_(rooms.reactor),
          slices_(rooms.reactor),
          metrics_(rooms.reactor, [this](reactor::metrics::Snapshot& into) { into.add(counts_); }) {
        rooms.services.beforeReuse(this, [this](std::uint16_t id) { finishClosing(id); });
    }
    ~PublisherSupply() override;

    /// Items that no publisher has go there. Outlives the items.
    void use(RequestedItems& requested) noexcept {
        requested_ = &requested;
        unknown_.use(requested);
    }
    [[nodiscard]] UnknownItems& unknown() noexcept { return unknown_; }
    /// The ports write theirs.
    [[nodiscard]] PublisherCounts& counts() noexcept { return counts_; }

    // --- from publishers
    using Stream = reactor::acceptor::PublishedStream;
    /// What became of a message.
    enum class Took : std::uint8_t { ok, early, foreign, unserved, overLimit };
    /// A message on a publisher's stream; `service` is the local one that its service belongs to, null: none. Streams
    /// remember their item.
    Took received(PublisherSource& source, Service* service, const Stream& stream, const Msg& msg);
    /// A state for a group or all items of a service, from the publisher's directory.
    void onGroupStatus(PublisherSource& source, Service& service, Bytes group, const eta::codec::State& state);
    void onServiceStatus(PublisherSource& source, Service& service, const eta::codec::State& state);
    void onGroupMerged(PublisherSource& source, Service& service, Bytes group, Bytes into) {
        standby_.merge(service.id, source, group, into);
        rooms_.groupStates.onGroupMerged(source, service, group, into);
    }
    // --- PublisherMode single: offers that wait for their turn
    /// The publisher offers the service, and somebody else's offer is in use: what it sends from here on stands by.
    void standsBy(const PublisherSource& source, const Service& service);
    /// Such a publisher offers the service no more.
    void waitedInVain(PublisherSource& source, const Service& service);
    /// A directory message has been applied.
    void endOfDirectory() { rooms_.groupStates.flush(); }

    /// The publisher is gone. `takeBack` tells PublisherOffers so, service by service; false: that was the last. When
    /// nothing points to the publisher any more `over` is called. Both before this returns or, where it had many
    /// services or items, from later turns; until then it stays.
    void onSourceGone(PublisherSource& source, std::function<bool()> takeBack, std::function<void()> over);
    /// The publisher has to end now: what is left to do for its items is done before this returns.
    void release(PublisherSource& source);

    // --- directory::OfferListener
    void onOffer(Service& service, Source& source) override;
    void onOfferLost(Service& service, Source& source, bool streamsLive) override;
    void onServiceGone(Service& service) override;
    /// Items of a service that is deleted are all closed when this returns.
    void finishClosing(std::uint16_t service);

    // --- Supply
    void wanted(Item& item) override;
    void refreshWanted(Item& item) override;
    void unwanted(Item& item) override;
    void mountsChanged(Item&) override {}
    void untrusted(Item&) override {}  // a publisher cannot be asked again
    [[nodiscard]] bool eject(Item& item, const eta::codec::State& state) override;

    // --- PublishedItems
    [[nodiscard]] bool take(Item& item) override;
    [[nodiscard]] bool ready(const Item& item) override;
    [[nodiscard]] bool holds(const Item& item) const noexcept override { return standby_.holds(item); }
    void yield(Item& item) override;

private:
    using Ref = StandbyImages::Ref;
    /// Null when the stream has named none in this service; a null service asks for any.
    [[nodiscard]] Item* itemOf(const Stream& stream, const Service* service) noexcept;
    /// The role has let go of the stream: nothing points to it from now on, whatever became of its last message.
    void streamOver(PublisherSource& source, const Stream& stream);
    Took taken(PublisherSource& source, Service* service, const Stream& stream, const Msg& msg);
    Took refresh(PublisherSource& source, Service& service, const Stream& stream, const Msg& msg);
    Took other(PublisherSource& source, Item* item, const Stream& stream, const Msg& msg);
    /// The publisher may take the item from the publisher that serves it now.
    [[nodiscard]] bool mayServe(const Service& service, const PublisherSource& source, const Item& item) const;
    [[nodiscard]] static std::size_t rank(const Service& service, const PublisherSource& source) noexcept;
    /// The publisher that comes first in the order of the service; null when none offers it.
    [[nodiscard]] static const Source* leader(const Service& service) noexcept;
    void bind(Item& item, PublisherSource& source, const Stream& stream);
    /// A message that ends the item at its publisher.
    void ended(Item& item, const Msg& last);
    /// Lets another publisher go on with the item, one that has an image of it and whose service is up. False if none
    /// has.
    bool promote(Item& item);
    /// For an item whose publisher's image is suspect, or whose publisher's service is down: lets another publisher
    /// with an image that is Ok go on, and keeps the first one's as standby. False if no other image is Ok.
    bool spare(Item& item);
    /// The same, where the item is not served as it should be.
    void reconsider(const std::vector<Ref>& items);
    [[nodiscard]] static bool servedWell(const Service& service, const Item& item) noexcept;
    [[nodiscard]] Standby* best(const Service& service, const Item& item);
    [[nodiscard]] directory::GroupStates::Hooks hooks();
    /// What the publisher says of its service is another now: these items are reconsidered, in slices.
    void lookAgain(const Service& service, const PublisherSource& source, std::vector<Ref> items);
    void eraseUnheld(const std::vector<Ref>& items);
    /// A publisher is about to serve the item.
    void cacheFromNow(Item& item);
    /// The item as it is becomes the standby image of the publisher that serves it, which still offers the service.
    void keep(const Service& service, const Item& item);
    void show(Item& item, Standby& standby);
    /// The image with which take() shows the item; null: it refuses. One answer for ready() and take(), since an item
    /// is given up between the two.
    [[nodiscard]] Standby* takeable(const Item& item);
    /// An upstream connection, the mesh or a queue gives the item up for a publisher.
    void takeFromOthers(Item& item);
    [[nodiscard]] bool canHandOn(const Item& item) const;
    /// The publisher does not serve the item any more, and somebody else is asked for it; clients see Suspect until the
    /// image has come. False: nobody can be asked.
    bool handOn(Item& item, const eta::codec::State& why);
    /// The same, after the item has become Suspect.
    void release(Item& item);
    /// Nobody publishes the item any more.
    void orphan(Item& item, std::uint64_t loss);
    void eraseUnheld(Item& item);
    /// The item ends, wherever it waits.
    void close(Item& item, const eta::codec::State& state);
    /// What is left to do after a publisher's offer of a service is gone, in the order of the stages.
    struct Loss;
    static constexpr std::string_view kLost = "the publisher of this item is away";
    void lose(const Service& service, PublisherSource& source);
    [[nodiscard]] bool step(Loss& loss);
    void afterLoss(Loss& loss);
    void leave(const PublisherSource* gone);
    void sweep(PublisherSource& source);
    void closeLapsed(std::uint16_t service, std::vector<Ref> items, std::uint64_t loss);
    void trimMemory() noexcept override { standby_.trim(); }
    [[nodiscard]] std::size_t places() const noexcept override { return standby_.places(); }

    PublisherRooms rooms_;
    RequestedItems* requested_ = nullptr;
    PublisherCounts counts_;
    StandbyImages standby_;
    UnknownItems unknown_;
    source::Slices offers_, slices_;  // of publishers that are gone: what they offered; what follows for items
    std::vector<std::pair<PublisherSource*, std::function<void()>>> leaving_;  // publishers that are gone
    std::uint64_t losses_ = 0;
    std::set<std::pair<std::uint16_t, const Source*>> down_;  // offers that are there and cannot be used
    std::map<std::uint64_t, reactor::TimerId> republish_;     // by loss
    reactor::MetricSource metrics_;
};

}  // namespace emissary::hub::publisher
