// Which streams on the wire are in each item group.
#pragma once

#include "rdm/ItemGroups.h"
#include "reactor/memory.h"
#include "watchlist/Stream.h"

#include <vector>

namespace emissary::reactor::consumer {

/// The streams of each numbered group, so that what the directory says of a group costs its members and not all items:
/// one message may have tens of thousands of such entries. Streams in no group (ItemGroups::kDefault) and those whose
/// group has no number are in no list. Links lie beside the records, and only streams with groups need them. Session
/// lock held throughout.
class GroupLists {
public:
    explicit GroupLists(Pool<Stream>& pool) noexcept : pool_(pool) {}

    /// The stream, on the wire, changes to the group of that id. When memory runs out it is in the group, but in no
    /// list; the session ends then.
    void put(Stream& s, Bytes id) {
        const Number before = s.group;
        numbers_.put(s.group, id);
        if (s.group == before) return;
        unlink(s.index, before);
        if (isListed(s.group)) link(s);
        else trim();
    }
    /// The stream leaves the wire, and is in no group then.
    void take(Stream& s) noexcept {
        if (s.group == rdm::ItemGroups::kDefault) return;
        unlink(s.index, s.group);
        numbers_.take(s.group);
        trim();
    }
    /// Calls `f` with each stream of a group that has a number, the one that joined first in front. `f` must not change
    /// the group of any.
    template <class F>
    void forEach(rdm::ItemGroups::Number group, F&& f) {
        if (!isListed(group) || group >= heads_.size()) return;
        for (std::uint32_t at = heads_[group].first; at != kNone; at = links_[at].next)
            f(pool_[at]);
    }
    [[nodiscard]] const rdm::ItemGroups& numbers() const noexcept { return numbers_; }

private:
    using Number = rdm::ItemGroups::Number;
    static constexpr std::uint32_t kNone = 0xFFFFFFFF, kOut = 0xFFFFFFFE;
    struct Head {
        std::uint32_t first = kNone, last = kNone;
    };
    struct Links {
        std::uint32_t prev = kOut, next = kOut;  // kOut: in no list
    };
    [[nodiscard]] static bool isListed(Number group) noexcept {
        return group != rdm::ItemGroups::kDefault && group != rdm::ItemGroups::kUnknown;
    }
    void trim() noexcept {
        if (numbers_.size() != 0) return;
        ItemVector<Head>().swap(heads_);
        ItemVector<Links>().swap(links_);
    }
    void link(const Stream& s) {
        if (heads_.size() <= s.group) heads_.resize(s.group + std::size_t{1});
        if (links_.size() <= s.index) links_.resize(s.index + std::size_t{1});
        Head& head = heads_[s.group];
        links_[s.index] = {head.last, kNone};
        (head.last != kNone ? links_[head.last].next : head.first) = s.index;
        head.last = s.index;
    }
    void unlink(std::uint32_t index, Number group) noexcept {
        if (!isListed(group) || index >= links_.size() || links_[index].prev == kOut) return;
        const Links old = links_[index];
        links_[index] = {};
        Head& head = heads_[group];
        (old.prev != kNone ? links_[old.prev].next : head.first) = old.next;
        (old.next != kNone ? links_[old.next].prev : head.last) = old.prev;
    }

    Pool<Stream>& pool_;
    rdm::ItemGroups numbers_;
    ItemVector<Head> heads_;   // by number
    ItemVector<Links> links_;  // by the record's index in the pool
};

}  // namespace emissary::reactor::consumer
