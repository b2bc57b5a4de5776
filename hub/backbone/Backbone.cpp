// Puts owner and edge of the mesh on the hub's loop, and says in the log how they fare.
#include "hub/backbone/Backbone.h"

#include "hub/backbone/backbone_counts.h"
#include "hub/nats/PairedBus.h"
#include "reactor/metrics/Snapshot.h"

#include <algorithm>

namespace emissary::hub::backbone {

namespace {

/// What the mesh room wants of the configuration: that room knows none.
[[nodiscard]] mesh::MeshOptions meshOptions(const MeshSettings& s, std::chrono::milliseconds postTimeout) {
    mesh::MeshOptions made;
    made.mesh = s.mesh;
    made.heartbeat = s.heartbeat;
    made.gapGrace = s.gapGrace;
    made.batchTime = s.batchTime;
    made.batchBytes = s.batchBytes;
    made.requestRate = s.requestRate;
    made.wideAt = s.wideAt;
    made.postTimeout = postTimeout;
    made.maxItems = s.maxItems;
    made.maxPosts = s.maxPosts;
    made.maxPostsHeld = std::size_t{3} * s.maxPosts;
    made.wideLanes = static_cast<std::uint16_t>(s.wideLanes);
    return made;
}

/// The same for the room of the bus.
[[nodiscard]] nats::NatsOptions natsOptions(const MeshSettings& s, const std::vector<std::string>& servers,
                                            const MeshLogin& login) {
    nats::NatsOptions made;
    made.servers = servers;
    made.name = s.nodeName;
    made.credentialsFile = login.credentialsFile;
    made.nkey = login.nkey;
    made.nkeySeedFile = login.nkeySeedFile;
    made.token = login.token;
    made.user = login.user;
    made.password = login.password;
    made.tls = s.tls;
    made.caFile = s.caFile;
    made.certificateFile = s.certificateFile;
    made.keyFile = s.keyFile;
    made.expectedHost = s.expectedHost;
    return made;
}

/// One bus, or two that carry the same.
[[nodiscard]] std::unique_ptr<nats::NatsBus> busOf(const MeshSettings& s, eta::Refused& refused) {
    auto a = nats::NatsBus::make(natsOptions(s, s.servers, s.login), refused);
    if (refused || s.serversB.empty()) return a;
    auto b = nats::NatsBus::make(natsOptions(s, s.serversB, s.loginB.given() ? s.loginB : s.login), refused);
    if (refused) return nullptr;
    return std::make_unique<nats::PairedBus>(std::move(a), std::move(b));
}

constexpr std::array kClusters{"A", "B"};  // in logs, pages and counts

}  // namespace

Backbone::Backbone(const BackboneRooms& rooms, const MeshSettings& settings, MakeBus bus)
    : reactor_(rooms.imports.reactor), settings_(settings), postTimeout_(rooms.postTimeout), makeBus_(std::move(bus)),
      log_(rooms.imports.log),
      exports_(reactor_, rooms.imports.items, rooms.feed, rooms.posts, settings, rooms.exportRates),
      imports_(rooms.imports, settings), dictionary_(settings, rooms.useDictionary, rooms.imports.log),
      metrics_(reactor_, [this](reactor::metrics::Snapshot& into) { collect(into); }) {}

Backbone::~Backbone() {
    reactor_.cancelTimer(timer_);
    exports_.stop();
    imports_.stop();
    dictionary_.stop();
}

eta::Refused Backbone::start() {
    eta::Refused refused;
    auto bus = makeBus_ ? makeBus_() : busOf(settings_, refused);
    if (!refused)
        member_ = nats::MeshMember::make(reactor_, exports_, imports_, settings_.nodeName, settings_.epochFile,
                                         meshOptions(settings_, postTimeout_), std::move(bus), refused, &exports_);
    if (refused) return {"Mesh: " + refused.text};
    exports_.use(*member_);
    imports_.use(*member_, exports_, dictionary_);
    dictionary_.use(*member_);
    arm();
    return {};
}

void Backbone::leave() {
    if (member_ == nullptr || std::exchange(leaves_, true)) return;
    exports_.leave();
    if (const std::size_t items = exports_.items(); items != 0)
        say(Severity::success, "mesh '" + settings_.mesh + "', hub '" + settings_.nodeName +
                                   "': leaves; other hubs have " + std::to_string(items) +
                                   " items from here, and are told to ask others for them");
}

bool Backbone::left() const {
    return member_ == nullptr || !exports_.handingOver();
}

void Backbone::arm() {
    timer_ = reactor_.startTimer(kLook, [this] {
        arm();
        look();
    });
}

void Backbone::look() {
    imports_.look();
    if (looks_++ % kLooksPerExport != 0) return;
    exports_.look();
    tellChanges();
}

void Backbone::tellChanges() {
    const Status now = status(Items::left);
    const std::string me = "mesh '" + now.mesh + "', hub '" + now.node + "': ";
    if (now.stopped && !std::exchange(stopped_, true))
        say(Severity::error,
            me +
                (now.overtaken
                     ? "another hub with this name runs that cannot be heard from here: others have known a later life "
                       "again and again; this one takes no part. Give it another NodeName and start it again"
                     : "another hub with this name runs, and was there before; this one takes no part. Give it another "
                       "NodeName and start it again"));
    for (std::size_t i = 0; i < now.sides.size(); ++i) {
        const Status::Side& side = now.sides[i];
        if (side.server.empty() == told_[i].server.empty() && side.error == told_[i].error) continue;
        const std::string of = side.cluster.empty() ? "" : " of cluster " + side.cluster;
        if (!side.server.empty()) say(Severity::success, me + "connected to " + side.server + of);
        else if (!side.error.empty()) say(Severity::warning, me + "no NATS server" + of + ": " + side.error);
        told_[i] = side;
    }
    if (const std::uint64_t lives = member_->node().counts().livesAnew.get(); lives != std::exchange(lives_, lives))
        say(Severity::warning,
            me + "other hubs knew a later life of this one, so they did not hear it: its clock went back "
                 "and its EpochFile was lost, or another hub had its name; they hear it again now");
    if (const std::string& why = member_->notKept(); why.empty() != std::exchange(notKept_, why).empty())
        say(why.empty() ? Severity::success : Severity::error,
            me + (why.empty() ? "the EpochFile has this hub's later epoch now"
                              : "the later epoch of this hub is not kept, and is tried again each second: " + why));
    if (now.peers != std::exchange(peers_, now.peers))
        say(Severity::success, me + std::to_string(now.peers) + " other hubs are there");
}

Backbone::Status Backbone::status(Items items) const {
    Status s;
    s.mesh = settings_.mesh;
    s.node = settings_.nodeName;
    s.leaves = leaves_;
    if (items == Items::counted) {
        s.remote = imports_.items();
        s.suspect = imports_.suspect();
        s.owned = exports_.items();
    }
    if (!member_) return s;
    const nats::NatsBus& bus = member_->bus();
    const auto sideOf = [](const nats::NatsBus& one, std::string cluster) {
        const bool connected = one.state() == nats::NatsBus::State::connected;
        return Status::Side{std::move(cluster), connected ? one.server() : "", connected ? "" : one.lastError()};
    };
    const Status::Side both = sideOf(bus, {});
    s.server = both.server;
    s.error = both.error;
    for (std::size_t i = 0; i < bus.sides(); ++i)
        s.sides.push_back(sideOf(bus.side(i), bus.sides() > 1 ? kClusters[i] : ""));
    s.stopped = member_->node().stopped();
    s.overtaken = member_->node().overtaken();
    s.peers = member_->node().peers();
    return s;
}

const mesh::MeshNode* Backbone::node() const noexcept {
    return member_ ? &member_->node() : nullptr;
}

void Backbone::collect(reactor::metrics::Snapshot& into) const {
    if (!member_) return;
    const mesh::MeshNode& node = member_->node();
    const mesh::MeshCounts& from = node.counts();
    BackboneCounts made;
    made.peers = node.peers();
    made.lanes = node.edge().lanes();
    made.owned = exports_.items();
    made.remote = imports_.items();
    made.suspect = imports_.suspect();
    made.framesIn = from.framesIn.get();
    made.framesOut = from.framesOut.get();
    made.gaps = from.gaps.get();
    made.losses = from.losses.get();
    made.resyncs = from.resynced.get();
    made.images = from.images.get();
    made.moves = from.moves.get();
    made.handedOver = from.handedOver.get();
    made.doubts = from.doubts.get();
    made.dictionariesDiffer = dictionary_.differing();
    made.dictionaries = from.dictionaries.get();
    made.preferred = imports_.preferred();
    made.postsWaiting = node.edge().posts();
    made.postsHeld = node.posts().waiting();
    made.postsOut = from.postsOut.get();
    made.postsIn = from.postsIn.get();
    made.postsGone = from.postsGone.get();
    made.postsLost = from.postsLost.get();
    made.postsRepeated = from.postsRepeated.get();
    made.refusedPosts = from.refusedPosts.get();
    made.refusedFrames = from.refusedFrames.get() + from.compressedFrames.get();
    made.refusedItems = from.refusedItems.get();
    made.conflated = exports_.rates().counts().conflated.get();
    made.unconflated = exports_.rates().counts().unconflated.get();
    made.conflating = exports_.rates().counts().conflating.get();
    made.conflatedBytes = exports_.rates().counts().conflatedBytes.get();
    const nats::NatsBus& bus = member_->bus();
    made.copies = bus.copies();
    into.add(made);
    if (bus.sides() == 1) return into.add(bus.counts());
    for (std::size_t i = 0; i < bus.sides(); ++i)
        into.add(bus.side(i).counts(), {{"cluster", kClusters[i]}});
}

}  // namespace emissary::hub::backbone
