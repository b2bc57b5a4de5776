// Gives services their ids, and remembers which sources offer them.
#include "hub/core/Service.h"

#include <algorithm>

namespace emissary::hub {

ServiceTable::ServiceTable(std::vector<ServiceSettings> policies, ServiceSettings others)
    : policies_(std::move(policies)), others_(std::move(others)) {
    // Configured ids are taken before any other name can get them.
    for (const ServiceSettings& p : policies_)
        if (p.serviceId) {
            ids_.emplace(p.name, *p.serviceId);
            taken_.set(*p.serviceId);
        }
}

Service* ServiceTable::find(std::string_view name) noexcept {
    const auto at = ids_.find(name);
    return at == ids_.end() ? nullptr : find(at->second);
}

const ServiceSettings& ServiceTable::policyOf(std::string_view name) const noexcept {
    const auto at = std::ranges::find(policies_, name, &ServiceSettings::name);
    return at == policies_.end() ? others_ : *at;
}

void ServiceTable::setPolicies(std::vector<ServiceSettings> policies, ServiceSettings others) {
    policies_ = std::move(policies);
    others_ = std::move(others);
    forEach([this](Service& s) { s.policy = policyOf(s.name); });
}

std::uint16_t ServiceTable::freeId(std::uint16_t wish) noexcept {
    if (wish != 0 && !taken_.test(wish)) return wish;
    while (lowestFree_ < taken_.size() && taken_.test(lowestFree_))
        ++lowestFree_;
    return lowestFree_ < taken_.size() ? static_cast<std::uint16_t>(lowestFree_) : std::uint16_t{0};
}

bool ServiceTable::forgetOne() {
    while (!gone_.empty()) {
        const std::string name = std::move(gone_.front());
        gone_.pop_front();
        const auto at = ids_.find(name);
        if (at == ids_.end() || find(at->second) != nullptr) continue;  // it has come back
        taken_.reset(at->second);
        lowestFree_ = std::min<std::uint32_t>(lowestFree_, at->second);
        ids_.erase(at);
        return true;
    }
    return false;
}

Service* ServiceTable::add(std::string_view name, std::uint16_t wish) {
    std::uint16_t id = 0;
    if (const auto at = ids_.find(name); at != ids_.end()) {
        id = at->second;
        std::erase(gone_, name);
    } else {
        id = freeId(wish);
        if (id == 0 && forgetOne()) id = freeId(wish);
        if (id == 0) return nullptr;
        ids_.emplace(name, id);
        taken_.set(id);
    }
    std::for_each(beforeReuse_.rbegin(), beforeReuse_.rend(), [id](const auto& f) { f.second(id); });
    if (byId_.size() <= id) byId_.resize(std::size_t{id} + 1);
    auto service = std::make_unique<Service>();
    service->id = id;
    service->name = name;
    service->policy = policyOf(name);
    service->merged.id = id;
    service->merged.info.name = name;
    if (byId_[id] == nullptr) ++size_;
    byId_[id] = std::move(service);
    return byId_[id].get();
}

void ServiceTable::remove(Service& service) {
    const std::uint16_t id = service.id;
    const bool configured =
        std::ranges::any_of(policies_, [&](const ServiceSettings& p) { return p.serviceId && p.name == service.name; });
    if (!configured) {
        gone_.push_back(service.name);
        if (gone_.size() > kRemembered) forgetOne();
    }
    byId_[id].reset();
    --size_;
}

}  // namespace emissary::hub
