// One discovered endpoint (ema-api.md section 12).
#pragma once

#include "Access/Include/EmaString.h"
#include "Access/Include/EmaVector.h"

namespace emissary::ema {
struct ServiceEndpointDiscoveryAccess;
}

namespace refinitiv::ema::access {

/// One endpoint, an entry of ServiceEndpointDiscoveryResp. The library makes it; assign it to keep it. Getters are
/// valid until it changes.
class EMA_ACCESS_API ServiceEndpointDiscoveryInfo {
public:
    virtual ~ServiceEndpointDiscoveryInfo();
    ServiceEndpointDiscoveryInfo(const ServiceEndpointDiscoveryInfo&) = delete;
    ServiceEndpointDiscoveryInfo& operator=(const ServiceEndpointDiscoveryInfo& other);  ///< copies the values
    const EmaVector<EmaString>& getDataFormatList() const;                               ///< "rwf", "tr_json2" ...
    const EmaString& getEndPoint() const;                                                ///< host name
    const EmaVector<EmaString>& getLocationList() const;                                 ///< regions that it is in
    const EmaString& getPort() const;                                                    ///< port, as text
    const EmaString& getProvider() const;                                                ///< who runs it
    const EmaString& getTransport() const;                                               ///< "tcp" or "websocket"
    const EmaString& toString() const;                                                   ///< one line for each member
    operator const char*() const;                                                        ///< toString().c_str()

private:
    friend struct emissary::ema::ServiceEndpointDiscoveryAccess;
    friend class EmaVector<ServiceEndpointDiscoveryInfo>;
    ServiceEndpointDiscoveryInfo();
    EmaVector<EmaString> dataFormats_, locations_;
    EmaString endPoint_, port_, provider_, transport_;
    mutable EmaString text_;
};

}  // namespace refinitiv::ema::access
