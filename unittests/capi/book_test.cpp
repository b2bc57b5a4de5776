// Order books through the C interface: levels and orders as columns, over both protocols.
#include "capi/CProvider.h"
#include "capi/Feed.h"

#include <cmath>
#include <functional>
#include <memory>

namespace emissary::test {
namespace {

/// Appends an entry of an order.
void order(std::vector<emi_value>& map, const char* id, int action, int side = 0, std::int64_t price = 0,
           std::int64_t size = 0) {
    map.push_back(entry(1, action));
    map.push_back(at(2, EMI_TEXT, nullptr, 0, id));
    if (action == EMI_MAP_DELETE) return;
    map.push_back(at(2, EMI_FIELD_LIST));
    map.push_back(at(3, EMI_REAL, "ORDER_PRC", price, nullptr, 12));
    map.push_back(at(3, EMI_ENUM, "ORDER_SIDE", side));
    map.push_back(at(3, EMI_REAL, "ORDER_SIZE", size, nullptr, 14));
}

/// The rows as "side price size ..." lines; a dash for what is not there.
std::string rowsOf(emi_consumer* consumer, std::uint64_t item, int what, std::size_t depth,
                   std::initializer_list<const char*> wanted) {
    emi_batch* filled = nullptr;
    emi_error error{sizeof(emi_error), 0, {}};
    INFO(error.text);
    REQUIRE(emi_consumer_book_rows(consumer, item, what, depth, &filled, &error) == EMI_OK);
    const CBatch batch(filled);
    std::string text;
    for (std::size_t row = 0; row < batch.view.rows; ++row) {
        CHECK(batch.view.item[row] == item);
        for (const char* name : wanted)
            for (std::size_t i = 0; i < batch.view.columns; ++i) {
                emi_column column{};
                column.size = sizeof column;
                REQUIRE(emi_batch_column(batch.batch, i, &column, nullptr) == EMI_OK);
                if (std::string(column.name) != name) continue;
                if ((static_cast<unsigned>(column.validity[row / 8]) >> (row % 8) & 1U) == 0) text += "- ";
                else if (column.kind == EMI_TEXT)
                    text += std::string(column.bytes + column.offsets[row],
                                        static_cast<std::size_t>(column.offsets[row + 1] - column.offsets[row])) +
                            " ";
                else if (column.kind == EMI_REAL) text += std::to_string(std::lround(column.f64[row] * 100)) + " ";
                else text += std::to_string(column.i64[row]) + " ";
            }
        text.back() = '\n';
    }
    return text;
}

emi_book known(emi_consumer* consumer, std::uint64_t item) {
    emi_book book{};
    book.size = sizeof book;
    REQUIRE(emi_consumer_book(consumer, item, &book, nullptr) == EMI_OK);
    return book;
}

void readUntil(CConsumer& c, const std::function<bool()>& done) {
    REQUIRE(turnUntil(done, [&] {
        emi_batch* filled = nullptr;
        REQUIRE(emi_consumer_next_batch(c.handle, 10, 20, &filled, &c.error) == EMI_OK);
        const CBatch batch(filled);
        for (std::size_t row = 0; row < batch.view.rows; ++row)
            CHECK(batch.data(row).empty());
    }));
}

}  // namespace

TEST_CASE("A book by order has its levels and orders as columns", "[capi][book]") {
    const bool json = GENERATE(false, true);
    CProvider provider(json);
    std::vector<emi_value> image{at(0, EMI_MAP)};
    order(image, "B1", EMI_MAP_ADD, 1, 3990, 5);
    order(image, "B2", EMI_MAP_ADD, 1, 3990, 7);
    order(image, "B3", EMI_MAP_ADD, 1, 3980, 1);
    order(image, "A1", EMI_MAP_ADD, 2, 4000, 2);
    INFO(provider.error.text);
    REQUIRE(provider.send("A.X", 7, EMI_REFRESH, image) == EMI_OK);
    CConsumer c(provider.host(), settingsFor(json));
    REQUIRE(c.code == EMI_OK);
    std::uint64_t item = 0;
    REQUIRE(emi_consumer_open_book(c.handle, "DIRECT_FEED", "A.X", 7, &item, &c.error) == EMI_OK);
    CHECK(known(c.handle, item).state == 0);
    CHECK(rowsOf(c.handle, item, EMI_LEVELS, 0, {"SIDE"}).empty());
    readUntil(c, [&] { return known(c.handle, item).state == 2; });
    const auto book = known(c.handle, item);
    CHECK(book.bids == 2);
    CHECK(book.asks == 1);
    CHECK(book.crossed == 0);
    CHECK(rowsOf(c.handle, item, EMI_LEVELS, 0, {"SIDE", "PRICE", "SIZE", "ORDERS"}) ==
          "1 3990 1200 2\n1 3980 100 1\n2 4000 200 1\n");
    CHECK(rowsOf(c.handle, item, EMI_LEVELS, 1, {"SIDE", "PRICE"}) == "1 3990\n2 4000\n");
    CHECK(rowsOf(c.handle, item, EMI_ORDERS, 0, {"SIDE", "PRICE", "SIZE", "LEVEL", "ID", "MAKER"}) ==
          "1 3990 500 0 B1 -\n1 3990 700 0 B2 -\n1 3980 100 1 B3 -\n2 4000 200 0 A1 -\n");
    std::vector<emi_value> update{at(0, EMI_MAP)};
    order(update, "B1", EMI_MAP_DELETE);
    order(update, "A2", EMI_MAP_ADD, 2, 3985, 3);
    REQUIRE(provider.send("A.X", 7, EMI_UPDATE, update) == EMI_OK);
    readUntil(c, [&] { return known(c.handle, item).version != book.version; });
    CHECK(known(c.handle, item).crossed == 1);
    CHECK(rowsOf(c.handle, item, EMI_LEVELS, 0, {"SIDE", "PRICE", "SIZE", "ORDERS"}) ==
          "1 3990 700 1\n1 3980 100 1\n2 3985 300 1\n2 4000 200 1\n");
    REQUIRE(emi_provider_status(provider.handle, "A.X", EMI_STALE, "late", &provider.error) == EMI_OK);
    readUntil(c, [&] { return known(c.handle, item).state == 3; });
    REQUIRE(emi_consumer_close_item(c.handle, item, &c.error) == EMI_OK);
    emi_book gone{};
    gone.size = sizeof gone;
    CHECK(emi_consumer_book(c.handle, item, &gone, &c.error) == EMI_E_ITEM);
}

TEST_CASE("Books that cannot be are refused", "[capi][book]") {
    CProvider provider;
    provider.publish("A.X", {value("BID", EMI_REAL, 1, 14)});
    CConsumer c(provider.host());
    REQUIRE(c.code == EMI_OK);
    std::uint64_t item = 0;
    for (const unsigned domain : {0U, 6U, 10U})
        CHECK(emi_consumer_open_book(c.handle, "DIRECT_FEED", "A.X", domain, &item, &c.error) == EMI_E_ARGUMENT);
    CHECK(emi_consumer_open_book(c.handle, "", "A.X", 7, &item, &c.error) == EMI_E_ARGUMENT);
    CHECK(emi_consumer_open_book(c.handle, "DIRECT_FEED", nullptr, 7, &item, &c.error) == EMI_E_ARGUMENT);
    const auto price = c.open("A.X");
    emi_batch* batch = nullptr;
    CHECK(emi_consumer_book_rows(c.handle, price, EMI_LEVELS, 0, &batch, &c.error) == EMI_E_ITEM);
    CHECK(emi_consumer_book_rows(c.handle, 99, EMI_LEVELS, 0, &batch, &c.error) == EMI_E_ITEM);
    CHECK(emi_consumer_book_rows(c.handle, price, 7, 0, &batch, &c.error) == EMI_E_ARGUMENT);
    CHECK(batch == nullptr);
    // One that nobody has is closed, like any item.
    REQUIRE(emi_consumer_open_book(c.handle, "DIRECT_FEED", "NONE.X", 8, &item, &c.error) == EMI_OK);
    readUntil(c, [&] { return known(c.handle, item).state == 4; });
}

}  // namespace emissary::test
