// Marks of slow clients that one port has for itself (hub.md 8.3).
#include "fixture.h"

#include "reactor/json/fixture.h"
#include "reactor/metrics/Snapshot.h"

using namespace emissary;
using namespace emissary::test;

namespace {

/// A consumer that opens streams and then reads nothing, of either protocol.
class Idle {
public:
    Idle(HubFixture& f, bool json, std::size_t listener, const std::string& user) {
        eta::transport::ConnectOptions to =
            json ? webSocketTo(f.hub->port(listener)) : RawConsumer::optionsFor(f.hub->port(listener));
        to.sysRecvBufSize = 4096;
        if (!json) {
            messages_.emplace(f.loggedIn(to, user));
            return;
        }
        texts_ = std::make_unique<TextClient>(to, [&f] { f.turn(); });
        texts_->send(R"({"ID":1,"Domain":"Login","Key":{"Name":")" + user + R"("}})");
        REQUIRE(texts_->next("ID", "1").at("State").at("Stream").text == "Open");
    }
    void open(std::int32_t stream) {
        if (messages_) return messages_->send(HubFixture::request(stream));
        texts_->send(R"({"ID":)" + std::to_string(stream) + R"(,"Key":{"Name":"IBM","Service":"DIRECT_FEED"}})");
    }

private:
    std::optional<RawConsumer> messages_;
    std::unique_ptr<TextClient> texts_;
};

}  // namespace

TEST_CASE("a port with a lower DisconnectAbove cuts off its own clients alone", "[hub][node][slow][json]") {
    const bool json = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC"));
    HubFixture f([](HubSettings& s) {
        s.listeners[0].bind.sysSendBufSize = 16'384;
        ListenerSettings strict = s.listeners[0];
        strict.name = "strict";
        strict.slow.disconnectAbove = 200'000;
        s.listeners.push_back(strict);
    });
    f.plainNumbers = true;
    f.connected();
    f.until([&] { return f.hub->dictionary() != nullptr; });
    Idle usual(f, json, 0, "usual"), bad(f, json, 1, "bad");
    for (std::int32_t stream = 5; stream < 55; ++stream) {
        usual.open(stream);
        bad.open(stream);
    }
    const std::int32_t source = f.asked().msg.streamId;
    // All ask before the image comes: who asks later has the provider asked for another one.
    f.until([&] { return f.hub->rooms().flow.counts().mounts.get() == 100; });
    f.refresh(source, 1);

    const auto value = [&](std::string_view name) { return f.hub->rooms().reactor.metrics().value(name).value_or(0); };
    std::uint64_t updates = 0;
    // Threads of clients keep up: what waits for one of them does not come to its clients at once.
    const auto update = [&] {
        f.update(source, ++updates);
        f.turn();
        f.until([&] { return value("emissary_hub_front_waiting") == 0; });
    };
    f.until([&] {
        update();
        return f.hub->rooms().flow.counts().mounts.get() == 50;
    });
    for (std::uint64_t more = updates; more != 0; --more)
        update();
    CHECK(value("emissary_hub_slow_disconnects_total") == 1);
    CHECK(f.hub->rooms().flow.counts().mounts.get() == 50);
    CHECK(std::ranges::any_of(f.lines, [](const std::string& line) {
        return line.find("'bad'") != std::string::npos && line.find("'strict' was cut off") != std::string::npos;
    }));
}
