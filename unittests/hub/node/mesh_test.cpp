// Hubs that share a source: what the clients of one get of an item whose source another one has.
#include "hub/backbone/Backbone.h"
#include "meshed.h"
#include "reactor/json/fixture.h"

using namespace emissary;
using namespace emissary::test;
using json_test::Json;

namespace {

/// Two hubs with a source of the same service, and one without, which knows both: the better rank is asked.
struct TwoOwners : Meshed {
    /// `heartbeat` 0: that of Meshed.
    explicit TwoOwners(std::chrono::milliseconds heartbeat = std::chrono::milliseconds(0))
        : first(addFirst(heartbeat)) {
        first.connected();
        second.connected();
        edge.connected();
        edge.until([&] { return metric(edge, "emissary_hub_mesh_peers") == 2; });
    }
    /// The one whose source is asked for something.
    HubFixture& asked() {
        edge.until([&] { return !first.provider.inbox.empty() || !second.provider.inbox.empty(); });
        return first.provider.inbox.empty() ? second : first;
    }
    using Meshed::asked;
    HubFixture& beside(const HubFixture& one) { return &one == &first ? second : first; }

    HubFixture& addFirst(std::chrono::milliseconds heartbeat) {
        if (heartbeat.count() != 0) change = [heartbeat](HubSettings& s) { s.mesh.heartbeat = heartbeat; };
        return add("first", Role::owner, 1);
    }

    HubFixture& first;
    HubFixture& second = add("second", Role::owner, 2);
    HubFixture& edge = add("edge", Role::edge);
};

}  // namespace

TEST_CASE("clients of a hub without a source get images, updates and states of another hub's", "[hub][node][mesh]") {
    Meshed m;
    HubFixture& owner = m.add("owner", Meshed::Role::owner);
    HubFixture& edge = m.add("edge", Meshed::Role::edge);
    owner.connected();
    edge.connected();
    Far c(edge, "far");
    c.open();
    const std::int32_t stream = Meshed::asked(owner);
    owner.refresh(stream, 10);
    c.until(10);
    for (std::uint64_t bid = 11; bid < 60; ++bid) {
        owner.update(stream, bid);
        c.until(bid);
    }
    // A late joiner is served from the edge's cache, with the same value; nobody asks the owner again.
    owner.provider.wire.clear();
    Far late(edge, "late");
    late.open();
    late.until(59);
    CHECK(owner.wire().empty());
    // What the source calls suspect is suspect far away, with its text, and Ok again when it says so.
    Msg status;
    status.cls = MsgClass::Status;
    status.domain = 6;
    status.streamId = stream;
    status.flags = codec::StatusFlag::state;
    status.state = {StreamState::open, suspect, 0, eta::asBytes(std::string_view("slow"))};
    owner.provider.send(status);
    c.untilState(suspect);
    CHECK(c.text == "slow");
    status.state = {StreamState::open, ok, 0, {}};
    owner.provider.send(status);
    c.until(59);
    CHECK(Meshed::metric(edge, "emissary_hub_mesh_remote") == 1);
    CHECK(Meshed::metric(owner, "emissary_hub_mesh_owned") == 1);
    CHECK(Meshed::metric(edge, "emissary_hub_mesh_peers") == 1);
    CHECK(Meshed::metric(edge, "emissary_hub_mesh_suspect") == 0);
    // The end of the item at its source is its end here.
    status.state = {StreamState::closed, suspect, 1, eta::asBytes(std::string_view("delisted"))};
    owner.provider.send(status);
    while (c.open_ == StreamState::open)
        c.take(c.wire.next());
    CHECK(c.open_ == StreamState::closed);
    CHECK(c.text == "delisted");
    edge.until([&] { return edge.hub->rooms().items.size() == 0; });
    owner.until([&] { return owner.hub->rooms().items.size() == 0; });
}

TEST_CASE("an item that nobody wants any more is closed at its source, through the mesh", "[hub][node][mesh]") {
    Meshed m;
    HubFixture& owner = m.add("owner", Meshed::Role::owner);
    HubFixture& edge = m.add("edge", Meshed::Role::edge);
    owner.connected();
    edge.connected();
    for (int round = 0; round < 3; ++round) {
        Far c(edge, "far");
        c.open();
        const std::int32_t stream = Meshed::asked(owner);
        owner.refresh(stream, 10);
        c.until(10);
        Msg close;
        close.cls = MsgClass::Close;
        close.domain = 6;
        close.streamId = 5;
        c.wire.send(close);
        CHECK(owner.asked().msg.cls == MsgClass::Close);
        owner.until([&] { return owner.hub->rooms().items.size() == 0; });
        edge.until([&] { return edge.hub->rooms().items.size() == 0; });
    }
}

