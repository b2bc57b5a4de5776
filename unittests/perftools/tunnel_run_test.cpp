// The interactive tools with their items inside a tunnel stream, and what becomes of a run when the tunnel ends.
#include "RunStage.h"
#include "ema/session/provider/ProviderTest.h"
#include "emissary/metrics.h"
#include "emissary/tunnels.h"
#include "support/until.h"

#include <csignal>

using namespace emissary::perf::test;
using emissary::test::eventually;
using namespace refinitiv::ema::access;

namespace {

using Arguments = std::vector<std::string>;

/// Answers logins and items, and keeps the handles of tunnels.
struct TunnelServer : emissary::test::RecordingClient {
    TunnelServer() : provider(emissary::offerTunnels(config), *this) {}

    void onReqMsg(const ReqMsg& m, const OmmProviderEvent& e) override {
        RecordingClient::onReqMsg(m, e);
        if (m.getDomainType() != emissary::test::MMT_LOGIN) asking.add(e.getClientHandle());
    }
    /// The client that asked for the n-th item (from 1).
    UInt64 clientOfItem(std::size_t n) {
        REQUIRE(asking.wait([&](const auto& clients) { return clients.size() >= n; }));
        return asking.all()[n - 1];
    }

    emissary::test::Records<UInt64> asking;

    emissary::test::ConfigFile file;
    OmmIProviderConfig config{file.path()};
    OmmProvider provider;
};

}  // namespace

TEST_CASE("items, posts and generic messages go through a tunnel", "[perftools][run][tunnel]") {
    const bool user = GENERATE(false, true);
    const bool login = GENERATE(false, true);
    INFO((user ? "user dispatch" : "API dispatch") << (login ? ", login inside" : ""));
    const std::string dispatch = user ? "1" : "0";
    RunStage stage;
    const auto provider = stage.provider({"-useUserDispatch", dispatch, "-updateRate", "20000", "-genericMsgRate",
                                          "1000", "-tunnelStreamBuffersUsed", "-tunnelStreamOutputBufs", "4000"});
    Arguments options = {"-tunnel", "-useUserDispatch",       dispatch, "-postingRate",
                         "1000",    "-postingLatencyRate",    "100",    "-genericMsgRate",
                         "1000",    "-genericMsgLatencyRate", "100",    "-tunnelStreamBuffersUsed"};
    if (login) options.emplace_back("-tunnelAuth");
    const auto consumer = stage.consumer(options);
    const auto code = consumer->wait(kLong);
    INFO(consumer->output());
    INFO(provider->output());
    REQUIRE(code == 0);
    const std::string summary = readFile(stage.dir().file("ConsSummary.out"));
    CHECK(number(summary, "Requests sent") == 1000);
    CHECK(number(summary, "Refreshes received") == 1000);
    CHECK(number(summary, "Updates received") > 1000);
    CHECK(number(summary, "Latency max (usec)") > 0);
    CHECK(number(summary, "Posts sent") > 100);
    CHECK(number(summary, "Posting latency max (usec)") > 0);
    CHECK(number(summary, "GenMsgs sent") > 100);
    CHECK(number(summary, "GenMsgs received") > 100);
    CHECK(summary.find("          Tunnel Enabled: Yes\n") != std::string::npos);
    CHECK((summary.find("   Tunnel Authentication: Yes\n") != std::string::npos) == login);
    CHECK(summary.find(" Print Usage Tunnel Bufs: Yes\n") != std::string::npos);
    CHECK(summary.find("  TunnelStreamBufferUsed: Avg:") != std::string::npos);
    CHECK(consumer->output().find("  TunnelStreamBufferUsed: Avg:") != std::string::npos);
    provider->signal(SIGINT);
    REQUIRE(provider->wait(kLong) == 0);
    const std::string published = readFile(stage.dir().file("ProvSummary.out"));
    CHECK(number(published, "Image requests received") == 1000);
    CHECK(number(published, "Posts reflected") > 100);
    CHECK(number(published, "Updates sent") + number(published, "Posts reflected") >=
          number(summary, "Updates received"));
    CHECK(number(published, "GenMsgs received") > 100);
    CHECK(published.find("   Output Tunnel Buffers: 4000\n") != std::string::npos);
    CHECK(published.find("  TunnelStreamBufferUsed: Avg:") != std::string::npos);
}

