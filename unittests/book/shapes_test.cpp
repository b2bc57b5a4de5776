// The shapes that real feeds have (docs/spec/order-books.md 2, 4.1).
#include "support.h"

#include "store/scale.h"

using namespace booktest;

TEST_CASE("Keys of any type lead to their entry; numbers are decimal text", "[book]") {
    Twice t;
    const auto entry = [](std::string key) {
        return std::vector<Entry>{{kAdd, std::move(key), {price(1), bid(), size(1)}}};
    };
    SECTION("Ascii and RMTES") {
        t.keyType = GENERATE(codec::DataType::AsciiString, codec::DataType::RmtesString, codec::DataType::Utf8String);
        t.refresh(entry("ORDER1"));
        CHECK(t.book().order("ORDER1"));
    }
    SECTION("UInt") {
        t.keyType = codec::DataType::UInt;
        t.refresh(entry(std::string("\x01\x00", 2)));
        CHECK(t.book().order("256"));
        t.update({{kDelete, std::string("\x00\x01\x00", 3), {}}});  // the same number in a longer form
        CHECK(t.book().keys() == 0);
    }
    SECTION("Int") {
        t.keyType = codec::DataType::Int;
        t.refresh(entry("\xFF"));
        CHECK(t.book().order("-1"));
    }
    SECTION("long ones") {
        std::vector<Entry> many;
        for (std::size_t n = 1; n != 80; ++n)
            many.push_back({kAdd, std::string(n, 'k'), {price(1), bid(), size(1)}});
        many.push_back({kAdd, std::string(5000, 'k'), {price(1), bid(), size(1)}});
        t.refresh(many);
        CHECK(t.book().keys() == 80);
        for (std::size_t n = 1; n != 80; ++n)
            t.update({{kDelete, std::string(n, 'k'), {}}});
        CHECK(t.book().keys() == 1);
        CHECK(t.book().order(std::string(5000, 'k')));
        CHECK_FALSE(t.book().order(std::string(4999, 'k')));
    }
}

TEST_CASE("Entries with BID and ASK stand on the side whose fields they have", "[book]") {
    Twice t(GENERATE(Kind::makers, Kind::prices, Kind::orders));
    t.refresh({{kAdd, "MM1", {real(22, 1000, 12), real(30, 5), real(25, 1010, 12), real(31, 6)}},
               {kAdd, "MM2", {real(22, 1000, 12), real(30, 3)}}});
    CHECK(t.levels() == "10.00x8 | 10.10x6 ");
    CHECK(t.book().keys() == 2);
    t.update({{kUpdate, "MM1", {real(22, 1001, 12)}}});
    CHECK(t.levels() == "10.01x5 10.00x3 | 10.10x6 ");
    SECTION("a blank BID takes that side away") {
        t.update({{kUpdate, "MM1", {blank(22)}}});
        CHECK(t.levels() == "10.00x3 | 10.10x6 ");
        t.update({{kUpdate, "MM1", {real(22, 999, 12)}}});
        CHECK(t.levels() == "10.00x3 9.99x5 | 10.10x6 ");
    }
    SECTION("and BIDSIZE 0") {
        t.update({{kUpdate, "MM1", {real(30, 0)}}});
        CHECK(t.levels() == "10.00x3 | 10.10x6 ");
        t.update({{kUpdate, "MM1", {real(30, 1)}}});
        CHECK(t.levels() == "10.01x1 10.00x3 | 10.10x6 ");
    }
    SECTION("the other side may come later") {
        t.update({{kUpdate, "MM2", {real(25, 1009, 12), real(31, 2)}}});
        CHECK(t.levels() == "10.01x5 10.00x3 | 10.09x2 10.10x6 ");
    }
    SECTION("Delete takes both") {
        t.update({{kDelete, "MM1", {}}});
        CHECK(t.levels() == "10.00x3 | ");
        CHECK(t.book().keys() == 1);
    }
    SECTION("Add replaces both") {
        t.update({{kAdd, "MM1", {real(25, 1020, 12), real(31, 1)}}});
        CHECK(t.levels() == "10.00x3 | 10.20x1 ");
    }
    SECTION("an entry that becomes one with a side") {
        t.update({{kAdd, "MM1", {price(1002), bid(), size(4)}}});
        CHECK(t.levels() == "10.02x4 10.00x3 | ");
        t.update({{kAdd, "MM1", {real(22, 990, 12), real(30, 7)}}});
        CHECK(t.levels() == "10.00x3 9.90x7 | ");
    }
    SECTION("a new one without a price is a fault") {
        t.update({{kAdd, "MM3", {real(30, 1)}}});
        CHECK(t.counters().faults[static_cast<std::size_t>(book::Fault::noPrice)].get() == 1);
    }
}

