// OmmProvider on an OmmNiProviderConfig, through the public interface.
#include "NiProviderTest.h"

#include "support/AllocationCounter.h"
#include "support/paths.h"

#include "emissary/dictionary.h"
#include "emissary/output.h"
#include "emissary/port.h"

using namespace emissary;
using namespace emissary::test;
using Code = OmmInvalidUsageException;
using Lines = std::vector<std::string>;

namespace {

[[nodiscard]] RefreshMsg image(const char* name, const FieldList& fields) {
    RefreshMsg m;
    m.name(name)
        .serviceName("TEST_NI_PUB")
        .state(OmmState::OpenEnum, OmmState::OkEnum, OmmState::NoneEnum, "UnSolicited Refresh Completed")
        .complete(true)
        .payload(fields);
    return m;
}

struct Publishing {
    NiAcceptor acceptor{NiAcceptor::Run::thread};
    NiConfigFile file;
    RecordingNiClient app;
    int closure = 0;
    OmmProvider provider;
    FieldList fields;
    explicit Publishing(const std::string& parameters = {}, const std::string& channel = {})
        : file(parameters, channel),
          provider(OmmNiProviderConfig(file.path()).host(hostOf(acceptor)).username("me"), app, &closure) {
        price(fields, 3391);
    }
};

/// A directory refresh with one service.
[[nodiscard]] RefreshMsg directoryOf(const char* name, UInt16 id) {
    ElementList info;
    info.addAscii(ENAME_NAME, name)
        .addArray(ENAME_CAPABILITIES, OmmArray().addUInt(MMT_MARKET_PRICE).complete())
        .complete();
    ElementList state;
    state.addUInt(ENAME_SVC_STATE, 1).complete();
    FilterList filters;
    filters.add(SERVICE_INFO_ID, FilterEntry::SetEnum, info)
        .add(SERVICE_STATE_ID, FilterEntry::SetEnum, state)
        .complete();
    Map map;
    map.addKeyUInt(id, MapEntry::AddEnum, filters).complete();
    RefreshMsg m;
    m.domainType(MMT_DIRECTORY).filter(SERVICE_INFO_FILTER | SERVICE_STATE_FILTER).payload(map).complete(true);
    m.state(OmmState::OpenEnum, OmmState::OkEnum);
    return m;
}

}  // namespace

TEST_CASE("construction logs in and publishes the directory", "[ema][niprovider]") {
    Publishing p;
    CHECK(p.provider.getProviderRole() == OmmProviderConfig::NonInteractiveEnum);
    CHECK(std::string(p.provider.getProviderName().c_str()).starts_with("NiProvider_"));
    REQUIRE(p.acceptor.waitForLine("DIR"));
    const Lines all = p.acceptor.lines();
    CHECK(all[1].starts_with("LOGIN me role 1 app 256 position "));
    CHECK(all[2] == "DIR RFSH 0 0x148 filter 3: 3 TEST_NI_PUB up");
    const auto login = p.app.await("refresh");
    CHECK(login.domain == MMT_LOGIN);
    CHECK(login.handle != 0);
    CHECK(login.closure == &p.closure);
    CHECK(p.app.channelActive == 1);
    ChannelInformation info;
    p.provider.getChannelInformation(info);
    CHECK(info.getChannelState() == ChannelInformation::ActiveEnum);
    CHECK(info.port() == p.acceptor.port());
    CHECK(std::string(info.getIPaddress().c_str()) == "127.0.0.1");
    CHECK(listeningPort(p.provider) == 0);  // it connects
}

TEST_CASE("refresh, update, status and generic messages", "[ema][niprovider]") {
    Publishing p;
    const RefreshMsg refresh = image("TRI.N", p.fields);
    p.provider.submit(refresh, 5);
    CHECK_FALSE(refresh.hasServiceId());  // the application's message stays as it was
    UpdateMsg update;
    update.payload(price(p.fields, 3392));
    p.provider.submit(update, 5);
    p.provider.submit(UpdateMsg().name("TRI.N").serviceName("TEST_NI_PUB").payload(p.fields), 5);
    p.provider.submit(GenericMsg().domainType(MMT_MARKET_PRICE), 5);
    p.provider.submit(StatusMsg().state(OmmState::ClosedEnum, OmmState::SuspectEnum), 5);
    REQUIRE(p.acceptor.waitForLine("STAT"));
    Lines all = p.acceptor.lines();
    all.erase(all.begin(), all.begin() + 3);
    CHECK(all == Lines{"RFSH -1 d6 0x48 svc 3 TRI.N Open/Ok/0 fids 22 30", "UPD -1 d6 0x0 TRI.N fids 22 30",
                       "UPD -1 d6 0x8 svc 3 TRI.N fids 22 30", "GEN -1 d6 0x0 TRI.N",
                       "STAT -1 d6 0x20 TRI.N Closed/Suspect/0"});
}

