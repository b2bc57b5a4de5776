// Nodes on a bus without faults: who is asked, what is sent, and who follows whom.
#include "node_hub.h"

using namespace emissary;
using namespace emissary::hub::mesh;
using namespace emissary::test::nodes;
using namespace std::chrono_literals;
using test::SimulatedBus;

TEST_CASE("An item comes with its image, then its updates, and ends with its owner's word", "[mesh]") {
    SimulatedBus bus(1, 2);
    TestHub owner(bus, 0, 1, 10), edge(bus, 1, 1, 20);
    owner.me->directory().offer("S", {});
    const std::uint32_t a = openOn(edge, "A"), no = openOn(edge, "no");
    CHECK(openOn(edge, "A") == a);
    pass(bus, {&owner, &edge}, 1500ms);
    CHECK(edge.texts[a] == "image ");
    CHECK(ok(edge, a));
    CHECK(edge.ends.contains(no));
    CHECK(owner.me->owner().load() == 1);
    REQUIRE(owner.me->owner().update(owner.numbers["A"], eta::asBytes("1")));
    REQUIRE(owner.me->owner().update(owner.numbers["A"], eta::asBytes("2")));
    pass(bus, {&owner, &edge}, 10ms);
    CHECK(edge.texts[a] == "image 12");
    owner.me->owner().close(owner.numbers["A"], eta::asBytes("over"));
    pass(bus, {&owner, &edge}, 10ms);
    CHECK(edge.ends[a] == "over");
    CHECK_FALSE(ok(edge, a));
    CHECK_FALSE(owner.me->owner().update(owner.numbers["A"], eta::asBytes("3")));
    CHECK(owner.me->owner().load() == 0);
    // A new wish is a new item.
    const std::uint32_t before = owner.numbers["A"];
    edge.me->edge().close(a);
    const std::uint32_t again = openOn(edge, "A");
    pass(bus, {&owner, &edge}, 100ms);
    CHECK(owner.numbers["A"] > before);
    CHECK(ok(edge, again));
    edge.me->edge().close(again);
    pass(bus, {&owner, &edge}, 100ms);
    CHECK(owner.me->owner().load() == 0);
    CHECK(owner.unwantedCalls == 1);
}

TEST_CASE("An image comes once more when it is asked for, and the owner keeps the item meanwhile", "[mesh]") {
    SimulatedBus bus(1, 2);
    TestHub owner(bus, 0, 1, 10), edge(bus, 1, 1, 20);
    owner.me->directory().offer("S", {});
    const std::uint32_t a = openOn(edge, "A");
    CHECK_FALSE(edge.me->edge().answered(a));
    edge.me->edge().askAgain(a);  // it is asked already
    pass(bus, {&owner, &edge}, 1500ms);
    REQUIRE(edge.me->edge().answered(a));
    const std::uint32_t number = owner.numbers["A"];
    REQUIRE(owner.me->owner().update(number, eta::asBytes("1")));
    pass(bus, {&owner, &edge}, 10ms);
    CHECK(edge.texts[a] == "image 1");
    owner.image_ = eta::asBytes("later ");
    SECTION("at once, of the same version") {
        edge.me->edge().askAgain(a);
        edge.me->edge().askAgain(a);
        pass(bus, {&owner, &edge}, 10ms);
        CHECK(edge.texts[a] == "later ");
    }
    SECTION("when the next wish is sent, where the first one is lost") {
        bus.cut(1, 0, true);
        edge.me->edge().askAgain(a);
        pass(bus, {&owner, &edge}, 20ms);
        bus.heal();
        CHECK(edge.texts[a] == "image 1");
        edge.me->edge().askAgain(a);
        pass(bus, {&owner, &edge}, 10ms);
        CHECK(edge.texts[a] == "later ");
    }
    CHECK(ok(edge, a));
    CHECK(owner.unwantedCalls == 0);
    CHECK(owner.numbers["A"] == number);
    // Once: nothing follows, and updates go on.
    const std::uint64_t images = edge.me->counts().images.get();
    REQUIRE(owner.me->owner().update(number, eta::asBytes("2")));
    pass(bus, {&owner, &edge}, 3s);
    CHECK(edge.texts[a] == "later 2");
    CHECK(edge.me->counts().images.get() == images);
    CHECK(edge.suspects == 0);
}

