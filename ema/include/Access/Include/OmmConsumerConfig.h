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
        ENC_TLSV1 = 0x01,    ///< TLS 1.0: not spoken, so only of use beside a newer one
        ENC_TLSV1_1 = 0x02,  ///< TLS 1.1: the same
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
    /// Of the application at the token service: client credentials (V2) without username(), else for the password grant
    /// (V1), where the user name stands in for one that is not given.
    OmmConsumerConfig& clientId(const EmaString& clientId);
    /// Goes with clientId(). Overwritten with zeros when it is not needed any more; never shown or logged.
    OmmConsumerConfig& clientSecret(const EmaString& clientSecret);
    /// Private key as JSON (RFC 7517: RSA, or EC on P-256) that signs token requests instead of a secret. Overwritten
    /// and hidden as that is; what cannot be used is found when the first token is asked for.
    OmmConsumerConfig& clientJWK(const EmaString& clientJWK);
    /// To whom signed token requests are addressed; default "https://login.ciam.refinitiv.com/as/token.oauth2".
    OmmConsumerConfig& audience(const EmaString& audience = "https://login.ciam.refinitiv.com/as/token.oauth2");
    /// What tokens are for; empty = the default.
    OmmConsumerConfig& tokenScope(const EmaString& tokenScope = "trapi.streaming.pricing.read");
    /// Password grant (V1): whether other sign-ons of the user end.
    OmmConsumerConfig& takeExclusiveSignOnControl(bool takeExclusiveSignOnControl = true);
    /// Same as tokenServiceUrlV1().
    OmmConsumerConfig&
    tokenServiceUrl(const EmaString& tokenServiceUrl = "https://api.refinitiv.com/auth/oauth2/v1/token");
    /// Where tokens are fetched with the password grant; empty = the default.
    OmmConsumerConfig&
    tokenServiceUrlV1(const EmaString& tokenServiceUrl = "https://api.refinitiv.com/auth/oauth2/v1/token");
    /// Where tokens are fetched with client credentials; empty = the default.
    OmmConsumerConfig&
    tokenServiceUrlV2(const EmaString& tokenServiceUrl = "https://api.refinitiv.com/auth/oauth2/v2/token");
    /// Where the endpoints of channels without Host and Port are looked up; empty = the default.
    OmmConsumerConfig&
    serviceDiscoveryUrl(const EmaString& serviceDiscoveryUrl = "https://api.refinitiv.com/streaming/pricing/v1/");
    /// `HOST:PORT` of the only server, over plain TCP unless channelType() says otherwise; both parts may be left out.
    /// Overrides the configured channels.
    OmmConsumerConfig& host(const EmaString& host = "localhost:14002");
    /// Selects the thread of callbacks: the library's own, or the caller of dispatch().
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
    /// File name of libcurl, which is loaded for the first REST call; overrides LibcurlName. Default libcurl.so.4.
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
    /// The client that gets the REST log while RestEnableLogViaCallback is on; not owned. On the dispatching thread.
    OmmConsumerConfig& restLoggingCallback(OmmRestLoggingClient& ommRestLoggingClient, void* closure = nullptr);
    virtual ~OmmConsumerConfig();
    OmmConsumerConfig(const OmmConsumerConfig&) = delete;
    OmmConsumerConfig& operator=(const OmmConsumerConfig&) = delete;
    /// Credentials for tokens of the channels in its list, or of all that no other one names: an empty list goes before
    /// username() and clientId(). Copied. With a client, which is not owned, secrets are overwritten after the first
    /// token, and it is asked for them from then on. Two for one channel are found at construction of the OmmConsumer.
    OmmConsumerConfig& addOAuth2Credential(const OAuth2Credential& credential);
    OmmConsumerConfig& addOAuth2Credential(const OAuth2Credential& credential, const OmmOAuth2ConsumerClient& client);
    OmmConsumerConfig& addOAuth2Credential(const OAuth2Credential& credential, const OmmOAuth2ConsumerClient& client,
                                           void* closure);
    /// Login request of the channels in the list (names separated by commas; empty: of all that no other one names)
    /// instead of the one for all. Copied; another domain throws OmmInvalidUsageException/InvalidArgument. The client,
    /// which is not owned, is called before each attempt to connect on these channels.
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
    OmmConsumerConfig&
    restProxyHostName(const EmaString& proxyHostName);             ///< for REST calls; overrides RestProxyHostName
    OmmConsumerConfig& restProxyPort(const EmaString& proxyPort);  ///< its port; overrides RestProxyPort
    OmmConsumerConfig& restProxyUserName(const EmaString& proxyUserName);  ///< user for that proxy
    OmmConsumerConfig& restProxyPasswd(const EmaString& proxyPasswd);      ///< that user's password; never shown
    OmmConsumerConfig& restProxyDomain(const EmaString& proxyDomain);      ///< that user's domain

private:
    friend struct emissary::ema::ConfigAccess;
    std::unique_ptr<emissary::ema::ConsumerConfigImpl> impl_;
};

}  // namespace refinitiv::ema::access
