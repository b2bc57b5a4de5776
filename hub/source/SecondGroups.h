// Second streams of items, by the group that their source has put them in (hub.md 3.3).
#pragma once

#include "hub/core/Source.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace emissary::hub::source {

/// Lists of records, one for each group that a source has in a service. The owner of the records names each by a number
/// and gives the place that it keeps in it: `placeOf(number)` returns a Place&. A group costs nothing once its last
/// record has left. Stage thread only.
class SecondGroups {
    using List = std::pair<const std::string, std::uint32_t>;  // service, source and group to the first record

public:
    /// A record's place in its list.
    struct Place {
        List* list = nullptr;  ///< null: in none
        std::uint32_t next = Item::kNone, prev = Item::kNone;
    };

    /// The record belongs to that group from now on. Throws std::bad_alloc; it is in no group then.
    template <class PlaceOf>
    void put(PlaceOf&& placeOf, std::uint32_t number, std::uint16_t service, const Source& source, Bytes group) {
        makeKey(service, source, group);
        if (const List* const list = placeOf(number).list; list != nullptr && list->first == key_) return;
        take(placeOf, number);
        List& list = *lists_.try_emplace(key_, Item::kNone).first;
        if (list.second != Item::kNone) placeOf(list.second).prev = number;
        placeOf(number) = {&list, list.second, Item::kNone};
        list.second = number;
    }
    /// The record is in no group any more.
    template <class PlaceOf>
    void take(PlaceOf&& placeOf, std::uint32_t number) noexcept {
        const Place place = placeOf(number);
        if (place.list == nullptr) return;
        (place.prev != Item::kNone ? placeOf(place.prev).next : place.list->second) = place.next;
        if (place.next != Item::kNone) placeOf(place.next).prev = place.prev;
        placeOf(number) = {};
        if (place.list->second == Item::kNone) lists_.erase(lists_.find(place.list->first));
    }
    /// The records of a source's group.
    template <class PlaceOf>
    [[nodiscard]] std::vector<std::uint32_t> inGroup(PlaceOf&& placeOf, std::uint16_t service, const Source& source,
                                                     Bytes group) {
        std::vector<std::uint32_t> found;
        makeKey(service, source, group);
        const auto list = lists_.find(key_);
        for (std::uint32_t at = list != lists_.end() ? list->second : Item::kNone; at != Item::kNone;
             at = placeOf(at).next)
            found.push_back(at);
        return found;
    }
    /// All records go.
    void clear() noexcept { lists_.clear(); }

private:
    void makeKey(std::uint16_t service, const Source& source, Bytes group) {
        const std::uint16_t number = source.number();
        key_.assign({static_cast<char>(service >> 8), static_cast<char>(service & 0xFF), static_cast<char>(number >> 8),
                     static_cast<char>(number & 0xFF)});
        if (group.empty()) key_.append(2, '\0');  // the default group
        else key_.append(eta::asText(group));
    }
    std::unordered_map<std::string, std::uint32_t> lists_;  // its elements stay where they are
    std::string key_;
};

}  // namespace emissary::hub::source
