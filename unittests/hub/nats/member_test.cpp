// Nodes of the mesh on loops of their own: items, updates and their delay, and the identity of a life.
#include "NatsServer.h"
#include "hub/nats/MeshMember.h"
#include "support/TestFolder.h"
#include "support/catch.hpp"
#include "support/until.h"

#include <array>
#include <filesystem>
#include <map>

using namespace emissary;
using namespace std::chrono_literals;
using hub::nats::MeshMember;
using hub::nats::nextEpoch;
using test::NatsServer;
using test::TestFolder;

namespace {

reactor::ReactorOptions named(const std::string& name) {
    reactor::ReactorOptions o;
    o.name = name;
    return o;
}

struct LoopHub final : hub::mesh::OwnItems, hub::mesh::EdgeListener {
    LoopHub(const NatsServer& server, const std::string& name) : loop(named(name)) {
        hub::nats::NatsOptions servers;
        servers.servers = {server.url()};
        hub::mesh::MeshOptions options;
        options.heartbeat = 100ms;
        const auto lock = std::lock_guard(loop.lock());
        eta::Refused refused;
        member = MeshMember::make(loop, *this, *this, name, name + ".epoch", options, servers, refused);
        INFO(refused.text);
        REQUIRE(member != nullptr);
    }
    ~LoopHub() {
        const auto lock = std::lock_guard(loop.lock());
        member.reset();
    }
    bool wanted(std::uint32_t number, std::string_view, std::string_view name) override {
        numbers[std::string(name)] = number;
        return true;
    }
    void writeImage(std::uint32_t, eta::BeWriter& out) override { out.bytes(eta::asBytes("image")); }
    void unwanted(std::uint32_t) override {}
    void image(std::uint32_t item, std::uint32_t, eta::Bytes refresh) override { texts[item] = eta::asText(refresh); }
    void update(std::uint32_t item, std::uint32_t, eta::Bytes message) override { texts[item] += eta::asText(message); }
    void state(std::uint32_t, bool) override {}
    void ended(std::uint32_t, eta::Bytes) override {}
    bool canReplace(eta::Bytes) const override { return true; }

    reactor::Reactor loop;
    std::unique_ptr<MeshMember> member;
    std::map<std::string, std::uint32_t> numbers;
    std::map<std::uint32_t, std::string> texts;
};

template <class Condition>
[[nodiscard]] bool until(LoopHub& a, LoopHub& b, Condition condition) {
    return test::turnUntil(condition, [&] {
        a.loop.dispatch(1ms, 100);
        b.loop.dispatch(1ms, 100);
    });
}

}  // namespace

TEST_CASE("A member on a loop serves another one, first at once and then in batches", "[nats][mesh]") {
    const TestFolder folder;
    NatsServer server;
    LoopHub owner(server, "owner"), edge(server, "edge");
    std::uint32_t item = 0;
    {
        const auto lock = std::lock_guard(owner.loop.lock());
        REQUIRE(owner.member->node().directory().offer("S", {}));
    }
    {
        const auto lock = std::lock_guard(edge.loop.lock());
        item = static_cast<std::uint32_t>(edge.member->node().edge().open("S", "A"));
    }
    const auto current = [&] {
        return edge.member->node().edge().isCurrent(item, edge.member->bus().now()) && edge.texts[item] == "image";
    };
    REQUIRE(until(owner, edge, current));
    // Between heartbeats nothing but the update makes a frame.
    const auto& counts = owner.member->node().counts();
    std::string expected = "image";
    for (int i = 0; i < 50; ++i) {
        const std::string text = std::to_string(i) + ";";
        {
            const auto lock = std::lock_guard(owner.loop.lock());
            REQUIRE(owner.member->update(owner.numbers["A"], eta::asBytes(text)));
        }
        expected += text;
        REQUIRE(until(owner, edge, [&] { return edge.texts[item] == expected; }));
    }
    // A hundred turns with an update each, in a time of a few batches: fewer frames than updates.
    const std::uint64_t before = counts.framesOut.get();
    for (int i = 0; i < 1000; ++i) {
        {
            const auto lock = std::lock_guard(owner.loop.lock());
            REQUIRE(owner.member->update(owner.numbers["A"], eta::asBytes("x")));
        }
        owner.loop.dispatch(0us, 100);
        expected += "x";
    }
    REQUIRE(until(owner, edge, [&] { return edge.texts[item] == expected; }));
    CHECK(counts.framesOut.get() - before < 1000);
    CHECK(edge.member->node().counts().gaps.get() == 0);
}

TEST_CASE("A name is one node in every life, and each life has a higher epoch", "[nats]") {
    const TestFolder folder;
    CHECK(hub::nats::nodeOf("hub-a") == hub::nats::nodeOf("hub-a"));
    CHECK(hub::nats::nodeOf("hub-a") != hub::nats::nodeOf("hub-b"));
    CHECK(hub::nats::nodeOf("") == 0x811c9dc5);  // FNV-1a's first value
    eta::Refused refused;
    const std::uint64_t first = nextEpoch("e", refused), second = nextEpoch("e", refused);
    CHECK(first > 1'600'000'000'000'000'000u);
    CHECK(second > first);
    CHECK(test::contentOf("e") == std::to_string(second) + "\n");
    // A clock that went back by years.
    TestFolder::write("e", "9000000000000000000\n");
    CHECK(nextEpoch("e", refused) == 9'000'000'000'000'000'001u);
    CHECK_FALSE(refused);
    for (const char* const wrong : {"", "x", "12x", "-1", "9223372036854775808", "99999999999999999999999"}) {
        TestFolder::write("e", wrong);
        refused.text.clear();
        CHECK(nextEpoch("e", refused) == 0);
        CHECK(refused.text.starts_with("the file e of the mesh's epoch has no number"));
        CHECK(test::contentOf("e") == wrong);
    }
    // None is written that could not be read again.
    TestFolder::write("e", "9223372036854775806\n");
    refused.text.clear();
    CHECK(nextEpoch("e", refused) == 9'223'372'036'854'775'807u);
    CHECK_FALSE(refused);
    CHECK(nextEpoch("e", refused) == 0);
    CHECK(refused.text.starts_with("the file e of the mesh's epoch has the last number that there is"));
    CHECK(test::contentOf("e") == "9223372036854775807\n");
    refused.text.clear();
    CHECK_FALSE(hub::nats::keepEpoch("e", std::uint64_t{1} << 63, refused));
    CHECK(test::contentOf("e") == "9223372036854775807\n");
    refused.text.clear();
    CHECK(nextEpoch("no/folder", refused) == 0);
    CHECK(refused.text == "the file no/folder of the mesh's epoch cannot be written: No such file or directory");
}

