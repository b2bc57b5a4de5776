// An OmmProvider that takes tunnel streams (emissary/tunnels.h): each is a client of its own to the application.
#include "ProviderTest.h"
#include "ema/session/consumer/SessionTest.h"
#include "emissary/metrics.h"
#include "emissary/tunnels.h"
#include "eta/core/bytes.h"
#include "reactor/tunnel/ClassOfService.h"
#include "support/AllocationCounter.h"

#include <array>
#include <future>
#include <optional>

using namespace emissary;
using namespace emissary::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using Code = OmmInvalidUsageException;
namespace tunnel = emissary::reactor::tunnel;

namespace {

char tunnelName[] = "T", otherName[] = "U", itemName[] = "A", secondName[] = "B", outsideName[] = "O";

ClassOfService reliable(bool login = false) {
    ClassOfService cos;
    cos.dataIntegrity(CosDataIntegrity().type(CosDataIntegrity::ReliableEnum))
        .flowControl(CosFlowControl().type(CosFlowControl::BidirectionalEnum));
    if (login) cos.authentication(CosAuthentication().type(CosAuthentication::OmmLoginEnum));
    return cos;
}
TunnelStreamRequest asking(const ClassOfService& cos = reliable()) {
    TunnelStreamRequest r;
    r.name("TUNNEL").serviceName("DIRECT_FEED").classOfService(cos);
    return r;
}

/// A provider with an offer, and a consumer of it.
struct Pair {
    explicit Pair(std::optional<TunnelOffer> offer = TunnelOffer{}, const std::string& server = {})
        : providerFile({}, sourcePath("/etc/RDMFieldDictionary"), server),
          provider(configured(providerFile, offer), app), consumerFile(ema::ProviderAccess::port(provider)),
          consumer(OmmConsumerConfig(consumerFile.path()).username("user")) {
        app.at(1);  // its login
    }
    static OmmIProviderConfig& configured(const ConfigFile& file, const std::optional<TunnelOffer>& offer) {
        static std::unique_ptr<OmmIProviderConfig> config;
        config = std::make_unique<OmmIProviderConfig>(file.path());
        return offer ? offerTunnels(*config, *offer) : *config;
    }
    UInt64 open(const TunnelStreamRequest& request = asking()) {
        const UInt64 handle = consumer.registerClient(request, client, tunnelName);
        REQUIRE(client.wait("T status Open/Ok/0"));
        return handle;
    }
    UInt64 item(const char* name, UInt64 parent, char* closure = itemName) {
        return consumer.registerClient(ReqMsg().name(name).serviceId(1), client, closure, parent);
    }

    ConfigFile providerFile;
    RecordingClient app;
    OmmProvider provider;
    ConsumerConfigFile consumerFile;
    RecordingConsumerClient client{RecordingConsumerClient::Label::closure};
    OmmConsumer consumer;
};

const FieldList& fields() {
    static FieldList list;
    static const FieldList& made = list.addReal(22, 1, OmmReal::ExponentNeg2Enum).complete();
    return made;
}

/// A generic message on a tunnel's stream, as it is on the wire.
void sendInTunnel(RawConsumer& c, std::int32_t streamId, std::uint32_t seqNum, codec::DataType type, Bytes payload) {
    static constexpr std::array<std::byte, 2> kData{std::byte{1}, std::byte{0}};
    codec::Msg m;
    m.cls = codec::MsgClass::Generic;
    m.domain = 127;
    m.streamId = streamId;
    m.flags = codec::GenericFlag::extendedHeader | codec::GenericFlag::seqNum | codec::GenericFlag::complete;
    m.seqNum = seqNum;
    m.extendedHeader = kData;
    m.containerType = type;
    m.payload = payload;
    c.send(m);
}
std::vector<std::byte> encoded(const codec::Msg& m) {
    std::vector<std::byte> bytes(codec::maxEncodedSize(m));
    eta::BeWriter out{bytes};
    REQUIRE(codec::encodeMsg(out, m).ok());
    bytes.resize(out.size());
    return bytes;
}

}  // namespace

