// Wrong uses of a consumer: class, code and a text that says what and how to mend it (ema-api.md 4.7, 6).
#include "ema/session/consumer/SessionTest.h"

using namespace emissary::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

constexpr const char* kInvalidArgument = "OmmInvalidUsageException -22: ";
constexpr const char* kUsage = "OmmInvalidUsageException -";

/// An EmaConfig.xml like ConsumerConfigFile's whose logger writes to the given file.
class FileLoggerConfig {
public:
    explicit FileLoggerConfig(const std::string& logFile) {
        std::ofstream(path_) << R"(<EmaConfig><ConsumerGroup><DefaultConsumer value="C"/><ConsumerList><Consumer>
<Name value="C"/><Channel value="Ch"/><Logger value="L"/></Consumer></ConsumerList></ConsumerGroup>
<ChannelGroup><ChannelList><Channel><Name value="Ch"/><ChannelType value="ChannelType::RSSL_SOCKET"/>
<Host value="127.0.0.1"/><Port value="1"/></Channel></ChannelList></ChannelGroup>
<LoggerGroup><LoggerList><Logger><Name value="L"/><LoggerType value="LoggerType::File"/><FileName value=")"
                             << logFile << R"("/><LoggerSeverity value="LoggerSeverity::Error"/>
</Logger></LoggerList></LoggerGroup></EmaConfig>)";
    }
    ~FileLoggerConfig() { std::remove(path_.c_str()); }
    FileLoggerConfig(const FileLoggerConfig&) = delete;
    FileLoggerConfig& operator=(const FileLoggerConfig&) = delete;
    [[nodiscard]] EmaString path() const { return path_.c_str(); }

private:
    std::string path_ = "api_log_" + std::to_string(::getpid()) + ".xml";
};

}  // namespace

TEST_CASE("a consumer refuses wrong calls by name", "[ema][misuse][session]") {
    ProviderThread provider;
    const ConsumerConfigFile file(provider.port());
    RecordingConsumerClient client;
    OmmConsumer consumer(OmmConsumerConfig(file.path()).username("user"));

    SECTION("handles that name nothing") {
        const std::string reissue = thrown([&] { consumer.reissue(item("A"), 4711); });
        CHECK_THAT(reissue, StartsWith("OmmInvalidHandleException: Attempt to use invalid Handle on reissue(). ") &&
                                Contains("4711") && Contains(consumer.getConsumerName().c_str()));
        CHECK_THAT(thrown([&] { consumer.submit(GenericMsg().name("g"), 4711); }),
                   StartsWith("OmmInvalidHandleException: ") && Contains("4711"));
        CHECK_THAT(thrown([&] { consumer.submit(PostMsg().postId(1).complete(), 4711); }),
                   StartsWith("OmmInvalidHandleException: ") && Contains("4711"));
        CHECK_THAT(thrown([&] { consumer.registerClient(item("A"), client, nullptr, 4711); }),
                   StartsWith("OmmInvalidHandleException: ") && Contains("tunnel stream"));
        CHECK(thrown([&] { consumer.unregister(4711); }).empty());
        try {
            consumer.reissue(item("A"), 4711);
        } catch (const OmmInvalidHandleException& e) { CHECK(e.getHandle() == 4711); }
    }
    SECTION("dictionary requests without a usable name") {
        ReqMsg request;
        request.domainType(MMT_DICTIONARY).serviceName("DIRECT_FEED").filter(DICTIONARY_NORMAL);
        CHECK_THAT(thrown([&] { consumer.registerClient(request, client); }),
                   StartsWith(kInvalidArgument) && Contains("name"));
        request.name("RWFFld").nameType(2);
        CHECK_THAT(thrown([&] { consumer.registerClient(request, client); }),
                   StartsWith(kInvalidArgument) && Contains("name type"));
    }
    SECTION("a reissue that changes what cannot be changed") {
        const UInt64 handle = consumer.registerClient(item("IBM.N"), client);
        const auto id = provider.requested("IBM.N");
        provider.run([&](RawProvider& p) { p.send(RawProvider::refresh(id)); });
        REQUIRE(client.wait("IBM.N refresh Open/Ok/0"));
        CHECK_THAT(thrown([&] { consumer.reissue(item("IBM.N").privateStream(true), handle); }),
                   StartsWith(kUsage) && Contains("private"));
        consumer.unregister(handle);
        CHECK_THAT(thrown([&] { consumer.reissue(item("IBM.N"), handle); }), StartsWith("OmmInvalidHandleException"));
    }
    SECTION("posts that cannot be acknowledged") {
        const UInt64 handle = consumer.registerClient(item("IBM.N"), client);
        const auto id = provider.requested("IBM.N");
        provider.run([&](RawProvider& p) { p.send(RawProvider::refresh(id)); });
        REQUIRE(client.wait("IBM.N refresh Open/Ok/0"));
        CHECK_THAT(thrown([&] { consumer.submit(PostMsg().solicitAck(true).complete(), handle); }),
                   StartsWith(kUsage) && Contains("post id"));
        CHECK_THAT(thrown([&] { consumer.submit(PostMsg().solicitAck(true).postId(1).partNum(0), handle); }),
                   StartsWith(kUsage) && Contains("sequence number"));
    }
    SECTION("controls of the channel") {
        CHECK_THAT(thrown([&] { consumer.modifyIOCtl(4711, 1); }), StartsWith(kInvalidArgument) && Contains("4711"));
        // Codes that other libraries have: the text says why they cannot have an effect, and what has.
        CHECK_THAT(thrown([&] { consumer.modifyIOCtl(6, 1); }),
                   StartsWith(kInvalidArgument) && Contains("modifyIOCtl(11, 1)") && Contains("XmlTraceHex"));
        CHECK_THAT(thrown([&] { consumer.modifyIOCtl(7, 1); }), StartsWith(kInvalidArgument) && Contains("priority"));
        CHECK_THAT(thrown([&] { consumer.modifyIOCtl(IOCtlCode::ServerNumPoolBuffersEnum, 1); }),
                   StartsWith(kInvalidArgument) && Contains("MaxNumBuffersEnum"));
        CHECK_THAT(thrown([&] { consumer.modifyIOCtl(IOCtlCode::HighWaterMarkEnum, -1); }),
                   StartsWith(kInvalidArgument));
    }
    SECTION("dispatch() has nothing to do when the API dispatches") {
        CHECK(consumer.dispatch(OmmConsumer::NoWaitEnum) == OmmConsumer::TimeoutEnum);
    }
}

