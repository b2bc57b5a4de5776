// Containers through the C interface: what was built is read back, over both protocols; and what cannot be built.
#include "capi/CProvider.h"
#include "capi/Feed.h"

#include <memory>

namespace emissary::test {
namespace {

/// Asks for the item on a domain and gives the data of its image, read in a callback and as a batch.
std::string imageOf(CConsumer& c, const char* item, unsigned domain) {
    emi_request request{};
    request.size = sizeof request;
    request.domain = domain;
    std::uint64_t number = 0;
    INFO(c.error.text);
    REQUIRE(emi_consumer_request(c.handle, "DIRECT_FEED", &item, 1, &request, &number, &c.error) == EMI_OK);
    emi_batch* filled = nullptr;
    std::string image;
    REQUIRE(turnUntil([&] { return !image.empty(); },
                      [&] {
                          REQUIRE(emi_consumer_next_batch(c.handle, 10, 50, &filled, &c.error) == EMI_OK);
                          const CBatch batch(filled);
                          if (batch.view.rows == 0) return;
                          REQUIRE(batch.view.type[0] == EMI_REFRESH);
                          CHECK(batch.header(0).domain == domain);
                          image = batch.data(0);
                      }));
    REQUIRE(emi_consumer_close_item(c.handle, number, nullptr) == EMI_OK);
    return image;
}

struct Kept {
    std::string data;
    emi_header header{};
    std::string name;
    int again = 0;  // fields that are read behind the data
};

void keep(void* closure, emi_message* message) {
    auto& kept = *static_cast<Kept*>(closure);
    const emi_value* values = nullptr;
    std::size_t count = 0;
    REQUIRE(emi_message_data(message, &values, &count, nullptr) == EMI_OK);
    kept.data = shown(values, count);
    kept.header.size = sizeof kept.header;
    REQUIRE(emi_message_header(message, &kept.header, nullptr) == EMI_OK);
    kept.name = kept.header.name;
    emi_value v{};
    v.size = sizeof v;
    for (int found = 0; emi_message_next_field(message, &v, &found, nullptr) == EMI_OK && found != 0;)
        ++kept.again;
}

const std::vector<emi_value> kMap{at(0, EMI_MAP),
                                  [] {
                                      auto v = at(1, EMI_FIELD_LIST);
                                      v.role = EMI_SUMMARY;
                                      return v;
                                  }(),
                                  at(2, EMI_ENUM, "CURRENCY", 840),
                                  entry(1, EMI_MAP_ADD),
                                  at(2, EMI_TEXT, nullptr, 0, "B1"),
                                  at(2, EMI_FIELD_LIST),
                                  at(3, EMI_REAL, "BID", 3990, nullptr, 12),
                                  entry(1, EMI_MAP_DELETE),
                                  at(2, EMI_TEXT, nullptr, 0, "B2")};

}  // namespace

TEST_CASE("A Map with summary and deleted entries is read as it was built", "[capi][data]") {
    const bool json = GENERATE(false, true);
    CProvider provider(json);
    INFO(provider.error.text);
    REQUIRE(provider.send("A.X", 8, EMI_REFRESH, kMap) == EMI_OK);
    CConsumer c(provider.host(), settingsFor(json));
    REQUIRE(c.code == EMI_OK);
    CHECK(imageOf(c, "A.X", 8) == "34\n 32 summary\n  5 fid 15 CURRENCY 840 'USD'\n 44 action 2\n  9 'B1'\n  32\n"
                                  "   3 fid 22 BID 3990 hint 12\n 44 action 3\n  9 'B2'\n");
}

TEST_CASE("Vector, FilterList, Series, ElementList, array, opaque and messages are read as they were built",
          "[capi][data]") {
    CProvider provider;
    CConsumer c(provider.host());
    REQUIRE(c.code == EMI_OK);
    const auto same = [&](const std::vector<emi_value>& data, const std::string& expected) {
        const int code = provider.send("A.X", 7, EMI_REFRESH, data);
        INFO(provider.error.text);
        REQUIRE(code == EMI_OK);
        CHECK(imageOf(c, "A.X", 7) == expected);
    };
    auto sortable = at(0, EMI_VECTOR, nullptr, 12);
    sortable.hint = 1;
    same({sortable, entry(1, EMI_VECTOR_SET, 3), at(2, EMI_ELEMENT_LIST), at(3, EMI_UINT, "N", 7),
          entry(1, EMI_VECTOR_CLEAR, 4)},
         "35 12 hint 1\n 44 action 2 3\n  33\n   2 N 7\n 44 action 3 4\n");
    same({at(0, EMI_FILTER_LIST), entry(1, EMI_FILTER_SET, 2), at(2, EMI_OPAQUE, nullptr, 0, "raw"),
          entry(1, EMI_FILTER_CLEAR, 9)},
         "36\n 44 action 2 2\n  39 'raw'\n 44 action 3 9\n");
    same({at(0, EMI_SERIES), entry(1, 0), at(2, EMI_FIELD_LIST), at(3, EMI_INT, "BIDSIZE", 5), entry(1, 0),
          at(2, EMI_FIELD_LIST)},
         "37\n 44\n  32\n   3 fid 30 BIDSIZE 5 hint 14\n 44\n  32\n");
    auto blank = at(1, EMI_REAL, "NONE");
    blank.blank = 1;
    same({at(0, EMI_ELEMENT_LIST), at(1, EMI_TEXT, "Name", 0, "Caf\xC3\xA9"), at(1, EMI_DATE, "Day", 20'000),
          at(1, EMI_TIME, "At", 3'600'000'000'000), at(1, EMI_DATETIME, "When", 86'400'000'000'001),
          at(1, EMI_DOUBLE, "Zero"), blank, at(1, EMI_ARRAY, "List"), at(2, EMI_UINT, nullptr, 1),
          at(2, EMI_UINT, nullptr, 2), at(1, EMI_STATE, "State", 1 + (1 << 8), "well"),
          at(1, EMI_ELEMENT_LIST, "Inner"), at(2, EMI_BYTES, "B", 0, "xyz")},
         "33\n 9 Name 'Caf\xC3\xA9'\n 6 Day 20000\n 7 At 3600000000000\n 8 When 86400000000001\n 4 Zero\n"
         " 3 NONE blank\n 38 List\n  2 1\n  2 2\n 12 State 257 'well'\n 33 Inner\n  10 B 'xyz'\n");
    auto nested = at(0, EMI_MESSAGE, "INNER.X", EMI_REFRESH);
    nested.fid = 6;
    same({nested, at(1, EMI_STATE, nullptr, 1 + (1 << 8), "fine"), at(1, EMI_FIELD_LIST),
          at(2, EMI_REAL, "BID", 1, nullptr, 14)},
         "43 fid 6 INNER.X 1\n 12 257 'fine'\n 32\n  3 fid 22 BID 1 hint 14\n");
}

TEST_CASE("In a callback data and header of a message are there, and fields are read anew", "[capi][data]") {
    CProvider provider;
    provider.publish("A.X", {value("BID", EMI_REAL, 5, 14), value("ACVOL_1", EMI_INT, 7)});
    CConsumer c(provider.host());
    REQUIRE(c.code == EMI_OK);
    c.open("A.X");
    Kept kept;
    REQUIRE(turnUntil([&] { return !kept.data.empty(); },
                      [&] { REQUIRE(emi_consumer_dispatch(c.handle, 50, keep, &kept, nullptr, &c.error) == EMI_OK); }));
    CHECK(kept.data.substr(0, 3) == "32\n");
    CHECK(kept.data.find(" 3 fid 22 BID 5 hint 14\n") != std::string::npos);
    CHECK(kept.again == 2);
    CHECK(kept.header.type == EMI_REFRESH);
    CHECK(kept.header.complete == 1);
    CHECK(kept.name == "A.X");
}

TEST_CASE("Data that are no container are refused with their place", "[capi][data]") {
    CProvider provider;
    const auto refused = [&](const std::vector<emi_value>& data, const char* why) {
        CHECK(provider.send("A.X", 7, EMI_REFRESH, data) == EMI_E_ARGUMENT);
        INFO(provider.error.text);
        CHECK(std::string(provider.error.text).find(why) != std::string::npos);
    };
    refused({}, "no payload");
    refused({at(0, EMI_INT)}, "data[0]: kind 1 is no container");
    refused({at(1, EMI_MAP)}, "data[0]: a container is missing");
    refused({at(0, EMI_MAP), at(2, EMI_ENTRY)}, "data[1]: depth 2 inside depth 0");
    refused({at(0, EMI_MAP), at(0, EMI_MAP)}, "data[0]: a second payload");
    refused({at(0, EMI_MAP), at(1, EMI_INT, "X", 1)}, "data[1]: only entries");
    refused({at(0, EMI_MAP), entry(1, 9)}, "data[1]: a Map has actions 1 to 3");
    refused({at(0, EMI_MAP), entry(1, 2)}, "data[1]: an entry without key");
    refused({at(0, EMI_MAP), entry(1, 2), at(2, EMI_MAP)}, "data[2]: kind 34 cannot be a key");
    refused({at(0, EMI_SERIES), entry(1, 0), at(2, EMI_SERIES), at(2, EMI_SERIES)}, "data[3]: an entry has one load");
    refused({at(0, EMI_VECTOR), entry(1, 2, -1)}, "data[1]: the position");
    refused({at(0, EMI_FILTER_LIST), entry(1, 2, 256)}, "data[1]: the filter id");
    refused({at(0, EMI_ELEMENT_LIST), at(1, EMI_INT, nullptr, 1)}, "data[1]: an element without name");
    refused({at(0, EMI_ELEMENT_LIST), at(1, EMI_ENUM, "E", 70'000)}, "data[1]: the value is out of the range");
    refused({at(0, EMI_FIELD_LIST), at(1, EMI_INT, "NO_SUCH_FIELD", 1)}, "NO_SUCH_FIELD");
    refused({at(0, EMI_MESSAGE, nullptr, EMI_ACK)}, "data[0]: messages of type 5");
    refused({at(0, EMI_MESSAGE, nullptr, EMI_UPDATE), at(1, EMI_STATE, nullptr, 257)}, "only refreshes and statuses");
    auto small = at(0, EMI_MAP);
    small.size = 8;
    refused({small}, "data[0]: size is 8");
    std::vector<emi_value> deep;
    for (unsigned depth = 0; depth < 100; ++depth)
        deep.push_back(at(depth, EMI_ELEMENT_LIST, "E"));
    refused(deep, "nested deeper than 60");
    // An array whose values have two types: the library's own words.
    CHECK(provider.send("A.X", 7, EMI_REFRESH,
                        {at(0, EMI_ELEMENT_LIST), at(1, EMI_ARRAY, "A"), at(2, EMI_INT, nullptr, 1),
                         at(2, EMI_TEXT, nullptr, 0, "x")}) != EMI_OK);
    CHECK(provider.send("A.X", 5, EMI_REFRESH, kMap) == EMI_E_ARGUMENT);
    CHECK(provider.send("A.X", 7, EMI_STATUS, kMap) == EMI_E_ARGUMENT);
    CHECK(emi_batch_data(nullptr, 0, nullptr, nullptr, nullptr) == EMI_E_ARGUMENT);
    CHECK(emi_batch_header(nullptr, 0, nullptr, nullptr) == EMI_E_ARGUMENT);
    CHECK(emi_message_data(nullptr, nullptr, nullptr, nullptr) == EMI_E_ARGUMENT);
}

}  // namespace emissary::test
