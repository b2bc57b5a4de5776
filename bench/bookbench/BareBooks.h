// What the books are measured against: the barest structures that hold the same content, driven by decoded operations.
#pragma once

#include "Feed.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace bookbench {

/// Price points in sorted arrays, the best last; the price is the key.
class BarePrices {
public:
    void apply(const FeedEntry& e) {
        auto& prices = prices_[e.side - 1];
        auto& sizes = sizes_[e.side - 1];
        const std::int64_t rank = e.side == 1 ? e.price : -e.price;
        std::size_t i = prices.size();
        while (i != 0 && prices[i - 1] > rank)
            --i;
        const auto at = static_cast<std::ptrdiff_t>(i);
        if (i != 0 && prices[i - 1] == rank) {
            if (e.action == FeedEntry::remove) {
                prices.erase(prices.begin() + at - 1);
                sizes.erase(sizes.begin() + at - 1);
            } else {
                sizes[i - 1] = e.size;
            }
        } else if (e.action != FeedEntry::remove) {
            prices.insert(prices.begin() + at, rank);
            sizes.insert(sizes.begin() + at, e.size);
        }
    }
    [[nodiscard]] std::int64_t best() const {
        return (prices_[0].empty() ? 0 : prices_[0].back()) + (prices_[1].empty() ? 0 : prices_[1].back());
    }

private:
    std::vector<std::int64_t> prices_[2], sizes_[2];
};

/// Orders by number in one open-addressing table, levels in sorted arrays with size and count, no queues.
class BareOrders {
public:
    void apply(const FeedEntry& e) {
        const std::size_t slot = find(e.key);
        Order* known = table_.empty() || table_[slot].key == 0 ? nullptr : &table_[slot];
        if (e.action == FeedEntry::remove) {
            if (known == nullptr) return;
            change(known->side, known->price, -known->size, -1);
            return erase(slot);
        }
        if (known != nullptr) {
            if (e.priceChanged) {
                change(known->side, known->price, -known->size, -1);
                change(e.side, e.price, e.size, 1);
                known->price = e.price;
            } else {
                change(known->side, known->price, e.size - known->size, 0);
            }
            known->size = e.size;
            return;
        }
        if (2 * ++count_ > table_.size()) grow();
        table_[find(e.key)] = {e.key, e.price, e.size, e.side};
        change(e.side, e.price, e.size, 1);
    }
    [[nodiscard]] std::int64_t best() const {
        return (side_[0].empty() ? 0 : side_[0].back().rank) + (side_[1].empty() ? 0 : side_[1].back().rank);
    }

private:
    struct Order {
        std::uint64_t key = 0;
        std::int64_t price = 0, size = 0;
        std::uint8_t side = 0;
    };
    struct Level {
        std::int64_t rank, size;
        std::int32_t orders;
    };
    [[nodiscard]] std::size_t find(std::uint64_t key) const {
        if (table_.empty()) return 0;
        std::size_t i = (key * 0x9E3779B97F4A7C15u >> 32) & (table_.size() - 1);
        while (table_[i].key != 0 && table_[i].key != key)
            i = (i + 1) & (table_.size() - 1);
        return i;
    }
    void erase(std::size_t hole) {
        const std::size_t mask = table_.size() - 1;
        for (std::size_t i = (hole + 1) & mask; table_[i].key != 0; i = (i + 1) & mask) {
            const std::size_t home = (table_[i].key * 0x9E3779B97F4A7C15u >> 32) & mask;
            if (((i - home) & mask) < ((i - hole) & mask)) continue;
            table_[hole] = table_[i];
            hole = i;
        }
        table_[hole] = {};
        --count_;
    }
    void grow() {
        std::vector<Order> old(std::max<std::size_t>(16, table_.size() * 2));
        old.swap(table_);
        for (const Order& o : old)
            if (o.key != 0) table_[find(o.key)] = o;
    }
    void change(std::uint8_t side, std::int64_t price, std::int64_t size, std::int32_t orders) {
        auto& levels = side_[side - 1];
        const std::int64_t rank = side == 1 ? price : -price;
        std::size_t i = levels.size();
        while (i != 0 && levels[i - 1].rank > rank)
            --i;
        if (i != 0 && levels[i - 1].rank == rank) {
            Level& level = levels[i - 1];
            level.size += size;
            level.orders += orders;
            if (level.orders == 0) levels.erase(levels.begin() + static_cast<std::ptrdiff_t>(i) - 1);
        } else {
            levels.insert(levels.begin() + static_cast<std::ptrdiff_t>(i), {rank, size, orders});
        }
    }
    std::vector<Order> table_;
    std::vector<Level> side_[2];
    std::size_t count_ = 0;
};

/// The same in the containers of the standard library.
class StdOrders {
public:
    void apply(const FeedEntry& e) {
        const auto known = orders_.find(e.key);
        if (known != orders_.end()) take(known->second);
        if (e.action == FeedEntry::remove) {
            if (known != orders_.end()) orders_.erase(known);
            return;
        }
        Order o = known != orders_.end() ? known->second : Order{};
        if (e.priceChanged) o = {e.side, e.price, 0};
        o.size = e.size;
        orders_[e.key] = o;
        auto& level = side_[o.side - 1][o.side == 1 ? -o.price : o.price];
        level.first += o.size;
        ++level.second;
    }
    [[nodiscard]] std::int64_t best() const {
        return (side_[0].empty() ? 0 : side_[0].begin()->first) + (side_[1].empty() ? 0 : side_[1].begin()->first);
    }

private:
    struct Order {
        std::uint8_t side = 1;
        std::int64_t price = 0, size = 0;
    };
    void take(const Order& o) {
        auto& side = side_[o.side - 1];
        const auto level = side.find(o.side == 1 ? -o.price : o.price);
        level->second.first -= o.size;
        if (--level->second.second == 0) side.erase(level);
    }
    std::unordered_map<std::uint64_t, Order> orders_;
    std::map<std::int64_t, std::pair<std::int64_t, std::int32_t>> side_[2];
};

/// One an instrument, with its image.
template <class Bare>
std::vector<Bare> bareBooks(const Feed& feed) {
    std::vector<Bare> books(feed.traits().instruments);
    std::vector<FeedEntry> image;
    for (std::uint32_t i = 0; i != feed.traits().instruments; ++i) {
        image.clear();
        feed.imageEntries(i, image);
        for (const FeedEntry& e : image)
            books[i].apply(e);
    }
    return books;
}

}  // namespace bookbench
