// MaxLoginsPerUser: a connection that is dead or frozen gives its place to the user's next login (hub.md 2.4).
#include "fixture.h"

#include "reactor/json/fixture.h"
#include "reactor/metrics/Snapshot.h"

#include <algorithm>
#include <array>
#include <linux/filter.h>
#include <sys/socket.h>

using namespace emissary;
using namespace emissary::test;
using json_test::Json;

namespace {

constexpr auto kProbe = std::chrono::milliseconds(400);

/// A client of one of the protocols, with a login of the same user as all others.
class Peer {
public:
    enum class Kind : std::uint8_t { ripc, webSocket, json };
    static const char* name(Kind kind) {
        static constexpr const char* kNames[] = {"RIPC", "RWF over WebSocket", "JSON"};
        return kNames[static_cast<std::size_t>(kind)];
    }
    Peer(HubFixture& f, Kind kind, std::uint8_t pingTimeout = 60) {
        const auto pump = [&f] { f.turn(); };
        auto to = kind == Kind::json ? webSocketTo(f.hub->port()) : RawConsumer::optionsFor(f.hub->port());
        if (kind == Kind::webSocket) to = webSocketTo(f.hub->port(), "rssl.rwf");
        to.pingTimeoutSeconds = pingTimeout;
        if (kind == Kind::json) {
            json_ = std::make_unique<TextClient>(to, pump);
            json_->send(R"({"ID":1,"Domain":"Login","Key":{"Name":"dana"}})");
        } else {
            rwf_ = std::make_unique<RawConsumer>(to, pump);
            rwf_->send(RawConsumer::loginRequest("dana"));
        }
    }
    /// Waits for the answer to the login: "Open 0", "Closed 31".
    std::string answer() {
        if (json_) {
            const Json got = json_->next("Domain", "Login");
            const Json& state = got.at("State");
            const auto* code = state.find("Code");
            return state.at("Stream").text + (code != nullptr && code->text == "MaxLoginsReached" ? " 31" : " 0");
        }
        const Received got = rwf_->next();
        return (got.msg.state.stream == StreamState::open ? "Open " : "Closed ") + std::to_string(got.msg.state.code);
    }
    /// Reads what there is, and answers pings.
    void look() {
        if (rwf_) return void(rwf_->tryNext(std::chrono::milliseconds(0)));
        while (json_->ready())
            if (json_->next().at("Type").text == "Ping") json_->send(R"({"Type":"Pong"})");
    }
    /// Nothing that is sent to it arrives any more, as if its cable were cut.
    void cut() {
        sock_filter drop{};
        drop.code = BPF_RET | BPF_K;
        const sock_fprog program{1, &drop};
        const int fd = (json_ ? json_->channel() : rwf_->channel()).fd();
        REQUIRE(::setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program) == 0);
    }

private:
    std::unique_ptr<RawConsumer> rwf_;
    std::unique_ptr<TextClient> json_;
};

struct Places : HubFixture {
    explicit Places(std::uint32_t threads, std::uint32_t most = 1, std::chrono::milliseconds probe = kProbe)
        : HubFixture([&](HubSettings& s) {
              s.threads = threads;
              s.listeners[0].bind.minPingTimeoutSeconds = 1;
              s.maxLoginsPerUser = most;
              s.loginProbeTime = probe;
          }) {}
    [[nodiscard]] bool logged(const std::string& part) const {
        return std::any_of(lines.begin(), lines.end(),
                           [&](const std::string& line) { return line.find(part) != std::string::npos; });
    }
};

}  // namespace

