#include "hub/core/Service.h"

#include <algorithm>

namespace emissary::hub {

ServiceTable::ServiceTable(std::vector<ServiceSettings> policies, ServiceSettings others)
    : policies_(std::move(policies)), others_(std::move(others)) {
    // Configured ids are taken before any other name can get them.
    for (const ServiceSettings& p : policies_)
        if (p.serviceId) ids_.emplace(p.name, *p.serviceId);
}

Service* ServiceTable::find(std::string_view name) noexcept {
    const auto at = ids_.find(name);
    return at == ids_.end() ? nullptr : find(at->second);
}

const ServiceSettings& ServiceTable::policyOf(std::string_view name) const noexcept {
    const auto at = std::ranges::find(policies_, name, &ServiceSettings::name);
    return at == policies_.end() ? others_ : *at;
}

Service* ServiceTable::add(std::string_view name, std::uint16_t wish) {
    std::uint16_t id = 0;
    if (const auto at = ids_.find(name); at != ids_.end()) id = at->second;
    else {
        const auto taken = [&](std::uint32_t n) {
            return std::ranges::any_of(ids_, [n](const auto& entry) { return entry.second == n; });
        };
        std::uint32_t n = wish;
        if (n == 0 || taken(n))
            for (n = 1; n <= 0xFFFF && taken(n);)
                ++n;
        if (n > 0xFFFF) return nullptr;
        id = static_cast<std::uint16_t>(n);
        ids_.emplace(name, id);
    }
    if (byId_.size() <= id) byId_.resize(std::size_t{id} + 1);
    auto service = std::make_unique<Service>();
    service->id = id;
    service->name = name;
    service->policy = policyOf(name);
    service->merged.id = id;
    service->merged.info.name = name;
    byId_[id] = std::move(service);
    return byId_[id].get();
}

void ServiceTable::remove(Service& service) noexcept {
    byId_[service.id].reset();
}

}  // namespace emissary::hub
