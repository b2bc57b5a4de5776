#include "transport/streams.h"

#include "transport/ProxyStream.h"
#include "transport/SharedMemoryListener.h"
#include "transport/SharedMemoryStream.h"
#include "transport/TlsStream.h"
#include "transport/WebSocketStream.h"
#include "transport/multicast/MulticastStream.h"
#include "transport/multicast/SequencedStream.h"

#include <algorithm>

namespace emissary::eta::transport {
namespace {

constexpr char kNoTunnel[] = "the HTTP tunnel (RSSL_HTTP) is not supported: use RSSL_ENCRYPTED, through ProxyHost and "
                             "ProxyPort where there is a proxy, or RSSL_SOCKET";

bool usesWebSocket(const ConnectOptions& o) noexcept {
    return o.connectionType == ConnectionType::webSocket ||
           (o.connectionType == ConnectionType::encrypted && o.encryptedProtocol == ConnectionType::webSocket);
}

}  // namespace

bool usesProxy(const ConnectOptions& o) noexcept {
    return !o.proxy.host.empty() &&
           (o.connectionType == ConnectionType::encrypted || o.connectionType == ConnectionType::webSocket);
}

const char* describe(ConnectionType type) noexcept {
    switch (type) {
    case ConnectionType::socket:
        return "RSSL_SOCKET";
    case ConnectionType::encrypted:
        return "RSSL_ENCRYPTED";
    case ConnectionType::http:
        return "RSSL_HTTP";
    case ConnectionType::sharedMemory:
        return "RSSL_UNIDIR_SHMEM";
    case ConnectionType::reliableMulticast:
        return "RSSL_RELIABLE_MCAST";
    case ConnectionType::sequencedMulticast:
        return "RSSL_SEQ_MCAST";
    case ConnectionType::webSocket:
        return "RSSL_WEBSOCKET";
    }
    return "unknown connection type";
}

std::string describeTarget(const ConnectOptions& o) {
    const MulticastOptions& m = o.multicast;
    if (!isMulticast(o.connectionType)) return o.host + ":" + o.port;
    return m.sendAddress + ":" + m.sendPort + ", hearing " + m.receiveAddress + ":" + m.receivePort;
}

std::string checkOptions(const ConnectOptions& o) {
    if (o.connectionType == ConnectionType::http) return kNoTunnel;
    if (o.connectionType == ConnectionType::encrypted && o.encryptedProtocol != ConnectionType::socket &&
        o.encryptedProtocol != ConnectionType::webSocket)
        return std::string("EncryptedProtocolType ") + describe(o.encryptedProtocol) +
               " is not supported: use RSSL_SOCKET or RSSL_WEBSOCKET";
    if (!usesWebSocket(o)) return {};
    const std::string& path = o.webSocket.path;
    const auto impossible = [](unsigned char c) { return c <= ' ' || c >= 0x7F; };
    if (!path.empty() && (path.front() != '/' || std::any_of(path.begin(), path.end(), impossible)))
        return "\"" + path + "\" (ObjectName) is no path of a URL: it begins with '/' and holds no blanks";
    return ws::checkProtocols(o.webSocket.protocols);
}

std::string checkOptions(const BindOptions& o) {
    if (o.connectionType == ConnectionType::http) return kNoTunnel;
    return isForeign(o.connectionType) ? std::string() : ws::checkProtocols(o.webSocket.protocols);
}

std::unique_ptr<ByteStream> layersOfClient(Descriptor socket, const ConnectOptions& o, std::string& reason) {
    std::unique_ptr<ByteStream> stream = std::make_unique<TcpStream>(std::move(socket), false);
    if (usesProxy(o)) stream = std::make_unique<ProxyStream>(std::move(stream), o);
    if (o.connectionType == ConnectionType::encrypted) {
        auto context = TlsContext::client(o.tls, reason);
        if (context == nullptr) return nullptr;
        const std::string& name = o.tls.serverName.empty() ? o.host : o.tls.serverName;
        // A session stands for what was verified when it began: one that did without the name is none for who wants it.
        const char* const verified = o.tls.verifyHostName ? "/" : "/any name/";
        stream = std::make_unique<TlsStream>(std::move(stream), std::move(context), o.tls, name,
                                             name + verified + o.host + ':' + o.port);
    }
    if (!usesWebSocket(o)) return stream;
    WebSocketStream::Settings s;
    s.options = o.webSocket;
    s.encrypted = o.connectionType == ConnectionType::encrypted;
    s.deflate = o.compression == Compression::zlib;
    s.frameBytes = static_cast<std::size_t>(o.webSocket.maxMessageBytes);
    s.host = o.host;
    s.port = o.port;
    return std::make_unique<WebSocketStream>(std::move(stream), std::move(s));
}

std::unique_ptr<ByteStream> layersOfServer(Descriptor socket, std::shared_ptr<TlsContext> tls) {
    std::unique_ptr<ByteStream> stream = std::make_unique<TcpStream>(std::move(socket), true);
    if (tls != nullptr) stream = std::make_unique<TlsStream>(std::move(stream), std::move(tls));
    return stream;
}

std::unique_ptr<ByteStream> asWebSocket(std::unique_ptr<ByteStream> stream, const BindOptions& o, Bytes received,
                                        const std::optional<std::string>& refusal) {
    WebSocketStream::Settings s;
    s.options = o.webSocket;
    s.server = true;
    s.deflate = o.compression == Compression::zlib;
    s.level = o.compressionLevel;
    s.frameBytes = static_cast<std::size_t>(o.webSocket.maxMessageBytes);
    s.refusal = &refusal;
    return std::make_unique<WebSocketStream>(std::move(stream), std::move(s), received);
}

bool isForeign(ConnectionType type) noexcept {
    return type == ConnectionType::sharedMemory || type == ConnectionType::reliableMulticast ||
           type == ConnectionType::sequencedMulticast;
}

std::unique_ptr<ByteStream> openForeign(const ConnectOptions& options, std::string& reason) {
    if (options.connectionType == ConnectionType::sharedMemory) return SharedMemoryStream::connect(options, reason);
    if (options.connectionType == ConnectionType::sequencedMulticast) return SequencedStream::open(options, reason);
    return MulticastStream::open(options, reason);
}

std::unique_ptr<StreamListener> listenForeign(const BindOptions& options, std::string& reason) {
    if (options.connectionType == ConnectionType::sharedMemory) return SharedMemoryListener::open(options, reason);
    reason = std::string(describe(options.connectionType)) + " has no server side: all ends of a group connect to it";
    return nullptr;
}

}  // namespace emissary::eta::transport
