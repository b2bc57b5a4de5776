// The start of an OmmConsumer, its time limits, and its end in every state.
#include "SessionTest.h"

using namespace emissary::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

TEST_CASE("OmmConsumer starts up", "[ema][session]") {
    SECTION("login, directory, dictionaries from the channel; the admin client sees the login") {
        ProviderThread provider;
        const ConsumerConfigFile file(provider.port(), {}, false);
        RecordingConsumerClient admin;
        int closure = 0;
        bool right = false;
        admin.hook = [&](const Msg&, const OmmConsumerEvent& e) {
            right = e.getHandle() != 0 && e.getClosure() == &closure && e.getParentHandle() == 0;
        };
        OmmConsumer consumer(OmmConsumerConfig(file.path()).username("user"), admin, &closure);
        CHECK(admin.count("user refresh Open/Ok/0") == 1);
        CHECK(right);
        CHECK_THAT(consumer.getConsumerName().c_str(), StartsWith("Consumer_"));
        const auto wire = provider.run([](RawProvider& p) { return p.wire; });
        REQUIRE(wire.size() == 4);
        CHECK(wire[0] == "REQ 1 d1 0x4 user");
        CHECK(wire[1] == "REQ 2 d4 0x4");
        CHECK(wire[2] == "REQ 3 d5 0x44 RWFFld");
        CHECK(wire[3] == "REQ 4 d5 0x44 RWFEnum");
        ChannelInformation information;
        consumer.getChannelInformation(information);
        CHECK(information.getChannelState() == ChannelInformation::ActiveEnum);
        ChannelStatistics statistics;
        consumer.getChannelStatistics(statistics);
        CHECK(statistics.hasTcpRetransmitCount());
        consumer.modifyIOCtl(IOCtlCode::HighWaterMarkEnum, 10000);
        CHECK_THAT(thrown([&] { consumer.modifyIOCtl(4711, 1); }), StartsWith("OmmInvalidUsageException -22"));
    }
    SECTION("a channel that can never connect is refused before the first attempt") {
        const ConsumerConfigFile file(1, {}, true, R"(<OpenSSLCAStore value="/nowhere/ca.pem"/>)",
                                      R"(<Channel value="Channel"/>)", "RSSL_ENCRYPTED");
        RecordingErrorClient errors;
        for (const bool withClient : {false, true})
            CHECK_THAT(thrown([&] {
                           OmmConsumerConfig config(file.path());
                           if (withClient) OmmConsumer c(config, errors);
                           else OmmConsumer c(config);
                       }),
                       StartsWith("OmmInvalidConfigurationException") && Contains("\"Channel\"") &&
                           Contains("OpenSSLCAStore \"/nowhere/ca.pem\": No such file"));
    }
    SECTION("a refused login") {
        ProviderThread provider([](RawProvider& p) { p.automatic.login = false; });
        const ConsumerConfigFile file(provider.port());
        std::thread refuser([&] {
            provider.requested("user");
            provider.run([](RawProvider& p) {
                auto m = RawProvider::status(1, codec::StreamState::closed, codec::DataState::suspect, 3, "Denied");
                m.domain = 1;
                p.send(m);
            });
        });
        const std::string what = thrown([&] { OmmConsumer c(OmmConsumerConfig(file.path()).username("user")); });
        refuser.join();
        CHECK_THAT(what, StartsWith("OmmInvalidUsageException -4053") && Contains("Denied"));
    }
    SECTION("time-outs of each step") {
        const auto fails = [](const char* parameter, const std::function<void(RawProvider&)>& silence, bool files) {
            ProviderThread provider(silence);
            const ConsumerConfigFile file(provider.port(), parameter, files);
            return thrown([&] { OmmConsumer c(OmmConsumerConfig(file.path())); });
        };
        CHECK_THAT(
            fails(R"(<LoginRequestTimeOut value="50"/>)", [](RawProvider& p) { p.automatic.login = false; }, true),
            StartsWith("OmmInvalidUsageException -4052") && Contains("50 milliseconds") && Contains("127.0.0.1:"));
        CHECK_THAT(fails(R"(<DirectoryRequestTimeOut value="50"/>)",
                         [](RawProvider& p) { p.automatic.directory = false; }, true),
                   StartsWith("OmmInvalidUsageException -4054"));
        CHECK_THAT(fails(R"(<DictionaryRequestTimeOut value="50"/>)",
                         [](RawProvider& p) { p.automatic.dictionary = false; }, false),
                   StartsWith("OmmInvalidUsageException -4055") &&
                       Contains("'RWFFld' was asked for at service 'DIRECT_FEED'"));
        CHECK_THAT(fails(R"(<DictionaryRequestTimeOut value="50"/>)",
                         [](RawProvider& p) { p.services[0].info.dictionariesProvided.reset(); }, false),
                   StartsWith("OmmInvalidUsageException -4055") &&
                       Contains("no service provides the dictionary 'RWFFld' (DictionariesProvided)"));
        for (const bool files : {false, true})
            CHECK_THAT(
                fails(R"(<DirectoryRequestTimeOut value="50"/>)", [](RawProvider& p) { p.services.clear(); }, files),
                StartsWith("OmmInvalidUsageException -4054") && Contains("the source directory has no service"));
    }
    SECTION("a dictionary that is refused ends the start at once, with the reason") {
        ProviderThread provider([](RawProvider& p) {
            p.automatic.dictionary = false;
            p.onMessage = [&p](const RawProvider::Got& got) {
                if (got.msg.domain != 5 || got.msg.cls != codec::MsgClass::Request) return;
                auto m = RawProvider::status(got.msg.streamId, codec::StreamState::closed, codec::DataState::suspect, 1,
                                             "no dictionary here");
                m.domain = 5;
                p.send(m);
            };
        });
        const ConsumerConfigFile file(provider.port(), {}, false);  // the time-out is 45 s
        const auto begin = std::chrono::steady_clock::now();
        CHECK_THAT(thrown([&] { OmmConsumer c(OmmConsumerConfig(file.path())); }),
                   StartsWith("OmmInvalidUsageException -4055") && Contains("no dictionary here") &&
                       Contains("'DIRECT_FEED'"));
        CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
    }
    SECTION("a service that lists dictionaries but not their domain") {
        ProviderThread provider([](RawProvider& p) { p.services[0].info.capabilities = {6}; });
        const ConsumerConfigFile file(provider.port(), {}, false);
        RecordingConsumerClient admin;
        OmmConsumer consumer(OmmConsumerConfig(file.path()), admin);
        CHECK(admin.count("user refresh Open/Ok/0") == 1);
    }
    SECTION("the first service is waited for") {
        ProviderThread provider([](RawProvider& p) { p.services.clear(); });
        for (const bool files : {false, true}) {
            const ConsumerConfigFile file(provider.port(), {}, files);
            std::atomic<bool> told{false};
            std::thread later([&] {
                told =
                    provider.until([](RawProvider& p) { return !p.wire.empty() && p.wire.back() == "REQ 2 d4 0x4"; });
                provider.run([](RawProvider& p) { p.sendServiceAdd(RawProvider::service(1, "DIRECT_FEED")); });
            });
            OmmConsumer consumer{OmmConsumerConfig(file.path())};
            CHECK(told);
            later.join();
            provider.run([](RawProvider& p) { p.wire.clear(); });
        }
    }
    SECTION("a directory that never comes is told as such, also when the connection does not last") {
        ProviderThread provider([](RawProvider& p) { p.automatic.directory = false; });
        const ConsumerConfigFile file(provider.port(),
                                      R"(<LoginRequestTimeOut value="300"/><DirectoryRequestTimeOut value="600"/>)");
        std::thread leaver([&] {
            static_cast<void>(provider.until([](RawProvider& p) {
                const auto got = p.take();
                if (!got || got->msg.domain != 4) return false;
                p.die();
                return true;
            }));
        });
        const std::string what = thrown([&] { OmmConsumer c(OmmConsumerConfig(file.path())); });
        leaver.join();
        CHECK_THAT(what, StartsWith("OmmInvalidUsageException -4054") && Contains("directory request failed"));
    }
    SECTION("nobody listens: the login time-out says where") {
        std::uint16_t port = 0;
        {
            RawProvider p;
            port = p.port();
        }
        const ConsumerConfigFile file(port, R"(<LoginRequestTimeOut value="300"/>)");
        CHECK_THAT(thrown([&] { OmmConsumer c(OmmConsumerConfig(file.path())); }),
                   StartsWith("OmmInvalidUsageException -4052") && Contains(":" + std::to_string(port)));
    }
    SECTION("a name that does not exist does not hold up the end") {
        OmmConsumerConfig config(ConsumerConfigFile(1, R"(<LoginRequestTimeOut value="50"/>)").path());
        config.host("no-such-host.invalid:14002");
        const auto begin = std::chrono::steady_clock::now();
        CHECK_THAT(thrown([&] { OmmConsumer c(config); }), StartsWith("OmmInvalidUsageException -4052"));
        CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(5));
    }
    SECTION("attempts exhausted") {
        std::uint16_t port = 0;
        {
            RawProvider p;
            port = p.port();
        }
        const ConsumerConfigFile file(port, R"(<ReconnectAttemptLimit value="0"/>)");
        CHECK_THAT(thrown([&] { OmmConsumer c(OmmConsumerConfig(file.path())); }),
                   StartsWith("OmmInvalidUsageException -4049"));
    }
    SECTION("with an error client nothing is thrown, and the object refuses everything") {
        ProviderThread provider([](RawProvider& p) { p.automatic.login = false; });
        const ConsumerConfigFile file(provider.port(), R"(<LoginRequestTimeOut value="50"/>)");
        RecordingErrorClient errors;
        RecordingConsumerClient client;
        OmmConsumer consumer(OmmConsumerConfig(file.path()), errors);
        REQUIRE(errors.usage.size() == 2);
        CHECK_THAT(errors.usage[1], StartsWith("-4052:") && Contains(errors.usage[0]));
        CHECK(consumer.registerClient(item("IBM.N"), client) == 0);
        CHECK(errors.usage.size() == 4);
        CHECK(consumer.dispatch(1000) == OmmConsumer::TimeoutEnum);
    }
    SECTION("a dictionary file that is not there") {
        ProviderThread provider;
        OmmConsumerConfig config(ConsumerConfigFile(provider.port()).path());
        Map map;
        Map dictionaries;
        map.addKeyAscii("DictionaryGroup", MapEntry::AddEnum,
                        ElementList()
                            .addMap("DictionaryList",
                                    Map()
                                        .addKeyAscii("Dictionary", MapEntry::AddEnum,
                                                     ElementList()
                                                         .addEnum("DictionaryType", 0)
                                                         .addAscii("RdmFieldDictionaryFileName", "./no/such/file")
                                                         .complete())
                                        .complete())
                            .complete())
            .complete();
        config.config(map);
        CHECK_THAT(thrown([&] { OmmConsumer c(config); }), StartsWith("OmmInvalidUsage") && Contains("no/such/file"));
    }
    SECTION("an application's own login request") {
        ProviderThread provider;
        const ConsumerConfigFile file(provider.port());
        OmmConsumerConfig config(file.path());
        ReqMsg login;
        login.domainType(MMT_LOGIN).name("somebody").nameType(USER_NAME);
        config.addAdminMsg(login);
        OmmConsumer consumer(config);
        CHECK(provider.run([](RawProvider& p) { return p.wire.front(); }) == "REQ 1 d1 0x4 somebody");
    }
}

TEST_CASE("OmmConsumer goes away in every state", "[ema][session]") {
    ProviderThread provider([](RawProvider& p) { p.automatic.items = true; });
    const ConsumerConfigFile file(provider.port());
    RecordingConsumerClient client;
    {
        OmmConsumer consumer(OmmConsumerConfig(file.path()).username("user"));
        SECTION("idle") {}
        SECTION("with items") {
            consumer.registerClient(item("IBM.N"), client);
            REQUIRE(client.wait("IBM.N refresh Open/Ok/0"));
        }
        SECTION("while the provider is away") {
            consumer.registerClient(item("IBM.N"), client);
            REQUIRE(client.wait("IBM.N refresh Open/Ok/0"));
            provider.run([](RawProvider& p) { p.die(); });
            REQUIRE(client.wait("IBM.N status Open/Suspect/0"));
        }
    }
    const int all = client.all;
    CHECK(client.all == all);
}
