// From parameters to the transport's options: connection type, compression, TLS, WebSocket, proxy (ema-config.md 5, 6).
// Part of Resolver.cpp, whose Reader lays the sources over each other.
#pragma once

#include "Resolver.h"
#include "Settings.h"

namespace emissary::ema {

/// A value given by function call, by the call's name; beats the configuration.
inline void takeCall(const FunctionCalls& calls, const char* name, std::string& out) {
    if (const auto found = calls.kept.find(name); found != calls.kept.end()) out = found->second;
}
template <class Number>
void takeCall(const FunctionCalls& calls, const char* name, Number& out) {
    if (const auto found = calls.kept.find(name); found != calls.kept.end() && !found->second.empty())
        out = static_cast<Number>(std::stoll(found->second));
}

/// Everything of a channel that depends on its connection type.
template <class Reader>
void readConnection(const Reader& r, const FunctionCalls& calls, ChannelSettings& s) {
    eta::transport::ConnectOptions& o = s.connect;
    std::int64_t inner = 0;
    o.connectionType = s.type;
    r.number("EncryptedProtocolType", inner);
    takeCall(calls, "encryptedProtocolType", inner);
    o.encryptedProtocol = static_cast<eta::transport::ConnectionType>(inner);
    r.number("SecurityProtocol", o.tls.versions);
    takeCall(calls, "tunnelingSecurityProtocol", o.tls.versions);
    r.text("OpenSSLCAStore", o.tls.caStore);
    takeCall(calls, "sslCAStore", o.tls.caStore);
    r.text("WsProtocols", o.webSocket.protocols);
    r.number("WsMaxMsgSize", o.webSocket.maxMessageBytes);
    r.text("ProxyHost", o.proxy.host);
    r.text("ProxyPort", o.proxy.port);
    takeCall(calls, "tunnelingProxyHostName", o.proxy.host);
    takeCall(calls, "tunnelingProxyPort", o.proxy.port);
    takeCall(calls, "proxyUserName", o.proxy.user);
    takeCall(calls, "proxyPasswd", o.proxy.password);
    takeCall(calls, "proxyDomain", o.proxy.domain);
    std::int64_t proxySeconds = 40;
    r.number("ProxyConnectionTimeout", proxySeconds);
    o.proxy.timeout = std::chrono::seconds(proxySeconds);
    r.text("ObjectName", o.webSocket.path);
    takeCall(calls, "tunnelingObjectName", o.webSocket.path);
    if (!o.webSocket.path.empty() && !o.webSocket.path.starts_with('/')) o.webSocket.path.insert(0, 1, '/');
}

/// Everything of a server that depends on its connection type.
template <class Reader>
void readListener(const Reader& r, const FunctionCalls& calls, ServerSettings& s) {
    eta::transport::BindOptions& o = s.bind;
    o.connectionType = s.type;
    r.number("CompressionLevel", o.compressionLevel);
    r.number("SecurityProtocol", o.tls.versions);
    takeCall(calls, "securityProtocol", o.tls.versions);
    r.text("ServerCert", o.tls.certificate);
    takeCall(calls, "serverCert", o.tls.certificate);
    r.text("ServerPrivateKey", o.tls.privateKey);
    takeCall(calls, "serverPrivateKey", o.tls.privateKey);
    r.text("CipherSuite", o.tls.cipherSuite);
    takeCall(calls, "cipherSuite", o.tls.cipherSuite);
    r.text("DhParams", o.tls.dhParameters);
    r.text("DHParams", o.tls.dhParameters);
    takeCall(calls, "dhParams", o.tls.dhParameters);
    r.text("WsProtocols", o.webSocket.protocols);
}

/// What clients may cost a server (docs/config.md). The defaults are those of the parameter table.
template <class Reader>
void readLimits(const Reader& r, ServerSettings& s) {
    eta::transport::BindOptions& o = s.bind;
    const auto time = [&](const char* name, std::chrono::milliseconds& value) {
        std::int64_t ms = value.count();
        r.number(name, ms);
        value = std::chrono::milliseconds(ms);
    };
    o.firstByteTimeout = std::chrono::seconds(5);
    time("FirstByteTimeout", o.firstByteTimeout);
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
    reactor::ClientLimits& l = s.limits;
    time("ClientLoginTimeout", l.loginTimeout);
    time("SlowConsumerTimeout", l.slowConsumerTimeout);
    time("PartialMessageTimeout", l.partialMessageTimeout);
    r.number("MaxMessageSizeBeforeLogin", l.messageBytesBeforeLogin);
    r.number("MaxRefusalsPerMinute", l.refusalsPerMinute);
    r.number("MaxStreamsPerClient", l.streams);
    r.number("MaxKeySize", l.keyBytes);
    r.number("MaxKeyBytesPerClient", l.keyBytesPerClient);
}

}  // namespace emissary::ema
