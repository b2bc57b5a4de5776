// Services of a provider's directory.
#include "support.h"

using namespace emissary::ema;
using namespace emissary::ema::test;

namespace {

constexpr const char* kCapabilities = "<Capabilities><CapabilitiesEntry value=\"MMT_MARKET_PRICE\"/></Capabilities>";

std::string service(const std::string& name, const std::string& info, const std::string& rest = "",
                    const std::string& capabilities = kCapabilities) {
    return "\n<Service>" + (name.empty() ? "" : "<Name value=\"" + name + "\"/>") + "<InfoFilter>" + info +
           capabilities + "</InfoFilter>" + rest + "</Service>";
}

struct Directory {
    IProviderSettings settings;
    const std::vector<ServiceSettings>& services = settings.services;
    [[nodiscard]] std::string names() const {
        std::string all;
        for (const ServiceSettings& s : services)
            all += s.name + "=" + std::to_string(s.serviceId) + " ";
        return all;
    }
    [[nodiscard]] std::size_t records(LogSeverity severity, std::initializer_list<std::string_view> parts) const {
        return recordsWith(settings.queued, severity, parts);
    }
};

Directory resolve(const std::string& services) {
    return {resolveIProvider(
        readXml("<IProviderGroup><IProviderList><IProvider><Name value=\"P\"/><Directory value=\"D\"/></IProvider>"
                "</IProviderList></IProviderGroup><DictionaryGroup><DictionaryList><Dictionary><Name value=\"Dict\"/>"
                "<RdmFieldDictionaryFileName value=\"f\"/><EnumTypeDefFileName value=\"e\"/>"
                "<RdmFieldDictionaryItemName value=\"F\"/></Dictionary></DictionaryList></DictionaryGroup>"
                "<DirectoryGroup><DirectoryList><Directory><Name value=\"D\"/>" +
                services + "</Directory></DirectoryList></DirectoryGroup>"),
        {})};
}

}  // namespace

TEST_CASE("a service with everything", "[config][services]") {
    const Directory d = resolve(service(
        "S",
        "<ServiceId value=\"7\"/><Vendor value=\"V\"/><ItemList value=\"I\"/><IsSource value=\"1\"/>"
        "<SupportsQoSRange value=\"1\"/><AcceptingConsumerStatus value=\"1\"/><SupportsOutOfBandSnapshots value=\"1\"/>"
        "<DictionariesProvided><DictionariesProvidedEntry value=\"Dict\"/></DictionariesProvided>"
        "<DictionariesUsed><DictionariesUsedEntry value=\"Dict\"/></DictionariesUsed>"
        "<QoS><QoSEntry><Timeliness value=\"Timeliness::InexactDelayed\"/><Rate value=\"Rate::JustInTimeConflated\"/>"
        "</QoSEntry><QoSEntry><Timeliness value=\"20\"/><Rate value=\"100\"/></QoSEntry></QoS>",
        "<StateFilter><ServiceState value=\"0\"/><AcceptingRequests value=\"0\"/><Status>"
        "<StreamState value=\"StreamState::CloseRecover\"/><DataState value=\"DataState::Suspect\"/>"
        "<StatusCode value=\"StatusCode::NoResources\"/><StatusText value=\"busy\"/></Status></StateFilter>"
        "<LoadFilter><OpenLimit value=\"1000\"/><OpenWindow value=\"10\"/><LoadFactor value=\"3\"/></LoadFilter>",
        "<Capabilities><CapabilitiesEntry value=\"MMT_MARKET_PRICE\"/><CapabilitiesEntry value=\"200\"/>"
        "</Capabilities>"));
    INFO(listed(d.settings.queued));
    CHECK(d.settings.queued.empty());
    REQUIRE(d.services.size() == 1);
    const ServiceSettings& s = d.services[0];
    CHECK(s.name == "S");
    CHECK(s.serviceId == 7);
    CHECK(s.vendor == std::string("V"));
    CHECK(s.itemList == std::string("I"));
    CHECK(s.isSource);
    CHECK(s.supportsQosRange);
    CHECK(s.acceptingConsumerStatus);
    CHECK(s.supportsOutOfBandSnapshots);
    CHECK(s.capabilities == std::vector<std::uint8_t>{6, 200});
    REQUIRE(s.dictionariesProvided.size() == 1);
    CHECK(s.dictionariesProvided[0].fromFile);
    CHECK(s.dictionariesProvided[0].fieldFile == "f");
    CHECK(s.dictionariesProvided[0].enumFile == "e");
    CHECK(s.dictionariesProvided[0].fieldItemName == "F");
    CHECK(s.dictionariesProvided[0].enumItemName == "RWFEnum");
    CHECK(s.dictionariesUsed.size() == 1);
    REQUIRE(s.qos.size() == 2);
    CHECK(s.qos[0].timeliness == 0xFFFFFFFF);
    CHECK(s.qos[0].rate == 0xFFFFFF00);
    CHECK(s.qos[1].timeliness == 20);
    CHECK(s.qos[1].rate == 100);
    CHECK_FALSE(s.serviceUp);
    CHECK_FALSE(s.acceptingRequests);
    REQUIRE(s.status);
    CHECK(s.status->streamState == 3);
    CHECK(s.status->dataState == 2);
    CHECK(s.status->code == 12);
    CHECK(s.status->text == "busy");
    CHECK(s.openLimit == 1000u);
    CHECK(s.openWindow == 10u);
    CHECK(s.loadFactor == std::uint16_t{3});
}