TEST_CASE("Price points carry counts and their own size", "[book]") {
    Twice t(Kind::prices);
    t.refresh({{kAdd, "p1", {price(1000), bid(), size(50), number(3430, 4), whole(7141, 2), number(6527, 36'000'000)}},
               {kAdd, "p2", {price(1010), ask(), size(60), number(3430, 1)}}});
    CHECK(t.book().bids().best().orders() == 4);
    CHECK(t.book().bids().best().impliedOrders() == 2);
    CHECK(t.book().bids().best().time() == std::chrono::hours(10));
    t.update({{kUpdate, "p1", {size(40), number(3430, 3)}}});
    CHECK(t.book().bids().best().orders() == 3);
    CHECK(t.heard().back() == "changed ~bid 10.00@0 50->40 x4->3");
    t.update({{kUpdate, "p1", {size(41)}}});
    CHECK(t.book().bids().best().orders() == 3);
}

TEST_CASE("Accumulated sizes are compared by verify()", "[book]") {
    Twice t(Kind::prices);
    t.refresh({{kAdd, "p1", {price(1000), bid(), size(50), real(4356, 50)}},
               {kAdd, "p2", {price(999), bid(), size(10), real(4356, 60)}}});
    CHECK(t.store().verify() == 0);
    CHECK(t.counters().accSizeDiffers.get() == 0);
    t.update({{kUpdate, "p1", {size(49)}}});
    CHECK(t.store().verify() == 0);
    CHECK(t.counters().accSizeDiffers.get() == 2);
    // The other store was not asked, so its counter stays behind on purpose: nothing more is compared here.
}

TEST_CASE("Attributed levels of one price stand side by side", "[book]") {
    Twice t(Kind::prices);
    const auto rule = static_cast<std::uint16_t>(GENERATE(2, 3));
    t.refresh({{kAdd, "m1", {price(1000), bid(), size(1)}},
               {kAdd, "m2", {price(1000), bid(), size(2)}},
               {kAdd, "m3", {price(1001), bid(), size(3)}},
               {kAdd, "m4", {price(1000), bid(), size(4)}}},
              {}, {enumeration(6543, rule)});
    CHECK(t.levels() == "10.01x3 10.00x1 10.00x2 10.00x4 | ");
    static_cast<void>(t.heard());
    t.update({{kUpdate, "m2", {size(5)}}});
    CHECK(t.heard() == Heard{"changed ~bid 10.00@2 2->5 x0->0"});
    t.update({{kDelete, "m1", {}}});
    CHECK(t.heard() == Heard{"changed -bid 10.00@1 1->0 x0->0"});
    t.update({{kDelete, "m2", {}}, {kDelete, "m4", {}}, {kAdd, "m5", {price(1000), bid(), size(6)}}});
    CHECK(t.heard() == Heard{"changed -bid 10.00@1 5->0 x0->0 -bid 10.00@2 4->0 x0->0 +bid 10.00@1 0->6 x0->0"});
    CHECK(t.levels() == "10.01x3 10.00x6 | ");
    SECTION("when the rule goes, they become one") {
        t.update({{kAdd, "m6", {price(1000), bid(), size(1)}}});
        t.update({}, {}, {enumeration(6543, 1)});
        CHECK(t.levels() == "10.01x3 10.00x7 | ");
        CHECK(t.heard().back() == "reset");
    }
}

