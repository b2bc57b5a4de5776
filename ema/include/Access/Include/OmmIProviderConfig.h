// OmmIProviderConfig (ema-api.md sections 6.3, 7.3; ema-config.md section 15).
#pragma once

#include "Access/Include/OmmProviderConfig.h"

#include <memory>

namespace emissary::ema {
struct ConfigAccess;
struct IProviderConfigImpl;
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
class EMA_ACCESS_API OmmIProviderConfig : public OmmProviderConfig {
public:
    /// UserDispatchEnum: callbacks come inside dispatch(). ApiDispatchEnum: a thread of the library makes them.
    enum OperationModel { UserDispatchEnum, ApiDispatchEnum };
    /// Selects who answers and publishes: the application, or the library from configuration or addAdminMsg().
    enum AdminControl { UserControlEnum, ApiControlEnum };
    /// Reads the file that EMISSARY_CONFIG names, or EmaConfig.xml of the working directory if there is one. Throws
    /// OmmInvalidConfigurationException for one that cannot be read.
    OmmIProviderConfig();
    /// Reads this file, or EmaConfig.xml of this folder, which must exist: OmmInvalidConfigurationException. An empty
    /// path is none.
    OmmIProviderConfig(const EmaString& path);
    ProviderRole getProviderRole() const override;
    OmmIProviderConfig& clear();  ///< forgets function calls and administrative messages; file and config() stay
    /// Number or service name to listen on; "0" takes a free one. Overrides Port of the Server entry.
    OmmIProviderConfig& port(const EmaString& port = "14002");
    /// Selects the thread of callbacks: the library's own, or the caller of dispatch().
    OmmIProviderConfig& operationModel(OperationModel operationModel = ApiDispatchEnum);
    /// Selects who answers directory requests; with UserControlEnum they come to onReqMsg().
    OmmIProviderConfig& adminControlDirectory(AdminControl control = ApiControlEnum);
    /// Selects who answers dictionary requests; with UserControlEnum they come to onReqMsg().
    OmmIProviderConfig& adminControlDictionary(AdminControl control = ApiControlEnum);
    /// Chooses the IProvider entry; one that is not configured makes the constructor of OmmProvider throw
    /// OmmInvalidConfigurationException (`EmaIProvider` exists while none is configured).
    OmmIProviderConfig& providerName(const EmaString& providerName);
    /// Adds programmatic configuration, a Map as in ema-config.md section 13; of several calls the later wins, value by
    /// value. Errors are logged when the instance starts; other data are ignored with a record.
    OmmIProviderConfig& config(const Data& config);
    /// Accepted without effect in this release: the TLS library is linked.
    OmmIProviderConfig& libSslName(const EmaString& libsslName);
    /// Accepted without effect in this release: the library is linked.
    OmmIProviderConfig& libCryptoName(const EmaString& libcryptoName);
    /// Accepted without effect in this release: there is no REST client.
    OmmIProviderConfig& libCurlName(const EmaString& libcurlName);
    OmmIProviderConfig& serverCert(const EmaString& serverCert);  ///< PEM file of the certificate; overrides ServerCert
    /// PEM file of its key; overrides ServerPrivateKey.
    OmmIProviderConfig& serverPrivateKey(const EmaString& serverPrivateKey);
    /// OpenSSL cipher list up to TLS 1.2; overrides CipherSuite.
    OmmIProviderConfig& cipherSuite(const EmaString& cipherSuite);
    /// PEM file of Diffie-Hellman parameters; overrides DHParams.
    OmmIProviderConfig& dhParams(const EmaString& dhParams);
    /// A directory refresh to serve instead of the configured services; copied. Another domain, or a payload that is no
    /// Map, throws OmmInvalidUsageException/InvalidArgument; what the Map holds is checked at construction of the
    /// provider.
    OmmIProviderConfig& addAdminMsg(const RefreshMsg& refreshMsg);
    ~OmmIProviderConfig() override;
    OmmIProviderConfig(const OmmIProviderConfig&) = delete;
    OmmIProviderConfig& operator=(const OmmIProviderConfig&) = delete;
    /// Sum of OmmConsumerConfig::EncryptionProtocolTypes that TLS may use; overrides SecurityProtocol.
    OmmIProviderConfig& securityProtocol(int securityProtocol);
    /// CPU of the thread that connects and pings: a logical number or `P:x C:y T:z`.
    OmmIProviderConfig& workerThreadBind(const EmaString& cpuString);
    /// CPU of the thread that dispatches (ApiDispatchEnum): a logical number or `P:x C:y T:z`.
    OmmIProviderConfig& apiThreadBind(const EmaString& cpuString);
    OmmIProviderConfig& shouldInitializeCPUIDlib(bool shouldInitialize);  ///< accepted without effect in this release

private:
    friend struct emissary::ema::ConfigAccess;
    std::unique_ptr<emissary::ema::IProviderConfigImpl> impl_;
};

}  // namespace refinitiv::ema::access