TEST_CASE("a JSON client far from the source gets the same", "[hub][node][mesh][json]") {
    Meshed m;
    HubFixture& owner = m.add("owner", Meshed::Role::owner);
    HubFixture& edge = m.add("edge", Meshed::Role::edge);
    owner.connected();
    edge.connected();
    TextClient c(webSocketTo(edge.hub->port()), [&] { edge.turn(); });
    c.send(R"({"ID":1,"Domain":"Login","Key":{"Name":"dana"}})");
    CHECK(c.next("Domain", "Login").at("State").at("Stream").text == "Open");
    c.send(R"({"ID":5,"Key":{"Name":"IBM","Service":"DIRECT_FEED"}})");
    const std::int32_t stream = Meshed::asked(owner);
    owner.refresh(stream, 10);
    for (;;) {
        const Json got = c.next("ID", "5");
        if (got.at("Type").text != "Refresh") continue;
        CHECK(got.at("State").at("Stream").text == "Open");
        CHECK(got.at("Key").at("Service").text == "DIRECT_FEED");
        CHECK(got.at("Fields").at("PROD_PERM").text == "10");
        break;
    }
    owner.update(stream, 11);
    for (;;) {
        const Json got = c.next("ID", "5");
        if (got.at("Type").text != "Update") continue;
        CHECK(got.at("Fields").at("PROD_PERM").text == "11");
        break;
    }
    m.mesh.cut("owner");
    for (;;) {
        const Json got = c.next("ID", "5");
        if (got.find("State") == nullptr || got.at("State").at("Data").text != "Suspect") continue;
        CHECK(got.at("State").at("Text").text.starts_with("hub 'owner' has the source of this item: "));
        break;
    }
}

TEST_CASE("an owner that dies leaves suspect items, and another owner goes on with the right values",
          "[hub][node][mesh]") {
    TwoOwners m;
    HubFixture& edge = m.edge;
    Far c(edge, "far");
    c.open();
    HubFixture& owner = m.asked();
    HubFixture& other = m.beside(owner);
    const std::int32_t stream = Meshed::asked(owner);
    owner.refresh(stream, 10);
    c.until(10);
    const std::string name = &owner == &m.first ? "first" : "second";
    m.mesh.cut(name);
    c.untilState(suspect);
    m.kill(owner);
    const std::int32_t next = Meshed::asked(other);
    CHECK(c.data == suspect);
    other.refresh(next, 77);
    c.until(77);
    other.update(next, 78);
    c.until(78);
    CHECK(Meshed::metric(edge, "emissary_hub_mesh_moves_total") >= 1);
}

TEST_CASE("a bus that is cut makes items suspect, with the owner and the reason, and they heal with the latest value",
          "[hub][node][mesh]") {
    Meshed m;
    HubFixture& owner = m.add("owner", Meshed::Role::owner);
    HubFixture& edge = m.add("edge", Meshed::Role::edge);
    owner.connected();
    edge.connected();
    Far c(edge, "far");
    c.open();
    const std::int32_t stream = Meshed::asked(owner);
    owner.refresh(stream, 10);
    c.until(10);
    m.mesh.cut("owner");
    c.untilState(suspect);
    CHECK(c.text == "hub 'owner' has the source of this item: nothing was heard of it for more than 200 ms");
    // A client that comes now gets the value, and that it is suspect.
    Far late(edge, "late");
    late.open();
    late.until(10, suspect);
    owner.update(stream, 11);
    owner.update(stream, 12);
    m.mesh.heal("owner");
    c.until(12);
    late.until(12);
    // Lost frames alone are repaired in the same way.
    m.mesh.lose("edge", 2);
    for (std::uint64_t bid = 13; bid < 20; ++bid) {
        owner.update(stream, bid);
        owner.turn();
    }
    c.until(19);
    late.until(19);
    CHECK(Meshed::metric(edge, "emissary_hub_mesh_resyncs_total") >= 1);
}

