// OmmIProviderConfig (ema-api.md 7.3). Setters note what was asked for; the resolver checks it when a provider is made.
#include "Access/Include/OmmIProviderConfig.h"

#include "config/ProgrammaticConfigReader.h"
#include "config/ema_text.h"
#include "settings/ConfigAccess.h"
#include "settings/configuration_object.h"

#include <memory>
#include <string>

namespace refinitiv::ema::access {

using namespace emissary::ema;

namespace {

constexpr const char* kClass = "OmmIProviderConfig";

}  // namespace

// Here, and not in its header, so that the table of virtual functions of both kinds' base stands in one place.
OmmProviderConfig::~OmmProviderConfig() = default;

OmmIProviderConfig::OmmIProviderConfig() : OmmIProviderConfig(EmaString()) {}

OmmIProviderConfig::OmmIProviderConfig(const EmaString& path) : impl_(std::make_unique<IProviderConfigImpl>()) {
    readConfiguration(path, impl_->configuration);
}

OmmIProviderConfig::~OmmIProviderConfig() = default;

OmmProviderConfig::ProviderRole OmmIProviderConfig::getProviderRole() const {
    return InteractiveEnum;
}
OmmIProviderConfig& OmmIProviderConfig::clear() {
    forgetCalls(*impl_);
    return *this;
}
OmmIProviderConfig& OmmIProviderConfig::port(const EmaString& port) {
    impl_->calls.port = toText(port);
    return *this;
}
OmmIProviderConfig& OmmIProviderConfig::operationModel(OperationModel operationModel) {
    impl_->calls.userDispatch = operationModel == UserDispatchEnum;
    return *this;
}
OmmIProviderConfig& OmmIProviderConfig::adminControlDirectory(AdminControl control) {
    impl_->calls.directoryByUser = control == UserControlEnum;
    return *this;
}
OmmIProviderConfig& OmmIProviderConfig::adminControlDictionary(AdminControl control) {
    impl_->calls.dictionaryByUser = control == UserControlEnum;
    return *this;
}
OmmIProviderConfig& OmmIProviderConfig::providerName(const EmaString& providerName) {
    impl_->calls.instanceName = toText(providerName);
    return *this;
}
OmmIProviderConfig& OmmIProviderConfig::config(const Data& config) {
    addProgrammaticConfig(config, impl_->configuration);
    return *this;
}
OmmIProviderConfig& OmmIProviderConfig::libSslName(const EmaString& libsslName) {
    impl_->calls.kept.insert_or_assign("libSslName", toText(libsslName));
    return *this;
}
OmmIProviderConfig& OmmIProviderConfig::libCryptoName(const EmaString& libcryptoName) {
    impl_->calls.kept.insert_or_assign("libCryptoName", toText(libcryptoName));
    return *this;
}
OmmIProviderConfig& OmmIProviderConfig::libCurlName(const EmaString& libcurlName) {
    impl_->calls.kept.insert_or_assign("libCurlName", toText(libcurlName));
    return *this;
}
OmmIProviderConfig& OmmIProviderConfig::serverCert(const EmaString& serverCert) {
    impl_->calls.kept.insert_or_assign("serverCert", toText(serverCert));
    return *this;
}
OmmIProviderConfig& OmmIProviderConfig::serverPrivateKey(const EmaString& serverPrivateKey) {
    impl_->calls.kept.insert_or_assign("serverPrivateKey", toText(serverPrivateKey));
    return *this;
}
OmmIProviderConfig& OmmIProviderConfig::cipherSuite(const EmaString& cipherSuite) {
    impl_->calls.kept.insert_or_assign("cipherSuite", toText(cipherSuite));
    return *this;
}
OmmIProviderConfig& OmmIProviderConfig::dhParams(const EmaString& dhParams) {
    impl_->calls.kept.insert_or_assign("dhParams", toText(dhParams));
    return *this;
}
OmmIProviderConfig& OmmIProviderConfig::addAdminMsg(const RefreshMsg& refreshMsg) {
    impl_->directoryRefresh = directoryRefresh(kClass, refreshMsg);
    return *this;
}
OmmIProviderConfig& OmmIProviderConfig::securityProtocol(int securityProtocol) {
    impl_->calls.kept.insert_or_assign("securityProtocol", std::to_string(securityProtocol));
    return *this;
}
OmmIProviderConfig& OmmIProviderConfig::workerThreadBind(const EmaString& cpuString) {
    impl_->calls.workerThreadBind = toText(cpuString);
    return *this;
}
OmmIProviderConfig& OmmIProviderConfig::apiThreadBind(const EmaString& cpuString) {
    impl_->calls.apiThreadBind = toText(cpuString);
    return *this;
}
OmmIProviderConfig& OmmIProviderConfig::shouldInitializeCPUIDlib(bool shouldInitialize) {
    impl_->calls.kept.insert_or_assign("shouldInitializeCPUIDlib", std::to_string(shouldInitialize));
    return *this;
}

}  // namespace refinitiv::ema::access
