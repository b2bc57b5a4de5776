// Tunnel streams, session management, discovery, dictionaries (ema-api.md 11, 12, 13.1).
#include "Ema.h"
#include "surface.h"

using namespace refinitiv::ema;
using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;
using emissary::apitest::function;
using emissary::apitest::member;

void surfaceOfCosCommon() {
    static_assert(std::has_virtual_destructor_v<CosCommon>);
    static_assert(std::is_copy_constructible_v<CosCommon> && std::is_copy_assignable_v<CosCommon>);
    static_assert(std::is_constructible_v<CosCommon>);
    static_assert(std::is_constructible_v<CosCommon, const CosCommon&>);
    static_assert(std::is_convertible_v<const CosCommon&, CosCommon>);
    member<CosCommon, CosCommon&(const CosCommon&)>(&CosCommon::operator=);
    member<CosCommon, CosCommon&()>(&CosCommon::clear);
    member<CosCommon, CosCommon&(UInt64)>(&CosCommon::maxMsgSize);
    static_assert(requires(CosCommon & c) {
        { c.maxMsgSize() } -> std::same_as<CosCommon&>;
    });
    member<CosCommon, UInt64() const>(&CosCommon::getMaxMsgSize);
}

void surfaceOfCosAuthentication() {
    static_assert(std::has_virtual_destructor_v<CosAuthentication>);
    static_assert(std::is_copy_constructible_v<CosAuthentication> && std::is_copy_assignable_v<CosAuthentication>);
    static_assert(CosAuthentication::NotRequiredEnum == 0);
    static_assert(CosAuthentication::OmmLoginEnum == 1);
    static_assert(std::is_constructible_v<CosAuthentication>);
    static_assert(std::is_constructible_v<CosAuthentication, const CosAuthentication&>);
    static_assert(std::is_convertible_v<const CosAuthentication&, CosAuthentication>);
    member<CosAuthentication, CosAuthentication&(const CosAuthentication&)>(&CosAuthentication::operator=);
    member<CosAuthentication, CosAuthentication&()>(&CosAuthentication::clear);
    member<CosAuthentication, CosAuthentication&(CosAuthentication::CosAuthenticationType)>(&CosAuthentication::type);
    static_assert(requires(CosAuthentication & c) {
        { c.type() } -> std::same_as<CosAuthentication&>;
    });
    member<CosAuthentication, CosAuthentication::CosAuthenticationType() const>(&CosAuthentication::getType);
}

void surfaceOfCosFlowControl() {
    static_assert(std::has_virtual_destructor_v<CosFlowControl>);
    static_assert(std::is_copy_constructible_v<CosFlowControl> && std::is_copy_assignable_v<CosFlowControl>);
    static_assert(CosFlowControl::NoneEnum == 0);
    static_assert(CosFlowControl::BidirectionalEnum == 1);
    static_assert(std::is_constructible_v<CosFlowControl>);
    static_assert(std::is_constructible_v<CosFlowControl, const CosFlowControl&>);
    static_assert(std::is_convertible_v<const CosFlowControl&, CosFlowControl>);
    member<CosFlowControl, CosFlowControl&(const CosFlowControl&)>(&CosFlowControl::operator=);
    member<CosFlowControl, CosFlowControl&()>(&CosFlowControl::clear);
    member<CosFlowControl, CosFlowControl&(CosFlowControl::CosFlowControlType)>(&CosFlowControl::type);
    static_assert(requires(CosFlowControl & c) {
        { c.type() } -> std::same_as<CosFlowControl&>;
    });
    member<CosFlowControl, CosFlowControl&(Int64)>(&CosFlowControl::recvWindowSize);
    static_assert(requires(CosFlowControl & c) {
        { c.recvWindowSize() } -> std::same_as<CosFlowControl&>;
    });
    member<CosFlowControl, CosFlowControl&(Int64)>(&CosFlowControl::sendWindowSize);
    member<CosFlowControl, CosFlowControl::CosFlowControlType() const>(&CosFlowControl::getType);
    member<CosFlowControl, Int64() const>(&CosFlowControl::getRecvWindowSize);
    member<CosFlowControl, Int64() const>(&CosFlowControl::getSendWindowSize);
}

void surfaceOfCosDataIntegrity() {
    static_assert(std::has_virtual_destructor_v<CosDataIntegrity>);
    static_assert(std::is_copy_constructible_v<CosDataIntegrity> && std::is_copy_assignable_v<CosDataIntegrity>);
    static_assert(CosDataIntegrity::BestEffortEnum == 0);
    static_assert(CosDataIntegrity::ReliableEnum == 1);
    static_assert(std::is_constructible_v<CosDataIntegrity>);
    static_assert(std::is_constructible_v<CosDataIntegrity, const CosDataIntegrity&>);
    static_assert(std::is_convertible_v<const CosDataIntegrity&, CosDataIntegrity>);
    member<CosDataIntegrity, CosDataIntegrity&(const CosDataIntegrity&)>(&CosDataIntegrity::operator=);
    member<CosDataIntegrity, CosDataIntegrity&()>(&CosDataIntegrity::clear);
    member<CosDataIntegrity, CosDataIntegrity&(CosDataIntegrity::CosDataIntegrityType)>(&CosDataIntegrity::type);
    static_assert(requires(CosDataIntegrity & c) {
        { c.type() } -> std::same_as<CosDataIntegrity&>;
    });
    member<CosDataIntegrity, CosDataIntegrity::CosDataIntegrityType() const>(&CosDataIntegrity::getType);
}