TEST_CASE("a tunnel is a client of its own: requests, updates, posts and generic messages", "[ema][provider][tunnel]") {
    Pair p;
    const UInt64 opened = p.open();
    const UInt64 sub = p.item("IBM.N", opened);
    REQUIRE(p.client.wait("A refresh Open/Ok/0"));
    const auto login = p.app.at(1);
    const auto request = p.app.at(2);
    CHECK(request.what == "request");
    CHECK(request.name == "IBM.N");
    CHECK(request.service == "DIRECT_FEED");
    CHECK(request.client != login.client);
    CHECK(p.app.channelActive == 2);  // the connection's information is there inside as well

    p.provider.submit(UpdateMsg().payload(fields()), request.handle);
    REQUIRE(p.client.wait("A update"));
    p.consumer.submit(GenericMsg().domainType(6).payload(fields()), sub);
    CHECK(p.app.await("generic").handle == request.handle);
    p.provider.submit(GenericMsg().domainType(6).payload(fields()), request.handle);
    REQUIRE(p.client.wait("A generic"));
    p.consumer.submit(PostMsg().postId(7).solicitAck(true).payload(fields()), sub);
    CHECK(p.app.await("post").handle == request.handle);
    p.provider.submit(AckMsg().ackId(7), request.handle);
    REQUIRE(p.client.wait("A ack 7"));
    p.consumer.reissue(ReqMsg().name("IBM.N").serviceId(1), sub);
    CHECK(p.app.await("reissue").handle == request.handle);

    SECTION("the same item outside is another stream, of another client") {
        p.consumer.registerClient(ReqMsg().name("IBM.N").serviceName("DIRECT_FEED"), p.client, outsideName);
        REQUIRE(p.client.wait("O refresh Open/Ok/0"));
        const auto outside = p.app.awaitWhere([&](const auto& r) { return r.client == login.client && r.domain == 6; });
        p.provider.submit(UpdateMsg().payload(fields()), outside.handle);
        REQUIRE(p.client.wait("O update"));
        CHECK(p.client.count("A update") == 1);
    }
    SECTION("a stream ends by its state") {
        p.provider.submit(StatusMsg().state(OmmState::ClosedEnum, OmmState::SuspectEnum), request.handle);
        REQUIRE(p.client.wait("A status Closed/Suspect/0"));
        CHECK_THAT(thrown([&] { p.provider.submit(UpdateMsg().payload(fields()), request.handle); }),
                   Contains("does not exist"));
    }
    SECTION("and by its consumer") {
        p.consumer.unregister(sub);
        const auto closed = p.app.await("close");
        CHECK(closed.handle == request.handle);
        CHECK(closed.name == "IBM.N");
        p.item("IBM.N", opened, secondName);
        const auto again = p.app.awaitWhere(
            [&](const auto& r) { return r.what == "request" && r.name == "IBM.N" && r.handle != request.handle; });
        CHECK(again.client == request.client);
        CHECK_THAT(thrown([&] { p.provider.submit(UpdateMsg().payload(fields()), request.handle); }),
                   Contains("does not exist"));
    }
    SECTION("all streams end with the tunnel, which either side closes") {
        p.item("B.N", opened, secondName);
        const auto second = p.app.awaitWhere([](const auto& r) { return r.name == "B.N"; });
        REQUIRE(p.client.wait("B refresh Open/Ok/0"));
        const bool ours = GENERATE(false, true);
        if (ours) {
            p.provider.closeChannel(request.client);
            REQUIRE(p.client.wait("T status Closed/Suspect/0"));
        } else {
            p.consumer.unregister(opened);
        }
        for (const UInt64 handle : {request.handle, second.handle})
            CHECK(p.app.awaitWhere([&](const auto& r) { return r.what == "close" && r.handle == handle; }).client ==
                  request.client);
        CHECK_FALSE(tunnelBuffersUsed(p.provider, request.client));
        CHECK_FALSE(tunnelBuffersUsed(p.consumer, opened));
        CHECK_THAT(thrown([&] { p.provider.closeChannel(request.client); }), Contains("does not exist"));
        // The connection has stayed, and takes another.
        p.client.take();
        p.item("C.N", p.open());
        REQUIRE(p.client.wait("A refresh Open/Ok/0"));
    }
    SECTION("and with the connection") {
        p.provider.closeChannel(login.client);
        REQUIRE(p.client.wait("T status ClosedRecover/Suspect/0"));
        p.app.awaitWhere([&](const auto& r) { return r.what == "close" && r.handle == request.handle; });
        CHECK_FALSE(tunnelBuffersUsed(p.provider, request.client));
    }
}

