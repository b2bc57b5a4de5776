// Views by number: equal ones share theirs, the last reference frees it.
#include "hub/core/ViewTable.h"
#include "support/catch.hpp"

using emissary::hub::ViewTable;
using emissary::reactor::rdm::View;

TEST_CASE("equal views have one number whatever their order, and others have others") {
    ViewTable views;
    const std::uint16_t a = views.intern({View::Kind::fields, {25, 22, 25}, {}});
    CHECK(a != 0);
    CHECK(views.intern({View::Kind::fields, {22, 25}, {}}) == a);
    CHECK(views[a].fields == std::vector<std::int16_t>{22, 25});
    CHECK(views.intern({View::Kind::fields, {22}, {}}) != a);
    CHECK(views.intern({View::Kind::elements, {}, {"BID", "ASK"}}) != a);
    CHECK(views.intern({View::Kind::elements, {}, {"BIDASK"}}) !=
          views.intern({View::Kind::elements, {}, {"BID", "ASK"}}));
    CHECK(views.size() == 4);
    views.release(a);
    views.share(a);
    views.release(a);
    CHECK(views.size() == 4);
    views.release(a);
    CHECK(views.size() == 3);
    CHECK(views.intern({View::Kind::fields, {-1}, {}}) == a);
    views.release(0);
}

TEST_CASE("when all numbers are in use there is none") {
    ViewTable views;
    for (int i = 0; i < 65535; ++i)
        REQUIRE(views.intern({View::Kind::fields, {static_cast<std::int16_t>(i - 32768)}, {}}) != 0);
    CHECK(views.intern({View::Kind::fields, {1, 2}, {}}) == 0);
    views.release(7);
    CHECK(views.intern({View::Kind::fields, {1, 2}, {}}) == 7);
}