void surfaceOfCosGuarantee() {
    static_assert(std::has_virtual_destructor_v<CosGuarantee>);
    static_assert(std::is_copy_constructible_v<CosGuarantee> && std::is_copy_assignable_v<CosGuarantee>);
    static_assert(CosGuarantee::NoneEnum == 0);
    static_assert(CosGuarantee::PersistentQueueEnum == 1);
    static_assert(std::is_constructible_v<CosGuarantee>);
    static_assert(std::is_constructible_v<CosGuarantee, const CosGuarantee&>);
    static_assert(std::is_convertible_v<const CosGuarantee&, CosGuarantee>);
    member<CosGuarantee, CosGuarantee&(const CosGuarantee&)>(&CosGuarantee::operator=);
    member<CosGuarantee, CosGuarantee&()>(&CosGuarantee::clear);
    member<CosGuarantee, CosGuarantee&(CosGuarantee::CosGuaranteeType)>(&CosGuarantee::type);
    static_assert(requires(CosGuarantee & c) {
        { c.type() } -> std::same_as<CosGuarantee&>;
    });
    member<CosGuarantee, CosGuarantee&(bool)>(&CosGuarantee::persistLocally);
    static_assert(requires(CosGuarantee & c) {
        { c.persistLocally() } -> std::same_as<CosGuarantee&>;
    });
    member<CosGuarantee, CosGuarantee&(const EmaString&)>(&CosGuarantee::persistenceFilePath);
    static_assert(requires(CosGuarantee & c) {
        { c.persistenceFilePath() } -> std::same_as<CosGuarantee&>;
    });
    member<CosGuarantee, CosGuarantee::CosGuaranteeType() const>(&CosGuarantee::getType);
    member<CosGuarantee, bool() const>(&CosGuarantee::getPersistLocally);
    member<CosGuarantee, const EmaString&() const>(&CosGuarantee::getPersistenceFilePath);
}

void surfaceOfClassOfService() {
    static_assert(std::has_virtual_destructor_v<ClassOfService>);
    static_assert(std::is_copy_constructible_v<ClassOfService> && std::is_copy_assignable_v<ClassOfService>);
    static_assert(std::is_constructible_v<ClassOfService>);
    static_assert(std::is_constructible_v<ClassOfService, const ClassOfService&>);
    static_assert(std::is_convertible_v<const ClassOfService&, ClassOfService>);
    member<ClassOfService, ClassOfService&(const ClassOfService&)>(&ClassOfService::operator=);
    member<ClassOfService, ClassOfService&()>(&ClassOfService::clear);
    member<ClassOfService, ClassOfService&(const CosCommon&)>(&ClassOfService::common);
    member<ClassOfService, ClassOfService&(const CosAuthentication&)>(&ClassOfService::authentication);
    member<ClassOfService, ClassOfService&(const CosFlowControl&)>(&ClassOfService::flowControl);
    member<ClassOfService, ClassOfService&(const CosDataIntegrity&)>(&ClassOfService::dataIntegrity);
    member<ClassOfService, ClassOfService&(const CosGuarantee&)>(&ClassOfService::guarantee);
    member<ClassOfService, const CosCommon&() const>(&ClassOfService::getCommon);
    member<ClassOfService, const CosAuthentication&() const>(&ClassOfService::getAuthentication);
    member<ClassOfService, const CosFlowControl&() const>(&ClassOfService::getFlowControl);
    member<ClassOfService, const CosDataIntegrity&() const>(&ClassOfService::getDataIntegrity);
    member<ClassOfService, const CosGuarantee&() const>(&ClassOfService::getGuarantee);
}

void surfaceOfTunnelStreamRequest() {
    static_assert(std::has_virtual_destructor_v<TunnelStreamRequest>);
    static_assert(std::is_copy_constructible_v<TunnelStreamRequest> && std::is_copy_assignable_v<TunnelStreamRequest>);
    static_assert(std::is_constructible_v<TunnelStreamRequest>);
    static_assert(std::is_constructible_v<TunnelStreamRequest, const TunnelStreamRequest&>);
    static_assert(std::is_convertible_v<const TunnelStreamRequest&, TunnelStreamRequest>);
    member<TunnelStreamRequest, TunnelStreamRequest&(const TunnelStreamRequest&)>(&TunnelStreamRequest::operator=);
    member<TunnelStreamRequest, TunnelStreamRequest&()>(&TunnelStreamRequest::clear);
    member<TunnelStreamRequest, TunnelStreamRequest&(UInt8)>(&TunnelStreamRequest::domainType);
    member<TunnelStreamRequest, TunnelStreamRequest&(UInt32)>(&TunnelStreamRequest::serviceId);
    member<TunnelStreamRequest, TunnelStreamRequest&(const EmaString&)>(&TunnelStreamRequest::serviceName);
    member<TunnelStreamRequest, TunnelStreamRequest&(const EmaString&)>(&TunnelStreamRequest::name);
    member<TunnelStreamRequest, TunnelStreamRequest&(UInt32)>(&TunnelStreamRequest::responseTimeout);
    static_assert(requires(TunnelStreamRequest & c) {
        { c.responseTimeout() } -> std::same_as<TunnelStreamRequest&>;
    });
    member<TunnelStreamRequest, TunnelStreamRequest&(UInt32)>(&TunnelStreamRequest::guaranteedOutputBuffers);
    static_assert(requires(TunnelStreamRequest & c) {
        { c.guaranteedOutputBuffers() } -> std::same_as<TunnelStreamRequest&>;
    });
    member<TunnelStreamRequest, TunnelStreamRequest&(const ClassOfService&)>(&TunnelStreamRequest::classOfService);
    member<TunnelStreamRequest, TunnelStreamRequest&(const ReqMsg&)>(&TunnelStreamRequest::loginReqMsg);
    member<TunnelStreamRequest, bool() const>(&TunnelStreamRequest::hasServiceId);
    member<TunnelStreamRequest, bool() const>(&TunnelStreamRequest::hasServiceName);
    member<TunnelStreamRequest, bool() const>(&TunnelStreamRequest::hasName);
    member<TunnelStreamRequest, bool() const>(&TunnelStreamRequest::hasLoginReqMsg);
    member<TunnelStreamRequest, UInt16() const>(&TunnelStreamRequest::getDomainType);
    member<TunnelStreamRequest, UInt32() const>(&TunnelStreamRequest::getServiceId);
    member<TunnelStreamRequest, const EmaString&() const>(&TunnelStreamRequest::getServiceName);
    member<TunnelStreamRequest, const EmaString&() const>(&TunnelStreamRequest::getName);
    member<TunnelStreamRequest, UInt32() const>(&TunnelStreamRequest::getResponseTimeOut);
    member<TunnelStreamRequest, UInt32() const>(&TunnelStreamRequest::getGuaranteedOutputBuffers);
    member<TunnelStreamRequest, const ClassOfService&() const>(&TunnelStreamRequest::getClassOfService);
    member<TunnelStreamRequest, const ReqMsg&() const>(&TunnelStreamRequest::getLoginReqMsg);
}

