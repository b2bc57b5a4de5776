// Nodes on a bus without faults: who is asked, what is sent, and what a peer cannot do.
#include "SimulatedBus.h"
#include "hub/mesh/MeshNode.h"
#include "support/AllocationCounter.h"
#include "support/catch.hpp"

#include <map>

using namespace emissary;
using namespace emissary::hub::mesh;
using namespace std::chrono_literals;
using test::SimulatedBus;

namespace {

struct TestHub final : OwnItems, EdgeListener {
    TestHub(SimulatedBus& bus, std::size_t index, std::uint64_t epoch, std::uint32_t node,
            const std::function<void(MeshOptions&)>& change = {})
        : bus(bus) {
        MeshOptions o;
        o.node = node;
        o.epoch = epoch;
        if (change) change(o);
        bus.begin(index, [this](eta::Bytes frame) { mesh.emplace_back(frame.begin(), frame.end()), process(); });
        me = std::make_unique<MeshNode>(bus.of(index), *this, *this, o);
    }
    void process() {
        if (!keepFrames) {
            const auto frame = std::move(mesh.back());
            mesh.pop_back();
            me->received(frame);
        } else {
            me->received(mesh.back());
        }
    }
    bool wanted(std::uint32_t number, std::string_view, std::string_view name) override {
        if (lacks || name.starts_with("no")) return false;
        numbers[std::string(name)] = number;
        return true;
    }
    void writeImage(std::uint32_t, eta::BeWriter& out) override { out.bytes(image_); }
    void unwanted(std::uint32_t) override { ++unwantedCalls; }
    void image(std::uint32_t item, std::uint32_t, eta::Bytes refresh) override {
        texts[item] = std::string(eta::asText(refresh));
    }
    void update(std::uint32_t item, std::uint32_t, eta::Bytes message) override {
        ++updates;
        lastItem = item;
        lastSize = message.size();
        if (keepTexts) texts[item] += eta::asText(message);
    }
    void state(std::uint32_t, bool current) override { current ? ++oks : ++suspects; }
    bool canReplace(eta::Bytes image) const override { return eta::asText(image) != notYet; }
    void ended(std::uint32_t item, eta::Bytes status) override { ends[item] = std::string(eta::asText(status)); }

    SimulatedBus& bus;
    std::unique_ptr<MeshNode> me;
    std::vector<std::vector<std::byte>> mesh;
    eta::Bytes image_ = eta::asBytes("image ");
    std::string_view notYet = "not yet";
    std::map<std::string, std::uint32_t, std::less<>> numbers;
    std::map<std::uint32_t, std::string> texts, ends;
    std::uint64_t updates = 0, oks = 0, suspects = 0, unwantedCalls = 0, lastSize = 0;
    std::uint32_t lastItem = 0;
    bool keepFrames = false, keepTexts = true;
    bool lacks = false;  ///< it serves no item
};

/// Lets time go on in small steps.
void pass(SimulatedBus& bus, std::initializer_list<TestHub*> hubs, std::chrono::milliseconds time) {
    for (std::chrono::microseconds t{}; t < time; t += 1ms) {
        for (TestHub* h : hubs)
            h->me->tick();
        bus.run(1ms);
    }
}

std::uint32_t openOn(TestHub& hub, const std::string& name) {
    const std::int64_t index = hub.me->edge().open("S", name);
    REQUIRE(index >= 0);
    return static_cast<std::uint32_t>(index);
}

/// The last sequence of any lane to one hub.
std::uint64_t lastTo(TestHub& owner) {
    std::uint64_t least = 0;
    for (std::size_t slot = 0; slot < 64; ++slot)
        least = std::max(least, owner.me->owner().lastTo(slot));
    return least;
}

bool ok(const TestHub& hub, std::uint32_t item) {
    return hub.me->edge().isCurrent(item, hub.bus.now());
}

}  // namespace

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
    pass(bus, {owner.get(), &edge}, 2500ms);
    CHECK_FALSE(ok(edge, a));
    CHECK(edge.me->counts().staleFrames.get() > 0);
}

TEST_CASE("Of two hubs with one name the younger falls silent; a restart alone silences nobody", "[mesh]") {
    SimulatedBus bus(1, 3);
    TestHub first(bus, 0, 5, 10), second(bus, 1, 6, 10);
    pass(bus, {&first, &second}, 5000ms);
    CHECK(second.me->stopped());
    CHECK_FALSE(first.me->stopped());
}

