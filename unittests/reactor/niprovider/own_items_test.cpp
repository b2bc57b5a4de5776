// Stream ids of published items: how long a freed one rests, and what trimming leaves.
#include "niprovider/OwnItems.h"
#include "support/catch.hpp"

using namespace emissary::reactor;
using niprovider::OwnItems;

namespace {
constexpr std::uint32_t kResting = RestingIds<std::uint32_t>::kResting;
}

TEST_CASE("a freed stream id rests until 65,536 others were freed", "[niprovider][items]") {
    OwnItems items;
    const std::uint32_t first = items.add(1, 6, 1);
    CHECK(first == 0);
    items.remove(first);
    for (std::uint32_t i = 0; i < kResting; ++i) {
        const std::uint32_t slot = items.add(2, 6, 1);
        REQUIRE(slot == i + 1);
        CHECK(items.slotOf(OwnItems::streamOf(first)) == OwnItems::kNone);
        items.remove(slot);
    }
    CHECK(items.add(3, 6, 1) == first);
    CHECK(items.slotOf(OwnItems::streamOf(first)) == first);
}

TEST_CASE("trimming does not cut short the rest of an id", "[niprovider][items]") {
    OwnItems items;
    constexpr std::uint32_t kMany = 100'000;
    for (std::uint32_t i = 0; i < kMany; ++i)
        REQUIRE(items.add(i + 1, 6, 1) == i);
    const std::size_t before = items.capacity();
    SECTION("the last ones were freed last") {
        for (std::uint32_t i = 10; i < kMany; ++i)
            items.remove(i);
        items.trim();
        CHECK(items.capacity() < before);
        CHECK(items.slots() == 10);
        // Ids that have rested go first; none of the newest 65,536.
        for (std::uint32_t i = 0; i < kMany - 10 - kResting; ++i)
            CHECK(items.add(kMany + 1 + i, 6, 1) == 10 + i);
        CHECK(items.add(3 * kMany, 6, 1) == kMany);
    }
    SECTION("the last ones were freed first: their numbers are made anew") {
        for (std::uint32_t i = kMany; i-- > 10;)
            items.remove(i);
        items.trim();
        CHECK(items.slots() == 10);
        CHECK(items.add(kMany + 1, 6, 1) == 10 + kResting);
        CHECK(items.slotOf(OwnItems::streamOf(5)) == 5);
        CHECK(items.slotOf(OwnItems::streamOf(20)) == OwnItems::kNone);
    }
    SECTION("a new connection begins anew") {
        items.clear();
        CHECK(items.add(1, 6, 1) == 0);
    }
}
