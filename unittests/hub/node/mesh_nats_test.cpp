// The same over a server of NATS: an owner that goes, a server that goes and comes back.
#include "hub/nats/NatsServer.h"
#include "meshed.h"

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
