// The discovered endpoints (ema-api.md section 12).
#pragma once

#include "Access/Include/ServiceEndpointDiscoveryInfo.h"

namespace refinitiv::ema::access {

/// The endpoints found: argument of ServiceEndpointDiscoveryClient::onSuccess(), valid until the callback returns.
class EMA_ACCESS_API ServiceEndpointDiscoveryResp {
public:
    virtual ~ServiceEndpointDiscoveryResp();
    ServiceEndpointDiscoveryResp(const ServiceEndpointDiscoveryResp&) = delete;
    ServiceEndpointDiscoveryResp& operator=(const ServiceEndpointDiscoveryResp&) = delete;
    const EmaVector<ServiceEndpointDiscoveryInfo>& getServiceEndpointInfoList() const;  ///< in the order of the answer
    const EmaString& toString() const;  ///< the entries, one after the other; valid until the object changes
    operator const char*() const;       ///< toString().c_str()

private:
    friend struct emissary::ema::ServiceEndpointDiscoveryAccess;
    ServiceEndpointDiscoveryResp();
    EmaVector<ServiceEndpointDiscoveryInfo> entries_;
    mutable EmaString text_;
};

}  // namespace refinitiv::ema::access
