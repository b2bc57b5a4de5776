// Maps the group ids of sources to numbers, and links the items of each group.
#include "hub/directory/Groups.h"

namespace emissary::hub::directory {

// Source number (2 bytes), then the group id as the source sent it: two sources may use the same bytes (hub.md 3.3).
void Groups::makeKey(std::string& key, const Source& source, Bytes sourceGroup) {
    key.assign({static_cast<char>(source.number() >> 8), static_cast<char>(source.number() & 0xFF)});
    if (sourceGroup.empty()) key.append(2, '\0');  // the default group
    else key.append(eta::asText(sourceGroup));
}

Groups::Numbers& Groups::numbersOf(std::uint16_t service) {
    if (byService_.size() <= service) byService_.resize(std::size_t{service} + 1);
    auto& numbers = byService_[service];
    if (!numbers) numbers = std::make_unique<Numbers>();
    return *numbers;
}

std::uint16_t Groups::numberOf(Numbers& numbers, const std::string& key) {
    if (const auto at = numbers.byKey.find(key); at != numbers.byKey.end()) return at->second;
    std::uint16_t number = 0;
    if (!numbers.free.empty()) {
        number = numbers.free.back();
        numbers.byKey.emplace(key, number);
        numbers.free.pop_back();
    } else {
        // kMost numbers are used up: the item stays without a group and gets its statuses one by one.
        if (numbers.groups.size() > kMost) return 0;
        number = static_cast<std::uint16_t>(numbers.groups.size());
        numbers.groups.emplace_back();
        // take() is noexcept and gives numbers back.
        numbers.free.reserve(numbers.groups.capacity());  // so that take() has room
        numbers.byKey.emplace(key, number);
    }
    numbers.groups[number].key = key;
    counts_.groups += 1;
    return number;
}

void Groups::put(Item& item, Bytes sourceGroup) {
    // Without a source an item is in the default group towards clients.
    if (item.source == nullptr) return take(item);
    Numbers& numbers = numbersOf(item.service);
    makeKey(key_, *item.source, sourceGroup);
    // The usual case: a refresh repeats the group that the item has.
    if (item.group != 0 && numbers.groups[item.group].key == key_) return;
    const std::uint16_t number = numberOf(numbers, key_);
    take(item);
    if (number == 0) return void(++counts_.groupless);
    link(numbers, item, number);
}

void Groups::link(Numbers& numbers, Item& item, std::uint16_t number) noexcept {
    Group& group = numbers.groups[number];
    GroupMap::number(item, number);
    // The list runs through the items themselves, so a group of a million items costs no memory of its own.
    item.groupPrev = Item::kNone;
    item.groupNext = group.first;
    if (group.first != Item::kNone) items_[group.first].groupPrev = item.index;
    group.first = item.index;
    ++group.size;
}

void Groups::take(Item& item) noexcept {
    if (item.group == 0) return;
    Numbers& numbers = *byService_[item.service];
    Group& group = numbers.groups[item.group];
    (item.groupPrev != Item::kNone ? items_[item.groupPrev].groupNext : group.first) = item.groupNext;
    if (item.groupNext != Item::kNone) items_[item.groupNext].groupPrev = item.groupPrev;
    // The number is free again. A later group may have it: clients hear of group ids with each image only.
    if (--group.size == 0) {
        numbers.byKey.erase(group.key);
        numbers.free.push_back(item.group);
        counts_.groups -= 1;
    }
    number(item, 0);
    item.groupNext = item.groupPrev = Item::kNone;
}

// 0: the source has no item in such a group.
std::uint16_t Groups::find(std::uint16_t service, const Source& source, Bytes sourceGroup) const {
    const Numbers* const numbers = find(service);
    if (numbers == nullptr) return 0;
    makeKey(key_, source, sourceGroup);
    const auto at = numbers->byKey.find(key_);
    return at == numbers->byKey.end() ? 0 : at->second;
}

Bytes Groups::sourceGroupOf(const Item& item) const noexcept {
    const Numbers* const numbers = find(item.service);
    if (numbers == nullptr || item.group == 0) return {};
    return eta::asBytes(std::string_view(numbers->groups[item.group].key).substr(2));
}

std::vector<std::uint16_t> Groups::ofSource(std::uint16_t service, const Source& source) const {
    std::vector<std::uint16_t> found;
    const Numbers* const numbers = find(service);
    if (numbers == nullptr) return found;
    // The key without the group is the prefix of all keys of this source.
    makeKey(key_, source, {});
    const std::string prefix = key_.substr(0, 2);
    for (std::size_t n = 1; n < numbers->groups.size(); ++n)
        if (numbers->groups[n].size != 0 && numbers->groups[n].key.starts_with(prefix))
            found.push_back(static_cast<std::uint16_t>(n));
    return found;
}

bool Groups::belongs(std::uint16_t service, std::uint16_t group, const Source& source) const {
    const Numbers* const numbers = find(service);
    if (numbers == nullptr || group >= numbers->groups.size() || numbers->groups[group].size == 0) return false;
    makeKey(key_, source, {});
    return numbers->groups[group].key.starts_with(std::string_view(key_).substr(0, 2));
}

// A copy: callers change items, and with them the list.
std::vector<Groups::Ref> Groups::itemsOf(std::uint16_t service, std::uint16_t group) const {
    std::vector<Ref> found;
    const Numbers* const numbers = find(service);
    if (numbers == nullptr || group == 0 || group >= numbers->groups.size()) return found;
    found.reserve(numbers->groups[group].size);
    for (std::uint32_t i = numbers->groups[group].first; i != Item::kNone;) {
        const Item& item = items_[i];
        found.push_back({item.index, item.generation});
        i = item.groupNext;
    }
    return found;
}

std::uint16_t Groups::merge(std::uint16_t service, const Source& source, Bytes group, Bytes into) {
    const std::uint16_t from = find(service, source, group);
    if (from == 0) return 0;
    Numbers& numbers = numbersOf(service);
    makeKey(key_, source, into);
    const std::uint16_t to = numberOf(numbers, key_);
    if (to == 0 || to == from) return 0;
    // Item by item: each carries its group number in its record, which images take from there.
    while (numbers.groups[from].size != 0) {
        Item& item = items_[numbers.groups[from].first];
        take(item);
        link(numbers, item, to);
    }
    return to;
}

}  // namespace emissary::hub::directory
