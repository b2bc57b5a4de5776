// Consumer, provider and what belongs to them (ema-api.md 6, 7, 9, 10).
#include "Ema.h"
#include "surface.h"

using namespace refinitiv::ema;
using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;
using emissary::apitest::function;
using emissary::apitest::member;

void surfaceOfOmmConsumer() {
    static_assert(std::has_virtual_destructor_v<OmmConsumer>);
    static_assert(!std::is_copy_constructible_v<OmmConsumer> && !std::is_copy_assignable_v<OmmConsumer>);
    static_assert(OmmConsumer::InfiniteWaitEnum == -1);
    static_assert(OmmConsumer::NoWaitEnum == 0);
    static_assert(OmmConsumer::TimeoutEnum == -1);
    static_assert(OmmConsumer::DispatchedEnum == 0);
    static_assert(std::is_constructible_v<OmmConsumer, const OmmConsumerConfig&>);
    static_assert(std::is_convertible_v<const OmmConsumerConfig&, OmmConsumer>);
    static_assert(std::is_constructible_v<OmmConsumer, const OmmConsumerConfig&, OmmConsumerClient&>);
    static_assert(std::is_constructible_v<OmmConsumer, const OmmConsumerConfig&, OmmConsumerClient&, void*>);
    static_assert(std::is_constructible_v<OmmConsumer, const OmmConsumerConfig&, OmmOAuth2ConsumerClient&>);
    static_assert(std::is_constructible_v<OmmConsumer, const OmmConsumerConfig&, OmmOAuth2ConsumerClient&, void*>);
    static_assert(std::is_constructible_v<OmmConsumer, const OmmConsumerConfig&, OmmOAuth2ConsumerClient&,
                                          OmmConsumerErrorClient&>);
    static_assert(std::is_constructible_v<OmmConsumer, const OmmConsumerConfig&, OmmOAuth2ConsumerClient&,
                                          OmmConsumerErrorClient&, void*>);
    static_assert(std::is_constructible_v<OmmConsumer, const OmmConsumerConfig&, OmmConsumerErrorClient&>);
    static_assert(
        std::is_constructible_v<OmmConsumer, const OmmConsumerConfig&, OmmConsumerClient&, OmmOAuth2ConsumerClient&>);
    static_assert(std::is_constructible_v<OmmConsumer, const OmmConsumerConfig&, OmmConsumerClient&,
                                          OmmOAuth2ConsumerClient&, void*>);
    static_assert(
        std::is_constructible_v<OmmConsumer, const OmmConsumerConfig&, OmmConsumerClient&, OmmConsumerErrorClient&>);
    static_assert(std::is_constructible_v<OmmConsumer, const OmmConsumerConfig&, OmmConsumerClient&,
                                          OmmConsumerErrorClient&, void*>);
    static_assert(std::is_constructible_v<OmmConsumer, const OmmConsumerConfig&, OmmConsumerClient&,
                                          OmmOAuth2ConsumerClient&, OmmConsumerErrorClient&>);
    static_assert(std::is_constructible_v<OmmConsumer, const OmmConsumerConfig&, OmmConsumerClient&,
                                          OmmOAuth2ConsumerClient&, OmmConsumerErrorClient&, void*>);
    member<OmmConsumer, const EmaString&() const>(&OmmConsumer::getConsumerName);
    member<OmmConsumer, UInt64(const ReqMsg&, OmmConsumerClient&, void*, UInt64)>(&OmmConsumer::registerClient);
    static_assert(requires(OmmConsumer & c, const ReqMsg& a0, OmmConsumerClient& a1) {
        { c.registerClient(a0, a1) } -> std::same_as<UInt64>;
    });
    static_assert(requires(OmmConsumer & c, const ReqMsg& a0, OmmConsumerClient& a1, void* a2) {
        { c.registerClient(a0, a1, a2) } -> std::same_as<UInt64>;
    });
    member<OmmConsumer, UInt64(const TunnelStreamRequest&, OmmConsumerClient&, void*)>(&OmmConsumer::registerClient);
    static_assert(requires(OmmConsumer & c, const TunnelStreamRequest& a0, OmmConsumerClient& a1) {
        { c.registerClient(a0, a1) } -> std::same_as<UInt64>;
    });
    member<OmmConsumer, void(const ReqMsg&, UInt64)>(&OmmConsumer::reissue);
    member<OmmConsumer, void(const GenericMsg&, UInt64)>(&OmmConsumer::submit);
    member<OmmConsumer, void(const PostMsg&, UInt64)>(&OmmConsumer::submit);
    member<OmmConsumer, Int64(Int64)>(&OmmConsumer::dispatch);
    static_assert(requires(OmmConsumer & c) {
        { c.dispatch() } -> std::same_as<Int64>;
    });
    member<OmmConsumer, void(UInt64)>(&OmmConsumer::unregister);
    member<OmmConsumer, void(ChannelInformation&)>(&OmmConsumer::getChannelInformation);
    member<OmmConsumer, void(ChannelStatistics&)>(&OmmConsumer::getChannelStatistics);
    member<OmmConsumer, void(Int32, Int32)>(&OmmConsumer::modifyIOCtl);
    member<OmmConsumer, void(Int32, Int32)>(&OmmConsumer::modifyReactorIOCtl);
    member<OmmConsumer, void(OAuth2CredentialRenewal&)>(&OmmConsumer::renewOAuth2Credentials);
    member<OmmConsumer, void(EmaVector<ChannelInformation>&)>(&OmmConsumer::getSessionInformation);
    member<OmmConsumer, void(Int32, void*)>(&OmmConsumer::modifyReactorChannelIOCtl);
    member<OmmConsumer, void(LoginMsgCredentialRenewal&)>(&OmmConsumer::renewLoginCredentials);
    member<OmmConsumer, void()>(&OmmConsumer::fallbackPreferredHost);
}

