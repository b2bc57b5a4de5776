// The application's requests on items: registered, changed, closed, and the messages sent on them.
#include "consumer/request_payload.h"
#include "eta/codec/containers.h"
#include "eta/codec/encoders.h"
#include "rdm/dictionaries.h"
#include "routing/RouterImpl.h"

#include <algorithm>
#include <utility>

namespace emissary::reactor::routing {

using namespace eta::codec;
using K = Refusal::Kind;

namespace {
constexpr std::size_t kHeapBytes = 96;  // about what an item has there: its request, for the next session
}

Item* Router::Impl::itemOf(Handle handle) noexcept {
    const Request* r = requests.find(handle);
    return r != nullptr && r->index < byRequest.size() ? byRequest[r->index] : nullptr;
}

Handle Router::Impl::open(const RequestView& request, std::span<const std::string> services,
                          const Subscriber& subscriber, Refusal& refusal) {
    const Msg& m = request.msg;
    if (m.domain == rdm::kDictionaryDomain && options.localDictionary) return openLocal(request, subscriber, refusal);
    if (!consumer::checkFirstRequest(request, refusal)) return 0;
    if (m.key.has(KeyFlag::serviceId) && request.serviceName.data() != nullptr) {
        refusal.set(K::invalidUsage, "Request names its service by id and by name; only one is allowed.");
        return 0;
    }
    std::vector<std::string> providers;
    if (m.domain == rdm::kDictionaryDomain && request.serviceName.data() == nullptr && !m.key.has(KeyFlag::serviceId) &&
        services.empty())
        services = providers = providersOf(eta::asText(m.key.name));
    Wanted* const w = wantedFor(request, services);
    return m.has(RequestFlag::batch) ? openBatch(request, w, subscriber, refusal) : openOne(m, w, subscriber, refusal);
}

/// A dictionary is the same whoever serves it: every service that has it will do.
std::vector<std::string> Router::Impl::providersOf(std::string_view name) const {
    std::vector<std::string> names;
    for (const auto& service : merged.services()) {
        const bool has = std::any_of(sessions.begin(), sessions.end(), [&](const auto& s) {
            const rdm::Service* member = merged.member(*service, s->index);
            return member != nullptr && rdm::provides(*member, name);
        });
        if (has) names.push_back(service->name);
    }
    return names;
}

Item& Router::Impl::newItem(const Msg& m, Wanted* w, const Subscriber& subscriber) {
    Request& r = requests.add(Request::Kind::item, subscriber);
    r.appStreamId = requests.nextAppStreamId();
    r.hasExtras = subscriber.parent != 0;
    Item& item = *pool.take();
    const std::uint32_t index = item.index;
    item = {};
    item.index = index;
    item.request = &r;
    item.wanted = w;
    item.domain = m.domain;
    item.isPrivate = m.has(RequestFlag::privateStream);
    item.paused = m.has(RequestFlag::pause);
    if (r.index >= byRequest.size()) byRequest.resize(std::max<std::size_t>(r.index + 1, byRequest.size() * 2));
    byRequest[r.index] = &item;
    return item;
}

Handle Router::Impl::openOne(const Msg& m, Wanted* w, const Subscriber& subscriber, Refusal& refusal) {
    Item& item = newItem(m, w, subscriber);
    const Handle handle = item.request->handle;
    store(item, m);
    if (w == nullptr) {
        refuse(item, StreamState::closed, 15, "Passed in request message does not identify any service.");
        return handle;
    }
    Target target;
    const char* why = nullptr;
    if (choose(item, m, target, why)) {
        openAt(item, target, m, refusal);
    } else {
        consumer::RequestExtras extras;
        if (consumer::mayHaveExtras(m)) (void)consumer::readExtras(m, extras, refusal);
        if (refusal) {
        } else if (w->services.empty() && !mayStillAppear(*w)) {
            refuse(item, StreamState::closed, 15, unknown(*w));
        } else if (allClosed()) {
            refuse(item, StreamState::closed, 0, "Every session is closed for good.");
        } else if (!login.singleOpen() || item.isPrivate) {
            refuse(item, StreamState::closedRecover, 0, why);
        } else {
            park(item, why);
            tell(item, StreamState::open, 0, why, false);
        }
    }
    if (!refusal) return handle;
    release(item, false);
    return 0;
}

/// Each name is a request of its own, as in a single session; they may end up in different ones.
Handle Router::Impl::openBatch(const RequestView& request, Wanted* w, const Subscriber& subscriber, Refusal& refusal) {
    const Msg& m = request.msg;
    consumer::RequestExtras extras;
    if (!consumer::readExtras(m, extras, refusal)) return 0;
    if (m.key.has(KeyFlag::name)) {
        refusal.set(K::invalidArgument, "A batch request has its names in ':ItemList'; its key must have none.");
        return 0;
    }
    Msg one = m;
    one.flags = static_cast<std::uint16_t>(one.flags & ~RequestFlag::batch);
    // What is left of the payload without the names.
    GrowingBuffer rest;
    ElementListDecoder in;
    ElementListEncoder out;
    ElementEntry e;
    bool any = false;
    out.begin(rest.start());
    if (in.start(m.payload).ok()) {
        while (in.next(e)) {
            if (eta::asText(e.name) == ":ItemList") continue;
            out.add(eta::asText(e.name), e.type, e.data);
            any = true;
        }
    }
    if (!out.complete().ok()) {
        refusal.set(K::invalidArgument, "The request's element list cannot be encoded.");
        return 0;
    }
    one.containerType = any ? DataType::ElementList : DataType::NoData;
    one.payload = any ? rest.view() : Bytes{};

    Request& parent = requests.add(Request::Kind::batch, subscriber);
    parent.appStreamId = requests.nextAppStreamId();
    const Handle handle = parent.handle;
    if (w != nullptr) look(*w);
    const bool nobody = w == nullptr || (w->services.empty() && !mayStillAppear(*w));
    RequestTable::Notice n;
    n.handle = handle;
    n.domain = m.domain;
    n.isPrivate = m.has(RequestFlag::privateStream);
    if (w != nullptr && !w->services.empty()) {
        n.serviceName = w->services.front()->name;
        n.serviceId = w->services.front()->id;
    }
    if (nobody) {
        parent.kind = Request::Kind::refused;
        n.state = {StreamState::closed, DataState::suspect, 15, {}};
        n.text = w == nullptr ? "Passed in request message does not identify any service." : unknown(*w);
        n.ends = true;
        requests.later(std::move(n));
        return handle;
    }
    n.state = {StreamState::closed, DataState::ok, 0, {}};
    n.text = "Batch request acknowledged.";
    requests.later(std::move(n));

    batches[handle] = static_cast<std::uint32_t>(extras.names.size());
    const Subscriber child{subscriber.client, subscriber.closure, handle};
    std::vector<Handle> made;
    made.reserve(extras.names.size());
    one.key.flags |= KeyFlag::name;
    for (const Bytes name : extras.names) {
        one.key.name = name;
        const Handle h = openOne(one, w, child, refusal);
        if (refusal) break;
        made.push_back(h);
    }
    if (!refusal) return handle;
    batches.erase(handle);
    for (const Handle h : made) {
        if (Item* item = itemOf(h)) close(*item);
        else if (Request* r = requests.find(h)) requests.release(*r);
    }
    requests.release(parent);
    return 0;
}

/// A dictionary that was read from files needs no session to be up.
Handle Router::Impl::openLocal(const RequestView& request, const Subscriber& subscriber, Refusal& refusal) {
    Item& item = newItem(request.msg, nullptr, subscriber);
    const Handle handle = item.request->handle;
    item.session = sessions.front().get();
    item.inner = item.session->role->registerClient(request, {&item, nullptr, 0}, refusal);
    if (!refusal) return handle;
    release(item, false);
    return 0;
}

void Router::Impl::store(Item& item, const Msg& msg) {
    Msg m = msg;
    m.streamId = 1;
    if (!encodeMsg(buffer.start(), m).ok()) return;
    item.bytes.assign(buffer.view().begin(), buffer.view().end());
}

/// The service of a reissue is one that an item that nobody serves now was opened for.
bool Router::Impl::mayName(const Item& item, const RequestView& reissue) const noexcept {
    const Wanted* w = item.wanted;
    if (w == nullptr) return false;
    const std::string_view name = reissue.serviceName;
    const std::uint16_t id = reissue.msg.key.serviceId;
    const bool byName = name.data() != nullptr;
    if (!byName && w->names.empty()) return id == w->id;
    if (byName && std::find(w->names.begin(), w->names.end(), name) != w->names.end()) return true;
    return std::any_of(w->services.begin(), w->services.end(),
                       [&](const MergedService* s) { return byName ? s->name == name : s->id == id; });
}

void Router::Impl::reissue(Item& item, const RequestView& request, Refusal& refusal) {
    Msg m = request.msg;
    if (request.serviceName.data() != nullptr || m.key.has(KeyFlag::serviceId)) {
        const bool same = item.service != nullptr &&
                          (request.serviceName.data() != nullptr ? request.serviceName == item.service->name
                                                                 : m.key.serviceId == item.service->id);
        if (!(item.service != nullptr ? same : mayName(item, request)))
            return refusal.set(K::invalidData, "A reissue must not change the service.");
        m.key.flags = static_cast<std::uint16_t>(m.key.flags & ~KeyFlag::serviceId);
    }
    Msg was;
    if (!decodeMsg(Bytes(item.bytes), was).ok()) return;  // encoded here
    if (item.inner != 0) {
        item.session->role->reissue(item.inner, {m, {}}, refusal);
    } else if (m.domain != was.domain) {
        refusal.set(K::invalidData, "A reissue must not change the domain.");
    } else if (m.has(RequestFlag::batch)) {
        refusal.set(K::invalidData, "A reissue must not ask for a batch.");
    } else if (!was.has(RequestFlag::streaming)) {
        refusal.set(K::invalidData, "A snapshot request cannot be reissued.");
    } else if (!m.has(RequestFlag::streaming) && !m.has(RequestFlag::pause)) {
        refusal.set(K::invalidData, "A reissue must not turn a stream into a snapshot.");
    } else if (m.key.has(KeyFlag::name) && eta::asText(m.key.name) != eta::asText(was.key.name)) {
        refusal.set(K::invalidData, "A reissue must not change the item name.");
    } else if (m.key.has(KeyFlag::nameType) &&
               m.key.nameType != (was.key.has(KeyFlag::nameType) ? was.key.nameType : 1)) {
        refusal.set(K::invalidData, "A reissue must not change the name type.");
    } else if (m.has(RequestFlag::privateStream) && !item.isPrivate) {
        refusal.set(K::invalidData, "A reissue must not turn a stream private.");
    } else if (const char* changed = consumer::changeOfKey(m, consumer::rareKeyOf(was).get()); changed != nullptr) {
        refusal.set(K::invalidData, changed);
    }
    consumer::RequestExtras extras;
    if (!refusal && m.has(RequestFlag::view)) (void)consumer::readExtras(m, extras, refusal);
    if (refusal) return;
    // The next session hears of it in the first request.
    item.paused = m.has(RequestFlag::pause);
    if (m.has(RequestFlag::priority)) {
        was.flags |= RequestFlag::priority;
        was.priorityClass = m.priorityClass;
        was.priorityCount = m.priorityCount;
    }
    if (extras.view) {
        was.flags |= RequestFlag::view;
        was.containerType = m.containerType;
        was.payload = m.payload;
    } else if (was.has(RequestFlag::view) && !m.has(RequestFlag::view)) {
        was.flags = static_cast<std::uint16_t>(was.flags & ~RequestFlag::view);
        was.containerType = DataType::NoData;
        was.payload = {};
    }
    store(item, was);
}

void Router::Impl::close(Item& item) {
    Refusal refusal;
    if (item.inner != 0) item.session->role->unregister(item.inner, refusal);
    else if (item.wanted != nullptr) unpark(item);
    item.inner = 0;
    item.wanted = nullptr;
    release(item, false);
}

/// The record goes; the request with it, unless a last status has to find it.
void Router::Impl::release(Item& item, bool keepRequest) {
    Request& r = *item.request;
    byRequest[r.index] = nullptr;
    item.request = nullptr;
    item.bytes = {};
    pool.give(&item);
    reactor.noteFreed(kHeapBytes);
    if (!keepRequest) requests.release(r);
}

void Router::Impl::trimMemory() noexcept {
    pool.trim();
    requests.trim();
    trimTable(batches);
    discardNulls(byRequest);
    trimBuffer(buffer);
}

/// Ends with a status that is delivered from the loop.
void Router::Impl::refuse(Item& item, std::uint8_t stream, std::uint8_t code, std::string text) {
    if (item.wanted != nullptr && (item.prev != nullptr || item.next != nullptr || item.wanted->first == &item))
        unpark(item);
    item.request->kind = Request::Kind::refused;
    tell(item, stream, code, std::move(text), true);
    release(item, true);
}

void Router::Impl::tell(Item& item, std::uint8_t stream, std::uint8_t code, std::string text, bool ends) {
    Msg m;
    if (!decodeMsg(Bytes(item.bytes), m).ok()) return;
    RequestTable::Notice n;
    n.handle = item.request->handle;
    n.state = {stream, DataState::suspect, code, {}};
    n.text = std::move(text);
    n.domain = m.domain;
    n.hasName = m.key.has(KeyFlag::name);
    if (n.hasName) n.name.assign(eta::asText(m.key.name));
    if (m.key.has(KeyFlag::nameType)) n.nameType = m.key.nameType;
    n.isPrivate = item.isPrivate;
    n.ends = ends;
    const Wanted* w = item.wanted;
    const MergedService* s = item.service != nullptr                ? item.service
                             : w != nullptr && !w->services.empty() ? w->services.front()
                                                                    : nullptr;
    if (s != nullptr) {
        n.serviceName = s->name;
        n.serviceId = s->id;
    } else if (w != nullptr && w->names.size() == 1) {
        n.serviceName = w->names.front();
    } else if (w != nullptr && w->names.empty()) {
        n.serviceId = w->id;
    }
    requests.later(std::move(n));
}

/// A batch ends with its last item.
void Router::Impl::onRelease(const Request& r) {
    if (r.parent == 0) return;
    const auto it = batches.find(r.parent);
    if (it == batches.end() || --it->second != 0) return;
    batches.erase(it);
    if (Request* batch = requests.find(r.parent)) requests.release(*batch);
}

// --- messages --------------------------------------------------------------------------------------------------------

/// The service id of the application's world becomes the session's.
bool Router::Impl::toSession(Msg& msg, const Session& s, Refusal& refusal) const {
    if (!msg.hasKey() || !msg.key.has(KeyFlag::serviceId)) return true;
    const MergedService* service = merged.find(msg.key.serviceId);
    const rdm::Service* member = service != nullptr ? merged.member(*service, s.index) : nullptr;
    if (member != nullptr) {
        msg.key.serviceId = member->id;
        return true;
    }
    refusal.set(K::invalidUsage,
                "Service id of '" + std::to_string(msg.key.serviceId) + "' is not found" +
                    (service == nullptr || s.name.empty() ? "." : " on session channel '" + s.name + "'."));
    return false;
}

void Router::Impl::submitGeneric(Item& item, const Msg& msg, Refusal& refusal) {
    if (item.inner == 0)
        return refusal.set(K::invalidUsage, "The stream is not established (no refresh yet, or suspect).");
    Msg out = msg;
    if (toSession(out, *item.session, refusal)) item.session->role->submitGeneric(item.inner, out, refusal);
}

void Router::Impl::submitPost(Item& item, const Msg& msg, std::string_view serviceName, Refusal& refusal) {
    if (item.inner == 0)
        return refusal.set(K::invalidUsage, "The stream is not established (no refresh yet, or suspect).");
    Msg out = msg;
    if (serviceName.data() != nullptr || toSession(out, *item.session, refusal))
        item.session->role->submitPost(item.inner, out, serviceName, refusal);
}

/// To the first session that is ready and has the service up; one that lacks it says what is wrong.
void Router::Impl::submitOffStream(const Msg& msg, std::string_view serviceName, Refusal& refusal) {
    const bool byId = msg.hasKey() && msg.key.has(KeyFlag::serviceId);
    Session* first = nullptr;
    for (const auto& s : sessions) {
        if (!s->loggedIn) continue;
        if (first == nullptr) first = s.get();
        for (const auto& service : merged.services()) {
            if (serviceName.data() != nullptr ? service->name != serviceName
                                              : !byId || service->id != msg.key.serviceId)
                continue;
            const rdm::Service* member = merged.member(*service, s->index);
            if (member == nullptr || !member->state.up) continue;
            Msg out = msg;
            if (serviceName.data() == nullptr) out.key.serviceId = member->id;
            return s->role->submitPost(s->login, out, serviceName, refusal);
        }
    }
    if (first == nullptr) return refusal.set(K::invalidUsage, "The login stream is not open.");
    Msg out = msg;
    if (serviceName.data() != nullptr || toSession(out, *first, refusal))
        first->role->submitPost(first->login, out, serviceName, refusal);
}

}  // namespace emissary::reactor::routing
