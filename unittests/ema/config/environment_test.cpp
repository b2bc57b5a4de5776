// Environment twins and the effective configuration with the origin of each value.
#include "config/environment.h"
#include "support.h"

#include "Ema.h"
#include "emissary/EffectiveConfiguration.h"

#include <cctype>
#include <cstdlib>
#include <set>

using namespace emissary::ema;
using namespace emissary::ema::test;
using emissary::EffectiveValue;

namespace {

/// Set for the time of a test.
class Variable {
public:
    Variable(const char* name, const std::string& value) : name_(name) { setenv(name, value.c_str(), 1); }
    ~Variable() { unsetenv(name_); }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

private:
    const char* name_;
};

constexpr const char* kFile = R"(
<ConsumerGroup><DefaultConsumer value="A"/><ConsumerList>
  <Consumer><Name value="A"/><Channel value="Feed-1"/><Logger value="L"/><RequestTimeout value="7"/></Consumer>
  <Consumer><Name value="B"/><Channel value="Other"/></Consumer>
</ConsumerList></ConsumerGroup>
<ChannelGroup><ChannelList>
  <Channel><Name value="Feed-1"/><Host value="filehost"/><Port value="1001"/></Channel>
  <Channel><Name value="Other"/><Host value="otherhost"/></Channel>
</ChannelList></ChannelGroup>
<LoggerGroup><LoggerList><Logger><Name value="L"/></Logger></LoggerList></LoggerGroup>)";

/// The file above with these variables.
Configuration with(std::vector<EnvironmentVariable> variables) {
    Configuration c = readXml(kFile);
    c.variables = std::move(variables);
    return c;
}

ConsumerSettings settingsWith(std::vector<EnvironmentVariable> variables, const FunctionCalls& calls = {}) {
    return resolveConsumer(with(std::move(variables)), calls);
}

const EffectiveValue* find(const emissary::EffectiveConfiguration& c, std::string_view section,
                           std::string_view parameter) {
    for (const EffectiveValue& v : c.values)
        if (v.section == section && v.parameter == parameter) return &v;
    return nullptr;
}

}  // namespace

TEST_CASE("a variable overrides the file", "[config][environment]") {
    const ConsumerSettings s = settingsWith({{"EMISSARY_CHANNEL_Feed_1_Port", "2002"},
                                             {"EMISSARY_CONSUMER_A_ItemCountHint", "5"},
                                             {"EMISSARY_LOGGER_L_LoggerSeverity", "LoggerSeverity::Error"}});
    INFO(listed(s.queued));
    CHECK(s.channels.at(0).connect.port == "2002");
    CHECK(s.channels.at(0).connect.host == "filehost");
    CHECK(s.itemCountHint == 5);
    CHECK(s.requestTimeoutMs == 7);
    CHECK(s.logger.severity == LogSeverity::error);
    CHECK(s.queued.empty());
}

TEST_CASE("programmatic configuration and function calls override a variable", "[config][environment]") {
    Configuration c = with({{"EMISSARY_CHANNEL_Feed_1_Port", "2002"}, {"EMISSARY_CHANNEL_Feed_1_Host", "envhost"}});
    ConfigEntry& channel =
        c.programmatic.emplace_back().entryFor(Section::channel, "Feed-1", "programmatic configuration");
    channel.values["Port"] = {"3003", 0, 0, "programmatic configuration"};
    CHECK(resolveConsumer(c, {}).channels.at(0).connect.port == "3003");
    CHECK(resolveConsumer(c, {}).channels.at(0).connect.host == "envhost");
    FunctionCalls calls;
    parseHost("callhost:4004", "14002", calls);
    CHECK(resolveConsumer(c, calls).channels.at(0).connect.host == "callhost");
    CHECK(resolveConsumer(c, calls).channels.at(0).connect.port == "4004");
}

