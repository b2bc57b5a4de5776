// Tunnels of consumers with session channels and service lists: each stands at one session and ends with it.
#include "TunnelTest.h"

using namespace emissary::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

/// A session channel for each provider.
class Sessions {
public:
    explicit Sessions(std::initializer_list<TunnelProvider*> providers) {
        std::string channels, sessions, names;
        for (const TunnelProvider* p : providers) {
            const std::string n = std::to_string(++count_);
            channels += "<Channel><Name value=\"C" + n + "\"/><ChannelType value=\"ChannelType::RSSL_SOCKET\"/>" +
                        config::parameter("Host", "127.0.0.1") + config::parameter("Port", std::to_string(p->port())) +
                        "</Channel>";
            sessions +=
                "<SessionChannel><Name value=\"S" + n + "\"/><ChannelSet value=\"C" + n + "\"/></SessionChannel>";
            names += (names.empty() ? "S" : ", S") + n;
        }
        const std::string text =
            config::consumer(
                R"(<ReconnectMinDelay value="100"/><ReconnectMaxDelay value="100"/><SessionChannelSet value=")" +
                    names + "\"/>",
                "") +
            "<ChannelGroup><ChannelList>" + channels + "</ChannelList></ChannelGroup>" +
            "<SessionChannelGroup><SessionChannelList>" + sessions + "</SessionChannelList></SessionChannelGroup>" +
            config::logger() + config::dictionary();
        file_ = std::make_unique<EmaConfigFile>(text);
    }
    [[nodiscard]] OmmConsumerConfig& config() { return config_.emplace(file_->path()).username("user"); }

private:
    int count_ = 0;
    std::unique_ptr<EmaConfigFile> file_;
    std::optional<OmmConsumerConfig> config_;
};

TunnelStreamRequest requestOf(const char* service) {
    TunnelStreamRequest r;
    r.name("TUNNEL").serviceName(service).classOfService(reliable());
    return r;
}

/// Until the session that has it is ready; the handle of the tunnel.
UInt64 openAt(OmmConsumer& consumer, Notes& client, const std::string& service, char* label = tunnelName) {
    const std::string open = std::string(label) + " status Open/Ok Successful open of TunnelStream: TUNNEL " + service;
    const std::string notYet =
        std::string(label) + " status Closed/Suspect Service name of '" + service + "' is not found.";
    UInt64 handle = 0;
    (void)client.lines.take();
    REQUIRE(turnUntil(
        [&] {
            const std::vector<std::string> all = client.lines.all();
            return std::find(all.begin(), all.end(), open) != all.end();
        },
        [&] {
            (void)client.lines.take();
            handle = consumer.registerClient(requestOf(service.c_str()), client, label);
            REQUIRE(client.lines.wait([&](const auto& all) {
                return std::find(all.begin(), all.end(), open) != all.end() ||
                       std::find(all.begin(), all.end(), notYet) != all.end();
            }));
        }));
    return handle;
}

/// Notes the service ids of what comes.
struct ServiceNotes : Notes {
    std::atomic<UInt32> ofTunnel{0}, inside{0};
    void onStatusMsg(const StatusMsg& m, const OmmConsumerEvent& e) override {
        if (m.hasServiceId()) ofTunnel = m.getServiceId();
        Notes::onStatusMsg(m, e);
    }
    void onRefreshMsg(const RefreshMsg& m, const OmmConsumerEvent& e) override {
        if (m.hasServiceId()) inside = m.getServiceId();
        Notes::onRefreshMsg(m, e);
    }
};

}  // namespace

