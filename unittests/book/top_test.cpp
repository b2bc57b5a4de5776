// Readers on other threads, memory, allocations.
#include "support.h"

#include "support/AllocationCounter.h"

#include <thread>

using namespace booktest;

TEST_CASE("TopOfBook is read whole from another thread", "[book]") {
    Recorder ears;
    ears.quiet = true;
    book::Store store(ears);
    book::Book& b = store.add("A", Kind::prices);
    book::TopOfBook<3> top;
    book::Snapshot<3> s;
    CHECK(top.read(s));
    CHECK(s.version == 0);
    b.publishTo(&top);
    const auto send = [&](bool first, std::int64_t n) {
        // Every number of a message is made from n: a reader that mixes two messages sees it.
        const std::string payload =
            map({{kAdd, "b", {price(n), bid(), size(n)}}, {kAdd, "a", {price(n + 1), ask(), size(n)}}});
        if (first) store.apply(b, *ematest::Received<ematest::RefreshMsg>(refreshBytes(payload, {}), &dictionary()));
        else store.apply(b, *ematest::Received<ematest::UpdateMsg>(updateBytes(payload), &dictionary()));
    };
    send(true, 1);
    REQUIRE(top.read(s));
    CHECK(s.version == 1);
    CHECK(s.state == State::live);
    CHECK(s.bidLevels == 1);
    CHECK(s.bids[0].ticks == 1'000'000);

    std::atomic<bool> done{false};
    std::atomic<long> reads{0};
    std::string wrong;
    std::thread reader([&] {
        book::Snapshot<3> seen;
        std::uint64_t last = 0;
        while (!done.load(std::memory_order_relaxed)) {
            if (!top.read(seen)) continue;
            const std::int64_t n = seen.bids[0].size.mantissa;
            if (seen.version < last || seen.bids[0].ticks != n * 1'000'000 || seen.asks[0].size.mantissa != n ||
                seen.asks[0].ticks != (n + 1) * 1'000'000)
                wrong = "version " + std::to_string(seen.version);
            last = seen.version;
            reads.fetch_add(1, std::memory_order_relaxed);
        }
    });
    std::int64_t n = 2;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while ((n < 20'000 || reads.load() < 100) && std::chrono::steady_clock::now() < deadline)
        send(false, n++);
    done.store(true);
    reader.join();
    CHECK(wrong.empty());
    CHECK(reads.load() >= 100);
    b.publishTo(nullptr);
}

TEST_CASE("Steady state allocates nothing, and books take the memory they should", "[book]") {
    Recorder ears;
    struct Deaf : book::BookListener {
        void onBookChanged(const book::Book& b, std::span<const book::Change>) override {
            sum += b.bids().empty() ? 0 : b.bids().best().price().ticks;
        }
        std::int64_t sum = 0;
    } deaf;
    book::Store store(deaf);
    const auto apply = [&](book::Book& b, bool refresh, const std::vector<Entry>& entries, Kind kind) {
        if (refresh)
            store.apply(b,
                        *ematest::Received<ematest::RefreshMsg>(refreshBytes(map(entries), {}, kind), &dictionary()));
        else store.apply(b, *ematest::Received<ematest::UpdateMsg>(updateBytes(map(entries), {}, kind), &dictionary()));
    };
    SECTION("sizes") {
        book::Book& empty = store.add("A", Kind::prices);
        CHECK(empty.bytes() <= 1536);
        std::vector<Entry> levels;
        for (int i = 0; i != 10; ++i) {
            levels.push_back({kAdd, "b" + std::to_string(i), {price(1000 - i), bid(), size(1)}});
            levels.push_back({kAdd, "a" + std::to_string(i), {price(1001 + i), ask(), size(1)}});
        }
        book::BookOptions ten;
        ten.depthHint = 10;
        ten.ordersHint = 20;
        book::Store small(deaf, ten);
        book::Book& prices = small.add("B", Kind::prices);
        small.apply(prices, *ematest::Received<ematest::RefreshMsg>(refreshBytes(map(levels), {}, Kind::prices),
                                                                    &dictionary()));
        CHECK(prices.bids().depth() == 10);
        CHECK(prices.bytes() <= 4096);
        std::vector<Entry> orders;
        for (int i = 0; i != 1000; ++i)
            orders.push_back({kAdd,
                              "o" + std::to_string(i),
                              {price(1000 + (i % 2 != 0 ? i / 20 : -i / 20)), i % 2 != 0 ? ask() : bid(), size(1)}});
        book::Book& many = store.add("C", Kind::orders);
        apply(many, true, orders, Kind::orders);
        CHECK(many.keys() == 1000);
        CHECK(many.bytes() <= 160 * 1024);
        // A small image after a large one gives the memory back.
        apply(many, true, {{kAdd, "o", {price(1), bid(), size(1)}}}, Kind::orders);
        apply(many, true, {{kAdd, "o", {price(1), bid(), size(1)}}}, Kind::orders);
        CHECK(many.bytes() <= 16 * 1024);
    }
    SECTION("allocations") {
        book::Book& b = store.add("A", Kind::orders);
        std::vector<Entry> orders;
        for (int i = 0; i != 200; ++i)
            orders.push_back(
                {kAdd, "order-number-that-is-long-" + std::to_string(i), {price(1000 - i / 4), bid(), size(1)}});
        apply(b, true, orders, Kind::orders);
        // A whole cycle of everything, then the same again under the counter.
        std::vector<std::unique_ptr<ematest::Received<ematest::UpdateMsg>>> cycle;
        for (int i = 0; i != 200; ++i) {
            const std::string key = "order-number-that-is-long-" + std::to_string(i);
            for (const Entry& e : {Entry{kUpdate, key, {size(2)}}, Entry{kUpdate, key, {price(900 - i)}},
                                   Entry{kDelete, key, {}}, Entry{kAdd, key, {price(1000 - i / 4), bid(), size(1)}}})
                cycle.push_back(
                    std::make_unique<ematest::Received<ematest::UpdateMsg>>(updateBytes(map({e})), &dictionary()));
        }
        const auto run = [&] {
            for (const auto& msg : cycle)
                store.apply(b, **msg);
        };
        run();
        const auto before = emissary::test::allocationsOfThisThread();
        run();
        CHECK(emissary::test::allocationsOfThisThread() == before);
        CHECK(b.verify() == "");
        CHECK(deaf.sum != 0);
    }
    SECTION("opening and closing leaves nothing behind") {
        std::size_t bytes = 0;
        for (int round = 0; round != 20; ++round) {
            std::vector<book::Book*> books;
            for (int i = 0; i != 500; ++i) {
                books.push_back(&store.add("A" + std::to_string(i), Kind::orders));
                apply(*books.back(), true, {{kAdd, "o", {price(1), bid(), size(1)}}}, Kind::orders);
            }
            if (round == 0) bytes = store.bytes();
            CHECK(store.bytes() == bytes);
            for (book::Book* book : books)
                store.remove(*book);
            CHECK(store.books() == 0);
        }
    }
}
