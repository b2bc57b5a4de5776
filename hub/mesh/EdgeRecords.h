// What the edge's side keeps: items that are wanted here, and the owners that they come from.
#pragma once

#include "hub/mesh/Assembler.h"
#include "hub/mesh/Directories.h"
#include "hub/mesh/LaneIn.h"

#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace emissary::hub::mesh {

inline constexpr std::uint32_t kNoOwner = 0xFFFFFFFF;

enum class Phase : std::uint8_t {
    free,    ///< not an item
    asking,  ///< no image of its owner yet, or no owner
    live,    ///< there is an image, and updates are expected
    ended,   ///< closed or refused by its owner
};

struct EdgeItem {
    std::string service, name;
    Phase phase = Phase::free;
    bool queued = false, shownOk = false, uncertain = false;
    std::uint16_t lane = 0;
    std::uint32_t owner = kNoOwner;  ///< slot
    std::uint32_t ask = 0;           ///< number of the wish, as the owner quotes it
    std::uint32_t number = 0, version = 0;
    std::uint32_t seen = 0;  ///< the highest version that any record had
    std::uint32_t registration = 0;
    std::uint64_t covered = 0;  ///< the first sequence behind the owner's word; 0: there is none for this lane
    /// Records behind a statement from before these sequences may have come while the number was not known here.
    std::uint64_t ignoredUnicast = 0, ignoredWide = 0;
    eta::TimePoint askedAt = eta::TimePoint::max();
    eta::TimePoint okUntil = eta::TimePoint::min();  ///< by an earlier proof
};

/// A lane that this node receives.
struct EdgeLane {
    LaneIn in;
    Assembler fragments;
    std::uint64_t ignoredUpTo = 0;  ///< the last frame with a record of an item that was not known
    std::uint32_t items = 0;
};

/// An owner, as seen from here.
struct Remote {
    std::uint32_t node = 0, load = 0, registration = 0, asking = 0;
    std::uint64_t epoch = 0;
    bool used = false, reachable = false;
    eta::TimePoint provenAt = eta::TimePoint::min();  ///< it lived after this time of this node
    eta::TimePoint registeredAt = eta::TimePoint::min();
    EdgeLane unicast;
    std::vector<std::unique_ptr<EdgeLane>> wide;
    Assembler replies, directoryParts;
    HeardDirectory directory;
    std::unordered_map<std::uint32_t, std::uint32_t> byNumber;

    struct Asked {
        std::uint32_t item, ask;
        eta::TimePoint at;
    };
    std::deque<std::uint32_t> todo;     ///< items to be asked for
    std::deque<Asked> waiting, behind;  ///< asked for; lacking a version
    Batch request;
    std::string requestTo;
    double tokens = 0;
    eta::TimePoint pacedAt = eta::TimePoint::min(), askedDirectoryAt = eta::TimePoint::min();
};

}  // namespace emissary::hub::mesh
