// Receives discovered endpoints (ema-api.md section 12).
#pragma once

#include "Access/Include/Common.h"

namespace refinitiv::ema::access {

class EmaString;
class ServiceEndpointDiscoveryEvent;
class ServiceEndpointDiscoveryResp;

/// Receives discovered endpoints, from inside ServiceEndpointDiscovery::registerClient() and on its thread. Arguments
/// are valid until the callback returns. The default bodies do nothing.
class EMA_ACCESS_API ServiceEndpointDiscoveryClient {
public:
    /// The endpoints that fit the question; there may be none.
    virtual void onSuccess(const ServiceEndpointDiscoveryResp& serviceEndpointResp,
                           const ServiceEndpointDiscoveryEvent& event);
    /// Why there is no answer, for people.
    virtual void onError(const EmaString& errorText, const ServiceEndpointDiscoveryEvent& event);
    ServiceEndpointDiscoveryClient(const ServiceEndpointDiscoveryClient&) = delete;
    ServiceEndpointDiscoveryClient& operator=(const ServiceEndpointDiscoveryClient&) = delete;

protected:
    ServiceEndpointDiscoveryClient() noexcept;
    virtual ~ServiceEndpointDiscoveryClient();
};

}  // namespace refinitiv::ema::access
