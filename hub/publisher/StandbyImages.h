// Images from publishers of items that another publisher serves (hub.md 4.4, PublisherMode).
#pragma once

#include "hub/cache/ImageStore.h"
#include "hub/flow/ItemFlow.h"
#include "hub/publisher/PublisherSource.h"
#include "hub/publisher/publisher_counts.h"
#include "hub/source/SecondGroups.h"
#include "reactor/memory.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace emissary::hub::publisher {

/// One publisher's view of one item, ready to take over.
struct Standby : flow::SecondImage {
    std::uint32_t index = 0;                                           ///< of the pool
    std::uint32_t next = Item::kNone;                                  ///< of the same item
    std::uint32_t sourceNext = Item::kNone, sourcePrev = Item::kNone;  ///< of the same publisher in the service
    std::uint32_t item = 0, generation = 0;                            ///< whose it is; the item may be gone
    source::SecondGroups::Place place;                                 ///< among those of its group
    PublisherSource* source = nullptr;
    std::int32_t stream = 0;
    std::uint16_t service = 0;  ///< local id
    reactor::rdm::OwnedState state;
};

/// A side table: items without a second publisher cost nothing. Entries name their item by number and generation, and
/// stand in a list of their publisher: those of an item that was erased are dropped when their publisher goes, at the
/// latest. Stage thread only.
class StandbyImages {
public:
    StandbyImages(flow::ItemFlow& flow, PublisherCounts& counts) noexcept : flow_(flow), counts_(counts) {}
    ~StandbyImages();
    StandbyImages(const StandbyImages&) = delete;
    StandbyImages& operator=(const StandbyImages&) = delete;

    /// Names an item that may be gone.
    struct Ref {
        std::uint32_t index = 0, generation = 0;
    };

    /// A refresh of a publisher that does not serve the item: its image is made or goes on. `keeps`: the service keeps
    /// images of the domain, the item's own or not.
    void refresh(const Item& item, PublisherSource& source, std::int32_t stream, const Msg& msg, bool keeps);
    /// An update or status. False: there is no entry of that publisher for the item.
    bool received(const Item& item, const PublisherSource& source, const Msg& msg);
    /// The item as it is becomes the standby image of the publisher that serves it now; `group` is that publisher's.
    void keep(const Item& item, PublisherSource& source, Bytes group);
    /// A state that the publisher's directory gives a group, or with a null `group` all items of the service. A final
    /// one ends the entries that it reaches. Returns the items of the entries that it reached.
    std::vector<Ref> state(std::uint16_t service, const PublisherSource& source, const Bytes* group,
                           const eta::codec::State& state);
    /// The state of one entry; nothing without one.
    void changeState(Ref item, const PublisherSource& source, const eta::codec::State& state);
    /// Moves the entries of one of the publisher's groups to another group of it.
    void merge(std::uint16_t service, const PublisherSource& source, Bytes group, Bytes into);
    /// The publisher does not hold the item any more, or has taken it over.
    void drop(Ref item, const PublisherSource& source);
    /// The publisher has ended this stream of the item; it may hold it on another one.
    void dropStream(Ref item, const PublisherSource& source, std::int32_t stream);

    /// Of all publishers that hold the item, and that `rank` gives a place: first those whose image can be shown and is
    /// Ok, then those whose image can be shown, then the others; of equals the one whose place is lowest. Null when
    /// there is none. Good until that entry is dropped.
    using Rank = std::function<std::optional<std::size_t>(const PublisherSource&)>;
    [[nodiscard]] Standby* best(const Item& item, const Rank& rank);
    /// A publisher that does not serve the item has published it.
    [[nodiscard]] bool holds(const Item& item) const noexcept {
        return byItem_.contains(keyOf({item.index, item.generation}));
    }
    /// It can be shown to clients.
    [[nodiscard]] bool usable(const Standby& standby) const;
    /// It can be shown, and is up to date.
    [[nodiscard]] bool ok(const Standby& standby) const {
        return standby.state.data == eta::codec::DataState::ok && usable(standby);
    }
    /// Items of the service that the publisher has an entry for.
    [[nodiscard]] std::vector<Ref> itemsOf(std::uint16_t service, const PublisherSource& source) const;
    /// One of these items; empty when there is none.
    [[nodiscard]] std::optional<Ref> firstOf(std::uint16_t service, const PublisherSource& source) const;
    /// Whatever is left of the publisher, in whatever service.
    void dropAllOf(const PublisherSource& source);
    [[nodiscard]] std::size_t size() const noexcept { return byItem_.size(); }
    void trim() noexcept;
    [[nodiscard]] std::size_t places() const noexcept { return pool_.capacity() + byItem_.bucket_count(); }

private:
    [[nodiscard]] static std::uint64_t keyOf(Ref item) noexcept {
        return std::uint64_t{item.generation} << 32 | item.index;
    }
    [[nodiscard]] Standby* find(Ref item, const PublisherSource& source) noexcept;
    static void changeState(Standby& standby, const eta::codec::State& state);
    [[nodiscard]] Standby& make(const Item& item, PublisherSource& source);
    /// False: messages before it are missing.
    [[nodiscard]] bool note(const Item& item, Standby& standby, const Msg& msg);
    [[nodiscard]] static std::uint32_t listKey(std::uint16_t service, const PublisherSource& source) noexcept {
        return std::uint32_t{service} << 16 | source.number();
    }
    /// Out of the list of its publisher.
    void unlink(Standby& standby) noexcept;
    /// For SecondGroups.
    [[nodiscard]] auto placeOf() noexcept {
        return [this](std::uint32_t index) -> source::SecondGroups::Place& { return pool_[index].place; };
    }
    void putInGroup(Standby& standby) {
        groups_.put(placeOf(), standby.index, standby.service, *standby.source, standby.group);
    }
    /// The entries of a publisher in a service.
    [[nodiscard]] std::vector<std::uint32_t> entriesOf(std::uint16_t service, const PublisherSource& source) const;
    [[nodiscard]] std::vector<Ref> refsOf(const std::vector<std::uint32_t>& entries) const;

    flow::ItemFlow& flow_;
    PublisherCounts& counts_;
    reactor::Pool<Standby> pool_;
    reactor::ItemMap<std::uint64_t, std::uint32_t> byItem_;             // item to its first entry
    boost::unordered_flat_map<std::uint32_t, std::uint32_t> bySource_;  // listKey() to the first of its entries
    source::SecondGroups groups_;
    std::vector<std::byte> payload_;
};

}  // namespace emissary::hub::publisher
