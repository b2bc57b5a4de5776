// Item groups of a source, as the clients of other hubs see them: their states reach the items of the group, whatever
// the group is called where, and no other items.
#include "hub/backbone/Backbone.h"
#include "hub/nats/NatsServer.h"
#include "offers.h"

using namespace emissary;
using namespace emissary::test;

namespace {

constexpr std::byte kFirst[2] = {std::byte{0}, std::byte{1}}, kSecond[2] = {std::byte{0}, std::byte{2}};

/// A refresh of the item, which is in that group of the hub's source.
void refreshIn(HubFixture& owner, std::int32_t stream, std::string_view name, std::uint64_t bid, eta::Bytes group) {
    Msg m = RawProvider::refresh(stream);
    m.flags |= RefreshFlag::msgKey | RefreshFlag::clearCache;
    m.key.flags = codec::KeyFlag::serviceId | codec::KeyFlag::name;
    m.key.serviceId = HubFixture::kUpstreamId;
    m.key.name = eta::asBytes(name);
    m.groupId = group;
    owner.fill(m, bid);
    owner.provider.send(m);
}

void say(HubFixture& owner, eta::Bytes group, std::uint8_t data, std::string_view text = {}) {
    owner.provider.sendGroupStatus(HubFixture::kUpstreamId, group, {StreamState::open, data, 0, eta::asBytes(text)});
}

/// Answers requests at the owner's provider by name, with a value and a group of each item, until all have come.
void answer(HubFixture& owner, const std::map<std::string, std::pair<std::uint64_t, eta::Bytes>>& items,
            std::map<std::string, std::int32_t>& streams) {
    while (streams.size() < items.size()) {
        const auto got = owner.asked();
        if (got.msg.cls != MsgClass::Request || got.msg.has(RequestFlag::noRefresh)) continue;
        const auto at = items.find(std::string(got.name()));
        REQUIRE(at != items.end());
        streams[at->first] = got.msg.streamId;
        refreshIn(owner, got.msg.streamId, at->first, at->second.first, at->second.second);
    }
}

struct States {
    explicit States(Far& c) {
        c.onState = [this](std::uint8_t state) { bad += state == ok ? 0u : 1u; };
    }
    unsigned bad = 0;
};

/// No item is suspect for want of a proof because the machine did not run this process for a while.
void calm(Meshed& m) {
    m.change = [](HubSettings& s) { s.mesh.heartbeat = 500ms; };
}

void groupStates(Meshed& m) {
    calm(m);
    HubFixture& owner = m.add("owner", Meshed::Role::owner, 1);
    HubFixture& edge = m.add("edge", Meshed::Role::edge);
    owner.connected();
    edge.connected();
    Far ibm(edge, "a", 5), tri(edge, "b", 6), msft(edge, "c", 7);
    FarText text(edge, "IBM");
    // One that hears groups gets the states of its items all the same.
    ibm.wire.send(RawConsumer::directoryRequest(63));
    ibm.open("IBM");
    tri.open("TRI");
    msft.open("MSFT");
    std::map<std::string, std::int32_t> streams;
    answer(owner, {{"IBM", {10, kFirst}}, {"TRI", {20, kFirst}}, {"MSFT", {30, kSecond}}}, streams);
    ibm.until(10);
    tri.until(20);
    msft.until(30);
    text.until("10");
    States others(msft);
    say(owner, kFirst, suspect, "the line is down");
    ibm.untilState(suspect);
    tri.untilState(suspect);
    text.until("10", "Suspect");
    CHECK(ibm.text == "the line is down");
    CHECK(tri.text == "the line is down");
    // Values that come meanwhile are shown, and the items stay suspect.
    owner.update(streams["TRI"], 21);
    tri.until(21, suspect);
    owner.update(streams["MSFT"], 31);
    msft.until(31);
    CHECK(others.bad == 0);
    // One that comes now hears it too.
    Far late(edge, "late", 8);
    late.open("TRI");
    late.until(21, suspect);
    say(owner, kFirst, ok);
    ibm.until(10);
    tri.until(21);
    late.until(21);
    text.until("10");
    // A merger: what is said of the group that is left is said of all.
    owner.provider.sendGroupMerge(HubFixture::kUpstreamId, kSecond, kFirst);
    owner.update(streams["MSFT"], 32);
    msft.until(32);
    CHECK(others.bad == 0);
    say(owner, kFirst, suspect, "again");
    msft.untilState(suspect);
    tri.untilState(suspect);
    CHECK(msft.text == "again");
    text.until("10", "Suspect");
    say(owner, kFirst, ok);
    msft.until(32);
    tri.until(21);
    text.until("10");
}

}  // namespace

TEST_CASE("the state of a group reaches its items on other hubs, through mergers too, and no other items",
          "[hub][node][mesh][groups]") {
    Meshed m;
    groupStates(m);
}

TEST_CASE("states of groups go over a server of NATS", "[hub][node][mesh][groups][nats]") {
    NatsServer server;
    Meshed m;
    m.natsServer = server.url();
    groupStates(m);
}

TEST_CASE("the state of a group that is lost on the way comes with the repair", "[hub][node][mesh][groups]") {
    Meshed m;
    calm(m);
    HubFixture& owner = m.add("owner", Meshed::Role::owner);
    HubFixture& edge = m.add("edge", Meshed::Role::edge);
    owner.connected();
    edge.connected();
    Far ibm(edge, "a", 5), msft(edge, "c", 7);
    ibm.open("IBM");
    msft.open("MSFT");
    std::map<std::string, std::int32_t> streams;
    answer(owner, {{"IBM", {10, kFirst}}, {"MSFT", {30, kSecond}}}, streams);
    ibm.until(10);
    msft.until(30);
    m.mesh.lose("edge", 1);
    say(owner, kFirst, suspect, "the line is down");
    // Suspect for want of a proof at first, and then since the source says so.
    while (ibm.text != "the line is down")
        ibm.take(ibm.wire.next());
    CHECK(ibm.data == suspect);
    msft.until(30);
    say(owner, kFirst, ok);
    ibm.until(10);
}

TEST_CASE("what a group is called at one hub means nothing at another", "[hub][node][mesh][groups]") {
    Meshed m;
    calm(m);
    HubFixture& first = m.add("first", Meshed::Role::owner, 1);
    HubFixture& second = m.add("second", Meshed::Role::owner, 2);
    HubFixture& edge = m.add("edge", Meshed::Role::edge);
    first.connected();
    second.connected();
    edge.connected();
    edge.until([&] { return Meshed::metric(edge, "emissary_hub_mesh_peers") == 2; });
    edge.until([&] {
        const auto rows = edge.hub->mesh()->node()->rows();
        return std::ranges::count_if(rows, [](const auto& r) { return r.services.contains("DIRECT_FEED"); }) == 2;
    });
    Far ibm(edge, "a", 5), msft(edge, "c", 7);
    ibm.open("IBM");
    msft.open("MSFT");
    std::map<std::string, std::int32_t> streams;
    answer(first, {{"IBM", {10, kFirst}}, {"MSFT", {30, kSecond}}}, streams);
    ibm.until(10);
    msft.until(30);
    m.kill(first);
    streams.clear();
    answer(second, {{"IBM", {11, kSecond}}, {"MSFT", {31, kFirst}}}, streams);
    ibm.until(11);
    msft.until(31);
    States others(ibm);
    say(second, kFirst, suspect, "of the second");
    msft.untilState(suspect);
    CHECK(msft.text == "of the second");
    second.update(streams["IBM"], 12);
    ibm.until(12);
    CHECK(others.bad == 0);
    say(second, kFirst, ok);
    msft.until(31);
}
