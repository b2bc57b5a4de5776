// capi/consumer: walks a book from the best level of each side, and writes a row for each level or order.
#include "consumer/Books.h"

#include "calls/wall_clock.h"

#include <algorithm>
#include <string_view>

namespace emissary::capi {
namespace {

using book::Book;
using book::BookSide;

constexpr std::int64_t kBid = 1, kAsk = 2;
// EMI_REAL has the exponent hints of OmmReal: 14 is 10^0, and each step down divides by ten.
constexpr int kExponent0 = 14;

Value whole(emi_kind kind, std::int64_t number) {
    Value v;
    v.kind = kind;
    v.i64 = number;
    return v;
}

Value real(const book::Real& from) {
    Value v = whole(EMI_REAL, from.mantissa);
    v.hint = from.hint;
    v.f64 = from.toDouble();
    return v;
}

/// Prices are in units of 10^-scale.
Value price(const Book& of, const book::Price& from) {
    Value v = whole(EMI_REAL, from.ticks);
    v.hint = static_cast<std::uint8_t>(std::clamp(kExponent0 - of.scale(), 0, 21));
    v.f64 = from.toDouble(of);
    return v;
}

Value time(book::Nanos from) {
    Value v = whole(EMI_TIME, from.count());
    v.blank = from == book::kNoTime;
    return v;
}

Value text(std::string_view from) {
    Value v;
    v.kind = EMI_TEXT;
    v.text = from.data();
    v.length = from.size();
    return v;
}

std::size_t levelsShown(const BookSide& side, std::size_t depth) {
    return depth == 0 ? side.depth() : std::min(depth, side.depth());
}

/// Rows with the time of now, all of one item.
struct Rows {
    Rows(std::uint64_t number, emi_state quality, std::size_t expected)
        : batch(std::make_unique<emi_batch>(expected)), item(number), state(quality) {}
    void add(std::uint8_t domain) {
        batch->addRow(item, now, EMI_REFRESH, state);
        batch->domain.push_back(domain);
    }

    std::unique_ptr<emi_batch> batch;
    std::uint64_t item;
    emi_state state;
    std::int64_t now = wallClock();
};

}  // namespace

void describe(const Book& from, emi_book& to) {
    to = {static_cast<std::uint32_t>(sizeof to),
          static_cast<std::int32_t>(from.state()),
          static_cast<std::int32_t>(from.phase()),
          from.crossed() ? 1 : 0,
          from.version(),
          from.bids().depth(),
          from.asks().depth(),
          from.sequence().value_or(0)};
}

std::unique_ptr<emi_batch> levelsOf(const Book& from, std::uint64_t item, emi_state state, std::size_t depth) {
    // The size is known beforehand, so no column moves while it fills.
    Rows rows(item, state, levelsShown(from.bids(), depth) + levelsShown(from.asks(), depth));
    auto& batch = *rows.batch;
    const auto side = batch.addColumn("SIDE", EMI_INT), at = batch.addColumn("PRICE", EMI_REAL),
               size = batch.addColumn("SIZE", EMI_REAL), orders = batch.addColumn("ORDERS", EMI_UINT),
               when = batch.addColumn("TIME", EMI_TIME);
    for (const auto number : {kBid, kAsk}) {
        const BookSide& levels = number == kBid ? from.bids() : from.asks();
        for (std::size_t i = 0; i < levelsShown(levels, depth); ++i) {
            const auto level = levels[i];
            rows.add(static_cast<std::uint8_t>(from.kind()));
            batch.put(side, whole(EMI_INT, number));
            batch.put(at, price(from, level.price()));
            batch.put(size, real(level.size()));
            batch.put(orders, whole(EMI_UINT, level.orders()));
            batch.put(when, time(level.time()));
        }
    }
    batch.finish();
    return std::move(rows.batch);
}

std::unique_ptr<emi_batch> ordersOf(const Book& from, std::uint64_t item, emi_state state, std::size_t depth) {
    Rows rows(item, state, from.keys());
    auto& batch = *rows.batch;
    const auto side = batch.addColumn("SIDE", EMI_INT), at = batch.addColumn("PRICE", EMI_REAL),
               size = batch.addColumn("SIZE", EMI_REAL), place = batch.addColumn("LEVEL", EMI_INT),
               id = batch.addColumn("ID", EMI_TEXT), maker = batch.addColumn("MAKER", EMI_TEXT),
               when = batch.addColumn("TIME", EMI_TIME);
    const auto add = [&](const book::Order& order, std::int64_t number, std::int64_t level) {
        rows.add(static_cast<std::uint8_t>(from.kind()));
        batch.put(side, whole(EMI_INT, number));
        // Orders without a price stand in the queue of market orders: they belong to no level.
        if (level >= 0) {
            batch.put(at, price(from, order.price()));
            batch.put(place, whole(EMI_INT, level));
        }
        batch.put(size, real(order.size()));
        batch.put(id, text(order.id()));
        if (!order.maker().empty()) batch.put(maker, text(order.maker()));
        batch.put(when, time(order.time()));
    };
    for (const auto number : {kBid, kAsk}) {
        const BookSide& levels = number == kBid ? from.bids() : from.asks();
        // Market orders come before all levels, as a matching engine would take them.
        for (const auto order : levels.market().queue())
            add(order, number, -1);
        for (std::size_t i = 0; i < levelsShown(levels, depth); ++i)
            for (const auto order : levels[i].queue())
                add(order, number, static_cast<std::int64_t>(i));
    }
    batch.finish();
    return std::move(rows.batch);
}

}  // namespace emissary::capi
