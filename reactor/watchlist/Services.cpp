#include "watchlist/Services.h"

#include "rdm/dictionaries.h"
#include "rdm/mismatch.h"

namespace emissary::reactor::consumer {

using namespace eta::codec;

const ServiceEntry* Services::find(std::string_view name) const noexcept {
    if (last_ != nullptr && last_->name == name) return last_;
    for (const auto& s : all_)
        if (s->name == name) return s.get();
    return nullptr;
}

const ServiceEntry* Services::find(std::uint16_t id) const noexcept {
    const ServiceEntry* known = nullptr;
    for (const auto& s : all_) {
        if (s->id != id) continue;
        if (s->model != nullptr) return s.get();
        known = s.get();  // an id of the past, unless another service has it now
    }
    return known;
}

ServiceEntry* Services::find(const rdm::Service& service) noexcept {
    for (const auto& s : all_)
        if (s->name == service.name()) return s.get();
    return nullptr;
}

ServiceEntry& Services::add(const rdm::Service& service) {
    all_.push_back(std::make_unique<ServiceEntry>());
    all_.back()->name = service.name();
    return *all_.back();
}

/// A dictionary is the same whoever serves it: one that can answer now comes before one that may later.
const ServiceEntry* Services::providing(std::string_view dictionary) const noexcept {
    const ServiceEntry* later = nullptr;
    for (const auto& s : all_) {
        if (s->model == nullptr || !rdm::provides(*s->model, dictionary)) continue;
        if (s->model->state.up && s->model->state.acceptingRequests()) return s.get();
        if (later == nullptr) later = s.get();
    }
    return later;
}

ServiceEntry* Services::wantedBy(const RequestView& request, Refusal& refusal, std::string& unknown) {
    const bool byId = request.msg.key.has(KeyFlag::serviceId), byName = request.serviceName.data() != nullptr;
    if (byId && byName) {
        refusal = {Refusal::Kind::invalidUsage, "Request names its service by id and by name; only one is allowed."};
        return nullptr;
    }
    const ServiceEntry* found = nullptr;
    if (byName) {
        found = find(request.serviceName);
        if (found == nullptr) unknown = "Service name of '" + std::string(request.serviceName) + "' is not found.";
    } else if (byId) {
        found = find(request.msg.key.serviceId);
        if (found == nullptr)
            unknown = "Service id of '" + std::to_string(request.msg.key.serviceId) + "' is not found.";
    } else if (request.msg.domain == rdm::kDictionaryDomain) {
        found = providing(eta::asText(request.msg.key.name));
        if (found == nullptr)
            unknown = "No service provides the dictionary '" + std::string(eta::asText(request.msg.key.name)) + "'.";
    } else {
        unknown = "Passed in request message does not identify any service.";
    }
    return last_ = const_cast<ServiceEntry*>(found);
}

Refusal Services::resolve(Msg& msg, std::string_view name) const {
    if (name.data() == nullptr) return {};
    if (msg.hasKey() && msg.key.has(KeyFlag::serviceId))
        return {Refusal::Kind::invalidUsage, "Message names its service by id and by name; only one is allowed."};
    const ServiceEntry* entry = find(name);
    if (entry == nullptr)
        return {Refusal::Kind::invalidUsage, "Service name of '" + std::string(name) + "' is not found."};
    if (!msg.hasKey()) msg.key = {};
    msg.key.flags |= KeyFlag::serviceId;
    msg.key.serviceId = entry->id;
    return {};
}

std::string_view mismatch(const Stream& s, Qos& chosen) noexcept {
    const rdm::Service* model = s.service->model;
    if (model == nullptr) return "No matching service present.";
    if (s.qosFixed) return rdm::mismatch(*model, s.domain, &s.qos, nullptr, chosen);
    if (!s.rare || !s.rare->hasQos) return rdm::mismatch(*model, s.domain, nullptr, nullptr, chosen);
    return rdm::mismatch(*model, s.domain, &s.rare->best, s.rare->hasWorst ? &s.rare->worst : nullptr, chosen);
}

std::string_view mismatch(const ServiceEntry& service, std::uint8_t domain, Qos& chosen) noexcept {
    if (service.model == nullptr) return "No matching service present.";
    return rdm::mismatch(*service.model, domain, nullptr, nullptr, chosen);
}

}  // namespace emissary::reactor::consumer