TEST_CASE("Requests keep to their rate", "[mesh]") {
    SimulatedBus bus(1, 2);
    TestHub owner(bus, 0, 1, 10), edge(bus, 1, 1, 20, [](MeshOptions&o) { o.requestRate = 1000; });
    owner.me->directory().offer("S", {});
    for (int i = 0; i < 2000; ++i)
        openOn(edge, "A" + std::to_string(i));
    pass(bus, {&owner, &edge}, 500ms);
    const std::uint64_t before = edge.me->counts().asked.get();
    pass(bus, {&owner, &edge}, 1000ms);
    CHECK(edge.me->counts().asked.get() - before <= 1060);
    CHECK(edge.me->counts().asked.get() - before >= 400);
    pass(bus, {&owner, &edge}, 3000ms);
    CHECK(edge.texts.size() == 2000);
}

TEST_CASE("What a peer can make grow has a bound and a count", "[mesh]") {
    SimulatedBus bus(1, 2);
    const auto small = [](MeshOptions& o) {
        o.maxItems = 10;
        o.maxNodes = 3;
        o.maxServices = 2;
        o.maxPending = 5;
        o.maxPendingBytes = 100;
    };
    TestHub owner(bus, 0, 1, 10, small), edge(bus, 1, 1, 20);
    owner.me->directory().offer("S", {});
    owner.me->directory().offer("T", {});
    CHECK_FALSE(owner.me->directory().offer("U", {}));
    for (int i = 0; i < 20; ++i)
        openOn(edge, "A" + std::to_string(i));
    pass(bus, {&owner, &edge}, 2000ms);
    CHECK(owner.me->owner().load() == 10);
    CHECK(owner.me->counts().refusedItems.get() == 10);
    CHECK(edge.ends.size() == 10);

    for (std::uint32_t i = 0; i < 10; ++i) {
        Batch empty;
        Header h;
        h.type = FrameType::heartbeat;
        h.node = 100 + i;
        h.epoch = 1;
        empty.flush(h, kMostPayload, [&](Bytes f) { owner.me->received(f); });
    }
    CHECK(owner.me->peers() == 3);
    CHECK(owner.me->counts().refusedNodes.get() == 8);

    Pending pending(5, 100);
    const std::vector<std::byte> body(40);
    Record r;
    r.body = body;
    std::size_t dropped = 0;
    for (r.version = 1; r.version <= 10; ++r.version)
        dropped += pending.hold(1, r, 1);
    CHECK(dropped == 8);
    CHECK(pending.size() == 2);
    Pending::Held held;
    CHECK_FALSE(pending.take(1, 8, held));
    CHECK(pending.take(1, 9, held));
    pending.drop(1);
    CHECK(pending.size() == 0);
}

TEST_CASE("Malformed and compressed frames are counted, and nothing else happens", "[mesh]") {
    SimulatedBus bus(1, 2);
    TestHub owner(bus, 0, 1, 10), edge(bus, 1, 1, 20);
    owner.me->directory().offer("S", {});
    edge.keepFrames = true;
    const std::uint32_t a = openOn(edge, "A");
    pass(bus, {&owner, &edge}, 2000ms);
    REQUIRE(ok(edge, a));
    const auto frames = std::exchange(edge.mesh, {});
    edge.keepFrames = false;
    std::uint64_t cut = 0;
    for (const auto& f : frames)
        for (std::size_t n = 0; n < f.size(); ++n) {
            if (n == kHeaderBytes && readHeader(f).value().records == 0) continue;
            edge.me->received(Bytes(f).first(n));
            ++cut;
        }
    CHECK(edge.me->counts().refusedFrames.get() == cut);
    for (auto f : frames) {
        f[23] |= std::byte{1};
        edge.me->received(f);
    }
    CHECK(edge.me->counts().compressedFrames.get() == frames.size());
    for (const auto& f : frames)  // once more what came already
        edge.me->received(f);
    CHECK(ok(edge, a));
    CHECK(edge.texts[a] == "image ");
    CHECK(edge.me->counts().images.get() == 1);
}