TEST_CASE("without an offer, and beyond it, tunnels are rejected", "[ema][provider][tunnel]") {
    SECTION("nothing was offered") {
        Pair p{std::nullopt};
        p.consumer.registerClient(asking(), p.client, tunnelName);
        REQUIRE(p.client.wait("T status Closed/Suspect/0"));
        CHECK(p.app.size() == 1);
    }
    SECTION("one for each connection") {
        Pair p;
        p.open();
        p.consumer.registerClient(asking(), p.client, otherName);
        REQUIRE(p.client.wait("U status Closed/Suspect/0"));
        CHECK(p.client.count("T status Open/Ok/0") == 1);
    }
    SECTION("two, when two are offered") {
        Pair p{TunnelOffer{.perConnection = 2}};
        p.item("A.N", p.open());
        const UInt64 other = p.consumer.registerClient(asking(), p.client, otherName);
        REQUIRE(p.client.wait("U status Open/Ok/0"));
        p.item("B.N", other, secondName);
        REQUIRE(p.client.wait("B refresh Open/Ok/0"));
        const auto first = p.app.awaitWhere([](const auto& r) { return r.name == "A.N"; });
        const auto second = p.app.awaitWhere([](const auto& r) { return r.name == "B.N"; });
        CHECK(first.client != second.client);
    }
    SECTION("other kinds, naming what would do") {
        Pair p;
        ClassOfService cos = reliable();
        SECTION("no flow control") {
            cos.flowControl(CosFlowControl().type(CosFlowControl::NoneEnum));
        }
        SECTION("a queue") {
            cos.guarantee(CosGuarantee().type(CosGuarantee::PersistentQueueEnum));
        }
        p.consumer.registerClient(asking(cos), p.client, tunnelName);
        REQUIRE(p.client.wait("T status ClosedRedirected/Suspect/0"));
        CHECK(p.app.size() == 1);
    }
}

TEST_CASE("a login inside comes to the application, and admits the rest", "[ema][provider][tunnel]") {
    Pair p;
    const UInt64 opened = p.open(asking(reliable(true)));
    const auto login = p.app.at(2);
    CHECK(login.domain == MMT_LOGIN);
    CHECK(login.name == "user");
    CHECK(login.client != p.app.at(1).client);
    p.item("IBM.N", opened);
    REQUIRE(p.client.wait("A refresh Open/Ok/0"));
    CHECK(p.app.at(3).client == login.client);
}

TEST_CASE("services that take tunnels say so", "[ema][provider][tunnel]") {
    const bool offers = GENERATE(false, true);
    const ConfigFile file;
    RecordingClient app;
    OmmIProviderConfig config(file.path());
    if (offers) offerTunnels(config);
    OmmProvider provider(config, app);
    RawConsumer c = loggedIn(provider);
    c.send(RawConsumer::directoryRequest(reactor::rdm::DirectoryFilter::info | reactor::rdm::DirectoryFilter::state));
    const Received directory = c.next();
    reactor::rdm::Directory seen;
    REQUIRE(seen.apply(directory.msg.payload, true).ok());
    CHECK(seen.find(std::uint16_t{1})->info.supportsDomain(127) == offers);
}

TEST_CASE("a tunnel has no packs", "[ema][provider][tunnel]") {
    Pair p;
    p.item("IBM.N", p.open());
    REQUIRE(p.client.wait("A refresh Open/Ok/0"));
    const auto request = p.app.at(2);
    PackedMsg pack(p.provider);
    CHECK(usageCode([&] { pack.initBuffer(request.client); }) == Code::InvalidOperationEnum);
}

