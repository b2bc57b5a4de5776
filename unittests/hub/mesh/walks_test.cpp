// Walks over all items of an owner, or of a node that has left: some items in a turn, and everybody else in between.
#include "node_hub.h"

#include <algorithm>

using namespace emissary;
using namespace emissary::hub::mesh;
using namespace emissary::test::nodes;
using namespace std::chrono_literals;
using test::SimulatedBus;

namespace {

constexpr std::size_t kItems = 1000, kATurn = 50;

void few(MeshOptions& o) {
    o.walkATurn = kATurn;
}

std::vector<std::uint32_t> openMany(TestHub& hub, std::size_t count = kItems) {
    std::vector<std::uint32_t> items;
    for (std::size_t i = 0; i < count; ++i)
        items.push_back(openOn(hub, "A" + std::to_string(i)));
    return items;
}

std::size_t current(const TestHub& hub, const std::vector<std::uint32_t>& items) {
    return static_cast<std::size_t>(std::ranges::count_if(items, [&](std::uint32_t i) { return ok(hub, i); }));
}

/// What the walk of an edge may do in one turn, and what has to come in it of a probe on another owner.
struct Probe {
    TestHub& edge;
    TestHub& owner;
    std::uint32_t item;
    std::size_t turns = 0, most = 0;
    void turn(SimulatedBus& bus) {
        const std::uint64_t suspects = edge.suspects, updates = edge.updates;
        REQUIRE(owner.me->owner().update(owner.numbers["P"], eta::asBytes("1")));
        owner.me->owner().flush();
        bus.run(3ms);  // longer than any frame takes
        owner.me->tick();
        edge.me->tick();
        ++turns;
        most = std::max<std::size_t>(most, edge.suspects - suspects);
        CHECK(edge.updates - updates == 1);
        CHECK(ok(edge, item));
    }
};

}  // namespace

TEST_CASE("A new life of an owner voids its items some in a turn, and none of them counts from the first on",
          "[mesh]") {
    SimulatedBus bus(1, 3);
    auto owner = std::make_unique<TestHub>(bus, 0, 5, 10);
    TestHub other(bus, 1, 1, 11), edge(bus, 2, 1, 20, few);
    owner->me->directory().offer("S", {});
    other.me->directory().offer("T", {});
    const auto items = openMany(edge);
    const auto probe = static_cast<std::uint32_t>(edge.me->edge().open("T", "P"));
    pass(bus, {owner.get(), &other, &edge}, 3000ms);
    REQUIRE(current(edge, items) == kItems);
    REQUIRE(ok(edge, probe));
    const std::uint32_t late = openOn(edge, "late");
    pass(bus, {owner.get(), &other, &edge}, 100ms);
    REQUIRE(ok(edge, late));  // its image is proof enough for two seconds
    REQUIRE_FALSE(edge.me->busy());
    edge.suspects = 0;

    bus.kill(0);
    owner = std::make_unique<TestHub>(bus, 0, 6, 10);
    owner->image_ = eta::asBytes("new ");
    owner->me->directory().offer("S", {});
    owner->me->tick();
    bus.run(5ms);
    CHECK(edge.suspects == 0);  // nobody has been told yet
    CHECK(current(edge, items) == 0);
    CHECK_FALSE(ok(edge, late));
    CHECK_FALSE(edge.me->edge().answered(items[0]));
    CHECK(edge.me->edge().ownerOf(items[0]) == nullptr);
    CHECK(edge.me->edge().doubt(items[0]) == Edge::Doubt::noOwner);
    CHECK(edge.me->edge().post(items[0], false, 0, {}, eta::asBytes("post")) == Edge::Posting::noOwner);
    edge.me->edge().askAgain(items[0]);  // there is nobody who could be asked

    Probe p{edge, other, probe};
    p.turn(bus);
    CHECK(edge.me->busy());
    // One that is closed and opened in the middle of the walk is the new life's, and not voided behind that.
    const std::uint32_t closed = items[kItems / 2];
    edge.me->edge().close(closed);
    const std::uint32_t fresh = openOn(edge, "A" + std::to_string(kItems / 2));
    REQUIRE(fresh == closed);
    while (edge.me->busy())
        p.turn(bus);
    CHECK(p.most == kATurn);
    CHECK(p.turns >= kItems / kATurn);
    CHECK(p.turns < kItems / kATurn + 5);
    CHECK(edge.suspects == kItems);  // less the one that was closed, and the late one
    pass(bus, {owner.get(), &other, &edge}, 3000ms);
    CHECK(current(edge, items) == kItems);
    CHECK(std::ranges::all_of(items, [&](std::uint32_t i) { return edge.texts[i] == "new "; }));
    CHECK(edge.suspects == kItems);
    CHECK(owner->me->owner().load() == kItems + 1);
    CHECK(edge.me->counts().images.get() == 2 * (kItems + 1) + 1);
}

