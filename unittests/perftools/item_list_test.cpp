// Item files: what is read from them, how faults are told, how long it takes.
#include "InputError.h"
#include "ItemList.h"
#include "TempDir.h"
#include "TemplateTurns.h"
#include "support/catch.hpp"

#include <chrono>

using namespace emissary::perf;
using emissary::messages::InputError;

namespace {

std::string errorOf(const std::string& file, std::size_t count) {
    try {
        static_cast<void>(readItemList(file, count));
    } catch (const InputError& error) { return error.what(); }
    return "";
}

}  // namespace

TEST_CASE("item lists: attributes and their defaults", "[perftools]") {
    const test::TempDir dir;
    const std::string file = dir.write("items.xml", R"(<?xml version="1.0"?>
<itemList> <!-- all forms -->
  <item domain="MarketPrice" name="ONE.X" post="true" genMsg="true" snapshot="false"/>
  <item name="TWO.X" domain="MarketByOrder" generic="true" snapshot="true" colour="red"></item>
  <item domain="MarketPrice" name="A&amp;B" post="yes"/>
</itemList>)");
    const ItemList items = readItemList(file, 3);
    REQUIRE(items.size() == 3);
    CHECK(items.name(0) == "ONE.X");
    CHECK(items.entry(0).post);
    CHECK(items.entry(0).generic);
    CHECK_FALSE(items.entry(0).snapshot);
    CHECK(items.name(1) == "TWO.X");
    CHECK(items.entry(1).domain == Domain::marketByOrder);
    CHECK(items.entry(1).generic);
    CHECK(items.entry(1).snapshot);
    CHECK(items.name(2) == "A&B");
    CHECK_FALSE(items.entry(2).post);
}

TEST_CASE("item lists: only as many items as needed are read", "[perftools]") {
    const test::TempDir dir;
    const std::string file = dir.write(
        "items.xml", "<itemList><item domain='MarketPrice' name='A'/><item domain='MarketPrice' name='B'/><broken");
    CHECK(readItemList(file, 2).size() == 2);
    CHECK(readItemList(file, 1).name(0) == "A");
}

TEST_CASE("item lists: each fault is named with its line", "[perftools]") {
    const test::TempDir dir;
    struct Case {
        const char* content;
        const char* error;  // behind file and line
    };
    const std::vector<Case> cases = {
        {"<itemList>\n<item/></itemList>", "2: item has no attributes."},
        {"<itemList>\n\n<item name='A'/></itemList>", "3: item is missing the attribute 'domain'."},
        {"<itemList><item domain='MarketPrice'/></itemList>", "1: item is missing the attribute 'name'."},
        {"<itemList>\n<item domain='News' name='A'/></itemList>", "2: Unknown domain 'News' in attribute 'domain'."},
        {"<itemList>\n<thing domain='MarketPrice' name='A'/></itemList>", "2: Unknown element 'thing'."},
        {"<list>\n</list>", "1: Unknown element 'list'."},
        {"<itemList><item domain='MarketPrice' name='A'><more/></item></itemList>", "1: Unknown element 'more'."},
        {"<itemList>\n<item domain='MarketPrice' name='A' name='B'/></itemList>", "2: Attribute name redefined"},
        {"<itemList>\n<item domain='MarketPrice' name='A'>\n</itemList>",
         "3: Opening and ending tag mismatch: item line 2 and itemList"},
    };
    for (const Case& one : cases) {
        INFO(one.content);
        const std::string file = dir.write("items.xml", one.content);
        CHECK(errorOf(file, 5) ==
              "Error: " + file + ":" + one.error + "\nFailed to load item list from file '" + file + "'.");
    }
    SECTION("too few items") {
        const std::string file = dir.write("items.xml", "<itemList><item domain='MarketPrice' name='A'/></itemList>");
        CHECK(errorOf(file, 2) == "Error: '" + file +
                                      "' holds 1 items, but 2 are needed.\nFailed to load item list from file '" +
                                      file + "'.");
    }
    SECTION("no file") {
        const std::string file = dir.file("absent.xml");
        CHECK(errorOf(file, 1) == "Error: Cannot open '" + file +
                                      "': No such file or directory.\nFailed to load item list from file '" + file +
                                      "'.");
    }
    SECTION("an empty file, and a directory") {
        CHECK(errorOf(dir.write("items.xml", ""), 1).find("Failed to load item list") != std::string::npos);
        CHECK(errorOf(dir.file(""), 1).find("Failed to load item list") != std::string::npos);
    }
}

TEST_CASE("item lists: 350,000 items load quickly", "[perftools]") {
    const test::TempDir dir;
    std::string content = "<itemList>\n";
    for (int i = 1; i <= 350'000; ++i)
        content += "  <item domain=\"MarketPrice\" name=\"EMI" + std::to_string(i) + ".X\"/>\n";
    const std::string file = dir.write("350k.xml", content + "</itemList>\n");
    const auto begin = std::chrono::steady_clock::now();
    const ItemList items = readItemList(file, 350'000);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    CHECK(items.size() == 350'000);
    CHECK(items.name(349'999) == "EMI350000.X");
    INFO("seconds: " << took.count());
    CHECK(took.count() < 5.0);  // 0.1 s when nothing else runs; generous for loaded machines and sanitizers
}

TEST_CASE("templates take turns within their domain, whatever the other domain has", "[perftools]") {
    TemplateTurns turns;
    std::vector<std::size_t> prices, orders;
    for (int i = 0; i < 7; ++i) {
        prices.push_back(turns.take(Domain::marketPrice, 3));
        orders.push_back(turns.take(Domain::marketByOrder, 1));
    }
    CHECK(prices == std::vector<std::size_t>{0, 1, 2, 0, 1, 2, 0});
    CHECK(orders == std::vector<std::size_t>(7, 0));
}
