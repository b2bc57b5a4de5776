// Applies directory messages step by step, tells those who registered, and answers new ones from the cache.
#include "session/DirectoryStream.h"

#include "rdm/ServiceEntries.h"
#include "reactor/rdm/Login.h"
#include "reactor/session/session_types.h"

namespace emissary::reactor::session {

using namespace eta::codec;

void DirectoryStream::request() {
    // A request that is sent again replaces the one that waits.
    reactor_.cancelTimer(std::exchange(retryTimer_, 0));
    Msg m;
    m.cls = MsgClass::Request;
    m.domain = rdm::kDirectoryDomain;
    m.streamId = rdm::kDirectoryStreamId;
    if (options_.streaming) m.flags = RequestFlag::streaming;
    m.key.flags = KeyFlag::filter;
    m.key.filter = options_.filter;
    if (options_.serviceId) {
        m.key.flags |= KeyFlag::serviceId;
        m.key.serviceId = *options_.serviceId;
    }
    sender_.send(m);
    if (!answerTimer_.running()) awaitAnswer();  // asked again: the time goes on
}

void DirectoryStream::awaitAnswer() {
    answerTimer_.stop();
    if (refreshed_ || !unanswered_) return;
    answerTimer_.start(options_.timeout, [this] {
        if (taking_) return awaitAnswer();  // its answer is here, and is being taken over
        unanswered_();
    });
}

/// A message has been taken over.
void DirectoryStream::taken(bool complete) noexcept {
    refreshed_ = refreshed_ || complete;
    if (refreshed_) answerTimer_.stop();
}

/// The provider has ended the stream.
void DirectoryStream::requestAgain() {
    if (retryTimer_ != 0) return;
    // Paced like any other re-request, so a provider that closes at once causes no loop (session.md 4.8).
    const Duration wait = pace_.next(reactor_.now(), paceLimits_.shortest, paceLimits_.longest);
    if (wait == Duration::zero()) return request();
    retryTimer_ = reactor_.startTimer(wait, [this] { request(); });
}

bool DirectoryStream::onMessage(Msg& msg, rdm::DirectoryListener& items) {
    if (taking_) {  // what the connection before has left goes with it
        finish();
        if (sender_.link() == nullptr) return true;  // a callback shut everything down
    }
    if (msg.cls == MsgClass::Status) {
        if (!msg.hasState() || !msg.state.isFinal()) return true;
        requestAgain();  // what is known stays valid
        return true;
    }
    if (msg.cls == MsgClass::Generic) {
        const std::vector<Client> all = clients_;
        for (const Client& c : all)
            deliver(c.handle, msg, false);
        return true;
    }
    if (msg.cls != MsgClass::Refresh && msg.cls != MsgClass::Update) return true;
    const bool refresh = msg.cls == MsgClass::Refresh;
    if (refresh && msg.state.isFinal()) {
        requestAgain();
        return true;
    }
    if (rdm::isForeignUpdate(msg)) {
        items.onSkipped(std::string(rdm::kForeignUpdate));
        return true;
    }
    const bool empty = msg.containerType == DataType::NoData;
    if (!empty && msg.containerType != DataType::Map) return false;
    // The payload may be needed after the items' callbacks; it lives until this message is done with.
    const Bytes map = empty ? Bytes{} : msg.payload;
    const rdm::ImagePart part = rdm::partOf(msg);
    if (answerTimer_.running()) awaitAnswer();  // for the next part
    Taking t;
    t.map = std::make_shared<const std::vector<std::byte>>(map.begin(), map.end());
    t.part = part;
    t.items = &items;
    if (part.last || !clients_.empty())
        for (const auto& s : directory_.services())
            t.before.push_back(s->id);
    std::vector<std::uint16_t> unused;
    const bool readable = leaving_ != nullptr ? rdm::Directory::namedIn(map, unused).ok()
                                              : directory_.begin(*t.map, part.first, part.last).ok();
    if (!readable) return false;
    taking_ = std::move(t);
    takeOn();
    return true;
}

/// The clients hear of a message after the items did (session.md 4.8).
void DirectoryStream::tell(const Taking& done) {
    // A client that has had its refresh gets an update (also for a refresh after a reconnect); a client that waits gets
    // its refresh now.
    std::vector<Handle> waiting;
    for (const Client& c : clients_)
        if (!c.answered) waiting.push_back(c.handle);
    std::vector<std::uint16_t> gone;
    if (done.part.last) gone = done.before;
    std::erase_if(gone, [this](std::uint16_t id) { return directory_.find(id) != nullptr; });
    if (!gone.empty() && rdm::Directory::encodeDeletes(changes_.start(), gone).ok()) update(changes_.view());
    if (!done.map->empty()) update(*done.map);
    for (const Handle h : waiting)
        answer(h);
}

/// True: something is left. What was begun may be over without having come to its end: with its connection.
bool DirectoryStream::takes(const std::function<bool()>& goesOn) {
    if (leaving_ != nullptr) {
        if (directory_.step(leaving_, goesOn)) return busy();
        leaving_ = nullptr;
        // The directory has been cleared; what waited for it goes on.
        if (auto left = std::exchange(left_, {})) left();
        if (taking_) static_cast<void>(directory_.begin(*taking_->map, taking_->part.first, taking_->part.last));
    }
    // A callback that loses the connection takes the message away, while others are still to hear of its texts.
    const auto kept = taking_ ? taking_->map : nullptr;
    if (taking_ && directory_.step(taking_->items, goesOn)) return busy();
    if (leaving_ != nullptr) return true;  // a callback has lost the connection
    reactor_.cancelTimer(std::exchange(stepTimer_, 0));
    if (!taking_) return false;
    const Taking done = std::move(*taking_);
    taking_.reset();
    taken(done.part.last);
    if (Link* const link = sender_.link()) link->hold(false);
    if (!refreshed_) return false;  // more parts follow
    if (!clients_.empty()) tell(done);
    if (taken_) taken_();
    return false;
}

void DirectoryStream::takeOn() {
    if (!busy()) return;
    TurnShare::Piece piece(share());
    if (!takes([&piece] { return piece.left(); })) return;
    // Nothing more is read until the directory is taken over: later messages belong to the new state.
    if (Link* const link = sender_.link(); link != nullptr && taking_) link->hold(true);
    if (stepTimer_ != 0) return;
    stepTimer_ = reactor_.startTimer(Duration::zero(), [this] {
        stepTimer_ = 0;
        takeOn();
    });
}

void DirectoryStream::stop() noexcept {
    taking_.reset();
    leaving_ = nullptr;
    left_ = {};
    answerTimer_.stop();
    for (TimerId* const timer : {&stepTimer_, &retryTimer_})
        reactor_.cancelTimer(std::exchange(*timer, 0));
}

void DirectoryStream::connectionLost(rdm::DirectoryListener& items) {
    // Clients hear of a message when all of it was taken over: services that a part of it has deleted are there for
    // them.
    std::vector<std::uint16_t> told;
    if (taking_) told = std::move(taking_->before);
    taking_.reset();
    reactor_.cancelTimer(std::exchange(stepTimer_, 0));
    refreshed_ = false;
    left_ = {};
    answerTimer_.stop();
    reactor_.cancelTimer(std::exchange(retryTimer_, 0));
    pace_.reset();
    std::vector<std::uint16_t> gone;
    for (const auto& s : directory_.services())
        gone.push_back(s->id);
    std::erase_if(told, [this](std::uint16_t id) { return directory_.find(id) != nullptr; });
    gone.insert(gone.end(), told.begin(), told.end());
    if (!clients_.empty() && !gone.empty() && rdm::Directory::encodeDeletes(changes_.start(), gone).ok())
        update(changes_.view());
    for (Client& c : clients_)
        c.known.reset();
    // Cleared in steps when nobody waits, since thousands of services may have gone.
    leaving_ = options_.share != nullptr && clients_.empty() ? &items : nullptr;
    if (leaving_ == nullptr) return directory_.clear(&items);
    directory_.beginClear();
    takeOn();
}

void DirectoryStream::whenLeft(std::function<void()> call) {
    if (leaving_ == nullptr) return call();
    left_ = std::move(call);
}

void DirectoryStream::takeOver(Bytes map, rdm::DirectoryListener& items) {
    // When an id names another service at the new server, it names another service here too: the old one is deleted
    // first.
    finish();
    rdm::Directory theirs;
    std::vector<std::uint16_t> before, renamed, gone, come;
    // A name that changes its id is a deletion and an addition.
    if (!theirs.apply(map, true).ok()) return;
    for (const auto& s : directory_.services()) {
        const rdm::Service* there = theirs.find(s->id);
        if (there != nullptr && there->name() != s->name()) renamed.push_back(s->id);
    }
    if (!renamed.empty() && rdm::Directory::encodeDeletes(changes_.start(), renamed).ok()) {
        static_cast<void>(directory_.apply(changes_.view(), false, &items));
        update(changes_.view());
    }
    for (const auto& s : directory_.services())
        before.push_back(s->id);
    if (!directory_.apply(map, true, &items).ok()) return;
    for (const std::uint16_t id : before)
        if (directory_.find(id) == nullptr) gone.push_back(id);
    for (const auto& s : directory_.services())
        if (std::find(before.begin(), before.end(), s->id) == before.end()) come.push_back(s->id);
    if (!gone.empty() && rdm::Directory::encodeDeletes(changes_.start(), gone).ok()) update(changes_.view());
    for (const std::uint16_t id : come) {
        const rdm::Service* s = directory_.find(id);
        if (s != nullptr && rdm::Directory::encodeService(changes_.start(), *s, rdm::DirectoryFilter::all).ok())
            update(changes_.view());
    }
}

/// False when the client named a service that is not there.
bool DirectoryStream::select(Client& client, rdm::DirectorySelection& out) const noexcept {
    out.filters = client.filters;
    out.serviceId.reset();
    if (client.identified) {
        out.serviceId = client.serviceId;
        return directory_.find(client.serviceId) != nullptr;
    }
    if (!client.named) return true;
    const rdm::Service* service = directory_.find(client.serviceName);
    if (service == nullptr) return false;
    client.known = out.serviceId = service->id;
    return true;
}

DirectoryStream::Client* DirectoryStream::find(Handle handle) noexcept {
    for (Client& c : clients_)
        if (c.handle == handle) return &c;
    return nullptr;
}

Handle DirectoryStream::add(const RequestView& request, const Subscriber& subscriber) {
    const Msg& m = request.msg;
    Request& r = requests_.add(Request::Kind::directory, subscriber);
    r.appStreamId = requests_.nextAppStreamId();
    Client c;
    c.handle = r.handle();
    c.streaming = m.has(RequestFlag::streaming);
    if (m.key.has(KeyFlag::filter)) c.filters = m.key.filter;
    c.identified = m.key.has(KeyFlag::serviceId);
    c.serviceId = m.key.serviceId;
    c.named = request.serviceName.data() != nullptr;
    if (c.named) c.serviceName.assign(request.serviceName);
    clients_.push_back(std::move(c));
    // From the loop, because the caller has no handle yet.
    if (refreshed_) calls_.post([this, handle = r.handle()] { answer(handle); });
    return r.handle();
}

void DirectoryStream::remove(Request& r) {
    std::erase_if(clients_, [&](const Client& c) { return c.handle == r.handle(); });
    requests_.release(r);
}

Refusal DirectoryStream::reissue(Request& r, const RequestView& request) {
    const Msg& m = request.msg;
    if (!keepsDomain(m, rdm::kDirectoryDomain))
        return {Refusal::Kind::invalidData, "A reissue must not change the domain."};
    Client* c = find(r.handle());
    if (c == nullptr) return {};
    if (m.key.has(KeyFlag::filter)) c->filters = m.key.filter;
    if (m.has(RequestFlag::noRefresh)) return {};
    c->answered = false;
    if (refreshed_) calls_.post([this, handle = r.handle()] { answer(handle); });
    return {};
}

/// The client's refresh, from the cache.
void DirectoryStream::answer(Handle handle) {
    Client* c = find(handle);
    if (c == nullptr || c->answered || !refreshed_) return;
    if (taking_) return;  // half of a message is no directory: tell() comes to it when all of it is there
    rdm::DirectorySelection want;
    rdm::Directory none;
    const bool known = select(*c, want);
    // Unknown service with SingleOpen: an empty refresh now, and an update when it comes (session.md 4.9).
    if (!known && !singleOpen_) return refuse(*c);
    const rdm::Directory& from = known ? directory_ : none;
    if (!from.encode(buffer_.start(), want).ok()) return;
    Msg m;
    m.cls = MsgClass::Refresh;
    m.domain = rdm::kDirectoryDomain;
    m.flags = RefreshFlag::msgKey | RefreshFlag::solicited | RefreshFlag::complete | RefreshFlag::clearCache;
    m.state.stream = c->streaming ? StreamState::open : StreamState::nonStreaming;
    m.state.data = DataState::ok;
    m.key.flags = KeyFlag::filter;
    m.key.filter = from.available(want);
    if (want.serviceId) {
        m.key.flags |= KeyFlag::serviceId;
        m.key.serviceId = *want.serviceId;
    }
    m.containerType = DataType::Map;
    m.payload = buffer_.view();
    c->answered = true;
    const bool ends = !c->streaming;
    deliver(handle, m, ends);
}

void DirectoryStream::refuse(const Client& c) {
    const Handle handle = c.handle;
    const std::string text = c.identified ? "Service id of '" + std::to_string(c.serviceId) + "' is not found."
                                          : "Service name of '" + c.serviceName + "' is not found.";
    Msg m;
    m.cls = MsgClass::Status;
    m.domain = rdm::kDirectoryDomain;
    m.flags = StatusFlag::state;
    m.state = {StreamState::closed, DataState::suspect, 15, eta::asBytes(text)};
    deliver(handle, m, true);
}

/// What of this Map each client wants.
void DirectoryStream::update(Bytes map) {
    const std::vector<Client> all = clients_;
    for (const Client& c : all) {
        Client* now = find(c.handle);
        if (now == nullptr || !now->answered) continue;
        if (now->known) {
            // The Map is applied by now: a service that went, or goes by another id now, is not found there any more.
            const rdm::Service* service = directory_.find(now->serviceName);
            if (service == nullptr || service->id != *now->known) {
                tellGone(c.handle, *std::exchange(now->known, std::nullopt));
                now = find(c.handle);
                if (now == nullptr || !now->answered) continue;
            }
        }
        rdm::DirectorySelection want;
        want.filters = now->filters;
        if (!select(*now, want) && !want.serviceId) continue;  // named, and not there
        std::uint32_t present = 0, entries = 0;
        if (!rdm::Directory::copySelected(buffer_.start(), map, want, present, entries).ok() || entries == 0) continue;
        Msg m;
        m.cls = MsgClass::Update;
        m.domain = rdm::kDirectoryDomain;
        m.flags = UpdateFlag::doNotConflate | UpdateFlag::msgKey;
        m.key.flags = KeyFlag::filter;
        m.key.filter = present;
        if (want.serviceId) {
            m.key.flags |= KeyFlag::serviceId;
            m.key.serviceId = *want.serviceId;
        }
        m.containerType = DataType::Map;
        m.payload = buffer_.view();
        deliver(c.handle, m, false);
    }
}

/// The service that this client named is deleted.
void DirectoryStream::tellGone(Handle handle, std::uint16_t id) {
    if (!rdm::Directory::encodeDeletes(buffer_.start(), {&id, 1}).ok()) return;
    Msg m;
    m.cls = MsgClass::Update;
    m.domain = rdm::kDirectoryDomain;
    m.flags = UpdateFlag::doNotConflate | UpdateFlag::msgKey;
    m.key.flags = KeyFlag::filter | KeyFlag::serviceId;
    m.key.serviceId = id;
    m.containerType = DataType::Map;
    m.payload = buffer_.view();
    deliver(handle, m, false);
}

void DirectoryStream::deliver(Handle handle, Msg& msg, bool ends) {
    Request* r = requests_.find(handle);
    if (r == nullptr) return;
    msg.streamId = r->appStreamId;
    const Recipient to = RequestTable::recipient(*r);
    // Read before the request ends, because its name belongs to it.
    std::string serviceName;
    if (const Client* c = find(handle); c != nullptr && c->named) serviceName = c->serviceName;
    if (ends) remove(*r);
    sink_.onMessage(msg, to, serviceName.empty() ? std::string_view{} : std::string_view{serviceName});
}

}  // namespace emissary::reactor::session