void surfaceOfOmmOAuth2ConsumerClient() {
    static_assert(std::has_virtual_destructor_v<OmmOAuth2ConsumerClient>);
    member<OmmOAuth2ConsumerClient, void(const OmmConsumerEvent&)>(&OmmOAuth2ConsumerClient::onCredentialRenewal);
}

void surfaceOfOAuth2CredentialRenewal() {
    static_assert(std::has_virtual_destructor_v<OAuth2CredentialRenewal>);
    static_assert(std::is_copy_constructible_v<OAuth2CredentialRenewal> &&
                  std::is_copy_assignable_v<OAuth2CredentialRenewal>);
    static_assert(std::is_constructible_v<OAuth2CredentialRenewal>);
    member<OAuth2CredentialRenewal, OAuth2CredentialRenewal&()>(&OAuth2CredentialRenewal::clear);
    member<OAuth2CredentialRenewal, OAuth2CredentialRenewal&(EmaString&)>(&OAuth2CredentialRenewal::userName);
    member<OAuth2CredentialRenewal, OAuth2CredentialRenewal&(EmaString&)>(&OAuth2CredentialRenewal::password);
    member<OAuth2CredentialRenewal, OAuth2CredentialRenewal&(EmaString&)>(&OAuth2CredentialRenewal::newPassword);
    member<OAuth2CredentialRenewal, OAuth2CredentialRenewal&(EmaString&)>(&OAuth2CredentialRenewal::clientId);
    member<OAuth2CredentialRenewal, OAuth2CredentialRenewal&(EmaString&)>(&OAuth2CredentialRenewal::clientSecret);
    member<OAuth2CredentialRenewal, OAuth2CredentialRenewal&(EmaString&)>(&OAuth2CredentialRenewal::tokenScope);
    member<OAuth2CredentialRenewal, OAuth2CredentialRenewal&(bool)>(
        &OAuth2CredentialRenewal::takeExclusiveSignOnControl);
    member<OAuth2CredentialRenewal, const EmaString&()>(&OAuth2CredentialRenewal::getUserName);
    member<OAuth2CredentialRenewal, const EmaString&()>(&OAuth2CredentialRenewal::getPassword);
    member<OAuth2CredentialRenewal, const EmaString&()>(&OAuth2CredentialRenewal::getNewPassword);
    member<OAuth2CredentialRenewal, const EmaString&()>(&OAuth2CredentialRenewal::getClientId);
    member<OAuth2CredentialRenewal, const EmaString&()>(&OAuth2CredentialRenewal::getClientSecret);
    member<OAuth2CredentialRenewal, const EmaString&()>(&OAuth2CredentialRenewal::getTokenScope);
    member<OAuth2CredentialRenewal, bool()>(&OAuth2CredentialRenewal::getTakeExclusiveSignOnControl);
    member<OAuth2CredentialRenewal, OAuth2CredentialRenewal&(const EmaString&)>(&OAuth2CredentialRenewal::clientJWK);
    member<OAuth2CredentialRenewal, OAuth2CredentialRenewal&(const EmaString&)>(&OAuth2CredentialRenewal::audience);
    member<OAuth2CredentialRenewal, const EmaString&()>(&OAuth2CredentialRenewal::getClientJWK);
    member<OAuth2CredentialRenewal, const EmaString&()>(&OAuth2CredentialRenewal::getAudience);
}

void surfaceOfOAuth2Credential() {
    static_assert(std::is_copy_constructible_v<OAuth2Credential> && std::is_copy_assignable_v<OAuth2Credential>);
    static_assert(std::is_constructible_v<OAuth2Credential>);
    member<OAuth2Credential, OAuth2Credential&()>(&OAuth2Credential::clear);
    member<OAuth2Credential, OAuth2Credential&(const EmaString&)>(&OAuth2Credential::userName);
    member<OAuth2Credential, OAuth2Credential&(const EmaString&)>(&OAuth2Credential::password);
    member<OAuth2Credential, OAuth2Credential&(const EmaString&)>(&OAuth2Credential::clientId);
    member<OAuth2Credential, OAuth2Credential&(const EmaString&)>(&OAuth2Credential::clientSecret);
    member<OAuth2Credential, OAuth2Credential&(const EmaString&)>(&OAuth2Credential::clientJWK);
    member<OAuth2Credential, OAuth2Credential&(const EmaString&)>(&OAuth2Credential::audience);
    member<OAuth2Credential, OAuth2Credential&(const EmaString&)>(&OAuth2Credential::tokenScope);
    member<OAuth2Credential, OAuth2Credential&(const EmaString&)>(&OAuth2Credential::channelList);
    member<OAuth2Credential, OAuth2Credential&(bool)>(&OAuth2Credential::takeExclusiveSignOnControl);
    member<OAuth2Credential, bool() const>(&OAuth2Credential::getTakeExclusiveSignOnControl);
    member<OAuth2Credential, const EmaString&() const>(&OAuth2Credential::getUserName);
    member<OAuth2Credential, const EmaString&() const>(&OAuth2Credential::getPassword);
    member<OAuth2Credential, const EmaString&() const>(&OAuth2Credential::getClientId);
    member<OAuth2Credential, const EmaString&() const>(&OAuth2Credential::getClientSecret);
    member<OAuth2Credential, const EmaString&() const>(&OAuth2Credential::getClientJWK);
    member<OAuth2Credential, const EmaString&() const>(&OAuth2Credential::getAudience);
    member<OAuth2Credential, const EmaString&() const>(&OAuth2Credential::getTokenScope);
    member<OAuth2Credential, const EmaString&() const>(&OAuth2Credential::getChannelList);
}