TEST_CASE("a service with the least", "[config][services]") {
    const Directory d = resolve(service("S", "<ServiceId value=\"0\"/>"));
    REQUIRE(d.services.size() == 1);
    const ServiceSettings& s = d.services[0];
    CHECK(d.settings.queued.empty());
    CHECK_FALSE(s.vendor);
    CHECK_FALSE(s.itemList);
    CHECK_FALSE(s.isSource);
    CHECK_FALSE(s.supportsQosRange);
    CHECK(s.dictionariesProvided.empty());
    CHECK(s.dictionariesUsed.empty());
    REQUIRE(s.qos.size() == 1);
    CHECK(s.qos[0].timeliness == 0);
    CHECK(s.qos[0].rate == 0);
    CHECK(s.serviceUp);
    CHECK(s.acceptingRequests);
    CHECK_FALSE(s.status);
    CHECK_FALSE(s.openLimit);
    CHECK_FALSE(s.openWindow);
    CHECK_FALSE(s.loadFactor);
}

TEST_CASE("services that cannot be published are dropped with file and line", "[config][services]") {
    const std::string good = service("Good", "<ServiceId value=\"1\"/>");  // in line 3, the bad one in line 4
    struct Row {
        const char* what;
        std::string bad;
        LogSeverity severity;
        std::initializer_list<std::string_view> text;
    };
    const Row rows[] = {
        {"no name", service("", "<ServiceId value=\"2\"/>"), LogSeverity::warning, {"Service entry without a Name"}},
        {"id out of range", service("Bad", "<ServiceId value=\"65536\"/>"), LogSeverity::error, {"[65536]", "[Bad]"}},
        {"id twice", service("Bad", "<ServiceId value=\"1\"/>"), LogSeverity::error, {"[Bad]", "ServiceId"}},
        {"name twice", service("Good", "<ServiceId value=\"2\"/>"), LogSeverity::error, {"[Good]", "name"}},
        {"no capabilities",
         service("Bad", "<ServiceId value=\"2\"/>", "", ""),
         LogSeverity::error,
         {"[Bad]", "Capabilities"}},
        {"no valid capability",
         service("Bad", "<ServiceId value=\"2\"/>", "",
                 "<Capabilities><CapabilitiesEntry value=\"MMT_NONSENSE\"/><CapabilitiesEntry value=\"256\"/>"
                 "<CapabilitiesEntry value=\"0\"/></Capabilities>"),
         LogSeverity::error,
         {"[Bad]", "Capabilities"}},
        {"OpenLimit too large",
         service("Bad", "<ServiceId value=\"2\"/>", "<LoadFilter><OpenLimit value=\"4294967296\"/></LoadFilter>"),
         LogSeverity::error,
         {"OpenLimit", "[4294967296]"}},
        {"OpenWindow too large",
         service("Bad", "<ServiceId value=\"2\"/>", "<LoadFilter><OpenWindow value=\"4294967296\"/></LoadFilter>"),
         LogSeverity::error,
         {"OpenWindow", "[4294967296]"}},
        {"LoadFactor too large",
         service("Bad", "<ServiceId value=\"2\"/>", "<LoadFilter><LoadFactor value=\"65536\"/></LoadFilter>"),
         LogSeverity::error,
         {"LoadFactor", "[65536]"}}};
    for (const Row& row : rows) {
        const Directory d = resolve(good + row.bad);
        INFO(row.what << "\n" << listed(d.settings.queued));
        CHECK(d.names() == "Good=1 ");
        CHECK(d.records(row.severity, row.text) == 1);
        CHECK(d.records(row.severity, {"EmaConfig.xml:4"}) >= 1);
    }
}

