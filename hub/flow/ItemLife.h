// What can happen to an item, and what becomes of its phase and flags then.
#pragma once

#include "hub/core/Item.h"

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>

namespace emissary::hub::flow {

/// What can happen to an item. docs/hub-items.md has the table in words.
enum class Event : std::uint8_t {
    // --- a record is made
    cachesDomain,   ///< its service keeps images of its domain (from its first publisher on, for one that has none)
    countsMissing,  ///< its service looks at sequence numbers (SeqNumGaps)
    tunnelWanted,   ///< the private stream that it stands for is a tunnel

    // --- what mounts want
    wantedEarly,       ///< a request came before its service was up
    snapshotWanted,    ///< the request that makes it wanted asks for a snapshot
    streamWanted,      ///< the request that makes it wanted asks for a stream
    mountWaits,        ///< a mount waits for a refresh
    mountsServed,      ///< a complete refresh has gone to all mounts that waited
    wholeWanted,       ///< the answer under way lacks fields that a mount wants
    snapshotAnswered,  ///< the snapshot has come, and mounts want a stream

    // --- what its supply does
    parked,        ///< nobody can serve it now
    queued,        ///< it is requested in its turn
    requested,     ///< a source was asked for it
    viewAsked,     ///< the source was asked for a view
    allAsked,      ///< the source was asked for all fields
    renewalAsked,  ///< its source was asked for another image
    renewed,       ///< the image that its source was asked for has come
    lastAnswer,    ///< the refresh that was asked for is the last message of its stream
    streamOver,    ///< its stream at the source is over, or goes on without it
    released,      ///< it goes on without its source, or is about to end
    goesOver,      ///< another source has answered, and has it from now on
    otherStream,   ///< it has another stream, and clients do not know

    // --- who serves it
    bound,       ///< a source serves it from now on
    unbound,     ///< no source serves it from now on
    suspected,   ///< what clients have is out of date
    recovered,   ///< the source says that it was up to date all the time
    posted,      ///< a post made it
    sourceOwns,  ///< a source has it, or it goes: it is not the posters' any more

    // --- refreshes and updates
    refreshBegins,    ///< the first part of a refresh has come
    forEverybody,     ///< the refresh is for all mounts
    forThoseWaiting,  ///< the refresh is for the mounts that wait
    partsMissing,     ///< a refresh has begun and is not complete
    partsThere,       ///< all parts of the refresh have come
    partsGivenUp,     ///< a part was left out, or cannot be read: no more of the refresh is shown
    numbered,         ///< a message had a sequence number
    unnumbered,       ///< the numbers were another source's
    imageTrue,        ///< a message was applied to the image
    imageUntrue,      ///< what came could not be kept
    gapFound,         ///< numbers are missing between two updates, or a part of a refresh
    refreshComplete,  ///< a refresh has gone to its mounts
    madeHere,         ///< the refresh was made here: the item's own is still to come
    imageReplaced,    ///< the image of another source has taken the place of the image
    imageSent,        ///< mounts have got the image
    count_
};

/// The one writer of an item's phase and flags, and of the state that clients know. Stage thread only.
class ItemLife {
public:
    /// Where an event leads: to a phase, or to the one that the item is in.
    enum class Leads : std::uint8_t { idle, parked, queued, requested, open, stays };
    struct Row {
        Event event;
        std::uint8_t in;  ///< bit n: it can happen in phase n
        Leads to;
        std::uint32_t sets, clears;  ///< flags of Item
        [[nodiscard]] constexpr bool happensIn(Item::Phase phase) const noexcept {
            return (in >> static_cast<unsigned>(phase) & 1u) != 0;
        }
    };

    /// The event has happened: phase and flags follow.
    static void apply(Item& item, Event event) noexcept {
        const Row& row = rowOf(event);
        assert(row.happensIn(item.phase));
        item.flags = (item.flags & ~row.clears) | row.sets;
        if (row.to != Leads::stays) item.phase = static_cast<Item::Phase>(row.to);
    }
    /// The state that clients have of the item from now on; its text is copied. Throws std::bad_alloc.
    static void tell(Item& item, const eta::codec::State& state);
    /// The code of the state alone.
    static void tellCode(Item& item, std::uint8_t code) noexcept { item.code = code; }

