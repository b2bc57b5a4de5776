// Starts that fail, stage by stage, of every kind of instance: what is thrown, what the error client is told instead,
// and that nothing works afterwards (session.md 3, 10).
#include "ema/session/consumer/SessionTest.h"
#include "ema/session/engine/Instances.h"
#include "ema/session/niprovider/NiProviderTest.h"
#include "ema/session/provider/ProviderTest.h"

#include <sstream>

using namespace emissary;
using namespace emissary::test;

namespace {

/// What a failed start looks like from outside.
struct Outcome {
    std::string thrown;    ///< without an error client
    std::string thrownTo;  ///< although there is one
    std::vector<std::string> told;
    std::vector<std::string> refused;  ///< of the calls on what is left, by the error client
};

template <class ErrorClient>
struct Told : ErrorClient {
    std::vector<std::string> list;
    using ErrorClient::onInvalidUsage;
    void onInvalidUsage(const EmaString&, Int32 code) override { list.push_back("usage " + std::to_string(code)); }
    void onInvalidHandle(UInt64, const EmaString&) override { list.emplace_back("handle"); }
    void onInaccessibleLogFile(const EmaString& file, const EmaString&) override {
        list.push_back(std::string("log file ") + file.c_str());
    }
    void onSystemError(Int64 code, void*, const EmaString&) override {
        list.push_back("system " + std::to_string(code));
    }
};

/// In the words of Told.
template <class Call>
std::string thrownBy(Call call) {
    try {
        call();
    } catch (const OmmInvalidUsageException& e) {
        return "usage " + std::to_string(e.getErrorCode());
    } catch (const OmmInaccessibleLogFileException& e) {
        return std::string("log file ") + e.getFilename().c_str();
    } catch (const OmmInvalidConfigurationException&) { return "configuration"; } catch (const Mine&) {
        return "mine";
    }
    return {};
}

Outcome start(const OmmConsumerConfig& config, OmmConsumerClient& admin) {
    Outcome o;
    o.thrown = thrownBy([&] { OmmConsumer c(config, admin); });
    Told<OmmConsumerErrorClient> errors;
    o.thrownTo = thrownBy([&] {
        OmmConsumer c(config, admin, errors);
        o.told = std::exchange(errors.list, {});
        ChannelInformation information;
        EmaVector<ChannelInformation> all;
        ChannelStatistics statistics;
        PreferredHostOptions host;
        c.registerClient(item("A"), admin);
        c.reissue(item("A"), 1);
        c.unregister(1);
        c.submit(GenericMsg(), 1);
        c.submit(PostMsg(), 1);
        c.getChannelInformation(information);
        c.getSessionInformation(all);
        c.getChannelStatistics(statistics);
        c.modifyIOCtl(IOCtlCode::HighWaterMarkEnum, 4000);
        c.modifyReactorChannelIOCtl(IOCtlReactorChannelCode::ReactorChannelPreferredHost, &host);
        c.fallbackPreferredHost();
        CHECK(c.dispatch(60'000'000) == OmmConsumer::TimeoutEnum);
        o.refused = errors.list;
        CHECK(o.refused.size() == 12);
    });
    return o;
}

Outcome start(const OmmProviderConfig& config, OmmProviderClient& client) {
    Outcome o;
    o.thrown = thrownBy([&] { OmmProvider p(config, client); });
    Told<OmmProviderErrorClient> errors;
    o.thrownTo = thrownBy([&] {
        OmmProvider p(config, client, errors);
        o.told = std::exchange(errors.list, {});
        ChannelInformation information;
        EmaVector<ChannelInformation> all;
        ChannelStatistics statistics;
        p.submit(RefreshMsg(), 1);
        p.submit(UpdateMsg(), 1);
        p.submit(StatusMsg(), 1);
        p.submit(GenericMsg(), 1);
        p.submit(AckMsg(), 1);
        p.registerClient(ReqMsg().domainType(MMT_DICTIONARY).name("RWFFld"), client);
        p.reissue(ReqMsg().domainType(MMT_DICTIONARY).name("RWFFld"), 1);
        p.unregister(1);
        p.getConnectedClientChannelInfo(all);
        p.getConnectedClientChannelStats(1, statistics);
        p.getChannelInformation(information);
        p.getChannelStatistics(statistics);
        p.modifyIOCtl(IOCtlCode::HighWaterMarkEnum, 4000, 1);
        p.closeChannel(1);
        PackedMsg(p).initBuffer().addMsg(UpdateMsg(), 1);
        PackedMsg(p).initBuffer(UInt64{1});
        PackedMsg packed(p);
        p.submit(packed);
        CHECK(p.dispatch(60'000'000) == OmmProvider::TimeoutEnum);
        o.refused = errors.list;
        CHECK(o.refused.size() == 19);
    });
    return o;
}

/// The row: a failure that the error client is told of.
template <class Config, class Client>
void fails(const Config& config, Client& client, const std::string& how) {
    const Outcome o = start(config, client);
    CHECK(o.thrown == how);
    CHECK(o.thrownTo.empty());
    CHECK(o.told == std::vector<std::string>{how});
    for (const std::string& each : o.refused)
        CHECK(each == "usage " + std::to_string(OmmInvalidUsageException::InvalidOperationEnum));
}

/// The row: one that is thrown in any case.
template <class Config, class Client>
void failsAlways(const Config& config, Client& client, const std::string& how) {
    const Outcome o = start(config, client);
    CHECK(o.thrown == how);
    CHECK(o.thrownTo == how);
    CHECK(o.told.empty());
}

/// Makes the configuration log to a file in a folder that is not there.
void breakLog(const EmaString& path) {
    std::ostringstream all;
    all << std::ifstream(path.c_str()).rdbuf();
    std::string text = all.str();
    const std::string from = R"(LoggerType::Stdout"/>)";
    const auto at = text.find(from);
    REQUIRE(at != std::string::npos);
    text.replace(at, from.size(), R"(LoggerType::File"/><FileName value="/no/such/folder/log"/>)");
    std::ofstream(path.c_str()) << text;
}