TEST_CASE("The state of a group is written once for its items, and touches no other item", "[mesh]") {
    SimulatedBus bus(1, 3);
    TestHub owner(bus, 0, 1, 10), edge(bus, 1, 1, 20), other(bus, 2, 1, 30);
    owner.me->directory().offer("S", {});
    std::map<std::string, std::uint32_t> items;
    for (const char* const name : {"A", "B", "C", "D"})
        items[name] = openOn(edge, name);
    const std::uint32_t far = openOn(other, "B");
    pass(bus, {&owner, &edge, &other}, 1500ms);
    const auto say = [&](const char* name, std::string_view text, Owner::Body whose = Owner::Body::many) {
        REQUIRE(owner.me->owner().update(owner.numbers[name], eta::asBytes(text), whose));
    };
    const std::string slow(60, 's');
    say("A", slow);
    say("B", slow);
    say("D", "price", Owner::Body::own);
    say("C", "price");  // as long as the one before, and the same: it may be anybody's
    const std::uint64_t before = owner.me->counts().bytesOut.get();
    owner.me->owner().flush();
    // Two frames; the text is there once for each of the two hubs.
    CHECK(owner.me->counts().bytesOut.get() - before == 2 * kHeaderBytes + 5 * kRecordBytes + 2 * slow.size() + 5);
    pass(bus, {&owner, &edge, &other}, 10ms);
    CHECK(edge.texts[items["A"]] == "image " + slow);
    CHECK(edge.texts[items["B"]] == "image " + slow);
    CHECK(edge.texts[items["C"]] == "image price");
    CHECK(edge.texts[items["D"]] == "image price");
    CHECK(other.texts[far] == "image " + slow);
    CHECK(edge.me->counts().groupStates.get() == 2);
    CHECK(other.me->counts().groupStates.get() == 0);

    SECTION("an item that was dropped meanwhile gets nothing of it, and those behind it do") {
        edge.me->edge().close(items["A"]);
        say("A", "gone");
        say("B", "gone");
        owner.me->owner().flush();
        bus.run(10ms);
        CHECK(edge.texts[items["A"]] == "image " + slow);
        CHECK(edge.texts[items["B"]] == "image " + slow + "gone");
    }
    SECTION("one that refers to nothing is counted, and its item is repaired") {
        // Made by hand: the owner never sends it.
        Batch batch;
        REQUIRE(batch.add(Kind::groupState, owner.numbers["A"], owner.me->owner().version(owner.numbers["A"]) + 1, {}));
        Header h;
        h.node = 10;
        h.epoch = 1;
        h.sequence = lastTo(owner);
        const std::uint64_t ignored = edge.me->counts().ignoredRecords.get();
        batch.flush(h, kMostPayload, [&](eta::Bytes frame) { edge.me->received(frame); });
        CHECK(edge.me->counts().ignoredRecords.get() == ignored + 1);
        CHECK(edge.texts[items["A"]] == "image " + slow);
        pass(bus, {&owner, &edge, &other}, 3000ms);
        CHECK(ok(edge, items["A"]));
    }
}

TEST_CASE("An item is Ok for less than 4 heartbeats after its owner fell silent, and Ok again without an image",
          "[mesh]") {
    SimulatedBus bus(1, 2);
    TestHub owner(bus, 0, 1, 10), edge(bus, 1, 1, 20);
    owner.me->directory().offer("S", {});
    const std::uint32_t a = openOn(edge, "A");
    pass(bus, {&owner, &edge}, 3000ms);
    REQUIRE(ok(edge, a));
    const std::uint64_t images = edge.me->counts().images.get();
    SECTION("cut off") {
        bus.cut(0, 1, true);
    }
    SECTION("deaf: it sends, and cannot be asked") {
        bus.cut(1, 0, true);
    }
    pass(bus, {&owner, &edge}, 900ms);
    CHECK(ok(edge, a));
    pass(bus, {&owner, &edge}, 1100ms);
    CHECK_FALSE(ok(edge, a));
    CHECK(edge.suspects == 1);
    bus.heal();
    pass(bus, {&owner, &edge}, 1200ms);
    CHECK(ok(edge, a));
    CHECK(edge.me->counts().images.get() == images);
}

