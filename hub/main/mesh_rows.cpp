// Rows of the mesh from what backbone and node say.
#include "hub/main/mesh_rows.h"

#include "hub/backbone/Backbone.h"

#include <algorithm>
#include <cstdio>

namespace emissary::hub {

namespace {

[[nodiscard]] std::int64_t ms(eta::Duration age) {
    if (age == eta::Duration::max()) return -1;
    return std::chrono::duration_cast<std::chrono::milliseconds>(age).count();
}

/// A row of the pages, with times in milliseconds; -1: never.
[[nodiscard]] ops::MeshRow::Peer peerOf(const mesh::PeerRow& from) {
    ops::MeshRow::Peer made;
    char node[9];
    std::snprintf(node, sizeof node, "%08x", from.node);
    made.node = node;
    made.reachable = from.reachable;
    made.silentMs = ms(from.silent);
    made.provenMs = ms(from.proven);
    made.laneMs = from.lanes != 0 ? ms(from.oldestLane) : -1;
    made.wants = from.wants;
    made.asking = from.asking;
    made.load = from.load;
    made.lanes = from.lanes;
    made.gaps = from.gaps;
    made.postsOut = from.postsOut;
    made.postsIn = from.postsIn;
    for (const auto& [name, of] : from.serves)
        made.serves += of;
    for (const auto& [name, offer] : from.services) {
        made.hub = offer.hub;
        const auto items = from.serves.find(name);
        made.services.push_back({name,
                                 !offer.up      ? "down"
                                 : offer.leaves ? "leaves"
                                                : "up",
                                 offer.rank, items != from.serves.end() ? items->second : 0});
    }
    return made;
}

}  // namespace

std::optional<ops::SourceRow> meshSource(const Hub& hub) {
    if (hub.mesh() == nullptr) return {};
    const auto mesh = hub.mesh()->status();
    ops::SourceRow r;
    r.name = mesh.mesh;
    r.kind = "mesh";
    r.up = !mesh.stopped && !mesh.server.empty();
    r.where = "as '" + mesh.node + "'" + (mesh.server.empty() ? "" : " at " + mesh.server) + ": " +
              std::to_string(mesh.peers) + " other hubs, " + std::to_string(mesh.owned) + " items for them, " +
              std::to_string(mesh.remote) + " from them, " + std::to_string(mesh.suspect) + " suspect";
    if (mesh.stopped)
        r.reason = mesh.overtaken ? "another hub of the mesh has the same name, and cannot be heard from here"
                                  : "another hub of the mesh has the same name, and was there before";
    else if (!r.up) r.reason = mesh.error.empty() ? "no connection to a NATS server yet" : mesh.error;
    return r;
}

std::optional<ops::MeshRow> meshRow(const Hub& hub) {
    if (hub.mesh() == nullptr || hub.mesh()->node() == nullptr) return {};
    const auto status = hub.mesh()->status();
    const mesh::MeshNode& node = *hub.mesh()->node();
    const mesh::MeshCounts& counts = node.counts();
    ops::MeshRow r;
    r.mesh = status.mesh;
    r.node = status.node;
    r.server = status.server;
    r.error = status.error;
    for (const auto& side : status.sides)
        if (!side.cluster.empty()) r.sides.push_back({side.cluster, side.server, side.error});
    r.stopped = status.stopped;
    r.leaves = status.leaves;
    r.owned = status.owned;
    r.remote = status.remote;
    r.suspect = status.suspect;
    r.gaps = counts.gaps.get();
    r.losses = counts.losses.get();
    r.resyncs = counts.resynced.get();
    r.images = counts.images.get();
    r.moves = counts.moves.get();
    r.handedOver = counts.handedOver.get();
    r.postsOut = counts.postsOut.get();
    r.postsIn = counts.postsIn.get();
    r.postsUnanswered = counts.postsGone.get();
    r.postsLost = counts.postsLost.get();
    for (const mesh::PeerRow& peer : node.rows())
        r.peers.push_back(peerOf(peer));
    const MeshSettings& settings = hub.settings().mesh;
    const auto service = [&](const std::string& name) -> ops::MeshRow::Service& {
        const auto known = std::ranges::find(r.services, name, &ops::MeshRow::Service::name);
        if (known != r.services.end()) return *known;
        ops::MeshRow::Service& made = r.services.emplace_back();
        made.name = name;
        if (const mesh::OfferedService* const offer = node.edge().offered(name)) made.owner = offer->hub;
        made.waiting = node.edge().waiting(name);
        return made;
    };
    for (const std::string& name : settings.exports)
        service(name).exported = true;
    for (const std::string& name : settings.imports)
        service(name).imported = true;
    return r;
}

}  // namespace emissary::hub
