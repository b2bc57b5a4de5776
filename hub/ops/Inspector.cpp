// Rows for the pages, from the records of the rooms.
#include "hub/ops/Inspector.h"

#include "eta/codec/Msg.h"
#include "eta/core/printable.h"
#include "eta/transport/connection_types.h"
#include "hub/client/ClientSession.h"
#include "hub/client/Interventions.h"
#include "hub/client/Listener.h"
#include "hub/conflate/PendingUpdates.h"
#include "hub/flow/ImageView.h"
#include "hub/relay/Relay.h"
#include "reactor/GrowingBuffer.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <map>

namespace emissary::hub::ops {

namespace {

std::string stateText(const Item& item) {
    static constexpr const char* kStream[] = {"Unspecified",   "Open",   "NonStreaming",
                                              "ClosedRecover", "Closed", "Redirected"};
    static constexpr const char* kData[] = {"NoChange", "Ok", "Suspect"};
    const std::string stream =
        item.streamState < std::size(kStream) ? kStream[item.streamState] : std::to_string(item.streamState);
    const std::string data = item.dataState < std::size(kData) ? kData[item.dataState] : std::to_string(item.dataState);
    return stream + "/" + data + "/" + std::to_string(item.code);
}

const char* phaseText(Item::Phase phase) {
    switch (phase) {
    case Item::Phase::idle:
        return "idle";
    case Item::Phase::parked:
        return "parked";
    case Item::Phase::queued:
        return "queued";
    case Item::Phase::requested:
        return "requested";
    case Item::Phase::open:
        break;
    }
    return "open";
}

/// In the words of the parameter Cache: a word, or the numbers of domains.
std::string cacheText(const CachePolicy& policy) {
    switch (policy.rule) {
    case CachePolicy::Rule::automatic:
        return "automatic";
    case CachePolicy::Rule::all:
        return "all";
    case CachePolicy::Rule::none:
        return "none";
    case CachePolicy::Rule::listed:
        break;
    }
    std::string out;
    for (std::size_t domain = 1; domain < policy.listed.size(); ++domain)
        if (policy.listed[domain]) out += (out.empty() ? "" : ", ") + std::to_string(domain);
    return out;
}

/// A name as its owner gave it, in a text for people.
std::string shown(std::string_view name) {
    constexpr std::size_t kMost = 255;
    return eta::printable(name.substr(0, kMost));
}

/// Of the thread that serves the connection.
void addTraffic(const Client& output, ClientRow& r) {
    r.messages = output.sent;
    r.behind = output.behind;
    r.joins = output.pending != nullptr;
    r.overLimit = output.overLimit;
    if (output.link == nullptr) return;
    if (eta::transport::Channel* const channel = output.link->channel()) {
        const eta::transport::ChannelCounters counts = channel->counters();
        r.bytesOut = counts.bytesWritten;
        r.bytesIn = counts.bytesRead;
        r.queuedBytes = channel->queuedBytes();
    }
}

/// What connections are ordered by, of the thread that serves this one; 0 for orders that are no number of its output.
std::uint64_t numberFor(ClientQuery::Order order, const Client& output) {
    if (order == ClientQuery::Order::messages) return output.sent;
    eta::transport::Channel* const channel = output.link == nullptr ? nullptr : output.link->channel();
    if (channel == nullptr) return 0;
    if (order == ClientQuery::Order::bytes) return channel->counters().bytesWritten;
    return order == ClientQuery::Order::queued ? channel->queuedBytes() : 0;
}

}  // namespace

ClientRow Inspector::row(const Client& c) const {
    ClientRow r;
    r.index = c.index;
    r.connection = c.connection;
    r.user = c.user;
    r.groups = c.groups;
    if (c.userClass != 0 && c.userClass <= hub_.settings.userClasses.size()) {
        const UserClassSettings& users = hub_.settings.userClasses[c.userClass - 1u];
        r.userClass = users.name;
        if (users.view) r.view = users.view->name;
    }
    r.position = c.position;
    r.certificate = c.certSubject;
    r.application = c.application;
    r.loggedIn = c.loggedIn;
    r.paused = c.paused;
    r.standby = c.onStandby;
    r.mounts = c.mounts.size();
    r.thread = 1;
    if (c.session != nullptr) {
        const eta::transport::ChannelInfo& info = client::ClientSession::of(c).channel;
        r.address = info.peerAddress;
        r.proxy = info.proxyAddress;
        r.protocol = info.webSocketProtocol.empty() ? "RIPC" : info.webSocketProtocol;
        if (info.tlsVersion != 0) r.protocol += " in TLS";
        r.listener = client::ClientSession::of(c).listener->name();
        r.stopped = client::ClientSession::of(c).stopped;
        r.throttle = client::ClientSession::of(c).throttle;
        const auto& uses = client::ClientSession::of(c).uses;
        r.usesInAll = uses.size();
        for (std::size_t i = 0; i < std::min(uses.size(), ClientRow::kMostUses); ++i)
            if (const Service* const s = hub_.services.find(uses[i].service))
                r.uses.emplace_back(s->name, reactor::rdm::kServiceUseNames[static_cast<std::size_t>(uses[i].use)]);
    }
    ops::addTraffic(c, r);
    return r;
}

/// The connections' own numbers are with their threads.
void Inspector::addTraffic(const std::vector<const Client*>& shown, std::vector<ClientRow>& rows) const {
    for (std::size_t i = 0; i < shown.size(); ++i) {
        rows[i].thread = shown[i]->front + 2;
        rows[i].answers = false;
    }
    eachOutput(shown, [&rows](std::size_t i, const Client* output) {
        rows[i].answers = true;
        if (output != nullptr) ops::addTraffic(*output, rows[i]);
    });
}

void Inspector::eachOutput(const std::vector<const Client*>& clients,
                           const std::function<void(std::size_t, const Client*)>& each) const {
    if (hub_.relay == nullptr) {
        for (std::size_t i = 0; i < clients.size(); ++i)
            each(i, clients[i]);
        return;
    }
    for (relay::Line& line : hub_.relay->lines())
        line.whenFree([&] {
            for (std::size_t i = 0; i < clients.size(); ++i)
                if (clients[i]->front == line.number()) each(i, line.front().clients().find(clients[i]->slot));
        });
}

// Ordered by one number of each: a row is a dozen texts, and of very many connections a page shows few.
void Inspector::leaveFirst(ClientQuery::Order order, std::vector<const Client*>& clients) const {
    if (clients.size() <= ClientQuery::kMost) return;
    if (order == ClientQuery::Order::index) return clients.resize(ClientQuery::kMost);
    struct Key {
        std::uint64_t number = 0;
        std::size_t place = 0;
    };
    std::vector<Key> keys(clients.size());
    for (std::size_t i = 0; i < clients.size(); ++i)
        keys[i] = {order == ClientQuery::Order::mounts ? clients[i]->mounts.size() : 0, i};
    if (order != ClientQuery::Order::mounts)
        eachOutput(clients, [&](std::size_t i, const Client* output) {
            if (output != nullptr) keys[i].number = numberFor(order, *output);
        });
    const auto first = keys.begin() + ClientQuery::kMost;
    std::nth_element(keys.begin(), first, keys.end(), [](const Key& a, const Key& b) {
        return a.number != b.number ? a.number > b.number : a.place < b.place;
    });
    std::vector<const Client*> left;
    left.reserve(ClientQuery::kMost);
    for (auto key = keys.begin(); key != first; ++key)
        left.push_back(clients[key->place]);
    clients = std::move(left);
}

ClientRows Inspector::clients(const ClientQuery& query) const {
    ClientRows out;
    std::vector<const Client*> shown;
    for (std::uint32_t i = 0; i < hub_.clients.end(); ++i) {
        const Client* const c = hub_.clients.find(i);
        if (c == nullptr || c->sink != nullptr || (!query.user.empty() && c->user != query.user)) continue;
        shown.push_back(c);
    }
    out.all = shown.size();
    leaveFirst(query.order, shown);
    out.rows.reserve(shown.size());
    for (const Client* const c : shown)
        out.rows.push_back(row(*c));
    if (hub_.relay != nullptr) addTraffic(shown, out.rows);
    if (hub_.ends != nullptr)
        std::ranges::copy_if(hub_.ends->list(), std::back_inserter(out.ended), [&](const client::RecentEnd& end) {
            return query.user.empty() || end.user == query.user;
        });
    const auto most = [&](auto member) {
        std::ranges::sort(out.rows, [member](const ClientRow& a, const ClientRow& b) {
            return a.*member != b.*member ? a.*member > b.*member : a.index < b.index;
        });
    };
    switch (query.order) {
    case ClientQuery::Order::index:
        break;
    case ClientQuery::Order::bytes:
        most(&ClientRow::bytesOut);
        break;
    case ClientQuery::Order::queued:
        most(&ClientRow::queuedBytes);
        break;
    case ClientQuery::Order::mounts:
        most(&ClientRow::mounts);
        break;
    case ClientQuery::Order::messages:
        most(&ClientRow::messages);
        break;
    }
    return out;
}

std::optional<QueueRow> Inspector::queue(std::uint64_t connection) const {
    Client* const client = hub_.interventions == nullptr ? nullptr : hub_.interventions->find(connection);
    if (client == nullptr) return {};
    QueueRow q;
    q.client = row(*client);
    const reactor::TimePoint now = hub_.reactor.now();
    const auto since = [now](reactor::TimePoint then) {
        return static_cast<std::uint64_t>(
            std::max<std::int64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(now - then).count(), 0));
    };
    const auto look = [&](const Client& served) {
        q.unread = served.unread;
        if (served.pending == nullptr || served.pending->empty()) return;
        q.joinedItems = served.pending->size();
        q.joinedBytes = served.pending->memory();
        q.oldestMilliseconds = since(served.pending->oldest());
        served.pending->forEach(QueueRow::kMostItems, [&](std::int32_t stream, std::uint32_t updates, std::size_t bytes,
                                                          reactor::TimePoint first) {
            q.joined.push_back({stream, {}, {}, updates, bytes, since(first)});
        });
    };
    if (hub_.relay == nullptr) {
        look(*client);
    } else {
        std::vector<ClientRow> rows{q.client};
        addTraffic({client}, rows);
        q.client = rows.front();
        for (relay::Line& line : hub_.relay->lines())
            if (line.number() == client->front)
                (void)line.whenFree([&] {
                    if (const Client* const there = line.front().clients().find(client->slot)) look(*there);
                });
    }
    for (QueuedItem& item : q.joined) {
        const auto at = client->mounts.find(item.stream);
        if (at == client->mounts.end()) continue;
        const Item& of = hub_.items[at->second.item];
        if (const Service* const service = hub_.services.find(of.service)) item.service = service->name;
        item.name = of.name();
    }
    const auto& session = client::ClientSession::of(*client);
    q.heldMessages = session.held.size();
    q.heldBytes = session.heldBytes;
    q.heldRequests = session.heldRequests;
    q.batchLeft = session.batch ? session.batch->left() : 0;
    q.waitForService = session.waits.size();
    q.waitForCheck = session.checks.size();
    return q;
}

