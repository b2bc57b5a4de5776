// The life of a wire stream: matching a service, requesting, timing out, parking, recovering, ending.
#include "consumer/Watchlist.h"
#include "consumer/stream_key.h"
#include "rdm/mismatch.h"
#include "reactor/rdm/Qos.h"

namespace emissary::reactor::consumer {

using namespace eta::codec;

namespace {

// A freed id rests until this many others were freed: messages that cross its close must not reach a new stream.
constexpr std::size_t kRestingIds = 65536;

constexpr std::size_t kHeapBytes = 48;  // about what a stream has there: a long name, its request on the way out

}  // namespace

StreamList& Watchlist::listOf(Stream& s) noexcept {
    switch (s.state) {
    case Stream::State::parked:
        return s.service->parked;
    case Stream::State::queued:
        return s.service->queued;
    case Stream::State::requested:
    case Stream::State::open:
        break;
    }
    return s.service->live;
}

/// Why the service cannot serve such a request now, or null; then `chosen` is its QoS (session.md 4.1, steps 5 and 6).
const char* Watchlist::match(const ServiceEntry& service, std::uint8_t domain, const RareKey* rare, const Qos* fixed,
                             Qos& chosen) const noexcept {
    if (service.model == nullptr) return "No matching service present.";
    if (fixed != nullptr) return rdm::mismatch(*service.model, domain, fixed, nullptr, chosen);
    if (rare == nullptr || !rare->hasQos) return rdm::mismatch(*service.model, domain, nullptr, nullptr, chosen);
    return rdm::mismatch(*service.model, domain, &rare->best, rare->hasWorst ? &rare->worst : nullptr, chosen);
}

Watchlist::KeyView Watchlist::keyOf(const Stream& s) const noexcept {
    KeyView k;
    k.service = s.service;
    k.name = s.name.view();
    k.rare = s.rare.get();
    k.qos = s.qos;
    k.domain = s.domain;
    k.nameType = s.nameType;
    k.hasName = s.hasName;
    return k;
}

void Watchlist::addToIndex(Stream& s) {
    s.hash = static_cast<std::uint32_t>(keyOf(s).hash());
    index_.insert(&s);
    s.indexed = true;
}

void Watchlist::unindex(Stream& s) noexcept {
    if (!s.indexed) return;
    index_.erase(&s);
    s.indexed = false;
}

std::int32_t Watchlist::takeWireId() {
    std::int32_t id = 0;
    if (freedIds_.size() > kRestingIds) {
        id = freedIds_.front();
        freedIds_.pop_front();
    } else {
        id = nextWireId_++;
    }
    if (static_cast<std::size_t>(id) >= byWire_.size()) byWire_.resize(byWire_.size() * 2);
    return id;
}

/// Sends the first request, or queues the stream while the service's open window is full.
void Watchlist::start(Stream& s) {
    ServiceEntry& service = *s.service;
    if (options_.obeyOpenWindow && service.model->load.openWindow &&
        service.outstanding >= *service.model->load.openWindow) {
        s.state = Stream::State::queued;
        service.queued.append(s);
        return;
    }
    s.wireId = takeWireId();
    byWire_[static_cast<std::size_t>(s.wireId)] = &s;
    s.state = Stream::State::open;  // askImage() makes it requested
    service.live.append(s);
    askImage(s);
}

/// Asks for an image on the stream's id; everybody who wants one waits for it from here on.
void Watchlist::askImage(Stream& s) {
    for (Request* r = s.first; r != nullptr; r = r->next)
        if (r->state == Request::State::waiting) r->state = Request::State::pending;
    s.state = Stream::State::requested;
    ++s.service->outstanding;
    s.partial = false;
    sendRequest(s, true);
    startTimeout(s);
}

void Watchlist::mergedPriority(const Stream& s, std::uint8_t& cls, std::uint16_t& count) const noexcept {
    cls = 0;
    std::uint32_t sum = 0;
    for (const Request* r = s.first; r != nullptr; r = r->next) {
        if (r->priorityClass > cls) {
            cls = r->priorityClass;
            sum = 0;
        }
        if (r->priorityClass == cls) sum += r->priorityCount;
    }
    count = static_cast<std::uint16_t>(std::min<std::uint32_t>(sum, 0xFFFF));
}

bool Watchlist::wantsPause(const Stream& s) const noexcept {
    if (!supportsPause_ || s.first == nullptr) return false;
    for (const Request* r = s.first; r != nullptr; r = r->next)
        if (!r->paused) return false;
    return true;
}

void Watchlist::sendRequest(Stream& s, bool wantsImage) {
    bool streaming = s.wireStreaming;
    for (const Request* r = s.first; r != nullptr && !streaming; r = r->next)
        streaming = r->streaming;
    s.wireStreaming = streaming;
    s.reissued = s.reissued || s.established || !wantsImage;
    s.wirePaused = wantsPause(s);
    mergedPriority(s, s.priorityClass, s.priorityCount);
    s.prioritySaid = s.prioritySaid || s.priorityClass != 1 || s.priorityCount != 1;
    if (s.viewed) takeWireView(s, wantsImage);
    Msg m;
    writeRequest(s, m);
    if (!wantsImage) m.flags |= RequestFlag::noRefresh;
    sender_.send(m);
    if (tellRequests_) owner_.onRequestSent(m);
}

/// The request as the stream stands; borrows the stream.
void Watchlist::writeRequest(const Stream& s, Msg& m) {
    m.cls = MsgClass::Request;
    m.domain = s.domain;
    m.streamId = s.wireId;
    m.flags = RequestFlag::qos;
    m.qos = s.qos;
    if (s.wireStreaming) m.flags |= RequestFlag::streaming;
    if (s.wirePaused) m.flags |= RequestFlag::pause;
    if (s.isPrivate) m.flags |= RequestFlag::privateStream;
    if (s.prioritySaid) {  // a provider keeps what it heard last, so the way back to 1/1 must be said too
        m.flags |= RequestFlag::priority;
        m.priorityClass = s.priorityClass;
        m.priorityCount = s.priorityCount;
    }
    m.key.flags = KeyFlag::serviceId;
    m.key.serviceId = s.service->id;
    if (s.hasName) {
        m.key.flags |= KeyFlag::name;
        m.key.name = s.name.view();
    }
    if (s.hasNameType) {
        m.key.flags |= KeyFlag::nameType;
        m.key.nameType = s.nameType;
    }
    if (s.rare) {
        const RareKey& rare = *s.rare;
        m.key.flags = static_cast<std::uint16_t>(m.key.flags | rare.flags);
        m.key.identifier = rare.identifier;
        m.key.filter = rare.filter;
        m.key.attribType = rare.attribType;
        m.key.attrib = rare.attrib;
        if (rare.hasExtendedHeader) {
            m.flags |= RequestFlag::extendedHeader;
            m.extendedHeader = rare.extendedHeader;
        }
        m.containerType = rare.payloadType;
        m.payload = rare.payload;
    }
    if (s.viewed) writePayload(s, m);
}

void Watchlist::sendClose(std::int32_t wireId, std::uint8_t domain) {
    Msg m;
    m.cls = MsgClass::Close;
    m.domain = domain;
    m.streamId = wireId;
    sender_.send(m);
    if (tellRequests_) owner_.onRequestSent(m);
}

/// After sharers came, left or changed: tells the provider when priority or pause are different now.
void Watchlist::reissueIfChanged(Stream& s) {
    if (s.wireId == 0 || !s.wireStreaming) return;  // a snapshot's answer ends its stream: nothing to be changed
    std::uint8_t cls = 0;
    std::uint16_t count = 0;
    mergedPriority(s, cls, count);
    if (cls == s.priorityClass && count == s.priorityCount && wantsPause(s) == s.wirePaused && !viewChanged(s)) return;
    sendRequest(s, false);
}

/// The request is answered, or nobody waits for the answer any more.
void Watchlist::settle(Stream& s) noexcept {
    if (s.state != Stream::State::requested) return;
    s.state = Stream::State::open;
    s.timerMark = 0;
    --s.service->outstanding;
}

void Watchlist::leaveList(Stream& s) noexcept {
    settle(s);
    listOf(s).remove(s);
}

/// Takes the stream off the wire records; says nothing to the peer. The stream is on no list afterwards.
void Watchlist::dropWire(Stream& s) {
    leaveList(s);
    if (s.wireId == 0) return;
    posts_.forget(s.wireId);
    if (tellRequests_) owner_.onStreamEnded(s.wireId, s.domain, s.service->source);
    byWire_[static_cast<std::size_t>(s.wireId)] = nullptr;
    freedIds_.push_back(s.wireId);
    s.wireId = 0;
    groups_.take(s.group);  // what the directory says about groups is for streams on the wire
    s.partial = s.wirePaused = s.established = s.wireStreaming = s.reissued = s.prioritySaid = false;
    if (s.viewed) forgetWireView(s);
}

/// Off the wire, waiting for its service. Parked streams are not shared: newcomers find them when they come back.
void Watchlist::park(Stream& s) {
    dropWire(s);
    unindex(s);
    s.state = Stream::State::parked;
    s.service->parked.append(s);
    for (Request* r = s.first; r != nullptr; r = r->next)
        r->state = Request::State::pending;
}

/// Nobody is left. The record stays while a delivery is under way.
void Watchlist::retire(Stream& s, bool sayClose) {
    ServiceEntry& service = *s.service;
    const bool listed = s.wireId != 0 || s.prev != nullptr || s.next != nullptr || listOf(s).first == &s;
    if (s.wireId != 0 && sayClose) sendClose(s.wireId, s.domain);
    if (listed) dropWire(s);
    unindex(s);
    if (s.refetch) std::replace(refetch_.begin(), refetch_.end(), &s, static_cast<Stream*>(nullptr));
    s.refetch = false;
    forgetRetry(s);
    s.dead = true;
    if (!s.busy) endDelivery(s);
    if (listed) releaseQueued(service);
}

bool Watchlist::endDelivery(Stream& s) {
    s.busy = false;
    if (!s.dead) return true;
    s.dead = false;
    s.first = s.last = nullptr;
    s.rare.reset();
    forgetRetry(s);
    s.name.assign({});
    --streams_;
    pool_.give(&s);
    reactor_.noteFreed(kHeapBytes);
    return false;
}

/// A parked stream tries again; says so when it has to go on waiting.
void Watchlist::recover(Stream& s) {
    ServiceEntry& service = *s.service;
    if (retryWaits(s)) {
        service.parked.remove(s);
        service.parked.append(s);
        return;
    }
    Qos chosen;
    const char* why = match(service, s.domain, s.rare.get(), s.qosFixed ? &s.qos : nullptr, chosen);
    if (why != nullptr) {
        for (Request* r = s.first; r != nullptr; r = r->next)
            later(s, *r, StreamState::open, 0, why, false);
        service.parked.remove(s);
        service.parked.append(s);  // behind those that have yet to be tried
        return;
    }
    service.parked.remove(s);
    s.qos = chosen;
    if (const auto it = s.isPrivate ? index_.end() : index_.find(keyOf(s)); it != index_.end()) {
        // Somebody asked for the same item meanwhile: the sharers move over.
        Stream& other = **it;
        while (s.first != nullptr) {
            Request& r = *s.first;
            unlink(r);
            r.state = Request::State::pending;
            join(other, r);
        }
        s.dead = true;
        if (!s.busy) endDelivery(s);
        return;
    }
    if (!s.isPrivate) addToIndex(s);
    start(s);
}

void Watchlist::recoverParked(ServiceEntry& service) {
    service.toRecover = service.parked.size;
    if (service.recoverTimer == 0) recoverSome(service);
    releaseQueued(service);
}

/// A round over the parked streams, in their order. A hundred thousand requests at once would fill memory with output
/// that the connection does not take; so the round waits when output is behind, and lets others in between.
void Watchlist::recoverSome(ServiceEntry& service) {
    constexpr int kAtOnce = 2000;
    for (int n = 0; n < kAtOnce && service.toRecover != 0 && !sender_.congested(); ++n) {
        Stream* s = service.parked.first;
        if (s == nullptr) service.toRecover = 1;
        else recover(*s);
        --service.toRecover;
    }
    if (service.toRecover == 0) return;
    service.recoverTimer = reactor_.startTimer(
        sender_.congested() ? Duration(std::chrono::milliseconds(1)) : Duration::zero(), [this, &service] {
            service.recoverTimer = 0;
            recoverSome(service);
            releaseQueued(service);
        });
}

void Watchlist::stopRecovering(ServiceEntry& service) noexcept {
    service.toRecover = 0;
    reactor_.cancelTimer(std::exchange(service.recoverTimer, 0));
}

/// Streams that ended recoverably while their service is up.
void Watchlist::refetchAll() {
    while (!refetch_.empty()) {
        Stream* s = refetch_.front();
        refetch_.pop_front();
        if (s == nullptr) continue;  // ended meanwhile
        s->refetch = false;
        recover(*s);
    }
}

void Watchlist::releaseQueued(ServiceEntry& service) {
    while (service.queued.first != nullptr && service.model != nullptr &&
           (!service.model->load.openWindow || service.outstanding < *service.model->load.openWindow)) {
        Stream& s = *service.queued.first;
        // The service may have changed since the stream was queued (session.md 4.1, step 5).
        Qos chosen;
        const char* why = match(service, s.domain, s.rare.get(), s.qosFixed ? &s.qos : nullptr, chosen);
        service.queued.remove(s);
        if (why == nullptr && rdm::equal(chosen, s.qos)) {
            start(s);
        } else if (why == nullptr || (singleOpen_ && !s.isPrivate)) {
            unindex(s);
            s.state = Stream::State::parked;
            service.parked.append(s);
            recover(s);
        } else {
            endUnsent(s, why);
        }
    }
}

/// A stream that is on no list and was never requested: every sharer hears that it cannot be, and is gone.
void Watchlist::endUnsent(Stream& s, const char* why) {
    while (s.first != nullptr) {
        Request& r = *s.first;
        later(s, r, StreamState::closedRecover, 0, why, true);
        unlink(r);
        r.kind = Request::Kind::refused;
    }
    retire(s, false);
}

// --- request timeouts ------------------------------------------------------------------------------------------------

void Watchlist::startTimeout(Stream& s) {
    if (options_.requestTimeout.count() == 0) return;
    s.timerMark = ++lastMark_ == 0 ? ++lastMark_ : lastMark_;
    timeouts_.push_back({s.wireId, s.timerMark, reactor_.now() + options_.requestTimeout});
    if (timeoutTimer_ == 0) timeoutTimer_ = reactor_.startTimer(options_.requestTimeout, [this] { expireRequests(); });
}

void Watchlist::expireRequests() {
    timeoutTimer_ = 0;
    const TimePoint now = reactor_.now();
    while (!timeouts_.empty() && timeouts_.front().at <= now) {
        const PendingTimeout t = timeouts_.front();
        timeouts_.pop_front();
        Stream* s = byWire_[static_cast<std::size_t>(t.wireId)];
        if (s == nullptr || s->timerMark != t.mark) continue;
        sendClose(s->wireId, s->domain);
        Msg status;
        makeStatus(*s, status, StreamState::closedRecover, 2, "Request timed out.");
        closedRecover(*s, status);
    }
    // Entries that were answered meanwhile need no wake-up.
    while (!timeouts_.empty()) {
        const PendingTimeout& t = timeouts_.front();
        const Stream* s = byWire_[static_cast<std::size_t>(t.wireId)];
        if (s != nullptr && s->timerMark == t.mark) break;
        timeouts_.pop_front();
    }
    if (!timeouts_.empty() && timeoutTimer_ == 0)
        timeoutTimer_ = reactor_.startTimer(timeouts_.front().at - now, [this] { expireRequests(); });
    refetchAll();
}

// --- memory ----------------------------------------------------------------------------------------------------------

void Watchlist::trimMemory() noexcept {
    pool_.trim();
    requests_.trim();
    sender_.trim();
    posts_.trim();
    trimTable(index_);
    trimTable(batches_);
    trimTable(lists_);
    trimTable(views_);
    trimTable(wireViews_);
    trimTable(retries_);
    trimBuffer(payload_);
    trimVector(deliveries_);
    trimDeque(refetch_);
    trimDeque(timeouts_);
    // Wire ids rest before they are used again, so the table must go on having a place for each.
    if (streams_ < byWire_.size() / 4) discardNulls(byWire_);
}

}  // namespace emissary::reactor::consumer
