// Calls as other vendors' programs make them: handles of several instances, posts that name a service by name alone,
// reissues that say nothing of the domain.
#include "SessionTest.h"

using namespace emissary::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

/// One item, answered; its handle, and the stream at the provider.
UInt64 opened(ProviderThread& provider, OmmConsumer& consumer, RecordingConsumerClient& client, const char* name,
              std::int32_t& stream) {
    const UInt64 handle = consumer.registerClient(item(name), client);
    stream = provider.requested(name);
    provider.run([&](RawProvider& p) { p.send(RawProvider::refresh(stream)); });
    REQUIRE(client.wait(std::string(name) + " refresh Open/Ok/0"));
    return handle;
}

}  // namespace

TEST_CASE("Handles of several consumers differ, and each takes its own alone", "[ema][session]") {
    ProviderThread firstProvider, secondProvider;
    const ConsumerConfigFile firstFile(firstProvider.port()), secondFile(secondProvider.port());
    RecordingConsumerClient client;
    OmmConsumer first(OmmConsumerConfig(firstFile.path()).username("user"));
    OmmConsumer second(OmmConsumerConfig(secondFile.path()).username("user"));
    std::int32_t a = 0, b = 0;
    const UInt64 ofFirst = opened(firstProvider, first, client, "A", a);
    const UInt64 ofSecond = opened(secondProvider, second, client, "B", b);
    CHECK(ofFirst != ofSecond);
    for (UInt64 foreign : {ofSecond, first.registerClient(ReqMsg().domainType(MMT_LOGIN), client)}) {
        OmmConsumer& other = foreign == ofSecond ? first : second;
        CHECK_THAT(thrown([&] { other.reissue(item("A"), foreign); }), StartsWith("OmmInvalidHandleException"));
        CHECK_THAT(thrown([&] { other.submit(GenericMsg(), foreign); }), StartsWith("OmmInvalidHandleException"));
        CHECK_THAT(thrown([&] { other.submit(PostMsg().complete(), foreign); }),
                   StartsWith("OmmInvalidHandleException"));
        other.unregister(foreign);  // as any other that it does not know
    }
    firstProvider.run([&](RawProvider& p) { p.send(RawProvider::update(a)); });
    secondProvider.run([&](RawProvider& p) { p.send(RawProvider::update(b)); });
    CHECK(client.wait("A update"));
    CHECK(client.wait("B update"));
}

TEST_CASE("Posts that name their service by name alone, and what becomes of them", "[ema][session]") {
    ProviderThread provider;
    const ConsumerConfigFile file(provider.port());
    RecordingConsumerClient client;
    OmmConsumer consumer(OmmConsumerConfig(file.path()).username("user"));
    std::mutex mutex;
    std::vector<std::string> naks;
    client.hook = [&](const Msg& m, const OmmConsumerEvent&) {
        if (m.getDataType() != DataType::AckMsgEnum) return;
        const auto& ack = static_cast<const AckMsg&>(m);
        std::string line = std::to_string(ack.getAckId()) + " ";
        line += ack.hasMsgKey() && ack.hasName() ? ack.getName().c_str() : "no name";
        line += std::string(" of ") + (ack.hasServiceName() ? ack.getServiceName().c_str() : "no service");
        line += ack.hasNackCode() ? " nak " + std::to_string(ack.getNackCode()) : "";
        line += std::string(" ") + (ack.hasText() ? ack.getText().c_str() : "");
        const std::lock_guard guard(mutex);
        naks.push_back(line);
    };
    std::int32_t stream = 0;
    const UInt64 a = opened(provider, consumer, client, "A", stream);
    const UInt64 login = consumer.registerClient(ReqMsg().domainType(MMT_LOGIN), client);
    consumer.submit(PostMsg().postId(1).solicitAck(true).complete().serviceName("DIRECT_FEED"), a);
    consumer.submit(PostMsg().postId(2).solicitAck(true).complete().serviceId(1), a);
    consumer.submit(PostMsg().postId(3).solicitAck(true).complete().serviceName("DIRECT_FEED").name("P"), login);
    CHECK(provider.until([](RawProvider& p) {
        return std::count_if(p.wire.begin(), p.wire.end(), [](const auto& l) { return l.starts_with("POST "); }) == 3;
    }));
    provider.run([](RawProvider& p) { p.die(); });
    REQUIRE(turnUntil(
        [&] {
            const std::lock_guard guard(mutex);
            return naks.size() >= 3;
        },
        [] {}));
    const std::string lost = " of DIRECT_FEED nak 3 The connection was lost before the post was answered.";
    const std::lock_guard guard(mutex);
    CHECK(naks == std::vector<std::string>{"1 A" + lost, "2 A" + lost, "3 P" + lost});
}

