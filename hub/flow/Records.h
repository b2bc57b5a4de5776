// Items that publishers and posts have filled, by age (hub.md 6.1).
#pragma once

#include "hub/flow/ItemFlow.h"
#include "reactor/MetricSource.h"
#include "reactor/Reactor.h"
#include "reactor/memory.h"
#include "reactor/metrics/Snapshot.h"

#include <algorithm>

namespace emissary::hub::flow {

/// What became of records for their age.
struct RecordCounts {
    eta::Total<"emissary_hub_records_expired_total", "items",
               "Published or posted items that nothing changed for ExpireAfter.">
        expired;
    eta::Total<"emissary_hub_records_dropped_total", "items",
               "Published or posted items that gave their place to new ones (DropOldest).">
        dropped;
};

/// Makes items within MaxItems of their service, taking the place of the one that was left unchanged longest where
/// DropOldest says so, and ends those that stay unchanged for ExpireAfter, or, where only posts have made
/// them, for ExpirePosted. Services without any of that cost nothing. On the
/// reactor's thread.
class Records final : private reactor::MemoryOwner {
public:
    Records(ItemTable& items, ServiceTable& services, ItemFlow& flow, reactor::Reactor& reactor)
        : MemoryOwner(reactor), items_(items), services_(services), flow_(flow), reactor_(reactor),
          metrics_(reactor, [this](reactor::metrics::Snapshot& into) { into.add(counts_); }) {}
    ~Records() { reactor_.cancelTimer(timer_); }

    /// As ItemFlow::take(), but for what DropOldest does.
    [[nodiscard]] Item* take(std::uint16_t service, std::uint8_t domain, const eta::codec::MsgKey& key);
    /// The item was changed by a publisher or a post just now.
    void touch(Item& item) {
        const Service* const s = services_.find(item.service);
        if (s != nullptr && (aged(s->policy) || (item.is(Item::onlyPosted) && s->policy.expirePosted.count() != 0)))
            [[unlikely]]
            note(*s, item);
    }
    [[nodiscard]] const RecordCounts& counts() const noexcept { return counts_; }

private:
    struct Place {
        std::uint32_t prev = Item::kNone, next = Item::kNone;
        std::uint32_t generation = 0;  // of the item; 0: in no list
        std::uint32_t list = 0;
        reactor::TimePoint changed{};
    };
    struct List {
        std::uint32_t head = Item::kNone, tail = Item::kNone;  // the head is the oldest
    };
    [[nodiscard]] static bool aged(const ServiceSettings& policy) noexcept {
        return policy.dropOldest || policy.expireAfter.count() != 0;
    }
    /// Each service has two lists: of items that only posts have made, and of the others.
    [[nodiscard]] static std::uint32_t listOf(std::uint16_t service, bool posted) noexcept {
        return service * 2u + (posted ? 1u : 0u);
    }
    /// Zero: never.
    [[nodiscard]] static std::chrono::seconds timeOf(const ServiceSettings& policy, bool posted) noexcept {
        const std::chrono::seconds all = policy.expireAfter, own = policy.expirePosted;
        if (!posted || own.count() == 0) return all;
        return all.count() == 0 ? own : std::min(all, own);
    }
    void note(const Service& service, Item& item);
    void unlink(std::uint32_t index) noexcept;
    [[nodiscard]] static bool elsewhere(const Item& item) noexcept;
    /// The oldest record that still is one; null when there is none.
    [[nodiscard]] Item* oldest(std::uint32_t list) noexcept;
    [[nodiscard]] bool dropOne(std::uint16_t service);
    void arm();
    void expire();
    void trimMemory() noexcept override { reactor::trimVector(places_); }
    [[nodiscard]] std::size_t places() const noexcept override { return places_.capacity(); }

    ItemTable& items_;
    ServiceTable& services_;
    ItemFlow& flow_;
    reactor::Reactor& reactor_;
    RecordCounts counts_;
    reactor::ItemVector<Place> places_;  // by item number
    std::vector<List> lists_;            // by listOf()
    reactor::TimerId timer_ = 0;
    reactor::MetricSource metrics_;
};

}  // namespace emissary::hub::flow
