// One item of one service, whatever the number of clients that watch it.
#pragma once

#include "eta/codec/Msg.h"
#include "hub/core/Mount.h"
#include "hub/core/OwnedBy.h"
#include "hub/core/PartOrder.h"
#include "hub/core/Priorities.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace emissary::hub {

using eta::Bytes;
using eta::codec::Msg;
class Source;

namespace flow {
class GroupMap;
class Images;
class ItemLife;
}  // namespace flow

/// The source of an item. Everybody reads it; ItemTable::serve() alone writes it, since every source has a list of the
/// items that point to it.
class ServedBy {
public:
    // NOLINTNEXTLINE(google-explicit-constructor): it stands for the pointer that it is
    operator Source*() const noexcept { return at_; }
    [[nodiscard]] Source* get() const noexcept { return at_; }
    [[nodiscard]] Source* operator->() const noexcept { return at_; }
    [[nodiscard]] Source& operator*() const noexcept { return *at_; }

private:
    friend class ItemTable;
    Source* at_ = nullptr;
};

/// What few items have.
struct ItemExtras {
    std::string text;                                   ///< of the last state
    std::vector<std::byte> permData;                    ///< of the last message that carried some
    std::uint32_t postUserAddress = 0, postUserId = 0;  ///< of the post that changed the image last
    std::vector<std::byte> request;          ///< of a private stream: as the client made it, encoded (hub.md 5.6)
    std::unique_ptr<Priorities> priorities;  ///< null: no mount asked for one
    PartOrder parts;                         ///< of the refreshes of its source, once one of them came in parts
    bool posted = false;                     ///< the poster above is given back with images (hub.md 7.2)
};

/// A record of ItemTable, which writes the key and the source; Mounts writes the mounts. Phase, flags, state, image and
/// group have one writer each, which the compiler holds to it; the rest is written by hub/flow on behalf of the item's
/// Supply.
struct Item {
    /// How far the item is with its source.
    enum class Phase : std::uint8_t {
        idle,       ///< nobody was asked
        parked,     ///< wanted, and nobody can serve it now
        queued,     ///< waits for its turn to be requested
        requested,  ///< asked for; no refresh yet
        open,       ///< has had a refresh, from its source or its publisher
    };
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;

    Item() noexcept = default;
    /// With these flags from the beginning.
    explicit Item(std::uint32_t born) noexcept : flags(born) {}

    std::uint32_t index = 0, generation = 0;
    std::uint32_t keyHash = 0;
    std::uint16_t keySize = 0;
    std::uint16_t service = 0;  ///< local id
    std::unique_ptr<std::byte[]> keyBytes;
    std::unique_ptr<ItemExtras> extras;  ///< null: none of it is there

    ServedBy source;             ///< that serves it; null while none does
    std::uint64_t upstream = 0;  ///< how the source calls it: a handle, or a publisher's stream
    Mount* mounts = nullptr;     ///< Mounts owns this memory
    std::uint32_t mountCount = 0, mountRoom = 0;
    std::uint32_t liveCount = 0, missedFrom = 0;  ///< where the list is divided (MountsOf)

    OwnedBy<std::uint32_t, flow::Images> image;            ///< cache::ImageId; 0 = none
    std::uint32_t seqNum = 0;                              ///< of the last message that had one; see hasSeqNum
    std::uint32_t groupNext = kNone, groupPrev = kNone;    ///< items of the same group (directory::Groups)
    std::uint32_t sourceNext = kNone, sourcePrev = kNone;  ///< of the same source in the service (ItemTable)
    OwnedBy<std::uint16_t, flow::GroupMap> group;          ///< local group number of the service; 0 = none (hub.md 3.3)

