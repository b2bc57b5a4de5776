// Conflation of services, ports, users and groups in HubConfig.xml.
#include "fixture.h"

using namespace emissary;
using namespace emissary::test;
using std::chrono::milliseconds;

TEST_CASE("rates of updates, of services and of ports", "[hub][config]") {
    const Folder folder;
    const auto file = [](const std::string& service, const std::string& port) {
        return read(
            "<ServiceGroup><ServiceList>\n<Service><Name value=\"FX\"/>" + service +
            "</Service></ServiceList></ServiceGroup>\n<ServerGroup><ServerList>\n<Server><Name value=\"consumers\"/>" +
            port + "</Server></ServerList></ServerGroup>");
    };
    using Mode = Conflation::Mode;
    const HubConfig c = file(R"(<Conflation value="tradesafe"/><ConflationInterval value="250"/>)",
                             R"(<Conflation value="Conflation::interval"/>)");
    INFO(errorsOf(c));
    REQUIRE(c.usable());
    CHECK(c.settings.service("FX").conflation == Conflation{Mode::tradesafe, milliseconds(250)});
    CHECK(c.settings.service("ANY").conflation == Conflation{Mode::jit, milliseconds(333)});
    REQUIRE(c.settings.listeners.size() == 1);
    CHECK(c.settings.listeners[0].conflation == Conflation{Mode::interval, milliseconds(333)});
    CHECK_FALSE(file("", "").settings.listeners[0].conflation);
    refused(file(R"(<Conflation value="often"/>)", ""), {"Conflation", "often", "hub.xml:3"});
    std::string services;
    for (int i = 1; i <= 64; ++i)
        services += "<Service><Name value=\"S" + std::to_string(i) + R"("/><Conflation value="tradesafe"/>)" +
                    "<ConflationInterval value=\"" + std::to_string(i) + "\"/></Service>";
    refused(read("<ServiceGroup><ServiceList>" + services + "</ServiceList></ServiceGroup>"),
            {"Conflation", "more than 63 different rules"});
    // A publishers' port for any role has consumers too.
    std::string some;
    for (int i = 1; i <= 32; ++i)
        some += "<Service><Name value=\"S" + std::to_string(i) + R"("/><Conflation value="tradesafe"/>)" +
                "<ConflationInterval value=\"" + std::to_string(400 + i) + "\"/></Service>";
    const auto both = [&some](const char* anyRole) {
        return read("<ServiceGroup><ServiceList>" + some +
                    "</ServiceList></ServiceGroup><ServerGroup><ServerList><Server><Name value=\"publishers\"/>" +
                    R"(<Conflation value="interval"/><AnyRole value=")" + anyRole +
                    "\"/></Server></ServerList></ServerGroup>");
    };
    refused(both("1"), {"Conflation", "more than 63 different rules"});
    CHECK(both("0").usable());
}

TEST_CASE("rates of updates for other hubs of a mesh", "[hub][config][mesh]") {
    const Folder folder;
    const auto file = [](const std::string& services) {
        return read("<Mesh><Servers value=\"nats://a\"/><Export value=\"FX\"/></Mesh>\n<ServiceGroup><ServiceList>\n" +
                    services + "</ServiceList></ServiceGroup>");
    };
    using Mode = Conflation::Mode;
    const std::string rule = R"(<ExportConflation value="tradesafe"/><ExportInterval value="250"/>)";
    const HubConfig c = file("<Service><Name value=\"FX\"/>" + rule + "<Conflation value=\"interval\"/></Service>");
    INFO(errorsOf(c));
    REQUIRE(c.usable());
    CHECK(c.settings.service("FX").exported == Conflation{Mode::tradesafe, milliseconds(250)});
    CHECK(c.settings.service("FX").conflation == Conflation{Mode::interval, milliseconds(333)});
    CHECK(c.settings.service("ANY").exported == Conflation{Mode::none, milliseconds(333)});
    CHECK(c.settings.exportRates() == std::vector{Conflation{Mode::tradesafe, milliseconds(250)}});
    const auto warned = [](const HubConfig& of) {
        return std::ranges::any_of(of.records, [](const logging::QueuedRecord& r) {
            return r.text.find("ExportConflation of Service [EQ] has no effect") != std::string::npos;
        });
    };
    CHECK_FALSE(warned(c));
    CHECK(warned(file("<Service><Name value=\"EQ\"/>" + rule + "</Service>")));
    // Nothing waits for a hub that is behind: its lane has no end to look at.
    refused(file(R"(<Service><Name value="FX"/><ExportConflation value="jit"/></Service>)"),
            {"ExportConflation", "jit", "hub.xml:4"});
    const auto many = [&](int count) {
        std::string services;
        for (int i = 1; i <= count; ++i)
            services += "<Service><Name value=\"S" + std::to_string(i) + R"("/><ExportConflation value="interval"/>)" +
                        "<ExportInterval value=\"" + std::to_string(i) + "\"/></Service>";
        return file(services);
    };
    refused(many(64), {"ExportConflation", "more than 63 different rules"});
    CHECK(many(63).usable());
}

