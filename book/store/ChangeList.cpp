// Turns the levels that a message touched into a sorted list of changes.
#include "store/ChangeList.h"

#include "store/Ranking.h"

#include <algorithm>

namespace emissary::book::detail {

bool ChangeList::fits(std::int64_t factor) const noexcept {
    const std::span<const Record> all = records();
    // Looked at before anything is changed: a rescale happens whole or not at all.
    return std::all_of(all.begin(), all.end(), [factor](const Record& r) {
        std::int64_t product;
        return !__builtin_mul_overflow(r.rank, factor, &product) &&
               !__builtin_mul_overflow(r.sizeBefore, factor, &product);
    });
}

void ChangeList::rescalePrices(std::int64_t factor) noexcept {
    for (Record& r : records())
        r.rank *= factor;
}

void ChangeList::rescaleSizes(std::int64_t factor) noexcept {
    for (Record& r : records())
        r.sizeBefore *= factor;
}

// Doubled, so that a message with many levels reallocates few times.
void ChangeList::grow() {
    records_.resize(2 * std::size_t{room_});
    room_ *= 2;
}

inline Change ChangeList::changeOf(Content& c, const Record& r) noexcept {
    BookSide& side = c.side(r.side);
    const Real none = c.sizeOf(0);
    if (r.market) [[unlikely]] {
        LevelData& market = Ranking::market(side);
        market.change = 0;
        const Change::Action action = market.rows == 0      ? Change::removed
                                      : r.ordersBefore == 0 ? Change::added
                                                            : Change::changed;
        return {action,         r.side,     true, {}, 0, c.sizeOf(r.sizeBefore), c.sizeOf(market.size),
                r.ordersBefore, market.rows};
    }
    const Price price{Ranking::rankOf(side, r.rank), r.hint};  // the sign is its own inverse
    if (!r.after) return {Change::removed, r.side, false, price, r.at, c.sizeOf(r.sizeBefore), none, r.ordersBefore, 0};
    LevelData& level = Ranking::level(side, r.at);
    level.change = 0;
    return {r.before ? Change::changed : Change::added,
            r.side,
            false,
            price,
            Ranking::count(side) - 1 - r.at,
            c.sizeOf(r.sizeBefore),
            c.sizeOf(level.size),
            r.ordersBefore,
            level.orders};
}

std::span<const Change> ChangeList::finishOne(Content& c) noexcept {
    const Record& r = records_.front();
    const bool told = r.before || r.after;  // else it came and went
    if (told) one_ = changeOf(c, r);
    count_ = 0;
    return {&one_, told ? std::size_t{1} : 0};
}

std::span<const Change> ChangeList::finishMany(Content& c) {
    changes_.clear();
    // Bids before asks, the best first, records of one level in the order they came.
    for (std::size_t i = 0; i != count_; ++i)
        // The market level has no place in the order.
        if (!records_[i].market) {
            // From here on `at` is the order within the message; the place is looked up anew.
            records_[i].at = static_cast<std::uint32_t>(i);
        }
    std::sort(records_.data(), records_.data() + count_, [](const Record& a, const Record& b) {
        if (a.side != b.side) return a.side < b.side;
        if (a.market != b.market) return a.market;
        if (a.rank != b.rank) return a.rank > b.rank;
        if (a.arrival != b.arrival) return a.arrival < b.arrival;
        return a.at < b.at;
    });
    Side current = Side::none;
    std::uint32_t added = 0, removed = 0;  // better than the one at hand
    for (std::size_t i = 0; i != count_; ++i) {
        Record r = records_[i];
        while (i + 1 != count_ && !r.market && records_[i + 1].side == r.side && !records_[i + 1].market &&
               records_[i + 1].rank == r.rank && records_[i + 1].arrival == r.arrival)
            r.after = records_[++i].after;  // taken out and put in again
        if (r.side != current) {
            current = r.side;
            added = removed = 0;
        }
        if (!r.before && !r.after) continue;  // came and went
        if (!r.market) {
            BookSide& side = c.side(r.side);
            Ranking::Found found = Ranking::search(side, r.rank);
            // The order in which attributed levels of one price came distinguishes them.
            if (c.attributed) {
                // The equal ones better than this one stand behind it in the array.
                while (found.there && Ranking::level(side, found.at).arrival < r.arrival) {
                    if (found.at == 0 || Ranking::rank(side, found.at - 1) != r.rank) {
                        found.there = false;
                        break;
                    }
                    --found.at;
                }
                if (found.there && Ranking::level(side, found.at).arrival != r.arrival) {
                    ++found.at;  // it would stand before this one
                    found.there = false;
                }
            }
            if (r.after) {
                r.at = found.at;
            } else {
                // The place is counted from the best, as listeners apply it (4).
                r.at = Ranking::count(side) - found.at - added + removed;
                ++removed;
            }
            if (!r.before) ++added;
        }
        changes_.push_back(changeOf(c, r));
    }
    count_ = 0;
    return changes_;
}

void ChangeList::drop(Content& c) noexcept {
    for (BookSide* side : {&c.bids, &c.asks}) {
        // Marks of changes are cleared, or the next message would find them.
        Ranking::market(*side).change = 0;
        if (count_ == 0) continue;
        for (std::uint32_t i = 0; i != Ranking::count(*side); ++i)
            Ranking::level(*side, i).change = 0;
    }
    count_ = 0;
}

}  // namespace emissary::book::detail
