// Items that a source ended: which sources were tried, and how long to wait (hub.md 4.3).
#pragma once

#include "hub/upstream/DueList.h"

#include <boost/unordered/unordered_flat_map.hpp>

#include <algorithm>

namespace emissary::hub::upstream {

/// Waits double from the shortest to the longest. After an item has been open for kLongest, its wait begins at the
/// shortest again. Until then its wait is kept, so an item that ends again and again is not requested in a tight loop.
class Retries {
public:
    static constexpr std::chrono::seconds kShortest{1}, kLongest{60};

    Retries(reactor::Reactor& reactor, ItemTable& items, std::function<void(Ref)> due)
        : reactor_(reactor), items_(items), list_(reactor, std::move(due)), sweep_(reactor, [this](Ref) { sweep(); }) {}

    /// The source has failed with the item.
    void failed(const Item& item, const Source& source) {
        Entry& e = entryOf(item);
        e.tried |= 1ull << (source.number() & 63);
        e.last = source.number();
    }
    /// Sources that were tried since the last wait, as bits by number.
    [[nodiscard]] std::uint64_t tried(const Item& item) const noexcept {
        const Entry* const e = find(item);
        return e != nullptr ? e->tried : 0;
    }
    /// The source that failed last.
    [[nodiscard]] bool failedLast(const Item& item, const Source& source) const noexcept {
        const Entry* const e = find(item);
        return e != nullptr && e->last == source.number();
    }
    /// Waits, after which everybody may be tried again; the item is due then.
    void wait(const Item& item) {
        Entry& e = entryOf(item);
        e.tried = 0;
        e.waits = true;
        list_.add(Ref::of(item), e.pause);
        e.pause = std::min<std::chrono::seconds>(e.pause * 2, kLongest);
    }
    /// The item waits; until due() says so, or somebody else can serve it.
    [[nodiscard]] bool waits(const Item& item) const noexcept {
        const Entry* const e = find(item);
        return e != nullptr && e->waits;
    }
    void goesOn(const Item& item) noexcept {
        if (Entry* const e = find(item)) e->waits = false;
    }
    /// The item has a refresh again.
    void worked(const Item& item) noexcept {
        if (Entry* const e = find(item)) e->worked = reactor_.now();
    }
    [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }

private:
    struct Entry {
        std::uint32_t generation = 0;
        std::uint16_t last = 0;
        bool waits = false;
        std::uint64_t tried = 0;
        std::chrono::seconds pause = kShortest;
        reactor::TimePoint worked{};
    };
    [[nodiscard]] Entry* find(const Item& item) noexcept {
        const auto at = entries_.find(item.index);
        return at != entries_.end() && at->second.generation == item.generation ? &at->second : nullptr;
    }
    [[nodiscard]] const Entry* find(const Item& item) const noexcept { return const_cast<Retries*>(this)->find(item); }
    Entry& entryOf(const Item& item) {
        if (entries_.empty()) sweep_.add({}, kLongest);
        Entry& e = entries_[item.index];
        const bool over = e.worked != reactor::TimePoint{} && reactor_.now() - e.worked >= kLongest;
        if (e.generation != item.generation || over) e = {.generation = item.generation};
        e.worked = {};
        return e;
    }
    /// Forgets items that are gone, and those that work.
    void sweep() {
        boost::unordered::erase_if(entries_, [this](const auto& entry) {
            const auto& [index, e] = entry;
            return items_.find(index, e.generation) == nullptr ||
                   (e.worked != reactor::TimePoint{} && reactor_.now() - e.worked >= kLongest);
        });
        if (!entries_.empty()) sweep_.add({}, kLongest);
    }
    reactor::Reactor& reactor_;
    ItemTable& items_;
    boost::unordered_flat_map<std::uint32_t, Entry> entries_;
    DueList list_, sweep_;
};

}  // namespace emissary::hub::upstream