[[nodiscard]] std::uint16_t silentPort() {
    return RawProvider().port();
}

[[nodiscard]] RefreshMsg badDirectory() {
    ElementList state;
    state.addUInt("AcceptingRequests", 1).complete();  // ServiceState is mandatory
    FilterList filters;
    filters.add(2, FilterEntry::SetEnum, state).complete();
    Map services;
    services.addKeyUInt(7, MapEntry::AddEnum, filters).complete();
    return RefreshMsg().domainType(MMT_DIRECTORY).payload(services);
}

struct ConsumerConfig : OmmConsumerConfig {
    explicit ConsumerConfig(const ConsumerConfigFile& file) : OmmConsumerConfig(file.path()) { username("user"); }
};

struct NiConfig : OmmNiProviderConfig {
    NiConfig(const NiConfigFile& file, std::uint16_t port) : OmmNiProviderConfig(file.path()) {
        host(("127.0.0.1:" + std::to_string(port)).c_str()).username("user");
    }
};

constexpr const char* kShort = R"(<LoginRequestTimeOut value="50"/>)";
constexpr const char* kOnce = R"(<ReconnectAttemptLimit value="0"/>)";
constexpr const char* kNoStore = R"(<OpenSSLCAStore value="/nowhere/ca.pem"/>)";

}  // namespace

