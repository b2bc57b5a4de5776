// Request for a tunnel stream (ema-api.md section 11).
#pragma once

#include "Access/Include/ClassOfService.h"
#include "Access/Include/EmaString.h"
#include "Access/Include/detail/Owned.h"

namespace emissary::ema {
struct TunnelStreamRequestImpl;
}

namespace refinitiv::ema::access {

class ReqMsg;

/// Opens a private, two-way stream to one application: OmmConsumer::registerClient(). Copyable. Not thread safe.
class EMA_ACCESS_API TunnelStreamRequest {
public:
    TunnelStreamRequest();
    TunnelStreamRequest(const TunnelStreamRequest& other);
    TunnelStreamRequest& operator=(const TunnelStreamRequest& other);
    virtual ~TunnelStreamRequest();
    TunnelStreamRequest& clear();                       ///< back to the defaults
    TunnelStreamRequest& domainType(UInt8 domainType);  ///< default MMT_SYSTEM
    /// Throws OmmInvalidUsageException/InvalidOperation when a service name is set.
    TunnelStreamRequest& serviceId(UInt32 serviceId);
    /// Throws OmmInvalidUsageException/InvalidOperation when a service id is set.
    TunnelStreamRequest& serviceName(const EmaString& serviceName);
    TunnelStreamRequest& name(const EmaString& name);
    TunnelStreamRequest& responseTimeout(UInt32 timeout = 60);  ///< seconds
    TunnelStreamRequest& guaranteedOutputBuffers(UInt32 value = 50);
    TunnelStreamRequest& classOfService(const ClassOfService& cos);
    /// Login sent inside the tunnel when authentication is CosAuthentication::OmmLoginEnum. Copied.
    TunnelStreamRequest& loginReqMsg(const ReqMsg& loginReq);
    bool hasServiceId() const;
    bool hasServiceName() const;
    bool hasName() const;
    bool hasLoginReqMsg() const;
    UInt16 getDomainType() const;
    // Members that are not set throw OmmInvalidUsageException/InvalidOperation.
    UInt32 getServiceId() const;
    const EmaString& getServiceName() const;
    const EmaString& getName() const;
    UInt32 getResponseTimeOut() const;  ///< seconds
    UInt32 getGuaranteedOutputBuffers() const;
    const ClassOfService& getClassOfService() const;
    const ReqMsg& getLoginReqMsg() const;

private:
    detail::Owned<emissary::ema::TunnelStreamRequestImpl> impl_;
};

}  // namespace refinitiv::ema::access
