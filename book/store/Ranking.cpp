// Levels in their order, rows in the queues of their levels (docs/spec/order-books.md 3.2, 3.3).
#include "store/Ranking.h"

#include "store/Memory.h"

#include <algorithm>
#include <new>

namespace emissary::book::detail {

std::uint32_t roomAfter(std::uint32_t n, std::uint32_t least) {
    // A row number has 32 bits, so growth ends there.
    if (n >= 0x80000000u) throw std::bad_alloc();
    return std::max(n + n / 2, least);
}

// --- levels

void Ranking::growSide(Content& c, BookSide& side) {
    // As many as the block has room for.
    const std::size_t least = bytesOf(roomAfter(side.room_, std::max(c.depthHint, 2u)));
    const auto room =
        static_cast<std::uint32_t>((Memory::room(least) - bytesOf(0)) / (sizeof(Ticks) + sizeof(LevelData)));
    void* fresh = c.memory->take(bytesOf(room));
    auto* ranks = static_cast<Ticks*>(fresh) + kNear;
    // Ranks in front of the first level are the smallest, so that a search needs no bound.
    std::fill_n(ranks - kNear, kNear, std::numeric_limits<Ticks>::min());
    auto* levels = reinterpret_cast<LevelData*>(ranks + room);
    if (side.count_ != 0) {
        std::memcpy(ranks, side.ranks_, side.count_ * sizeof(Ticks));
        std::memcpy(static_cast<void*>(levels), side.levels_, side.count_ * sizeof(LevelData));
    }
    dropSide(c, side);
    side.ranks_ = ranks;
    side.levels_ = levels;
    side.room_ = room;
}

void Ranking::dropSide(Content& c, BookSide& side) noexcept {
    if (side.ranks_ != nullptr) c.memory->give(side.ranks_ - kNear, bytesOf(side.room_));
    side.ranks_ = nullptr;
    side.levels_ = nullptr;
    side.room_ = 0;
}

std::uint32_t Ranking::insertLevel(Content& c, BookSide& side, std::uint32_t at, Ticks rank) {
    if (side.count_ == side.room_) growSide(c, side);
    const std::uint32_t behind = side.count_ - at;
    std::memmove(side.ranks_ + at + 1, side.ranks_ + at, behind * sizeof(Ticks));
    std::memmove(static_cast<void*>(side.levels_ + at + 1), side.levels_ + at, behind * sizeof(LevelData));
    side.ranks_[at] = rank;
    new (side.levels_ + at) LevelData;
    // Attributed levels of one price keep the order in which they came.
    if (c.attributed) side.levels_[at].arrival = ++c.arrivals;
    ++side.count_;
    return at;
}

void Ranking::eraseLevel(BookSide& side, std::uint32_t at) noexcept {
    const std::uint32_t behind = --side.count_ - at;
    std::memmove(side.ranks_ + at, side.ranks_ + at + 1, behind * sizeof(Ticks));
    std::memmove(static_cast<void*>(side.levels_ + at), side.levels_ + at + 1, behind * sizeof(LevelData));
}

// --- rows in levels

void Ranking::addRow(const Content& c, LevelData& level, const Row& r) noexcept {
    level.size = sum(level.size, r.size);
    if (c.kind == Kind::prices) {
        level.orders += r.count.orders;
        // The count of a price level is the source's, of an order level ours (3.4).
        level.implied = added(level.implied, r.count.implied, 0);
    } else {
        ++level.orders;
    }
    ++level.rows;
    if (r.time >= 0) level.time = r.time;
}

void Ranking::takeRow(const Content& c, LevelData& level, const Row& r) noexcept {
    level.size = difference(level.size, r.size);
    if (c.kind == Kind::prices) {
        level.orders -= r.count.orders;
        level.implied = added(level.implied, 0, r.count.implied);
    } else {
        --level.orders;
    }
    --level.rows;
}

/// Whether a goes before b, which came earlier.
bool Ranking::goesBefore(const Content& c, const Row& a, const Row& b) noexcept {
    if (c.kind == Kind::prices) return false;
    if (a.extra != kNone && b.extra != kNone) {
        // A rank of the source wins over everything else (3.3).
        const Extra &x = c.extras[a.extra], &y = c.extras[b.extra];
        if (x.hasRank && y.hasRank) {
            if (x.rank != y.rank) return x.rank < y.rank;
            return x.hasTie && y.hasTie && x.tie < y.tie;
        }
    }
    if (c.bySize && a.size != b.size) return a.size > b.size;
    // Without a time an order keeps its place at the end.
    if (a.priority < 0 || b.priority < 0) return false;
    if (a.priority != b.priority) return a.priority < b.priority;
    if (a.extra == kNone || b.extra == kNone) return false;
    const Extra &x = c.extras[a.extra], &y = c.extras[b.extra];
    return x.hasTie && y.hasTie && x.tie < y.tie;
}

/// From the end of the queue: that is where a new row stays unless something says otherwise.
void Ranking::link(Content& c, LevelData& level, std::uint32_t row) noexcept {
    const Row& r = c.rows[row];
    Link* const links = c.links;
    std::uint32_t before = level.tail, behind = kNone;
    // When the row has no rank and no time, the other rows are not read: they are most likely in no cache.
    const bool atTheEnd = c.kind == Kind::prices || (r.priority < 0 && r.extra == kNone && !c.bySize);
    while (!atTheEnd && before != kNone && goesBefore(c, r, c.rows[before])) {
        behind = before;
        before = links[before].prev;
    }
    links[row] = {behind, before};
    *(before == kNone ? &level.head : &links[before].next) = row;
    *(behind == kNone ? &level.tail : &links[behind].prev) = row;
}

void Ranking::unlink(Content& c, LevelData& level, std::uint32_t row) noexcept {
    const Link link = c.links[row];
    *(link.prev == kNone ? &level.head : &c.links[link.prev].next) = link.next;
    *(link.next == kNone ? &level.tail : &c.links[link.next].prev) = link.prev;
}

void Ranking::place(Content& c, std::uint32_t row, ChangeList* changes) {
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

void Ranking::unplace(Content& c, std::uint32_t row, ChangeList* changes) {
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
    const std::uint32_t at = levelOf(c, side, row);
    LevelData& level = side.levels_[at];
    if (changes != nullptr) changes->touch(which, at, level, side.ranks_[at]);
    unlink(c, level, row);
    takeRow(c, level, r);
    r.flags &= static_cast<std::uint8_t>(~Row::kRanked);
    if (level.rows != 0) return;
    if (changes != nullptr) changes->erased(level, side.count_ - 1 - at);
    // A level without rows is gone; its change is noted before it moves.
    eraseLevel(side, at);
}

void Ranking::requeue(Content& c, std::uint32_t row) noexcept {
    Row& r = c.rows[row];
    BookSide& side = c.side(r.side());
    LevelData& level = r.has(Row::kMarket) ? side.market_ : side.levels_[levelOf(c, side, row)];
    // Alone in its level, a row has nowhere else to stand.
    if (level.rows == 1) return;
    unlink(c, level, row);
    link(c, level, row);
}

bool Ranking::applyRules(Content& c, ChangeList* changes) {
    const Summary& s = c.summary;
    const std::int64_t bid = s.priceRankRule == 2 || s.priceRankRule == 5 ? -1 : 1;
    const std::int64_t ask = s.priceRankRule == 2 ? 1 : -1;
    const bool attributed = c.kind == Kind::prices && (s.aggregationRule == 2 || s.aggregationRule == 3);
    const bool bySize = s.orderRankRule == 1 || s.orderRankRule == 3;
    if (bid == c.bids.sign_ && ask == c.asks.sign_ && attributed == c.attributed && bySize == c.bySize) return false;
    // The rows are taken out in their order, and put in again by the new rules.
    std::vector<std::uint32_t> placed;
    placed.reserve(c.rowsUsed);
    for (BookSide* side : {&c.bids, &c.asks})
        for (std::uint32_t i = side->count_; i != 0; --i)
            for (std::uint32_t row = side->levels_[i - 1].head; row != kNone; row = c.links[row].next)
                placed.push_back(row);
    if (changes != nullptr) changes->drop(c);
    // Everything is ranked anew, so the changes of this message would be wrong.
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
