// Messages of a packet: the same books, calls and verdicts as one after the other, whatever a message is like.
#include "apply/StoreAccess.h"
#include "support.h"
#include "support/AllocationCounter.h"

#include <functional>
#include <random>

using namespace booktest;

namespace {

/// Writes down which book was meant, and may do something about it.
struct Calls : book::BookListener {
    std::vector<std::string> heard;
    std::function<void(const book::Book&)> then;
    void onBookChanged(const book::Book& b, std::span<const book::Change> changes) override {
        std::ostringstream out;
        out << b.name() << " changed";
        for (const book::Change& c : changes)
            out << ' ' << int{c.action} << ' ' << text(b, c.price) << '@' << c.index << ' ' << text(c.size) << " x"
                << c.orders;
        heard.push_back(out.str());
        if (then) then(b);
    }
    void onBookReset(const book::Book& b) override { heard.push_back(std::string(b.name()) + " reset"); }
    void onBookState(const book::Book& b, State before) override {
        heard.push_back(std::string(b.name()) + ' ' + name(before) + " -> " + name(b.state()));
    }
};

/// Books in a store, with an image of one order each.
struct Books {
    explicit Books(std::size_t count, Kind kind = Kind::orders) {
        for (std::size_t i = 0; i != count; ++i) {
            all.push_back(&store.add("B" + std::to_string(i), kind));
            one(i, refreshBytes(map({{kAdd, "o1", {price(1000), bid(), size(1)}}}), {}, kind));
        }
    }
    void one(std::size_t book, const std::vector<std::byte>& bytes) {
        codec::Msg msg;
        if (codec::decodeMsg(bytes, msg).ok()) verdicts.push_back(book::StoreAccess::apply(store, *all[book], msg));
        else verdicts.push_back(book::StoreAccess::applyMalformed(store, *all[book]));
    }
    Calls calls;
    book::Store store{calls};
    std::vector<book::Book*> all;
    std::vector<book::Verdict> verdicts;
};

book::PacketMessage part(book::Book& b, const std::vector<std::byte>& bytes) {
    book::PacketMessage m;
    m.book = &b, m.bytes = bytes.data(), m.length = bytes.size();
    return m;
}

std::vector<std::byte> updateOf(const std::string& key, int cents, int sizeOf) {
    return updateBytes(map({{kAdd, key, {price(cents), bid(), size(sizeOf)}}}));
}

}  // namespace

TEST_CASE("A packet gives what its messages give one after the other", "[book]") {
    const Kind kind = GENERATE(Kind::orders, Kind::prices);
    const std::size_t count = GENERATE(1u, 7u, 60u);
    Books single(count, kind), packed(count, kind);
    std::mt19937_64 random(count);
    const auto message = [&]() -> std::vector<std::byte> {
        const auto some = [&](std::uint64_t n) { return static_cast<int>(random() % n); };
        const auto key = [&] { return "o" + std::to_string(some(12)); };
        switch (some(24)) {
        case 0:
            return refreshBytes(map({{kAdd, key(), {price(990 + some(20)), bid(), size(1 + some(5))}}}), {}, kind);
        case 1:
            return refreshBytes(map({{kAdd, key(), {price(990 + some(20)), ask(), size(1 + some(5))}}}),
                                {.complete = false, .part = 0}, kind);
        case 2:
            return statusBytes(1, static_cast<std::uint8_t>(1 + some(2)), some(8) == 0);
        case 3:
            return updateBytes("", {}, kind);
        case 4: {
            std::vector<std::byte> cut = updateBytes(map({{kAdd, key(), {price(1000), bid(), size(2)}}}), {}, kind);
            cut.resize(static_cast<std::size_t>(some(cut.size())));
            return cut;
        }
        case 5:  // not of the usual kind: it has a summary
            return updateBytes(map({{kUpdate, key(), {size(3)}}}, {enumeration(15, 840)}), {}, kind);
        case 6:
        case 7:
            return updateBytes(map({{kDelete, key(), {}}}), {}, kind);
        case 8:
            return updateBytes(map({{kDelete, key(), {}},
                                    {kAdd, key() + " of more than sixteen bytes", {price(1001), ask(), size(4)}}}),
                               {}, kind);
        default:
            return updateBytes(
                map({{kAdd, key(), {price(990 + some(20)), some(2) != 0 ? bid() : ask(), size(some(5))}}}), {}, kind);
        }
    };
    for (int round = 0; round != 300; ++round) {
        std::vector<std::vector<std::byte>> bytes(1 + random() % 50);
        std::vector<book::PacketMessage> parts;
        single.verdicts.clear();
        for (auto& each : bytes) {
            each = message();
            const std::size_t at = random() % count;
            single.one(at, each);
            parts.push_back(part(*packed.all[at], each));
        }
        packed.store.apply(parts);
        for (std::size_t i = 0; i != parts.size(); ++i) {
            INFO("round " << round << ", message " << i);
            REQUIRE(parts[i].applied);
            REQUIRE(parts[i].verdict == single.verdicts[i]);
        }
        REQUIRE(packed.calls.heard == single.calls.heard);
        packed.calls.heard.clear(), single.calls.heard.clear();
        for (std::size_t i = 0; i != count; ++i)
            REQUIRE(dump(*packed.all[i]) == dump(*single.all[i]));
    }
    CHECK(packed.store.verify() == 0);
    const auto& faults = packed.store.counters().faults;
    CHECK(faults[static_cast<std::size_t>(book::Fault::malformedMap)].get() > 0);
    CHECK(faults[static_cast<std::size_t>(book::Fault::malformedMap)].get() ==
          single.store.counters().faults[static_cast<std::size_t>(book::Fault::malformedMap)].get());
}

