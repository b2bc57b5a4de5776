// Clients are told why their connection ends: whole messages first, a status on the login stream, a close code
// (hub.md 8.4).
#include "certificates.h"
#include "hub/client/RecentEnds.h"
#include "hub/flow/ItemFlow.h"
#include "late_reader.h"
#include "reactor/metrics/Snapshot.h"

#include <list>

using namespace emissary;
using namespace emissary::test;
using eta::transport::Compression;

namespace {

/// How a client is connected.
struct Way {
    const char* name;
    bool json, encrypted;
    Compression compression;
};
const Way kWays[]{{"RIPC", false, false, Compression::none},         {"RIPC, zlib", false, false, Compression::zlib},
                  {"RIPC, lz4", false, false, Compression::lz4},     {"JSON", true, false, Compression::none},
                  {"JSON, deflate", true, false, Compression::zlib}, {"RIPC, TLS", false, true, Compression::none},
                  {"JSON, TLS", true, true, Compression::none}};

constexpr std::size_t kDisconnectAbove = 200'000;

struct Endings : HubFixture {
    explicit Endings(const Way& w, const std::function<void(HubSettings&)>& change = {})
        : HubFixture([&](HubSettings& s) {
              s.listeners[0].bind.sysSendBufSize = 16'384;
              s.listeners[0].bind.compression = w.compression;
              ListenerSettings strict = s.listeners[0];
              strict.name = "strict";
              strict.slow.disconnectAbove = kDisconnectAbove;
              strict.slow.conflateBytes = 0;
              if (w.encrypted) certificates().encrypt(strict);
              s.listeners.push_back(strict);
              if (change) change(s);
          }),
          way(w) {
        plainNumbers = true;
        connected();
        until([this] { return hub->dictionary() != nullptr; });
    }
    [[nodiscard]] ConnectOptions to() const {
        ConnectOptions o =
            way.encrypted
                ? certificates().to(hub->port(1), way.json ? ConnectionType::webSocket : ConnectionType::socket,
                                    way.json ? "tr_json2" : "rssl.rwf")
            : way.json ? webSocketTo(hub->port(1))
                       : RawConsumer::optionsFor(hub->port(1));
        o.compression = way.compression;
        return o;
    }
    [[nodiscard]] std::uint64_t value(std::string_view name) const {
        return static_cast<std::uint64_t>(hub->rooms().reactor.metrics().value(name).value_or(0));
    }
    /// One update of the item, which every client's thread has taken when this returns.
    void step(std::int32_t source) {
        update(source, ++updates);
        turn();
        until([&] { return value("emissary_hub_front_waiting") == 0; });
    }

    [[nodiscard]] static const Certificates& certificates() {
        static const Certificates made;
        return made;
    }
    const Way way;
    std::uint64_t updates = 0;
};

/// The text of a close frame holds this much.
[[nodiscard]] std::string closeText(const std::string& text) {
    return text.substr(0, 123);
}

}  // namespace

TEST_CASE("a client that stops reading is cut off, and finds whole messages, the reason, and the close code",
          "[hub][node][slow][endings][json][tls]") {
    const Way& way = GENERATE(from_range(std::begin(kWays), std::end(kWays)));
    INFO(way.name);
    Endings f(way);
    LateReader slow(f, way.json, f.to(), "slow"), quick(f, way.json, 0, "quick");
    constexpr std::int32_t kFirst = 5, kLast = 55;
    for (std::int32_t stream = kFirst; stream < kLast; ++stream)
        slow.open(stream);
    quick.open(kFirst);
    const std::int32_t source = f.asked().msg.streamId;
    f.until([&] { return f.hub->rooms().flow.counts().mounts.get() == 51; });
    f.refresh(source, 1);
    f.until([&] {
        f.step(source);
        quick.read();
        return f.hub->rooms().flow.counts().mounts.get() == 1;
    });
    const std::uint64_t atTheCut = f.updates;
    for (int i = 0; i < 20; ++i) {
        f.step(source);
        quick.read();
    }
    CHECK(f.value("emissary_hub_slow_disconnects_total") == 1);
    CHECK(f.value("emissary_hub_clients") >= 1);

    f.until([&] { return slow.closed(); });
    CHECK(slow.lastStream == "ClosedRecover");
    INFO(slow.lastText);
    CHECK_THAT(slow.lastText, Catch::StartsWith("the client reads too slowly: ") &&
                                  Catch::Contains(" bytes wait for it, since ") &&
                                  Catch::EndsWith("DisconnectAbove is 200000"));
    CHECK(slow.lastText.size() <= 123);
    if (way.json)
        CHECK_THAT(slow.channel().errorText(), Catch::Contains("(WebSocket 1013 " + closeText(slow.lastText) + ")"));
    else CHECK_THAT(slow.channel().errorText(), Catch::Contains("closed by peer"));
    CHECK(slow.updates > 0);
    CHECK(slow.updates < atTheCut * (kLast - kFirst));  // what was not begun was dropped
    f.until([&] {
        return std::ranges::any_of(f.lines, [&](const std::string& line) {
            return line.find("'slow'") != std::string::npos &&
                   line.find("was cut off: " + slow.lastText) != std::string::npos;
        });
    });
    f.until([&] {
        quick.read();
        return quick.updates == f.updates;
    });
    CHECK(quick.values.at(kFirst) == "1=" + std::to_string(f.updates));
}

