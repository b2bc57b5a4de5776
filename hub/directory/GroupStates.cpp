// Finds the items that a status of a group or service concerns, and tells their mounts.
#include "hub/directory/GroupStates.h"

#include "hub/flow/Headers.h"

#include <algorithm>
#include <utility>

namespace emissary::hub::directory {

using namespace eta::codec;
using flow::Tell;

namespace {

/// Of many items at once only an end is said, or what becomes of their data: NonStreaming, and what sources send that
/// say nothing, leave the streams open.
[[nodiscard]] State ofAll(const State& said) noexcept {
    State state = said;
    if (!state.isFinal()) state.stream = StreamState::open;
    return state;
}

}  // namespace

void GroupStates::onGroupStatus(Source& source, Service& service, Bytes group, const State& said, const Hooks& hooks) {
    const State state = ofAll(said);
    // A merger and a status in one entry: the status is for the group that the items belong to after the merger, and
    // goes first (hub.md 3.3).
    if (pending_.source == &source && pending_.service == service.id && std::ranges::equal(pending_.into, group))
        toGroup(source, service, groups_.find(service.id, source, pending_.group), state, hooks);
    else flush();
    toGroup(source, service, groups_.find(service.id, source, group), state, hooks);
    flush();
}

// The status that ends items must not overtake a merger that came before it.
void GroupStates::onServiceStatus(Source& source, Service& service, const State& said, const Hooks& hooks) {
    const State state = ofAll(said);
    flush();
    for (const std::uint16_t number : groups_.ofSource(service.id, source))
        toGroup(source, service, number, state, hooks);
    if (state.stream == StreamState::open) return;
    // Those that have had no refresh yet are in no group, and end as well.
    std::vector<Groups::Ref> others;
    items_.forEachOf(service.id, &source, [&](const Item& item) {
        if (item.group == 0) others.push_back({item.index, item.generation});
    });
    // A copy of the references: ending items changes the list.
    for (const auto [index, generation] : others)
        if (Item* const item = items_.find(index, generation); item != nullptr && item->source == &source)
            hooks.ended(*item, state);
}

void GroupStates::toGroup(Source& source, Service& service, std::uint16_t number, const State& state,
                          const Hooks& hooks) {
    // Group 0 has items without a source, which no group message can mean.
    if (number == 0) return;
    const bool open = state.stream == StreamState::open;
    bool any = false;
    for (const auto [index, generation] : groups_.itemsOf(service.id, number)) {
        Item* const item = items_.find(index, generation);
        if (item == nullptr || item->source != &source) continue;
        // An end is said item by item, not as a group status.
        if (!open) {
            hooks.ended(*item, state);
            continue;
        }
        // Only items that had an answer take part (hub.md 3.3).
        if (item->phase != Item::Phase::open) continue;
        // In hot mode the standby takes over, and nobody hears of the Suspect (hub.md 4.2).
        if (state.data == DataState::suspect && hooks.spare && !item->is(Item::isPrivate) && hooks.spare(*item, state))
            continue;
        any = true;
        // What an item of a lost source says of itself stays until its refresh.
        if (item->is(Item::recovering | Item::rebound) && state.data == DataState::ok) continue;
        // Private streams are in no group towards their clients.
        if (item->is(Item::isPrivate)) {
            flow_.changeState(*item, state, Tell::everybody);
            continue;
        }
        const bool now = pace_ == nullptr || pace_->now(*item);
        flow_.changeState(*item, state, now ? Tell::thoseWithoutGroups : Tell::nobody);
        // The item has its state; its mounts hear of it within StatusRate.
        if (!now) pace_->later(*item);
    }
    if (!open || !any) return;
    // After the items: statuses come before the directory message (hub.md 3.2).
    std::array<std::byte, 4> room{};
    clients_.onGroupStatus(service, flow::groupId(service.id, number, room), state);
}

void GroupStates::onGroupMerged(Source& source, Service& service, Bytes group, Bytes into) {
    flush();
    // Kept until the next message shows whether a status of the same entry follows.
    pending_ = {&source, service.id, {group.begin(), group.end()}, {into.begin(), into.end()}};
}

void GroupStates::flush() {
    if (pending_.source == nullptr) return;
    const Merger m = std::exchange(pending_, {});
    Service* const service = services_.find(m.service);
    if (service == nullptr) return;
    // Both numbers are taken before the merger, since a group without items loses its number.
    const std::uint16_t from = groups_.find(m.service, *m.source, m.group);
    const std::uint16_t to = groups_.merge(m.service, *m.source, m.group, m.into);
    if (to == 0) return;
    std::array<std::byte, 4> a{}, b{};
    clients_.onGroupMerged(*service, flow::groupId(m.service, from, a), flow::groupId(m.service, to, b));
}

void GroupStates::suspect(Source& source, Service& service, std::uint8_t code, std::string_view text) {
    // A merger of a lost source has no meaning any more.
    forget(source);
    for (const std::uint16_t number : groups_.ofSource(service.id, source)) {
        bool any = false;
        for (const auto [index, generation] : groups_.itemsOf(service.id, number)) {
            Item* const item = items_.find(index, generation);
            if (item == nullptr || item->source != &source || item->is(Item::isPrivate)) continue;
            suspect(*item, code, text);
            any = true;
        }
        // One message for the group, and only if an item of it has changed.
        if (any) tellSuspect(source, service, number, code, text);
    }
}

void GroupStates::suspect(Item& item, std::uint8_t code, std::string_view text) {
    // When a service has more groups than there are numbers, some items have none, and no group status covers them.
    if (item.group == 0) return flow_.suspect(item, code, text);
    const bool now = pace_ == nullptr || pace_->now(item);
    const std::uint32_t index = item.index, generation = item.generation;
    flow_.suspect(item, code, text, now ? Tell::thoseWithoutGroups : Tell::nobody);
    if (now) return;
    // With the Suspect its last mount may have left, and the item with it.
    if (Item* const still = items_.find(index, generation)) pace_->later(*still);
}

void GroupStates::tellSuspect(const Source& source, Service& service, std::uint16_t group, std::uint8_t code,
                              std::string_view text) {
    if (!groups_.belongs(service.id, group, source)) return;
    std::array<std::byte, 4> room{};
    clients_.onGroupStatus(service, flow::groupId(service.id, group, room),
                           {StreamState::open, DataState::suspect, code, eta::asBytes(text)});
}

}  // namespace emissary::hub::directory
