// The rows of docs/spec/order-books.md 3.2 and 3.3.
#include "support.h"

using namespace booktest;

namespace {

/// A book with one order a side.
struct Small : Twice {
    explicit Small(Kind kind = Kind::orders, book::BookOptions options = {}) : Twice(kind, options) {
        refresh({{kAdd, "b1", {price(1000), bid(), size(5)}}, {kAdd, "a1", {price(1010), ask(), size(7)}}});
        static_cast<void>(heard());
    }
    [[nodiscard]] std::uint64_t faults(book::Fault f) const {
        return counters().faults[static_cast<std::size_t>(f)].get();
    }
    [[nodiscard]] std::string queue(bool bids) const {
        std::string out;
        for (const book::Order o : (bids ? book().bids() : book().asks()).best().queue())
            out += std::string(o.id()) + " ";
        return out;
    }
};

}  // namespace

TEST_CASE("Add creates; of a known key it replaces everything", "[book]") {
    Small t;
    t.update({{kAdd, "b2", {price(1001), bid(), size(3), number(3855, 1000)}}});
    CHECK(t.levels() == "10.01x3 10.00x5 | 10.10x7 ");
    CHECK(t.heard() == Heard{"changed +bid 10.01@0 0->3 x0->1"});
    t.update({{kAdd, "b2", {price(999), bid(), size(4)}}});
    CHECK(t.levels() == "10.00x5 9.99x4 | 10.10x7 ");
    CHECK(t.heard() == Heard{"changed -bid 10.01@0 3->0 x1->0 +bid 9.99@1 0->4 x0->1"});
    CHECK(t.book().order("b2")->time() == book::kNoTime);
    CHECK(t.counters().addOfKnown.get() == 1);
    SECTION("a replaced order goes to the end of its queue") {
        t.update({{kAdd, "b3", {price(1000), bid(), size(1)}}});
        CHECK(t.queue(true) == "b1 b3 ");
        t.update({{kAdd, "b1", {price(1000), bid(), size(5)}}});
        CHECK(t.queue(true) == "b3 b1 ");
    }
}

TEST_CASE("Update changes the fields that are present", "[book]") {
    Small t;
    t.update({{kUpdate, "b1", {size(6)}}});
    CHECK(t.levels() == "10.00x6 | 10.10x7 ");
    CHECK(t.heard() == Heard{"changed ~bid 10.00@0 5->6 x1->1"});
    SECTION("a price: into the new level") {
        t.update({{kUpdate, "b1", {price(1002)}}});
        CHECK(t.levels() == "10.02x6 | 10.10x7 ");
        CHECK(t.heard() == Heard{"changed +bid 10.02@0 0->6 x0->1 -bid 10.00@0 6->0 x1->0"});
    }
    SECTION("a side: across") {
        t.update({{kUpdate, "b1", {ask()}}});
        CHECK(t.levels() == "| 10.00x6 10.10x7 ");
        CHECK(t.heard() == Heard{"changed -bid 10.00@0 6->0 x1->0 +ask 10.00@0 0->6 x0->1"});
    }
    SECTION("both, and the size") {
        t.update({{kUpdate, "b1", {ask(), price(1010), size(1)}}});
        CHECK(t.levels() == "| 10.10x8 ");
        CHECK(t.queue(false) == "a1 b1 ");
    }
    SECTION("side 0 says nothing") {
        t.update({{kUpdate, "b1", {side(0), size(9)}}});
        CHECK(t.levels() == "10.00x9 | 10.10x7 ");
    }
    SECTION("nothing known: the order stays") {
        t.update({{kUpdate, "b1", {real(6, 1)}}});
        CHECK(t.levels() == "10.00x6 | 10.10x7 ");
    }
    SECTION("an unknown key is created when it has price and side") {
        t.update({{kUpdate, "b9", {price(998), bid(), size(2)}}});
        CHECK(t.levels() == "10.00x6 9.98x2 | 10.10x7 ");
        CHECK(t.counters().updateWithoutAdd.get() == 1);
    }
    SECTION("else it is a fault") {
        t.update({{kUpdate, "b9", {price(998), size(2)}}});
        t.update({{kUpdate, "b9", {bid(), size(2)}}});
        CHECK(t.levels() == "10.00x6 | 10.10x7 ");
        CHECK(t.faults(book::Fault::noSide) == 1);
        CHECK(t.faults(book::Fault::noPrice) == 1);
        CHECK(t.counters().updateWithoutAdd.get() == 0);
    }
}