TEST_CASE("One message of a packet that breaks off, at any byte, costs its book alone", "[book]") {
    const std::vector<std::byte> whole = updateOf("o2", 1001, 2);
    for (std::size_t n = 0; n != whole.size(); ++n) {
        Books books(3);
        const std::unique_ptr<std::byte[]> cut(new std::byte[n]);  // of its own size, for AddressSanitizer
        std::copy_n(whole.begin(), n, cut.get());
        std::vector<book::PacketMessage> parts = {part(*books.all[0], whole), part(*books.all[1], whole),
                                                  part(*books.all[2], whole)};
        parts[1].bytes = cut.get(), parts[1].length = n;
        books.store.apply(parts);
        INFO("cut at " << n);
        REQUIRE(books.all[0]->bids().best().price().ticks == books.all[2]->bids().best().price().ticks);
        REQUIRE(books.all[0]->keys() == 2);
        REQUIRE(books.all[2]->keys() == 2);
        REQUIRE(books.all[2]->state() == State::live);
        REQUIRE(books.all[1]->verify() == "");
        // A header alone has an empty map: nothing is missing then.
        codec::Msg msg;
        const bool read = codec::decodeMsg({cut.get(), n}, msg).ok();
        REQUIRE((books.all[1]->state() == State::stale) == (parts[1].verdict == book::Verdict::askImage));
        if (!read || !msg.payload.empty()) REQUIRE(books.all[1]->state() == State::stale);
    }
}

TEST_CASE("A listener removes a book whose message of the packet is still to be applied", "[book]") {
    const std::size_t later = GENERATE(1u, 15u, 16u, 40u);  // in the same look ahead, and in a later one
    Books books(41);
    std::vector<std::byte> bytes = updateOf("o2", 1001, 2);
    std::vector<book::PacketMessage> parts;
    for (book::Book* const b : books.all)
        parts.push_back(part(*b, bytes));
    bool once = false;
    books.calls.then = [&](const book::Book&) {
        if (!std::exchange(once, true)) books.store.remove(*books.all[later]);
    };
    books.store.apply(parts);
    for (std::size_t i = 0; i != parts.size(); ++i)
        CHECK(parts[i].applied == (i != later));
    CHECK(books.store.books() == 40);
    CHECK(books.store.verify() == 0);
}

TEST_CASE("A listener that throws ends its packet, and the next one is whole", "[book]") {
    Books books(20);
    const std::vector<std::byte> bytes = updateOf("o2", 1001, 2), next = updateOf("o3", 1002, 2);
    std::vector<book::PacketMessage> parts, again;
    for (book::Book* const b : books.all)
        parts.push_back(part(*b, bytes)), again.push_back(part(*b, next));
    books.calls.then = [&](const book::Book& b) {
        if (&b == books.all[17]) throw std::runtime_error("enough");
    };
    CHECK_THROWS_WITH(books.store.apply(parts), "enough");
    for (std::size_t i = 0; i != parts.size(); ++i)
        CHECK(parts[i].applied == (i < 17));
    CHECK(books.all[18]->keys() == 1);
    books.calls.then = nullptr;
    books.store.remove(*books.all[18]);  // nothing of the first packet is left to be forgotten
    again[18].book = nullptr;
    books.store.apply(again);
    CHECK(!again[18].applied);
    CHECK(again[19].applied);
    CHECK(books.all[17]->keys() == 3);
    CHECK(books.all[19]->keys() == 2);
    CHECK(books.store.verify() == 0);
    books.store.apply({});
}

TEST_CASE("A listener that applies a packet is refused, and the packet under way can go on", "[book]") {
    Books books(3);
    const std::vector<std::byte> bytes = updateOf("o2", 1001, 2);
    std::vector<book::PacketMessage> parts;
    for (book::Book* const b : books.all)
        parts.push_back(part(*b, bytes));
    int refused = 0;
    books.calls.then = [&](const book::Book& b) {
        std::vector<book::PacketMessage> other = {part(*books.all[&b == books.all[0] ? 1 : 0], bytes)};
        try {
            books.store.apply(other);
        } catch (const std::logic_error& e) {
            refused += std::string_view(e.what()).find("a listener called it") != std::string_view::npos;
        }
    };
    books.store.apply(parts);
    CHECK(refused == 3);
    for (std::size_t i = 0; i != 3; ++i) {
        CHECK(parts[i].applied);
        CHECK(books.all[i]->keys() == 2);
    }
}

TEST_CASE("Packets allocate nothing once their books have room", "[book]") {
    struct Silent : book::BookListener {
        void onBookChanged(const book::Book&, std::span<const book::Change>) override {}
    } silent;
    book::Store store(silent);
    std::vector<std::vector<std::byte>> bytes;
    std::vector<book::PacketMessage> parts;
    for (int i = 0; i != 40; ++i) {
        book::Book& b = store.add("B" + std::to_string(i), Kind::orders);
        const std::vector<std::byte> image = refreshBytes(map({{kAdd, "o1", {price(1000), bid(), size(1)}}}), {});
        codec::Msg msg;
        REQUIRE(codec::decodeMsg(image, msg).ok());
        book::StoreAccess::apply(store, b, msg);
        bytes.push_back(updateBytes(
            map({{kAdd, "o2", {price(1001), ask(), size(2)}}, {kUpdate, "o1", {size(i + 2)}}, {kDelete, "o2", {}}})));
    }
    for (int i = 0; i != 40; ++i)
        parts.push_back(part(store.at(static_cast<std::size_t>(i)), bytes[static_cast<std::size_t>(i)]));
    store.apply(parts);
    const std::uint64_t before = emissary::test::allocationsOfThisThread();
    for (int round = 0; round != 100; ++round)
        store.apply(parts);
    CHECK(emissary::test::allocationsOfThisThread() == before);
}
