// hub/mesh: who a node of the mesh is, its times and its bounds.
#pragma once

#include "eta/core/Clock.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace emissary::hub::mesh {

/// Epochs are below.
inline constexpr std::uint64_t kMostEpoch = std::uint64_t{1} << 63;
/// What others say of a node's own epoch is believed below this, the year 2116: each start takes one more at least, and
/// whatever is made up must leave room for all of them.
inline constexpr std::uint64_t kMostEpochHeard = std::uint64_t{1} << 62;

struct MeshOptions {
    std::string mesh = "main";  ///< part of every subject
    std::uint32_t node = 0;     ///< a hash of the node's name; the same in every life
    std::uint64_t epoch = 0;    ///< of this life: higher than that of every life before

    eta::Duration heartbeat = std::chrono::milliseconds(500);
    eta::Duration gapGrace = std::chrono::milliseconds(200);    ///< an item stays Ok so long while a loss is repaired
    eta::Duration repairDelay = std::chrono::milliseconds(50);  ///< so long a frame that is missing may still come
    eta::Duration retry = std::chrono::seconds(1);              ///< until a request is sent again
    eta::Duration forget = std::chrono::seconds(10);            ///< silence after which a node has no interest any more
    eta::Duration directoryEvery = std::chrono::seconds(60);
    eta::Duration batchTime = std::chrono::microseconds(500);
    std::size_t batchBytes = 32 * 1024;
    std::uint32_t requestRate = 100'000;  ///< items asked for in a second, of one owner
    std::uint32_t resyncRate = 200'000;   ///< the same when nothing else is: items whose version is checked
    std::size_t movesATurn = 20'000;      ///< items for which another owner is chosen; others wait for the next turn
    std::size_t walkATurn = 2'000;        ///< items that a walk over all of an owner or a node comes to in a turn
    std::uint32_t wideAt = 3;             ///< so many hubs want an item: its wide lane
    std::uint16_t wideLanes = 16;         ///< 1 to 4096; the same on all nodes

    std::size_t maxItems = 4'000'000;                     ///< here that are wanted, and of others that are served
    std::size_t maxNodes = 64;                            ///< at most 64: a bit of a mask each
    std::size_t maxServices = 1024;                       ///< of one owner
    std::size_t maxPending = 4096;                        ///< records that wait for one before them
    std::size_t maxPendingBytes = std::size_t{16} << 20;  ///< their bodies
    std::size_t maxMessage = std::size_t{17} << 20;       ///< bytes put together of fragments, for each node and way

    std::size_t maxPosts = 20'000;      ///< that wait here for other nodes, and for one node of those that came from it
    std::size_t maxPostsHeld = 60'000;  ///< that wait for sources here, of all other nodes
    std::size_t maxPostBytes = std::size_t{16} << 20;    ///< of posts that other nodes have not taken yet
    std::size_t maxPost = std::size_t{4} << 20;          ///< bytes of one post, which goes in parts of kMostPost
    std::size_t maxPartBytes = std::size_t{16} << 20;    ///< of posts of other nodes that have come in part
    eta::Duration partsLast = std::chrono::seconds(60);  ///< without a further part; then the post is given up
    eta::Duration postTimeout{};                         ///< for an answer; 0: as long as the owner is there

    /// For a bus that brings each frame twice, on ways of which one may be slower than the other by kMostLag: what the
    /// faster one loses comes by the slower one, and nothing is asked for. The grace lasts for a repair behind that.
    void forTwoWays() noexcept {
        repairDelay = std::max<eta::Duration>(repairDelay, kMostLag);
        gapGrace = std::max<eta::Duration>(gapGrace, kMostLag + std::chrono::milliseconds(200));
    }
    static constexpr auto kMostLag = std::chrono::milliseconds(250);

    /// How long a proof that nothing is missing holds.
    [[nodiscard]] eta::Duration proofLasts() const noexcept { return 4 * heartbeat; }
    /// A heartbeat is late so long after the last one; the bus is asked then, if quiet() is over too.
    [[nodiscard]] eta::Duration late() const noexcept { return heartbeat * 6 / 5; }
    /// It is not asked before nothing at all has come for so long: heartbeats alone may be lost.
    [[nodiscard]] eta::Duration quiet() const noexcept { return late() / 2; }
    /// So often it is asked.
    [[nodiscard]] eta::Duration askEvery() const noexcept { return late() / 4; }
    /// The bus has to say for so long that an owner is gone; for askEvery() where its items have to move earlier. Its
    /// word and this time together are less than doubt().
    [[nodiscard]] eta::Duration sure() const noexcept { return heartbeat * 4 / 5; }
    /// So long, and another owner is asked in time: two heartbeats have not come.
    [[nodiscard]] eta::Duration doubt() const noexcept { return heartbeat * 5 / 2; }
    /// How long an owner may be silent before posts to it are given up: longer than its items are current.
    [[nodiscard]] eta::Duration postsLast() const noexcept { return 2 * proofLasts(); }
};

}  // namespace emissary::hub::mesh
