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

/// Configuration of one OmmProvider. Function calls win over programmatic configuration, that over the file, that over
/// defaults. Construction reads EmaConfig.xml (or the given path) and throws OmmInvalidConfigurationException when it
/// cannot. Copied by the object built from it. Not thread safe.
class EMA_ACCESS_API OmmNiProviderConfig : public OmmProviderConfig {
public:
    enum OperationModel { UserDispatchEnum, ApiDispatchEnum };
    enum EncryptionProtocolTypes { ENC_NONE = 0x00, ENC_TLSV1_2 = 0x04, ENC_TLSV1_3 = 0x08 };
    enum AdminControl { UserControlEnum, ApiControlEnum };
    OmmNiProviderConfig();
    OmmNiProviderConfig(const EmaString& path);
    ProviderRole getProviderRole() const override;
    OmmNiProviderConfig& clear();
    OmmNiProviderConfig& username(const EmaString& username);
    OmmNiProviderConfig& password(const EmaString& password);
    OmmNiProviderConfig& position(const EmaString& position);
    OmmNiProviderConfig& applicationId(const EmaString& applicationId);
    OmmNiProviderConfig& instanceId(const EmaString& instanceId);
    OmmNiProviderConfig& host(const EmaString& host = "localhost:14003");
    OmmNiProviderConfig& operationModel(OperationModel operationModel = ApiDispatchEnum);
    OmmNiProviderConfig& adminControlDirectory(AdminControl control = ApiControlEnum);
    OmmNiProviderConfig& providerName(const EmaString& providerName);
    OmmNiProviderConfig& tunnelingProxyHostName(const EmaString& proxyHostName);
    OmmNiProviderConfig& tunnelingProxyPort(const EmaString& proxyPort);
    OmmNiProviderConfig& tunnelingSecurityProtocol(int securityProtocol);
    OmmNiProviderConfig& tunnelingObjectName(const EmaString& objectName);
    OmmNiProviderConfig& tunnelingLibSslName(const EmaString& libsslName);
    OmmNiProviderConfig& tunnelingLibCryptoName(const EmaString& libcryptoName);
    OmmNiProviderConfig& libcurlName(const EmaString& libcurlName);
    OmmNiProviderConfig& proxyUserName(const EmaString& proxyUserName);
    OmmNiProviderConfig& proxyPasswd(const EmaString& proxyPasswd);
    OmmNiProviderConfig& proxyDomain(const EmaString& proxyDomain);
    OmmNiProviderConfig& sslCAStore(const EmaString& sslCAStore);
    OmmNiProviderConfig& config(const Data& config);
    OmmNiProviderConfig& addAdminMsg(const ReqMsg& reqMsg);
    OmmNiProviderConfig& addAdminMsg(const RefreshMsg& refreshMsg);
    ~OmmNiProviderConfig() override;
    OmmNiProviderConfig(const OmmNiProviderConfig&) = delete;
    OmmNiProviderConfig& operator=(const OmmNiProviderConfig&) = delete;
    OmmNiProviderConfig& workerThreadBind(const EmaString& cpuString);
    OmmNiProviderConfig& apiThreadBind(const EmaString& cpuString);
    OmmNiProviderConfig& shouldInitializeCPUIDlib(bool shouldInitialize);

private:
    friend struct emissary::ema::ConfigAccess;
    std::unique_ptr<emissary::ema::NiProviderConfigImpl> impl_;
};

}  // namespace refinitiv::ema::access
