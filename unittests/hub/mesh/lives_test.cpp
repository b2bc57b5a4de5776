// Epochs: new lives of owners and edges, clocks that went back, hubs of one name.
#include "node_hub.h"

using namespace emissary;
using namespace emissary::hub::mesh;
using namespace emissary::test::nodes;
using namespace std::chrono_literals;
using test::SimulatedBus;

namespace {

/// A heartbeat of a third node, which knows this epoch of the hub's name, or the first bytes of it.
void knows(TestHub& hub, std::uint64_t beat, std::uint64_t epoch, std::size_t bytes = 28) {
    std::array<std::byte, 28> body{};
    eta::storeBe(body.data(), epoch);
    Batch batch;
    REQUIRE(batch.add(Kind::peerState, 10, 0, eta::Bytes(body).first(bytes)));
    Header h;
    h.type = FrameType::heartbeat;
    h.node = 99;
    h.epoch = 1;
    h.sequence = beat;
    batch.flush(h, kMostPayload, [&](eta::Bytes frame) { hub.me->received(frame); });
}

}  // namespace

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
    const auto says = [&](std::uint64_t epoch, std::size_t bytes = 28) { knows(hub, beats++, epoch, bytes); };
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

TEST_CASE("Of two hubs with one name that cannot hear each other one falls silent, and the other is heard", "[mesh]") {
    SimulatedBus bus(GENERATE(1u, 2u, 3u), 3);
    bus.cut(0, 1, true);
    bus.cut(1, 0, true);
    TestHub first(bus, 0, 5, 10), other(bus, 2, 1, 20);
    first.me->directory().offer("S", {});
    const std::uint32_t a = openOn(other, "A");
    pass(bus, {&first, &other}, 15'000ms);
    // The one that was there longer stays: a copied configuration must not silence it.
    TestHub second(bus, 1, 6, 10);
    second.me->directory().offer("S", {});
    for (int i = 0; i < 40 && !first.me->stopped() && !second.me->stopped(); ++i)
        pass(bus, {&first, &second, &other}, 1000ms);
    REQUIRE(second.me->stopped());
    REQUIRE_FALSE(first.me->stopped());
    TestHub &silent = second, &stays = first;
    CHECK(silent.me->overtaken());
    CHECK_FALSE(stays.me->overtaken());
    CHECK(silent.me->counts().livesAnew.get() == 2);
    pass(bus, {&first, &second, &other}, 15'000ms);
    CHECK_FALSE(stays.me->stopped());
    CHECK(stays.me->counts().livesAnew.get() <= 3);
    CHECK(other.me->peers() == 1);
    CHECK(ok(other, a));
    // Once more, much later: a clock that goes back twice in a year has no namesake.
    const std::uint64_t epoch = stays.me->options().epoch;
    std::uint64_t beats = 0;
    const auto says = [&](std::uint64_t known) { knows(stays, beats++, known); };
    for (std::uint64_t i = 1; i <= 6; ++i) {
        pass(bus, {&first, &second, &other}, 11'000ms);
        says(epoch + 100 * i);
        CHECK(stays.me->options().epoch == epoch + 100 * i + 1);
    }
    CHECK_FALSE(stays.me->stopped());
}