TEST_CASE("a client that never reads is gone after its time, and a thousand of them give their memory back",
          "[hub][node][slow][endings][json]") {
    struct Clock final : reactor::TimeSource {  // nobody waits for the time that passes
        [[nodiscard]] eta::TimePoint now() const noexcept override { return TimeSource::now() + ahead.load(); }
        std::atomic<eta::Duration> ahead{eta::Duration::zero()};
    } clock;
    const bool json = GENERATE(false, true);
    const std::size_t count = json ? 200 : 1100;
    INFO((json ? "JSON" : "RIPC"));
    HubFixture f(
        [&](HubSettings& s) {
            s.listeners[0].bind.sysSendBufSize = 4096;
            s.conflateAbove = 32'768;
            s.conflateBelow = 8'192;
            s.disconnectAbove = 65'536;
            s.conflateBytes = 0;
            s.services[0].cache.rule = CachePolicy::Rule::all;
            s.slowClientTimeout = std::chrono::seconds(600);
        },
        &clock);
    f.plainNumbers = true;
    f.connected();
    f.until([&] { return f.hub->dictionary() != nullptr; });
    const auto value = [&](std::string_view name) { return f.hub->rooms().reactor.metrics().value(name).value_or(0); };
    LateReader quick(f, json, 0, "quick");
    quick.open(5);
    const std::int32_t source = f.asked().msg.streamId;
    f.refresh(source, 1);
    f.until([&] {
        quick.read();
        return quick.values.size() == 1 && value("emissary_hub_clients") == 1;
    });
    const std::uint64_t before = value("emissary_loop_connections");
    std::list<LateReader> slow;
    for (std::size_t i = 0; i < count; ++i) {
        slow.emplace_back(f, json, 0, "slow" + std::to_string(i));
        for (std::int32_t stream = 5; stream < 25; ++stream)
            slow.back().open(stream);
    }
    f.until([&] { return f.hub->rooms().flow.counts().mounts.get() == 1 + 20 * count; });
    const std::uint64_t heldBefore = value("emissary_channel_output_held_bytes");
    std::uint64_t updates = 0;
    f.until([&] {
        for (int i = 0; i < 10; ++i) {
            f.update(source, ++updates);
            f.turn();
            quick.read();
        }
        return value("emissary_hub_slow_disconnects_total") == count && value("emissary_hub_clients") == 1;
    });
    f.until([&] { return f.hub->rooms().flow.counts().mounts.get() == 1; });  // they cost no work of items any more
    // A thread keeps 1,024 at most; where all this took long, some have had their time already.
    const bool alone = f.hub->settings().threads <= 1;
    const std::uint64_t most = before + (alone ? std::min<std::size_t>(count, 1024) : count);
    // One that parts has a link of its own, and is counted twice until its front has let the former one go.
    if (!alone) f.until([&] { return value("emissary_loop_connections") <= most; });
    CHECK(value("emissary_loop_connections") <= most);
    clock.ahead = reactor::Farewell::kLinger + std::chrono::seconds(1);
    f.until([&] { return value("emissary_loop_connections") == before; });
    CHECK(value("emissary_channel_output_held_bytes") <= heldBefore + (1u << 20));
    f.until([&] {
        quick.read();
        return quick.updates == updates;
    });
}