TEST_CASE("Delete needs no payload", "[book]") {
    Small t;
    t.update({{kDelete, "b1", {}}});
    CHECK(t.levels() == "| 10.10x7 ");
    CHECK(t.heard() == Heard{"changed -bid 10.00@0 5->0 x1->0"});
    CHECK_FALSE(t.book().order("b1"));
    t.update({{kDelete, "b1", {}}});
    CHECK(t.counters().deleteOfUnknown.get() == 1);
    CHECK(t.heard().empty());
}

TEST_CASE("A map of Deletes may have entries of no type", "[book]") {
    Small t;
    const auto deletes = [](codec::DataType keyType) {
        std::vector<std::byte> block(256);
        BeWriter out{block};
        codec::EntryContainerHeader head;
        head.entryType = codec::DataType::NoData;
        codec::MapEncoder encoder;
        encoder.begin(out, head, keyType);
        encoder.add(kDelete, asBytes("b1"), {});
        encoder.add(kUpdate, asBytes("a1"), {});
        REQUIRE(encoder.complete().ok());
        return std::string(emissary::eta::asText(out.view()));
    };
    t.updateRaw(deletes(GENERATE(codec::DataType::Buffer, codec::DataType::Utf8String)));
    CHECK(t.levels() == "| 10.10x7 ");
    CHECK(t.book().state() == State::live);
}

TEST_CASE("An unknown action is counted and ignored", "[book]") {
    Small t;
    t.update({{9, "b1", {size(1)}}});
    CHECK(t.levels() == "10.00x5 | 10.10x7 ");
    CHECK(t.faults(book::Fault::unknownAction) == 1);
}

