// Makes the parts of an interactive provider, and the calls of its public face.
#include "reactor/provider/ProviderRole.h"

#include "provider/ProviderRoleImpl.h"
#include "reactor/metrics/Snapshot.h"
#include "reactor/rdm/login_user.h"

namespace emissary::reactor {

using namespace eta::codec;

ProviderRole::Impl::Impl(Reactor& r, ProviderOptions o, ProviderHandler& h)
    : MemoryOwner(r), context(r, std::move(o), h) {
    for (rdm::Service& service : context.options.services)
        directory.add(std::move(service));
    context.options.services.clear();
}

void ProviderRole::Impl::serve(ServedDictionary dictionary) {
    dictionaries.serve(dictionary);
    clients.forEachUp([&](Session& session) {
        const std::vector<std::uint32_t> slots = session.streams.admin;  // sending may end a stream
        for (const std::uint32_t slot : slots) {
            const Stream& stream = streams[slot];
            MsgKey key;
            if (session.dead || stream.session != &session || stream.domain != rdm::kDictionaryDomain ||
                !stream.is(Stream::answeredHere) || !stream.is(Stream::streaming) ||
                !decodeKey(stream.key(), key).ok() || eta::asText(key.name) != dictionary.name)
                continue;
            const std::uint64_t handle = streams.handleOf(slot);
            if (dictionaries.ask(session, handle, dictionary, key, false)) outbox.sendDictionary(session, handle);
        }
    });
}

/// Links are closed first, while the parts that they call still exist.
ProviderRole::Impl::~Impl() {
    clients.forEach([this](Session& session) { context.reactor.cancelTimer(session.outbox.timer); });
    clients.clear();
}

void ProviderRole::Impl::trimMemory() noexcept {
    streams.trim();
    tunnels.trim();
    clients.forEach([](Session& session) { session.trimMemory(); });
    trimBuffer(context.payload);
    trimBuffer(context.message);
}

std::size_t ProviderRole::Impl::places() const noexcept {
    std::size_t sum = streams.places();
    clients.forEach([&](const Session& session) { sum += session.places(); });
    return sum;
}

ProviderRole::ProviderRole(Reactor& reactor, ProviderOptions options, ProviderHandler& handler)
    : impl_(std::make_unique<Impl>(reactor, std::move(options), handler)),
      metrics_(reactor, [this](metrics::Snapshot& into) { collect(into); }) {}
ProviderRole::~ProviderRole() = default;

void ProviderRole::collect(metrics::Snapshot& into, bool ofListener) const {
    ProviderCounters mine = counters();
    if (!ofListener) mine.evicted = mine.refusedBusy = 0;
    into.add(mine, {{"role", "provider"}});
    into.add(impl_->tunnels.counters(), {{"role", "provider"}});
    impl_->port.collect(into, ofListener);
}

eta::Refused ProviderRole::listen() {
    return impl_->port.listen();
}
std::uint16_t ProviderRole::port() const noexcept {
    return impl_->port.port();
}

void ProviderRole::stopListening() {
    impl_->port.stop();
}
void ProviderRole::serveTunnels(tunnel::TunnelListener& listener) noexcept {
    impl_->tunnels.serve(listener);
}
void ProviderRole::serve(ServedDictionary dictionary) {
    impl_->serve(std::move(dictionary));
}

bool ProviderRole::submitPlain(std::uint64_t handle, const Msg& m, SubmitResult& result) noexcept {
    return impl_->submits.submitPlain(handle, m, result);
}
SubmitResult ProviderRole::submit(std::uint64_t handle, Msg& m) {
    return impl_->submits.submit(handle, m);
}
SubmitResult ProviderRole::submitToAll(const Msg& m) {
    return impl_->fanOut.submitToAll(m);
}
SubmitResult ProviderRole::submitPacked(std::uint64_t clientHandle, Bytes body, std::uint32_t messages,
                                        std::span<const PackedMessage> changes) {
    return impl_->submits.packed(clientHandle, body, messages, changes);
}
SubmitResult ProviderRole::prepare(std::uint64_t handle, std::uint64_t clientHandle, Msg& m, PackedEffect& effect) {
    return impl_->submits.prepare(handle, clientHandle, m, effect);
}

ProviderRole::Asked ProviderRole::request(const Msg& request) {
    return impl_->ownRequests.request(request);
}
SubmitResult ProviderRole::reissue(std::uint64_t handle, const Msg& request) {
    return impl_->ownRequests.reissue(handle, request);
}
bool ProviderRole::cancel(std::uint64_t handle) {
    return impl_->ownRequests.cancel(handle);
}

bool ProviderRole::forget(std::uint64_t handle) {
    const Stream* const stream = impl_->streams.find(handle);
    if (stream == nullptr || stream->domain == rdm::kLoginDomain) return false;
    impl_->streams.drop(stream->slot);
    return true;
}

bool ProviderRole::hasStream(std::uint64_t clientHandle, std::int32_t streamId) const noexcept {
    const Session* const session = impl_->clients.find(clientHandle);
    return session != nullptr && session->streams.slotOf(streamId) != StreamTable::kNone;
}

bool ProviderRole::closeClient(std::uint64_t clientHandle, const std::string& reason) {
    Session* session = impl_->clients.find(clientHandle);
    if (session == nullptr) return false;
    impl_->life.endClient(*session, reason, Tell::later);
    return true;
}

bool ProviderRole::closeClient(std::uint64_t clientHandle, const std::string& reason, const ClientFarewell& farewell) {
    Session* session = impl_->clients.find(clientHandle);
    if (session == nullptr) return false;
    impl_->life.endClient(*session, reason, Tell::later, farewell);
    return true;
}

bool ProviderRole::setContext(std::uint64_t clientHandle, void* context) noexcept {
    Session* session = impl_->clients.find(clientHandle);
    if (session == nullptr) return false;
    session->context = context;
    return true;
}

std::vector<ClientInfo> ProviderRole::clients() const {
    std::vector<ClientInfo> list;
    list.reserve(impl_->clients.live());
    impl_->clients.forEachUp([&](const Session& session) { list.push_back({session.handle, &session.link->info()}); });
    return list;
}

const eta::transport::ChannelInfo* ProviderRole::channelInfo(std::uint64_t clientHandle) const noexcept {
    const Session* session = impl_->clients.find(clientHandle);
    // A client that has ended is still known until its record goes.
    if (session == nullptr) session = impl_->clients.findDead(clientHandle);
    return session != nullptr && session->link ? &session->link->info() : nullptr;
}

Link* ProviderRole::link(std::uint64_t clientHandle) noexcept {
    const Session* session = impl_->clients.find(clientHandle);
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
    if (key.has(KeyFlag::name) && !(s->domain == rdm::kLoginDomain && rdm::isSecretName(key)))
        text.append(1, '\'').append(eta::asText(key.name)).append("' ");
    if (s->is(Stream::hasService)) text.append("of service ").append(std::to_string(s->serviceId)).append(1, ' ');
    text.append("(stream ").append(std::to_string(s->streamId));
    return text.append(", domain ").append(std::to_string(s->domain)).append(1, ')');
}

const rdm::Directory& ProviderRole::directory() const noexcept {
    return impl_->directory;
}

const ProviderCounters& ProviderRole::counters() const noexcept {
    const eta::transport::ServerCounters all = impl_->port.counters();
    ProviderCounters& counters = impl_->context.counters;
    counters.evicted = all.evicted;
    counters.refusedBusy = all.refusedBusy;
    counters.groupless = impl_->streams.groups.unnumbered();
    counters.clients = impl_->clients.live();
    counters.openStreams = impl_->streams.size();
    return counters;
}

std::size_t ProviderRole::openStreams() const noexcept {
    return impl_->streams.size();
}

}  // namespace emissary::reactor