void surfaceOfOmmConsumerClient() {
    static_assert(std::has_virtual_destructor_v<OmmConsumerClient>);
    static_assert(!std::is_copy_constructible_v<OmmConsumerClient> && !std::is_copy_assignable_v<OmmConsumerClient>);
    member<OmmConsumerClient, void(const RefreshMsg&, const OmmConsumerEvent&)>(&OmmConsumerClient::onRefreshMsg);
    member<OmmConsumerClient, void(const UpdateMsg&, const OmmConsumerEvent&)>(&OmmConsumerClient::onUpdateMsg);
    member<OmmConsumerClient, void(const StatusMsg&, const OmmConsumerEvent&)>(&OmmConsumerClient::onStatusMsg);
    member<OmmConsumerClient, void(const GenericMsg&, const OmmConsumerEvent&)>(&OmmConsumerClient::onGenericMsg);
    member<OmmConsumerClient, void(const AckMsg&, const OmmConsumerEvent&)>(&OmmConsumerClient::onAckMsg);
    member<OmmConsumerClient, void(const Msg&, const OmmConsumerEvent&)>(&OmmConsumerClient::onAllMsg);
}

void surfaceOfOmmConsumerEvent() {
    static_assert(std::has_virtual_destructor_v<OmmConsumerEvent>);
    static_assert(!std::is_copy_constructible_v<OmmConsumerEvent> && !std::is_copy_assignable_v<OmmConsumerEvent>);
    member<OmmConsumerEvent, UInt64() const>(&OmmConsumerEvent::getHandle);
    member<OmmConsumerEvent, void*() const>(&OmmConsumerEvent::getClosure);
    member<OmmConsumerEvent, UInt64() const>(&OmmConsumerEvent::getParentHandle);
    member<OmmConsumerEvent, const ChannelInformation&() const>(&OmmConsumerEvent::getChannelInformation);
    member<OmmConsumerEvent, const ChannelStatistics&() const>(&OmmConsumerEvent::getChannelStatistics);
    member<OmmConsumerEvent, void(EmaVector<ChannelInformation>&) const>(&OmmConsumerEvent::getSessionInformation);
}

void surfaceOfOmmConsumerConfig() {
    static_assert(std::has_virtual_destructor_v<OmmConsumerConfig>);
    static_assert(!std::is_copy_constructible_v<OmmConsumerConfig> && !std::is_copy_assignable_v<OmmConsumerConfig>);
    static_assert(OmmConsumerConfig::UserDispatchEnum == 0);
    static_assert(OmmConsumerConfig::ApiDispatchEnum == 1);
    static_assert(OmmConsumerConfig::ENC_NONE == 0x00);
    static_assert(OmmConsumerConfig::ENC_TLSV1_2 == 0x04);
    static_assert(std::is_constructible_v<OmmConsumerConfig>);
    static_assert(std::is_constructible_v<OmmConsumerConfig, const EmaString&>);
    static_assert(std::is_convertible_v<const EmaString&, OmmConsumerConfig>);
    member<OmmConsumerConfig, OmmConsumerConfig&()>(&OmmConsumerConfig::clear);
    member<OmmConsumerConfig, OmmConsumerConfig&(const EmaString&)>(&OmmConsumerConfig::username);
    member<OmmConsumerConfig, OmmConsumerConfig&(const EmaString&)>(&OmmConsumerConfig::password);
    member<OmmConsumerConfig, OmmConsumerConfig&(const EmaString&)>(&OmmConsumerConfig::position);
    member<OmmConsumerConfig, OmmConsumerConfig&(const EmaString&)>(&OmmConsumerConfig::applicationId);
    member<OmmConsumerConfig, OmmConsumerConfig&(const EmaString&)>(&OmmConsumerConfig::clientId);
    member<OmmConsumerConfig, OmmConsumerConfig&(const EmaString&)>(&OmmConsumerConfig::clientSecret);
    member<OmmConsumerConfig, OmmConsumerConfig&(const EmaString&)>(&OmmConsumerConfig::tokenScope);
    static_assert(requires(OmmConsumerConfig & c) {
        { c.tokenScope() } -> std::same_as<OmmConsumerConfig&>;
    });
    member<OmmConsumerConfig, OmmConsumerConfig&(bool)>(&OmmConsumerConfig::takeExclusiveSignOnControl);
    static_assert(requires(OmmConsumerConfig & c) {
        { c.takeExclusiveSignOnControl() } -> std::same_as<OmmConsumerConfig&>;
    });
    member<OmmConsumerConfig, OmmConsumerConfig&(const EmaString&)>(&OmmConsumerConfig::restProxyHostName);
    member<OmmConsumerConfig, OmmConsumerConfig&(const EmaString&)>(&OmmConsumerConfig::restProxyPort);
    member<OmmConsumerConfig, OmmConsumerConfig&(const EmaString&)>(&OmmConsumerConfig::restProxyUserName);
    member<OmmConsumerConfig, OmmConsumerConfig&(const EmaString&)>(&OmmConsumerConfig::restProxyPasswd);
    member<OmmConsumerConfig, OmmConsumerConfig&(const EmaString&)>(&OmmConsumerConfig::restProxyDomain);
    static_assert(OmmConsumerConfig::ENC_TLSV1_3 == 0x08);
}