TEST_CASE("rates of updates of users and groups", "[hub][config]") {
    const Folder folder;
    const auto file = [](const std::string& entries) {
        return read("<UserClassGroup><UserClassList>\n" + entries + "</UserClassList></UserClassGroup>");
    };
    using Mode = Conflation::Mode;
    const HubConfig c =
        file(R"(<UserClass><Name value="web"/><Groups value="retail, web"/><Conflation value="tradesafe"/>)"
             R"(<ConflationInterval value="1000"/></UserClass>)"
             R"(<UserClass><Name value="two"/><Users value="dana,tess"/><Groups value="desk"/></UserClass>)");
    INFO(errorsOf(c));
    REQUIRE(c.usable());
    const auto& classes = c.settings.userClasses;
    REQUIRE(classes.size() == 2);
    CHECK(classes[0].conflation == Conflation{Mode::tradesafe, milliseconds(1000)});
    CHECK_FALSE(classes[1].conflation);
    using Groups = std::vector<std::string>;
    const auto of = [&](std::string_view user, const Groups& groups) {
        return int{userClassOf(classes, user, groups)};
    };
    CHECK(of("dana", {}) == 2);
    CHECK(of("dana", {"web"}) == 1);  // the first entry
    CHECK(of("x", {"desk"}) == 2);
    CHECK(of("x", {"other", "retail"}) == 1);
    CHECK(of("x", {"other"}) == 0);
    CHECK(of("", {}) == 0);
    CHECK(of("retail", {"dana"}) == 0);  // users are no groups
    CHECK(userClassOf({}, "dana", {}) == 0);

    refused(file(R"(<UserClass><Name value="web"/><Users value="a"/><Conflation value="often"/></UserClass>)"),
            {"Conflation", "often", "hub.xml:3"});
    const HubConfig nobody = file(R"(<UserClass><Name value="web"/><Conflation value="interval"/></UserClass>)");
    CHECK(nobody.usable());
    CHECK(std::ranges::any_of(nobody.records, [](const logging::QueuedRecord& r) {
        return r.text.find("UserClass [web] has nobody") != std::string::npos;
    }));
    std::string many;
    for (int i = 1; i <= 64; ++i)
        many += "<UserClass><Name value=\"U" + std::to_string(i) + "\"/><Users value=\"u" + std::to_string(i) +
                R"("/><Conflation value="tradesafe"/><ConflationInterval value=")" + std::to_string(i) +
                "\"/></UserClass>";
    refused(file(many), {"UserClass", "64 entries are more than 63"});
    // The same rule again and again is one.
    std::string same;
    for (int i = 1; i <= 63; ++i)
        same += "<UserClass><Name value=\"U" + std::to_string(i) + "\"/><Users value=\"u" + std::to_string(i) +
                R"("/><Conflation value="tradesafe"/></UserClass>)";
    CHECK(file(same).usable());
}

