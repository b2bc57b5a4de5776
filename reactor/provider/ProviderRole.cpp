#include "reactor/provider/ProviderRole.h"

#include "provider/ProviderRoleImpl.h"

#include <sys/epoll.h>

namespace emissary::reactor {

using namespace eta::codec;
using eta::transport::Channel;

namespace {
constexpr int kAcceptsPerTurn = 64;
constexpr std::uint32_t kEmptyAcceptsBeforePause = 32;
constexpr std::size_t kHeapBytes = 48;  // about what a stream has there: its key
constexpr auto kAcceptPause = std::chrono::milliseconds(50);
constexpr std::uint32_t kWatch = EPOLLIN | EPOLLEXCLUSIVE;  // one of the roles that share a listener wakes
}  // namespace

ProviderRole::Impl::Impl(Reactor& r, ProviderOptions o, ProviderHandler& h)
    : MemoryOwner(r), reactor(r), options(std::move(o)), handler(h) {
    for (rdm::Service& service : options.services)
        directory.add(std::move(service));
    options.services.clear();
}

ProviderRole::Impl::~Impl() {
    *self = nullptr;
    reactor.cancelTimer(guardTimer);
    stopListening();
    for (const auto& [handle, own] : ownRequests)
        reactor.cancelTimer(own.timer);
    for (SessionSlot& slot : sessions) {
        if (slot.session) reactor.cancelTimer(slot.session->outboxTimer);
        slot.session.reset();
    }
    dead.clear();
}

void ProviderRole::Impl::stopListening() noexcept {
    reactor.cancelTimer(acceptTimer);
    if (!listener) return;
    reactor.unwatch(listener->fd());
    reactor.unwatch(member->fd());
    listener->leave(std::move(member));
    listener.reset();
}

// --- sessions --------------------------------------------------------------------------------------------------------

void ProviderRole::Impl::onReady(std::uint32_t) noexcept {
    try {
        acceptWaiting();
    } catch (const std::bad_alloc&) {}  // whoever knocked is not let in
}

void ProviderRole::Impl::acceptWaiting() {
    for (int i = 0; i < kAcceptsPerTurn; ++i) {
        Listener::Accepted accepted = listener->accept(*member, reactor.now());
        if (!accepted.any) {
            // Ready and yet nothing to take, again and again: descriptors have run out or somebody floods us. The
            // backlog holds the rest while we look after the clients we have.
            if (i != 0) emptyAccepts = 0;
            else if (++emptyAccepts >= kEmptyAcceptsBeforePause) {
                emptyAccepts = 0;
                reactor.unwatch(listener->fd());
                acceptTimer =
                    reactor.startTimer(kAcceptPause, [this] { reactor.watch(listener->fd(), kWatch, *this); });
            }
            return;
        }
        if (accepted.channel) addSession(std::move(accepted.channel));
    }
}

void ProviderRole::Impl::takeHandedOver() {
    for (auto& channel : listener->take(*member))
        addSession(std::move(channel));
}

void ProviderRole::Impl::addSession(std::unique_ptr<Channel> channel) {
    try {
        // All that needs memory comes first: a session is there in full or not at all.
        if (freeSessions.empty()) {
            const std::size_t room = std::max(sessions.capacity(), sessions.size() + 1);
            freeSessions.reserve(room);
            dead.reserve(room);
            sessions.emplace_back();
            freeSessions.push_back(static_cast<std::uint32_t>(sessions.size() - 1));
        }
        auto fresh = std::make_unique<Session>(*this, streams);
        fresh->link = reactor.adopt(std::move(channel), *fresh);
        const std::uint32_t slot = freeSessions.back();
        freeSessions.pop_back();
        fresh->handle = static_cast<std::uint64_t>(sessions[slot].generation) << 32 | slot;
        sessions[slot].session = std::move(fresh);
    } catch (const std::bad_alloc&) {
        return listener->ended(*member);  // whoever knocked is not let in
    }
    ++live;
    ++counters.clientsAccepted;
}

Session* ProviderRole::Impl::findSession(std::uint64_t clientHandle) noexcept {
    const auto slot = static_cast<std::uint32_t>(clientHandle);
    if (slot >= sessions.size() || sessions[slot].generation != clientHandle >> 32) return nullptr;
    Session* session = sessions[slot].session.get();
    return session != nullptr && session->up ? session : nullptr;
}

void ProviderRole::Impl::endStreams(Session& session, Tell tell) {
    session.loggedIn = false;
    const std::uint32_t login = session.loginSlot;
    std::unique_ptr<std::byte[]> key;
    Stream was;
    StreamEvent event;
    if (login != StreamTable::kNone) {
        event = {streams.handleOf(login), session.handle};
        was = std::move(streams[login]);
        key = std::move(was.keyBytes);
    }
    std::vector<std::uint32_t> slots;
    slots.reserve(session.byStreamId.size());
    for (const auto& [id, slot] : session.byStreamId)
        slots.push_back(slot);
    session.byKey.clear();
    session.adminSlots.clear();
    session.byStreamId.clear();
    session.loginSlot = StreamTable::kNone;
    session.outbox.clear();
    session.outboxBytes = 0;
    session.dictionaryJobs.clear();
    session.keyBytes = session.unackedPosts = 0;
    reactor.cancelTimer(session.outboxTimer);
    session.outboxTimer = 0;
    if (!session.dead) beginStranger(session);
    for (const std::uint32_t slot : slots) {
        if (!unacked.empty()) unacked.erase(streams.handleOf(slot));
        groups.take(streams[slot].group);
        streams.remove(slot);
    }
    reactor.noteFreed(slots.size() * kHeapBytes);
    if (!ownRequests.empty())
        endOwnRequestsOf(session, tell == Tell::now ? When::now : When::later,
                         session.dead ? "the connection to the client ended" : "the client's login was closed");
    if (login == StreamTable::kNone || tell == Tell::nothing) return;

    if (tell == Tell::now) {
        tellClosed(event, rdm::kLoginDomain, {key.get(), was.keySize}, was.flags, was.streamId);
        return;
    }
    auto closed = std::make_shared<Stream>(std::move(was));
    closed->keyBytes = std::move(key);
    reactor.post([weak = std::weak_ptr<Impl*>(self), closed, event] {
        const auto role = weak.lock();
        if (role && *role != nullptr)
            (*role)->tellClosed(event, rdm::kLoginDomain, closed->key(), closed->flags, closed->streamId);
    });
}

void ProviderRole::Impl::endSession(Session& session, const std::string& reason, Tell tell) {
    if (session.dead) return;
    session.dead = true;
    const bool wasUp = std::exchange(session.up, false);
    const std::uint64_t handle = session.handle;
    if (session.link) session.link->close();
    const auto slot = static_cast<std::uint32_t>(handle);
    dead.push_back(std::move(sessions[slot].session));
    if (++sessions[slot].generation == 0) sessions[slot].generation = kFirstSessionGeneration;
    freeSessions.push_back(slot);
    --live;
    listener->ended(*member);
    ++counters.clientsLost;
    if (dead.size() == 1) {
        reactor.post([weak = std::weak_ptr<Impl*>(self)] {
            const auto role = weak.lock();
            if (role && *role != nullptr) (*role)->bury();
        });
    }
    if (wasUp) handler.onClientDown(handle, reason);
    endStreams(session, tell);
}

void ProviderRole::Impl::bury() {
    dead.clear();
}

void ProviderRole::Impl::trimMemory() noexcept {
    streams.trim();
    for (const SessionSlot& slot : sessions) {
        if (!slot.session) continue;
        trimTable(slot.session->byStreamId);
        trimTable(slot.session->byKey);
        trimTable(slot.session->dictionaryJobs);
        trimVector(slot.session->adminSlots);
        trimDeque(slot.session->outbox);
    }
    trimTable(unacked);
    for (GrowingBuffer* buffer : {&keyScratch, &payloadScratch, &messageScratch})
        trimBuffer(*buffer);
}

std::size_t ProviderRole::Impl::places() const noexcept {
    std::size_t sum = streams.places() + unacked.bucket_count();
    for (const SessionSlot& slot : sessions)
        if (slot.session) sum += slot.session->byStreamId.bucket_count() + slot.session->byKey.bucket_count();
    return sum;
}

/// Strangers may knock as often as they like; the log hears of it once a second.
void ProviderRole::Impl::handshakeFailed(const std::string& reason) {
    ++counters.handshakesFailed;
    const TimePoint now = reactor.now();
    if (now < nextHandshakeReport) return void(++unreportedHandshakes);
    nextHandshakeReport = now + std::chrono::seconds(1);
    handler.onHandshakeFailed(reason, std::exchange(unreportedHandshakes, 0));
}

void Session::onLinkUp(Link& l) {
    up = true;
    role.beginStranger(*this);
    role.handler.onClientUp(handle, l.info());
}

void Session::onLinkMessage(Link&, Bytes message) {
    if (!dead) role.onMessage(*this, message);
}

void Session::onLinkDown(Link&, const std::string& reason, bool) {
    if (!up && !dead) role.handshakeFailed(reason);
    role.endSession(*this, reason, ProviderRole::Impl::Tell::now);
}

// --- streams ---------------------------------------------------------------------------------------------------------

ItemKey ProviderRole::Impl::itemKey(const Msg& request) {
    MsgKey key = request.key;
    if (key.has(KeyFlag::name) && !key.has(KeyFlag::nameType)) {
        key.flags |= KeyFlag::nameType;
        key.nameType = 1;
    }
    eta::BeWriter& out = keyScratch.start();
    encodeKeyContent(out, key);
    ItemKey result;
    result.domain = request.domain;
    result.isPrivate = request.has(RequestFlag::privateStream);
    result.content = keyScratch.view();
    const std::size_t h = std::hash<std::string_view>{}(eta::asText(result.content)) * 31 + result.domain * 2u +
                          (result.isPrivate ? 1u : 0u);
    result.hash = static_cast<std::uint32_t>(h ^ h >> 32);
    return result;
}

std::uint32_t ProviderRole::Impl::openStream(Session& session, const Msg& request, const ItemKey& key) {
    const std::uint32_t slot = streams.add(session);
    Stream& s = streams[slot];
    s.streamId = request.streamId;
    s.domain = request.domain;
    s.keyHash = key.hash;
    s.keySize = static_cast<std::uint16_t>(key.content.size());
    s.keyBytes = std::make_unique_for_overwrite<std::byte[]>(s.keySize);
    std::copy(key.content.begin(), key.content.end(), s.keyBytes.get());
    if (key.isPrivate) s.flags |= Stream::isPrivate;
    if (request.has(RequestFlag::streaming)) s.flags |= Stream::streaming;
    if (request.key.has(KeyFlag::serviceId)) {
        s.flags |= Stream::hasService;
        s.serviceId = request.key.serviceId;
    }
    session.keyBytes += s.keySize;
    session.byStreamId.emplace(request.streamId, slot);
    if (s.isItem()) {
        if (!request.has(RequestFlag::batch) && session.byKey.insert(slot).second) s.flags |= Stream::indexedByKey;
    } else if (s.domain == rdm::kLoginDomain) {
        session.loginSlot = slot;
    } else {
        session.adminSlots.push_back(slot);
    }
    ++counters.requests;
    return slot;
}

void ProviderRole::Impl::dropStream(std::uint32_t slot) noexcept {
    Stream& s = streams[slot];
    Session& session = *s.session;
    if (s.is(Stream::indexedByKey)) session.byKey.erase(slot);
    session.byStreamId.erase(s.streamId);
    if (session.loginSlot == slot) session.loginSlot = StreamTable::kNone;
    else if (!s.isItem()) std::erase(session.adminSlots, slot);
    forgetPosts(session, slot);
    session.keyBytes -= s.keySize;
    if (!session.dictionaryJobs.empty()) session.dictionaryJobs.erase(streams.handleOf(slot));
    groups.take(s.group);
    streams.remove(slot);
    reactor.noteFreed(kHeapBytes);
}

void ProviderRole::Impl::forgetPosts(Session& session, std::uint32_t slot) noexcept {
    if (unacked.empty()) return;
    const auto at = unacked.find(streams.handleOf(slot));
    if (at == unacked.end()) return;
    session.unackedPosts -= at->second.size();
    unacked.erase(at);
}

// --- ProviderRole ----------------------------------------------------------------------------------------------------

ProviderRole::ProviderRole(Reactor& reactor, ProviderOptions options, ProviderHandler& handler)
    : impl_(std::make_unique<Impl>(reactor, std::move(options), handler)) {}
ProviderRole::~ProviderRole() = default;

bool ProviderRole::listen(std::string& errorText) {
    impl_->listener = Listener::open(impl_->options.bind, errorText);
    if (!impl_->listener) return false;
    impl_->member = impl_->listener->join();
    impl_->reactor.watch(impl_->listener->fd(), kWatch, *impl_);
    impl_->reactor.watch(impl_->member->fd(), EPOLLIN, impl_->inbox);
    return true;
}

std::uint16_t ProviderRole::port() const noexcept {
    return impl_->listener ? impl_->listener->port() : std::uint16_t{0};
}

bool ProviderRole::closeClient(std::uint64_t clientHandle) {
    Session* session = impl_->findSession(clientHandle);
    if (session == nullptr) return false;
    impl_->endSession(*session, "closed by the application", Impl::Tell::later);
    return true;
}

std::vector<ClientInfo> ProviderRole::clients() const {
    std::vector<ClientInfo> list;
    list.reserve(impl_->live);
    for (const auto& slot : impl_->sessions) {
        if (slot.session && slot.session->up) list.push_back({slot.session->handle, &slot.session->link->info()});
    }
    return list;
}

const eta::transport::ChannelInfo* ProviderRole::channelInfo(std::uint64_t clientHandle) const noexcept {
    if (const Session* session = impl_->findSession(clientHandle)) return &session->link->info();
    for (const auto& session : impl_->dead)
        if (session->handle == clientHandle && session->link) return &session->link->info();
    return nullptr;
}

Link* ProviderRole::link(std::uint64_t clientHandle) noexcept {
    Session* session = impl_->findSession(clientHandle);
    return session != nullptr ? session->link.get() : nullptr;
}

std::uint64_t ProviderRole::clientOf(std::uint64_t handle) const noexcept {
    const Stream* s = impl_->streams.find(handle);
    return s != nullptr ? s->session->handle : 0;
}

std::string ProviderRole::describe(std::uint64_t handle) const {
    const Stream* s = impl_->streams.find(handle);
    if (s == nullptr) return "handle " + std::to_string(handle) + " does not exist";
    MsgKey key;
    if (const Error e = decodeKey(s->key(), key); !e.ok()) key = {};
    std::string text;
    if (key.has(KeyFlag::name)) text.append(1, '\'').append(eta::asText(key.name)).append("' ");
    if (s->is(Stream::hasService)) text.append("of service ").append(std::to_string(s->serviceId)).append(1, ' ');
    text.append("(stream ").append(std::to_string(s->streamId));
    return text.append(", domain ").append(std::to_string(s->domain)).append(1, ')');
}

const rdm::Directory& ProviderRole::directory() const noexcept {
    return impl_->directory;
}
const ProviderCounters& ProviderRole::counters() const noexcept {
    if (impl_->listener) {
        const eta::transport::ServerCounters all = impl_->listener->counters();
        impl_->counters.evicted = all.evicted;
        impl_->counters.refusedBusy = all.refusedBusy;
    }
    impl_->counters.groupless = impl_->groups.unnumbered();
    return impl_->counters;
}
std::size_t ProviderRole::openStreams() const noexcept {
    return impl_->streams.open();
}

}  // namespace emissary::reactor
