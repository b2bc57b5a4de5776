// OmmNiProviderConfig (ema-api.md 7.3). Setters note what was asked for; the resolver checks it when a provider is
// made.
#include "Access/Include/OmmNiProviderConfig.h"

#include "config/ProgrammaticConfigReader.h"
#include "config/ema_text.h"
#include "settings/ConfigAccess.h"
#include "settings/configuration_object.h"

#include <memory>
#include <string>

namespace refinitiv::ema::access {

using namespace emissary::ema;

namespace {

constexpr const char* kClass = "OmmNiProviderConfig";

}  // namespace

OmmNiProviderConfig::OmmNiProviderConfig() : OmmNiProviderConfig(EmaString()) {}

OmmNiProviderConfig::OmmNiProviderConfig(const EmaString& path) : impl_(std::make_unique<NiProviderConfigImpl>()) {
    readConfiguration(path, impl_->configuration);
}

OmmNiProviderConfig::~OmmNiProviderConfig() = default;

OmmProviderConfig::ProviderRole OmmNiProviderConfig::getProviderRole() const {
    return NonInteractiveEnum;
}
OmmNiProviderConfig& OmmNiProviderConfig::clear() {
    forgetCalls(*impl_);
    return *this;
}
OmmNiProviderConfig& OmmNiProviderConfig::username(const EmaString& username) {
    impl_->calls.userName = toText(username);
    return *this;
}
OmmNiProviderConfig& OmmNiProviderConfig::password(const EmaString& password) {
    impl_->calls.password = toText(password);
    return *this;
}
OmmNiProviderConfig& OmmNiProviderConfig::position(const EmaString& position) {
    impl_->calls.position = toText(position);
    return *this;
}
OmmNiProviderConfig& OmmNiProviderConfig::applicationId(const EmaString& applicationId) {
    impl_->calls.applicationId = toText(applicationId);
    return *this;
}
OmmNiProviderConfig& OmmNiProviderConfig::instanceId(const EmaString& instanceId) {
    impl_->calls.instanceId = toText(instanceId);
    return *this;
}
OmmNiProviderConfig& OmmNiProviderConfig::host(const EmaString& host) {
    // 14003 is where servers take publishers; 14002, the default of consumers, is where they take consumers.
    parseHost(toText(host), "14003", impl_->calls);
    return *this;
}
OmmNiProviderConfig& OmmNiProviderConfig::operationModel(OperationModel operationModel) {
    impl_->calls.userDispatch = operationModel == UserDispatchEnum;
    return *this;
}
OmmNiProviderConfig& OmmNiProviderConfig::adminControlDirectory(AdminControl control) {
    impl_->calls.directoryByUser = control == UserControlEnum;
    return *this;
}
OmmNiProviderConfig& OmmNiProviderConfig::providerName(const EmaString& providerName) {
    impl_->calls.instanceName = toText(providerName);
    return *this;
}
OmmNiProviderConfig& OmmNiProviderConfig::tunnelingProxyHostName(const EmaString& proxyHostName) {
    impl_->calls.kept.insert_or_assign("tunnelingProxyHostName", toText(proxyHostName));
    return *this;
}
OmmNiProviderConfig& OmmNiProviderConfig::tunnelingProxyPort(const EmaString& proxyPort) {
    impl_->calls.kept.insert_or_assign("tunnelingProxyPort", toText(proxyPort));
    return *this;
}
OmmNiProviderConfig& OmmNiProviderConfig::tunnelingSecurityProtocol(int securityProtocol) {
    impl_->calls.kept.insert_or_assign("tunnelingSecurityProtocol", std::to_string(securityProtocol));
    return *this;
}
OmmNiProviderConfig& OmmNiProviderConfig::tunnelingObjectName(const EmaString& objectName) {
    impl_->calls.kept.insert_or_assign("tunnelingObjectName", toText(objectName));
    return *this;
}
OmmNiProviderConfig& OmmNiProviderConfig::tunnelingLibSslName(const EmaString& libsslName) {
    impl_->calls.kept.insert_or_assign("tunnelingLibSslName", toText(libsslName));
    return *this;
}
OmmNiProviderConfig& OmmNiProviderConfig::tunnelingLibCryptoName(const EmaString& libcryptoName) {
    impl_->calls.kept.insert_or_assign("tunnelingLibCryptoName", toText(libcryptoName));
    return *this;
}
OmmNiProviderConfig& OmmNiProviderConfig::libcurlName(const EmaString& libcurlName) {
    impl_->calls.kept.insert_or_assign("libcurlName", toText(libcurlName));
    return *this;
}
OmmNiProviderConfig& OmmNiProviderConfig::proxyUserName(const EmaString& proxyUserName) {
    impl_->calls.kept.insert_or_assign("proxyUserName", toText(proxyUserName));
    return *this;
}
OmmNiProviderConfig& OmmNiProviderConfig::proxyPasswd(const EmaString& proxyPasswd) {
    impl_->calls.kept.insert_or_assign("proxyPasswd", toText(proxyPasswd));
    return *this;
}
OmmNiProviderConfig& OmmNiProviderConfig::proxyDomain(const EmaString& proxyDomain) {
    impl_->calls.kept.insert_or_assign("proxyDomain", toText(proxyDomain));
    return *this;
}
OmmNiProviderConfig& OmmNiProviderConfig::sslCAStore(const EmaString& sslCAStore) {
    impl_->calls.kept.insert_or_assign("sslCAStore", toText(sslCAStore));
    return *this;
}
OmmNiProviderConfig& OmmNiProviderConfig::config(const Data& config) {
    addProgrammaticConfig(config, impl_->configuration);
    return *this;
}
OmmNiProviderConfig& OmmNiProviderConfig::addAdminMsg(const ReqMsg& reqMsg) {
    if (reqMsg.getDomainType() != refinitiv::ema::rdm::MMT_LOGIN)
        badAdminMsg(kClass, "domain " + std::to_string(reqMsg.getDomainType()) + " of the request is not login's");
    impl_->loginRequest = std::make_unique<ReqMsg>(reqMsg);
    return *this;
}
OmmNiProviderConfig& OmmNiProviderConfig::addAdminMsg(const RefreshMsg& refreshMsg) {
    impl_->directoryRefresh = directoryRefresh(kClass, refreshMsg);
    return *this;
}
OmmNiProviderConfig& OmmNiProviderConfig::workerThreadBind(const EmaString& cpuString) {
    impl_->calls.workerThreadBind = toText(cpuString);
    return *this;
}
OmmNiProviderConfig& OmmNiProviderConfig::apiThreadBind(const EmaString& cpuString) {
    impl_->calls.apiThreadBind = toText(cpuString);
    return *this;
}
OmmNiProviderConfig& OmmNiProviderConfig::shouldInitializeCPUIDlib(bool shouldInitialize) {
    impl_->calls.kept.insert_or_assign("shouldInitializeCPUIDlib", std::to_string(shouldInitialize));
    return *this;
}

}  // namespace refinitiv::ema::access