TEST_CASE("fields of users and groups", "[hub][config]") {
    const Folder folder;
    const auto file = [](const std::string& views, const std::string& named) {
        return read("<ViewGroup><ViewList>\n" + views +
                    "</ViewList></ViewGroup>\n<UserClassGroup><UserClassList>\n<UserClass><Name value=\"web\"/><Groups "
                    "value=\"web\"/>\n" +
                    named + "</UserClass></UserClassList></UserClassGroup>");
    };
    const std::string quotes = "<View><Name value=\"quotes\"/>\n<Fields value=\"BID, 25,-7\"/></View>";
    const HubConfig c = file(quotes, R"(<View value="quotes"/>)");
    INFO(errorsOf(c));
    REQUIRE(c.usable());
    REQUIRE(c.settings.userClasses.size() == 1);
    CHECK(c.settings.userClasses[0].view == ViewSettings{"quotes", {"BID", "25", "-7"}});
    CHECK_FALSE(file(quotes, "").settings.userClasses[0].view);
    refused(file(quotes, R"(<View value="trades"/>)"),
            {"there is no View [trades] in ViewGroup, which UserClass [web] names", "name another one", "hub.xml:7"});
    for (const char* const id : {"32768", "-32769", "1-2", "--1"}) {
        const std::string text = "Fields of View [quotes]: [" + std::string(id) + "] is no field id";
        refused(file("<View><Name value=\"quotes\"/>\n<Fields value=\"BID," + std::string(id) + "\"/></View>", ""),
                {text.c_str(), "-32768 to 32767", "hub.xml:4"});
    }
    const HubConfig none = file("<View><Name value=\"quotes\"/></View>", R"(<View value="quotes"/>)");
    CHECK(none.usable());
    CHECK(std::ranges::any_of(none.records, [](const logging::QueuedRecord& r) {
        return r.text.find("View [quotes] has no Fields") != std::string::npos;
    }));
}

TEST_CASE("rates that requests may ask for", "[hub][config]") {
    const Folder folder;
    const auto file = [](const std::string& rates) {
        return read("<ServiceGroup><ServiceList>\n<Service><Name value=\"FX\"/>\n" + rates +
                    "</Service></ServiceList></ServiceGroup>");
    };
    using Mode = Conflation::Mode;
    const HubConfig c = file(R"(<OfferedRates value="jit, 250,65535,250"/><AnnounceRate value="1"/>)");
    INFO(errorsOf(c));
    REQUIRE(c.usable());
    CHECK(c.settings.service("FX").offeredRates ==
          std::vector<Conflation>{{}, {Mode::interval, milliseconds(250)}, {Mode::interval, milliseconds(65535)}});
    CHECK(c.settings.service("FX").announceRate);
    CHECK(c.settings.service("ANY").offeredRates.empty());
    for (const char* const rate : {"0", "65536", "-1", "1s", "tradesafe"}) {
        const std::string text = "OfferedRates of Service [FX]: [" + std::string(rate) + "] is no rate";
        refused(file("<OfferedRates value=\"jit, " + std::string(rate) + "\"/>"),
                {text.c_str(), "1 to 65535 ms", "hub.xml:4"});
    }
    // What the service's own rule makes lower for everybody is never served.
    const auto beside = [&](const std::string& mode, const std::string& rates) {
        return file("<OfferedRates value=\"" + rates + R"("/><ConflationInterval value="200"/><Conflation value=")" +
                    mode + "\"/>");
    };
    for (const char* const mode : {"interval", "tradesafe"}) {
        for (const char* const rate : {"jit", "199"}) {
            const std::string text = "OfferedRates of Service [FX]: [" + std::string(rate) + "] is never served";
            refused(beside(mode, std::string(rate) + ",500"),
                    {text.c_str(), "an interval of 200 ms", "longer interval", "hub.xml:4"});
        }
        CHECK(beside(mode, "200, 500").usable());
    }
    for (const char* const mode : {"none", "jit"})
        CHECK(beside(mode, "jit, 1").usable());
    refused(file(R"(<OfferedRates value="jit,1,2,3"/>)"), {"OfferedRates of Service [FX] has 4 rates; leave 3"});
    // Each service's rates count among the rules that a hub may have.
    std::string services;
    for (int i = 0; i < 22; ++i)
        services += "<Service><Name value=\"S" + std::to_string(i) + "\"/><OfferedRates value=\"" +
                    std::to_string(3 * i + 1) + "," + std::to_string(3 * i + 2) + "," + std::to_string(3 * i + 3) +
                    "\"/></Service>";
    refused(read("<ServiceGroup><ServiceList>" + services + "</ServiceList></ServiceGroup>"),
            {"Conflation", "more than 63 different rules"});
}
