// Owners that leave, are gone or only seem to be: who gets their items, and when.
#include "node_hub.h"

using namespace emissary;
using namespace emissary::hub::mesh;
using namespace emissary::test::nodes;
using namespace std::chrono_literals;
using test::SimulatedBus;

TEST_CASE("An owner that leaves hands its items over without a suspect moment", "[mesh]") {
    SimulatedBus bus(1, 3);
    TestHub first(bus, 0, 1, 10), second(bus, 1, 1, 20), edge(bus, 2, 1, 30);
    first.me->directory().offer("S", {.rank = 1});
    second.me->directory().offer("S", {.rank = 2});
    pass(bus, {&first, &second, &edge}, 2000ms);
    const std::uint32_t a = openOn(edge, "A"), b = openOn(edge, "B");
    pass(bus, {&first, &second, &edge}, 1500ms);
    REQUIRE(first.me->owner().load() == 2);
    REQUIRE(ok(edge, a));
    second.image_ = eta::asBytes("second ");
    const std::uint64_t suspects = edge.suspects;
    SECTION("the next owner has the image") {
        first.me->directory().offer("S", {.rank = 1, .leaves = true});
        pass(bus, {&first, &second, &edge}, 100ms);
    }
    SECTION("the next owner has no image yet: the item stays where it is until there is one") {
        second.image_ = eta::asBytes("not yet");
        first.me->directory().offer("S", {.rank = 1, .leaves = true});
        pass(bus, {&first, &second, &edge}, 3500ms);
        REQUIRE(first.me->owner().update(first.numbers["A"], eta::asBytes("1")));
        REQUIRE(second.me->owner().update(second.numbers["A"], eta::asBytes("2")));
        pass(bus, {&first, &second, &edge}, 10ms);
        CHECK(edge.texts[a] == "image 1");
        CHECK(first.me->owner().load() == 2);
        second.image_ = eta::asBytes("second ");
        pass(bus, {&first, &second, &edge}, 4000ms);  // asked at 0, 1, 3 and 7 s
    }
    SECTION("the next owner has no image for long: it is asked more and more rarely") {
        second.image_ = eta::asBytes("not yet");
        const std::uint64_t asked = edge.me->counts().asked.get();
        first.me->directory().offer("S", {.rank = 1, .leaves = true});
        pass(bus, {&first, &second, &edge}, 100'000ms);
        // At 0, 1, 3, 7, 15, 31, 61 and 91 s, give or take the second in which it is looked at.
        CHECK(edge.me->counts().asked.get() - asked <= 2 * 8);
        CHECK(edge.me->counts().asked.get() - asked >= 2 * 7);
        second.image_ = eta::asBytes("second ");
        SECTION("and asked at once when the first one is gone") {
            bus.kill(0);
            pass(bus, {&second, &edge}, 6000ms);
            CHECK(edge.texts[a] == "second ");
            CHECK(second.me->owner().load() == 2);
            return;
        }
        pass(bus, {&first, &second, &edge}, 32'000ms);
    }
    SECTION("the next owner is the one that is left, and it stays so when the first one is gone") {
        first.me->directory().offer("S", {.rank = 1, .leaves = true});
        pass(bus, {&first, &second, &edge}, 100ms);
        bus.kill(0);
        pass(bus, {&second, &edge}, 3000ms);
    }
    SECTION("an item that ends meanwhile has no wish left behind") {
        second.image_ = eta::asBytes("not yet");
        first.me->directory().offer("S", {.rank = 1, .leaves = true});
        pass(bus, {&first, &second, &edge}, 200ms);
        const std::uint32_t d = openOn(edge, "D");
        first.me->directory().offer("S", {.rank = 1});
        pass(bus, {&first, &second, &edge}, 1500ms);
        CHECK(second.me->owner().load() == 1);  // D; the others stay where they are
        first.me->directory().offer("S", {.rank = 1, .leaves = true});
        pass(bus, {&first, &second, &edge}, 200ms);
        CHECK(second.me->owner().load() == 3);
        edge.me->edge().close(d);
        const std::uint32_t c = openOn(edge, "C");
        pass(bus, {&first, &second, &edge}, 200ms);
        edge.me->edge().close(c);
        second.image_ = eta::asBytes("second ");
        pass(bus, {&first, &second, &edge}, 2000ms);
        CHECK(edge.me->edge().open() == 2);
    }
    CHECK(edge.texts[a] == "second ");
    CHECK(edge.texts[b] == "second ");
    CHECK(ok(edge, a));
    CHECK(edge.suspects == suspects);
    CHECK(second.me->owner().load() == 2);
    CHECK(edge.me->counts().handedOver.get() == 2);
    if (edge.me->peers() == 2) CHECK(first.me->owner().load() == 0);
    REQUIRE(second.me->owner().update(second.numbers["A"], eta::asBytes("3")));
    pass(bus, {&second, &edge}, 10ms);
    CHECK(edge.texts[a] == "second 3");
}

TEST_CASE("An owner that is gone is replaced before its items are suspect", "[mesh]") {
    SimulatedBus bus(1, 3);
    TestHub first(bus, 0, 1, 10), second(bus, 1, 1, 20), edge(bus, 2, 1, 30);
    first.me->directory().offer("S", {.rank = 1});
    second.me->directory().offer("S", {.rank = 2});
    second.image_ = eta::asBytes("second ");
    // Wherever in its heartbeat the owner is when it dies.
    const auto phase = GENERATE(0ms, 130ms, 260ms, 390ms);
    edge.hearsNobody = GENERATE(false, true);
    pass(bus, {&first, &second, &edge}, 2000ms + phase);
    const std::uint32_t a = openOn(edge, "A"), b = openOn(edge, "B");
    pass(bus, {&first, &second, &edge}, 1500ms);
    REQUIRE(ok(edge, a));
    const std::uint64_t suspects = edge.suspects;
    const auto stale = [&] { return ok(edge, a) && edge.texts[a] == "image "; };
    bus.kill(0);
    SECTION("the next one has the items") {
        // Told by the bus: a heartbeat is late after 600 ms, and the bus is asked for 400 ms. Else two are missing.
        pass(bus, {&second, &edge}, edge.hearsNobody ? 1100ms : 1290ms);
        CHECK(edge.texts[a] == "second ");
        CHECK(edge.texts[b] == "second ");
        CHECK(edge.suspects == suspects);
        CHECK(edge.me->counts().handedOver.get() == 2);
        CHECK(edge.me->counts().doubts.get() == 1);
        CHECK(edge.nobody != 0);  // whether or not it hears it
        REQUIRE(second.me->owner().update(second.numbers["A"], eta::asBytes("1")));
        pass(bus, {&second, &edge}, 5000ms);
        CHECK(edge.texts[a] == "second 1");
        CHECK(edge.suspects == suspects);
    }
    SECTION("the next one has no image yet: Ok is shown for 4 heartbeats at most, and not again before there is one") {
        second.image_ = eta::asBytes("not yet");
        pass(bus, {&second, &edge}, 2000ms);
        CHECK_FALSE(stale());
        CHECK(edge.suspects == suspects + 2);
        CHECK(edge.me->counts().handedOver.get() == 0);
        pass(bus, {&second, &edge}, 2000ms);  // it has the second one alone now, and shows what that one has
        CHECK(edge.texts[a] == "not yet");
        REQUIRE(second.me->owner().update(second.numbers["A"], eta::asBytes(" but now")));
        pass(bus, {&second, &edge}, 10ms);
        CHECK(edge.texts[a] == "not yet but now");
        CHECK(ok(edge, a));
    }
}

TEST_CASE("Items of an owner that dies while it sends move in time, be it one or as many as can be asked for",
          "[mesh]") {
    const auto items = static_cast<std::size_t>(GENERATE(1, 600));
    const auto slowly = [](MeshOptions& o) { o.requestRate = 1000; };  // 600 ms for 600 items
    SimulatedBus bus(1, 3);
    TestHub first(bus, 0, 1, 10), second(bus, 1, 1, 20), edge(bus, 2, 1, 30, slowly);
    first.me->directory().offer("S", {.rank = 1});
    second.me->directory().offer("S", {.rank = 2});
    second.image_ = eta::asBytes("second ");
    edge.hearsNobody = true;
    pass(bus, {&first, &second, &edge}, 2000ms);
    std::vector<std::uint32_t> all;
    for (std::size_t i = 0; i < items; ++i)
        all.push_back(openOn(edge, "I" + std::to_string(i)));
    pass(bus, {&first, &second, &edge}, 2000ms);
    for (const std::uint32_t i : all)
        REQUIRE(ok(edge, i));
    for (const std::uint64_t sent = first.me->counts().framesOut.get(); first.me->counts().framesOut.get() == sent;)
        pass(bus, {&first, &second, &edge}, 1ms);
    // Its last update comes up to a heartbeat behind the last proof.
    const auto lives = GENERATE(0ms, 160ms, 320ms, 480ms);
    for (std::chrono::milliseconds t{}; t < lives; t += 10ms) {
        REQUIRE(first.me->owner().update(first.numbers["I0"], eta::asBytes("1")));
        pass(bus, {&first, &second, &edge}, 10ms);
    }
    const std::uint64_t suspects = edge.suspects;
    bus.kill(0);
    // One that has few items may be back after a while.
    pass(bus, {&second, &edge}, 590ms);
    if (items == 1) CHECK(edge.me->counts().doubts.get() == 0);
    pass(bus, {&second, &edge}, 3000ms);
    CHECK(edge.suspects == suspects);
    CHECK(edge.me->counts().handedOver.get() == items);
    CHECK(edge.me->counts().doubts.get() == 1);
    for (const std::uint32_t i : all)
        REQUIRE((ok(edge, i) && edge.texts[i] == "second "));
}

TEST_CASE("Many items go to the next owner some in each turn, also while others come and go", "[mesh]") {
    SimulatedBus bus(1, 3);
    TestHub first(bus, 0, 1, 10), second(bus, 1, 1, 20);
    TestHub edge(bus, 2, 1, 30, [](MeshOptions& o) { o.movesATurn = 7; });
    edge.hearsNobody = true;
    first.me->directory().offer("S", {.rank = 1});
    second.me->directory().offer("S", {.rank = 2});
    pass(bus, {&first, &second, &edge}, 2000ms);
    std::vector<std::uint32_t> items;
    for (int i = 0; i < 100; ++i)
        items.push_back(openOn(edge, "A" + std::to_string(i)));
    pass(bus, {&first, &second, &edge}, 1500ms);
    REQUIRE(first.me->owner().load() == 100);
    const std::uint64_t suspects = edge.suspects;
    std::uint64_t asked = edge.me->counts().asked.get(), most = 0, fresh = 0;
    const auto turn = [&](std::initializer_list<TestHub*> hubs) {
        pass(bus, hubs, 1ms);
        most = std::max(most, edge.me->counts().asked.get() - std::exchange(asked, edge.me->counts().asked.get()));
    };
    const bool leaves = GENERATE(true, false);
    if (leaves) {
        first.me->directory().offer("S", {.rank = 1, .leaves = true});
        pass(bus, {&first, &second}, 1ms);
    } else {
        bus.kill(0);
    }
    for (int i = 0; i < 3000 && second.me->owner().load() < 100 + fresh; ++i) {
        // Some close, and some come: nobody is passed over for that.
        if (second.me->owner().load() > 20 && fresh < 10) {
            edge.me->edge().close(items[fresh]);
            items[fresh] = openOn(edge, "B" + std::to_string(fresh));
            ++fresh;
        }
        if (second.me->owner().load() >= 100) break;
        if (leaves) turn({&first, &second, &edge});
        else turn({&second, &edge});
    }
    pass(bus, {&second, &edge}, 200ms);
    // An item that was closed before its wish was answered is dropped with its next update.
    CHECK(second.me->owner().load() >= 100);
    for (const std::uint32_t item : items) {
        CHECK(edge.me->edge().item(item).phase == Phase::live);
        CHECK(ok(edge, item));
    }
    CHECK(most <= 7 + 1);  // those, and the one that came
    CHECK(most >= 7);
    CHECK(edge.suspects - suspects <= fresh);  // of those that were closed nobody says anything
}

TEST_CASE("An owner that only seemed to be gone keeps its items, and the others forget them", "[mesh]") {
    SimulatedBus bus(1, 4);
    TestHub first(bus, 0, 1, 10), second(bus, 1, 1, 20);
    pass(bus, {&first, &second}, 250ms);  // the edge's heartbeats lie between theirs
    TestHub edge(bus, 2, 1, 30), other(bus, 3, 1, 40);
    const auto all = {&first, &second, &edge, &other};
    first.me->directory().offer("S", {.rank = 1});
    second.me->directory().offer("S", {.rank = 2});
    edge.hearsNobody = true;
    pass(bus, all, 2000ms);
    const std::uint32_t a = openOn(edge, "A");
    pass(bus, all, 1500ms);
    const std::uint64_t suspects = edge.suspects;
    // Behind a heartbeat: the next ones are due after 490 and 990 ms.
    for (const std::uint64_t sent = first.me->counts().framesOut.get(); first.me->counts().framesOut.get() == sent;)
        pass(bus, all, 1ms);
    pass(bus, all, 10ms);
    SECTION("a bus that lies while heartbeats come is not believed") {
        bus.faults.lies = 100;
        edge.me->nobodyListens("emh.1.main.u.0000000a.0000001e");
        pass(bus, all, 3000ms);
        CHECK(edge.me->counts().doubts.get() == 0);
        CHECK(second.me->owner().load() == 0);
        CHECK(edge.nobody == 0);  // it is not even asked
    }
    SECTION("nor one that speaks of a subject that nobody asked for") {
        bus.cut(0, 2, true);
        pass(bus, all, 700ms);
        edge.me->nobodyListens("emh.1.main.u.0000000b.0000001e");
        edge.me->nobodyListens("");
        pass(bus, all, 10ms);
        CHECK(edge.me->counts().doubts.get() == 0);
        CHECK(edge.nobody == 0);
        bus.heal();
        pass(bus, all, 600ms);
    }
    SECTION("the next owner was asked and had no image yet") {
        second.image_ = eta::asBytes("not yet");
        bus.faults.lies = 100;
        bus.cut(0, 2, true);
        pass(bus, all, 1100ms);
        CHECK(edge.me->counts().doubts.get() == 1);
        CHECK(second.me->owner().load() == 1);
        bus.heal();
        pass(bus, all, 1100ms);  // its answer says so, or it is asked no more after a second
        CHECK(second.me->owner().load() == 0);
        second.image_ = eta::asBytes("second ");
        pass(bus, all, 5000ms);
        CHECK(edge.me->counts().handedOver.get() == 0);
    }
    SECTION("it goes to nobody when all others seem to be gone, too") {
        bus.cut(0, 2, true);
        bus.cut(1, 2, true);
        pass(bus, all, 1300ms);
        CHECK(edge.me->counts().doubts.get() == 2);
        CHECK(second.me->owner().load() == 0);
        bus.heal();
        pass(bus, all, 600ms);
    }
    CHECK(edge.texts[a] == "image ");
    CHECK(ok(edge, a));
    CHECK(edge.suspects == suspects);
    CHECK(second.me->owner().load() == 0);
    REQUIRE(first.me->owner().update(first.numbers["A"], eta::asBytes("1")));
    pass(bus, all, 10ms);
    CHECK(edge.texts[a] == "image 1");
}

TEST_CASE("An owner whose updates come is not doubted when its heartbeats are lost", "[mesh]") {
    SimulatedBus bus(1, 3);
    TestHub first(bus, 0, 1, 10), second(bus, 1, 1, 20);
    pass(bus, {&first, &second}, 250ms);  // the edge's heartbeats lie between theirs
    TestHub edge(bus, 2, 1, 30);
    const auto all = {&first, &second, &edge};
    first.me->directory().offer("S", {.rank = 1});
    second.me->directory().offer("S", {.rank = 2});
    edge.hearsNobody = true;
    bus.faults.lies = 100;
    pass(bus, all, 2000ms);
    const std::uint32_t a = openOn(edge, "A");
    pass(bus, all, 1500ms);
    REQUIRE(ok(edge, a));
    const std::uint64_t suspects = edge.suspects;
    for (const std::uint64_t sent = first.me->counts().framesOut.get(); first.me->counts().framesOut.get() == sent;)
        pass(bus, all, 1ms);
    pass(bus, all, 10ms);
    edge.losesBeatsOf = 10;
    const bool flows = GENERATE(true, false), own = !flows && GENERATE(true, false);  // own: this hub has lost frames
    edge.hearsNobody = !own;  // the word of the servers would count
    std::string expected = "image ";
    for (int i = 0; i < 14; ++i) {
        if (flows) REQUIRE(first.me->owner().update(first.numbers["A"], eta::asBytes("1")));
        if (own) bus.lose(2);
        expected += "1";
        pass(bus, all, 100ms);
    }
    edge.losesBeatsOf = 0;
    pass(bus, all, 1000ms);
    CHECK(edge.me->counts().doubts.get() == (flows || own ? 0u : 1u));
    CHECK(edge.me->counts().handedOver.get() == (flows || own ? 0u : 1u));
    CHECK(edge.suspects == suspects);
    if (flows) CHECK(edge.texts[a] == expected);
}

TEST_CASE("An owner that is away from the servers for less than a second keeps its items", "[mesh]") {
    SimulatedBus bus(1, 3);
    TestHub first(bus, 0, 1, 10), second(bus, 1, 1, 20), edge(bus, 2, 1, 30);
    const auto all = {&first, &second, &edge};
    first.me->directory().offer("S", {.rank = 1});
    second.me->directory().offer("S", {.rank = 2});
    edge.hearsNobody = true;
    pass(bus, all, 2000ms);
    const std::uint32_t a = openOn(edge, "A");
    pass(bus, all, 1500ms);
    // It falls silent right behind a heartbeat, and the bus says meanwhile that nobody is there.
    for (const std::uint64_t sent = first.me->counts().framesOut.get(); first.me->counts().framesOut.get() == sent;)
        pass(bus, all, 1ms);
    pass(bus, all, 10ms);
    bus.faults.lies = 100;
    bus.cut(0, 2, true);
    pass(bus, all, 950ms);
    CHECK(edge.nobody >= 2);
    bus.heal();
    pass(bus, all, 2000ms);
    CHECK(edge.me->counts().doubts.get() == 0);
    CHECK(second.me->owner().load() == 0);
    CHECK(edge.texts[a] == "image ");
    CHECK(ok(edge, a));
}

TEST_CASE("An owner of more items than can be asked for in time is not given up at one word of the servers", "[mesh]") {
    SimulatedBus bus(1, 3);
    const auto slowly = [](MeshOptions& o) { o.requestRate = 200; };  // 3 s for 600 items
    TestHub first(bus, 0, 1, 10), second(bus, 1, 1, 20), edge(bus, 2, 1, 30, slowly);
    const auto all = {&first, &second, &edge};
    first.me->directory().offer("S", {.rank = 1});
    second.me->directory().offer("S", {.rank = 2});
    edge.hearsNobody = true;
    pass(bus, all, 2000ms);
    for (int i = 0; i < 600; ++i)
        openOn(edge, "I" + std::to_string(i));
    pass(bus, all, 6000ms);
    REQUIRE(first.me->owner().load() == 600);
    for (const std::uint64_t sent = first.me->counts().framesOut.get(); first.me->counts().framesOut.get() == sent;)
        pass(bus, all, 1ms);
    bus.faults.lies = 100;
    bus.cut(0, 2, true);
    const std::uint64_t told = edge.nobody;
    for (int i = 0; edge.nobody == told; ++i) {
        REQUIRE(i < 2000);
        pass(bus, all, 1ms);
    }
    pass(bus, all, 20ms);
    bus.heal();
    bus.faults.lies = 0;
    pass(bus, all, 3000ms);
    CHECK(edge.me->counts().doubts.get() == 0);
    CHECK(second.me->owner().load() == 0);
}

TEST_CASE("Items go past a next owner that has died together with theirs", "[mesh]") {
    const auto items = static_cast<std::size_t>(GENERATE(1, 600));
    SimulatedBus bus(1, 4);
    const auto slowly = [](MeshOptions& o) { o.requestRate = 1000; };
    TestHub first(bus, 0, 1, 10), second(bus, 1, 1, 20), third(bus, 2, 1, 30), edge(bus, 3, 1, 40, slowly);
    first.me->directory().offer("S", {.rank = 1});
    second.me->directory().offer("S", {.rank = 2});
    third.me->directory().offer("S", {.rank = 3});
    third.image_ = eta::asBytes("third ");
    edge.hearsNobody = true;
    const auto every = {&first, &second, &third, &edge};
    pass(bus, every, 2000ms);
    std::vector<std::uint32_t> all;
    for (std::size_t i = 0; i < items; ++i)
        all.push_back(openOn(edge, "I" + std::to_string(i)));
    // A small item of the second one's own: it is small, and its end is noticed later than that of the first.
    const bool own = GENERATE(false, true);
    if (own) {
        second.me->directory().offer("T", {.rank = 1});
        pass(bus, every, 1500ms);
        REQUIRE(edge.me->edge().open("T", "X") >= 0);
    }
    pass(bus, every, 2000ms);
    for (const std::uint32_t i : all)
        REQUIRE(ok(edge, i));
    const std::uint64_t suspects = edge.suspects, wishes = edge.me->counts().asked.get();
    bus.kill(0), bus.kill(1);
    pass(bus, {&third, &edge}, 1750ms);
    CAPTURE(items, own);
    CHECK(edge.me->counts().asked.get() - wishes <= items + items / 4 + 2);  // hardly any went to the second one
    pass(bus, {&third, &edge}, 3000ms);
    CHECK(edge.suspects - suspects <= (own ? 1u : 0u) + items / 4);
    for (const std::uint32_t i : all)
        REQUIRE((ok(edge, i) && edge.texts[i] == "third "));
}

TEST_CASE("A next owner that has not the item of one that leaves is followed by the one behind it", "[mesh]") {
    SimulatedBus bus(1, 4);
    TestHub first(bus, 0, 1, 10), second(bus, 1, 1, 20), third(bus, 2, 1, 30), edge(bus, 3, 1, 40);
    first.me->directory().offer("S", {.rank = 1});
    second.me->directory().offer("S", {.rank = 2});
    third.me->directory().offer("S", {.rank = 3});
    pass(bus, {&first, &second, &third, &edge}, 2000ms);
    const std::uint32_t a = openOn(edge, "A");
    pass(bus, {&first, &second, &third, &edge}, 1500ms);
    REQUIRE(first.me->owner().load() == 1);
    REQUIRE(ok(edge, a));
    const std::uint64_t suspects = edge.suspects;
    second.lacks = true;
    third.image_ = eta::asBytes("third ");
    SECTION("it is asked next") {
        first.me->directory().offer("S", {.rank = 1, .leaves = true});
        pass(bus, {&first, &second, &third, &edge}, 200ms);
    }
    SECTION("an owner that leaves itself is not") {
        third.me->directory().offer("S", {.rank = 3, .leaves = true});
        pass(bus, {&first, &second, &third, &edge}, 200ms);
        first.me->directory().offer("S", {.rank = 1, .leaves = true});
        pass(bus, {&first, &second, &third, &edge}, 1000ms);
        CHECK(first.me->owner().load() == 1);
        third.me->directory().offer("S", {.rank = 3});
        pass(bus, {&first, &second, &third, &edge}, 200ms);
    }
    SECTION("when none of them has it, they are asked again") {
        third.lacks = true;
        first.me->directory().offer("S", {.rank = 1, .leaves = true});
        pass(bus, {&first, &second, &third, &edge}, 2000ms);
        CHECK(first.me->owner().load() == 1);
        CHECK(ok(edge, a));
        third.lacks = false;
        pass(bus, {&first, &second, &third, &edge}, 1500ms);
    }
    CHECK(edge.texts[a] == "third ");
    CHECK(first.me->owner().load() == 0);
    CHECK(third.me->owner().load() == 1);
    CHECK(edge.suspects == suspects);
    CHECK(edge.me->counts().handedOver.get() == 1);
}

TEST_CASE("What a node has refused says nothing of the one that comes after it", "[mesh]") {
    SimulatedBus bus(1, 4);
    TestHub first(bus, 0, 1, 10), edge(bus, 2, 1, 30), third(bus, 3, 1, 40);
    auto second = std::make_unique<TestHub>(bus, 1, 1, 20);
    second->lacks = true;
    second->me->directory().offer("S", {.rank = 1});
    pass(bus, {&first, second.get(), &edge, &third}, 2000ms);
    first.me->directory().offer("S", {.rank = 2});
    pass(bus, {&first, second.get(), &edge, &third}, 100ms);
    const std::uint32_t a = openOn(edge, "A");
    pass(bus, {&first, second.get(), &edge, &third}, 1500ms);
    REQUIRE(ok(edge, a));
    REQUIRE(first.me->owner().load() == 1);
    // It falls silent for so long that it is forgotten, and another node has its place.
    bus.kill(1);
    pass(bus, {&first, &edge, &third}, 13'000ms);
    REQUIRE(edge.me->peers() == 2);
    second = std::make_unique<TestHub>(bus, 1, 1, 50);
    second->image_ = eta::asBytes("other ");
    second->me->directory().offer("S", {.rank = 1});
    pass(bus, {&first, second.get(), &edge, &third}, 2000ms);
    REQUIRE(edge.me->peers() == 3);
    first.me->directory().offer("S", {.rank = 2, .leaves = true});
    pass(bus, {&first, second.get(), &edge, &third}, 200ms);
    CHECK(edge.texts[a] == "other ");
    CHECK(first.me->owner().load() == 0);
}

TEST_CASE("A next owner that dies before it has answered is forgotten, and another one is asked", "[mesh]") {
    SimulatedBus bus(1, 4);
    TestHub first(bus, 0, 1, 10), second(bus, 1, 1, 20), third(bus, 2, 1, 30), edge(bus, 3, 1, 40);
    first.me->directory().offer("S", {.rank = 1});
    second.me->directory().offer("S", {.rank = 2});
    second.image_ = eta::asBytes("not yet");
    pass(bus, {&first, &second, &third, &edge}, 2000ms);
    const std::uint32_t a = openOn(edge, "A");
    pass(bus, {&first, &second, &third, &edge}, 1000ms);
    first.me->directory().offer("S", {.rank = 1, .leaves = true});
    pass(bus, {&first, &second, &third, &edge}, 200ms);
    REQUIRE(second.me->owner().load() == 1);
    bus.kill(1);
    pass(bus, {&first, &third, &edge}, 13'000ms);
    CHECK(edge.me->peers() == 2);
    CHECK(first.me->owner().load() == 1);
    third.me->directory().offer("S", {.rank = 3});
    third.image_ = eta::asBytes("third ");
    pass(bus, {&first, &third, &edge}, 1500ms);
    CHECK(edge.texts[a] == "third ");
    CHECK(first.me->owner().load() == 0);
    CHECK(ok(edge, a));
    CHECK(edge.suspects == 0);
}

TEST_CASE("An owner that leaves keeps what nobody else has, and gets nothing new that another one has", "[mesh]") {
    SimulatedBus bus(1, 3);
    TestHub first(bus, 0, 1, 10), second(bus, 1, 1, 20), edge(bus, 2, 1, 30);
    first.me->directory().offer("S", {.rank = 1});
    pass(bus, {&first, &second, &edge}, 2000ms);
    const std::uint32_t a = openOn(edge, "A");
    pass(bus, {&first, &second, &edge}, 1000ms);
    first.me->directory().offer("S", {.rank = 1, .leaves = true});
    pass(bus, {&first, &second, &edge}, 1000ms);
    CHECK(ok(edge, a));
    const std::uint32_t b = openOn(edge, "B");
    pass(bus, {&first, &second, &edge}, 100ms);
    CHECK(first.me->owner().load() == 2);
    SECTION("another owner comes") {
        second.me->directory().offer("S", {.rank = 2});
    }
    SECTION("it stays after all") {
        first.me->directory().offer("S", {.rank = 1});
        second.me->directory().offer("S", {.rank = 2, .leaves = true});
        pass(bus, {&first, &second, &edge}, 500ms);
        CHECK(first.me->owner().load() == 2);
        return;
    }
    SECTION("both leave") {
        second.me->directory().offer("S", {.rank = 0, .leaves = true});
        pass(bus, {&first, &second, &edge}, 500ms);
        CHECK(first.me->owner().load() == 2);
        CHECK(edge.me->counts().moves.get() == 0);
        return;
    }
    const std::uint32_t c = openOn(edge, "C");
    pass(bus, {&first, &second, &edge}, 500ms);
    CHECK(second.me->owner().load() == 3);
    CHECK(first.me->owner().load() == 0);
    CHECK(ok(edge, a));
    CHECK(ok(edge, b));
    CHECK(ok(edge, c));
    CHECK(edge.suspects == 0);
}
