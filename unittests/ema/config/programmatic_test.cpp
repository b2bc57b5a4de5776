// Programmatic configuration: Maps of ElementLists, as applications build them.
#include "Ema.h"
#include "config/ProgrammaticConfigReader.h"
#include "settings/ConfigAccess.h"
#include "support.h"

using namespace emissary::ema;
using namespace emissary::ema::test;
using namespace refinitiv::ema::access;

namespace {

void addEntry(Map& config, const char* group, const char* list, const char* name, const ElementList& parameters,
              const char* defaultElement = nullptr) {
    Map entries;
    entries.addKeyAscii(name, MapEntry::AddEnum, parameters).complete();
    ElementList elements;
    if (defaultElement != nullptr) elements.addAscii(defaultElement, name);
    elements.addMap(list, entries).complete();
    config.addKeyAscii(group, MapEntry::AddEnum, elements);
}

Configuration read(const Data& config) {
    Configuration c;
    addProgrammaticConfig(config, c);
    return c;
}

}  // namespace

TEST_CASE("a consumer configured by a Map", "[config][programmatic]") {
    Map config;
    addEntry(config, "ConsumerGroup", "ConsumerList", "A",
             ElementList()
                 .addAscii("Channel", "C")
                 .addAscii("Logger", "L")
                 .addAscii("Dictionary", "D")
                 .addUInt("ItemCountHint", 5)
                 .addUInt("ObeyOpenWindow", 0)
                 .addInt("DispatchTimeoutApiThread", 77)
                 .addInt("ReconnectMinDelay", 222)
                 .addInt("ReconnectMaxDelay", 333)
                 .addDouble("TokenReissueRatio", 0.25)
                 .complete(),
             "DefaultConsumer");
    addEntry(config, "ChannelGroup", "ChannelList", "C",
             ElementList()
                 .addEnum("ChannelType", 0)
                 .addEnum("CompressionType", 2)
                 .addAscii("Host", "h")
                 .addAscii("Port", "5")
                 .addUInt("GuaranteedOutputBuffers", 50)
                 .complete());
    addEntry(config, "LoggerGroup", "LoggerList", "L",
             ElementList().addEnum("LoggerType", 1).addEnum("LoggerSeverity", 3).addAscii("FileName", "f").complete());
    addEntry(config, "DictionaryGroup", "DictionaryList", "D",
             ElementList().addEnum("DictionaryType", 0).addAscii("RdmFieldDictionaryFileName", "x").complete());
    config.complete();

    const Configuration c = read(config);
    INFO(listed(c.records));
    CHECK(c.records.empty());
    const ConsumerSettings s = resolveConsumer(c, {});
    CHECK(s.sectionName == "A");
    CHECK(s.itemCountHint == 5);
    CHECK_FALSE(s.obeyOpenWindow);
    CHECK(s.dispatchTimeoutApiThreadUs == 77);
    CHECK(s.reconnect.minDelay.count() == 222);
    CHECK(s.reconnect.maxDelay.count() == 333);
    REQUIRE(s.channels.size() == 1);
    CHECK(s.channels[0].name == "C");
    CHECK(s.channels[0].connect.host == "h");
    CHECK(s.channels[0].connect.port == "5");
    CHECK(s.channels[0].connect.guaranteedOutputBuffers == 50);
    CHECK(s.channels[0].connect.compression == emissary::eta::transport::Compression::lz4);
    CHECK(s.logger.target == LogTarget::standardOutput);
    CHECK(s.logger.severity == LogSeverity::error);
    CHECK(s.logger.fileName == "f");
    CHECK(s.dictionary.fromFile);
    CHECK(s.dictionary.fieldFile == "x");
}

TEST_CASE("a Map can be read again", "[config][programmatic]") {
    Map config;
    addEntry(config, "ChannelGroup", "ChannelList", "C", ElementList().addAscii("Host", "h").complete());
    config.complete();
    for (int i = 0; i < 2; ++i)
        CHECK(read(config).value(Section::channel, "C", "Host")->text == "h");
}