TEST_CASE("names in variables", "[config][environment]") {
    CHECK(inVariable("Feed-A.1 \xC3\xA9") == "Feed_A_1___");
    SECTION("upper case finds an entry of mixed case") {
        const ConsumerSettings s = settingsWith({{"EMISSARY_CHANNEL_FEED_1_PORT", "2002"}});
        INFO(listed(s.queued));
        CHECK(s.channels.at(0).connect.port == "2002");
        CHECK(s.queued.empty());
    }
    SECTION("the very name comes before one that only looks like it") {
        Configuration c = with({{"EMISSARY_CHANNEL_Feed_1_Port", "2002"}});
        c.file.entryFor(Section::channel, "Feed_1", "here");
        CHECK(resolveConsumer(c, {}).channels.at(0).connect.port == "1001");
        CHECK(withEnvironment(c).value(Section::channel, "Feed_1", "Port")->text == "2002");
    }
    SECTION("what may mean two entries is refused, naming both and the variable") {
        Configuration c = with({{"EMISSARY_CHANNEL_Feed_1_Port", "2002"}});
        c.file.entryFor(Section::channel, "Feed.1", "here");
        const ConsumerSettings s = resolveConsumer(c, {});
        INFO(listed(s.queued));
        CHECK(s.channels.at(0).connect.port == "1001");
        CHECK(recordsWith(s.queued, LogSeverity::error,
                          {"[Feed-1]", "[Feed.1]", "environment variable EMISSARY_CHANNEL_Feed_1_Port"}) == 1);
    }
    SECTION("two variables of one parameter: the last in the order of names, with a warning") {
        const ConsumerSettings s =
            settingsWith({{"EMISSARY_CHANNEL_FEED_1_PORT", "2002"}, {"EMISSARY_CHANNEL_Feed_1_Port", "2003"}});
        CHECK(s.channels.at(0).connect.port == "2003");
        CHECK(recordsWith(s.queued, LogSeverity::warning,
                          {"EMISSARY_CHANNEL_FEED_1_PORT", "EMISSARY_CHANNEL_Feed_1_Port"}) == 1);
    }
}

TEST_CASE("variables that cannot be used are reported by name and change nothing", "[config][environment]") {
    struct Case {
        const char* name;
        const char* value;
        LogSeverity severity;
        const char* part;
    };
    const Case cases[] = {{"EMISSARY_CHANNEL_Feed_1_Prot", "1", LogSeverity::error, "[Prot]"},
                          {"EMISSARY_CHANNEL_Feed_1_Name", "X", LogSeverity::error, "[Name]"},
                          {"EMISSARY_CHANNEL_Port", "1", LogSeverity::error, "EMISSARY_CHANNEL_<name>_<parameter>"},
                          {"EMISSARY_CONSUMER_A_RequestTimeout", "soon", LogSeverity::error, "[soon]"},
                          {"EMISSARY_LOGGER_L_LoggerSeverity", "Error", LogSeverity::error, "LoggerSeverity::<value>"},
                          {"EMISSARY_DIRECTORY_D_Service", "1", LogSeverity::error, "Directory"},
                          {"EMISSARY_CHANEL_Feed_1_Port", "1", LogSeverity::warning, "no configuration group"},
                          {"EMISSARY_CHANNEL_Feed1_Port", "1", LogSeverity::warning, "nothing refers to it"},
                          {"EMISSARY_DEFAULTCONSUMER", "Z", LogSeverity::error, "[Z]"}};
    for (const Case& c : cases) {
        const ConsumerSettings s = settingsWith({{c.name, c.value}});
        INFO(c.name << "\n" << listed(s.queued));
        CHECK(recordsWith(s.queued, c.severity, {c.part, std::string("environment variable ") + c.name}) == 1);
        CHECK(s.queued.size() == 1);
        CHECK(s.sectionName == "A");
        CHECK(s.requestTimeoutMs == 7);
        CHECK(s.channels.at(0).connect.port == "1001");
        CHECK(s.logger.severity == LogSeverity::success);
    }
    const ConsumerSettings clamped = settingsWith({{"EMISSARY_CONSUMER_A_RequestTimeout", "99999999999"}});
    CHECK(clamped.requestTimeoutMs == 4294967295);
    CHECK(recordsWith(clamped.queued, LogSeverity::warning, {"EMISSARY_CONSUMER_A_RequestTimeout"}) == 1);
}