TEST_CASE("an edge that starts again has the values of now", "[hub][node][mesh]") {
    Meshed m;
    HubFixture& owner = m.add("owner", Meshed::Role::owner);
    HubFixture* edge = &m.add("edge", Meshed::Role::edge);
    owner.connected();
    edge->connected();
    std::int32_t stream = 0;
    {
        Far c(*edge, "far");
        c.open();
        stream = Meshed::asked(owner);
        owner.refresh(stream, 10);
        c.until(10);
    }
    m.kill(*edge);
    owner.update(stream, 11);
    // The owner lets the item go when it hears of the new life, and asks for it again when that wants it.
    m.each = [&](HubFixture& h) {
        while (const auto got = h.provider.take())
            if (got->msg.cls == MsgClass::Request && !got->msg.has(RequestFlag::noRefresh)) {
                stream = got->msg.streamId;
                h.refresh(stream, 11);
            }
    };
    edge = &m.add("edge", Meshed::Role::edge);
    edge->connected();
    Far c(*edge, "far");
    c.open();
    c.until(11);
    owner.update(stream, 12);
    c.until(12);
}

TEST_CASE("a source of the hub's own wins over the mesh, which serves while it is away", "[hub][node][mesh]") {
    Meshed m;
    HubFixture& owner = m.add("owner", Meshed::Role::owner);
    HubFixture& both = m.add("both", Meshed::Role::both);
    owner.connected();
    both.connected();
    both.until([&] { return Meshed::metric(both, "emissary_hub_mesh_peers") == 1; });
    Far c(both, "near");
    c.open();
    std::int32_t own = Meshed::asked(both);
    both.refresh(own, 10);
    c.until(10);
    both.until([&] { return both.hub->rooms().services.find(HubFixture::kId)->mesh.usable(); });
    CHECK(Meshed::metric(both, "emissary_hub_mesh_remote") == 0);
    both.provider.disconnect();
    c.untilState(suspect);
    const std::int32_t far = Meshed::asked(owner);
    owner.refresh(far, 50);
    c.until(50);
    owner.update(far, 51);
    c.until(51);
    // The source is back: it has the item again.
    own = Meshed::asked(both);
    both.refresh(own, 90);
    c.until(90);
    both.update(own, 91);
    c.until(91);
    both.until([&] { return Meshed::metric(both, "emissary_hub_mesh_remote") == 0; });
}

TEST_CASE("a client that leaves just before the hub's own source is lost is nothing to the mesh", "[hub][node][mesh]") {
    Meshed m;
    HubFixture& both = m.add("both", Meshed::Role::both, 1);
    HubFixture& other = m.add("other", Meshed::Role::owner, 2);
    both.connected();
    other.connected();
    both.until([&] { return Meshed::metric(both, "emissary_hub_mesh_peers") == 1; });
    Far c(both, "near");
    c.open();
    std::int32_t stream = Meshed::asked(both);
    both.refresh(stream, 10);
    c.until(10);
    both.until([&] { return both.hub->rooms().services.find(HubFixture::kId)->mesh.usable(); });
    Far leaver(both, "leaver");
    leaver.open();
    leaver.until(10);
    Msg close;
    close.cls = MsgClass::Close;
    close.domain = 6;
    close.streamId = 5;
    leaver.wire.send(close);
    both.until([&] { return Meshed::metric(both, "emissary_hub_mounts") == 1; });
    // A second later the source would hear of what the item's clients want now; the mesh has the item by then.
    both.provider.die();
    stream = Meshed::asked(other);
    other.refresh(stream, 20);
    c.until(20);
    reactor::Reactor& loop = both.hub->rooms().reactor;
    std::uint64_t bid = 20;
    for (const auto end = loop.now() + 1500ms; loop.now() < end;) {
        other.update(stream, ++bid);
        c.until(bid);
    }
}

TEST_CASE("two hubs that lose their sources do not serve each other what was true before", "[hub][node][mesh]") {
    Meshed m;
    HubFixture& a = m.add("a", Meshed::Role::both);
    HubFixture& b = m.add("b", Meshed::Role::both);
    a.connected();
    b.connected();
    a.until([&] { return Meshed::metric(a, "emissary_hub_mesh_peers") == 1; });
    Far near(a, "near"), far(b, "far");
    near.open();
    a.refresh(Meshed::asked(a), 10);
    near.until(10);
    far.open();
    b.refresh(Meshed::asked(b), 20);
    far.until(20);
    a.provider.die();
    b.provider.die();
    // The one that loses its source last may have served the other one until then.
    const auto heard = [&] { return Meshed::metric(a, "emissary_hub_mesh_frames_in_total"); };
    near.untilState(suspect);
    far.untilState(suspect);
    const std::uint64_t before = heard();
    a.until([&] { return heard() > before + 40; });
    near.readAll();
    far.readAll();
    CHECK(near.data == suspect);
    CHECK(far.data == suspect);
    // One source is back: both have its value.
    a.provider.revive();
    const std::int32_t stream = Meshed::asked(a);
    a.refresh(stream, 30);
    near.until(30);
    far.until(30);
    a.update(stream, 31);
    near.until(31);
    far.until(31);
}

