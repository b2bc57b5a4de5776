// hub/ops: the hub's mesh as rows of plain values, for /meshz and the status page.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace emissary::hub::ops {

/// Times are in milliseconds; -1: there was none yet.
struct MeshRow {
    struct Offer {
        std::string service, state;  ///< "up", "leaves", "down"
        std::uint32_t rank = 0;
        std::uint64_t items = 0;  ///< that this hub has from there
    };
    struct Peer {
        std::string hub, node;  ///< its name, empty while it offers nothing; its number in hex
        bool reachable = false;
        std::int64_t silentMs = -1, provenMs = -1, laneMs = -1;  ///< laneMs: of the lane that is furthest behind
        std::uint64_t wants = 0, serves = 0, asking = 0, load = 0, lanes = 0, gaps = 0;
        std::uint64_t postsOut = 0, postsIn = 0;  ///< of clients here and there, that wait for an answer
        std::vector<Offer> services;
    };
    /// A service of this hub, or one that it may have from others.
    struct Service {
        std::string name, owner;  ///< the hub that would be asked now; empty: none can be
        bool exported = false, imported = false;
        std::uint64_t waiting = 0;  ///< items without an owner
    };
    struct Side {
        std::string cluster, server, error;
    };
    std::string mesh, node, server, error;
    std::vector<Side> sides;  ///< of two clusters; empty with one
    bool stopped = false, leaves = false;
    std::uint64_t owned = 0, remote = 0, suspect = 0;
    std::uint64_t gaps = 0, losses = 0, resyncs = 0, images = 0, moves = 0, handedOver = 0;  ///< since the start
    std::uint64_t postsOut = 0, postsIn = 0, postsUnanswered = 0, postsLost = 0;             ///< the same
    std::vector<Peer> peers;
    std::vector<Service> services;
};

}  // namespace emissary::hub::ops