TEST_CASE("A hub that slept through its heartbeats trusts nothing that waited for it", "[mesh]") {
    SimulatedBus bus(1, 2);
    TestHub owner(bus, 0, 1, 10), edge(bus, 1, 1, 20);
    owner.me->directory().offer("S", {});
    const std::uint32_t a = openOn(edge, "A");
    pass(bus, {&owner, &edge}, 3000ms);
    bus.stop(1);
    pass(bus, {&owner}, 5000ms);
    bus.cut(0, 1, true);  // what comes now is old
    REQUIRE(owner.me->owner().update(owner.numbers["A"], eta::asBytes("1")));
    owner.image_ = eta::asBytes("image 1");
    bus.resume(1);
    CHECK_FALSE(ok(edge, a));
    pass(bus, {&owner, &edge}, 400ms);
    CHECK_FALSE(ok(edge, a));
    bus.heal();
    pass(bus, {&owner, &edge}, 2500ms);
    CHECK(ok(edge, a));
    CHECK(edge.texts[a] == "image 1");
}

TEST_CASE("Owners are chosen by rank, then load, then node, and kept until they are lost", "[mesh]") {
    SimulatedBus bus(1, 4);
    TestHub x(bus, 0, 1, 30), y(bus, 1, 1, 20), z(bus, 2, 1, 10), edge(bus, 3, 1, 40);
    x.me->directory().offer("S", {1, true});
    y.me->directory().offer("S", {1, true});
    z.me->directory().offer("S", {2, true});
    pass(bus, {&x, &y, &z, &edge}, 2000ms);
    const std::uint32_t a = openOn(edge, "A");
    pass(bus, {&x, &y, &z, &edge}, 1000ms);
    CHECK(y.me->owner().load() == 1);  // the lower node; z has a higher rank
    const std::uint32_t b = openOn(edge, "B");
    pass(bus, {&x, &y, &z, &edge}, 1000ms);
    CHECK(x.me->owner().load() == 1);  // fewer items
    z.me->directory().offer("S", {0, true});
    pass(bus, {&x, &y, &z, &edge}, 2000ms);
    CHECK(z.me->owner().load() == 0);
    y.me->directory().offer("S", {1, false});
    pass(bus, {&x, &y, &z, &edge}, 500ms);
    CHECK(z.me->owner().load() == 1);
    CHECK(y.me->owner().load() == 0);
    bus.kill(2);
    pass(bus, {&x, &y, &edge}, 2700ms);
    CHECK(x.me->owner().load() == 2);
    CHECK(ok(edge, a));
    CHECK(ok(edge, b));
    CHECK(edge.me->counts().moves.get() == 2);
}

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
        pass(bus, all, 600ms);
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

TEST_CASE("An item that many hubs want goes once into a wide lane, and back when they leave", "[mesh]") {
    SimulatedBus bus(1, 5);
    TestHub owner(bus, 0, 1, 10);
    std::vector<std::unique_ptr<TestHub>> edges;
    owner.me->directory().offer("S", {});
    std::vector<std::uint32_t> items;
    const auto go = [&](std::chrono::milliseconds t) {
        for (std::chrono::microseconds now{}; now < t; now += 1ms) {
            owner.me->tick();
            for (auto& e : edges)
                e->me->tick();
            bus.run(1ms);
        }
    };
    const auto updateAll = [&](const char* text) {
        REQUIRE(owner.me->owner().update(owner.numbers["A"], eta::asBytes(text)));
        const std::uint64_t frames = owner.me->counts().framesOut.get();
        owner.me->owner().flush();
        const std::uint64_t sent = owner.me->counts().framesOut.get() - frames;
        go(5ms);
        return sent;
    };
    for (std::size_t i = 1; i <= 4; ++i) {
        edges.push_back(std::make_unique<TestHub>(bus, i, 1, static_cast<std::uint32_t>(20 + i)));
        items.push_back(openOn(*edges.back(), "A"));
        go(2500ms);
        CHECK(owner.me->owner().isWide(owner.numbers["A"]) == (i >= 3));
        CHECK(updateAll(std::to_string(i).c_str()) == (i < 3 ? i : 1));
    }
    CHECK(edges[0]->texts[items[0]] == "image 1234");
    CHECK(edges[3]->texts[items[3]] == "image 4");
    for (std::size_t i = 0; i < 4; ++i)
        CHECK(ok(*edges[i], items[i]));
    edges[3]->me->edge().close(items[3]);
    edges[2]->me->edge().close(items[2]);
    go(20ms);
    CHECK(owner.me->owner().isWide(owner.numbers["A"]));
    edges[1]->me->edge().close(items[1]);
    go(20ms);
    CHECK_FALSE(owner.me->owner().isWide(owner.numbers["A"]));
    CHECK(updateAll("5") == 1);
    go(1000ms);
    CHECK(edges[0]->texts[items[0]] == "image 12345");
    CHECK(ok(*edges[0], items[0]));
    CHECK(edges[0]->suspects == 0);
    CHECK(edges[0]->me->counts().images.get() == 1);
}

