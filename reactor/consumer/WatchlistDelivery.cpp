// What comes in on item streams, and the statuses that are made here.
#include "consumer/Watchlist.h"

#include <new>

namespace emissary::reactor::consumer {

using namespace eta::codec;

/// The key that a message lacks, from the request (session.md 4.2). Borrows the stream.
void Watchlist::fillKey(const Stream& s, Msg& msg) const noexcept {
    static constexpr std::uint16_t kKeyFlag[] = {
        0, 0, RefreshFlag::msgKey, StatusFlag::msgKey, UpdateFlag::msgKey, 0, AckFlag::msgKey, GenericFlag::msgKey, 0};
    const std::uint16_t flag = kKeyFlag[static_cast<std::size_t>(msg.cls)];
    msg.flags = static_cast<std::uint16_t>(msg.flags | flag);
    MsgKey& k = msg.key;
    k.flags = KeyFlag::serviceId;
    k.serviceId = s.service->id;
    if (s.hasName) {
        k.flags |= KeyFlag::name;
        k.name = s.name.view();
    }
    k.nameType = s.nameType;
    if (s.hasNameType) k.flags |= KeyFlag::nameType;
    if (!s.rare) return;
    k.flags = static_cast<std::uint16_t>(k.flags | s.rare->flags);
    k.filter = s.rare->filter;
    k.identifier = s.rare->identifier;
    k.attribType = s.rare->attribType;
    k.attrib = s.rare->attrib;
}

/// One message to one sharer. The stream is busy; the request may be gone afterwards.
void Watchlist::deliver(Stream& s, Request& r, Msg& msg, bool ends) {
    msg.streamId = r.appStreamId;
    // An ack always says which item it is about, as the programs that read its name expect.
    if (!msg.hasKey() && msg.cls != MsgClass::Generic && (r.keyInUpdates || msg.cls == MsgClass::Ack)) fillKey(s, msg);
    const Recipient to = RequestTable::recipient(r);
    const bool internal = r.internal;
    if (r.isData && !msg.hasKey() && (msg.cls == MsgClass::Refresh || msg.cls == MsgClass::Status)) fillKey(s, msg);
    if (ends) {
        unlink(r);
        if (r.opensData && outlivesItsStream(r, msg)) r.kind = Request::Kind::list;
        else requests_.release(r);
    }
    if (internal) owner_.onInternalMessage(msg, to.handle);
    else sink_.onMessage(msg, to, s.service->name);
}

void Watchlist::onMessage(Msg& msg) {
    if (msg.cls != MsgClass::Update && requests_.noticesWaiting()) [[unlikely]]
        requests_.deliverNotices();
    const auto id = static_cast<std::uint32_t>(msg.streamId);
    Stream* found = id < byWire_.size() ? byWire_[id] : nullptr;
    if (found == nullptr) [[unlikely]]
        return onUnknownStream(msg);
    try {
        toStream(*found, msg);
    } catch (const std::bad_alloc&) {
        // The session ends; the record must not stay in delivery for ever.
        deliveries_.clear();
        endDelivery(*found);
        throw;
    }
}

void Watchlist::toStream(Stream& s, Msg& msg) {
    if (msg.cls == MsgClass::Update) [[likely]]
        return onUpdate(s, msg);
    s.busy = true;
    switch (msg.cls) {
    case MsgClass::Refresh:
        onRefresh(s, msg);
        break;
    case MsgClass::Status:
        onStatus(s, msg);
        break;
    case MsgClass::Generic:
        toAll(s, msg, false);
        break;
    case MsgClass::Ack:
        onAck(s, msg);
        break;
    case MsgClass::Update:
    case MsgClass::Request:
    case MsgClass::Close:
    case MsgClass::Post:
        sink_.onWarning(std::string("dropped a ") + name(msg.cls) + " message from the provider on stream " +
                        std::to_string(msg.streamId));
        break;
    }
    endDelivery(s);
    if (!refetch_.empty()) refetchAll();
}

void Watchlist::onUpdate(Stream& s, Msg& msg) {
    Request* only = s.first;
    if (only == nullptr) return;
    if (only->next == nullptr) [[likely]] {
        if (only->state != Request::State::open && !(s.partial && only->state == Request::State::pending))
            [[unlikely]] {
            ++droppedEarly_;
            return;
        }
        s.busy = true;
        const Handle handle = only->handle;
        deliver(s, *only, msg, false);
        if (s.opensData) [[unlikely]]
            openDataStreamsOf(handle, msg, s.service->name);
        s.busy = false;
        if (s.dead) [[unlikely]]
            endDelivery(s);
        return;
    }
    const std::size_t from = deliveries_.size();
    for (const Request* r = s.first; r != nullptr; r = r->next)
        if (r->state == Request::State::open || (s.partial && r->state == Request::State::pending))
            deliveries_.push_back({r->handle, false});
    if (deliveries_.size() == from) {
        ++droppedEarly_;
        return;
    }
    s.busy = true;
    deliverList(s, msg, from, false);
    endDelivery(s);
}

/// Delivers to deliveries_[from...] and takes them off again.
void Watchlist::deliverList(Stream& s, Msg& msg, std::size_t from, bool complete) {
    const std::uint16_t flags = msg.flags;
    const State state = msg.state;
    for (std::size_t i = from; i < deliveries_.size(); ++i) {
        const Delivery d = deliveries_[i];
        Request* r = requests_.find(d.handle);
        if (r == nullptr || r->stream != &s) continue;  // given up inside an earlier callback
        if (msg.cls == MsgClass::Refresh) {
            msg.flags = flags;
            msg.state = state;
            if (r->refreshed) msg.flags = static_cast<std::uint16_t>(msg.flags & ~RefreshFlag::solicited);
            if (complete && !r->streaming && msg.state.stream == StreamState::open)
                msg.state.stream = StreamState::nonStreaming;
            if (complete) r->refreshed = true;
        }
        deliver(s, *r, msg, d.ends);
    }
    if (s.opensData && (msg.cls == MsgClass::Refresh || msg.cls == MsgClass::Update)) [[unlikely]]
        openDataStreams(s, msg, from);
    deliveries_.resize(from);
}

/// To every sharer, in the order of opening.
void Watchlist::toAll(Stream& s, Msg& msg, bool ends) {
    if (s.first != nullptr && s.first->next == nullptr) return deliver(s, *s.first, msg, ends);
    const std::size_t from = deliveries_.size();
    for (const Request* r = s.first; r != nullptr; r = r->next)
        deliveries_.push_back({r->handle, ends});
    deliverList(s, msg, from, false);
}

void Watchlist::onRefresh(Stream& s, Msg& msg) {
    const bool complete = msg.has(RefreshFlag::complete);
    const bool solicited = msg.has(RefreshFlag::solicited);
    groups_.put(s.group, msg.groupId);
    if (msg.state.isFinal()) closeIfCrossed(s);
    if (msg.state.stream == StreamState::closedRecover) return closedRecover(s, msg);
    if (msg.state.isFinal()) return ended(s, msg);
    if (!allowSuspect_ && msg.state.data == DataState::suspect) return closedSuspect(s, msg);
    s.suspect = msg.state.data == DataState::suspect;

    // A first answer that lacks the solicited flag would go to nobody; it is taken for the answer it must be.
    bool anyOpen = false;
    for (const Request* r = s.first; r != nullptr && !anyOpen; r = r->next)
        anyOpen = r->state == Request::State::open;
    const bool toPending = solicited || !anyOpen;
    const bool closedByProvider = msg.state.stream == StreamState::nonStreaming;  // delivery rewrites the state
    const bool streamEnds = complete && (closedByProvider || !s.wireStreaming);
    const bool crossed = s.reissued;
    const bool answered = s.state == Stream::State::requested && toPending;

    const std::size_t from = deliveries_.size();
    bool waiting = false;
    for (Request* r = s.first; r != nullptr; r = r->next) {
        waiting = waiting || r->state == Request::State::waiting;
        const bool wanted =
            toPending ? r->state == Request::State::pending || (s.viewPending && r->state == Request::State::open)
                      : r->state == Request::State::open;
        if (!wanted) continue;
        const bool ends = complete && (streamEnds || !r->streaming);
        if (complete && !ends) r->state = Request::State::open;
        deliveries_.push_back({r->handle, ends});
    }
    if (answered && complete) {
        settle(s);
        s.partial = s.viewPending = false;
        s.established = s.qosFixed = true;
    } else if (answered) {
        s.partial = true;
        s.established = true;
        if (options_.requestTimeout.count() != 0) startTimeout(s);
    }
    ServiceEntry& service = *s.service;
    deliverList(s, msg, from, complete);
    if (s.dead) return releaseQueued(service);

    if (streamEnds && toPending) {
        // A snapshot that was answered Open is still open at the provider; so may be one that was changed meanwhile.
        if (s.wireId != 0 && (!closedByProvider || crossed)) sendClose(s.wireId, s.domain);
        if (s.first == nullptr) return retire(s, false);
        park(s);  // those who wait for an image of their own
        refetchLater(s);
    } else if (complete && s.first == nullptr) {
        retire(s, !closedByProvider || crossed);
    } else if (complete && waiting && s.state == Stream::State::open) {
        askImage(s);
    }
    releaseQueued(service);
}

void Watchlist::onStatus(Stream& s, Msg& msg) {
    if (msg.hasGroupId()) groups_.put(s.group, msg.groupId);
    if (!msg.hasState()) return toAll(s, msg, false);
    if (msg.state.isFinal()) closeIfCrossed(s);
    switch (msg.state.stream) {
    case StreamState::closedRecover:
        return closedRecover(s, msg);
    case StreamState::closed:
    case StreamState::redirected:
        return ended(s, msg);
    default:
        break;
    }
    if (!allowSuspect_ && msg.state.data == DataState::suspect) return closedSuspect(s, msg);
    if (msg.state.data != DataState::noChange) s.suspect = msg.state.data == DataState::suspect;
    toAll(s, msg, false);
}

/// Closed or redirected: every sharer gets it and is gone. The provider closed the stream, so nothing is said to it.
void Watchlist::ended(Stream& s, Msg& msg) {
    ServiceEntry& service = *s.service;
    const bool wasBusy = s.busy;
    s.busy = true;
    unindex(s);
    if (s.wireId != 0 || s.state == Stream::State::queued || s.state == Stream::State::parked) {
        dropWire(s);
        s.state = Stream::State::parked;
        service.parked.append(s);  // a list to be on until the callbacks are over
    }
    toAll(s, msg, true);
    if (!s.dead) retire(s, false);
    s.busy = wasBusy;
    if (!wasBusy) endDelivery(s);
    releaseQueued(service);
}

/// Closed, but may come back: recovered when the consumer's login says so (session.md 4.4), else the end.
void Watchlist::closedRecover(Stream& s, Msg& msg) {
    if (!singleOpen_ || s.isPrivate) return ended(s, msg);
    ServiceEntry& service = *s.service;
    const bool wasBusy = s.busy;
    s.busy = true;
    msg.state.stream = StreamState::open;
    msg.state.data = DataState::suspect;
    s.suspect = true;
    park(s);
    toAll(s, msg, false);
    if (!s.dead) retryLater(s);
    s.busy = wasBusy;
    if (!wasBusy) endDelivery(s);
    releaseQueued(service);
}

/// Suspect data that the consumer's login does not allow: the end, which the provider has to be told (session.md 4.4).
void Watchlist::closedSuspect(Stream& s, Msg& msg) {
    if (s.wireId != 0) sendClose(s.wireId, s.domain);
    msg.state.stream = StreamState::closedRecover;
    closedRecover(s, msg);
}

void Watchlist::onAck(Stream& s, Msg& msg) {
    PostLedger::Entry entry;
    const PostLedger::Key key{s.wireId, msg.ackId, msg.has(AckFlag::seqNum) ? msg.seqNum : 0, msg.has(AckFlag::seqNum)};
    if (!posts_.take(key, entry)) return;  // late, or nobody asked
    if (Request* r = requests_.find(entry.poster); r != nullptr && r->stream == &s) deliver(s, *r, msg, false);
}

/// A final message that crosses a reissue must not leave the provider believing that the stream is open.
void Watchlist::onUnknownStream(const Msg& msg) {
    const bool state = (msg.cls == MsgClass::Refresh || msg.cls == MsgClass::Status) && msg.hasState();
    if (!state || !msg.state.isFinal() || msg.streamId <= 0) return;
    Msg close;
    close.cls = MsgClass::Close;
    close.domain = msg.domain;
    close.streamId = msg.streamId;
    sender_.answer(close);
    if (tellRequests_) owner_.onRequestSent(close);
}

void Watchlist::onMalformed(std::int32_t wireId) {
    const auto id = static_cast<std::uint32_t>(wireId);
    Stream* s = id < byWire_.size() ? byWire_[id] : nullptr;
    if (s == nullptr) return;
    sendClose(wireId, s->domain);
    Msg status;
    makeStatus(*s, status, StreamState::closedRecover, 28, "The provider sent a message that cannot be decoded.");
    closedRecover(*s, status);
    refetchAll();
}

void Watchlist::makeStatus(const Stream& s, Msg& msg, std::uint8_t stream, std::uint8_t code,
                           std::string_view text) const noexcept {
    msg = {};
    msg.cls = MsgClass::Status;
    msg.domain = s.domain;
    msg.flags = StatusFlag::state;
    if (s.isPrivate) msg.flags |= StatusFlag::privateStream;
    msg.state = {stream, DataState::suspect, code, eta::asBytes(text)};
    fillKey(s, msg);
}

// --- services come, change and go ------------------------------------------------------------------------------------

void Watchlist::onServiceAdded(const rdm::Service& service) {
    if (!service.has(rdm::DirectoryFilter::info)) return;  // nameless: nobody can ask for it yet
    ServiceEntry* entry = entryOf(service);
    if (entry == nullptr) {
        services_.push_back(std::make_unique<ServiceEntry>());
        entry = services_.back().get();
        entry->name = service.name();
    }
    entry->id = service.id;
    entry->model = &service;
    recoverParked(*entry);
}

void Watchlist::onServiceChanged(const rdm::Service& service, std::uint32_t) {
    ServiceEntry* entry = entryOf(service);
    if (entry == nullptr || entry->model == nullptr) return onServiceAdded(service);
    recoverParked(*entry);
}

void Watchlist::onServiceDeleted(const rdm::Service& service) {
    ServiceEntry* entry = entryOf(service);
    if (entry == nullptr || entry->model != &service) return;
    entry->model = nullptr;
    serviceLost(*entry, "Service for this item was lost.", false);
}

/// Every stream that was out, in order: parked (or ended, where it must not be recovered) and told so. `final`: the
/// login stream is gone, nothing is recovered.
void Watchlist::serviceLost(ServiceEntry& service, std::string_view text, bool final) {
    struct Lost {
        Stream* stream;
        bool ends;
        std::uint8_t state;
    };
    stopRecovering(service);
    std::vector<Lost> lost;
    lost.reserve(service.live.size + service.queued.size);
    for (StreamList* list : {&service.live, &service.queued}) {
        for (Stream* s = list->first; s != nullptr; s = s->next) {
            const bool doneDictionary = s->domain == 5 && s->qosFixed;
            const bool ends = final || s->isPrivate || !singleOpen_ || doneDictionary;
            const std::uint8_t state = final || doneDictionary ? StreamState::closed
                                       : ends                  ? StreamState::closedRecover
                                                               : StreamState::open;
            lost.push_back({s, ends, state});
        }
    }
    if (final) {
        for (Stream* s = service.parked.first; s != nullptr; s = s->next)
            lost.push_back({s, true, StreamState::closed});
    }
    // First the records, then the callbacks: those may close and open at will.
    for (const Lost& l : lost) {
        l.stream->busy = true;
        l.stream->suspect = true;
        if (l.stream->state != Stream::State::parked) park(*l.stream);
    }
    for (const Lost& l : lost) {
        Stream& s = *l.stream;
        if (s.dead) {
            endDelivery(s);
            continue;
        }
        Msg status;
        makeStatus(s, status, l.state, 0, text);
        toAll(s, status, l.ends);
        if (l.ends && !s.dead) retire(s, false);
        endDelivery(s);
    }
}

void Watchlist::connectionLost() {
    posts_.forgetAll();
    timeouts_.clear();
    reactor_.cancelTimer(std::exchange(timeoutTimer_, 0));
}

void Watchlist::loginClosed() {
    for (std::size_t i = 0; i < services_.size(); ++i)
        serviceLost(*services_[i], "Login stream was closed.", true);
}

template <class Wanted>
void Watchlist::fanOut(ServiceEntry& service, const State& state, Wanted wanted) {
    struct Target {
        Stream* stream;
        std::int32_t wireId;
    };
    std::vector<Target> targets;
    for (Stream* s = service.live.first; s != nullptr; s = s->next)
        if (wanted(*s)) targets.push_back({s, s->wireId});
    for (const Target& t : targets) {
        if (byWire_[static_cast<std::size_t>(t.wireId)] != t.stream) continue;
        Stream& s = *t.stream;
        Msg msg;
        makeStatus(s, msg, state.stream, state.code, eta::asText(state.text));
        msg.state.data = state.data;
        s.busy = true;
        onStatus(s, msg);
        endDelivery(s);
    }
    refetchAll();
}

void Watchlist::onServiceStatus(const rdm::Service& service, const State& state) {
    if (ServiceEntry* entry = entryOf(service)) fanOut(*entry, state, [](const Stream&) { return true; });
}

void Watchlist::onGroupMerged(const rdm::Service& service, Bytes group, Bytes into) {
    ServiceEntry* entry = entryOf(service);
    if (entry == nullptr) return;
    const auto from = groups_.find(group);
    for (Stream* s = entry->live.first; s != nullptr; s = s->next)
        if (rdm::ItemGroups::same(s->group, from)) groups_.put(s->group, into);
}

void Watchlist::onGroupStatus(const rdm::Service& service, Bytes group, const State& state) {
    const auto number = groups_.find(group);
    if (ServiceEntry* entry = entryOf(service))
        fanOut(*entry, state,
               [number](const Stream& s) { return rdm::ItemGroups::same(s.group, number) && s.established; });
}

}  // namespace emissary::reactor::consumer
