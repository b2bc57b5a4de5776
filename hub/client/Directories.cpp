// Encodes the directory for each request, and sends changes to those whose filters they fit.
#include "hub/client/Directories.h"

#include "eta/codec/containers.h"
#include "hub/client/Listener.h"
#include "hub/core/served_qos.h"

#include <algorithm>
#include <map>
#include <utility>

namespace emissary::hub::client {

using namespace eta::codec;
namespace rdm = reactor::rdm;
namespace Filter = reactor::rdm::DirectoryFilter;

namespace {

constexpr std::byte kDefaultGroup[2]{};
// Status texts and groups stay with the source: clients get group changes as messages, not in the directory.
constexpr std::uint32_t kKept = Filter::info | Filter::state | Filter::load | Filter::link;

[[nodiscard]] rdm::DirectorySelection selectionOf(const MsgKey& key) noexcept {
    rdm::DirectorySelection wanted;
    if (key.has(KeyFlag::filter)) wanted.filters = key.filter & Filter::all;
    if (key.has(KeyFlag::serviceId)) wanted.serviceId = key.serviceId;
    return wanted;
}

[[nodiscard]] bool sameState(const rdm::Service& a, const rdm::Service& b) noexcept {
    return a.state.up == b.state.up && a.state.acceptingRequests() == b.state.acceptingRequests();
}

/// Without a payload.
[[nodiscard]] Msg changeMessage() noexcept {
    Msg m;
    m.cls = MsgClass::Update;
    m.domain = kDirectoryDomain;
    // A consumer that conflates updates would lose a service change for good.
    m.flags = UpdateFlag::doNotConflate;
    m.containerType = DataType::Map;
    return m;
}

}  // namespace

Directories::Directories(Context& context) : context_(context) {
    // Services that sources announced before this object existed.
    context_.rooms.services.forEach([this](const Service& service) {
        const rdm::Service now = tellable(service);
        if (rdm::Directory::encodeService(payload_.start(), now, now.filters, false).ok())
            context_.rooms.out.directoryChanged(payload_.view());
        told_.add(now);
    });
}

rdm::Service Directories::tellable(const Service& service) const {
    rdm::Service s = service.merged;
    s.id = service.id;
    s.filters &= kKept;
    s.state.status.reset();
    s.groups.clear();
    if (servesOtherQos(service)) {
        s.info.qos.clear();
        for (const ServedQos& served : servedQos(service))
            s.info.qos.push_back(served.qos);
        s.info.qosRange = s.info.qosRange || s.info.qos.size() > 1;
    }
    // A draining hub shows its services up but taking no requests: open items live on, new ones go elsewhere.
    if (context_.draining) s.state.accepting = false;
    return s;
}

void Directories::onRequest(Client& client, std::uint64_t handle, const Msg& request) {
    ClientSession& session = ClientSession::of(client);
    DirectoryStream stream{handle, request.streamId, selectionOf(request.key)};
    // A second request on an open directory stream is a reissue and may change filter and service id.
    const auto at = std::find_if(session.directories.begin(), session.directories.end(),
                                 [handle](const DirectoryStream& d) { return d.handle == handle; });
    const bool open = at != session.directories.end();
    const bool streaming = open || request.has(RequestFlag::streaming);
    if (open) at->wanted = stream.wanted;
    else if (streaming) session.directories.push_back(stream);
    hearGroups(client);
    // A first request is always answered; a reissue may ask for no refresh.
    if (!open || !request.has(RequestFlag::noRefresh)) answer(client, stream, request, streaming);
    // A snapshot request has no stream any more once it is answered.
    if (!streaming) session.listener->connections().forget(client, handle);
}

void Directories::answer(Client& client, const DirectoryStream& stream, const Msg& request, bool streaming) {
    Msg m;
    m.cls = MsgClass::Refresh;
    m.domain = kDirectoryDomain;
    // clearCache: the answer replaces what the client knows, so that services deleted meanwhile disappear there too.
    m.flags = RefreshFlag::msgKey | RefreshFlag::complete | RefreshFlag::clearCache | RefreshFlag::solicited;
    if (request.has(RequestFlag::privateStream)) m.flags |= RefreshFlag::privateStream;
    m.state = {streaming ? StreamState::open : StreamState::nonStreaming, DataState::ok, 0,
               // The state of the stream, not of a service: it is open and ok even when no service is up.
               eta::asBytes("Source Directory Refresh Completed")};
    m.groupId = kDefaultGroup;
    m.key.flags = KeyFlag::filter;
    m.containerType = DataType::Map;
    bool encoded = true;
    if (stream.wanted.serviceId) {
        m.key.flags |= KeyFlag::serviceId;
        m.key.serviceId = *stream.wanted.serviceId;
        const rdm::Service* const one = told_.find(*stream.wanted.serviceId);
        const rdm::Directory none;
        const rdm::Directory& seen = one != nullptr && client.sees(one->name()) ? told_ : none;
        m.key.filter = seen.available(stream.wanted);
        encoded = seen.encode(payload_.start(), stream.wanted).ok();
        m.payload = payload_.view();
    } else if (const Whole* const whole = wholeFor(client, stream.wanted.filters)) {
        m.key.filter = whole->available;
        m.payload = whole->map;
    } else {
        encoded = false;
    }
    if (!encoded)
        return ClientSession::of(client).listener->end(client, EndReason::fault,
                                                       "the source directory cannot be encoded");
    // Directories are the longest answers there are; a client that asks again and again pays for them with its own
    // turn.
    context_.rooms.out.work().spend((m.payload.size() + (client.services != nullptr ? client.services->size() : 0)) *
                                    TurnBudget::kDirectory);
    (void)context_.rooms.out.tell(client, stream.stream, m);  // a client that gets no answer ends
}

// After a break of the network everybody asks for the same directory at once.
const Directories::Whole* Directories::wholeFor(const Client& client, std::uint32_t filters) {
    for (const Whole& w : wholes_)
        if (w.services == client.services && w.filters == filters) return &w;
    rdm::Directory part;
    if (client.services != nullptr)
        for (const std::string& name : *client.services)
            if (const rdm::Service* const service = told_.find(name)) part.add(*service);
    const rdm::Directory& seen = client.services != nullptr ? part : told_;
    const rdm::DirectorySelection wanted{filters, {}};
    ++encoded_;
    if (!seen.encode(payload_.start(), wanted).ok()) return nullptr;
    if (wholes_.size() == kMostWholes) wholes_.erase(wholes_.begin());
    const Bytes map = payload_.view();
    return &wholes_.emplace_back(
        Whole{client.services, filters, seen.available(wanted), std::vector<std::byte>(map.begin(), map.end())});
}

eta::Error Directories::keep(Bytes map) {
    wholes_.clear();
    return told_.apply(map, false);
}

void Directories::onClose(Client& client, std::uint64_t handle) noexcept {
    ClientSession& session = ClientSession::of(client);
    std::erase_if(session.directories, [handle](const DirectoryStream& d) { return d.handle == handle; });
    hearGroups(client);
}

void Directories::forget(Client& client) noexcept {
    ClientSession::of(client).directories.clear();
    client.hearsGroups = false;
}

void Directories::hearGroups(Client& client) noexcept {
    const auto& streams = ClientSession::of(client).directories;
    // JSON carries no group ids, so what is said of a group means nothing there (json.md 4.2).
    client.hearsGroups = !client.json && std::any_of(streams.begin(), streams.end(), [](const DirectoryStream& d) {
        return (d.wanted.filters & Filter::group) != 0 && !d.wanted.serviceId;
    });
}

void Directories::onServiceAdded(const Service& service) {
    const rdm::Service now = tellable(service);
    // A service may come back under the same id: it is then an update of an entry that the client has.
    tellChange(now, now.filters, told_.find(service.id) != nullptr, true);
    if (context_.serviceCame) context_.serviceCame(service);
}

void Directories::onServiceChanged(const Service& service, std::uint32_t filters) {
    const rdm::Service now = tellable(service);
    const rdm::Service* const before = told_.find(service.id);
    if (before == nullptr) return onServiceAdded(service);
    // Some consumers forget what a service is while it is down.
    // So info and state go along when a service comes up, although only the state has changed.
    if (!before->state.up && now.state.up) filters |= Filter::info | Filter::state;
    filters &= now.filters;
    // drain() has told it already, of all services in one message.
    if (context_.draining && filters == Filter::state && sameState(*before, now)) return;
    if (filters != 0) tellChange(now, filters, true, true);
}

void Directories::ratesChanged() {
    context_.rooms.services.forEach([this](const Service& service) {
        const rdm::Service* const before = told_.find(service.id);
        if (before == nullptr || !service.policy.announceRate) return;
        const rdm::Service now = tellable(service);
        if (!std::ranges::equal(before->info.qos, now.info.qos, rdm::equal)) onServiceChanged(service, Filter::info);
    });
}

bool Directories::encodeChange(const rdm::Service& service, std::uint32_t filters, bool change, bool kept) {
    if (!rdm::Directory::encodeService(payload_.start(), service, filters, change).ok()) {
        context_.log("service '" + service.name() + "' cannot be encoded; clients are not told of its change");
        return false;
    }
    // told_ goes through the same decoder as a client, so it holds exactly what clients know.
    if (kept && !keep(payload_.view()).ok()) {
        context_.log("service '" + service.name() + "' makes no sense; clients are not told of its change");
        return false;
    }
    if (kept) context_.rooms.out.directoryChanged(payload_.view());
    return true;
}

void Directories::tellChange(const rdm::Service& service, std::uint32_t filters, bool change, bool kept) {
    if (!encodeChange(service, filters, change, kept)) return;
    // A change of a group or of data names no service: it is one that clients have.
    const rdm::Service* const known = told_.find(service.id);
    tell(service.id, known != nullptr ? known->name() : service.name(), filters, payload_.view());
}

// told_ is the only record of what was said: a service that no client heard of needs no delete.
void Directories::onServiceDeleted(std::uint16_t id) {
    const rdm::Service* const known = told_.find(id);
    const std::string name(known != nullptr ? known->name() : std::string());
    if (known == nullptr || !rdm::Directory::encodeDeletes(payload_.start(), {&id, 1}).ok() ||
        !keep(payload_.view()).ok())
        return;
    context_.rooms.out.directoryChanged(payload_.view());
    tell(id, name, 0, payload_.view());
    if (context_.serviceGone) context_.serviceGone(id);
}

void Directories::onGroupStatus(const Service& service, Bytes group, const State& state) {
    rdm::Service s;
    s.id = service.id;
    s.filters = Filter::group;
    // Group changes are events: they are not kept in told_, and a client that joins later has the item states instead.
    s.groups.push_back({{group.begin(), group.end()}, {}, rdm::OwnedState::from(state)});
    tellChange(s, Filter::group, true, false);
}

void Directories::onGroupMerged(const Service& service, Bytes group, Bytes into) {
    rdm::Service s;
    s.id = service.id;
    s.filters = Filter::group;
    s.groups.push_back({{group.begin(), group.end()}, std::vector<std::byte>{into.begin(), into.end()}, {}});
    tellChange(s, Filter::group, true, false);
}

void Directories::onServiceData(const Service& service, const rdm::ServiceData& data) {
    rdm::Service s;
    s.id = service.id;
    s.filters = Filter::data;
    s.data = data;
    tellChange(s, Filter::data, true, false);
}

void Directories::tell(std::uint16_t serviceId, std::string_view name, std::uint32_t filters, Bytes map) {
    cuts_.clear();
    Msg m = changeMessage();
    ClientTable& clients = context_.rooms.clients;
    for (std::uint32_t i = 0; i < clients.end(); ++i) {
        Client* const client = clients.find(i);
        if (client == nullptr || client->session == nullptr || !client->sees(name)) continue;
        for (const DirectoryStream& d : ClientSession::of(*client).directories) {
            if (d.wanted.serviceId && *d.wanted.serviceId != serviceId) continue;
            m.payload = map;
            // Most clients ask for all filters, so the map goes out as it is; each other filter mask is cut once and
            // reused.
            if ((filters & ~d.wanted.filters) != 0) {
                m.payload = cut(map, d.wanted.filters);
                if (m.payload.empty()) continue;
            }
            (void)context_.rooms.out.tell(*client, d.stream, m);
        }
    }
}

Bytes Directories::cut(Bytes map, std::uint32_t filters) {
    for (const Cut& c : cuts_)
        if (c.filters == filters) return c.map;
    Cut& made = cuts_.emplace_back();
    made.filters = filters;
    rdm::DirectorySelection wanted;
    wanted.filters = filters;
    std::uint32_t present = 0, entries = 0;
    const eta::Error e = rdm::Directory::copySelected(cutting_.start(), map, wanted, present, entries);
    // A cut without entries stays empty and means that the client hears nothing.
    if (e.ok() && entries != 0) made.map.assign(cutting_.view().begin(), cutting_.view().end());
    return made.map;
}

// Every service is sent again, now with accepting off (tellable): all in one message, since the same message for each
// service to each client would hold up the hub when it has many of both.
void Directories::drain() {
    std::vector<rdm::Service> changed;
    context_.rooms.services.forEach([&](const Service& service) {
        const rdm::Service* const before = told_.find(service.id);
        if (before == nullptr) return onServiceAdded(service);
        rdm::Service now = tellable(service);
        if (!now.has(Filter::state) || sameState(*before, now)) return;
        if (before->state.up != now.state.up) return onServiceChanged(service, Filter::state);
        if (encodeChange(now, Filter::state, true, true)) changed.push_back(std::move(now));
    });
    if (!changed.empty()) tellStates(changed);
}

void Directories::tellStates(const std::vector<rdm::Service>& services) {
    // One Map for each list of services that clients have, which are those of the listeners.
    std::map<const std::vector<std::string>*, std::vector<std::byte>> maps;
    const auto mapFor = [&](const Client& client) -> Bytes {
        const auto [at, isNew] = maps.try_emplace(client.services);
        if (isNew) at->second = statesOf(services, [&client](const rdm::Service& s) { return client.sees(s.name()); });
        return at->second;
    };
    Msg m = changeMessage();
    ClientTable& clients = context_.rooms.clients;
    for (std::uint32_t i = 0; i < clients.end(); ++i) {
        Client* const client = clients.find(i);
        if (client == nullptr || client->session == nullptr) continue;
        for (const DirectoryStream& d : ClientSession::of(*client).directories) {
            if ((d.wanted.filters & Filter::state) == 0) continue;
            std::vector<std::byte> one;
            if (d.wanted.serviceId)
                one = statesOf(services, [&](const rdm::Service& s) {
                    return s.id == *d.wanted.serviceId && client->sees(s.name());
                });
            m.payload = d.wanted.serviceId ? Bytes(one) : mapFor(*client);
            if (!m.payload.empty()) (void)context_.rooms.out.tell(*client, d.stream, m);
        }
    }
}

std::vector<std::byte> Directories::statesOf(const std::vector<rdm::Service>& services,
                                             const std::function<bool(const rdm::Service&)>& wanted) {
    MapEncoder map;
    EntryContainerHeader header;
    header.entryType = DataType::FilterList;
    map.begin(payload_.start(), header, DataType::UInt);
    bool some = false;
    for (const rdm::Service& service : services) {
        if (!wanted(service)) continue;
        MapDecoder from;
        MapEntry entry;
        if (!rdm::Directory::encodeService(cutting_.start(), service, Filter::state, true).ok() ||
            !from.start(cutting_.view()).ok() || !from.next(entry))
            continue;
        map.add(entry.action, entry.key, entry.data);
        some = true;
    }
    if (!map.complete().ok() || !some) return {};
    return {payload_.view().begin(), payload_.view().end()};
}

}  // namespace emissary::hub::client
