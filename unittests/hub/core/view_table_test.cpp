// Views by number: equal ones share theirs, the last reference frees it.
#include "hub/core/ViewTable.h"
#include "support/AllocationCounter.h"
#include "support/catch.hpp"

#include <new>

using emissary::hub::HeldView;
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

TEST_CASE("a view that is held is given back, also where memory is short while it goes over", "[hub][core]") {
    ViewTable views;
    emissary::hub::Client client;
    const auto made = [&](std::int16_t field) { return views.intern({View::Kind::fields, {field}, {}}); };
    bool kept = false;
    for (std::uint64_t after = 0; !kept; ++after) {
        REQUIRE(after < 10);
        HeldView whole(views, made(1)), cut(views, made(2));
        emissary::test::failAllocation(after);
        try {
            views.keepAsked(client, 5, whole.number());
            (void)whole.pass();
            kept = true;
        } catch (const std::bad_alloc&) { CHECK(client.views.empty()); }
        kept = !emissary::test::allocationFailed() && kept;
    }
    CHECK(views.size() == 1);  // what the stream was asked for with
    views.forgetAsked(client, 5);
    CHECK(views.size() == 0);
    HeldView a(views, made(3)), b(views, 0);
    b = std::move(a);
    CHECK(b.number() != 0);
    CHECK(views.size() == 1);
    b = HeldView(views, 0);
    CHECK(views.size() == 0);
}
