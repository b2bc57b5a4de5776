// One service with offers of different kinds: each item is for the room of the offer that has it (hub.md 4.7, ADR 30).
#pragma once

#include "hub/core/ItemTable.h"
#include "hub/core/Service.h"

namespace emissary::hub::source {

/// Passes each call on to the room that the item concerns. It keeps nothing: where an item is says its source. Stage
/// thread only.
class ComposedSupply final : public Supply {
public:
    /// All borrowed. `requested` asks upstream connections and the mesh; `published` and `images` are the publishers'
    /// room.
    ComposedSupply(ServiceTable& services, Supply& requested, Supply& published, PublishedItems& images) noexcept
        : services_(services), requested_(requested), published_(published), images_(images) {}

    void wanted(Item& item) override {
        const Service* const service = services_.find(item.service);
        if (service == nullptr || !service->published || item.is(Item::isPrivate)) return requested_.wanted(item);
        // Its publisher is in the middle of a refresh in several parts, or has yet to send one.
        const bool comes = item.source != nullptr && item.source->kind().publishes;
        if (comes || !service->hasRequested()) return published_.wanted(item);
        if (!service->sourcesFirst(item.domain) && images_.take(item)) return;
        requested_.wanted(item);
    }
    void refreshWanted(Item& item) override { of(item).refreshWanted(item); }
    void unwanted(Item& item) override { of(item).unwanted(item); }
    void mountsChanged(Item& item) override { of(item).mountsChanged(item); }
    void untrusted(Item& item) override { of(item).untrusted(item); }
    [[nodiscard]] bool eject(Item& item, const eta::codec::State& state) override {
        return of(item).eject(item, state);
    }
    [[nodiscard]] bool refetch(Item& item, std::string_view text) override { return of(item).refetch(item, text); }

private:
    /// That of the item's source. Without one an open item of such a service is what a publisher or a post has left, or
    /// made here; any other waits to be asked for.
    [[nodiscard]] Supply& of(const Item& item) const noexcept {
        if (item.source != nullptr) return item.source->kind().publishes ? published_ : requested_;
        const Service* const service = services_.find(item.service);
        if (service == nullptr || !service->published || item.is(Item::isPrivate)) return requested_;
        const bool waits = item.phase == Item::Phase::queued || item.phase == Item::Phase::parked;
        return waits && service->hasRequested() ? requested_ : published_;
    }

    ServiceTable& services_;
    Supply& requested_;
    Supply& published_;
    PublishedItems& images_;
};

}  // namespace emissary::hub::source
