// Nodes on a bus without faults: rates and bounds, malformed frames, what an update costs, what stays behind.
#include "node_hub.h"
#include "support/AllocationCounter.h"

using namespace emissary;
using namespace emissary::hub::mesh;
using namespace emissary::test::nodes;
using namespace std::chrono_literals;
using test::SimulatedBus;

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

TEST_CASE("Items that have come and gone leave room for others, and their numbers are no others'", "[mesh]") {
    SimulatedBus bus(1, 2);
    TestHub owner(bus, 0, 1, 10, [](MeshOptions&o) { o.maxItems = 10; }), edge(bus, 1, 1, 20);
    owner.me->directory().offer("S", {});
    std::uint32_t highest = 0;
    const auto openAll = [&](const std::string& prefix) {
        std::vector<std::uint32_t> open;
        for (int i = 0; i < 10; ++i)
            open.push_back(openOn(edge, prefix + std::to_string(i)));
        pass(bus, {&owner, &edge}, 2000ms);
        const std::uint32_t before = highest;
        for (int i = 0; i < 10; ++i) {
            const std::string name = prefix + std::to_string(i);
            INFO(name);
            CHECK(ok(edge, open[static_cast<std::size_t>(i)]));
            CHECK(owner.numbers.at(name) > before);
            highest = std::max(highest, owner.numbers.at(name));
        }
        return open;
    };
    for (const char* const round : {"A", "B", "C"}) {  // nobody wants them any more
        for (const std::uint32_t item : openAll(round))
            edge.me->edge().close(item);
        pass(bus, {&owner, &edge}, 100ms);
    }
    for (const char* const round : {"D", "E", "F"}) {  // they end here
        const std::vector<std::uint32_t> open = openAll(round);
        for (int i = 0; i < 10; ++i)
            owner.me->owner().close(owner.numbers.at(round + std::to_string(i)), eta::asBytes(std::string_view("end")));
        pass(bus, {&owner, &edge}, 100ms);
        CHECK(owner.me->owner().load() == 0);
        for (const std::uint32_t item : open)
            edge.me->edge().close(item);
    }
    CHECK(owner.me->counts().refusedItems.get() == 0);
    CHECK(edge.ends.size() == 10);  // each again and again: the edge uses its places anew
    // An item that gave way is closed for whoever still has its number, and is another one when it is asked for again.
    const std::uint32_t kept = openOn(edge, "G");
    pass(bus, {&owner, &edge}, 500ms);
    const std::uint32_t number = owner.numbers.at("G");
    owner.me->owner().leave(0);
    owner.me->owner().join(0, 20, 1);
    for (int i = 0; i < 10; ++i)
        static_cast<void>(openOn(edge, "H" + std::to_string(i)));
    pass(bus, {&owner, &edge}, 3000ms);
    CHECK(edge.ends.contains(kept));
    CHECK(owner.me->owner().version(number) == 0);
    CHECK(owner.me->owner().load() == 10);
}

TEST_CASE("Records by number are where they were put, and pages without any are given back", "[mesh]") {
    Numbered<std::string> records;
    CHECK(records.find(0) == nullptr);
    CHECK(records.find(0xFFFFFFFF) == nullptr);
    for (std::uint32_t n = 1; n <= 5000; ++n)
        records.make(n) = std::to_string(n);
    std::string* const first = records.find(1);
    CHECK(records.size() == 5000);
    records.forEach([&](std::uint32_t n, std::string& is) {
        CHECK(is == std::to_string(n));
        if (n != 1 && n != 3000) records.erase(n);
    });
    records.erase(2);
    records.erase(77777);
    CHECK(records.size() == 2);
    CHECK(records.find(1) == first);
    CHECK(*records.find(3000) == "3000");
    CHECK(records.find(2) == nullptr);
    CHECK(records.find(4999) == nullptr);
    records.make(4999) = "again";
    CHECK(*records.find(4999) == "again");
    CHECK(records.make(2).empty());
    CHECK(records.size() == 4);
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
