// ema/session/discovery: queries the REST service with a credential or token, and hands the endpoints to the
// application.
#include "Access/Include/ServiceEndpointDiscovery.h"

#include "Access/Include/OmmInvalidUsageException.h"
#include "config/ema_text.h"
#include "errors/raise.h"
#include "eta/core/Clock.h"
#include "eta/core/printable.h"
#include "rest/HttpClient.h"
#include "rest/discovery.h"
#include "rest/form.h"
#include "rest/token.h"
#include "session/discovery/service_discovery.h"

#include <string>
#include <vector>

namespace emissary::ema {

/// What stays from one question to the next.
struct ServiceEndpointDiscoveryImpl {
    ServiceEndpointDiscoveryConfigImpl config;
    std::unique_ptr<rest::HttpClient> http;  ///< with the first question
    std::string tokenUrl[2], discoveryUrl;   ///< V1, V2; permanent redirects change them

    void use(const ServiceEndpointDiscoveryConfigImpl& given) {
        config = given;
        const auto orDefault = [](const auto& url, const char* otherwise) {
            return url.empty() ? std::string(otherwise) : toText(url);
        };
        tokenUrl[0] = orDefault(given.tokenServiceUrlV1, rest::kDefaultTokenUrlV1);
        tokenUrl[1] = orDefault(given.tokenServiceUrlV2, rest::kDefaultTokenUrlV2);
        discoveryUrl = orDefault(given.serviceDiscoveryUrl, rest::kDefaultDiscoveryUrl);
    }
    [[nodiscard]] rest::HttpAnswer ask(rest::HttpRequest request);
};

namespace {

using Option = ServiceEndpointDiscoveryOptionImpl;

[[nodiscard]] rest::Secret secretOf(const refinitiv::ema::access::EmaString& s) {
    return rest::Secret({s.c_str(), s.length()});
}

[[nodiscard]] rest::Credential credentialOf(const Option& o) {
    rest::Credential c;
    c.userName = toText(o.username);
    c.clientId = toText(o.clientId);
    c.audience = toText(o.audience);
    c.scope = toText(o.tokenScope);
    c.password = o.password;
    c.clientSecret = o.clientSecret;
    c.clientJwk = o.clientJwk;
    c.takeExclusiveSignOnControl = o.takeExclusiveSignOnControl;
    return c;
}

[[nodiscard]] rest::HttpRoute routeOf(const Option& o) {
    rest::HttpRoute route;
    route.proxyHost = toText(o.proxyHostName);
    route.proxyPort = toText(o.proxyPort);
    route.proxyUser = toText(o.proxyUserName);
    route.proxyDomain = toText(o.proxyDomain);
    route.proxyPassword = o.proxyPassword;
    return route;
}

/// Texts and order are the vendor's (credentials.md 8). V1 needs a client id here, which OmmConsumer does without.
void requireCredential(const rest::Credential& c) {
    const auto missing = [](const char* what) {
        throwInvalidUsage(
            std::string("ServiceEndpointDiscovery::registerClient(): Failed to query service discovery. ") + what,
            refinitiv::ema::access::OmmInvalidUsageException::InvalidArgumentEnum);
    };
    if (c.userName.empty() && c.clientId.empty()) missing("Required parameter username or clientId are not set");
    if (!c.complete())
        missing("Required parameter(one of the following) password, clientSecret, and clientJWK are not set");
    if (c.clientId.empty()) missing("Required parameter clientId is not set");
}

/// In this order (credentials.md 4); what was not chosen is left out.
[[nodiscard]] std::string discoveryUrl(std::string url, const Option& o) {
    using Public = Option::Public;
    if (o.dataFormat != Public::UnknownDataFormatEnum)
        url = rest::withQuery(std::move(url), "dataformat", o.dataFormat == Public::RwfEnum ? "rwf" : "tr_json2");
    if (o.transport != Public::UnknownTransportEnum)
        url = rest::withQuery(std::move(url), "transport", o.transport == Public::TcpEnum ? "tcp" : "websocket");
    return url;
}

[[nodiscard]] refinitiv::ema::access::EmaString emaString(const std::string& s) {
    return {s.data(), static_cast<refinitiv::ema::access::UInt32>(s.size())};
}

/// A copy in the public types, which the application may keep.
[[nodiscard]] std::unique_ptr<ServiceEndpointDiscoveryAccess::Resp>
responseOf(const std::vector<rest::ServiceEndpoint>& services) {
    const auto list = [](const std::vector<std::string>& from) {
        ServiceEndpointDiscoveryAccess::Strings to;
        for (const std::string& each : from)
            to.push_back(emaString(each));
        return to;
    };
    auto response = ServiceEndpointDiscoveryAccess::response();
    for (const rest::ServiceEndpoint& s : services)
        ServiceEndpointDiscoveryAccess::add(*response, emaString(s.provider), emaString(s.transport),
                                            emaString(s.endpoint), emaString(s.port), list(s.dataFormats),
                                            list(s.locations));
    return response;
}

}  // namespace

rest::HttpAnswer ServiceEndpointDiscoveryImpl::ask(rest::HttpRequest request) {
    if (!http)
        // The first question loads libcurl and starts the thread (ADR 15).
        orThrowSystem([this] {
            http = std::make_unique<rest::HttpClient>(
                rest::HttpClientOptions{.threadName = "ema-discovery", .library = toText(config.libCurlName)});
        });
    if (config.restEnableLog) request.tracing = config.restVerboseMode ? rest::Tracing::verbose : rest::Tracing::masked;
    rest::HttpAnswer answer = http->perform(std::move(request));
    std::FILE* const to = config.restLogOutputStream != nullptr ? config.restLogOutputStream : stdout;
    // The REST thread only collects entries; they are written by the thread that asked.
    for (const std::string& entry : answer.trace)
        std::fputs(entry.c_str(), to);
    if (!answer.trace.empty()) std::fflush(to);
    return answer;
}

}  // namespace emissary::ema