TEST_CASE("an update in a tunnel waits for the image, and for room", "[ema][provider][tunnel]") {
    Pair p{TunnelOffer{.outputBuffers = 1}};
    p.app.answer = false;
    p.item("IBM.N", p.open());
    const auto request = p.app.at(2);
    CHECK_THAT(thrown([&] { p.provider.submit(UpdateMsg().payload(fields()), request.handle); }),
               StartsWith("OmmInvalidHandleException") && Contains("a refresh must be submitted first"));
    CHECK_THAT(
        thrown([&] { p.provider.submit(RefreshMsg().serviceId(9).complete().payload(fields()), request.handle); }),
        Contains("has no service with id 9"));
    // 400,000 bytes are more than the buffers hold and go all the same: one longest message fits.
    const std::string part(40'000, 'x');
    ElementList parts;
    for (int i = 0; i < 10; ++i)
        parts.addAscii("x", EmaString(part.c_str(), static_cast<UInt32>(part.size())));
    parts.complete();
    RefreshMsg big;
    big.complete().state(OmmState::OpenEnum, OmmState::OkEnum).payload(parts);
    // More than that waits until the consumer has acknowledged, of which nothing comes while its callback stands still.
    std::promise<void> goOn;
    const std::shared_future<void> gate = goOn.get_future().share();
    p.client.hook = [gate](const Msg& m, const OmmConsumerEvent&) {
        if (m.getDataType() == DataType::UpdateMsgEnum) gate.wait();
    };
    p.provider.submit(
        RefreshMsg().complete().solicited(true).state(OmmState::OpenEnum, OmmState::OkEnum).payload(fields()),
        request.handle);
    REQUIRE(p.client.wait("A refresh Open/Ok/0"));
    p.provider.submit(UpdateMsg().payload(fields()), request.handle);
    int sent = 0;
    const Int32 code = [&] {
        for (; sent < 100; ++sent)
            if (const Int32 c = usageCode([&] { p.provider.submit(big, request.handle); }); c != Code::NoErrorEnum)
                return c;
        return Int32{Code::NoErrorEnum};
    }();
    CHECK(code == Code::NoBuffersEnum);
    CHECK(sent >= 1);
    CHECK(tunnelBuffersUsed(p.provider, request.client).value_or(0) > 1);
    goOn.set_value();
    REQUIRE(p.client.wait("A refresh Open/Ok/0 unsolicited", static_cast<std::size_t>(sent)));
    REQUIRE(eventually([&] { return tunnelBuffersUsed(p.provider, request.client) == 0U; }));
}

TEST_CASE("an update into a tunnel allocates nothing", "[ema][provider][tunnel]") {
    Pair p;
    p.item("IBM.N", p.open());
    REQUIRE(p.client.wait("A refresh Open/Ok/0"));
    const UInt64 handle = p.app.at(2).handle;
    UpdateMsg update;
    std::size_t sent = 0;
    const auto send = [&](int times) {
        for (int i = 0; i < times; ++i, ++sent)
            p.provider.submit(update, handle);
        // With all of them acknowledged the next ones find the memory of these.
        REQUIRE(p.client.wait("A update", sent));
        REQUIRE(eventually([&] { return tunnelBuffersUsed(p.provider, p.app.at(2).client) == 0U; }));
    };
    update.payload(fields());
    send(200);
    send(200);
    const std::uint64_t before = allocationsOfThisThread();
    for (int i = 0; i < 100; ++i)
        p.provider.submit(update, handle);
    CHECK(allocationsOfThisThread() == before);
}

TEST_CASE("handles of a tunnel that has ended name nothing in a later one", "[ema][provider][tunnel]") {
    Pair p;
    constexpr int kItems = 5000;  // more than are kept when there is no tunnel
    UInt64 opened = p.open();
    for (int i = 0; i < kItems; ++i)
        p.item(("I" + std::to_string(i)).c_str(), opened);
    const UInt64 old = p.app.awaitWhere([](const auto& r) { return r.name == "I0"; }).handle;
    REQUIRE(p.client.wait("A refresh Open/Ok/0", kItems));
    p.consumer.unregister(opened);
    REQUIRE(eventually([&] { return metrics(p.provider).value("emissary_tunnel_open") == std::uint64_t{0}; }));
    p.client.take();
    opened = p.open();
    p.item("NEW", opened, secondName);
    REQUIRE(p.client.wait("B refresh Open/Ok/0"));
    CHECK(p.app.awaitWhere([](const auto& r) { return r.name == "NEW"; }).handle != old);
    CHECK_THAT(thrown([&] { p.provider.submit(UpdateMsg().payload(fields()), old); }), Contains("does not exist"));
}

TEST_CASE("what a client sends inside against the rules is dropped or refused there", "[ema][provider][tunnel]") {
    const ConfigFile file({}, sourcePath("/etc/RDMFieldDictionary"), R"(<MaxStreamsPerClient value="3"/>)");
    RecordingClient app;
    OmmIProviderConfig config(file.path());
    OmmProvider provider(offerTunnels(config), app);
    RawConsumer c = loggedIn(provider);
    tunnel::ClassOfService cos;
    cos.flowControl = tunnel::FlowControl::bidirectional;
    cos.dataIntegrity = tunnel::DataIntegrity::reliable;
    std::array<std::byte, 512> block{};
    eta::BeWriter out{block};
    REQUIRE(tunnel::encode(out, cos, tunnel::Writer::consumer).ok());
    codec::Msg ask = RawConsumer::request(9, 127, "RAW", 1);
    ask.flags |= codec::RequestFlag::privateStream | codec::RequestFlag::qualified;
    ask.key.flags |= codec::KeyFlag::filter;
    ask.key.filter = tunnel::filterOf(cos);
    ask.containerType = codec::DataType::FilterList;
    ask.payload = out.view();
    c.send(ask);
    REQUIRE(c.next().msg.cls == codec::MsgClass::Refresh);

    std::uint32_t seqNum = 0;
    const auto say = [&](const codec::Msg& m) { sendInTunnel(c, 9, ++seqNum, codec::DataType::Msg, encoded(m)); };
    // The next message inside; acknowledgements are left out.
    const auto inside = [&] {
        for (;;) {
            const Received got = c.next();
            if (got.msg.cls != codec::MsgClass::Generic || got.msg.containerType != codec::DataType::Msg) continue;
            codec::Msg m;
            REQUIRE(codec::decodeMsg(got.msg.payload, m).ok());
            return std::pair(m.streamId, m.state.code);
        }
    };
    static constexpr std::array<std::byte, 3> kRubbish{};
    sendInTunnel(c, 9, ++seqNum, codec::DataType::Opaque, kRubbish);
    sendInTunnel(c, 9, ++seqNum, codec::DataType::Msg, kRubbish);
    for (const auto& [stream, data] : {std::pair(1, 3), std::pair(1, 7), std::pair(6, 1), std::pair(31, 1)}) {
        codec::Msg none;  // states that are none
        none.cls = codec::MsgClass::Status;
        none.domain = 1;
        none.streamId = 1;
        none.flags = codec::StatusFlag::state;
        none.state = {static_cast<std::uint8_t>(stream), static_cast<std::uint8_t>(data), 0, {}};
        say(none);
    }
    say(RawConsumer::close(77));
    say(RawConsumer::request(0, 6, "X", 1));
    CHECK(inside() == std::pair(std::int32_t{0}, std::uint8_t{OmmState::UsageErrorEnum}));
    say(RawConsumer::request(5, 6, "X", 4));
    CHECK(inside() == std::pair(std::int32_t{5}, std::uint8_t{OmmState::SourceUnknownEnum}));
    for (const std::int32_t id : {5, 6, 7}) {
        say(RawConsumer::request(id, 6, "X" + std::to_string(id), 1));
        CHECK(inside() == std::pair(id, std::uint8_t{0}));
    }
    say(RawConsumer::request(8, 6, "X8", 1));
    CHECK(inside() == std::pair(std::int32_t{8}, std::uint8_t{OmmState::TooManyItemsEnum}));
    say(RawConsumer::request(5, 7, "X5", 1));  // another domain: dropped
    say(RawConsumer::close(6));
    CHECK(app.await("close").name == "X6");
    say(RawConsumer::request(8, 6, "X8", 1));
    CHECK(inside() == std::pair(std::int32_t{8}, std::uint8_t{0}));
    CHECK_FALSE(app.has("reissue"));
}
