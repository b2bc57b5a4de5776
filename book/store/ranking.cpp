// Rows in the queues of their levels (docs/spec/order-books.md 3.2, 3.3).
#include "apply/ChangeList.h"
#include "store/ContentAccess.h"

namespace emissary::book::detail {

namespace {

/// Wraps instead of overflowing: sums of sizes beyond 2^63 come out right again when they shrink.
void addTo(std::int64_t& sum, std::int64_t n) noexcept {
    sum = static_cast<std::int64_t>(static_cast<std::uint64_t>(sum) + static_cast<std::uint64_t>(n));
}
void takeFrom(std::int64_t& sum, std::int64_t n) noexcept {
    sum = static_cast<std::int64_t>(static_cast<std::uint64_t>(sum) - static_cast<std::uint64_t>(n));
}

void addRow(const Content& c, LevelData& level, const Row& r) noexcept {
    addTo(level.size, r.size);
    if (c.kind == Kind::prices) {
        level.orders += r.count.orders;
        level.implied = static_cast<std::int32_t>(static_cast<std::uint32_t>(level.implied) +
                                                  static_cast<std::uint32_t>(r.count.implied));
    } else {
        ++level.orders;
    }
    ++level.rows;
    if (r.time >= 0) level.time = r.time;
}

void takeRow(const Content& c, LevelData& level, const Row& r) noexcept {
    takeFrom(level.size, r.size);
    if (c.kind == Kind::prices) {
        level.orders -= r.count.orders;
        level.implied = static_cast<std::int32_t>(static_cast<std::uint32_t>(level.implied) -
                                                  static_cast<std::uint32_t>(r.count.implied));
    } else {
        --level.orders;
    }
    --level.rows;
}

}  // namespace

/// Whether a goes before b, which came earlier.
bool ContentAccess::goesBefore(const Content& c, const Row& a, const Row& b) noexcept {
    if (c.kind == Kind::prices) return false;
    if (a.extra != kNone && b.extra != kNone) {
        const Extra &x = c.extras[a.extra], &y = c.extras[b.extra];
        if (x.hasRank && y.hasRank) {
            if (x.rank != y.rank) return x.rank < y.rank;
            return x.hasTie && y.hasTie && x.tie < y.tie;
        }
    }
    if (c.bySize && a.size != b.size) return a.size > b.size;
    if (a.priority < 0 || b.priority < 0) return false;
    if (a.priority != b.priority) return a.priority < b.priority;
    if (a.extra == kNone || b.extra == kNone) return false;
    const Extra &x = c.extras[a.extra], &y = c.extras[b.extra];
    return x.hasTie && y.hasTie && x.tie < y.tie;
}

/// From the end of the queue: that is where a new row stays unless something says otherwise.
void ContentAccess::link(Content& c, LevelData& level, std::uint32_t row) noexcept {
    Row& r = c.rows[row];
    std::uint32_t before = level.tail, behind = kNone;
    while (before != kNone && goesBefore(c, r, c.rows[before])) {
        behind = before;
        before = c.rows[before].prev;
    }
    r.prev = before;
    r.next = behind;
    (before == kNone ? level.head : c.rows[before].next) = row;
    (behind == kNone ? level.tail : c.rows[behind].prev) = row;
}

void ContentAccess::unlink(Content& c, LevelData& level, std::uint32_t row) noexcept {
    const Row& r = c.rows[row];
    (r.prev == kNone ? level.head : c.rows[r.prev].next) = r.next;
    (r.next == kNone ? level.tail : c.rows[r.next].prev) = r.prev;
}

std::uint32_t ContentAccess::levelOf(const Content& c, std::uint32_t row) noexcept {
    const Row& r = c.rows[row];
    const BookSide& side = c.side(r.side());
    std::uint32_t at = search(side, rankOf(side, r.ticks)).at;
    if (c.attributed)
        while (side.levels_[at].head != row)
            --at;
    return at;
}

void ContentAccess::place(Content& c, std::uint32_t row, ChangeList* changes) {
    Row& r = c.rows[row];
    const Side which = r.side();
    BookSide& side = c.side(which);
    if (r.has(Row::kNoPrice)) [[unlikely]] {
        if (changes != nullptr) changes->touchMarket(which, side.market_);
        link(c, side.market_, row);
        addRow(c, side.market_, r);
        r.flags |= Row::kMarket;
        return;
    }
    const Ticks rank = rankOf(side, r.ticks);
    Found found = search(side, rank);
    if (c.attributed && found.there) {  // behind those of the same price, which are better
        while (found.at != 0 && side.ranks_[found.at - 1] == rank)
            --found.at;
        found.there = false;
    }
    if (!found.there) {
        found.at = insertLevel(c, side, found.at, rank);
        side.levels_[found.at].priceHint = r.priceHint;
        if (changes != nullptr) changes->inserted(which, found.at, side.levels_[found.at], rank);
    } else if (changes != nullptr) {
        changes->touch(which, found.at, side.levels_[found.at], rank);
    }
    LevelData& level = side.levels_[found.at];
    link(c, level, row);
    addRow(c, level, r);
    r.flags |= Row::kRanked;
}

void ContentAccess::unplace(Content& c, std::uint32_t row, ChangeList* changes) {
    Row& r = c.rows[row];
    const Side which = r.side();
    BookSide& side = c.side(which);
    if (r.has(Row::kMarket)) [[unlikely]] {
        if (changes != nullptr) changes->touchMarket(which, side.market_);
        unlink(c, side.market_, row);
        takeRow(c, side.market_, r);
        r.flags &= static_cast<std::uint8_t>(~Row::kMarket);
        return;
    }
    const std::uint32_t at = levelOf(c, row);
    LevelData& level = side.levels_[at];
    if (changes != nullptr) changes->touch(which, at, level, side.ranks_[at]);
    unlink(c, level, row);
    takeRow(c, level, r);
    r.flags &= static_cast<std::uint8_t>(~Row::kRanked);
    if (level.rows != 0) return;
    if (changes != nullptr) changes->erased(level, side.count_ - 1 - at);
    eraseLevel(side, at);
}

void ContentAccess::amend(Content& c, std::uint32_t row, std::int64_t size, Count count, ChangeList* changes) {
    Row& r = c.rows[row];
    BookSide& side = c.side(r.side());
    LevelData* level = &side.market_;
    if (r.has(Row::kMarket)) [[unlikely]] {
        if (changes != nullptr) changes->touchMarket(r.side(), *level);
    } else {
        const std::uint32_t at = levelOf(c, row);
        level = side.levels_ + at;
        if (changes != nullptr) changes->touch(r.side(), at, *level, side.ranks_[at]);
    }
    takeRow(c, *level, r);
    const bool larger = size > r.size, other = size != r.size;
    r.size = size;
    if (c.kind == Kind::prices) r.count = count;
    addRow(c, *level, r);
    if (level->rows == 1 || c.kind == Kind::prices) return;
    // By arrival a larger size goes to the end; by rank or priority time only they decide.
    const bool byArrival = r.priority < 0 && (r.extra == kNone || !c.extras[r.extra].hasRank);
    if (c.bySize ? other : larger && byArrival) {
        unlink(c, *level, row);
        link(c, *level, row);
    }
}

void ContentAccess::requeue(Content& c, std::uint32_t row) noexcept {
    Row& r = c.rows[row];
    BookSide& side = c.side(r.side());
    LevelData& level = r.has(Row::kMarket) ? side.market_ : side.levels_[levelOf(c, row)];
    if (level.rows == 1) return;
    unlink(c, level, row);
    link(c, level, row);
}

bool ContentAccess::applyRules(Content& c, ChangeList* changes) {
    const Summary& s = c.summary;
    const std::int64_t bid = s.priceRankRule == 2 || s.priceRankRule == 5 ? -1 : 1;
    const std::int64_t ask = s.priceRankRule == 2 ? 1 : -1;
    const bool attributed = c.kind == Kind::prices && (s.aggregationRule == 2 || s.aggregationRule == 3);
    const bool bySize = s.orderRankRule == 1 || s.orderRankRule == 3;
    if (bid == c.bids.sign_ && ask == c.asks.sign_ && attributed == c.attributed && bySize == c.bySize) return false;
    std::vector<std::uint32_t> placed;
    placed.reserve(c.rowsUsed);
    for (BookSide* side : {&c.bids, &c.asks})
        for (std::uint32_t i = side->count_; i != 0; --i)
            for (std::uint32_t row = side->levels_[i - 1].head; row != kNone; row = c.rows[row].next)
                placed.push_back(row);
    if (changes != nullptr) changes->drop(c);
    c.bids.count_ = c.asks.count_ = 0;
    c.bids.sign_ = bid;
    c.asks.sign_ = ask;
    c.attributed = attributed;
    c.bySize = bySize;
    c.oneDirection = s.priceRankRule == 5;
    for (const std::uint32_t row : placed) {
        c.rows[row].flags &= static_cast<std::uint8_t>(~Row::kRanked);
        place(c, row, nullptr);
    }
    return !placed.empty();
}

}  // namespace emissary::book::detail
