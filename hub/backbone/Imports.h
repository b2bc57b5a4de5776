// Services of other hubs of the mesh, for the clients of this one (hub.md 12).
#pragma once

#include "eta/core/GrowingBuffer.h"
#include "hub/backbone/MeshSource.h"
#include "hub/backbone/SharedDictionary.h"
#include "hub/backbone/Wishes.h"
#include "hub/backbone/records.h"
#include "hub/config/HubSettings.h"
#include "hub/core/ItemTable.h"
#include "hub/core/log.h"
#include "hub/directory/Merge.h"
#include "hub/flow/ItemFlow.h"
#include "hub/mesh/Edge.h"
#include "hub/nats/MeshMember.h"
#include "reactor/memory.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace emissary::hub::backbone {

/// Calls of the room that decides who serves items.
struct OwnSources {
    std::function<void(Service&)> fallBack;  ///< other hubs can serve the service's items now
    std::function<void(Service&)> first;     ///< other hubs do not come before this hub's own sources any more
    std::function<bool(Item&)> yield;        ///< InteractiveSupply::yield()
    std::function<void(Item&)> takeBack;     ///< a source or publisher of this hub has the item again, if one can
};

/// Borrowed; all of it outlives the imports.
struct ImportRooms {
    reactor::Reactor& reactor;
    ItemTable& items;
    ServiceTable& services;
    flow::ItemFlow& flow;
    directory::Merge& merge;
    AckSink& acks;
    OwnSources own;
    LogLine log;  ///< may be empty
};

/// Serves the items of imported services while no source of this hub can, or before those sources (PreferRank). What
/// clients see as Ok is what mesh::Edge::isCurrent() calls so; everything else is Open/Suspect, with the owner's name
/// and the reason. Stage thread, with the session lock held.
class Imports final : public mesh::EdgeListener, public Fallback, public directory::OfferListener {
public:
    Imports(const ImportRooms& rooms, const MeshSettings& settings);
    ~Imports() override;
    Imports(const Imports&) = delete;
    Imports& operator=(const Imports&) = delete;

    /// An item that `exports` gives other hubs stays with the own source that it has.
    void use(nats::MeshMember& member, const Exports& exports, SharedDictionary& dictionary);
    /// Services and items go; nothing is asked of the mesh any more.
    void stop();
    /// Looks at what other hubs offer, when something has changed. Every 50 ms.
    void look();
    /// Items that other hubs serve here, and those of them that are shown as suspect.
    [[nodiscard]] std::size_t items() const noexcept { return source_.items(); }
    [[nodiscard]] std::size_t suspect() const noexcept;
    /// Items that went from sources of this hub to hubs that come first.
    [[nodiscard]] std::uint64_t preferred() const noexcept { return wishes_.gone(); }
    /// MeshSource::comesFirst(): of the import of that number.
    [[nodiscard]] bool comesFirst(std::uint16_t id) const noexcept { return imported_[id - 1u].first; }
    /// MeshSource::post().
    eta::Error post(const Client& client, Item* item, std::uint16_t service, const Msg& msg);
    /// MeshSource::generic().
    eta::Error generic(Item& item, const Msg& msg);
    /// The same for one of the login stream; `id`: of the import that its key names.
    eta::Error generic(std::uint16_t id, const Msg& msg);

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
    /// A post that waits for the answer of another hub.
    struct Posted {
        Ref item;  ///< kNone: off-stream
        std::uint32_t id = 0, seqNum = 0;
        bool hasSeqNum = false;
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
        bool first = false;      ///< the hub that would be asked comes before this hub's own sources
        bool cameFirst = false;  ///< when that was looked at last
    };
    // --- mesh::EdgeListener
    void image(std::uint32_t index, std::uint32_t version, eta::Bytes refresh) override;
    void update(std::uint32_t index, std::uint32_t version, eta::Bytes message) override;
    void state(std::uint32_t index, bool current) override;
    void ended(std::uint32_t index, eta::Bytes status) override;
    [[nodiscard]] bool canReplace(eta::Bytes image) const override;
    void postEnded(std::uint64_t cookie, const mesh::PostEnd& end) override;
    [[nodiscard]] mesh::DictionaryUse dictionary(const mesh::DictionaryParts& all, const std::string& hub,
                                                 std::uint32_t step) override;

    /// To the hub of the item; null: of `service` and `name`. `msg` goes without a stream id.
    [[nodiscard]] eta::Error give(Item* item, const PostHead& head, const std::string& service, const std::string& name,
                                  Msg& msg, bool asks, std::uint64_t cookie);
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
    void growLines(std::size_t size);
    void drain();
    void tryAgain();

    const ImportRooms rooms_;
    const MeshSettings& settings_;
    MeshSource source_;
    Wishes wishes_;
    nats::MeshMember* member_ = nullptr;
    SharedDictionary* dictionary_ = nullptr;
    std::vector<Imported> imported_;
    std::uint64_t changes_ = 0;
    std::vector<Line> lines_;
    std::vector<Ref> opening_, refused_;
    std::vector<std::uint32_t> closing_;
    reactor::ItemMap<std::uint64_t, Posted> posted_;  // by cookie
    std::uint64_t cookies_ = 0;
    eta::GrowingBuffer postHead_{1024}, postBody_{4096};
    bool calling_ = false;  // inside a call of the edge
    reactor::TimerId drainTimer_ = 0, againTimer_ = 0;
};

}  // namespace emissary::hub::backbone