TEST_CASE("A member whose clock went back and whose file is lost is heard again, and keeps the later epoch", "[nats]") {
    const TestFolder folder;
    NatsServer server;
    TestFolder::write("owner.epoch", "4500000000000000000\n");  // in the year 2112
    auto owner = std::make_unique<LoopHub>(server, "owner");
    LoopHub edge(server, "edge");
    const auto offer = [&] {
        const auto lock = std::lock_guard(owner->loop.lock());
        REQUIRE(owner->member->node().directory().offer("S", {}));
    };
    offer();
    std::uint32_t item = 0;
    {
        const auto lock = std::lock_guard(edge.loop.lock());
        item = static_cast<std::uint32_t>(edge.member->node().edge().open("S", "A"));
    }
    const auto current = [&] { return edge.member->node().edge().isCurrent(item, edge.member->bus().now()); };
    REQUIRE(until(*owner, edge, current));
    CHECK(owner->member->node().options().epoch == 4'500'000'000'000'000'001u);
    owner.reset();
    std::filesystem::remove("owner.epoch");
    owner = std::make_unique<LoopHub>(server, "owner");
    CHECK(owner->member->node().options().epoch < 4'500'000'000'000'000'000u);
    offer();
    REQUIRE(until(*owner, edge, [&] {
        return owner->member->node().options().epoch == 4'500'000'000'000'000'002u && current() &&
               test::contentOf("owner.epoch") == "4500000000000000002\n";
    }));
}

namespace {

/// A node that was made up tells the hub of an epoch of its own.
void hears(LoopHub& hub, const std::string& name, std::uint64_t epoch) {
    const auto lock = std::lock_guard(hub.loop.lock());
    std::array<std::byte, 28> body{};
    eta::storeBe(body.data(), epoch);
    hub::mesh::Batch batch;
    REQUIRE(batch.add(hub::mesh::Kind::peerState, hub::nats::nodeOf(name), 0, body));
    hub::mesh::Header h;
    h.type = hub::mesh::FrameType::heartbeat;
    h.node = 99;
    h.epoch = 1;
    batch.flush(h, hub::mesh::kMostPayload, [&](eta::Bytes frame) { hub.member->node().received(frame); });
}

}  // namespace

TEST_CASE("A later epoch that cannot be written is written when it can be", "[nats]") {
    const TestFolder folder;
    NatsServer server;
    LoopHub peer(server, "peer"), hub(server, "hub");
    const auto begun = eta::Clock::now() + 600ms;
    REQUIRE(until(hub, peer, [&] { return eta::Clock::now() > begun; }));
    const std::string first = test::contentOf("hub.epoch");
    std::filesystem::create_directory("hub.epoch.new");  // where the file is made
    hears(hub, "hub", 4'500'000'000'000'000'000u);
    REQUIRE(hub.member->node().options().epoch == 4'500'000'000'000'000'001u);
    REQUIRE(until(hub, peer, [&] { return !hub.member->notKept().empty(); }));
    CHECK(hub.member->notKept() == "the file hub.epoch of the mesh's epoch cannot be written: Is a directory");
    CHECK(test::contentOf("hub.epoch") == first);
    std::filesystem::remove("hub.epoch.new");
    REQUIRE(until(hub, peer, [&] { return test::contentOf("hub.epoch") == "4500000000000000001\n"; }));
    CHECK(hub.member->notKept().empty());
}

TEST_CASE("Whatever epoch a made-up frame says, the hub starts again, twice, from its file", "[nats]") {
    const TestFolder folder;
    NatsServer server;
    LoopHub peer(server, "peer");
    const std::uint64_t said = GENERATE((std::uint64_t{1} << 62) - 1, (std::uint64_t{1} << 63) - 2,
                                        (std::uint64_t{1} << 63) - 1, std::uint64_t{1} << 63);
    const bool taken = said < std::uint64_t{1} << 62;
    auto hub = std::make_unique<LoopHub>(server, "hub");
    const auto epoch = [&] { return hub->member->node().options().epoch; };
    std::uint64_t last = epoch();
    const auto end = eta::Clock::now() + 600ms;  // more than 4 heartbeats: it believes others then
    REQUIRE(until(*hub, peer, [&] { return eta::Clock::now() > end; }));
    hears(*hub, "hub", said);
    if (taken) {
        const std::string text = std::to_string(std::uint64_t{1} << 62) + "\n";
        REQUIRE(until(*hub, peer, [&] { return test::contentOf("hub.epoch") == text; }));
    }
    CHECK((epoch() == last) == !taken);
    for (int restarts = 0; restarts < 2; ++restarts) {
        last = epoch();
        hub.reset();
        hub = std::make_unique<LoopHub>(server, "hub");
        CHECK(epoch() > last);
    }
}