TEST_CASE("several consumers have a tunnel each, and a provider does not pack in them", "[perftools][run][tunnel]") {
    RunStage stage;
    const auto provider = stage.provider({"-updateRate", "5000", "-maxPackCount", "20"});
    const auto consumer = stage.consumer({"-tunnel", "-threads", "-1,-1", "-requestRate", "500000"});
    const auto code = consumer->wait(kLong);
    INFO(consumer->output());
    REQUIRE(code == 0);
    const std::string summary = readFile(stage.dir().file("ConsSummary.out"));
    CHECK(number(summary, "Refreshes received") == 1000);
    CHECK(number(summary, "Updates received") > 1000);
    provider->signal(SIGINT);
    REQUIRE(provider->wait(kLong) == 0);
    INFO(provider->output());
    CHECK(provider->output().find("or the items are in a tunnel stream") != std::string::npos);
    CHECK(number(readFile(stage.dir().file("ProvSummary.out")), "Updates packed") == -1);
}

TEST_CASE("requests wait while the tunnel's buffers are in use", "[perftools][run][tunnel]") {
    RunStage stage;
    const auto provider = stage.provider({"-updateRate", "1000"});
    const auto consumer =
        stage.consumer({"-tunnel", "-tunnelStreamOutputBufs", "1", "-requestRate", "500000", "-tickRate", "10"});
    const auto code = consumer->wait(kLong);
    INFO(consumer->output());
    REQUIRE(code == 0);
    CHECK(number(readFile(stage.dir().file("ConsSummary.out")), "Refreshes received") == 1000);
}

TEST_CASE("a tunnel that is closed ends the test", "[perftools][run][tunnel]") {
    RunStage stage(10);
    TunnelServer server;
    const std::string port = std::to_string(emissary::ema::ProviderAccess::port(server.provider));
    const auto consumer =
        stage.consumerOf({"-p", port, "-tunnel", "-itemCount", "10", "-steadyStateTime", "300", "-noDisplayStats"});
    server.provider.closeChannel(server.clientOfItem(10));
    const auto code = consumer->wait(kLong);
    INFO(consumer->output());
    CHECK(code == 255);
    CHECK(consumer->output().find("Tunnel stream closed: ") != std::string::npos);
    // Nothing is left of it at the provider.
    CHECK(eventually(
        [&] { return emissary::metrics(server.provider).value("emissary_tunnel_open") == std::uint64_t{0}; }));
}

TEST_CASE("with -recover it is opened again, and everything in it", "[perftools][run][tunnel]") {
    RunStage stage(10);
    TunnelServer server;
    const std::string port = std::to_string(emissary::ema::ProviderAccess::port(server.provider));
    const auto consumer = stage.consumerOf(
        {"-p", port, "-tunnel", "-recover", "-itemCount", "10", "-steadyStateTime", "300", "-noDisplayStats"});
    server.provider.closeChannel(server.clientOfItem(10));
    server.clientOfItem(20);
    CHECK(eventually([&] { return consumer->output().find("the data is back.") != std::string::npos; }));
    // The connection ends with it: both come back.
    const UInt64 connection = server.at(1).client;
    server.provider.closeChannel(connection);
    server.clientOfItem(30);
    consumer->signal(SIGINT);
    REQUIRE(consumer->wait(kLong) == 0);
    INFO(consumer->output());
    CHECK(consumer->output().find("tunnel stream closed: ") != std::string::npos);
    const std::string summary = readFile(stage.dir().file("ConsSummary.out"));
    CHECK(number(summary, "Requests sent") == 30);
    CHECK(number(summary, "Recoveries") >= 1);
}

TEST_CASE("a service without tunnels is waited for, in words", "[perftools][run][tunnel]") {
    RunStage stage(10);
    emissary::test::ConfigFile file;
    emissary::test::RecordingClient app;
    OmmProvider provider(OmmIProviderConfig(file.path()), app);
    const std::string port = std::to_string(emissary::ema::ProviderAccess::port(provider));
    const auto consumer = stage.consumerOf({"-p", port, "-tunnel", "-itemCount", "10", "-steadyStateTime", "60"});
    CHECK(eventually([&] {
        return consumer->output().find("waiting for service 'DIRECT_FEED' to be up, accept requests, and take tunnel "
                                       "streams (System, 127, among its Capabilities).") != std::string::npos;
    }));
    consumer->signal(SIGINT);
    REQUIRE(consumer->wait(kLong));
}
