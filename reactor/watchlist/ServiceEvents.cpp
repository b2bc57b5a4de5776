// Finds the streams that an event of a service or group concerns, and tells their sharers.
#include "watchlist/ServiceEvents.h"

#include "watchlist/stream_messages.h"

#include <new>

namespace emissary::reactor::consumer {

using namespace eta::codec;

void ServiceEvents::onAdded(const rdm::Service& service) {
    if (!service.has(rdm::DirectoryFilter::info)) return;  // it has no name yet, so it cannot be asked for
    ServiceEntry* entry = services_.find(service);
    if (ServiceEntry* const numbered = services_.awaited(service.id)) {
        services_.name(*numbered, service.name());
        if (entry == nullptr) entry = numbered;
        else StreamTable::moveParked(*numbered, *entry);
    }
    if (entry == nullptr) entry = &services_.add(service);
    services_.number(*entry, service.id);
    entry->seen = true;
    entry->listed = &service;
    entry->chooseModel();
    recovery_.recoverParked(*entry);
}

/// What the service says may be what parked requests have waited for.
void ServiceEvents::onChanged(const rdm::Service& service) {
    ServiceEntry* entry = services_.find(service);
    if (entry == nullptr || entry->listed == nullptr) return onAdded(service);
    if (entry->comesFrom(ServiceEntry::kActive)) recovery_.recoverParked(*entry);
}

void ServiceEvents::onDeleted(const rdm::Service& service) {
    ServiceEntry* entry = services_.find(service);
    if (entry == nullptr || entry->listed != &service) return;
    entry->listed = nullptr;
    if (!entry->comesFrom(ServiceEntry::kActive)) return;
    entry->chooseModel();
    onGone(*entry);
}

void ServiceEvents::onLoginClosed() {
    for (std::size_t i = 0; i < services_.size(); ++i)
        lost(services_.at(i), "Login stream was closed.", true);
}

/// Parks every stream that was out, in order (or ends it when it must not be recovered), and sends its sharers the
/// status. `final`: the login stream is gone, nothing is recovered.
void ServiceEvents::lost(ServiceEntry& service, std::string_view text, bool final) {
    recovery_.stopRecovering(service);
    delivery_.serviceLost(service);
    std::vector<Lost> lost;
    lost.reserve(service.live.size + service.queued.size);
    for (const StreamList* list : {&service.live, &service.queued}) {
        for (Stream* s = list->first; s != nullptr; s = s->next) {
            const bool doneDictionary = s->domain == rdm::kDictionaryDomain && s->qosFixed;
            lost.push_back({s, final || doneDictionary   ? StreamState::closed
                               : recovery_.comesBack(*s) ? StreamState::open
                                                         : StreamState::closedRecover});
        }
    }
    if (final) {
        for (Stream* s = service.parked.first; s != nullptr; s = s->next)
            lost.push_back({s, StreamState::closed});
        for (Stream* s = streams_.again().first; s != nullptr; s = s->next)
            if (s->service == &service) lost.push_back({s, StreamState::closed});
    }
    // First the records, then the callbacks: those may close and open at will.
    for (const Lost& l : lost) {
        l.stream->busy = true;
        if (l.state == StreamState::open) recovery_.park(*l.stream);
        else recovery_.end(*l.stream);
    }
    tell(lost, text);
}

void ServiceEvents::tell(const std::vector<Lost>& lost, std::string_view text) {
    std::size_t told = 0;
    try {
        for (; told < lost.size(); ++told) {
            Stream& s = *lost[told].stream;
            const bool ends = lost[told].state != StreamState::open;
            if (!s.life.is(StreamPhase::ended)) {
                Msg status = makeStatus(s, lost[told].state, 0, text);
                delivery_.toAll(s, status, ends);
                if (ends && !s.life.is(StreamPhase::ended)) recovery_.retire(s, false);
            }
            streams_.unpin(s);
        }
    } catch (const std::bad_alloc&) {
        // The session will connect again: sharers that have not got the status keep waiting.
        for (; told < lost.size(); ++told) {
            Stream& s = *lost[told].stream;
            if (s.life.is(StreamPhase::closing)) recovery_.park(s);
            streams_.unpin(s);
        }
        throw;
    }
}

/// A status of this side for each of them that is still there when it comes to it.
void ServiceEvents::fanOut(const std::vector<Target>& targets, const State& state) {
    for (const Target& t : targets) {
        if (streams_.find(t.wireId) != t.stream) continue;  // ended in a callback
        Msg msg = makeStatus(*t.stream, state.stream, state.code, eta::asText(state.text));
        msg.state.data = state.data;
        delivery_.onStatus(*t.stream, msg);
    }
    recovery_.askAgain();
}

/// The service's streams of that group. Other services of the server may have groups of the same id.
std::vector<ServiceEvents::Target> ServiceEvents::membersOf(const ServiceEntry& service,
                                                            rdm::ItemGroups::Number group) {
    std::vector<Target> found;
    const auto add = [&](Stream& s) {
        if (s.service == &service) found.push_back({&s, s.wireId});
    };
    if (group != rdm::ItemGroups::kDefault) {
        streams_.groups().forEach(group, add);
    } else {
        for (Stream* s = service.live.first; s != nullptr; s = s->next)
            if (s->group == rdm::ItemGroups::kDefault) add(*s);
    }
    return found;
}

ServiceEntry* ServiceEvents::find(std::uint32_t from, const rdm::Service& service) noexcept {
    ServiceEntry* const entry = services_.find(service);
    return entry != nullptr && entry->comesFrom(from) ? entry : nullptr;
}

void ServiceEvents::onStatus(std::uint32_t from, const rdm::Service& service, const State& state) {
    const ServiceEntry* const entry = find(from, service);
    if (entry == nullptr) return;
    std::vector<Target> all;
    all.reserve(entry->live.size);
    for (Stream* s = entry->live.first; s != nullptr; s = s->next)
        all.push_back({s, s->wireId});
    fanOut(all, state);
}

void ServiceEvents::onGroupMerged(std::uint32_t from, const rdm::Service& service, Bytes group, Bytes into) {
    const ServiceEntry* const entry = find(from, service);
    if (entry == nullptr) return;
    for (const Target& t : membersOf(*entry, streams_.groups().numbers().find(group)))
        streams_.groups().put(*t.stream, into);
}

void ServiceEvents::onGroupStatus(std::uint32_t from, const rdm::Service& service, Bytes group, const State& state) {
    const ServiceEntry* const entry = find(from, service);
    if (entry == nullptr) return;
    std::vector<Target> members = membersOf(*entry, streams_.groups().numbers().find(group));
    std::erase_if(members, [](const Target& t) { return !t.stream->life.hasImage(); });
    fanOut(members, state);
}

}  // namespace emissary::reactor::consumer