namespace {

/// States that do not exist are refused whatever the protocol.
void checkStatesThatAreNone(OmmProvider& provider) {
    std::string text;
    const auto refused = [&](auto&& m) {
        return usageCode([&] { provider.submit(m, 1); }, &text) == Code::InvalidArgumentEnum;
    };
    CHECK(refused(StatusMsg().state(static_cast<OmmState::StreamState>(6), OmmState::OkEnum)));
    CHECK(text.find("submit(StatusMsg): the stream state 6 of the state does not exist") != std::string::npos);
    CHECK(refused(RefreshMsg()
                      .name("A")
                      .serviceName("TEST_NI_PUB")
                      .state(OmmState::OpenEnum, static_cast<OmmState::DataState>(3))));
    CHECK(text.find("submit(RefreshMsg): the data state 3") != std::string::npos);
    CHECK(refused(StatusMsg().state(OmmState::OpenEnum, OmmState::OkEnum, 36)));
    CHECK(text.find("the status code 36") != std::string::npos);
}

}  // namespace

TEST_CASE("publishing over a JSON WebSocket, by the names of the configured dictionary", "[ema][niprovider][json]") {
    const std::string etc = emissary::test::sourcePath("/etc");
    NiAcceptor::Options options;
    options.fieldFile = etc + "/RDMFieldDictionary";
    options.enumFile = etc + "/enumtype.def";
    NiAcceptor acceptor(NiAcceptor::Run::thread, options);
    const auto protocols = [](const char* names) { return std::string("<WsProtocols value=\"") + names + "\"/>"; };
    RecordingNiClient app;
    FieldList fields;
    price(fields, 3391);

    SECTION("refresh and update") {
        const NiConfigFile file({}, protocols("rssl.json.v2"), "RSSL_WEBSOCKET", etc);
        OmmProvider provider(OmmNiProviderConfig(file.path()).host(hostOf(acceptor)).username("me"), app);
        ChannelInformation line;
        provider.getChannelInformation(line);
        CHECK(line.getProtocolType() == ChannelInformation::RsslJsonEnum);
        PackedMsg pack(provider);
        CHECK(usageCode([&] { pack.initBuffer(); }) == Code::InvalidOperationEnum);  // packs are RWF
        CHECK(acceptor.waitForLine("LOGIN me role 1"));
        CHECK(acceptor.waitForLine("DIR RFSH"));
        provider.submit(image("TRI.N", fields), 1);
        UpdateMsg update;
        update.serviceName("TEST_NI_PUB").name("TRI.N").payload(fields);
        provider.submit(update, 1);
        const auto publishes = [&](const char* what) {
            return acceptor.waitFor([&](const auto&, const Lines& lines) {
                return std::any_of(lines.begin(), lines.end(), [&](const std::string& l) {
                    return l.rfind(what, 0) == 0 && l.find("fids 22") != std::string::npos;
                });
            });
        };
        CHECK(publishes("RFSH"));
        CHECK(publishes("UPD"));
        OmmAnsiPage page;
        page.set(EmaBuffer("\x1b[2J", 4));
        CHECK_THROWS_AS(provider.submit(UpdateMsg().payload(page), 1), OmmJsonConverterException);
        checkStatesThatAreNone(provider);
        CHECK(acceptor.post("TRI.N", 5) == 1);  // and the other way
        CHECK(app.await("post").handle == 1);
    }
    SECTION("without the dictionary's files, RWF still works") {
        const NiConfigFile file({}, protocols("rssl.rwf"), "RSSL_WEBSOCKET", "/nowhere");
        OmmProvider provider(OmmNiProviderConfig(file.path()).host(hostOf(acceptor)).username("me"), app);
        provider.submit(image("TRI.N", fields), 1);
        CHECK(acceptor.waitForLine("RFSH"));
    }
}