void surfaceOfOmmConsumerErrorClient() {
    static_assert(std::has_virtual_destructor_v<OmmConsumerErrorClient>);
    member<OmmConsumerErrorClient, void(UInt64, const EmaString&)>(&OmmConsumerErrorClient::onInvalidHandle);
    member<OmmConsumerErrorClient, void(const EmaString&, const EmaString&)>(
        &OmmConsumerErrorClient::onInaccessibleLogFile);
    member<OmmConsumerErrorClient, void(const EmaString&)>(&OmmConsumerErrorClient::onMemoryExhaustion);
    member<OmmConsumerErrorClient, void(const EmaString&)>(&OmmConsumerErrorClient::onInvalidUsage);
    member<OmmConsumerErrorClient, void(const EmaString&, Int32)>(&OmmConsumerErrorClient::onInvalidUsage);
    member<OmmConsumerErrorClient, void(Int64, void*, const EmaString&)>(&OmmConsumerErrorClient::onSystemError);
    member<OmmConsumerErrorClient, void(const EmaString&, Int32, const ConsumerSessionInfo&)>(
        &OmmConsumerErrorClient::onJsonConverter);
    member<OmmConsumerErrorClient, void(const EmaString&, Int32)>(&OmmConsumerErrorClient::onDispatchError);
}

void surfaceOfDispatchError() {
    static_assert(DispatchError::FailureEnum == -1);
    static_assert(DispatchError::ShutdownEnum == -10);
}

void surfaceOfOmmProvider() {
    static_assert(std::has_virtual_destructor_v<OmmProvider>);
    static_assert(!std::is_copy_constructible_v<OmmProvider> && !std::is_copy_assignable_v<OmmProvider>);
    static_assert(OmmProvider::InfiniteWaitEnum == -1);
    static_assert(OmmProvider::NoWaitEnum == 0);
    static_assert(OmmProvider::TimeoutEnum == -1);
    static_assert(OmmProvider::DispatchedEnum == 0);
    static_assert(std::is_constructible_v<OmmProvider, const OmmProviderConfig&>);
    static_assert(std::is_convertible_v<const OmmProviderConfig&, OmmProvider>);
    static_assert(std::is_constructible_v<OmmProvider, const OmmProviderConfig&, OmmProviderClient&>);
    static_assert(std::is_constructible_v<OmmProvider, const OmmProviderConfig&, OmmProviderClient&, void*>);
    static_assert(std::is_constructible_v<OmmProvider, const OmmProviderConfig&, OmmProviderErrorClient&>);
    static_assert(
        std::is_constructible_v<OmmProvider, const OmmProviderConfig&, OmmProviderClient&, OmmProviderErrorClient&>);
    static_assert(std::is_constructible_v<OmmProvider, const OmmProviderConfig&, OmmProviderClient&,
                                          OmmProviderErrorClient&, void*>);
    member<OmmProvider, const EmaString&() const>(&OmmProvider::getProviderName);
    member<OmmProvider, OmmProviderConfig::ProviderRole() const>(&OmmProvider::getProviderRole);
    member<OmmProvider, UInt64(const ReqMsg&, OmmProviderClient&, void*)>(&OmmProvider::registerClient);
    static_assert(requires(OmmProvider & c, const ReqMsg& a0, OmmProviderClient& a1) {
        { c.registerClient(a0, a1) } -> std::same_as<UInt64>;
    });
    member<OmmProvider, void(const ReqMsg&, UInt64)>(&OmmProvider::reissue);
    member<OmmProvider, void(const GenericMsg&, UInt64)>(&OmmProvider::submit);
    member<OmmProvider, void(const RefreshMsg&, UInt64)>(&OmmProvider::submit);
    member<OmmProvider, void(const UpdateMsg&, UInt64)>(&OmmProvider::submit);
    member<OmmProvider, void(const StatusMsg&, UInt64)>(&OmmProvider::submit);
    member<OmmProvider, Int64(Int64)>(&OmmProvider::dispatch);
    static_assert(requires(OmmProvider & c) {
        { c.dispatch() } -> std::same_as<Int64>;
    });
    member<OmmProvider, void(UInt64)>(&OmmProvider::unregister);
    member<OmmProvider, void(const AckMsg&, UInt64)>(&OmmProvider::submit);
    member<OmmProvider, void(EmaVector<ChannelInformation>&)>(&OmmProvider::getConnectedClientChannelInfo);
    member<OmmProvider, void(UInt64, ChannelStatistics&)>(&OmmProvider::getConnectedClientChannelStats);
    member<OmmProvider, void(ChannelInformation&)>(&OmmProvider::getChannelInformation);
    member<OmmProvider, void(Int32, Int32, UInt64)>(&OmmProvider::modifyIOCtl);
    static_assert(requires(OmmProvider & c, Int32 a0, Int32 a1) {
        { c.modifyIOCtl(a0, a1) } -> std::same_as<void>;
    });
    member<OmmProvider, void(UInt64)>(&OmmProvider::closeChannel);
    member<OmmProvider, void(const PackedMsg&)>(&OmmProvider::submit);
}

void surfaceOfOmmProviderClient() {
    static_assert(std::has_virtual_destructor_v<OmmProviderClient>);
    static_assert(!std::is_copy_constructible_v<OmmProviderClient> && !std::is_copy_assignable_v<OmmProviderClient>);
    member<OmmProviderClient, void(const RefreshMsg&, const OmmProviderEvent&)>(&OmmProviderClient::onRefreshMsg);
    member<OmmProviderClient, void(const StatusMsg&, const OmmProviderEvent&)>(&OmmProviderClient::onStatusMsg);
    member<OmmProviderClient, void(const GenericMsg&, const OmmProviderEvent&)>(&OmmProviderClient::onGenericMsg);
    member<OmmProviderClient, void(const Msg&, const OmmProviderEvent&)>(&OmmProviderClient::onAllMsg);
    member<OmmProviderClient, void(const PostMsg&, const OmmProviderEvent&)>(&OmmProviderClient::onPostMsg);
    member<OmmProviderClient, void(const ReqMsg&, const OmmProviderEvent&)>(&OmmProviderClient::onReqMsg);
    member<OmmProviderClient, void(const ReqMsg&, const OmmProviderEvent&)>(&OmmProviderClient::onReissue);
    member<OmmProviderClient, void(const ReqMsg&, const OmmProviderEvent&)>(&OmmProviderClient::onClose);
}

