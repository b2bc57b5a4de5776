// Construction, dispatching, sessions, errors, destruction.
#include "ProviderTest.h"
#include "emissary/port.h"

#include <thread>

using namespace emissary;
using namespace emissary::test;
using Code = OmmInvalidUsageException;

TEST_CASE("a provider with its own thread", "[ema][provider]") {
    const ConfigFile file;
    RecordingClient app;
    int closure = 0;
    OmmProvider provider(OmmIProviderConfig(file.path()), app, &closure);
    CHECK(std::string(provider.getProviderName().c_str()).rfind("Provider_", 0) == 0);
    CHECK(provider.getProviderRole() == OmmProviderConfig::InteractiveEnum);
    RawConsumer c = loggedIn(provider);
    SECTION("hands a request to the application and its answer to the client") {
        c.send(RawConsumer::request(5, 6, "TRI.N", 1));
        const Received got = c.next();
        CHECK(got.msg.cls == codec::MsgClass::Refresh);
        CHECK(got.name() == "TRI.N");
        CHECK(got.msg.key.serviceId == 1);
        CHECK(got.msg.containerType == codec::DataType::FieldList);
        const auto login = app.at(1), item = app.at(2);
        CHECK(login.domain == MMT_LOGIN);
        CHECK(login.closure == &closure);
        CHECK(item.name == "TRI.N");
        CHECK(item.service == "DIRECT_FEED");
        CHECK(item.handle != 0);
        CHECK(item.handle != login.handle);
        CHECK(item.client == login.client);
        CHECK(app.all == 2);
    }
    SECTION("dispatch() has nothing to do") {
        CHECK(provider.dispatch(1000) == OmmProvider::TimeoutEnum);
    }
    SECTION("tells about its clients") {
        EmaVector<ChannelInformation> clients;
        provider.getConnectedClientChannelInfo(clients);
        REQUIRE(clients.size() == 1);
        CHECK(clients[0].getChannelState() == ChannelInformation::ActiveEnum);
        CHECK(std::string(clients[0].getIPaddress().c_str()) == "127.0.0.1");
        ChannelStatistics statistics;
        provider.getConnectedClientChannelStats(app.at(1).client, statistics);
        CHECK(statistics.hasTcpRetransmitCount());
        CHECK(usageCode([&] { provider.getConnectedClientChannelStats(17, statistics); }) == Code::InvalidArgumentEnum);
        ChannelInformation info;
        CHECK(usageCode([&] { provider.getChannelInformation(info); }) == Code::InvalidOperationEnum);
    }
    SECTION("closes a client that the application wants to go") {
        provider.closeChannel(app.at(1).client);
        CHECK(c.waitClosed());
        const auto closed = app.at(2);
        CHECK(closed.what == "close");
        CHECK(closed.handle == app.at(1).handle);
        CHECK(closed.name == "user");
        CHECK(usageCode([&] { provider.closeChannel(app.at(1).client); }) == Code::InvalidArgumentEnum);
    }
    SECTION("changes options of a client's channel") {
        provider.modifyIOCtl(IOCtlCode::HighWaterMarkEnum, 4000, app.at(1).client);
        provider.modifyIOCtl(IOCtlCode::HighWaterMarkEnum, 4000, app.at(1).handle);
        CHECK(usageCode([&] { provider.modifyIOCtl(IOCtlCode::HighWaterMarkEnum, 4000, 99); }) ==
              Code::InvalidArgumentEnum);
        CHECK(usageCode([&] { provider.modifyIOCtl(4711, 4000, app.at(1).client); }) != Code::NoErrorEnum);
    }
    SECTION("serves its dictionaries") {
        c.send(RawConsumer::dictionaryRequest(3, "RWFFld"));
        Received got = c.next();
        CHECK(got.msg.has(codec::RefreshFlag::clearCache));
        while (!got.msg.has(codec::RefreshFlag::complete))
            got = c.next();
        CHECK(app.size() == 1);
    }
}

