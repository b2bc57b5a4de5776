#include "consumer/Watchlist.h"

#include "consumer/stream_key.h"
#include "rdm/dictionaries.h"

namespace emissary::reactor::consumer {

using namespace eta::codec;

namespace {

constexpr std::uint8_t kDictionary = 5;

}  // namespace

Watchlist::Watchlist(Reactor& reactor, Sender& sender, RequestTable& requests, ConsumerSink& sink,
                     WatchlistOwner& owner, const ConsumerOptions& options)
    : MemoryOwner(reactor), reactor_(reactor), sender_(sender), requests_(requests), sink_(sink), owner_(owner),
      options_(options),
      posts_(reactor, options.postAckTimeout, options.maxOutstandingPosts,
             [this](const PostLedger::Key& key, const PostLedger::Entry& entry) { postExpired(key, entry); }) {
    byWire_.resize(16);
    requests_.observe(this);
}

Watchlist::~Watchlist() {
    requests_.observe(nullptr);
    for (const auto& s : services_)
        stopRecovering(*s);
    for (const auto& [stream, retry] : retries_)
        reactor_.cancelTimer(retry.timer);
    reactor_.cancelTimer(timeoutTimer_);
}

// --- services --------------------------------------------------------------------------------------------------------

const ServiceEntry* Watchlist::findService(std::string_view name) const noexcept {
    if (lastService_ != nullptr && lastService_->name == name) return lastService_;
    for (const auto& s : services_)
        if (s->name == name) return s.get();
    return nullptr;
}

const ServiceEntry* Watchlist::findService(std::uint16_t id) const noexcept {
    const ServiceEntry* known = nullptr;
    for (const auto& s : services_) {
        if (s->id != id) continue;
        if (s->model != nullptr) return s.get();
        known = s.get();  // an id of the past, unless another service has it now
    }
    return known;
}

ServiceEntry* Watchlist::entryOf(const rdm::Service& service) noexcept {
    for (const auto& s : services_)
        if (s->name == service.name()) return s.get();
    return nullptr;
}

/// A dictionary is the same whoever serves it: one that can answer now comes before one that may later.
const ServiceEntry* Watchlist::providing(std::string_view dictionary) const noexcept {
    const ServiceEntry* later = nullptr;
    for (const auto& s : services_) {
        if (s->model == nullptr || !rdm::provides(*s->model, dictionary)) continue;
        if (s->model->state.up && s->model->state.acceptingRequests()) return s.get();
        if (later == nullptr) later = s.get();
    }
    return later;
}

/// Null with `unknown` set: a closed status has to follow (session.md 4.1, step 2).
ServiceEntry* Watchlist::entryFor(const RequestView& request, Refusal& refusal, std::string& unknown) {
    const bool byId = request.msg.key.has(KeyFlag::serviceId), byName = request.serviceName.data() != nullptr;
    if (byId && byName) {
        refusal.set(Refusal::Kind::invalidUsage, "Request names its service by id and by name; only one is allowed.");
        return nullptr;
    }
    const ServiceEntry* found = nullptr;
    if (byName) {
        found = findService(request.serviceName);
        if (found == nullptr) unknown = "Service name of '" + std::string(request.serviceName) + "' is not found.";
    } else if (byId) {
        found = findService(request.msg.key.serviceId);
        if (found == nullptr)
            unknown = "Service id of '" + std::to_string(request.msg.key.serviceId) + "' is not found.";
    } else if (request.msg.domain == kDictionary) {
        found = providing(eta::asText(request.msg.key.name));
        if (found == nullptr)
            unknown = "No service provides the dictionary '" + std::string(eta::asText(request.msg.key.name)) + "'.";
    } else {
        unknown = "Passed in request message does not identify any service.";
    }
    return lastService_ = const_cast<ServiceEntry*>(found);
}

bool Watchlist::resolveService(Msg& msg, std::string_view serviceName, Refusal& refusal) {
    if (serviceName.data() == nullptr) return true;
    if (msg.hasKey() && msg.key.has(KeyFlag::serviceId)) {
        refusal.set(Refusal::Kind::invalidUsage, "Message names its service by id and by name; only one is allowed.");
        return false;
    }
    const ServiceEntry* entry = findService(serviceName);
    if (entry == nullptr) {
        refusal.set(Refusal::Kind::invalidUsage, "Service name of '" + std::string(serviceName) + "' is not found.");
        return false;
    }
    if (!msg.hasKey()) msg.key = {};
    msg.key.flags |= KeyFlag::serviceId;
    msg.key.serviceId = entry->id;
    return true;
}

// --- opening ---------------------------------------------------------------------------------------------------------

Handle Watchlist::open(const RequestView& request, const Subscriber& subscriber, Refusal& refusal, bool internal) {
    if (!checkFirstRequest(request, refusal)) return 0;
    if (mayHaveExtras(request.msg)) return openExtra(request, subscriber, refusal, internal);
    Traits traits;
    traits.internal = internal;
    return openOne(request, subscriber, refusal, traits);
}

/// One item: joins the stream that there is, or makes one.
Handle Watchlist::openOne(const RequestView& request, const Subscriber& subscriber, Refusal& refusal,
                          const Traits& traits) {
    const Msg& m = request.msg;
    std::string unknown;
    ServiceEntry* service = entryFor(request, refusal, unknown);
    if (refusal) return 0;

    Request& r = requests_.add(Request::Kind::item, subscriber);
    r.appStreamId = traits.isData ? requests_.nextDataStreamId() : requests_.nextAppStreamId();
    r.streaming = m.has(RequestFlag::streaming);
    r.paused = m.has(RequestFlag::pause);
    r.internal = traits.internal;
    r.isData = traits.isData;
    r.hasExtras = subscriber.parent != 0;
    r.keyInUpdates = options_.msgKeyInUpdates || m.has(RequestFlag::msgKeyInUpdates);
    if (m.has(RequestFlag::priority)) {
        r.priorityClass = m.priorityClass;
        r.priorityCount = m.priorityCount;
    }
    if (!closedText_.empty()) return refuse(r, request, 0, closedText_);
    if (service == nullptr) return refuseService(r, request, std::move(unknown));
    if (traits.view) setView(r, traits.view);
    if (traits.dataStreams != DataStreams::none) {
        r.opensData = r.hasExtras = true;
        lists_[r.handle].mode = traits.dataStreams;
    }
    const Handle handle = r.handle;

    const bool isPrivate = m.has(RequestFlag::privateStream);
    const bool plain = takesAnyQos(m) && (m.key.flags & kRareKeyFlags) == 0;
    if (plain && !isPrivate && service->model != nullptr) {
        // The common case first: an ordinary key, perhaps a stream that exists.
        KeyView key;
        key.service = service;
        key.domain = m.domain;
        key.hasName = m.key.has(KeyFlag::name);
        key.name = key.hasName ? m.key.name : Bytes{};
        if (m.key.has(KeyFlag::nameType)) key.nameType = m.key.nameType;
        if (match(*service, m.domain, nullptr, nullptr, key.qos) == nullptr) {
            if (const auto it = index_.find(key); it != index_.end()) {
                join(**it, r);
                return handle;
            }
        }
    }

    Stream& s = newStream(request, *service);
    if (const char* why = match(*service, s.domain, s.rare.get(), nullptr, s.qos); why != nullptr) {
        append(s, r);
        if (singleOpen_ && !s.isPrivate) {
            s.state = Stream::State::parked;
            service->parked.append(s);
            later(s, r, StreamState::open, 0, why, false);
        } else {
            endUnsent(s, why);
        }
        return handle;
    }
    if (!plain && !s.isPrivate) {
        if (const auto it = index_.find(keyOf(s)); it != index_.end()) {
            Stream& shared = **it;
            s.dead = true;  // never started
            endDelivery(s);
            join(shared, r);
            return handle;
        }
    }
    append(s, r);
    if (!s.isPrivate) addToIndex(s);
    start(s);
    return handle;
}

/// Names a service that was never seen (session.md 4.1, step 2).
Handle Watchlist::refuseService(Request& r, const RequestView& request, std::string unknown) {
    return refuse(r, request, 15, std::move(unknown));
}

/// Closed from the start; told from the dispatching thread.
Handle Watchlist::refuse(Request& r, const RequestView& request, std::uint8_t code, std::string text) {
    const Msg& m = request.msg;
    r.kind = Request::Kind::refused;
    RequestTable::Notice n;
    n.handle = r.handle;
    n.state = {StreamState::closed, DataState::suspect, code, {}};
    n.text = std::move(text);
    n.domain = m.domain;
    n.hasName = m.key.has(KeyFlag::name);
    n.name.assign(eta::asText(m.key.name));
    if (m.key.has(KeyFlag::nameType)) n.nameType = m.key.nameType;
    if (request.serviceName.data() != nullptr) n.serviceName.assign(request.serviceName);
    if (m.key.has(KeyFlag::serviceId)) n.serviceId = m.key.serviceId;
    n.isPrivate = m.has(RequestFlag::privateStream);
    n.ends = true;
    requests_.later(std::move(n));
    return r.handle;
}

Stream& Watchlist::newStream(const RequestView& request, ServiceEntry& service) {
    const Msg& m = request.msg;
    Stream& s = *pool_.take();
    ++streams_;
    s.first = s.last = nullptr;
    s.service = &service;
    s.prev = s.next = nullptr;
    s.hash = 0;
    s.wireId = 0;
    s.timerMark = 0;
    s.qos = {};
    s.group = rdm::ItemGroups::kDefault;
    s.priorityClass = 1;
    s.priorityCount = 1;
    s.domain = m.domain;
    s.state = Stream::State::parked;
    s.hasName = m.key.has(KeyFlag::name);
    s.name.assign(s.hasName ? m.key.name : Bytes{});
    s.hasNameType = m.key.has(KeyFlag::nameType);
    s.nameType = s.hasNameType ? m.key.nameType : 1;
    s.isPrivate = m.has(RequestFlag::privateStream);
    s.indexed = s.qosFixed = s.partial = s.wireStreaming = s.wirePaused = s.retried = s.refetch = s.suspect =
        s.established = s.busy = s.dead = s.viewed = s.viewPending = s.opensData = s.reissued = s.prioritySaid = false;
    s.rare = rareKeyOf(m);
    return s;
}

void Watchlist::append(Stream& s, Request& r) noexcept {
    r.stream = &s;
    r.next = nullptr;
    if (r.hasExtras) {
        s.viewed = s.viewed || r.hasView;
        s.opensData = s.opensData || r.opensData;
    }
    (s.last != nullptr ? s.last->next : s.first) = &r;
    s.last = &r;
}

void Watchlist::unlink(Request& r) noexcept {
    Stream* s = r.stream;
    if (s == nullptr) return;
    Request* before = nullptr;
    for (Request* at = s->first; at != &r; at = at->next)
        before = at;
    (before != nullptr ? before->next : s->first) = r.next;
    if (s->last == &r) s->last = before;
    r.stream = nullptr;
    r.next = nullptr;
}

void Watchlist::join(Stream& s, Request& r) {
    if (const View* view = viewOf(r); view != nullptr && viewsClash(s, *view, nullptr)) {
        r.kind = Request::Kind::refused;
        return later(s, r, StreamState::closed, 21,
                     "The item is open with a view of the other kind (field ids or element names).", true);
    }
    append(s, r);
    switch (s.state) {
    case Stream::State::parked:
    case Stream::State::queued:
        return;  // its request is still to come
    case Stream::State::requested:
        if (s.partial || (r.streaming && !s.wireStreaming) || (s.viewed && !coveredByWire(s, r))) {
            r.state = Request::State::waiting;
            return;
        }
        reissueIfChanged(s);
        return;
    case Stream::State::open:
        askImage(s);
        return;
    }
}

void Watchlist::later(const Stream& s, const Request& r, std::uint8_t stream, std::uint8_t code, std::string text,
                      bool ends) {
    RequestTable::Notice n;
    n.handle = r.handle;
    n.state = {stream, DataState::suspect, code, {}};
    n.text = std::move(text);
    n.domain = s.domain;
    n.nameType = s.nameType;
    n.hasName = s.hasName;
    n.name.assign(eta::asText(s.name.view()));
    n.serviceName = s.service->name;
    n.serviceId = s.service->id;
    n.isPrivate = s.isPrivate;
    n.ends = ends;
    requests_.later(std::move(n));
}

// --- changing and closing --------------------------------------------------------------------------------------------

void Watchlist::reissue(Request& r, const RequestView& request, Refusal& refusal) {
    using K = Refusal::Kind;
    Stream& s = *r.stream;
    const Msg& m = request.msg;
    if (m.domain != s.domain) return refusal.set(K::invalidData, "A reissue must not change the domain.");
    if (m.has(RequestFlag::batch)) return refusal.set(K::invalidData, "A reissue must not ask for a batch.");
    if (m.has(RequestFlag::privateStream) && !s.isPrivate)
        return refusal.set(K::invalidData, "A reissue must not turn a stream private.");
    if (!r.streaming) return refusal.set(K::invalidData, "A snapshot request cannot be reissued.");
    if (!m.has(RequestFlag::streaming) && !m.has(RequestFlag::pause))
        return refusal.set(K::invalidData, "A reissue must not turn a stream into a snapshot.");
    const Bytes name = s.name.view();
    if (m.key.has(KeyFlag::name) &&
        (m.key.name.size() != name.size() || !std::equal(name.begin(), name.end(), m.key.name.begin())))
        return refusal.set(K::invalidData, "A reissue must not change the item name.");
    if (m.key.has(KeyFlag::nameType) && m.key.nameType != s.nameType)
        return refusal.set(K::invalidData, "A reissue must not change the name type.");
    if ((request.serviceName.data() != nullptr && request.serviceName != s.service->name) ||
        (m.key.has(KeyFlag::serviceId) && m.key.serviceId != s.service->id))
        return refusal.set(K::invalidData, "A reissue must not change the service.");
    if (const char* changed = changeOfKey(m, s.rare.get()); changed != nullptr)
        return refusal.set(K::invalidData, changed);

    SharedView view;
    if (m.has(RequestFlag::view)) {
        RequestExtras extras;
        if (!readExtras(m, extras, refusal)) return;
        if (extras.view && viewsClash(s, *extras.view, &r))
            return refusal.set(K::invalidData, "The item is open with a view of the other kind (field ids or element "
                                               "names).");
        if (extras.view) view = std::move(extras.view);
        else if (const auto it = views_.find(r.handle); it != views_.end()) view = it->second;
    }
    if (view || r.hasView) setView(r, std::move(view));
    if (m.has(RequestFlag::priority)) {
        r.priorityClass = m.priorityClass;
        r.priorityCount = m.priorityCount;
    }
    r.paused = m.has(RequestFlag::pause);
    if (s.state == Stream::State::parked || s.state == Stream::State::queued) return;  // goes with the request
    if (m.has(RequestFlag::noRefresh)) return reissueIfChanged(s);
    if (s.state == Stream::State::requested) {
        if (r.state == Request::State::open || (s.viewed && !coveredByWire(s, r))) r.state = Request::State::waiting;
        return reissueIfChanged(s);
    }
    r.state = Request::State::pending;
    askImage(s);
}

void Watchlist::close(Request& r) {
    Stream* s = r.stream;
    unlink(r);
    requests_.release(r);
    if (s == nullptr || s->dead) return;
    if (s->first == nullptr) retire(*s, true);
    else reissueIfChanged(*s);
}

void Watchlist::pauseAll(bool paused) {
    for (const auto& service : services_) {
        for (StreamList* list : {&service->live, &service->parked, &service->queued}) {
            for (Stream* s = list->first; s != nullptr; s = s->next) {
                if (s->domain == kDictionary) continue;
                for (Request* r = s->first; r != nullptr; r = r->next)
                    r->paused = paused;
                s->wirePaused = paused && s->wireId != 0;  // said once, on the login stream
            }
        }
    }
}

// --- generic and post messages ---------------------------------------------------------------------------------------

bool Watchlist::checkSubmit(const Request& r, Refusal& refusal) const {
    if (r.stream != nullptr && r.stream->established && !r.stream->suspect && r.stream->wireId != 0) return true;
    refusal.set(Refusal::Kind::invalidUsage, "The stream is not established (no refresh yet, or suspect).");
    return false;
}

void Watchlist::submitGeneric(Request& r, Msg& msg, Refusal& refusal) {
    if (!checkSubmit(r, refusal)) return;
    msg.streamId = r.stream->wireId;
    Sender& sender = senderFor(*r.stream);
    if (const Error e = sender.trySend(msg); !e.ok()) sender.refuse(e, refusal);
}

namespace {

/// Not a part of a post of several messages: those have part numbers, or at least sequence numbers.
bool wholePost(const Msg& m) noexcept {
    if (!m.has(PostFlag::complete)) return false;
    return m.has(PostFlag::partNum) ? m.partNum == 0 : !m.has(PostFlag::seqNum);
}

}  // namespace

bool Watchlist::checkPost(const Msg& msg, const PostLedger::Key& key, Refusal& refusal) const {
    using K = Refusal::Kind;
    if (!msg.has(PostFlag::ack)) return true;
    if (!msg.has(PostFlag::postId)) refusal.set(K::invalidUsage, "A post that asks for an ack needs a post id.");
    else if (!msg.has(PostFlag::complete) && !msg.has(PostFlag::seqNum))
        refusal.set(K::invalidUsage, "A part of a post that asks for an ack needs a sequence number.");
    else if (posts_.duplicate(key, wholePost(msg)))
        refusal.set(K::invalidUsage, "A post with id " + std::to_string(key.id) + " is waiting for its ack already.");
    else if (posts_.full())
        refusal.set(K::invalidUsage, "The limit of " + std::to_string(options_.maxOutstandingPosts) +
                                         " posts waiting for an ack is reached.");
    return !refusal;
}

void Watchlist::registerPost(const PostLedger::Key& key, const Msg& msg, Handle poster) {
    if (msg.has(PostFlag::ack)) posts_.add(key, {poster, msg.domain, msg.has(PostFlag::complete), 0});
}

void Watchlist::submitPost(Request& r, Msg& msg, std::string_view serviceName, Refusal& refusal) {
    if (!checkSubmit(r, refusal)) return;
    if (serviceName.data() != nullptr && !msg.has(PostFlag::msgKey))
        return refusal.set(Refusal::Kind::invalidUsage, "A post that names a service needs a key.");
    if (!resolveService(msg, serviceName, refusal)) return;
    msg.streamId = r.stream->wireId;
    msg.domain = r.stream->domain;
    const PostLedger::Key key{msg.streamId, msg.postId, msg.has(PostFlag::seqNum) ? msg.seqNum : 0,
                              msg.has(PostFlag::seqNum)};
    if (!checkPost(msg, key, refusal)) return;
    Sender& sender = senderFor(*r.stream);
    const Error e = sender.trySend(msg);
    if (e.ok()) return registerPost(key, msg, r.handle);
    sender.refuse(e, refusal);
}

void Watchlist::submitOffStreamPost(Msg& msg, std::string_view serviceName, Refusal& refusal) {
    using K = Refusal::Kind;
    if (msg.domain == 1) return refusal.set(K::invalidUsage, "An off-stream post must not be of the login domain.");
    if (serviceName.data() != nullptr) {
        if (!msg.has(PostFlag::msgKey)) return refusal.set(K::invalidUsage, "A post that names a service needs a key.");
        if (!resolveService(msg, serviceName, refusal)) return;
    }
    if (!msg.has(PostFlag::msgKey) || !msg.key.has(KeyFlag::serviceId) || !msg.key.has(KeyFlag::name))
        return refusal.set(K::invalidUsage, "An off-stream post needs a name and a service.");
    msg.streamId = 1;
    const PostLedger::Key key{1, msg.postId, msg.has(PostFlag::seqNum) ? msg.seqNum : 0, msg.has(PostFlag::seqNum)};
    if (!checkPost(msg, key, refusal)) return;
    const Error e = sender_.trySend(msg);
    if (e.ok()) return registerPost(key, msg, 0);
    sender_.refuse(e, refusal);
}

bool Watchlist::takeOffStreamAck(const Msg& msg) {
    PostLedger::Entry entry;
    return posts_.take({1, msg.ackId, msg.has(AckFlag::seqNum) ? msg.seqNum : 0, msg.has(AckFlag::seqNum)}, entry);
}

void Watchlist::postExpired(const PostLedger::Key& key, const PostLedger::Entry& entry) {
    Msg nak;
    nak.cls = MsgClass::Ack;
    nak.domain = entry.domain;
    nak.flags = AckFlag::nakCode | AckFlag::text;
    nak.ackId = key.id;
    nak.nakCode = 6;
    nak.text = eta::asBytes("Acknowledgement timed out.");
    if (key.hasSeq) {
        nak.flags |= AckFlag::seqNum;
        nak.seqNum = key.seq;
    }
    if (entry.poster == 0) {
        nak.streamId = 1;
        return owner_.onPostTimeout(nak);
    }
    Request* r = requests_.find(entry.poster);
    if (r == nullptr || r->stream == nullptr) return;
    Stream& s = *r->stream;
    s.busy = true;
    deliver(s, *r, nak, false);
    endDelivery(s);
}

}  // namespace emissary::reactor::consumer
