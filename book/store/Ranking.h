// Levels in their order and rows in their levels. What most entries need is inline: a price book's update takes no more
// than a few calls would cost. Nothing here throws but std::bad_alloc when something grows.
#pragma once

#include "emissary/book/Book.h"
#include "eta/core/prefetch.h"
#include "store/ChangeList.h"

namespace emissary::book::detail {

/// How much room to make when n are there: half as many again, at least the given number.
[[nodiscard]] std::uint32_t roomAfter(std::uint32_t n, std::uint32_t least);

struct Ranking {
    /// Where a rank stands on its side: the level's place, or where it would be put in.
    struct Found {
        std::uint32_t at;
        bool there;
    };
    /// Most of the activity is near the best, and nothing tells how near: the levels there are counted, which takes no
    /// branch that could be guessed wrong. Before the first rank stand as many that are lower than any.
    [[nodiscard]] static Found search(const BookSide& side, Ticks rank) noexcept {
        if (side.count_ == 0) [[unlikely]]
            return {0, false};
        const Ticks* const ranks = side.ranks_;
        const Ticks* const end = ranks + side.count_;
        std::uint32_t better = 0;
        for (std::uint32_t i = 1; i <= kNear; ++i)
            better += end[-static_cast<std::ptrdiff_t>(i)] > rank ? 1 : 0;
        std::uint32_t i = side.count_ - better;
        if (better == kNear) [[unlikely]]
            i = searchFar(ranks, i, rank);
        const bool there = ranks[static_cast<std::ptrdiff_t>(i) - 1] == rank;
        return {i - (there ? 1 : 0), there};
    }
    [[nodiscard]] static Ticks rankOf(const BookSide& side, Ticks ticks) noexcept { return side.sign_ * ticks; }
    /// The level that a ranked row stands in.
    [[nodiscard]] static std::uint32_t levelOf(const Content& c, const BookSide& side, std::uint32_t row) noexcept {
        std::uint32_t at = search(side, rankOf(side, c.rows[row].ticks)).at;
        if (c.attributed) [[unlikely]]
            while (side.levels_[at].head != row)
                --at;
        return at;
    }
    static void prefetch(const BookSide& side) noexcept {
        if (side.count_ == 0) return;
        // The ranks that search() counts, and the best level, which listeners read.
        eta::prefetch(side.ranks_ + side.count_ - 1);
        eta::prefetch(side.ranks_ + side.count_ - std::min(side.count_, kNear));
        eta::prefetch(side.levels_ + side.count_ - 1);
    }

    /// The level of these ticks, whose ranks have come.
    static void prefetchLevel(const BookSide& side, Ticks ticks) noexcept {
        const LevelData* level = side.levels_ + search(side, rankOf(side, ticks)).at;
        eta::prefetch(level);
        eta::prefetch(reinterpret_cast<const char*>(level + 1) - 1);
    }

    /// Puts a row with a size into its level, or to the market when it has no price.
    static void place(Content& c, std::uint32_t row, ChangeList* changes);
    /// Takes a placed row out.
    static void unplace(Content& c, std::uint32_t row, ChangeList* changes);
    /// A placed row gets another size, count or time and stays in its level.
    [[gnu::always_inline]] static void amend(Content& c, std::uint32_t row, std::int64_t size, Count count,
                                             ChangeList* changes) {
        Row& r = c.rows[row];
        BookSide& side = c.side(r.side());
        LevelData* level = &side.market_;
        if (r.has(Row::kMarket)) [[unlikely]] {
            if (changes != nullptr) changes->touchMarket(r.side(), *level);
        } else {
            const std::uint32_t at = levelOf(c, side, row);
            level = side.levels_ + at;
            if (changes != nullptr) changes->touch(r.side(), at, *level, side.ranks_[at]);
        }
        const bool larger = size > r.size, other = size != r.size;
        level->size = sum(level->size, difference(size, r.size));
        r.size = size;
        if (r.time >= 0) level->time = r.time;
        if (c.kind == Kind::prices) {
            level->orders += count.orders - r.count.orders;
            level->implied = added(level->implied, count.implied, r.count.implied);
            r.count = count;
            return;
        }
        if (level->rows == 1) return;
        // By arrival a larger size goes to the end; by rank or priority time only they decide.
        const bool byArrival = r.priority < 0 && (r.extra == kNone || !c.extras[r.extra].hasRank);
        if (c.bySize ? other : larger && byArrival) {
            unlink(c, *level, row);
            link(c, *level, row);
        }
    }
    /// Puts a placed row where it belongs within its level now.
    static void requeue(Content& c, std::uint32_t row) noexcept;
    /// Re-applies the summary's ordering rules (ranks of prices, order within levels, one level for each key). Returns
    /// true if a rule changed; then every row was placed again.
    [[nodiscard]] static bool applyRules(Content& c, ChangeList* changes);