TEST_CASE("a directory configured by a Map", "[config][programmatic]") {
    OmmArray capabilities, provided;
    capabilities.addAscii("MMT_MARKET_PRICE").addAscii("200").complete();
    provided.addAscii("D").complete();
    Series qos;
    qos.add(ElementList().addUInt("Timeliness", 20).addUInt("Rate", 100).complete())
        .add(ElementList().addEnum("Timeliness", 0).addEnum("Rate", 0).complete())
        .complete();
    ElementList info, status, state, load, service;
    info.addUInt("ServiceId", 9)
        .addAscii("Vendor", "V")
        .addUInt("IsSource", 1)
        .addArray("Capabilities", capabilities)
        .addArray("DictionariesProvided", provided)
        .addSeries("QoS", qos)
        .complete();
    status.addEnum("StreamState", 1).addEnum("DataState", 2).addUInt("StatusCode", 12).addAscii("StatusText", "t");
    state.addUInt("ServiceState", 1).addUInt("AcceptingRequests", 0).addElementList("Status", status.complete());
    load.addUInt("OpenLimit", 3).addUInt("LoadFactor", 4).complete();
    service.addElementList("InfoFilter", info)
        .addElementList("StateFilter", state.complete())
        .addElementList("LoadFilter", load)
        .complete();
    Map services;
    services.addKeyAscii("S", MapEntry::AddEnum, service).complete();
    Map directories;
    directories.addKeyAscii("R", MapEntry::AddEnum, services).complete();
    Map config;
    addEntry(config, "IProviderGroup", "IProviderList", "P", ElementList().addAscii("Directory", "R").complete(),
             "DefaultIProvider");
    addEntry(config, "DictionaryGroup", "DictionaryList", "D",
             ElementList().addAscii("RdmFieldDictionaryItemName", "F").complete());
    config.addKeyAscii("DirectoryGroup", MapEntry::AddEnum,
                       ElementList().addAscii("DefaultDirectory", "R").addMap("DirectoryList", directories).complete());
    config.complete();

    const Configuration c = read(config);
    const IProviderSettings p = resolveIProvider(c, {});
    INFO(listed(p.queued));
    CHECK(p.queued.empty());
    CHECK(p.sectionName == "P");
    REQUIRE(p.services.size() == 1);
    const ServiceSettings& s = p.services[0];
    CHECK(s.name == "S");
    CHECK(s.serviceId == 9);
    CHECK(s.vendor == std::string("V"));
    CHECK(s.isSource);
    CHECK(s.capabilities == std::vector<std::uint8_t>{6, 200});
    CHECK(s.dictionariesProvided.at(0).fieldItemName == "F");
    REQUIRE(s.qos.size() == 2);
    CHECK(s.qos[0].timeliness == 20);
    CHECK(s.qos[0].rate == 100);
    CHECK(s.qos[1].timeliness == 0);
    CHECK_FALSE(s.acceptingRequests);
    REQUIRE(s.status);
    CHECK(s.status->dataState == 2);
    CHECK(s.status->code == 12);
    CHECK(s.status->text == "t");
    CHECK(s.openLimit == 3u);
    CHECK(s.loadFactor == std::uint16_t{4});
}

TEST_CASE("capabilities may be numbers", "[config][programmatic]") {
    for (const bool isSigned : {false, true}) {
        OmmArray capabilities;
        if (isSigned) capabilities.addInt(6).addInt(7);
        else capabilities.addUInt(6).addUInt(7);
        ElementList info, service;
        info.addUInt("ServiceId", 1).addArray("Capabilities", capabilities.complete()).complete();
        service.addElementList("InfoFilter", info).complete();
        Map services, directories, config;
        services.addKeyAscii("S", MapEntry::AddEnum, service).complete();
        directories.addKeyAscii("R", MapEntry::AddEnum, services).complete();
        config.addKeyAscii(
            "DirectoryGroup", MapEntry::AddEnum,
            ElementList().addAscii("DefaultDirectory", "R").addMap("DirectoryList", directories).complete());
        config.complete();
        CHECK(resolveIProvider(read(config), {}).services.at(0).capabilities == std::vector<std::uint8_t>{6, 7});
    }
}

TEST_CASE("anything but a Map is reported and ignored", "[config][programmatic]") {
    ElementList list;
    list.addAscii("Host", "h").complete();
    const Configuration c = read(list);
    CHECK(c.programmatic.empty());
    CHECK(recordsWith(c.records, LogSeverity::error, {"Invalid Data type='ElementList' for Programmatic Configure."}) ==
          1);
}

