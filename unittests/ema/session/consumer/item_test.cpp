// Items of an OmmConsumer: events, dispatching, many threads.
#include "SessionTest.h"

#include "reactor/rdm/consumer_status.h"

using namespace emissary::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

void sendUpdate(RawProvider& p, std::int32_t id) {
    emissary::reactor::GrowingBuffer b;
    codec::FieldListEncoder list;
    list.begin(b.start());
    list.addReal(22, {3391, 12});
    if (!list.complete().ok()) throw std::runtime_error("encoding failed");
    codec::Msg m = RawProvider::update(id);
    m.containerType = codec::DataType::FieldList;
    m.payload = b.view();
    p.send(m);
}

}  // namespace

TEST_CASE("Items through the public interface", "[ema][session]") {
    ProviderThread provider;
    const ConsumerConfigFile file(provider.port());
    RecordingConsumerClient client;
    OmmConsumer consumer(OmmConsumerConfig(file.path()).username("user"));

    SECTION("refresh and updates: key, service name, fields by name") {
        std::atomic<bool> right{false};
        int closure = 0;
        std::atomic<UInt64> handle{0};
        client.hook = [&](const Msg& m, const OmmConsumerEvent& e) {
            if (m.getDataType() != DataType::UpdateMsgEnum) return;
            const auto& u = static_cast<const UpdateMsg&>(m);
            const FieldList& fields = u.getPayload().getFieldList();
            right = u.hasServiceName() && u.getServiceName() == "DIRECT_FEED" && u.getServiceId() == 1 &&
                    u.getStreamId() == 5 && e.getClosure() == &closure && fields.forth() &&
                    fields.getEntry().getName() == "BID" && fields.getEntry().getReal().getMantissa() == 3391;
            handle = e.getHandle();
        };
        const UInt64 h = consumer.registerClient(item("IBM.N"), client, &closure);
        const auto id = provider.requested("IBM.N");
        provider.run([&](RawProvider& p) {
            p.send(RawProvider::refresh(id));
            sendUpdate(p, id);
        });
        REQUIRE(client.wait("IBM.N update"));
        CHECK(right);
        CHECK(handle == h);
        CHECK(client.all == 2);
        consumer.unregister(h);
        CHECK(provider.until([](RawProvider& p) { return p.wire.back() == "CLOSE 3 d6 0x0"; }));
        consumer.unregister(h);
        consumer.unregister(0);
        CHECK_THAT(thrown([&] { consumer.reissue(item("IBM.N"), h); }),
                   StartsWith("OmmInvalidHandleException: Attempt to use invalid Handle on reissue()."));
        CHECK_THAT(thrown([&] { consumer.submit(GenericMsg(), h); }), StartsWith("OmmInvalidHandleException"));
    }
    SECTION("a service that is not there yet, and none at all") {
        consumer.registerClient(ReqMsg().serviceName("LATER").name("X"), client);
        CHECK(client.wait("X status Open/Suspect/0"));
        provider.run([](RawProvider& p) { p.sendServiceAdd(RawProvider::service(9, "LATER")); });
        CHECK(provider.requested("X") != 0);
        consumer.registerClient(ReqMsg().name("Y"), client);
        CHECK(client.wait("Y status Closed/Suspect/15"));
    }
    SECTION("a batch with a view: items under their parent's handle") {
        std::atomic<UInt64> parent{0};
        client.hook = [&](const Msg& m, const OmmConsumerEvent& e) {
            if (m.hasName() && m.getName() == "B") parent = e.getParentHandle();
        };
        const UInt64 batch = consumer.registerClient(
            ReqMsg()
                .serviceName("DIRECT_FEED")
                .payload(ElementList()
                             .addArray(ENAME_BATCH_ITEM_LIST, OmmArray().addAscii("A").addAscii("B").complete())
                             .addUInt(ENAME_VIEW_TYPE, 1)
                             .addArray(ENAME_VIEW_DATA, OmmArray().addInt(22).addInt(25).complete())
                             .complete()),
            client);
        REQUIRE(client.wait("- status Closed/Ok/0"));
        CHECK(provider.until([](RawProvider& p) { return p.wire.back() == "REQ 4 d6 0x444 B"; }));
        provider.run([&](RawProvider& p) { p.send(RawProvider::refresh(4)); });
        REQUIRE(client.wait("B refresh Open/Ok/0"));
        CHECK(parent == batch);
        CHECK_THAT(thrown([&] { consumer.unregister(batch); }), StartsWith("OmmInvalidUsageException -22"));
        CHECK_THAT(thrown([&] { consumer.reissue(item("A"), batch); }), StartsWith("OmmInvalidUsageException"));
        CHECK_THAT(thrown([&] { consumer.submit(GenericMsg(), batch); }), StartsWith("OmmInvalidUsageException"));
    }
    SECTION("handles that name nothing") {
        CHECK_THAT(thrown([&] { consumer.registerClient(item("A"), client, nullptr, 4711); }),
                   StartsWith("OmmInvalidHandleException"));
        CHECK_THAT(thrown([&] { consumer.submit(PostMsg().postId(1).solicitAck(true).complete(), 4711); }),
                   StartsWith("OmmInvalidHandleException"));
    }
    SECTION("a ConsumerStatus on the directory stream") {
        const UInt64 h = consumer.registerClient(ReqMsg().domainType(MMT_DIRECTORY).filter(3), client);
        REQUIRE(client.wait("- refresh Open/Ok/0"));
        ElementList mode;
        mode.addUInt(ENAME_CONS_SOURCE_MIROR_MODE, 1).complete();
        Map services;
        services.addKeyUInt(1, MapEntry::AddEnum, mode).complete();
        consumer.submit(GenericMsg().domainType(MMT_DIRECTORY).name(ENAME_CONS_STATUS).complete(true).payload(services),
                        h);
        const auto said = [](RawProvider& p) {
            return std::ranges::find_if(
                p.inbox, [](const RawProvider::Got& g) { return emissary::reactor::rdm::isConsumerStatus(g.msg); });
        };
        REQUIRE(provider.until([&](RawProvider& p) { return said(p) != p.inbox.end(); }));
        provider.run([&](RawProvider& p) {
            std::string read;
            CHECK(emissary::reactor::rdm::readConsumerStatus(said(p)->msg, [&](const auto& e) {
                      read += std::to_string(e.service) + "=" + std::to_string(static_cast<int>(*e.use)) + " ";
                  }) == nullptr);
            CHECK(read == "1=1 ");
            CHECK(said(p)->msg.streamId == 2);
        });
    }
    SECTION("a generic message and a post, there and back") {
        const UInt64 h = consumer.registerClient(item("IBM.N"), client);
        const auto id = provider.requested("IBM.N");
        CHECK_THAT(thrown([&] { consumer.submit(GenericMsg().name("g"), h); }), StartsWith("OmmInvalidUsageException"));
        provider.run([&](RawProvider& p) { p.send(RawProvider::refresh(id)); });
        REQUIRE(client.wait("IBM.N refresh Open/Ok/0"));
        consumer.submit(GenericMsg().name("g"), h);
        consumer.submit(PostMsg().postId(7).solicitAck(true).complete(), h);
        CHECK(provider.until([](RawProvider& p) { return p.wire.back().starts_with("POST 3"); }));
        provider.run([&](RawProvider& p) {
            codec::Msg ack;
            ack.cls = codec::MsgClass::Ack;
            ack.streamId = id;
            ack.ackId = 7;
            p.send(ack);
        });
        CHECK(client.wait("IBM.N ack"));
    }
    SECTION("a callback that throws does not stop the API thread") {
        std::atomic<bool> first{true};
        client.hook = [&](const Msg&, const OmmConsumerEvent&) {
            if (first.exchange(false)) throw std::runtime_error("the application is unwell");
        };
        consumer.registerClient(item("A"), client);
        const auto id = provider.requested("A");
        provider.run([&](RawProvider& p) {
            p.send(RawProvider::refresh(id));
            p.send(RawProvider::update(id));
        });
        CHECK(client.wait("A update"));
    }
    SECTION("given up inside onAllMsg, the specific callback does not come") {
        struct Quitter : RecordingConsumerClient {
            OmmConsumer* consumer = nullptr;
            void onAllMsg(const Msg& m, const OmmConsumerEvent& e) override {
                RecordingConsumerClient::onAllMsg(m, e);
                consumer->unregister(e.getHandle());
            }
        } quitter;
        quitter.consumer = &consumer;
        consumer.registerClient(item("A"), quitter);
        const auto id = provider.requested("A");
        provider.run([&](RawProvider& p) { p.send(RawProvider::refresh(id)); });
        CHECK(provider.until([](RawProvider& p) { return p.wire.back().starts_with("CLOSE"); }));
        CHECK(quitter.all == 1);
        CHECK(quitter.lines().empty());
    }
    SECTION("the provider dies and comes back") {
        consumer.registerClient(item("A"), client);
        consumer.registerClient(ReqMsg().domainType(MMT_LOGIN), client);
        REQUIRE(client.wait("user refresh Open/Ok/0"));
        auto id = provider.requested("A");
        provider.run([&](RawProvider& p) { p.send(RawProvider::refresh(id)); });
        REQUIRE(client.wait("A refresh Open/Ok/0"));
        provider.run([](RawProvider& p) { p.die(); });
        REQUIRE(client.wait("A status Open/Suspect/0"));
        provider.run([](RawProvider& p) { p.revive(); });
        id = provider.requested("A");
        provider.run([&](RawProvider& p) { p.send(RawProvider::refresh(id)); });
        REQUIRE(client.wait("A refresh Open/Ok/0", 2));
        CHECK(client.wait("user status Open/Ok/0"));
    }
    SECTION("garbage from the provider costs the connection, and all comes back") {
        consumer.registerClient(item("A"), client);
        provider.requested("A");
        provider.run([](RawProvider& p) { p.sendGarbage(std::string(64, '\xEE')); });
        REQUIRE(client.wait("A status Open/Suspect/0"));
        CHECK(provider.requested("A") == 4);
    }
}

