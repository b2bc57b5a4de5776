// ema/session/provider: copies settings, services and dictionaries into the options of both provider roles.
#include "session/provider/provider_options.h"

#include "Access/Include/OmmInvalidUsageException.h"
#include "config/options/services.h"
#include "config/services.h"
#include "domain/login_request.h"
#include "errors/raise.h"
#include "session/engine/Engine.h"
#include "session/engine/load_dictionary.h"
#include "settings/ProviderConfigImpl.h"

#include <algorithm>
#include <map>

namespace emissary::ema {

using reactor::ServedDictionary;

namespace {

constexpr std::uint8_t kTunnelDomain = 127;  // System

std::vector<reactor::rdm::Service> servicesOf(const std::vector<ServiceSettings>& settings) {
    std::vector<reactor::rdm::Service> services;
    for (const ServiceSettings& service : settings)
        services.push_back(toService(service));
    return services;
}

std::vector<ServedDictionary> servedDictionaries(const std::vector<ServiceSettings>& services, Engine& engine) {
    std::vector<ServedDictionary> served;
    // Services often share their files: each pair is read once. Of two dictionaries of one name, the first is served.
    std::map<std::pair<std::string, std::string>, SharedDictionary> loaded;  // by their files
    const auto serve = [&](const std::string& name, ServedDictionary::Kind kind, const SharedDictionary& dictionary) {
        const bool there = std::any_of(served.begin(), served.end(), [&](const auto& d) { return d.name == name; });
        if (!there) served.push_back({name, kind, dictionary});
    };
    for (const ServiceSettings& service : services) {
        for (const DictionarySettings& d : service.dictionariesProvided) {
            SharedDictionary& dictionary = loaded[{d.fieldFile, d.enumFile}];
            std::string error;
            if (!dictionary) dictionary = loadDictionary(engine, d, error);
            if (!dictionary) {
                engine.log("DictionaryHandler", LogSeverity::error, error);
                throwInvalidUsage("OmmProvider cannot load the dictionary of service '" + service.name + "': " + error,
                                  access::OmmInvalidUsageException::FailureEnum);
            }
            serve(d.fieldItemName, ServedDictionary::Kind::fields, dictionary);
            serve(d.enumItemName, ServedDictionary::Kind::enums, dictionary);
        }
    }
    return served;
}

/// The first file dictionary of the configured services knows the names.
SharedDictionary jsonDictionary(const NiProviderSettings& settings, Engine& engine) {
    // RWF has field ids, JSON has names: only a connection that may speak JSON needs a dictionary.
    if (!maySpeakJson(settings.channels)) return nullptr;
    const DictionarySettings* const names = fileDictionary(settings.services);
    if (names == nullptr) {
        engine.log("DictionaryHandler", LogSeverity::warning,
                   "Field lists cannot be published over JSON: no service of the configured Directory names a "
                   "FileDictionary.");
        return nullptr;
    }
    std::string error;
    SharedDictionary loaded = loadDictionary(engine, *names, error);
    if (!loaded)
        engine.log("DictionaryHandler", LogSeverity::warning,
                   "Field lists cannot be published over JSON, the dictionary '" + names->name +
                       "' of the configured services cannot be loaded: " + error);
    return loaded;
}

}  // namespace

reactor::ProviderOptions interactiveOptions(const IProviderSettings& s, const IProviderConfigImpl& given,
                                            Engine& engine) {
    reactor::ProviderOptions o;
    o.bind = s.server.bind;
    o.limits = s.server.limits;
    o.directoryByUser = s.directoryByUser;
    o.dictionaryByUser = s.dictionaryByUser;
    // A directory of the application, by user control or addAdminMsg(), stands in place of the configured one.
    if (!s.directoryByUser && !given.directoryRefresh) o.services = servicesOf(s.services);
    if (given.tunnels)
        for (reactor::rdm::Service& service : o.services)
            // Consumers open tunnels only at services that list the domain (tunnel.md 10).
            if (!service.info.supportsDomain(kTunnelDomain)) service.info.capabilities.push_back(kTunnelDomain);
    if (!s.dictionaryByUser) o.dictionaries = servedDictionaries(s.services, engine);
    o.fieldFragmentBytes = s.fieldDictionaryFragmentSize;
    o.enumFragmentBytes = s.enumTypeFragmentSize;
    o.requestTimeout = std::chrono::milliseconds(s.requestTimeoutMs);
    o.refreshFirstRequired = s.refreshFirstRequired;
    o.enforceAckIdValidation = s.enforceAckIdValidation;
    o.holdsUntilVerdict = given.holdsUntilLogin;
    o.acceptWithoutLogin = s.acceptMessageWithoutBeingLogin;
    o.acceptWithoutAcceptingRequests = s.acceptMessageWithoutAcceptingRequests;
    o.acceptWithoutQosInRange = s.acceptMessageWithoutQosInRange;
    o.acceptSameKeyOnOtherStream = s.acceptMessageSameKeyButDiffStream;
    o.acceptServiceChange = s.acceptMessageThatChangesService;
    o.acceptDirectoryWithoutMinFilters = s.acceptDirMessageWithoutMinFilters;
    return o;
}

reactor::niprovider::NiProviderOptions publisherOptions(const NiProviderSettings& s, const NiProviderConfigImpl& given,
                                                        Engine& engine) {
    reactor::niprovider::NiProviderOptions o;
    for (const ChannelSettings& channel : s.channels) {
        auto& entry = o.channels.emplace_back();
        entry.name = channel.name;
        entry.connect = channel.connect;
    }
    o.reconnect = s.reconnect;
    o.login = makeLoginRequest(s.login, given.loginRequest.get(), LoginRole::provider, false);
    o.requestTimeout = std::chrono::milliseconds(s.requestTimeoutMs);
    o.directoryByUser = s.directoryByUser;
    if (!s.directoryByUser && !given.directoryRefresh) o.services = servicesOf(s.services);
    o.mergeSourceDirectoryStreams = s.mergeSourceDirectoryStreams;
    o.recoverUserSubmitSourceDirectory = s.recoverUserSubmitSourceDirectory;
    o.removeItemsOnDisconnect = s.removeItemsOnDisconnect;
    o.refreshFirstRequired = s.refreshFirstRequired;
    o.itemCountHint = s.itemCountHint;
    o.dictionary = given.dictionary ? given.dictionary : jsonDictionary(s, engine);
    return o;
}

}  // namespace emissary::ema
