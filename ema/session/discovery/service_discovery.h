// ema/session/discovery: values behind the service-discovery classes, and the bridge to what only the library makes.
#pragma once

#include "Access/Include/ServiceEndpointDiscoveryEvent.h"
#include "Access/Include/ServiceEndpointDiscoveryOption.h"
#include "Access/Include/ServiceEndpointDiscoveryResp.h"

#include "rest/Secret.h"

#include <cstdio>
#include <memory>

namespace emissary::ema {

struct ServiceEndpointDiscoveryConfigImpl {
    using EmaString = refinitiv::ema::access::EmaString;
    std::FILE* restLogOutputStream = nullptr;
    bool restEnableLog = false, restVerboseMode = false, shouldInitializeCPUIDlib = true;
    EmaString tokenServiceUrlV1, tokenServiceUrlV2, serviceDiscoveryUrl, libSslName, libCryptoName, libCurlName;
};

struct ServiceEndpointDiscoveryOptionImpl {
    using Public = refinitiv::ema::access::ServiceEndpointDiscoveryOption;
    using EmaString = refinitiv::ema::access::EmaString;
    EmaString username, clientId, audience, tokenScope = "trapi.streaming.pricing.read";
    rest::Secret password, clientSecret, clientJwk, proxyPassword;
    EmaString proxyHostName, proxyPort, proxyUserName, proxyDomain;
    bool takeExclusiveSignOnControl = true;
    Public::TransportProtocol transport = Public::UnknownTransportEnum;
    Public::DataformatProtocol dataFormat = Public::UnknownDataFormatEnum;
};

/// Makes the objects that callbacks are given.
struct ServiceEndpointDiscoveryAccess {
    using Resp = refinitiv::ema::access::ServiceEndpointDiscoveryResp;
    using Event = refinitiv::ema::access::ServiceEndpointDiscoveryEvent;
    using EmaString = refinitiv::ema::access::EmaString;
    using Strings = refinitiv::ema::access::EmaVector<EmaString>;

    static std::unique_ptr<Resp> response() { return std::unique_ptr<Resp>(new Resp); }
    static void add(Resp& response, const EmaString& provider, const EmaString& transport, const EmaString& endPoint,
                    const EmaString& port, const Strings& dataFormats, const Strings& locations) {
        refinitiv::ema::access::ServiceEndpointDiscoveryInfo info;
        info.provider_ = provider;
        info.transport_ = transport;
        info.endPoint_ = endPoint;
        info.port_ = port;
        info.dataFormats_ = dataFormats;
        info.locations_ = locations;
        response.entries_.push_back(info);
    }
    static Event event(refinitiv::ema::access::ServiceEndpointDiscovery& discovery, void* closure) {
        return {discovery, closure};
    }
};

}  // namespace emissary::ema
