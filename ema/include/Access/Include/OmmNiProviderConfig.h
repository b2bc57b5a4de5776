// OmmNiProviderConfig (ema-api.md sections 6.3, 7.3; ema-config.md section 15).
#pragma once

#include "Access/Include/OmmProviderConfig.h"

#include <memory>

namespace emissary::ema {
struct ConfigAccess;
struct NiProviderConfigImpl;
}  // namespace emissary::ema
namespace refinitiv::ema::rdm {
class DataDictionary;
}

namespace refinitiv::ema::access {

class Data;
class RefreshMsg;
class ReqMsg;

/// Configuration of one OmmProvider. The strongest source of a value wins: function calls, then config(), environment
/// variables, the file, and built-in defaults (docs/config.md). The object is copied by the constructor of OmmProvider
/// and may be destroyed or used again afterwards. Setters copy their arguments and may be chained; a value that cannot
/// be used is found at construction of the OmmProvider, unless said otherwise. Not thread safe.
class EMA_ACCESS_API OmmNiProviderConfig : public OmmProviderConfig {
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
    /// Selects who answers and publishes: the application, or the library from configuration or addAdminMsg().
    enum AdminControl { UserControlEnum, ApiControlEnum };
    /// Reads the file that EMISSARY_CONFIG names, or EmaConfig.xml of the working directory if there is one. Throws
    /// OmmInvalidConfigurationException for one that cannot be read.
    OmmNiProviderConfig();
    /// Reads this file, or EmaConfig.xml of this folder, which must exist: OmmInvalidConfigurationException. An empty
    /// path is none.
    OmmNiProviderConfig(const EmaString& path);
    ProviderRole getProviderRole() const override;
    OmmNiProviderConfig& clear();  ///< forgets function calls and administrative messages; file and config() stay
    OmmNiProviderConfig& username(const EmaString& username);  ///< name of the login; default: the user of the process
    /// Sent in the login attributes; none unless set. Never shown or logged.
    OmmNiProviderConfig& password(const EmaString& password);
    /// Sent in the login attributes; default `ADDRESS/net` of this host.
    OmmNiProviderConfig& position(const EmaString& position);
    OmmNiProviderConfig& applicationId(const EmaString& applicationId);  ///< sent in the login attributes; default 256
    /// Sent in the login attributes: tells instances of one user apart; none unless set.
    OmmNiProviderConfig& instanceId(const EmaString& instanceId);
    /// `HOST:PORT` of the only server, over plain TCP; both parts may be left out. Overrides the configured channels.
    OmmNiProviderConfig& host(const EmaString& host = "localhost:14003");
    /// Selects the thread of callbacks: the library's own, or the caller of dispatch().
    OmmNiProviderConfig& operationModel(OperationModel operationModel = ApiDispatchEnum);
    /// With UserControlEnum nothing is published until the application submits a directory refresh.
    OmmNiProviderConfig& adminControlDirectory(AdminControl control = ApiControlEnum);
    /// Chooses the NiProvider entry; one that is not configured makes the constructor of OmmProvider throw
    /// OmmInvalidConfigurationException (`EmaNiProvider` exists while none is configured).
    OmmNiProviderConfig& providerName(const EmaString& providerName);
    /// HTTP proxy that connections go through (CONNECT); overrides ProxyHost.
    OmmNiProviderConfig& tunnelingProxyHostName(const EmaString& proxyHostName);
    OmmNiProviderConfig& tunnelingProxyPort(const EmaString& proxyPort);  ///< port of that proxy; overrides ProxyPort
    /// Sum of EncryptionProtocolTypes that TLS may use; overrides SecurityProtocol.
    OmmNiProviderConfig& tunnelingSecurityProtocol(int securityProtocol);
    /// Path of the WebSocket upgrade; overrides ObjectName.
    OmmNiProviderConfig& tunnelingObjectName(const EmaString& objectName);
    /// Accepted without effect in this release: the TLS library is linked.
    OmmNiProviderConfig& tunnelingLibSslName(const EmaString& libsslName);
    /// Accepted without effect in this release: the library is linked.
    OmmNiProviderConfig& tunnelingLibCryptoName(const EmaString& libcryptoName);
    /// Accepted without effect in this release: there is no REST client.
    OmmNiProviderConfig& libcurlName(const EmaString& libcurlName);
    OmmNiProviderConfig& proxyUserName(const EmaString& proxyUserName);  ///< user for the proxy's Basic authentication
    OmmNiProviderConfig& proxyPasswd(const EmaString& proxyPasswd);  ///< password for the proxy's Basic authentication
    OmmNiProviderConfig& proxyDomain(const EmaString& proxyDomain);  ///< put in front of the user's name: `DOMAIN\user`
    /// File or folder of trusted certificates; overrides OpenSSLCAStore. Not set: the system's.
    OmmNiProviderConfig& sslCAStore(const EmaString& sslCAStore);
    /// Adds programmatic configuration, a Map as in ema-config.md section 13; of several calls the later wins, value by
    /// value. Errors are logged when the instance starts; other data are ignored with a record.
    OmmNiProviderConfig& config(const Data& config);
    /// Replaces the built-in login request; copied. Another domain throws OmmInvalidUsageException/InvalidArgument.
    OmmNiProviderConfig& addAdminMsg(const ReqMsg& reqMsg);
    /// A directory refresh to publish instead of the configured services; copied. Another domain, or a payload that is
    /// no Map, throws OmmInvalidUsageException/InvalidArgument.
    OmmNiProviderConfig& addAdminMsg(const RefreshMsg& refreshMsg);
    ~OmmNiProviderConfig() override;
    OmmNiProviderConfig(const OmmNiProviderConfig&) = delete;
    OmmNiProviderConfig& operator=(const OmmNiProviderConfig&) = delete;
    /// CPU of the thread that connects and pings: a logical number or `P:x C:y T:z`.
    OmmNiProviderConfig& workerThreadBind(const EmaString& cpuString);
    /// CPU of the thread that dispatches (ApiDispatchEnum): a logical number or `P:x C:y T:z`.
    OmmNiProviderConfig& apiThreadBind(const EmaString& cpuString);
    OmmNiProviderConfig& shouldInitializeCPUIDlib(bool shouldInitialize);  ///< accepted without effect in this release

private:
    friend struct emissary::ema::ConfigAccess;
    std::unique_ptr<emissary::ema::NiProviderConfigImpl> impl_;
};

}  // namespace refinitiv::ema::access