ServiceRow Inspector::row(const Service& s) const {
    ServiceRow r;
    r.id = s.id;
    r.name = s.name;
    r.published = s.published;
    r.up = s.up();
    r.accepting = s.merged.state.acceptingRequests();
    r.cache = cacheText(s.policy.cache);
    static constexpr const char* kModes[] = {"ordered", "balanced", "hot"};
    static constexpr const char* kPublisherModes[] = {"merge", "single", "hot"};
    r.sourceMode = s.published ? kPublisherModes[static_cast<std::size_t>(s.policy.publisherMode)]
                               : kModes[static_cast<std::size_t>(s.policy.sourceMode)];
    for (const auto* const offers : {&s.publishers, &s.offers})
        for (const Offer& o : *offers)
            r.sources.emplace_back(o.source->name(), o.usable());
    if (s.mesh.source != nullptr) r.sources.emplace_back(s.mesh.source->name(), s.mesh.usable());
    if (s.counts.pair != nullptr) {
        auto& pair = r.pair.emplace();
        std::ranges::transform(*s.counts.pair, pair.begin(), [](const ServicePair& p) { return p.updates.get(); });
    }
    if (!s.published && s.policy.sourceMode == SourceMode::hot) {
        for (const Offer& o : s.offers)
            if (o.source->kind().isConnection && o.usable())
                (o.source->health().speaksJson ? r.json : r.rwf).push_back(o.source->name());
        if (r.json.empty() || r.rwf.empty()) r.json.clear(), r.rwf.clear();
    }
    using Rule = CachePolicy::Rule;
    const Rule rule = s.policy.cache.rule;
    if (rule == Rule::none || (rule == Rule::automatic && !s.published && !s.shared)) return r;
    const cache::ImageStore& store = hub_.flow.store(s.id);
    r.images = store.images();
    r.imageBytes = store.bytes();
    return r;
}

