// Lists filled items in the order of their last change, drops the oldest of a full service, and ends those that are
// too old.
#include "hub/flow/Records.h"

#include <algorithm>

namespace emissary::hub::flow {

using namespace eta::codec;

namespace {

// Bound of one call: closing an item walks its mounts. The rest is done in the next one, at once.
constexpr int kMostInOneTurn = 1000;

[[nodiscard]] State ended(const char* why) {
    return {StreamState::closed, DataState::suspect, 1 /* NotFound */, eta::asBytes(why)};
}

}  // namespace

Item* Records::take(std::uint16_t service, std::uint8_t domain, const MsgKey& key) {
    if (Item* const item = flow_.take(service, domain, key)) return item;
    // One of the two may have been the reason for the refusal, and dropping a record would not help.
    const Service* const s = services_.find(service);
    // It may have been the key that was refused, or items that are only watched that fill the service.
    if (s == nullptr || !s->policy.dropOldest || s->policy.maxItems == 0 || s->items < s->policy.maxItems ||
        !dropOne(service))
        return nullptr;
    return flow_.take(service, domain, key);
}

// The oldest of two lists: items that publishers filled, and items that only posts filled, which have an age of their
// own.
bool Records::dropOne(std::uint16_t service) {
    Item* item = oldest(listOf(service, false));
    if (Item* const posted = oldest(listOf(service, true));
        item == nullptr || (posted != nullptr && places_[posted->index].changed < places_[item->index].changed))
        item = posted;
    if (item == nullptr) return false;
    // Taken out first, because close() erases the item.
    unlink(item->index);
    ++counts_.dropped;
    flow_.close(*item, ended("the record gave its place to a newer one"));
    return true;
}

// Changed now, so it goes to the end of its list: lists are in the order of the last change without sorting.
void Records::note(const Service& service, Item& item) {
    if (places_.size() <= item.index) places_.resize(std::size_t{item.index} + 1);
    const std::uint32_t number = listOf(service.id, item.is(Item::onlyPosted));
    if (lists_.size() <= number) lists_.resize(std::size_t{number} + 1);
    unlink(item.index);
    List& list = lists_[number];
    places_[item.index] = {list.tail, Item::kNone, item.generation, number, reactor_.now()};
    if (list.tail == Item::kNone) list.head = item.index;
    else places_[list.tail].next = item.index;
    list.tail = item.index;
    if (timer_ == 0) arm();
}

void Records::unlink(std::uint32_t index) noexcept {
    Place& place = places_[index];
    // generation 0: not in a list. Numbers of items are reused, generations are not.
    if (place.generation == 0) return;
    List& list = lists_[place.list];
    if (place.prev == Item::kNone) list.head = place.next;
    else places_[place.prev].next = place.next;
    if (place.next == Item::kNone) list.tail = place.prev;
    else places_[place.next].prev = place.prev;
    place = {};
}

/// Somebody who is asked for items serves it, or it waits for that (hub.md 4.7): it ends with its clients, and its
/// stream there with it. When its publisher has it again, touch() puts it back.
bool Records::elsewhere(const Item& item) noexcept {
    if (item.source != nullptr) return !item.source->kind().publishes;
    return item.phase == Item::Phase::queued || item.phase == Item::Phase::parked;
}

// Items that ended stay in the list until they come to its front; then they are skipped here.
Item* Records::oldest(std::uint32_t list) noexcept {
    if (list >= lists_.size()) return nullptr;
    while (lists_[list].head != Item::kNone) {
        const std::uint32_t index = lists_[list].head;
        if (Item* const item = items_.find(index, places_[index].generation); item != nullptr && !elsewhere(*item))
            return item;
        unlink(index);  // it ended otherwise, or is no record now
    }
    return nullptr;
}

void Records::arm() {
    auto first = reactor::TimePoint::max();
    // One timer for all services, at the earliest end.
    services_.forEach([&](const Service& s) {
        for (const bool posted : {false, true}) {
            const std::chrono::seconds after = timeOf(s.policy, posted);
            if (after.count() == 0) continue;
            if (const Item* const item = oldest(listOf(s.id, posted)))
                first = std::min(first, places_[item->index].changed + after);
        }
    });
    if (first == reactor::TimePoint::max()) return;
    timer_ =
        // 1 ms at least: a turn of the loop must pass in between, or old records would hold the thread.
        reactor_.startTimer(std::max<reactor::Duration>(first - reactor_.now(), std::chrono::milliseconds(1)), [this] {
            timer_ = 0;
            expire();
            if (timer_ == 0) arm();
        });
}

void Records::expire() {
    struct Due {
        std::uint32_t list = 0;
        reactor::TimePoint before{};
    };
    std::vector<Due> due;
    services_.forEach([&](const Service& s) {
        for (const bool posted : {false, true})
            if (const std::chrono::seconds after = timeOf(s.policy, posted); after.count() != 0)
                due.push_back({listOf(s.id, posted), reactor_.now() - after});
    });
    int left = kMostInOneTurn;
    for (const auto& [list, before] : due) {
        for (Item* item = oldest(list); item != nullptr && left > 0; item = oldest(list), --left) {
            if (places_[item->index].changed > before) break;
            unlink(item->index);
            if (list % 2 != 0 && !item->is(Item::onlyPosted)) continue;  // a publisher has it, and it has no age
            ++counts_.expired;
            flow_.close(*item, ended("the record was not changed for as long as the service keeps it"));
        }
    }
}

}  // namespace emissary::hub::flow