TEST_CASE("variables choose and make entries", "[config][environment]") {
    SECTION("the default consumer") {
        CHECK(settingsWith({{"EMISSARY_DEFAULTCONSUMER", "B"}}).sectionName == "B");
        FunctionCalls calls;
        calls.instanceName = "A";
        CHECK(settingsWith({{"EMISSARY_DEFAULTCONSUMER", "B"}}, calls).sectionName == "A");
    }
    SECTION("a whole channel without any file") {
        Configuration c;
        c.variables = {{"EMISSARY_CHANNEL_Feed_Host", "h"},
                       {"EMISSARY_CHANNEL_Feed_Port", "5"},
                       {"EMISSARY_CONSUMER_EmaConsumer_Channel", "Feed"}};
        const ConsumerSettings s = resolveConsumer(c, {});
        INFO(listed(s.queued));
        CHECK(s.sectionName == "EmaConsumer");
        CHECK(s.channels.at(0).name == "Feed");
        CHECK(s.channels.at(0).connect.host == "h");
        CHECK(s.channels.at(0).connect.port == "5");
        CHECK(s.queued.empty());
    }
    SECTION("providers and global parameters") {
        Configuration c;
        c.variables = {{"EMISSARY_GLOBALCONFIG_JsonConverterPoolsSize", "3"},
                       {"EMISSARY_IPROVIDER_EmaIProvider_Server", "S"},
                       {"EMISSARY_SERVER_S_Port", "9"}};
        CHECK(resolveIProvider(c, {}).server.bind.port == "9");
        CHECK(withEnvironment(c).value(Section::global, "", "JsonConverterPoolsSize")->number == 3);
    }
}

TEST_CASE("no parameter's name stands in the way of the variables", "[config][environment]") {
    for (const Parameter& p : allParameters()) {
        INFO(p.name);
        CHECK(std::string_view(p.name).find('_') == std::string_view::npos);
        for (const Parameter& other : allParameters()) {
            if ((p.sections & other.sections) == 0 || std::string_view(p.name) == other.name) continue;
            if (std::string_view(p.name) == "DhParams" || std::string_view(p.name) == "DHParams") continue;
            std::string a = p.name, b = other.name;
            for (std::string* s : {&a, &b})
                for (char& c : *s)
                    c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
            CHECK(a != b);
        }
    }
}

TEST_CASE("EMISSARY_CONFIG names the file", "[config][environment]") {
    const TestFolder folder;
    TestFolder::write("EmaConfig.xml", "<EmaConfig/>");
    TestFolder::write("own.xml", std::string("<EmaConfig>") + kFile + "</EmaConfig>");
    TestFolder::write("given.xml", "<EmaConfig><ConsumerGroup><ConsumerList><Consumer><Name value=\"G\"/></Consumer>"
                                   "</ConsumerList></ConsumerGroup></EmaConfig>");
    SECTION("where the program gives none") {
        const Variable v("EMISSARY_CONFIG", "own.xml");
        Configuration c;
        loadConfigFile("", c);
        CHECK(resolveConsumer(c, {}).sectionName == "A");
        CHECK(c.variables.empty());
        Configuration given;
        loadConfigFile("given.xml", given);
        CHECK(resolveConsumer(given, {}).sectionName == "G");
    }
    SECTION("and must exist") {
        const Variable v("EMISSARY_CONFIG", "missing.xml");
        Configuration c;
        const Thrown t = thrownBy([&] { loadConfigFile("", c); });
        CHECK(t.type == kInvalidConfiguration);
        CHECK(holdsAll(t.text, {"missing.xml", "EMISSARY_CONFIG"}));
    }
    SECTION("empty is as good as unset; variables are read with the file") {
        const Variable v("EMISSARY_CONFIG", ""), twin("EMISSARY_CONSUMER_EmaConsumer_ItemCountHint", "9");
        Configuration c;
        loadConfigFile("", c);
        CHECK(resolveConsumer(c, {}).itemCountHint == 9);
    }
}