TEST_CASE("with an error client wrong calls are reported twice, text first", "[ema][misuse][session]") {
    ProviderThread provider;
    const ConsumerConfigFile file(provider.port());
    RecordingConsumerClient client;
    RecordingErrorClient errors;
    OmmConsumer consumer(OmmConsumerConfig(file.path()).username("user"), errors);
    REQUIRE(errors.usage.empty());
    consumer.modifyIOCtl(4711, 1);
    REQUIRE(errors.usage.size() == 2);
    CHECK_THAT(errors.usage[0], Contains("4711"));
    CHECK(errors.usage[1] == "-22:" + errors.usage[0]);
    consumer.reissue(item("A"), 99);
    consumer.submit(GenericMsg().name("g"), 98);
    CHECK(errors.handles == std::vector<UInt64>{99, 98});
    CHECK(consumer.registerClient(item("A"), client, nullptr, 97) == 0);
    CHECK(errors.handles.back() == 97);
}

TEST_CASE("a consumer that cannot be configured says why", "[ema][misuse][session]") {
    SECTION("a name without a section") {
        const ConsumerConfigFile file(1);
        CHECK_THAT(thrown([&] { OmmConsumer c(OmmConsumerConfig(file.path()).consumerName("Nobody")); }),
                   StartsWith("OmmInvalidConfigurationException: ") && Contains("Nobody"));
    }
    SECTION("a path that is not there") {
        CHECK_THAT(thrown([&] { OmmConsumerConfig config("/no/such/EmaConfig.xml"); }),
                   StartsWith("OmmInvalidConfigurationException: ") && Contains("/no/such/EmaConfig.xml"));
    }
    SECTION("a log file that cannot be opened") {
        const FileLoggerConfig file("/no/such/folder/ema");
        bool caught = false;
        try {
            OmmConsumer c(OmmConsumerConfig(file.path()));
        } catch (const OmmInaccessibleLogFileException& e) {
            caught = true;
            CHECK_THAT(e.getFilename().c_str(), StartsWith("/no/such/folder/ema"));
            CHECK_THAT(e.getText().c_str(), Contains("/no/such/folder/ema"));
        }
        CHECK(caught);
        struct Errors : OmmConsumerErrorClient {
            void onInaccessibleLogFile(const EmaString& name, const EmaString& words) override {
                filename = name.c_str();
                text = words.c_str();
            }
            std::string filename, text;
        } errors;
        OmmConsumer c(OmmConsumerConfig(file.path()), errors);
        CHECK_THAT(errors.filename, StartsWith("/no/such/folder/ema"));
        CHECK_FALSE(errors.text.empty());
    }
    SECTION("an administrative message of another domain") {
        const ConsumerConfigFile file(1);
        OmmConsumerConfig config(file.path());
        CHECK_THAT(thrown([&] { config.addAdminMsg(ReqMsg().domainType(MMT_MARKET_PRICE).name("X")); }),
                   StartsWith(kInvalidArgument) && Contains("domain 6") && Contains("login, directory or dictionary"));
    }
    SECTION("a dictionary that is not complete") {
        const ConsumerConfigFile file(1);
        OmmConsumerConfig config(file.path());
        const DataDictionary empty;
        CHECK_THAT(thrown([&] { config.dataDictionary(empty); }), StartsWith(kUsage) && Contains("dataDictionary"));
    }
    SECTION("a connection type that this release lacks") {
        const ConsumerConfigFile file(1);
        OmmConsumerConfig config(file.path());
        config.channelType(EmaConfig::ConnectionTypeEnum::HTTP);
        CHECK_THAT(thrown([&] { OmmConsumer c(config); }),
                   StartsWith("OmmInvalidUsageException -4050: ") && Contains("Channel"));
    }
}

TEST_CASE("a consumer without session management has no session information, which is no error",
          "[ema][compatibility]") {
    class NoOAuth final : public OmmOAuth2ConsumerClient {};
    ProviderThread provider;
    const ConsumerConfigFile file(provider.port());
    NoOAuth oauth;
    OmmConsumer consumer(OmmConsumerConfig(file.path()).username("user"), oauth);
    EmaVector<ChannelInformation> sessions;
    sessions.push_back(ChannelInformation());
    consumer.getSessionInformation(sessions);
    CHECK(sessions.empty());
}
