// Computes which source is active for a service, and tells sources when that changes.
#include "hub/upstream/Mirroring.h"

#include "hub/upstream/UpstreamSource.h"

namespace emissary::hub::upstream {

const Source* Mirroring::activeOf(const Service& service) const noexcept {
    const Source* first = nullptr;
    for (const Offer& o : service.offers) {
        if (!o.usable()) continue;
        if (first == nullptr) first = o.source;
        const auto told = told_.find({service.id, o.source});
        if (told != told_.end() && told->second != Mode::standby) return o.source;
    }
    return first;
}

void Mirroring::look(const Service& service) {
    if (service.policy.sourceMode != SourceMode::hot) return;
    const Source* const active = activeOf(service);
    std::size_t usable = 0;
    for (const Offer& o : service.offers)
        usable += o.usable() ? 1 : 0;
    for (const Offer& o : service.offers) {
        if (!o.usable() || !o.service->info.acceptsConsumerStatus()) continue;
        const Mode mode = o.source != active ? Mode::standby : usable > 1 ? Mode::activeWithStandby : Mode::activeAlone;
        const auto [told, fresh] = told_.try_emplace({service.id, o.source}, mode);
        if (!fresh && told->second == mode) continue;
        told->second = mode;
        auto& source = static_cast<UpstreamSource&>(*o.source);
        // What cannot be said now is said with the next change; nothing waits for it.
        if (!source.sayMirroring(o.id, static_cast<std::uint64_t>(mode)).ok()) told_.erase(told);
    }
}

}  // namespace emissary::hub::upstream
