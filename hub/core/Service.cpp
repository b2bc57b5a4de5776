// Gives services their ids, and remembers which sources offer them.
#include "hub/core/Service.h"

#include "hub/config/ByName.h"

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

std::string ServiceTable::refusal(const std::vector<ServiceSettings>& policies) const {
    const auto there = [this](std::uint16_t id) { return id < byId_.size() ? byId_[id].get() : nullptr; };
    for (const ServiceSettings& p : policies) {
        if (!p.serviceId) continue;
        // What an entry says of a service that is there is not its id (docs/hub-config.md, ServiceId).
        if (const auto at = ids_.find(p.name); at != ids_.end() && there(at->second) != nullptr) continue;
        const Service* const other = there(*p.serviceId);
        if (other != nullptr && other->name != p.name)
            return "ServiceId " + std::to_string(*p.serviceId) + " of Service [" + p.name + "] is that of service '" +
                   other->name + "', which is there; give it another one, or take that service away with a reload " +
                   "before this one";
    }
    return {};
}

void ServiceTable::giveBack(std::map<std::string, std::uint16_t, std::less<>>::iterator name) {
    const std::uint16_t id = name->second;
    std::for_each(beforeReuse_.rbegin(), beforeReuse_.rend(), [id](const auto& f) { f.second(id); });
    std::erase(gone_, name->first);
    taken_.reset(id);
    lowestFree_ = std::min<std::uint32_t>(lowestFree_, id);
    ids_.erase(name);
}

void ServiceTable::setPolicies(std::vector<ServiceSettings> policies, ServiceSettings others) {
    for (const ServiceSettings& p : policies) {
        if (!p.serviceId) continue;
        const auto known = ids_.find(p.name);
        if (known != ids_.end() && (known->second == *p.serviceId || find(known->second) != nullptr)) continue;
        if (find(*p.serviceId) != nullptr) continue;  // refusal() says so
        if (known != ids_.end()) giveBack(known);
        if (taken_.test(*p.serviceId))
            giveBack(std::ranges::find(ids_, *p.serviceId, &decltype(ids_)::value_type::second));
        ids_.emplace(p.name, *p.serviceId);
        taken_.set(*p.serviceId);
    }
    const ByName next(policies);
    const auto staysFixed = [&next](std::string_view name) {
        const ServiceSettings* const p = next.find(name);
        return p != nullptr && p->serviceId;
    };
    // Ids that were fixed are remembered like those of other names that went.
    for (const ServiceSettings& p : policies_) {
        const auto known = p.serviceId && !staysFixed(p.name) ? ids_.find(p.name) : ids_.end();
        if (known == ids_.end() || find(known->second) != nullptr || std::ranges::find(gone_, p.name) != gone_.end())
            continue;
        gone_.push_back(p.name);
        if (gone_.size() > kRemembered) forgetOne();
    }
    policies_ = std::move(policies);  // its entries stay where they are: `next` goes on finding them
    others_ = std::move(others);
    forEach([this, &next](Service& s) { s.policy = next.findOr(s.name, others_); });
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
    if (!fixesId(policies_, service.name)) {
        gone_.push_back(service.name);
        if (gone_.size() > kRemembered) forgetOne();
    }
    byId_[id].reset();
    --size_;
}

}  // namespace emissary::hub
