// Settings for asking for endpoints (ema-api.md section 12).
#pragma once

#include "Access/Include/EmaString.h"
#include "Access/Include/detail/Owned.h"

#include <cstdio>

namespace emissary::ema {
struct ServiceEndpointDiscoveryConfigImpl;
}

namespace refinitiv::ema::access {

/// Where and how to ask for endpoints: argument of ServiceEndpointDiscovery's constructor, which copies it. Not
/// thread safe.
class EMA_ACCESS_API ServiceEndpointDiscoveryConfig {
public:
    ServiceEndpointDiscoveryConfig();  ///< no addresses, no log
    virtual ~ServiceEndpointDiscoveryConfig();
    ServiceEndpointDiscoveryConfig(const ServiceEndpointDiscoveryConfig&) = delete;
    ServiceEndpointDiscoveryConfig& operator=(const ServiceEndpointDiscoveryConfig&) = delete;
    void clear();  ///< back to the defaults
    /// Where exchanges are logged; null means standard output. Not owned.
    ServiceEndpointDiscoveryConfig& restLogOutputStream(FILE* restLogOutputStream = NULL);
    ServiceEndpointDiscoveryConfig& restEnableLog(bool restEnableLog = false);  ///< whether exchanges are logged
    /// Whether tokens are shown in the log; passwords and keys never are.
    ServiceEndpointDiscoveryConfig& restVerboseMode(bool restVerboseMode = false);
    /// For the password grant; empty = the platform's.
    ServiceEndpointDiscoveryConfig& tokenServiceUrlV1(const EmaString& tokenServiceUrlV1 = "");
    /// For client credentials; empty = the platform's.
    ServiceEndpointDiscoveryConfig& tokenServiceUrlV2(const EmaString& tokenServiceUrlV2 = "");
    /// Empty = the platform's.
    ServiceEndpointDiscoveryConfig& serviceDiscoveryUrl(const EmaString& serviceDiscoveryUrl = "");
    /// accepted: the TLS library is linked.
    ServiceEndpointDiscoveryConfig& libSslName(const EmaString& libSslName = "");
    /// accepted: the library is linked.
    ServiceEndpointDiscoveryConfig& libCryptoName(const EmaString& libCryptoName = "");
    /// File name of libcurl, which is loaded for the first request; empty = libcurl.so.4.
    ServiceEndpointDiscoveryConfig& libCurlName(const EmaString& libCurlName = "");
    /// Accepted without effect.
    ServiceEndpointDiscoveryConfig& shouldInitializeCPUIDlib(bool shouldInitializeCPUIDlib = true);

private:
    friend class ServiceEndpointDiscovery;
    detail::Owned<emissary::ema::ServiceEndpointDiscoveryConfigImpl> impl_;
};

}  // namespace refinitiv::ema::access
