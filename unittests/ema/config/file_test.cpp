// EmaConfig.xml: look-up of the file, and what happens to each kind of content.
#include "config/ema_text.h"
#include "support.h"
#include "support/paths.h"

#include <sys/stat.h>
#include <unistd.h>

using namespace emissary::ema;
using namespace emissary::ema::test;

namespace {

std::string channelGroup(const std::string& parameters) {
    return "<ChannelGroup><ChannelList><Channel>\n<Name value=\"C\"/>\n" + parameters +
           "\n</Channel></ChannelList></ChannelGroup>";
}

const ConfigValue* channelValue(const Configuration& c, const char* parameter) {
    return c.value(Section::channel, "C", parameter);
}

constexpr const char* kConsumer = "<EmaConfig><ConsumerGroup><ConsumerList><Consumer><Name value=\"A\"/></Consumer>"
                                  "</ConsumerList></ConsumerGroup></EmaConfig>";

}  // namespace

TEST_CASE("the configuration file is found as the constructor's argument says", "[config][file]") {
    const TestFolder folder;
    Configuration c;
    const auto load = [&](const std::string& path) { return thrownBy([&] { loadConfigFile(path, c); }); };

    SECTION("no argument: the working directory's file") {
        folder.write("EmaConfig.xml", kConsumer);
        CHECK(load("").type == -1);
        CHECK(c.records.empty());
        CHECK(c.has(Section::consumer, "A"));
    }
    SECTION("no argument, no file: defaults and a record") {
        CHECK(load("").type == -1);
        CHECK(c.file.empty());
        CHECK(recordsWith(c.records, LogSeverity::error, {"EmaConfig.xml", folder.path().string()}) == 1);
    }
    SECTION("no argument, empty file: defaults and a record") {
        folder.write("EmaConfig.xml", "");
        CHECK(load("").type == -1);
        CHECK(recordsWith(c.records, LogSeverity::error, {"EmaConfig.xml", "the file is empty", "defaults"}) == 1);
        CHECK(recordsWith(c.records, LogSeverity::error, {"no EmaConfig.xml"}) == 0);
    }
    SECTION("no argument, something else of that name: defaults and a record, without waiting or reading for ever") {
        const char* what = nullptr;
        SECTION("a device") {
            fs::create_symlink("/dev/zero", "EmaConfig.xml");
            what = "not a regular file";
        }
        SECTION("a pipe that nobody writes to") {
            REQUIRE(mkfifo("EmaConfig.xml", 0600) == 0);
            what = "not a regular file";
        }
        SECTION("a folder") {
            fs::create_directory("EmaConfig.xml");
            what = "not a regular file";
        }
        SECTION("a file that is too large") {
            folder.write("EmaConfig.xml", kConsumer);
            fs::resize_file("EmaConfig.xml", (64u << 20) + 1);  // sparse
            what = "larger than";
        }
        CHECK(load("").type == -1);
        INFO(listed(c.records));
        CHECK(recordsWith(c.records, LogSeverity::error, {"EmaConfig.xml", what, "defaults"}) == 1);
        CHECK(c.file.empty());
    }
    SECTION("a directory whose EmaConfig.xml is no file") {
        fs::create_directory("etc");
        REQUIRE(mkfifo("etc/EmaConfig.xml", 0600) == 0);
        const Thrown t = load("etc");
        CHECK(t.type == kInvalidConfiguration);
        CHECK(holdsAll(t.text, {"EmaConfig.xml", "not a regular file"}));
    }
    SECTION("no argument, broken file: defaults and a record naming the line") {
        folder.write("EmaConfig.xml", "<EmaConfig>\n<ConsumerGroup>\n</EmaConfig>\n");
        CHECK(load("").type == -1);
        CHECK(c.file.empty());
        CHECK(recordsWith(c.records, LogSeverity::error,
                          {"could not construct configuration", "EmaConfig.xml", "line 3"}) == 1);
    }
    SECTION("a directory: its EmaConfig.xml") {
        fs::create_directory("etc");
        folder.write("etc/EmaConfig.xml", kConsumer);
        CHECK(load("etc").type == -1);
        CHECK(c.has(Section::consumer, "A"));
    }
    SECTION("a directory without one") {
        fs::create_directory("etc");
        const Thrown t = load("etc");
        CHECK(t.type == kInvalidConfiguration);
        CHECK(holdsAll(t.text, {"etc", "EmaConfig.xml", folder.path().string()}));
    }
    SECTION("a file of any name") {
        folder.write("mine.cfg", kConsumer);
        CHECK(load("mine.cfg").type == -1);
        CHECK(load((folder.path() / "mine.cfg").string()).type == -1);
        CHECK(c.has(Section::consumer, "A"));
    }
    SECTION("a path that does not exist") {
        const Thrown t = load("nowhere/else.xml");
        CHECK(t.type == kInvalidConfiguration);
        CHECK(holdsAll(t.text, {"nowhere/else.xml", "does not exist", folder.path().string(), "No such file"}));
    }
    SECTION("neither file nor directory") {
        REQUIRE(mkfifo("pipe", 0600) == 0);
        const Thrown t = load("pipe");
        CHECK(t.type == kInvalidConfiguration);
        CHECK(holdsAll(t.text, {"pipe", "neither a file nor a directory"}));
    }
    SECTION("an unreadable file") {
        folder.write("secret.xml", kConsumer);
        REQUIRE(chmod("secret.xml", 0) == 0);
        const Thrown t = load("secret.xml");
        if (geteuid() == 0) CHECK(t.type == -1);  // root reads everything
        else CHECK((t.type == kInvalidConfiguration && holdsAll(t.text, {"secret.xml", "Permission denied"})));
    }
    SECTION("an explicit file that is not XML, is empty, or has another root") {
        folder.write("a.xml", "not xml at all");
        folder.write("b.xml", "");
        folder.write("c.xml", "<Other/>");
        for (const char* file : {"a.xml", "b.xml", "c.xml"}) {
            const Thrown t = load(file);
            CHECK(t.type == kInvalidConfiguration);
            CHECK(holdsAll(t.text, {"could not construct configuration", file}));
        }
    }
}