TEST_CASE("An update allocates nothing on either side", "[mesh]") {
    struct Loop final : Bus {
        void publish(std::string_view, Bytes frame) override {
            if (to != nullptr) to->received(frame);
        }
        void subscribe(std::string_view) override {}
        void unsubscribe(std::string_view) override {}
        [[nodiscard]] eta::TimePoint now() const noexcept override { return time; }
        MeshNode* to = nullptr;
        eta::TimePoint time{1h};
    };
    SimulatedBus unused(1, 2);
    TestHub ownerHub(unused, 0, 1, 10), edgeHub(unused, 1, 1, 20);
    Loop fromOwner, fromEdge;
    MeshOptions o;
    o.epoch = 1;
    o.node = 10;
    MeshNode owner(fromOwner, ownerHub, ownerHub, o);
    o.node = 20;
    MeshNode edge(fromEdge, edgeHub, edgeHub, o);
    fromOwner.to = &edge;
    fromEdge.to = &owner;
    edgeHub.keepTexts = false;
    owner.directory().offer("S", {});
    const auto item = static_cast<std::uint32_t>(edge.edge().open("S", "A"));
    const auto tick = [&](std::chrono::milliseconds t) {
        fromOwner.time += t;
        fromEdge.time += t;
        owner.tick();
        edge.tick();
    };
    for (int i = 0; i < 40; ++i)
        tick(100ms);
    REQUIRE(edge.edge().isCurrent(item, fromEdge.time));
    const std::vector<std::byte> body(145);
    const auto many = [&] {
        for (int i = 0; i < 100'000; ++i)
            static_cast<void>(owner.owner().update(ownerHub.numbers["A"], body));
        owner.owner().flush();
    };
    many();
    const std::uint32_t number = ownerHub.numbers["A"];
    const std::uint64_t updates = edgeHub.updates, before = test::allocationsOfThisThread();
    for (int i = 0; i < 100'000; ++i)
        static_cast<void>(owner.owner().update(number, body));
    owner.owner().flush();
    CHECK(test::allocationsOfThisThread() == before);
    CHECK(edgeHub.updates - updates == 100'000);
    CHECK(edgeHub.lastSize == 145);
    // What a pass through both sides costs, without a bus: for the record.
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < 1'000'000; ++i)
        static_cast<void>(owner.owner().update(number, body));
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    WARN("an update through owner and edge: " << took.count() / 1e6 << " ns");
}

TEST_CASE("Frames are no longer than the bus allows, whatever is in them", "[mesh]") {
    SimulatedBus bus(5, 2);
    bus.mostFrame = 72 * 1024;
    TestHub owner(bus, 0, 1, 10), edge(bus, 1, 1, 20);
    const std::string large(400 * 1024, 'x');
    owner.image_ = eta::asBytes(large);
    for (int i = 0; i < 600; ++i)  // a directory of several frames
        REQUIRE(owner.me->directory().offer(
            "S" + std::string(static_cast<std::size_t>(i) % 250, 's') + std::to_string(i), {}));
    owner.me->directory().offer("S", {});
    const std::uint32_t a = openOn(edge, "A");
    for (int i = 0; i < 400; ++i)  // requests fill a frame
        static_cast<void>(openOn(edge, "no" + std::string(250, 'n') + std::to_string(i)));
    pass(bus, {&owner, &edge}, 2000ms);
    CHECK(edge.texts[a] == large);
    CHECK(ok(edge, a));
    CHECK(edge.ends.size() == 400);
    REQUIRE(owner.me->owner().update(owner.numbers["A"], eta::asBytes(large)));
    pass(bus, {&owner, &edge}, 50ms);
    CHECK(edge.texts[a].size() == 2 * large.size());
    CHECK(ok(edge, a));
}

TEST_CASE("A node that came and went leaves no interest behind when it falls silent", "[mesh]") {
    SimulatedBus bus(6, 2);
    TestHub owner(bus, 0, 1, 10), edge(bus, 1, 1, 20);
    owner.me->directory().offer("S", {});
    constexpr int kItems = 100, kRounds = 20;
    std::vector<std::uint32_t> items;
    for (int round = 0; round < kRounds; ++round) {
        for (const std::uint32_t item : std::exchange(items, {}))
            edge.me->edge().close(item);
        for (int i = 0; i < kItems; ++i)
            items.push_back(openOn(edge, std::to_string(i)));
        pass(bus, {&owner, &edge}, 1000ms);
        REQUIRE(owner.me->owner().load() == kItems);
    }
    CHECK(std::all_of(items.begin(), items.end(), [&](std::uint32_t i) { return ok(edge, i); }));
    CHECK(owner.unwantedCalls == kItems * (kRounds - 1));
    owner.me->owner().close(owner.numbers["7"], {});
    pass(bus, {&owner}, 11000ms);
    CHECK(owner.me->owner().load() == 0);
    CHECK(owner.unwantedCalls == kItems * kRounds - 1);
}
