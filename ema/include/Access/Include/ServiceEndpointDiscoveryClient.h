// Receives discovered endpoints (ema-api.md section 12).
#pragma once

#include "Access/Include/Common.h"

namespace refinitiv::ema::access {

class EmaString;
class ServiceEndpointDiscoveryEvent;
class ServiceEndpointDiscoveryResp;

/// Called from inside ServiceEndpointDiscovery::registerClient(). Arguments die when the callback returns. The default
/// bodies do nothing.
class EMA_ACCESS_API ServiceEndpointDiscoveryClient {
public:
    virtual void onSuccess(const ServiceEndpointDiscoveryResp& serviceEndpointResp,
                           const ServiceEndpointDiscoveryEvent& event);
    virtual void onError(const EmaString& errorText, const ServiceEndpointDiscoveryEvent& event);
    ServiceEndpointDiscoveryClient(const ServiceEndpointDiscoveryClient&) = delete;
    ServiceEndpointDiscoveryClient& operator=(const ServiceEndpointDiscoveryClient&) = delete;

protected:
    ServiceEndpointDiscoveryClient() noexcept;
    virtual ~ServiceEndpointDiscoveryClient();
};

}  // namespace refinitiv::ema::access