TEST_CASE("elements of a service that are wrong are left out", "[config][services]") {
    const Directory d = resolve(service("S",
                                        "<ServiceId value=\"1\"/>\n<Vendr value=\"x\"/>\n"
                                        "<DictionariesUsed><DictionariesUsedEntry value=\"nope\"/></DictionariesUsed>\n"
                                        "<QoS><QosEntry/></QoS>",
                                        "\n<LodFilter/>\n<StateFilter><ServiceState value=\"yes\"/></StateFilter>"));
    INFO(listed(d.settings.queued));
    CHECK(d.names() == "S=1 ");
    CHECK(d.records(LogSeverity::error, {"[Vendr]", ":4"}) == 1);
    CHECK(d.records(LogSeverity::error, {"Dictionary entry [nope]", ":5"}) == 1);
    CHECK(d.records(LogSeverity::error, {"[QosEntry]", ":6"}) == 1);
    CHECK(d.records(LogSeverity::error, {"[LodFilter]", ":7"}) == 1);
    CHECK(d.records(LogSeverity::error, {"[yes]", "[ServiceState]", ":8"}) == 1);
    CHECK(d.services.at(0).serviceUp);
}

TEST_CASE("services without an id are given free ones", "[config][services]") {
    const Directory d = resolve(service("A", "") + service("B", "<ServiceId value=\"0\"/>") + service("C", "") +
                                service("D", "<ServiceId value=\"2\"/>"));
    CHECK(d.names() == "A=1 B=0 C=3 D=2 ");
    CHECK(d.records(LogSeverity::warning, {"no ServiceId"}) == 2);
}

TEST_CASE("the directory is the named one, the default, the first, or built in", "[config][services]") {
    const std::string dirs = "<DirectoryGroup>%<DirectoryList><Directory><Name value=\"D1\"/>" +
                             service("S1", "<ServiceId value=\"1\"/>") + "</Directory><Directory><Name value=\"D2\"/>" +
                             service("S2", "<ServiceId value=\"1\"/>") +
                             "</Directory></DirectoryList></DirectoryGroup>";
    const auto with = [&](const std::string& defaults, const std::string& ofProvider) {
        std::string text = dirs;
        text.replace(text.find('%'), 1, defaults);
        const Configuration c = readXml("<IProviderGroup><IProviderList><IProvider><Name value=\"P\"/>" + ofProvider +
                                        "</IProvider></IProviderList></IProviderGroup>" + text);
        return resolveIProvider(c, {}).services.at(0).name;
    };
    CHECK(with("", "<Directory value=\"D2\"/>") == "S2");
    CHECK(with("<DefaultDirectory value=\"D2\"/>", "") == "S2");
    CHECK(with("<DefaultDirectory value=\"D2\"/>", "<Directory value=\"D1\"/>") == "S1");
    CHECK(with("", "") == "S1");

    const ServiceSettings interactive = resolveIProvider({}, {}).services.at(0);
    CHECK(interactive.name == "DIRECT_FEED");
    CHECK(interactive.serviceId == 1);
    CHECK(interactive.capabilities == std::vector<std::uint8_t>{5, 6, 7, 8, 9});
    CHECK(interactive.acceptingRequests);
    CHECK(interactive.supportsQosRange);
    CHECK(interactive.dictionariesProvided.size() == 1);
    CHECK(interactive.dictionariesUsed.at(0).fieldItemName == "RWFFld");
    const ServiceSettings other = resolveNiProvider({}, {}).services.at(0);
    CHECK(other.name == "NI_PUB");
    CHECK(other.serviceId == 0);
    CHECK(other.capabilities == std::vector<std::uint8_t>{6, 7, 8, 9});
    CHECK_FALSE(other.acceptingRequests);
    CHECK_FALSE(other.supportsQosRange);
    CHECK(other.dictionariesProvided.empty());
    CHECK(other.dictionariesUsed.at(0).enumItemName == "RWFEnum");
}

TEST_CASE("a directory whose services are all dropped is replaced by the built-in one", "[config][services]") {
    CHECK(resolve(service("S", "<ServiceId value=\"1\"/>", "", "")).names() == "DIRECT_FEED=1 ");
}
