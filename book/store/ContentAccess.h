// The changing side of a book's storage: levels in their order, rows in their levels, keys in the index.
// Nothing here throws but std::bad_alloc when something grows.
#pragma once

#include "emissary/book/Book.h"
#include "store/Key.h"

namespace emissary::book::detail {

class ChangeList;

struct ContentAccess {
    /// Where a rank stands on its side: the level's place, or where it would be put in.
    struct Found {
        std::uint32_t at;
        bool there;
    };
    /// The levels near the best are looked at one by one: that is where most of the activity is.
    [[nodiscard]] static Found search(const BookSide& side, Ticks rank) noexcept {
        const Ticks* ranks = side.ranks_;
        std::uint32_t i = side.count_;
        const std::uint32_t end = i > kNear ? i - kNear : 0;
        while (i != end && ranks[i - 1] > rank)
            --i;
        if (i == end && end != 0) [[unlikely]] {
            std::uint32_t base = 0;
            for (std::uint32_t n = end; n > 1;) {
                const std::uint32_t half = n / 2;
                base += ranks[base + half - 1] <= rank ? half : 0;
                n -= half;
            }
            i = base + (ranks[base] <= rank ? 1 : 0);
        }
        if (i != 0 && ranks[i - 1] == rank) return {i - 1, true};
        return {i, false};
    }
    [[nodiscard]] static Ticks rankOf(const BookSide& side, Ticks ticks) noexcept { return side.sign_ * ticks; }
    /// The level that a ranked row stands in.
    [[nodiscard]] static std::uint32_t levelOf(const Content& c, std::uint32_t row) noexcept;

    /// The row with this key, or kNone.
    [[nodiscard]] static std::uint32_t find(const Content& c, const Key& key) noexcept {
        if (c.slotMask == 0) return kNone;
        const auto tag = static_cast<std::uint32_t>(key.hash);
        for (std::uint32_t i = tag & c.slotMask;; i = (i + 1) & c.slotMask) {
            const Slot& slot = c.slots[i];
            if (slot.row == 0) return kNone;
            if (slot.tag == tag && key.matches(c.rows[slot.row - 1])) return slot.row - 1;
        }
    }
    /// Memory that the entry will need soon, asked for while its fields are being read: its place in the index and the
    /// best levels.
    static void prefetch(const Content& c, const Key& key) noexcept {
        if (c.slotMask == 0) return;
        __builtin_prefetch(c.slots + (static_cast<std::uint32_t>(key.hash) & c.slotMask));
        for (const BookSide* side : {&c.bids, &c.asks}) {
            __builtin_prefetch(side->ranks_ + side->count_);
            __builtin_prefetch(side->levels_ + side->count_);
        }
    }
    static void prefetch(const Content& c) noexcept {
        const char* p = reinterpret_cast<const char*>(&c);
        for (std::size_t at = 0; at < offsetof(Content, extras); at += 64)
            __builtin_prefetch(p + at);
    }
    /// A new row for a key that is not there; the caller fills it. Rows may move.
    [[nodiscard]] static std::uint32_t add(Content& c, const Key& key);
    /// The ask of a two-sided entry: a row that shows the key of `row` and is not in the index.
    [[nodiscard]] static std::uint32_t addMate(Content& c, std::uint32_t row);
    /// Takes an unranked row out, its mate and everything it owns too.
    static void erase(Content& c, std::uint32_t row) noexcept;
    /// Fields as in a fresh entry; the key stays.
    static void forget(Content& c, std::uint32_t row) noexcept;
    [[nodiscard]] static Extra& extra(Content& c, std::uint32_t row);
    [[nodiscard]] static std::uint32_t mateOf(const Content& c, std::uint32_t row) noexcept {
        const Row& r = c.rows[row];
        return r.extra == kNone ? kNone : c.extras[r.extra].mate;
    }
    static void keepNested(Content& c, std::uint32_t row, std::string_view bytes);

    /// Puts a row with a size into its level, or to the market when it has no price.
    static void place(Content& c, std::uint32_t row, ChangeList* changes);
    /// Takes a placed row out.
    static void unplace(Content& c, std::uint32_t row, ChangeList* changes);
    /// A placed row gets another size, count or time and stays in its level.
    static void amend(Content& c, std::uint32_t row, std::int64_t size, Count count, ChangeList* changes);
    /// Puts a placed row where it belongs within its level now.
    static void requeue(Content& c, std::uint32_t row) noexcept;

    /// Prices or sizes in units `factor` times finer; false, and nothing changed, when one does not fit.
    [[nodiscard]] static bool rescalePrices(Content& c, int scale) noexcept;
    [[nodiscard]] static bool rescaleSizes(Content& c, int scale) noexcept;
    /// Ranks of prices, order within levels and one level for each key follow the summary's rules: put everything anew
    /// when they change (true).
    [[nodiscard]] static bool applyRules(Content& c, ChangeList* changes);
    /// Nothing in it; memory is kept up to twice what was needed.
    static void clear(Content& c) noexcept;
    [[nodiscard]] static std::size_t bytes(const Content& c) noexcept;
    [[nodiscard]] static std::string verify(const Content& c);
    /// Levels whose accumulated size is not what was sent.
    [[nodiscard]] static std::size_t differingSums(const Content& c) noexcept;

    [[nodiscard]] static LevelData& market(BookSide& side) noexcept { return side.market_; }
    [[nodiscard]] static LevelData& level(BookSide& side, std::uint32_t at) noexcept { return side.levels_[at]; }
    [[nodiscard]] static std::uint32_t count(const BookSide& side) noexcept { return side.count_; }
    [[nodiscard]] static Ticks rank(const BookSide& side, std::uint32_t at) noexcept { return side.ranks_[at]; }

private:
    friend struct Content;
    static constexpr std::uint32_t kNear = 8;
    [[nodiscard]] static std::uint32_t insertLevel(Content& c, BookSide& side, std::uint32_t at, Ticks rank);
    static void eraseLevel(BookSide& side, std::uint32_t at) noexcept;
    static void growSide(Content& c, BookSide& side);
    static void growRows(Content& c);
    static void growIndex(Content& c);
    [[nodiscard]] static std::uint32_t newRow(Content& c);
    static void freeRow(Content& c, std::uint32_t row) noexcept;
    static void unindex(Content& c, std::uint32_t row) noexcept;
    static void dropExtra(Content& c, std::uint32_t row) noexcept;
    static void link(Content& c, LevelData& level, std::uint32_t row) noexcept;
    static void unlink(Content& c, LevelData& level, std::uint32_t row) noexcept;
    [[nodiscard]] static bool goesBefore(const Content& c, const Row& a, const Row& b) noexcept;
    [[nodiscard]] static std::string verifySide(const Content& c, const BookSide& side, Side which,
                                                std::size_t& ranked);
    [[nodiscard]] static std::uint64_t hashOf(const Row& row) noexcept {
        return row.keyLength <= Key::kInline ? Key(row.name()).hash : row.key[1];
    }
};

}  // namespace emissary::book::detail