namespace refinitiv::ema::access {

using namespace emissary::ema;

// --- ServiceEndpointDiscovery ----------------------------------------------------------------------------------------

ServiceEndpointDiscovery::ServiceEndpointDiscovery()
    : ServiceEndpointDiscovery(EmaString(), EmaString(), EmaString()) {}
ServiceEndpointDiscovery::ServiceEndpointDiscovery(const EmaString& tokenServiceURLV1)
    : ServiceEndpointDiscovery(tokenServiceURLV1, EmaString(), EmaString()) {}
ServiceEndpointDiscovery::ServiceEndpointDiscovery(const EmaString& tokenServiceURLV1,
                                                   const EmaString& serviceDiscoveryURL)
    : ServiceEndpointDiscovery(tokenServiceURLV1, EmaString(), serviceDiscoveryURL) {}
ServiceEndpointDiscovery::ServiceEndpointDiscovery(const EmaString& tokenServiceURLV1,
                                                   const EmaString& tokenServiceURLV2,
                                                   const EmaString& serviceDiscoveryURL)
    : impl_(std::make_unique<ServiceEndpointDiscoveryImpl>()) {
    ServiceEndpointDiscoveryConfigImpl config;
    config.tokenServiceUrlV1 = tokenServiceURLV1;
    config.tokenServiceUrlV2 = tokenServiceURLV2;
    config.serviceDiscoveryUrl = serviceDiscoveryURL;
    impl_->use(config);
}
ServiceEndpointDiscovery::ServiceEndpointDiscovery(const ServiceEndpointDiscoveryConfig& config)
    : impl_(std::make_unique<ServiceEndpointDiscoveryImpl>()) {
    impl_->use(*config.impl_);
}
ServiceEndpointDiscovery::~ServiceEndpointDiscovery() = default;

/// Token, endpoints and callback, all before it returns, on the caller's thread (credentials.md 8). A wrong option
/// throws; what the services answer goes to the client.
void ServiceEndpointDiscovery::registerClient(const ServiceEndpointDiscoveryOption& params,
                                              ServiceEndpointDiscoveryClient& client, void* closure) {
    namespace rest = emissary::rest;
    const rest::Credential credential = credentialOf(*params.impl_);
    requireCredential(credential);
    const auto event = ServiceEndpointDiscoveryAccess::event(*this, closure);
    const auto fail = [&](const std::string& text) { client.onError(emaString(text), event); };

    const rest::Grant grant = rest::firstGrant(credential);
    std::string& tokenUrl = impl_->tokenUrl[credential.byPassword() ? 0 : 1];
    rest::HttpRequest request;
    request.url = tokenUrl;
    request.route = routeOf(*params.impl_);
    const auto now = std::chrono::seconds(emissary::eta::WallClock::seconds());
    if (const auto refused = rest::makeTokenForm(grant, credential, rest::Secret(), now, request.form))
        return fail("Failed to request authentication token information. Text: " + refused.text);
    // ask() takes the request away with its route.
    rest::HttpRequest next;
    next.route = request.route;
    rest::HttpAnswer answer = impl_->ask(std::move(request));
    if (!answer.movedTo.empty()) tokenUrl = answer.movedTo;
    rest::Token token;
    if (answer.good())
        if (auto refused = rest::readToken(answer.body, grant, token)) answer.failure = std::move(refused.text);
    if (!answer.good()) return fail(rest::describeTokenFailure(answer, rest::TokenRequest::first, credential));

    next.url = discoveryUrl(impl_->discoveryUrl, *params.impl_);
    next.bearer = token.access;
    next.bearerType = token.type;
    answer = impl_->ask(std::move(next));
    if (!answer.movedTo.empty()) impl_->discoveryUrl = answer.movedTo;
    std::vector<rest::ServiceEndpoint> services;
    if (answer.good())
        if (auto refused = rest::readServices(answer.body, services)) answer.failure = std::move(refused.text);
    if (!answer.good()) return fail(rest::describeDiscoveryFailure(answer, token.access));
    client.onSuccess(*responseOf(services), event);
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
    impl_->password = secretOf(password);
    return *this;
}
ServiceEndpointDiscoveryOption& ServiceEndpointDiscoveryOption::clientId(const EmaString& clientId) {
    impl_->clientId = clientId;
    return *this;
}
ServiceEndpointDiscoveryOption& ServiceEndpointDiscoveryOption::clientSecret(const EmaString& clientSecret) {
    impl_->clientSecret = secretOf(clientSecret);
    return *this;
}
ServiceEndpointDiscoveryOption& ServiceEndpointDiscoveryOption::clientJWK(const EmaString& clientJWK) {
    impl_->clientJwk = secretOf(clientJWK);
    return *this;
}
ServiceEndpointDiscoveryOption& ServiceEndpointDiscoveryOption::audience(const EmaString& audience) {
    impl_->audience = audience;
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
    impl_->proxyPassword = secretOf(proxyPassword);
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
    std::string text = "Service Endpoint Discovery Info\n";
    // What a service has answered must not steer the reader's terminal.
    const auto put = [&text](const EmaString& received) {
        emissary::eta::appendPrintable(text, {received.c_str(), received.length()});
    };
    const auto one = [&](const char* key, const EmaString& value) {
        text.append("\t").append(key).append(": ");
        put(value);
        text += '\n';
    };
    const auto list = [&](const char* key, const EmaVector<EmaString>& items) {
        text.append("\t").append(key).append(":");
        for (UInt32 i = 0; i < items.size(); ++i) {
            text.append(i == 0 ? " " : ", ");
            put(items[i]);
        }
        text += '\n';
    };
    one("provider", provider_);
    one("transport", transport_);
    one("endpoint", endPoint_);
    one("port", port_);
    list("data formats", dataFormats_);
    list("locations", locations_);
    return text_.set(text.data(), static_cast<UInt32>(text.size()));
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
