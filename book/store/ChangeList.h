// The changes of one message, gathered while its entries are applied and made into Changes at its end.
#pragma once

#include "emissary/book/Listener.h"

#include <vector>

namespace emissary::book::detail {

class ChangeList {
public:
    /// Before the level is changed.
    void touch(Side which, std::uint32_t at, LevelData& level, Ticks rank) {
        if (level.change == 0) [[likely]]
            level.change =
                add({rank, level.size, level.arrival, level.orders, at, which, level.priceHint, false, true, true});
    }
    /// After an empty level was put in.
    void inserted(Side which, std::uint32_t at, LevelData& level, Ticks rank) {
        level.change = add({rank, 0, level.arrival, 0, at, which, level.priceHint, false, false, true});
    }
    /// Before an emptied level, touched before, is taken out; `at` is where it stood.
    void erased(const LevelData& level, std::uint32_t fromBest) {
        Record& r = records_[level.change - 1];
        r.after = false;
        r.at = fromBest;
    }
    void touchMarket(Side which, LevelData& market) {
        if (market.change != 0) return;
        market.change = add({0, market.size, 0, market.rows, 0, which, 14, true, true, true});
    }
    /// Whether every number stays within 64 bits in units `factor` times finer; then rescaleX() may be called.
    [[nodiscard]] bool fits(std::int64_t factor) const noexcept;
    void rescalePrices(std::int64_t factor) noexcept;
    void rescaleSizes(std::int64_t factor) noexcept;
    [[nodiscard]] bool empty() const noexcept { return count_ == 0; }
    /// The changes, good until the next call of anything; the list is empty afterwards.
    [[nodiscard]] std::span<const Change> finish(Content& c) {
        if (count_ == 1) [[likely]]
            return finishOne(c);
        return count_ == 0 ? std::span<const Change>{} : finishMany(c);
    }
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
    [[nodiscard]] static Change changeOf(Content& c, const Record& r) noexcept;
    [[nodiscard]] std::span<const Change> finishOne(Content& c) noexcept;
    [[nodiscard]] std::span<const Change> finishMany(Content& c);
    /// The number of the new record, from 1.
    [[nodiscard]] std::uint32_t add(const Record& record) {
        if (count_ == room_) [[unlikely]]
            grow();
        records_[count_] = record;
        return ++count_;
    }
    [[nodiscard]] std::span<Record> records() noexcept { return {records_.data(), count_}; }
    [[nodiscard]] std::span<const Record> records() const noexcept { return {records_.data(), count_}; }
    void grow();
    static constexpr std::uint32_t kRoom = 8;
    std::vector<Record> records_{kRoom};  ///< the first count_ of room_
    std::uint32_t count_ = 0, room_ = kRoom;
    Change one_;
    std::vector<Change> changes_;
};

}  // namespace emissary::book::detail
