// The invariants of a book (docs/spec/order-books.md 3.4).
#include "store/ContentAccess.h"

namespace emissary::book::detail {

namespace {

struct Sums {
    std::uint64_t size = 0;
    std::uint32_t rows = 0, orders = 0;
    std::string broken;
};

/// Walks a queue both by links and by sums.
Sums walk(const Content& c, const LevelData& level, Side side, Ticks ticks, bool market) {
    Sums sums;
    std::uint32_t before = kNone;
    for (std::uint32_t i = level.head; i != kNone; before = i, i = c.links[i].next) {
        const Row& r = c.rows[i];
        if (++sums.rows > c.rowsUsed) return sums.broken = "a queue does not end", sums;
        if (c.links[i].prev != before) return sums.broken = "a row's link back is wrong", sums;
        if (r.side() != side) return sums.broken = "a row stands on the other side", sums;
        if (!r.has(market ? Row::kMarket : Row::kRanked)) return sums.broken = "a row in a queue is not marked", sums;
        if (!market && r.ticks != ticks) return sums.broken = "a row stands at another price", sums;
        if (r.size <= 0) return sums.broken = "a row without a size is ranked", sums;
        sums.size += static_cast<std::uint64_t>(r.size);
        sums.orders += c.kind == Kind::prices && !market ? r.count.orders : 1;
    }
    if (before != level.tail) sums.broken = "a queue's end is wrong";
    return sums;
}

}  // namespace

std::string ContentAccess::verifySide(const Content& c, const BookSide& side, Side which, std::size_t& ranked) {
    for (std::uint32_t i = 0; i != side.count_; ++i) {
        const LevelData& level = side.levels_[i];
        const std::string at = " at level " + std::to_string(side.count_ - 1 - i);
        if (i != 0 && (c.attributed ? side.ranks_[i] < side.ranks_[i - 1] : side.ranks_[i] <= side.ranks_[i - 1]))
            return "prices are not in order" + at;
        const Sums sums = walk(c, level, which, side.sign_ * side.ranks_[i], false);
        if (!sums.broken.empty()) return sums.broken + at;
        if (level.rows == 0) return "a level is empty" + at;
        if (c.attributed && level.rows != 1) return "an attributed level has several rows" + at;
        if (sums.rows != level.rows) return "a level's rows are not counted right" + at;
        if (sums.size != static_cast<std::uint64_t>(level.size)) return "a level's size is not its rows'" + at;
        if (sums.orders != level.orders) return "a level's orders are not its rows'" + at;
        ranked += sums.rows;
    }
    const Sums market = walk(c, side.market_, which, 0, true);
    if (!market.broken.empty()) return market.broken + " at the market";
    if (market.rows != side.market_.rows || market.size != static_cast<std::uint64_t>(side.market_.size))
        return "the market's sums are wrong";
    ranked += market.rows;
    return {};
}

std::string ContentAccess::verify(const Content& c) {
    std::size_t queued = 0, marked = 0, keyed = 0, mates = 0;
    for (const Side which : {Side::bid, Side::ask})
        if (std::string broken = verifySide(c, c.side(which), which, queued); !broken.empty())
            return (which == Side::bid ? "bids: " : "asks: ") + broken;
    std::string broken;
    // Every key leads to a row, and every row to its key.
    c.index.forEach([&](std::uint32_t row) {
        if (row >= c.rowsUsed) return broken = "a key leads nowhere", void();
        const Key key(c.rows[row].name());
        if (key.tag() != c.rows[row].tag || find(c, key) != row) broken = "a key does not lead to its row";
        ++keyed;
        const std::uint32_t mate = mateOf(c, row);
        if (mate != kNone) ++mates;
        for (const std::uint32_t each : {row, mate})
            if (each != kNone && c.rows[each].has(Row::kRanked | Row::kMarket)) ++marked;
    });
    if (!broken.empty()) return broken;
    if (keyed != c.index.keys()) return "keys are not counted right";
    if (keyed + mates + c.freeRows != c.rowsUsed) return "rows are lost";
    if (marked != queued) return "ranked rows and queues do not agree";
    return {};
}

// With ACC_SIZE the source says what the sum should be (3.4).
std::size_t ContentAccess::differingSums(const Content& c) noexcept {
    std::size_t differing = 0;
    for (const BookSide* side : {&c.bids, &c.asks}) {
        std::uint64_t sum = 0;
        for (std::uint32_t i = side->count_; c.accSizes && i != 0; --i) {
            const LevelData& level = side->levels_[i - 1];
            sum += static_cast<std::uint64_t>(level.size);
            const std::uint32_t extra = c.rows[level.tail].extra;
            if (extra == kNone || !c.extras[extra].hasAccumulated) continue;
            if (static_cast<std::uint64_t>(c.extras[extra].accumulated) != sum) ++differing;
        }
    }
    return differing;
}

}  // namespace emissary::book::detail
