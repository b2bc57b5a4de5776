// The changing side of a book's storage: rows and their keys in the index.
// Nothing here throws but std::bad_alloc when something grows.
#pragma once

#include "emissary/book/Book.h"
#include "eta/core/prefetch.h"
#include "store/KeyIndex.h"
#include "store/Ranking.h"

namespace emissary::book::detail {

struct ContentAccess {
    /// The row with this key, or kNone.
    [[nodiscard]] static std::uint32_t find(const Content& c, const Key& key) noexcept {
        return c.index.find(key, c.rows);
    }
    static void prefetch(const Content& c) noexcept { eta::prefetch(&c, offsetof(Content, extras)); }
    /// The steps of a look ahead at an entry whose key has this hash, each when what the one before asked for has come:
    /// the slot and the best levels; the row, if there is one; its level and its neighbours in the queue.
    /// For an entry that is being read the first step is enough: its fields take as long.
    static void prefetchSlot(const Content& c, std::uint32_t tag) noexcept {
        c.index.prefetch(tag);
        Ranking::prefetch(c.bids);
        Ranking::prefetch(c.asks);
    }
    [[nodiscard]] static std::uint32_t prefetchRow(const Content& c, std::uint32_t tag) noexcept {
        const std::uint32_t row = c.index.likely(tag);
        if (row == kNone) return row;
        eta::prefetch(c.rows + row);
        eta::prefetch(c.links + row);
        return row;
    }
    static void prefetchLevel(const Content& c, std::uint32_t row) noexcept {
        const Row& r = c.rows[row];
        if (!r.has(Row::kRanked)) return;
        Ranking::prefetchLevel(c.side(r.side()), r.ticks);
        const Link& link = c.links[row];
        if (link.next != kNone) eta::prefetch(c.links + link.next);
        if (link.prev != kNone) eta::prefetch(c.links + link.prev);
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

    /// Prices or sizes in units `factor` times finer; false, and nothing changed, when one does not fit.
    [[nodiscard]] static bool rescalePrices(Content& c, int scale) noexcept;
    [[nodiscard]] static bool rescaleSizes(Content& c, int scale) noexcept;
    /// Nothing in it; memory is kept up to twice what was needed.
    static void clear(Content& c) noexcept;
    [[nodiscard]] static std::size_t bytes(const Content& c) noexcept;
    [[nodiscard]] static std::string verify(const Content& c);
    /// Levels whose accumulated size is not what was sent.
    [[nodiscard]] static std::size_t differingSums(const Content& c) noexcept;

private:
    friend struct Content;
    static constexpr std::size_t kRowBytes = sizeof(Row) + sizeof(Link);
    static void growRows(Content& c);
    static void dropRows(Content& c) noexcept;
    [[nodiscard]] static std::uint32_t newRow(Content& c);
    static void freeRow(Content& c, std::uint32_t row) noexcept;
    static void dropExtra(Content& c, std::uint32_t row) noexcept;
    [[nodiscard]] static std::string verifySide(const Content& c, const BookSide& side, Side which,
                                                std::size_t& ranked);
};

}  // namespace emissary::book::detail