TEST_CASE("User dispatch", "[ema][session]") {
    ProviderThread provider;
    const ConsumerConfigFile file(provider.port());
    RecordingConsumerClient client;
    OmmConsumer consumer(
        OmmConsumerConfig(file.path()).username("user").operationModel(OmmConsumerConfig::UserDispatchEnum));

    SECTION("an idle dispatch takes as long as it was told") {
        const auto begin = std::chrono::steady_clock::now();
        CHECK(consumer.dispatch(300000) == OmmConsumer::TimeoutEnum);
        const auto took = std::chrono::steady_clock::now() - begin;
        CHECK(took >= std::chrono::milliseconds(300));
        CHECK(took < std::chrono::seconds(3));
        CHECK(consumer.dispatch() == OmmConsumer::TimeoutEnum);
    }
    SECTION("callbacks come inside dispatch, on the caller's thread, and may throw through it") {
        const auto self = std::this_thread::get_id();
        bool same = false, throwing = false;
        client.hook = [&](const Msg&, const OmmConsumerEvent&) {
            same = std::this_thread::get_id() == self;
            if (throwing) throw 42;
        };
        consumer.registerClient(item("A"), client);
        const auto id = provider.requested("A");  // sent without a dispatch
        provider.run([&](RawProvider& p) { p.send(RawProvider::refresh(id)); });
        CHECK(consumer.dispatch(OmmConsumer::InfiniteWaitEnum) == OmmConsumer::DispatchedEnum);
        CHECK(same);
        CHECK(client.count("A refresh Open/Ok/0") == 1);
        throwing = true;
        provider.run([&](RawProvider& p) { p.send(RawProvider::update(id)); });
        CHECK_THROWS_AS(consumer.dispatch(OmmConsumer::InfiniteWaitEnum), int);
    }
}