TEST_CASE("Inverted markets rank the other way round", "[book]") {
    Twice t;
    const std::vector<Entry> entries = {{kAdd, "b1", {price(100), bid(), size(1)}},
                                        {kAdd, "b2", {price(101), bid(), size(2)}},
                                        {kAdd, "a1", {price(98), ask(), size(3)}},
                                        {kAdd, "a2", {price(99), ask(), size(4)}}};
    t.refresh(entries);
    CHECK(t.levels() == "1.01x2 1.00x1 | 0.98x3 0.99x4 ");
    CHECK(t.book().crossed());
    t.refresh(entries, {}, {enumeration(3423, 2)});
    CHECK(t.levels() == "1.00x1 1.01x2 | 0.99x4 0.98x3 ");
    CHECK_FALSE(t.book().crossed());
    SECTION("debit and credit: both sides from the lowest up") {
        t.refresh(entries, {}, {enumeration(3423, 5)});
        CHECK(t.levels() == "1.00x1 1.01x2 | 0.98x3 0.99x4 ");
    }
    SECTION("the rule may come later") {
        t.update({}, {}, {enumeration(3423, 1)});
        CHECK(t.levels() == "1.01x2 1.00x1 | 0.98x3 0.99x4 ");
    }
    SECTION("find() knows the direction") {
        CHECK(t.book().bids().find({100'000'000})->size() == book::Real{1});
        CHECK_FALSE(t.book().bids().find({102'000'000}));
        CHECK(t.book().asks().find({99'000'000})->size() == book::Real{4});
    }
}

TEST_CASE("A crossed book is no fault", "[book]") {
    Twice t;
    t.refresh({{kAdd, "b1", {price(1010), bid(), size(1)}}, {kAdd, "a1", {price(1010), ask(), size(1)}}});
    CHECK(t.book().crossed());
    CHECK(t.book().state() == State::live);
    t.update({{kUpdate, "b1", {price(1009)}}});
    CHECK_FALSE(t.book().crossed());
}

TEST_CASE("Equal numbers with different hints are one level, shown as it came first", "[book]") {
    Twice t;
    t.refresh({{kAdd, "b1", {real(3427, 10, 14), bid(), size(1)}},
               {kAdd, "b2", {real(3427, 1000, 12), bid(), size(1)}},
               {kAdd, "b3", {real(3427, 1, 15), bid(), size(1)}},
               {kAdd, "b4", {real(3427, 2560, 30), bid(), size(1)}}});
    CHECK(t.levels() == "10x4 | ");
}

TEST_CASE("Fractions are exact", "[book]") {
    Twice t;
    for (int k = 0; k <= 8; ++k) {
        t.refresh({{kAdd, "b", {real(3427, 3, 22 + k), bid(), size(1)}}}, {.clear = k == 0});
        CHECK(t.book().bids().best().price().toDouble(t.book()) == 3.0 / (1 << k));
    }
    CHECK(text(t.book(), t.book().bids().best().price()) == "0.01171875");
}

