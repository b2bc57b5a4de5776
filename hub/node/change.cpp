// Brings the rooms of a running hub to other settings: rates, limits, what services do, sources and services.
#include "hub/config/ByName.h"
#include "hub/node/Parts.h"
#include "hub/node/rules.h"

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace emissary::hub {

namespace {

/// Whether Sources of some service is another list in the second.
[[nodiscard]] bool saysOtherSources(const HubSettings& a, const HubSettings& b) {
    if (a.serviceDefaults.sources != b.serviceDefaults.sources) return true;
    const ByName ofA(a.services), ofB(b.services);
    const auto differs = [](const HubSettings& of, const ByName<ServiceSettings>& other, const HubSettings& others) {
        return std::ranges::any_of(of.services, [&](const ServiceSettings& one) {
            return one.sources != other.findOr(one.name, others.serviceDefaults).sources;
        });
    };
    return differs(a, ofB, b) || differs(b, ofA, a);
}

}  // namespace

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
    made.services = s.serviceRates();
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

ServicesMoved Hub::Parts::moved(const HubSettings& next) {
    const HubSettings& now = options.settings;
    ServicesMoved moved;
    const ByName before(now.services), after(next.services);
    const ByName sourcesAfter(next.sources);
    for (const ServiceSettings& s : next.services)
        if (!before.has(s.name) && services.find(s.name) == nullptr) moved.come.push_back(s.name);
    for (const ServiceSettings& s : now.services) {
        if (after.has(s.name)) continue;
        const auto leaves = [&](const Source& source) {
            if (source.kind().ofOtherService) return source.name() == s.name;
            return source.kind().isConnection && !sourcesAfter.has(source.name());
        };
        if (!merge.offered(s.name, leaves)) moved.go.push_back(s.name);
    }
    return moved;
}

eta::Refused Hub::Parts::readTemplates(const std::vector<ServiceSettings>& of, Templates& into) const {
    for (const ServiceSettings& s : of) {
        if (s.templateFile.empty()) continue;
        if (!dictionary)
            return {"UnknownItem of Service [" + s.name +
                    "] is template, and the hub has no dictionary files; name them with Dictionary of Hub"};
        try {
            into.emplace_back(s.name, publisher::TemplateFile(s.templateFile, *dictionary));
        } catch (const std::runtime_error& e) { return {e.what()}; }
    }
    return {};
}

void Hub::Parts::useTemplates(Templates templates) {
    for (auto& [service, file] : templates)
        publisherSupply.unknown().useTemplates(service, std::move(file));
}

/// In the order of what costs least to find out.
eta::Refused Hub::Parts::prepare(const HubSettings& next, Prepared& made) {
    made.moved = moved(next);
    if (std::string text = services.refusal(next.services); !text.empty()) return {std::move(text)};
    std::vector<ServiceSettings> fresh;
    const std::unordered_set<std::string_view> come(made.moved.come.begin(), made.moved.come.end());
    for (const ServiceSettings& s : next.services)
        if (come.contains(s.name)) fresh.push_back(s);
    if (eta::Refused refused = readTemplates(fresh, made.templates)) return refused;
    auto sources = upstreams.prepare(next.sources);
    if (!sources)
        return {"SourceGroup has more sources than a hub can have, " +
                std::to_string(upstream::Upstreams::kNumbers - 1) + "; take some away"};
    made.sources = std::move(*sources);
    eta::Refused refused;
    made.delayed = delayed.prepare(fresh, refused);
    return refused;
}

/// What waits under the old rules goes out first, because numbers of rules and classes mean something else afterwards;
/// not for settings that have nothing to do with it, because that may be much.
eta::Refused Hub::Parts::change(const HubSettings& next) {
    Prepared made;
    if (eta::Refused refused = prepare(next, made)) return refused;
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
    // Sources says who may offer a service, and in which order. Offers of services that are not there count as well.
    bool judged = !made.moved.come.empty() || saysOtherSources(s, after);
    // Delayed services go under the settings that they were made with.
    const ByName before(s.services);
    for (const std::string& name : made.moved.go) {
        if (!before.findOr(name, s.serviceDefaults).delay) continue;
        merge.withdraw(name);
        delayed.remove(name);
    }
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
    if (backbone) backbone->changeRates(backbone::ExportRules::of(s));
    clientPort.change(s, listeners);
    // Sources that leave are still there in this turn, and their services with them.
    judged = upstreams.change(s.sources, std::move(made.sources)) || judged;
    for (const std::string& name : made.moved.go)
        merge.withdraw(name);
    useTemplates(std::move(made.templates));
    merge.onPoliciesChanged(judged);
    delayed.add(std::move(made.delayed));
    // In the order of makePublisherPorts().
    auto entry = publisherPorts.begin();
    for (const ListenerSettings& l : s.publisherListeners)
        (entry++)->port->setGroups(l.publisherGroups);
    for (const ListenerSettings& l : s.listeners)
        if (l.anyRole) (entry++)->port->setGroups(l.publisherGroups);
    recheckPublishers();
    return {};
}

}  // namespace emissary::hub