TEST_CASE("a provider dispatched by the application", "[ema][provider]") {
    const ConfigFile file;
    RecordingClient app;
    OmmIProviderConfig config(file.path());
    config.operationModel(OmmIProviderConfig::UserDispatchEnum);
    OmmProvider provider(config, app);
    SECTION("waits as long as asked") {
        const auto start = std::chrono::steady_clock::now();
        CHECK(provider.dispatch(300'000) == OmmProvider::TimeoutEnum);
        const auto took = std::chrono::steady_clock::now() - start;
        CHECK(took >= std::chrono::milliseconds(299));
        CHECK(provider.dispatch() == OmmProvider::TimeoutEnum);
    }
    SECTION("says when something was handled; callbacks run on the calling thread") {
        bool dispatched = false;
        RawConsumer c =
            loggedIn(provider, [&] { dispatched |= provider.dispatch(1000) == OmmProvider::DispatchedEnum; });
        CHECK(dispatched);
    }
    SECTION("what a callback throws comes out of dispatch()") {
        RawConsumer c = loggedIn(provider, [&] { provider.dispatch(1000); });
        app.throwOnItem = true;
        c.send(RawConsumer::request(5, 6, "TRI.N", 1));
        bool thrown = false;
        while (!thrown) {
            try {
                provider.dispatch(10'000'000);
            } catch (const std::runtime_error& e) { thrown = std::string(e.what()) == "the application is unwell"; }
        }
        app.throwOnItem = false;
        c.send(RawConsumer::request(6, 6, "TRI.O", 1));
        CHECK(c.next().msg.streamId == 6);
    }
}

TEST_CASE("a throwing callback on the provider's own thread", "[ema][provider]") {
    const ConfigFile file;
    RecordingClient app;
    RecordingErrors errors;
    OmmProvider provider(OmmIProviderConfig(file.path()), app, errors);
    RawConsumer c = loggedIn(provider);
    app.throwOnItem = true;
    c.send(RawConsumer::request(5, 6, "TRI.N", 1));
    (void)app.at(2);
    app.throwOnItem = false;
    c.send(RawConsumer::request(6, 6, "TRI.O", 1));
    CHECK(c.next().msg.streamId == 6);
    c.send(RawConsumer::request(7, 6, "TRI.P", 1));
    CHECK(c.next().msg.streamId == 7);
    REQUIRE(errors.dispatchErrors.size() == 1);
    CHECK(errors.dispatchErrors.all()[0].find("unwell") != std::string::npos);
}

TEST_CASE("a provider that cannot start", "[ema][provider]") {
    const ConfigFile file;
    RecordingClient app;
    OmmProvider first(OmmIProviderConfig(file.path()), app);
    const std::string port = std::to_string(listeningPort(first));
    OmmIProviderConfig config(file.path());
    config.port(port.c_str());
    SECTION("its port is in use: the text names port and remedy") {
        std::string text;
        CHECK(usageCode([&] { OmmProvider second(config, app); }, &text) == Code::FailureEnum);
        INFO(text);
        CHECK(text.find(port) != std::string::npos);
        CHECK(text.find("OmmIProviderConfig::port()") != std::string::npos);
    }
    SECTION("the error client is told, twice, and later calls too") {
        RecordingErrors errors;
        OmmProvider second(config, app, errors);
        CHECK(listeningPort(second) == 0);
        REQUIRE(errors.texts.size() == 1);
        REQUIRE(errors.codes.size() == 1);
        CHECK(errors.codes[0] == Code::FailureEnum);
        second.submit(UpdateMsg(), 1);
        CHECK(errors.codes.size() == 2);
        CHECK(second.dispatch(1000) == OmmProvider::TimeoutEnum);
    }
    SECTION("a dictionary file is missing: the text names it") {
        const ConfigFile other({}, "/nowhere/RDMFieldDictionary");
        std::string text;
        CHECK(usageCode([&] { OmmProvider p(OmmIProviderConfig(other.path()), app); }, &text) == Code::FailureEnum);
        INFO(text);
        CHECK(text.find("/nowhere/RDMFieldDictionary") != std::string::npos);
    }
}

TEST_CASE("a provider goes promptly in every state", "[ema][provider]") {
    const ConfigFile file;
    RecordingClient app;
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < 20; ++i) {
        auto provider = std::make_unique<OmmProvider>(OmmIProviderConfig(file.path()), app);
        if (i % 3 == 0) continue;  // idle
        RawConsumer c = loggedIn(*provider);
        if (i % 3 == 1) c.send(RawConsumer::request(5, 6, "TRI.N", 1));  // answering
        const std::size_t before = app.size();
        provider.reset();
        CHECK(c.waitClosed());
        CHECK(app.size() <= before + 1);
    }
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
}

TEST_CASE("a client killed in the middle of a message", "[ema][provider]") {
    const ConfigFile file;
    RecordingClient app;
    OmmProvider provider(OmmIProviderConfig(file.path()), app);
    RawConsumer victim = loggedIn(provider), other = loggedIn(provider);
    victim.send(RawConsumer::request(5, 6, "TRI.N", 1));
    const auto item = app.at(3);
    victim.dieMidMessage();
    const auto closed = app.at(4);
    CHECK(closed.what == "close");
    CHECK(closed.domain == MMT_LOGIN);
    CHECK(usageCode([&] { provider.submit(UpdateMsg(), item.handle); }) == Code::InvalidArgumentEnum);
    other.send(RawConsumer::request(5, 6, "TRI.N", 1));
    CHECK(other.next().msg.cls == codec::MsgClass::Refresh);
}

TEST_CASE("a directory given with addAdminMsg()", "[ema][provider]") {
    const ConfigFile file;
    RecordingClient app;
    OmmIProviderConfig config(file.path());
    SECTION("replaces the configured one") {
        OmmArray capabilities;
        capabilities.addUInt(MMT_MARKET_PRICE).complete();
        ElementList info, state;
        info.addAscii("Name", "MY_FEED").addArray("Capabilities", capabilities).complete();
        state.addUInt("ServiceState", 1).addUInt("AcceptingRequests", 1).complete();
        FilterList filters;
        filters.add(1, FilterEntry::SetEnum, info).add(2, FilterEntry::SetEnum, state).complete();
        Map services;
        services.addKeyUInt(7, MapEntry::AddEnum, filters).complete();
        config.addAdminMsg(RefreshMsg().domainType(MMT_DIRECTORY).payload(services));
        OmmProvider provider(config, app);
        RawConsumer c = loggedIn(provider);
        c.send(RawConsumer::directoryRequest(63));
        const Received got = c.next();
        reactor::rdm::Directory directory;
        REQUIRE(directory.apply(got.msg.payload, true).ok());
        REQUIRE(directory.services().size() == 1);
        CHECK(directory.find(std::uint16_t{7})->name() == "MY_FEED");
        c.send(RawConsumer::request(5, 6, "TRI.N", 7));
        CHECK(c.next().msg.cls == codec::MsgClass::Refresh);
        CHECK(app.at(2).service == "MY_FEED");
    }
    SECTION("that is none is refused") {
        ElementList state;
        state.addUInt("AcceptingRequests", 1).complete();  // ServiceState is mandatory
        FilterList filters;
        filters.add(2, FilterEntry::SetEnum, state).complete();
        Map services;
        services.addKeyUInt(7, MapEntry::AddEnum, filters).complete();
        config.addAdminMsg(RefreshMsg().domainType(MMT_DIRECTORY).payload(services));
        CHECK(usageCode([&] { OmmProvider provider(config, app); }) == Code::InvalidArgumentEnum);
    }
}