void surfaceOfOmmProviderEvent() {
    static_assert(std::has_virtual_destructor_v<OmmProviderEvent>);
    static_assert(!std::is_copy_constructible_v<OmmProviderEvent> && !std::is_copy_assignable_v<OmmProviderEvent>);
    member<OmmProviderEvent, UInt64() const>(&OmmProviderEvent::getHandle);
    member<OmmProviderEvent, void*() const>(&OmmProviderEvent::getClosure);
    member<OmmProviderEvent, OmmProvider&() const>(&OmmProviderEvent::getProvider);
    member<OmmProviderEvent, UInt64() const>(&OmmProviderEvent::getClientHandle);
    member<OmmProviderEvent, const ChannelInformation&() const>(&OmmProviderEvent::getChannelInformation);
    member<OmmProviderEvent, const ChannelStatistics&() const>(&OmmProviderEvent::getChannelStatistics);
}

void surfaceOfOmmProviderErrorClient() {
    static_assert(std::has_virtual_destructor_v<OmmProviderErrorClient>);
    member<OmmProviderErrorClient, void(UInt64, const EmaString&)>(&OmmProviderErrorClient::onInvalidHandle);
    member<OmmProviderErrorClient, void(const EmaString&, const EmaString&)>(
        &OmmProviderErrorClient::onInaccessibleLogFile);
    member<OmmProviderErrorClient, void(const EmaString&)>(&OmmProviderErrorClient::onMemoryExhaustion);
    member<OmmProviderErrorClient, void(const EmaString&)>(&OmmProviderErrorClient::onInvalidUsage);
    member<OmmProviderErrorClient, void(const EmaString&, Int32)>(&OmmProviderErrorClient::onInvalidUsage);
    member<OmmProviderErrorClient, void(Int64, void*, const EmaString&)>(&OmmProviderErrorClient::onSystemError);
    member<OmmProviderErrorClient, void(const EmaString&, Int32, const ProviderSessionInfo&)>(
        &OmmProviderErrorClient::onJsonConverter);
    member<OmmProviderErrorClient, void(const EmaString&, Int32)>(&OmmProviderErrorClient::onDispatchError);
}

void surfaceOfOmmProviderConfig() {
    static_assert(std::has_virtual_destructor_v<OmmProviderConfig>);
    static_assert(OmmProviderConfig::NonInteractiveEnum == 0);
    static_assert(OmmProviderConfig::InteractiveEnum == 1);
    member<OmmProviderConfig, OmmProviderConfig::ProviderRole() const>(&OmmProviderConfig::getProviderRole);
}

void surfaceOfOmmIProviderConfig() {
    static_assert(std::is_convertible_v<OmmIProviderConfig*, OmmProviderConfig*>);
    static_assert(std::has_virtual_destructor_v<OmmIProviderConfig>);
    static_assert(!std::is_copy_constructible_v<OmmIProviderConfig> && !std::is_copy_assignable_v<OmmIProviderConfig>);
    static_assert(OmmIProviderConfig::UserDispatchEnum == 0);
    static_assert(OmmIProviderConfig::ApiDispatchEnum == 1);
    static_assert(OmmIProviderConfig::UserControlEnum == 0);
    static_assert(OmmIProviderConfig::ApiControlEnum == 1);
    static_assert(std::is_constructible_v<OmmIProviderConfig>);
    static_assert(std::is_constructible_v<OmmIProviderConfig, const EmaString&>);
    static_assert(std::is_convertible_v<const EmaString&, OmmIProviderConfig>);
    member<OmmIProviderConfig, OmmProviderConfig::ProviderRole() const>(&OmmIProviderConfig::getProviderRole);
    member<OmmIProviderConfig, OmmIProviderConfig&()>(&OmmIProviderConfig::clear);
    member<OmmIProviderConfig, OmmIProviderConfig&(const EmaString&)>(&OmmIProviderConfig::port);
    static_assert(requires(OmmIProviderConfig & c) {
        { c.port() } -> std::same_as<OmmIProviderConfig&>;
    });
    member<OmmIProviderConfig, OmmIProviderConfig&(OmmIProviderConfig::OperationModel)>(
        &OmmIProviderConfig::operationModel);
    static_assert(requires(OmmIProviderConfig & c) {
        { c.operationModel() } -> std::same_as<OmmIProviderConfig&>;
    });
    member<OmmIProviderConfig, OmmIProviderConfig&(OmmIProviderConfig::AdminControl)>(
        &OmmIProviderConfig::adminControlDirectory);
    static_assert(requires(OmmIProviderConfig & c) {
        { c.adminControlDirectory() } -> std::same_as<OmmIProviderConfig&>;
    });
    member<OmmIProviderConfig, OmmIProviderConfig&(OmmIProviderConfig::AdminControl)>(
        &OmmIProviderConfig::adminControlDictionary);
    static_assert(requires(OmmIProviderConfig & c) {
        { c.adminControlDictionary() } -> std::same_as<OmmIProviderConfig&>;
    });
    member<OmmIProviderConfig, OmmIProviderConfig&(const EmaString&)>(&OmmIProviderConfig::providerName);
    member<OmmIProviderConfig, OmmIProviderConfig&(const Data&)>(&OmmIProviderConfig::config);
    member<OmmIProviderConfig, OmmIProviderConfig&(const EmaString&)>(&OmmIProviderConfig::libSslName);
    member<OmmIProviderConfig, OmmIProviderConfig&(const EmaString&)>(&OmmIProviderConfig::libCryptoName);
    member<OmmIProviderConfig, OmmIProviderConfig&(const EmaString&)>(&OmmIProviderConfig::libCurlName);
    member<OmmIProviderConfig, OmmIProviderConfig&(const EmaString&)>(&OmmIProviderConfig::serverCert);
    member<OmmIProviderConfig, OmmIProviderConfig&(const EmaString&)>(&OmmIProviderConfig::serverPrivateKey);
    member<OmmIProviderConfig, OmmIProviderConfig&(const EmaString&)>(&OmmIProviderConfig::cipherSuite);
    member<OmmIProviderConfig, OmmIProviderConfig&(const EmaString&)>(&OmmIProviderConfig::dhParams);
    member<OmmIProviderConfig, OmmIProviderConfig&(const RefreshMsg&)>(&OmmIProviderConfig::addAdminMsg);
    member<OmmIProviderConfig, OmmIProviderConfig&(int)>(&OmmIProviderConfig::securityProtocol);
    member<OmmIProviderConfig, OmmIProviderConfig&(const EmaString&)>(&OmmIProviderConfig::workerThreadBind);
    member<OmmIProviderConfig, OmmIProviderConfig&(const EmaString&)>(&OmmIProviderConfig::apiThreadBind);
    member<OmmIProviderConfig, OmmIProviderConfig&(bool)>(&OmmIProviderConfig::shouldInitializeCPUIDlib);
}

