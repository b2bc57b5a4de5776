// eta/transport/channel: dials one address after another and one version after another until a server agrees.
#include "transport/channel/ClientHandshake.h"

#include "transport/channel/streams.h"

#include <algorithm>
#include <cerrno>

#include <unistd.h>

namespace emissary::eta::transport {
namespace {

constexpr int kOldestVersion = 11;

/// Requests of RIPC 11 cannot name another protocol than RWF.
int oldestVersion(const ConnectOptions& o) noexcept {
    return o.protocolType == kProtocolRwf ? kOldestVersion : kOldestVersion + 1;
}

std::string ownHostName() {
    char name[256] = "";
    if (::gethostname(name, sizeof name - 1) != 0) return "localhost";
    return name;
}

}  // namespace

// --- Dialler ---------------------------------------------------------------------------------------------------------

Dialler::Dialler(const Route& route) : options_(route.options), addresses_(route.addresses) {
    options_.firstVersion = std::clamp(options_.firstVersion, oldestVersion(options_), 14);
    // A timeout of 0 would mean a connection that times out at once.
    options_.pingTimeoutSeconds = std::max<std::uint8_t>(options_.pingTimeoutSeconds, 1);
    // The third leg of a key exchange is a small message that must not wait for the ack of the one before it.
    options_.tcpNoDelay = options_.tcpNoDelay || options_.keyExchange;
}

std::unique_ptr<ByteStream> Dialler::first(Refused& refused) {
    // Multicast and shared memory have no address to dial.
    if (!type().overTcp) return type().calls->open(Descriptor{}, options_, refused);
    for (; at_ < addresses_.size(); ++at_)
        if (Descriptor s = startConnect(addresses_[at_], options_, refused); s)
            return type().calls->open(std::move(s), options_, refused);
    return nullptr;
}

// Each address is dialled in turn, in the order of the resolver.
std::unique_ptr<ByteStream> Dialler::next(Refused& refused) {
    if (at_ >= addresses_.size()) return nullptr;
    ++at_;
    return first(refused);
}

// The same address once more: the server was there, and only the version was wrong.
std::unique_ptr<ByteStream> Dialler::again(Refused& refused) {
    Descriptor s = startConnect(addresses_[at_], options_, refused);
    return s ? type().calls->open(std::move(s), options_, refused) : nullptr;
}

// --- ClientHandshake -------------------------------------------------------------------------------------------------

ClientHandshake::ClientHandshake(const HandshakeEnds& ends, Dialler dialler, TimePoint now)
    : ChannelHandshake(ends, now + dialler.options().initializationTimeout), dialler_(std::move(dialler)),
      awaitsProxy_(usesProxy(client())) {
    // The proxy's time runs first; open() sets the server's time when the path is open.
    if (awaitsProxy_) deadline_ = now + client().proxy.timeout;
    agreed_.version = client().firstVersion;
    // A connect under way shows itself as writability.
    ends_.output.wantWrite(true);
}

InitStatus ClientHandshake::drive(TimePoint now) {
    if (phase_ == Phase::connecting) {
        if (const InitStatus status = open(now); phase_ == Phase::connecting) return status;
    }
    return awaitAck(now);
}

/// Whatever the stream needs; then the request is on its way, or the message source is active.
// May end with another stream: the loop then has a new descriptor (InitStatus::descriptorChanged).
InitStatus ClientHandshake::open(TimePoint now) {
    ByteStream& stream = *ends_.stream;
    const IoResult io = stream.handshake();
    // The proxy has a time limit of its own. The server's begins when the path to it is open, so a slow proxy does not
    // use it up.
    if (awaitsProxy_ && io.kind != IoResult::Kind::error && stream.pathOpen()) {
        awaitsProxy_ = false;
        deadline_ = now + client().initializationTimeout;
    }
    if (io.kind == IoResult::Kind::wouldBlock) {
        ends_.output.wantWrite(stream.handshakeWantsWrite());
        return stillWaiting(now);
    }
    if (io.kind != IoResult::Kind::ok) {
        // A reason of its own comes from a peer that was reached: another address would say the same.
        refused_ = stream.refused();
        if (std::string reason = stream.reason(); !reason.empty()) return fail(std::move(reason));
        return tryNextAddress(reasonOf(io));
        // Nobody answered at this address, so the next one is tried.
    }
    ends_.output.wantWrite(false);
    if (stream.messageSource() != nullptr) return InitStatus::active;
    put(request());
    phase_ = Phase::awaitingAck;
    return InitStatus::inProgress;
}

WireBytes ClientHandshake::request() {
    const ConnectOptions& o = client();
    ConnectionRequest r;
    r.ripcVersion = agreed_.version;
    // Key exchange exists from RIPC 14 on (transport.md 1.5).
    r.keyExchange = keyAsked_ = o.keyExchange && agreed_.version >= 14;
    r.pingTimeout = o.pingTimeoutSeconds;
    // Inside a WebSocket the sub-protocol says what the frames carry; a RIPC handshake follows for rssl.rwf alone. Both
    // ends know by themselves what is in them.
    r.protocolType = usesWebSocket(o) ? kProtocolRwf : o.protocolType;
    r.major = o.protocolMajor;
    r.minor = o.protocolMinor;
    r.compressionBitmap = compressionOffer(o.compression, agreed_.version);
    r.hostName = ownHostName();
    // The peer may log it; it is the address of this connection, not the first one of the host.
    r.ipAddress = localOf(ends_.stream->fd()).ip();
    r.componentText = componentText(o.componentInfo);
    return encodeRequest(r);
}

InitStatus ClientHandshake::awaitAck(TimePoint now) {
    for (;;) {
        const Sent sent = sendPending();
        if (sent == Sent::blocked) return stillWaiting(now);
        // The key is out, so nothing has to come back: the connection is active.
        if (phase_ == Phase::sendingKey) {
            if (sent == Sent::failed) return fail("connection lost: " + reasonOf(sendFailure()));
            return InitStatus::active;
        }
        const IoResult io = sent == Sent::failed ? sendFailure() : ends_.input.receive();
        if (io.kind == IoResult::Kind::wouldBlock) return stillWaiting(now);
        if (io.kind != IoResult::Kind::ok) return lostBeforeAck(io);
        if (const InitStatus status = readAck(); status != InitStatus::inProgress) return status;
    }
}

InitStatus ClientHandshake::lostBeforeAck(const IoResult& io) {
    if (!ends_.input.buffered().empty()) return fail("closed by peer in the middle of its connection ack");
    // A server that does not know the version closes without a word: only then an older one may help.
    const bool hungUp = io.kind == IoResult::Kind::end || io.error == ECONNRESET || io.error == EPIPE;
    if (std::string reason = ends_.stream->reason(); !reason.empty()) return fail(std::move(reason));
    if (!hungUp) return fail(reasonOf(io));
    return tryOlderVersion("closed by peer instead of a connection ack");
}

// active: the server has said all it has to; inProgress: more bytes, or a key to send.
InitStatus ClientHandshake::readAck() {
    Parsed<ConnectionAck> parsed = parseAck(ends_.input.buffered(), keyAsked_);
    switch (parsed.kind) {
    case Parsed<ConnectionAck>::Kind::needMore:
        return InitStatus::inProgress;
    case Parsed<ConnectionAck>::Kind::bad:
        return fail(std::move(parsed.reason));
    case Parsed<ConnectionAck>::Kind::nak:
        refused_ = true;
        return fail("refused: " + parsed.reason);
    case Parsed<ConnectionAck>::Kind::ok:
        break;
    }
    const ConnectionAck& a = parsed.value;
    const ConnectOptions& own = client();
    // Compression 0 to 2 was checked by parseAck(); a type that was not offered is used all the same.
    agreed_.compression = static_cast<Compression>(a.compressionType);  // 0 .. 2; one we did not offer is fine too
    agreed_.compressionLevel = a.compressionLevel;
    ends_.input.consume(parsed.consumed);
    agreed_.version = a.ripcVersion;
    agreed_.maxMessage = a.maxMessage;
    ChannelInfo& info = ends_.info;
    // 0: the server leaves the choice to the client.
    info.pingTimeoutSeconds = a.pingTimeout != 0 ? a.pingTimeout : own.pingTimeoutSeconds;
    info.clientToServerPings = (a.sessionFlags & kClientPings) != 0;
    info.serverToClientPings = (a.sessionFlags & kServerPings) != 0;
    // some servers echo a higher pair
    const bool lower = lowerProtocol(a.major, a.minor, own.protocolMajor, own.protocolMinor);
    info.majorVersion = lower ? a.major : own.protocolMajor;
    info.minorVersion = lower ? a.minor : own.protocolMinor;
    info.componentInfo = a.componentText;
    info.peerHost = own.host;
    // No key was asked for, or none came: the handshake is over.
    if (!a.hasKey) return InitStatus::active;

    ClientKey key;
    // Key type 1 is the only one there is. Anything else gets an answer without a key.
    if (a.key.type == 1 && a.key.p != 0) {
        const std::uint64_t exponent = randomExponent();
        key.present = true;
        key.key = powMod(a.key.g, exponent, a.key.p);
        info.sharedKey = powMod(a.key.serverKey, exponent, a.key.p);
    }
    put(encodeClientKey(key));
    phase_ = Phase::sendingKey;
    return InitStatus::inProgress;
}

/// Fails with `reason`, and that of the older version tried before it, when no address is left.
InitStatus ClientHandshake::tryNextAddress(std::string reason) {
    Refused refused;
    if (std::unique_ptr<ByteStream> fresh = dialler_.next(refused)) return use(std::move(fresh));
    if (refused) reason = std::move(refused.text);
    // The first attempt tells more than one that was never connected.
    // Both reasons go into the log: the first one names what is really wrong.
    if (!unanswered_.empty()) reason += "; before, " + unanswered_;
    return fail(std::move(reason));
}

// A server that does not know our version closes without a word: ask again, one older, on a new connection.
InitStatus ClientHandshake::tryOlderVersion(std::string reason) {
    const ConnectionTypeRow& type = dialler_.type();
    const std::string version = "RIPC " + std::to_string(agreed_.version);
    const std::string hint = type.closedHint != nullptr ? std::string("; ") + type.closedHint + ")" : ")";
    // Each older version costs a connection, so the end of the ladder is fixed.
    if (!client().fallback || agreed_.version <= oldestVersion(client()) || !type.overTcp)
        return fail(std::move(reason) + " (" + version + " was the last version to try" + hint);
    unanswered_ = std::move(reason) + " (" + version + hint;
    Refused refused;
    std::unique_ptr<ByteStream> fresh = dialler_.again(refused);
    if (fresh == nullptr) return fail(refused.text + "; before, " + unanswered_);
    --agreed_.version;
    phase_ = Phase::connecting;
    keyAsked_ = false;
    return use(std::move(fresh));
}

/// The fresh stream was opened before the old one closes, so its descriptor is another number and a loop can tell them
/// apart.
InitStatus ClientHandshake::use(std::unique_ptr<ByteStream> fresh) {
    ends_.input.attach(*fresh);
    ends_.output.attach(*fresh);
    ends_.stream = std::move(fresh);
    ends_.output.wantWrite(true);
    return InitStatus::descriptorChanged;
}

// Every phase has its own text, so the log says how far the connection came.
InitStatus ClientHandshake::stillWaiting(TimePoint now) {
    switch (phase_) {
    case Phase::connecting:
        if (awaitsProxy_ && now >= deadline_)
            return timeOut("proxy timeout: proxy " + client().proxy.host + ":" + client().proxy.port +
                           " did not answer CONNECT");
        return waitFor(dialler_.type().notOpen, now);
    case Phase::awaitingAck:
        return waitFor("no complete answer to the connection request", now);
    case Phase::sendingKey:
        break;
    }
    return waitFor("peer does not read", now);
}

}  // namespace emissary::eta::transport
