// What the edge's side keeps of owners: their lanes, services and what they are asked for.
#pragma once

#include "hub/mesh/Assembler.h"
#include "hub/mesh/Directories.h"
#include "hub/mesh/ItemSets.h"
#include "hub/mesh/LaneIn.h"
#include "hub/mesh/PostsOut.h"
#include "hub/mesh/RequestOut.h"

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace emissary::hub::mesh {

/// A lane that this node receives.
struct EdgeLane {
    LaneIn in;
    Assembler fragments;
    std::uint64_t ignoredUpTo = 0;          ///< the last frame with a record of an item that was not known
    ItemSet<&EdgeItem::placeInLane> items;  ///< live ones
    bool current = false;                   ///< when it was looked at last: proven within the last 4 heartbeats

    /// A walk over the items, some in each turn. What comes up meanwhile is found by one more behind it: a walk that
    /// began anew each time would not get to the first ones while frames are lost again and again.
    struct Walk {
        struct Why {
            bool asks = false;                 ///< the owner has forgotten this node: all are checked
            std::optional<LaneIn::Loss> loss;  ///< those that it made uncertain are checked
        };
        bool due = false;        ///< it is to begin, once more when it is under way
        Why next;                ///< for the one that is due: each has a time of grace of its own
        Why why;                 ///< of the one that is under way
        std::uint64_t lost = 0;  ///< what was lost when that began
        std::size_t left = 0;    ///< items from the front of the list on that it has not come to
    } walk;
};

/// What is left of a life of an owner that is over, until its items have been walked over.
struct PastLife {
    std::uint32_t owner = kNoOwner;
    std::unordered_map<std::uint32_t, std::uint32_t> byNumber;  ///< freed item by item
};

/// An owner, as seen from here.
struct Remote {
    std::uint32_t id = kNoOwner;  ///< of this life (ownerIn())
    std::uint32_t node = 0, load = 0, registration = 0, asking = 0;
    std::uint64_t epoch = 0;
    bool used = false, reachable = false;
    bool doubtful = false;    ///< nothing was heard of it for a while, or the bus says that it is gone
    bool wavers = false;      ///< that, or it was so lately: nothing goes to it from an owner that is doubtful
    bool takesParts = false;  ///< its version knows posts in parts
    bool gone = false;        ///< the bus says so and is believed (Edge::nobodyListens()), and nothing has come since
    eta::TimePoint heardAt = eta::TimePoint::min();      ///< its last frame came, behind a heartbeat that counts
    eta::TimePoint beatAt = eta::TimePoint::min();       ///< its last heartbeat that counts came
    eta::TimePoint nobodyFirst = eta::TimePoint::min();  ///< the bus said first since heardAt that nobody is there
    eta::TimePoint nobodySince = eta::TimePoint::min();  ///< the same, when nothing had come for MeshOptions::late()
    eta::TimePoint lookedAt = eta::TimePoint::min();     ///< the bus was asked for it last
    eta::TimePoint doubtedAt = eta::TimePoint::min();    ///< it was doubtful then
    eta::TimePoint provenAt = eta::TimePoint::min();     ///< it lived after this time of this node
    eta::TimePoint registeredAt = eta::TimePoint::min();
    EdgeLane unicast;
    std::vector<std::unique_ptr<EdgeLane>> wide;
    std::size_t firstLane = 0;  ///< of `wide`, behind them the unicast one: walked first in the next turn
    Assembler replies, directoryParts;
    HeardDirectory directory;
    std::uint64_t dictionary = 0;       ///< id of the one that it offers; 0: none
    std::uint32_t dictionaryParts = 0;  ///< of it
    std::string dictionaryVersion;
    eta::TimePoint dictionaryAgain = eta::TimePoint::min();  ///< not asked for it before
    std::uint32_t dictionaryPauses = 1;                      ///< times MeshOptions::retry, when it fails once more
    std::unordered_map<std::uint32_t, std::uint32_t> byNumber;

    struct Asked {
        std::uint32_t item, ask;
        eta::TimePoint at;
    };
    struct LateDrop {
        std::uint64_t behind;  ///< the post that the owner has to take first
        std::uint32_t number;  ///< of the item there
    };
    /// The item is not wanted any more. What was posted before must not arrive behind that: a large post goes in parts,
    /// and one that was lost goes again.
    void drop(std::uint32_t item) {
        if (posts && !posts->hasTaken(posts->last())) drops.push_back({posts->last(), item});
        else requests.add(Kind::drop, item, 0, {});
    }
    /// Those whose time has come; `all`: the posts are over. An item that is wanted again is not dropped.
    void sendDrops(bool all) {
        for (; !drops.empty() && (all || posts->hasTaken(drops.front().behind)); drops.pop_front())
            if (!byNumber.contains(drops.front().number)) requests.add(Kind::drop, drops.front().number, 0, {});
    }

    std::deque<LateDrop> drops;         ///< in the order of the posts
    std::deque<std::uint32_t> todo;     ///< items to be asked for
    std::deque<Asked> waiting, behind;  ///< asked for; lacking a version
    std::unique_ptr<PostsOut> posts;    ///< null: there was none yet
    RequestOut requests;
    double tokens = 0;
    eta::TimePoint pacedAt = eta::TimePoint::min(), askedDirectoryAt = eta::TimePoint::min();
};

}  // namespace emissary::hub::mesh