void surfaceOfOmmNiProviderConfig() {
    static_assert(std::is_convertible_v<OmmNiProviderConfig*, OmmProviderConfig*>);
    static_assert(std::has_virtual_destructor_v<OmmNiProviderConfig>);
    static_assert(!std::is_copy_constructible_v<OmmNiProviderConfig> &&
                  !std::is_copy_assignable_v<OmmNiProviderConfig>);
    static_assert(OmmNiProviderConfig::UserDispatchEnum == 0);
    static_assert(OmmNiProviderConfig::ApiDispatchEnum == 1);
    static_assert(OmmNiProviderConfig::ENC_NONE == 0x00);
    static_assert(OmmNiProviderConfig::ENC_TLSV1_2 == 0x04);
    static_assert(OmmNiProviderConfig::UserControlEnum == 0);
    static_assert(OmmNiProviderConfig::ApiControlEnum == 1);
    static_assert(std::is_constructible_v<OmmNiProviderConfig>);
    static_assert(std::is_constructible_v<OmmNiProviderConfig, const EmaString&>);
    static_assert(std::is_convertible_v<const EmaString&, OmmNiProviderConfig>);
    member<OmmNiProviderConfig, OmmProviderConfig::ProviderRole() const>(&OmmNiProviderConfig::getProviderRole);
    member<OmmNiProviderConfig, OmmNiProviderConfig&()>(&OmmNiProviderConfig::clear);
    member<OmmNiProviderConfig, OmmNiProviderConfig&(const EmaString&)>(&OmmNiProviderConfig::username);
    member<OmmNiProviderConfig, OmmNiProviderConfig&(const EmaString&)>(&OmmNiProviderConfig::password);
    member<OmmNiProviderConfig, OmmNiProviderConfig&(const EmaString&)>(&OmmNiProviderConfig::position);
    member<OmmNiProviderConfig, OmmNiProviderConfig&(const EmaString&)>(&OmmNiProviderConfig::applicationId);
    member<OmmNiProviderConfig, OmmNiProviderConfig&(const EmaString&)>(&OmmNiProviderConfig::instanceId);
    member<OmmNiProviderConfig, OmmNiProviderConfig&(const EmaString&)>(&OmmNiProviderConfig::host);
    static_assert(requires(OmmNiProviderConfig & c) {
        { c.host() } -> std::same_as<OmmNiProviderConfig&>;
    });
    member<OmmNiProviderConfig, OmmNiProviderConfig&(OmmNiProviderConfig::OperationModel)>(
        &OmmNiProviderConfig::operationModel);
    static_assert(requires(OmmNiProviderConfig & c) {
        { c.operationModel() } -> std::same_as<OmmNiProviderConfig&>;
    });
    member<OmmNiProviderConfig, OmmNiProviderConfig&(OmmNiProviderConfig::AdminControl)>(
        &OmmNiProviderConfig::adminControlDirectory);
    static_assert(requires(OmmNiProviderConfig & c) {
        { c.adminControlDirectory() } -> std::same_as<OmmNiProviderConfig&>;
    });
    member<OmmNiProviderConfig, OmmNiProviderConfig&(const EmaString&)>(&OmmNiProviderConfig::providerName);
    member<OmmNiProviderConfig, OmmNiProviderConfig&(const EmaString&)>(&OmmNiProviderConfig::tunnelingProxyHostName);
    member<OmmNiProviderConfig, OmmNiProviderConfig&(const EmaString&)>(&OmmNiProviderConfig::tunnelingProxyPort);
    member<OmmNiProviderConfig, OmmNiProviderConfig&(int)>(&OmmNiProviderConfig::tunnelingSecurityProtocol);
    member<OmmNiProviderConfig, OmmNiProviderConfig&(const EmaString&)>(&OmmNiProviderConfig::tunnelingObjectName);
    member<OmmNiProviderConfig, OmmNiProviderConfig&(const EmaString&)>(&OmmNiProviderConfig::tunnelingLibSslName);
    member<OmmNiProviderConfig, OmmNiProviderConfig&(const EmaString&)>(&OmmNiProviderConfig::tunnelingLibCryptoName);
    member<OmmNiProviderConfig, OmmNiProviderConfig&(const EmaString&)>(&OmmNiProviderConfig::libcurlName);
    member<OmmNiProviderConfig, OmmNiProviderConfig&(const EmaString&)>(&OmmNiProviderConfig::proxyUserName);
    member<OmmNiProviderConfig, OmmNiProviderConfig&(const EmaString&)>(&OmmNiProviderConfig::proxyPasswd);
    member<OmmNiProviderConfig, OmmNiProviderConfig&(const EmaString&)>(&OmmNiProviderConfig::proxyDomain);
    member<OmmNiProviderConfig, OmmNiProviderConfig&(const EmaString&)>(&OmmNiProviderConfig::sslCAStore);
    member<OmmNiProviderConfig, OmmNiProviderConfig&(const Data&)>(&OmmNiProviderConfig::config);
    member<OmmNiProviderConfig, OmmNiProviderConfig&(const ReqMsg&)>(&OmmNiProviderConfig::addAdminMsg);
    member<OmmNiProviderConfig, OmmNiProviderConfig&(const RefreshMsg&)>(&OmmNiProviderConfig::addAdminMsg);
    member<OmmNiProviderConfig, OmmNiProviderConfig&(const EmaString&)>(&OmmNiProviderConfig::workerThreadBind);
    member<OmmNiProviderConfig, OmmNiProviderConfig&(const EmaString&)>(&OmmNiProviderConfig::apiThreadBind);
    member<OmmNiProviderConfig, OmmNiProviderConfig&(bool)>(&OmmNiProviderConfig::shouldInitializeCPUIDlib);
}

