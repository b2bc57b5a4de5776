// A node of the mesh: heartbeats, who lives, and which frame is whose.
#pragma once

#include "hub/mesh/Edge.h"
#include "hub/mesh/Owner.h"
#include "hub/mesh/PostsIn.h"

#include <array>
#include <string>
#include <vector>

namespace emissary::hub::mesh {

/// Puts Owner, Edge and the directories together on a bus. One thread; call tick() at least every `batchTime` while
/// there is traffic, and every 50 ms otherwise.
class MeshNode {
public:
    /// Borrows all. Subscribes at once, and sends a first heartbeat with the first tick().
    /// `posts` null: posts of other nodes are refused.
    MeshNode(Bus& bus, OwnItems& items, EdgeListener& listener, MeshOptions options, PostTaker* posts = nullptr);
    MeshNode(const MeshNode&) = delete;
    MeshNode& operator=(const MeshNode&) = delete;

    /// A frame of any subject that the node has subscribed to. Nothing in it can do more than be counted as refused.
    /// False when it came too early: a copy that comes later may be of use.
    bool received(Bytes frame);
    /// The bus says that nobody receives what Bus::publishAsking() was called for; its `nobody`.
    void nobodyListens(std::string_view subject) noexcept {
        if (!stopped_) edge_.nobodyListens(subject);
    }
    void tick();
    /// There is more to do than a tick may: walks over all items of an owner, or of a node that has left, go in pieces.
    /// The next tick() is to follow as soon as what else waits has been looked at.
    [[nodiscard]] bool busy() const noexcept { return !stopped_ && (edge_.busy() || owner_.busy()); }

    [[nodiscard]] Owner& owner() noexcept { return owner_; }
    [[nodiscard]] Edge& edge() noexcept { return edge_; }
    [[nodiscard]] const Edge& edge() const noexcept { return edge_; }
    [[nodiscard]] PostsIn& posts() noexcept { return posts_; }
    [[nodiscard]] const PostsIn& posts() const noexcept { return posts_; }
    [[nodiscard]] OwnDirectory& directory() noexcept { return directory_; }
    [[nodiscard]] const MeshCounts& counts() const noexcept { return counts_; }
    /// Its epoch rises where others have heard of a later life of this node (hub.md 12.1).
    [[nodiscard]] const MeshOptions& options() const noexcept { return options_; }
    /// Another hub with this one's name runs, and this one has fallen silent.
    [[nodiscard]] bool stopped() const noexcept { return stopped_; }
    /// The same, and the two cannot hear each other: others have told this one of the other's lives again and again.
    [[nodiscard]] bool overtaken() const noexcept { return stopped_ && overtaken_ > kMostOvertaken; }
    [[nodiscard]] std::size_t peers() const noexcept;
    /// All other nodes that are known, for people.
    [[nodiscard]] std::vector<PeerRow> rows() const;

private:
    struct Peer {
        std::uint32_t node = 0;
        bool used = false, served = false;
        std::uint64_t epoch = 0, heartbeats = 0, requests = 0;
        eta::TimePoint heardAt;
    };
    [[nodiscard]] Peer* peerOf(const Header& header);
    [[nodiscard]] std::size_t slotOf(const Peer& peer) const noexcept {
        return static_cast<std::size_t>(&peer - peers_.data());
    }
    void beginLife(Peer& peer, std::uint64_t epoch);
    void ownName(const Header& header);
    void knownFrom(std::uint64_t epoch);
    void heartbeat(Peer& peer, const Header& header, Bytes records);
    bool request(Peer& peer, const Header& header, Bytes records);
    void sendHeartbeat();
    void forgetSilent();

    static constexpr std::size_t kTokens = 32;  // heartbeats whose time is known
    // Lives that a node begins since others know a later one, each soon after the one before. A clock that went back
    // costs one; what goes on has a namesake at its other end that does the same.
    static constexpr unsigned kMostOvertaken = 3;

    MeshOptions options_;
    MeshCounts counts_;
    Sender sender_;
    Owner owner_;
    Edge edge_;
    PostsIn posts_;
    OwnDirectory directory_;
    std::vector<Peer> peers_;
    std::string heartbeatTo_;
    Batch beat_;
    std::vector<std::uint64_t> wideLast_;
    std::uint64_t beats_ = 0;
    std::array<eta::TimePoint, kTokens> sentAt_{};
    eta::TimePoint startedAt_;
    eta::TimePoint namesakeAt_ = eta::TimePoint::min();  // a later life of this node's name was heard
    std::uint64_t otherEpoch_ = 0, otherBeats_ = 0;
    unsigned otherRose_ = 0;
    unsigned overtaken_ = 0;
    bool stopped_ = false;
};

}  // namespace emissary::hub::mesh
