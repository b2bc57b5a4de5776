// Rows of session.md that are about the public interface only: defaults, dispatching, errors, filters of the login.
#include "Journal.h"

#include "support/AllocationCounter.h"
#include "reactor/rdm/Login.h"

using namespace emissary::test;
using Catch::Matchers::StartsWith;

TEST_CASE("MsgKeyInUpdates 0: updates come as they were sent", "[ema][session]") {
    const bool keyed = GENERATE(true, false);
    Sequence s(keyed ? "" : R"(<MsgKeyInUpdates value="0"/>)");
    std::atomic<int> named{-1};
    s.journal.hook = [&](const Msg& m, const OmmConsumerEvent&) {
        if (m.getDataType() == DataType::UpdateMsgEnum) named = m.hasName() ? 1 : 0;
    };
    const auto id = s.openAnswered("A");
    s.send(RawProvider::update(id));
    REQUIRE(s.journal.wait("A update"));
    CHECK(named == (keyed ? 1 : 0));
}

TEST_CASE("A directory request while there is no connection", "[ema][session]") {
    Sequence s;
    s.login("login");
    REQUIRE(s.journal.wait("login refresh Open/Ok/0"));
    s.provider.run([](RawProvider& p) { p.die(); });
    REQUIRE(s.journal.wait("login status Open/Suspect/0", 2));
    CHECK_THAT(thrown([&] { s.directory("dir"); }), StartsWith("OmmInvalidUsageException -4049"));
}

TEST_CASE("dispatch() inside a callback returns at once", "[ema][session]") {
    ProviderThread provider;
    const ConsumerConfigFile file(provider.port());
    struct Nested : OmmConsumerClient {
        OmmConsumer* consumer = nullptr;
        std::vector<Int64> outcomes;
        void onRefreshMsg(const RefreshMsg&, const OmmConsumerEvent&) override {
            for (const Int64 timeout : {Int64{0}, Int64{60'000'000}, Int64{OmmConsumer::InfiniteWaitEnum}})
                outcomes.push_back(consumer->dispatch(timeout));
        }
    } client;
    OmmConsumer consumer(
        OmmConsumerConfig(file.path()).username("user").operationModel(OmmConsumerConfig::UserDispatchEnum));
    client.consumer = &consumer;
    consumer.registerClient(item("A"), client);
    const auto id = provider.requested("A");
    provider.run([&](RawProvider& p) { p.send(RawProvider::refresh(id)); });
    while (client.outcomes.empty())
        REQUIRE(consumer.dispatch(10000000) == OmmConsumer::DispatchedEnum);
    CHECK(client.outcomes == std::vector<Int64>(3, OmmConsumer::TimeoutEnum));
}

TEST_CASE("One dispatch handles so many messages and no more", "[ema][session]") {
    const int most = GENERATE(1, 3, 100);
    ProviderThread provider;
    const ConsumerConfigFile file(provider.port(),
                                  R"(<MaxDispatchCountUserThread value=")" + std::to_string(most) + R"("/>)");
    struct Counter : OmmConsumerClient {
        int updates = 0, refreshes = 0;
        void onRefreshMsg(const RefreshMsg&, const OmmConsumerEvent&) override { ++refreshes; }
        void onUpdateMsg(const UpdateMsg&, const OmmConsumerEvent&) override { ++updates; }
    } client;
    OmmConsumer consumer(
        OmmConsumerConfig(file.path()).username("user").operationModel(OmmConsumerConfig::UserDispatchEnum));
    consumer.registerClient(item("A"), client);
    const auto id = provider.requested("A");
    provider.run([&](RawProvider& p) { p.send(RawProvider::refresh(id)); });
    while (client.refreshes == 0)
        REQUIRE(consumer.dispatch(10000000) == OmmConsumer::DispatchedEnum);

    constexpr int kAll = 20;
    provider.run([&](RawProvider& p) {
        for (int i = 0; i < kAll; ++i)
            p.send(RawProvider::update(id));
    });
    int before = 0, calls = 0;
    while (client.updates < kAll) {
        REQUIRE(consumer.dispatch(10000000) == OmmConsumer::DispatchedEnum);
        ++calls;
        CHECK(client.updates - before <= most);
        before = client.updates;
    }
    CHECK(client.updates == kAll);
    CHECK(calls >= (kAll + most - 1) / most);
    CHECK(consumer.dispatch(0) == OmmConsumer::TimeoutEnum);
}

TEST_CASE("Few messages in a turn of the API thread lose none", "[ema][session]") {
    Sequence s(R"(<MaxDispatchCountApiThread value="1"/>)");
    const auto id = s.openAnswered("A");
    s.provider.run([&](RawProvider& p) {
        for (int i = 0; i < 50; ++i)
            p.send(RawProvider::update(id));
    });
    CHECK(s.journal.wait("A update", 50));
}

