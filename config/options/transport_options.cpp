// Channel, Server, Logger and Dictionary entries to options (ema-config.md 5, 6, 10, 11).
#include "config/options/transport_options.h"

#include "eta/transport/connection_types.h"

#include <algorithm>

namespace emissary::parameters {

namespace {

using eta::transport::Compression;
using eta::transport::ConnectionType;

void readTime(const Reader& r, const char* name, std::chrono::milliseconds& value) {
    std::int64_t ms = value.count();
    r.number(name, ms);
    value = std::chrono::milliseconds(ms);
}

/// What clients may cost a server (docs/config.md). The defaults are those of the parameter table.
void readLimits(const Reader& r, eta::transport::BindOptions& o, reactor::ClientLimits& l) {
    o.firstByteTimeout = std::chrono::seconds(5);
    readTime(r, "FirstByteTimeout", o.firstByteTimeout);
    // Thousands of consumers of one site come back at once after a restart: that is no attack.
    o.maxInitializing = 8192;
    r.number("MaxConnectionsInitializing", o.maxInitializing);
    o.maxInitializingPerAddress = 4096;
    r.number("MaxConnectionsInitializingPerAddress", o.maxInitializingPerAddress);
    o.maxConnections = 16384;
    r.number("MaxConnections", o.maxConnections);
    o.maxConnectionsPerAddress = 8192;
    r.number("MaxConnectionsPerAddress", o.maxConnectionsPerAddress);
    r.number("MaxMessageSize", o.maxMessageBytes);
    o.partialBudgetBytes = 256u << 20;
    r.number("MaxPartialMessageBytes", o.partialBudgetBytes);
    readTime(r, "ClientLoginTimeout", l.loginTimeout);
    readTime(r, "SlowConsumerTimeout", l.slowConsumerTimeout);
    readTime(r, "PartialMessageTimeout", l.partialMessageTimeout);
    r.number("MaxMessageSizeBeforeLogin", l.messageBytesBeforeLogin);
    r.number("MaxRefusalsPerMinute", l.refusalsPerMinute);
    r.number("MaxStreamsPerClient", l.streams);
    r.number("MaxKeySize", l.keyBytes);
    r.number("MaxKeyBytesPerClient", l.keyBytesPerClient);
}

}  // namespace

HostPort splitHostPort(std::string_view text) noexcept {
    if (text.starts_with('[')) {
        const auto end = text.find(']');
        const std::string_view rest = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
        return {text.substr(1, end == std::string_view::npos ? end : end - 1),
                rest.starts_with(':') ? rest.substr(1) : std::string_view{}};
    }
    // Two colons without brackets are a bare IPv6 address, which has no port.
    const auto colon = text.find(':');
    if (colon == std::string_view::npos || text.find(':', colon + 1) != std::string_view::npos) return {text, {}};
    return {text.substr(0, colon), text.substr(colon + 1)};
}

std::string idleProxy(const std::string& channel, const eta::transport::ConnectOptions& o) {
    const auto* const row = eta::transport::findConnectionType(static_cast<std::int64_t>(o.connectionType));
    if (o.proxy.host.empty() || row == nullptr || row->proxied) return {};
    return "ProxyHost [" + o.proxy.host + "] of Channel [" + channel +
           "] has no effect: connections of its ChannelType do not go through a proxy; use RSSL_ENCRYPTED or "
           "RSSL_WEBSOCKET, "
           "or leave ProxyHost out";
}

std::uint8_t pingSeconds(std::int64_t ms) noexcept {
    return static_cast<std::uint8_t>(std::clamp<std::int64_t>(ms / 1000, 1, 255));
}

void readTransport(const Reader& r, eta::transport::ChannelOptions& o) {
    std::int64_t compression = 0, ping = o.pingTimeoutSeconds * 1000, mark = 0;
    r.text("InterfaceName", o.interfaceName);
    r.number("CompressionType", compression);
    o.compression = static_cast<Compression>(compression);
    // Bytes, as transport.md has them: below these a compressed message is seldom shorter, and LZ4 needs more of it.
    o.compressionThreshold = o.compression == Compression::lz4 ? 300 : 30;
    r.number("CompressionThreshold", o.compressionThreshold);
    r.number("ConnectionPingTimeout", ping);
    o.pingTimeoutSeconds = pingSeconds(ping);
    r.number("GuaranteedOutputBuffers", o.guaranteedOutputBuffers);
    // Not configured: the pool does not grow beyond what is guaranteed.
    o.maxOutputBuffers = o.guaranteedOutputBuffers;
    r.number("MaxOutputBuffers", o.maxOutputBuffers);
    r.number("NumInputBuffers", o.numInputBuffers);
    r.number("SysSendBufSize", o.sysSendBufSize);
    r.number("SysRecvBufSize", o.sysRecvBufSize);
    r.number("HighWaterMark", mark);
    if (mark > 0) o.highWaterMark = static_cast<std::uint32_t>(mark);
    r.flag("TcpNodelay", o.tcpNoDelay);
    r.flag("DirectWrite", o.directWrite);
    r.text("SharedMemoryGroup", o.sharedMemoryGroup);
}

void readChannel(const Reader& r, ConnectionType type, eta::transport::ConnectOptions& o) {
    o.guaranteedOutputBuffers = 100;
    o.connectionType = type;
    r.text("Host", o.host);
    if (o.host.starts_with('[')) o.host = std::string(splitHostPort(o.host).host);
    r.text("Port", o.port);
    readTransport(r, o);
    const auto* const row = eta::transport::findConnectionType(static_cast<std::int64_t>(type));
    std::int64_t init = row != nullptr && row->encrypted ? 10 : 5, inner = 0, proxySeconds = 40;
    r.number("InitializationTimeout", init);
    o.initializationTimeout = std::chrono::seconds(init);
    r.number("EncryptedProtocolType", inner);
    o.encryptedProtocol = static_cast<ConnectionType>(inner);
    r.number("SecurityProtocol", o.tls.versions);
    r.text("OpenSSLCAStore", o.tls.caStore);
    r.text("ClientCert", o.tls.certificate);
    r.text("ClientKey", o.tls.privateKey);
    r.text("WsProtocols", o.webSocket.protocols);
    r.number("WsMaxMsgSize", o.webSocket.maxMessageBytes);
    r.text("ProxyHost", o.proxy.host);
    r.text("ProxyPort", o.proxy.port);
    r.number("ProxyConnectionTimeout", proxySeconds);
    o.proxy.timeout = std::chrono::seconds(proxySeconds);
    r.text("ObjectName", o.webSocket.path);
    if (!o.webSocket.path.empty() && !o.webSocket.path.starts_with('/')) o.webSocket.path.insert(0, 1, '/');
}

void readServer(const Reader& r, ConnectionType type, eta::transport::BindOptions& o, reactor::ClientLimits& limits) {
    o.guaranteedOutputBuffers = 5000;
    if (type != ConnectionType::sharedMemory) o.sysSendBufSize = o.sysRecvBufSize = 65535;
    o.connectionType = type;
    readTransport(r, o);
    r.text("Port", o.port);
    std::int64_t minPing = 20000, init = 60;
    r.number("ConnectionMinPingTimeout", minPing);
    o.minPingTimeoutSeconds = std::min(pingSeconds(minPing), o.pingTimeoutSeconds);
    r.number("InitializationTimeout", init);
    o.initializationTimeout = std::chrono::seconds(init);
    r.flag("ServerSharedSocket", o.sharedSocket);
    r.number("MaxFragmentSize", o.maxFragmentSize);
    r.number("CompressionLevel", o.compressionLevel);
    r.number("SecurityProtocol", o.tls.versions);
    r.text("ServerCert", o.tls.certificate);
    r.text("ServerPrivateKey", o.tls.privateKey);
    r.text("ClientCA", o.tls.clientCa);
    r.text("ClientCrl", o.tls.clientCrl);
    r.flag("RequireClientCert", o.tls.requireClientCert);
    r.text("CipherSuite", o.tls.cipherSuite);
    r.text("DhParams", o.tls.dhParameters);
    r.text("DHParams", o.tls.dhParameters);
    r.text("WsProtocols", o.webSocket.protocols);
    readLimits(r, o, limits);
}

void readLogger(const Reader& r, logging::LoggerSettings& s) {
    std::int64_t type = static_cast<std::int64_t>(s.target), format = static_cast<std::int64_t>(s.format),
                 severity = static_cast<std::int64_t>(s.severity), date = s.includeDate;
    r.number("LoggerType", type);
    r.number("LoggerFormat", format);
    r.text("JournalSocket", s.journalSocket);
    r.number("MaxPeerRecordsPerMinute", s.peerRecordsPerMinute);
    r.number("LoggerSeverity", severity);
    r.number("IncludeDateInLoggerOutput", date);
    s.target = static_cast<logging::LogTarget>(type);
    s.format = static_cast<logging::LogFormat>(format);
    s.severity = static_cast<LogSeverity>(severity);
    s.includeDate = date == 1;
    r.text("FileName", s.fileName);
    r.number("MaxLogFileSize", s.maxFileSize);
    s.keepOldFile = r.find("MaxLogFileSize") == nullptr;  // without a configured limit the records go on
    if (!s.keepOldFile) r.number("NumberOfLogFiles", s.numberOfFiles);
}

DictionarySettings readDictionary(const Configuration& c, const std::string& name, bool fileByDefault) {
    DictionarySettings s;
    s.name = name;
    const Reader r(c, Section::dictionary, name);
    std::int64_t type = fileByDefault ? 0 : 1;
    r.number("DictionaryType", type);
    s.fromFile = type == 0;
    r.text("RdmFieldDictionaryFileName", s.fieldFile);
    r.text("EnumTypeDefFileName", s.enumFile);
    r.text("RdmFieldDictionaryItemName", s.fieldItemName);
    r.text("EnumTypeDefItemName", s.enumItemName);
    return s;
}

}  // namespace emissary::parameters
