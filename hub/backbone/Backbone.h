// A hub's place in a mesh of hubs: what it gives, what it takes, and the bus in between (hub.md 12).
#pragma once

#include "eta/core/Refused.h"
#include "hub/backbone/Exports.h"
#include "hub/backbone/Imports.h"
#include "hub/backbone/SharedDictionary.h"
#include "reactor/MetricSource.h"

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace emissary::hub::backbone {

/// Borrowed; all of it outlives the backbone.
struct BackboneRooms {
    sink::FeedRooms feed;
    post::PostRouter& posts;  ///< for posts of other hubs
    ImportRooms imports;
    std::chrono::milliseconds postTimeout;  ///< of posts to other hubs; 0: an owner has all the time it likes
    ExportRules exportRates;
    std::function<void(SharedDictionary::Dictionary)> useDictionary;  ///< another hub's, while this one has none
};

/// Makes the bus instead of NATS, for tests.
using MakeBus = std::function<std::unique_ptr<nats::NatsBus>()>;

/// There is one if the hub is in a mesh. Stage thread, with the session lock held.
class Backbone {
public:
    Backbone(const BackboneRooms& rooms, const MeshSettings& settings, MakeBus bus);
    ~Backbone();
    Backbone(const Backbone&) = delete;
    Backbone& operator=(const Backbone&) = delete;

    /// Refused: libnats is missing, or the file of the epoch cannot be used. A server that cannot be reached is no
    /// reason; the log says so.
    [[nodiscard]] eta::Refused start();
    /// Serves items that the hub's own sources cannot serve.
    [[nodiscard]] Imports& imports() noexcept { return imports_; }

    /// The hub has this dictionary of its own from now on; also before start().
    void ownDictionary(SharedDictionary::Dictionary dictionary) { dictionary_.own(std::move(dictionary)); }

    /// The one that the hub uses now, its own or another hub's.
    void setDictionary(const std::shared_ptr<const eta::dictionary::Dictionary>& dictionary) {
        exports_.setDictionary(dictionary);
    }
    /// After the services have these rules. Throws std::bad_alloc.
    void changeRates(ExportRules rules) { exports_.changeRates(std::move(rules)); }

    /// The hub is about to end: other hubs ask other owners for what they have from here.
    void leave();
    /// There is nothing from here that another owner could take over; before leave() it says nothing.
    [[nodiscard]] bool left() const;

    /// For the pages.
    struct Status {
        std::string mesh, node;
        struct Side {
            std::string cluster;  ///< "A" or "B"; empty where there is one
            std::string server;   ///< empty: there is no connection
            std::string error;    ///< why; empty while there is one
        };
        std::string server, error;  ///< of both clusters together
        std::vector<Side> sides;    ///< a cluster each; empty before start()
        bool leaves = false;        ///< other hubs are to ask others: leave()
        bool stopped = false;       ///< another hub with this one's name is there
        bool overtaken = false;     ///< and it cannot be heard from here (MeshNode::overtaken())
        std::size_t peers = 0, owned = 0, remote = 0, suspect = 0;
    };
    /// To count items means to look at each.
    enum class Items : std::uint8_t { counted, left };
    [[nodiscard]] Status status(Items items = Items::counted) const;
    /// The node, for pages; null before start().
    [[nodiscard]] const mesh::MeshNode* node() const noexcept;

private:
    void look();
    void arm();
    void tellChanges();
    void say(Severity severity, const std::string& line) const {
        if (log_) log_(severity, line);
    }
    void collect(reactor::metrics::Snapshot& into) const;

    static constexpr auto kLook = std::chrono::milliseconds(50);
    static constexpr unsigned kLooksPerExport = 5;

    reactor::Reactor& reactor_;
    const MeshSettings& settings_;
    const std::chrono::milliseconds postTimeout_;
    const MakeBus makeBus_;
    const LogLine log_;
    Exports exports_;
    Imports imports_;
    SharedDictionary dictionary_;
    std::unique_ptr<nats::MeshMember> member_;
    reactor::TimerId timer_ = 0;
    unsigned looks_ = 0;
    bool stopped_ = false, leaves_ = false;
    std::array<Status::Side, 2> told_;  // what the log has of each cluster
    std::size_t peers_ = 0;
    std::uint64_t lives_ = 0;
    std::string notKept_;  // what the log has of MeshMember::notKept()
    reactor::MetricSource metrics_;
};

}  // namespace emissary::hub::backbone
