// Credentials, filter and proxy of one question for endpoints (ema-api.md section 12).
#pragma once

#include "Access/Include/EmaString.h"
#include "Access/Include/detail/Owned.h"

namespace emissary::ema {
struct ServiceEndpointDiscoveryOptionImpl;
}

namespace refinitiv::ema::access {

/// Credentials, filter and proxy of one question for endpoints: argument of ServiceEndpointDiscovery::registerClient().
/// Without a user name client credentials (V2) are used, else user name and password (V1). Setters copy. Copyable, not
/// thread safe.
class EMA_ACCESS_API ServiceEndpointDiscoveryOption {
public:
    /// Which endpoints to ask for; UnknownTransportEnum: all.
    enum TransportProtocol { UnknownTransportEnum = 0, TcpEnum = 1, WebsocketEnum = 2 };
    /// Which data formats to ask for; UnknownDataFormatEnum: all.
    enum DataformatProtocol { UnknownDataFormatEnum = 0, RwfEnum = 1, Json2Enum = 2 };
    ServiceEndpointDiscoveryOption();  ///< no credentials, every endpoint, no proxy
    ServiceEndpointDiscoveryOption(const ServiceEndpointDiscoveryOption& other);             ///< copies the values
    ServiceEndpointDiscoveryOption& operator=(const ServiceEndpointDiscoveryOption& other);  ///< copies the values
    virtual ~ServiceEndpointDiscoveryOption();
    ServiceEndpointDiscoveryOption& clear();                              ///< back to the defaults
    ServiceEndpointDiscoveryOption& username(const EmaString& username);  ///< for the password grant (V1)
    ServiceEndpointDiscoveryOption& password(const EmaString& password);  ///< for the password grant (V1); a secret
    ServiceEndpointDiscoveryOption& clientId(const EmaString& clientId);  ///< for both grants
    /// For client credentials (V2); a secret.
    ServiceEndpointDiscoveryOption& clientSecret(const EmaString& clientSecret);
    /// For client credentials (V2) instead of a secret: private key as JSON (RFC 7517); a secret.
    ServiceEndpointDiscoveryOption& clientJWK(const EmaString& clientJWK);
    /// To whom a signed request is addressed; empty = the default.
    ServiceEndpointDiscoveryOption& audience(const EmaString& audience);
    /// What the token is for.
    ServiceEndpointDiscoveryOption& tokenScope(const EmaString& tokenScope = "trapi.streaming.pricing.read");
    /// Whether other sign-ons of the user end.
    ServiceEndpointDiscoveryOption& takeExclusiveSignOnControl(bool takeExclusiveSignOnControl = true);
    ServiceEndpointDiscoveryOption& transprot(TransportProtocol transport);  ///< old spelling of transport()
    /// A number outside the enumeration throws OmmInvalidUsageException/InvalidArgument.
    ServiceEndpointDiscoveryOption& transport(TransportProtocol transport);
    /// A number outside the enumeration throws OmmInvalidUsageException/InvalidArgument.
    ServiceEndpointDiscoveryOption& dataFormat(DataformatProtocol dataFormat);
    /// HTTP proxy for the question; empty = none.
    ServiceEndpointDiscoveryOption& proxyHostName(const EmaString& proxyHostName);
    ServiceEndpointDiscoveryOption& proxyPort(const EmaString& proxyPort);          ///< port of that proxy
    ServiceEndpointDiscoveryOption& proxyUserName(const EmaString& proxyUserName);  ///< user for the proxy
    /// Password for the proxy; a secret.
    ServiceEndpointDiscoveryOption& proxyPassword(const EmaString& proxyPassword);
    ServiceEndpointDiscoveryOption& proxyDomain(const EmaString& proxyDomain);  ///< domain of the proxy's user

private:
    friend class ServiceEndpointDiscovery;
    detail::Owned<emissary::ema::ServiceEndpointDiscoveryOptionImpl> impl_;
};

}  // namespace refinitiv::ema::access
