// The table of item groups: who is told apart from whom, and that it forgets.
#include "rdm/ItemGroups.h"

#include "support/catch.hpp"

using namespace emissary;
using eta::asBytes;
using reactor::rdm::ItemGroups;

TEST_CASE("item groups have numbers while somebody is in them", "[reactor][groups]") {
    ItemGroups groups;
    ItemGroups::Number a = ItemGroups::kDefault, b = a, plain = a;
    CHECK(groups.find(asBytes("A")) == ItemGroups::kUnknown);
    groups.put(a, asBytes("A"));
    groups.put(b, asBytes("A"));
    CHECK(a == b);
    CHECK(a != ItemGroups::kDefault);
    CHECK(groups.find(asBytes("A")) == a);
    CHECK(groups.size() == 1);
    groups.put(b, asBytes("B"));
    groups.put(b, asBytes("B"));
    CHECK_FALSE(ItemGroups::same(a, b));
    groups.put(a, asBytes("B"));  // the last one leaves A
    CHECK(a == b);
    CHECK(groups.find(asBytes("A")) == ItemGroups::kUnknown);
    CHECK(groups.size() == 1);

    SECTION("no id and two zero bytes are the default group") {
        groups.put(plain, {});
        CHECK(plain == ItemGroups::kDefault);
        groups.put(a, asBytes(std::string_view("\0\0", 2)));
        CHECK(a == ItemGroups::kDefault);
        CHECK(groups.find({}) == ItemGroups::kDefault);
        CHECK(groups.size() == 1);
    }
    SECTION("a number is given again") {
        const ItemGroups::Number before = a;
        groups.take(a);
        groups.take(b);
        CHECK(a == ItemGroups::kDefault);
        CHECK(groups.size() == 0);
        groups.take(a);  // nothing to leave
        groups.put(a, asBytes("C"));
        CHECK(a <= before + 1);  // one of the two
    }
}

TEST_CASE("more item groups than numbers: unknown ones are told nothing", "[reactor][groups]") {
    ItemGroups groups;
    std::vector<ItemGroups::Number> streams(70000, ItemGroups::kDefault);
    for (std::size_t i = 0; i < streams.size(); ++i)
        groups.put(streams[i], asBytes(std::to_string(i)));
    CHECK(groups.size() == ItemGroups::kMost);
    CHECK(groups.unnumbered() == streams.size() - ItemGroups::kMost);
    CHECK(groups.find(asBytes("0")) == streams.front());
    CHECK(streams.back() == ItemGroups::kUnknown);
    CHECK_FALSE(ItemGroups::same(streams.back(), groups.find(asBytes("69999"))));
    CHECK_FALSE(ItemGroups::same(ItemGroups::kDefault, groups.find(asBytes("69999"))));

    groups.take(streams[5]);
    groups.put(streams.back(), asBytes("69999"));  // there is room now
    CHECK(ItemGroups::same(streams.back(), groups.find(asBytes("69999"))));
    for (auto& s : streams)
        groups.take(s);
    CHECK(groups.size() == 0);
}
