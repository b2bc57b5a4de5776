// Opens and closes tunnels, carries the streams inside them, and turns their ends into statuses.
#include "consumer/Tunnels.h"

#include "eta/codec/Msg.h"
#include "reactor/rdm/stream_state.h"
#include "reactor/session/session_types.h"

namespace emissary::reactor::consumer {

using namespace eta::codec;
using Kind = Refusal::Kind;

namespace {

constexpr std::int32_t kFirstInside = 5;

[[nodiscard]] std::vector<std::byte> encoded(const Msg& m) {
    std::vector<std::byte> block(maxEncodedSize(m));
    eta::BeWriter out{block};
    if (!encodeMsg(out, m).ok()) return {};
    block.resize(out.size());
    return block;
}

/// The stream has ended with this message.
[[nodiscard]] bool endsInside(const Msg& m) noexcept {
    if (m.cls != MsgClass::Refresh && !(m.cls == MsgClass::Status && m.hasState())) return false;
    if (m.state.stream == StreamState::nonStreaming) return m.cls == MsgClass::Status || m.has(RefreshFlag::complete);
    return m.state.stream != StreamState::open;
}

}  // namespace

Tunnels::Tunnels(const Around& around)
    : TurnEnd(around.reactor), MemoryOwner(around.reactor), around_(around), calls_(around.reactor) {}
Tunnels::~Tunnels() = default;

Tunnels::Tunnel* Tunnels::of(const Request& r) noexcept {
    const auto at = byHandle_.find(r.kind == Request::Kind::tunnel ? r.handle() : r.parent);
    return at != byHandle_.end() ? at->second : nullptr;
}

// --- opening ---------------------------------------------------------------------------------------------------------

/// Empty, and id and name of the service; or why there is none.
std::string Tunnels::serviceOf(const tunnel::TunnelRequest& request, std::uint16_t& id, std::string& name) const {
    const rdm::Service* const service = request.serviceName.empty()
                                            ? around_.directory.find(static_cast<std::uint16_t>(request.serviceId))
                                            : around_.directory.find(std::string_view(request.serviceName));
    // A service id from a message of the application may be out of range.
    if (service == nullptr || (request.serviceName.empty() && request.serviceId > 0xFFFF))
        return request.serviceName.empty() ? "Service id of '" + std::to_string(request.serviceId) + "' is not found."
                                           : "Service name of '" + request.serviceName + "' is not found.";
    id = service->id;
    name = service->name();
    return {};
}

/// The connection's own request; empty while there is none.
std::vector<std::byte> Tunnels::ownLogin() const {
    Msg m;
    around_.login.make(m);
    return encoded(m);
}

/// The caller has its handle first, and then hears that the tunnel is closed, as with one that a provider refuses.
void Tunnels::refuseLater(Request& r, const Msg& m, std::string text) {
    r.kind = Request::Kind::refused;
    RequestTable::Notice n;
    n.handle = r.handle();
    n.state = {StreamState::closed, DataState::suspect, 15, {}};
    n.text = std::move(text);
    n.domain = m.domain;
    n.hasName = m.key.has(KeyFlag::name);
    n.name.assign(eta::asText(m.key.name));
    if (m.key.has(KeyFlag::serviceId)) n.serviceId = m.key.serviceId;
    n.isPrivate = m.has(RequestFlag::privateStream);
    n.ends = true;
    around_.requests.later(std::move(n));
}

Handle Tunnels::open(const tunnel::TunnelRequest& request, const Subscriber& subscriber, Refusal& refusal) {
    if (request.serviceName.empty() && request.serviceId < 0) {
        refusal = {Kind::invalidArgument, "The request names no service: use serviceName() or serviceId()."};
        return 0;
    }
    const Link* const link = around_.sender.link();
    if (link != nullptr && link->info().protocolType == eta::transport::kProtocolJson) {
        refusal = {Kind::invalidUsage, "Failed to open tunnel stream request. Reason: the connection carries JSON; "
                                       "tunnel streams need RWF."};
        return 0;
    }
    tunnel::ConsumerRequest ask;
    ask.identity = {0, request.domain, 0, request.name};
    ask.classOfService = request.classOfService;
    ask.responseTimeout = request.responseTimeout;
    ask.outputBuffers = request.outputBuffers;
    // Authentication needs the login of the connection, or one of the tunnel's own (tunnel.md 6.3).
    ask.login = request.login.empty() ? ownLogin() : request.login;
    if (const std::string_view why = tunnel::whyRefused(ask); !why.empty()) {
        refusal = {Kind::invalidUsage, "Failed to open tunnel stream request. Reason: " + std::string(why)};
        return 0;
    }
    std::string name;
    std::string unknown = serviceOf(request, ask.identity.serviceId, name);
    Request& r = around_.requests.add(Request::Kind::tunnel, subscriber);
    // The handle exists, and the status comes from the loop: the caller has not returned yet.
    if (!unknown.empty()) {
        Msg m;
        m.cls = MsgClass::Request;
        m.domain = request.domain;
        m.flags = RequestFlag::privateStream;
        m.key.flags = KeyFlag::name;
        m.key.name = eta::asBytes(request.name);
        refuseLater(r, m, std::move(unknown));
        return r.handle();
    }
    auto fresh = std::make_unique<Tunnel>();
    // Tunnels take their ids from the watchlist's: one counter for all streams of the connection.
    fresh->wireId = ask.identity.streamId = r.appStreamId = around_.watchlist.streams().takeWireId();
    fresh->handle = r.handle();
    fresh->serviceName = std::move(name);
    tunnel::End::User& user = *this;
    fresh->end = std::make_unique<tunnel::ConsumerEnd>(tunnel::Setting{around_.reactor, *this, counters_, limits_},
                                                       std::move(ask), user);
    fresh->end->context = fresh.get();
    byHandle_[r.handle()] = fresh.get();
    byWire_[fresh->wireId] = std::move(fresh);
    // Posted, so that the application has its handle before the first status comes.
    calls_.post([this, handle = r.handle()] {
        if (const auto at = byHandle_.find(handle); at != byHandle_.end()) at->second->end->start();
    });
    return r.handle();
}

/// The application's, or the next that is free; 0 and a refusal.
std::int32_t Tunnels::streamIdFor(Tunnel& t, const Msg& m, Refusal& refusal) {
    if (m.streamId == 0) {
        if (t.freed.empty()) {
            while (t.inside.contains(t.nextInside))
                ++t.nextInside;
            return t.nextInside++;
        }
        const std::int32_t id = t.freed.back();
        t.freed.pop_back();
        return id;
    }
    // Inner ids are a space of their own; those of applications begin at 5.
    if (m.streamId < kFirstInside) {
        refusal = {Kind::invalidArgument,
                   "Invalid attempt to open a sub stream with streamId smaller than starting stream "
                   "id. Passed in stream id is " +
                       std::to_string(m.streamId)};
        return 0;
    }
    if (t.inside.contains(m.streamId)) {
        refusal = {Kind::invalidOperation, "Invalid attempt to open a substream: substream streamId (" +
                                               std::to_string(m.streamId) + ") is already in use"};
        return 0;
    }
    std::erase(t.freed, m.streamId);
    return m.streamId;
}

Handle Tunnels::openInside(const Request& parent, const RequestView& request, const Subscriber& subscriber,
                           Refusal& refusal) {
    Tunnel* const t = of(parent);
    if (t == nullptr || !t->end->open()) {
        refusal = {Kind::invalidUsage, "The tunnel stream of the parent handle is not open; wait for its status Open."};
        return 0;
    }
    if (request.serviceName.data() != nullptr) {
        Request& r = around_.requests.add(Request::Kind::subStream, subscriber);
        refuseLater(r, request.msg, "Invalid attempt to open sub stream using serviceName.");
        return r.handle();
    }
    Msg out = request.msg;
    out.streamId = streamIdFor(*t, request.msg, refusal);
    if (refusal) return 0;
    // The id goes back when the message could not be sent, or it would never be used again.
    if ((refusal = send(*t, out))) {
        t->freed.push_back(out.streamId);
        return 0;
    }
    Request& r = around_.requests.add(Request::Kind::subStream, subscriber);
    r.appStreamId = out.streamId;
    t->inside[out.streamId] = {r.handle(), out.domain};
    return r.handle();
}

// --- the application's messages --------------------------------------------------------------------------------------

Refusal Tunnels::send(Tunnel& t, const Msg& m) {
    const tunnel::SubmitFault fault = t.end->submit(m);
    if (fault == tunnel::SubmitFault::none) return {};
    return {fault == tunnel::SubmitFault::full ? Kind::noBuffers : Kind::invalidUsage,
            std::string("The message does not go into the tunnel stream: ") + tunnel::describe(fault) + "."};
}

Refusal Tunnels::reissue(const Request& r, const RequestView& request) {
    if (r.kind == Request::Kind::tunnel)
        return {Kind::invalidOperation, "Invalid attempt to reissue tunnel stream using ReqMsg."};
    Tunnel* const t = of(r);
    if (t == nullptr) return {Kind::invalidHandle, "unknown handle"};
    Msg out = request.msg;
    out.streamId = r.appStreamId;
    // The stream's domain stands where the message has the default.
    if (const auto at = t->inside.find(r.appStreamId);
        at != t->inside.end() && session::keepsDomain(out, at->second.domain))
        out.domain = at->second.domain;
    return send(*t, out);
}

Refusal Tunnels::submit(const Request& r, const Msg& msg) {
    if (r.kind == Request::Kind::tunnel)
        return {Kind::invalidOperation, std::string("Invalid attempt to submit ") +
                                            (msg.cls == MsgClass::Post ? "PostMsg" : "GenericMsg") +
                                            " on tunnel stream."};
    Tunnel* const t = of(r);
    if (t == nullptr) return {Kind::invalidHandle, "unknown handle"};
    Msg out = msg;
    out.streamId = r.appStreamId;
    if (const auto at = t->inside.find(r.appStreamId); out.domain == 0 && at != t->inside.end())
        out.domain = at->second.domain;
    return send(*t, out);
}

std::optional<std::uint32_t> Tunnels::buffersUsed(Handle handle) const noexcept {
    const auto at = byHandle_.find(handle);
    return at != byHandle_.end() ? std::optional(at->second->end->buffersUsed()) : std::nullopt;
}

void Tunnels::close(Request& r) {
    Tunnel* const t = of(r);
    if (t == nullptr) return around_.requests.release(r);
    if (r.kind == Request::Kind::subStream) {
        const auto at = t->inside.find(r.appStreamId);
        if (at == t->inside.end()) return around_.requests.release(r);
        Msg m;
        m.cls = MsgClass::Close;
        m.domain = at->second.domain;
        m.streamId = r.appStreamId;
        (void)send(*t, m);  // when the output is full, the next message tells the provider
        return endInside(*t, r.appStreamId);
    }
    // The inner streams end without a message each: closing the tunnel ends them at the peer.
    endAllInside(*t);
    byHandle_.erase(r.handle());
    t->handle = 0;
    around_.requests.release(r);
    t->end->close(false);
}

void Tunnels::endInside(Tunnel& t, std::int32_t innerId) {
    const auto at = t.inside.find(innerId);
    if (at == t.inside.end()) return;
    if (Request* r = around_.requests.find(at->second.handle); r != nullptr) around_.requests.release(*r);
    t.inside.erase(at);
    t.freed.push_back(innerId);
}

void Tunnels::endAllInside(Tunnel& t) {
    while (!t.inside.empty())
        endInside(t, t.inside.begin()->first);
}

// --- the provider's messages -----------------------------------------------------------------------------------------

eta::Error Tunnels::tryWrite(Bytes message) noexcept {
    Link* const link = around_.sender.link();
    if (link == nullptr) return {Errc::closed, 0};
    // What the sender still has goes first, so that the messages keep their order.
    return around_.sender.idle() ? link->send(message) : eta::Error{Errc::noBuffers, 0};
}

bool Tunnels::onMessage(const Msg& msg) {
    if (byWire_.empty()) [[likely]]
        return false;
    const auto at = byWire_.find(msg.streamId);
    if (at == byWire_.end()) return false;
    at->second->end->onMessage(msg);
    return true;
}

bool Tunnels::onMalformed(std::int32_t wireId) {
    const auto at = byWire_.find(wireId);
    if (at == byWire_.end()) return false;
    at->second->end->onMalformed();
    return true;
}

// A tunnel does not survive its connection (tunnel.md 3).
void Tunnels::connectionLost() {
    // The list changes under way.
    std::vector<tunnel::ConsumerEnd*> all;
    for (const auto& [id, t] : byWire_)
        all.push_back(t->end.get());
    for (tunnel::ConsumerEnd* end : all)
        if (!end->ended()) end->onConnectionLost();
}

/// Every event of a tunnel is a status on its handle.
void Tunnels::onStatus(tunnel::End& end, const tunnel::Status& status) {
    Tunnel& t = *static_cast<Tunnel*>(end.context);
    Request* const r = around_.requests.find(t.handle);
    if (r == nullptr) return;
    const std::string service = t.serviceName;
    const tunnel::Identity& identity = end.identity();
    Msg m;
    m.cls = MsgClass::Status;
    m.domain = identity.domain;
    m.streamId = identity.streamId;
    m.flags = StatusFlag::state | StatusFlag::msgKey | StatusFlag::privateStream | StatusFlag::clearCache;
    m.state = status.state;
    m.key.flags = KeyFlag::name | KeyFlag::serviceId;
    m.key.name = eta::asBytes(identity.name);
    m.key.serviceId = identity.serviceId;
    const session::Recipient to = RequestTable::recipient(*r);
    // The request ends before the callback, so that a new tunnel may be opened inside it.
    if (m.state.stream != StreamState::open) {
        endAllInside(t);
        byHandle_.erase(t.handle);
        t.handle = 0;
        around_.requests.release(*r);
    }
    around_.sink.onMessage(m, to, service);
}

void Tunnels::onData(tunnel::End& end, DataType type, Bytes data) {
    Tunnel& t = *static_cast<Tunnel*>(end.context);
    // Inside a tunnel there are messages only; anything else has no receiver.
    if (type != DataType::Msg || !decodeMsg(data, inner_).ok() || hasUndefinedState(inner_))
        return around_.sink.onWarning("Tunnel stream '" + end.identity().name +
                                      "': something that is no message was dropped.");
    const auto at = t.inside.find(inner_.streamId);
    Request* const r = at != t.inside.end() ? around_.requests.find(at->second.handle) : nullptr;
    const bool known = inner_.cls == MsgClass::Refresh || inner_.cls == MsgClass::Update ||
                       inner_.cls == MsgClass::Status || inner_.cls == MsgClass::Generic || inner_.cls == MsgClass::Ack;
    if (r == nullptr || !known)
        return around_.sink.onWarning("Tunnel stream '" + end.identity().name + "': a " + name(inner_.cls) +
                                      " message on stream " + std::to_string(inner_.streamId) +
                                      " inside was dropped: no sub stream takes it.");
    const session::Recipient to = RequestTable::recipient(*r);
    if (endsInside(inner_)) endInside(t, inner_.streamId);
    around_.sink.onMessage(inner_, to, {});
}

void Tunnels::onEnded(tunnel::End& end) {
    Tunnel& t = *static_cast<Tunnel*>(end.context);
    std::erase(due_, &end);
    const auto at = byWire_.find(t.wireId);
    if (at == byWire_.end()) return;
    around_.watchlist.streams().giveWireId(t.wireId);
    // Destroyed at the end of the turn, because the end is on the stack.
    gone_.push_back(std::move(at->second));
    byWire_.erase(at);
}

void Tunnels::onTurnEnd() noexcept {
    if (!due_.empty()) {
        for (tunnel::End* end : due_)
            end->flush();
        due_.clear();
    }
    if (!gone_.empty()) gone_.clear();
}

void Tunnels::trimMemory() noexcept {
    for (const auto& [id, t] : byWire_)
        t->end->trim();
}

}  // namespace emissary::reactor::consumer
