// Writes clients, services, items and images as objects and arrays.
#include "hub/ops/pages_json.h"

#include "eta/core/GrowingBuffer.h"
#include "eta/core/version.h"
#include "eta/json/Converter.h"
#include "hub/ops/Json.h"
#include "reactor/metrics/process.h"

namespace emissary::hub::ops {

std::string clientsAsJson(const ClientRows& rows) {
    Json j;
    j.object().value("clients", rows.all).value("shown", rows.rows.size()).array("connections");
    for (const ClientRow& r : rows.rows) {
        j.object()
            .value("id", r.index)
            .value("client", r.connection)
            .value("address", r.address)
            .value("protocol", r.protocol)
            .value("user", r.user)
            .value("position", r.position)
            .value("application", r.application)
            .value("listener", r.listener)
            .value("thread", r.thread)
            .value("threadAnswers", r.answers)
            .value("loggedIn", r.loggedIn)
            .value("paused", r.paused)
            .value("standby", r.standby)
            .value("mounts", r.mounts)
            .value("messages", r.messages)
            .value("bytesOut", r.bytesOut)
            .value("bytesIn", r.bytesIn)
            .value("queuedBytes", r.queuedBytes)
            .value("pausedByOperator", r.stopped)
            .value("throttle", r.throttle)
            .value("behind", r.behind)
            .value("joined", r.joins)
            .value("overLimit", r.overLimit)
            .value("userClass", r.userClass)
            .value("view", r.view);
        if (!r.proxy.empty()) j.value("proxy", r.proxy);
        if (!r.certificate.empty()) j.value("certificate", r.certificate);
        if (r.usesInAll != 0) {
            j.object("serviceModes").value("services", r.usesInAll);
            for (const auto& [service, mode] : r.uses)
                j.value(service, mode);
            j.end();
        }
        j.array("groups");
        for (const std::string& group : r.groups)
            j.value("", group);
        j.end().end();
    }
    j.end().array("ended");
    for (const client::RecentEnd& e : rows.ended) {
        j.object()
            .value("time", e.at)
            .value("address", e.address)
            .value("user", e.user)
            .value("position", e.position)
            .value("listener", e.listener)
            .value("reason", client::kEndReasonNames[static_cast<std::size_t>(e.reason)])
            .value("text", e.text)
            .value("bytesOut", e.bytesOut)
            .end();
    }
    return j.end().end().take();
}

std::string queueAsJson(const QueueRow& q) {
    Json j;
    j.object()
        .value("client", q.client.connection)
        .value("user", q.client.user)
        .value("address", q.client.address)
        .value("thread", q.client.thread)
        .value("threadAnswers", q.client.answers)
        .value("pausedByOperator", q.client.stopped)
        .value("throttle", q.client.throttle)
        .value("behind", q.client.behind)
        .value("unread", q.unread)
        .value("queuedBytes", q.client.queuedBytes);
    j.object("joined")
        .value("items", q.joinedItems)
        .value("bytes", q.joinedBytes)
        .value("oldestMs", q.oldestMilliseconds)
        .value("shown", q.joined.size())
        .array("streams");
    for (const QueuedItem& item : q.joined)
        j.object()
            .value("stream", item.stream)
            .value("service", item.service)
            .value("item", item.name)
            .value("updates", item.updates)
            .value("bytes", item.bytes)
            .value("ageMs", item.milliseconds)
            .end();
    j.end().end();
    j.object("requests")
        .value("messages", q.heldMessages)
        .value("bytes", q.heldBytes)
        .value("items", q.heldRequests)
        .value("batchLeft", q.batchLeft)
        .value("waitForService", q.waitForService)
        .value("waitForCheck", q.waitForCheck)
        .end();
    return j.end().take();
}

std::string meshAsJson(const MeshRow& m) {
    Json j;
    j.object().value("mesh", m.mesh).value("node", m.node).value("server", m.server).value("error", m.error);
    if (!m.sides.empty()) {
        j.array("clusters");
        for (const MeshRow::Side& s : m.sides)
            j.object().value("cluster", s.cluster).value("server", s.server).value("error", s.error).end();
        j.end();
    }
    j.value("stopped", m.stopped).value("leaves", m.leaves);
    j.value("owned", m.owned).value("remote", m.remote).value("suspect", m.suspect);
    j.value("gaps", m.gaps).value("losses", m.losses).value("resyncs", m.resyncs).value("images", m.images);
    j.value("moves", m.moves).value("handedOver", m.handedOver);
    j.value("postsOut", m.postsOut).value("postsIn", m.postsIn).value("postsUnanswered", m.postsUnanswered);
    j.value("postsLost", m.postsLost).array("peers");
    for (const MeshRow::Peer& p : m.peers) {
        j.object().value("hub", p.hub).value("node", p.node).value("reachable", p.reachable);
        j.value("silentMs", p.silentMs).value("provenMs", p.provenMs).value("laneMs", p.laneMs);
        j.value("wants", p.wants).value("serves", p.serves).value("asking", p.asking).value("load", p.load);
        j.value("lanes", p.lanes).value("gaps", p.gaps);
        j.value("postsOut", p.postsOut).value("postsIn", p.postsIn).array("services");
        for (const MeshRow::Offer& o : p.services)
            j.object()
                .value("name", o.service)
                .value("state", o.state)
                .value("rank", o.rank)
                .value("items", o.items)
                .end();
        j.end().end();
    }
    j.end().array("services");
    for (const MeshRow::Service& s : m.services)
        j.object()
            .value("name", s.name)
            .value("owner", s.owner)
            .value("exported", s.exported)
            .value("imported", s.imported)
            .value("waiting", s.waiting)
            .end();
    return j.end().end().take();
}

std::string overviewAsJson(const Overview& o, const std::string& hubName) {
    Json j;
    const reactor::metrics::ProcessUsage process = reactor::metrics::processUsage();
    j.object().value("hub", hubName).value("version", std::string(version())).value("upSeconds", process.upSeconds);
    j.array("problems");
    for (const std::string& problem : o.problems)
        j.value("", problem);
    j.end();
    if (!o.reload.outcome.empty())
        j.object("reload")
            .value("outcome", o.reload.outcome)
            .value("who", o.reload.who)
            .value("text", o.reload.text)
            .value("at", o.reload.at)
            .end();
    j.value("draining", o.draining).value("clients", o.clients).value("items", o.items);
    j.array("listeners");
    for (const ListenerRow& r : o.listeners)
        j.object().value("name", r.name).value("port", r.port).value("encrypted", r.encrypted).end();
    j.end().array("sources");
    for (const SourceRow& r : o.sources)
        j.object()
            .value("name", r.name)
            .value("kind", r.kind)
            .value("up", r.up)
            .value("required", r.required)
            .value("where", r.where)
            .value("reason", r.reason)
            .value("seconds", r.seconds)
            .value("attempts", r.attempts)
            .value("mayNotOffer", r.barredServices)
            .end();
    j.end().array("absent");
    for (const std::string& name : o.absent)
        j.value("", name);
    j.end().array("services");
    for (const ServiceRow& r : o.services) {
        j.object()
            .value("id", r.id)
            .value("name", r.name)
            .value("published", r.published)
            .value("up", r.up)
            .value("accepting", r.accepting)
            .value("mode", r.sourceMode)
            .value("cache", r.cache)
            .value("images", r.images)
            .value("imageBytes", r.imageBytes)
            .array("sources");
        for (const auto& [name, usable] : r.sources)
            j.object().value("name", name).value("usable", usable).end();
        j.end().object("consumers");
        for (std::size_t i = 0; i < r.uses.size(); ++i)
            j.value(reactor::rdm::kServiceUseNames[i], r.uses[i]);
        j.end();
        if (r.pair) {
            j.object("pair");
            for (std::size_t i = 0; i < r.pair->size(); ++i)
                j.value(kPairResultNames[i], (*r.pair)[i]);
            j.end();
        }
        if (!r.json.empty()) {
            j.object("uncompared");
            for (const auto& [protocol, names] : {std::pair("json", &r.json), std::pair("rwf", &r.rwf)}) {
                j.array(protocol);
                for (const std::string& name : *names)
                    j.value("", name);
                j.end();
            }
            j.end();
        }
        j.end();
    }
    return j.end().end().take();
}

namespace {

/// Empty when it cannot be written.
std::string imageAsJson(const ItemRow& r) {
    eta::json::Converter converter;
    converter.setDictionary(r.dictionary.get());
    eta::GrowingBuffer text(16384);
    if (!converter.toJson(r.image, text.start()).ok()) return {};
    return std::string(eta::asText(text.view()));
}

}  // namespace

std::string itemAsJson(const ItemRow& r) {
    Json j;
    j.object()
        .value("service", r.service)
        .value("name", r.name)
        .value("domain", r.domain)
        .value("state", r.state)
        .value("text", r.text)
        .value("phase", r.phase)
        .value("source", r.source)
        .value("group", r.group)
        .value("index", r.index)
        .value("generation", r.generation);
    if (r.hasSeqNum) j.value("seqNum", r.seqNum);
    j.value("cached", r.cached).value("complete", r.complete).value("current", r.current).value("mounts", r.mounts);
    j.array("firstMounts");
    for (const MountRow& m : r.firstMounts)
        j.object()
            .value("user", m.user)
            .value("position", m.position)
            .value("stream", m.stream)
            .value("waiting", m.waiting)
            .value("paused", m.paused)
            .end();
    j.end();
    const std::string image = r.image.empty() ? std::string() : imageAsJson(r);
    if (!image.empty()) j.raw("image", image);
    else
        j.value("image", !r.cached                 ? "none: the item is not cached"
                         : r.dictionary == nullptr ? "not shown: the hub has no dictionary"
                                                   : "not shown: it cannot be written as JSON");
    return j.end().take();
}

}  // namespace emissary::hub::ops
