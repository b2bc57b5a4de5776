// hub/nats: a node of the mesh on a hub's loop: bus, node, timers, and the identity of this life.
#pragma once

#include "hub/mesh/MeshNode.h"
#include "hub/nats/NatsBus.h"
#include "reactor/Reactor.h"
#include "reactor/TurnEnd.h"

#include <memory>
#include <string>
#include <string_view>

namespace emissary::hub::nats {

/// The node that a name stands for in subjects and frames: a hash, the same in every life.
[[nodiscard]] std::uint32_t nodeOf(std::string_view name) noexcept;

/// A number for this life, higher than all that the file has had: nanoseconds of the time of day, or one more than the
/// last one where the clock went back. The file has it before this returns. 0 when refused.
[[nodiscard]] std::uint64_t nextEpoch(const std::string& file, eta::Refused& refused);

/// The file has the epoch from here on. False when refused.
[[nodiscard]] bool keepEpoch(const std::string& file, std::uint64_t epoch, eta::Refused& refused);

/// All calls with the session lock held, or on the dispatching thread. Nothing waits for the network.
class MeshMember final : private reactor::EventSource, private reactor::TurnEnd {
public:
    /// `options`: node and epoch are set from the name and the file. Borrows the reactor and both interfaces, which
    /// outlive it. Null when refused.
    [[nodiscard]] static std::unique_ptr<MeshMember> make(reactor::Reactor& reactor, mesh::OwnItems& items,
                                                          mesh::EdgeListener& listener, const std::string& name,
                                                          const std::string& epochFile, mesh::MeshOptions options,
                                                          NatsOptions servers, eta::Refused& refused,
                                                          mesh::PostTaker* posts = nullptr);
    /// The same over a bus that is there.
    [[nodiscard]] static std::unique_ptr<MeshMember> make(reactor::Reactor& reactor, mesh::OwnItems& items,
                                                          mesh::EdgeListener& listener, const std::string& name,
                                                          const std::string& epochFile, mesh::MeshOptions options,
                                                          std::unique_ptr<NatsBus> bus, eta::Refused& refused,
                                                          mesh::PostTaker* posts = nullptr);
    /// Waits for the bus's thread (NatsBus).
    ~MeshMember() override;
    MeshMember(const MeshMember&) = delete;
    MeshMember& operator=(const MeshMember&) = delete;

    /// Owner::update(), and it leaves at the end of the turn when the lanes were idle, else within
    /// MeshOptions::batchTime.
    bool update(std::uint32_t number, eta::Bytes body, mesh::Owner::Body whose = mesh::Owner::Body::own);
    /// Owner::close(); it leaves as an update does.
    void close(std::uint32_t number, eta::Bytes status);
    /// A tick in the next turn, for what was opened or closed: requests wait for one.
    void soon();
    /// Services, items of others, and what this hub owns; updates go through update().
    [[nodiscard]] mesh::MeshNode& node() noexcept { return *node_; }
    [[nodiscard]] const mesh::MeshNode& node() const noexcept { return *node_; }
    [[nodiscard]] const NatsBus& bus() const noexcept { return *bus_; }
    /// Why the file lacks an epoch that was taken since the start, a sentence; empty: it has it. It is tried again.
    [[nodiscard]] const std::string& notKept() const noexcept { return notKept_; }

private:
    MeshMember(reactor::Reactor& reactor, std::unique_ptr<NatsBus> bus, std::string epochFile, std::uint64_t epoch);
    void keepLaterEpoch();
    void onReady(std::uint32_t events) noexcept override;
    void onTurnEnd() noexcept override;
    void arm(eta::Duration delay);
    void tick();

    static constexpr std::size_t kMostFrames = 256;  // in one turn
    static constexpr auto kIdle = std::chrono::milliseconds(50);
    static constexpr auto kKeepAgain = std::chrono::seconds(1);

    reactor::Reactor& reactor_;
    const std::unique_ptr<NatsBus> bus_;
    std::unique_ptr<mesh::MeshNode> node_;
    const std::string epochFile_;
    std::uint64_t epoch_;  // the file has it
    eta::TimePoint keepAgain_ = eta::TimePoint::min();
    std::string notKept_;
    reactor::TimerId idle_ = 0, batch_ = 0, soon_ = 0;
    eta::TimePoint flushedAt_ = eta::TimePoint::min();
    bool waiting_ = false;  // updates are in batches
};

}  // namespace emissary::hub::nats