TEST_CASE("A reissue that says nothing of the domain keeps the stream's", "[ema][session]") {
    ProviderThread provider;
    const ConsumerConfigFile file(provider.port());
    RecordingConsumerClient client;
    OmmConsumer consumer(OmmConsumerConfig(file.path()).username("user"));

    SECTION("of an item") {
        const UInt64 h = consumer.registerClient(item("A").domainType(MMT_MARKET_BY_ORDER), client);
        const std::int32_t stream = provider.requested("A");
        provider.run([&](RawProvider& p) {
            codec::Msg refresh = RawProvider::refresh(stream);
            refresh.domain = 7;
            p.send(refresh);
        });
        REQUIRE(client.wait("A refresh Open/Ok/0"));
        CHECK(thrown([&] { consumer.reissue(ReqMsg().priority(3, 2).initialImage(false), h); }).empty());
        CHECK(provider.until([](RawProvider& p) { return p.wire.back().starts_with("REQ 3 d7 0x66 "); }));
        CHECK_THAT(thrown([&] { consumer.reissue(ReqMsg().domainType(MMT_MARKET_BY_PRICE), h); }),
                   Contains("must not change the domain"));
    }
    SECTION("of the login, also without a name") {
        const UInt64 h = consumer.registerClient(ReqMsg().domainType(MMT_LOGIN), client);
        const auto logins = [](RawProvider& p) {
            return std::count_if(p.wire.begin(), p.wire.end(), [](const auto& l) { return l.starts_with("REQ 1 "); });
        };
        const auto before = provider.run(logins);
        CHECK(thrown([&] { consumer.reissue(ReqMsg().pause(true).initialImage(false), h); }).empty());
        CHECK(thrown([&] { consumer.reissue(ReqMsg().name("user").initialImage(false), h); }).empty());
        CHECK(provider.until([&](RawProvider& p) { return logins(p) == before + 2; }));
        CHECK(provider.run([](RawProvider& p) { return p.wire.back().ends_with(" user"); }));
        CHECK_THAT(thrown([&] { consumer.reissue(ReqMsg().name("other"), h); }),
                   Contains("must not change the user name"));
        CHECK_THAT(thrown([&] { consumer.reissue(ReqMsg().domainType(MMT_DIRECTORY), h); }),
                   Contains("must not change the domain"));
    }
    SECTION("of the directory") {
        const UInt64 h = consumer.registerClient(ReqMsg().domainType(MMT_DIRECTORY), client);
        REQUIRE(client.wait("- refresh Open/Ok/0"));
        CHECK(thrown([&] { consumer.reissue(ReqMsg().filter(SERVICE_STATE_FILTER), h); }).empty());
        CHECK_THAT(thrown([&] { consumer.reissue(ReqMsg().domainType(MMT_LOGIN), h); }),
                   Contains("must not change the domain"));
    }
    SECTION("of a dictionary from files") {
        const UInt64 h = consumer.registerClient(
            ReqMsg().domainType(MMT_DICTIONARY).name("RWFFld").filter(DICTIONARY_MINIMAL), client);
        REQUIRE(client.wait("RWFFld refresh Open/Ok/0"));
        const auto parts = client.all.load();
        CHECK(thrown([&] { consumer.reissue(ReqMsg().filter(DICTIONARY_INFO), h); }).empty());
        CHECK(turnUntil([&] { return client.all > parts; }, [] {}));
        CHECK_THAT(thrown([&] { consumer.reissue(ReqMsg().name("RWFEnum"), h); }),
                   Contains("must not change the dictionary's name"));
        consumer.unregister(h);
        CHECK_THAT(thrown([&] { consumer.reissue(ReqMsg(), h); }), StartsWith("OmmInvalidHandleException"));
    }
}
