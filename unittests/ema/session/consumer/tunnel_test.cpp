// Tunnel streams through the public interface, against a provider on loopback (tunnel.md 9).
#include "TunnelTest.h"

using namespace emissary::test;
namespace eta = emissary::eta;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

TEST_CASE("a tunnel opens, carries sub streams, and closes", "[ema][tunnel]") {
    TunnelProvider provider;
    const ConsumerConfigFile file(provider.port());
    Notes client;
    OmmConsumer consumer(OmmConsumerConfig(file.path()).username("user"));
    const UInt64 tunnel = consumer.registerClient(request(), client, tunnelName);
    REQUIRE(tunnel != 0);
    REQUIRE(client.wait(kOpen));
    CHECK(client.lines.all().front() == "T all");
    CHECK(client.parent == 0);

    const UInt64 sub = consumer.registerClient(ReqMsg().name("IBM.N").serviceId(1), client, subName, tunnel);
    REQUIRE(client.wait("A refresh 5"));
    CHECK(client.parent == tunnel);
    consumer.submit(GenericMsg().domainType(200).payload(ElementList().complete()), sub);
    REQUIRE(client.wait("A generic d200"));
    consumer.submit(PostMsg().postId(7).solicitAck(true).payload(ElementList().complete()), sub);
    REQUIRE(client.wait("A ack 7"));
    consumer.reissue(ReqMsg().name("IBM.N").serviceId(1), sub);
    REQUIRE(
        provider.told.wait([](const auto& all) { return std::count(all.begin(), all.end(), "Request 5 d6") == 2; }));
    REQUIRE(client.lines.wait([](const auto& all) { return std::count(all.begin(), all.end(), "A refresh 5") == 2; }));

    SECTION("with rules for ids inside") {
        CHECK_THAT(thrown([&] { consumer.registerClient(ReqMsg().streamId(3), client, nullptr, tunnel); }),
                   Contains("streamId smaller than starting stream id. Passed in stream id is 3"));
        CHECK_THAT(thrown([&] { consumer.registerClient(ReqMsg().streamId(5), client, nullptr, tunnel); }),
                   Contains("substream streamId (5) is already in use"));
        CHECK(consumer.registerClient(ReqMsg().streamId(77).name("X"), client, secondName, tunnel) != 0);
        REQUIRE(client.wait("B refresh 77"));
        consumer.unregister(sub);
        REQUIRE(
            provider.told.wait([](const auto& all) { return std::count(all.begin(), all.end(), "Close 5 d6") == 1; }));
        (void)client.lines.take();
        consumer.registerClient(ReqMsg().name("Y"), client, subName, tunnel);
        REQUIRE(client.wait("A refresh 5"));
    }
    SECTION("and takes no messages itself") {
        checkTakesNoMessages(consumer, client, tunnel, sub);
    }
    SECTION("by its handle, without a word") {
        (void)client.lines.take();
        consumer.unregister(tunnel);
        REQUIRE(
            provider.told.wait([](const auto& all) { return std::count(all.begin(), all.end(), "status 4/2") == 1; }));
        CHECK(provider.told.count("Close 5 d6") == 0);
        CHECK(client.lines.size() == 0);
        CHECK_THAT(thrown([&] { consumer.submit(GenericMsg(), sub); }), StartsWith("OmmInvalidHandleException"));
    }
    SECTION("from the other side") {
        provider.closeTunnel();
        REQUIRE(client.wait("T status Open/Suspect The provider closes the stream. DIRECT_FEED"));
        REQUIRE(client.wait("T status Closed/Suspect The stream is closed. DIRECT_FEED"));
        CHECK_THAT(thrown([&] { consumer.submit(GenericMsg(), sub); }), StartsWith("OmmInvalidHandleException"));
        CHECK_THAT(thrown([&] { consumer.reissue(ReqMsg(), tunnel); }), StartsWith("OmmInvalidHandleException"));
    }
    SECTION("with its connection, and it does not come back") {
        provider.endConnections();
        REQUIRE(client.wait("T status ClosedRecover/Suspect Channel closed. DIRECT_FEED"));
        CHECK_THAT(thrown([&] { consumer.submit(GenericMsg(), sub); }), StartsWith("OmmInvalidHandleException"));
        CHECK(provider.told.count("asked TUNNEL d127") == 1);
    }
}

