// Where and how to ask for endpoints (ema-api.md section 12).
#pragma once

#include "Access/Include/EmaString.h"
#include "Access/Include/detail/Owned.h"

#include <cstdio>

namespace emissary::ema {
struct ServiceEndpointDiscoveryConfigImpl;
}

namespace refinitiv::ema::access {

/// Argument of ServiceEndpointDiscovery's constructor, which copies it. Empty URLs mean the platform's defaults. Not
/// thread safe.
class EMA_ACCESS_API ServiceEndpointDiscoveryConfig {
public:
    ServiceEndpointDiscoveryConfig();
    virtual ~ServiceEndpointDiscoveryConfig();
    ServiceEndpointDiscoveryConfig(const ServiceEndpointDiscoveryConfig&) = delete;
    ServiceEndpointDiscoveryConfig& operator=(const ServiceEndpointDiscoveryConfig&) = delete;
    void clear();
    /// Where REST exchanges are logged; null means standard output. Not owned.
    ServiceEndpointDiscoveryConfig& restLogOutputStream(FILE* restLogOutputStream = NULL);
    ServiceEndpointDiscoveryConfig& restEnableLog(bool restEnableLog = false);
    ServiceEndpointDiscoveryConfig& restVerboseMode(bool restVerboseMode = false);
    ServiceEndpointDiscoveryConfig& tokenServiceUrlV1(const EmaString& tokenServiceUrlV1 = "");
    ServiceEndpointDiscoveryConfig& tokenServiceUrlV2(const EmaString& tokenServiceUrlV2 = "");
    ServiceEndpointDiscoveryConfig& serviceDiscoveryUrl(const EmaString& serviceDiscoveryUrl = "");
    ServiceEndpointDiscoveryConfig& libSslName(const EmaString& libSslName = "");
    ServiceEndpointDiscoveryConfig& libCryptoName(const EmaString& libCryptoName = "");
    ServiceEndpointDiscoveryConfig& libCurlName(const EmaString& libCurlName = "");
    ServiceEndpointDiscoveryConfig& shouldInitializeCPUIDlib(bool shouldInitializeCPUIDlib = true);

private:
    friend class ServiceEndpointDiscovery;
    detail::Owned<emissary::ema::ServiceEndpointDiscoveryConfigImpl> impl_;
};

}  // namespace refinitiv::ema::access