TEST_CASE("An owner's new life voids everything, and an older one cannot come back", "[mesh]") {
    SimulatedBus bus(1, 2);
    auto owner = std::make_unique<TestHub>(bus, 0, 5, 10);
    TestHub edge(bus, 1, 1, 20);
    owner->me->directory().offer("S", {});
    const std::uint32_t a = openOn(edge, "A");
    pass(bus, {owner.get(), &edge}, 2000ms);
    REQUIRE(ok(edge, a));
    bus.kill(0);
    owner = std::make_unique<TestHub>(bus, 0, 6, 10);
    owner->image_ = eta::asBytes("new ");
    owner->me->directory().offer("S", {});
    owner->me->tick();
    bus.run(5ms);
    CHECK_FALSE(ok(edge, a));
    pass(bus, {owner.get(), &edge}, 2500ms);
    CHECK(ok(edge, a));
    CHECK(edge.texts[a] == "new ");
    bus.kill(0);
    owner = std::make_unique<TestHub>(bus, 0, 5, 10);
    owner->me->directory().offer("S", {});
    pass(bus, {owner.get(), &edge}, 1900ms);
    CHECK_FALSE(ok(edge, a));
    CHECK(edge.me->counts().staleFrames.get() > 0);
    // Its clock went back, and the file of its epoch is lost: it hears what others know, and goes on behind that.
    pass(bus, {owner.get(), &edge}, 2000ms);
    CHECK(owner->me->options().epoch == 7);
    CHECK(owner->me->counts().livesAnew.get() == 1);
    CHECK(edge.texts[a] == "image ");
    CHECK(ok(edge, a));
    REQUIRE(owner->me->owner().update(owner->numbers["A"], eta::asBytes("1")));
    pass(bus, {owner.get(), &edge}, 3000ms);
    CHECK(edge.texts[a] == "image 1");
    CHECK(owner->me->options().epoch == 7);
}

TEST_CASE("An edge whose clock went back has its items again, and another life of an owner's too", "[mesh]") {
    SimulatedBus bus(1, 2);
    TestHub owner(bus, 0, 1, 10);
    auto edge = std::make_unique<TestHub>(bus, 1, 1000, 20);
    owner.me->directory().offer("S", {});
    static_cast<void>(openOn(*edge, "A"));
    pass(bus, {&owner, edge.get()}, 2000ms);
    REQUIRE(owner.me->owner().load() == 1);
    bus.kill(1);
    edge = std::make_unique<TestHub>(bus, 1, 3, 20);
    const std::uint32_t a = openOn(*edge, "A");
    pass(bus, {&owner, edge.get()}, 4000ms);
    CHECK(edge->me->options().epoch == 1001);
    CHECK(ok(*edge, a));
    CHECK(owner.me->owner().load() == 1);
    REQUIRE(owner.me->owner().update(owner.numbers["A"], eta::asBytes("1")));
    pass(bus, {&owner, edge.get()}, 10ms);
    CHECK(edge->texts[a] == "image 1");
}

