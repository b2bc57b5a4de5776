// A channel on its way to active: connect, the handshake of either side, fall-back (transport.md 1.2, 1.7, 8).
#include "transport/ChannelImpl.h"
#include "transport/Route.h"
#include "transport/TlsContext.h"
#include "transport/streams.h"

#include <algorithm>
#include <cerrno>
#include <new>
#include <utility>

#include <sys/socket.h>
#include <unistd.h>

namespace emissary::eta::transport {
namespace {

constexpr std::size_t kMinInputBuffer = 64u << 10;
constexpr int kOldestVersion = 11;
constexpr std::chrono::seconds kNakTime{1};    // to get a refusal out
constexpr std::string_view kHttpGet = "GET ";  // a first segment that begins a WebSocket upgrade

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

std::string Channel::check(const ConnectOptions& options) {
    std::string reason = checkOptions(options);
    if (reason.empty() && options.connectionType == ConnectionType::encrypted)
        static_cast<void>(TlsContext::client(options.tls, reason));
    return reason.empty() ? reason : "connect to " + describeTarget(options) + ": " + reason;
}

std::shared_ptr<const Route> Channel::lookUp(const ConnectOptions& options) {
    return std::make_shared<const Route>(Route::of(options));
}

std::unique_ptr<Channel> Channel::connect(const ConnectOptions& options, TimePoint now, std::string& errorText) {
    if (std::string reason = checkOptions(options); !reason.empty()) {
        errorText = "connect to " + describeTarget(options) + ": " + reason;
        return nullptr;
    }
    return connect(Route::of(options), now, errorText);
}

std::unique_ptr<Channel> Channel::connect(const Route& route, TimePoint now, std::string& errorText) {
    const ConnectOptions& options = route.options;
    std::string reason = route.failure.empty() ? checkOptions(options) : route.failure;
    auto impl = std::make_unique<Impl>();
    impl->options = options;
    impl->client = options;
    impl->client.firstVersion = std::clamp(options.firstVersion, oldestVersion(options), 14);
    impl->client.pingTimeoutSeconds = std::max<std::uint8_t>(options.pingTimeoutSeconds, 1);
    impl->options.tcpNoDelay = options.tcpNoDelay || options.keyExchange;
    impl->version = impl->client.firstVersion;
    impl->deadline = now + options.initializationTimeout;
    impl->peer = "connect to " + route.target;
    impl->wantsWrite = true;
    if (reason.empty() && isForeign(options.connectionType)) {
        impl->stream = openForeign(options, reason);
    } else if (reason.empty()) {
        impl->awaitsProxy = usesProxy(options);
        if (impl->awaitsProxy) impl->deadline = now + options.proxy.timeout;
        impl->addresses = route.addresses;
        for (; impl->address < impl->addresses.size(); ++impl->address) {
            Descriptor s = startConnect(impl->addresses[impl->address], impl->options, reason);
            if (!s) continue;
            impl->stream = layersOfClient(std::move(s), impl->client, reason);
            break;
        }
    }
    if (impl->stream != nullptr) return std::unique_ptr<Channel>(new Channel(std::move(impl)));
    errorText = "connect to " + route.target + ": " + reason;
    return nullptr;
}

InitStatus Channel::init(TimePoint now) noexcept {
    switch (state()) {
    case ChannelState::active:
        return InitStatus::active;
    case ChannelState::initializing:
        break;
    case ChannelState::closed:
    case ChannelState::inactive:
        return InitStatus::failed;
    }
    return impl_->server ? initServer(now) : initClient(now);
}

void Channel::refuse(std::string text) {
    if (state() == ChannelState::initializing) impl_->refuseText = std::move(text);
}

InitStatus Channel::failInit(std::string reason, bool timeout) noexcept {
    if (ServerShared* const s = impl_->shared.get(); s != nullptr)
        (timeout ? s->handshakeTimeouts : s->handshakeFailures).fetch_add(1, std::memory_order_relaxed);
    fail(std::move(reason));
    return InitStatus::failed;
}

InitStatus Channel::stillWaiting(TimePoint now) noexcept {
    const Impl& i = *impl_;
    if (now < i.deadline) return InitStatus::inProgress;
    if (impl_->phase == Impl::Phase::sendingNak) return failInit("refused: " + *impl_->refuseText);
    const char* what = "";
    switch (impl_->phase) {
    case Impl::Phase::connecting:
        if (i.awaitsProxy)
            return failInit("proxy timeout: proxy " + i.client.proxy.host + ":" + i.client.proxy.port +
                                " did not answer CONNECT",
                            true);
        what = i.client.connectionType == ConnectionType::socket ? "not connected"
                                                                 : "connection, TLS or WebSocket upgrade not complete";
        break;
    case Impl::Phase::opening:
        what = "TLS or WebSocket handshake not complete";
        break;
    case Impl::Phase::awaitingAck:
        what = "no complete answer to the connection request";
        break;
    case Impl::Phase::awaitingRequest:
        what = "no complete connection request";
        break;
    case Impl::Phase::awaitingKey:
        what = "no client key";
        break;
    case Impl::Phase::sendingKey:
    case Impl::Phase::sendingAck:
    case Impl::Phase::sendingNak:
        what = "peer does not read";
        break;
    }
    return failInit(std::string("initialization timeout: ") + what + ", " + std::to_string(impl_->bytesRead.get()) +
                        " bytes received",
                    true);
}

void Channel::Impl::noteHeard() noexcept {
    if (heard || !stream->heard()) return;
    heard = true;
    deadline = handshakeDeadline;
    place.advance(Admission::Stage::heard);
}

Channel::Impl::Sent Channel::Impl::sendPending() noexcept {
    while (outSent < out.size() || stream->held() != 0) {
        const iovec part{out.data() + outSent, out.size() - outSent};
        const IoResult io = stream->send({&part, outSent < out.size() ? 1u : 0u});
        writeCalls.add();
        if (io.kind == IoResult::Kind::error || io.kind == IoResult::Kind::end) {
            sendFailure = io;
            return Sent::failed;
        }
        bytesWritten.add(io.bytes);
        outSent += io.bytes;
        if (io.kind == IoResult::Kind::wouldBlock || io.bytes == 0) {
            if (outSent == out.size() && stream->held() == 0) break;
            wantsWrite = true;
            return Sent::blocked;
        }
    }
    wantsWrite = false;
    return Sent::all;
}

// --- client ----------------------------------------------------------------------------------------------------------

InitStatus Channel::tryNextAddress(std::string reason) noexcept try {
    Impl& i = *impl_;
    while (++i.address < i.addresses.size()) {
        Descriptor s = startConnect(i.addresses[i.address], i.options, reason);
        if (!s) continue;
        // Opened before the old one closes, so the number is a new one and a loop can tell them apart.
        std::unique_ptr<ByteStream> fresh = layersOfClient(std::move(s), i.client, reason);
        if (fresh == nullptr) break;
        i.stream = std::move(fresh);
        i.wantsWrite = true;
        return InitStatus::descriptorChanged;
    }
    // The first attempt tells more than one that was never connected.
    if (!i.unanswered.empty()) reason += "; before, " + i.unanswered;
    return failInit(std::move(reason));
} catch (const std::bad_alloc&) { return failInit("out of memory"); }

// A server that does not know our version closes without a word: ask again, one older, on a new connection.
InitStatus Channel::tryOlderVersion(std::string reason) noexcept try {
    Impl& i = *impl_;
    const std::string version = "RIPC " + std::to_string(i.version);
    const char* const hint = i.info.tlsVersion == 0 && i.client.connectionType == ConnectionType::socket
                                 ? "; an encrypted port closes like this: is RSSL_ENCRYPTED meant?)"
                                 : ")";
    if (!i.client.fallback || i.version <= oldestVersion(i.client) || isForeign(i.client.connectionType))
        return failInit(std::move(reason) + " (" + version + " was the last version to try" + hint);
    i.unanswered = std::move(reason) + " (" + version + hint;
    std::string connectReason;
    Descriptor s = startConnect(i.addresses[i.address], i.options, connectReason);
    std::unique_ptr<ByteStream> fresh;
    if (s) fresh = layersOfClient(std::move(s), i.client, connectReason);
    if (fresh == nullptr) return failInit(connectReason + "; before, " + i.unanswered);
    i.stream = std::move(fresh);
    --i.version;
    i.phase = Impl::Phase::connecting;
    i.keyAsked = false;
    i.wantsWrite = true;
    return InitStatus::descriptorChanged;
} catch (const std::bad_alloc&) { return failInit("out of memory"); }

InitStatus Channel::initClient(TimePoint now) noexcept try {
    Impl& i = *impl_;
    if (i.phase == Impl::Phase::connecting) {
        const IoResult io = i.stream->handshake();
        if (i.awaitsProxy && io.kind != IoResult::Kind::error && i.stream->pathOpen()) {
            i.awaitsProxy = false;
            i.deadline = now + i.options.initializationTimeout;
        }
        if (io.kind == IoResult::Kind::wouldBlock) {
            i.wantsWrite = i.stream->handshakeWantsWrite();
            return stillWaiting(now);
        }
        if (io.kind != IoResult::Kind::ok) {
            // A reason of its own comes from a peer that was reached: another address would say the same.
            i.refused = i.stream->refused();
            if (std::string reason = i.stream->reason(); !reason.empty()) return failInit(std::move(reason));
            return tryNextAddress(i.reasonOf(io));
        }
        i.wantsWrite = false;
        if (i.stream->messageSource() != nullptr) return activate(now);
        ConnectionRequest r;
        r.ripcVersion = i.version;
        r.keyExchange = i.keyAsked = i.client.keyExchange && i.version >= 14;
        r.pingTimeout = i.client.pingTimeoutSeconds;
        r.protocolType = i.client.protocolType;
        r.major = i.client.protocolMajor;
        r.minor = i.client.protocolMinor;
        r.compressionBitmap = compressionOffer(i.options.compression, i.version);
        r.hostName = ownHostName();
        r.ipAddress = localOf(fd()).ip();
        r.componentText = componentText(i.client.componentInfo);
        i.out = encodeRequest(r);
        i.outSent = 0;
        i.phase = Impl::Phase::awaitingAck;
    }
    for (;;) {
        const Impl::Sent sent = i.sendPending();
        if (sent == Impl::Sent::blocked) return stillWaiting(now);
        if (i.phase == Impl::Phase::sendingKey) {
            if (sent == Impl::Sent::failed) return failInit("connection lost: " + i.reasonOf(i.sendFailure));
            return activate(now);
        }
        const IoResult io = sent == Impl::Sent::failed ? i.sendFailure : i.receive(input_);
        if (io.kind == IoResult::Kind::wouldBlock) return stillWaiting(now);
        if (io.kind != IoResult::Kind::ok) {
            if (!input_.buffered().empty()) return failInit("closed by peer in the middle of its connection ack");
            const bool hungUp = io.kind == IoResult::Kind::end || io.error == ECONNRESET || io.error == EPIPE;
            if (std::string reason = i.stream->reason(); !reason.empty()) return failInit(std::move(reason));
            if (!hungUp) return failInit(i.reasonOf(io));
            return tryOlderVersion("closed by peer instead of a connection ack");
        }
        const InitStatus status = readAck();
        if (status == InitStatus::failed) return status;
        if (status == InitStatus::active) return activate(now);
    }
} catch (const std::bad_alloc&) { return failInit("out of memory"); }

// active: the server has said all it has to; inProgress: more bytes, or a key to send.
InitStatus Channel::readAck() noexcept try {
    Impl& i = *impl_;
    Parsed<ConnectionAck> parsed = parseAck(input_.buffered(), i.keyAsked);
    switch (parsed.kind) {
    case Parsed<ConnectionAck>::Kind::needMore:
        return InitStatus::inProgress;
    case Parsed<ConnectionAck>::Kind::bad:
        return failInit(std::move(parsed.reason));
    case Parsed<ConnectionAck>::Kind::nak:
        i.refused = true;
        return failInit("refused: " + parsed.reason);
    case Parsed<ConnectionAck>::Kind::ok:
        break;
    }
    const ConnectionAck& a = parsed.value;
    i.compression = static_cast<Compression>(a.compressionType);  // 0 .. 2; one we did not offer is fine too
    i.compressionLevel = a.compressionLevel;
    input_.consume(parsed.consumed);
    i.version = a.ripcVersion;
    i.maxMessage = a.maxMessage;
    ChannelInfo& info = i.info;
    info.pingTimeoutSeconds = a.pingTimeout != 0 ? a.pingTimeout : i.client.pingTimeoutSeconds;
    info.clientToServerPings = (a.sessionFlags & kClientPings) != 0;
    info.serverToClientPings = (a.sessionFlags & kServerPings) != 0;
    const ConnectOptions& own = i.client;  // some servers echo a higher pair
    const bool lower = lowerProtocol(a.major, a.minor, own.protocolMajor, own.protocolMinor);
    info.majorVersion = lower ? a.major : own.protocolMajor;
    info.minorVersion = lower ? a.minor : own.protocolMinor;
    info.componentInfo = a.componentText;
    info.peerHost = i.client.host;
    if (!a.hasKey) return InitStatus::active;

    ClientKey key;
    if (a.key.type == 1 && a.key.p != 0) {
        const std::uint64_t exponent = randomExponent();
        key.present = true;
        key.key = powMod(a.key.g, exponent, a.key.p);
        info.sharedKey = powMod(a.key.serverKey, exponent, a.key.p);
    }
    i.out = encodeClientKey(key);
    i.outSent = 0;
    i.phase = Impl::Phase::sendingKey;
    return InitStatus::inProgress;
} catch (const std::bad_alloc&) { return failInit("out of memory"); }

// --- server ----------------------------------------------------------------------------------------------------------

InitStatus Channel::initServer(TimePoint now) noexcept try {
    using Phase = Impl::Phase;
    Impl& i = *impl_;
    for (;;) {
        if (i.phase == Phase::opening) {
            const IoResult io = i.stream->handshake();
            i.noteHeard();
            i.wantsWrite = io.kind == IoResult::Kind::wouldBlock && i.stream->handshakeWantsWrite();
            if (io.kind == IoResult::Kind::wouldBlock) return stillWaiting(now);
            if (io.kind == IoResult::Kind::end) return failInit("closed by peer before the handshake was complete");
            if (io.kind != IoResult::Kind::ok) {
                i.refused = i.stream->refused();
                if (i.refused) i.shared->naksSent.fetch_add(1, std::memory_order_relaxed);
                return failInit(i.reasonOf(io));
            }
            if (i.stream->messageSource() != nullptr) {
                if (!i.refuseText) return activate(now);
                i.refused = true;  // there is no nak: the peer sees the close
                return failInit("refused: " + *i.refuseText);
            }
            i.phase = Phase::awaitingRequest;
        }
        if (i.phase == Phase::sendingAck || i.phase == Phase::sendingNak) {
            const Impl::Sent sent = i.sendPending();
            if (sent == Impl::Sent::blocked) return stillWaiting(now);
            if (i.phase == Phase::sendingNak) return failInit("refused: " + *i.refuseText);
            if (sent == Impl::Sent::failed) return failInit("connection lost: " + i.reasonOf(i.sendFailure));
            if (!i.keyAsked) return activate(now);
            i.phase = Phase::awaitingKey;
        }
        const IoResult io = i.receive(input_);
        i.noteHeard();
        if (io.kind == IoResult::Kind::wouldBlock) return stillWaiting(now);
        if (io.kind == IoResult::Kind::end) return failInit("closed by peer before the handshake was complete");
        if (io.kind != IoResult::Kind::ok) return failInit("connection lost: " + i.reasonOf(io));
        if (i.phase == Phase::awaitingRequest && !i.webSocket) {
            const std::string_view first = asText(input_.buffered());
            if (first.size() < kHttpGet.size() && kHttpGet.starts_with(first)) continue;  // the rest decides
            if (first.starts_with(kHttpGet)) {
                i.webSocket = true;
                i.stream = asWebSocket(std::move(i.stream), i.shared->options, input_.buffered(), i.refuseText);
                input_.consume(first.size());
                i.phase = Phase::opening;
                continue;
            }
        }
        const InitStatus status = i.phase == Phase::awaitingRequest ? readRequest(now) : readKey();
        if (status == InitStatus::failed) return status;
        if (status == InitStatus::active) return activate(now);
    }
} catch (const std::bad_alloc&) { return failInit("out of memory"); }

InitStatus Channel::readRequest(TimePoint now) noexcept try {
    Impl& i = *impl_;
    const BindOptions& o = i.shared->options;
    Parsed<ConnectionRequest> parsed = parseRequest(input_.buffered());
    if (parsed.kind == Parsed<ConnectionRequest>::Kind::needMore) return InitStatus::inProgress;
    if (parsed.kind != Parsed<ConnectionRequest>::Kind::ok) return failInit(std::move(parsed.reason));
    const ConnectionRequest& r = parsed.value;
    input_.consume(parsed.consumed);
    if (!input_.buffered().empty()) return failInit("data before the connection ack");

    if (r.protocolType != o.protocolType && !i.refuseText)  // RIPC 11 cannot name a type: RWF
        i.refuseText = "Protocol type " + std::to_string(r.protocolType) + " is not served here.";
    i.outSent = 0;
    if (i.refuseText) {
        i.out = encodeNak(*i.refuseText);
        i.refused = true;
        i.phase = Impl::Phase::sendingNak;
        i.deadline = std::min(i.deadline, now + kNakTime);
        i.shared->naksSent.fetch_add(1, std::memory_order_relaxed);
        return InitStatus::inProgress;
    }
    ConnectionAck a = negotiate(o, r);
    i.version = r.ripcVersion;
    i.maxMessage = a.maxMessage;
    i.compression = static_cast<Compression>(a.compressionType);
    i.compressionLevel = a.compressionLevel;
    i.keyAsked = r.keyExchange;
    if (r.keyExchange) {
        i.keyModulus = randomModulus();
        i.keyExponent = randomExponent();
        a.hasKey = true;
        a.key = {1, i.keyModulus, 5, powMod(5, i.keyExponent, i.keyModulus)};
    }
    ChannelInfo& info = i.info;
    info.pingTimeoutSeconds = a.pingTimeout;
    info.clientToServerPings = (a.sessionFlags & kClientPings) != 0;
    info.serverToClientPings = (a.sessionFlags & kServerPings) != 0;
    info.majorVersion = a.major;
    info.minorVersion = a.minor;
    info.componentInfo = r.componentText;
    info.peerHost = r.hostName;
    i.out = encodeAck(a);
    i.phase = Impl::Phase::sendingAck;
    return InitStatus::inProgress;
} catch (const std::bad_alloc&) { return failInit("out of memory"); }

InitStatus Channel::readKey() noexcept try {
    Parsed<ClientKey> parsed = parseClientKey(input_.buffered());
    if (parsed.kind == Parsed<ClientKey>::Kind::needMore) return InitStatus::inProgress;
    if (parsed.kind != Parsed<ClientKey>::Kind::ok) return failInit(std::move(parsed.reason));
    input_.consume(parsed.consumed);  // what follows is data, ready for read()
    if (parsed.value.present) impl_->info.sharedKey = powMod(parsed.value.key, impl_->keyExponent, impl_->keyModulus);
    return InitStatus::active;
} catch (const std::bad_alloc&) { return failInit("out of memory"); }

// --- both ------------------------------------------------------------------------------------------------------------

bool Channel::compressFrom(std::size_t maxMessage, std::size_t idBytes) noexcept {
    Impl& i = *impl_;
    auto decompressor = Decompressor::make(i.compression, maxMessage);
    auto compressor = Compressor::make(i.compression, i.compressionLevel);
    if (decompressor == nullptr || compressor == nullptr) return false;
    i.info.compression = i.compression;
    i.info.compressionThreshold = thresholdFor(i.compression, i.options.compressionThreshold);
    auto stream = std::make_unique<CompressingStream>(std::move(i.stream), std::move(compressor),
                                                      i.info.compressionThreshold, maxMessage, idBytes);
    i.compressor = stream.get();
    i.stream = std::move(stream);
    input_.decompressWith(std::move(decompressor));
    if (i.compression == Compression::zlib && maxMessage > 4 * kZlibFragmentSlack)
        output_.setFragmentSlack(kZlibFragmentSlack);
    return true;
}

InitStatus Channel::activate(TimePoint now) noexcept try {
    Impl& i = *impl_;
    ChannelInfo& info = i.info;
    const ChannelOptions& o = i.options;
    const SocketAddress peer = peerOf(fd());
    info.connectionType = i.server ? i.shared->options.connectionType : i.client.connectionType;
    info.protocolType = o.protocolType;
    if (i.stream->messageSource() != nullptr) info.pingTimeoutSeconds = std::max<std::uint8_t>(o.pingTimeoutSeconds, 1);
    i.source = i.stream->messageSource();
    info.maxFragmentSize = 0;
    if (const std::size_t described = i.stream->describe(info); described != 0) i.maxMessage = described;
    i.maxMessage = std::min(i.maxMessage, frame::kMaxBody);
    if (!info.webSocketProtocol.empty() && info.tlsVersion == 0) info.connectionType = ConnectionType::webSocket;
    info.ripcVersion = i.source != nullptr ? 0 : static_cast<std::uint32_t>(i.version);
    if (info.maxFragmentSize == 0) info.maxFragmentSize = static_cast<std::uint32_t>(i.maxMessage - 2);
    info.guaranteedOutputBuffers = std::max(o.guaranteedOutputBuffers, i.server ? 1u : 5u);
    info.maxOutputBuffers = std::max(info.guaranteedOutputBuffers, o.maxOutputBuffers);
    info.numInputBuffers = std::max(o.numInputBuffers, 2u);
    if (!isForeign(info.connectionType)) {  // otherwise describe() has said it
        info.sysSendBufSize = socketBufferSize(fd(), SO_SNDBUF);
        info.sysRecvBufSize = socketBufferSize(fd(), SO_RCVBUF);
        info.peerAddress = peer.text();
        info.peerPort = peer.port();
    }
    i.peer = info.peerAddress;
    i.highWaterMark = o.highWaterMark;
    i.directWrite = o.directWrite;
    i.readAt = i.writeAt = now;
    i.readSeen = i.receipts.get();
    i.writeSeen = i.bytesWritten.get();
    i.wantsWrite = false;
    i.out = {};

    if (info.connectionType == ConnectionType::sequencedMulticast) i.options.maxMessageBytes = i.maxMessage;
    const std::size_t idBytes = i.source != nullptr || i.version >= 13 ? 2 : 1;
    const std::size_t capacity = std::max(kMinInputBuffer, info.numInputBuffers * (i.maxMessage + frame::kHeader));
    if (i.source == nullptr && !input_.activate(i.maxMessage, idBytes, capacity, {})) return failInit("out of memory");
    if (i.compression != Compression::none && !compressFrom(i.maxMessage, idBytes)) return failInit("out of memory");
    output_.activate(i.maxMessage, idBytes, 0);
    if (i.source != nullptr) output_.useOnePriority();
    applyBound();
    applyFlushAbove();
    limitInput(0);
    if (i.shared != nullptr && i.source != nullptr) i.source->useBudget(i.shared->partialBudget);
    else if (i.shared != nullptr) input_.useBudget(i.shared->partialBudget);
    i.place.advance(Admission::Stage::active);
    if (i.shared != nullptr) i.shared->handshakesDone.fetch_add(1, std::memory_order_relaxed);
    state_.store(ChannelState::active, std::memory_order_release);
    return InitStatus::active;
} catch (const std::bad_alloc&) { return failInit("out of memory"); }

}  // namespace emissary::eta::transport