    std::uint8_t domain = 0;
    OwnedBy<Phase, flow::ItemLife> phase;
    OwnedBy<std::uint32_t, flow::ItemLife> flags;
    OwnedBy<std::uint8_t, flow::ItemLife> streamState, dataState,
        code;                        ///< of the last refresh or status; 0/0/0 before the first
    std::uint8_t containerType = 0;  ///< of the last refresh
    std::uint8_t qosAsked = 0;       ///< of its source: the place in the list of its service, 0 being the best
    /// Its source and that of its second stream are compared (hub.md 4.2); upstream::Standbys writes it.
    bool compared = false;
    eta::codec::Qos qos;  ///< of the last refresh

    static constexpr std::uint32_t
        isPrivate = 0x01,   ///< one mount, not found by its key, never cached or recovered
        cached = 0x02,      ///< the service's policy says so for this domain
        recovering = 0x04,  ///< had data, lost its source: the next refresh goes to everybody, unsolicited
        hasSeqNum = 0x08,
        waitingMounts = 0x10,   ///< a mount may be waiting; cleared when a complete refresh has gone to all mounts
        qualified = 0x20,       ///< with isPrivate: a tunnel
        notCurrent = 0x40,      ///< the image no longer tells the truth (cache::Applied::notCurrent)
        placeholder = 0x80,     ///< what clients have was made here: the next refresh goes to everybody (hub.md 4.5)
        partial = 0x100,        ///< a refresh in several parts has begun and is not complete
        snapshotOnly = 0x200,   ///< asked for without streaming, since all that wait want a snapshot
        rebound = 0x400,        ///< the next refresh is the first of its source, and replaces the image
        watchesGaps = 0x800,    ///< SeqNumGaps of its service
        refetch = 0x1000,       ///< Suspect was sent for a gap: the refresh that mends it has GapFill
        renewing = 0x2000,      ///< its source was asked for another image, which has not come
        onlyPosted = 0x10000,   ///< a post made it, and no publisher has published it
        toEverybody = 0x40000,  ///< the refresh of which parts come is for all mounts, not for those that wait alone
        otherStream = 0x80000,  ///< it has another stream, and clients do not know: the next refresh goes to everybody
        asksView = 0x100000,    ///< its source was asked for a view
        wantsWhole = 0x200000,  ///< the answer under way lacks fields that a mount wants: all are asked for anew
        early = 0x400000;       ///< asked for before its service was up: its publisher has yet to send it (hub.md 4.5)

    [[nodiscard]] bool is(std::uint32_t f) const noexcept { return (flags & f) != 0; }
    /// Bytes that a mount is charged for with its client.
    [[nodiscard]] std::size_t keyCost() const noexcept {
        return keySize + (extras ? extras->request.size() : std::size_t{0});
    }
    /// Content of the message key without the service id; the name type is explicit (reactor item keys).
    [[nodiscard]] Bytes key() const noexcept { return {keyBytes.get(), keySize}; }
    /// The same, decoded, with the local service id; views borrow the item.
    [[nodiscard]] eta::codec::MsgKey msgKey() const noexcept;
    [[nodiscard]] std::string name() const;  ///< for texts and pages
    /// The state as it was last said; the text borrows the item.
    [[nodiscard]] eta::codec::State state() const noexcept;
    /// Made when it is not there.
    [[nodiscard]] ItemExtras& more() {
        if (!extras) extras = std::make_unique<ItemExtras>();
        return *extras;
    }
    /// What is asked of a source for all mounts together (rdm.md 6.5).
    [[nodiscard]] std::uint8_t priorityClass() const noexcept {
        return extras && extras->priorities ? extras->priorities->highest() : std::uint8_t{1};
    }
    [[nodiscard]] std::uint64_t priorityCount() const noexcept {
        return mountCount + (extras && extras->priorities ? extras->priorities->extra() : 0);
    }
    [[nodiscard]] bool isOk() const noexcept {
        return streamState == eta::codec::StreamState::open && dataState == eta::codec::DataState::ok;
    }
};
static_assert(sizeof(Item) <= 128);

}  // namespace emissary::hub
