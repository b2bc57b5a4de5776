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

/// Configuration of one OmmConsumer. The strongest source of a value wins: function calls, then config(), environment
/// variables, the file, and built-in defaults (docs/config.md). The object is copied by the constructor of OmmConsumer
/// and may be destroyed or used again afterwards. Setters copy their arguments and may be chained; a value that cannot
/// be used is found at construction of the OmmConsumer, unless said otherwise. Not thread safe.
class EMA_ACCESS_API OmmConsumerConfig {
public:
    /// UserDispatchEnum: callbacks come inside dispatch(). ApiDispatchEnum: a thread of the library makes them.
    enum OperationModel { UserDispatchEnum, ApiDispatchEnum };
    /// Versions of TLS, to be added up.
    enum EncryptionProtocolTypes {
        ENC_NONE = 0x00,     ///< no version: refused for an encrypted channel
        ENC_TLSV1_2 = 0x04,  ///< TLS 1.2
        ENC_TLSV1_3 = 0x08   ///< TLS 1.3
    };
    /// Reads the file that EMISSARY_CONFIG names, or EmaConfig.xml of the working directory if there is one. Throws
    /// OmmInvalidConfigurationException for one that cannot be read.
    OmmConsumerConfig();
    /// Reads this file, or EmaConfig.xml of this folder, which must exist: OmmInvalidConfigurationException. An empty
    /// path is none.
    OmmConsumerConfig(const EmaString& path);
    OmmConsumerConfig& clear();  ///< forgets function calls and administrative messages; file and config() stay
    OmmConsumerConfig& username(const EmaString& username);  ///< name of the login; default: the user of the process
    /// Sent in the login attributes; none unless set. Never shown or logged.
    OmmConsumerConfig& password(const EmaString& password);
    /// Sent in the login attributes; default `ADDRESS/net` of this host.
    OmmConsumerConfig& position(const EmaString& position);
    OmmConsumerConfig& applicationId(const EmaString& applicationId);  ///< sent in the login attributes; default 256
    /// Not in this release: throws OmmInvalidUsageException/InvalidOperation (docs/compatibility.md).
    OmmConsumerConfig& clientId(const EmaString& clientId);
    /// Not in this release: throws OmmInvalidUsageException/InvalidOperation (docs/compatibility.md).
    OmmConsumerConfig& clientSecret(const EmaString& clientSecret);
    /// Accepted without effect in this release.
    OmmConsumerConfig& tokenScope(const EmaString& tokenScope = "trapi.streaming.pricing.read");
    /// Accepted without effect in this release.
    OmmConsumerConfig& takeExclusiveSignOnControl(bool takeExclusiveSignOnControl = true);
    /// Same as tokenServiceUrlV1(): accepted without effect in this release.
    OmmConsumerConfig&
    tokenServiceUrl(const EmaString& tokenServiceUrl = "https://api.refinitiv.com/auth/oauth2/v1/token");
    /// Accepted without effect in this release.
    OmmConsumerConfig&
    tokenServiceUrlV1(const EmaString& tokenServiceUrl = "https://api.refinitiv.com/auth/oauth2/v1/token");
    /// Accepted without effect in this release.
    OmmConsumerConfig&
    tokenServiceUrlV2(const EmaString& tokenServiceUrl = "https://api.refinitiv.com/auth/oauth2/v2/token");
    /// Accepted without effect in this release: hosts are configured.
    OmmConsumerConfig&
    serviceDiscoveryUrl(const EmaString& serviceDiscoveryUrl = "https://api.refinitiv.com/streaming/pricing/v1/");
    /// `HOST:PORT` of the only server, over plain TCP unless channelType() says otherwise; both parts may be left out.
    /// Overrides the configured channels.
    OmmConsumerConfig& host(const EmaString& host = "localhost:14002");
    /// Who calls back: the library's own thread, or the caller of dispatch().
    OmmConsumerConfig& operationModel(OperationModel operationModel = ApiDispatchEnum);
    /// Chooses the Consumer entry; one that is not configured makes the constructor of OmmConsumer throw
    /// OmmInvalidConfigurationException (`EmaConsumer` exists while none is configured).
    OmmConsumerConfig& consumerName(const EmaString& consumerName);
    /// HTTP proxy that connections go through (CONNECT); overrides ProxyHost.
    OmmConsumerConfig& tunnelingProxyHostName(const EmaString& proxyHostName);
    OmmConsumerConfig& tunnelingProxyPort(const EmaString& proxyPort);  ///< port of that proxy; overrides ProxyPort
    /// Sum of EncryptionProtocolTypes that TLS may use; overrides SecurityProtocol.
    OmmConsumerConfig& tunnelingSecurityProtocol(int securityProtocol);
    /// Path of the WebSocket upgrade; overrides ObjectName.
    OmmConsumerConfig& tunnelingObjectName(const EmaString& objectName);
    /// Accepted without effect in this release: the TLS library is linked.
    OmmConsumerConfig& tunnelingLibSslName(const EmaString& libsslName);
    /// Accepted without effect in this release: the library is linked.
    OmmConsumerConfig& tunnelingLibCryptoName(const EmaString& libcryptoName);
    /// Accepted without effect in this release: there is no REST client.
    OmmConsumerConfig& libcurlName(const EmaString& libcurlName);
    OmmConsumerConfig& proxyUserName(const EmaString& proxyUserName);  ///< user for the proxy's Basic authentication
    OmmConsumerConfig& proxyPasswd(const EmaString& proxyPasswd);  ///< password for the proxy's Basic authentication
    OmmConsumerConfig& proxyDomain(const EmaString& proxyDomain);  ///< put in front of the user's name: `DOMAIN\user`
    /// File or folder of trusted certificates; overrides OpenSSLCAStore. Not set: the system's.
    OmmConsumerConfig& sslCAStore(const EmaString& sslCAStore);
    /// Adds programmatic configuration, a Map as in ema-config.md section 13; of several calls the later wins, value by
    /// value. Errors are logged when the instance starts; other data are ignored with a record.
    OmmConsumerConfig& config(const Data& config);
    /// Replaces the built-in login, directory or dictionary request; the last one of a domain wins. A dictionary
    /// request needs name (RWFFld or RWFEnum), service and filter. Other messages throw
    /// OmmInvalidUsageException/InvalidArgument.
    OmmConsumerConfig& addAdminMsg(const ReqMsg& reqMsg);
    /// Not in this release: throws OmmInvalidUsageException/InvalidOperation (docs/compatibility.md).
    OmmConsumerConfig& restLoggingCallback(OmmRestLoggingClient& ommRestLoggingClient, void* closure = nullptr);
    virtual ~OmmConsumerConfig();
    OmmConsumerConfig(const OmmConsumerConfig&) = delete;
    OmmConsumerConfig& operator=(const OmmConsumerConfig&) = delete;
    /// Not in this release: throws OmmInvalidUsageException/InvalidOperation (docs/compatibility.md).
    OmmConsumerConfig& addOAuth2Credential(const OAuth2Credential& credential);
    OmmConsumerConfig& addOAuth2Credential(const OAuth2Credential& credential, const OmmOAuth2ConsumerClient& client);
    OmmConsumerConfig& addOAuth2Credential(const OAuth2Credential& credential, const OmmOAuth2ConsumerClient& client,
                                           void* closure);
    /// Not in this release: throws OmmInvalidUsageException/InvalidOperation (docs/compatibility.md). Use
    /// addAdminMsg().
    OmmConsumerConfig& addLoginMsgCredential(const ReqMsg& loginReq, const EmaString& channelList);
    OmmConsumerConfig& addLoginMsgCredential(const ReqMsg& loginReq, const EmaString& channelList,
                                             const OmmLoginCredentialConsumerClient& client);
    OmmConsumerConfig& addLoginMsgCredential(const ReqMsg& loginReq, const EmaString& channelList,
                                             const OmmLoginCredentialConsumerClient& client, void* closure);
    /// CPU of the thread that connects and pings: a logical number or `P:x C:y T:z`.
    OmmConsumerConfig& workerThreadBind(const EmaString& cpuString);
    /// CPU of the thread that dispatches (ApiDispatchEnum): a logical number or `P:x C:y T:z`.
    OmmConsumerConfig& apiThreadBind(const EmaString& cpuString);
    OmmConsumerConfig& shouldInitializeCPUIDlib(bool shouldInitialize);  ///< accepted without effect in this release
    /// Uses this dictionary instead of downloading or loading one. Fields and enumerations must be loaded, else
    /// OmmInvalidUsageException/InvalidArgument. Copied on request; otherwise it must outlive the consumer and not be
    /// changed.
    OmmConsumerConfig& dataDictionary(const refinitiv::ema::rdm::DataDictionary& dictionary,
                                      bool shouldCopyIntoAPI = false);
    /// Adds services to try in order, under a name for ReqMsg::serviceListName(). Copied. No name, a name used before
    /// or no service throws OmmInvalidUsageException/InvalidArgument.
    OmmConsumerConfig& addServiceList(const ServiceList& serviceList);
    /// Overrides ChannelType of the channels; a number outside the enumeration throws
    /// OmmInvalidUsageException/InvalidArgument.
    OmmConsumerConfig& channelType(EmaConfig::ConnectionTypeEnum channelType);
    /// Overrides EncryptedProtocolType; a number outside the enumeration throws
    /// OmmInvalidUsageException/InvalidArgument.
    OmmConsumerConfig& encryptedProtocolType(EmaConfig::EncryptedProtocolTypeEnum encProtocolType);
    OmmConsumerConfig& restProxyHostName(const EmaString& proxyHostName);  ///< accepted without effect in this release
    OmmConsumerConfig& restProxyPort(const EmaString& proxyPort);          ///< accepted without effect in this release
    OmmConsumerConfig& restProxyUserName(const EmaString& proxyUserName);  ///< accepted without effect in this release
    OmmConsumerConfig& restProxyPasswd(const EmaString& proxyPasswd);      ///< accepted without effect in this release
    OmmConsumerConfig& restProxyDomain(const EmaString& proxyDomain);      ///< accepted without effect in this release

private:
    friend struct emissary::ema::ConfigAccess;
    std::unique_ptr<emissary::ema::ConsumerConfigImpl> impl_;
};

}  // namespace refinitiv::ema::access
