// Judges every message on an item stream, and passes it on to those who may see it.
#include "watchlist/Delivery.h"

#include "watchlist/stream_messages.h"

#include <new>
#include <utility>

namespace emissary::reactor::consumer {

using namespace eta::codec;

/// What a refresh means for its stream.
struct RefreshAnswer {
    bool complete;          ///< nothing more follows
    bool toPending;         ///< for sharers that wait for an image, not for those that have one
    bool answers;           ///< it is the image that was asked for, or a part of it
    bool streamEnds;        ///< it was a snapshot
    bool closedByProvider;  ///< and the provider says so
    bool crossed;           ///< it may have crossed a change of the stream
    bool imageWanted;       ///< a sharer waits for another image after this one
};

namespace {

/// Waits for another image than the one that it has.
bool renews(const Stream& s, const Request& r) noexcept {
    return r.state != Request::State::open && r.refreshed && s.said.imaged;
}

/// May have the message: has an image, or the first parts of the one under way.
bool getsUpdates(const Stream& s, const Request& r, bool relay) noexcept {
    return relay || r.state == Request::State::open ||
           (r.state == Request::State::pending && s.life.is(StreamPhase::receiving)) || renews(s, r);
}

RefreshAnswer judge(const Stream& s, const Msg& msg) noexcept {
    bool anyOpen = false, anyPending = false, anyWaiting = false;
    for (const Request* r = s.first(); r != nullptr; r = s.after(*r)) {
        anyOpen = anyOpen || r->state == Request::State::open;
        anyPending = anyPending || r->state == Request::State::pending;
        anyWaiting = anyWaiting || r->state == Request::State::waiting;
    }
    RefreshAnswer a{};
    a.complete = msg.has(RefreshFlag::complete);
    const bool solicited = msg.has(RefreshFlag::solicited);
    const bool first = !msg.has(RefreshFlag::partNum) || msg.partNum == 0;
    // A first answer that lacks the solicited flag would go to nobody; it is taken for the answer it must be. Later it
    // may be one that crossed a reissue. A solicited one that nobody waits for is meant for those that have the item.
    if (s.said.imaged) a.toPending = solicited && (s.life.is(StreamPhase::receiving) || (first && anyPending));
    else a.toPending = !anyOpen || (solicited && anyPending);
    a.answers = a.toPending || (solicited && !anyPending);
    a.closedByProvider = msg.state.stream == StreamState::nonStreaming;  // delivery rewrites the state
    a.streamEnds = a.complete && (a.closedByProvider || !s.said.streaming);
    a.crossed = s.said.changed;
    a.imageWanted = anyWaiting;
    return a;
}

}  // namespace

// --- from the peer ---------------------------------------------------------------------------------------------------

void Delivery::onMessage(Msg& msg) {
    // Statuses made here before this message came are delivered before it. Updates do not pay for the question.
    if (msg.cls != MsgClass::Update && requests_.noticesWaiting()) [[unlikely]]
        requests_.deliverNotices();
    Stream* found = streams_.find(msg.streamId);
    if (found == nullptr) [[unlikely]]
        return wire_.answerUnknown(msg);
    try {
        toStream(*found, msg);
    } catch (const std::bad_alloc&) {
        // The session ends; the record must not stay in delivery for ever.
        targets_.clear();
        streams_.unpin(*found);
        throw;
    }
}

void Delivery::toStream(Stream& s, Msg& msg) {
    if (msg.cls == MsgClass::Update) [[likely]] {
        // An update that crosses the close of a stream whose sharers have all left.
        if (s.last == nullptr) return;
        return s.isShared() ? onSharedUpdate(s, msg) : onUpdate(s, msg);
    }
    // Callbacks may close any handle, also the last one of this stream: its record stays until unpin().
    s.busy = true;
    switch (msg.cls) {
    case MsgClass::Refresh:
        onRefresh(s, msg);
        break;
    case MsgClass::Status:
        status(s, msg);
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
    streams_.unpin(s);
    recovery_.askAgain();
}

/// The posts that wait on a stream that ends get their naks while their handles are good; false when the stream has no
/// sharers any more after that.
bool Delivery::answerPosts(Stream& s) {
    if (!posts_.anyOf(s.wireId)) [[likely]]
        return true;
    posts_.streamEnds(s.wireId);
    return !s.life.is(StreamPhase::ended);
}

void Delivery::serviceLost(const ServiceEntry& service) {
    posts_.serviceLost([&](std::int32_t wireId) {
        const Stream* s = streams_.find(wireId);
        return s != nullptr && s->service == &service;
    });
}

void Delivery::onMalformed(std::int32_t wireId) {
    Stream* s = streams_.find(wireId);
    if (s == nullptr) return;
    wire_.close(*s);
    Msg status = makeStatus(*s, StreamState::closedRecover, 28, "The provider sent a message that cannot be decoded.");
    endRecoverably(*s, status);
    recovery_.askAgain();
}

void Delivery::onUpdate(Stream& s, Msg& msg) {
    Request& only = *s.last;
    if (!getsUpdates(s, only, relay())) [[unlikely]] {
        ++droppedEarly_;
        return;
    }
    s.busy = true;
    const Handle handle = only.handle();
    deliver(s, only, msg, false);
    if (s.opensData) [[unlikely]]
        lists_.openDataStreams(handle, msg, s.service->name);
    streams_.unpin(s);
}

void Delivery::onSharedUpdate(Stream& s, Msg& msg) {
    const std::size_t from = targets_.size();
    for (const Request* r = s.first(); r != nullptr; r = s.after(*r))
        if (getsUpdates(s, *r, relay())) targets_.push_back({r->handle(), false});
    if (targets_.size() == from) {
        ++droppedEarly_;
        return;
    }
    s.busy = true;
    deliverList(s, msg, from, false);
    streams_.unpin(s);
}

void Delivery::onRefresh(Stream& s, Msg& msg) {
    streams_.groups().put(s, msg.groupId);
    if (msg.state.isFinal()) wire_.closeIfCrossed(s);
    if (msg.state.stream == StreamState::closedRecover) return closedRecover(s, msg);
    if (msg.state.isFinal()) return closed(s, msg);
    if (!context_.allowSuspect && msg.state.data == DataState::suspect) return closedSuspect(s, msg);

    if (posts_.anyOf(s.wireId)) [[unlikely]] {
        // A nak runs a callback, which may close handles or open others. So the refresh is judged once for the naks,
        // and once more for what is left after them.
        const RefreshAnswer before = judge(s, msg);
        if (before.streamEnds && before.toPending && !answerPosts(s)) return;
    }
    const RefreshAnswer a = judge(s, msg);
    const std::size_t from = targets_.size();
    for (Request* r = s.first(); r != nullptr; r = s.after(*r)) {
        const bool wanted = relay()       ? true
                            : a.toPending ? r->state == Request::State::pending ||
                                                (s.said.otherView && r->state == Request::State::open)
                                          : r->state == Request::State::open || renews(s, *r);
        if (!wanted) continue;
        const bool ends = a.complete && (a.streamEnds || !r->streaming);
        if (a.complete && !ends && a.toPending) r->state = Request::State::open;
        targets_.push_back({r->handle(), ends});
    }
    if (a.complete) {
        s.said.imaged = true;
        s.said.crossed = !a.answers && s.life.wantsImage();
    }
    if (s.life.wantsImage() && a.answers) {
        streams_.step(s, a.complete ? StreamEvent::image : StreamEvent::part);
        if (a.complete) {
            s.said.otherView = false;
            s.qosFixed = true;
        } else {
            wire_.expectMore(s);
        }
    }
    s.life.setSuspect(msg.state.data == DataState::suspect);
    ServiceEntry& service = *s.service;
    deliverList(s, msg, from, a.complete);
    if (!s.life.is(StreamPhase::ended)) afterAnswer(s, a);
    recovery_.releaseQueued(service);
}

void Delivery::afterAnswer(Stream& s, const RefreshAnswer& a) {
    if (a.streamEnds && a.toPending) {
        // A snapshot that was answered Open is still open at the provider; so may be one that was changed meanwhile.
        if (s.life.onWire() && (!a.closedByProvider || a.crossed)) wire_.close(s);
        if (s.last == nullptr) return recovery_.retire(s, false);
        recovery_.park(s);  // those who wait for an image of their own
        recovery_.again(s);
    } else if (a.complete && s.last == nullptr) {
        recovery_.retire(s, !a.closedByProvider || a.crossed);
    } else if (a.complete && a.imageWanted && s.life.is(StreamPhase::open)) {
        wire_.askImage(s);
    }
}

void Delivery::status(Stream& s, Msg& msg) {
    if (msg.hasGroupId()) streams_.groups().put(s, msg.groupId);
    if (!msg.hasState()) return toAll(s, msg, false);
    if (msg.state.isFinal()) wire_.closeIfCrossed(s);
    if (msg.state.stream == StreamState::closedRecover) return closedRecover(s, msg);
    if (msg.state.isFinal()) return closed(s, msg);
    if (!context_.allowSuspect && msg.state.data == DataState::suspect) return closedSuspect(s, msg);
    if (msg.state.data != DataState::noChange) s.life.setSuspect(msg.state.data == DataState::suspect);
    toAll(s, msg, false);
}

void Delivery::onAck(Stream& s, Msg& msg) {
    // The ack is late, or answers nothing that was asked for, when there is no such handle.
    Request* r = relay() ? s.first() : requests_.find(posts_.takeAck(s.wireId, msg));
    if (r != nullptr && r->stream == &s) deliver(s, *r, msg, false);
}

// --- ends ------------------------------------------------------------------------------------------------------------

/// Closed or redirected: every sharer gets it and is gone. The provider closed the stream, so nothing is said to it.
void Delivery::closed(Stream& s, Msg& msg) {
    if (!answerPosts(s)) return;
    recovery_.end(s);
    try {
        toAll(s, msg, true);
    } catch (const std::bad_alloc&) {
        if (s.life.is(StreamPhase::closing)) recovery_.park(s);
        throw;
    }
    if (!s.life.is(StreamPhase::ended)) recovery_.retire(s, false);
}

/// Closed, but may come back: recovered when the consumer's login says so (session.md 4.4), else the end.
void Delivery::closedRecover(Stream& s, Msg& msg) {
    if (!recovery_.comesBack(s)) return closed(s, msg);
    if (!answerPosts(s)) return;
    ServiceEntry& service = *s.service;
    msg.state.stream = StreamState::open;
    msg.state.data = DataState::suspect;
    recovery_.park(s);
    toAll(s, msg, false);
    if (!s.life.is(StreamPhase::ended)) recovery_.againInTime(s);
    recovery_.releaseQueued(service);
}

/// Suspect data that the consumer's login does not allow: it ends with a CLOSE to the provider (session.md 4.4).
void Delivery::closedSuspect(Stream& s, Msg& msg) {
    wire_.close(s);
    msg.state.stream = StreamState::closedRecover;
    closedRecover(s, msg);
}

// --- made up here ----------------------------------------------------------------------------------------------------

void Delivery::onTimeout(Stream& s) {
    if (answeredUnsolicited(s)) return;
    wire_.close(s);
    Msg status = makeStatus(s, StreamState::closedRecover, 2, "Request timed out.");
    endRecoverably(s, status);
}

/// A provider that answers a reissue without the solicited flag has answered: everybody has had that image.
bool Delivery::answeredUnsolicited(Stream& s) {
    if (!s.said.crossed || !s.life.is(StreamPhase::renewing)) return false;
    for (const Request* r = s.first(); r != nullptr; r = s.after(*r))
        if (r->state != Request::State::open && !renews(s, *r)) return false;
    for (Request* r = s.first(); r != nullptr; r = s.after(*r))
        r->state = Request::State::open;
    s.said.otherView = s.said.crossed = false;
    streams_.step(s, StreamEvent::image);
    recovery_.releaseQueued(*s.service);
    return true;
}

void Delivery::onStatus(Stream& s, Msg& msg) {
    s.busy = true;
    status(s, msg);
    streams_.unpin(s);
}

void Delivery::endRecoverably(Stream& s, Msg& msg) {
    s.busy = true;
    closedRecover(s, msg);
    streams_.unpin(s);
}

void Delivery::toOne(Request& r, Msg& msg) {
    Stream& s = *r.stream;
    const bool within = std::exchange(s.busy, true);  // a delivery that is under way unpins it
    deliver(s, r, msg, false);
    if (!within) streams_.unpin(s);
}

// --- to the sharers --------------------------------------------------------------------------------------------------

void Delivery::toAll(Stream& s, Msg& msg, bool ends) {
    if (s.last != nullptr && !s.isShared()) return deliver(s, *s.last, msg, ends);
    const std::size_t from = targets_.size();
    for (const Request* r = s.first(); r != nullptr; r = s.after(*r))
        targets_.push_back({r->handle(), ends});
    deliverList(s, msg, from, false);
}

/// Delivers to targets_[from...] and takes them off again.
void Delivery::deliverList(Stream& s, Msg& msg, std::size_t from, bool complete) {
    const std::uint16_t flags = msg.flags;
    const State state = msg.state;
    for (std::size_t i = from; i < targets_.size(); ++i) {
        const Target t = targets_[i];
        Request* r = requests_.find(t.handle);
        if (r == nullptr || r->stream != &s) continue;  // given up inside an earlier callback
        if (msg.cls == MsgClass::Refresh) {
            msg.flags = flags;
            msg.state = state;
            // To a sharer that has had an image this one answers no request. It sees a refresh that the provider sent
            // by itself.
            if (r->refreshed && !relay()) msg.flags = static_cast<std::uint16_t>(msg.flags & ~RefreshFlag::solicited);
            // The stream goes on for others; for a sharer that asked for a snapshot it ends here.
            if (complete && !r->streaming && msg.state.stream == StreamState::open)
                msg.state.stream = StreamState::nonStreaming;
            if (complete) r->refreshed = true;
        }
        deliver(s, *r, msg, t.ends);
    }
    if (s.opensData && (msg.cls == MsgClass::Refresh || msg.cls == MsgClass::Update)) [[unlikely]]
        for (std::size_t i = from; i < targets_.size(); ++i)
            lists_.openDataStreams(targets_[i].handle, msg, s.service->name);
    targets_.resize(from);
}

/// One message to one sharer. The stream is busy; the request may be gone afterwards.
void Delivery::deliver(Stream& s, Request& r, Msg& msg, bool ends) {
    msg.streamId = r.appStreamId;
    const std::uint16_t flags = msg.flags;
    // An ack always says which item it is about, as the programs that read its name expect.
    if (!msg.hasKey() && msg.cls != MsgClass::Generic && (r.keyInUpdates || msg.cls == MsgClass::Ack)) fillKey(s, msg);
    // Copied, because the request may be released before the callback runs.
    const Recipient to = RequestTable::recipient(r);
    const bool internal = r.internal;
    // Who asked for several at once knows them by their names.
    if (r.parent != 0 && !(msg.hasKey() && msg.key.has(KeyFlag::name)) &&
        (msg.cls == MsgClass::Refresh || msg.cls == MsgClass::Status))
        fillKey(s, msg);
    if (ends) {
        Sharers::unlink(r);
        if (Lists::outlives(r, msg)) r.kind = Request::Kind::list;
        else requests_.release(r);
    }
    if (internal) context_.owner.onInternalMessage(msg, to.handle);
    else sink_.onMessage(msg, to, s.service->name);
    msg.flags = flags;  // the next sharer may not want a key
}

}  // namespace emissary::reactor::consumer