TEST_CASE("Items that the next life has already are not voided with the one before", "[mesh]") {
    SimulatedBus bus(2, 2);
    auto owner = std::make_unique<TestHub>(bus, 0, 1, 10);
    TestHub edge(bus, 1, 1, 20, [](MeshOptions& o) { o.walkATurn = 1; });
    owner->me->directory().offer("S", {});
    const auto items = openMany(edge, 400);
    pass(bus, {owner.get(), &edge}, 2500ms);
    REQUIRE(current(edge, items) == items.size());
    // Several lives, one behind the other, while the first one's items are still being voided.
    for (std::uint64_t life = 2; life <= 4; ++life) {
        bus.kill(0);
        owner = std::make_unique<TestHub>(bus, 0, life, 10);
        owner->me->directory().offer("S", {});
        pass(bus, {owner.get(), &edge}, 100ms);
        CHECK(edge.me->busy());
    }
    edge.suspects = 0;
    const std::uint32_t late = openOn(edge, "late");
    pass(bus, {owner.get(), &edge}, 50ms);
    CHECK(edge.me->busy());
    pass(bus, {owner.get(), &edge}, 3000ms);
    CHECK_FALSE(edge.me->busy());
    CHECK(ok(edge, late));
    CHECK(current(edge, items) == items.size());
    CHECK(edge.suspects <= items.size());
    CHECK(owner->me->owner().load() == items.size() + 1);
}

TEST_CASE("Items of an owner that is silent become suspect some in a turn", "[mesh]") {
    SimulatedBus bus(3, 3);
    TestHub owner(bus, 0, 1, 10), other(bus, 1, 1, 11), edge(bus, 2, 1, 20, few);
    owner.me->directory().offer("S", {});
    other.me->directory().offer("T", {});
    const auto items = openMany(edge);
    const auto probe = static_cast<std::uint32_t>(edge.me->edge().open("T", "P"));
    pass(bus, {&owner, &other, &edge}, 3000ms);
    REQUIRE(current(edge, items) == kItems);
    edge.suspects = 0;
    bus.cut(0, 2, true);
    Probe p{edge, other, probe};
    while (current(edge, items) != 0)
        p.turn(bus);
    while (edge.me->busy())
        p.turn(bus);
    CHECK(p.most == kATurn);
    CHECK(edge.suspects == kItems);
    bus.cut(0, 2, false);
    pass(bus, {&owner, &other, &edge}, 2000ms);
    CHECK(current(edge, items) == kItems);
}

TEST_CASE("Owners that are silent together share what a turn has", "[mesh]") {
    SimulatedBus bus(5, 3);
    TestHub one(bus, 0, 1, 10), two(bus, 1, 1, 11), edge(bus, 2, 1, 20, few);
    one.me->directory().offer("S", {});
    two.me->directory().offer("T", {});
    std::vector<std::uint32_t> of[2] = {openMany(edge), {}};
    for (std::size_t i = 0; i < kItems; ++i)
        of[1].push_back(static_cast<std::uint32_t>(edge.me->edge().open("T", "B" + std::to_string(i))));
    pass(bus, {&one, &two, &edge}, 3000ms);
    REQUIRE(current(edge, of[0]) + current(edge, of[1]) == 2 * kItems);
    edge.everSuspect.clear();
    bus.cut(0, 2, true);
    bus.cut(1, 2, true);
    bus.run(5000ms);  // without a look: then both are silent at once
    const auto told = [&](std::size_t of_) {
        return static_cast<std::size_t>(
            std::ranges::count_if(of[of_], [&](std::uint32_t i) { return edge.everSuspect.contains(i); }));
    };
    while (edge.everSuspect.size() < kItems) {
        bus.run(3ms);
        edge.me->tick();
    }
    CHECK(told(0) > kItems / 3);
    CHECK(told(1) > kItems / 3);
}

