// Computes how each source of a service is used, and tells sources when that changes.
#include "hub/upstream/Mirroring.h"

#include <algorithm>

namespace emissary::hub::upstream {

namespace {

[[nodiscard]] bool isHot(const Service& service) noexcept {
    return service.policy.sourceMode == SourceMode::hot;
}

}  // namespace

// In hot mode both sources have to know. In other modes the message changes nothing for most sources, and it goes to
// those alone for which the configuration asks. A directory that says nothing of it takes the message (rdm.md 3.2).
bool Mirroring::hears(const Service& service, const Offer& offer) noexcept {
    if (!offer.source->kind().isConnection) return false;  // a delayed service is the hub's own
    if (!offer.usable() || !offer.service->info.acceptsConsumerStatus()) return false;
    return isHot(service) || static_cast<const UpstreamSource&>(*offer.source).settings().sendModes;
}

const Source* Mirroring::activeOf(const Service& service) const noexcept {
    const Source* first = nullptr;
    for (const Offer& o : service.offers) {
        if (!o.usable()) continue;
        if (first == nullptr) first = o.source;
        if (!isHot(service)) break;
        const auto told = told_.find({service.id, o.source});
        if (told != told_.end() && told->second != Use::standby) return o.source;
    }
    return first;
}

Mirroring::Use Mirroring::useOf(const Service& service, const Offer& offer, const Source* first,
                                std::size_t usable) const noexcept {
    switch (service.policy.sourceMode) {
    case SourceMode::hot:
        if (offer.source != first) return Use::standby;
        return usable > 1 ? Use::activeWithStandby : Use::activeAlone;
    case SourceMode::balanced:
        return Use::activeAlone;
    case SourceMode::ordered:
        break;
    }
    // One behind the first may still serve items, which stay where they are (FailBack), or those that the first cannot.
    return offer.source == first || lanes_.open(service.id, *offer.source) != 0 ? Use::activeAlone : Use::standby;
}

bool Mirroring::wants(const Service& service) {
    if (std::ranges::none_of(service.offers, [&](const Offer& o) { return hears(service, o); })) return false;
    due_.insert(service.id);
    return true;
}

void Mirroring::look(const Service& service) {
    if (wants(service) && (timer_ == 0 || slow_)) later({});
}

void Mirroring::lookSoon(const Service& service) {
    if (service.policy.sourceMode == SourceMode::ordered && wants(service) && timer_ == 0) later(kSoon);
}

void Mirroring::later(reactor::Duration delay) {
    reactor_.cancelTimer(timer_);
    slow_ = delay != reactor::Duration{};
    timer_ = reactor_.startTimer(delay, [this] {
        timer_ = 0;
        say();
    });
}

void Mirroring::say() {
    std::map<UpstreamSource*, std::vector<std::uint16_t>> changed;
    for (const std::uint16_t id : std::exchange(due_, {})) {
        const Service* const service = services_.find(id);
        if (service == nullptr) continue;
        const Source* const first = activeOf(*service);
        const auto usable = static_cast<std::size_t>(std::ranges::count_if(service->offers, &Offer::usable));
        for (const Offer& o : service->offers) {
            if (!hears(*service, o)) continue;
            const Use use = useOf(*service, o, first, usable);
            const auto [told, fresh] = told_.try_emplace({id, o.source}, use);
            if (!fresh && told->second == use) continue;
            told->second = use;
            changed[static_cast<UpstreamSource*>(o.source)].push_back(id);
        }
    }
    for (const auto& [source, services] : changed)
        say(*source, services);
}

void Mirroring::say(UpstreamSource& source, const std::vector<std::uint16_t>& services) {
    std::vector<reactor::rdm::UsedService> uses;
    for (std::size_t at = 0; at < services.size(); at += kMost) {
        const std::size_t end = std::min(at + kMost, services.size());
        uses.clear();
        for (std::size_t i = at; i < end; ++i) {
            const Service* const service = services_.find(services[i]);
            const Offer* const offer = service != nullptr ? service->offerOf(source) : nullptr;
            const auto told = told_.find({services[i], &source});
            if (offer != nullptr && told != told_.end()) uses.push_back({offer->id, told->second});
        }
        if (uses.empty() || source.sayUses(uses).ok()) continue;
        // What cannot be sent now is sent with the next change; nothing waits for it.
        for (std::size_t i = at; i < end; ++i)
            told_.erase({services[i], &source});
    }
}

}  // namespace emissary::hub::upstream
