// The readers of wsload against good texts, texts that are cut anywhere, and texts that are no JSON; how it deals items
// out; the walks of webfeed.
#include "support/catch.hpp"

#include "tools/webfeed/Quote.h"
#include "tools/wsload/Items.h"
#include "tools/wsload/Json.h"
#include "tools/wsload/Scanner.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <set>
#include <string>

using namespace emissary;
using namespace emissary::wsload;

namespace {

const std::string kTwo =
    R"([{"ID":3,"Type":"Update","UpdateType":"Quote","Key":{"Name":"A\"}]"},"Fields":{"BID":1.25,"ASK":1.26,"SEQNUM":17,)"
    R"("TIM_TRK_1":1234567890123}}, {"Type" : "Status","ID": -4,"State":{"Stream":"Open","Data":"Suspect","Text":"x\\"}}])";

/// A copy on the heap that ends where the text ends, so that AddressSanitizer sees whoever reads on.
std::unique_ptr<char[]> exactCopy(const std::string& text, std::size_t size) {
    auto copy = std::make_unique<char[]>(size);
    std::memcpy(copy.get(), text.data(), size);
    return copy;
}

}  // namespace

TEST_CASE("Scanner picks the members of each message", "[tools][wsload]") {
    Scanner scanner(kTwo);
    Seen seen;
    REQUIRE(scanner.next(seen));
    CHECK(seen.type == Seen::Type::update);
    CHECK(seen.id == 3);
    CHECK(seen.hasSequence);
    CHECK(seen.sequence == 17);
    CHECK(seen.hasStamp);
    CHECK(seen.stamp == 1234567890123);
    CHECK(seen.bid == "1.25");
    CHECK(seen.whole.front() == '{');
    CHECK(seen.whole.back() == '}');
    REQUIRE(scanner.next(seen));
    CHECK(seen.type == Seen::Type::status);
    CHECK(seen.id == -4);
    CHECK_FALSE(seen.hasSequence);
    CHECK_FALSE(seen.hasStamp);
    CHECK(seen.bid.empty());
    CHECK_FALSE(scanner.next(seen));
    CHECK_FALSE(scanner.bad());
}

TEST_CASE("Scanner takes a message without brackets, and none", "[tools][wsload]") {
    Seen seen;
    Scanner one(R"({"Type":"Ping"})");
    REQUIRE(one.next(seen));
    CHECK(seen.type == Seen::Type::ping);
    CHECK_FALSE(one.next(seen));
    Scanner none("[]");
    CHECK_FALSE(none.next(seen));
    CHECK_FALSE(none.bad());
}

TEST_CASE("Scanner stays inside a text that is cut, and says so", "[tools][wsload]") {
    const std::size_t firstMessage = kTwo.find("}}, {") + 2;
    for (std::size_t size = 0; size < kTwo.size(); ++size) {
        const auto copy = exactCopy(kTwo, size);
        Scanner scanner({copy.get(), size});
        Seen seen;
        unsigned messages = 0;
        while (scanner.next(seen))
            ++messages;
        INFO(size);
        CHECK(messages == (size < firstMessage ? 0 : size < kTwo.size() - 1 ? 1 : 2));
        const bool betweenMessages =
            size <= 1 || (size >= firstMessage && size <= firstMessage + 2) || size == kTwo.size() - 1;
        CHECK(scanner.bad() == !betweenMessages);
    }
}