void surfaceOfChannelInformation() {
    static_assert(std::has_virtual_destructor_v<ChannelInformation>);
    static_assert(std::is_copy_constructible_v<ChannelInformation> && std::is_copy_assignable_v<ChannelInformation>);
    static_assert(ChannelInformation::ClosedEnum == -1);
    static_assert(ChannelInformation::InactiveEnum == 0);
    static_assert(ChannelInformation::InitializingEnum == 1);
    static_assert(ChannelInformation::ActiveEnum == 2);
    static_assert(ChannelInformation::Unidentified == -1);
    static_assert(ChannelInformation::SocketEnum == 0);
    static_assert(ChannelInformation::EncryptedEnum == 1);
    static_assert(ChannelInformation::HttpEnum == 2);
    static_assert(ChannelInformation::Unidir_ShmemEnum == 3);
    static_assert(ChannelInformation::Reliable_McastEnum == 4);
    static_assert(ChannelInformation::Ext_Line_SocketEnum == 5);
    static_assert(ChannelInformation::Seq_McastEnum == 6);
    static_assert(ChannelInformation::WebSocketEnum == 7);
    static_assert(ChannelInformation::UnknownEnum == -1);
    static_assert(ChannelInformation::RwfEnum == 0);
    static_assert(ChannelInformation::RsslJsonEnum == 2);
    static_assert(ChannelInformation::NoneEnum == 0x00);
    static_assert(ChannelInformation::ZLIBEnum == 0x01);
    static_assert(ChannelInformation::LZ4Enum == 0x02);
    static_assert(std::is_constructible_v<ChannelInformation>);
    static_assert(std::is_constructible_v<ChannelInformation, const EmaString&, const EmaString&, const EmaString&,
                                          ChannelInformation::ChannelState, ChannelInformation::ConnectionType,
                                          ChannelInformation::ProtocolType, UInt32, UInt32, UInt32>);
    member<ChannelInformation, void()>(&ChannelInformation::clear);
    member<ChannelInformation, const EmaString&() const>(&ChannelInformation::getConnectedComponentInfo);
    member<ChannelInformation, const EmaString&() const>(&ChannelInformation::getHostname);
    member<ChannelInformation, UInt16() const>(&ChannelInformation::port);
    member<ChannelInformation, const EmaString&() const>(&ChannelInformation::getIPaddress);
    member<ChannelInformation, ChannelInformation::ChannelState() const>(&ChannelInformation::getChannelState);
    member<ChannelInformation, ChannelInformation::ConnectionType() const>(&ChannelInformation::getConnectionType);
    member<ChannelInformation, ChannelInformation::ProtocolType() const>(&ChannelInformation::getProtocolType);
    member<ChannelInformation, UInt32() const>(&ChannelInformation::getMajorVersion);
    member<ChannelInformation, UInt32() const>(&ChannelInformation::getMinorVersion);
    member<ChannelInformation, UInt32() const>(&ChannelInformation::getPingTimeout);
    member<ChannelInformation, UInt32() const>(&ChannelInformation::getMaxFragmentSize);
    member<ChannelInformation, UInt32() const>(&ChannelInformation::getMaxOutputBuffers);
    member<ChannelInformation, UInt32() const>(&ChannelInformation::getGuaranteedOutputBuffers);
    member<ChannelInformation, UInt32() const>(&ChannelInformation::getNumInputBuffers);
    member<ChannelInformation, UInt32() const>(&ChannelInformation::getSysSendBufSize);
    member<ChannelInformation, UInt32() const>(&ChannelInformation::getSysRecvBufSize);
    member<ChannelInformation, ChannelInformation::CompressionType() const>(&ChannelInformation::getCompressionType);
    member<ChannelInformation, UInt32() const>(&ChannelInformation::getCompressionThreshold);
    member<ChannelInformation, UInt64() const>(&ChannelInformation::getEncryptionProtocol);
    member<ChannelInformation, const EmaString&() const>(&ChannelInformation::toString);
    member<ChannelInformation, const char*() const>(&ChannelInformation::operator const char*);
    member<ChannelInformation, ChannelInformation&(const EmaString&)>(&ChannelInformation::hostname);
    member<ChannelInformation, ChannelInformation&(UInt16)>(&ChannelInformation::port);
    member<ChannelInformation, ChannelInformation&(const EmaString&)>(&ChannelInformation::ipAddress);
    member<ChannelInformation, ChannelInformation&(const EmaString&)>(&ChannelInformation::connectedComponentInfo);
    member<ChannelInformation, ChannelInformation&(ChannelInformation::ChannelState)>(
        &ChannelInformation::channelState);
    member<ChannelInformation, ChannelInformation&(ChannelInformation::ConnectionType)>(
        &ChannelInformation::connectionType);
    member<ChannelInformation, ChannelInformation&(ChannelInformation::ProtocolType)>(
        &ChannelInformation::protocolType);
    member<ChannelInformation, ChannelInformation&(UInt32)>(&ChannelInformation::majorVersion);
    member<ChannelInformation, ChannelInformation&(UInt32)>(&ChannelInformation::minorVersion);
    member<ChannelInformation, ChannelInformation&(UInt32)>(&ChannelInformation::pingTimeout);
    member<ChannelInformation, ChannelInformation&(UInt32)>(&ChannelInformation::maxFragmentSize);
    member<ChannelInformation, ChannelInformation&(UInt32)>(&ChannelInformation::maxOutputBuffers);
    member<ChannelInformation, ChannelInformation&(UInt32)>(&ChannelInformation::guaranteedOutputBuffers);
    member<ChannelInformation, ChannelInformation&(UInt32)>(&ChannelInformation::numInputBuffers);
    member<ChannelInformation, ChannelInformation&(UInt32)>(&ChannelInformation::sysSendBufSize);
    member<ChannelInformation, ChannelInformation&(UInt32)>(&ChannelInformation::sysRecvBufSize);
    member<ChannelInformation, ChannelInformation&(UInt32)>(&ChannelInformation::compressionType);
    member<ChannelInformation, ChannelInformation&(UInt32)>(&ChannelInformation::compressionThreshold);
    member<ChannelInformation, ChannelInformation&(UInt64)>(&ChannelInformation::encryptionProtocol);
    member<ChannelInformation, EmaString() const>(&ChannelInformation::getName);
    member<ChannelInformation, EmaString() const>(&ChannelInformation::getSessionName);
    member<ChannelInformation, const PreferredHostInfo&() const>(&ChannelInformation::getPreferredHostInfo);
    member<ChannelInformation, ChannelInformation&(const EmaString&)>(&ChannelInformation::name);
    member<ChannelInformation, ChannelInformation&(const EmaString&)>(&ChannelInformation::sessionName);
}

