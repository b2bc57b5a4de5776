// A provider that restarts under a thousand consumers: they come back spread over time, all of them.
#include "reactor/consumer/ConsumerRole.h"
#include "reactor/provider/ProviderRole.h"
#include "support/RawProvider.h"
#include "support/StillClock.h"
#include "support/catch.hpp"
#include "support/until.h"

#include <algorithm>
#include <memory>

#include <sys/resource.h>

using namespace emissary;
using namespace emissary::test;
using namespace std::chrono_literals;
using reactor::consumer::ConsumerOptions;
using reactor::consumer::ConsumerRole;
using reactor::consumer::Recipient;
using reactor::consumer::Refusal;

namespace {

/// Accepts every login and answers every item.
struct Server final : reactor::ProviderHandler {
    explicit Server(reactor::Reactor& l) : loop(l) {}
    ~Server() override { stop(); }
    void start(const std::string& port) {
        reactor::ProviderOptions options;
        options.bind.port = port;
        options.services.push_back(RawProvider::service(1, "DIRECT_FEED"));
        const std::lock_guard guard(loop.lock());
        role = std::make_unique<reactor::ProviderRole>(loop, std::move(options), *this);
        const eta::Refused refused = role->listen();
        INFO(refused.text);
        REQUIRE_FALSE(refused);
    }
    void stop() {
        const std::lock_guard guard(loop.lock());
        role.reset();
    }
    void onRequest(const reactor::StreamEvent& event, const codec::Msg& request) override {
        codec::Msg m = RawProvider::refresh(0);
        m.key = request.key;
        m.flags |= codec::RefreshFlag::msgKey;
        (void)role->submit(event.handle, m);
    }
    void onReissue(const reactor::StreamEvent&, const codec::Msg&) override {}
    void onClose(const reactor::StreamEvent&, const codec::Msg&) override {}
    void onPost(const reactor::StreamEvent&, const codec::Msg&) override {}
    void onGeneric(const reactor::StreamEvent&, const codec::Msg&) override {}

    reactor::Reactor& loop;
    std::unique_ptr<reactor::ProviderRole> role;
};

struct Client final : reactor::consumer::ConsumerSink {
    std::unique_ptr<ConsumerRole> role;
    int refreshes = 0, suspects = 0;
    void onMessage(const codec::Msg& m, const Recipient&, std::string_view) override {
        if (m.cls == codec::MsgClass::Refresh) ++refreshes;
        else if (m.cls == codec::MsgClass::Status && m.state.data == codec::DataState::suspect) ++suspects;
    }
    void onConnection(reactor::consumer::ConnectionEvent, const std::string&) override {}
    void onWarning(const std::string&) override {}
};

}  // namespace

TEST_CASE("A thousand consumers survive a restart", "[reactor][consumer][recovery][stress]") {
    constexpr std::size_t kClients = 1000;
    rlimit files{};
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);

    StillClock clock;
    reactor::ReactorOptions options;
    options.clock = &clock;
    reactor::Reactor serverLoop(options), loop(options);
    Server server(serverLoop);
    server.start("0");
    const std::string port = std::to_string(server.role->port());
    std::vector<std::unique_ptr<Client>> clients;
    const auto turn = [&] {
        serverLoop.dispatch(0us, 1000);
        loop.dispatch(0us, 1000);
    };
    const auto until = [&](auto condition) { REQUIRE(turnUntil(condition, turn, std::chrono::seconds(60))); };
    const auto count = [&](auto which) {
        return static_cast<std::size_t>(std::count_if(clients.begin(), clients.end(), which));
    };
    codec::Msg request;
    request.cls = codec::MsgClass::Request;
    request.flags = codec::RequestFlag::streaming;
    request.key.flags = codec::KeyFlag::name;
    request.key.name = eta::asBytes("IBM.N");

    for (std::size_t i = 0; i < kClients; ++i) {
        ConsumerOptions o;
        o.channels.resize(1);
        o.channels[0].name = "Channel";
        o.channels[0].connect.host = "127.0.0.1";
        o.channels[0].connect.port = port;
        o.login.userName = "user";
        o.downloadDictionaries = false;
        o.reconnect.jitterSeed = static_cast<std::uint32_t>(i + 1);
        auto client = std::make_unique<Client>();
        {
            const std::lock_guard guard(loop.lock());
            client->role = std::make_unique<ConsumerRole>(loop, o, *client);
            client->role->start();
        }
        clients.push_back(std::move(client));
        until([&] { return clients.back()->role->phase() == ConsumerRole::Phase::ready; });
        const std::lock_guard guard(loop.lock());
        Refusal refusal;
        clients.back()->role->registerClient({request, "DIRECT_FEED"}, {nullptr, nullptr, 0}, refusal);
    }
    until([&] { return count([](const auto& c) { return c->refreshes == 1; }) == kClients; });

    server.stop();
    until([&] { return count([](const auto& c) { return c->suspects == 1; }) == kClients; });
    server.start(port);
    // The first wait is 1000 to 1500 ms.
    clock.advance(999ms);
    turn();
    std::size_t before = count([](const auto&c) { return c->role->counters().connects > 1; }), most = 0;
    CHECK(before == 0);
    for (int step = 0; step < 11; ++step) {
        clock.advance(50ms);
        turn();
        const std::size_t now = count([](const auto& c) { return c->role->counters().connects > 1; });
        most = std::max(most, now - before);
        before = now;
    }
    CHECK(before == kClients);
    CHECK(most < kClients / 5);  // evenly spread it would be a tenth
    until([&] {
        clock.advance(1ms);  // who was turned away in the crowd comes once more
        return count([](const auto& c) { return c->refreshes == 2; }) == kClients;
    });
    CHECK(server.role->counters().clientsAccepted >= kClients);

    const std::lock_guard guard(loop.lock());
    for (const auto& c : clients)
        c->role.reset();
}
