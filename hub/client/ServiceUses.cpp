// Checks each entry by itself: a bad one is left out, with a line in the log.
#include "hub/client/ServiceUses.h"

#include "hub/client/Listener.h"
#include "hub/client/Pace.h"

#include <algorithm>
#include <utility>

namespace emissary::hub::client {

namespace rdm = reactor::rdm;

namespace {

[[nodiscard]] auto placeOf(std::vector<rdm::UsedService>& uses, std::uint16_t service) noexcept {
    return std::ranges::lower_bound(uses, service, {}, &rdm::UsedService::service);
}

}  // namespace

void ServiceUses::onMessage(Client& client, const Msg& message) {
    context_.rooms.out.work().spend(message.payload.size());
    std::vector<Said> said;
    std::size_t bad = 0;
    std::string first;
    const char* const broken = rdm::readConsumerStatus(message, [&](const rdm::ConsumerStatusEntry& entry) {
        const char* fault = entry.fault != nullptr ? entry.fault : refusal(client, entry.service);
        if (fault == nullptr) return said.push_back({entry.service, entry.use});
        if (++bad == 1) first = "the entry of service " + std::to_string(entry.service) + ": " + fault;
    });
    if (!said.empty()) {
        const Change change = take(client, said);
        if (!change.active.empty()) pace_.active(client, change.active);
        else if (change.quiet) pace_.flowChanged(client);
    }
    if (broken != nullptr && bad++ == 0) first = broken;
    if (bad == 0) return;
    context_.counts.of.badUses += bad;
    const std::string more = bad == 1 ? "" : " (and " + std::to_string(bad - 1) + " more)";
    context_.log("a ConsumerStatus of " + nameOf(client) + " is left out in part: " + first + more +
                 "; the client has to send ids of services in its directory, each with one mode");
}

const char* ServiceUses::refusal(const Client& client, std::uint16_t service) const noexcept {
    const rdm::Service* const known = context_.told->find(service);
    return known != nullptr && client.sees(known->name()) ? nullptr : "the client knows no such service";
}

/// One pass over what there is for the whole message: a map may have as many entries as there are services.
ServiceUses::Change ServiceUses::take(Client& client, std::vector<Said>& said) {
    std::ranges::stable_sort(said, {}, &Said::service);
    Uses& uses = ClientSession::of(client).uses;
    auto& held = client.standbyServices;
    Uses next;
    // All memory first: counts and lists agree when there is too little.
    next.reserve(uses.size() + said.size());
    held.reserve(uses.size() + said.size());
    Change change;
    change.active.reserve(said.size());
    auto old = uses.begin();
    for (auto one = said.begin(); one != said.end(); ++one) {
        if (const auto then = std::next(one); then != said.end() && then->service == one->service)
            continue;  // the last
        while (old != uses.end() && old->service < one->service)
            next.push_back(*old++);
        std::optional<Use> before;
        if (old != uses.end() && old->service == one->service) before = (old++)->use;
        const bool was = before == Use::warmStandby, is = one->use == Use::warmStandby;
        change.quiet = change.quiet || (is && !was);
        if (was && !is) change.active.push_back(one->service);
        if (before) context_.counts.uses[*before].services -= 1;
        if (!one->use) continue;
        context_.counts.uses[*one->use].services += 1;
        next.push_back({one->service, *one->use});
    }
    next.insert(next.end(), old, uses.end());
    uses = std::move(next);
    held.clear();
    for (const rdm::UsedService& used : uses)
        if (used.use == Use::warmStandby) held.push_back(used.service);
    client.standsBySome = !held.empty();
    return change;
}

void ServiceUses::drop(Client& client, Uses::iterator at) noexcept {
    context_.counts.uses[at->use].services -= 1;
    std::erase(client.standbyServices, at->service);
    client.standsBySome = !client.standbyServices.empty();
    ClientSession::of(client).uses.erase(at);
}

void ServiceUses::forget(Client& client) noexcept {
    Uses& uses = ClientSession::of(client).uses;
    for (const rdm::UsedService& used : uses)
        context_.counts.uses[used.use].services -= 1;
    uses.clear();
    client.standbyServices.clear();
    client.standsBySome = false;
}

void ServiceUses::serviceGone(std::uint16_t service) noexcept {
    const auto none = [](const UseCount& count) { return count.services.get() == 0; };
    if (std::ranges::all_of(context_.counts.uses.counts, none)) return;
    ClientTable& clients = context_.rooms.clients;
    for (std::uint32_t i = 0; i < clients.end(); ++i) {
        Client* const client = clients.find(i);
        if (client == nullptr || client->session == nullptr) continue;
        Uses& uses = ClientSession::of(*client).uses;
        const auto at = placeOf(uses, service);
        if (at != uses.end() && at->service == service) drop(*client, at);
    }
}

}  // namespace emissary::hub::client