    [[nodiscard]] static constexpr const Row& rowOf(Event event) noexcept {
        return kRows[static_cast<std::size_t>(event)];
    }
    /// Each event has its row, in the place that rowOf() looks at.
    [[nodiscard]] static constexpr bool inOrder() noexcept {
        for (std::size_t i = 0; i < kRows.size(); ++i)
            if (static_cast<std::size_t>(kRows[i].event) != i) return false;
        return true;
    }

private:
    static constexpr std::uint8_t kIdle = 0x01, kParked = 0x02, kQueued = 0x04, kRequested = 0x08, kOpen = 0x10,
                                  kAny = 0x1F;
    // clang-format off
    static constexpr std::array<Row, static_cast<std::size_t>(Event::count_)> kRows{{
        {Event::cachesDomain, kAny, Leads::stays, Item::cached, 0},
        {Event::countsMissing, kIdle, Leads::stays, Item::watchesGaps, 0},
        {Event::tunnelWanted, kIdle, Leads::stays, Item::qualified, 0},

        {Event::wantedEarly, kAny, Leads::stays, Item::early, 0},
        {Event::snapshotWanted, kIdle, Leads::stays, Item::snapshotOnly, 0},
        {Event::streamWanted, kIdle, Leads::stays, 0, Item::snapshotOnly},
        {Event::mountWaits, kAny, Leads::stays, Item::waitingMounts, 0},
        {Event::mountsServed, kAny, Leads::stays, 0, Item::waitingMounts},
        {Event::wholeWanted, kRequested | kOpen, Leads::stays, Item::wantsWhole, 0},
        {Event::snapshotAnswered, kOpen, Leads::idle, 0, Item::snapshotOnly},

        {Event::parked, kIdle | kParked | kQueued, Leads::parked, 0, 0},
        {Event::queued, kIdle | kParked | kRequested, Leads::queued, 0, 0},
        {Event::requested, kIdle | kParked | kQueued, Leads::requested, 0, Item::renewing | Item::wantsWhole},
        {Event::viewAsked, kRequested | kOpen, Leads::stays, Item::asksView, 0},
        {Event::allAsked, kRequested | kOpen, Leads::stays, 0, Item::asksView},
        {Event::renewalAsked, kRequested | kOpen, Leads::stays, Item::renewing, 0},
        {Event::renewed, kRequested | kOpen, Leads::stays, 0, Item::renewing},
        {Event::lastAnswer, kRequested, Leads::open, 0, 0},
        {Event::streamOver, kRequested | kOpen, Leads::stays, 0, Item::renewing},
        {Event::released, kAny, Leads::idle, 0, 0},
        {Event::goesOver, kOpen, Leads::requested, Item::otherStream, 0},
        {Event::otherStream, kAny, Leads::stays, Item::otherStream, 0},

        {Event::bound, kAny, Leads::stays, Item::rebound, Item::partial},
        {Event::unbound, kAny, Leads::stays, 0, Item::rebound | Item::partial},
        {Event::suspected, kAny, Leads::stays, Item::recovering, 0},
        {Event::recovered, kAny, Leads::stays, 0, Item::recovering},
        {Event::posted, kAny, Leads::stays, Item::onlyPosted, 0},
        {Event::sourceOwns, kAny, Leads::stays, 0, Item::onlyPosted},

        {Event::refreshBegins, kAny, Leads::stays, 0, Item::rebound},
        {Event::forEverybody, kAny, Leads::stays, Item::toEverybody, 0},
        {Event::forThoseWaiting, kAny, Leads::stays, 0, Item::toEverybody},
        {Event::partsMissing, kAny, Leads::stays, Item::partial, 0},
        {Event::partsThere, kAny, Leads::stays, 0, Item::partial},
        {Event::partsGivenUp, kAny, Leads::stays, 0, Item::partial},
        {Event::numbered, kAny, Leads::stays, Item::hasSeqNum, 0},
        {Event::unnumbered, kAny, Leads::stays, 0, Item::hasSeqNum},
        {Event::imageTrue, kAny, Leads::stays, 0, Item::notCurrent},
        {Event::imageUntrue, kAny, Leads::stays, Item::notCurrent, 0},
        {Event::gapFound, kAny, Leads::stays, Item::refetch, 0},
        {Event::refreshComplete, kIdle | kParked | kRequested | kOpen, Leads::open, 0,
            Item::recovering | Item::placeholder | Item::refetch | Item::otherStream},
        {Event::madeHere, kOpen, Leads::stays, Item::placeholder, 0},
        {Event::imageReplaced, kIdle | kParked | kOpen, Leads::open, 0, Item::notCurrent | Item::partial | Item::rebound},
        {Event::imageSent, kOpen, Leads::stays, 0,
            Item::recovering | Item::placeholder | Item::refetch | Item::otherStream},
    }};
    // clang-format on
};

}  // namespace emissary::hub::flow
