// Opens the items of a batch and those that a symbol list names.
#include "watchlist/Lists.h"

#include "eta/codec/containers.h"

#include <utility>

namespace emissary::reactor::consumer {

using namespace eta::codec;
using K = Refusal::Kind;

namespace {

constexpr std::size_t kMostDataStreams = 100'000;  // of one symbol list: the peer says how many it names

}  // namespace

Handle Lists::open(const RequestView& request, const Subscriber& subscriber, Refusal& refusal, bool internal) {
    RequestPayload extras;
    if (refusal = readExtras(request.msg, extras); refusal) return 0;
    if (request.msg.has(RequestFlag::view) && !extras.view) {
        refusal = {K::invalidArgument, "A view needs ':ViewType' and ':ViewData'."};
        return 0;
    }
    Msg plain = request.msg;
    plain.flags = static_cast<std::uint16_t>(plain.flags & ~(RequestFlag::batch | RequestFlag::view));
    plain.containerType = extras.rest.empty() ? DataType::NoData : DataType::ElementList;
    plain.payload = extras.rest;
    Opening::Traits traits;
    traits.internal = internal;
    if (extras.view) traits.view = std::make_shared<const View>(std::move(*extras.view));
    traits.dataStreams = extras.dataStreams;
    const RequestView view{plain, request.serviceName};
    return request.msg.has(RequestFlag::batch) ? openBatch(view, subscriber, refusal, extras.names, traits)
                                               : openOne(view, subscriber, refusal, traits);
}

Handle Lists::openOne(const RequestView& request, const Subscriber& subscriber, Refusal& refusal,
                      const Opening::Traits& traits) {
    const Handle handle = opening_.open(request, subscriber, refusal, traits);
    if (const Request* r = context_.requests.find(handle); r != nullptr && r->opensData)
        lists_[handle].mode = traits.dataStreams;
    return handle;
}

/// The wire never sees a batch: each name is a request of its own, shared as usual.
Handle Lists::openBatch(const RequestView& request, const Subscriber& subscriber, Refusal& refusal,
                        const std::vector<Bytes>& names, const Opening::Traits& traits) {
    if (request.msg.key.has(KeyFlag::name)) {
        refusal = {K::invalidArgument, "A batch request has its names in ':ItemList'; its key must have none."};
        return 0;
    }
    std::string unknown;
    const ServiceEntry* service = services_.wantedBy(request, opening_.waits(request.msg), refusal, unknown);
    if (refusal) return 0;
    Request& parent = context_.requests.add(Request::Kind::batch, subscriber);
    parent.appStreamId = context_.requests.nextAppStreamId();
    const Handle handle = parent.handle();
    if (opening_.refused(parent, request, service, std::move(unknown))) return handle;

    RequestTable::Notice n;
    n.handle = handle;
    n.state = {StreamState::closed, DataState::ok, 0, {}};
    n.text = "Batch request acknowledged.";
    n.domain = request.msg.domain;
    n.serviceName = service->name;
    n.serviceId = service->number();
    n.isPrivate = request.msg.has(RequestFlag::privateStream);
    context_.requests.later(std::move(n));

    batches_[handle] = static_cast<std::uint32_t>(names.size());
    const Subscriber child{subscriber.client, subscriber.closure, handle};
    std::vector<Handle> made;
    made.reserve(names.size());
    Msg one = request.msg;
    one.key.flags |= KeyFlag::name;
    for (const Bytes name : names) {
        one.key.name = name;
        const Handle h = openOne({one, request.serviceName}, child, refusal, traits);
        if (refusal) break;
        made.push_back(h);
    }
    if (!refusal) return handle;
    batches_.erase(handle);
    for (const Handle h : made)
        if (Request* r = context_.requests.find(h)) opening_.close(*r);
    context_.requests.release(parent);
    return 0;
}

void Lists::released(const Request& r) {
    if (r.opensData) {
        if (const auto it = lists_.find(r.handle()); it != lists_.end()) {
            const SymbolList list = std::move(it->second);
            lists_.erase(it);
            for (const auto& [name, handle] : list.items)
                if (Request* item = context_.requests.find(handle)) opening_.close(*item);
        }
    }
    if (r.isData) {
        const auto it = lists_.find(r.parent);
        if (it != lists_.end() && --it->second.live == 0) releaseParent(r.parent, Request::Kind::list);
    } else if (r.parent != 0) {
        const auto it = batches_.find(r.parent);
        if (it == batches_.end() || --it->second != 0) return;
        batches_.erase(it);
        releaseParent(r.parent, Request::Kind::batch);
    }
}

/// The last of what it stands for has ended.
void Lists::releaseParent(Handle parent, Request::Kind kind) {
    if (Request* r = context_.requests.find(parent); r != nullptr && r->kind == kind) context_.requests.release(*r);
}

/// A list that names ever new items would keep the names of all that have ended.
void Lists::forgetEnded(SymbolList& list) {
    boost::unordered::erase_if(list.items, [this](const auto& named) { return !isOpen(named.second); });
    list.sweptAt = list.items.size();
}

void Lists::openDataStreams(Handle handle, const Msg& msg, const std::string& serviceName) {
    const Request* list = context_.requests.find(handle);
    if (list == nullptr || !list->opensData) return;
    const auto of = lists_.find(handle);
    if (of == lists_.end()) return;
    of->second.service = serviceName;
    const bool waited = !of->second.waiting.empty();
    if (!waited) due_.push_back(handle);  // first, since it needs memory
    note(of->second, msg);
    if (of->second.live == 0) releaseParent(handle, Request::Kind::list);
    openOn();
}

/// Those that the message names, and that are not open, wait to be opened.
void Lists::note(SymbolList& of, const Msg& msg) {
    MapDecoder map;
    MapEntry entry;
    const bool readable = msg.containerType == DataType::Map && map.start(msg.payload).ok();
    while (readable && map.next(entry)) {
        if (entry.action == MapAction::del || entry.key.empty() || entry.key.size() > 255) continue;
        std::string name(eta::asText(entry.key));
        const auto known = of.items.find(name);
        if (known != of.items.end() && isOpen(known->second)) continue;
        if (of.live >= kMostDataStreams) {
            if (!std::exchange(of.full, true))
                context_.sink.onWarning("a symbol list of service " + of.service + " names more items than the " +
                                        std::to_string(kMostDataStreams) +
                                        " that are opened for one list; the others are left out");
            break;
        }
        if (of.items.size() >= 2 * of.sweptAt + 64) forgetEnded(of);
        of.waiting.push_back(name);
        of.items[std::move(name)] = kWaits;
        ++of.live;
    }
    if (readable && !map.error().ok())
        context_.sink.onWarning("a symbol list of service " + of.service + " cannot be decoded to its end");
}

/// As many as this turn has time for.
void Lists::openOn() {
    if (timer_ != 0) return;
    const TurnShare::Piece piece(share_);
    for (bool goesOn = true; goesOn && !due_.empty(); goesOn = piece.left()) {
        const Handle handle = due_.front();
        const auto of = lists_.find(handle);
        if (of == lists_.end() || of->second.waiting.empty()) due_.pop_front();
        else openFirst(handle);
    }
    if (due_.empty()) return;
    timer_ = context_.reactor.startTimer(Duration::zero(), [this] {
        timer_ = 0;
        openOn();
    });
}

void Lists::openFirst(Handle handle) {
    SymbolList& of = lists_.find(handle)->second;
    const Request* const list = context_.requests.find(handle);
    const std::string name = std::move(of.waiting.front());
    of.waiting.pop_front();
    Handle& item = of.items[name];
    item = 0;
    if (list == nullptr) {
        --of.live;
        return;
    }
    Msg request;
    request.cls = MsgClass::Request;
    if (of.mode == DataStreams::streaming) request.flags = RequestFlag::streaming;
    request.key.flags = KeyFlag::name;
    request.key.name = eta::asBytes(name);
    Opening::Traits traits;
    traits.isData = true;
    Refusal refusal;
    item = opening_.open({request, of.service}, {list->client, list->closure, handle}, refusal, traits);
    if (item == 0 && --of.live == 0) releaseParent(handle, Request::Kind::list);
}

}  // namespace emissary::reactor::consumer
