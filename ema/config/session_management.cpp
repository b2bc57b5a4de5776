// Reads the parameters of tokens, discovery and the REST log, with function calls laid over them.
#include "session_management.h"

#include "Resolver.h"
#include "Settings.h"
#include "transport_options.h"

#include <algorithm>

namespace emissary::ema {

SessionManagementSettings readSessionManagement(const Reader& r, const FunctionCalls& calls) {
    SessionManagementSettings s;
    const auto url = [&](const char* call, std::string& out) {
        std::string given;
        takeCall(calls, call, given);
        if (!given.empty()) out = std::move(given);  // an empty one is the default
    };
    url("tokenServiceUrlV1", s.tokenUrlV1);
    url("tokenServiceUrlV2", s.tokenUrlV2);
    url("serviceDiscoveryUrl", s.discoveryUrl);
    takeCall(calls, "tokenScope", s.scope);
    takeCall(calls, "takeExclusiveSignOnControl", s.takeExclusiveSignOnControl);
    std::int64_t seconds = 90, intervalMs = s.reissueInterval.count();
    r.number("RestRequestTimeOut", seconds);
    s.requestTimeout = std::chrono::seconds(seconds);
    if (const ConfigValue* v = r.find("TokenReissueRatio")) s.reissueRatio = v->real;
    r.number("ReissueTokenAttemptLimit", s.reissueAttempts);
    r.number("ReissueTokenAttemptInterval", intervalMs);
    // At least 100 ms between attempts (credentials.md 6.1).
    s.reissueInterval = std::chrono::milliseconds(std::max<std::int64_t>(intervalMs, 100));
    r.flag("RestEnableLog", s.logToFile);
    r.flag("RestEnableLogViaCallback", s.logToCallback);
    r.flag("RestVerboseMode", s.verboseLog);
    r.text("RestLogFileName", s.logFile);
    r.text("RestProxyHostName", s.proxyHost);
    r.text("RestProxyPort", s.proxyPort);
    r.text("LibcurlName", s.library);
    takeCall(calls, "restProxyHostName", s.proxyHost);
    takeCall(calls, "restProxyPort", s.proxyPort);
    takeCall(calls, "restProxyUserName", s.proxyUser);
    takeCall(calls, "restProxyDomain", s.proxyDomain);
    takeCall(calls, "libcurlName", s.library);
    std::string password;
    takeCall(calls, "restProxyPasswd", password);
    // An ordinary string would leave a copy of the password behind.
    s.proxyPassword = rest::Secret(password);
    rest::wipe(password.data(), password.size());
    return s;
}

void readManagedChannel(const Reader& r, const FunctionCalls& calls, ChannelSettings& s) {
    if (s.type != eta::transport::ConnectionType::encrypted) return;
    r.flag("EnableSessionManagement", s.sessionManagement);
    if (!s.sessionManagement) return;
    r.text("Location", s.location);
    r.number("ServiceDiscoveryRetryCount", s.discoveryRetries);
    if (calls.hostCalled) return;
    // Here the defaults of host and port do not apply: two empty ones mean that the endpoint is looked up
    // (credentials.md 1).
    if (r.find("Host") == nullptr) s.connect.host.clear();
    if (r.find("Port") == nullptr) s.connect.port.clear();
}

bool ConsumerSettings::managed() const noexcept {
    const auto any = [](const std::vector<ChannelSettings>& all) {
        return std::any_of(all.begin(), all.end(), [](const ChannelSettings& c) { return c.sessionManagement; });
    };
    return sessions.empty()
               ? any(channels)
               : std::any_of(sessions.begin(), sessions.end(), [&](const auto& s) { return any(s.channels); });
}

}  // namespace emissary::ema