TEST_CASE("a tunnel goes to the session channel that has its service", "[ema][tunnel][routing]") {
    std::atomic<int> idThere{0};
    const auto noteId = [&](auto&, const wire::Msg& m) {
        if (m.cls == wire::MsgClass::Request) idThere = m.key.serviceId;
        return false;
    };
    TunnelProvider first({.service = "ONE"}), second({.taker = noteId, .service = "TWO"});
    Sessions sessions({&first, &second});
    ServiceNotes client;
    OmmConsumer consumer(sessions.config());
    const UInt64 other = openAt(consumer, client, "ONE", secondName);
    const UInt64 tunnel = openAt(consumer, client, "TWO");
    CHECK(first.told.count("asked TUNNEL d127") == 1);
    CHECK(second.told.count("asked TUNNEL d127") == 1);
    CHECK(client.parent == 0);
    // Both providers give their service the number 1; towards the application each has one of its own.
    const UInt32 id = client.ofTunnel;
    CHECK((id == 1 || id == 2));

    const UInt64 sub =
        consumer.registerClient(ReqMsg().name("X").serviceId(static_cast<UInt16>(id)), client, subName, tunnel);
    REQUIRE(client.wait("A refresh 5"));
    CHECK(client.parent == tunnel);
    CHECK(client.inside == id);
    CHECK(idThere == 1);
    consumer.submit(GenericMsg().domainType(200).payload(ElementList().complete()), sub);
    REQUIRE(client.wait("A generic d200"));
    consumer.submit(PostMsg().postId(7).solicitAck(true).payload(ElementList().complete()), sub);
    REQUIRE(client.wait("A ack 7"));
    consumer.reissue(ReqMsg().name("X").serviceId(static_cast<UInt16>(id)), sub);
    REQUIRE(client.lines.wait([](const auto& all) { return std::count(all.begin(), all.end(), "A refresh 5") == 2; }));

    SECTION("by the number of the service, too") {
        TunnelStreamRequest byId;
        byId.name("TUNNEL").serviceId(static_cast<UInt16>(id)).classOfService(reliable());
        (void)client.lines.take();
        consumer.registerClient(byId, client, tunnelName);
        REQUIRE(client.wait("T status Open/Ok Successful open of TunnelStream: TUNNEL TWO"));
        CHECK(client.ofTunnel == id);
        CHECK(second.told.count("asked TUNNEL d127") == 2);
    }
    SECTION("with the rules that hold without session channels") {
        checkTakesNoMessages(consumer, client, tunnel, sub);
        CHECK_THAT(thrown([&] { consumer.registerClient(ReqMsg().streamId(3), client, nullptr, tunnel); }),
                   Contains("streamId smaller than starting stream id. Passed in stream id is 3"));
        CHECK_THAT(thrown([&] { consumer.registerClient(TunnelStreamRequest(), client); }),
                   Contains("names no service"));
        CHECK_THAT(thrown([&] { consumer.registerClient(requestOf("TWO").classOfService(ClassOfService()), client); }),
                   Contains("Failed to open tunnel stream request. Reason: "));
        consumer.registerClient(requestOf("THREE"), client, tunnelName);
        REQUIRE(client.wait("T status Closed/Suspect Service name of 'THREE' is not found."));
        consumer.registerClient(ReqMsg().serviceName("TWO").name("X"), client, subName, tunnel);
        REQUIRE(client.wait("A status Closed/Suspect Invalid attempt to open sub stream using serviceName."));
    }
    SECTION("closed by a stream inside alone, and as a whole") {
        consumer.unregister(sub);
        REQUIRE(
            second.told.wait([](const auto& all) { return std::count(all.begin(), all.end(), "Close 5 d6") == 1; }));
        CHECK_THAT(thrown([&] { consumer.submit(GenericMsg(), sub); }), StartsWith("OmmInvalidHandleException"));
        const UInt64 again = consumer.registerClient(ReqMsg().name("Y"), client, subName, tunnel);
        consumer.unregister(tunnel);
        (void)client.lines.take();  // the answer to the last request may have come before
        REQUIRE(
            second.told.wait([](const auto& all) { return std::count(all.begin(), all.end(), "status 4/2") == 1; }));
        CHECK_THAT(thrown([&] { consumer.submit(GenericMsg(), again); }), StartsWith("OmmInvalidHandleException"));
        CHECK(client.lines.all() == std::vector<std::string>());
    }
    SECTION("closed by its provider, and the other one stays") {
        second.closeTunnel();
        REQUIRE(client.wait("T status Open/Suspect The provider closes the stream. TWO"));
        REQUIRE(client.wait("T status Closed/Suspect The stream is closed. TWO"));
        CHECK_THAT(thrown([&] { consumer.submit(GenericMsg(), sub); }), StartsWith("OmmInvalidHandleException"));
        (void)client.lines.take();
        consumer.registerClient(ReqMsg().name("Z"), client, subName, other);
        REQUIRE(client.wait("A refresh 5"));
    }
    SECTION("and lost with its session, while the other one stays") {
        second.endConnections();
        REQUIRE(client.wait("T status ClosedRecover/Suspect Channel closed. TWO"));
        CHECK_THAT(thrown([&] { consumer.submit(GenericMsg(), sub); }), StartsWith("OmmInvalidHandleException"));
        (void)client.lines.take();
        consumer.registerClient(ReqMsg().name("Z"), client, subName, other);
        REQUIRE(client.wait("A refresh 5"));
        openAt(consumer, client, "TWO");
    }
}

TEST_CASE("a service of several session channels has its tunnels at the first one that is there",
          "[ema][tunnel][routing]") {
    auto first = std::make_unique<TunnelProvider>();
    TunnelProvider second;
    Sessions sessions({first.get(), &second});
    Notes client;
    OmmConsumer consumer(sessions.config());
    REQUIRE(turnUntil(
        [&] {
            EmaVector<ChannelInformation> all;
            consumer.getSessionInformation(all);
            return all[0].getChannelState() == ChannelInformation::ActiveEnum &&
                   all[1].getChannelState() == ChannelInformation::ActiveEnum;
        },
        [] { std::this_thread::yield(); }));
    // Whichever was ready first; once the first one is, it has the next.
    REQUIRE(turnUntil([&] { return first->told.count("asked TUNNEL d127") != 0; },
                      [&] { consumer.unregister(openAt(consumer, client, "DIRECT_FEED")); }));
    const UInt64 tunnel = openAt(consumer, client, "DIRECT_FEED");
    const std::size_t before = second.told.count("asked TUNNEL d127");
    first.reset();
    REQUIRE(client.wait("T status ClosedRecover/Suspect Channel closed. DIRECT_FEED"));
    CHECK_THAT(thrown([&] { consumer.registerClient(ReqMsg(), client, nullptr, tunnel); }),
               StartsWith("OmmInvalidHandleException"));
    openAt(consumer, client, "DIRECT_FEED");
    CHECK(second.told.count("asked TUNNEL d127") == before + 1);
}

TEST_CASE("a consumer with service lists has tunnels", "[ema][tunnel][routing]") {
    TunnelProvider provider;
    const ConsumerConfigFile file(provider.port());
    Notes client;
    ServiceList list("Some");
    list.concreteServiceList().push_back("DIRECT_FEED");
    OmmConsumer consumer(OmmConsumerConfig(file.path()).username("user").addServiceList(list));
    const UInt64 tunnel = consumer.registerClient(request(), client, tunnelName);
    REQUIRE(client.wait(kOpen));
    consumer.registerClient(ReqMsg().name("X"), client, subName, tunnel);
    REQUIRE(client.wait("A refresh 5"));
}
