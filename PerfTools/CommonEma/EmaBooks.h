// Generated order books as payloads of the message API: the image of an item and one update after the other.
#pragma once

#include "BookFeed.h"
#include "Ema.h"

#include <string_view>

namespace emissary::perf {

/// One item's book. Items of the same name have the same book whatever they are asked for: after the same number of
/// updates (the sequence number) the orders of one, added up, are the price points of the other.
class BookItem {
public:
    enum class Content : std::uint8_t { orders, pricePoints };
    /// `orders`: about how many orders a side has.
    BookItem(std::string_view name, Content content, std::uint32_t ordersPerSide);
    /// The whole book. The payload, like that of next(), is valid until the next call of any function.
    const refinitiv::ema::access::Map& image();
    const refinitiv::ema::access::Map& next();
    /// Updates made so far.
    [[nodiscard]] refinitiv::ema::access::UInt32 sequence() const noexcept { return sequence_; }
    [[nodiscard]] const OrderSource& truth() const noexcept { return source_; }
    /// The generator of an item's book, before its first update.
    [[nodiscard]] static OrderSource sourceOf(std::string_view name, std::uint32_t ordersPerSide);

private:
    void add(const FeedEntry& entry);
    OrderSource source_;
    Content content_;
    refinitiv::ema::access::UInt32 sequence_ = 0;
    FeedEntry order_;
    std::vector<FeedEntry> points_, all_;
    refinitiv::ema::access::Map map_;
    refinitiv::ema::access::FieldList fields_;
    refinitiv::ema::access::EmaBuffer key_;
};

}  // namespace emissary::perf
