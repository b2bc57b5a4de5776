// Brings the rooms of a running hub to other settings: rates, limits and what services do.
#include "hub/config/reload.h"
#include "hub/node/Parts.h"
#include "hub/node/rules.h"

namespace emissary::hub {

std::vector<ListenerSettings> consumerListeners(const HubSettings& s) {
    std::vector<ListenerSettings> all = s.listeners;
    for (const ListenerSettings& l : s.publisherListeners)
        if (l.anyRole) all.push_back(l);
    return all;
}

fanout::SlowRules slowRules(const HubSettings& s, const ListenerSettings& listener) {
    const SlowLimits limits = s.slowLimits(listener.slow);
    fanout::SlowRules made;
    made.behindAbove = limits.conflateAbove;
    made.behindBelow = limits.conflateBelow;
    made.disconnectAbove = limits.disconnectAbove;
    made.mostJoined = limits.conflateBytes;
    made.joinedTypes = limits.conflateTypes;
    made.timeout = limits.timeout;
    return made;
}

fanout::RateRules rateRules(const HubSettings& s) {
    fanout::RateRules made;
    made.services = s.conflations();
    made.mostBytes = s.conflationBytes;
    for (const ListenerSettings& listener : consumerListeners(s))
        made.listeners.push_back(listener.conflation);
    for (const UserClassSettings& users : s.userClasses)
        made.users.push_back(users.conflation);
    return made;
}

/// What waits under the old rules goes out first, because numbers of rules and classes mean something else afterwards.
void Hub::Parts::change(const HubSettings& next) {
    HubSettings& s = options.settings;
    if (fanOut) fanOut->sendAllWaiting();
    takeLive(s, next);
    services.setPolicies(s.services, s.serviceDefaults);
    rates = rateRules(s);
    const std::vector<ListenerSettings> listeners = consumerListeners(s);
    std::vector<fanout::SlowRules> slow;
    for (const ListenerSettings& listener : listeners)
        slow.push_back(slowRules(s, listener));
    if (fanOut) fanOut->changeRules(rates, slow);
    if (relay) {
        std::vector<std::uint8_t> ofServices;
        services.forEach([&](const Service& service) {
            ofServices.resize(std::size_t{service.id} + 1);
            ofServices[service.id] = ruleOf(service.id);
        });
        relay->changeRules(rates, slow, ofServices);
    }
    clientPort.change(s, listeners);
}

}  // namespace emissary::hub