void Inspector::addHealth(const Source& source, SourceRow& r) const {
    const Source::Health health = source.health();
    r.up = source.up();
    if (!r.up) r.reason = health.reason.empty() ? "its directory or dictionary has not come" : health.reason;
    r.seconds = static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::seconds>(hub_.reactor.now() - health.since).count());
    r.attempts = health.attempts;
    r.barred = health.barred;
    r.barredServices = health.barredServices;
}

std::vector<SourceRow> Inspector::sources() const {
    std::vector<SourceRow> rows;
    std::map<std::string, std::size_t, std::less<>> configured;
    for (const SourceSettings& s : hub_.settings.sources) {
        SourceRow r{s.name, "upstream", false, s.required, {}, {}, 0, 0};
        for (const eta::transport::ConnectOptions& c : s.channels)
            r.where += (r.where.empty() ? "" : ", ") + c.host + ":" + c.port;
        configured.emplace(s.name, rows.size());
        rows.push_back(std::move(r));
    }
    hub_.eachSource([&](Source& source) {
        const auto at = configured.find(source.name());
        if (source.kind().isConnection && at != configured.end()) {
            SourceRow& r = rows[at->second];
            addHealth(source, r);
        } else if (source.kind().publishes) {
            addHealth(source, rows.emplace_back(SourceRow{source.name(), "publisher", false, false, {}, {}, 0, 0}));
        }
    });
    if (hub_.mesh) {
        if (const auto mesh = hub_.mesh()) rows.push_back(*mesh);
    }
    return rows;
}

