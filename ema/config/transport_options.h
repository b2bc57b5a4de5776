// Options of a connection or a port from function calls; they beat the configuration.
#pragma once

#include "Resolver.h"
#include "Settings.h"

namespace emissary::ema {

/// A value given by function call, by the call's name.
inline void takeCall(const FunctionCalls& calls, const char* name, std::string& out) {
    if (const auto found = calls.kept.find(name); found != calls.kept.end()) out = found->second;
}
template <class Number>
void takeCall(const FunctionCalls& calls, const char* name, Number& out) {
    if (const auto found = calls.kept.find(name); found != calls.kept.end() && !found->second.empty())
        out = static_cast<Number>(std::stoll(found->second));
}

inline void takeCalls(const FunctionCalls& calls, eta::transport::ConnectOptions& o) {
    takeCall(calls, "encryptedProtocolType", o.encryptedProtocol);
    takeCall(calls, "tunnelingSecurityProtocol", o.tls.versions);
    takeCall(calls, "sslCAStore", o.tls.caStore);
    takeCall(calls, "tunnelingProxyHostName", o.proxy.host);
    takeCall(calls, "tunnelingProxyPort", o.proxy.port);
    takeCall(calls, "proxyUserName", o.proxy.user);
    takeCall(calls, "proxyPasswd", o.proxy.password);
    takeCall(calls, "proxyDomain", o.proxy.domain);
    takeCall(calls, "tunnelingObjectName", o.webSocket.path);
    if (!o.webSocket.path.empty() && !o.webSocket.path.starts_with('/')) o.webSocket.path.insert(0, 1, '/');
}

inline void takeCalls(const FunctionCalls& calls, eta::transport::BindOptions& o) {
    takeCall(calls, "securityProtocol", o.tls.versions);
    takeCall(calls, "serverCert", o.tls.certificate);
    takeCall(calls, "serverPrivateKey", o.tls.privateKey);
    takeCall(calls, "cipherSuite", o.tls.cipherSuite);
    takeCall(calls, "dhParams", o.tls.dhParameters);
}

}  // namespace emissary::ema
