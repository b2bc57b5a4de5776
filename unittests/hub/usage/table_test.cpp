// Rows of use: time of open streams, days, the bound, product codes.
#include "hub/usage/Table.h"
#include "hub/usage/product_code.h"
#include "support/catch.hpp"

#include <algorithm>
#include <initializer_list>
#include <vector>

using namespace emissary;
using namespace emissary::hub::usage;
using namespace std::chrono_literals;

namespace {

constexpr eta::TimePoint at(std::chrono::seconds s) {
    return eta::TimePoint(s);
}

Numbers numbersOf(const Snapshot& snapshot, const Key& key) {
    for (const Snapshot::Row& row : snapshot.rows)
        if (*row.key == key) return row.numbers;
    return {};
}

std::string code(std::initializer_list<int> bytes) {
    std::vector<std::byte> data;
    for (const int b : bytes)
        data.push_back(static_cast<std::byte>(b));
    return productCode(data);
}

}  // namespace

TEST_CASE("open streams of a row are added up, whenever they come and go", "[hub][usage]") {
    Table t(10, 5);
    const Table::RowId row = t.row("dana", "FEED", "62");
    CHECK(t.row("dana", "FEED", "62") == row);
    CHECK(t.row("dana", "FEED", "") != row);
    t.opened(row, at(100s));
    t.opened(row, at(110s));
    CHECK(numbersOf(t.take(at(120s)), {"dana", "FEED", "62"}).held == 30s);
    t.closed(row, at(130s));
    t.updated(row, 7);
    t.snapshot(row);
    const Snapshot snapshot = t.take(at(140s));
    const Numbers n = numbersOf(snapshot, {"dana", "FEED", "62"});
    CHECK(n.opened == 2);
    CHECK(n.held == 60s);
    CHECK(n.updates == 7);
    CHECK(n.snapshots == 1);
    CHECK(snapshot.day == 5);
    CHECK(snapshot.rows.size() == 1);  // nothing of the other one yet
}

TEST_CASE("a day begins at nothing, with the streams that are open", "[hub][usage]") {
    Table t(2, 5);
    const Table::RowId stays = t.row("dana", "FEED", ""), goes = t.row("tess", "FEED", "");
    t.opened(stays, at(0s));
    t.opened(goes, at(0s));
    t.closed(goes, at(10s));
    CHECK(t.row("third", "FEED", "") == Table::kOthersRow);
    t.begin(6, at(100s));
    CHECK(t.day() == 6);
    CHECK(t.size() == 1);
    CHECK(t.row("third", "FEED", "") != Table::kOthersRow);  // there is room again
    t.closed(stays, at(107s));
    const Snapshot snapshot = t.take(at(200s));
    REQUIRE(snapshot.rows.size() == 1);
    CHECK(snapshot.rows[0].numbers.held == 7s);
    CHECK(snapshot.rows[0].numbers.opened == 0);
}

TEST_CASE("beyond the bound all go into one row, and nothing is lost", "[hub][usage]") {
    Table t(3, 5);
    for (int i = 0; i < 10; ++i)
        t.opened(t.row("user" + std::to_string(i), "FEED", ""), at(0s));
    CHECK(t.size() == 3);
    CHECK(t.others() == 7);
    const Snapshot snapshot = t.take(at(10s));
    CHECK(snapshot.rows.size() == 4);
    CHECK(numbersOf(snapshot, kOthers).opened == 7);
    CHECK(numbersOf(snapshot, kOthers).held == 70s);
    std::uint64_t all = 0;
    for (const Snapshot::Row& row : snapshot.rows)
        all += row.numbers.opened;
    CHECK(all == 10);
}

TEST_CASE("product codes are read from the form with one code, and from no other", "[hub][usage]") {
    CHECK(code({0x03, 0x01, 0x01, 0x65, 0x62, 0xC0}) == "6562");
    CHECK(code({0x03, 0x08, 0x43, 0x62, 0xC0}) == "62");
    CHECK(code({0x03, 0x08, 0x43, 0x5C}) == "5");
    CHECK(code({}).empty());
    CHECK(code({0x03}).empty());
    CHECK(code({0x03, 0x01, 0x01}).empty());
    CHECK(code({0x03, 0x01, 0x01, 0xC0}).empty());              // no digit
    CHECK(code({0x03, 0x01, 0x01, 0x65, 0x62}).empty());        // no end
    CHECK(code({0x03, 0x01, 0x01, 0x62, 0xC1}).empty());        // something behind the end
    CHECK(code({0x03, 0x01, 0x01, 0x62, 0xC0, 0x00}).empty());  // the same
    CHECK(code({0x02, 0x01, 0x01, 0x62, 0xC0}).empty());        // another version
    CHECK(code({0x03, 0x01, 0x01, 0x6A, 0xC0}).empty());        // another mark
    // Whole or not at all: a part of a code is none. With an odd and an even number of digits, and of a form that is
    // not read (a mark between two codes), at each place where it may be cut off.
    for (const std::vector<int>& whole : {std::vector<int>{0x03, 0x01, 0x01, 0x12, 0x34, 0x56, 0x78, 0xC0},
                                          {0x03, 0x01, 0x01, 0x12, 0x34, 0x5C},
                                          {0x03, 0x01, 0x01, 0x10, 0x27, 0xB4, 0x56, 0xC0},
                                          {0x03, 0x01, 0x01, 0x45, 0x6A, 0x98, 0x5C}}) {
        const bool one = std::ranges::find(whole, 0xB4) == whole.end() && std::ranges::find(whole, 0x6A) == whole.end();
        std::vector<std::byte> cut;
        for (const int b : whole) {
            CHECK(productCode(cut).empty());
            cut.push_back(static_cast<std::byte>(b));
        }
        CHECK(productCode(cut).empty() != one);
    }
    CHECK(productCode(std::vector<std::byte>(200, std::byte{0x11})).empty());
    std::vector<std::byte> endless(200, std::byte{0x11});
    endless[0] = std::byte{3};
    CHECK(productCode(endless).empty());
}
