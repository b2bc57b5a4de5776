// Sources of services: upstream connections, publishers that are logged in, and other services some time ago.
#pragma once

#include "hub/core/Item.h"
#include "reactor/Reactor.h"

#include <boost/unordered/unordered_flat_map.hpp>

#include <cassert>
#include <cstdint>
#include <string>
#include <vector>

namespace emissary::hub {

struct Client;
struct Service;

/// Items of one service that one source serves, linked through Item::sourceNext and sourcePrev.
struct ItemList {
    std::uint32_t first = Item::kNone, last = Item::kNone;
    std::uint32_t size = 0;
};

/// Implemented in the source room. Calls about an item are for one that this source serves, and may be made from
/// inside its callbacks.
class Source {
public:
    /// What rooms ask of a source instead of which kind it is. A new kind is one more row, most of it false, a room
    /// with its class, and a Merge::use() that names who serves its items; no other room knows it.
    struct Kind {
        const char* name;  ///< for pages
        /// It sends unasked, on streams of its own, so there is nothing to ask it for and nothing to close; and when
        /// its connection ends, it is gone for good.
        bool publishes;
        /// An upstream::UpstreamSource: a connection that this hub makes, with a stream of each item that it serves.
        bool isConnection;
        /// Items of other hubs, used only while no source of this hub is there; they go on to no third hub.
        bool ofOtherHubs;
        /// Another service of this hub in another form: it has the service of its name for itself.
        bool ofOtherService;
    };
    static const Kind kUpstream, kPublisher, kDelayed, kMesh;

    /// `kind`: one of these, by its address.
    Source(const Kind& kind, std::string name, std::uint16_t number)
        : kind_(&kind), name_(std::move(name)), number_(number), place_(number) {}
    /// Nothing points to it any more: code that ends a source walks its lists first.
    ///
    /// These do while it is there (ADR 31):
    /// - items that it serves (items()), and records of items that it could serve (seconds()): Standbys, StandbyImages;
    /// - directory::Merge: its offers, and with them Service::offers, Service::publishers and Service::mesh;
    /// - the room that decides who serves items: jobs in source::Slices, and tables by source (Lanes, Mirroring, offers
    ///   that are down or usable); GroupStates: a merger that waits;
    /// - post::AckLedger: posts without an answer, up to AckSink::onSourceLost();
    /// - by its number alone: Groups and SecondGroups through items, Retries and SuspectSources as a bit that may say
    ///   too much of a later source with the same one.
    /// Fronts, clients, pages, mesh and audit know names, and keep no pointer over a turn.
    virtual ~Source() { assert(items_ == 0 && seconds_ == 0); }
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;

    [[nodiscard]] const Kind& kind() const noexcept { return *kind_; }
    [[nodiscard]] const std::string& name() const noexcept { return name_; }  ///< for texts, pages and labels
    /// Unique among the sources there are.
    [[nodiscard]] std::uint16_t number() const noexcept { return number_; }
    /// Where it stands among the sources of its kind: the lower is preferred, where nothing else says who is. At first
    /// its number.
    [[nodiscard]] std::uint16_t place() const noexcept { return place_; }
    void setPlace(std::uint16_t place) noexcept { place_ = place; }
    /// Logged in, and its directory has come.
    [[nodiscard]] virtual bool up() const noexcept = 0;

    /// How its connection fares, for the pages.
    struct Health {
        std::string reason;          ///< why it is not up, in the words of the log; empty while it is
        reactor::TimePoint since{};  ///< it came up, or was lost
        std::uint64_t attempts = 0;  ///< to connect, since it was lost
        /// Services that it offers and may not: the first of them, and how many there are.
        std::vector<std::string> barred{};
        std::size_t barredServices = 0;
        bool speaksJson = false;  ///< what it sends is converted from JSON
    };
    [[nodiscard]] virtual Health health() const { return {}; }

    // --- posts and generic messages (hub.md 7)
    /// Its login says that it takes posts.
    [[nodiscard]] virtual bool takesPosts() const noexcept = 0;
    /// A post on the item's stream; with a null item off-stream, on the login, for the service with that local id. Post
    /// id, flags and content are the caller's; stream id and the service id of the key are filled in. An error:
    /// nothing was sent. Some sources pass on who `client` is.
    virtual eta::Error post(const Client& client, Item* item, std::uint16_t service, Msg& msg) = 0;
    /// A generic message on the item's stream; null: on the login stream.
    virtual eta::Error generic(Item* item, Msg& msg) = 0;

    /// What it offers under that number of its own comes before the hub's own sources and publishers: PreferRank.
    [[nodiscard]] virtual bool comesFirst(std::uint16_t) const noexcept { return false; }

