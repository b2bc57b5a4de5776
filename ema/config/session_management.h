// Session management: what is configured of tokens, service discovery and the REST log (ema-config.md 4, 5;
// credentials.md 1).
#pragma once

#include "rest/token.h"

#include <chrono>
#include <cstdint>
#include <string>

namespace emissary::parameters {
class Reader;
}

namespace emissary::ema {

struct ChannelSettings;
struct FunctionCalls;

/// Of a consumer.
struct SessionManagementSettings {
    std::string tokenUrlV1 = rest::kDefaultTokenUrlV1, tokenUrlV2 = rest::kDefaultTokenUrlV2,
                discoveryUrl = rest::kDefaultDiscoveryUrl;
    std::string scope;  ///< empty: the default one
    bool takeExclusiveSignOnControl = true;
    std::chrono::milliseconds requestTimeout{90000};  ///< 0 = none
    double reissueRatio = 0.8;                        ///< of a token's life, 0.05 to 0.95
    std::int64_t reissueAttempts = -1;                ///< after the first that failed; negative: no limit
    std::chrono::milliseconds reissueInterval{5000};
    bool logToFile = false, logToCallback = false, verboseLog = false;
    std::string logFile;  ///< empty: standard output
    /// REST calls go through this one; no host: through the channel's proxy, if it has one.
    std::string proxyHost, proxyPort, proxyUser, proxyDomain;
    rest::Secret proxyPassword;
    std::string library;  ///< file name of libcurl; empty: the usual one
};

/// Of a consumer, with what function calls say.
[[nodiscard]] SessionManagementSettings readSessionManagement(const parameters::Reader& consumer,
                                                              const FunctionCalls& calls);
/// Of a channel: on encrypted ones alone it can be managed. Host and port that nobody gives are empty then.
void readManagedChannel(const parameters::Reader& channel, const FunctionCalls& calls, ChannelSettings& settings);

}  // namespace emissary::ema
