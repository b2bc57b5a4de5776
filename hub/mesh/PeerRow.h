// hub/mesh: another node, for people: what goes over it, and how old what it has proven is.
#pragma once

#include "hub/mesh/Directories.h"

#include <cstdint>
#include <map>
#include <string>

namespace emissary::hub::mesh {

/// Made when somebody asks.
struct PeerRow {
    std::uint32_t node = 0;
    std::uint64_t epoch = 0;
    bool reachable = false;                       ///< it has heard this node within the last 4 heartbeats
    eta::Duration silent{};                       ///< since its last heartbeat
    bool gone = false;                            ///< the servers say that it is not there any more
    eta::Duration proven = eta::Duration::max();  ///< age of its word that nothing is missing; max: none yet
    std::uint32_t load = 0;                       ///< items that it serves to all nodes
    std::size_t wants = 0;                        ///< items that it has from here
    std::map<std::string, std::size_t> serves;    ///< items that this node has from it, or has asked it for, by service
    std::size_t asking = 0;                       ///< of these and of those to come, wishes without an answer
    std::size_t lanes = 0;                        ///< on which its updates come
    eta::Duration oldestLane = eta::Duration::max();  ///< age of the proof of the lane that is furthest behind
    std::uint64_t gaps = 0;                           ///< times that frames of these lanes were missing
    std::size_t postsOut = 0;                         ///< posts of clients here that wait for its answer
    std::size_t postsIn = 0;  ///< posts of clients there that wait for the answer of a source here
    bool directory = false;   ///< all of its services are known
    std::map<std::string, OfferedService> services;
};

}  // namespace emissary::hub::mesh
