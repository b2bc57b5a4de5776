// Keeps a window of open requests for each source, and picks the source with room.
#include "hub/upstream/Lanes.h"

#include <algorithm>

namespace emissary::hub::upstream {

bool Lanes::serves(const Offer& offer, std::uint8_t domain, std::uint64_t tried) noexcept {
    return offer.usable() && offer.service->state.acceptingRequests() && offer.service->info.serves(domain) &&
           (bit(*offer.source) & tried) == 0;
}

bool Lanes::anybody(const Service& service, std::uint8_t domain, std::uint64_t tried) noexcept {
    return std::ranges::any_of(service.offers, [&](const Offer& o) { return serves(o, domain, tried); });
}

Lanes::Budget& Lanes::budgetOf(const Source& source) {
    if (budgets_.size() <= source.number()) budgets_.resize(std::size_t{source.number()} + 1);
    return budgets_[source.number()];
}

void Lanes::refill(Budget& budget, std::uint32_t rate, reactor::TimePoint now) noexcept {
    if (budget.requests < 0) budget.requests = rate;
    else budget.requests += std::chrono::duration<double>(now - budget.at).count() * rate;
    budget.requests = std::min(budget.requests, static_cast<double>(rate));
    budget.at = now;
}

Lanes::Room Lanes::roomOf(const Service& service, const Offer& offer, reactor::TimePoint now) {
    const auto& source = static_cast<const UpstreamSource&>(*offer.source);
    const SourceSettings& settings = source.settings();
    const Lane& lane = lanes_[{service.id, &source}];
    Budget& budget = budgetOf(source);
    if (settings.maxItems != 0 && budget.open >= settings.maxItems) return Room::never;
    const reactor::rdm::ServiceLoad& load = offer.service->load;
    if (load.openLimit && lane.open >= *load.openLimit) return Room::never;
    if (load.openWindow && lane.outstanding >= *load.openWindow) return Room::later;
    if (settings.requestRate == 0) return Room::now;
    refill(budget, settings.requestRate, now);
    return budget.requests >= 1 ? Room::now : Room::soon;
}

Lanes::Choice Lanes::choose(const Service& service, std::uint8_t domain, std::uint64_t tried, reactor::TimePoint now) {
    const bool balanced = service.policy.sourceMode == SourceMode::balanced;
    Choice best;
    double least = 0;
    bool somebody = false;
    for (const Offer& offer : service.offers) {
        if (!serves(offer, domain, tried)) continue;
        somebody = true;
        const Room room = roomOf(service, offer, now);
        switch (room) {
        case Room::never:
            continue;
        case Room::soon:
        case Room::later:
            (room == Room::soon ? best.soon : best.later) = true;
            if (!balanced) return best;
            continue;
        case Room::now:
            break;
        }
        auto* const source = static_cast<UpstreamSource*>(offer.source);
        if (!balanced) return {.source = source, .offer = &offer};
        const double factor =
            static_cast<double>(std::max<std::uint64_t>(offer.service->load.loadFactor.value_or(1), 1));
        const double load = (1.0 + open(service.id, *source)) * factor;
        if (best.source != nullptr && load >= least) continue;
        least = load;
        best.source = source;
        best.offer = &offer;
    }
    // All are at their limits: there is room again when some stream ends.
    if (best.source == nullptr) best.later = best.later || (somebody && !best.soon);
    return best;
}

void Lanes::asked(const Service& service, const UpstreamSource& source) {
    Lane& lane = lanes_[{service.id, &source}];
    ++lane.open;
    ++lane.outstanding;
    Budget& budget = budgetOf(source);
    ++budget.open;
    if (source.settings().requestRate != 0 && budget.requests >= 1) budget.requests -= 1;
    ++counts_.requests;
    counts_.streams += 1;
    counts_.outstanding += 1;
    if (lane.open == 1 && turn_) turn_(service.id, true);
}

void Lanes::answered(std::uint16_t service, const Source& source) noexcept {
    const auto at = lanes_.find({service, &source});
    if (at == lanes_.end() || at->second.outstanding == 0) return;
    --at->second.outstanding;
    counts_.outstanding -= 1;
}

void Lanes::ended(std::uint16_t service, const Source& source, bool waiting) {
    const auto at = lanes_.find({service, &source});
    if (at == lanes_.end() || at->second.open == 0) return;
    if (waiting) answered(service, source);
    --at->second.open;
    --budgets_[source.number()].open;
    counts_.streams -= 1;
    if (at->second.open == 0 && turn_) turn_(service, false);
}

std::uint32_t Lanes::open(std::uint16_t service, const Source& source) const noexcept {
    const auto at = lanes_.find({service, &source});
    return at == lanes_.end() ? 0 : at->second.open;
}

void Lanes::forget(const Source& source) noexcept {
    std::erase_if(lanes_, [&](const auto& lane) { return lane.first.second == &source; });
    if (source.number() < budgets_.size()) budgets_[source.number()] = {};
}

}  // namespace emissary::hub::upstream
