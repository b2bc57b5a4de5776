// Encodes the directory for each request, and sends changes to those whose filters they fit.
#include "hub/client/Directories.h"

#include "hub/client/Listener.h"

#include <algorithm>

namespace emissary::hub::client {

using namespace eta::codec;
namespace rdm = reactor::rdm;
namespace Filter = reactor::rdm::DirectoryFilter;

namespace {

constexpr std::byte kDefaultGroup[2]{};
constexpr std::uint32_t kKept = Filter::info | Filter::state | Filter::load | Filter::link;

[[nodiscard]] rdm::DirectorySelection selectionOf(const MsgKey& key) noexcept {
    rdm::DirectorySelection wanted;
    if (key.has(KeyFlag::filter)) wanted.filters = key.filter & Filter::all;
    if (key.has(KeyFlag::serviceId)) wanted.serviceId = key.serviceId;
    return wanted;
}

}  // namespace

Directories::Directories(Context& context) : context_(context) {
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
    if (context_.draining) s.state.accepting = false;
    return s;
}

void Directories::onRequest(Client& client, std::uint64_t handle, const Msg& request) {
    ClientSession& session = ClientSession::of(client);
    DirectoryStream stream{handle, request.streamId, selectionOf(request.key)};
    const auto at = std::find_if(session.directories.begin(), session.directories.end(),
                                 [handle](const DirectoryStream& d) { return d.handle == handle; });
    const bool open = at != session.directories.end();
    const bool streaming = open || request.has(RequestFlag::streaming);
    if (open) at->wanted = stream.wanted;
    else if (streaming) session.directories.push_back(stream);
    hearGroups(client);
    if (!open || !request.has(RequestFlag::noRefresh)) answer(client, stream, request, streaming);
    if (!streaming) session.listener->connections().forget(client, handle);
}

void Directories::answer(Client& client, const DirectoryStream& stream, const Msg& request, bool streaming) {
    Msg m;
    m.cls = MsgClass::Refresh;
    m.domain = kDirectoryDomain;
    m.flags = RefreshFlag::msgKey | RefreshFlag::complete | RefreshFlag::clearCache | RefreshFlag::solicited;
    if (request.has(RequestFlag::privateStream)) m.flags |= RefreshFlag::privateStream;
    m.state = {streaming ? StreamState::open : StreamState::nonStreaming, DataState::ok, 0,
               eta::asBytes("Source Directory Refresh Completed")};
    m.groupId = kDefaultGroup;
    m.key.flags = KeyFlag::filter;
    m.key.filter = told_.available(stream.wanted);
    if (stream.wanted.serviceId) {
        m.key.flags |= KeyFlag::serviceId;
        m.key.serviceId = *stream.wanted.serviceId;
    }
    m.containerType = DataType::Map;
    if (!told_.encode(payload_.start(), stream.wanted).ok())
        return ClientSession::of(client).listener->end(client, EndReason::fault,
                                                       "the source directory cannot be encoded");
    m.payload = payload_.view();
    context_.rooms.out.work().spend(m.payload.size() * TurnBudget::kDirectory);
    (void)context_.rooms.out.tell(client, stream.stream, m);  // a client that gets no answer ends
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
    tellChange(now, now.filters, told_.find(service.id) != nullptr, true);
    if (context_.serviceCame) context_.serviceCame(service);
}

void Directories::onServiceChanged(const Service& service, std::uint32_t filters) {
    const rdm::Service now = tellable(service);
    const rdm::Service* const before = told_.find(service.id);
    if (before == nullptr) return onServiceAdded(service);
    // Some consumers forget what a service is while it is down.
    if (!before->state.up && now.state.up) filters |= Filter::info | Filter::state;
    filters &= now.filters;
    if (filters != 0) tellChange(now, filters, true, true);
}

void Directories::tellChange(const rdm::Service& service, std::uint32_t filters, bool change, bool keep) {
    if (!rdm::Directory::encodeService(payload_.start(), service, filters, change).ok())
        return context_.log("service '" + service.name() + "' cannot be encoded; clients are not told of its change");
    if (keep && !told_.apply(payload_.view(), false).ok())
        return context_.log("service '" + service.name() + "' makes no sense; clients are not told of its change");
    if (keep) context_.rooms.out.directoryChanged(payload_.view());
    tell(service.id, filters, payload_.view());
}

void Directories::onServiceDeleted(std::uint16_t id) {
    if (told_.find(id) == nullptr || !rdm::Directory::encodeDeletes(payload_.start(), {&id, 1}).ok() ||
        !told_.apply(payload_.view(), false).ok())
        return;
    context_.rooms.out.directoryChanged(payload_.view());
    tell(id, 0, payload_.view());
}

void Directories::onGroupStatus(const Service& service, Bytes group, const State& state) {
    rdm::Service s;
    s.id = service.id;
    s.filters = Filter::group;
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

void Directories::tell(std::uint16_t serviceId, std::uint32_t filters, Bytes map) {
    cuts_.clear();
    Msg m;
    m.cls = MsgClass::Update;
    m.domain = kDirectoryDomain;
    m.flags = UpdateFlag::doNotConflate;
    m.containerType = DataType::Map;
    ClientTable& clients = context_.rooms.clients;
    for (std::uint32_t i = 0; i < clients.end(); ++i) {
        Client* const client = clients.find(i);
        if (client == nullptr || client->session == nullptr) continue;
        for (const DirectoryStream& d : ClientSession::of(*client).directories) {
            if (d.wanted.serviceId && *d.wanted.serviceId != serviceId) continue;
            m.payload = map;
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
    if (e.ok() && entries != 0) made.map.assign(cutting_.view().begin(), cutting_.view().end());
    return made.map;
}

void Directories::drain() {
    context_.rooms.services.forEach([this](const Service& service) { onServiceChanged(service, Filter::state); });
}

}  // namespace emissary::hub::client
