// PerfTools/Common: a seeded generator of order books that change: many instruments, orders at geometric distance from
// the middle (docs/spec/order-books.md 6.1). It knows the true books; the senders encode them.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace emissary::perf {

/// What a market data channel looks like.
struct FeedTraits {
    std::string name;
    std::uint32_t instruments = 1;
    std::uint32_t averageLevels = 10, mostLevels = 10;   ///< price books, a side
    std::uint32_t averageOrders = 50, mostOrders = 100;  ///< order books, a side
    std::uint32_t packetBytes = 429;                     ///< on average
    std::uint64_t seed = 1;
};
[[nodiscard]] FeedTraits channelA();  ///< like channel 360 of the report
[[nodiscard]] FeedTraits channelB();  ///< like channel 384

/// A number in [0, n), n above 0. The generator's low bits are left out.
[[nodiscard]] inline std::uint64_t randomBelow(std::mt19937_64& random, std::uint64_t n) noexcept {
    return (random() >> 16) % n;
}

/// One map entry, of an order or of a price point.
struct FeedEntry {
    enum Action : std::uint8_t { update = 1, add = 2, remove = 3 };  // as on the wire
    Action action = add;
    std::uint8_t side = 1;   ///< 1 bid, 2 ask
    std::uint64_t key = 0;   ///< order number, or price and side of a price point
    std::int64_t price = 0;  ///< hundredths
    std::int64_t size = 0;
    std::uint32_t orders = 0;  ///< price points
    bool priceChanged = true;  ///< of an update
};
/// Order numbers in decimal, price points as price and side; `to` takes 24 bytes.
[[nodiscard]] std::string_view keyText(const FeedEntry& entry, bool pricePoint, char* to) noexcept;

/// The true order book of one instrument.
class OrderSource {
public:
    OrderSource(std::uint32_t bids, std::uint32_t asks, std::uint64_t seed);
    /// Changes one order; `order` says how, `points` get the price points of the same book that it changes (one or
    /// two).
    void step(FeedEntry& order, std::vector<FeedEntry>& points);
    /// Every order, best level first, in the order of their queues; and every price point.
    void image(std::vector<FeedEntry>& orders) const;
    void priceImage(std::vector<FeedEntry>& points) const;
    [[nodiscard]] std::size_t orders(int side) const noexcept { return side_[side - 1].count; }
    [[nodiscard]] std::size_t levels(int side) const noexcept { return side_[side - 1].levels.size(); }

private:
    struct Order {
        std::uint64_t number;
        std::int64_t size;
    };
    struct Level {
        std::int64_t distance;  ///< from the middle, in hundredths; the best is the last
        std::int64_t size = 0;
        std::vector<Order> queue;
    };
    struct SideBook {
        std::vector<Level> levels;
        std::size_t count = 0, target = 0;
    };
    [[nodiscard]] std::int64_t distance();
    [[nodiscard]] std::size_t someLevel(const SideBook& side);
    [[nodiscard]] std::size_t put(SideBook& side, std::int64_t distance, Order order);
    [[nodiscard]] Order take(SideBook& side, std::size_t level, std::size_t place);
    [[nodiscard]] FeedEntry pointOf(int side, std::int64_t distance) const;
    [[nodiscard]] std::uint64_t below(std::uint64_t n) noexcept { return randomBelow(random_, n); }
    [[nodiscard]] static std::int64_t priceOf(int side, std::int64_t distance) noexcept {
        return kMiddle + (side == 1 ? -distance : distance);
    }
    static constexpr std::int64_t kMiddle = 100'000;
    SideBook side_[2];
    std::uint64_t nextNumber_;
    std::mt19937_64 random_;
    std::int64_t span_;
};

/// The true book of price points of one instrument, of limited depth.
class PriceSource {
public:
    PriceSource(std::uint32_t average, std::uint32_t most, std::uint64_t seed);
    void step(FeedEntry& point);
    void image(std::vector<FeedEntry>& points) const;
    [[nodiscard]] std::size_t levels(int side) const noexcept { return side_[side - 1].size(); }

private:
    struct Level {
        std::int64_t distance, size;
        std::uint32_t orders;
    };
    [[nodiscard]] FeedEntry entryOf(int side, const Level& level, FeedEntry::Action action) const noexcept;
    [[nodiscard]] std::size_t place() noexcept;
    [[nodiscard]] std::uint64_t below(std::uint64_t n) noexcept { return randomBelow(random_, n); }
    static constexpr std::int64_t kMiddle = 100'000;
    std::vector<Level> side_[2];  ///< best first
    std::uint32_t average_, most_;
    std::mt19937_64 random_;
};

/// Instruments by Zipf's law with exponent 1: the first is met most often.
class ZipfChooser {
public:
    explicit ZipfChooser(std::uint32_t n);
    template <class Random>
    [[nodiscard]] std::uint32_t operator()(Random& random) const noexcept {
        return at(static_cast<double>(random() >> 11) * 0x1p-53);
    }

private:
    [[nodiscard]] std::uint32_t at(double part) const noexcept;
    std::vector<double> sums_;
};

}  // namespace emissary::perf