void surfaceOfOmmLoginCredentialConsumerClient() {
    static_assert(std::has_virtual_destructor_v<OmmLoginCredentialConsumerClient>);
    member<OmmLoginCredentialConsumerClient, void(const OmmConsumerEvent&)>(
        &OmmLoginCredentialConsumerClient::onLoginCredentialRenewal);
}

void surfaceOfLoginMsgCredentialRenewal() {
    static_assert(std::has_virtual_destructor_v<LoginMsgCredentialRenewal>);
    static_assert(std::is_copy_constructible_v<LoginMsgCredentialRenewal> &&
                  std::is_copy_assignable_v<LoginMsgCredentialRenewal>);
    static_assert(std::is_constructible_v<LoginMsgCredentialRenewal>);
    member<LoginMsgCredentialRenewal, LoginMsgCredentialRenewal&()>(&LoginMsgCredentialRenewal::clear);
    member<LoginMsgCredentialRenewal, LoginMsgCredentialRenewal&(EmaString&)>(&LoginMsgCredentialRenewal::userName);
    member<LoginMsgCredentialRenewal, LoginMsgCredentialRenewal&(EmaBuffer&)>(
        &LoginMsgCredentialRenewal::authenticationExtended);
    member<LoginMsgCredentialRenewal, const EmaString&()>(&LoginMsgCredentialRenewal::getUserName);
    member<LoginMsgCredentialRenewal, const EmaBuffer&()>(&LoginMsgCredentialRenewal::getAuthenticationExtended);
}

void surfaceOfOmmRestLoggingClient() {
    static_assert(std::has_virtual_destructor_v<OmmRestLoggingClient>);
    member<OmmRestLoggingClient, void(const OmmConsumerRestLoggingEvent&)>(&OmmRestLoggingClient::onRestLoggingEvent);
}

void surfaceOfOmmConsumerRestLoggingEvent() {
    static_assert(std::has_virtual_destructor_v<OmmConsumerRestLoggingEvent>);
    member<OmmConsumerRestLoggingEvent, const EmaString&() const>(&OmmConsumerRestLoggingEvent::getRestLoggingMessage);
    member<OmmConsumerRestLoggingEvent, void*() const>(&OmmConsumerRestLoggingEvent::getClosure);
}

void surfaceOfServiceEndpointDiscovery() {
    static_assert(std::has_virtual_destructor_v<ServiceEndpointDiscovery>);
    static_assert(!std::is_copy_constructible_v<ServiceEndpointDiscovery> &&
                  !std::is_copy_assignable_v<ServiceEndpointDiscovery>);
    static_assert(std::is_constructible_v<ServiceEndpointDiscovery>);
    static_assert(std::is_constructible_v<ServiceEndpointDiscovery, const EmaString&>);
    static_assert(std::is_convertible_v<const EmaString&, ServiceEndpointDiscovery>);
    static_assert(std::is_constructible_v<ServiceEndpointDiscovery, const EmaString&, const EmaString&>);
    static_assert(
        std::is_constructible_v<ServiceEndpointDiscovery, const EmaString&, const EmaString&, const EmaString&>);
    member<ServiceEndpointDiscovery, void(const ServiceEndpointDiscoveryOption&, ServiceEndpointDiscoveryClient&,
                                          void*)>(&ServiceEndpointDiscovery::registerClient);
    static_assert(requires(ServiceEndpointDiscovery & c, const ServiceEndpointDiscoveryOption& a0,
                           ServiceEndpointDiscoveryClient& a1) {
        { c.registerClient(a0, a1) } -> std::same_as<void>;
    });
    static_assert(std::is_constructible_v<ServiceEndpointDiscovery, const ServiceEndpointDiscoveryConfig&>);
    static_assert(std::is_convertible_v<const ServiceEndpointDiscoveryConfig&, ServiceEndpointDiscovery>);
}

void surfaceOfServiceEndpointDiscoveryClient() {
    static_assert(std::has_virtual_destructor_v<ServiceEndpointDiscoveryClient>);
    member<ServiceEndpointDiscoveryClient,
           void(const ServiceEndpointDiscoveryResp&, const ServiceEndpointDiscoveryEvent&)>(
        &ServiceEndpointDiscoveryClient::onSuccess);
    member<ServiceEndpointDiscoveryClient, void(const EmaString&, const ServiceEndpointDiscoveryEvent&)>(
        &ServiceEndpointDiscoveryClient::onError);
}

void surfaceOfServiceEndpointDiscoveryEvent() {
    static_assert(std::has_virtual_destructor_v<ServiceEndpointDiscoveryEvent>);
    static_assert(!std::is_copy_constructible_v<ServiceEndpointDiscoveryEvent> &&
                  !std::is_copy_assignable_v<ServiceEndpointDiscoveryEvent>);
    member<ServiceEndpointDiscoveryEvent, void*() const>(&ServiceEndpointDiscoveryEvent::getClosure);
    member<ServiceEndpointDiscoveryEvent, ServiceEndpointDiscovery&() const>(
        &ServiceEndpointDiscoveryEvent::getServiceEndpointDiscovery);
}