TEST_CASE("the effective configuration says where each value came from", "[config][environment]") {
    using namespace refinitiv::ema::access;
    const TestFolder folder;
    TestFolder::write("EmaConfig.xml", std::string("<EmaConfig>") + kFile + "</EmaConfig>");
    const Variable port("EMISSARY_CHANNEL_Feed_1_NumInputBuffers", "11"), slip("EMISSARY_CHANNEL_Feed_1_Nonsense", "1");
    OmmConsumerConfig config;
    config.username("me").password("secret").operationModel(OmmConsumerConfig::UserDispatchEnum);
    Map map;
    map.addKeyAscii("ConsumerGroup", MapEntry::AddEnum,
                    ElementList()
                        .addMap("ConsumerList", Map()
                                                    .addKeyAscii("A", MapEntry::AddEnum,
                                                                 ElementList().addUInt("ItemCountHint", 3).complete())
                                                    .complete())
                        .complete())
        .complete();
    config.config(map);

    const auto check = [](const emissary::EffectiveConfiguration& c, const char* section, const char* parameter,
                          const char* value, const char* origin) {
        INFO(section << " " << parameter << "\n" << c.text());
        const EffectiveValue* v = find(c, section, parameter);
        REQUIRE(v != nullptr);
        CHECK(v->value == value);
        CHECK(v->origin.find(origin) != std::string::npos);
        const std::string text = c.text();
        CHECK(text.find(parameter) != std::string::npos);
    };
    const emissary::EffectiveConfiguration c = emissary::effectiveConfiguration(config);
    CHECK(c.instance == "A");
    check(c, "Consumer", "RequestTimeout", "7", "EmaConfig.xml:");
    check(c, "Consumer", "ItemCountHint", "3", "programmatic configuration");
    check(c, "Consumer", "MaxDispatchCountApiThread", "100", "default");
    check(c, "Consumer", "OperationModel", "UserDispatch", "function call operationModel()");
    check(c, "Login", "UserName", "me", "function call username()");
    check(c, "Login", "Password", "***", "function call password()");
    check(c, "Channel", "Host", "filehost", "EmaConfig.xml:");
    check(c, "Channel", "NumInputBuffers", "11", "environment variable EMISSARY_CHANNEL_Feed_1_NumInputBuffers");
    check(c, "Logger", "LoggerSeverity", "Success", "default");
    check(c, "Dictionary", "DictionaryType", "ChannelDictionary", "default");
    CHECK(find(c, "Channel", "Host")->entry == "Feed-1");
    CHECK(c.text().find("secret") == std::string::npos);
    REQUIRE(c.notes.size() == 1);
    CHECK(holdsAll(c.notes.front(), {"Error: ", "EMISSARY_CHANNEL_Feed_1_Nonsense"}));

    config.tunnelingProxyHostName("proxy").proxyPasswd("hidden");
    check(emissary::effectiveConfiguration(config), "Channel", "ProxyHost", "proxy",
          "function call tunnelingProxyHostName()");
    check(emissary::effectiveConfiguration(config), "Consumer", "proxyPasswd", "***", "function call proxyPasswd()");
    config.host("callhost:77");
    check(emissary::effectiveConfiguration(config), "Channel", "Host", "callhost", "function call host()");
    check(emissary::effectiveConfiguration(config), "Channel", "Port", "77", "function call host()");

    config.tunnelingObjectName("/path");
    check(emissary::effectiveConfiguration(config), "Channel", "ObjectName", "/path",
          "function call tunnelingObjectName()");

    OmmIProviderConfig provider;
    provider.port("88");
    const emissary::EffectiveConfiguration p = emissary::effectiveConfiguration(provider);
    check(p, "Server", "Port", "88", "function call port()");
    check(p, "Service", "InfoFilter/ServiceId", "1", "default");
    check(p, "Dictionary", "DictionaryType", "FileDictionary", "always, for providers");

    OmmNiProviderConfig publisher;
    check(emissary::effectiveConfiguration(publisher), "Channel", "Port", "14003", "default");
}

