// The request of an endpoint callback (ema-api.md section 12).
#pragma once

#include "Access/Include/Common.h"

namespace emissary::ema {
struct ServiceEndpointDiscoveryAccess;
}

namespace refinitiv::ema::access {

class ServiceEndpointDiscovery;

/// What an endpoint callback belongs to; valid until the callback returns.
class EMA_ACCESS_API ServiceEndpointDiscoveryEvent {
public:
    virtual ~ServiceEndpointDiscoveryEvent();
    ServiceEndpointDiscoveryEvent(const ServiceEndpointDiscoveryEvent&) = delete;
    ServiceEndpointDiscoveryEvent& operator=(const ServiceEndpointDiscoveryEvent&) = delete;
    void* getClosure() const;                                       ///< as given to registerClient()
    ServiceEndpointDiscovery& getServiceEndpointDiscovery() const;  ///< the object that asked

private:
    friend struct emissary::ema::ServiceEndpointDiscoveryAccess;
    ServiceEndpointDiscoveryEvent(ServiceEndpointDiscovery& discovery, void* closure) noexcept;
    ServiceEndpointDiscovery* discovery_;
    void* closure_;
};

}  // namespace refinitiv::ema::access