void surfaceOfServiceEndpointDiscoveryOption() {
    static_assert(std::has_virtual_destructor_v<ServiceEndpointDiscoveryOption>);
    static_assert(std::is_copy_constructible_v<ServiceEndpointDiscoveryOption> &&
                  std::is_copy_assignable_v<ServiceEndpointDiscoveryOption>);
    static_assert(ServiceEndpointDiscoveryOption::UnknownTransportEnum == 0);
    static_assert(ServiceEndpointDiscoveryOption::TcpEnum == 1);
    static_assert(ServiceEndpointDiscoveryOption::WebsocketEnum == 2);
    static_assert(ServiceEndpointDiscoveryOption::UnknownDataFormatEnum == 0);
    static_assert(ServiceEndpointDiscoveryOption::RwfEnum == 1);
    static_assert(ServiceEndpointDiscoveryOption::Json2Enum == 2);
    static_assert(std::is_constructible_v<ServiceEndpointDiscoveryOption>);
    member<ServiceEndpointDiscoveryOption, ServiceEndpointDiscoveryOption&()>(&ServiceEndpointDiscoveryOption::clear);
    member<ServiceEndpointDiscoveryOption, ServiceEndpointDiscoveryOption&(const EmaString&)>(
        &ServiceEndpointDiscoveryOption::username);
    member<ServiceEndpointDiscoveryOption, ServiceEndpointDiscoveryOption&(const EmaString&)>(
        &ServiceEndpointDiscoveryOption::password);
    member<ServiceEndpointDiscoveryOption, ServiceEndpointDiscoveryOption&(const EmaString&)>(
        &ServiceEndpointDiscoveryOption::clientId);
    member<ServiceEndpointDiscoveryOption, ServiceEndpointDiscoveryOption&(const EmaString&)>(
        &ServiceEndpointDiscoveryOption::clientSecret);
    member<ServiceEndpointDiscoveryOption, ServiceEndpointDiscoveryOption&(const EmaString&)>(
        &ServiceEndpointDiscoveryOption::tokenScope);
    static_assert(requires(ServiceEndpointDiscoveryOption & c) {
        { c.tokenScope() } -> std::same_as<ServiceEndpointDiscoveryOption&>;
    });
    member<ServiceEndpointDiscoveryOption, ServiceEndpointDiscoveryOption&(bool)>(
        &ServiceEndpointDiscoveryOption::takeExclusiveSignOnControl);
    static_assert(requires(ServiceEndpointDiscoveryOption & c) {
        { c.takeExclusiveSignOnControl() } -> std::same_as<ServiceEndpointDiscoveryOption&>;
    });
    member<ServiceEndpointDiscoveryOption,
           ServiceEndpointDiscoveryOption&(ServiceEndpointDiscoveryOption::TransportProtocol)>(
        &ServiceEndpointDiscoveryOption::transprot);
    member<ServiceEndpointDiscoveryOption,
           ServiceEndpointDiscoveryOption&(ServiceEndpointDiscoveryOption::TransportProtocol)>(
        &ServiceEndpointDiscoveryOption::transport);
    member<ServiceEndpointDiscoveryOption,
           ServiceEndpointDiscoveryOption&(ServiceEndpointDiscoveryOption::DataformatProtocol)>(
        &ServiceEndpointDiscoveryOption::dataFormat);
    member<ServiceEndpointDiscoveryOption, ServiceEndpointDiscoveryOption&(const EmaString&)>(
        &ServiceEndpointDiscoveryOption::proxyHostName);
    member<ServiceEndpointDiscoveryOption, ServiceEndpointDiscoveryOption&(const EmaString&)>(
        &ServiceEndpointDiscoveryOption::proxyPort);
    member<ServiceEndpointDiscoveryOption, ServiceEndpointDiscoveryOption&(const EmaString&)>(
        &ServiceEndpointDiscoveryOption::proxyUserName);
    member<ServiceEndpointDiscoveryOption, ServiceEndpointDiscoveryOption&(const EmaString&)>(
        &ServiceEndpointDiscoveryOption::proxyPassword);
    member<ServiceEndpointDiscoveryOption, ServiceEndpointDiscoveryOption&(const EmaString&)>(
        &ServiceEndpointDiscoveryOption::proxyDomain);
}

void surfaceOfServiceEndpointDiscoveryInfo() {
    static_assert(std::has_virtual_destructor_v<ServiceEndpointDiscoveryInfo>);
    static_assert(!std::is_copy_constructible_v<ServiceEndpointDiscoveryInfo> &&
                  std::is_copy_assignable_v<ServiceEndpointDiscoveryInfo>);
    member<ServiceEndpointDiscoveryInfo, const EmaVector<EmaString>&() const>(
        &ServiceEndpointDiscoveryInfo::getDataFormatList);
    member<ServiceEndpointDiscoveryInfo, const EmaString&() const>(&ServiceEndpointDiscoveryInfo::getEndPoint);
    member<ServiceEndpointDiscoveryInfo, const EmaVector<EmaString>&() const>(
        &ServiceEndpointDiscoveryInfo::getLocationList);
    member<ServiceEndpointDiscoveryInfo, const EmaString&() const>(&ServiceEndpointDiscoveryInfo::getPort);
    member<ServiceEndpointDiscoveryInfo, const EmaString&() const>(&ServiceEndpointDiscoveryInfo::getProvider);
    member<ServiceEndpointDiscoveryInfo, const EmaString&() const>(&ServiceEndpointDiscoveryInfo::getTransport);
    member<ServiceEndpointDiscoveryInfo, ServiceEndpointDiscoveryInfo&(const ServiceEndpointDiscoveryInfo&)>(
        &ServiceEndpointDiscoveryInfo::operator=);
    member<ServiceEndpointDiscoveryInfo, const EmaString&() const>(&ServiceEndpointDiscoveryInfo::toString);
    member<ServiceEndpointDiscoveryInfo, const char*() const>(&ServiceEndpointDiscoveryInfo::operator const char*);
}