TEST_CASE("misuse has the documented exceptions", "[ema][niprovider]") {
    RecordingNiClient other;
    Publishing p;
    std::string text;
    UpdateMsg update;
    update.payload(p.fields);
    CHECK(refusedHandle([&] { p.provider.submit(update, 77); }) == 77);
    CHECK(refusedHandle([&] { p.provider.submit(GenericMsg(), 77); }) == 77);
    RefreshMsg nowhere;
    nowhere.name("A").payload(p.fields).state(OmmState::OpenEnum, OmmState::OkEnum);
    CHECK(usageCode([&] { p.provider.submit(nowhere, 1); }, &text) == Code::InvalidArgumentEnum);
    CHECK(text.find("must name its service") != std::string::npos);
    nowhere.serviceName("NO_FEED");
    CHECK(usageCode([&] { p.provider.submit(nowhere, 1); }, &text) == Code::InvalidArgumentEnum);
    CHECK(text.find("'NO_FEED'") != std::string::npos);
    RefreshMsg unknownId;
    unknownId.name("A").serviceId(9).payload(p.fields).state(OmmState::OpenEnum, OmmState::OkEnum);
    CHECK(usageCode([&] { p.provider.submit(unknownId, 1); }) == Code::InvalidArgumentEnum);
    CHECK(usageCode([&] { p.provider.submit(AckMsg().ackId(1), 1); }) == Code::InvalidOperationEnum);
    checkStatesThatAreNone(p.provider);
    RefreshMsg noMap;
    noMap.domainType(MMT_DIRECTORY).payload(p.fields).state(OmmState::OpenEnum, OmmState::OkEnum);
    CHECK(usageCode([&] { p.provider.submit(noMap, 1); }) == Code::InvalidArgumentEnum);

    const UInt64 login = p.provider.registerClient(ReqMsg().domainType(MMT_LOGIN), other);
    CHECK(login != 0);
    CHECK(refusedHandle([&] { p.provider.submit(image("A", p.fields), login); }) == login);
    CHECK(usageCode([&] { p.provider.registerClient(ReqMsg().name("A").serviceName("TEST_NI_PUB"), other); }) ==
          Code::InvalidArgumentEnum);
    CHECK(usageCode([&] {
              p.provider.registerClient(ReqMsg().domainType(MMT_DICTIONARY).serviceName("TEST_NI_PUB"), other);
          }) == Code::InvalidArgumentEnum);
    CHECK(refusedHandle([&] { p.provider.reissue(ReqMsg().domainType(MMT_LOGIN), 4711); }) == 4711);
    p.provider.unregister(4711);

    EmaVector<ChannelInformation> clients;
    ChannelStatistics statistics;
    CHECK(usageCode([&] { p.provider.getConnectedClientChannelInfo(clients); }) == Code::InvalidOperationEnum);
    CHECK(usageCode([&] { p.provider.getConnectedClientChannelStats(1, statistics); }) == Code::InvalidOperationEnum);
    p.provider.getChannelStatistics(statistics);
    CHECK(statistics.hasTcpRetransmitCount());
    CHECK(usageCode([&] { p.provider.closeChannel(1); }) == Code::InvalidOperationEnum);
    CHECK(usageCode([&] { p.provider.modifyIOCtl(9999, 1); }) != Code::NoErrorEnum);
    CHECK(p.acceptor.totals().refreshes == 0);
    CHECK(p.provider.dispatch(0) == OmmProvider::TimeoutEnum);  // API dispatch
}

TEST_CASE("posts, generic messages, statuses and closes come to the constructor's client", "[ema][niprovider]") {
    Publishing p;
    p.provider.submit(image("TRI.N", p.fields), 5);
    REQUIRE(p.acceptor.waitForLine("RFSH"));
    CHECK(p.acceptor.post("TRI.N", 9) == 1);
    const auto post = p.app.await("post");
    CHECK(post.handle == 5);
    CHECK(post.closure == &p.closure);
    CHECK(post.name == "TRI.N");
    CHECK(p.acceptor.generic("TRI.N") == 1);
    CHECK(p.app.await("generic").handle == 5);
    CHECK(p.acceptor.status("TRI.N", {1, 2, 3, {}}) == 1);
    CHECK(p.app.await("status", "Suspect").handle == 5);
    CHECK(p.acceptor.closeItem("TRI.N") == 1);
    const auto close = p.app.await("close");
    CHECK(close.handle == 5);
    CHECK(close.domain == MMT_MARKET_PRICE);
    CHECK(p.app.all == 5);  // the login refresh before
    UpdateMsg update;
    update.payload(p.fields);
    CHECK(refusedHandle([&] { p.provider.submit(update, 5); }) == 5);
}

