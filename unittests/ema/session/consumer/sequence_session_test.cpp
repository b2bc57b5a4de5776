// The sequences of session.md 11 that are about the session: 1, 7, 11-13, 18.
#include "Journal.h"

using namespace emissary::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using Lines = std::vector<std::string>;

TEST_CASE("Sequence 1: start-up", "[ema][session][sequence]") {
    ProviderThread provider([](RawProvider& p) { p.automatic.directory = false; });
    const ConsumerConfigFile file(provider.port(), {}, false);
    std::uint32_t filter = 0;
    std::thread answering([&] {
        provider.until([&](RawProvider& p) {
            const auto got = p.take();
            if (!got) return false;
            filter = got->msg.key.filter;
            p.sendDirectoryRefresh();
            return true;
        });
    });
    const OmmConsumer consumer(OmmConsumerConfig(file.path()).username("user"));
    answering.join();
    CHECK(filter == 63);
    CHECK(provider.run([](RawProvider& p) { return p.wire; }) ==
          Lines{"REQ 1 d1 0x4 user", "REQ 2 d4 0x4", "REQ 3 d5 0x44 RWFFld", "REQ 4 d5 0x44 RWFEnum"});
}

TEST_CASE("Sequence 7: the provider is killed and started again", "[ema][session][sequence]") {
    Sequence s;
    s.login("login");
    REQUIRE(s.journal.wait("login refresh Open/Ok/0"));
    s.directory("dir");
    REQUIRE(s.journal.wait("dir refresh Open/Ok/0"));
    s.openAnswered("A");
    s.openAnswered("B");
    s.openAnswered("P", item("P").privateStream(true), "P");
    s.journal.take();
    s.wire();

    s.provider.run([](RawProvider& p) { p.die(); });
    REQUIRE(s.journal.wait("login status Open/Suspect/0", 2));
    CHECK(s.journal.take() == Lines{"login status Open/Suspect/0", "dir update", "A status Open/Suspect/0",
                                    "B status Open/Suspect/0", "P status ClosedRecover/Suspect/0",
                                    "login status Open/Suspect/0"});

    s.provider.run([](RawProvider& p) { p.revive(); });
    REQUIRE(s.journal.wait("login status Open/Ok/0"));
    CHECK(s.provider.requested("A") == 6);
    CHECK(s.provider.requested("B") == 7);
    CHECK(s.wire() == Lines{"REQ 1 d1 0x4 user", "REQ 2 d4 0x4", "REQ 6 d6 0x44 A", "REQ 7 d6 0x44 B"});
    s.send(RawProvider::refresh(6));
    s.send(RawProvider::refresh(7));
    REQUIRE(s.journal.wait("B refresh Open/Ok/0 unsolicited"));
    CHECK(s.journal.take() == Lines{"login status Open/Ok/0", "login refresh Open/Ok/0", "dir update",
                                    "A refresh Open/Ok/0 unsolicited", "B refresh Open/Ok/0 unsolicited"});
}

TEST_CASE("Sequence 11: more posts than may wait for an ack", "[ema][session][sequence]") {
    Sequence s(R"(<MaxOutstandingPosts value="2"/><PostAckTimeout value="200"/>)");
    UInt64 h = 0;
    s.openAnswered("A", &h);
    s.wire();
    int refused = 0;
    for (UInt32 id = 1; id <= 4; ++id)
        if (thrown([&] { s.consumer.submit(PostMsg().postId(id).solicitAck(true).complete(), h); }).find("limit") !=
            std::string::npos)
            ++refused;
    CHECK(refused == 2);
    REQUIRE(s.journal.wait("A ack 2 nak 6"));
    CHECK(s.journal.count("A ack 1 nak 6") == 1);
    s.settle();
    CHECK(s.wire().size() == 2);
}

TEST_CASE("Sequence 12: a round trip on the login stream", "[ema][session][sequence]") {
    Sequence s(R"(<EnableRtt value="1"/>)");
    s.login("one");
    s.login("two");
    REQUIRE(s.journal.wait("two refresh Open/Ok/0"));
    s.provider.run([](RawProvider& p) {
        emissary::reactor::GrowingBuffer b;
        codec::ElementListEncoder list;
        list.begin(b.start());
        list.addUInt("Ticks", 123456);
        if (!list.complete().ok()) throw std::runtime_error("encoding failed");
        codec::Msg probe;
        probe.cls = codec::MsgClass::Generic;
        probe.domain = 1;
        probe.streamId = 1;
        probe.flags = codec::GenericFlag::complete;
        probe.containerType = codec::DataType::ElementList;
        probe.payload = b.view();
        p.send(probe);
    });
    REQUIRE(s.journal.wait("one generic"));
    REQUIRE(s.journal.wait("two generic"));
    std::uint64_t ticks = 0;
    CHECK(s.provider.until([&](RawProvider& p) {
        const auto got = p.take();
        if (!got || got->msg.cls != codec::MsgClass::Generic) return false;
        codec::ElementListDecoder in;
        codec::ElementEntry e;
        return in.start(got->msg.payload).ok() && in.next(e) && emissary::eta::asText(e.name) == "Ticks" &&
               codec::decodeUInt(e.data, ticks) == codec::Decoded::value;
    }));
    CHECK(ticks == 123456);
}

