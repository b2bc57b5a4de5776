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
