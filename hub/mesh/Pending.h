// Records of lanes that came before the record in front of them.
#pragma once

#include "hub/mesh/frames.h"

#include <cstdint>
#include <list>
#include <map>
#include <vector>

namespace emissary::hub::mesh {

/// By item and version; bounded in number and bytes. When it is full the oldest gives way: an image makes up for it.
class Pending {
public:
    Pending(std::size_t most, std::size_t mostBytes) noexcept : most_(most), mostBytes_(mostBytes) {}
    struct Held {
        Kind kind;
        std::uint64_t sequence;  ///< of its frame
        std::vector<std::byte> body;
    };
    /// The number of records that were dropped for it.
    std::size_t hold(std::uint32_t item, const Record& r, std::uint64_t sequence) {
        const Key key{item, r.version};
        if (held_.contains(key) || r.body.size() > mostBytes_ || most_ == 0) return held_.contains(key) ? 0 : 1;
        std::size_t dropped = 0;
        for (; held_.size() >= most_ || bytes_ + r.body.size() > mostBytes_; ++dropped)
            erase(held_.find(order_.front()));
        order_.push_back(key);
        held_.emplace(key, Place{{r.kind, sequence, {r.body.begin(), r.body.end()}}, std::prev(order_.end())});
        bytes_ += r.body.size();
        return dropped;
    }
    /// Takes the record out. False: it is not here.
    bool take(std::uint32_t item, std::uint32_t version, Held& into) {
        const auto at = held_.find({item, version});
        if (at == held_.end()) return false;
        into = std::move(at->second.held);
        bytes_ -= into.body.size();
        order_.erase(at->second.place);
        held_.erase(at);
        return true;
    }
    /// Everything of the item up to a version.
    void drop(std::uint32_t item, std::uint32_t upTo = 0xFFFFFFFF) {
        for (auto at = held_.lower_bound({item, 0}); at != held_.end() && at->first <= Key{item, upTo};)
            at = erase(at);
    }
    [[nodiscard]] std::size_t size() const noexcept { return held_.size(); }

private:
    using Key = std::pair<std::uint32_t, std::uint32_t>;
    struct Place {
        Held held;
        std::list<Key>::iterator place;
    };
    using Map = std::map<Key, Place>;
    Map::iterator erase(Map::iterator at) {
        bytes_ -= at->second.held.body.size();
        order_.erase(at->second.place);
        return held_.erase(at);
    }
    const std::size_t most_, mostBytes_;
    std::size_t bytes_ = 0;
    std::list<Key> order_;
    Map held_;
};

}  // namespace emissary::hub::mesh
