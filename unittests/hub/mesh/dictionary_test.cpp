// The dictionary of an owner, fetched part by part: over a bus that loses, by rank, anew when it changes, and bounded;
// and owners that offer what cannot be used, send nothing, or send parts that nobody asked them for.
#include "SimulatedBus.h"
#include "hub/mesh/MeshNode.h"
#include "support/catch.hpp"

#include <memory>
#include <set>
#include <string>
#include <vector>

using namespace emissary;
using namespace emissary::hub::mesh;
using namespace emissary::test;
using namespace std::chrono_literals;

namespace {

[[nodiscard]] DictionaryParts made(std::uint64_t id, std::size_t parts, std::size_t bytes) {
    DictionaryParts d;
    d.id = id;
    d.version = "v" + std::to_string(id);
    for (std::size_t i = 0; i < parts; ++i)
        d.parts.emplace_back(bytes, static_cast<std::byte>(id + i));
    return d;
}

struct DictionaryHub final : OwnItems, EdgeListener {
    DictionaryHub(SimulatedBus& bus, std::size_t index, int rank) : bus(bus) {
        MeshOptions o;
        o.node = static_cast<std::uint32_t>(0x10 + index);
        o.epoch = 1;
        me = std::make_unique<MeshNode>(bus.of(index), *this, *this, o);
        bus.begin(index, [this](eta::Bytes frame) {
            if (!deaf || (*readHeader(frame)).type != FrameType::request) me->received(frame);
        });
        if (rank >= 0)
            me->directory().offer("S", {static_cast<std::uint8_t>(rank), true, false, "hub" + std::to_string(index)});
    }
    bool wanted(std::uint32_t, std::string_view, std::string_view) override { return false; }
    void writeImage(std::uint32_t, eta::BeWriter&) override {}
    void unwanted(std::uint32_t) override {}
    void image(std::uint32_t, std::uint32_t, eta::Bytes) override {}
    void update(std::uint32_t, std::uint32_t, eta::Bytes) override {}
    void state(std::uint32_t, bool) override {}
    void ended(std::uint32_t, eta::Bytes) override {}
    bool canReplace(eta::Bytes) const override { return true; }
    DictionaryUse dictionary(const DictionaryParts& all, const std::string& hub, std::uint32_t step) override {
        begun += step == 0 ? 1 : 0;
        CHECK(step == (begun != before ? 0 : next));
        before = begun;
        next = step + 1;
        if (step < work) return DictionaryUse::more;
        got.push_back(all.id);
        parts = all.parts;
        from = hub;
        return unreadable.contains(all.id) ? DictionaryUse::refused : DictionaryUse::taken;
    }
    SimulatedBus& bus;
    std::unique_ptr<MeshNode> me;
    std::vector<std::uint64_t> got;
    std::vector<std::vector<std::byte>> parts;
    std::string from;
    std::set<std::uint64_t> unreadable;
    bool deaf = false;  ///< to requests
    std::uint32_t work = 0, next = 0, begun = 0, before = 0;
};

void pass(SimulatedBus& bus, std::initializer_list<DictionaryHub*> hubs, std::chrono::milliseconds time) {
    for (std::chrono::microseconds t{}; t < time; t += 1ms) {
        for (DictionaryHub* h : hubs)
            if (h->me) h->me->tick();
        bus.run(1ms);
    }
}

using Ids = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("A dictionary comes whole and once over a bus that loses, doubles and reorders", "[mesh]") {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        INFO("seed " << seed);
        SimulatedBus bus(seed, 2);
        bus.mostFrame = 72 * 1024 + 32;  // an answer goes in fragments
        DictionaryHub owner(bus, 0, 1), edge(bus, 1, -1);
        owner.me->owner().offer(made(7, 50, 40'000));
        edge.me->edge().wantDictionary(true);
        bus.faults.loss = 5;
        bus.faults.twice = 20;
        bus.faults.reorder = 10;
        bus.faults.mostDelay = 5ms;
        pass(bus, {&owner, &edge}, 120s);
        REQUIRE(edge.got == Ids{7});
        CHECK(edge.parts == made(7, 50, 40'000).parts);
        CHECK(edge.from == "hub0");
        // Another one, while the first is in use.
        owner.me->owner().offer(made(8, 3, 100));
        pass(bus, {&owner, &edge}, 20s);
        CHECK(edge.got == Ids{7, 8});
        CHECK(edge.parts == made(8, 3, 100).parts);
        CHECK(edge.me->counts().dictionaries.get() == 2);
        // Nobody asks when there is nothing new.
        bus.heal();
        const std::uint64_t ignored = owner.me->counts().ignoredRecords.get();
        pass(bus, {&owner, &edge}, 5s);
        CHECK(edge.got.size() == 2);
        CHECK(owner.me->counts().ignoredRecords.get() == ignored);
    }
}

TEST_CASE("The dictionary is that of the owner with the best rank, and of the next one when that is lost", "[mesh]") {
    SimulatedBus bus(1, 4);
    DictionaryHub second(bus, 0, 5), first(bus, 1, 4), edge(bus, 2, -1), silent(bus, 3, -1);
    second.me->owner().offer(made(50, 2, 10));
    first.me->owner().offer(made(40, 2, 10));
    silent.me->owner().offer(made(1, 2, 10));  // it offers no service
    pass(bus, {&second, &first, &edge, &silent}, 2s);
    CHECK(edge.got.empty());  // it is not wanted
    REQUIRE(edge.me->edge().dictionaries().size() == 2);
    for (const auto& d : edge.me->edge().dictionaries())
        CHECK(d.version == (d.hub == "hub1" ? "v40" : "v50"));
    edge.me->edge().wantDictionary(true);
    pass(bus, {&second, &first, &edge, &silent}, 2s);
    CHECK(edge.got == Ids{40});
    first.me.reset();
    bus.kill(1);
    pass(bus, {&second, &edge, &silent}, 5s);
    CHECK(edge.got == Ids{40, 50});
    CHECK(edge.me->edge().dictionaries().size() == 1);
    // A hub that has one of its own now asks nobody.
    edge.me->edge().wantDictionary(false);
    second.me->owner().offer(made(51, 2, 10));
    pass(bus, {&second, &edge, &silent}, 3s);
    CHECK(edge.got == Ids{40, 50});
}

TEST_CASE("A dictionary that is too long or cannot be read is refused once, and the next one is taken", "[mesh]") {
    SimulatedBus bus(1, 2);
    DictionaryHub owner(bus, 0, 1), edge(bus, 1, -1);
    edge.me->edge().wantDictionary(true);
    SECTION("too many parts") {
        owner.me->owner().offer(made(7, kMostDictionaryParts + 1, 1));
    }
    SECTION("too many bytes") {
        owner.me->owner().offer(made(7, kMostDictionary / kMostDictionaryPart + 1, kMostDictionaryPart));
    }
    SECTION("the listener cannot read it") {
        edge.unreadable = {7};
        owner.me->owner().offer(made(7, 4, 10));
    }
    pass(bus, {&owner, &edge}, 20s);
    CHECK(edge.got.size() == edge.unreadable.size());
    CHECK(edge.me->counts().refusedDictionaries.get() == 1);
    CHECK(edge.me->counts().dictionaries.get() == 0);
    owner.me->owner().offer(made(9, 4, 10));
    pass(bus, {&owner, &edge}, 3s);
    CHECK(edge.got.back() == 9);
    CHECK(edge.me->counts().dictionaries.get() == 1);
}

TEST_CASE("Owners whose dictionaries cannot be read are asked once each, and the next one is used", "[mesh]") {
    SimulatedBus bus(1, 4);
    DictionaryHub first(bus, 0, 1), second(bus, 1, 2), edge(bus, 2, -1), third(bus, 3, 3);
    first.me->owner().offer(made(10, 9, 100));
    second.me->owner().offer(made(20, 9, 100));
    edge.unreadable = {10, 20};
    pass(bus, {&first, &second, &edge}, 2s);
    edge.me->edge().wantDictionary(true);
    pass(bus, {&first, &second, &edge}, 60s);
    CHECK(edge.got == Ids{10, 20});
    CHECK(edge.me->counts().refusedDictionaries.get() == 2);
    // They do not stand in the way of one that comes later.
    third.me->owner().offer(made(30, 9, 100));
    pass(bus, {&first, &second, &edge, &third}, 3s);
    CHECK(edge.got == Ids{10, 20, 30});
    CHECK(edge.me->counts().dictionaries.get() == 1);
    // The same id at another node is another matter.
    edge.unreadable = {};
    third.me->owner().offer(made(20, 9, 100));
    pass(bus, {&first, &second, &edge, &third}, 3s);
    CHECK(edge.got == Ids{10, 20, 30, 20});
    CHECK(edge.from == "hub3");
}

TEST_CASE("A node that offers one bad dictionary after the other is asked more and more rarely", "[mesh]") {
    SimulatedBus bus(1, 2);
    DictionaryHub owner(bus, 0, 1), edge(bus, 1, -1);
    edge.me->edge().wantDictionary(true);
    for (std::uint64_t id = 1; id <= 120; ++id) {
        edge.unreadable.insert(id);
        owner.me->owner().offer(made(id, 2, 100));
        pass(bus, {&owner, &edge}, 1s);
    }
    CHECK(edge.got.size() >= 4);
    CHECK(edge.got.size() <= 8);  // after 1, 2, 4, 8, 16, 32 s
}

TEST_CASE("Parts of a dictionary are taken from the node that was asked alone", "[mesh]") {
    SimulatedBus bus(1, 3);
    DictionaryHub owner(bus, 0, 1), edge(bus, 1, -1), other(bus, 2, 2);
    // It says that it has the same one; its parts are other bytes, or too many.
    const std::size_t bytes = GENERATE(std::size_t{100}, kMostDictionaryPart);
    owner.me->owner().offer(made(7, 200, 100));
    other.me->owner().offer(made(7, 200, 100));
    pass(bus, {&owner, &edge, &other}, 2s);
    edge.me->edge().wantDictionary(true);
    edge.me->tick();
    std::array<std::byte, 8> word;
    for (std::uint32_t n = 0; n < 200; ++n) {
        Batch batch;
        eta::storeBe(word.data(), std::uint64_t{1});
        REQUIRE(batch.add(Kind::addressee, 0, 0, word));
        std::vector<std::byte> body(8 + bytes, std::byte{0xEE});
        eta::storeBe(body.data(), std::uint64_t{7});
        REQUIRE(batch.add(Kind::dictionaryPart, n, 200, body));
        Header h;
        h.type = FrameType::reply;
        h.node = 0x12;
        h.epoch = 1;
        h.sequence = 1'000'000 + n;
        batch.flush(h, kMostPayload, [&](eta::Bytes frame) { edge.me->received(frame); });
    }
    pass(bus, {&owner, &edge, &other}, 5s);
    REQUIRE(edge.got == Ids{7});
    CHECK(edge.parts == made(7, 200, 100).parts);
    CHECK(edge.from == "hub0");
    CHECK(edge.me->counts().refusedDictionaries.get() == 0);
}

TEST_CASE("An owner that sends no parts of its dictionary, or empty ones, does not keep the next one away", "[mesh]") {
    SimulatedBus bus(1, 3);
    DictionaryHub silent(bus, 0, 1), edge(bus, 1, -1), good(bus, 2, 2);
    const bool empty = GENERATE(false, true);
    silent.me->owner().offer(made(10, 3, empty ? 0 : 100));
    good.me->owner().offer(made(20, 3, 100));
    pass(bus, {&silent, &edge, &good}, 2s);
    silent.deaf = !empty;
    edge.me->edge().wantDictionary(true);
    pass(bus, {&silent, &edge, &good}, 10s);
    CHECK(edge.got == Ids{20});
    pass(bus, {&silent, &edge, &good}, 60s);
    CHECK(edge.got == Ids{20});
    CHECK(edge.me->counts().refusedDictionaries.get() == (empty ? 1 : 0));
    CHECK(edge.me->counts().unsentDictionaries.get() >= (empty ? 0 : 2));
    CHECK(edge.me->counts().unsentDictionaries.get() <= (empty ? 0 : 6));
    if (empty) return;
    // It is tried again, since it may have been busy.
    silent.deaf = false;
    pass(bus, {&silent, &edge, &good}, 120s);
    CHECK(edge.got == Ids{20, 10});
}

TEST_CASE("An owner that offers another dictionary again and again does not keep the next one away", "[mesh]") {
    SimulatedBus bus(1, 3);
    DictionaryHub restless(bus, 0, 1), edge(bus, 1, -1), good(bus, 2, 2);
    good.me->owner().offer(made(20, 3, 100));
    restless.me->owner().offer(made(99, 3, 100));
    pass(bus, {&restless, &edge, &good}, 2s);
    edge.me->edge().wantDictionary(true);
    restless.deaf = true;
    for (std::uint64_t id = 100; id < 130; ++id) {
        restless.me->owner().offer(made(id, 3, 100));
        pass(bus, {&restless, &edge, &good}, 500ms);
    }
    CHECK(edge.got == Ids{20});
}

TEST_CASE("What a listener does with a dictionary may take many ticks, and begins anew with another one", "[mesh]") {
    SimulatedBus bus(1, 2);
    DictionaryHub owner(bus, 0, 1), edge(bus, 1, -1);
    edge.work = 50;
    edge.me->edge().wantDictionary(true);
    owner.me->owner().offer(made(7, 4, 10));
    for (int i = 0; i < 20'000 && edge.next < 20; ++i)
        pass(bus, {&owner, &edge}, 1ms);
    REQUIRE(edge.next == 20);
    CHECK(edge.got.empty());
    SECTION("to its end") {
        pass(bus, {&owner, &edge}, 40ms);
        CHECK(edge.got == Ids{7});
    }
    SECTION("not when the owner offers another one meanwhile") {
        owner.me->owner().offer(made(8, 4, 10));
        edge.work = 2000;  // longer than until the next heartbeat
        pass(bus, {&owner, &edge}, 5s);
        CHECK(edge.begun == 2);
        CHECK(edge.got == Ids{8});
    }
}

TEST_CASE("A request for parts of a dictionary is answered with a few of them", "[mesh]") {
    SimulatedBus bus(1, 2);
    DictionaryHub owner(bus, 0, 1), edge(bus, 1, -1);
    owner.me->owner().offer(made(7, 20, 10'000));
    pass(bus, {&owner, &edge}, 2s);
    Batch batch;
    std::array<std::byte, 8> word;
    eta::storeBe(word.data(), std::uint64_t{1});
    REQUIRE(batch.add(Kind::addressee, 0, 0, word));
    const bool known = GENERATE(true, false);
    eta::storeBe(word.data(), std::uint64_t{known ? 7u : 8u});
    for (std::uint32_t n = 0; n < 20; ++n)
        REQUIRE(batch.add(Kind::dictionaryPart, n, 0, word));
    Header h;
    h.type = FrameType::request;
    h.node = 0x11;
    h.epoch = 1;
    h.sequence = 1'000'000;
    const std::uint64_t before = owner.me->counts().bytesOut.get();
    batch.flush(h, kMostPayload, [&](eta::Bytes frame) { owner.me->received(frame); });
    const std::uint64_t sent = owner.me->counts().bytesOut.get() - before;
    CHECK(sent < 10'000 * kDictionaryPartsAtOnce + 500);
    if (known) CHECK(sent > 10'000 * kDictionaryPartsAtOnce);
    else CHECK(owner.me->counts().ignoredRecords.get() >= kDictionaryPartsAtOnce);
}
