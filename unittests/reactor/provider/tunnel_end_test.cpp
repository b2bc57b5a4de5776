// What the application does while tunnels of a client end, and when they end.
#include "ProviderFixture.h"

#include "reactor/tunnel/TunnelListener.h"

#include <algorithm>

using namespace emissary;
using namespace emissary::test;

namespace {

/// Accepts every tunnel, and calls back when one has ended.
class Tunnels final : public tunnel::TunnelListener, public tunnel::TunnelUser {
public:
    std::function<void()> ended;
    int opened = 0, closed = 0;

    void onTunnelRequest(tunnel::TunnelCall& call) override {
        tunnel::ClassOfService offered;
        offered.dataIntegrity = tunnel::DataIntegrity::reliable;
        REQUIRE_FALSE(call.accept(offered, 50, *this));
        ++opened;
    }
    void onTunnelStatus(tunnel::OfferedTunnel& t, const tunnel::Status& status) override {
        if (status.state.stream == codec::StreamState::open) return;
        ++closed;
        handles.push_back(t.clientHandle());
        if (ended) ended();
    }
    void onTunnelMessage(tunnel::OfferedTunnel&, codec::DataType, Bytes) override {}
    std::vector<std::uint64_t> handles;
};

struct TunnelFixture : ProviderFixture {
    Tunnels tunnels;
    TunnelFixture() {
        locked([this](ProviderRole& r) { r.serveTunnels(tunnels); });
        app.answer = [this](const StreamEvent& e, const codec::Msg& m) {
            if (m.domain == 1) CHECK(app.submitRefresh(e.handle, m).ok());
            if (inRequest) inRequest(e);
        };
    }
    void openTunnel(RawConsumer& c, std::int32_t streamId) {
        tunnel::ClassOfService cos;
        cos.dataIntegrity = tunnel::DataIntegrity::reliable;
        std::array<std::byte, 1024> room;
        eta::BeWriter out{room};
        REQUIRE(tunnel::encode(out, cos, tunnel::Writer::consumer).ok());
        codec::Msg m = RawConsumer::request(streamId, 127, "TUNNEL", std::uint16_t{1});
        m.flags |= codec::RequestFlag::privateStream | codec::RequestFlag::qualified;
        m.key.flags |= codec::KeyFlag::filter;
        m.key.filter = tunnel::filterOf(cos);
        m.containerType = codec::DataType::FilterList;
        m.payload = out.view();
        c.send(m);
        REQUIRE(c.next().msg.cls == codec::MsgClass::Refresh);
    }
    std::uint64_t openItem(RawConsumer& c, std::int32_t streamId, const std::string& name) {
        c.send(RawConsumer::request(streamId, 6, name, std::uint16_t{1}));
        const std::size_t before = app.count(Told::What::request);
        runUntil([&] { return app.count(Told::What::request) == before + 1; });
        return app.last().event.handle;
    }
    std::function<void(const StreamEvent&)> inRequest;
};

}  // namespace

TEST_CASE("a stream closed while the tunnels of its login end", "[reactor][provider][tunnel]") {
    TunnelFixture f;
    RawConsumer c = f.loggedIn();
    const std::uint64_t first = f.openItem(c, 5, "A"), second = f.openItem(c, 6, "B");
    f.openTunnel(c, 7);
    f.tunnels.ended = [&] {
        for (const std::uint64_t handle : {first, second}) {
            codec::Msg status = Application::status(codec::StreamState::closed);
            CHECK(f.app.role->submit(handle, status).fault == SubmitFault::unknownHandle);
        }
    };
    c.send(RawConsumer::close(1, 1));
    f.runUntil([&] { return f.tunnels.closed == 1; });
    CHECK(f.role->openStreams() == 0);

    // Streams that come later have a record each.
    c.send(RawConsumer::loginRequest("user"));
    REQUIRE(c.next().msg.domain == 1);
    std::vector<std::uint32_t> slots;
    for (std::int32_t i = 0; i < 6; ++i)
        slots.push_back(static_cast<std::uint32_t>(f.openItem(c, 10 + i, "C" + std::to_string(i))));
    std::sort(slots.begin(), slots.end());
    CHECK(std::unique(slots.begin(), slots.end()) == slots.end());
    CHECK(f.role->openStreams() == 7);
}

TEST_CASE("tunnels of a client that the application closes end from the loop", "[reactor][provider][tunnel]") {
    TunnelFixture f;
    RawConsumer c = f.loggedIn();
    f.openTunnel(c, 7);
    f.openTunnel(c, 8);
    const std::uint64_t client = f.app.last().event.clientHandle;
    int endedInside = -1;
    SECTION("by closing the connection in a callback") {
        f.inRequest = [&](const StreamEvent& e) {
            CHECK(f.app.role->closeClient(e.clientHandle));
            endedInside = f.tunnels.closed;
        };
    }
    SECTION("by closing the login in a callback") {
        const std::uint64_t login = f.app.last().event.handle;
        f.inRequest = [&, login](const StreamEvent&) {
            codec::Msg status = Application::status(codec::StreamState::closed);
            CHECK(f.app.role->submit(login, status).ok());
            endedInside = f.tunnels.closed;
        };
    }
    c.send(RawConsumer::request(9, 6, "A", std::uint16_t{1}));
    f.runUntil([&] { return f.tunnels.closed == 2; });
    CHECK(endedInside == 0);
    CHECK(f.tunnels.handles == std::vector<std::uint64_t>{client, client});
    CHECK(c.waitClosed());
    for (int i = 0; i < 3; ++i)
        f.turn();
    CHECK(f.tunnels.closed == 2);
}

TEST_CASE("tunnels end although there was no room for the end of those of another client",
          "[reactor][provider][tunnel]") {
    TunnelFixture f;
    RawConsumer a = f.loggedIn(), b = f.loggedIn();
    f.openTunnel(a, 7);
    f.openItem(a, 8, "A");
    const std::uint64_t first = f.app.last().event.clientHandle;
    f.openTunnel(b, 7);
    f.openItem(b, 8, "B");
    const std::uint64_t second = f.app.last().event.clientHandle;
    f.turn();
    f.locked([&](ProviderRole& r) {
        // All that may wait but one: that is for the record of the client. The client ends all the same.
        for (int i = 1; i < 262'144; ++i)
            f.loop.post([] {});
        CHECK(r.closeClient(first, "no room"));
    });
    f.turn();
    CHECK(f.tunnels.closed == 0);
    f.locked([&](ProviderRole& r) { CHECK(r.closeClient(second, "closed")); });
    f.runUntil([&] { return f.tunnels.closed == 2; });
    CHECK(f.tunnels.handles == std::vector<std::uint64_t>{first, second});
}