TEST_CASE("Memory that is exhausted", "[ema][session][memory]") {
    ProviderThread provider;
    const ConsumerConfigFile file(provider.port());
    struct Errors : OmmConsumerErrorClient {
        void onMemoryExhaustion(const EmaString& text) override { texts.emplace_back(text.c_str()); }
        std::vector<std::string> texts;
    } errors;
    RecordingConsumerClient client;
    const std::string name(200, 'N');  // more than a record has room for
    const ReqMsg request = item(name.c_str());

    SECTION("is an exception, and the next call works") {
        OmmConsumer consumer(OmmConsumerConfig(file.path()).username("user"));
        bool told = false;
        failAllocation();
        try {
            consumer.registerClient(request, client);
        } catch (const OmmMemoryExhaustionException&) { told = true; }
        CHECK(told);
        CHECK(allocationFailed());
        consumer.registerClient(item("A"), client);
        CHECK(provider.requested("A") >= 3);
    }
    SECTION("or is told to the error client") {
        OmmConsumer consumer(OmmConsumerConfig(file.path()).username("user"), errors);
        failAllocation();
        CHECK(consumer.registerClient(request, client) == 0);
        CHECK(allocationFailed());
        CHECK(errors.texts.size() == 1);
        consumer.registerClient(item("A"), client);
        CHECK(provider.requested("A") >= 3);
    }
}

TEST_CASE("Filters of update types in the login", "[ema][session][login]") {
    // What the provider was asked for, login by login; it answers with the filters in force.
    std::vector<std::pair<std::uint64_t, std::uint64_t>> asked;
    ProviderThread provider([&](RawProvider& p) {
        p.automatic.login = false;
        p.onMessage = [&](const RawProvider::Got& got) {
            if (got.msg.cls != codec::MsgClass::Request || got.msg.domain != 1) return;
            emissary::reactor::rdm::LoginAttributes a;
            if (!emissary::reactor::rdm::decodeLogin(got.msg.key, a).ok()) return;
            asked.emplace_back(a.updateTypeFilter.value_or(0), a.negativeUpdateTypeFilter.value_or(0));
            if (got.msg.has(codec::RequestFlag::noRefresh)) return;
            codec::Msg answer = p.loginRefresh();
            answer.key.attrib = got.msg.key.attrib;
            p.send(answer);
        };
    });
    const ConsumerConfigFile file(provider.port());
    const auto login = [](std::uint64_t wanted, std::uint64_t unwanted) {
        ElementList attributes;
        attributes.addAscii("ApplicationId", "256")
            .addUInt("UpdateTypeFilter", wanted)
            .addUInt("NegativeUpdateTypeFilter", unwanted)
            .complete();
        return ReqMsg().domainType(MMT_LOGIN).name("user").nameType(USER_NAME).attrib(attributes);
    };
    Journal journal;
    std::mutex mutex;
    std::vector<std::uint64_t> shown;
    journal.hook = [&](const Msg& m, const OmmConsumerEvent&) {
        if (m.getDataType() != DataType::RefreshMsgEnum || m.getAttrib().getDataType() != DataType::ElementListEnum)
            return;
        const ElementList& list = m.getAttrib().getElementList();
        const std::lock_guard guard(mutex);
        while (list.forth())
            if (list.getEntry().getName() == "UpdateTypeFilter" ||
                list.getEntry().getName() == "NegativeUpdateTypeFilter")
                shown.push_back(list.getEntry().getUInt());
    };
    OmmConsumerConfig config(file.path());
    config.addAdminMsg(login(0x3FF, 0x8));
    OmmConsumer consumer(config);
    const UInt64 h = consumer.registerClient(ReqMsg().domainType(MMT_LOGIN), journal, const_cast<char*>("login"));
    REQUIRE(journal.wait("login refresh Open/Ok/0"));
    {
        const std::lock_guard guard(mutex);
        CHECK(shown == std::vector<std::uint64_t>{0x3FF, 0x8});
    }
    const auto requests = [&] { return provider.run([&](RawProvider&) { return asked; }); };
    using Asked = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
    CHECK(requests() == Asked{{0x3FF, 0x8}});

    SECTION("are asked for again on the next connection") {
        provider.run([](RawProvider& p) { p.disconnect(); });
        REQUIRE(journal.wait("login status Open/Ok/0"));
        CHECK(requests() == Asked{{0x3FF, 0x8}, {0x3FF, 0x8}});
    }
    SECTION("cannot be changed by a reissue, but be said again") {
        CHECK_THAT(thrown([&] { consumer.reissue(login(0x1, 0x8), h); }), StartsWith("OmmInvalidUsageException -29"));
        CHECK_THAT(thrown([&] { consumer.reissue(login(0x3FF, 0), h); }), StartsWith("OmmInvalidUsageException -29"));
        consumer.reissue(login(0x3FF, 0x8).initialImage(false), h);
        CHECK(provider.until([&](RawProvider&) { return asked.size() == 2; }));
        CHECK(requests().back() == std::pair<std::uint64_t, std::uint64_t>{0x3FF, 0x8});
    }
}