TEST_CASE("a sub stream needs an open tunnel and no service name", "[ema][tunnel]") {
    TunnelProvider provider;
    const ConsumerConfigFile file(provider.port());
    Notes client;
    OmmConsumer consumer(OmmConsumerConfig(file.path()).username("user"));
    const UInt64 early = provider.run([&](TunnelProvider&) {
        const UInt64 handle = consumer.registerClient(request(), client, tunnelName);
        CHECK_THAT(thrown([&] { consumer.registerClient(ReqMsg(), client, nullptr, handle); }),
                   StartsWith("OmmInvalidUsageException"));
        return handle;
    });
    REQUIRE(client.wait(kOpen));
    consumer.registerClient(ReqMsg().serviceName("DIRECT_FEED").name("X"), client, subName, early);
    REQUIRE(client.wait("A status Closed/Suspect Invalid attempt to open sub stream using serviceName."));
}

TEST_CASE("a tunnel with a login inside is open when that is accepted", "[ema][tunnel]") {
    Notes client;
    SECTION("which the provider may refuse") {
        TunnelProvider provider({.refuseLogin = "who are you"});
        const ConsumerConfigFile file(provider.port());
        OmmConsumer consumer(OmmConsumerConfig(file.path()).username("user"));
        consumer.registerClient(request(true), client, tunnelName);
        REQUIRE(client.wait("T status Closed/Suspect who are you DIRECT_FEED"));
        REQUIRE(
            provider.told.wait([](const auto& all) { return std::count(all.begin(), all.end(), "status 4/2") == 1; }));
        return;
    }
    TunnelProvider provider;
    const ConsumerConfigFile file(provider.port());
    SECTION("the connection's own") {
        OmmConsumer consumer(OmmConsumerConfig(file.path()).username("user"));
        consumer.registerClient(request(true), client, tunnelName);
        REQUIRE(client.wait("T status Open/Ok welcome DIRECT_FEED"));
        CHECK(provider.told.count("Request 1 d1") == 1);
    }
    SECTION("the tunnel's") {
        OmmConsumer consumer(OmmConsumerConfig(file.path()).username("user"));
        consumer.registerClient(request(true).loginReqMsg(ReqMsg().domainType(MMT_LOGIN).name("other")), client,
                                tunnelName);
        REQUIRE(client.wait("T status Open/Ok welcome DIRECT_FEED"));
        CHECK(provider.told.count("Request 0 d1") == 1);
    }
}

TEST_CASE("tunnels that cannot be are refused, by whom it concerns", "[ema][tunnel]") {
    Notes client;
    SECTION("by the provider's application") {
        TunnelProvider provider({.answer = reactor::tunnel::ClassOfService{.streamVersion = 0}});
        const ConsumerConfigFile file(provider.port());
        OmmConsumer consumer(OmmConsumerConfig(file.path()).username("user"));
        consumer.registerClient(request(), client, tunnelName);
        REQUIRE(client.wait("T status ClosedRedirected/Suspect not here DIRECT_FEED"));
        CHECK(provider.told.count("asked TUNNEL d127") == 2);
    }
    SECTION("by a provider without tunnels") {
        TunnelProvider provider({.takesTunnels = false});
        const ConsumerConfigFile file(provider.port());
        OmmConsumer consumer(OmmConsumerConfig(file.path()).username("user"));
        consumer.registerClient(request(), client, tunnelName);
        REQUIRE(client.wait("T status Closed/Suspect Provider does not support TunnelStreams DIRECT_FEED"));
        CHECK(provider.told.count("outside TUNNEL") == 0);
    }
    SECTION("on this side") {
        TunnelProvider provider;
        const ConsumerConfigFile file(provider.port());
        OmmConsumer consumer(OmmConsumerConfig(file.path()).username("user"));
        CHECK_THAT(thrown([&] { consumer.registerClient(TunnelStreamRequest(), client); }),
                   Contains("names no service"));
        CHECK_THAT(thrown([&] { consumer.registerClient(request().classOfService(ClassOfService()), client); }),
                   StartsWith("OmmInvalidUsageException") &&
                       Contains("Failed to open tunnel stream request. Reason: "
                                "ClassOfService must minimally set reliability."));
        consumer.registerClient(TunnelStreamRequest().serviceName("NO").classOfService(reliable()), client, tunnelName);
        REQUIRE(client.wait("T status Closed/Suspect Service name of 'NO' is not found."));
        consumer.registerClient(TunnelStreamRequest().serviceId(9).classOfService(reliable()), client, subName);
        REQUIRE(client.wait("A status Closed/Suspect Service id of '9' is not found."));
    }
}

