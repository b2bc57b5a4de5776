// What publishers say of items that another publisher serves (hub.md 4.4, PublisherMode).
#pragma once

#include "hub/cache/ImageStore.h"
#include "hub/flow/ItemFlow.h"
#include "hub/source/PublisherSource.h"
#include "hub/source/publisher_counts.h"
#include "reactor/memory.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace emissary::hub::source {

/// One publisher's view of one item, ready to take over.
struct Standby {
    std::uint32_t index = 0;                                           ///< of the pool
    std::uint32_t next = Item::kNone;                                  ///< of the same item
    std::uint32_t sourceNext = Item::kNone, sourcePrev = Item::kNone;  ///< of the same publisher in the service
    std::uint32_t item = 0, generation = 0;                            ///< whose it is; the item may be gone
    PublisherSource* source = nullptr;
    std::int32_t stream = 0;
    std::uint16_t service = 0;  ///< local id
    cache::ImageId image = 0;   ///< 0: nothing to show, as where the domain is not cached
    std::uint8_t containerType = 0;
    bool hasSeqNum = false;
    std::uint32_t seqNum = 0;
    eta::codec::Qos qos;
    reactor::rdm::OwnedState state;
    std::vector<std::byte> group, permData;
};

/// A side table: items without a second publisher cost nothing. Entries name their item by number and generation, and
/// stand in a list of their publisher: those of an item that was erased are dropped when their publisher goes, at the
/// latest. On the reactor's thread.
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

    /// A refresh of a publisher that does not serve the item: its image is made or goes on.
    void refresh(const Item& item, PublisherSource& source, std::int32_t stream, const Msg& msg);
    /// An update or status. False: there is no entry of that publisher for the item.
    bool received(const Item& item, const PublisherSource& source, const Msg& msg);
    /// The item as it is becomes the standby image of the publisher that serves it now.
    void keep(const Item& item, PublisherSource& source);
    /// The publisher does not hold the item any more, or has taken it over.
    void drop(Ref item, const PublisherSource& source);
    /// The publisher has ended this stream of the item; it may hold it on another one.
    void dropStream(Ref item, const PublisherSource& source, std::int32_t stream);

    /// `rank` of a publisher that takes over nothing.
    static constexpr std::size_t kNever = ~std::size_t{0};
    /// Of all publishers that hold the item the one with a usable image, or else with any, for which `rank` is lowest;
    /// null when none does. Good until the next call.
    [[nodiscard]] Standby* best(const Item& item, const std::function<std::size_t(const PublisherSource&)>& rank);
    /// Somebody has told of the item who does not serve it.
    [[nodiscard]] bool holds(const Item& item) const noexcept {
        return byItem_.contains(keyOf({item.index, item.generation}));
    }
    /// It can be shown to clients.
    [[nodiscard]] bool usable(const Standby& standby) const;
    /// Items of the service that the publisher has an entry for.
    [[nodiscard]] std::vector<Ref> itemsOf(std::uint16_t service, const PublisherSource& source) const;
    /// One of them.
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
    [[nodiscard]] Standby* find(const Item& item, const PublisherSource& source) noexcept;
    [[nodiscard]] Standby& make(const Item& item, PublisherSource& source);
    static void note(Standby& standby, const Msg& msg);
    [[nodiscard]] static std::uint32_t listKey(std::uint16_t service, const PublisherSource& source) noexcept {
        return std::uint32_t{service} << 16 | source.number();
    }
    void unlink(Standby& standby) noexcept;

    flow::ItemFlow& flow_;
    PublisherCounts& counts_;
    reactor::Pool<Standby> pool_;
    reactor::ItemMap<std::uint64_t, std::uint32_t> byItem_;             // item to its first entry
    boost::unordered_flat_map<std::uint32_t, std::uint32_t> bySource_;  // listKey() to the first of its entries
    std::vector<std::byte> payload_;
};

}  // namespace emissary::hub::source