void surfaceOfServiceEndpointDiscoveryResp() {
    static_assert(std::has_virtual_destructor_v<ServiceEndpointDiscoveryResp>);
    member<ServiceEndpointDiscoveryResp, const EmaVector<ServiceEndpointDiscoveryInfo>&() const>(
        &ServiceEndpointDiscoveryResp::getServiceEndpointInfoList);
    member<ServiceEndpointDiscoveryResp, const EmaString&() const>(&ServiceEndpointDiscoveryResp::toString);
    member<ServiceEndpointDiscoveryResp, const char*() const>(&ServiceEndpointDiscoveryResp::operator const char*);
}

void surfaceOfServiceEndpointDiscoveryConfig() {
    static_assert(std::has_virtual_destructor_v<ServiceEndpointDiscoveryConfig>);
    static_assert(!std::is_copy_constructible_v<ServiceEndpointDiscoveryConfig> &&
                  !std::is_copy_assignable_v<ServiceEndpointDiscoveryConfig>);
    static_assert(std::is_constructible_v<ServiceEndpointDiscoveryConfig>);
    member<ServiceEndpointDiscoveryConfig, void()>(&ServiceEndpointDiscoveryConfig::clear);
    member<ServiceEndpointDiscoveryConfig, ServiceEndpointDiscoveryConfig&(FILE*)>(
        &ServiceEndpointDiscoveryConfig::restLogOutputStream);
    static_assert(requires(ServiceEndpointDiscoveryConfig & c) {
        { c.restLogOutputStream() } -> std::same_as<ServiceEndpointDiscoveryConfig&>;
    });
    member<ServiceEndpointDiscoveryConfig, ServiceEndpointDiscoveryConfig&(bool)>(
        &ServiceEndpointDiscoveryConfig::restEnableLog);
    static_assert(requires(ServiceEndpointDiscoveryConfig & c) {
        { c.restEnableLog() } -> std::same_as<ServiceEndpointDiscoveryConfig&>;
    });
    member<ServiceEndpointDiscoveryConfig, ServiceEndpointDiscoveryConfig&(bool)>(
        &ServiceEndpointDiscoveryConfig::restVerboseMode);
    static_assert(requires(ServiceEndpointDiscoveryConfig & c) {
        { c.restVerboseMode() } -> std::same_as<ServiceEndpointDiscoveryConfig&>;
    });
    member<ServiceEndpointDiscoveryConfig, ServiceEndpointDiscoveryConfig&(bool)>(
        &ServiceEndpointDiscoveryConfig::shouldInitializeCPUIDlib);
    static_assert(requires(ServiceEndpointDiscoveryConfig & c) {
        { c.shouldInitializeCPUIDlib() } -> std::same_as<ServiceEndpointDiscoveryConfig&>;
    });
    member<ServiceEndpointDiscoveryConfig, ServiceEndpointDiscoveryConfig&(const EmaString&)>(
        &ServiceEndpointDiscoveryConfig::tokenServiceUrlV1);
    static_assert(requires(ServiceEndpointDiscoveryConfig & c) {
        { c.tokenServiceUrlV1() } -> std::same_as<ServiceEndpointDiscoveryConfig&>;
    });
    member<ServiceEndpointDiscoveryConfig, ServiceEndpointDiscoveryConfig&(const EmaString&)>(
        &ServiceEndpointDiscoveryConfig::tokenServiceUrlV2);
    static_assert(requires(ServiceEndpointDiscoveryConfig & c) {
        { c.tokenServiceUrlV2() } -> std::same_as<ServiceEndpointDiscoveryConfig&>;
    });
    member<ServiceEndpointDiscoveryConfig, ServiceEndpointDiscoveryConfig&(const EmaString&)>(
        &ServiceEndpointDiscoveryConfig::serviceDiscoveryUrl);
    static_assert(requires(ServiceEndpointDiscoveryConfig & c) {
        { c.serviceDiscoveryUrl() } -> std::same_as<ServiceEndpointDiscoveryConfig&>;
    });
    member<ServiceEndpointDiscoveryConfig, ServiceEndpointDiscoveryConfig&(const EmaString&)>(
        &ServiceEndpointDiscoveryConfig::libSslName);
    static_assert(requires(ServiceEndpointDiscoveryConfig & c) {
        { c.libSslName() } -> std::same_as<ServiceEndpointDiscoveryConfig&>;
    });
    member<ServiceEndpointDiscoveryConfig, ServiceEndpointDiscoveryConfig&(const EmaString&)>(
        &ServiceEndpointDiscoveryConfig::libCryptoName);
    static_assert(requires(ServiceEndpointDiscoveryConfig & c) {
        { c.libCryptoName() } -> std::same_as<ServiceEndpointDiscoveryConfig&>;
    });
    member<ServiceEndpointDiscoveryConfig, ServiceEndpointDiscoveryConfig&(const EmaString&)>(
        &ServiceEndpointDiscoveryConfig::libCurlName);
    static_assert(requires(ServiceEndpointDiscoveryConfig & c) {
        { c.libCurlName() } -> std::same_as<ServiceEndpointDiscoveryConfig&>;
    });
}

void surfaceOfServiceList() {
    static_assert(std::has_virtual_destructor_v<ServiceList>);
    static_assert(std::is_copy_constructible_v<ServiceList> && std::is_copy_assignable_v<ServiceList>);
    static_assert(std::is_constructible_v<ServiceList, const EmaString&>);
    static_assert(std::is_convertible_v<const EmaString&, ServiceList>);
    static_assert(std::is_constructible_v<ServiceList, const ServiceList&>);
    static_assert(std::is_convertible_v<const ServiceList&, ServiceList>);
    member<ServiceList, void()>(&ServiceList::clear);
    member<ServiceList, ServiceList&(const EmaString&)>(&ServiceList::addService);
    member<ServiceList, ServiceList&(const EmaString&)>(&ServiceList::removeService);
    member<ServiceList, EmaVector<EmaString>&()>(&ServiceList::concreteServiceList);
    member<ServiceList, const EmaString&() const>(&ServiceList::name);
    member<ServiceList, ServiceList&(const EmaString&)>(&ServiceList::name);
}

