// Services of other hubs of the mesh, for the clients of this one (hub.md 12).
#pragma once

#include "hub/config/HubSettings.h"
#include "hub/core/ItemTable.h"
#include "hub/core/log.h"
#include "hub/directory/Merge.h"
#include "hub/flow/ItemFlow.h"
#include "hub/mesh/Edge.h"
#include "hub/nats/MeshMember.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace emissary::hub::backbone {

/// Borrowed; all of it outlives the imports.
struct ImportRooms {
    reactor::Reactor& reactor;
    ItemTable& items;
    ServiceTable& services;
    flow::ItemFlow& flow;
    directory::Merge& merge;
    std::function<void(Service&)> usable;  ///< other hubs can serve the service's items now
    LogLine log;                           ///< may be empty
};

/// All other hubs together, as one source of items.
class MeshSource final : public Source {
public:
    static constexpr std::uint16_t kNumber = 0xFFFF;
    explicit MeshSource(const std::string& mesh) : Source(Kind::mesh, "mesh " + mesh, kNumber) {}
    [[nodiscard]] bool up() const noexcept override { return up_; }
    void up(bool is) noexcept { up_ = is; }
    [[nodiscard]] bool takesPosts() const noexcept override { return false; }
    eta::Error post(Item*, std::uint16_t, Msg&) override { return {eta::Errc::unsupportedType, 0}; }
    eta::Error generic(Item*, Msg&) override { return {eta::Errc::unsupportedType, 0}; }

private:
    bool up_ = false;
};

/// Serves the items of imported services while no source of this hub can. What clients see as Ok is what
/// mesh::Edge::isCurrent() calls so; everything else is Open/Suspect, with the owner's name and the reason. Stage
/// thread, with the session lock held.
class Imports final : public mesh::EdgeListener, public Fallback, public directory::OfferListener {
public:
    Imports(const ImportRooms& rooms, const MeshSettings& settings);
    ~Imports() override;
    Imports(const Imports&) = delete;
    Imports& operator=(const Imports&) = delete;

    void use(nats::MeshMember& member);
    /// Services and items go; nothing is asked of the mesh any more.
    void stop();
    /// Looks at what other hubs offer, when something has changed. Every 50 ms.
    void look();
    /// Items that other hubs serve here, and those of them that are shown as suspect.
    [[nodiscard]] std::size_t items() const noexcept { return source_.items(); }
    [[nodiscard]] std::size_t suspect() const noexcept;

    // --- Fallback
    [[nodiscard]] bool take(Item& item) override;
    void release(Item& item) noexcept override;
    void askAgain(Item& item) override;
    // --- directory::OfferListener
    void onOffer(Service& service, Source& source) override;
    void onOfferLost(Service&, Source&, bool) override {}
    void onServiceGone(Service&) override {}

private:
    struct Ref {
        std::uint32_t index = Item::kNone, generation = 0;
    };
    /// An item of the edge, by its index there.
    struct Line {
        Ref item;
        bool image = false;               ///< a complete refresh has come
        bool shown = false;               ///< clients have it as current
        reactor::rdm::OwnedState said{};  ///< the owner's state of it
    };
    struct Imported {
        std::string name;
        reactor::rdm::Service service;
        bool offered = false;
    };
    // --- mesh::EdgeListener
    void image(std::uint32_t index, std::uint32_t version, eta::Bytes refresh) override;
    void update(std::uint32_t index, std::uint32_t version, eta::Bytes message) override;
    void state(std::uint32_t index, bool current) override;
    void ended(std::uint32_t index, eta::Bytes status) override;
    [[nodiscard]] bool canReplace(eta::Bytes image) const override;

    void look(Imported& imported);
    [[nodiscard]] Item* itemOf(std::uint32_t index) noexcept;
    void received(std::uint32_t index, eta::Bytes messages, bool image);
    void deliver(std::uint32_t index, Msg& msg, bool image);
    void suspect(std::uint32_t index);
    /// Nobody may be left who wants it.
    void afterSuspect(Ref ref);
    [[nodiscard]] std::string why(std::uint32_t index) const;
    /// Opens and closes at the edge wait while it calls.
    void later();
    void drain();
    void tryAgain();

    const ImportRooms rooms_;
    const MeshSettings& settings_;
    MeshSource source_;
    nats::MeshMember* member_ = nullptr;
    std::vector<Imported> imported_;
    std::uint64_t changes_ = 0;
    std::vector<Line> lines_;
    std::vector<Ref> opening_, refused_;
    std::vector<std::uint32_t> closing_;
    bool calling_ = false;  // inside a call of the edge
    reactor::TimerId drainTimer_ = 0, againTimer_ = 0;
};

}  // namespace emissary::hub::backbone
