// Readers on other threads, memory, allocations.
#include "support.h"

#include "store/Memory.h"
#include "support/AllocationCounter.h"

#include <fstream>
#include <random>
#include <thread>

using namespace booktest;

namespace {

/// Of this process, 4 KB each.
std::size_t residentPages() {
    std::size_t all = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> all >> resident;
    return resident;
}

}  // namespace

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
        if (first) store.apply(b, *ReceivedMsg<ematest::RefreshMsg>(refreshBytes(payload, {}), &dictionary()));
        else store.apply(b, *ReceivedMsg<ematest::UpdateMsg>(updateBytes(payload), &dictionary()));
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
            store.apply(b, *ReceivedMsg<ematest::RefreshMsg>(refreshBytes(map(entries), {}, kind), &dictionary()));
        else store.apply(b, *ReceivedMsg<ematest::UpdateMsg>(updateBytes(map(entries), {}, kind), &dictionary()));
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
        small.apply(prices,
                    *ReceivedMsg<ematest::RefreshMsg>(refreshBytes(map(levels), {}, Kind::prices), &dictionary()));
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
        std::vector<std::unique_ptr<ReceivedMsg<ematest::UpdateMsg>>> cycle;
        for (int i = 0; i != 200; ++i) {
            const std::string key = "order-number-that-is-long-" + std::to_string(i);
            for (const Entry& e : {Entry{kUpdate, key, {size(2)}}, Entry{kUpdate, key, {price(900 - i)}},
                                   Entry{kDelete, key, {}}, Entry{kAdd, key, {price(1000 - i / 4), bid(), size(1)}}})
                cycle.push_back(
                    std::make_unique<ReceivedMsg<ematest::UpdateMsg>>(updateBytes(map({e})), &dictionary()));
        }
        const auto run = [&] {
            for (const auto& msg : cycle)
                store.apply(b, **msg);
        };
        run();
        const auto before = emissary::test::allocationsOfThisThread();
        const std::size_t bytes = store.bytes();
        run();
        CHECK(store.bytes() == bytes);
        CHECK(emissary::test::allocationsOfThisThread() == before);
        CHECK(b.verify() == "");
        CHECK(deaf.sum != 0);
    }
    SECTION("opening and closing leaves nothing behind") {
        // With BOOK_BOOKS=10000 a hundred rounds, and the process is looked at as well.
        const char* wanted = std::getenv("BOOK_BOOKS");
        const std::size_t count = wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 100;
        constexpr int kLevels = 100;
        std::vector<Entry> image;
        for (int i = 0; i != kLevels; ++i) {
            image.push_back({kAdd, "b" + std::to_string(i), {price(1000 - i), bid(), size(1)}});
            image.push_back({kAdd, "a" + std::to_string(i), {price(1001 + i), ask(), size(1)}});
        }
        const ReceivedMsg<ematest::RefreshMsg> refresh(refreshBytes(map(image), {}, Kind::prices), &dictionary());
        const ReceivedMsg<ematest::UpdateMsg> update(
            updateBytes(map({{kDelete, "b0", {}}, {kUpdate, "a0", {size(2)}}}), {}, Kind::prices), &dictionary());
        std::size_t bytes = 0, resident = 0;
        for (int round = 0; round != (wanted != nullptr ? 100 : 10); ++round) {
            std::vector<book::Book*> books;
            bool right = true;
            for (std::size_t i = 0; i != count; ++i) {
                books.push_back(&store.add("A" + std::to_string(i), Kind::prices));
                store.apply(*books.back(), *refresh);
                store.apply(*books.back(), *update);
                right = right && books.back()->bids().depth() == kLevels - 1 && books.back()->asks().depth() == kLevels;
            }
            CHECK(right);
            if (round == 0) bytes = store.bytes();
            CHECK(store.bytes() == bytes);
            if (round == 0) CHECK(store.verify() == 0);
            if (round == 1) resident = residentPages();
            if (wanted != nullptr && round > 1) CHECK(residentPages() <= resident + resident / 20);
            for (book::Book* book : books)
                store.remove(*book);
            CHECK(store.books() == 0);
        }
        if (wanted != nullptr)
            WARN(count << " books of " << kLevels << " levels a side: " << bytes / 1048576 << " MB, resident "
                       << resident / 256 << " MB");
    }
}

TEST_CASE("Blocks of a store's memory lie apart, are used again, and go back when the last one does", "[book]") {
    using book::detail::Memory;
    Memory memory;
    std::mt19937_64 random(5);
    struct Block {
        unsigned char* at;
        std::size_t bytes;
        unsigned char mark;
    };
    std::vector<Block> blocks;
    const auto intact = [](const Block& b) {
        return b.at[0] == b.mark && b.at[b.bytes - 1] == b.mark && b.at[b.bytes / 2] == b.mark;
    };
    std::size_t most = 0;
    for (int i = 0; i != 20'000; ++i) {
        if (blocks.size() < 300 && random() % 5 < 3) {
            // Small ones mostly, and now and then one above what a region is cut into.
            const std::size_t bytes =
                1 + random() % (random() % 100 == 0 ? 3'000'000 : std::size_t{1} << random() % 18);
            Block b{static_cast<unsigned char*>(memory.take(bytes)), bytes, static_cast<unsigned char>(random())};
            REQUIRE(reinterpret_cast<std::uintptr_t>(b.at) % Memory::kLine == 0);
            std::fill_n(b.at, bytes, b.mark);
            blocks.push_back(b);
        } else if (!blocks.empty()) {
            std::swap(blocks[random() % blocks.size()], blocks.back());
            REQUIRE(intact(blocks.back()));
            memory.give(blocks.back().at, blocks.back().bytes);
            blocks.pop_back();
        }
        most = std::max(most, memory.bytes());
    }
    CHECK(most < (std::size_t{40} << 20));
    for (const Block& b : blocks) {
        CHECK(intact(b));
        memory.give(b.at, b.bytes);
    }
    CHECK(memory.bytes() == 0);
    memory.give(nullptr, 0);
    for (std::size_t bytes = 1; bytes <= Memory::kLargest; bytes += 61) {
        CHECK(Memory::room(bytes) >= bytes);
        CHECK(Memory::room(bytes) <= bytes + std::max(Memory::kLine, bytes / 4));
        CHECK(Memory::room(Memory::room(bytes)) == Memory::room(bytes));
    }
}
