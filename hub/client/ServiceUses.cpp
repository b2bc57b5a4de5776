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
    bool changed = false;
    std::size_t bad = 0;
    std::string first;
    const char* const broken = rdm::readConsumerStatus(message, [&](const rdm::ConsumerStatusEntry& entry) {
        const char* fault = entry.fault != nullptr ? entry.fault : refusal(client, entry.service);
        if (fault == nullptr) return void(changed = set(client, entry.service, entry.use) || changed);
        if (++bad == 1) first = "the entry of service " + std::to_string(entry.service) + ": " + fault;
    });
    if (changed) pace_.flowChanged(client);
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

bool ServiceUses::set(Client& client, std::uint16_t service, std::optional<Use> use) {
    Uses& uses = ClientSession::of(client).uses;
    const auto at = placeOf(uses, service);
    const bool there = at != uses.end() && at->service == service;
    const bool stoodBy = there && at->use == Use::warmStandby, standsBy = use == Use::warmStandby;
    auto& held = client.standbyServices;
    if (standsBy && !stoodBy) held.insert(std::ranges::lower_bound(held, service), service);
    if (!use) {
        if (there) drop(client, at);
    } else {
        if (there) context_.counts.uses[std::exchange(at->use, *use)].services -= 1;
        else uses.insert(at, {service, *use});
        context_.counts.uses[*use].services += 1;
        if (stoodBy && !standsBy) std::erase(held, service);
    }
    client.standsBySome = !held.empty();
    return stoodBy != standsBy;
}

void ServiceUses::drop(Client& client, Uses::iterator at) noexcept {
    context_.counts.uses[at->use].services -= 1;
    std::erase(client.standbyServices, at->service);
    client.standsBySome = !client.standbyServices.empty();
    ClientSession::of(client).uses.erase(at);
}

void ServiceUses::forget(Client& client) noexcept {
    Uses& uses = ClientSession::of(client).uses;
    while (!uses.empty())
        drop(client, std::prev(uses.end()));
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
