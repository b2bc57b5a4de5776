// Opens, reissues and closes items of the application, one by one or as batches.
#include "routing/ItemRequests.h"

#include "eta/codec/Msg.h"
#include "reactor/GrowingBuffer.h"
#include "reactor/session/session_types.h"
#include "watchlist/request_payload.h"

#include <algorithm>
#include <utility>

namespace emissary::reactor::routing {

using namespace eta::codec;
using K = Refusal::Kind;

ItemRequests::ItemRequests(Reactor& reactor, const consumer::ConsumerOptions& options, const Parts& parts)
    : localDictionary_(options.localDictionary != nullptr), requests_(parts.requests), sessions_(parts.sessions),
      wanted_(parts.wanted), items_(parts.items), placement_(parts.placement), login_(parts.login),
      unseen_(reactor, options.serviceWait,
              {[this](Handle h) { return awaiting(h) != nullptr; },
               [this](Handle h) {
                   Item& item = *awaiting(h);
                   items_.refuse(item, StreamState::closed, 15, WantedServices::unknown(*item.wanted));
               },
               {}}) {}

/// The item, when none of its services was ever seen; else null.
Item* ItemRequests::awaiting(Handle handle) noexcept {
    Item* const item = items_.find(handle);
    return item != nullptr && item->wanted != nullptr && item->inner == 0 && item->wanted->services.empty() ? item
                                                                                                            : nullptr;
}

Handle ItemRequests::open(const RequestView& request, std::span<const std::string> services,
                          const Subscriber& subscriber, Refusal& refusal) {
    const Msg& m = request.msg;
    if (m.domain == rdm::kDictionaryDomain && localDictionary_) return openLocal(request, subscriber, refusal);
    if (refusal = consumer::checkFirstRequest(request); refusal) return 0;
    if (m.key.has(KeyFlag::serviceId) && request.serviceName.data() != nullptr) {
        refusal = {K::invalidUsage, "Request names its service by id and by name; only one is allowed."};
        return 0;
    }
    std::vector<std::string> providers;
    if (m.domain == rdm::kDictionaryDomain && request.serviceName.data() == nullptr && !m.key.has(KeyFlag::serviceId) &&
        services.empty())
        services = providers = wanted_.providersOf(eta::asText(m.key.name));
    Wanted* const w = wanted_.of(request, services);
    return m.has(RequestFlag::batch) ? openBatch(request, w, subscriber, refusal) : openOne(m, w, subscriber, refusal);
}

Handle ItemRequests::openOne(const Msg& m, Wanted* w, const Subscriber& subscriber, Refusal& refusal) {
    Item& item = items_.add(m, w, subscriber);
    const Handle handle = item.request->handle();
    items_.store(item, m);
    if (w == nullptr) {
        items_.refuse(item, StreamState::closed, 15, "Passed in request message does not identify any service.");
        return handle;
    }
    Placement::Target target;
    std::string_view why;
    const bool served = placement_.choose(item, m, target, why);
    refusal = served ? placement_.openAt(item, target, m) : openLater(item, m, why);
    if (!refusal) return handle;
    items_.release(item, false);
    return 0;
}

Refusal ItemRequests::openLater(Item& item, const Msg& m, std::string_view why) {
    rdm::RequestPayload extras;
    if (consumer::mayHaveExtras(m))
        if (Refusal refusal = consumer::readExtras(m, extras)) return refusal;
    const bool waits = login_.singleOpen() && !item.isPrivate;
    if (item.wanted->services.empty() && !(waits && wanted_.mayStillAppear())) {
        items_.refuse(item, StreamState::closed, 15, WantedServices::unknown(*item.wanted));
    } else if (sessions_.allClosed()) {
        items_.refuse(item, StreamState::closed, 0, "Every session is closed for good.");
    } else if (!waits) {
        items_.refuse(item, StreamState::closedRecover, 0, std::string(why));
    } else {
        placement_.park(item, why);
        items_.tell(item, StreamState::open, 0, std::string(why), false);
        if (item.wanted->services.empty()) unseen_.start(item.request->handle());
    }
    return {};
}

/// Each name is a request of its own, as in a single session; they may end up in different ones.
Handle ItemRequests::openBatch(const RequestView& request, Wanted* w, const Subscriber& subscriber, Refusal& refusal) {
    const Msg& m = request.msg;
    rdm::RequestPayload extras;
    if (refusal = consumer::readExtras(m, extras); refusal) return 0;
    if (m.key.has(KeyFlag::name)) {
        refusal = {K::invalidArgument, "A batch request has its names in ':ItemList'; its key must have none."};
        return 0;
    }
    // What each item takes along: all but the names. It is sound: it was read above.
    rdm::RequestPayload others;
    static_cast<void>(rdm::readPayload(m, others, {true, false, false, true}));
    Msg one = m;
    one.flags = static_cast<std::uint16_t>(one.flags & ~RequestFlag::batch);
    one.containerType = others.rest.empty() ? DataType::NoData : DataType::ElementList;
    one.payload = others.rest;
    Request& parent = requests_.add(Request::Kind::batch, subscriber);
    parent.appStreamId = requests_.nextAppStreamId();
    const Handle handle = parent.handle();
    if (!answerBatch(parent, m, w)) return handle;
    items_.beginBatch(handle, extras.names.size());
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
    items_.cancelBatch(handle);
    for (const Handle h : made) {
        if (Item* item = items_.find(h)) close(*item);
        else if (Request* r = requests_.find(h)) requests_.release(*r);
    }
    requests_.release(parent);
    return 0;
}

bool ItemRequests::answerBatch(Request& batch, const Msg& m, Wanted* w) {
    if (w != nullptr) wanted_.look(*w);
    const bool nobody = w == nullptr || (w->services.empty() && !wanted_.mayStillAppear());
    RequestTable::Notice n;
    n.handle = batch.handle();
    n.domain = m.domain;
    n.isPrivate = m.has(RequestFlag::privateStream);
    if (w != nullptr && !w->services.empty()) {
        n.serviceName = w->services.front()->name;
        n.serviceId = w->services.front()->id;
    }
    n.state = {StreamState::closed, DataState::ok, 0, {}};
    n.text = "Batch request acknowledged.";
    if (nobody) {
        batch.kind = Request::Kind::refused;
        n.state = {StreamState::closed, DataState::suspect, 15, {}};
        n.text =
            w == nullptr ? "Passed in request message does not identify any service." : WantedServices::unknown(*w);
        n.ends = true;
    }
    requests_.later(std::move(n));
    return !nobody;
}

/// A dictionary that was read from files needs no session to be up.
Handle ItemRequests::openLocal(const RequestView& request, const Subscriber& subscriber, Refusal& refusal) {
    Item& item = items_.add(request.msg, nullptr, subscriber);
    const Handle handle = item.request->handle();
    item.session = &sessions_[0];
    item.inner = item.session->role->registerClient(request, {&item, nullptr, 0}, refusal);
    if (!refusal) return handle;
    items_.release(item, false);
    return 0;
}

bool ItemRequests::mayName(const Item& item, const RequestView& reissue) noexcept {
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

Refusal ItemRequests::checkReissue(const Item& item, const Msg& was, const Msg& m) {
    if (!session::keepsDomain(m, was.domain)) return {K::invalidData, "A reissue must not change the domain."};
    if (m.has(RequestFlag::batch)) return {K::invalidData, "A reissue must not ask for a batch."};
    if (!was.has(RequestFlag::streaming)) return {K::invalidData, "A snapshot request cannot be reissued."};
    if (!m.has(RequestFlag::streaming) && !m.has(RequestFlag::pause))
        return {K::invalidData, "A reissue must not turn a stream into a snapshot."};
    if (m.key.has(KeyFlag::name) && eta::asText(m.key.name) != eta::asText(was.key.name))
        return {K::invalidData, "A reissue must not change the item name."};
    if (m.key.has(KeyFlag::nameType) && m.key.nameType != (was.key.has(KeyFlag::nameType) ? was.key.nameType : 1))
        return {K::invalidData, "A reissue must not change the name type."};
    if (m.has(RequestFlag::privateStream) && !item.isPrivate)
        return {K::invalidData, "A reissue must not turn a stream private."};
    const std::string_view changed = consumer::changeOfKey(m, consumer::rareKeyOf(was).get());
    return changed.empty() ? Refusal{} : Refusal{K::invalidData, std::string(changed)};
}

Refusal ItemRequests::reissue(Item& item, const RequestView& request) {
    if (item.wanted == nullptr && item.inner != 0) return item.session->role->reissue(item.inner, request);  // local
    Msg m = request.msg;
    if (request.serviceName.data() != nullptr || m.key.has(KeyFlag::serviceId)) {
        const bool same = item.service != nullptr &&
                          (request.serviceName.data() != nullptr ? request.serviceName == item.service->name
                                                                 : m.key.serviceId == item.service->id);
        if (!(item.service != nullptr ? same : mayName(item, request)))
            return {K::invalidData, "A reissue must not change the service."};
        m.key.flags = static_cast<std::uint16_t>(m.key.flags & ~KeyFlag::serviceId);
    }
    Msg was;
    if (!decodeMsg(Bytes(item.bytes), was).ok()) return {};  // encoded here
    Refusal refusal = item.inner != 0 ? item.session->role->reissue(item.inner, {m, {}}) : checkReissue(item, was, m);
    rdm::RequestPayload extras;
    if (!refusal && m.has(RequestFlag::view)) refusal = consumer::readExtras(m, extras);
    if (refusal) return refusal;
    // The next session gets it with the first request.
    item.paused = m.has(RequestFlag::pause);
    if (m.has(RequestFlag::priority)) {
        was.flags |= RequestFlag::priority;
        was.priorityClass = m.priorityClass;
        was.priorityCount = m.priorityCount;
    }
    const bool noView = was.has(RequestFlag::view) && !m.has(RequestFlag::view);
    GrowingBuffer payload;
    if (extras.view || noView) {
        // What else the first request says, such as the behaviours of a symbol list, holds on.
        const Bytes first = was.containerType == DataType::ElementList ? was.payload : Bytes{};
        const bool any = rdm::replaceView(first, extras.view ? m.payload : Bytes{}, payload.start());
        was.flags = static_cast<std::uint16_t>(noView ? was.flags & ~RequestFlag::view : was.flags | RequestFlag::view);
        was.containerType = any ? DataType::ElementList : DataType::NoData;
        was.payload = any ? payload.view() : Bytes{};
    }
    items_.store(item, was);
    return {};
}

void ItemRequests::close(Item& item) {
    if (item.inner != 0) static_cast<void>(item.session->role->unregister(item.inner));  // items are never refused
    else if (item.wanted != nullptr) item.wanted->unpark(item);
    item.inner = 0;
    item.wanted = nullptr;
    items_.release(item, false);
}

}  // namespace emissary::reactor::routing
