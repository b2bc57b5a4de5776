// Requests that stand for several: batches (rdm.md 6.3) and symbol lists that open what they name (rdm.md 6.6).
#include "consumer/Watchlist.h"
#include "eta/codec/containers.h"

namespace emissary::reactor::consumer {

using namespace eta::codec;
using K = Refusal::Kind;

/// A request whose payload is for this side.
Handle Watchlist::openExtra(const RequestView& request, const Subscriber& subscriber, Refusal& refusal, bool internal) {
    RequestExtras extras;
    if (!readExtras(request.msg, extras, refusal)) return 0;
    if (extras.wantsView && !extras.view) {
        refusal.set(K::invalidArgument, "A view needs ':ViewType' and ':ViewData'.");
        return 0;
    }
    Msg plain = request.msg;
    plain.flags = static_cast<std::uint16_t>(plain.flags & ~(RequestFlag::batch | RequestFlag::view));
    plain.containerType = extras.rest.empty() ? DataType::NoData : DataType::ElementList;
    plain.payload = extras.rest;
    Traits traits;
    traits.internal = internal;
    traits.view = extras.view;
    traits.dataStreams = extras.dataStreams;
    const RequestView view{plain, request.serviceName};
    return extras.batch ? openBatch(view, subscriber, refusal, extras, traits)
                        : openOne(view, subscriber, refusal, traits);
}

/// The wire never sees a batch: each name is a request of its own, shared as usual.
Handle Watchlist::openBatch(const RequestView& request, const Subscriber& subscriber, Refusal& refusal,
                            const RequestExtras& extras, const Traits& traits) {
    if (request.msg.key.has(KeyFlag::name)) {
        refusal.set(K::invalidArgument, "A batch request has its names in ':ItemList'; its key must have none.");
        return 0;
    }
    std::string unknown;
    const ServiceEntry* service = entryFor(request, refusal, unknown);
    if (refusal) return 0;
    Request& parent = requests_.add(Request::Kind::batch, subscriber);
    parent.appStreamId = requests_.nextAppStreamId();
    if (!closedText_.empty()) return refuse(parent, request, 0, closedText_);
    if (service == nullptr) return refuseService(parent, request, std::move(unknown));

    const Handle handle = parent.handle;
    RequestTable::Notice n;
    n.handle = handle;
    n.state = {StreamState::closed, DataState::ok, 0, {}};
    n.text = "Batch request acknowledged.";
    n.domain = request.msg.domain;
    n.serviceName = service->name;
    n.serviceId = service->id;
    n.isPrivate = request.msg.has(RequestFlag::privateStream);
    requests_.later(std::move(n));

    batches_[handle] = static_cast<std::uint32_t>(extras.names.size());
    const Subscriber child{subscriber.client, subscriber.closure, handle};
    std::vector<Handle> made;
    made.reserve(extras.names.size());
    Msg one = request.msg;
    one.key.flags |= KeyFlag::name;
    for (const Bytes name : extras.names) {
        one.key.name = name;
        const Handle h = openOne({one, request.serviceName}, child, refusal, traits);
        if (refusal) break;
        made.push_back(h);
    }
    if (!refusal) return handle;
    batches_.erase(handle);
    for (const Handle h : made)
        if (Request* r = requests_.find(h)) close(*r);
    requests_.release(parent);
    return 0;
}

/// Records about a request end with it, and so does what depends on it.
void Watchlist::onRelease(const Request& r) {
    if (r.hasView) views_.erase(r.handle);
    if (r.opensData) {
        if (const auto it = lists_.find(r.handle); it != lists_.end()) {
            const SymbolList list = std::move(it->second);
            lists_.erase(it);
            for (const auto& [name, handle] : list.items)
                if (Request* item = requests_.find(handle)) close(*item);
        }
    }
    if (r.isData) {
        const auto it = lists_.find(r.parent);
        if (it == lists_.end() || --it->second.live != 0) return;
        if (Request* list = requests_.find(r.parent); list != nullptr && list->kind == Request::Kind::list)
            requests_.release(*list);
    } else if (r.parent != 0) {
        const auto it = batches_.find(r.parent);
        if (it == batches_.end() || --it->second != 0) return;
        batches_.erase(it);
        if (Request* batch = requests_.find(r.parent)) requests_.release(*batch);
    }
}

/// A snapshot of a symbol list is over with its refresh; the streams that it opened go on under its handle.
bool Watchlist::outlivesItsStream(const Request&, const Msg& msg) const noexcept {
    return msg.cls == MsgClass::Refresh && msg.state.stream == StreamState::nonStreaming;
}

/// For those to whom deliveries_[from...] brought a part of a symbol list.
void Watchlist::openDataStreams(Stream& s, const Msg& msg, std::size_t from) {
    for (std::size_t i = from; i < deliveries_.size(); ++i)
        openDataStreamsOf(deliveries_[i].handle, msg, s.service->name);
}

void Watchlist::openDataStreamsOf(Handle handle, const Msg& msg, const std::string& serviceName) {
    const Request* list = requests_.find(handle);
    if (list == nullptr || !list->opensData) return;
    const Subscriber subscriber{list->client, list->closure, handle};
    const auto modeOf = lists_.find(handle);
    if (modeOf == lists_.end()) return;
    Msg request;
    request.cls = MsgClass::Request;
    if (modeOf->second.mode == DataStreams::streaming) request.flags = RequestFlag::streaming;
    request.key.flags = KeyFlag::name;
    Traits traits;
    traits.isData = true;

    MapDecoder map;
    MapEntry entry;
    const bool readable = msg.containerType == DataType::Map && map.start(msg.payload).ok();
    while (readable && map.next(entry)) {
        if (entry.action == MapAction::del || entry.key.empty() || entry.key.size() > 255) continue;
        SymbolList& of = lists_.find(handle)->second;
        Handle& item = of.items[std::string(eta::asText(entry.key))];
        if (requests_.find(item) != nullptr) continue;
        request.key.name = entry.key;
        ++of.live;
        Refusal refusal;
        item = openOne({request, serviceName}, subscriber, refusal, traits);
        if (item == 0) --of.live;
    }
    if (readable && !map.error().ok())
        sink_.onWarning("a symbol list of service " + serviceName + " cannot be decoded to its end");
    if (Request* over = requests_.find(handle);
        over != nullptr && over->kind == Request::Kind::list && lists_.find(handle)->second.live == 0)
        requests_.release(*over);
}

}  // namespace emissary::reactor::consumer