TEST_CASE("a long file is read with its line numbers", "[config][file]") {
    const Configuration c = readXml(std::string(60000, '\n') + channelGroup("<Wrong value=\"1\"/>"));
    CHECK(recordsWith(c.records, LogSeverity::error, {"[Wrong]", "EmaConfig.xml:60004"}) == 1);
}

TEST_CASE("what is wrong in the file is reported with file and line, and left out", "[config][file]") {
    struct Row {
        const char* what;
        const char* parameters;  // in a Channel, which starts in line 2: its first parameter is in line 4
        LogSeverity severity;
        std::initializer_list<std::string_view> text;
    };
    const Row rows[] = {
        {"unknown parameter",
         "<Hosst value=\"x\"/>",
         LogSeverity::error,
         {"unsupported configuration element [Hosst]; element ignored", "EmaConfig.xml:4"}},
        {"parameter of another section",
         "<LoggerType value=\"LoggerType::File\"/>",
         LogSeverity::error,
         {"unsupported configuration element [LoggerType]; element ignored", "EmaConfig.xml:4"}},
        {"attribute other than value",
         "<Host value=\"h\" note=\"x\"/>",
         LogSeverity::verbose,
         {"[note]", "[Host]", "EmaConfig.xml:4"}},
        {"not a signed integer",
         "<ReconnectMinDelay value=\"1s\"/>",
         LogSeverity::error,
         {"value [1s] for config element [ReconnectMinDelay] is not a signed integer; element ignored",
          "EmaConfig.xml:4"}},
        {"not an unsigned integer",
         "<NumInputBuffers value=\"-5\"/>",
         LogSeverity::error,
         {"value [-5] for config element [NumInputBuffers] is not an unsigned integer; element ignored",
          "EmaConfig.xml:4"}},
        {"empty number",
         "<NumInputBuffers value=\"\"/>",
         LogSeverity::error,
         {"value [] for config element [NumInputBuffers] is not an unsigned integer", "EmaConfig.xml:4"}},
        {"enumeration without its type",
         "<ChannelType value=\"RSSL_SOCKET\"/>",
         LogSeverity::error,
         {"[RSSL_SOCKET]", "[ChannelType]", "ChannelType::", "the default applies", "EmaConfig.xml:4"}},
        {"enumeration of another type",
         "<ChannelType value=\"ServerType::RSSL_SOCKET\"/>",
         LogSeverity::error,
         {"[ServerType::RSSL_SOCKET]", "ChannelType::", "EmaConfig.xml:4"}},
        {"unknown enumeration value",
         "<CompressionType value=\"CompressionType::Zip\"/>",
         LogSeverity::error,
         {"[CompressionType::Zip]", "None, ZLib, LZ4", "EmaConfig.xml:4"}},
        {"value and child elements",
         "<Host value=\"x\"><Port value=\"1\"/></Host>",
         LogSeverity::error,
         {"[Host]", "both a value and child elements", "EmaConfig.xml:4"}},
        {"neither value nor child elements", "<Host/>", LogSeverity::verbose, {"[Host]", "EmaConfig.xml:4"}},
        {"text instead of a value", "<Host>x</Host>", LogSeverity::warning, {"<Host value=", "EmaConfig.xml:4"}},
        {"old location",
         "<ReconnectAttemptLimit value=\"3\"/>",
         LogSeverity::warning,
         {"[ReconnectAttemptLimit]", "moved", "EmaConfig.xml:4"}},
        {"another attribute instead of value",
         "<Host Value=\"h\"/>",
         LogSeverity::warning,
         {"[Value]", "[Host]", "only value is", "EmaConfig.xml:4"}},
    };
    for (const Row& row : rows) {
        const Configuration c = readXml(channelGroup(row.parameters));
        INFO(row.what << "\n" << listed(c.records));
        CHECK(recordsWith(c.records, row.severity, row.text) == 1);
        CHECK(c.has(Section::channel, "C"));
    }
    CHECK(channelValue(readXml(channelGroup(rows[2].parameters)), "Host")->text == "h");
    for (const int at : {3, 4, 5, 6, 7, 8, 9, 10, 11}) {
        const Configuration c = readXml(channelGroup(rows[at].parameters));
        INFO(rows[at].what);
        for (const char* p : {"ReconnectMinDelay", "NumInputBuffers", "ChannelType", "CompressionType", "Host"})
            CHECK(channelValue(c, p) == nullptr);
    }
    CHECK(channelValue(readXml(channelGroup(rows[12].parameters)), "ReconnectAttemptLimit")->number == 3);
}