void surfaceOfEmaConfig() {
    static_assert(static_cast<int>(EmaConfig::ConnectionTypeEnum::SOCKET) == 0);
    static_assert(static_cast<int>(EmaConfig::ConnectionTypeEnum::ENCRYPTED) == 1);
    static_assert(static_cast<int>(EmaConfig::ConnectionTypeEnum::HTTP) == 2);
    static_assert(static_cast<int>(EmaConfig::ConnectionTypeEnum::WEBSOCKET) == 7);
    static_assert(static_cast<int>(EmaConfig::EncryptedProtocolTypeEnum::SOCKET) == 0);
    static_assert(static_cast<int>(EmaConfig::EncryptedProtocolTypeEnum::HTTP) == 2);
    static_assert(static_cast<int>(EmaConfig::EncryptedProtocolTypeEnum::WEBSOCKET) == 7);
}

void surfaceOfGlobalConfig() {
    function<void(UInt32)>(&GlobalConfig::setMsgTypePoolLimit);
    function<void(UInt32)>(&GlobalConfig::setComplexTypePoolLimit);
    function<void(UInt32)>(&GlobalConfig::setDataTypePoolLimit);
    function<UInt32()>(&GlobalConfig::getMsgTypePoolLimit);
    function<UInt32()>(&GlobalConfig::getComplexTypePoolLimit);
    function<UInt32()>(&GlobalConfig::getDataTypePoolLimit);
    function<UInt32()>(&GlobalConfig::getAckMsgInPoolCount);
    function<UInt32()>(&GlobalConfig::getGenericMsgInPoolCount);
    function<UInt32()>(&GlobalConfig::getPostMsgInPoolCount);
    function<UInt32()>(&GlobalConfig::getReqMsgInPoolCount);
    function<UInt32()>(&GlobalConfig::getRefreshMsgInPoolCount);
    function<UInt32()>(&GlobalConfig::getStatusMsgInPoolCount);
    function<UInt32()>(&GlobalConfig::getUpdateMsgInPoolCount);
}

void surfaceOfDataDictionary() {
    static_assert(std::has_virtual_destructor_v<DataDictionary>);
    static_assert(std::is_copy_constructible_v<DataDictionary> && !std::is_copy_assignable_v<DataDictionary>);
    static_assert(std::is_constructible_v<DataDictionary>);
    static_assert(std::is_constructible_v<DataDictionary, const DataDictionary&>);
    static_assert(std::is_convertible_v<const DataDictionary&, DataDictionary>);
    member<DataDictionary, Int32() const>(&DataDictionary::getMinFid);
    member<DataDictionary, Int32() const>(&DataDictionary::getMaxFid);
    member<DataDictionary, const EmaVector<DictionaryEntry>&() const>(&DataDictionary::getEntries);
    member<DataDictionary, const EmaVector<EnumTypeTable>&() const>(&DataDictionary::getEnumTables);
    member<DataDictionary, Int32() const>(&DataDictionary::getDictionaryId);
    member<DataDictionary, const EmaString&() const>(&DataDictionary::getFieldVersion);
    member<DataDictionary, const EmaString&() const>(&DataDictionary::getEnumRecordTemplateVersion);
    member<DataDictionary, const EmaString&() const>(&DataDictionary::getEnumDisplayTemplateVersion);
    member<DataDictionary, const EmaString&() const>(&DataDictionary::getFieldFilename);
    member<DataDictionary, const EmaString&() const>(&DataDictionary::getFieldDescription);
    member<DataDictionary, const EmaString&() const>(&DataDictionary::getFieldBuild);
    member<DataDictionary, const EmaString&() const>(&DataDictionary::getFieldDate);
    member<DataDictionary, const EmaString&() const>(&DataDictionary::getEnumFilename);
    member<DataDictionary, const EmaString&() const>(&DataDictionary::getEnumDescription);
    member<DataDictionary, const EmaString&() const>(&DataDictionary::getEnumDate);
    member<DataDictionary, bool(Int16) const>(&DataDictionary::hasEntry);
    member<DataDictionary, void(Int16, DictionaryEntry&) const>(&DataDictionary::getEntry);
    member<DataDictionary, const DictionaryEntry&(Int16) const>(&DataDictionary::getEntry);
    member<DataDictionary, bool(const EmaString&) const>(&DataDictionary::hasEntry);
    member<DataDictionary, void(const EmaString&, DictionaryEntry&) const>(&DataDictionary::getEntry);
    member<DataDictionary, const DictionaryEntry&(const EmaString&) const>(&DataDictionary::getEntry);
    member<DataDictionary, bool(Int16, UInt16) const>(&DataDictionary::hasEnumType);
    member<DataDictionary, const EnumType&(Int16, UInt16) const>(&DataDictionary::getEnumType);
    member<DataDictionary, void()>(&DataDictionary::clear);
    member<DataDictionary, void(const EmaString&)>(&DataDictionary::loadFieldDictionary);
    member<DataDictionary, void(const EmaString&)>(&DataDictionary::loadEnumTypeDictionary);
    member<DataDictionary, void(Series&, UInt32)>(&DataDictionary::encodeFieldDictionary);
    member<DataDictionary, bool(Series&, Int32&, UInt32, UInt32)>(&DataDictionary::encodeFieldDictionary);
    member<DataDictionary, void(const Series&, UInt32)>(&DataDictionary::decodeFieldDictionary);
    member<DataDictionary, void(Series&, UInt32)>(&DataDictionary::encodeEnumTypeDictionary);
    member<DataDictionary, bool(Series&, Int32&, UInt32, UInt32)>(&DataDictionary::encodeEnumTypeDictionary);
    member<DataDictionary, void(const Series&, UInt32)>(&DataDictionary::decodeEnumTypeDictionary);
    member<DataDictionary, UInt32(const Series&)>(&DataDictionary::extractDictionaryType);
    member<DataDictionary, const char*() const>(&DataDictionary::operator const char*);
    member<DataDictionary, const EmaString&() const>(&DataDictionary::toString);
    member<DataDictionary, bool() const>(&DataDictionary::isFieldDictionaryLoaded);
    member<DataDictionary, bool() const>(&DataDictionary::isEnumTypeDefLoaded);
}

