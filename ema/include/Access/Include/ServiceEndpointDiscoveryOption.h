// Credentials, filter and proxy of one question for endpoints (ema-api.md section 12).
#pragma once

#include "Access/Include/EmaString.h"
#include "Access/Include/detail/Owned.h"

namespace emissary::ema {
struct ServiceEndpointDiscoveryOptionImpl;
}

namespace refinitiv::ema::access {

/// Argument of ServiceEndpointDiscovery::registerClient(). With a client secret and no user name, client credentials
/// (V2) are used, else user name and password (V1). Copyable. Not thread safe.
class EMA_ACCESS_API ServiceEndpointDiscoveryOption {
public:
    enum TransportProtocol { UnknownTransportEnum = 0, TcpEnum = 1, WebsocketEnum = 2 };
    enum DataformatProtocol { UnknownDataFormatEnum = 0, RwfEnum = 1, Json2Enum = 2 };
    ServiceEndpointDiscoveryOption();
    ServiceEndpointDiscoveryOption(const ServiceEndpointDiscoveryOption& other);
    ServiceEndpointDiscoveryOption& operator=(const ServiceEndpointDiscoveryOption& other);
    virtual ~ServiceEndpointDiscoveryOption();
    ServiceEndpointDiscoveryOption& clear();
    ServiceEndpointDiscoveryOption& username(const EmaString& username);
    ServiceEndpointDiscoveryOption& password(const EmaString& password);
    ServiceEndpointDiscoveryOption& clientId(const EmaString& clientId);
    ServiceEndpointDiscoveryOption& clientSecret(const EmaString& clientSecret);
    ServiceEndpointDiscoveryOption& tokenScope(const EmaString& tokenScope = "trapi.streaming.pricing.read");
    ServiceEndpointDiscoveryOption& takeExclusiveSignOnControl(bool takeExclusiveSignOnControl = true);
    /// Old spelling of transport().
    ServiceEndpointDiscoveryOption& transprot(TransportProtocol transport);
    /// Only endpoints of this transport; a value outside the enumeration throws
    /// OmmInvalidUsageException/InvalidArgument.
    ServiceEndpointDiscoveryOption& transport(TransportProtocol transport);
    /// Only endpoints of this data format; a value outside the enumeration throws
    /// OmmInvalidUsageException/InvalidArgument.
    ServiceEndpointDiscoveryOption& dataFormat(DataformatProtocol dataFormat);
    ServiceEndpointDiscoveryOption& proxyHostName(const EmaString& proxyHostName);
    ServiceEndpointDiscoveryOption& proxyPort(const EmaString& proxyPort);
    ServiceEndpointDiscoveryOption& proxyUserName(const EmaString& proxyUserName);
    ServiceEndpointDiscoveryOption& proxyPassword(const EmaString& proxyPassword);
    ServiceEndpointDiscoveryOption& proxyDomain(const EmaString& proxyDomain);

private:
    friend class ServiceEndpointDiscovery;
    detail::Owned<emissary::ema::ServiceEndpointDiscoveryOptionImpl> impl_;
};

}  // namespace refinitiv::ema::access
