// Copies settings into the options of the consumer role and of the router.
#include "session/consumer/consumer_options.h"

#include "Access/Include/ReqMsg.h"
#include "config/preferred_host.h"
#include "data/MsgAccess.h"
#include "domain/login_request.h"
#include "settings/ConsumerConfigImpl.h"

namespace emissary::ema {

using reactor::consumer::ConsumerOptions;
namespace access = refinitiv::ema::access;
namespace codec = eta::codec;

namespace {

std::vector<reactor::consumer::ConsumerChannel> channelsOf(const std::vector<ChannelSettings>& settings) {
    std::vector<reactor::consumer::ConsumerChannel> channels;
    for (const ChannelSettings& c : settings)
        channels.push_back({{c.name, c.connect}, c.standbyGroup, c.activeServices, c.serviceBased});
    return channels;
}

void setConnections(ConsumerOptions& o, const std::vector<ChannelSettings>& channels,
                    const PreferredHostSettings& preferred, const reactor::session::ReconnectOptions& reconnect) {
    std::string why;  // the configuration was checked when it was resolved
    o.channels = channelsOf(channels);
    o.preferredHost = preferredHostOf(preferred, channels, why);
    o.reconnect = reconnect;
}

/// Requests given with addAdminMsg() change filter, service and streaming of the library's own ones, which are still
/// the ones that are sent (session.md 3).
void takeDirectoryRequest(const access::ReqMsg* request, ConsumerOptions& into) {
    if (request == nullptr) return;
    const codec::Msg& m = MsgAccess::wire(*request);
    if (m.key.has(codec::KeyFlag::filter)) into.directory.filter = m.key.filter;
    if (m.key.has(codec::KeyFlag::serviceId)) into.directory.serviceId = m.key.serviceId;
    into.directory.streaming = m.has(codec::RequestFlag::streaming);
}

void takeDictionaryRequest(const access::ReqMsg* request, ConsumerOptions::DictionaryRequest& into) {
    if (request == nullptr) return;
    const codec::Msg& m = MsgAccess::wire(*request);
    into.itemName.assign(eta::asText(m.key.name));
    if (m.key.has(codec::KeyFlag::filter)) into.filter = m.key.filter;
    into.streaming = m.has(codec::RequestFlag::streaming);
    // A request that names a service asks only that one (session.md 3).
    into.hasServiceId = m.key.has(codec::KeyFlag::serviceId);
    into.serviceId = m.key.serviceId;
    if (MsgAccess::hasServiceName(*request)) into.serviceName.assign(MsgAccess::serviceName(*request));
}

}  // namespace

ConsumerOptions consumerOptions(const ConsumerSettings& s, const ConsumerConfigImpl& given,
                                SharedDictionary dictionary) {
    ConsumerOptions o;
    setConnections(o, s.channels, s.preferredHost, s.reconnect);
    o.login = makeLoginRequest(s.login, given.loginRequest.get(), LoginRole::consumer, s.enableRtt);
    takeDirectoryRequest(given.directoryRequest.get(), o);
    o.directory.timeout = std::chrono::milliseconds(s.directoryRequestTimeoutMs);
    // Asked before the pointer moves on.
    o.downloadDictionaries = dictionary == nullptr;
    o.dictionaryTimeout = std::chrono::milliseconds(s.dictionaryRequestTimeoutMs);
    o.maxDictionaryBytes = s.maxDictionarySize;
    o.localDictionary = std::move(dictionary);
    o.fieldDictionary.itemName = s.dictionary.fieldItemName;
    o.enumDictionary.itemName = s.dictionary.enumItemName;
    takeDictionaryRequest(given.fieldDictionaryRequest.get(), o.fieldDictionary);
    takeDictionaryRequest(given.enumDictionaryRequest.get(), o.enumDictionary);
    o.requestTimeout = std::chrono::milliseconds(s.requestTimeoutMs);
    o.recoveryMinDelay = std::chrono::milliseconds(s.recoveryMinDelayMs);
    o.recoveryMaxDelay = std::chrono::milliseconds(s.recoveryMaxDelayMs);
    o.postAckTimeout = std::chrono::milliseconds(s.postAckTimeoutMs);
    o.serviceWait = std::chrono::milliseconds(s.serviceWaitMs);
    o.maxOutstandingPosts = s.maxOutstandingPosts;
    o.obeyOpenWindow = s.obeyOpenWindow;
    o.msgKeyInUpdates = s.msgKeyInUpdates;
    o.itemCountHint = s.itemCountHint;
    return o;
}

/// Sessions share everything but their channels, the preferred one among them, and how they reconnect (ema-config.md
/// 8).
reactor::routing::RouterOptions routerOptions(const ConsumerSettings& s, const ConsumerOptions& common) {
    reactor::routing::RouterOptions routing;
    routing.recoverElsewhere = s.enhancedItemRecovery;
    for (const SessionSettings& session : s.sessions) {
        ConsumerOptions own = common;
        setConnections(own, session.channels, session.preferredHost, session.reconnect);
        routing.sessions.push_back({session.name, std::move(own)});
    }
    // Service lists use the router with a single session, too: it chooses among the services.
    if (s.sessions.empty()) routing.sessions.push_back({{}, common});
    return routing;
}

}  // namespace emissary::ema
