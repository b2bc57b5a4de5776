#include "apply/ChangeList.h"

#include "store/ContentAccess.h"

#include <algorithm>

namespace emissary::book::detail {

bool ChangeList::fits(std::int64_t factor) const noexcept {
    return std::all_of(records_.begin(), records_.end(), [factor](const Record& r) {
        std::int64_t product;
        return !__builtin_mul_overflow(r.rank, factor, &product) &&
               !__builtin_mul_overflow(r.sizeBefore, factor, &product);
    });
}

void ChangeList::rescalePrices(std::int64_t factor) noexcept {
    for (Record& r : records_)
        r.rank *= factor;
}

void ChangeList::rescaleSizes(std::int64_t factor) noexcept {
    for (Record& r : records_)
        r.sizeBefore *= factor;
}

Change ChangeList::changeOf(Content& c, const Record& r) noexcept {
    BookSide& side = c.side(r.side);
    Change out;
    out.side = r.side;
    out.sizeBefore = c.sizeOf(r.sizeBefore);
    out.ordersBefore = r.ordersBefore;
    out.size = c.sizeOf(0);
    if (r.market) {
        LevelData& market = ContentAccess::market(side);
        market.change = 0;
        out.action = market.rows == 0 ? Change::removed : r.ordersBefore == 0 ? Change::added : Change::changed;
        out.market = true;
        out.size = c.sizeOf(market.size);
        out.orders = market.rows;
        return out;
    }
    out.price = {ContentAccess::rankOf(side, r.rank), r.hint};  // the sign is its own inverse
    if (!r.after) {
        out.action = Change::removed;
        out.index = r.at;
        return out;
    }
    LevelData& level = ContentAccess::level(side, r.at);
    level.change = 0;
    out.action = r.before ? Change::changed : Change::added;
    out.index = ContentAccess::count(side) - 1 - r.at;
    out.size = c.sizeOf(level.size);
    out.orders = level.orders;
    return out;
}

std::span<const Change> ChangeList::finish(Content& c) {
    changes_.clear();
    if (records_.size() == 1) [[likely]] {
        const Record& r = records_.front();
        if (r.before || r.after) changes_.push_back(changeOf(c, r));
        records_.clear();
        return changes_;
    }
    return records_.empty() ? std::span<const Change>{} : finishMany(c);
}

std::span<const Change> ChangeList::finishMany(Content& c) {
    // Bids before asks, the best first, records of one level in the order they came.
    for (std::size_t i = 0; i != records_.size(); ++i)
        if (!records_[i].market) {
            // From here on `at` is the order within the message; the place is looked up anew.
            records_[i].at = static_cast<std::uint32_t>(i);
        }
    std::sort(records_.begin(), records_.end(), [](const Record& a, const Record& b) {
        if (a.side != b.side) return a.side < b.side;
        if (a.market != b.market) return a.market;
        if (a.rank != b.rank) return a.rank > b.rank;
        if (a.arrival != b.arrival) return a.arrival < b.arrival;
        return a.at < b.at;
    });
    Side current = Side::none;
    std::uint32_t added = 0, removed = 0;  // better than the one at hand
    for (std::size_t i = 0; i != records_.size(); ++i) {
        Record r = records_[i];
        while (i + 1 != records_.size() && !r.market && records_[i + 1].side == r.side && !records_[i + 1].market &&
               records_[i + 1].rank == r.rank && records_[i + 1].arrival == r.arrival)
            r.after = records_[++i].after;  // taken out and put in again
        if (r.side != current) {
            current = r.side;
            added = removed = 0;
        }
        if (!r.before && !r.after) continue;  // came and went
        if (!r.market) {
            BookSide& side = c.side(r.side);
            ContentAccess::Found found = ContentAccess::search(side, r.rank);
            if (c.attributed) {
                // The equal ones better than this one stand behind it in the array.
                while (found.there && ContentAccess::level(side, found.at).arrival < r.arrival) {
                    if (found.at == 0 || ContentAccess::rank(side, found.at - 1) != r.rank) {
                        found.there = false;
                        break;
                    }
                    --found.at;
                }
                if (found.there && ContentAccess::level(side, found.at).arrival != r.arrival) {
                    ++found.at;  // it would stand before this one
                    found.there = false;
                }
            }
            if (r.after) {
                r.at = found.at;
            } else {
                r.at = ContentAccess::count(side) - found.at - added + removed;
                ++removed;
            }
            if (!r.before) ++added;
        }
        changes_.push_back(changeOf(c, r));
    }
    records_.clear();
    return changes_;
}

void ChangeList::drop(Content& c) noexcept {
    for (BookSide* side : {&c.bids, &c.asks}) {
        ContentAccess::market(*side).change = 0;
        if (records_.empty()) continue;
        for (std::uint32_t i = 0; i != ContentAccess::count(*side); ++i)
            ContentAccess::level(*side, i).change = 0;
    }
    records_.clear();
}

}  // namespace emissary::book::detail
