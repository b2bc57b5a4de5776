// logTo(): records of every kind of instance reach the sink of the application, and nothing of a peer in them steers a
// terminal.
#include "emissary/LogSink.h"

#include "ema/session/niprovider/NiProviderTest.h"
#include "ema/session/provider/ProviderTest.h"
#include "emissary/EffectiveConfiguration.h"

#include <filesystem>

using namespace emissary;
using namespace emissary::test;
using namespace std::string_literals;

namespace {

struct Kept {
    LogSeverity severity;
    std::string instance, component, text;
};

class NotingSink : public LogSink {
public:
    void write(const LogRecord& r) override {
        records_.add({r.severity, std::string(r.instance), std::string(r.component), std::string(r.text)});
    }
    /// Waits for a record of that component with that part in its text.
    [[nodiscard]] Kept find(const std::string& component, const std::string& part) {
        Kept found;
        const bool there = records_.wait([&](const std::vector<Kept>& all) {
            for (const Kept& k : all)
                if (k.component == component && k.text.find(part) != std::string::npos) return found = k, true;
            return false;
        });
        for (const Kept& k : records_.all())
            UNSCOPED_INFO(k.component << ": " << k.text);
        CHECK(there);
        return found;
    }
    [[nodiscard]] std::size_t size() { return records_.size(); }
    [[nodiscard]] std::vector<Kept> all() { return records_.all(); }

private:
    Records<Kept> records_;
};

const std::string kVerbose = config::parameter("LoggerSeverity", "LoggerSeverity::Verbose") +
                             config::parameter("FileName", "log_sink_test_must_not_be_there");

bool noFile() {
    return !std::filesystem::exists("log_sink_test_must_not_be_there_" + std::to_string(::getpid()) + ".log");
}

/// Escape sequences in 7 and 8 bits, line breaks, a NUL, broken UTF-8.
const std::string kHostile = "\x1b]0;x\x07 \x9b"
                             "2J \r\n \0 \xe2\x82 end"s;
const std::string kHarmless = "\\x1B]0;x\\x07 \\x9B2J \\x0D\\x0A \\x00 \\xE2\\x82 end";

EmaString hostile() {
    return {kHostile.data(), static_cast<UInt32>(kHostile.size())};
}

/// Refuses every login with a text that would steer a terminal.
struct Unfriendly : OmmProviderClient {
    void onReqMsg(const ReqMsg& m, const OmmProviderEvent& e) override {
        e.getProvider().submit(
            StatusMsg()
                .domainType(MMT_LOGIN)
                .name(m.getName())
                .nameType(USER_NAME)
                .state(OmmState::ClosedEnum, OmmState::SuspectEnum, OmmState::NotAuthorizedEnum, hostile()),
            e.getHandle());
    }
};

EmaConfigFile consumerFile(std::uint16_t port) {
    return EmaConfigFile(config::consumer(config::parameter("ReconnectAttemptLimit", "0")) +
                         config::channel("RSSL_SOCKET", config::parameter("Port", std::to_string(port))) +
                         config::logger(kVerbose) + config::dictionary());
}

}  // namespace

TEST_CASE("a provider's records go to the sink in the place of a file", "[ema][engine][log]") {
    const ConfigFile file({}, sourcePath("/etc/RDMFieldDictionary"), {}, kVerbose);
    const auto sink = std::make_shared<NotingSink>();
    RecordingClient app;
    {
        OmmIProviderConfig config(file.path());
        CHECK(&logTo(config, sink) == &config);
        OmmProvider provider(config, app);
        const Kept listening = sink->find("ServerChannelHandler", "Listening on port");
        CHECK(listening.severity == LogSeverity::success);
        CHECK(listening.instance == provider.getProviderName().c_str());
        (void)sink->find("EmaConfig", "LogSink : of the application");
        auto options = RawConsumer::optionsFor(ema::ProviderAccess::port(provider));
        options.componentInfo = kHostile;
        RawConsumer client(options, {});
        const Kept up = sink->find("ServerChannelHandler", "Client connected.");
        CHECK(up.text.find("\n\tComponent ") != std::string::npos);
        client.send(RawConsumer::loginRequest("user"));
        (void)client.next();
        client.send(RawConsumer::request(5, 6, kHostile, 99));
        (void)client.next();
        (void)sink->find("ItemCallbackClient", "Request refused.");
        client.disconnect();
        (void)sink->find("ServerChannelHandler", "Client disconnected.");
    }
    for (const Kept& k : sink->all())
        for (const char c : k.text) {
            const auto byte = static_cast<unsigned char>(c);
            CHECK(((byte >= 0x20 && byte < 0x7F) || c == '\n' || c == '\t'));
        }
    CHECK(noFile());
}

TEST_CASE("a login that is refused with a hostile text", "[ema][engine][log]") {
    const ConfigFile providerFile;
    Unfriendly app;
    OmmProvider provider(OmmIProviderConfig(providerFile.path()), app);
    const EmaConfigFile file = consumerFile(ema::ProviderAccess::port(provider));
    const auto sink = std::make_shared<NotingSink>();
    OmmConsumerConfig config(file.path());
    logTo(config.username("user"), sink);
    std::string thrown;
    try {
        OmmConsumer consumer(config);
    } catch (const OmmException& e) { thrown = e.getText().c_str(); }
    CHECK(thrown.find(kHarmless) != std::string::npos);
    const Kept refused = sink->find("LoginCallbackClient", kHarmless);
    CHECK(refused.severity == LogSeverity::error);
    CHECK(noFile());
}

TEST_CASE("the records of a non-interactive provider, and the end of a sink", "[ema][engine][log]") {
    const NiConfigFile base;
    const EmaConfigFile file(config::niProvider(config::parameter("ReconnectAttemptLimit", "0")) +
                             config::channel("RSSL_SOCKET", config::parameter("Port", "1")) + config::logger(kVerbose) +
                             config::directory("TEST_NI_PUB", 3, {"MMT_MARKET_PRICE"}, false));
    auto sink = std::make_shared<NotingSink>();
    OmmNiProviderConfig config(file.path());
    logTo(config.username("user"), sink);
    RecordingNiClient app;
    CHECK_THROWS_AS(OmmProvider(config, app), OmmInvalidUsageException);
    (void)sink->find("ChannelCallbackClient", "");
    SECTION("null puts the Logger entry into effect again") {
        CHECK(sink.use_count() == 2);
        logTo(config, nullptr);
        CHECK(sink.use_count() == 1);
        const std::size_t before = sink->size();
        CHECK_THROWS_AS(OmmProvider(config, app), OmmInvalidUsageException);
        CHECK(sink->size() == before);
        CHECK_FALSE(noFile());
        std::filesystem::remove("log_sink_test_must_not_be_there_" + std::to_string(::getpid()) + ".log");
    }
    SECTION("the configuration that is shown names the function") {
        bool shown = false;
        for (const EffectiveValue& v : effectiveConfiguration(config).values)
            shown = shown || (v.parameter == "LoggerType" && v.value == "sink of the application" &&
                              v.origin == "function call logTo()");
        CHECK(shown);
    }
}