Overview Inspector::overview() const {
    Overview o;
    o.clients = hub_.clients.size();
    o.items = hub_.items.size();
    o.draining = hub_.draining();
    o.listeners = listeners();
    o.sources = sources();
    std::map<std::uint16_t, decltype(ServiceRow::uses)> uses;
    for (std::uint32_t i = 0; i < hub_.clients.end(); ++i)
        if (const Client* const c = hub_.clients.find(i); c != nullptr && c->session != nullptr)
            for (const reactor::rdm::UsedService& u : client::ClientSession::of(*c).uses)
                ++uses[u.service][static_cast<std::size_t>(u.use)];
    hub_.services.forEach([&](const Service& s) {
        ServiceRow& r = o.services.emplace_back(row(s));
        if (const auto at = uses.find(s.id); at != uses.end()) r.uses = at->second;
    });
    for (const ServiceSettings& s : hub_.services.policies())
        if (s.name != "*" && hub_.services.find(s.name) == nullptr) o.absent.push_back(s.name);
    if (hub_.lastReload) o.reload = hub_.lastReload();
    o.problems = problems(o);
    return o;
}

std::vector<ListenerRow> Inspector::listeners() const {
    std::vector<ListenerRow> rows;
    for (const ListenerSettings& l : hub_.settings.listeners) {
        const eta::transport::ConnectionTypeRow& type = eta::transport::rowOf(l.bind.connectionType);
        const std::string& port = l.bind.port;
        std::uint16_t number = 0;  // stays 0 for the name of a service
        const auto read = std::from_chars(port.data(), port.data() + port.size(), number);
        if (type.overTcp && number != 0 && read.ptr == port.data() + port.size())
            rows.push_back({l.name, number, type.encrypted});
    }
    return rows;
}