TEST_CASE("a decimal number that is none is refused", "[config][file]") {
    const Configuration c = readXml("<ConsumerGroup><ConsumerList><Consumer><Name value=\"A\"/>\n"
                                    "<TokenReissueRatio value=\"0,8\"/></Consumer></ConsumerList></ConsumerGroup>");
    CHECK(recordsWith(c.records, LogSeverity::error,
                      {"value [0,8] for config element [TokenReissueRatio] is not an double; element ignored",
                       "EmaConfig.xml:3"}) == 1);
}

TEST_CASE("unknown groups, lists and entries are reported", "[config][file]") {
    const Configuration c = readXml("<ChanelGroup/>\n<ChannelGroup><Channel/></ChannelGroup>\n"
                                    "<ServerGroup><ServerList><Chanel/></ServerList></ServerGroup>\n<LoggerGroup/>");
    INFO(listed(c.records));
    CHECK(recordsWith(c.records, LogSeverity::error, {"[ChanelGroup]", ":2"}) == 1);
    CHECK(recordsWith(c.records, LogSeverity::error, {"[Channel]", ":3"}) == 1);
    CHECK(recordsWith(c.records, LogSeverity::error, {"[Chanel]", ":4"}) == 1);
    CHECK(recordsWith(c.records, LogSeverity::verbose, {"[LoggerGroup]", ":5"}) == 1);
}

TEST_CASE("entries without a Name are ignored with a warning", "[config][file]") {
    const char* const kinds[][3] = {{"ChannelGroup", "ChannelList", "Channel"},
                                    {"ConsumerGroup", "ConsumerList", "Consumer"},
                                    {"DictionaryGroup", "DictionaryList", "Dictionary"},
                                    {"DirectoryGroup", "DirectoryList", "Directory"},
                                    {"IProviderGroup", "IProviderList", "IProvider"},
                                    {"LoggerGroup", "LoggerList", "Logger"},
                                    {"NiProviderGroup", "NiProviderList", "NiProvider"},
                                    {"ServerGroup", "ServerList", "Server"},
                                    {"SessionChannelGroup", "SessionChannelList", "SessionChannel"}};
    for (const auto& k : kinds) {
        const auto open = [](const char* n) { return std::string("<") + n + ">"; };
        const auto shut = [](const char* n) { return std::string("</") + n + ">"; };
        for (const char* content : {"", "<Name value=\"\"/>"}) {
            const Configuration c =
                readXml(open(k[0]) + open(k[1]) + "\n" + open(k[2]) + content + shut(k[2]) + shut(k[1]) + shut(k[0]));
            INFO(k[2] << "\n" << listed(c.records));
            CHECK(recordsWith(c.records, LogSeverity::warning,
                              {std::string(k[2]) + " entry without a Name", "entry ignored", "EmaConfig.xml:3"}) == 1);
        }
    }
}