namespace {

/// BID 39.95 and CURRENCY 840 in a field list, as the wire has them.
constexpr std::string_view kPosted{"\x08\x00\x02\x00\x16\x03\x0C\x0F\x9B\x00\x0F\x02\x03\x48", 14};

/// Keeps the fields of posts as text.
class PostReader : public RecordingNiClient {
public:
    void onPostMsg(const PostMsg& m, const OmmProviderEvent& e) override {
        std::string text;
        const auto& fields = m.getPayload().getFieldList();
        while (fields.forth()) {
            const auto& field = fields.getEntry();
            text += std::to_string(field.getFieldId()) + "/" + field.getName().c_str() + " ";
            if (field.getLoadType() == DataType::RealEnum) text += field.getReal().toString().c_str();
            if (field.hasEnumDisplay()) text += field.getEnumDisplay().c_str();
            text += ";";
        }
        {
            const std::lock_guard hold(lock_);
            text_ = text;
        }
        RecordingNiClient::onPostMsg(m, e);
    }
    [[nodiscard]] std::string text() {
        const std::lock_guard hold(lock_);
        return text_;
    }

private:
    std::mutex lock_;
    std::string text_;  // under lock_
};

}  // namespace

TEST_CASE("what comes is read with a dictionary that was given, and without one has ids alone", "[ema][niprovider]") {
    const bool given = GENERATE(false, true);
    NiAcceptor acceptor(NiAcceptor::Run::thread);
    NiConfigFile file;
    PostReader app;
    OmmNiProviderConfig config(file.path());
    config.host(hostOf(acceptor)).username("me");
    {
        DataDictionary dictionary;
        dictionary.loadFieldDictionary(sourcePath("/etc/RDMFieldDictionary").c_str());
        dictionary.loadEnumTypeDictionary(sourcePath("/etc/enumtype.def").c_str());
        if (given) CHECK(&emissary::readWith(config, dictionary) == &config);
    }  // the provider has its own share of it
    OmmProvider provider(config, app);
    FieldList fields;
    provider.submit(image("TRI.N", price(fields, 3391)), 5);
    REQUIRE(acceptor.waitForLine("RFSH"));
    REQUIRE(acceptor.post("TRI.N", 9, kPosted) == 1);
    app.await("post");
    CHECK(app.text() == (given ? "22/BID 39.95;15/CURRENCY USD;" : "22/ ;15/ ;"));
}

TEST_CASE("loss and recovery: statuses, refused submits, publishing again", "[ema][niprovider]") {
    Publishing p;
    const auto before = emissary::outputAccepted(p.provider, 0);  // login and directory
    REQUIRE(before);
    p.provider.submit(image("TRI.N", p.fields), 5);
    REQUIRE(p.acceptor.waitForLine("RFSH"));
    CHECK(emissary::outputAccepted(p.provider, 0).value_or(0) > *before);
    CHECK(emissary::outputQueued(p.provider, 0) == std::size_t{0});
    p.acceptor.stopListening();
    p.acceptor.disconnectAll();
    p.app.await("status", "channel down");
    CHECK_FALSE(emissary::outputAccepted(p.provider, 0));
    CHECK_FALSE(emissary::outputQueued(p.provider, 0));
    CHECK(usageCode([&] { p.provider.submit(image("TRI.N", p.fields), 5); }) == Code::NoActiveChannelEnum);
    ChannelInformation info;
    p.provider.getChannelInformation(info);
    CHECK(info.getChannelState() == ChannelInformation::ClosedEnum);
    PackedMsg pack(p.provider);
    CHECK(usageCode([&] { pack.initBuffer(); }) == Code::NoActiveChannelEnum);
    p.acceptor.forgetLines();
    p.acceptor.listenAgain();
    p.app.await("status", "channel up");
    UpdateMsg update;
    update.payload(p.fields);
    CHECK(refusedHandle([&] { p.provider.submit(update, 5); }) == 5);
    p.provider.submit(image("TRI.N", p.fields), 5);
    p.provider.submit(update, 5);
    CHECK(p.acceptor.waitForLine("DIR RFSH 0 0x148 filter 3: 3 TEST_NI_PUB up"));
    CHECK(p.acceptor.waitForLine("UPD -1"));
}