std::vector<std::string> Inspector::problems(const Overview& o) const {
    std::vector<std::string> out;
    if (o.draining) out.emplace_back("the hub drains: it takes no new clients");
    std::size_t upstreams = 0, down = 0;
    for (const SourceRow& r : o.sources)
        if (r.kind == "upstream") ++upstreams, down += r.up ? 0 : 1;
    if (upstreams > 1 && down == upstreams) out.emplace_back("no source is up");
    for (const SourceRow& r : o.sources)
        if (!r.up)
            out.push_back(r.kind + " '" + shown(r.name) + "' is down" + (r.reason.empty() ? "" : ": " + r.reason));
    const auto list = [](const std::vector<std::string>& names) {
        std::string text;
        for (const std::string& name : names)
            text += (text.empty() ? "'" : ", '") + shown(name) + "'";
        return text;
    };
    for (const SourceRow& r : o.sources) {
        if (r.barredServices == 0) continue;
        std::string names = list(r.barred);
        if (r.barredServices > r.barred.size()) names += ", ...";
        out.push_back(r.kind + " '" + shown(r.name) + "' may not offer " + std::to_string(r.barredServices) +
                      (r.barredServices == 1 ? " service" : " services") +
                      " that it offers (PublisherGroups): " + names);
    }
    for (const ServiceRow& r : o.services) {
        if (!r.json.empty())
            out.push_back("service '" + shown(r.name) +
                          "' is in SourceMode hot, and updates of its sources are not compared: " + list(r.json) +
                          " in JSON, " + list(r.rwf) + " in RWF; use one protocol for all");
        if (!r.up) out.push_back("service '" + shown(r.name) + "' is down");
        else if (!r.accepting && !o.draining) out.push_back("service '" + shown(r.name) + "' takes no requests");
    }
    for (const std::string& name : o.absent)
        out.push_back("service '" + name + "' is configured, and nobody offers it");
    if (o.reload.outcome == "refused")
        out.push_back("the configuration of " + o.reload.who +
                      " was refused, and what ran before runs on: " + o.reload.text);
    if (hub_.dictionary() == nullptr)
        out.emplace_back("there is no dictionary: JSON clients and images cannot be served");
    return out;
}

std::vector<std::string> Inspector::missing() const {
    std::vector<std::string> names;
    for (const SourceRow& r : sources())
        if (r.required && !r.up) names.push_back(r.name);
    return names;
}

void Inspector::image(Item& item, ItemRow& out) const {
    const flow::ImageView view(hub_.flow, item);
    out.cached = static_cast<bool>(view);
    out.complete = view.complete();
    out.current = view.current();
    out.dictionary = hub_.dictionary();
    reactor::GrowingBuffer payload(4096), whole(4096);
    eta::codec::Msg m;
    if (!view.refresh(m, payload.start()).ok()) return;
    if (!eta::codec::encodeMsg(whole.start(), m).ok()) return;
    const eta::Bytes bytes = whole.view();
    out.image.assign(bytes.begin(), bytes.end());
}

std::optional<ItemRow> Inspector::item(const std::string& serviceName, const std::string& name,
                                       std::uint8_t domain) const {
    const Service* const service = hub_.services.find(serviceName);
    if (service == nullptr) return {};
    eta::codec::MsgKey key;
    key.flags = eta::codec::KeyFlag::name;
    key.name = eta::asBytes(name);
    Item* const item = hub_.items.find(hub_.items.keyOf(service->id, domain, key));
    if (item == nullptr) return {};
    ItemRow r;
    r.domain = domain;
    r.service = serviceName;
    r.name = name;
    r.state = stateText(*item);
    r.text = eta::asText(item->state().text);
    r.phase = phaseText(item->phase);
    r.source = item->source == nullptr ? "" : item->source->name();
    r.group = item->group;
    r.index = item->index;
    r.generation = item->generation;
    r.seqNum = item->seqNum;
    r.hasSeqNum = item->is(Item::hasSeqNum);
    r.mounts = item->mountCount;
    for (std::uint32_t i = 0; i < std::min<std::size_t>(item->mountCount, ItemRow::kMostMounts); ++i) {
        const Mount& m = item->mounts[i];
        const Client* const c = hub_.clients.find(m.client);
        if (c != nullptr)
            r.firstMounts.push_back({c->user, c->position, m.stream, m.is(Mount::waiting), m.is(Mount::paused)});
    }
    image(*item, r);
    return r;
}

}  // namespace emissary::hub::ops