TEST_CASE("the last of equal parameters wins, and entries of one name are merged", "[config][file]") {
    const Configuration c = readXml("<ChannelGroup><ChannelList>"
                                    "<Channel><Name value=\"C\"/><Host value=\"a\"/><Host value=\"b\"/>"
                                    "<Port value=\"1\"/></Channel>"
                                    "<Channel><Name value=\"C\"/><Port value=\"2\"/></Channel>"
                                    "</ChannelList></ChannelGroup>");
    INFO(listed(c.records));
    CHECK(c.records.size() == 2);
    CHECK(recordsWith(c.records, LogSeverity::warning, {"given twice"}) == 2);
    CHECK(c.file.entries(Section::channel).size() == 1);
    CHECK(channelValue(c, "Host")->text == "b");
    CHECK(channelValue(c, "Port")->text == "2");
}

TEST_CASE("numbers beyond a parameter's range are clamped or left out, with a warning", "[config][file]") {
    struct Row {
        const char* parameter;
        const char* value;
        long long result;  // -1: the default applies
    };
    const Row rows[] = {{"SysSendBufSize", "4294967295", 4294967295},
                        {"SysSendBufSize", "4294967296", 4294967295},
                        {"SysSendBufSize", "99999999999999999999999", 4294967295},
                        {"HsmInterval", "65535", 65535},
                        {"HsmInterval", "65536", 65535},
                        {"userQLimit", "1", 4096},
                        {"PacketTTL", "1000", 255},
                        {"PacketTTL", "0", 5},
                        {"GuaranteedOutputBuffers", "0", -1},
                        {"NumInputBuffers", "0", -1},
                        {"ReconnectMinDelay", "0", -1},
                        {"ReconnectMaxDelay", "-10", -1},
                        {"ReconnectMaxDelay", "-99999999999999999999", -1},
                        {"ReconnectMaxDelay", "5000000000", 2147483647},
                        {"WsMaxMsgSize", "6291456", 6291456},
                        {"WsMaxMsgSize", "6291457", 6291456},
                        {"WsMaxMsgSize", "0", 64},
                        {"ndata", "3", 7}};
    for (const Row& row : rows) {
        const Configuration c =
            readXml(channelGroup(std::string("<") + row.parameter + " value=\"" + row.value + "\"/>"));
        INFO(row.parameter << " " << row.value << "\n" << listed(c.records));
        const ConfigValue* v = channelValue(c, row.parameter);
        CHECK((v == nullptr ? -1 : v->number) == row.result);
        const bool changed = v == nullptr || std::to_string(v->number) != row.value;
        CHECK(recordsWith(c.records, LogSeverity::warning,
                          {row.value, row.parameter, "EmaConfig.xml:4", v == nullptr ? "default" : "instead"}) ==
              (changed ? 1u : 0u));
    }
}

TEST_CASE("names of defaults are checked when the file has been read", "[config][file]") {
    const auto check = [](const std::string& xml, Configuration& c) {
        c = readXml(xml);
        return thrownBy([&] { checkDefaults(c); });
    };
    Configuration c;
    const Thrown consumer = check("<ConsumerGroup><DefaultConsumer value=\"x\"/></ConsumerGroup>", c);
    CHECK(consumer.type == kInvalidConfiguration);
    CHECK(holdsAll(consumer.text, {"specified default consumer name [x] was not found in the configured consumers",
                                   "EmaConfig.xml:2"}));
    CHECK(check("<NiProviderGroup><DefaultNiProvider value=\"x\"/></NiProviderGroup>", c).type ==
          kInvalidConfiguration);
    CHECK(check("<DirectoryGroup><DefaultDirectory value=\"x\"/></DirectoryGroup>", c).type == kInvalidConfiguration);

    CHECK(check("<ConsumerGroup><DefaultConsumer value=\"EmaConsumer\"/></ConsumerGroup>", c).type == -1);
    CHECK(check("<NiProviderGroup><DefaultNiProvider value=\"EmaNiProvider\"/></NiProviderGroup>", c).type == -1);
    CHECK(check("<DirectoryGroup><DefaultDirectory value=\"EmaDirectory\"/></DirectoryGroup>", c).type == -1);
    CHECK(check("<ConsumerGroup><DefaultConsumer value=\"EmaConsumer\"/><ConsumerList><Consumer><Name value=\"A\"/>"
                "</Consumer></ConsumerList></ConsumerGroup>",
                c)
              .type == kInvalidConfiguration);

    CHECK(check("<IProviderGroup><DefaultIProvider value=\"x\"/></IProviderGroup>", c).type == -1);
    CHECK(recordsWith(c.records, LogSeverity::error, {"[x]", "ignored", "EmaConfig.xml:2"}) == 1);
}