TEST_CASE("the first login refresh may publish already", "[ema][niprovider]") {
    NiAcceptor acceptor(NiAcceptor::Run::thread);
    const NiConfigFile file;
    class Eager : public OmmProviderClient {
    public:
        void onRefreshMsg(const RefreshMsg&, const OmmProviderEvent& e) override {
            FieldList fields;
            e.getProvider().submit(image("EAGER", price(fields, 1)), 1);
        }
    } app;
    OmmProvider provider(OmmNiProviderConfig(file.path()).host(hostOf(acceptor)), app);
    REQUIRE(acceptor.waitForLine("RFSH -1 d6 0x48 svc 3 EAGER"));
    acceptor.forgetLines();
    acceptor.disconnectAll();  // and again after a reconnect
    CHECK(acceptor.waitForLine("RFSH -1 d6 0x48 svc 3 EAGER"));
}

TEST_CASE("a login is reissued on its stream", "[ema][niprovider]") {
    Publishing p;
    const auto login = p.app.await("refresh");
    p.provider.reissue(ReqMsg().domainType(MMT_LOGIN).name("me").nameType(USER_NAME), login.handle);
    CHECK(p.acceptor.waitFor([](const NiAcceptor::Totals& t, const Lines&) { return t.logins == 2; }));
    CHECK(usageCode([&] { p.provider.reissue(ReqMsg().domainType(MMT_LOGIN).name("you"), login.handle); }) ==
          Code::InvalidDataEnum);
}

TEST_CASE("a provider that looks for its server ends at once", "[ema][niprovider]") {
    NiAcceptor acceptor(NiAcceptor::Run::thread);
    const NiConfigFile file("<ReconnectMinDelay value=\"30000\"/><ReconnectMaxDelay value=\"30000\"/>");
    RecordingNiClient app;
    auto provider = std::make_unique<OmmProvider>(OmmNiProviderConfig(file.path()).host(hostOf(acceptor)), app);
    acceptor.stopListening();
    acceptor.disconnectAll();
    app.await("status", "channel down");
    const auto start = std::chrono::steady_clock::now();
    provider.reset();
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(5));
}

TEST_CASE("a refused login fails the construction", "[ema][niprovider]") {
    NiAcceptor::Options options;
    options.refuseLogins = true;
    NiAcceptor acceptor(NiAcceptor::Run::thread, options);
    const NiConfigFile file;
    RecordingNiClient app;
    std::string text;
    CHECK(usageCode([&] { OmmProvider provider(OmmNiProviderConfig(file.path()).host(hostOf(acceptor)), app); },
                    &text) == Code::LoginRequestRejectedEnum);
    CHECK(text.find("Login denied.") != std::string::npos);
    app.await("status", "Closed");
}

TEST_CASE("nobody answers: the construction ends in time", "[ema][niprovider]") {
    std::uint16_t port = 0;
    {
        const NiAcceptor gone(NiAcceptor::Run::manual);
        port = gone.port();
    }
    const EmaString host(("127.0.0.1:" + std::to_string(port)).c_str());
    std::string text;
    SECTION("by the login timeout") {
        const NiConfigFile file("<LoginRequestTimeOut value=\"300\"/>");
        CHECK(usageCode([&] { OmmProvider provider(OmmNiProviderConfig(file.path()).host(host)); }, &text) ==
              Code::LoginRequestTimeOutEnum);
        CHECK(text.find("300 milliseconds") != std::string::npos);
        CHECK(text.find(std::to_string(port)) != std::string::npos);
    }
    SECTION("by the number of attempts") {
        const NiConfigFile file("<ReconnectAttemptLimit value=\"1\"/>");
        CHECK(usageCode([&] { OmmProvider provider(OmmNiProviderConfig(file.path()).host(host)); }, &text) ==
              Code::NoActiveChannelEnum);
    }
    SECTION("with an error client: no exception, and an object that says so") {
        RecordingErrors errors;
        const NiConfigFile file("<LoginRequestTimeOut value=\"200\"/>");
        OmmProvider provider(OmmNiProviderConfig(file.path()).host(host), errors);
        CHECK(errors.codes == std::vector<Int32>{Code::LoginRequestTimeOutEnum});
        provider.submit(StatusMsg(), 1);
        CHECK(errors.codes.back() == Code::InvalidOperationEnum);
        CHECK(provider.dispatch(0) == OmmProvider::TimeoutEnum);
    }
}

