// The discovered endpoints (ema-api.md section 12).
#pragma once

#include "Access/Include/ServiceEndpointDiscoveryInfo.h"

namespace refinitiv::ema::access {

/// Argument of ServiceEndpointDiscoveryClient::onSuccess(); valid during the callback.
class EMA_ACCESS_API ServiceEndpointDiscoveryResp {
public:
    virtual ~ServiceEndpointDiscoveryResp();
    ServiceEndpointDiscoveryResp(const ServiceEndpointDiscoveryResp&) = delete;
    ServiceEndpointDiscoveryResp& operator=(const ServiceEndpointDiscoveryResp&) = delete;
    const EmaVector<ServiceEndpointDiscoveryInfo>& getServiceEndpointInfoList() const;
    const EmaString& toString() const;  ///< the entries, one after the other; valid until the object changes
    operator const char*() const;

private:
    friend struct emissary::ema::ServiceEndpointDiscoveryAccess;
    ServiceEndpointDiscoveryResp();
    EmaVector<ServiceEndpointDiscoveryInfo> entries_;
    mutable EmaString text_;
};

}  // namespace refinitiv::ema::access
