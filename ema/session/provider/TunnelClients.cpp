// ema/session/provider: gives tunnels and the streams inside them their handles, and delivers what happens on them.
#include "session/provider/TunnelClients.h"

#include "Access/Include/OmmState.h"
#include "eta/codec/Msg.h"
#include "eta/core/printable.h"
#include "reactor/handle_serial.h"
#include "reactor/rdm/stream_state.h"

#include <algorithm>
#include <utility>

namespace emissary::ema {

using namespace eta::codec;
using reactor::StreamEvent;
using reactor::SubmitFault;
namespace tunnel = reactor::tunnel;

namespace {

// Below are the streams inside, from here on the tunnels themselves.
constexpr UInt64 kTunnelHandles = 0xE000'0000'0000'0000;
constexpr std::uint32_t kSerialBits = 0x1FFF'FFFF;  // of those inside
// Slots that stay when the last tunnel has ended.
constexpr std::size_t kKeptStreams = 4096;

}  // namespace

void TunnelClients::serve(reactor::ProviderRole& role, const TunnelOffer& offer, const Rules& rules) {
    role_ = &role;
    offer_ = offer;
    rules_ = rules;
    role.serveTunnels(*this);
}

// --- handles ---------------------------------------------------------------------------------------------------------

UInt64 TunnelClients::handleOf(std::uint32_t slot) const noexcept {
    return reactor::kForeignHandles | UInt64{streams_[slot].serial} << 32 | slot;
}

/// Slots are used again; the serial in the handle keeps an old one from meaning the new stream.
const TunnelClients::Stream* TunnelClients::find(UInt64 handle) const noexcept {
    const auto slot = static_cast<std::uint32_t>(handle);
    if (slot >= streams_.size() || streams_[slot].tunnel == nullptr || handleOf(slot) != handle) return nullptr;
    return &streams_[slot];
}

TunnelClients::Tunnel* TunnelClients::tunnelOf(UInt64 handle) const noexcept {
    const auto at = tunnels_.find(handle);
    return at != tunnels_.end() ? at->second.get() : nullptr;
}

UInt64 TunnelClients::connectionOf(UInt64 handle) const noexcept {
    const Tunnel* const t = tunnelOf(handle);
    return t != nullptr ? t->connection : 0;
}

std::optional<std::uint32_t> TunnelClients::buffersUsed(UInt64 handle) const noexcept {
    const Tunnel* const t = tunnelOf(handle);
    return t != nullptr ? std::optional(t->end->buffersUsed()) : std::nullopt;
}

std::string TunnelClients::describe(UInt64 handle) const {
    const Stream* const s = find(handle);
    if (s == nullptr) return "handle " + std::to_string(handle) + " does not exist";
    return "'" + eta::printable(s->name) + "' (stream " + std::to_string(s->streamId) + ", domain " +
           std::to_string(s->domain) + ") in tunnel stream '" + eta::printable(s->tunnel->name) + "'";
}

std::uint32_t TunnelClients::add(Tunnel& t, const Msg& request) {
    std::uint32_t slot = static_cast<std::uint32_t>(streams_.size());
    if (free_.empty()) {
        streams_.emplace_back();
        // So that remove() allocates nothing.
        free_.reserve(streams_.capacity());
    } else {
        slot = free_.back();
        free_.pop_back();
    }
    Stream& s = streams_[slot];
    s.tunnel = &t;
    s.serial = reactor::nextHandleSerial() & kSerialBits;
    s.streamId = request.streamId;
    s.domain = request.domain;
    s.serviceId = request.key.serviceId;
    s.isPrivate = request.has(RequestFlag::privateStream);
    s.refreshed = false;
    s.name = eta::asText(request.key.name);
    t.inside[request.streamId] = slot;
    t.keyBytes += s.name.size();
    return slot;
}

void TunnelClients::remove(std::uint32_t slot) {
    Stream& s = streams_[slot];
    s.tunnel->keyBytes -= s.name.size();
    s.tunnel->inside.erase(s.streamId);
    s.tunnel = nullptr;
    free_.push_back(slot);
}

// --- tunnels ---------------------------------------------------------------------------------------------------------

/// The rules of tunnel.md 1.7, last point.
void TunnelClients::onTunnelRequest(tunnel::TunnelCall& call) {
    const tunnel::ClassOfService& asked = call.classOfService;
    // What is accepted, and what a refusal names that another class of service would avoid.
    tunnel::ClassOfService offered;
    offered.authentication = asked.authentication;
    offered.flowControl = tunnel::FlowControl::bidirectional;
    offered.dataIntegrity = tunnel::DataIntegrity::reliable;
    offered.recvWindowSize = offer_.recvWindowSize;
    const auto no = [&](std::uint8_t stream, const std::string& text) {
        const bool other = stream == StreamState::redirected;  // another class of service would do
        if (other && asked.authentication > tunnel::Authentication::ommLogin)
            offered.authentication = tunnel::Authentication::none;
        (void)call.reject({stream, DataState::suspect, 0, eta::asBytes(text)}, other ? &offered : nullptr);
        engine_.logPeer("ServerChannelHandler", LogSeverity::warning, [&] {
            return "Tunnel stream refused.\n\tClient handle " + std::to_string(call.clientHandle) + "\n\tName " +
                   eta::printable(call.name) + "\n\tReason " + text;
        });
    };
    if (role_->directory().find(call.serviceId) == nullptr)
        return no(StreamState::closed,
                  "There is no service with id " + std::to_string(call.serviceId) + " at this provider.");
    if (const auto at = open_.find(call.clientHandle); at != open_.end() && at->second >= offer_.perConnection)
        return no(StreamState::closed, "Consumer already has a tunnel stream open.");
    if (asked.protocolType != offered.protocolType)
        return no(StreamState::redirected, "This provider requires messages in RWF, protocol type 0.");
    if (asked.protocolMajorVersion != offered.protocolMajorVersion)
        return no(StreamState::redirected, "This provider doesn't support this wire format major version.");
    if (asked.authentication > tunnel::Authentication::ommLogin)
        return no(StreamState::redirected, "This provider doesn't support this type of authentication.");
    if (asked.flowControl != offered.flowControl)
        return no(StreamState::redirected, "This provider requires bidirectional flow control.");
    if (asked.dataIntegrity != offered.dataIntegrity)
        return no(StreamState::redirected, "This provider requires reliable tunnel streams.");
    if (asked.guarantee != offered.guarantee)
        return no(StreamState::redirected, "This provider doesn't support persistent queues.");
    // accept() reports the open tunnel from inside, and onTunnelStatus() needs the request for it.
    asked_ = &call;
    const eta::Refused refused = call.accept(offered, offer_.outputBuffers, *this);
    asked_ = nullptr;
    if (refused) no(StreamState::closed, refused.text);
}

void TunnelClients::onTunnelStatus(tunnel::OfferedTunnel& offered, const tunnel::Status& status) {
    // The context is the record of a tunnel that is open for the application: null before that, and after its end.
    if (offered.context == nullptr && asked_ != nullptr && status.state.stream == StreamState::open) {
        auto fresh = std::make_unique<Tunnel>();
        fresh->end = &offered;
        fresh->handle = kTunnelHandles | reactor::nextHandleSerial();
        fresh->connection = asked_->clientHandle;
        fresh->serviceId = asked_->serviceId;
        fresh->name = asked_->name;
        fresh->admitted = asked_->classOfService.authentication == tunnel::Authentication::none;
        offered.context = fresh.get();
        ++open_[fresh->connection];
        engine_.logPeer("ServerChannelHandler", LogSeverity::success, [&] {
            return "Tunnel stream open.\n\tClient handle " + std::to_string(fresh->handle) + "\n\tOn client handle " +
                   std::to_string(fresh->connection) + "\n\tName " + eta::printable(fresh->name);
        });
        tunnels_[fresh->handle] = std::move(fresh);
        return;
    }
    if (offered.context == nullptr || status.state.stream == StreamState::open) return;
    Tunnel& t = *static_cast<Tunnel*>(offered.context);
    offered.context = nullptr;
    engine_.logPeer("ServerChannelHandler", LogSeverity::warning, [&] {
        return "Tunnel stream closed.\n\tClient handle " + std::to_string(t.handle) + "\n\tReason " +
               eta::printable(eta::asText(status.state.text));
    });
    end(t);
}

/// Its streams end first, so that callbacks still find the connection.
void TunnelClients::end(Tunnel& t) {
    while (!t.inside.empty())
        tellClosed(t.inside.begin()->second);
    if (const auto at = open_.find(t.connection); at != open_.end() && --at->second == 0) open_.erase(at);
    tunnels_.erase(t.handle);
    trim();
}

/// Gives memory back once there is no tunnel, so that a provider that runs for days does not keep the most it ever had.
void TunnelClients::trim() {
    if (!tunnels_.empty() || streams_.size() <= kKeptStreams) return;
    std::vector<Stream>().swap(streams_);
    std::vector<std::uint32_t>().swap(free_);
}

bool TunnelClients::close(UInt64 handle) {
    Tunnel* const t = tunnelOf(handle);
    if (t == nullptr) return false;
    t->end->close(true);
    return true;
}

// --- messages from inside --------------------------------------------------------------------------------------------

void TunnelClients::drop(const Tunnel& t, const std::string& what) {
    engine_.logPeer("ItemCallbackClient", LogSeverity::warning, [&] {
        return "Tunnel stream '" + eta::printable(t.name) + "': " + what + " was dropped.\n\tClient handle " +
               std::to_string(t.handle);
    });
}

void TunnelClients::onTunnelMessage(tunnel::OfferedTunnel& offered, DataType type, eta::Bytes data) {
    if (offered.context == nullptr) return;
    Tunnel& t = *static_cast<Tunnel*>(offered.context);
    if (type != DataType::Msg || !decodeMsg(data, inner_).ok() || hasUndefinedState(inner_))
        return drop(t, "something that is no message");
    Msg& m = inner_;
    // A class of service with OMM login: until the application accepts one, nothing else passes.
    if (!t.admitted && (m.cls != MsgClass::Request || m.domain != reactor::rdm::kLoginDomain))
        return drop(t, std::string("a ") + name(m.cls) + " message before the login was accepted");
    if (m.cls == MsgClass::Request) onRequest(t, m);
    else onInside(t, m);
}

void TunnelClients::onInside(Tunnel& t, const Msg& m) {
    const auto at = t.inside.find(m.streamId);
    const bool known = m.cls == MsgClass::Close || m.cls == MsgClass::Post || m.cls == MsgClass::Generic;
    if (at == t.inside.end() || !known)
        return drop(t, std::string("a ") + name(m.cls) + " message on stream " + std::to_string(m.streamId));
    if (m.cls == MsgClass::Close) return tellClosed(at->second);
    const StreamEvent event{handleOf(at->second), t.handle, nullptr};
    if (m.cls == MsgClass::Post) handler_.onPost(event, m);
    else handler_.onGeneric(event, m);
}

/// Empty when the request may go to the application.
std::string TunnelClients::whyRefused(const Tunnel& t, const Msg& m, std::uint8_t& code) const {
    code = access::OmmState::UsageErrorEnum;
    if (m.streamId <= 0) return "stream ids of requests are positive";
    if (m.has(RequestFlag::batch)) return "batch requests are not served inside tunnel streams";
    code = access::OmmState::TooManyItemsEnum;
    const reactor::ClientLimits& limits = rules_.limits;
    if (limits.streams != 0 && t.inside.size() >= limits.streams) return "this client has too many open streams";
    if (limits.keyBytesPerClient != 0 && t.keyBytes + m.key.name.size() > limits.keyBytesPerClient)
        return "the names of this client's open streams are too long together";
    code = access::OmmState::SourceUnknownEnum;
    if (m.domain != reactor::rdm::kLoginDomain && role_->directory().find(m.key.serviceId) == nullptr)
        return "there is no service with id " + std::to_string(m.key.serviceId);
    return {};
}

void TunnelClients::onRequest(Tunnel& t, Msg& m) {
    const bool login = m.domain == reactor::rdm::kLoginDomain;
    // A request inside that names no service means the tunnel's.
    if (!login && !m.key.has(KeyFlag::serviceId)) {
        m.key.flags |= KeyFlag::serviceId;
        m.key.serviceId = t.serviceId;
    }
    if (const auto at = t.inside.find(m.streamId); at != t.inside.end()) {
        if (streams_[at->second].domain != m.domain)
            return drop(t, "a request on domain " + std::to_string(m.domain) + " for stream " +
                               std::to_string(m.streamId) + ", which is open on another");
        return handler_.onReissue({handleOf(at->second), t.handle, nullptr}, m);
    }
    std::uint8_t code = 0;
    if (const std::string why = whyRefused(t, m, code); !why.empty()) return refuse(t, m, code, why);
    handler_.onRequest({handleOf(add(t, m)), t.handle, nullptr}, m);
}

void TunnelClients::refuse(Tunnel& t, const Msg& request, std::uint8_t code, const std::string& text) {
    Msg m;
    m.cls = MsgClass::Status;
    m.domain = request.domain;
    m.streamId = request.streamId;
    m.flags = StatusFlag::state;
    m.state = {StreamState::closed, DataState::suspect, code, eta::asBytes(text)};
    (void)t.end->submit(m);  // with its buffers full the consumer does not read, and does not hear it either
    handler_.onRefused(t.handle, "request inside tunnel stream '" + t.name + "' refused: " + text);
}

/// The stream is gone when the application gets the callback.
void TunnelClients::tellClosed(std::uint32_t slot) {
    const Stream was = streams_[slot];
    const StreamEvent event{handleOf(slot), was.tunnel->handle, nullptr};
    remove(slot);
    Msg m;
    m.cls = MsgClass::Request;
    m.domain = was.domain;
    m.streamId = was.streamId;
    // The application hears a close as the request that it ends: no interest, no image.
    m.flags = RequestFlag::noRefresh;
    if (was.isPrivate) m.flags |= RequestFlag::privateStream;
    m.key.flags = KeyFlag::name;
    m.key.name = eta::asBytes(was.name);
    if (was.domain != reactor::rdm::kLoginDomain) {
        m.key.flags |= KeyFlag::serviceId;
        m.key.serviceId = was.serviceId;
    }
    handler_.onClose(event, m);
}

// --- messages of the application -------------------------------------------------------------------------------------

SubmitFault TunnelClients::check(const Stream& s, Msg& m) const {
    m.streamId = s.streamId;
    switch (m.cls) {
    case MsgClass::Update:
        m.domain = s.domain;
        if (s.domain == reactor::rdm::kLoginDomain) return SubmitFault::notAllowed;
        if (!s.refreshed && rules_.refreshFirst) return SubmitFault::refreshFirst;
        break;
    case MsgClass::Refresh:
        m.domain = s.domain;
        if (s.isPrivate) m.flags |= RefreshFlag::privateStream;
        break;
    case MsgClass::Status:
        m.domain = s.domain;
        if (s.isPrivate) m.flags |= StatusFlag::privateStream;
        break;
    case MsgClass::Ack:
        if (s.isPrivate) m.flags |= AckFlag::privateStream;
        return SubmitFault::none;
    case MsgClass::Generic:
        return SubmitFault::none;
    case MsgClass::Request:
    case MsgClass::Close:
    case MsgClass::Post:
        return SubmitFault::notAllowed;
    }
    const bool serviceNamed = m.hasKey() && m.key.has(KeyFlag::serviceId) && s.domain != reactor::rdm::kLoginDomain;
    if (serviceNamed && role_->directory().find(m.key.serviceId) == nullptr) return SubmitFault::unknownService;
    return SubmitFault::none;
}

TunnelClients::Submitted TunnelClients::submit(UInt64 handle, Msg& m) {
    Submitted out;
    const Stream* const s = find(handle);
    out.checked = s != nullptr ? check(*s, m) : SubmitFault::unknownHandle;
    if (!out.ok()) [[unlikely]]
        return out;
    out.queued = s->tunnel->end->submit(m);
    // Only refreshes and states change what is kept about a stream.
    if (out.queued != tunnel::SubmitFault::none || m.cls == MsgClass::Update) return out;
    const auto slot = static_cast<std::uint32_t>(handle);
    if (m.cls == MsgClass::Refresh) {
        streams_[slot].refreshed = true;
        if (s->domain == reactor::rdm::kLoginDomain && m.state.stream == StreamState::open) s->tunnel->admitted = true;
    }
    if (reactor::rdm::endsStream(m)) remove(slot);
    return out;
}

}  // namespace emissary::ema