TEST_CASE("a channel that can never connect fails the construction at once", "[ema][niprovider]") {
    const NiConfigFile file({}, R"(<OpenSSLCAStore value="/nowhere/ca.pem"/>)", "RSSL_ENCRYPTED");
    try {
        OmmProvider provider(OmmNiProviderConfig(file.path()).host("127.0.0.1:1"));
        FAIL("it started");
    } catch (const OmmInvalidConfigurationException& e) {
        CHECK_THAT(e.getText().c_str(), Catch::Contains("OpenSSLCAStore \"/nowhere/ca.pem\": No such file"));
    }
}

TEST_CASE("user dispatch and user-controlled directory", "[ema][niprovider]") {
    NiAcceptor acceptor(NiAcceptor::Run::thread);
    const NiConfigFile file;
    RecordingNiClient app;
    OmmProvider provider(OmmNiProviderConfig(file.path())
                             .host(hostOf(acceptor))
                             .operationModel(OmmNiProviderConfig::UserDispatchEnum)
                             .adminControlDirectory(OmmNiProviderConfig::UserControlEnum),
                         app);
    FieldList fields;
    price(fields, 1);
    CHECK(usageCode([&] { provider.submit(image("A", fields), 1); }) == Code::InvalidArgumentEnum);
    provider.submit(directoryOf("TEST_NI_PUB", 8), 100);
    provider.submit(image("A", fields), 1);
    provider.dispatch(0);
    REQUIRE(acceptor.waitForLine("RFSH -1 d6 0x48 svc 8 A"));
    const Lines all = acceptor.lines();
    CHECK(std::count_if(all.begin(), all.end(), [](const std::string& l) { return l.starts_with("DIR"); }) == 1);
    CHECK(acceptor.generic("A") == 1);
    while (provider.dispatch(5'000'000) == OmmProvider::DispatchedEnum && app.all < 2) {}
    CHECK(app.await("generic").handle == 1);
}

TEST_CASE("administrative messages replace what is configured", "[ema][niprovider]") {
    NiAcceptor acceptor(NiAcceptor::Run::thread);
    const NiConfigFile file;
    ElementList attributes;
    attributes.addAscii(ENAME_APP_ID, "777").addAscii(ENAME_POSITION, "1.2.3.4/net").complete();
    OmmProvider provider(OmmNiProviderConfig(file.path())
                             .host(hostOf(acceptor))
                             .addAdminMsg(ReqMsg().domainType(MMT_LOGIN).name("other").attrib(attributes))
                             .addAdminMsg(directoryOf("GIVEN", 12)));
    REQUIRE(acceptor.waitForLine("DIR RFSH 0 0x148 filter 3: 12 GIVEN up"));
    CHECK(acceptor.lines()[1] == "LOGIN other role 1 app 777 position 1.2.3.4/net");
}

TEST_CASE("dictionaries come from the server", "[ema][niprovider]") {
    NiAcceptor::Options options;
    options.fieldFile = emissary::test::sourcePath("/etc/RDMFieldDictionary");
    options.enumFile = emissary::test::sourcePath("/etc/enumtype.def");
    NiAcceptor acceptor(NiAcceptor::Run::thread, options);
    const NiConfigFile file;
    RecordingNiClient fields, enums, missing;
    RecordingNiClient nobody;
    OmmProvider provider(OmmNiProviderConfig(file.path()).host(hostOf(acceptor)));
    const auto ask = [&](const char* name, RecordingNiClient& to) {
        return provider.registerClient(
            ReqMsg().domainType(MMT_DICTIONARY).name(name).filter(DICTIONARY_VERBOSE).serviceName("TEST_NI_PUB"), to);
    };
    CHECK(ask("RWFFld", fields) != 0);
    CHECK(ask("RWFEnum", enums) != 0);
    CHECK(ask("NoSuch", missing) != 0);
    const auto whole = [](const RecordingNiClient::Record& r) { return r.what == "refresh" && r.complete; };
    CHECK(fields.awaitWhere(whole).name == "RWFFld");
    CHECK(enums.awaitWhere(whole).name == "RWFEnum");
    CHECK(fields.all > 1);  // in parts
    CHECK(missing.await("status").state.find("Closed") != std::string::npos);

    // A service that there is not: a handle and its end.
    const UInt64 handle = provider.registerClient(
        ReqMsg().domainType(MMT_DICTIONARY).name("RWFFld").filter(DICTIONARY_VERBOSE).serviceName("NONE"), nobody);
    CHECK(handle != 0);
    const auto end = nobody.await("status");
    CHECK(end.state.find("Closed") != std::string::npos);
    CHECK(end.state.find("'NONE'") != std::string::npos);
    CHECK(end.name == "RWFFld");
    CHECK_THROWS_AS(provider.reissue(ReqMsg().domainType(MMT_DICTIONARY).name("RWFFld"), handle),
                    OmmInvalidHandleException);
}