TEST_CASE("An edge that lost clock and epoch, and was forgotten meanwhile, may post again", "[mesh][posts]") {
    SimulatedBus bus(1, 2);
    TestHub owner(bus, 0, 1, 10);
    auto edge = std::make_unique<TestHub>(bus, 1, 1000, 20);
    owner.me->directory().offer("S", {});
    const auto post = [&] { return edge->me->edge().post("S", "A", false, 0, {}, eta::asBytes("post")); };
    pass(bus, {&owner, edge.get()}, 2000ms);
    REQUIRE(post() == Edge::Posting::taken);
    pass(bus, {&owner, edge.get()}, 100ms);
    REQUIRE(owner.me->counts().postsIn.get() == 1);
    bus.kill(1);
    pass(bus, {&owner}, 11'000ms);
    REQUIRE(owner.me->peers() == 0);
    edge = std::make_unique<TestHub>(bus, 1, 3, 20);
    const std::uint32_t a = openOn(*edge, "A");
    pass(bus, {&owner, edge.get()}, 4000ms);
    CHECK(edge->me->options().epoch == 1001);
    CHECK(ok(*edge, a));
    REQUIRE(post() == Edge::Posting::taken);
    pass(bus, {&owner, edge.get()}, 2000ms);
    CHECK(owner.me->counts().postsIn.get() == 2);
    CHECK(edge->me->counts().livesAnew.get() == 1);
}

TEST_CASE("What others say of a node's epoch moves it once in 4 heartbeats, and not beyond the last one", "[mesh]") {
    SimulatedBus bus(1, 2);
    TestHub hub(bus, 0, 5, 10);
    pass(bus, {&hub}, 2100ms);
    std::uint64_t beats = 0;
    const auto says = [&](std::uint64_t epoch, std::size_t bytes = 28) {
        std::array<std::byte, 28> body{};
        eta::storeBe(body.data(), epoch);
        Batch batch;
        REQUIRE(batch.add(Kind::peerState, 10, 0, eta::Bytes(body).first(bytes)));
        Header h;
        h.type = FrameType::heartbeat;
        h.node = 99;
        h.epoch = 1;
        h.sequence = beats++;
        batch.flush(h, kMostPayload, [&](eta::Bytes frame) { hub.me->received(frame); });
    };
    says(std::uint64_t{1} << 63);
    says(0xFFFFFFFFFFFFFFFF);
    says(5);
    says(4);
    says(0);
    says(100, 6);  // cut off
    CHECK(hub.me->options().epoch == 5);
    says(100);
    CHECK(hub.me->options().epoch == 101);
    for (std::uint64_t e = 200; e < 210; ++e)
        says(e);
    CHECK(hub.me->options().epoch == 101);
    for (const std::uint64_t most :
         {std::uint64_t{1} << 63, (std::uint64_t{1} << 63) - 1, (std::uint64_t{1} << 63) - 2, std::uint64_t{1} << 62}) {
        pass(bus, {&hub}, 2100ms);
        says(most);
        CHECK(hub.me->options().epoch == 101);
    }
    says((std::uint64_t{1} << 62) - 1);
    CHECK(hub.me->options().epoch == std::uint64_t{1} << 62);
    pass(bus, {&hub}, 2100ms);
    says(0xFFFFFFFFFFFFFFFF);
    CHECK(hub.me->options().epoch == std::uint64_t{1} << 62);
    CHECK_FALSE(hub.me->stopped());
}

TEST_CASE("Of two hubs with one name the younger falls silent; a restart alone silences nobody", "[mesh]") {
    SimulatedBus bus(1, 3);
    TestHub first(bus, 0, 5, 10), second(bus, 1, 6, 10);
    pass(bus, {&first, &second}, 5000ms);
    CHECK(second.me->stopped());
    CHECK_FALSE(first.me->stopped());
    CHECK(first.me->options().epoch == 5);  // nobody else has heard of the younger one
}

TEST_CASE("A hub with a namesake that fell silent is heard again, and not while that one can be heard", "[mesh]") {
    SimulatedBus bus(1, 3);
    TestHub first(bus, 0, 5, 10), other(bus, 2, 1, 20);
    first.me->directory().offer("S", {});
    const std::uint32_t a = openOn(other, "A");
    pass(bus, {&first, &other}, 3000ms);
    REQUIRE(ok(other, a));
    TestHub second(bus, 1, 6, 10);
    for (int i = 0; i < 3000 && !second.me->stopped(); ++i) {
        pass(bus, {&first, &second, &other}, 1ms);
        CHECK(first.me->options().epoch == 5);
    }
    while (!second.me->stopped())
        pass(bus, {&first, &second, &other}, 1ms);
    CHECK(first.me->options().epoch == 5);
    pass(bus, {&first, &second, &other}, 5000ms);
    CHECK(first.me->options().epoch == 7);
    CHECK_FALSE(first.me->stopped());
    CHECK(ok(other, a));
}
