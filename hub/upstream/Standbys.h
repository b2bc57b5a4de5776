// Second streams of items, at another source than the one that serves them (hub.md 4.2: hot mode, FailBack).
#pragma once

#include "hub/flow/ItemFlow.h"
#include "hub/source/SecondGroups.h"
#include "hub/upstream/Lanes.h"
#include "hub/upstream/PairWindow.h"
#include "hub/upstream/WantedItems.h"

#include <boost/unordered/unordered_flat_map.hpp>

#include <memory>
#include <vector>

namespace emissary::hub::upstream {

/// A stream that stands by.
struct SecondStream : flow::SecondImage {
    std::uint32_t generation = 0;
    std::uint32_t next = Item::kNone, prev = Item::kNone;  ///< items with one at the same source in the service
    std::uint16_t service = 0;
    UpstreamSource* source = nullptr;
    Handle handle = 0;
    bool answered = false;             ///< its refresh is complete
    bool ok = false;                   ///< the data state that the source said last
    bool suspect = false;              ///< it said so, with an image or without
    bool turning = false;              ///< its turn ends when somebody else is to be asked again
    bool taking = false;               ///< the item goes over to it with its first refresh that is Ok
    std::unique_ptr<PairWindow> pair;  ///< hot mode: what the two sources send is compared; else null
    source::SecondGroups::Place place;
};

/// Which items want a second stream, and those there are. When an item goes over to its second one is decided by the
/// supply. Stage thread only.
class Standbys {
public:
    /// From the end of a second stream that may come back to the next request for one.
    static constexpr std::chrono::seconds kAgain{5};
    /// For how long a suspect second stream is kept where there are other sources, which nothing is heard of meanwhile.
    static constexpr std::chrono::seconds kTurn{15};

    Standbys(ItemTable& items, flow::ItemFlow& flow, Lanes& lanes) noexcept
        : items_(items), flow_(flow), lanes_(lanes) {}
    ~Standbys() { clear(); }
    Standbys(const Standbys&) = delete;
    Standbys& operator=(const Standbys&) = delete;

    /// The item is served: it wants a second stream where the service's policy says so.
    void wantSecond(const Service& service, const Item& item);
    /// A source has come, or come back: items without a second stream, or served by a source behind it, want it.
    void wantBetter(const Service& service, const Source& news);
    /// The item is not served well: it wants another source, whatever the mode of the service.
    void wantOther(const Service& service, const Item& item);
    /// Its source has it open, does not call it suspect, and says that the service is up.
    [[nodiscard]] static bool servedWell(const Service& service, const Item& item) noexcept;
    /// Sources that cannot have the item's second stream (bits of Lanes::choose()): the one that it has; on the way
    /// back all that do not stand before that one as well.
    [[nodiscard]] static std::uint64_t without(const Service& service, const Item& item) noexcept;
    /// The next item of the service that wants one, has none and is open; null: none.
    [[nodiscard]] Item* next(std::uint16_t service);
    [[nodiscard]] bool waiting(std::uint16_t service) const noexcept { return wanted_.waiting(service); }
    /// next() gave it, and it is dealt with.
    void pop(std::uint16_t service) { wanted_.pop(service); }

    /// `compared`: its updates with those of the item's source.
    void add(Item& item, UpstreamSource& source, Handle handle, bool taking, bool compared);
    /// Null if the item has no second stream.
    [[nodiscard]] SecondStream* find(const Item& item) noexcept;
    /// A message on the item's second stream; false: it was the last one, or one before it is missing (SeqNumGaps), and
    /// the record is gone.
    bool received(Item& item, SecondStream& standby, const Msg& msg);
    /// The item can go on with it at once, without anybody noticing: its image is Ok, and its source's service is up.
    [[nodiscard]] bool ready(const Service& service, const Item& item, const SecondStream& standby) const noexcept;
    /// Items that the source has a second stream for: in one of its groups or, with a null `group`, all of the service.
    [[nodiscard]] std::vector<Ref> itemsOf(std::uint16_t service, const Source& source, const Bytes* group);
    /// Moves the second streams in one of the source's groups to another group of it.
    void merge(std::uint16_t service, const Source& source, Bytes group, Bytes into);
    /// The record is the caller's from now on, stream and image with it.
    [[nodiscard]] SecondStream take(const Item& item);
    /// Removes the record and its image; `close`: with a CLOSE to its source.
    void drop(const Item& item, bool close);
    /// The source is lost: asks for another second stream for one of its items. False if no such item is left.
    [[nodiscard]] bool loseOne(std::uint16_t service, const Source& source, bool close);
    /// All records go without a word: the sources are about to end.
    void clear() noexcept;
    [[nodiscard]] std::size_t size() const noexcept { return standbys_.size(); }

private:
    /// No item is wanted twice.
    void want(const Item& item);
    /// Out of the table and the lists.
    [[nodiscard]] SecondStream takeAt(std::uint32_t index);
    void dropAt(std::uint32_t index, bool close);
    [[nodiscard]] static std::uint32_t listKey(std::uint16_t service, const Source& source) noexcept {
        return std::uint32_t{service} << 16 | source.number();
    }
    /// For SecondGroups.
    [[nodiscard]] auto placeOf() noexcept {
        return
            [this](std::uint32_t index) -> source::SecondGroups::Place& { return standbys_.find(index)->second.place; };
    }
    void putInGroup(std::uint32_t index, const SecondStream& standby) {
        groups_.put(placeOf(), index, standby.service, *standby.source, standby.group);
    }

    ItemTable& items_;
    flow::ItemFlow& flow_;
    Lanes& lanes_;
    boost::unordered_flat_map<std::uint32_t, SecondStream> standbys_;   // by the item's index
    boost::unordered_flat_map<std::uint32_t, std::uint32_t> bySource_;  // listKey() to the first item in the list
    source::SecondGroups groups_;
    WantedItems wanted_{items_};
};

}  // namespace emissary::hub::upstream