TEST_CASE("the effective configuration shows warm-standby groups and their servers", "[config][environment]") {
    using namespace refinitiv::ema::access;
    const TestFolder folder;
    TestFolder::write("EmaConfig.xml", R"(<EmaConfig>
<ConsumerGroup><ConsumerList><Consumer><Name value="C"/><WarmStandbyChannelSet value="Pair"/></Consumer></ConsumerList>
</ConsumerGroup>
<WarmStandbyGroup><WarmStandbyList><WarmStandbyChannel><Name value="Pair"/><StartingActiveServer value="One"/>
<StandbyServerSet value="Two"/></WarmStandbyChannel></WarmStandbyList></WarmStandbyGroup>
<WarmStandbyServerInfoGroup><WarmStandbyServerInfoList>
<WarmStandbyServerInfo><Name value="One"/><Channel value="A"/></WarmStandbyServerInfo>
<WarmStandbyServerInfo><Name value="Two"/><Channel value="B"/></WarmStandbyServerInfo>
</WarmStandbyServerInfoList></WarmStandbyServerInfoGroup>
<ChannelGroup><ChannelList><Channel><Name value="A"/><ChannelType value="ChannelType::RSSL_SOCKET"/></Channel>
<Channel><Name value="B"/><ChannelType value="ChannelType::RSSL_SOCKET"/></Channel></ChannelList></ChannelGroup>
</EmaConfig>)");
    const OmmConsumerConfig config;
    const emissary::EffectiveConfiguration c = emissary::effectiveConfiguration(config);
    INFO(c.text());
    const auto shown = [&](const char* section, const char* entry, const char* parameter, const char* value) {
        INFO(section << " " << entry << " " << parameter);
        CHECK(std::any_of(c.values.begin(), c.values.end(), [&](const EffectiveValue& v) {
            return v.section == section && v.entry == entry && v.parameter == parameter && v.value == value;
        }));
    };
    shown("WarmStandbyChannel", "Pair", "StartingActiveServer", "One");
    shown("WarmStandbyChannel", "Pair", "StandbyServerSet", "Two");
    shown("WarmStandbyServerInfo", "One", "Channel", "A");
    shown("WarmStandbyServerInfo", "Two", "Channel", "B");
}

TEST_CASE("the effective configuration shows what a JSON publisher names fields by", "[config][environment]") {
    using namespace refinitiv::ema::access;
    const TestFolder folder;
    const auto write = [](const char* protocols) {
        TestFolder::write("EmaConfig.xml", std::string(R"(<EmaConfig>
<NiProviderGroup><NiProviderList><NiProvider><Name value="P"/><Channel value="A"/><Directory value="D"/></NiProvider>
</NiProviderList></NiProviderGroup>
<ChannelGroup><ChannelList><Channel><Name value="A"/><ChannelType value="ChannelType::RSSL_WEBSOCKET"/>
<WsProtocols value=")") + protocols + R"("/></Channel></ChannelList></ChannelGroup>
<DirectoryGroup><DirectoryList><Directory><Name value="D"/><Service><Name value="S"/>
<InfoFilter><Capabilities><CapabilitiesEntry value="MMT_MARKET_PRICE"/></Capabilities>
<DictionariesProvided><DictionariesProvidedEntry value="Files"/></DictionariesProvided></InfoFilter>
</Service></Directory>
</DirectoryList></DirectoryGroup>
<DictionaryGroup><DictionaryList><Dictionary><Name value="Files"/>
<DictionaryType value="DictionaryType::FileDictionary"/>
<RdmFieldDictionaryFileName value="/some/fields"/></Dictionary></DictionaryList></DictionaryGroup></EmaConfig>)");
        const OmmNiProviderConfig config;
        return emissary::effectiveConfiguration(config);
    };
    const emissary::EffectiveConfiguration json = write("rssl.json.v2");
    INFO(json.text());
    const EffectiveValue* file = find(json, "Dictionary", "RdmFieldDictionaryFileName");
    REQUIRE(file != nullptr);
    CHECK(file->entry == "Files");
    CHECK(file->value == "/some/fields");
    CHECK(find(write("rssl.rwf"), "Dictionary", "RdmFieldDictionaryFileName") == nullptr);
}

TEST_CASE("variables of the project's own scripts configure nothing and are not warned about",
          "[config][environment]") {
    const Configuration c = withEnvironment(with({{"EMISSARY_BIN", "build/bin"},
                                                  {"EMISSARY_PORT", "14002"},
                                                  {"EMISSARY_TEST_SEED", "7"},
                                                  {"EMISSARY_CONFG", "typing.xml"}}));
    INFO(listed(c.records));
    CHECK(c.records.size() == 1);
    CHECK(recordsWith(c.records, LogSeverity::warning, {"EMISSARY_CONFG"}) == 1);
}