TEST_CASE("the repository's EmaConfig.xml is read without a record", "[config][file]") {
    Configuration c;
    loadConfigFile(emissary::test::sourcePath("/EmaConfig.xml"), c);
    checkDefaults(c);
    CHECK(listed(c.records).empty());
    for (const ConfigEntry& e : c.file.entries(Section::consumer)) {
        FunctionCalls calls;
        calls.instanceName = e.name;
        const ConsumerSettings s = resolveConsumer(c, calls);
        INFO(e.name);
        CHECK(listed(s.queued).empty());
        CHECK(s.channels.size() == 1);
        CHECK(s.channels[0].connect.port == "14002");
    }
    for (const ConfigEntry& e : c.file.entries(Section::iProvider)) {
        FunctionCalls calls;
        calls.instanceName = e.name;
        const IProviderSettings s = resolveIProvider(c, calls);
        INFO(e.name);
        CHECK(listed(s.queued).empty());
        REQUIRE(s.services.size() == 1);
        CHECK(s.services[0].name == "DIRECT_FEED");
        CHECK(s.services[0].dictionariesProvided.size() == 1);
    }
    FunctionCalls calls;
    calls.instanceName = "Perf_Consumer_1";
    const ConsumerSettings s = resolveConsumer(c, calls);
    CHECK(s.maxDispatchCountApiThread == 6500);
    CHECK(s.loginRequestTimeoutMs == 3000);
    CHECK(s.channels[0].connect.guaranteedOutputBuffers == 5000);
    CHECK(s.channels[0].connect.numInputBuffers == 2048);
    CHECK(s.channels[0].connect.pingTimeoutSeconds == 30);
    CHECK(s.dictionary.fromFile);
    CHECK(s.logger.target == LogTarget::standardOutput);
    CHECK(s.logger.severity == LogSeverity::warning);
}

TEST_CASE("two entries of one name are told of", "[config][file]") {
    const Configuration c = readXml("<ChannelGroup><ChannelList>\n"
                                    "<Channel><Name value=\"C\"/><Host value=\"first\"/><Port value=\"1\"/></Channel>\n"
                                    "<Channel><Name value=\"D\"/></Channel>\n"
                                    "<Channel><Name value=\"C\"/><Host value=\"second\"/></Channel>\n"
                                    "</ChannelList></ChannelGroup>");
    INFO(listed(c.records));
    CHECK(c.records.size() == 1);
    CHECK(recordsWith(c.records, LogSeverity::warning,
                      {"Channel entry [C] is given twice", "EmaConfig.xml:3", "(EmaConfig.xml:5)"}) == 1);
    CHECK(channelValue(c, "Host")->text == "second");
    CHECK(channelValue(c, "Port")->text == "1");
    CHECK(c.file.entries(Section::channel).size() == 2);
}

TEST_CASE("a parameter that is given twice is told of", "[config][file]") {
    const Configuration c = readXml(channelGroup("<Host value=\"first\"/>\n<Host value=\"second\"/>"));
    INFO(listed(c.records));
    CHECK(recordsWith(c.records, LogSeverity::warning, {"[Host] of [C] is given twice", "EmaConfig.xml:5"}) == 1);
    CHECK(channelValue(c, "Host")->text == "second");
}

TEST_CASE("TcpNodelay may be written TcpNoDelay", "[config][file]") {
    const Configuration c = readXml(channelGroup("<TcpNoDelay value=\"0\"/>"));
    INFO(listed(c.records));
    CHECK(c.records.empty());
    REQUIRE(channelValue(c, "TcpNodelay") != nullptr);
    CHECK(channelValue(c, "TcpNodelay")->number == 0);
}

TEST_CASE("a file with 200,000 entries is read and used", "[config][file]") {
    // Quadratic work would take minutes here; the test's own time limit is what it is measured with.
    std::string groups = "<ChannelGroup><ChannelList>\n";
    for (int i = 0; i < 200000; ++i)
        groups += "<Channel><Name value=\"C" + std::to_string(i) + "\"/><Port value=\"" + std::to_string(i % 60000) +
                  "\"/></Channel>\n";
    groups += "</ChannelList></ChannelGroup>\n"
              "<ConsumerGroup><ConsumerList><Consumer><Name value=\"A\"/><Channel value=\"C199999\"/></Consumer>"
              "</ConsumerList></ConsumerGroup>";
    const Configuration c = readXml(groups);
    INFO(listed(c.records));
    CHECK(c.records.empty());
    CHECK(c.file.entries(Section::channel).size() == 200000);
    FunctionCalls calls;
    const ConsumerSettings s = resolveConsumer(c, calls);
    REQUIRE(s.channels.size() == 1);
    CHECK(s.channels[0].connect.port == std::to_string(199999 % 60000));
}
