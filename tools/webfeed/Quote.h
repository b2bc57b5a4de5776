// The quote of one item: a random walk of a bid, a spread and two sizes, the same for the same seed.
#pragma once

#include <cstdint>
#include <string>

namespace emissary::webfeed {

/// Name of the item with this number: "WEB0", "WEB1" ...
[[nodiscard]] std::string itemName(unsigned number);

/// A walk of whole ticks. Items below a price of 20 have ticks of 0.00001, the others of 0.001, as currency pairs have.
class Quote {
public:
    /// `item` and `seed` decide every value. Starts with sequence number 1.
    Quote(unsigned item, std::uint64_t seed);
    /// To the next quote: the sequence number grows by one, the bid moves by at most two ticks.
    void step();

    [[nodiscard]] std::int64_t bid() const { return bid_; }  ///< in ticks
    [[nodiscard]] std::int64_t ask() const { return bid_ + spread_; }
    [[nodiscard]] int decimals() const { return decimals_; }  ///< of a tick: 3 or 5
    [[nodiscard]] unsigned bidSize() const { return bidSize_; }
    [[nodiscard]] unsigned askSize() const { return askSize_; }
    [[nodiscard]] std::uint64_t sequence() const { return sequence_; }
    /// The bid as a decimal number: "1.08451".
    [[nodiscard]] std::string bidText() const;

private:
    [[nodiscard]] std::uint64_t draw();

    std::uint64_t random_, sequence_ = 1;
    std::int64_t bid_ = 0, spread_ = 1, lowest_ = 1;
    int decimals_ = 5;
    unsigned bidSize_ = 100, askSize_ = 100;
};

}  // namespace emissary::webfeed
