// Chooses a session for a tunnel, and maps handles of both sides to each other.
#include "routing/RoutedTunnels.h"

namespace emissary::reactor::routing {

using namespace eta::codec;

RoutedTunnels::Target RoutedTunnels::choose(const tunnel::TunnelRequest& request) const {
    Target second;
    for (const auto& service : merged_.services()) {
        if (request.serviceName.empty() ? service->id != request.serviceId : service->name != request.serviceName)
            continue;
        for (const auto& s : sessions_) {
            const rdm::Service* const member = merged_.member(*service, s->index);
            if (member == nullptr) continue;
            const Target here{s.get(), service.get(), member->id};
            if (s->ready() && member->state.up) return here;
            if (second.session == nullptr) second = here;
        }
    }
    return second;
}

Handle RoutedTunnels::open(const tunnel::TunnelRequest& request, const Subscriber& subscriber, Refusal& refusal) {
    tunnel::TunnelRequest asked = request;
    Target target = choose(request);
    if (target.session != nullptr) {
        asked.serviceName.clear();
        asked.serviceId = target.id;
    } else {
        // The first session says what is wrong. An id may be another service's there.
        target.session = &sessions_[0];
        const bool byId = request.serviceName.empty() && request.serviceId >= 0 && request.serviceId <= 0xFFFF;
        const MergedService* const gone = byId ? merged_.find(static_cast<std::uint16_t>(request.serviceId)) : nullptr;
        if (gone != nullptr) asked.serviceName = gone->name;
    }
    Routed& fresh = add(Request::Kind::tunnel, subscriber);
    fresh.session = target.session;
    fresh.ownService = target.id;
    fresh.service = target.service != nullptr ? target.service->id : target.id;
    fresh.inner = fresh.session->role->registerTunnel(asked, {&fresh.session->tunnelClient, &fresh, 0}, refusal);
    if (!refusal) return fresh.handle;
    remove(fresh.handle);
    return 0;
}

Handle RoutedTunnels::openInside(Handle tunnel, const RequestView& request, const Subscriber& subscriber,
                                 Refusal& refusal) {
    const auto at = byHandle_.find(tunnel);
    // A tunnel that is unknown here is unknown there.
    if (at == byHandle_.end() || at->second.tunnel != 0)
        return sessions_[0].role->registerInside(0, request, subscriber, refusal);
    Routed& around = at->second;
    Routed& fresh = add(Request::Kind::subStream, {subscriber.client, subscriber.closure, tunnel});
    fresh.tunnel = tunnel;
    fresh.session = around.session;
    fresh.service = around.service;
    fresh.ownService = around.ownService;
    around.inside.push_back(fresh.handle);
    Msg m = request.msg;
    toSession(m, fresh);
    fresh.inner = fresh.session->role->registerInside(around.inner, {m, request.serviceName},
                                                      {&fresh.session->tunnelClient, &fresh, 0}, refusal);
    if (!refusal) return fresh.handle;
    remove(fresh.handle);
    return 0;
}

RoutedTunnels::Routed& RoutedTunnels::add(Request::Kind kind, const Subscriber& subscriber) {
    const Handle handle = requests_.add(kind, subscriber).handle();
    Routed& fresh = byHandle_[handle];
    fresh.handle = handle;
    return fresh;
}

void RoutedTunnels::remove(Handle handle) {
    Routed& r = byHandle_.at(handle);
    if (const auto around = byHandle_.find(r.tunnel); around != byHandle_.end())
        std::erase(around->second.inside, handle);
    for (const Handle inside : r.inside)
        release(inside);
    release(handle);
}

void RoutedTunnels::release(Handle handle) {
    if (Request* const request = requests_.find(handle); request != nullptr) requests_.release(*request);
    byHandle_.erase(handle);
}

/// The service of the tunnel has the session's id in what goes there; other ids are the peers' own affair.
void RoutedTunnels::toSession(Msg& m, const Routed& r) noexcept {
    if (m.hasKey() && m.key.has(KeyFlag::serviceId) && m.key.serviceId == r.service) m.key.serviceId = r.ownService;
}

Refusal RoutedTunnels::reissue(Handle handle, const RequestView& request) {
    const Routed& r = byHandle_.at(handle);
    Msg m = request.msg;
    toSession(m, r);
    return r.session->role->reissue(r.inner, {m, request.serviceName});
}

Refusal RoutedTunnels::submit(Handle handle, const Msg& msg) {
    const Routed& r = byHandle_.at(handle);
    Msg m = msg;
    toSession(m, r);
    return r.session->role->submitGeneric(r.inner, m);
}

void RoutedTunnels::close(Handle handle) {
    const Routed& r = byHandle_.at(handle);
    (void)r.session->role->unregister(r.inner);  // tunnels are never refused
    remove(handle);
}

void RoutedTunnels::onMessage(Session& s, const Msg& msg, const Recipient& to, std::string_view serviceName) {
    const Routed& r = *static_cast<const Routed*>(to.closure);
    const Request* const request = requests_.find(r.handle);
    if (request == nullptr) return;
    Msg m = msg;
    if (m.hasKey() && m.key.has(KeyFlag::serviceId) && m.key.serviceId == r.ownService) m.key.serviceId = r.service;
    const Recipient recipient = RequestTable::recipient(*request);
    if (!s.role->knows(r.inner)) remove(r.handle);
    sink_.onMessage(m, recipient, serviceName);
}

}  // namespace emissary::reactor::routing
