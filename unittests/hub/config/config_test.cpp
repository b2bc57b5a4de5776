// HubConfig.xml and the command line to settings: defaults, what is read, and what is refused with its place.
#include "fixture.h"

#include "support/paths.h"

#include <algorithm>

using namespace emissary;
using namespace emissary::hub;
using namespace emissary::test;
namespace fs = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::seconds;

TEST_CASE("a hub without any file has the defaults of hub.md 13", "[hub][config]") {
    const Folder folder;
    const HubConfig c = readHubConfig("", {});
    CHECK(c.usable());
    CHECK(c.records.empty());
    const HubSettings& s = c.settings;
    CHECK_FALSE(s.name.empty());
    CHECK(s.announceName == "ADS");
    REQUIRE(s.listeners.size() == 1);
    CHECK(s.listeners[0].bind.port == "14002");
    CHECK(s.listeners[0].bind.maxConnections == 20'000);
    CHECK(s.listeners[0].bind.maxConnectionsPerAddress == 0);
    CHECK(s.listeners[0].bind.guaranteedOutputBuffers == 5000);
    REQUIRE(s.publisherListeners.size() == 1);
    CHECK(s.publisherListeners[0].bind.port == "14003");
    CHECK_FALSE(s.publisherListeners[0].anyRole);
    CHECK(s.httpPort == 8080);
    CHECK(s.httpAddress == "127.0.0.1");
    CHECK(s.sources.empty());
    CHECK(s.services.empty());
    CHECK(s.threads == 1);
    CHECK(s.drainTimeout == seconds(10));
    CHECK(s.maxMountsPerClient == 1'000'000);
    CHECK(s.disconnectAbove == 16'777'216);
    CHECK_FALSE(s.dictionary.configured);
    CHECK(s.log.target == logging::LogTarget::standardOutput);
    CHECK(s.log.format == logging::LogFormat::line);
    const ServiceSettings& any = s.service("ANY");
    CHECK(any.cache.keeps(6, true));
    CHECK_FALSE(any.cache.keeps(6, false));
    CHECK(any.unknownItem == UnknownItem::close);
    CHECK(any.maxItems == 4'000'000);
}

TEST_CASE("limits of clients, marks of slow ones, and what posts may do", "[hub][config]") {
    const Folder folder;
    const HubConfig c =
        read("<Hub><MaxLoginsPerUser value=\"3\"/><LoginProbeTime value=\"7\"/><MaxMountsPerUser "
             "value=\"4\"/><RequestsPerSecondPerClient value=\"5\"/>"
             "<LoginCheckTimeout value=\"6\"/><ConflateAbove value=\"70000\"/><ConflateBelow value=\"1000\"/>"
             "<ConflateTypes value=\"2, 63\"/><Listeners value=\"P,Q\"/></Hub>"
             "<ServerGroup><ServerList><Server><Name value=\"P\"/><Port value=\"1\"/><ConflateTypes value=\"0\"/>"
             "<ConflateBytes value=\"0\"/></Server><Server><Name value=\"Q\"/><Port value=\"2\"/></Server>"
             "</ServerList></ServerGroup>"
             "<ServiceGroup><ServiceList>"
             "<Service><Name value=\"A\"/><PostRights value=\"create, modify\"/></Service>"
             "<Service><Name value=\"B\"/><PostRights value=\"none\"/></Service>"
             "<Service><Name value=\"C\"/><PostRights value=\"update\"/></Service></ServiceList></ServiceGroup>");
    INFO(errorsOf(c));
    REQUIRE(c.usable());
    const HubSettings& s = c.settings;
    CHECK(s.maxLoginsPerUser == 3);
    CHECK(s.loginProbeTime == milliseconds(7));
    CHECK(s.maxMountsPerUser == 4);
    CHECK(s.requestsPerSecondPerClient == 5);
    CHECK(s.loginCheckTimeout == milliseconds(6));
    CHECK(s.conflateAbove == 70'000);
    CHECK(s.conflateBelow == 1000);
    CHECK(s.conflateTypes == (1ull << 2 | 1ull << 63));
    CHECK(s.slowLimits(s.listeners[0].slow).conflateTypes == 1);
    CHECK(s.slowLimits(s.listeners[0].slow).conflateBytes == 0);
    CHECK(s.slowLimits(s.listeners[1].slow).conflateTypes == s.conflateTypes);
    CHECK(s.slowLimits(s.listeners[1].slow).conflateBytes == 16u << 20);
    for (const char* const bad : {"64", "-1", "Trade", "1.5"}) {
        const HubConfig refused = read(std::string("<Hub><ConflateTypes value=\"1,") + bad + "\"/></Hub>");
        CHECK_FALSE(refused.usable());
        CHECK_THAT(errorsOf(refused), Catch::Contains(std::string("[") + bad + "] is no type of updates"));
    }
    CHECK(s.service("A").postRights == (PostRight::create | PostRight::modifyPermissions));
    CHECK(s.service("A").posts);
    CHECK_FALSE(s.service("B").posts);
    CHECK(s.service("C").posts);
    CHECK(s.service("C").postRights == 0);
    CHECK(s.service("D").postRights == PostRight::all);
    CHECK(read("<Hub><DisconnectAbove value=\"65536\"/></Hub>").settings.conflateAbove == 65'536);
    refused(read("<Hub>\n<ConflateAbove value=\"1000\"/>\n<ConflateBelow value=\"2000\"/></Hub>"),
            {"ConflateBelow", "[2000]", "hub.xml:4"});
    refused(read("<Hub>\n<ConflateAbove value=\"100000000\"/></Hub>"), {"ConflateAbove", "[100000000]", "hub.xml:3"});
    const auto port = [](const std::string& rows) {
        return read("<Hub><ConflateAbove value=\"70000\"/></Hub><ServerGroup><ServerList><Server>"
                    "<Name value=\"consumers\"/>\n" +
                    rows + "</Server></ServerList></ServerGroup>");
    };
    const HubSettings usual = port("").settings;
    CHECK(usual.slowLimits(usual.listeners[0].slow).conflateAbove == 70'000);
    CHECK(usual.slowLimits(usual.listeners[0].slow).disconnectAbove == 16'777'216);
    const HubSettings own = port("<DisconnectAbove value=\"66000\"/><SlowClientTimeout value=\"7\"/>").settings;
    const SlowLimits limits = own.slowLimits(own.listeners[0].slow);
    CHECK(limits.disconnectAbove == 66'000);
    CHECK(limits.conflateAbove == 66'000);  // the hub's, made to fit
    CHECK(limits.conflateBelow == 65'536);
    CHECK(limits.timeout == seconds(7));
    CHECK(own.slowLimits(own.publisherListeners[0].slow).timeout == seconds(30));
    refused(port("<ConflateAbove value=\"100000000\"/>"), {"ConflateAbove", "[100000000]", "[consumers]", "hub.xml:3"});
    refused(port("<ConflateBelow value=\"80000\"/>"), {"ConflateBelow", "[80000]", "[consumers]", "hub.xml:3"});
    refused(read("<ServiceGroup><ServiceList><Service><Name value=\"A\"/>\n<PostRights value=\"create, drop\"/>"
                 "</Service></ServiceList></ServiceGroup>"),
            {"PostRights", "[drop]", "hub.xml:3"});
}

TEST_CASE("the file is the option's, the variable's, or the working directory's", "[hub][config]") {
    const Folder folder;
    const auto file = [](const char* name, const char* hub) {
        Folder::write(name, std::string("<HubConfig><Hub><Name value=\"") + hub + "\"/></Hub></HubConfig>");
    };
    file("HubConfig.xml", "here");
    file("other.xml", "other");
    file("third.xml", "third");
    CHECK(readHubConfig("", {}).settings.name == "here");
    setenv("EMISSARY_HUB_CONFIG", "other.xml", 1);
    CHECK(readHubConfig("", {}).settings.name == "other");
    CHECK(readHubConfig("third.xml", {}).settings.name == "third");
    setenv("EMISSARY_HUB_CONFIG", "missing.xml", 1);
    refused(readHubConfig("", {}), {"missing.xml", "EMISSARY_HUB_CONFIG", "does not exist"});
    refused(readHubConfig("nowhere.xml", {}), {"nowhere.xml", "does not exist"});
}

TEST_CASE("sources, services and ports are read", "[hub][config]") {
    const Folder folder;
    Folder::write("fields", "x");
    Folder::write("enums", "x");
    const HubConfig c = read(R"(
<Hub><Name value="alpha"/><Listeners value="a, b"/><HttpPort value="0"/><Dictionary value="D"/><Logger value="L"/>
  <MaxConnections value="77"/><DefaultService value="TEST_FEED"/><DrainTimeout value="3"/><ThreadBind value="0"/></Hub>
<SourceGroup><SourceList>
  <Source><Name value="S1"/><ChannelSet value="C1, C2"/><UserName value="feed"/><RequestRate value="10"/>
    <ReconnectMinDelay value="200"/><ReconnectMaxDelay value="300"/><Required value="0"/><SendMirroringMode value="1"/></Source>
  <Source><Name value="S2"/><Channel value="C2"/></Source>
</SourceList></SourceGroup>
<ServiceGroup><ServiceList>
  <Service><Name value="*"/><Cache value="none"/></Service>
  <Service><Name value="TEST_FEED"/><ServiceId value="7"/><Sources value="S2,S1"/><SourceMode value="SourceMode::hot"/>
    <Cache value="MMT_MARKET_PRICE, 8"/><UnknownItem value="suspect"/><OpenWindow value="12"/></Service>
  <Service><Name value="FIXED"/><Static value="1"/>
    <InfoFilter><ServiceId value="9"/><Capabilities><CapabilitiesEntry value="MMT_MARKET_PRICE"/></Capabilities>
      <DictionariesUsed><DictionariesUsedEntry value="D"/></DictionariesUsed></InfoFilter>
    <StateFilter><AcceptingRequests value="1"/></StateFilter></Service>
</ServiceList></ServiceGroup>
<ServerGroup><ServerList>
  <Server><Name value="a"/><Port value="5001"/></Server>
  <Server><Name value="b"/><Port value="5002"/><MaxConnections value="5"/><AnyRole value="1"/>
    <DefaultService value="FIXED"/><JsonExpandedEnumFields value="0"/></Server>
  <Server><Name value="publishers"/><Port value="5003"/></Server>
</ServerList></ServerGroup>
<ChannelGroup><ChannelList>
  <Channel><Name value="C1"/><Host value="h1"/><Port value="17008"/></Channel>
  <Channel><Name value="C2"/><ChannelType value="RSSL_WEBSOCKET"/><Host value="h2"/></Channel>
</ChannelList></ChannelGroup>
<DictionaryGroup><DictionaryList><Dictionary><Name value="D"/><DictionaryType value="FileDictionary"/>
  <RdmFieldDictionaryFileName value="fields"/><EnumTypeDefFileName value="enums"/></Dictionary></DictionaryList></DictionaryGroup>
<LoggerGroup><LoggerList><Logger><Name value="L"/><LoggerSeverity value="Warning"/></Logger></LoggerList></LoggerGroup>)");
    INFO(errorsOf(c));
    REQUIRE(c.usable());
    const HubSettings& s = c.settings;
    CHECK(s.name == "alpha");
    REQUIRE(s.listeners.size() == 2);
    CHECK(s.listeners[0].bind.port == "5001");
    CHECK(s.listeners[0].bind.maxConnections == 77);
    CHECK(s.listeners[1].bind.maxConnections == 5);
    CHECK(s.listeners[1].anyRole);
    CHECK(s.listeners[0].defaultService == "TEST_FEED");
    CHECK(s.listeners[0].expandEnums);
    CHECK(s.listeners[1].defaultService == "FIXED");
    CHECK_FALSE(s.listeners[1].expandEnums);
    CHECK(s.publisherListeners.at(0).bind.port == "5003");
    CHECK(s.httpPort == 0);
    CHECK(s.drainTimeout == seconds(3));
    CHECK(s.dictionary.configured);
    CHECK(s.dictionary.fieldFile == "fields");
    CHECK(s.log.target == logging::LogTarget::file);
    CHECK(s.log.format == logging::LogFormat::line);
    CHECK(s.log.severity == logging::LogSeverity::warning);
    REQUIRE(s.sources.size() == 2);
    CHECK(s.sources[0].channelNames == std::vector<std::string>{"C1", "C2"});
    CHECK(s.sources[0].channels.at(0).port == "17008");
    CHECK(s.sources[0].channels.at(1).connectionType == eta::transport::ConnectionType::webSocket);
    CHECK(s.sources[0].userName == "feed");
    CHECK(s.sources[0].requestRate == 10);
    CHECK(s.sources[0].sendModes);
    CHECK_FALSE(SourceSettings().sendModes);
    CHECK_FALSE(s.sources[0].required);
    CHECK(s.sources[0].reconnect.minDelay == milliseconds(200));
    CHECK(s.sources[0].reconnect.maxDelay == milliseconds(300));
    CHECK_FALSE(s.sources[1].userName.empty());
    const ServiceSettings& feed = s.service("TEST_FEED");
    CHECK(feed.serviceId == 7);
    CHECK(feed.sources == std::vector<std::string>{"S2", "S1"});
    CHECK(feed.sourceMode == SourceMode::hot);
    CHECK(feed.cache.keeps(6, false));
    CHECK_FALSE(feed.cache.keeps(7, true));
    CHECK(feed.cache.keeps(8, false));
    CHECK(feed.unknownItem == UnknownItem::suspect);
    CHECK(feed.openWindow == 12u);
    CHECK_FALSE(feed.openLimit.has_value());
    CHECK(s.service("OTHER").name == "*");
    CHECK_FALSE(s.service("OTHER").cache.keeps(6, true));
    const ServiceSettings& fixed = s.service("FIXED");
    REQUIRE(fixed.fixed.has_value());
    CHECK(fixed.serviceId == 9);
    CHECK(fixed.fixed->id == 9);
    CHECK(fixed.fixed->info.capabilities == std::vector<std::uint8_t>{6});
    CHECK(fixed.fixed->info.dictionariesUsed == std::vector<std::string>{"RWFFld", "RWFEnum"});
    CHECK(fixed.fixed->state.accepting == true);
}

TEST_CASE("the command line beats the file", "[hub][config]") {
    const Folder folder;
    Overrides o;
    o.sources = {"127.0.0.1:17008", "B=host:2"};
    o.port = "6001";
    o.publisherPort = "6002";
    o.httpPort = "6003";
    o.name = "beta";
    const HubConfig c = read(R"(<Hub><Name value="alpha"/><HttpPort value="1"/></Hub>
<SourceGroup><SourceList><Source><Name value="S"/><Channel value="C"/></Source></SourceList></SourceGroup>
<ChannelGroup><ChannelList><Channel><Name value="C"/></Channel></ChannelList></ChannelGroup>)",
                             o);
    INFO(errorsOf(c));
    REQUIRE(c.usable());
    CHECK(c.settings.name == "beta");
    CHECK(c.settings.listeners.at(0).bind.port == "6001");
    CHECK(c.settings.publisherListeners.at(0).bind.port == "6002");
    CHECK(c.settings.httpPort == 6003);
    REQUIRE(c.settings.sources.size() == 2);
    CHECK(c.settings.sources[0].name == "127.0.0.1:17008");
    CHECK(c.settings.sources[0].channels.at(0).host == "127.0.0.1");
    CHECK(c.settings.sources[0].channels.at(0).port == "17008");
    CHECK(c.settings.sources[1].name == "B");
    CHECK(c.settings.sources[1].channels.at(0).host == "host");
    const EffectiveValue* const port = valueOf(c, "Hub", "HttpPort");
    REQUIRE(port != nullptr);
    CHECK(port->value == "6003");
    CHECK(port->origin == "option -httpPort");

    Overrides wrong;
    wrong.sources = {"nohost"};
    refused(read("", wrong), {"-source nohost", "host:port"});
    Overrides twice;
    twice.sources = {"A=h:1", "A=h:2"};
    refused(read("", twice), {"-source A=h:2", "[A] already", "a name of its own"});
    Overrides noNumber;
    noNumber.httpPort = "many";
    refused(read("", noNumber), {"many", "HttpPort", "option -httpPort"});
}

TEST_CASE("what is wrong is refused with its place", "[hub][config]") {
    const Folder folder;
    const std::string channel =
        "<ChannelGroup><ChannelList><Channel><Name value=\"C\"/></Channel></ChannelList></ChannelGroup>";
    const auto source = [](const std::string& inside) {
        return "<SourceGroup><SourceList><Source><Name value=\"S\"/>" + inside + "</Source></SourceList></SourceGroup>";
    };
    const auto service = [](const std::string& inside) {
        return "<ServiceGroup><ServiceList><Service><Name value=\"F\"/>" + inside +
               "</Service></ServiceList></ServiceGroup>";
    };
    SECTION("an unknown element") {
        refused(read("<Hub><HtpPort value=\"1\"/></Hub>"), {"HtpPort", "hub.xml:2"});
    }
    SECTION("a file of rules that is not there, or empty") {
        refused(read("<Hub>\n<Permission value=\"rules\"/></Hub>"),
                {"Permission: cannot read [rules]: No such file", "hub.xml:3"});
        Folder::write("rules", "");
        refused(read("<Hub>\n<Permission value=\"rules\"/></Hub>"), {"Permission: [rules] is empty", "hub.xml:3"});
        Folder::write("rules", "deny * * * *");
        CHECK(read("<Hub>\n<Permission value=\"rules\"/></Hub>").settings.access.permission == "rules");
    }
    SECTION("a login check without its file, and the other way round") {
        Folder::write("users", "dana:::");
        refused(read("<Hub>\n<LoginCheck value=\"file\"/></Hub>"),
                {"LoginCheck is file, and LoginFile has no value", "hub.xml:3"});
        refused(read("<Hub>\n<LoginFile value=\"users\"/></Hub>"), {"LoginFile has no effect", "hub.xml:3"});
        refused(read("<Hub>\n<LoginCheck value=\"fil\"/></Hub>"), {"LoginCheck", "hub.xml:3"});
        refused(read("<Hub><LoginCheck value=\"file\"/>\n<LoginFile value=\"none\"/></Hub>"),
                {"LoginFile: cannot read [none]", "hub.xml:3"});
        Folder::write("key", "secret");
        refused(read("<Hub>\n<LoginCheck value=\"jwt\"/><JwtKeyFile value=\"key\"/></Hub>"),
                {"LoginCheck is jwt, and JwtAudience has no value", "hub.xml:3"});
        refused(read("<Hub>\n<JwtAudience value=\"hub\"/></Hub>"), {"JwtAudience has no effect", "hub.xml:3"});
        refused(read("<Hub><JwtAlgorithm value=\"none\"/></Hub>"), {"JwtAlgorithm", "hub.xml:2"});
        const AccessSettings jwt = read("<Hub><LoginCheck value=\"jwt\"/><JwtKeyFile value=\"key\"/><JwtAudience "
                                        "value=\"hub\"/><JwtAlgorithm value=\"ES256\"/></Hub>")
                                       .settings.access;
        CHECK(jwt.loginCheck == AccessSettings::LoginCheck::jwt);
        CHECK(jwt.jwtAlgorithm == AccessSettings::Algorithm::es256);
        CHECK(jwt.jwtUserClaim == "sub");
        const HubConfig c = read("<Hub><LoginCheck value=\"file\"/><LoginFile value=\"users\"/></Hub>");
        CHECK(c.usable());
        CHECK(c.settings.access.loginCheck == AccessSettings::LoginCheck::file);
        CHECK(c.settings.access.loginFile == "users");
        CHECK(c.text().find("LoginFile") != std::string::npos);
    }
    SECTION("a program for logins that cannot be run, or that nothing asks") {
        refused(read("<Hub>\n<LoginCheck value=\"command\"/></Hub>"),
                {"LoginCheck is command, and LoginCommand has no value", "hub.xml:3"});
        refused(read("<Hub>\n<LoginCommand value=\"/bin/sh\"/></Hub>"), {"LoginCommand has no effect", "hub.xml:3"});
        refused(read("<Hub><LoginCheck value=\"command\"/>\n<LoginCommand value=\"sh x\"/></Hub>"),
                {"LoginCommand [sh] is no path that begins with /", "hub.xml:3"});
        refused(read("<Hub><LoginCheck value=\"command\"/>\n<LoginCommand value=\"/no/such x\"/></Hub>"),
                {"LoginCommand: [/no/such] cannot be run: No such file or directory", "hub.xml:3"});
        refused(read("<Hub><LoginCheck value=\"command\"/>\n<LoginCommand value=\"/bin\"/></Hub>"),
                {"LoginCommand: [/bin] cannot be run: Permission denied", "hub.xml:3"});
        const AccessSettings s = read("<Hub><LoginCheck value=\"command\"/><LoginCommand value=\" /bin/sh  -c x \"/>"
                                      "<PermissionLifetime value=\"7\"/></Hub>")
                                     .settings.access;
        CHECK(s.loginCheck == AccessSettings::LoginCheck::command);
        CHECK(s.loginCommand == std::vector<std::string>{"/bin/sh", "-c", "x"});
        CHECK(s.permissionLifetime == std::chrono::seconds(7));
    }
    SECTION("a slip suggests the near name, and promises no default") {
        const HubConfig c = read("<Hub><HtpPort value=\"1\"/></Hub>");
        refused(c, {"did you mean [HttpPort]?"});
        CHECK(errorsOf(c).find("ignored") == std::string::npos);
        refused(read(service("<UnknownItem value=\"suspct\"/>")), {"did you mean [suspect]?"});
        refused(read("<ServiceGrup/>"), {"did you mean [ServiceGroup]?"});
    }
    SECTION("a value as text, which nothing reads") {
        refused(read("<Hub>\n<HttpPort>8081</HttpPort></Hub>"), {"HttpPort", "value=", "hub.xml:3"});
        refused(read("<Hub>\n<Threads Value=\"3\"/></Hub>"), {"[Value]", "[Threads]", "only value is", "hub.xml:3"});
        refused(read("<Hub Threads=\"3\">\n<HttpPort value=\"8081\"/></Hub>"), {"[Threads]", "[Hub]", "hub.xml:2"});
        refused(read("<Hub>\n<MaxServices/></Hub>"), {"[MaxServices] has no value", "value=", "hub.xml:3"});
    }
    SECTION("an entry or a parameter twice") {
        refused(read(channel + "<ChannelGroup><ChannelList><Channel><Name value=\"C\"/></Channel></ChannelList>"
                               "</ChannelGroup>"),
                {"Channel entry [C] is given twice"});
        refused(read("<Hub><HttpPort value=\"1\"/>\n<HttpPort value=\"2\"/></Hub>"),
                {"[HttpPort] is given twice", "hub.xml:3"});
        // Two elements of one name are one.
        refused(read("<Hub><HttpPort value=\"1\"/></Hub>\n<Hub><HttpPort value=\"2\"/></Hub>"),
                {"[HttpPort] is given twice", "hub.xml:3"});
        CHECK(read("<Hub><HttpPort value=\"1\"/></Hub><Hub><Threads value=\"2\"/></Hub>").usable());
    }
    SECTION("a flag that is neither 0 nor 1") {
        const HubConfig c = read("<Hub>\n<SupportStandby value=\"2\"/></Hub>");
        CHECK(c.usable());
        CHECK(c.settings.supportStandby);
        CHECK(std::ranges::any_of(c.records, [](const logging::QueuedRecord& r) {
            return r.severity == LogSeverity::warning &&
                   r.text.find("[SupportStandby] is not 0 or 1; 1 is used instead") != std::string::npos;
        }));
    }
    SECTION("a host name where the pages need an address") {
        refused(read("<Hub><HttpAddress value=\"localhost\"/></Hub>"), {"HttpAddress [localhost]", "127.0.0.1"});
        CHECK(read("<Hub><HttpAddress value=\"::1\"/></Hub>").usable());
    }
    SECTION("ports that two of listeners, publishers and pages share") {
        const auto server = [](const char* name, const char* more) {
            return std::string("<Server><Name value=\"") + name + "\"/>" + more + "</Server>";
        };
        const auto servers = [&](const std::string& all) {
            return "<ServerGroup><ServerList>" + all + "</ServerList></ServerGroup>";
        };
        refused(read(servers(server("publishers", "<Port value=\"14002\"/>"))),
                {"Port of Server [publishers] and Port of Server [consumers] are both 14002"});
        refused(read("<Hub><HttpPort value=\"14002\"/></Hub>"),
                {"HttpPort and Port of Server [consumers] are both 14002"});
        refused(read("<Hub><Listeners value=\"a, b\"/></Hub>" +
                     servers(server("a", "<Port value=\"15000\"/>") + server("b", "<Port value=\"15000\"/>"))),
                {"[b]", "[a]", "15000"});
        CHECK(read("<Hub><Listeners value=\"a, b\"/></Hub>" +
                   servers(server("a", "<Port value=\"15000\"/><InterfaceName value=\"127.0.0.1\"/>") +
                           server("b", "<Port value=\"15000\"/><InterfaceName value=\"127.0.0.2\"/>")))
                  .usable());
        CHECK(read("<Hub><Listeners value=\"a, b\"/></Hub>" +
                   servers(server("a", "<Port value=\"0\"/>") + server("b", "<Port value=\"0\"/>")))
                  .usable());
    }
    SECTION("no number") {
        refused(read("<Hub>\n<HttpPort value=\"x\"/></Hub>"), {"[x]", "HttpPort", "hub.xml:3"});
    }
    SECTION("a number that is no port") {
        refused(read("<Hub>\n<HttpPort value=\"65536\"/></Hub>"), {"HttpPort [65536] is no port", "hub.xml:3"});
    }
    SECTION("an unknown word") {
        refused(read(service("<UnknownItem value=\"maybe\"/>")),
                {"[maybe]", "close, suspect, wait, template", "hub.xml:2"});
    }
    SECTION("another root") {
        Folder::write("ema.xml", "<EmaConfig/>");
        refused(readHubConfig("ema.xml", {}), {"<EmaConfig>", "must be <HubConfig>"});
    }
    SECTION("broken XML") {
        Folder::write("broken.xml", "<HubConfig>\n<Hub>\n</HubConfig>");
        refused(readHubConfig("broken.xml", {}), {"broken.xml", "line 3"});
    }
    SECTION("a source without channel") {
        refused(read(source("")), {"Source [S]", "Channel", "hub.xml:2"});
    }
    SECTION("a channel that is not there") {
        refused(read(source("<Channel value=\"X\"/>")), {"[X]", "Source [S]", "hub.xml:2"});
    }
    SECTION("a channel that is multicast") {
        refused(read(source("<Channel value=\"M\"/>") +
                     "<ChannelGroup><ChannelList><Channel><Name value=\"M\"/><ChannelType "
                     "value=\"RSSL_RELIABLE_MCAST\"/></Channel></ChannelList></ChannelGroup>"),
                {"[M]", "RSSL_SOCKET"});
    }
    SECTION("a service's source that is not there") {
        refused(read(service("<Sources value=\"Nobody\"/>")), {"[Nobody]", "Service [F]", "hub.xml:2"});
    }
    SECTION("a cached domain that is none") {
        refused(read(service("<Cache value=\"MMT_NOTHING\"/>")), {"MMT_NOTHING", "hub.xml:2"});
    }
    SECTION("a template without file") {
        refused(read(service("<UnknownItem value=\"template\"/>")), {"TemplateFile", "[F]"});
        refused(read(service("<UnknownItem value=\"template\"/><TemplateFile value=\"no.xml\"/>")),
                {"TemplateFile", "no.xml", "No such file"});
        refused(read(service("<UnknownItem value=\"template\"/><TemplateFile value=\"/\"/>")),
                {"TemplateFile", "[/] is a directory"});
        refused(read(service("<UnknownItem value=\"template\"/><TemplateFile value=\"/proc/self/mounts\"/>")),
                {"TemplateFile", "[/proc/self/mounts] is empty"});  // of no bytes, as it says of itself
    }
    SECTION("filters of a service that is not static") {
        refused(read(service("<StateFilter/>")), {"StateFilter", "Static"});
    }
    SECTION("a static service without capabilities") {
        refused(read(service("<Static value=\"1\"/>")), {"[F]", "Capabilities"});
    }
    SECTION("a source on port 0") {
        Overrides nowhere;
        nowhere.sources = {"A=h:0"};
        refused(read("", nowhere), {"Port of Channel [A] is 0", "1 to 65535"});
    }
    SECTION("one id for two services") {
        refused(read("<ServiceGroup><ServiceList><Service><Name value=\"A\"/><ServiceId value=\"3\"/></Service>"
                     "<Service><Name value=\"B\"/><ServiceId value=\"3\"/></Service></ServiceList></ServiceGroup>"),
                {"ServiceId 3", "[B]", "[A]"});
    }
    SECTION("a listener that is not there") {
        refused(read("<Hub><Listeners value=\"L\"/></Hub>"), {"[L]", "Listeners", "hub.xml:2"});
    }
    SECTION("TLS without certificate") {
        const HubConfig c =
            read("<ServerGroup><ServerList><Server><Name value=\"consumers\"/><ServerType "
                 "value=\"RSSL_ENCRYPTED\"/><ServerPrivateKey value=\"key.pem\"/></Server></ServerList></ServerGroup>");
        CHECK_FALSE(c.usable());
        CHECK(errorsOf(c).find("ServerCert of Server [consumers] is missing") != std::string::npos);
        CHECK(errorsOf(c).find("key.pem") != std::string::npos);
    }
    SECTION("a port that is none") {
        refused(read(source("<Channel value=\"C\"/>") + "<ChannelGroup><ChannelList><Channel><Name value=\"C\"/><Port "
                                                        "value=\"70000\"/></Channel></ChannelList></ChannelGroup>"),
                {"70000", "Channel [C]"});
    }
    SECTION("dictionary files that are not there") {
        // Names that nothing installed can have.
        const HubConfig c =
            read("<Hub><Dictionary value=\"D\"/></Hub><DictionaryGroup><DictionaryList><Dictionary><Name value=\"D\"/>"
                 "<DictionaryType value=\"FileDictionary\"/><RdmFieldDictionaryFileName value=\"./no_such_fields\"/>"
                 "</Dictionary></DictionaryList></DictionaryGroup>");
        CHECK_FALSE(c.usable());
        CHECK(errorsOf(c).find("./no_such_fields") != std::string::npos);
    }
    SECTION("a log in a folder that is not there") {
        const std::string logger = "<LoggerGroup><LoggerList><Logger><Name value=\"L\"/>\n<LoggerType value=\"";
        const std::string file = "\"/><FileName value=\"./no/such/folder/hub\"/></Logger></LoggerList></LoggerGroup>";
        refused(read("<Hub><Logger value=\"L\"/></Hub>" + logger + "LoggerType::File" + file),
                {"FileName of Logger [L]", "[./no/such/folder]", "No such file", "hub.xml:3"});
        CHECK(read("<Hub><Logger value=\"L\"/></Hub>" + logger + "LoggerType::Stdout" + file).usable());
    }
    SECTION("a processor that is not there") {
        refused(read("<Hub><ThreadBind value=\"4095000\"/></Hub>"), {"ThreadBind", "4095000", "hub.xml:2"});
    }
    SECTION("a number out of range is clamped with a warning") {
        const HubConfig c = read("<Hub><Threads value=\"0\"/></Hub>");
        CHECK(c.usable());
        CHECK(c.settings.threads == 1);
        CHECK(c.records.size() == 1);
    }
}

TEST_CASE("parameters of what this release does not have are refused as unknown", "[hub][config]") {
    const Folder folder;
    refused(read("<Hub>\n\n<SlowPolicy value=\"disconnect\"/></Hub>"), {"SlowPolicy", "hub.xml:4"});
    refused(read("<Backbone><Servers value=\"nats://h\"/></Backbone>"), {"Backbone", "hub.xml:2"});
}

TEST_CASE("every value in effect is listed with its origin", "[hub][config]") {
    const Folder folder;
    const HubConfig c = read("<Hub><MaxBatchItems value=\"5\"/></Hub>");
    const EffectiveValue* const rate = valueOf(c, "Hub", "MaxBatchItems");
    REQUIRE(rate != nullptr);
    CHECK(rate->value == "5");
    CHECK(rate->origin == "hub.xml:2");
    const EffectiveValue* const batch = valueOf(c, "Hub", "PostAckTimeout");
    REQUIRE(batch != nullptr);
    CHECK(batch->value == "12000");
    CHECK(batch->origin == "default");
    const std::string text = c.text();
    CHECK(text.find("Server consumers\n") != std::string::npos);
    CHECK(text.find("Server publishers\n") != std::string::npos);
    const std::size_t publishers = text.find("Server publishers\n");
    CHECK(text.find("14003", publishers) != std::string::npos);
}

TEST_CASE("what a port has of the Hub's marks is listed for it", "[hub][config]") {
    const Folder folder;
    const HubConfig c = read("<Hub><Listeners value=\"a\"/>\n<DisconnectAbove value=\"1000000\"/></Hub>"
                             "<ServerGroup><ServerList><Server><Name value=\"a\"/>\n"
                             "<DisconnectAbove value=\"200000\"/></Server></ServerList></ServerGroup>");
    INFO(errorsOf(c));
    REQUIRE(c.usable());
    const auto shown = [&](const char* entry, const char* parameter) {
        for (const EffectiveValue& v : c.values)
            if (v.entry == entry && v.parameter == parameter) return v.value + " " + v.origin;
        return std::string("is not there");
    };
    CHECK(shown("", "ConflateAbove") == "262144 default");
    CHECK(shown("a", "DisconnectAbove") == "200000 hub.xml:4");
    CHECK(shown("a", "ConflateAbove") == "200000 default");  // makes room for what is written
    CHECK(shown("a", "ConflateBelow") == "65536 default");
    CHECK(shown("a", "SlowClientTimeout") == "30 default");
    CHECK(shown("publishers", "DisconnectAbove") == "1000000 hub.xml:3");
    CHECK(shown("a", "MaxConnections") == "20000 default");
    CHECK(shown("a", "MaxConnectionsPerAddress") == "0 default");
}

TEST_CASE("ports for any role, and what they do not go with", "[hub][config]") {
    const Folder folder;
    const std::string server = "<ServerGroup><ServerList><Server><Name value=\"both\"/>\n<AnyRole value=\"1\"/>"
                               "</Server></ServerList></ServerGroup>";
    const HubConfig c = read("<Hub><Listeners value=\"both\"/></Hub>" + server);
    INFO(errorsOf(c));
    REQUIRE(c.usable());
    REQUIRE(c.settings.listeners.size() == 1);
    CHECK(c.settings.listeners[0].anyRole);
    CHECK(read("<Hub><NiListeners value=\"both\"/></Hub>" + server).settings.publisherListeners.at(0).anyRole);
    CHECK(read("<Hub><Threads value=\"3\"/><Listeners value=\"both\"/></Hub>" + server).usable());
    refused(read("<Hub><Listeners value=\"both\"/>\n<NiListeners value=\"both\"/></Hub>" + server),
            {"Listeners and NiListeners both name [both]", "AnyRole", "hub.xml:3"});
}

TEST_CASE("a Server entry that nothing names is warned of with its line", "[hub][config]") {
    const Folder folder;
    const HubConfig c = read("<Hub><Listeners value=\"one\"/></Hub>\n"
                             "<ServerGroup><ServerList><Server><Name value=\"one\"/><Port value=\"0\"/></Server>\n"
                             "<Server><Name value=\"spare\"/><Port value=\"0\"/></Server>\n"
                             "<Server><Name value=\"publishers\"/></Server>\n"
                             "<Server><Name value=\"consumers\"/></Server></ServerList></ServerGroup>");
    CHECK(c.usable());
    const std::string warnings = warningsOf(c);
    INFO(warnings);
    CHECK(std::count(warnings.begin(), warnings.end(), '\n') == 2);
    CHECK_THAT(warnings, Catch::Contains("Server [spare] is not used") && Catch::Contains("(hub.xml:4)"));
    // The name of the port that there would be without Listeners.
    CHECK_THAT(warnings, Catch::Contains("Server [consumers] is not used") && Catch::Contains("(hub.xml:6)"));
    CHECK_THAT(warnings, !Catch::Contains("[publishers]"));
    CHECK(warningsOf(
              read("<ServerGroup><ServerList><Server><Name value=\"consumers\"/></Server></ServerList></ServerGroup>"))
              .empty());
}