    // --- what points to it
    /// Items that it serves, of all services.
    [[nodiscard]] std::uint64_t items() const noexcept { return items_; }
    /// Records of items that it does not serve and could: second streams, standby images. Their table counts them.
    [[nodiscard]] std::uint64_t seconds() const noexcept { return seconds_; }
    void addSecond() noexcept { ++seconds_; }
    void dropSecond() noexcept { --seconds_; }

private:
    friend class ItemTable;
    const Kind* kind_;
    std::string name_;
    std::uint16_t number_, place_;
    std::uint64_t items_ = 0, seconds_ = 0;
    boost::unordered_flat_map<std::uint16_t, ItemList> served_;  // by service; an entry stays when its list is empty
};

inline constexpr Source::Kind Source::kUpstream{
    .name = "upstream", .publishes = false, .isConnection = true, .ofOtherHubs = false, .ofOtherService = false};
inline constexpr Source::Kind Source::kPublisher{
    .name = "publisher", .publishes = true, .isConnection = false, .ofOtherHubs = false, .ofOtherService = false};
inline constexpr Source::Kind Source::kDelayed{
    .name = "delayed", .publishes = false, .isConnection = false, .ofOtherHubs = false, .ofOtherService = true};
inline constexpr Source::Kind Source::kMesh{
    .name = "mesh", .publishes = false, .isConnection = false, .ofOtherHubs = true, .ofOtherService = false};

/// Hears what sources answer to posts. Implemented in the post room.
class AckSink {
public:
    virtual ~AckSink() = default;
    /// `item` null: on the login stream.
    virtual void onAck(Source& source, Item* item, const Msg& ack) = 0;
    /// Nothing more comes from this source: its posts without an answer are answered here.
    virtual void onSourceLost(Source& source) = 0;
};

/// Decides who serves an item of one service: one for items that upstream connections and the mesh are asked for, one
/// for items of publishers, and one that passes each item to the room that it concerns (source::ComposedSupply). It
/// answers through ItemFlow, possibly before the call returns; the item may be gone then.
class Supply {
public:
    virtual ~Supply() = default;
    /// The item is idle, and a mount waits for its data.
    virtual void wanted(Item& item) = 0;
    /// The item is open, and what it has cannot be taken from the cache: a mount waits for a refresh.
    virtual void refreshWanted(Item& item) = 0;
    /// The last mount has left. The item is erased when nobody else holds it (ItemFlow::erase).
    virtual void unwanted(Item& item) = 0;
    /// Priority, views or pauses of the mounts are others now.
    virtual void mountsChanged(Item& item) = 0;
    /// The image is known to be wrong: malformed payload, or a gap. The item is Suspect already.
    virtual void untrusted(Item& item) = 0;
    /// An operator ends the item: its stream at its source is closed, and everybody on it gets the state. True: the
    /// item is gone. False: it cannot be ended from here, and nothing has happened.
    [[nodiscard]] virtual bool eject(Item&, const eta::codec::State&) { return false; }
    /// An operator wants another image: the item is Suspect with this text until it has come. False: it cannot be asked
    /// for, and nothing has happened.
    [[nodiscard]] virtual bool refetch(Item&, std::string_view) { return false; }
};

/// Images that publishers have of items which somebody else serves, or nobody. Implemented in the publishers' room, for
/// the room that asks upstream connections and the mesh (ADR 30). Stage thread only.
class PublishedItems {
public:
    virtual ~PublishedItems() = default;
    /// The item is idle and has no source. True: a publisher's image of it is shown, and the publisher serves it from
    /// now on.
    [[nodiscard]] virtual bool take(Item& item) = 0;
    /// A publisher has an image of it that is Ok, and take() would show it.
    [[nodiscard]] virtual bool ready(const Item& item) = 0;
    /// A publisher has published it: its record stays when nobody wants it.
    [[nodiscard]] virtual bool holds(const Item& item) const noexcept = 0;
    /// A publisher serves the item, and gives it up for a source that comes first: its image is kept, and the item has
    /// no source.
    virtual void yield(Item& item) = 0;
};

/// Items that are asked for one by one, at upstream connections and the mesh. Implemented in the room of upstream
/// connections, for the publishers' room. Stage thread only.
class RequestedItems {
public:
    virtual ~RequestedItems() = default;
    /// Somebody could be asked for the item now.
    [[nodiscard]] virtual bool canAsk(const Service& service, const Item& item) const noexcept = 0;
    /// The item is idle, has no source, and is wanted.
    virtual void ask(Item& item) = 0;
    /// A publisher is about to serve the item, or it ends: it gives up its stream, or its place in a queue. It has no
    /// source then. Mounts keep what they have; what the publisher sends is for all of them.
    virtual void giveUp(Item& item) = 0;
    /// It waits there: in a queue, or for somebody who can be asked.
    [[nodiscard]] virtual bool waits(const Item& item) noexcept = 0;
};

/// Serves items of services of upstream connections while none of these connections can, or before them
/// (Service::meshFirst()): the mesh of hubs. An item that it serves has a source of the kind kMesh.
class Fallback {
public:
    virtual ~Fallback() = default;
    /// The item is idle, has no source, and is wanted. True: it is served from here from now on.
    [[nodiscard]] virtual bool take(Item& item) = 0;
    /// Gives up the item's stream, which it serves. The item has no source then.
    virtual void release(Item& item) noexcept = 0;
    /// A mount waits for an image of an item that it serves.
    virtual void askAgain(Item& item) = 0;
};

}  // namespace emissary::hub
