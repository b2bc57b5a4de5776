// Asks a REST service for the endpoints of a market data platform (ema-api.md section 12).
#pragma once

#include "Access/Include/EmaString.h"
#include "Access/Include/ServiceEndpointDiscoveryClient.h"
#include "Access/Include/ServiceEndpointDiscoveryConfig.h"
#include "Access/Include/ServiceEndpointDiscoveryEvent.h"
#include "Access/Include/ServiceEndpointDiscoveryOption.h"
#include "Access/Include/ServiceEndpointDiscoveryResp.h"

#include <memory>

namespace emissary::ema {
struct ServiceEndpointDiscoveryImpl;
}

namespace refinitiv::ema::access {

/// Asks a REST service for hosts and ports of a market data platform (ema-api.md section 12, credentials.md 8).
/// May be used again, also inside its callbacks; where a service has moved for good is remembered. Not thread safe.
class EMA_ACCESS_API ServiceEndpointDiscovery {
public:
    ServiceEndpointDiscovery();  ///< addresses not given are the platform's. Arguments are copied.
    ServiceEndpointDiscovery(const EmaString& tokenServiceURLV1);
    ServiceEndpointDiscovery(const EmaString& tokenServiceURLV1, const EmaString& serviceDiscoveryURL);
    ServiceEndpointDiscovery(const EmaString& tokenServiceURLV1, const EmaString& tokenServiceURLV2,
                             const EmaString& serviceDiscoveryURL);
    ServiceEndpointDiscovery(const ServiceEndpointDiscoveryConfig& config);
    virtual ~ServiceEndpointDiscovery();
    ServiceEndpointDiscovery(const ServiceEndpointDiscovery&) = delete;
    ServiceEndpointDiscovery& operator=(const ServiceEndpointDiscovery&) = delete;
    /// Checks the credentials, asks, and calls exactly one of client.onSuccess() and client.onError() before it
    /// returns: it blocks for up to 90 s for each of the two requests. Throws OmmInvalidUsageException/InvalidArgument
    /// when credentials are missing (user name, password and client id; or client id and secret or JWK), and no
    /// callback comes.
    void registerClient(const ServiceEndpointDiscoveryOption& params, ServiceEndpointDiscoveryClient& client,
                        void* closure = 0);

private:
    std::unique_ptr<emissary::ema::ServiceEndpointDiscoveryImpl> impl_;
};

}  // namespace refinitiv::ema::access
