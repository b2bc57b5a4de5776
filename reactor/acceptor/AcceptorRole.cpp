// The life of a publisher's connection at the server: login, directory, streams, its own requests, and its end.
#include "reactor/acceptor/AcceptorRole.h"

#include "acceptor/AcceptorRoleImpl.h"
#include "reactor/TurnShare.h"
#include "reactor/rdm/login_user.h"
#include "reactor/rdm/stream_state.h"

#include <algorithm>
#include <new>

#include <sys/epoll.h>

namespace emissary::reactor::acceptor {

using namespace eta::codec;

namespace {

constexpr int kAcceptsPerTurn = 64;
constexpr std::size_t kBuriedPerTurn = 4096;   // streams of a publisher that is gone
constexpr std::size_t kHeapBytes = 48;         // about what a stream has there: its name
constexpr std::uint8_t kUsageError = 5;        // rdm.md 1.2
constexpr std::uint32_t kMostUnanswered = 16;  // requests while earlier answers still wait for room

}  // namespace

void AcceptorRole::Impl::onReady(std::uint32_t) noexcept try {
    for (int i = 0; i < kAcceptsPerTurn; ++i) {
        std::unique_ptr<eta::transport::Channel> channel = server->accept(reactor.now());
        if (!channel) return;
        auto publisher = std::make_unique<Publisher>(*this, next++);
        Publisher& p = *publisher;
        p.link = reactor.adopt(std::move(channel), p);
        publishers.emplace(p.number, std::move(publisher));
        ++counters.accepted;
    }
} catch (const std::bad_alloc&) {  // memory is short: the connection is refused
}

/// The connection ends now; its record is destroyed from the loop, because it may be on the stack.
void AcceptorRole::Impl::end(Publisher& p, const std::string& reason) {
    if (std::exchange(p.dead, true)) return;
    ++counters.lost;
    reactor.cancelTimer(std::exchange(p.loginTimer, 0));
    reactor.cancelTimer(std::exchange(p.stepTimer, 0));
    p.sender.attach(nullptr);
    if (p.link) p.link->close();
    bury();
    handler.onPublisherDown(p.number, reason);
}

/// Streams go first, some in each turn.
void AcceptorRole::Impl::bury() {
    if (burialTimer != 0) return;
    burialTimer = reactor.startTimer(Duration::zero(), [this] {
        burialTimer = 0;
        const auto over = [](const auto& entry) { return entry.second->dead && entry.second->streams.size() == 0; };
        for (const auto& [number, p] : publishers) {
            if (!p->dead || p->streams.size() == 0) continue;
            const std::size_t before = p->streams.size();
            p->streams.drop(kBuriedPerTurn);
            reactor.noteFreed((before - p->streams.size()) * kHeapBytes);
            bury();  // others have their turn then
            break;
        }
        std::erase_if(publishers, over);
        if (burialTimer != 0 || !joined) return;  // else the group goes on without this publisher
        if (const eta::Refused refused = join()) handler.onIgnored(0, refused.text);
    });
}

/// Answers were dropped: both sides do not agree any more on what was said.
void AcceptorRole::Impl::notRead(Publisher& p, const std::string& why) {
    // An answer that did not leave cannot be made up for: the two sides no longer agree.
    ++counters.overrun;
    end(p, why);
}

/// One link hears the group; the program that publishes there is its publisher.
eta::Refused AcceptorRole::Impl::join() {
    if (std::any_of(publishers.begin(), publishers.end(), [](const auto& entry) { return !entry.second->dead; }))
        return {};
    eta::Refused refused;
    auto channel = eta::transport::Channel::connect(*options.group, reactor.now(), refused);
    if (channel == nullptr) return refused;
    auto publisher = std::make_unique<Publisher>(*this, next++);
    Publisher& p = *publisher;
    publishers.emplace(p.number, std::move(publisher));
    ++counters.accepted;
    p.link = reactor.adopt(std::move(channel), p);
    joined = true;
    return {};
}

/// On a group this side may have come later: asks the publisher to begin anew.
void AcceptorRole::Impl::notLoggedIn(Publisher& p, const Msg& m) {
    ignore(p, m, "the publisher is not logged in");
    if (!options.group || reactor.now() - p.toldAt < std::chrono::seconds(1)) return;
    p.toldAt = reactor.now();
    PublisherAnswers::status(
        p.sender, p.loginStream, rdm::kLoginDomain,
        {StreamState::closedRecover, DataState::suspect, 0, eta::asBytes("Log in again: this server is new.")});
}

/// The streams of a publisher that was restarted end; the group's link stays.
void AcceptorRole::Impl::freshLogin(Publisher& p) {
    const std::uint64_t senders = p.link->channel()->multicastCounters().senders;
    // The number of senders has changed: a publisher has restarted, and its streams are gone.
    if (std::exchange(p.sendersAtLogin, senders) == senders) return;
    p.streams.clear();
    p.directory = {};
    p.closing.clear();
}

void AcceptorRole::Impl::ignore(Publisher& p, const Msg& m, std::string_view why) {
    ++counters.ignored;
    handler.onIgnored(p.number, std::string(eta::codec::name(m.cls)) + " message, stream " +
                                    std::to_string(m.streamId) + ", domain " + std::to_string(m.domain) + ": " +
                                    std::string(why));
    if (options.group || p.dead || p.guard.toleratesRefusal(p.loggedIn)) return;
    ++counters.limitEnds;
    end(p, "too much of what it sent before its login was not taken");
}

void AcceptorRole::Impl::onMessage(Publisher& p, Bytes message) {
    if (p.taking) [[unlikely]] {  // the last that it sent before it went, or more in one text
        finishTaking(p);
        if (p.dead) return;
    }
    if (const Error e = decodeMsg(message, incoming); !e.ok()) [[unlikely]] {
        ++counters.malformed;
        return end(p, std::string("undecodable message: ") + eta::describe(e.code));
    }
    const Msg& m = incoming;
    if (!p.loggedIn && p.held.waits() && !options.group) [[unlikely]]
        return p.held.add(message);
    if (hasUndefinedState(m)) [[unlikely]]
        return ignore(p, m,
                      "its state (stream " + std::to_string(m.state.stream) + ", data " + std::to_string(m.state.data) +
                          ") is none that there is");
    if (m.cls == MsgClass::Request) {
        // Requests without an answer are bounded: a publisher that does not read costs no memory.
        if (p.sender.idle()) p.unanswered = 0;
        if (++p.unanswered > kMostUnanswered) return end(p, "the publisher does not read the answers it asks for");
    }
    if (p.json && !p.loggedIn && m.cls == MsgClass::Request && m.domain == rdm::kLoginDomain)
        // The first login decides which stream is the login's.
        p.loginStream = m.streamId;
    if (m.streamId == p.loginStream) {
        if (m.cls == MsgClass::Request) return onLogin(p, m);
        if (m.cls == MsgClass::Close) return end(p, "login closed by the publisher");
        if (m.cls != MsgClass::Generic) ignore(p, m, "not expected on the login stream");
        return;
    }
    if (!p.loggedIn) return notLoggedIn(p, m);
    if (m.cls == MsgClass::Request && (m.streamId > 0 || p.json)) return answers.request(p.sender, m);
    if (m.streamId > 0 && (!p.json || m.cls == MsgClass::Close)) {
        if (m.cls != MsgClass::Close) ignore(p, m, "not expected on a requested stream");
        return;
    }
    if (m.domain == rdm::kDirectoryDomain && m.cls != MsgClass::Generic) return onDirectory(p, m);
    if (m.streamId == 0 && !p.json) return ignore(p, m, "items are published on negative streams");
    onItem(p, m);
}

void AcceptorRole::Impl::awaitLogin(Publisher& p) {
    // On a group the login may have been sent before this side came, so no time limit runs.
    if (options.group) return;
    watch();
    if (options.limits.loginTimeout.count() == 0) return;
    p.loginTimer = reactor.startTimer(options.limits.loginTimeout, [this, &p] {
        p.loginTimer = 0;
        ++counters.loginTimeouts;
        end(p, "no login request came in time");
    });
}

void AcceptorRole::Impl::watch() {
    const Duration period = PublisherGuard::period(options.limits);
    if (guardTimer != 0 || period.count() == 0) return;
    guardTimer = reactor.startTimer(period, [this] {
        guardTimer = 0;
        lookAfterAll();
    });
}

void AcceptorRole::Impl::lookAfterAll() {
    std::vector<std::uint64_t> all;
    for (const auto& [number, p] : publishers)
        if (!p->dead && p->sender.link() != nullptr) all.push_back(number);
    for (const std::uint64_t number : all) {
        Publisher* const p = find(number);
        if (p == nullptr || p->sender.link() == nullptr) continue;
        const std::string fault = p->guard.fault(*p->sender.link(), reactor.now());
        if (fault.empty()) continue;
        ++counters.limitEnds;
        end(*p, fault);
    }
    if (!all.empty()) watch();
}

void AcceptorRole::Impl::onLogin(Publisher& p, const Msg& m) {
    reactor.cancelTimer(std::exchange(p.loginTimer, 0));
    rdm::LoginAttributes asked;
    std::string_view faulty;
    rdm::OwnedState refusal{StreamState::closed, DataState::suspect, 3, "Login denied."};
    if (const Error e = rdm::decodeLogin(m.key, asked, &faulty); !e.ok()) {
        ++counters.malformed;
        const std::string what =
            faulty.empty() ? std::string("invalid login attributes") : "login element '" + std::string(faulty) + "'";
        const std::string why = what + ": " + eta::describe(e.code);
        PublisherAnswers::status(p.sender, m.streamId, rdm::kLoginDomain,
                                 {StreamState::closed, DataState::suspect, kUsageError, eta::asBytes(why)});
        return end(p, why);
    }
    // Role 1 is what a publisher is, unless this port takes both.
    bool taken = m.domain == rdm::kLoginDomain && (options.anyRole || asked.isProvider());
    if (!taken)
        refusal = {StreamState::closed, DataState::suspect, kUsageError,
                   "Only non-interactive providers (login element Role 1) are served here."};
    // The publishers of a multicast group come and go on one connection.
    if (taken && p.loggedIn && !options.group && !rdm::sameUser(p.userKey(), m.key)) {
        taken = false;
        refusal = {StreamState::closed, DataState::suspect, kUsageError, "The stream is the login of another user."};
    }
    // Last, because it may end the publisher.
    const LoginAnswer answer = taken ? handler.onLogin(p.number, m, asked, refusal) : LoginAnswer::refused;
    if (p.dead) return;
    p.held.forget();
    switch (answer) {
    case LoginAnswer::taken:
        return loggedIn(p, m, asked);
    case LoginAnswer::refused:
        return refused(p, m.streamId, refusal);
    case LoginAnswer::later:
        return p.held.wait(*p.link, m, !p.loggedIn && !options.group);
    }
}

void AcceptorRole::Impl::refused(Publisher& p, std::int32_t stream, const rdm::OwnedState& state) {
    ++counters.refused;
    PublisherAnswers::status(p.sender, stream, rdm::kLoginDomain, state.view());
    end(p, "login refused: " + state.text);
}

void AcceptorRole::Impl::loggedIn(Publisher& p, const Msg& m, const rdm::LoginAttributes& asked) {
    ++counters.logins;
    if (!p.loggedIn || options.group) {
        p.user = m.key.has(KeyFlag::name) ? eta::asText(m.key.name) : std::string_view{};
        p.userNameType = m.key.has(KeyFlag::nameType) ? m.key.nameType : rdm::LoginNameType::userName;
    }
    p.loggedIn = true;
    if (eta::transport::Channel* const channel = p.link ? p.link->channel() : nullptr; channel != nullptr) {
        channel->limitInput(0);
        channel->settled();
    }
    if (options.group) freshLogin(p);
    if (m.has(RequestFlag::noRefresh)) return;
    if (!answers.login(p.sender, m, asked).ok()) end(p, "the login answer cannot be encoded");
}

/// What came behind a login that was answered now. Each message may end the publisher.
void AcceptorRole::Impl::release(Publisher& p) {
    for (std::vector<std::byte> message; !p.dead && p.held.next(message);)
        onMessage(p, message);
    // A directory that is taken over in steps keeps the input held until it is done.
    if (!p.dead && p.held.letGo() && !p.taking) p.link->hold(false);
}

void AcceptorRole::Impl::onDirectory(Publisher& p, const Msg& m) {
    if (m.cls != MsgClass::Refresh && m.cls != MsgClass::Update && m.cls != MsgClass::Status)
        return ignore(p, m, "not a directory message");
    const bool steps = options.share != nullptr && !options.group;
    if (steps) {
        // A copy: the directory is taken over in steps, while the receive buffer goes on.
        p.kept.assign(m.raw.begin(), m.raw.end());
        if (!decodeMsg(p.kept, incoming).ok()) return;  // it was read just now
    }
    if (const Error e = p.directory.begin(m, handler.directoryListener(p.number)); !e.ok()) {
        ++counters.malformed;
        return end(p, std::string("invalid source directory: ") + eta::describe(e.code));
    }
    p.taking = true;
    if (steps) return takeOn(p);
    (void)takes(p, {});
    p.taking = false;
    directoryTaken(p, m);
}

/// Services were deleted, and with them everything published on them; the publisher does not report each item. True:
/// something is left.
bool AcceptorRole::Impl::takes(Publisher& p, const std::function<bool()>& goesOn) {
    if (p.directory.step(goesOn)) return true;
    for (const std::uint16_t id : p.directory.takeGone())
        p.closing.push_back(id);
    // The service is gone from the directory, but its streams are still here.
    while (!p.dead && !p.closing.empty()) {
        const std::int32_t streamId = p.streams.firstOf(p.closing.back());
        if (streamId == PublishedStreams::kNone) {
            p.closing.pop_back();
            continue;
        }
        const PublishedStream stream = p.streams.remove(streamId);
        handler.onServiceGone(p.number, stream);
        if (goesOn && !goesOn()) return true;
    }
    return false;
}

void AcceptorRole::Impl::takeOn(Publisher& p) {
    {
        TurnShare::Piece piece(*options.share);
        if (takes(p, [&p, &piece] { return !p.dead && piece.left(); }) && !p.dead) {
            // Nothing more is read from it: what follows belongs to the new directory.
            p.link->hold(true);
            p.stepTimer = reactor.startTimer(Duration::zero(), [this, &p] {
                p.stepTimer = 0;
                takeOn(p);
            });
            return;
        }
    }
    finishTaking(p);
}

/// What is left is done at once.
void AcceptorRole::Impl::finishTaking(Publisher& p) {
    reactor.cancelTimer(std::exchange(p.stepTimer, 0));
    if (!p.dead) (void)takes(p, {});
    p.taking = false;
    const std::vector<std::byte> message = std::move(p.kept);
    if (p.dead || !decodeMsg(message, incoming).ok()) return;
    p.link->hold(false);
    directoryTaken(p, incoming);
}

void AcceptorRole::Impl::directoryTaken(Publisher& p, const Msg& m) {
    if (const std::string skipped = p.directory.takeSkipped(); !skipped.empty())
        ignore(p, m, "parts of the directory were left out: " + skipped);
    if (!p.dead) handler.onDirectory(p.number, p.directory.services(), m);
}

void AcceptorRole::Impl::onItem(Publisher& p, const Msg& m) {
    const bool published = m.cls == MsgClass::Refresh || m.cls == MsgClass::Update || m.cls == MsgClass::Status;
    if (!published && m.cls != MsgClass::Generic) return ignore(p, m, "a publisher does not send this");
    const PublishedStream* stream = p.streams.find(m.streamId);
    if (stream == nullptr) {
        // The first message of a stream says what it is; without it there is nothing to bind.
        if (!published) return ignore(p, m, "nothing is published on this stream");
        if (!m.hasKey() || !m.key.has(KeyFlag::serviceId))
            return ignore(p, m, "the first message of a stream needs a key with a service id");
        if (p.directory.services().find(m.key.serviceId) == nullptr)
            return ignore(p, m, "the directory has no such service");
        if (!p.guard.takesKey(m.key)) return ignore(p, m, "its key is too long (MaxKeySize)");
        if (m.streamId == PublishedStreams::kNone) return ignore(p, m, "no stream has this id");
        if (p.streams.size() >= options.maxStreamsPerPublisher) return ignore(p, m, "too many streams");
        const std::string_view name = m.key.has(KeyFlag::name) ? eta::asText(m.key.name) : std::string_view{};
        // The name is kept, because updates carry no key.
        stream = &p.streams.add({m.streamId, m.key.serviceId, m.domain, std::string(name), nullptr});
    }
    ++counters.messages;
    if (!rdm::endsStream(m)) return handler.onItem(p.number, *stream, m);
    // Removed before the handler hears of it, so that it may be published again at once.
    const PublishedStream gone = p.streams.remove(m.streamId);
    reactor.noteFreed(kHeapBytes);
    handler.onItem(p.number, gone, m);
}

// --- AcceptorRole ----------------------------------------------------------------------------------------------------

AcceptorRole::AcceptorRole(Reactor& reactor, AcceptorOptions options, AcceptorHandler& handler)
    : impl_(std::make_unique<Impl>(reactor, std::move(options), handler)) {}
AcceptorRole::~AcceptorRole() = default;

eta::Refused AcceptorRole::listen() {
    return impl_->options.group ? impl_->join() : listenOn(impl_->options.bind.port);
}

eta::Refused AcceptorRole::listenOn(std::string port) {
    stopListening();
    eta::transport::BindOptions bind = impl_->options.bind;
    bind.port = std::move(port);
    eta::Refused refused;
    impl_->server = eta::transport::Server::bind(bind, refused);
    if (!impl_->server) return refused;
    impl_->reactor.watch(impl_->server->fd(), EPOLLIN, *impl_);
    return {};
}

std::uint16_t AcceptorRole::port() const noexcept {
    return impl_->server ? impl_->server->port() : std::uint16_t{0};
}

void AcceptorRole::stopListening() {
    impl_->joined = false;
    if (!impl_->server) return;
    impl_->reactor.unwatch(impl_->server->fd());
    impl_->server.reset();
}

void AcceptorRole::take(std::unique_ptr<Link> link, std::span<const Bytes> messages) {
    auto publisher = std::make_unique<Publisher>(*impl_, impl_->next++);
    Publisher& p = *publisher;
    p.link = std::move(link);
    impl_->publishers.emplace(p.number, std::move(publisher));
    ++impl_->counters.accepted;
    p.link->setHandler(p);
    p.onLinkUp(*p.link);
    // What another role had read before is handled here, in its order.
    try {
        for (const Bytes message : messages)
            if (!p.dead) impl_->onMessage(p, message);
    } catch (const std::bad_alloc&) {
        impl_->end(p, "out of memory");
        throw;
    }
}

Error AcceptorRole::send(std::uint64_t publisher, const Msg& msg) {
    Publisher* p = impl_->find(publisher);
    if (p == nullptr || p->sender.link() == nullptr) return {Errc::closed, 0};
    // A client that speaks JSON may have logged in on any stream.
    if (msg.streamId != rdm::kLoginStreamId || p->loginStream == rdm::kLoginStreamId) return p->sender.trySend(msg);
    Msg addressed = msg;
    addressed.streamId = p->loginStream;
    return p->sender.trySend(addressed);
}

void AcceptorRole::serve(std::vector<ServedDictionary> dictionaries) {
    impl_->options.dictionaries = std::move(dictionaries);
}

bool AcceptorRole::takeLogin(std::uint64_t publisher) {
    Publisher* p = impl_->find(publisher);
    if (p == nullptr || !p->held.waits()) return false;
    const std::vector<std::byte> request = p->held.take();
    Msg m;
    rdm::LoginAttributes asked;
    // They were read when they came.
    if (!decodeMsg(request, m).ok() || !rdm::decodeLogin(m.key, asked).ok()) return false;
    impl_->loggedIn(*p, m, asked);
    if (!p->dead) impl_->release(*p);
    return true;
}

bool AcceptorRole::refuseLogin(std::uint64_t publisher, const rdm::OwnedState& state) {
    Publisher* p = impl_->find(publisher);
    if (p == nullptr) return false;
    impl_->refused(*p, p->loginStream, state);
    return true;
}

bool AcceptorRole::disconnect(std::uint64_t publisher) {
    Publisher* p = impl_->find(publisher);
    if (p == nullptr) return false;
    impl_->end(*p, "disconnected by the server");
    return true;
}

std::vector<std::uint64_t> AcceptorRole::publishers() const {
    std::vector<std::uint64_t> all;
    for (const auto& [number, p] : impl_->publishers)
        if (p->loggedIn && !p->dead) all.push_back(number);
    return all;
}

const eta::transport::ChannelInfo* AcceptorRole::channelInfo(std::uint64_t publisher) const noexcept {
    const Publisher* p = impl_->find(publisher);
    return p != nullptr && p->link ? &p->link->info() : nullptr;
}

const rdm::Directory* AcceptorRole::directory(std::uint64_t publisher) const noexcept {
    const Publisher* p = impl_->find(publisher);
    return p != nullptr ? &p->directory.services() : nullptr;
}

rdm::Directory AcceptorRole::takeDirectory(std::uint64_t publisher) {
    const auto at = impl_->publishers.find(publisher);
    return at != impl_->publishers.end() ? at->second->directory.release() : rdm::Directory{};
}

const PublishedStream* AcceptorRole::stream(std::uint64_t publisher, std::int32_t streamId) const noexcept {
    const Publisher* p = impl_->find(publisher);
    if (p == nullptr) return nullptr;
    return std::as_const(p->streams).find(streamId);
}

void AcceptorRole::forEachStream(std::uint64_t publisher, const std::function<void(const PublishedStream&)>& f) const {
    const auto at = impl_->publishers.find(publisher);
    if (at == impl_->publishers.end()) return;
    at->second->streams.forEach(f);
}

std::size_t AcceptorRole::streams(std::uint64_t publisher) const noexcept {
    const Publisher* p = impl_->find(publisher);
    return p != nullptr ? p->streams.size() : 0;
}

const AcceptorCounters& AcceptorRole::counters() const noexcept {
    return impl_->counters;
}

}  // namespace emissary::reactor::acceptor