TEST_CASE("a reissue keeps what it does not say", "[ema][niprovider]") {
    NiAcceptor::Options options;
    options.fieldFile = emissary::test::sourcePath("/etc/RDMFieldDictionary");
    options.enumFile = emissary::test::sourcePath("/etc/enumtype.def");
    NiAcceptor acceptor(NiAcceptor::Run::thread, options);
    const NiConfigFile file;
    RecordingNiClient client;
    RecordingNiClient fields, login;
    OmmProvider provider(OmmNiProviderConfig(file.path()).host(hostOf(acceptor)), client);
    const auto whole = [](const RecordingNiClient::Record& r) { return r.what == "refresh" && r.complete; };
    const UInt64 dictionary = provider.registerClient(
        ReqMsg().domainType(MMT_DICTIONARY).name("RWFFld").filter(DICTIONARY_VERBOSE).serviceName("TEST_NI_PUB"),
        fields);
    fields.awaitWhere(whole);
    CHECK_NOTHROW(provider.reissue(ReqMsg().filter(DICTIONARY_NORMAL), dictionary));
    CHECK(usageCode([&] { provider.reissue(ReqMsg().name("RWFEnum"), dictionary); }) == Code::InvalidDataEnum);
    CHECK(usageCode([&] { provider.reissue(ReqMsg().domainType(7), dictionary); }) == Code::InvalidDataEnum);
    const UInt64 handle = provider.registerClient(ReqMsg().domainType(MMT_LOGIN), login);
    login.await("refresh");
    CHECK_NOTHROW(provider.reissue(ReqMsg().initialImage(false), handle));
}

TEST_CASE("packed messages", "[ema][niprovider]") {
    Publishing p;
    PackedMsg pack(p.provider);
    CHECK(usageCode([&] { pack.addMsg(image("A", p.fields), 1); }) == Code::InvalidOperationEnum);
    CHECK(usageCode([&] { pack.initBuffer(static_cast<UInt64>(1)); }) == Code::InvalidOperationEnum);
    CHECK(usageCode([&] { pack.initBuffer(static_cast<UInt32>(10'000'000)); }) == Code::InvalidArgumentEnum);
    CHECK(usageCode([&] { p.provider.submit(pack); }) == Code::InvalidOperationEnum);
    pack.initBuffer();
    CHECK(pack.maxSize() == 6000);
    CHECK(usageCode([&] { pack.addMsg(RefreshMsg(), 1); }) == Code::InvalidOperationEnum);
    CHECK(pack.packedMsgCount() == 0);
    pack.addMsg(image("A", p.fields), 1).addMsg(image("B", p.fields), 2);
    UpdateMsg update;
    update.payload(p.fields);
    pack.addMsg(update, 1);
    pack.addMsg(StatusMsg().state(OmmState::ClosedEnum, OmmState::OkEnum), 2);
    CHECK(pack.packedMsgCount() == 4);
    CHECK(refusedHandle([&] { pack.addMsg(update, 3); }) == 3);
    p.provider.submit(pack);
    CHECK(pack.packedMsgCount() == 0);
    REQUIRE(p.acceptor.waitForLine("STAT -2"));
    CHECK(p.acceptor.streams() == 1);
    pack.initBuffer(static_cast<UInt32>(100));
    pack.addMsg(update, 1);
    CHECK(usageCode([&] {
              for (int i = 0; i < 20; ++i)
                  pack.addMsg(update, 1);
          }) == Code::BufferTooSmallEnum);
    const UInt64 kept = pack.packedMsgCount();
    CHECK(kept > 0);
    p.provider.submit(pack);
    CHECK(p.acceptor.waitFor([&](const NiAcceptor::Totals& t, const Lines&) { return t.updates == 1 + kept; }));

    // Of many items too, each hears what its own messages in the pack have done, and the next pack begins anew.
    const std::uint64_t before = 1 + kept;
    for (const UInt64 from : {UInt64{100}, UInt64{200}}) {
        pack.initBuffer();
        for (UInt64 h = from; h < from + 20; ++h)
            pack.addMsg(image(("I" + std::to_string(h)).c_str(), p.fields), h);
        pack.addMsg(StatusMsg().state(OmmState::ClosedEnum, OmmState::OkEnum), from);
        for (UInt64 h = from + 1; h < from + 20; ++h)
            pack.addMsg(update, h);
        CHECK(usageCode([&] { pack.addMsg(update, from); }) != 0);
        CHECK(refusedHandle([&] { pack.addMsg(update, 999); }) != 0);
        CHECK(pack.packedMsgCount() == 40);
        p.provider.submit(pack);
    }
    CHECK(p.acceptor.waitFor([&](const NiAcceptor::Totals& t, const Lines&) { return t.updates == before + 38; }));
    CHECK(p.acceptor.streams() == 1 + 38);
}