void surfaceOfChannelStatistics() {
    static_assert(std::has_virtual_destructor_v<ChannelStatistics>);
    static_assert(std::is_copy_constructible_v<ChannelStatistics> && std::is_copy_assignable_v<ChannelStatistics>);
    static_assert(std::is_constructible_v<ChannelStatistics>);
    static_assert(std::is_constructible_v<ChannelStatistics, UInt64>);
    static_assert(std::is_convertible_v<UInt64, ChannelStatistics>);
    member<ChannelStatistics, void()>(&ChannelStatistics::clear);
    member<ChannelStatistics, bool() const>(&ChannelStatistics::hasTcpRetransmitCount);
    member<ChannelStatistics, UInt64() const>(&ChannelStatistics::getTcpRetransmitCount);
    member<ChannelStatistics, ChannelStatistics&(UInt64)>(&ChannelStatistics::tcpRetransmitCount);
}

void surfaceOfSessionInfo() {
    static_assert(std::has_virtual_destructor_v<SessionInfo>);
    member<SessionInfo, const ChannelInformation&() const>(&SessionInfo::getChannelInformation);
}

void surfaceOfConsumerSessionInfo() {
    static_assert(std::is_convertible_v<ConsumerSessionInfo*, SessionInfo*>);
    static_assert(std::has_virtual_destructor_v<ConsumerSessionInfo>);
    member<ConsumerSessionInfo, const ChannelInformation&() const>(&ConsumerSessionInfo::getChannelInformation);
}

void surfaceOfProviderSessionInfo() {
    static_assert(std::is_convertible_v<ProviderSessionInfo*, SessionInfo*>);
    static_assert(std::has_virtual_destructor_v<ProviderSessionInfo>);
    member<ProviderSessionInfo, const ChannelInformation&() const>(&ProviderSessionInfo::getChannelInformation);
    member<ProviderSessionInfo, UInt64() const>(&ProviderSessionInfo::getHandle);
    member<ProviderSessionInfo, OmmProvider&() const>(&ProviderSessionInfo::getProvider);
    member<ProviderSessionInfo, UInt64() const>(&ProviderSessionInfo::getClientHandle);
}

