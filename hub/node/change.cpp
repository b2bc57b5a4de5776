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
    made.mostAge = limits.age;
    return made;
}

fanout::RateRules rateRules(const HubSettings& s) {
    fanout::RateRules made;
    made.services = s.conflations();
    made.mostBytes = s.conflationBytes;
    for (const ListenerSettings& listener : consumerListeners(s)) {
        made.listeners.push_back(listener.conflation);
        made.listenerLimits.push_back(listener.limit);
    }
    for (const UserClassSettings& users : s.userClasses) {
        made.users.push_back(users.conflation);
        made.userLimits.push_back(users.limit);
    }
    return made;
}

/// What waits under the old rules goes out first, because numbers of rules and classes mean something else afterwards;
/// not for settings that have nothing to do with it, because that may be much.
void Hub::Parts::change(const HubSettings& next) {
    HubSettings& s = options.settings;
    const auto slowOf = [](const HubSettings& of) {
        std::vector<fanout::SlowRules> slow;
        for (const ListenerSettings& listener : consumerListeners(of))
            slow.push_back(slowRules(of, listener));
        return slow;
    };
    HubSettings after = s;
    takeLive(after, next);
    fanout::RateRules ratesAfter = rateRules(after);
    const std::vector<fanout::SlowRules> slow = slowOf(after);
    const bool ruled = ratesAfter != rates || slow != slowOf(s);
    // Before the services have other rules: the numbers of these say whom an update is for.
    if (fanOut && ruled) fanOut->sendAllWaiting();
    takeLive(s, next);
    services.setPolicies(s.services, s.serviceDefaults);
    rates = std::move(ratesAfter);
    const std::vector<ListenerSettings> listeners = consumerListeners(s);
    if (fanOut && ruled) fanOut->changeRules(rates, slow);
    if (relay && ruled) {
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