TEST_CASE("a user's connections that are alive keep their places", "[hub][node][places]") {
    const std::uint32_t threads = GENERATE(1U, 3U);
    for (const auto kind : {Peer::Kind::ripc, Peer::Kind::webSocket, Peer::Kind::json}) {
        INFO(Peer::name(kind) << ", " << threads << " threads");
        Places f(threads, 2);
        Peer first(f, kind), second(f, kind);
        REQUIRE(first.answer() == "Open 0");
        REQUIRE(second.answer() == "Open 0");
        f.alongside = [&] {
            first.look();
            second.look();
        };
        Peer third(f, kind);
        CHECK(third.answer() == "Closed 31");
        CHECK_FALSE(f.logged("LoginProbeTime"));
    }
}

TEST_CASE("a connection whose line is cut gives its place to the user's next login", "[hub][node][places]") {
    const std::uint32_t threads = GENERATE(1U, 3U);
    for (const auto kind : {Peer::Kind::ripc, Peer::Kind::webSocket, Peer::Kind::json}) {
        INFO(Peer::name(kind) << ", " << threads << " threads");
        Places f(threads, 2);
        Peer alive(f, kind), dead(f, kind);
        REQUIRE(alive.answer() == "Open 0");
        REQUIRE(dead.answer() == "Open 0");
        f.alongside = [&] { alive.look(); };
        dead.cut();
        // One place comes free, for one of two: for which one, the fronts decide where there are three.
        Peer next(f, kind), another(f, kind);
        std::array<std::string, 2> answers{next.answer(), another.answer()};
        std::sort(answers.begin(), answers.end());
        CHECK(answers == std::array<std::string, 2>{"Closed 31", "Open 0"});
        CHECK(f.logged(kind == Peer::Kind::json ? "did not answer a ping within 400 ms"
                                                : "gave no sign of life within 400 ms"));
    }
}

TEST_CASE("a frozen client gives its place to the user's next login", "[hub][node][places]") {
    const std::uint32_t threads = GENERATE(1U, 3U);
    SECTION("JSON: it does not answer the ping") {
        Places f(threads);
        Peer frozen(f, Peer::Kind::json);
        REQUIRE(frozen.answer() == "Open 0");
        Peer next(f, Peer::Kind::json);
        CHECK(next.answer() == "Open 0");
        CHECK(f.logged("did not answer a ping"));
    }
    SECTION("RIPC: nothing came from it for half of the time in which it has to ping") {
        Places f(threads);
        Peer frozen(f, Peer::Kind::ripc, 4);
        REQUIRE(frozen.answer() == "Open 0");
        const auto half = std::chrono::steady_clock::now() + std::chrono::milliseconds(2100);
        f.until([&] { return std::chrono::steady_clock::now() > half; });
        Peer next(f, Peer::Kind::ripc);
        CHECK(next.answer() == "Open 0");
        CHECK(f.logged("gave no sign of life"));
    }
}

TEST_CASE("without LoginProbeTime a login beyond the limit is refused at once", "[hub][node][places]") {
    Places f(1, 1, std::chrono::milliseconds(0));
    Peer dead(f, Peer::Kind::ripc);
    REQUIRE(dead.answer() == "Open 0");
    dead.cut();
    Peer next(f, Peer::Kind::ripc);
    CHECK(next.answer() == "Closed 31");
}

TEST_CASE("a login that waits for a place may go, and a place that comes free meanwhile is taken",
          "[hub][node][places]") {
    const std::uint32_t threads = GENERATE(1U, 3U);
    Places f(threads, 1, std::chrono::hours(1));
    auto frozen = std::make_unique<Peer>(f, Peer::Kind::json);
    REQUIRE(frozen->answer() == "Open 0");
    auto gone = std::make_unique<Peer>(f, Peer::Kind::ripc);
    const auto clients = [&] { return f.hub->rooms().reactor.metrics().value("emissary_hub_clients").value_or(0); };
    f.until([&] { return clients() == 2; });
    for (int i = 0; i < 20; ++i)
        f.turn();
    gone.reset();
    f.until([&] { return clients() == 1; });
    Peer next(f, Peer::Kind::json);
    f.until([&] { return clients() == 2; });
    frozen.reset();
    CHECK(next.answer() == "Open 0");
}