void surfaceOfPreferredHostOptions() {
    static_assert(std::has_virtual_destructor_v<PreferredHostOptions>);
    static_assert(std::is_copy_constructible_v<PreferredHostOptions> &&
                  std::is_copy_assignable_v<PreferredHostOptions>);
    static_assert(std::is_constructible_v<PreferredHostOptions>);
    member<PreferredHostOptions, PreferredHostOptions&()>(&PreferredHostOptions::clear);
    member<PreferredHostOptions, PreferredHostOptions&(bool)>(&PreferredHostOptions::enablePreferredHostOptions);
    member<PreferredHostOptions, bool() const>(&PreferredHostOptions::getEnablePreferredHostOptions);
    member<PreferredHostOptions, PreferredHostOptions&(const EmaString&)>(
        &PreferredHostOptions::phDetectionTimeSchedule);
    member<PreferredHostOptions, const EmaString&() const>(&PreferredHostOptions::getPHDetectionTimeSchedule);
    member<PreferredHostOptions, PreferredHostOptions&(UInt32)>(&PreferredHostOptions::phDetectionTimeInterval);
    member<PreferredHostOptions, UInt32() const>(&PreferredHostOptions::getPHDetectionTimeInterval);
    member<PreferredHostOptions, PreferredHostOptions&(const EmaString&)>(&PreferredHostOptions::preferredChannelName);
    member<PreferredHostOptions, const EmaString&() const>(&PreferredHostOptions::getPreferredChannelName);
    member<PreferredHostOptions, PreferredHostOptions&(const EmaString&)>(
        &PreferredHostOptions::preferredWSBChannelName);
    member<PreferredHostOptions, const EmaString&() const>(&PreferredHostOptions::getPreferredWSBChannelName);
    member<PreferredHostOptions, PreferredHostOptions&(bool)>(&PreferredHostOptions::phFallBackWithInWSBGroup);
    member<PreferredHostOptions, bool() const>(&PreferredHostOptions::getPHFallBackWithInWSBGroup);
    member<PreferredHostOptions, PreferredHostOptions&(const EmaString&)>(&PreferredHostOptions::sessionChannelName);
    member<PreferredHostOptions, const EmaString&() const>(&PreferredHostOptions::getSessionChannelName);
}

void surfaceOfPreferredHostInfo() {
    static_assert(std::has_virtual_destructor_v<PreferredHostInfo>);
    static_assert(std::is_copy_constructible_v<PreferredHostInfo> && std::is_copy_assignable_v<PreferredHostInfo>);
    static_assert(std::is_constructible_v<PreferredHostInfo>);
    member<PreferredHostInfo, PreferredHostInfo&()>(&PreferredHostInfo::clear);
    member<PreferredHostInfo, UInt32() const>(&PreferredHostInfo::getRemainingDetectionTime);
    member<PreferredHostInfo, bool() const>(&PreferredHostInfo::getIsChannelPreferred);
    member<PreferredHostInfo, const EmaString&() const>(&PreferredHostInfo::toString);
    member<PreferredHostInfo, PreferredHostInfo&(bool)>(&PreferredHostInfo::enablePreferredHostOptions);
    member<PreferredHostInfo, PreferredHostInfo&(EmaString)>(&PreferredHostInfo::phDetectionTimeSchedule);
    member<PreferredHostInfo, PreferredHostInfo&(UInt32)>(&PreferredHostInfo::phDetectionTimeInterval);
    member<PreferredHostInfo, PreferredHostInfo&(bool)>(&PreferredHostInfo::phFallBackWithInWSBGroup);
    member<PreferredHostInfo, PreferredHostInfo&(UInt32)>(&PreferredHostInfo::remainingDetectionTime);
    member<PreferredHostInfo, PreferredHostInfo&(bool)>(&PreferredHostInfo::isChannelPreferred);
    member<PreferredHostInfo, bool() const>(&PreferredHostInfo::getEnablePreferredHostOptions);
    member<PreferredHostInfo, const EmaString&() const>(&PreferredHostInfo::getPHDetectionTimeSchedule);
    member<PreferredHostInfo, UInt32() const>(&PreferredHostInfo::getPHDetectionTimeInterval);
    member<PreferredHostInfo, const EmaString&() const>(&PreferredHostInfo::getPreferredChannelName);
    member<PreferredHostInfo, const EmaString&() const>(&PreferredHostInfo::getPreferredWSBChannelName);
    member<PreferredHostInfo, bool() const>(&PreferredHostInfo::getPHFallBackWithInWSBGroup);
}

void surfaceOfIOCtlCode() {
    static_assert(IOCtlCode::MaxNumBuffersEnum == 1);
    static_assert(IOCtlCode::NumGuaranteedBuffersEnum == 2);
    static_assert(IOCtlCode::HighWaterMarkEnum == 3);
    static_assert(IOCtlCode::SystemReadBuffers == 4);
    static_assert(IOCtlCode::SystemWriteBuffers == 5);
    static_assert(IOCtlCode::ServerNumPoolBuffersEnum == 8);
    static_assert(IOCtlCode::CompressionThresholdEnum == 9);
}

void surfaceOfIOCtlReactorCode() {
    static_assert(IOCtlReactorCode::EnableRestLoggingEnum == 1);
    static_assert(IOCtlReactorCode::EnableRestCallbackLoggingEnum == 2);
}

void surfaceOfIOCtlReactorChannelCode() {
    static_assert(IOCtlReactorChannelCode::ReactorChannelDirectWrite == 200);
    static_assert(IOCtlReactorChannelCode::ReactorChannelPreferredHost == 201);
}

void surfaceOfGetTime() {
    function<TimeValue()>(&GetTime::getSeconds);
    function<TimeValue()>(&GetTime::getMillis);
    function<TimeValue()>(&GetTime::getMicros);
    function<TimeValue()>(&GetTime::getNanos);
    function<TimeValue()>(&GetTime::getTicks);
    function<double()>(&GetTime::ticksPerSecond);
    function<double()>(&GetTime::ticksPerMilli);
    function<double()>(&GetTime::ticksPerMicro);
    function<double()>(&GetTime::ticksPerNano);
}
