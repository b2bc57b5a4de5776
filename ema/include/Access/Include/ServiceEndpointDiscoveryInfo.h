// One discovered endpoint (ema-api.md section 12).
#pragma once

#include "Access/Include/EmaString.h"
#include "Access/Include/EmaVector.h"

namespace emissary::ema {
struct ServiceEndpointDiscoveryAccess;
}

namespace refinitiv::ema::access {

/// Entry of ServiceEndpointDiscoveryResp. Made by the library; assignable.
class EMA_ACCESS_API ServiceEndpointDiscoveryInfo {
public:
    virtual ~ServiceEndpointDiscoveryInfo();
    ServiceEndpointDiscoveryInfo(const ServiceEndpointDiscoveryInfo&) = delete;
    ServiceEndpointDiscoveryInfo& operator=(const ServiceEndpointDiscoveryInfo& other);
    const EmaVector<EmaString>& getDataFormatList() const;
    const EmaString& getEndPoint() const;  ///< host name
    const EmaVector<EmaString>& getLocationList() const;
    const EmaString& getPort() const;
    const EmaString& getProvider() const;
    const EmaString& getTransport() const;
    const EmaString& toString() const;  ///< valid until the object changes
    operator const char*() const;

private:
    friend struct emissary::ema::ServiceEndpointDiscoveryAccess;
    friend class EmaVector<ServiceEndpointDiscoveryInfo>;
    ServiceEndpointDiscoveryInfo();
    EmaVector<EmaString> dataFormats_, locations_;
    EmaString endPoint_, port_, provider_, transport_;
    mutable EmaString text_;
};

}  // namespace refinitiv::ema::access
