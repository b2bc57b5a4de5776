// eta/transport/channel: checks the options of each connection type and opens its streams and listeners.
#include "transport/channel/streams.h"

#include "eta/core/host_names.h"
#include "transport/multicast/MulticastStream.h"
#include "transport/multicast/SequencedStream.h"
#include "transport/shm/SharedMemoryListener.h"
#include "transport/shm/SharedMemoryStream.h"
#include "transport/tcp/ProxyStream.h"
#include "transport/tcp/TcpListener.h"
#include "transport/tls/TlsContext.h"
#include "transport/tls/TlsStream.h"
#include "transport/websocket/WebSocketStream.h"

#include <algorithm>

namespace emissary::eta::transport {

bool usesWebSocket(const ConnectOptions& o) noexcept {
    return o.connectionType == ConnectionType::webSocket ||
           (o.connectionType == ConnectionType::encrypted && o.encryptedProtocol == ConnectionType::webSocket);
}

namespace {

// --- TCP: RIPC, TLS, WebSocket and what is between -------------------------------------------------------------------

Refused checkWebSocket(const ConnectOptions& o) {
    const std::string& path = o.webSocket.path;
    const auto impossible = [](unsigned char c) { return c <= ' ' || c >= 0x7F; };
    if (!path.empty() && (path.front() != '/' || std::any_of(path.begin(), path.end(), impossible)))
        return {"\"" + path + "\" (ObjectName) is no path of a URL: it begins with '/' and holds no blanks"};
    return ws::checkProtocols(o.webSocket.protocols);
}

Refused checkTls(const ConnectOptions& o) {
    const ConnectionTypeRow* const inner = findConnectionType(static_cast<std::int64_t>(o.encryptedProtocol));
    if (inner == nullptr || !inner->insideTls || inner->instead != nullptr)
        return {std::string("EncryptedProtocolType ") + describe(o.encryptedProtocol) +
                " is not supported: use RSSL_SOCKET or RSSL_WEBSOCKET"};
    return usesWebSocket(o) ? checkWebSocket(o) : Refused{};
}

/// A port serves RIPC and WebSocket clients, whatever its type is called.
Refused checkTcpBind(const BindOptions& o) {
    if (!o.tls.clientCa.empty() && !rowOf(o.connectionType).encrypted)
        return {"ClientCA \"" + o.tls.clientCa + "\": only encrypted connections have certificates of clients; use " +
                "RSSL_ENCRYPTED, or take ClientCA out"};
    return ws::checkProtocols(o.webSocket.protocols);
}

std::unique_ptr<ByteStream> openTcp(Descriptor socket, const ConnectOptions& o, Refused& refused) {
    std::unique_ptr<ByteStream> stream = std::make_unique<TcpStream>(std::move(socket), false);
    if (usesProxy(o)) stream = std::make_unique<ProxyStream>(std::move(stream), o);
    if (rowOf(o.connectionType).encrypted) {
        auto context = TlsContext::client(o.tls, refused);
        if (context == nullptr) return nullptr;
        // A name that was given for the certificate wins over the host that is dialled.
        const std::string& name = o.tls.serverName.empty() ? o.host : o.tls.serverName;
        // A session keeps what was verified when it began: one that was made without checking the name must not be
        // resumed by a client that checks it.
        const char* const verified = o.tls.verifyHostName ? "/" : "/any name/";
        stream = std::make_unique<TlsStream>(std::move(stream), std::move(context), o.tls, name,
                                             name + verified + o.host + ':' + o.port);
    }
    if (!usesWebSocket(o)) return stream;
    WebSocketStream::Settings s;
    s.options = o.webSocket;
    s.encrypted = rowOf(o.connectionType).encrypted;
    // WebSocket has its own compression, which is agreed there (transport.md 6.7).
    s.deflate = o.compression == Compression::zlib;
    s.frameBytes = static_cast<std::size_t>(o.webSocket.maxMessageBytes);
    s.host = o.host;
    s.port = o.port;
    return std::make_unique<WebSocketStream>(std::move(stream), std::move(s));
}

// --- the others ------------------------------------------------------------------------------------------------------

template <class Options>
// The types that cannot be wrong have this check.
Refused nothingWrong(const Options&) {
    return {};
}

template <class Options>
Refused checkShared(const Options& o) {
    return SharedMemoryStream::check(o);
}

template <class Options>
Refused refuseTunnel(const Options&) {
    return {std::string("the HTTP tunnel (RSSL_HTTP) is not supported: ") + rowOf(ConnectionType::http).instead};
}

std::unique_ptr<ByteStream> openNothing(Descriptor, const ConnectOptions&, Refused&) {
    return nullptr;  // the options were refused before
}

Refused refuseListening(const BindOptions& o) {
    return {std::string(describe(o.connectionType)) + " has no server side: all ends of a group connect to it"};
}

std::unique_ptr<StreamListener> listenNowhere(const BindOptions&, Refused&) {
    return nullptr;  // the options were refused before
}

template <class Stream, std::unique_ptr<Stream> (*Open)(const ConnectOptions&, Refused&)>
std::unique_ptr<ByteStream> openAlone(Descriptor, const ConnectOptions& o, Refused& refused) {
    return Open(o, refused);
}

}  // namespace

// --- the calls of each row -------------------------------------------------------------------------------------------

constinit const ConnectionCalls kTcpCalls{nothingWrong, openTcp, checkTcpBind, TcpListener::open};
// A TLS port serves RIPC and WebSocket clients alike, so it is bound as a TCP port.
constinit const ConnectionCalls kTlsCalls{checkTls, openTcp, checkTcpBind, TcpListener::open};
constinit const ConnectionCalls kWebSocketCalls{checkWebSocket, openTcp, checkTcpBind, TcpListener::open};
constinit const ConnectionCalls kTunnelCalls{refuseTunnel, openNothing, refuseTunnel, listenNowhere};
constinit const ConnectionCalls kSharedMemoryCalls{checkShared<ConnectOptions>,
                                                   openAlone<SharedMemoryStream, SharedMemoryStream::connect>,
                                                   checkShared<BindOptions>, SharedMemoryListener::open};
constinit const ConnectionCalls kReliableCalls{nothingWrong, openAlone<MulticastStream, MulticastStream::open>,
                                               refuseListening, listenNowhere};
constinit const ConnectionCalls kSequencedCalls{nothingWrong, openAlone<SequencedStream, SequencedStream::open>,
                                                refuseListening, listenNowhere};

// Every type answers in its own row, so a new type needs no change here.
Refused checkOptions(const ConnectOptions& o) {
    return rowOf(o.connectionType).calls->checkConnect(o);
}
Refused checkOptions(const BindOptions& o) {
    return rowOf(o.connectionType).calls->checkBind(o);
}

Refused checkConnect(const ConnectOptions& options) {
    // Certificates are read here, so a wrong file is reported before the first attempt.
    Refused refused = checkOptions(options);
    if (!refused && rowOf(options.connectionType).encrypted)
        static_cast<void>(TlsContext::client(options.tls, refused));
    if (refused) refused.text = "connect to " + describeTarget(options) + ": " + refused.text;
    return refused;
}

bool usesProxy(const ConnectOptions& o) noexcept {
    return !o.proxy.host.empty() && rowOf(o.connectionType).proxied;
}

std::string describeTarget(const ConnectOptions& o) {
    const MulticastOptions& m = o.multicast;
    if (!isMulticast(o.connectionType)) return o.host + ":" + o.port;
    return m.sendAddress + ":" + m.sendPort + ", hearing " + m.receiveAddress + ":" + m.receivePort;
}

std::unique_ptr<ByteStream> asWebSocket(std::unique_ptr<ByteStream> stream, const BindOptions& o, Bytes received,
                                        const WebSocketPeer& peer) {
    WebSocketStream::Settings s;
    s.options = o.webSocket;
    s.server = true;
    s.deflate = o.compression == Compression::zlib;
    s.level = o.compressionLevel;
    s.frameBytes = static_cast<std::size_t>(o.webSocket.maxMessageBytes);
    s.encrypted = rowOf(o.connectionType).encrypted;
    s.gate = &peer.gate;
    s.anyPrefix = peer.proxied;
    // The text of a refusal may come later (Channel::refuse), so the stream gets the place where it will stand.
    s.refusal = &peer.refusal;
    return std::make_unique<WebSocketStream>(std::move(stream), std::move(s), received);
}

}  // namespace emissary::eta::transport
