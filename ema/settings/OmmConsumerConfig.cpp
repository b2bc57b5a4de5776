// OmmConsumerConfig (ema-api.md 6.3). Setters note what was asked for; the resolver checks it when a consumer is made.
#include "Access/Include/OmmConsumerConfig.h"

#include "config/ProgrammaticConfigReader.h"
#include "config/ema_text.h"
#include "errors/raise.h"
#include "rdm/DictionaryAccess.h"
#include "settings/ConfigAccess.h"
#include "settings/configuration_object.h"

#include "Access/Include/OAuth2Credential.h"
#include "Access/Include/OmmInvalidUsageException.h"
#include "Access/Include/ServiceList.h"
#include "Rdm/Include/DataDictionary.h"

#include <memory>
#include <string>

namespace refinitiv::ema::access {

using namespace emissary::ema;

namespace {

constexpr const char* kClass = "OmmConsumerConfig";

/// Takes the request for one of the two dictionaries. One that cannot be used is left out, which the log says: the
/// built-in request stands.
void takeDictionaryRequest(ConsumerConfigImpl& impl, const ReqMsg& request) {
    const auto leaveOut = [&](const std::string& why) {
        impl.records.push_back({LogSeverity::error, std::string(kClass) + "::addAdminMsg: " + why +
                                                        "; the request is ignored and the built-in one is used"});
    };
    if (!request.hasName() || !(request.hasServiceName() || request.hasServiceId()) || !request.hasFilter())
        return leaveOut("a dictionary request needs a name, a service and a filter");
    const std::string name = toText(request.getName());
    if (name != "RWFFld" && name != "RWFEnum")
        return leaveOut("unknown dictionary [" + name + "]; it must be RWFFld or RWFEnum");
    (name == "RWFFld" ? impl.fieldDictionaryRequest : impl.enumDictionaryRequest) = std::make_unique<ReqMsg>(request);
}

[[nodiscard]] emissary::rest::Secret secretOf(const EmaString& s) {
    return emissary::rest::Secret({s.c_str(), s.length()});
}

/// The client's callback changes the application's own object.
void addCredential(ConsumerConfigImpl& impl, const OAuth2Credential& given, const OmmOAuth2ConsumerClient* client,
                   void* closure) {
    OAuthSource source;
    source.credential.userName = toText(given.getUserName());
    source.credential.clientId = toText(given.getClientId());
    source.credential.audience = toText(given.getAudience());
    source.credential.scope = toText(given.getTokenScope());
    source.credential.password = secretOf(given.getPassword());
    source.credential.clientSecret = secretOf(given.getClientSecret());
    source.credential.clientJwk = secretOf(given.getClientJWK());
    source.credential.takeExclusiveSignOnControl = given.getTakeExclusiveSignOnControl();
    source.channels = splitList(toText(given.getChannelList()));
    source.client = const_cast<OmmOAuth2ConsumerClient*>(client);
    source.closure = closure;
    impl.credentials.oauth.push_back(std::move(source));
}

void addLogin(ConsumerConfigImpl& impl, const ReqMsg& request, const EmaString& channelList,
              const OmmLoginCredentialConsumerClient* client, void* closure) {
    if (request.getDomainType() != refinitiv::ema::rdm::MMT_LOGIN)
        throwInvalidUsage("OmmConsumerConfig::addLoginMsgCredential: domain " +
                              std::to_string(request.getDomainType()) + " is not the login's",
                          OmmInvalidUsageException::InvalidArgumentEnum);
    impl.credentials.logins.push_back({std::make_shared<const ReqMsg>(request), splitList(toText(channelList)),
                                       const_cast<OmmLoginCredentialConsumerClient*>(client), closure});
}

}  // namespace

OmmConsumerConfig::OmmConsumerConfig() : OmmConsumerConfig(EmaString()) {}

OmmConsumerConfig::OmmConsumerConfig(const EmaString& path) : impl_(std::make_unique<ConsumerConfigImpl>()) {
    readConfiguration(path, impl_->configuration);
}

/// A consumer without session management sends the password in its login, so it is kept as a string. What is for tokens
/// is kept in Secrets, which wipe themselves.
OmmConsumerConfig::~OmmConsumerConfig() {
    if (auto& password = impl_->calls.password) emissary::rest::wipe(password->data(), password->size());
}

OmmConsumerConfig& OmmConsumerConfig::clear() {
    forgetCalls(*impl_);
    return *this;
}
OmmConsumerConfig& OmmConsumerConfig::username(const EmaString& username) {
    impl_->calls.userName = toText(username);
    return *this;
}
OmmConsumerConfig& OmmConsumerConfig::password(const EmaString& password) {
    impl_->calls.password = toText(password);
    return *this;
}
OmmConsumerConfig& OmmConsumerConfig::position(const EmaString& position) {
    impl_->calls.position = toText(position);
    return *this;
}
OmmConsumerConfig& OmmConsumerConfig::applicationId(const EmaString& applicationId) {
    impl_->calls.applicationId = toText(applicationId);
    return *this;
}
OmmConsumerConfig& OmmConsumerConfig::clientId(const EmaString& clientId) {
    impl_->credentials.clientId = toText(clientId);
    return *this;
}
OmmConsumerConfig& OmmConsumerConfig::clientSecret(const EmaString& clientSecret) {
    impl_->credentials.clientSecret = secretOf(clientSecret);
    return *this;
}
OmmConsumerConfig& OmmConsumerConfig::clientJWK(const EmaString& clientJWK) {
    impl_->credentials.clientJwk = secretOf(clientJWK);
    return *this;
}
OmmConsumerConfig& OmmConsumerConfig::audience(const EmaString& audience) {
    impl_->credentials.audience = toText(audience);
    return *this;
}
// What goes into `kept` is looked up by name when a consumer is made (config/transport_options.h); some connection
// types have no use for it.
OmmConsumerConfig& OmmConsumerConfig::tokenScope(const EmaString& tokenScope) {
    impl_->calls.kept.insert_or_assign("tokenScope", toText(tokenScope));
    return *this;
}
OmmConsumerConfig& OmmConsumerConfig::takeExclusiveSignOnControl(bool takeExclusiveSignOnControl) {
    impl_->calls.kept.insert_or_assign("takeExclusiveSignOnControl", std::to_string(takeExclusiveSignOnControl));
    return *this;
}
OmmConsumerConfig& OmmConsumerConfig::tokenServiceUrl(const EmaString& tokenServiceUrl) {
    return tokenServiceUrlV1(tokenServiceUrl);
}
OmmConsumerConfig& OmmConsumerConfig::tokenServiceUrlV1(const EmaString& tokenServiceUrl) {
    impl_->calls.kept.insert_or_assign("tokenServiceUrlV1", toText(tokenServiceUrl));
    return *this;
}
OmmConsumerConfig& OmmConsumerConfig::tokenServiceUrlV2(const EmaString& tokenServiceUrl) {
    impl_->calls.kept.insert_or_assign("tokenServiceUrlV2", toText(tokenServiceUrl));
    return *this;
}
OmmConsumerConfig& OmmConsumerConfig::serviceDiscoveryUrl(const EmaString& serviceDiscoveryUrl) {
    impl_->calls.kept.insert_or_assign("serviceDiscoveryUrl", toText(serviceDiscoveryUrl));
    return *this;
}
OmmConsumerConfig& OmmConsumerConfig::host(const EmaString& host) {
    parseHost(toText(host), "14002", impl_->calls);
    return *this;
}
OmmConsumerConfig& OmmConsumerConfig::operationModel(OperationModel operationModel) {
    impl_->calls.userDispatch = operationModel == UserDispatchEnum;
    return *this;
}
OmmConsumerConfig& OmmConsumerConfig::consumerName(const EmaString& consumerName) {
    impl_->calls.instanceName = toText(consumerName);
    return *this;
}
OmmConsumerConfig& OmmConsumerConfig::tunnelingProxyHostName(const EmaString& proxyHostName) {
    impl_->calls.kept.insert_or_assign("tunnelingProxyHostName", toText(proxyHostName));
    return *this;
}
OmmConsumerConfig& OmmConsumerConfig::tunnelingProxyPort(const EmaString& proxyPort) {
    impl_->calls.kept.insert_or_assign("tunnelingProxyPort", toText(proxyPort));
    return *this;
}
OmmConsumerConfig& OmmConsumerConfig::tunnelingSecurityProtocol(int securityProtocol) {
    impl_->calls.kept.insert_or_assign("tunnelingSecurityProtocol", std::to_string(securityProtocol));
    return *this;
}
OmmConsumerConfig& OmmConsumerConfig::tunnelingObjectName(const EmaString& objectName) {
    impl_->calls.kept.insert_or_assign("tunnelingObjectName", toText(objectName));
    return *this;
}
OmmConsumerConfig& OmmConsumerConfig::tunnelingLibSslName(const EmaString& libsslName) {
    impl_->calls.kept.insert_or_assign("tunnelingLibSslName", toText(libsslName));
    return *this;
}
OmmConsumerConfig& OmmConsumerConfig::tunnelingLibCryptoName(const EmaString& libcryptoName) {
    impl_->calls.kept.insert_or_assign("tunnelingLibCryptoName", toText(libcryptoName));
    return *this;
}
OmmConsumerConfig& OmmConsumerConfig::libcurlName(const EmaString& libcurlName) {
    impl_->calls.kept.insert_or_assign("libcurlName", toText(libcurlName));
    return *this;
}
OmmConsumerConfig& OmmConsumerConfig::proxyUserName(const EmaString& proxyUserName) {
    impl_->calls.kept.insert_or_assign("proxyUserName", toText(proxyUserName));
    return *this;
}
OmmConsumerConfig& OmmConsumerConfig::proxyPasswd(const EmaString& proxyPasswd) {
    impl_->calls.kept.insert_or_assign("proxyPasswd", toText(proxyPasswd));
    return *this;
}
OmmConsumerConfig& OmmConsumerConfig::proxyDomain(const EmaString& proxyDomain) {
    impl_->calls.kept.insert_or_assign("proxyDomain", toText(proxyDomain));
    return *this;
}
OmmConsumerConfig& OmmConsumerConfig::sslCAStore(const EmaString& sslCAStore) {
    impl_->calls.kept.insert_or_assign("sslCAStore", toText(sslCAStore));
    return *this;
}
OmmConsumerConfig& OmmConsumerConfig::config(const Data& config) {
    addProgrammaticConfig(config, impl_->configuration);
    return *this;
}
// Of several messages of one domain, the last one counts; dictionaries are two.
OmmConsumerConfig& OmmConsumerConfig::addAdminMsg(const ReqMsg& reqMsg) {
    using namespace refinitiv::ema::rdm;
    switch (reqMsg.getDomainType()) {
    case MMT_LOGIN:
        impl_->loginRequest = std::make_unique<ReqMsg>(reqMsg);
        return *this;
    case MMT_DIRECTORY:
        impl_->directoryRequest = std::make_unique<ReqMsg>(reqMsg);
        return *this;
    case MMT_DICTIONARY:
        takeDictionaryRequest(*impl_, reqMsg);
        return *this;
    default:
        badAdminMsg(kClass, "domain " + std::to_string(reqMsg.getDomainType()) +
                                " is not an administrative one; it must be login, directory or dictionary");
    }
}
OmmConsumerConfig& OmmConsumerConfig::restLoggingCallback(OmmRestLoggingClient& ommRestLoggingClient, void* closure) {
    impl_->credentials.restLogging = &ommRestLoggingClient;
    impl_->credentials.restLoggingClosure = closure;
    return *this;
}
OmmConsumerConfig& OmmConsumerConfig::addOAuth2Credential(const OAuth2Credential& credential) {
    addCredential(*impl_, credential, nullptr, nullptr);
    return *this;
}
OmmConsumerConfig& OmmConsumerConfig::addOAuth2Credential(const OAuth2Credential& credential,
                                                          const OmmOAuth2ConsumerClient& client) {
    return addOAuth2Credential(credential, client, nullptr);
}
OmmConsumerConfig& OmmConsumerConfig::addOAuth2Credential(const OAuth2Credential& credential,
                                                          const OmmOAuth2ConsumerClient& client, void* closure) {
    addCredential(*impl_, credential, &client, closure);
    return *this;
}
OmmConsumerConfig& OmmConsumerConfig::addLoginMsgCredential(const ReqMsg& loginReq, const EmaString& channelList) {
    addLogin(*impl_, loginReq, channelList, nullptr, nullptr);
    return *this;
}
OmmConsumerConfig& OmmConsumerConfig::addLoginMsgCredential(const ReqMsg& loginReq, const EmaString& channelList,
                                                            const OmmLoginCredentialConsumerClient& client) {
    return addLoginMsgCredential(loginReq, channelList, client, nullptr);
}
OmmConsumerConfig& OmmConsumerConfig::addLoginMsgCredential(const ReqMsg& loginReq, const EmaString& channelList,
                                                            const OmmLoginCredentialConsumerClient& client,
                                                            void* closure) {
    addLogin(*impl_, loginReq, channelList, &client, closure);
    return *this;
}
OmmConsumerConfig& OmmConsumerConfig::workerThreadBind(const EmaString& cpuString) {
    impl_->calls.workerThreadBind = toText(cpuString);
    return *this;
}
OmmConsumerConfig& OmmConsumerConfig::apiThreadBind(const EmaString& cpuString) {
    impl_->calls.apiThreadBind = toText(cpuString);
    return *this;
}
OmmConsumerConfig& OmmConsumerConfig::shouldInitializeCPUIDlib(bool shouldInitialize) {
    impl_->calls.kept.insert_or_assign("shouldInitializeCPUIDlib", std::to_string(shouldInitialize));
    return *this;
}
// Without a copy the application keeps the dictionary alive as long as consumers made from this object.
OmmConsumerConfig& OmmConsumerConfig::dataDictionary(const refinitiv::ema::rdm::DataDictionary& dictionary,
                                                     bool shouldCopyIntoAPI) {
    const emissary::eta::dictionary::Dictionary& content = DictionaryAccess::get(dictionary);
    if (!content.hasFields() || !content.hasEnums())
        throwInvalidUsage(std::string("OmmConsumerConfig::dataDictionary: the dictionary holds no ") +
                              (content.hasFields() ? "enumerated types" : "fields") + "; both must be loaded",
                          OmmInvalidUsageException::InvalidArgumentEnum);
    impl_->ownDictionary.reset();
    if (shouldCopyIntoAPI) impl_->ownDictionary = std::make_shared<refinitiv::ema::rdm::DataDictionary>(dictionary);
    impl_->dictionary = shouldCopyIntoAPI ? impl_->ownDictionary.get() : &dictionary;
    return *this;
}
// Names are unique, and the services are copied: the list may end before the configuration.
OmmConsumerConfig& OmmConsumerConfig::addServiceList(const ServiceList& serviceList) {
    const auto refuse = [](const std::string& why) {
        throwInvalidUsage("OmmConsumerConfig::addServiceList: " + why, OmmInvalidUsageException::InvalidArgumentEnum);
    };
    const std::string name = toText(serviceList.name());
    if (name.empty()) refuse("the service list has no name");
    for (const auto& [known, services] : impl_->serviceLists)
        if (known == name) refuse("a service list named '" + name + "' was added before");
    std::vector<std::string> services;
    ServiceList copy(serviceList);  // its only getter is not const
    for (UInt32 i = 0; i < copy.concreteServiceList().size(); ++i)
        services.push_back(toText(copy.concreteServiceList()[i]));
    if (services.empty()) refuse("the service list '" + name + "' names no service; use ServiceList::addService()");
    impl_->serviceLists.emplace_back(name, std::move(services));
    return *this;
}
// Numbers that are no enumerator can only come from casts; unsupported types are refused when a consumer is made.
OmmConsumerConfig& OmmConsumerConfig::channelType(EmaConfig::ConnectionTypeEnum channelType) {
    switch (channelType) {
    case EmaConfig::ConnectionTypeEnum::SOCKET:
    case EmaConfig::ConnectionTypeEnum::ENCRYPTED:
    case EmaConfig::ConnectionTypeEnum::HTTP:
    case EmaConfig::ConnectionTypeEnum::WEBSOCKET:
        impl_->calls.channelType = static_cast<std::int64_t>(channelType);
        return *this;
    }
    throwInvalidUsage("OmmConsumerConfig::channelType: no connection type has the value " +
                          std::to_string(static_cast<int>(channelType)),
                      OmmInvalidUsageException::InvalidArgumentEnum);
}
OmmConsumerConfig& OmmConsumerConfig::encryptedProtocolType(EmaConfig::EncryptedProtocolTypeEnum encProtocolType) {
    switch (encProtocolType) {
    case EmaConfig::EncryptedProtocolTypeEnum::SOCKET:
    case EmaConfig::EncryptedProtocolTypeEnum::HTTP:
    case EmaConfig::EncryptedProtocolTypeEnum::WEBSOCKET:
        impl_->calls.kept.insert_or_assign("encryptedProtocolType", std::to_string(static_cast<int>(encProtocolType)));
        return *this;
    }
    throwInvalidUsage("OmmConsumerConfig::encryptedProtocolType: no protocol has the value " +
                          std::to_string(static_cast<int>(encProtocolType)),
                      OmmInvalidUsageException::InvalidArgumentEnum);
}
OmmConsumerConfig& OmmConsumerConfig::restProxyHostName(const EmaString& proxyHostName) {
    impl_->calls.kept.insert_or_assign("restProxyHostName", toText(proxyHostName));
    return *this;
}
OmmConsumerConfig& OmmConsumerConfig::restProxyPort(const EmaString& proxyPort) {
    impl_->calls.kept.insert_or_assign("restProxyPort", toText(proxyPort));
    return *this;
}
OmmConsumerConfig& OmmConsumerConfig::restProxyUserName(const EmaString& proxyUserName) {
    impl_->calls.kept.insert_or_assign("restProxyUserName", toText(proxyUserName));
    return *this;
}
OmmConsumerConfig& OmmConsumerConfig::restProxyPasswd(const EmaString& proxyPasswd) {
    impl_->calls.kept.insert_or_assign("restProxyPasswd", toText(proxyPasswd));
    return *this;
}
OmmConsumerConfig& OmmConsumerConfig::restProxyDomain(const EmaString& proxyDomain) {
    impl_->calls.kept.insert_or_assign("restProxyDomain", toText(proxyDomain));
    return *this;
}

}  // namespace refinitiv::ema::access