    [[nodiscard]] static LevelData& market(BookSide& side) noexcept { return side.market_; }
    [[nodiscard]] static LevelData& level(BookSide& side, std::uint32_t at) noexcept { return side.levels_[at]; }
    [[nodiscard]] static std::uint32_t count(const BookSide& side) noexcept { return side.count_; }
    [[nodiscard]] static Ticks rank(const BookSide& side, std::uint32_t at) noexcept { return side.ranks_[at]; }

    static constexpr std::uint32_t kNear = 8;
    /// Of the block that a side's levels lie in.
    [[nodiscard]] static std::size_t bytes(const BookSide& side) noexcept {
        return side.ranks_ == nullptr ? 0 : bytesOf(side.room_);
    }
    /// Gives that block back; the side must have no levels any more that anybody reads.
    static void dropSide(Content& c, BookSide& side) noexcept;

private:
    [[nodiscard]] static constexpr std::size_t bytesOf(std::size_t levels) noexcept {
        return kNear * sizeof(Ticks) + levels * (sizeof(Ticks) + sizeof(LevelData));
    }
    [[nodiscard]] static std::uint32_t searchFar(const Ticks* ranks, std::uint32_t count, Ticks rank) noexcept {
        if (count == 0) return 0;
        std::uint32_t base = 0;
        for (std::uint32_t n = count; n > 1;) {
            const std::uint32_t half = n / 2;
            base += ranks[base + half - 1] <= rank ? half : 0;
            n -= half;
        }
        return base + (ranks[base] <= rank ? 1 : 0);
    }
    // Sums wrap instead of overflowing: those of sizes beyond 2^63 come out right again when they shrink.
    [[nodiscard]] static std::int64_t sum(std::int64_t a, std::int64_t b) noexcept {
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
    }
    [[nodiscard]] static std::int64_t difference(std::int64_t a, std::int64_t b) noexcept {
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
    }
    [[nodiscard]] static std::int32_t added(std::int32_t to, std::int32_t more, std::int32_t less) noexcept {
        return static_cast<std::int32_t>(static_cast<std::uint32_t>(to) + static_cast<std::uint32_t>(more) -
                                         static_cast<std::uint32_t>(less));
    }
    static void addRow(const Content& c, LevelData& level, const Row& r) noexcept;
    static void takeRow(const Content& c, LevelData& level, const Row& r) noexcept;
    [[nodiscard]] static std::uint32_t insertLevel(Content& c, BookSide& side, std::uint32_t at, Ticks rank);
    static void eraseLevel(BookSide& side, std::uint32_t at) noexcept;
    static void growSide(Content& c, BookSide& side);
    static void link(Content& c, LevelData& level, std::uint32_t row) noexcept;
    static void unlink(Content& c, LevelData& level, std::uint32_t row) noexcept;
    [[nodiscard]] static bool goesBefore(const Content& c, const Row& a, const Row& b) noexcept;
};

}  // namespace emissary::book::detail
