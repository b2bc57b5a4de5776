// Numbers services by name and id, and resolves what a request asks for to one of them.
#include "watchlist/Services.h"

#include "rdm/mismatch.h"
#include "reactor/rdm/Directory.h"

#include <algorithm>
#include <utility>

namespace emissary::reactor::consumer {

using namespace eta::codec;

ServiceEntry* Services::named(std::string_view name) const noexcept {
    if (last_ != nullptr && !last_->byId && last_->name == name) return last_;
    const auto at = byName_.find(name);
    return at != byName_.end() ? at->second : nullptr;
}

const ServiceEntry* Services::find(std::string_view name) const noexcept {
    const ServiceEntry* const entry = named(name);
    return entry != nullptr && entry->seen ? entry : nullptr;
}

const ServiceEntry* Services::find(std::uint16_t id) const noexcept {
    const ServiceEntry* known = nullptr;
    const auto [first, last] = byNumber_.equal_range(id);
    for (auto at = first; at != last; ++at) {
        const ServiceEntry* const s = at->second;
        if (!s->seen || s->id != id) continue;
        if (s->listed != nullptr) return s;
        known = s;  // an id of the past, unless another service has it now
    }
    return known;
}

ServiceEntry* Services::find(const rdm::Service& service) noexcept {
    return named(service.name());
}

ServiceEntry* Services::awaited(std::uint16_t id) noexcept {
    const auto [first, last] = byNumber_.equal_range(id);
    for (auto at = first; at != last; ++at)
        if (at->second->byId && at->second->id == id) return at->second;
    return nullptr;
}

void Services::name(ServiceEntry& service, std::string name) {
    service.name = std::move(name);
    byName_.emplace(service.name, &service);
    service.byId = false;  // last: where memory runs out it is still the one that waits
}

void Services::number(ServiceEntry& service, std::uint16_t id) {
    const auto [first, last] = byNumber_.equal_range(service.id);
    const auto old = std::find_if(first, last, [&](const auto& known) { return known.second == &service; });
    if (old == last) {
        byNumber_.emplace(id, &service);
    } else if (service.id != id) {  // one place for each service, however often a directory gives it another id
        auto place = byNumber_.extract(old);
        place.key() = id;
        byNumber_.insert(std::move(place));
    }
    service.id = id;
}

ServiceEntry& Services::add(const rdm::Service& service) {
    return await(service.name(), -1);
}

ServiceEntry& Services::await(std::string name, std::int32_t id) {
    all_.push_back(std::make_unique<ServiceEntry>());
    ServiceEntry& entry = *all_.back();
    try {
        if (id >= 0) number(entry, static_cast<std::uint16_t>(id));
        else this->name(entry, std::move(name));
    } catch (...) {
        all_.pop_back();
        throw;
    }
    entry.byId = id >= 0;
    return entry;
}

std::vector<std::string> Services::names() const {
    std::vector<std::string> names;
    for (const auto& s : all_)
        if (s->seen) names.push_back(s->name);
    return names;
}

std::string Services::unknown(const ServiceEntry& service) {
    return service.byId ? "Service id of '" + std::to_string(service.id) + "' is not found."
                        : "Service name of '" + service.name + "' is not found.";
}

/// A dictionary is the same at every service: one that can answer now comes before one that may later.
const ServiceEntry* Services::providing(std::string_view dictionary) const noexcept {
    const ServiceEntry* later = nullptr;
    for (const auto& s : all_) {
        if (s->model == nullptr || !rdm::provides(*s->model, dictionary)) continue;
        if (s->model->state.up && s->model->state.acceptingRequests()) return s.get();
        if (later == nullptr) later = s.get();
    }
    return later;
}

ServiceEntry* Services::wantedBy(const RequestView& request, bool waits, Refusal& refusal, std::string& unknown) {
    const bool byId = request.msg.key.has(KeyFlag::serviceId), byName = request.serviceName.data() != nullptr;
    if (byId && byName) {
        refusal = {Refusal::Kind::invalidUsage, "Request names its service by id and by name; only one is allowed."};
        return nullptr;
    }
    ServiceEntry* found = nullptr;
    if (byName) {
        found = named(request.serviceName);
        if (found == nullptr && waits) found = &await(std::string(request.serviceName), -1);
        else if (found == nullptr || (!found->seen && !waits))
            unknown = "Service name of '" + std::string(request.serviceName) + "' is not found.";
    } else if (byId) {
        const std::uint16_t id = request.msg.key.serviceId;
        found = const_cast<ServiceEntry*>(find(id));
        if (found == nullptr && waits) found = awaited(id);
        if (found == nullptr && waits) found = &await({}, id);
        if (found == nullptr) unknown = "Service id of '" + std::to_string(id) + "' is not found.";
    } else if (request.msg.domain == rdm::kDictionaryDomain) {
        found = const_cast<ServiceEntry*>(providing(eta::asText(request.msg.key.name)));
        if (found == nullptr)
            unknown = "No service provides the dictionary '" + std::string(eta::asText(request.msg.key.name)) + "'.";
    } else {
        unknown = "Passed in request message does not identify any service.";
    }
    if (!unknown.empty()) found = nullptr;
    return last_ = found;
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

namespace {

[[nodiscard]] std::string_view absent(const ServiceEntry& service) noexcept {
    return service.seen ? "No matching service present." : rdm::kNotUpYet;
}

}  // namespace

std::string_view mismatch(const Stream& s, Qos& chosen) noexcept {
    const rdm::Service* model = s.service->model;
    if (model == nullptr) return absent(*s.service);
    if (s.qosFixed) return rdm::mismatch(*model, s.domain, &s.qos, nullptr, chosen);
    if (!s.rare || !s.rare->hasQos) return rdm::mismatch(*model, s.domain, nullptr, nullptr, chosen);
    return rdm::mismatch(*model, s.domain, &s.rare->best, s.rare->hasWorst ? &s.rare->worst : nullptr, chosen);
}

std::string_view mismatch(const ServiceEntry& service, std::uint8_t domain, Qos& chosen) noexcept {
    if (service.model == nullptr) return absent(service);
    return rdm::mismatch(*service.model, domain, nullptr, nullptr, chosen);
}

}  // namespace emissary::reactor::consumer
