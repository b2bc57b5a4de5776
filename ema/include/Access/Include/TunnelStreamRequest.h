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

/// Asks for a private stream in both directions to one application (ema-api.md section 11):
/// OmmConsumer::registerClient(). Copyable, not thread safe.
class EMA_ACCESS_API TunnelStreamRequest {
public:
    TunnelStreamRequest();                                             ///< the defaults
    TunnelStreamRequest(const TunnelStreamRequest& other);             ///< copies the values
    TunnelStreamRequest& operator=(const TunnelStreamRequest& other);  ///< copies the values
    virtual ~TunnelStreamRequest();
    TunnelStreamRequest& clear();                       ///< back to the defaults
    TunnelStreamRequest& domainType(UInt8 domainType);  ///< 0, the default, asks on rdm::MMT_SYSTEM
    /// Throws OmmInvalidUsageException/InvalidOperation when a service name is set.
    TunnelStreamRequest& serviceId(UInt32 serviceId);
    /// Throws OmmInvalidUsageException/InvalidOperation when a service id is set.
    TunnelStreamRequest& serviceName(const EmaString& serviceName);
    TunnelStreamRequest& name(const EmaString& name);           ///< name of the stream; optional
    TunnelStreamRequest& responseTimeout(UInt32 timeout = 60);  ///< seconds to wait for the answer; 0 = for ever
    TunnelStreamRequest&
    guaranteedOutputBuffers(UInt32 value = 50);                      ///< fragments that may be queued or unacknowledged
    TunnelStreamRequest& classOfService(const ClassOfService& cos);  ///< copies what is asked for
    /// Copies the login that goes inside when authentication is OmmLoginEnum.
    TunnelStreamRequest& loginReqMsg(const ReqMsg& loginReq);
    bool hasServiceId() const;     ///< whether the service is named by id
    bool hasServiceName() const;   ///< whether the service is named by name
    bool hasName() const;          ///< whether there is a name
    bool hasLoginReqMsg() const;   ///< whether there is a login
    UInt16 getDomainType() const;  ///< default 0
    // Members that are not set throw OmmInvalidUsageException/InvalidOperation.
    UInt32 getServiceId() const;                      ///< throws when not set
    const EmaString& getServiceName() const;          ///< throws when not set
    const EmaString& getName() const;                 ///< throws when not set
    UInt32 getResponseTimeOut() const;                ///< seconds; default 60
    UInt32 getGuaranteedOutputBuffers() const;        ///< default 50
    const ClassOfService& getClassOfService() const;  ///< what is asked for; valid while this object lives
    const ReqMsg& getLoginReqMsg() const;             ///< throws when not set; valid while this object lives

private:
    detail::Owned<emissary::ema::TunnelStreamRequestImpl> impl_;
};

}  // namespace refinitiv::ema::access
