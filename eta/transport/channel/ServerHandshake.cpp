// Reads a client's request, whichever of the protocols it speaks, and answers with an ack or a nak.
#include "transport/channel/ServerHandshake.h"

#include "eta/core/addresses.h"
#include "eta/core/printable.h"
#include "transport/channel/streams.h"
#include "transport/websocket/forwarded.h"

#include <algorithm>

namespace emissary::eta::transport {
namespace {

constexpr std::chrono::seconds kNakTime{1};       // to get a refusal out
constexpr std::chrono::seconds kUnplacedTime{2};  // for a connection without a place to say what it speaks
constexpr int kTooMany = 429, kUnavailable = 503;
// First segments that begin a WebSocket upgrade or a request for events, and a browser's question about the latter.
constexpr std::string_view kHttpGet = "GET ", kHttpOptions = "OPTI";
static_assert(kHttpGet.size() == kHttpOptions.size());

}  // namespace

// The server's time runs for the whole handshake; the time to the first byte is shorter.
ServerHandshake::ServerHandshake(const HandshakeEnds& ends, ServerShared& shared, Admission::Place& place,
                                 const Arrived& who, TimePoint now)
    : ChannelHandshake(ends, now + shared.options.initializationTimeout), shared_(shared), place_(place), who_(who),
      client_(who.address), handshakeDeadline_(deadline_) {
    if (who.full != Admission::Full::nothing) {
        shared_.unplaced.fetch_add(1, std::memory_order_relaxed);
        deadline_ = handshakeDeadline_ = std::min(deadline_, now + kUnplacedTime);
    }
    // What does not come over the network is there, heard, from the start.
    if (const auto first = shared.options.firstByteTimeout; first.count() != 0 && rowOf(connectionType()).overTcp)
        deadline_ = std::min(deadline_, now + first);
}

ServerHandshake::~ServerHandshake() {
    if (who_.full != Admission::Full::nothing) shared_.unplaced.fetch_sub(1, std::memory_order_relaxed);
}

InitStatus ServerHandshake::drive(TimePoint now) {
    now_ = now;
    for (;;) {
        if (phase_ == Phase::opening) {
            if (const InitStatus status = open(now); phase_ == Phase::opening) return status;
        }
        if (phase_ == Phase::sendingAck || phase_ == Phase::sendingNak) {
            if (const InitStatus status = answer(now); phase_ != Phase::awaitingKey) return status;
        }
        const IoResult io = ends_.input.receive();
        noteHeard();
        if (io.kind == IoResult::Kind::wouldBlock) return stillWaiting(now);
        if (io.kind == IoResult::Kind::end) return fail("closed by peer before the handshake was complete");
        if (io.kind != IoResult::Kind::ok) return fail("connection lost: " + reasonOf(io));
        // The first bytes tell RIPC from HTTP: both are served on one port.
        if (phase_ == Phase::awaitingRequest && becomesWebSocket(now)) continue;
        // RIPC has no word for it that all clients take well: they get what they get when nobody has heard them.
        if (who_.full != Admission::Full::nothing)
            return fail(who_.full == Admission::Full::address
                            ? "refused: its address has as many connections as it may"
                            : "refused: the listener has as many connections as it may");
        const InitStatus status = phase_ == Phase::awaitingRequest ? readRequest(now) : readKey();
        if (status != InitStatus::inProgress) return status;
    }
}

InitStatus ServerHandshake::open(TimePoint now) {
    ByteStream& stream = *ends_.stream;
    const IoResult io = stream.handshake();
    noteHeard();
    ends_.output.wantWrite(io.kind == IoResult::Kind::wouldBlock && stream.handshakeWantsWrite());
    if (io.kind == IoResult::Kind::wouldBlock) return stillWaiting(now);
    if (io.kind == IoResult::Kind::end) return fail("closed by peer before the handshake was complete");
    // A refusal of a layer counts as a nak, although it has none on the wire.
    if (io.kind != IoResult::Kind::ok) {
        refused_ = stream.refused();
        if (refused_) shared_.naksSent.fetch_add(1, std::memory_order_relaxed);
        const auto fault = static_cast<std::size_t>(stream.certificateFault());
        shared_.certificates[fault].fetch_add(1, std::memory_order_relaxed);
        return fail(reasonOf(io));
    }
    if (stream.messageSource() != nullptr) {
        if (!refuseText_) return InitStatus::active;
        refused_ = true;  // there is no nak: the peer sees the close
        return refusedAsTold();
    }
    if (webSocket_) deadline_ = handshakeDeadline_;  // the upgrade is over, the handshake of RIPC begins
    phase_ = Phase::awaitingRequest;
    return InitStatus::inProgress;
}

/// Sends the ack or the nak. In phase awaitingKey the client's turn has come.
InitStatus ServerHandshake::answer(TimePoint now) {
    // The answer may not fit at once; the handshake goes on when the descriptor is writable.
    const Sent sent = sendPending();
    if (sent == Sent::blocked) return stillWaiting(now);
    if (phase_ == Phase::sendingNak) return refusedAsTold();
    if (sent == Sent::failed) return fail("connection lost: " + reasonOf(sendFailure()));
    if (!keyAsked_) return InitStatus::active;
    phase_ = Phase::awaitingKey;
    // The key comes behind the ack, and only if the request asked for one.
    return InitStatus::inProgress;
}

/// True: what has come begins with an upgrade request, or may yet.
bool ServerHandshake::becomesWebSocket(TimePoint now) {
    if (webSocket_) return false;
    const std::string_view first = asText(ends_.input.buffered());
    // One port serves both protocols. A RIPC request begins with its length, whose high byte is small, so "G" decides.
    const auto begins = [first](std::string_view word) {
        return first.starts_with(word.substr(0, std::min(first.size(), word.size())));
    };
    if (!begins(kHttpGet) && !(shared_.options.webSocket.events && begins(kHttpOptions))) return false;
    const auto limit = shared_.options.webSocket.upgradeTimeout;
    if (limit.count() != 0 && !first.empty() && !std::exchange(http_, true))
        deadline_ = std::min(deadline_, now + limit);
    if (first.size() < kHttpGet.size()) return true;  // the rest decides
    webSocket_ = true;
    ends_.stream =
        asWebSocket(std::move(ends_.stream), shared_.options, ends_.input.buffered(), {refuseText_, *this, who_.proxy});
    ends_.input.attach(*ends_.stream);
    ends_.output.attach(*ends_.stream);
    // The bytes went into the stream with asWebSocket(); here they are used up.
    ends_.input.consume(first.size());
    phase_ = Phase::opening;
    return true;
}

ServerHandshake::Answer ServerHandshake::mayUpgrade(const ws::UpgradeRequest& request) {
    if (who_.full == Admission::Full::address) return {kTooMany, "Too many connections from this address."};
    if (who_.full == Admission::Full::listener) return {kUnavailable, "Too many connections."};
    if (who_.proxy)
        if (Answer no = forwarded(request); no.status != 0) return no;
    return {0, {}, isLoopback(client_), who_.port};
}

ServerHandshake::Answer ServerHandshake::withinRate() {
    // What runs on this machine can stop the server by other means, and tools that load it are meant to.
    const Admission::Key share = Admission::keyOf(client_);
    if (shared_.upgrades.take(now_, isLoopback(client_) ? nullptr : &share)) return {};
    shared_.refusedRate.fetch_add(1, std::memory_order_relaxed);
    return {kTooMany, "Too many connections in a second."};
}

/// From here on the client's address stands for the connection, wherever one is counted, checked or shown.
ServerHandshake::Answer ServerHandshake::forwarded(const ws::UpgradeRequest& request) {
    const ws::Forwarded client =
        ws::clientBehind(request.forwardedFor, who_.address, shared_.options.webSocket.trustedProxies);
    client_ = client.address;
    ChannelInfo& info = ends_.info;
    if (client.address != who_.address || !client.readable) {
        info.proxyAddress = info.peerAddress;
        // The port is that of the proxy's socket: it finds the connection in the proxy's own log.
        const std::string text = addressText(client.address);
        const bool v6 = text.find(':') != std::string::npos;
        info.peerAddress = (v6 ? "[" + text + "]:" : text + ":") + std::to_string(info.peerPort);
        if (!client.readable) shared_.unreadableForwards.fetch_add(1, std::memory_order_relaxed);
        const bool one = client.readable && ws::isTrusted(shared_.options.webSocket.trustedProxies, client.address);
        if (!one && !place_.moveTo(Admission::keyOf(client.address), now_)) {
            shared_.refusedAddress.fetch_add(1, std::memory_order_relaxed);
            return {kTooMany, "Too many connections from this address."};
        }
    }
    return {};
}

void ServerHandshake::headRefused() noexcept {
    shared_.headsRefused.fetch_add(1, std::memory_order_relaxed);
}

void ServerHandshake::originRefused() noexcept {
    shared_.originsRefused.fetch_add(1, std::memory_order_relaxed);
}

InitStatus ServerHandshake::readRequest(TimePoint now) {
    const BindOptions& o = shared_.options;
    Parsed<ConnectionRequest> parsed = parseRequest(ends_.input.buffered());
    if (parsed.kind == Parsed<ConnectionRequest>::Kind::needMore) return InitStatus::inProgress;
    if (parsed.kind != Parsed<ConnectionRequest>::Kind::ok) return fail(std::move(parsed.reason));
    const ConnectionRequest& r = parsed.value;
    ends_.input.consume(parsed.consumed);
    // Version and compression are not agreed on yet: nothing could say how to read it.
    // Anything behind the request was sent before an answer, so nobody knows how to read it.
    if (!ends_.input.buffered().empty()) return fail("data before the connection ack");

    const std::uint8_t served = webSocket_ ? kProtocolRwf : o.protocolType;  // the sub-protocol's: rssl.rwf
    if (r.protocolType != served && !refuseText_)                            // RIPC 11 cannot name a type: RWF
        refuseText_ = "Protocol type " + std::to_string(r.protocolType) + " is not served here.";
    if (refuseText_) return sendNak(now);
    ConnectionAck a = negotiate(o, r);
    agreed_.version = r.ripcVersion;
    agreed_.maxMessage = a.maxMessage;
    agreed_.compression = static_cast<Compression>(a.compressionType);
    agreed_.compressionLevel = a.compressionLevel;
    keyAsked_ = r.keyExchange;
    // Modulus and exponent are made when they are needed: most connections use none.
    if (r.keyExchange) {
        keyModulus_ = randomModulus();
        keyExponent_ = randomExponent();
        a.hasKey = true;
        a.key = {1, keyModulus_, 5, powMod(5, keyExponent_, keyModulus_)};
    }
    ChannelInfo& info = ends_.info;
    // Both sides use what the server decided, so the values stand before the ack goes out.
    info.pingTimeoutSeconds = a.pingTimeout;
    info.clientToServerPings = (a.sessionFlags & kClientPings) != 0;
    info.serverToClientPings = (a.sessionFlags & kServerPings) != 0;
    info.majorVersion = a.major;
    info.minorVersion = a.minor;
    info.componentInfo = r.componentText;
    info.peerHost = r.hostName;
    put(encodeAck(a));
    phase_ = Phase::sendingAck;
    return InitStatus::inProgress;
}

InitStatus ServerHandshake::sendNak(TimePoint now) {
    put(encodeNak(*refuseText_));
    refused_ = true;
    phase_ = Phase::sendingNak;
    // A refused client that does not read must not keep its place for the whole initialization timeout.
    deadline_ = std::min(deadline_, now + kNakTime);
    shared_.naksSent.fetch_add(1, std::memory_order_relaxed);
    return InitStatus::inProgress;
}

InitStatus ServerHandshake::readKey() {
    Parsed<ClientKey> parsed = parseClientKey(ends_.input.buffered());
    if (parsed.kind == Parsed<ClientKey>::Kind::needMore) return InitStatus::inProgress;
    if (parsed.kind != Parsed<ClientKey>::Kind::ok) return fail(std::move(parsed.reason));
    // Data may follow the key in the same packet.
    ends_.input.consume(parsed.consumed);  // what follows is data, ready for read()
    if (parsed.value.present) ends_.info.sharedKey = powMod(parsed.value.key, keyExponent_, keyModulus_);
    return InitStatus::active;
}

InitStatus ServerHandshake::refusedAsTold() {
    return fail("refused: " + *refuseText_);
}

InitStatus ServerHandshake::stillWaiting(TimePoint now) {
    switch (phase_) {
    case Phase::opening:
        return waitFor("TLS or WebSocket handshake not complete", now);
    case Phase::awaitingRequest:
        return waitFor("no complete connection request", now);
    case Phase::awaitingKey:
        return waitFor("no client key", now);
    case Phase::sendingNak:
        return now < deadline_ ? InitStatus::inProgress : refusedAsTold();
    case Phase::sendingAck:
        break;
    }
    return waitFor("peer does not read", now);
}

void ServerHandshake::noteHeard() noexcept {
    if (heard_ || !ends_.stream->heard()) return;
    heard_ = true;
    // From the first byte on, the whole time of the handshake counts.
    deadline_ = handshakeDeadline_;
    place_.advance(Admission::Stage::heard);
}

}  // namespace emissary::eta::transport