TEST_CASE("Eight threads register and unregister at once", "[ema][session][threads]") {
    ProviderThread provider([](RawProvider& p) { p.automatic.items = true; });
    const ConsumerConfigFile file(provider.port());
    OmmConsumer consumer(OmmConsumerConfig(file.path()).username("user"));
    struct Counter : OmmConsumerClient {
        std::atomic<int> refreshes{0};
        void onRefreshMsg(const RefreshMsg&, const OmmConsumerEvent&) override { ++refreshes; }
    } client;
    constexpr int kThreads = 8, kEach = 200;
    std::vector<std::thread> threads;
    std::vector<std::vector<UInt64>> handles(kThreads);
    for (int t = 0; t < kThreads; ++t) {
        threads.emplace_back([&, t] {
            for (int i = 0; i < kEach; ++i) {
                const std::string name = "ITEM" + std::to_string(i % 50) + "_" + std::to_string(t % 2);
                handles[static_cast<std::size_t>(t)].push_back(consumer.registerClient(item(name.c_str()), client));
            }
        });
    }
    for (auto& t : threads)
        t.join();
    CHECK(eventually([&] { return client.refreshes >= kThreads * kEach; }, std::chrono::seconds(20)));
    CHECK(client.refreshes == kThreads * kEach);
    std::vector<UInt64> all;
    for (const auto& h : handles)
        all.insert(all.end(), h.begin(), h.end());
    std::sort(all.begin(), all.end());
    CHECK(std::adjacent_find(all.begin(), all.end()) == all.end());
    CHECK(all.front() != 0);
    threads.clear();
    for (int t = 0; t < kThreads; ++t) {
        threads.emplace_back([&, t] {
            for (const UInt64 h : handles[static_cast<std::size_t>(t)])
                consumer.unregister(h);
        });
    }
    for (auto& t : threads)
        t.join();
    CHECK(provider.until([](RawProvider& p) {
        return std::count_if(p.wire.begin(), p.wire.end(),
                             [](const std::string& s) { return s.starts_with("CLOSE"); }) == 100;
    }));
}
