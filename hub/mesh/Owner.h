// The owner's side: who wants which item, and the lanes in which updates go out (hub.md 12.2).
#pragma once

#include "eta/core/GrowingBuffer.h"
#include "hub/mesh/EdgeItem.h"
#include "hub/mesh/FarDictionary.h"
#include "hub/mesh/Numbered.h"
#include "hub/mesh/Sender.h"
#include "hub/mesh/statements.h"

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace emissary::hub::mesh {

/// What the owner serves from: the hub's own items. Called on the node's thread, never from inside update().
class OwnItems {
public:
    /// Somebody wants the item for the first time, or again after unwanted(). False: there is no such item.
    [[nodiscard]] virtual bool wanted(std::uint32_t number, std::string_view service, std::string_view name) = 0;
    /// Appends the item's image: the state behind all updates that went through Owner::update().
    virtual void writeImage(std::uint32_t number, eta::BeWriter& out) = 0;
    /// Nobody wants it any more. It keeps number and version; its updates may or may not be told.
    virtual void unwanted(std::uint32_t number) = 0;

protected:
    ~OwnItems() = default;
};

/// Hands out numbers, counts versions, keeps interest as a mask of nodes. All numbers count in one life only. The
/// node's thread. An update allocates nothing once the lanes' batches have their size.
class Owner {
public:
    /// Borrows all; they outlive it.
    Owner(Sender& sender, OwnItems& items, const MeshOptions& options, MeshCounts& counts);

    /// `many`: other items are likely to have an update with the same body next to this one, as the items of a group
    /// have when its state changes.
    enum class Body : std::uint8_t { own, many };
    /// An update of an item that was wanted once. False: no such item, or the body is too long for a record.
    bool update(std::uint32_t number, Bytes body, Body whose = Body::own);
    /// The item ends, with a status as body. Its number is never used again.
    void close(std::uint32_t number, Bytes status);

    /// Other nodes may have this dictionary; id 0: there is none. Each part has at most kMostDictionaryPart bytes.
    void offer(DictionaryParts dictionary) { dictionary_ = std::move(dictionary); }
    [[nodiscard]] const DictionaryParts& dictionary() const noexcept { return dictionary_; }

    /// Another node that may ask; `slot` below 64.
    void join(std::size_t slot, std::uint32_t node, std::uint64_t epoch);
    /// Its lane ends, and its interest, item by item: MeshOptions::walkATurn in a tick. The slot may be joined anew.
    void leave(std::size_t slot);
    /// Goes on with that.
    void tick();
    /// There is more to do than one tick may.
    [[nodiscard]] bool busy() const noexcept { return leaving_ != 0; }
    /// Records of a request; the frame was addressed to this life. Order and age were checked.
    void requested(std::size_t slot, Bytes records);

    void flushIfOlder(eta::TimePoint than);  ///< batches whose first record is as old
    void flush();                            ///< all batches

    [[nodiscard]] std::uint64_t lastOfWide(std::uint16_t lane) const noexcept { return wide_[lane].last(); }
    [[nodiscard]] std::uint64_t lastTo(std::size_t slot) const noexcept;  ///< 0: no lane to it
    /// Items that the node has from here.
    [[nodiscard]] std::size_t wants(std::size_t slot) const noexcept {
        const Subscriber* const s = subscriber(slot);
        return s != nullptr ? s->wants : 0;
    }
    [[nodiscard]] std::uint32_t registration(std::size_t slot) const noexcept;  ///< 0: it never asked
    [[nodiscard]] std::uint32_t load() const noexcept { return interests_; }    ///< items, once for each node
    [[nodiscard]] std::uint32_t version(std::uint32_t number) const noexcept;   ///< 0: no such item
    [[nodiscard]] bool isWide(std::uint32_t number) const noexcept;

private:
    struct Item {
        std::string key;  // service, 0, name
        std::uint64_t mask = 0;
        std::uint32_t version = 1;
        bool wide = false;
    };
    struct Subscriber {
        std::uint32_t node = 0, registration = 0;
        std::uint64_t epoch = 0, replies = 0;
        std::string replyTo;
        std::unique_ptr<LaneOut> lane;
        std::vector<std::uint32_t> items;  // it wants these, or wanted them; compacted when few are left
        std::size_t wants = 0;
        Batch reply;
    };
    static constexpr std::uint8_t kNowhere = 0xFF;
    [[nodiscard]] Item* at(std::uint32_t number) noexcept { return items_.find(number); }
    /// Null: nobody has joined there.
    [[nodiscard]] Subscriber* subscriber(std::size_t slot) const noexcept {
        return placeOf_[slot] != kNowhere ? subscribers_[placeOf_[slot]].get() : nullptr;
    }
    /// Those who want the item and are there.
    [[nodiscard]] std::uint64_t receivers(const Item& item) const noexcept { return item.mask & ~leaving_; }
    /// Ends some of the interest of one that has left; takes what it has done off `left`.
    void leaveSome(std::size_t place, std::size_t& left);
    /// Whether there may be one more: where there are as many as may be, those that nobody wants give way.
    [[nodiscard]] bool roomForItem();
    /// There is no such item any more; nobody wants it.
    void forget(std::uint32_t number, const Item& item);
    [[nodiscard]] std::uint16_t laneOf(std::uint32_t number) const noexcept;
    void interest(Subscriber& s, std::size_t place, const Record& r);
    void resync(Subscriber& s, std::size_t place, const Record& r);
    void drop(std::size_t place, std::uint32_t number);
    void compact(std::size_t place);
    void registerAt(Subscriber& s);
    void want(std::size_t place, std::uint32_t number, Item& item);
    void unwant(std::size_t place, std::uint32_t number, Item& item);
    void widen(std::uint32_t number, Item& item);
    void narrow(std::uint32_t number, Item& item);
    void givePart(Subscriber& s, const Record& r);
    /// Puts the addressee in front of what is about to be said in `more` bytes.
    void beginReply(Subscriber& s, std::size_t more);
    void say(Subscriber& s, Kind kind, std::uint32_t ask, std::uint32_t number);
    void sendReply(Subscriber& s);

    Sender& sender_;
    OwnItems& own_;
    const MeshOptions& options_;
    MeshCounts& counts_;
    Numbered<Item> items_;
    std::uint32_t lastNumber_ = 0;
    std::uint32_t freeFrom_ = 0;  // where roomForItem() goes on
    std::size_t wanted_ = 0;      // of items_
    std::unordered_map<std::string, std::uint32_t> byKey_;
    // By place, which is a bit of the items' masks. The next life in a slot has another place than one whose interest
    // has not ended on all items yet.
    std::vector<std::unique_ptr<Subscriber>> subscribers_;
    std::array<std::uint8_t, kSlots> placeOf_;  // by slot
    std::uint64_t leaving_ = 0;                 // places of those that have left; they have no lane
    std::vector<LaneOut> wide_;
    std::vector<std::byte> scratch_;
    eta::GrowingBuffer image_;
    DictionaryParts dictionary_;
    std::uint32_t interests_ = 0, registrations_ = 0;
    std::uint64_t highestLast_ = 0;  // of lanes to nodes that have left
};

}  // namespace emissary::hub::mesh
