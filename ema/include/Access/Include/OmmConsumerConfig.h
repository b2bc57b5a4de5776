// OmmConsumerConfig (ema-api.md sections 6.3, 7.3; ema-config.md section 15).
#pragma once

#include "Access/Include/EmaConfig.h"
#include "Access/Include/EmaString.h"

#include <memory>

namespace emissary::ema {
struct ConfigAccess;
struct ConsumerConfigImpl;
}  // namespace emissary::ema
namespace refinitiv::ema::rdm {
class DataDictionary;
}

namespace refinitiv::ema::access {

class Data;
class ReqMsg;
class OmmRestLoggingClient;
class OAuth2Credential;
class OmmOAuth2ConsumerClient;
class OmmLoginCredentialConsumerClient;
class ServiceList;

/// Configuration of one OmmConsumer. Function calls win over programmatic configuration, that over the file, that over
/// defaults. Construction reads EmaConfig.xml (or the given path) and throws OmmInvalidConfigurationException when it
/// cannot. Copied by the object built from it. Not thread safe.
class EMA_ACCESS_API OmmConsumerConfig {
public:
    enum OperationModel { UserDispatchEnum, ApiDispatchEnum };
    enum EncryptionProtocolTypes { ENC_NONE = 0x00, ENC_TLSV1_2 = 0x04, ENC_TLSV1_3 = 0x08 };
    OmmConsumerConfig();
    OmmConsumerConfig(const EmaString& path);
    OmmConsumerConfig& clear();
    OmmConsumerConfig& username(const EmaString& username);
    OmmConsumerConfig& password(const EmaString& password);
    OmmConsumerConfig& position(const EmaString& position);
    OmmConsumerConfig& applicationId(const EmaString& applicationId);
    OmmConsumerConfig& clientId(const EmaString& clientId);
    OmmConsumerConfig& clientSecret(const EmaString& clientSecret);
    OmmConsumerConfig& tokenScope(const EmaString& tokenScope = "trapi.streaming.pricing.read");
    OmmConsumerConfig& takeExclusiveSignOnControl(bool takeExclusiveSignOnControl = true);
    OmmConsumerConfig&
    tokenServiceUrl(const EmaString& tokenServiceUrl = "https://api.refinitiv.com/auth/oauth2/v1/token");
    OmmConsumerConfig&
    tokenServiceUrlV1(const EmaString& tokenServiceUrl = "https://api.refinitiv.com/auth/oauth2/v1/token");
    OmmConsumerConfig&
    tokenServiceUrlV2(const EmaString& tokenServiceUrl = "https://api.refinitiv.com/auth/oauth2/v2/token");
    OmmConsumerConfig&
    serviceDiscoveryUrl(const EmaString& serviceDiscoveryUrl = "https://api.refinitiv.com/streaming/pricing/v1/");
    OmmConsumerConfig& host(const EmaString& host = "localhost:14002");
    OmmConsumerConfig& operationModel(OperationModel operationModel = ApiDispatchEnum);
    OmmConsumerConfig& consumerName(const EmaString& consumerName);
    OmmConsumerConfig& tunnelingProxyHostName(const EmaString& proxyHostName);
    OmmConsumerConfig& tunnelingProxyPort(const EmaString& proxyPort);
    OmmConsumerConfig& tunnelingSecurityProtocol(int securityProtocol);
    OmmConsumerConfig& tunnelingObjectName(const EmaString& objectName);
    OmmConsumerConfig& tunnelingLibSslName(const EmaString& libsslName);
    OmmConsumerConfig& tunnelingLibCryptoName(const EmaString& libcryptoName);
    OmmConsumerConfig& libcurlName(const EmaString& libcurlName);
    OmmConsumerConfig& proxyUserName(const EmaString& proxyUserName);
    OmmConsumerConfig& proxyPasswd(const EmaString& proxyPasswd);
    OmmConsumerConfig& proxyDomain(const EmaString& proxyDomain);
    OmmConsumerConfig& sslCAStore(const EmaString& sslCAStore);
    OmmConsumerConfig& config(const Data& config);
    OmmConsumerConfig& addAdminMsg(const ReqMsg& reqMsg);
    OmmConsumerConfig& restLoggingCallback(OmmRestLoggingClient& ommRestLoggingClient, void* closure = nullptr);
    virtual ~OmmConsumerConfig();
    OmmConsumerConfig(const OmmConsumerConfig&) = delete;
    OmmConsumerConfig& operator=(const OmmConsumerConfig&) = delete;
    OmmConsumerConfig& addOAuth2Credential(const OAuth2Credential& credential);
    OmmConsumerConfig& addOAuth2Credential(const OAuth2Credential& credential, const OmmOAuth2ConsumerClient& client);
    OmmConsumerConfig& addOAuth2Credential(const OAuth2Credential& credential, const OmmOAuth2ConsumerClient& client,
                                           void* closure);
    OmmConsumerConfig& addLoginMsgCredential(const ReqMsg& loginReq, const EmaString& channelList);
    OmmConsumerConfig& addLoginMsgCredential(const ReqMsg& loginReq, const EmaString& channelList,
                                             const OmmLoginCredentialConsumerClient& client);
    OmmConsumerConfig& addLoginMsgCredential(const ReqMsg& loginReq, const EmaString& channelList,
                                             const OmmLoginCredentialConsumerClient& client, void* closure);
    OmmConsumerConfig& workerThreadBind(const EmaString& cpuString);
    OmmConsumerConfig& apiThreadBind(const EmaString& cpuString);
    OmmConsumerConfig& shouldInitializeCPUIDlib(bool shouldInitialize);
    OmmConsumerConfig& dataDictionary(const refinitiv::ema::rdm::DataDictionary& dictionary,
                                      bool shouldCopyIntoAPI = false);
    OmmConsumerConfig& addServiceList(const ServiceList& serviceList);
    OmmConsumerConfig& channelType(EmaConfig::ConnectionTypeEnum channelType);
    OmmConsumerConfig& encryptedProtocolType(EmaConfig::EncryptedProtocolTypeEnum encProtocolType);
    OmmConsumerConfig& restProxyHostName(const EmaString& proxyHostName);
    OmmConsumerConfig& restProxyPort(const EmaString& proxyPort);
    OmmConsumerConfig& restProxyUserName(const EmaString& proxyUserName);
    OmmConsumerConfig& restProxyPasswd(const EmaString& proxyPasswd);
    OmmConsumerConfig& restProxyDomain(const EmaString& proxyDomain);

private:
    friend struct emissary::ema::ConfigAccess;
    std::unique_ptr<emissary::ema::ConsumerConfigImpl> impl_;
};

}  // namespace refinitiv::ema::access