TEST_CASE("A node that is lost, or begins a new life, gives its interest up some items in a turn", "[mesh]") {
    SimulatedBus bus(4, 3);
    TestHub owner(bus, 0, 1, 10, few), other(bus, 1, 1, 30);
    auto edge = std::make_unique<TestHub>(bus, 2, 1, 20);
    owner.me->directory().offer("S", {});
    static_cast<void>(openMany(*edge));
    const std::uint32_t both = openOn(other, "A0");
    pass(bus, {&owner, &other, edge.get()}, 3000ms);
    REQUIRE(owner.me->owner().load() == kItems + 1);
    const auto drain = [&] {
        std::size_t turns = 0;
        for (; owner.me->busy(); ++turns) {
            const std::uint64_t before = owner.unwantedCalls;
            const std::uint32_t load = owner.me->owner().load();
            owner.me->tick();
            CHECK(owner.unwantedCalls - before <= kATurn);
            CHECK(load - owner.me->owner().load() <= kATurn);
        }
        return turns;
    };

    bus.kill(2);  // it begins a new life at once, and wants every other item
    edge = std::make_unique<TestHub>(bus, 2, 2, 20);
    edge->me->tick();
    bus.run(5ms);
    REQUIRE(owner.me->busy());
    CHECK(owner.me->owner().load() == kItems + 1);
    owner.me->tick();
    CHECK(owner.me->owner().load() == kItems + 1 - kATurn);
    const std::uint64_t frames = owner.me->counts().framesOut.get();
    REQUIRE(owner.me->owner().update(owner.numbers["A1"], eta::asBytes("1")));  // nobody is there who could have it
    owner.me->owner().flush();
    CHECK(owner.me->counts().framesOut.get() == frames);
    std::vector<std::uint32_t> items;
    for (std::size_t i = 0; i < kItems; i += 2)
        items.push_back(openOn(*edge, "A" + std::to_string(i)));
    pass(bus, {&owner, &other, edge.get()}, 2500ms);
    CHECK_FALSE(owner.me->busy());
    CHECK(owner.me->owner().load() == kItems / 2 + 1);
    CHECK(current(*edge, items) == items.size());
    REQUIRE(owner.me->owner().update(owner.numbers["A2"], eta::asBytes("2")));
    pass(bus, {&owner, &other, edge.get()}, 10ms);
    CHECK(edge->texts[items[1]] == "image 2");

    bus.kill(2);  // and now it falls silent
    const std::uint64_t gone = owner.unwantedCalls;
    for (int i = 0; i < 12'000 && !owner.me->busy(); ++i)
        pass(bus, {&owner, &other}, 1ms);
    CHECK(drain() + 1 >= kItems / 2 / kATurn);            // the first turn has been
    CHECK(owner.unwantedCalls - gone == kItems / 2 - 1);  // the other hub has A0
    CHECK(owner.me->owner().load() == 1);
    CHECK(ok(other, both));
}

TEST_CASE("Nodes that come and go again and again leave no places behind", "[mesh]") {
    SimulatedBus bus(5, 2);
    TestHub owner(bus, 0, 1, 10, [](MeshOptions& o) { o.walkATurn = 1; });
    owner.me->directory().offer("S", {});
    std::unique_ptr<TestHub> edge;
    for (std::uint64_t life = 1; life <= 100; ++life) {
        if (edge) bus.kill(1);
        edge = std::make_unique<TestHub>(bus, 1, life, 20);
        static_cast<void>(openMany(*edge, 5));
        pass(bus, {edge.get()}, 3ms);
        owner.me->tick();
        bus.run(3ms);
        for (std::size_t i = 0; i < 20; ++i)  // its requests come, and its life ends with most items not walked over
            edge->me->tick(), bus.run(1ms);
    }
    const auto items = openMany(*edge, 5);
    pass(bus, {&owner, edge.get()}, 3000ms);
    CHECK(owner.me->owner().load() == 5);
    CHECK(current(*edge, items) == 5);
    CHECK(owner.me->counts().refusedNodes.get() == 0);
}