TEST_CASE("elements that do not fit are reported and left out", "[config][programmatic]") {
    struct Row {
        const char* what;
        void (*add)(ElementList&);
        const char* parameter;
        std::initializer_list<std::string_view> text;
    };
    const Row rows[] = {
        {"unknown parameter",
         [](ElementList& e) { e.addAscii("Hosst", "x"); },
         "Hosst",
         {"unsupported configuration element [Hosst]"}},
        {"number for a text", [](ElementList& e) { e.addUInt("Port", 14002); }, "Port", {"[Port]", "Ascii"}},
        {"text for a number",
         [](ElementList& e) { e.addAscii("NumInputBuffers", "5"); },
         "NumInputBuffers",
         {"[NumInputBuffers]", "UInt"}},
        {"UInt for an Int",
         [](ElementList& e) { e.addUInt("ReconnectMinDelay", 5); },
         "ReconnectMinDelay",
         {"[ReconnectMinDelay]", "Int"}},
        {"Int for a UInt", [](ElementList& e) { e.addInt("TcpNodelay", 1); }, "TcpNodelay", {"[TcpNodelay]", "UInt"}},
        {"a type that no parameter has", [](ElementList& e) { e.addDate("Host", 2024, 1, 1); }, "Host", {"[Host]"}},
        {"a blank", [](ElementList& e) { e.addCodeAscii("Host"); }, "Host", {"[Host]"}},
        {"enumeration out of range",
         [](ElementList& e) { e.addEnum("ChannelType", 9); },
         "ChannelType",
         {"Invalid ChannelType [9] in Programmatic Configuration. Use default"}},
    };
    for (const Row& row : rows) {
        ElementList parameters;
        row.add(parameters);
        Map config;
        addEntry(config, "ChannelGroup", "ChannelList", "C", parameters.complete());
        config.complete();
        const Configuration c = read(config);
        INFO(row.what << "\n" << listed(c.records));
        CHECK(recordsWith(c.records, LogSeverity::error, row.text) == 1);
        CHECK(c.records.size() == 1);
        CHECK(c.has(Section::channel, "C"));
        CHECK(c.value(Section::channel, "C", row.parameter) == nullptr);
    }
    SECTION("groups, lists and keys") {
        Map numbered, config;
        numbered.addKeyUInt(1, MapEntry::AddEnum, ElementList().complete()).complete();
        config.addKeyAscii("ChanelGroup", MapEntry::AddEnum, ElementList().addAscii("x", "y").complete())
            .addKeyAscii("ChannelGroup", MapEntry::AddEnum, ElementList().addMap("ChannelList", numbered).complete())
            .complete();
        const Configuration c = read(config);
        INFO(listed(c.records));
        CHECK(recordsWith(c.records, LogSeverity::error, {"[ChanelGroup]"}) == 1);
        CHECK(recordsWith(c.records, LogSeverity::error, {"[ChannelList]", "without an Ascii key"}) == 1);

        Map ofMaps;
        ofMaps.addKeyAscii("ServerGroup", MapEntry::AddEnum, numbered).complete();
        CHECK(recordsWith(read(ofMaps).records, LogSeverity::error, {"group of the configuration Map"}) == 1);
        CHECK(recordsWith(read(numbered).records, LogSeverity::error, {"group of the configuration Map"}) == 1);
    }
}

TEST_CASE("numbers of a Map are clamped as those of the file", "[config][programmatic]") {
    Map config;
    addEntry(config, "ChannelGroup", "ChannelList", "C",
             ElementList()
                 .addUInt("SysSendBufSize", 4294967296)
                 .addUInt("NumInputBuffers", 0)
                 .addInt("ReconnectMaxDelay", 5000000000)
                 .complete());
    config.complete();
    const Configuration c = read(config);
    CHECK(c.value(Section::channel, "C", "SysSendBufSize")->number == 4294967295);
    CHECK(c.value(Section::channel, "C", "NumInputBuffers") == nullptr);
    CHECK(c.value(Section::channel, "C", "ReconnectMaxDelay")->number == 2147483647);
    CHECK(recordsWith(c.records, LogSeverity::warning, {"programmatic configuration"}) == 4);  // one has moved, too
}

TEST_CASE("several Maps are laid over each other and over the file", "[config][programmatic]") {
    const TestFolder folder;
    folder.write(
        "EmaConfig.xml",
        "<EmaConfig><ConsumerGroup><ConsumerList><Consumer><Name value=\"A\"/><Channel value=\"C\"/></Consumer>"
        "<Consumer><Name value=\"B\"/></Consumer></ConsumerList></ConsumerGroup>"
        "<ChannelGroup><ChannelList><Channel><Name value=\"C\"/><Host value=\"file\"/><Port value=\"1\"/>"
        "</Channel></ChannelList></ChannelGroup></EmaConfig>");
    OmmConsumerConfig config;
    const auto channel = [&] { return ConfigAccess::of(config).settings().channels.at(0).connect; };
    CHECK(channel().host == "file");
    Map first, second, third;
    addEntry(first, "ChannelGroup", "ChannelList", "C", ElementList().addAscii("Port", "2").complete());
    addEntry(second, "ChannelGroup", "ChannelList", "C",
             ElementList().addAscii("Port", "3").addUInt("NumInputBuffers", 7).complete());
    config.config(first.complete());
    CHECK(channel().port == "2");
    config.config(second.complete());
    CHECK(channel().port == "3");
    CHECK(channel().host == "file");
    CHECK(channel().numInputBuffers == 7);
    second.clear();  // the Map was copied
    CHECK(channel().port == "3");
    config.host("call:4");
    CHECK(channel().host == "call");
    CHECK(channel().numInputBuffers == 7);
    config.clear();  // forgets function calls only
    CHECK(channel().host == "file");
    CHECK(channel().port == "3");

    addEntry(third, "ConsumerGroup", "ConsumerList", "B", ElementList().addUInt("ItemCountHint", 8).complete(),
             "DefaultConsumer");
    config.config(third.complete());
    CHECK(ConfigAccess::of(config).settings().sectionName == "B");
    CHECK(ConfigAccess::of(config).settings().itemCountHint == 8);
}
