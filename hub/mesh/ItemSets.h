// hub/mesh: the items of an edge by service, owner and lane, and those whose state has to be looked at.
#pragma once

#include "hub/mesh/EdgeItem.h"

#include <algorithm>
#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>

namespace emissary::hub::mesh {

/// Some of the items. Each knows its place, so that it leaves in constant time; the order means nothing. An item is in
/// one set at most for each member that keeps places.
template <std::uint32_t EdgeItem::*Place>
class ItemSet {
public:
    void add(std::vector<EdgeItem>& items, std::uint32_t index) {
        items[index].*Place = static_cast<std::uint32_t>(list_.size());
        list_.push_back(index);
    }
    void remove(std::vector<EdgeItem>& items, std::uint32_t index) noexcept {
        const std::uint32_t last = list_.back();
        list_[items[index].*Place] = last;
        items[last].*Place = items[index].*Place;
        list_.pop_back();
    }
    [[nodiscard]] const std::vector<std::uint32_t>& list() const noexcept { return list_; }
    [[nodiscard]] bool empty() const noexcept { return list_.empty(); }

private:
    std::vector<std::uint32_t> list_;
};

/// Items that have an owner or wait for one, by service and owner. Keeps EdgeItem::owner, home and placeAtHome.
class Homes {
public:
    struct Group {
        std::uint32_t owner;  ///< ownerIn(), or kNoOwner
        ItemSet<&EdgeItem::placeAtHome> items;
        std::size_t unseen = 0;  ///< items from the front of the list on that next() has not given yet
    };
    struct Service {
        std::string name;
        std::vector<Group> groups;  ///< one for each owner; an empty one is used again
        std::size_t items = 0;      ///< 0: the place is free
    };

    /// An item without owner.
    void add(std::vector<EdgeItem>& items, std::uint32_t index) {
        EdgeItem& item = items[index];
        auto known = byName_.find(item.service);
        if (known == byName_.end()) {
            if (free_.empty()) {
                free_.push_back(static_cast<std::uint32_t>(services_.size()));
                services_.emplace_back();
            }
            known = byName_.emplace(item.service, free_.back()).first;
            free_.pop_back();
            services_[known->second].name = item.service;
        }
        item.home = known->second;
        item.owner = kNoOwner;
        ++services_[item.home].items;
        group(item).items.add(items, index);
    }
    /// To another owner, or to none.
    void move(std::vector<EdgeItem>& items, std::uint32_t index, std::uint32_t owner) {
        EdgeItem& item = items[index];
        if (item.owner == owner) return;
        group(item).items.remove(items, index);
        item.owner = owner;
        group(item).items.add(items, index);
    }
    /// It needs no owner any more. Has no effect on an item that is not here.
    void remove(std::vector<EdgeItem>& items, std::uint32_t index) {
        EdgeItem& item = items[index];
        if (item.home == kNoHome) return;
        group(item).items.remove(items, index);
        Service& s = services_[item.home];
        if (--s.items == 0) {
            byName_.erase(s.name);
            free_.push_back(item.home);
            s = {};
        }
        item.home = kNoHome;
        item.owner = kNoOwner;
    }
    [[nodiscard]] const std::vector<Service>& services() const noexcept { return services_; }
    /// next() begins anew, with all that are there now.
    void seeAll() noexcept {
        for (Service& s : services_)
            for (Group& g : s.groups)
                g.unseen = g.items.list().size();
    }
    /// Calls `use(service, group, index)` for items that it was not called for since seeAll(), `most` at most, of
    /// groups that `from(service, group)` says true for. It may move none. False: there are more.
    template <class From, class Use>
    bool next(std::size_t most, From&& from, Use&& use) {
        for (Service& s : services_)
            for (Group& g : s.groups) {
                // From the end: whoever leaves the group has its place taken by one that was seen, or behind all.
                g.unseen = std::min(g.unseen, g.items.list().size());
                if (g.unseen == 0 || s.items == 0 || !from(s, g)) continue;
                for (; g.unseen != 0; --most) {
                    if (most == 0) return false;
                    use(s, g, g.items.list()[--g.unseen]);
                }
            }
        return true;
    }
    /// Items of the service that have this owner.
    [[nodiscard]] std::size_t count(const std::string& service, std::uint32_t owner) const {
        const auto known = byName_.find(service);
        if (known == byName_.end()) return 0;
        for (const Group& g : services_[known->second].groups)
            if (g.owner == owner) return g.items.list().size();
        return 0;
    }
    /// Items of an owner, `most` at most, those of a service together; a copy, since what is done with them moves them.
    [[nodiscard]] std::vector<std::uint32_t> some(std::uint32_t owner, std::size_t most) const {
        std::vector<std::uint32_t> found;
        for (const Service& s : services_)
            for (const Group& g : s.groups) {
                if (g.owner != owner) continue;
                const std::vector<std::uint32_t>& all = g.items.list();
                found.insert(found.end(), all.rbegin(),
                             all.rbegin() + static_cast<std::ptrdiff_t>(std::min(all.size(), most - found.size())));
                if (found.size() == most) return found;
            }
        return found;
    }

private:
    [[nodiscard]] Group& group(const EdgeItem& item) {
        std::vector<Group>& groups = services_[item.home].groups;
        for (Group& g : groups)
            if (g.owner == item.owner) return g;
        for (Group& g : groups)
            if (g.items.empty()) return g = {item.owner, {}};
        groups.push_back({item.owner, {}});
        return groups.back();
    }
    std::vector<Service> services_;
    std::vector<std::uint32_t> free_;
    std::unordered_map<std::string, std::uint32_t> byName_;
};

/// Items whose state may have changed: now, or when a promise ends. Each is in either queue once at most.
class StateQueue {
public:
    void soon(std::vector<EdgeItem>& items, std::uint32_t index) {
        if (std::exchange(items[index].looked, true)) return;
        soon_.push_back(index);
    }
    void at(std::vector<EdgeItem>& items, std::uint32_t index, eta::TimePoint when) {
        if (!std::exchange(items[index].timed, true)) later_.emplace(when, index);
    }
    /// Calls `look(index)` for those whose time has come, `most` at most; it may call soon() and at(). False: there are
    /// more.
    template <class Look>
    bool run(std::vector<EdgeItem>& items, eta::TimePoint now, std::size_t most, Look&& look) {
        std::size_t moves = most;
        for (; moves != 0 && !later_.empty() && later_.top().first <= now; later_.pop(), --moves) {
            items[later_.top().second].timed = false;
            soon(items, later_.top().second);
        }
        for (; most != 0 && looked_ != soon_.size(); --most) {
            const std::uint32_t index = soon_[looked_++];
            items[index].looked = false;
            look(index);
        }
        if (looked_ == soon_.size()) {
            soon_.clear();
            looked_ = 0;
        } else if (looked_ >= kMostLooked) {  // moved once for as many as have been looked at
            soon_.erase(soon_.begin(), soon_.begin() + static_cast<std::ptrdiff_t>(looked_));
            looked_ = 0;
        }
        return soon_.empty() && (later_.empty() || later_.top().first > now);
    }

private:
    using Due = std::pair<eta::TimePoint, std::uint32_t>;
    static constexpr std::size_t kMostLooked = 65'536;
    std::vector<std::uint32_t> soon_;
    std::size_t looked_ = 0;  // of soon_, from its front on
    std::priority_queue<Due, std::vector<Due>, std::greater<>> later_;
};

}  // namespace emissary::hub::mesh
