// What one message changed, gathered while its entries are applied and made into Changes at its end.
#pragma once

#include "emissary/book/Listener.h"

#include <vector>

namespace emissary::book::detail {

class ChangeList {
public:
    /// Before the level is changed.
    void touch(Side which, std::uint32_t at, LevelData& level, Ticks rank) {
        if (level.change == 0) [[likely]] {
            records_.push_back(
                {rank, level.size, level.arrival, level.orders, at, which, level.priceHint, false, true, true});
            level.change = static_cast<std::uint32_t>(records_.size());
        }
    }
    /// After an empty level was put in.
    void inserted(Side which, std::uint32_t at, LevelData& level, Ticks rank) {
        records_.push_back({rank, 0, level.arrival, 0, at, which, level.priceHint, false, false, true});
        level.change = static_cast<std::uint32_t>(records_.size());
    }
    /// Before an emptied level, touched before, is taken out; `at` is where it stood.
    void erased(const LevelData& level, std::uint32_t fromBest) {
        Record& r = records_[level.change - 1];
        r.after = false;
        r.at = fromBest;
    }
    void touchMarket(Side which, LevelData& market) {
        if (market.change != 0) return;
        records_.push_back({0, market.size, 0, market.rows, 0, which, 14, true, true, true});
        market.change = static_cast<std::uint32_t>(records_.size());
    }
    /// Whether every number stays within 64 bits in units so many times finer; then rescaleX() may be called.
    [[nodiscard]] bool fits(std::int64_t factor) const noexcept;
    void rescalePrices(std::int64_t factor) noexcept;
    void rescaleSizes(std::int64_t factor) noexcept;
    [[nodiscard]] bool empty() const noexcept { return records_.empty(); }
    /// The changes, good until the next call of anything; the list is empty afterwards.
    [[nodiscard]] std::span<const Change> finish(Content& c);
    /// Forgets everything, and the levels' numbers of it.
    void drop(Content& c) noexcept;

private:
    struct Record {
        Ticks rank;
        std::int64_t sizeBefore;
        std::uint32_t arrival, ordersBefore;
        std::uint32_t at;  ///< place of the level when it was touched last; of an erased one: from the best
        Side side;
        std::uint8_t hint;
        bool market, before, after;
    };
    [[nodiscard]] Change changeOf(Content& c, const Record& r) noexcept;
    [[nodiscard]] std::span<const Change> finishMany(Content& c);
    std::vector<Record> records_;
    std::vector<Change> changes_;
};

}  // namespace emissary::book::detail
