// Draws orders and levels from a seeded generator, and keeps the true books beside them.
#include "BookFeed.h"

#include <algorithm>
#include <bit>
#include <charconv>

namespace emissary::perf {

FeedTraits channelA() {
    return {"A", 4069, 10, 10, 794, 1569, 429, 360};
}
FeedTraits channelB() {
    return {"B", 1905, 7, 10, 270, 690, 178, 384};
}

std::string_view keyText(const FeedEntry& entry, bool pricePoint, char* to) noexcept {
    char* end = std::to_chars(to, to + 20, entry.key).ptr;
    if (pricePoint) *end++ = entry.side == 1 ? 'B' : 'A';
    return {to, static_cast<std::size_t>(end - to)};
}

// --- orders

OrderSource::OrderSource(std::uint32_t bids, std::uint32_t asks, std::uint64_t seed)
    // Order numbers have ten digits, and start at one of a thousand places, so that two books seldom share one.
    : nextNumber_(1'000'000'000 + seed % 1000 * 1'000'000), random_(seed * 0x9E3779B97F4A7C15u + 1),
      span_(std::max<std::int64_t>(12, (bids + asks) / 16)) {
    side_[0].target = bids;
    side_[1].target = asks;
    for (SideBook& side : side_)
        while (side.count < side.target)
            static_cast<void>(put(side, 1 + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(span_))),
                                  {nextNumber_++, 1 + static_cast<std::int64_t>(below(100))}));
}

/// Distances are geometric, with a few far ones.
std::int64_t OrderSource::distance() {
    if (below(8) == 0) return 1 + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(span_)));
    std::int64_t d = 1;
    while (d < span_ && below(6) != 0)
        ++d;
    return d;
}

/// The level at a geometric number of steps from the best.
std::size_t OrderSource::someLevel(const SideBook& side) {
    const auto steps = static_cast<std::size_t>(distance() - 1);
    return side.levels.size() - 1 - std::min(steps, side.levels.size() - 1);
}

std::size_t OrderSource::put(SideBook& side, std::int64_t distance, Order order) {
    const auto at = std::lower_bound(side.levels.begin(), side.levels.end(), distance,
                                     [](const Level& l, std::int64_t d) { return l.distance > d; });
    const auto level =
        at != side.levels.end() && at->distance == distance ? at : side.levels.insert(at, Level{distance, 0, {}});
    level->queue.push_back(order);
    level->size += order.size;
    ++side.count;
    return static_cast<std::size_t>(level - side.levels.begin());
}

OrderSource::Order OrderSource::take(SideBook& side, std::size_t level, std::size_t place) {
    Level& l = side.levels[level];
    const Order order = l.queue[place];
    l.queue.erase(l.queue.begin() + static_cast<std::ptrdiff_t>(place));
    l.size -= order.size;
    --side.count;
    if (l.queue.empty()) side.levels.erase(side.levels.begin() + static_cast<std::ptrdiff_t>(level));
    return order;
}

FeedEntry OrderSource::pointOf(int side, std::int64_t distance) const {
    FeedEntry e;
    e.side = static_cast<std::uint8_t>(side);
    e.price = priceOf(side, distance);
    e.key = static_cast<std::uint64_t>(e.price);
    const auto& levels = side_[side - 1].levels;
    const auto at = std::lower_bound(levels.begin(), levels.end(), distance,
                                     [](const Level& l, std::int64_t d) { return l.distance > d; });
    if (at == levels.end() || at->distance != distance) {
        e.action = FeedEntry::remove;
        return e;
    }
    e.action = FeedEntry::update;
    e.priceChanged = false;
    e.size = at->size;
    e.orders = static_cast<std::uint32_t>(at->queue.size());
    return e;
}

void OrderSource::step(FeedEntry& order, std::vector<FeedEntry>& points) {
    const int which = 1 + static_cast<int>(below(2));
    SideBook& side = side_[which - 1];
    order = FeedEntry{};
    order.side = static_cast<std::uint8_t>(which);
    const std::uint64_t what = below(10);
    // Below its target a side grows a little more often than it shrinks, above it the other way round: sizes hover, and
    // a side never runs empty.
    const bool grow = side.count < 2 || (side.count < side.target ? what < 5 : what < 3);
    const auto pointAdded = [&](std::int64_t distance) {
        FeedEntry point = pointOf(which, distance);
        if (point.orders == 1) {
            point.action = FeedEntry::add;
            point.priceChanged = true;
        }
        points.push_back(point);
    };
    if (grow) {
        const std::int64_t d = distance();
        const Order fresh{nextNumber_++, 1 + static_cast<std::int64_t>(below(100))};
        static_cast<void>(put(side, d, fresh));
        order.action = FeedEntry::add;
        order.key = fresh.number;
        order.price = priceOf(which, d);
        order.size = fresh.size;
        return pointAdded(d);
    }
    const std::size_t at = someLevel(side);
    const std::size_t place = below(side.levels[at].queue.size());
    const std::int64_t from = side.levels[at].distance;
    if (what < 8) {
        order.action = FeedEntry::remove;
        order.key = take(side, at, place).number;
        return points.push_back(pointOf(which, from));
    }
    order.action = FeedEntry::update;
    if (what == 8) {  // another size, most often a smaller one
        Level& level = side.levels[at];
        Order& o = level.queue[place];
        const std::int64_t size = below(4) != 0 && o.size > 1
                                      ? 1 + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(o.size - 1)))
                                      : o.size + 1 + static_cast<std::int64_t>(below(50));
        level.size += size - o.size;
        const bool larger = size > o.size;
        o.size = size;
        order.key = o.number;
        order.size = size;
        order.price = priceOf(which, from);
        order.priceChanged = false;
        if (larger) {  // to the end of the queue
            const Order moved = o;
            level.queue.erase(level.queue.begin() + static_cast<std::ptrdiff_t>(place));
            level.queue.push_back(moved);
        }
        return points.push_back(pointOf(which, from));
    }
    std::int64_t to = distance();
    if (to == from) ++to;
    const Order moved = take(side, at, place);
    static_cast<void>(put(side, to, moved));
    order.key = moved.number;
    order.size = moved.size;
    order.price = priceOf(which, to);
    points.push_back(pointOf(which, from));
    pointAdded(to);
}