void surfaceOfDictionaryEntry() {
    static_assert(std::has_virtual_destructor_v<DictionaryEntry>);
    member<DictionaryEntry, const EmaString&() const>(&DictionaryEntry::getAcronym);
    member<DictionaryEntry, const EmaString&() const>(&DictionaryEntry::getDDEAcronym);
    member<DictionaryEntry, Int16() const>(&DictionaryEntry::getFid);
    member<DictionaryEntry, Int16() const>(&DictionaryEntry::getRippleToField);
    member<DictionaryEntry, Int8() const>(&DictionaryEntry::getFieldType);
    member<DictionaryEntry, UInt16() const>(&DictionaryEntry::getLength);
    member<DictionaryEntry, UInt8() const>(&DictionaryEntry::getRwfType);
    member<DictionaryEntry, UInt8() const>(&DictionaryEntry::getEnumLength);
    member<DictionaryEntry, UInt32() const>(&DictionaryEntry::getRwfLength);
    member<DictionaryEntry, bool(UInt16) const>(&DictionaryEntry::hasEnumType);
    member<DictionaryEntry, const EnumType&(UInt16) const>(&DictionaryEntry::getEnumType);
    member<DictionaryEntry, bool() const>(&DictionaryEntry::hasEnumTypeTable);
    member<DictionaryEntry, const EnumTypeTable&() const>(&DictionaryEntry::getEnumTypeTable);
    member<DictionaryEntry, const char*() const>(&DictionaryEntry::operator const char*);
    static_assert(std::is_constructible_v<DictionaryEntry>);
    member<DictionaryEntry, const EmaString&() const>(&DictionaryEntry::toString);
}

void surfaceOfEnumType() {
    static_assert(std::has_virtual_destructor_v<EnumType>);
    member<EnumType, UInt16() const>(&EnumType::getValue);
    member<EnumType, const EmaString&() const>(&EnumType::getDisplay);
    member<EnumType, const EmaString&() const>(&EnumType::getMeaning);
    member<EnumType, const char*() const>(&EnumType::operator const char*);
    member<EnumType, const EmaString&() const>(&EnumType::toString);
}

void surfaceOfEnumTypeTable() {
    static_assert(std::has_virtual_destructor_v<EnumTypeTable>);
    member<EnumTypeTable, const EmaVector<EnumType>&() const>(&EnumTypeTable::getEnumTypes);
    member<EnumTypeTable, const EmaVector<Int16>&() const>(&EnumTypeTable::getFidReferences);
    member<EnumTypeTable, const char*() const>(&EnumTypeTable::operator const char*);
    member<EnumTypeTable, const EmaString&() const>(&EnumTypeTable::toString);
}

void surfaceOfDictionaryUtility() {
    function<const DataDictionary&(const FieldList&)>(&DictionaryUtility::dataDictionary);
}

void surfaceOfMfFieldType() {
    static_assert(MfFieldType::NONE == -1);
    static_assert(MfFieldType::TIME_SECONDS == 0);
    static_assert(MfFieldType::INTEGER == 1);
    static_assert(MfFieldType::DATE == 3);
    static_assert(MfFieldType::PRICE == 4);
    static_assert(MfFieldType::ALPHANUMERIC == 5);
    static_assert(MfFieldType::ENUMERATED == 6);
    static_assert(MfFieldType::TIME == 7);
    static_assert(MfFieldType::BINARY == 8);
    static_assert(MfFieldType::LONG_ALPHANUMERIC == 9);
    static_assert(MfFieldType::OPAQUE == 10);
}

namespace {

/// Made by the library alone, or not at all.
template <class C>
constexpr bool kNotForApplications =
    !std::is_default_constructible_v<C> && !std::is_copy_constructible_v<C> && !std::is_move_constructible_v<C> &&
    !std::is_copy_assignable_v<C> && !std::is_move_assignable_v<C>;

}  // namespace

void notForApplications() {
    static_assert(kNotForApplications<ConsumerSessionInfo>);
    static_assert(kNotForApplications<ProviderSessionInfo>);
    static_assert(kNotForApplications<SessionInfo>);
    static_assert(kNotForApplications<DispatchError>);
    static_assert(kNotForApplications<EmaConfig>);
    static_assert(kNotForApplications<GetTime>);
    static_assert(kNotForApplications<GlobalConfig>);
    static_assert(kNotForApplications<IOCtlCode>);
    static_assert(kNotForApplications<IOCtlReactorCode>);
    static_assert(kNotForApplications<IOCtlReactorChannelCode>);
    static_assert(kNotForApplications<EnumType>);
    static_assert(kNotForApplications<EnumTypeTable>);
    static_assert(kNotForApplications<MfFieldType>);
    static_assert(kNotForApplications<DictionaryUtility>);
    static_assert(kNotForApplications<OmmProviderConfig>);
    static_assert(std::has_virtual_destructor_v<MfFieldType>);
    static_assert(std::has_virtual_destructor_v<DictionaryUtility>);
}
