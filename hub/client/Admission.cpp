// Runs the checks in order, and returns the first refusal with its text.
#include "hub/client/Admission.h"

#include "hub/client/Listener.h"

#include "eta/json/Converter.h"
#include "hub/core/served_qos.h"
#include "reactor/rdm/Qos.h"

namespace emissary::hub::client {

using namespace eta::codec;
namespace rdm = reactor::rdm;

namespace {

constexpr std::uint8_t kSystemDomain = 127;

[[nodiscard]] Admitted no(Reason reason, std::string why) {
    Admitted a;
    a.refused = reason;
    a.why = std::move(why);
    return a;
}

/// Why a key that names no service is not taken.
[[nodiscard]] Admitted noDefault(Context& context, const Client& client) {
    const std::string& named = ClientSession::of(client).listener->defaultService();
    if (!named.empty())
        return no(Reason::serviceUnknown,
                  "its key names no service, and DefaultService '" + named + "' is not there (yet)");
    if (lacksDefault(context, client))
        return no(Reason::serviceUnknown, "its key names no service, and there is none (yet)");
    return no(Reason::key, "its key names no service, there are several, and none is the DefaultService");
}

}  // namespace

Admitted Admission::check(const Client& client, const Msg& m) const {
    // The order of the checks decides which text a client sees for a request with several faults: first what is wrong
    // with the message itself, then the service, then the limits. No check changes state, so a refusal leaves nothing
    // to undo.
    const bool isPrivate = m.has(RequestFlag::privateStream), tunnel = m.has(RequestFlag::qualified);
    if (m.domain == 0 || m.domain == kLoginDomain || m.domain == kDirectoryDomain || m.domain == kDictionaryDomain)
        return no(Reason::domain, "items have domains other than 0, 1, 4 and 5");
    if (m.domain == kSystemDomain && !isPrivate) return no(Reason::domain, "domain 127 is for private streams");
    if (!m.key.has(KeyFlag::name) || m.key.name.empty()) return no(Reason::key, "its key has no name");
    const ClientOptions& o = context_.options;
    const std::size_t keySize = m.key.name.size() + m.key.attrib.size();
    // 0 switches a limit off, here and below.
    if (o.maxItemKeySize != 0 && keySize > o.maxItemKeySize)
        return no(Reason::key, "its key is larger than that of an item may be (MaxItemKeySize)");
    const bool numbered = m.key.has(KeyFlag::serviceId);
    const std::string_view name = carriedService(client, m);
    Admitted a;
    // A name that is still carried had no service when the request was dealt with.
    // The service id counts when both are there: it is what the directory gave the client.
    if (numbered) a.service = seenService(context_.rooms.services, client, m.key.serviceId);
    else if (name.empty()) a.service = defaultService(context_, client);
    if (a.service == nullptr && !numbered) {
        a = name.empty() ? noDefault(context_, client) : no(Reason::serviceUnknown, "there is no such service (yet)");
        // Only a client with SingleOpen waits for a service (the hub recovers the item for it). A private stream never
        // waits, because the source that answers it has to be there.
        a.comes =
            client.singleOpen && !isPrivate && !context_.draining && (!name.empty() || lacksDefault(context_, client));
        return a;
    }
    if (a.service == nullptr) return no(Reason::serviceUnknown, "there is no such service");
    const rdm::Service& service = a.service->merged;
    // draining is tested apart from the service state: a drain refuses even a client that would wait, since nothing
    // comes any more.
    if (!a.service->up() || !service.state.acceptingRequests() || context_.draining) {
        if (!client.singleOpen || isPrivate || context_.draining)
            return no(Reason::serviceDown, "the service is down or takes no requests");
        a.waits = true;
    }
    if (!service.info.serves(m.domain)) return no(Reason::capability, "the service does not have this domain");
    const std::optional<std::size_t> qos = qosOf(client, *a.service, m);
    if (!qos) return no(Reason::qos, "the service does not offer this QoS");
    a.qos = *qos;
    if (tunnel && !isPrivate) return no(Reason::privateStream, "qualified streams are private");
    if (tunnel && !context_.options.allowTunnels) return no(Reason::privateStream, "tunnels are not allowed here");
    // A publisher feeds the cache and takes no requests, so it could not answer a private stream.
    if (isPrivate && a.service->published && a.service->offers.empty())
        return no(Reason::privateStream, "a service of publishers has no private streams");
    // Counted without the request itself, so the limit is the number of streams a client can have open.
    const WebRules& web = ClientSession::of(client).listener->web();
    if (const std::size_t most = web.maxMounts(client); most != 0 && client.mounts.size() >= most)
        return no(Reason::clientMounts, web.tooManyMounts(client));
    // A private stream keeps its request.
    // mayKeep() looks at one budget for all that a client makes the hub store: keys, views, waiting requests, open
    // checks.
    if (!mayKeep(client, keySize + (isPrivate ? m.raw.size() : 0)))
        return no(Reason::clientKeys,
                  "the keys and views of this client are too large together (MaxKeyBytesPerClient)");
    if (o.maxMountsPerUser != 0 && !client.user.empty() && context_.users.mounts(client.user) >= o.maxMountsPerUser)
        return no(Reason::userMounts, "this user has too many open streams (MaxMountsPerUser)");
    return a;
}

bool Admission::mayKeep(const Client& client, std::size_t bytes) noexcept {
    const std::size_t most = ClientSession::of(client).listener->keyBytesPerClient();
    return most == 0 || client.keyBytes + bytes <= most;
}

std::optional<std::size_t> Admission::qosOf(const Client& client, const Service& service, const Msg& m) {
    if (!m.has(RequestFlag::qos)) return 0;
    // The converter fills in the widest range where JSON has no Qos member (json.md), which must not read as a wish.
    // A JSON client that names no QoS has not asked for a range either.
    if (client.json && rdm::equal(m.worstQos, eta::json::kWorstOfAnyQos) && rdm::equal(m.qos, eta::json::kAnyQos))
        return 0;
    const bool range = m.has(RequestFlag::worstQos) && !rdm::equal(m.qos, m.worstQos);
    const std::vector<rdm::Qos>& offered = service.merged.info.qos;
    const rdm::Qos* const worst = range ? &m.worstQos : nullptr;
    if (servesOtherQos(service))
        for (const ServedQos& served : servedQos(service))
            if (rdm::chooseQos({&served.qos, 1}, &m.qos, worst) != nullptr) return served.number;
    // A rate that the operator has set holds whatever is asked for, so the QoS of the sources may be asked for as well.
    const rdm::Qos* const chosen = rdm::chooseQos(offered, &m.qos, worst);
    if (chosen == nullptr) return std::nullopt;
    // A service without a QoS list has one implied QoS, at index 0.
    return offered.empty() ? 0 : numberOf(service, static_cast<std::size_t>(chosen - offered.data()));
}

}  // namespace emissary::hub::client