TEST_CASE("Sequence 13: an off-stream post and its ack", "[ema][session][sequence]") {
    Sequence s;
    const UInt64 login = s.login("one");
    s.login("two");
    REQUIRE(s.journal.wait("two refresh Open/Ok/0"));
    FieldList fields;
    fields.addInt(22, 1).complete();
    s.consumer.submit(
        PostMsg().postId(3).solicitAck(true).complete().serviceName("DIRECT_FEED").name("POST.N").payload(fields),
        login);
    CHECK(s.provider.until([](RawProvider& p) { return !p.wire.empty() && p.wire.back() == "POST 1 d6 0x66 POST.N"; }));
    codec::Msg ack;
    ack.cls = codec::MsgClass::Ack;
    ack.domain = 6;
    ack.streamId = 1;
    ack.ackId = 3;
    s.send(ack);
    CHECK(s.journal.wait("one ack 3"));
    CHECK(s.journal.wait("two ack 3"));
}

TEST_CASE("Sequence 18: an idle dispatch", "[ema][session][sequence]") {
    ProviderThread provider;
    const ConsumerConfigFile file(provider.port());
    OmmConsumer consumer(
        OmmConsumerConfig(file.path()).username("user").operationModel(OmmConsumerConfig::UserDispatchEnum));
    const auto begin = std::chrono::steady_clock::now();
    CHECK(consumer.dispatch(300000) == OmmConsumer::TimeoutEnum);
    const auto took = std::chrono::steady_clock::now() - begin;
    CHECK(took >= std::chrono::milliseconds(300));
    CHECK(took < std::chrono::seconds(5));
}

TEST_CASE("Another host of the channel set takes over", "[ema][session]") {
    ProviderThread first, second;
    first.run([](RawProvider& p) { p.automatic.items = true; });
    second.run([](RawProvider& p) { p.automatic.items = true; });
    const ConsumerConfigFile file(
        first.port(), {}, true,
        R"(</Channel><Channel><Name value="Other"/><ChannelType value="ChannelType::RSSL_SOCKET"/>
           <Host value="127.0.0.1"/><Port value=")" +
            std::to_string(second.port()) + R"("/>)",
        R"(<ChannelSet value="Channel, Other"/>)");
    Journal journal;
    OmmConsumer consumer(OmmConsumerConfig(file.path()).username("user"));
    consumer.registerClient(item("A"), journal, const_cast<char*>("A"));
    REQUIRE(journal.wait("A refresh Open/Ok/0"));
    ChannelInformation information;
    consumer.getChannelInformation(information);
    CHECK(information.port() == first.port());
    first.run([](RawProvider& p) { p.die(); });
    REQUIRE(journal.wait("A refresh Open/Ok/0 unsolicited"));
    CHECK(journal.take() == Lines{"A refresh Open/Ok/0", "A status Open/Suspect/0", "A refresh Open/Ok/0 unsolicited"});
    consumer.getChannelInformation(information);
    CHECK(information.port() == second.port());
    CHECK(information.getChannelState() == ChannelInformation::ActiveEnum);
    ChannelStatistics statistics;
    consumer.getChannelStatistics(statistics);
    CHECK(statistics.hasTcpRetransmitCount());
}

TEST_CASE("The admin client hears of its own directory and dictionary requests", "[ema][session]") {
    ProviderThread provider;
    const ConsumerConfigFile file(provider.port(), {}, false);
    Journal admin;
    std::mutex mutex;
    std::vector<int> domains;
    admin.hook = [&](const Msg& m, const OmmConsumerEvent&) {
        const std::lock_guard guard(mutex);
        if (domains.empty() || domains.back() != m.getDomainType()) domains.push_back(m.getDomainType());
    };
    OmmConsumerConfig config(file.path());
    config.username("user");
    config.addAdminMsg(ReqMsg().domainType(MMT_DIRECTORY).filter(63));
    config.addAdminMsg(ReqMsg().domainType(MMT_DICTIONARY).name("RWFFld").filter(7).serviceName("DIRECT_FEED"));
    const OmmConsumer consumer(config, admin, const_cast<char*>("admin"));
    const auto all = [&] {
        const std::lock_guard guard(mutex);
        return domains.size() >= 3;
    };
    CHECK(eventually(all));
    const std::lock_guard guard(mutex);
    CHECK(domains == std::vector<int>{MMT_LOGIN, MMT_DIRECTORY, MMT_DICTIONARY});
}
