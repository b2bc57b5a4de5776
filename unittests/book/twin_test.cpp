// One generator, two feeds: orders and price points of the same book.
#include "BookFeed.h"
#include "support.h"

#include "apply/StoreAccess.h"

using namespace booktest;
using emissary::perf::FeedEntry;

namespace {

Entry entryOf(const FeedEntry& e, bool point) {
    char key[24];
    Entry out{static_cast<std::uint8_t>(e.action), std::string(keyText(e, point, key)), {}};
    if (e.action == FeedEntry::remove) return out;
    if (e.priceChanged) out.fields = {price(e.price), side(e.side)};
    out.fields.push_back(size(e.size));
    if (point) out.fields.push_back(number(3430, e.orders));
    return out;
}

std::string rawLevelsOf(const book::Book& b) {
    std::string out;
    for (const book::BookSide* s : {&b.bids(), &b.asks()}) {
        for (const book::Level level : *s)
            out += std::to_string(level.price().ticks) + "x" + std::to_string(level.size().mantissa) + "/" +
                   std::to_string(level.orders()) + " ";
        out += "| ";
    }
    return out;
}

}  // namespace

TEST_CASE("Orders added up are the price points of the same book, always", "[book]") {
    const auto seed = static_cast<std::uint64_t>(GENERATE(1, 2, 3));
    emissary::perf::OrderSource source(40, 60, seed);
    Recorder ears;
    ears.quiet = true;
    book::Store store(ears);
    book::Book &orders = store.add("A", Kind::orders), &points = store.add("A", Kind::prices);
    const auto send = [&](book::Book& b, const std::vector<Entry>& entries, bool image) {
        const std::string payload = map(entries);
        const auto bytes = image ? refreshBytes(payload, {}, b.kind()) : updateBytes(payload, {}, b.kind());
        codec::Msg msg;
        REQUIRE(codec::decodeMsg(bytes, msg).ok());
        book::StoreAccess::apply(store, b, msg);
    };
    std::vector<FeedEntry> all, changed;
    source.image(all);
    source.priceImage(changed);
    std::vector<Entry> first, second;
    for (const FeedEntry& e : all)
        first.push_back(entryOf(e, false));
    for (const FeedEntry& e : changed)
        second.push_back(entryOf(e, true));
    send(orders, first, true);
    send(points, second, true);
    REQUIRE(rawLevelsOf(orders) == rawLevelsOf(points));
    ears.broken.clear();  // one ear for two books
    for (int i = 0; i != 20'000; ++i) {
        FeedEntry order;
        changed.clear();
        source.step(order, changed);
        send(orders, {entryOf(order, false)}, false);
        second.clear();
        for (const FeedEntry& e : changed)
            second.push_back(entryOf(e, true));
        send(points, second, false);
        if (rawLevelsOf(orders) != rawLevelsOf(points) || !orders.verify().empty()) {
            INFO("step " << i);
            REQUIRE(rawLevelsOf(orders) == rawLevelsOf(points));
            REQUIRE(orders.verify() == "");
        }
    }
    // The source's own queues, order by order.
    all.clear();
    source.image(all);
    std::size_t at = 0;
    for (const book::BookSide* s : {&orders.bids(), &orders.asks()})
        for (const book::Level level : *s)
            for (const book::Order o : level.queue()) {
                char key[24];
                REQUIRE(at < all.size());
                REQUIRE(o.id() == keyText(all[at], false, key));
                ++at;
            }
    CHECK(at == all.size());
    CHECK(store.counters().deleteOfUnknown.get() == 0);
    CHECK(store.counters().addOfKnown.get() == 0);
    CHECK(store.counters().updateWithoutAdd.get() == 0);
}

TEST_CASE("A source of price points keeps to its depth, and the book follows it", "[book]") {
    emissary::perf::PriceSource source(7, 10, 5);
    Recorder ears;
    book::Store store(ears);
    book::Book& b = store.add("A", Kind::prices);
    const auto send = [&](const std::vector<Entry>& entries, bool image) {
        const std::string payload = map(entries);
        const auto bytes = image ? refreshBytes(payload, {}, b.kind()) : updateBytes(payload, {}, b.kind());
        codec::Msg msg;
        REQUIRE(codec::decodeMsg(bytes, msg).ok());
        book::StoreAccess::apply(store, b, msg);
    };
    std::vector<FeedEntry> all;
    source.image(all);
    std::vector<Entry> entries;
    for (const FeedEntry& e : all)
        entries.push_back(entryOf(e, true));
    send(entries, true);
    std::size_t most = 0;
    for (int i = 0; i != 20'000; ++i) {
        FeedEntry e;
        source.step(e);
        send({entryOf(e, true)}, false);
        most = std::max(most, b.bids().depth());
        if (b.bids().depth() != source.levels(1) || b.asks().depth() != source.levels(2)) {
            INFO("step " << i);
            REQUIRE(b.bids().depth() == source.levels(1));
            REQUIRE(b.asks().depth() == source.levels(2));
        }
    }
    CHECK(most == 10);
    CHECK(ears.broken == "");
    CHECK(store.counters().deleteOfUnknown.get() == 0);
    CHECK(store.counters().addOfKnown.get() == 0);
}