TEST_CASE("An entry's special values", "[book]") {
    Small t;
    SECTION("size 0: kept by key, not ranked, until there is a size again") {
        t.update({{kUpdate, "b1", {size(0)}}});
        CHECK(t.levels() == "| 10.10x7 ");
        CHECK(t.heard() == Heard{"changed -bid 10.00@0 5->0 x1->0"});
        CHECK(t.book().order("b1"));
        CHECK_FALSE(t.book().order("b1")->ranked());
        t.update({{kUpdate, "b1", {price(1003)}}});
        CHECK(t.levels() == "| 10.10x7 ");
        t.update({{kUpdate, "b1", {size(4)}}});
        CHECK(t.levels() == "10.03x4 | 10.10x7 ");
    }
    SECTION("an Add with size 0") {
        t.update({{kAdd, "b2", {price(1005), bid(), size(0)}}});
        CHECK(t.levels() == "10.00x5 | 10.10x7 ");
        t.update({{kUpdate, "b2", {size(1)}}});
        CHECK(t.levels() == "10.05x1 10.00x5 | 10.10x7 ");
    }
    SECTION("a negative size") {
        t.update({{kUpdate, "b1", {size(-1)}}});
        CHECK(t.levels() == "10.00x5 | 10.10x7 ");
        CHECK(t.faults(book::Fault::sizeValue) == 1);
        CHECK(t.heard() == Heard{"fault sizeValue b1 0"});
    }
    SECTION("a blank price: a market order, ahead of all levels and no part of the best price") {
        t.update({{kAdd, "m1", {blank(3427), bid(), size(9)}}});
        CHECK(t.levels() == "10.00x5 | 10.10x7 ");
        CHECK(t.book().bids().market().orders() == 1);
        CHECK(t.book().bids().market().size() == book::Real{9});
        CHECK(t.book().order("m1")->atMarket());
        CHECK(t.heard() == Heard{"changed +bid market @0 0->9 x0->1"});
        t.update({{kUpdate, "m1", {price(1004)}}});
        CHECK(t.levels() == "10.04x9 10.00x5 | 10.10x7 ");
        CHECK(t.book().bids().market().empty());
        t.update({{kUpdate, "m1", {blank(3427)}}});
        t.update({{kUpdate, "m1", {size(2)}}});
        CHECK(t.book().bids().market().size() == book::Real{2});
        t.update({{kDelete, "m1", {}}});
        CHECK(t.book().bids().market().empty());
    }
    SECTION("infinities and not a number") {
        const int hint = GENERATE(33, 34, 35);
        t.update({{kUpdate, "b1", {real(3427, 0, hint)}}});
        CHECK(t.faults(book::Fault::priceValue) == 1);
        t.update({{kUpdate, "b1", {real(3429, 0, hint)}}});
        CHECK(t.faults(book::Fault::sizeValue) == 1);
        CHECK(t.levels() == "10.00x5 | 10.10x7 ");
    }
    SECTION("Add without a side") {
        t.update({{kAdd, "x", {price(1), size(1)}}, {kAdd, "y", {price(1), side(0), size(1)}}});
        CHECK(t.faults(book::Fault::noSide) == 2);
    }
    SECTION("a side that is none") {
        t.update({{kAdd, "x", {price(1), side(3), size(1)}}});
        CHECK(t.faults(book::Fault::sideValue) == 1);
    }
    SECTION("a price that does not fit") {
        t.update({{kUpdate, "b1", {real(3427, std::int64_t{1} << 60, 14)}}});
        CHECK(t.faults(book::Fault::priceRange) == 1);
        t.update({{kUpdate, "b1", {real(3427, 92'000'000'000, 14)}}});
        CHECK(t.levels() == "92000000000x5 | 10.10x7 ");
    }
    SECTION("a size that is too large") {
        t.update({{kUpdate, "b1", {size((std::int64_t{1} << 56) + 1)}}});
        CHECK(t.faults(book::Fault::sizeRange) == 1);
    }
    SECTION("a value that is longer than its type can be") {
        t.update({{kUpdate, "b1", {text(3427, "0123456789AB"), size(1)}}});
        CHECK(t.faults(book::Fault::malformedField) == 1);
        CHECK(t.heard() == Heard{"fault malformedField b1 3427"});
        CHECK(t.levels() == "10.00x5 | 10.10x7 ");
    }
    SECTION("the size with decimals is used when the other is absent") {
        t.update({{kUpdate, "b1", {real(9943, 25, 13)}}});
        CHECK(t.levels() == "10.00x2.5 | 10.10x7 ");
        t.update({{kUpdate, "b1", {size(3), real(9943, 25, 13)}}});
        CHECK(t.levels() == "10.00x3 | 10.10x7 ");
    }
}

TEST_CASE("A fault stops its entry alone", "[book]") {
    Small t;
    t.update({{kUpdate, "b1", {size(-1)}}, {kUpdate, "a1", {size(8)}}});
    CHECK(t.levels() == "10.00x5 | 10.10x8 ");
}

TEST_CASE("Orders of one price stand in the order in which they came", "[book]") {
    Small t;
    t.update({{kAdd, "b2", {price(1000), bid(), size(5)}}, {kAdd, "b3", {price(1000), bid(), size(5)}}});
    CHECK(t.queue(true) == "b1 b2 b3 ");
    CHECK(t.book().bids().best().orders() == 3);
    CHECK(t.book().order("b3")->position().orders == 2);
    CHECK(t.book().order("b3")->position().size == book::Real{10});
    t.update({{kUpdate, "b1", {size(4)}}});
    CHECK(t.queue(true) == "b1 b2 b3 ");
    t.update({{kUpdate, "b1", {size(6)}}});
    CHECK(t.queue(true) == "b2 b3 b1 ");
    t.update({{kUpdate, "b2", {price(1001)}}});
    t.update({{kUpdate, "b2", {price(1000)}}});
    CHECK(t.queue(true) == "b3 b1 b2 ");
}

TEST_CASE("By priority time, smaller first, and ORDER_PRIY breaks ties", "[book]") {
    Twice t;
    t.refresh({{kAdd, "o2", {price(1), bid(), size(1), number(6520, 2000)}},
               {kAdd, "o1", {price(1), bid(), size(1), number(6520, 1000)}},
               {kAdd, "o4", {price(1), bid(), size(1), number(6520, 3000), whole(6919, 2)}},
               {kAdd, "o3", {price(1), bid(), size(1), number(6520, 3000), whole(6919, 1)}}});
    const auto queue = [&] {
        std::string out;
        for (const book::Order o : t.book().bids().best().queue())
            out += std::string(o.id()) + " ";
        return out;
    };
    CHECK(queue() == "o1 o2 o3 o4 ");
    t.update({{kUpdate, "o1", {size(5)}}});  // the source decides, not the size
    CHECK(queue() == "o1 o2 o3 o4 ");
    t.update({{kUpdate, "o1", {number(6520, 2500), number(6521, 1)}}});
    CHECK(queue() == "o2 o1 o3 o4 ");
    CHECK(t.book().order("o1")->priorityTime() == std::chrono::microseconds(2'500'001));
}

TEST_CASE("By rank where the source sends it", "[book]") {
    Twice t;
    t.refresh({{kAdd, "o2", {price(1), bid(), size(1), whole(7439, 2)}},
               {kAdd, "o1", {price(1), bid(), size(1), whole(7439, 1)}}});
    CHECK((*t.book().bids().best().queue().begin()).id() == "o1");
    t.update({{kUpdate, "o1", {whole(7439, 3)}}});
    CHECK((*t.book().bids().best().queue().begin()).id() == "o2");
}

TEST_CASE("By size under the size-ranking rules", "[book]") {
    Twice t;
    t.refresh({{kAdd, "o1", {price(1), bid(), size(1)}}, {kAdd, "o2", {price(1), bid(), size(2)}}}, {},
              {enumeration(3425, static_cast<std::uint16_t>(GENERATE(1, 3)))});
    CHECK((*t.book().bids().best().queue().begin()).id() == "o2");
    t.update({{kUpdate, "o1", {size(3)}}});
    CHECK((*t.book().bids().best().queue().begin()).id() == "o1");
    t.update({{kUpdate, "o1", {size(1)}}});
    CHECK((*t.book().bids().best().queue().begin()).id() == "o2");
}

TEST_CASE("Details of an order are kept, forgotten with a fresh entry", "[book]") {
    Small t;
    t.update({{kUpdate,
               "b1",
               {text(212, "MAKR"), text(214, "The Maker"), text(3886, "C"), enumeration(118, 3), real(6454, 4)}}});
    CHECK(t.book().order("b1")->maker() == "MAKR");
    CHECK(t.book().order("b1")->makerName() == "The Maker");
    CHECK(t.book().order("b1")->tone() == "C");
    CHECK(t.book().order("b1")->qualifier() == 3);
    CHECK(t.book().order("b1")->bookDepth() == 4);
    t.update({{kUpdate, "b1", {blank(3886)}}});
    CHECK(t.book().order("b1")->tone().empty());
    CHECK(t.book().order("b1")->maker() == "MAKR");
    t.update({{kAdd, "b1", {price(1000), bid(), size(5)}}});
    CHECK(t.book().order("b1")->maker().empty());
}

TEST_CASE("Changes of a message are coalesced: a level that comes and goes is not told", "[book]") {
    Small t;
    t.update({{kAdd, "b2", {price(1001), bid(), size(1)}}, {kDelete, "b2", {}}});
    CHECK(t.heard().empty());
    t.update({{kDelete, "b1", {}}, {kAdd, "b1", {price(1000), bid(), size(8)}}});
    CHECK(t.heard() == Heard{"changed ~bid 10.00@0 5->8 x1->1"});
    t.update({{kAdd, "b2", {price(1001), bid(), size(1)}},
              {kUpdate, "a1", {size(9)}},
              {kAdd, "b3", {price(1001), bid(), size(1)}},
              {kDelete, "b1", {}}});
    CHECK(t.heard() == Heard{"changed +bid 10.01@0 0->2 x0->2 -bid 10.00@0 8->0 x1->0 ~ask 10.10@0 7->9 x1->1"});
}