TEST_CASE("each reason has its close code, and its words are those of the log", "[hub][node][endings][json]") {
    enum class Why { logins, requests, noLogin, drain };
    const bool json = GENERATE(false, true);
    const Why why = GENERATE(Why::logins, Why::requests, Why::noLogin, Why::drain);
    INFO((json ? "JSON" : "RIPC") << ", " << static_cast<int>(why));
    HubFixture f([&](HubSettings& s) {
        if (why == Why::logins) s.maxLoginsPerUser = 1;
        if (why == Why::logins) s.loginProbeTime = std::chrono::milliseconds(0);
        if (why == Why::requests) s.requestsPerSecondPerClient = 1;
        if (why == Why::noLogin) s.listeners[0].limits.loginTimeout = std::chrono::milliseconds(50);
        s.drainTimeout = std::chrono::seconds(0);
    });
    f.connected();
    f.until([&] { return f.hub->dictionary() != nullptr; });
    using Reason = hub::client::EndReason;
    constexpr Reason reasons[]{Reason::loginRefused, Reason::requestRate, Reason::limit, Reason::drained};
    const auto ends = [&](LateReader& client, const std::string& state, int code, const std::string& text) {
        f.until([&] { return client.closed(); });
        INFO(client.channel().errorText());
        CHECK(client.lastStream == state);
        if (!state.empty()) CHECK(client.lastText == text);
        if (json)
            CHECK_THAT(client.channel().errorText(),
                       Catch::Contains("(WebSocket " + std::to_string(code) + " " + closeText(text) + ")"));
        // The fixture's own client has ended before, but on another thread that may be noticed later.
        const auto& ended = f.hub->rooms().ends.list();
        const auto find = [&] {
            return std::ranges::find_if(ended, [&](const auto& one) { return one.text == text; });
        };
        f.until([&] { return find() != ended.end(); });
        CHECK(find()->reason == reasons[static_cast<std::size_t>(why)]);
        CHECK(find()->user == (why == Why::requests || why == Why::drain ? "dana" : ""));
        if (why == Why::noLogin) return;  // nobody had logged in
        CHECK(find()->bytesOut != 0);
        f.until([&] {
            return std::ranges::any_of(
                f.lines, [&](const std::string& line) { return line.find(": " + text) != std::string::npos; });
        });
    };
    // One after the other: on threads of their own, the second login could be the first.
    const auto loggedIn = [&f] {  // with that of the fixture
        f.until([&] { return f.hub->rooms().reactor.metrics().value("emissary_hub_logins_total").value_or(0) == 2; });
    };
    switch (why) {
    case Why::logins: {
        LateReader first(f, json, 0, "dana");
        loggedIn();
        LateReader second(f, json, 0, "dana", LateReader::Login::open);
        ends(second, "Closed", 1008, "The user has too many logins.");
        break;
    }
    case Why::requests: {
        LateReader client(f, json, 0, "dana");
        for (std::int32_t stream = 5; stream < 50; ++stream)
            client.open(stream, "I" + std::to_string(stream));
        ends(client, "Closed", 1008,
             "the client sends more than ten times as many requests as it may (RequestsPerSecondPerClient)");
        break;
    }
    case Why::noLogin: {
        LateReader client(f, json, 0, "", LateReader::Login::none);
        ends(client, "", 1008, "no login request came within 0.050 seconds (ClientLoginTimeout)");
        break;
    }
    case Why::drain: {
        LateReader client(f, json, 0, "dana");
        loggedIn();
        f.hub->drain();
        ends(client, "ClosedRecover", 1012, "The hub is going down.");
        break;
    }
    }
}

TEST_CASE("a hub that drains tells the states of all its services in one message", "[hub][node][endings]") {
    HubFixture f;
    f.provider.services.push_back(RawProvider::service(HubFixture::kUpstreamId + 1, "OTHER_FEED"));
    RawConsumer c = f.loggedIn();
    c.send(RawConsumer::directoryRequest(3));
    rdm::Directory seen;
    const auto hear = [&](const Received& got) {
        REQUIRE(got.msg.domain == codec::kDirectoryDomain);
        REQUIRE(seen.apply(got.msg.payload, got.msg.cls == MsgClass::Refresh).ok());
    };
    while (seen.find("DIRECT_FEED") == nullptr || seen.find("OTHER_FEED") == nullptr)
        hear(c.next());
    f.hub->drain();
    hear(c.next());
    for (const auto& service : seen.services()) {
        CHECK(service->state.up);
        CHECK_FALSE(service->state.acceptingRequests());
    }
    c.send(RawConsumer::directoryRequest(3, 77));
    CHECK(c.next().msg.streamId == 77);  // nothing was said twice
}