TEST_CASE("parseJson is strict", "[tools][wsload]") {
    const auto both = parseJson(kTwo);
    REQUIRE(both);
    REQUIRE(both->elements.size() == 2);
    CHECK(both->elements[0].textOf("Key", "Name") == "A\"}]");
    CHECK(both->elements[0].textOf("Fields", "SEQNUM") == "17");
    CHECK(both->elements[0].find("Fields", "NONE") == nullptr);
    CHECK(both->elements[1].textOf("State", "Text") == "x\\");
    for (const char* good : {"0", "-1.5e+3", "true", "null", R"("\u00e9\u20ac\/")", "[ ]", "{ }", " [1 , 2] "})
        CHECK(parseJson(good));
    for (const char* bad :
         {"",           "01",    "1.",        "-",   "+1",      ".5",        "1e",       "tru",  "[1,]",  "[1 2]",
          "{\"a\":1,}", "{a:1}", "{\"a\" 1}", "\"a", "\"\\x\"", "\"\\u12\"", "\"\x01\"", "[1]x", "nulll", "{\"a\":}"}) {
        INFO(bad);
        CHECK_FALSE(parseJson(bad));
    }
    CHECK(parseJson(std::string(60, '[') + std::string(60, ']')));
    CHECK_FALSE(parseJson(std::string(100'000, '[')));
    CHECK(parseJson(R"("\u00e9\u20ac")")->text == "\xC3\xA9\xE2\x82\xAC");
    CHECK(parseJson(quoted("a\"b\\\n\x01"))->text == "a\"b\\\n\x01");
    for (std::size_t size = 0; size < kTwo.size(); ++size)
        CHECK_FALSE(parseJson({exactCopy(kTwo, size).get(), size}));
}

TEST_CASE("Items are dealt out", "[tools][wsload]") {
    Options options;
    options.clients = 10;
    options.streams = 5;
    SECTION("the same to everybody") {
        const Items items(options);
        CHECK(items.size() == 5);
        CHECK(items.of(0) == items.of(9));
        CHECK(items.name(4) == "WEB4");
    }
    SECTION("to each its own") {
        options.share = Share::distinct;
        const Items items(options);
        CHECK(items.size() == 50);
        CHECK(items.of(9) == std::vector<std::uint32_t>{45, 46, 47, 48, 49});
        options.items = 49;
        CHECK_THROWS_WITH(Items(options), "the clients need 50 items, there are 49");
    }
    SECTION("drawn: the first ones most often, each once for a client") {
        options.share = Share::zipf;
        options.items = 1000;
        options.clients = 2000;
        const Items items(options);
        unsigned first = 0, last = 0;
        for (unsigned client = 0; client < options.clients; ++client) {
            const auto of = items.of(client);
            CHECK(std::set(of.begin(), of.end()).size() == 5);
            for (const std::uint32_t item : of) {
                REQUIRE(item < 1000);
                first += item == 0;
                last += item == 999;
            }
        }
        // 1 in 7.49 is drawn with each of five draws; the last item 1,000 times as seldom.
        CHECK(first > 800);
        CHECK(last < 20);
    }
}

TEST_CASE("Quotes of webfeed walk", "[tools][webfeed]") {
    using webfeed::Quote;
    bool large = false, small = false;
    for (unsigned item = 0; item < 50; ++item) {
        Quote one(item, 1), same(item, 1), other(item, 2);
        bool differs = false;
        (one.decimals() == 3 ? large : small) = true;
        const std::int64_t lowest = one.bid() / 2;
        CHECK(one.sequence() == 1);
        for (std::uint64_t n = 2; n < 2000; ++n) {
            const std::int64_t before = one.bid();
            one.step(), same.step(), other.step();
            REQUIRE(one.sequence() == n);
            REQUIRE(one.bid() == same.bid());
            REQUIRE(one.bidSize() == same.bidSize());
            REQUIRE(std::abs(one.bid() - before) <= 2);
            REQUIRE(one.bid() >= lowest);
            REQUIRE(one.ask() > one.bid());
            REQUIRE(one.ask() - one.bid() <= 3);
            REQUIRE(one.bidSize() % 100 == 0);
            differs = differs || one.bid() != other.bid();
        }
        CHECK(differs);
        const double unit = one.decimals() == 3 ? 1e3 : 1e5;
        CHECK(std::strtod(one.bidText().c_str(), nullptr) * unit == Approx(static_cast<double>(one.bid())));
    }
    CHECK(large);
    CHECK(small);
    CHECK(webfeed::itemName(17) == "WEB17");
}