TEST_CASE("a WebSocket carries tunnels in RWF, and none in JSON", "[ema][tunnel]") {
    eta::transport::BindOptions bind = anyPort();
    bind.connectionType = eta::transport::ConnectionType::webSocket;
    TunnelProvider provider({.bind = bind});
    const bool json = GENERATE(false, true);
    const ConsumerConfigFile file(provider.port(), {}, true,
                                  json ? R"(<WsProtocols value="tr_json2"/>)" : R"(<WsProtocols value="rssl.rwf"/>)",
                                  R"(<Channel value="Channel"/>)", "RSSL_WEBSOCKET");
    Notes client;
    OmmConsumer consumer(OmmConsumerConfig(file.path()).username("user"));
    if (json) {
        CHECK_THAT(thrown([&] { consumer.registerClient(request(), client); }),
                   Contains("the connection carries JSON"));
        return;
    }
    const UInt64 tunnel = consumer.registerClient(request(), client, tunnelName);
    REQUIRE(client.wait(kOpen));
    consumer.registerClient(ReqMsg().name("IBM.N").serviceId(1), client, subName, tunnel);
    REQUIRE(client.wait("A refresh 5"));
}

TEST_CASE("tunnels are opened and closed by the thousand", "[ema][tunnel]") {
    TunnelProvider provider;
    const ConsumerConfigFile file(provider.port());
    struct Quiet : OmmConsumerClient {
        int opened = 0;
        void onStatusMsg(const StatusMsg& m, const OmmConsumerEvent&) override {
            opened += m.getState().getDataState() == OmmState::OkEnum ? 1 : 0;
        }
    } client;
    OmmConsumer consumer(
        OmmConsumerConfig(file.path()).username("user").operationModel(OmmConsumerConfig::UserDispatchEnum));
    constexpr int kTunnels = 2000;
    for (int i = 0; i < kTunnels; ++i) {
        const UInt64 handle = consumer.registerClient(request(), client);
        while (client.opened == i)
            consumer.dispatch(100'000);
        consumer.unregister(handle);
    }
    CHECK(client.opened == kTunnels);
    REQUIRE(provider.told.wait(
        [](const auto& all) { return std::count(all.begin(), all.end(), "status 4/2") == kTunnels; }));
}

TEST_CASE("a state that is none costs its message inside a tunnel", "[ema][tunnel]") {
    TunnelProviderOptions options;
    options.taker = [](emissary::reactor::tunnel::OfferedTunnel& t, const wire::Msg& m) {
        if (m.cls != wire::MsgClass::Generic || m.domain != 201) return false;
        for (std::uint8_t data = 3; data <= 7; ++data) {
            wire::Msg none;
            none.cls = wire::MsgClass::Status;
            none.streamId = m.streamId;
            none.domain = 6;
            none.flags = wire::StatusFlag::state;
            none.state = {1, data, 0, {}};
            (void)t.submit(none);
            none.state = {static_cast<std::uint8_t>(data == 7 ? 31 : data + 3), 1, 0, {}};
            (void)t.submit(none);
        }
        return false;
    };
    TunnelProvider provider(std::move(options));
    const ConsumerConfigFile file(provider.port());
    Notes client;
    OmmConsumer consumer(OmmConsumerConfig(file.path()).username("user"));
    const UInt64 tunnel = consumer.registerClient(request(), client, tunnelName);
    REQUIRE(client.wait(kOpen));
    const UInt64 sub = consumer.registerClient(ReqMsg().name("IBM.N").serviceId(1), client, subName, tunnel);
    REQUIRE(client.wait("A refresh 5"));
    (void)client.lines.take();
    consumer.submit(GenericMsg().domainType(201).payload(ElementList().complete()), sub);
    REQUIRE(client.wait("A generic d201"));
    CHECK(client.lines.all() == std::vector<std::string>{"A all", "A generic d201"});
}