TEST_CASE("an item that four hubs want goes once for all of them, with equal values", "[hub][node][mesh]") {
    Meshed m;
    HubFixture& owner = m.add("owner", Meshed::Role::owner);
    owner.connected();
    std::vector<std::unique_ptr<Far>> far;
    std::int32_t stream = 0;
    for (int i = 0; i < 4; ++i) {
        HubFixture& edge = m.add("edge" + std::to_string(i), Meshed::Role::edge);
        edge.connected();
        far.push_back(std::make_unique<Far>(edge, "far"));
        far.back()->open();
        if (i == 0) {
            stream = Meshed::asked(owner);
            owner.refresh(stream, 10);
        }
        far.back()->until(10);
    }
    for (std::uint64_t bid = 11; bid < 111; ++bid) {
        owner.update(stream, bid);
        for (const auto& c : far)
            c->until(bid);
    }
    // Its updates come in a lane that all have joined, beside the one to each hub.
    for (std::size_t i = 1; i < m.hubs.size(); ++i)
        CHECK(Meshed::metric(*m.hubs[i], "emissary_hub_mesh_lanes") == 2);
}

TEST_CASE("an owner that drains hands its items to another one, and no client sees it", "[hub][node][mesh]") {
    // A process that the machine does not run for 4 heartbeats has nothing proven, and shows its items as suspect: here
    // that takes 2 s.
    TwoOwners m(500ms);
    HubFixture &second = m.second, &edge = m.edge;
    second.until([&] { return Meshed::metric(second, "emissary_hub_mesh_peers") == 2; });
    Far c(edge, "far");
    c.open();
    HubFixture& owner = m.asked();
    HubFixture& other = m.beside(owner);
    const std::int32_t stream = Meshed::asked(owner);
    owner.refresh(stream, 10);
    c.until(10);
    std::vector<std::uint8_t> states;
    c.onState = [&](std::uint8_t state) { states.push_back(state); };
    // The one that drains has to know that there is another one.
    owner.until([&] {
        const auto rows = owner.hub->mesh()->node()->rows();
        return std::ranges::any_of(rows,
                                   [](const auto& r) { return r.reachable && r.services.contains("DIRECT_FEED"); });
    });
    owner.hub->drain();
    // The next one has no image yet: what comes goes on to come from the one that leaves, which waits.
    const std::int32_t next = Meshed::asked(other);
    owner.update(stream, 11);
    c.until(11);
    CHECK_FALSE(owner.hub->drained());
    CHECK(Meshed::metric(owner, "emissary_hub_mesh_owned") == 1);
    other.refresh(next, 20);
    c.until(20);
    owner.until([&] { return owner.hub->drained(); });
    CHECK(Meshed::metric(owner, "emissary_hub_mesh_owned") == 0);
    m.kill(owner);
    other.update(next, 21);
    c.until(21);
    // The silence of the one that is gone is noticed, and changes nothing.
    edge.until([&] {
        const auto rows = edge.hub->mesh()->node()->rows();
        return std::ranges::count_if(rows, [](const auto& r) { return r.reachable; }) == 1;
    });
    c.readAll();
    for (const std::uint8_t state : states)
        CHECK(state == ok);
}

TEST_CASE("an owner that drains and is the only one ends at once, and its items are suspect", "[hub][node][mesh]") {
    Meshed m;
    HubFixture& owner = m.add("owner", Meshed::Role::owner);
    HubFixture& edge = m.add("edge", Meshed::Role::edge);
    owner.connected();
    edge.connected();
    Far c(edge, "far");
    c.open();
    const std::int32_t stream = Meshed::asked(owner);
    owner.refresh(stream, 10);
    c.until(10);
    owner.hub->drain();
    owner.until([&] { return owner.hub->drained(); });
    CHECK(c.data == ok);
    m.kill(owner);
    c.untilState(suspect);
}