TEST_CASE("a consumer's start fails", "[ema][engine]") {
    RecordingConsumerClient admin;
    SECTION("at the log") {
        const ConsumerConfigFile file(silentPort());
        breakLog(file.path());
        const Outcome o = start(ConsumerConfig(file), admin);
        CHECK(o.thrown.starts_with("log file /no/such/folder/log"));
        CHECK(o.told == std::vector<std::string>{o.thrown});
        CHECK(o.refused == std::vector<std::string>(12, "usage -4048"));
    }
    SECTION("at a channel that can never connect") {
        const ConsumerConfigFile file(1, {}, true, kNoStore, R"(<Channel value="Channel"/>)", "RSSL_ENCRYPTED");
        failsAlways(ConsumerConfig(file), admin, "configuration");
    }
    SECTION("where nobody listens") {
        const ConsumerConfigFile file(silentPort(), kShort);
        fails(ConsumerConfig(file), admin, "usage -4052");
    }
    SECTION("when no attempt is left") {
        const ConsumerConfigFile file(silentPort(), kOnce);
        fails(ConsumerConfig(file), admin, "usage -4049");
    }
    SECTION("at the login") {
        ProviderThread provider([](RawProvider& p) { p.automatic.login = false; });
        fails(ConsumerConfig(ConsumerConfigFile(provider.port(), kShort)), admin, "usage -4052");
    }
    SECTION("at the directory") {
        ProviderThread provider([](RawProvider& p) { p.automatic.directory = false; });
        const ConsumerConfigFile file(provider.port(), R"(<DirectoryRequestTimeOut value="50"/>)");
        fails(ConsumerConfig(file), admin, "usage -4054");
    }
    SECTION("at the dictionaries") {
        ProviderThread provider([](RawProvider& p) { p.automatic.dictionary = false; });
        const ConsumerConfigFile file(provider.port(), R"(<DictionaryRequestTimeOut value="50"/>)", false);
        fails(ConsumerConfig(file), admin, "usage -4055");
    }
    SECTION("in a callback that throws") {
        ProviderThread provider;
        const ConsumerConfigFile file(provider.port());
        admin.hook = [](const Msg&, const OmmConsumerEvent&) { throw Mine(); };
        failsAlways(ConsumerConfig(file), admin, "mine");
    }
}

TEST_CASE("an interactive provider's start fails", "[ema][engine]") {
    RecordingClient app;
    SECTION("at the log") {
        const ConfigFile file;
        breakLog(file.path());
        const Outcome o = start(OmmIProviderConfig(file.path()), app);
        CHECK(o.thrown.starts_with("log file /no/such/folder/log"));
        CHECK(o.told == std::vector<std::string>{o.thrown});
        CHECK(o.refused == std::vector<std::string>(19, "usage -4048"));
    }
    SECTION("at a dictionary") {
        const ConfigFile file({}, "/nowhere/RDMFieldDictionary");
        fails(OmmIProviderConfig(file.path()), app, "usage -1");
    }
    SECTION("at the directory") {
        const ConfigFile file;
        OmmIProviderConfig config(file.path());
        config.addAdminMsg(badDirectory());
        fails(config, app, "usage -22");
    }
    SECTION("at the port") {
        const ConfigFile file;
        OmmProvider first(OmmIProviderConfig(file.path()), app);
        OmmIProviderConfig config(file.path());
        config.port(std::to_string(ema::ProviderAccess::port(first)).c_str());
        fails(config, app, "usage -1");
    }
}

TEST_CASE("a non-interactive provider's start fails", "[ema][engine]") {
    RecordingNiClient app;
    SECTION("at the log") {
        const NiConfigFile file;
        breakLog(file.path());
        const Outcome o = start(NiConfig(file, silentPort()), app);
        CHECK(o.thrown.starts_with("log file /no/such/folder/log"));
        CHECK(o.told == std::vector<std::string>{o.thrown});
        CHECK(o.refused == std::vector<std::string>(19, "usage -4048"));
    }
    SECTION("at a channel that can never connect") {
        failsAlways(NiConfig(NiConfigFile({}, kNoStore, "RSSL_ENCRYPTED"), 1), app, "configuration");
    }
    SECTION("at the directory") {
        const NiConfigFile file;
        NiConfig config(file, silentPort());
        config.addAdminMsg(badDirectory());
        fails(config, app, "usage -22");
    }
    SECTION("where nobody listens") {
        fails(NiConfig(NiConfigFile(kShort), silentPort()), app, "usage -4052");
    }
    SECTION("when no attempt is left") {
        fails(NiConfig(NiConfigFile(kOnce), silentPort()), app, "usage -4049");
    }
    SECTION("at the login") {
        NiAcceptor::Options options;
        options.refuseLogins = true;
        NiAcceptor acceptor(NiAcceptor::Run::thread, options);
        fails(NiConfig(NiConfigFile(), acceptor.port()), app, "usage -4053");
    }
    SECTION("in a callback that throws") {
        struct Throwing final : OmmProviderClient {
            void onRefreshMsg(const RefreshMsg&, const OmmProviderEvent&) override { throw Mine(); }
        } throwing;
        NiAcceptor acceptor(NiAcceptor::Run::thread);
        failsAlways(NiConfig(NiConfigFile(), acceptor.port()), throwing, "mine");
    }
}
