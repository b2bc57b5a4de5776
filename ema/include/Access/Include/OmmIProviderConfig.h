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

/// Configuration of one OmmProvider. Function calls win over programmatic configuration, that over the file, that over
/// defaults. Construction reads EmaConfig.xml (or the given path) and throws OmmInvalidConfigurationException when it
/// cannot. Copied by the object built from it. Not thread safe.
class EMA_ACCESS_API OmmIProviderConfig : public OmmProviderConfig {
public:
    enum OperationModel { UserDispatchEnum, ApiDispatchEnum };
    enum AdminControl { UserControlEnum, ApiControlEnum };
    OmmIProviderConfig();
    OmmIProviderConfig(const EmaString& path);
    ProviderRole getProviderRole() const override;
    OmmIProviderConfig& clear();
    OmmIProviderConfig& port(const EmaString& port = "14002");
    OmmIProviderConfig& operationModel(OperationModel operationModel = ApiDispatchEnum);
    OmmIProviderConfig& adminControlDirectory(AdminControl control = ApiControlEnum);
    OmmIProviderConfig& adminControlDictionary(AdminControl control = ApiControlEnum);
    OmmIProviderConfig& providerName(const EmaString& providerName);
    OmmIProviderConfig& config(const Data& config);
    OmmIProviderConfig& libSslName(const EmaString& libsslName);
    OmmIProviderConfig& libCryptoName(const EmaString& libcryptoName);
    OmmIProviderConfig& libCurlName(const EmaString& libcurlName);
    OmmIProviderConfig& serverCert(const EmaString& serverCert);
    OmmIProviderConfig& serverPrivateKey(const EmaString& serverPrivateKey);
    OmmIProviderConfig& cipherSuite(const EmaString& cipherSuite);
    OmmIProviderConfig& dhParams(const EmaString& dhParams);
    OmmIProviderConfig& addAdminMsg(const RefreshMsg& refreshMsg);
    ~OmmIProviderConfig() override;
    OmmIProviderConfig(const OmmIProviderConfig&) = delete;
    OmmIProviderConfig& operator=(const OmmIProviderConfig&) = delete;
    OmmIProviderConfig& securityProtocol(int securityProtocol);
    OmmIProviderConfig& workerThreadBind(const EmaString& cpuString);
    OmmIProviderConfig& apiThreadBind(const EmaString& cpuString);
    OmmIProviderConfig& shouldInitializeCPUIDlib(bool shouldInitialize);

private:
    friend struct emissary::ema::ConfigAccess;
    std::unique_ptr<emissary::ema::IProviderConfigImpl> impl_;
};

}  // namespace refinitiv::ema::access