TEST_CASE("publishing updates does not allocate", "[ema][niprovider][allocation]") {
    Publishing p("", "<GuaranteedOutputBuffers value=\"50000\"/>");
    constexpr UInt64 kItems = 1000;
    for (UInt64 h = 1; h <= kItems; ++h)
        p.provider.submit(image(("ITEM" + std::to_string(h)).c_str(), p.fields), h);
    UpdateMsg keyed, bare;
    const EmaString name("ITEM"), service("TEST_NI_PUB");
    const auto burst = [&] {
        for (UInt64 h = 1; h <= kItems; ++h) {
            bare.clear().payload(price(p.fields, static_cast<Int64>(h)));
            p.provider.submit(bare, h);
            keyed.clear().name(name).serviceName(service).payload(p.fields);
            p.provider.submit(keyed, h);
        }
    };
    // A server that reads slowly lets the output grow by a block now and then; one allocation for each update would
    // show in every burst.
    std::uint64_t fewest = ~std::uint64_t{0};
    for (std::uint64_t round = 1; round <= 6; ++round) {
        const std::uint64_t before = allocationsOfThisThread();
        burst();
        if (round > 1) fewest = std::min(fewest, allocationsOfThisThread() - before);
        REQUIRE(p.acceptor.waitFor(
            [&](const NiAcceptor::Totals& t, const Lines&) { return t.updates == round * 2 * kItems; }));
    }
    CHECK(fewest == 0);
}

TEST_CASE("several threads publish, register and leave", "[ema][niprovider][threads]") {
    Publishing p;
    constexpr int kThreads = 4, kEach = 200;
    std::atomic<int> logins{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
        threads.emplace_back([&, t] {
            FieldList fields;
            UpdateMsg update;
            RecordingNiClient login;
            const UInt64 mine = p.provider.registerClient(ReqMsg().domainType(MMT_LOGIN), login);
            for (int i = 0; i < kEach; ++i) {
                const auto handle = static_cast<UInt64>(t * kEach + i + 1);
                p.provider.submit(image(("T" + std::to_string(handle)).c_str(), price(fields, i)), handle);
                update.clear().payload(price(fields, i));
                p.provider.submit(update, handle);
            }
            RecordingNiClient::Record cached;
            if (login.comes([](const auto& r) { return r.what == "refresh"; }, cached)) ++logins;
            p.provider.unregister(mine);
        });
    }
    for (std::thread& t : threads)
        t.join();
    CHECK(logins == kThreads);
    CHECK(p.acceptor.waitFor([](const NiAcceptor::Totals& t, const Lines&) {
        return t.refreshes == kThreads * kEach && t.updates == kThreads * kEach;
    }));
    CHECK(p.acceptor.streams() == kThreads * kEach);
}

TEST_CASE("a login handle given up inside onAllMsg hears nothing more", "[ema][niprovider]") {
    struct Quitter final : RecordingNiClient {
        std::atomic<bool> left{false};
        void onAllMsg(const Msg& m, const OmmProviderEvent& e) override {
            RecordingNiClient::onAllMsg(m, e);
            e.getProvider().unregister(e.getHandle());
            left = true;
        }
    } quitter;
    RecordingNiClient later;  // is told after the other
    Publishing p;
    p.provider.registerClient(ReqMsg().domainType(MMT_LOGIN), quitter);
    RecordingNiClient::Record next;
    p.provider.registerClient(ReqMsg().domainType(MMT_LOGIN), later);
    REQUIRE(later.comes([](const auto& r) { return r.what == "refresh"; }, next));
    CHECK(quitter.left);
    CHECK_FALSE(quitter.has("refresh"));
}
