// The same over a server of NATS: an owner that goes, a server that goes and comes back.
#include "hub/backbone/Backbone.h"
#include "hub/nats/NatsServer.h"
#include "late_reader.h"
#include "offers.h"

using namespace emissary;
using namespace emissary::test;

TEST_CASE("hubs share a source over NATS, through the end of an owner and of the server", "[hub][node][mesh][nats]") {
    NatsServer server;
    Meshed m;
    m.natsServer = server.url();
    HubFixture& first = m.add("first", Meshed::Role::owner, 1);
    HubFixture& edge = m.add("edge", Meshed::Role::edge);
    first.connected();
    edge.connected();
    Far c(edge, "far");
    c.open();
    std::int32_t stream = Meshed::asked(first);
    first.refresh(stream, 10);
    c.until(10);
    for (std::uint64_t bid = 11; bid < 40; ++bid) {
        first.update(stream, bid);
        c.until(bid);
    }
    HubFixture& second = m.add("second", Meshed::Role::owner, 2);
    second.connected();
    edge.until([&] { return Meshed::metric(edge, "emissary_hub_mesh_peers") == 2; });
    m.kill(first);
    stream = Meshed::asked(second);
    c.untilState(suspect);
    second.refresh(stream, 70);
    c.until(70);
    second.update(stream, 71);
    c.until(71);
    server.kill();
    c.untilState(suspect);
    CHECK(c.value == "1=71");
    second.update(stream, 72);
    second.update(stream, 73);
    server.start();
    c.until(73);
    second.update(stream, 74);
    c.until(74);
}

TEST_CASE("hubs with two clusters lose one after the other, and clients of both protocols see nothing",
          "[hub][node][mesh][nats][json]") {
    NatsServer a, b;
    Meshed m;
    m.natsServer = a.url();
    m.change = [&](HubSettings& s) {
        s.mesh.serversB = {b.url()};
        s.mesh.heartbeat = 500ms;  // a process that the machine does not run for 4 of them shows items as suspect
        s.mesh.gapGrace = 1000ms;
    };
    HubFixture& owner = m.add("owner", Meshed::Role::owner);
    HubFixture& edge = m.add("edge", Meshed::Role::edge);
    owner.connected();
    edge.connected();
    Far c(edge, "far");
    FarText text(edge, "IBM");
    c.open();
    const std::int32_t stream = Meshed::asked(owner);
    std::uint64_t bid = 10;
    owner.refresh(stream, bid);
    c.until(bid);
    text.until(std::to_string(bid));
    const auto connected = [](HubFixture& f, std::size_t side) {
        const auto status = f.hub->mesh()->status();
        return status.sides.size() == 2 && !status.sides[side].server.empty();
    };
    const auto all = [&] {
        return connected(owner, 0) && connected(owner, 1) && connected(edge, 0) && connected(edge, 1);
    };
    const auto said = [&](const std::string& what) {
        return std::ranges::any_of(edge.lines,
                                   [&](const std::string& line) { return line.find(what) != std::string::npos; });
    };
    edge.until(all);
    unsigned bad = 0;
    c.onState = [&](std::uint8_t state) { bad += state == ok ? 0u : 1u; };
    for (const unsigned side : {0u, 1u}) {
        NatsServer* const server = side == 0 ? &a : &b;
        server->kill();
        edge.until([&] { return !connected(edge, side) && !connected(owner, side); });
        // Longer than anything is Ok by what was said before.
        for (const auto end = eta::Clock::now() + 2200ms; eta::Clock::now() < end;) {
            owner.update(stream, ++bid);
            c.until(bid);
            text.until(std::to_string(bid));
        }
        edge.until([&] { return said(std::string("no NATS server of cluster ") + "AB"[side]); });
        CHECK(edge.hub->mesh()->status().server == (side == 0 ? b : a).url());
        server->start();
        edge.until(all);
    }
    CHECK(bad == 0);
    CHECK(said("connected to " + a.url() + " of cluster A"));
    CHECK(Meshed::metric(edge, "emissary_hub_mesh_copies_total") > 0);
    const std::string metrics = edge.hub->rooms().reactor.metrics().prometheus();
    for (const char* const cluster : {"A", "B"})
        CHECK(metrics.find(std::string("cluster=\"") + cluster + "\"") != std::string::npos);
    a.kill();
    b.kill();
    c.untilState(suspect);
    owner.update(stream, ++bid);
    b.start();
    c.until(bid);
}

TEST_CASE("a hub may be somebody else to the servers of the second cluster", "[hub][node][mesh][nats][json]") {
    const bool json = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC"));
    NatsServer a("authorization { user: alpha, password: one }"), b("authorization { user: beta, password: two }");
    Meshed m;
    m.natsServer = a.url();
    m.change = [&](HubSettings& s) {
        s.mesh.serversB = {b.url()};
        s.mesh.heartbeat = 500ms;
        s.mesh.login.user = "alpha";
        s.mesh.login.password = "one";
        s.mesh.loginB.user = "beta";
        s.mesh.loginB.password = "two";
        // Who is not said to be anybody there is the same to both, and one of them refuses that.
        if (s.mesh.nodeName == "same") s.mesh.loginB = {};
    };
    HubFixture& owner = m.add("owner", Meshed::Role::owner);
    HubFixture& edge = m.add("edge", Meshed::Role::edge);
    HubFixture& same = m.add("same", Meshed::Role::edge);
    const auto connected = [](HubFixture& f, std::size_t side) {
        const auto status = f.hub->mesh()->status();
        return status.sides.size() == 2 && !status.sides[side].server.empty();
    };
    edge.until([&] {
        return connected(owner, 0) && connected(owner, 1) && connected(edge, 0) && connected(edge, 1) &&
               connected(same, 0);
    });
    edge.until([&] { return !same.hub->mesh()->status().sides[1].error.empty(); });
    CHECK_FALSE(connected(same, 1));
    // What goes over B alone arrives.
    a.kill();
    owner.connected();
    edge.connected();
    LateReader c(edge, json, 0, "far");
    c.open(5);
    owner.refresh(Meshed::asked(owner), 10);
    edge.until([&] {
        c.read();
        return c.values[5] == "1=10";
    });
}