void OrderSource::image(std::vector<FeedEntry>& orders) const {
    for (const int which : {1, 2})
        for (auto level = side_[which - 1].levels.rbegin(); level != side_[which - 1].levels.rend(); ++level)
            for (const Order& o : level->queue)
                orders.push_back({FeedEntry::add, static_cast<std::uint8_t>(which), o.number,
                                  priceOf(which, level->distance), o.size, 1, true});
}

void OrderSource::priceImage(std::vector<FeedEntry>& points) const {
    for (const int which : {1, 2})
        for (auto level = side_[which - 1].levels.rbegin(); level != side_[which - 1].levels.rend(); ++level) {
            points.push_back(pointOf(which, level->distance));
            points.back().action = FeedEntry::add;
            points.back().priceChanged = true;
        }
}

// --- price points

PriceSource::PriceSource(std::uint32_t average, std::uint32_t most, std::uint64_t seed)
    : average_(average), most_(most), random_(seed * 0x9E3779B97F4A7C15u + 2) {
    for (auto& side : side_)
        for (std::uint32_t i = 0; i != average; ++i)
            side.push_back({1 + 2 * static_cast<std::int64_t>(i), 1 + static_cast<std::int64_t>(below(1000)),
                            1 + static_cast<std::uint32_t>(below(20))});
}

// The number of zeros at the end of a random word is geometric: each level is half as busy as the one before it.
std::size_t PriceSource::place() noexcept {
    return std::min<std::size_t>(static_cast<std::size_t>(std::countr_zero(random_() | (std::uint64_t{1} << 32))), 31);
}

FeedEntry PriceSource::entryOf(int side, const Level& level, FeedEntry::Action action) const noexcept {
    FeedEntry e;
    e.action = action;
    e.side = static_cast<std::uint8_t>(side);
    e.price = kMiddle + (side == 1 ? -level.distance : level.distance);
    e.key = static_cast<std::uint64_t>(e.price);
    e.size = level.size;
    e.orders = level.orders;
    e.priceChanged = action == FeedEntry::add;
    return e;
}

void PriceSource::step(FeedEntry& point) {
    const int which = 1 + static_cast<int>(below(2));
    auto& side = side_[which - 1];
    const std::uint64_t what = below(20);
    // Depths vary around the average: a book below it tends to grow.
    const bool missing = side.size() < average_;
    if (side.empty() || (side.size() < most_ && (missing ? what < 10 : what < 1))) {
        // Between two levels, or one step behind the last.
        std::int64_t d = 1;
        const std::size_t at = std::min(place(), side.size());
        d = at == 0 ? (side.empty() ? 10 : side.front().distance - 1) : side[at - 1].distance + 1;
        if (d < 1 || (at < side.size() && side[at].distance == d)) {
            d = (side.empty() ? 0 : side.back().distance) + 1 + static_cast<std::int64_t>(below(2));
            side.push_back({d, 1 + static_cast<std::int64_t>(below(1000)), 1});
            point = entryOf(which, side.back(), FeedEntry::add);
            return;
        }
        side.insert(side.begin() + static_cast<std::ptrdiff_t>(at), {d, 1 + static_cast<std::int64_t>(below(1000)), 1});
        point = entryOf(which, side[at], FeedEntry::add);
        return;
    }
    const std::size_t at = std::min(place(), side.size() - 1);
    if (side.size() > 1 && what == 19) {
        point = entryOf(which, side[at], FeedEntry::remove);
        side.erase(side.begin() + static_cast<std::ptrdiff_t>(at));
        return;
    }
    side[at].size = 1 + static_cast<std::int64_t>(below(1000));
    side[at].orders = 1 + static_cast<std::uint32_t>(below(20));
    point = entryOf(which, side[at], FeedEntry::update);
}

void PriceSource::image(std::vector<FeedEntry>& points) const {
    for (const int which : {1, 2})
        for (const Level& level : side_[which - 1])
            points.push_back(entryOf(which, level, FeedEntry::add));
}

// --- instruments

ZipfChooser::ZipfChooser(std::uint32_t n) {
    // The rank's reciprocal is its weight: a few instruments have most of the traffic, as on a real feed.
    double sum = 0;
    sums_.reserve(n);
    for (std::uint32_t i = 1; i <= n; ++i)
        sums_.push_back(sum += 1.0 / i);
    for (double& s : sums_)
        s /= sum;
}

std::uint32_t ZipfChooser::at(double part) const noexcept {
    const auto found = std::upper_bound(sums_.begin(), sums_.end(), part);
    return static_cast<std::uint32_t>(
        std::min<std::ptrdiff_t>(found - sums_.begin(), static_cast<std::ptrdiff_t>(sums_.size()) - 1));
}

}  // namespace emissary::perf
