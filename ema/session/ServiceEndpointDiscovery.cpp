#include "Access/Include/ServiceEndpointDiscovery.h"

#include "Access/Include/OmmInvalidUsageException.h"
#include "errors/raise.h"
#include "session/service_discovery.h"

#include <string>

namespace emissary::ema {

struct ServiceEndpointDiscoveryImpl {
    ServiceEndpointDiscoveryConfigImpl config;
};

}  // namespace emissary::ema

namespace refinitiv::ema::access {

using emissary::ema::throwInvalidUsage;

// --- ServiceEndpointDiscovery ----------------------------------------------------------------------------------------

ServiceEndpointDiscovery::ServiceEndpointDiscovery()
    : impl_(std::make_unique<emissary::ema::ServiceEndpointDiscoveryImpl>()) {}
ServiceEndpointDiscovery::ServiceEndpointDiscovery(const EmaString& tokenServiceURLV1) : ServiceEndpointDiscovery() {
    impl_->config.tokenServiceUrlV1 = tokenServiceURLV1;
}
ServiceEndpointDiscovery::ServiceEndpointDiscovery(const EmaString& tokenServiceURLV1,
                                                   const EmaString& serviceDiscoveryURL)
    : ServiceEndpointDiscovery(tokenServiceURLV1) {
    impl_->config.serviceDiscoveryUrl = serviceDiscoveryURL;
}
ServiceEndpointDiscovery::ServiceEndpointDiscovery(const EmaString& tokenServiceURLV1,
                                                   const EmaString& tokenServiceURLV2,
                                                   const EmaString& serviceDiscoveryURL)
    : ServiceEndpointDiscovery(tokenServiceURLV1, serviceDiscoveryURL) {
    impl_->config.tokenServiceUrlV2 = tokenServiceURLV2;
}
ServiceEndpointDiscovery::ServiceEndpointDiscovery(const ServiceEndpointDiscoveryConfig& config)
    : ServiceEndpointDiscovery() {
    impl_->config = *config.impl_;
}
ServiceEndpointDiscovery::~ServiceEndpointDiscovery() = default;

void ServiceEndpointDiscovery::registerClient(const ServiceEndpointDiscoveryOption& params,
                                              ServiceEndpointDiscoveryClient&, void*) {
    const emissary::ema::ServiceEndpointDiscoveryOptionImpl& p = *params.impl_;
    const auto missing = [](const char* what) {
        throwInvalidUsage(std::string("ServiceEndpointDiscovery::registerClient(): no ") + what +
                              "; set it in the ServiceEndpointDiscoveryOption",
                          OmmInvalidUsageException::InvalidArgumentEnum);
    };
    const bool byClient = p.username.empty() && !p.clientSecret.empty();
    if (byClient && p.clientId.empty()) missing("client id");
    if (!byClient && p.username.empty()) missing("user name (or client id and client secret)");
    if (!byClient && p.password.empty()) missing("password");
    emissary::ema::throwUnsupported("ServiceEndpointDiscovery::registerClient",
                                    "REST service discovery (configure Host and Port)");
}

// --- ServiceEndpointDiscoveryClient, ServiceEndpointDiscoveryEvent ---------------------------------------------------

ServiceEndpointDiscoveryClient::ServiceEndpointDiscoveryClient() noexcept = default;
ServiceEndpointDiscoveryClient::~ServiceEndpointDiscoveryClient() = default;
void ServiceEndpointDiscoveryClient::onSuccess(const ServiceEndpointDiscoveryResp&,
                                               const ServiceEndpointDiscoveryEvent&) {}
void ServiceEndpointDiscoveryClient::onError(const EmaString&, const ServiceEndpointDiscoveryEvent&) {}

ServiceEndpointDiscoveryEvent::ServiceEndpointDiscoveryEvent(ServiceEndpointDiscovery& discovery,
                                                             void* closure) noexcept
    : discovery_(&discovery), closure_(closure) {}
ServiceEndpointDiscoveryEvent::~ServiceEndpointDiscoveryEvent() = default;
void* ServiceEndpointDiscoveryEvent::getClosure() const {
    return closure_;
}
ServiceEndpointDiscovery& ServiceEndpointDiscoveryEvent::getServiceEndpointDiscovery() const {
    return *discovery_;
}

// --- ServiceEndpointDiscoveryConfig ----------------------------------------------------------------------------------

ServiceEndpointDiscoveryConfig::ServiceEndpointDiscoveryConfig() = default;
ServiceEndpointDiscoveryConfig::~ServiceEndpointDiscoveryConfig() = default;
void ServiceEndpointDiscoveryConfig::clear() {
    impl_.clear();
}
ServiceEndpointDiscoveryConfig& ServiceEndpointDiscoveryConfig::restLogOutputStream(FILE* restLogOutputStream) {
    impl_->restLogOutputStream = restLogOutputStream;
    return *this;
}
ServiceEndpointDiscoveryConfig& ServiceEndpointDiscoveryConfig::restEnableLog(bool restEnableLog) {
    impl_->restEnableLog = restEnableLog;
    return *this;
}
ServiceEndpointDiscoveryConfig& ServiceEndpointDiscoveryConfig::restVerboseMode(bool restVerboseMode) {
    impl_->restVerboseMode = restVerboseMode;
    return *this;
}
ServiceEndpointDiscoveryConfig& ServiceEndpointDiscoveryConfig::tokenServiceUrlV1(const EmaString& tokenServiceUrlV1) {
    impl_->tokenServiceUrlV1 = tokenServiceUrlV1;
    return *this;
}
ServiceEndpointDiscoveryConfig& ServiceEndpointDiscoveryConfig::tokenServiceUrlV2(const EmaString& tokenServiceUrlV2) {
    impl_->tokenServiceUrlV2 = tokenServiceUrlV2;
    return *this;
}
ServiceEndpointDiscoveryConfig&
ServiceEndpointDiscoveryConfig::serviceDiscoveryUrl(const EmaString& serviceDiscoveryUrl) {
    impl_->serviceDiscoveryUrl = serviceDiscoveryUrl;
    return *this;
}
ServiceEndpointDiscoveryConfig& ServiceEndpointDiscoveryConfig::libSslName(const EmaString& libSslName) {
    impl_->libSslName = libSslName;
    return *this;
}
ServiceEndpointDiscoveryConfig& ServiceEndpointDiscoveryConfig::libCryptoName(const EmaString& libCryptoName) {
    impl_->libCryptoName = libCryptoName;
    return *this;
}
ServiceEndpointDiscoveryConfig& ServiceEndpointDiscoveryConfig::libCurlName(const EmaString& libCurlName) {
    impl_->libCurlName = libCurlName;
    return *this;
}
ServiceEndpointDiscoveryConfig&
ServiceEndpointDiscoveryConfig::shouldInitializeCPUIDlib(bool shouldInitializeCPUIDlib) {
    impl_->shouldInitializeCPUIDlib = shouldInitializeCPUIDlib;
    return *this;
}

// --- ServiceEndpointDiscoveryOption ----------------------------------------------------------------------------------

ServiceEndpointDiscoveryOption::ServiceEndpointDiscoveryOption() = default;
ServiceEndpointDiscoveryOption::ServiceEndpointDiscoveryOption(const ServiceEndpointDiscoveryOption& other) = default;
ServiceEndpointDiscoveryOption&
ServiceEndpointDiscoveryOption::operator=(const ServiceEndpointDiscoveryOption& other) = default;
ServiceEndpointDiscoveryOption::~ServiceEndpointDiscoveryOption() = default;
ServiceEndpointDiscoveryOption& ServiceEndpointDiscoveryOption::clear() {
    impl_.clear();
    return *this;
}
ServiceEndpointDiscoveryOption& ServiceEndpointDiscoveryOption::username(const EmaString& username) {
    impl_->username = username;
    return *this;
}
ServiceEndpointDiscoveryOption& ServiceEndpointDiscoveryOption::password(const EmaString& password) {
    impl_->password = password;
    return *this;
}
ServiceEndpointDiscoveryOption& ServiceEndpointDiscoveryOption::clientId(const EmaString& clientId) {
    impl_->clientId = clientId;
    return *this;
}
ServiceEndpointDiscoveryOption& ServiceEndpointDiscoveryOption::clientSecret(const EmaString& clientSecret) {
    impl_->clientSecret = clientSecret;
    return *this;
}
ServiceEndpointDiscoveryOption& ServiceEndpointDiscoveryOption::tokenScope(const EmaString& tokenScope) {
    impl_->tokenScope = tokenScope;
    return *this;
}
ServiceEndpointDiscoveryOption&
ServiceEndpointDiscoveryOption::takeExclusiveSignOnControl(bool takeExclusiveSignOnControl) {
    impl_->takeExclusiveSignOnControl = takeExclusiveSignOnControl;
    return *this;
}
ServiceEndpointDiscoveryOption& ServiceEndpointDiscoveryOption::proxyHostName(const EmaString& proxyHostName) {
    impl_->proxyHostName = proxyHostName;
    return *this;
}
ServiceEndpointDiscoveryOption& ServiceEndpointDiscoveryOption::proxyPort(const EmaString& proxyPort) {
    impl_->proxyPort = proxyPort;
    return *this;
}
ServiceEndpointDiscoveryOption& ServiceEndpointDiscoveryOption::proxyUserName(const EmaString& proxyUserName) {
    impl_->proxyUserName = proxyUserName;
    return *this;
}
ServiceEndpointDiscoveryOption& ServiceEndpointDiscoveryOption::proxyPassword(const EmaString& proxyPassword) {
    impl_->proxyPassword = proxyPassword;
    return *this;
}
ServiceEndpointDiscoveryOption& ServiceEndpointDiscoveryOption::proxyDomain(const EmaString& proxyDomain) {
    impl_->proxyDomain = proxyDomain;
    return *this;
}
ServiceEndpointDiscoveryOption& ServiceEndpointDiscoveryOption::transprot(TransportProtocol transport) {
    return this->transport(transport);
}

namespace {

/// The enumerations of ServiceEndpointDiscoveryOption have the values 0 to 2.
template <class E>
E checked(E value, const char* setter) {
    const auto number = static_cast<int>(value);
    if (number < 0 || number > 2)
        throwInvalidUsage(std::string("ServiceEndpointDiscoveryOption::") + setter + "(): " + std::to_string(number) +
                              " is not a value of the enumeration; use one of its names",
                          OmmInvalidUsageException::InvalidArgumentEnum);
    return value;
}

}  // namespace

ServiceEndpointDiscoveryOption& ServiceEndpointDiscoveryOption::transport(TransportProtocol transport) {
    impl_->transport = checked(transport, "transport");
    return *this;
}
ServiceEndpointDiscoveryOption& ServiceEndpointDiscoveryOption::dataFormat(DataformatProtocol dataFormat) {
    impl_->dataFormat = checked(dataFormat, "dataFormat");
    return *this;
}

// --- ServiceEndpointDiscoveryInfo, ServiceEndpointDiscoveryResp ------------------------------------------------------

ServiceEndpointDiscoveryInfo::ServiceEndpointDiscoveryInfo() = default;
ServiceEndpointDiscoveryInfo::~ServiceEndpointDiscoveryInfo() = default;
ServiceEndpointDiscoveryInfo&
ServiceEndpointDiscoveryInfo::operator=(const ServiceEndpointDiscoveryInfo& other) = default;
const EmaVector<EmaString>& ServiceEndpointDiscoveryInfo::getDataFormatList() const {
    return dataFormats_;
}
const EmaString& ServiceEndpointDiscoveryInfo::getEndPoint() const {
    return endPoint_;
}
const EmaVector<EmaString>& ServiceEndpointDiscoveryInfo::getLocationList() const {
    return locations_;
}
const EmaString& ServiceEndpointDiscoveryInfo::getPort() const {
    return port_;
}
const EmaString& ServiceEndpointDiscoveryInfo::getProvider() const {
    return provider_;
}
const EmaString& ServiceEndpointDiscoveryInfo::getTransport() const {
    return transport_;
}
const EmaString& ServiceEndpointDiscoveryInfo::toString() const {
    const auto list = [this](const char* key, const EmaVector<EmaString>& items) {
        text_.append("\t").append(key).append(":");
        for (UInt32 i = 0; i < items.size(); ++i)
            text_.append(i == 0 ? " " : ", ").append(items[i]);
        text_.append("\n");
    };
    text_.set("Service Endpoint Discovery Info\n");
    text_.append("\tprovider: ").append(provider_).append("\n");
    text_.append("\ttransport: ").append(transport_).append("\n");
    text_.append("\tendpoint: ").append(endPoint_).append("\n");
    text_.append("\tport: ").append(port_).append("\n");
    list("data formats", dataFormats_);
    list("locations", locations_);
    return text_;
}
ServiceEndpointDiscoveryInfo::operator const char*() const {
    return toString().c_str();
}

ServiceEndpointDiscoveryResp::ServiceEndpointDiscoveryResp() = default;
ServiceEndpointDiscoveryResp::~ServiceEndpointDiscoveryResp() = default;
const EmaVector<ServiceEndpointDiscoveryInfo>& ServiceEndpointDiscoveryResp::getServiceEndpointInfoList() const {
    return entries_;
}
const EmaString& ServiceEndpointDiscoveryResp::toString() const {
    text_.clear();
    for (UInt32 i = 0; i < entries_.size(); ++i)
        text_.append(entries_[i].toString());
    return text_;
}
ServiceEndpointDiscoveryResp::operator const char*() const {
    return toString().c_str();
}

}  // namespace refinitiv::ema::access