TEST_CASE("A finer price raises the scale of the book", "[book]") {
    Twice t;
    t.refresh({{kAdd, "b1", {price(1000), bid(), size(1)}}, {kAdd, "a1", {price(1010), ask(), size(1)}}});
    CHECK(t.book().scale() == 8);
    t.update({{kUpdate, "b1", {size(2)}}, {kAdd, "b2", {real(3427, 100'000'000'001, 4), bid(), size(1)}}});
    CHECK(t.book().scale() == 10);
    CHECK(t.levels() == "10.0000000001x1 10.00x2 | 10.10x1 ");
    CHECK(t.counters().rescaled.get() == 1);
    t.update({{kAdd, "b3", {real(3427, 90'000'000'000'000, 1), bid(), size(1)}}});  // 9 with thirteen decimals, all 0
    CHECK(t.book().scale() == 10);
    CHECK(t.levels() == "10.0000000001x1 10.00x2 9.0000000000000x1 | 10.10x1 ");
    SECTION("not when what is there would not fit any more") {
        t.update({{kAdd, "b4", {real(3427, 900'000'000, 14), bid(), size(1)}}});
        t.update({{kAdd, "b5", {real(3427, 1, 0), bid(), size(1)}}});
        CHECK(t.counters().faults[static_cast<std::size_t>(book::Fault::priceRange)].get() == 1);
        CHECK(t.book().scale() == 10);
    }
}

TEST_CASE("Sizes with decimals raise the size scale; sums are exact", "[book]") {
    Twice t;
    t.refresh({{kAdd, "b1", {price(1000), bid(), real(3429, 1, 14)}}});
    t.update({{kAdd, "b2", {price(1000), bid(), real(3429, 15, 13)}},
              {kAdd, "b3", {price(1000), bid(), real(3429, 25, 12)}}});
    CHECK(t.book().bids().best().size() == book::Real{275, 12});
    CHECK(t.book().bids().totalSize(9) == book::Real{275, 12});
    t.update({{kDelete, "b2", {}}, {kUpdate, "b3", {real(3429, 1, 24)}}});  // a quarter
    CHECK(t.book().bids().best().size() == book::Real{125, 12});
}

TEST_CASE("Scaling agrees with exact arithmetic for every hint and scale", "[book]") {
    __extension__ using Wide = __int128;
    for (int scale = 8; scale <= 14; ++scale)
        for (int hint = 0; hint <= 30; ++hint)
            for (const std::int64_t mantissa : {0L, 1L, -1L, 7L, 1000L, -123456789L, 100000000000000L, 92233720368L}) {
                const auto s = book::detail::scaled(mantissa, static_cast<std::uint8_t>(hint), scale);
                INFO("scale " << scale << " hint " << hint << " mantissa " << mantissa);
                Wide up = mantissa, down = 1;
                const int power = hint <= 21 ? scale + hint - 14 : scale;
                for (int i = 0; i < power && up < (Wide{1} << 100) && up > -(Wide{1} << 100); ++i)
                    up *= 10;
                for (int i = 0; i > power; --i)
                    down *= 10;
                if (hint >= 22) down <<= hint - 22;
                const bool exact = up % down == 0;
                const bool fits = up / down < std::numeric_limits<std::int64_t>::max() &&
                                  up / down > std::numeric_limits<std::int64_t>::min();
                if (exact && fits) {
                    CHECK(s.outcome == book::detail::Scaled::exact);
                    CHECK(s.units == static_cast<std::int64_t>(up / down));
                } else if (!exact) {
                    CHECK(s.outcome == book::detail::Scaled::finer);
                    CHECK(s.needs > scale);
                } else {
                    CHECK(s.outcome == book::detail::Scaled::outOfRange);
                }
            }
}

TEST_CASE("Times, dates and their forms", "[book]") {
    Twice t(Kind::prices);
    const std::string ns("\x0A\x1E\x0F\x00\x7B\x0A\x00\x07", 8);  // 10:30:15.123 and 512 us in the packed form
    t.refresh(
        {{kAdd, "p", {price(1), bid(), size(1), text(14268, ns), number(6527, 1), text(6529, "\x09\x02\x07\xE8")}}});
    const auto time = t.book().bids().best().time();
    CHECK(std::chrono::duration_cast<std::chrono::milliseconds>(time) == std::chrono::milliseconds(37'815'123));
    CHECK(t.book().order("p")->date() == (2024u << 16 | 2u << 8 | 9u));
    t.update({{kUpdate, "p", {number(6527, 36'000'000), number(6528, 250)}}});
    CHECK(t.book().bids().best().time() == std::chrono::hours(10) + std::chrono::microseconds(250));
    t.update({{kUpdate, "p", {number(3855, 7)}}});
    CHECK(t.book().bids().best().time() == std::chrono::milliseconds(7));
}

TEST_CASE("Private fields: another id, another type", "[book]") {
    book::BookOptions options;
    options.fields.set({3427, book::Meaning::ignored, book::FieldType::none});
    options.fields.set({6, book::Meaning::orderPrice, book::FieldType::real});
    options.fields.set({32001, book::Meaning::makers, book::FieldType::container});
    Twice t(Kind::prices, options);
    const std::string makers = map({{kAdd, "MM1", {real(30, 1)}}});
    t.refresh({{kAdd, "p", {price(77), real(6, 1000, 12), bid(), size(1), text(32001, makers)}}});
    CHECK(t.levels() == "10.00x1 | ");
    CHECK(t.book().bids().best().makers() == makers);
    t.update({{kUpdate, "p", {blank(32001)}}});
    CHECK(t.book().bids().best().makers().empty());
}

TEST_CASE("The table of fields finds each of them, and nothing else", "[book]") {
    book::Fields fields;
    std::size_t found = 0;
    for (int id = -32768; id != 32768; ++id)
        found += fields.find(static_cast<std::int16_t>(id)).meaning != book::Meaning::ignored;
    CHECK(found == fields.list().size());
    for (const book::Field& f : fields.list())
        CHECK(fields.find(f.id).meaning == f.meaning);
    CHECK_THROWS_AS(
        [&] {
            for (std::int16_t id = 20000; id != 22000; ++id)
                fields.set({id, book::Meaning::tone, book::FieldType::text});
        }(),
        std::length_error);
}

TEST_CASE("Set-defined entries give the same book", "[book]") {
    // Definition 0: price as Real_4RB, side as one byte, size as Real, time as UInt_4; definition 1: the size alone.
    std::vector<std::byte> block(1024);
    BeWriter defs{block};
    codec::SetDefinitionEncoder encoder;
    encoder.begin(defs);
    encoder.beginSet(0);
    encoder.field(3427, codec::DataType::Real4RB);
    encoder.field(3428, codec::DataType::Enum);
    encoder.field(3429, codec::DataType::Real);
    encoder.field(3855, codec::DataType::UInt4);
    encoder.endSet();
    encoder.beginSet(1);
    encoder.field(3429, codec::DataType::Real8RB);
    encoder.endSet();
    encoder.beginSet(2);
    encoder.field(3429, codec::DataType::UInt4);  // not what the field is
    encoder.endSet();
    REQUIRE(encoder.complete().ok());
    codec::SetDefinitionDb db;
    REQUIRE(db.decode(defs.view(), codec::SetDefinitionDb::Kind::fields).ok());
    const auto list = [&](std::uint16_t set, const std::vector<Field>& values, const std::vector<Field>& more) {
        std::vector<std::byte> bytes(1024);
        BeWriter out{bytes};
        codec::FieldListEncoder l;
        l.beginSet(out, nullptr, *db.find(set), true, !more.empty());
        auto cursor = db.find(set)->entries();
        codec::SetEntry e;
        for (const Field& f : values) {
            REQUIRE(cursor.next(e));
            REQUIRE(l.addSetValue(e.type, asBytes(f.content)).ok());
        }
        l.endSet();
        for (const Field& f : more)
            l.add(f.id, asBytes(f.content));
        REQUIRE(l.complete().ok());
        return std::string(emissary::eta::asText(out.view()));
    };
    const auto payload = [&](const std::vector<std::pair<std::uint8_t, std::pair<std::string, std::string>>>& entries) {
        std::vector<std::byte> bytes(4096);
        BeWriter out{bytes};
        codec::EntryContainerHeader head;
        head.entryType = codec::DataType::FieldList;
        head.hasSetDefs = true;
        head.setDefs = defs.view();
        codec::MapEncoder m;
        m.begin(out, head, codec::DataType::Buffer);
        for (const auto& e : entries)
            m.add(e.first, asBytes(e.second.first), asBytes(e.second.second));
        REQUIRE(m.complete().ok());
        return std::string(emissary::eta::asText(out.view()));
    };
    Twice t(Kind::prices);
    t.refreshRaw(payload({{kAdd, {"p1", list(0, {price(1000), bid(), size(5), number(0, 1000)}, {})}},
                          {kAdd, {"p2", list(0, {price(1010), ask(), size(6), number(0, 2000)}, {number(3430, 3)})}}}));
    CHECK(t.levels() == "10.00x5 | 10.10x6 ");
    CHECK(t.book().asks().best().orders() == 3);
    CHECK(t.book().bids().best().time() == std::chrono::seconds(1));
    t.updateRaw(payload({{kUpdate, {"p1", list(1, {size(8)}, {})}}}));
    CHECK(t.levels() == "10.00x8 | 10.10x6 ");
    t.updateRaw(payload({{kUpdate, {"p1", list(2, {number(0, 9)}, {})}}}));
    CHECK(t.levels() == "10.00x8 | 10.10x6 ");
    CHECK(t.counters().faults[static_cast<std::size_t>(book::Fault::fieldType)].get() == 1);
}
