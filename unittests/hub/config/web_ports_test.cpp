// What a port asks of browsers, in HubConfig.xml.
#include "eta/core/addresses.h"
#include "eta/core/host_names.h"
#include "fixture.h"

using namespace emissary;
using namespace emissary::test;

namespace {

HubConfig port(const std::string& server, const std::string& hub = {}, const Overrides& overrides = {}) {
    return read("<Hub>" + hub + "</Hub>\n<ServerGroup><ServerList>\n<Server><Name value=\"consumers\"/>" + server +
                    "</Server></ServerList></ServerGroup>",
                overrides);
}

}  // namespace

TEST_CASE("pages that may connect to a port", "[hub][config]") {
    const Folder folder;
    const auto of = [](const HubConfig& c) {
        INFO(errorsOf(c));
        REQUIRE(c.usable());
        return c.settings.listeners.at(0).bind.webSocket;
    };
    const eta::transport::WebSocketOptions usual = of(port(""));
    CHECK(usual.served);
    CHECK(usual.origins.checked);
    CHECK_FALSE(usual.origins.required);
    CHECK_FALSE(usual.origins.plainWeb);
    CHECK(usual.origins.allowed.empty());
    CHECK(usual.origins.pagesPort == 8080);
    CHECK(usual.origins.hosts == std::vector<std::string>{eta::machineName()});
    // Publishers' ports too: any page could publish otherwise.
    CHECK(read("").settings.publisherListeners.at(0).bind.webSocket.origins.checked);

    const eta::transport::WebSocketOptions set =
        of(port(R"(<WebSocket value="0"/><AllowedOrigins value="https://a.example, http://b:8000"/>)"
                R"(<RequireOrigin value="1"/><AllowPlainWeb value="1"/>)",
                R"(<HttpPort value="9090"/><HttpHosts value="prices.example.com"/>)"));
    CHECK_FALSE(set.served);
    CHECK(set.origins.allowed == std::vector<std::string>{"https://a.example", "http://b:8000"});
    CHECK(set.origins.required);
    CHECK(set.origins.plainWeb);
    CHECK(set.origins.pagesPort == 9090);
    CHECK(set.origins.hosts == std::vector<std::string>{"prices.example.com", eta::machineName()});
    Overrides line;
    line.httpPort = "7070";
    CHECK(of(port("", R"(<HttpPort value="9090"/>)", line)).origins.pagesPort == 7070);
    CHECK(of(port("", R"(<HttpPort value="0"/>)")).origins.pagesPort == 0);

    refused(port("<AllowedOrigins value=\"https://a.example,b.example\"/>"),
            {"AllowedOrigins of Server [consumers]", "[b.example] is no origin", "hub.xml:4"});
    refused(port("<AllowedOrigins value=\"https://*.example\"/>"), {"AllowedOrigins", "https://*.example"});
    refused(port(R"(<WebSocket value="0"/><ServerType value="RSSL_WEBSOCKET"/>)"),
            {"WebSocket of Server [consumers] is 0", "RSSL_WEBSOCKET"});
}

TEST_CASE("what a port takes of clients over WebSocket", "[hub][config]") {
    const Folder folder;
    const auto of = [](const HubConfig& c) {
        INFO(errorsOf(c));
        REQUIRE(c.usable());
        return c.settings.listeners.at(0);
    };
    const ListenerSettings usual = of(port(""));
    CHECK(usual.bind.webSocket.maxHeadBytes == 8192);
    CHECK(usual.bind.webSocket.maxHeadLines == 65);
    CHECK(usual.bind.webSocket.upgradeTimeout == std::chrono::seconds(5));
    CHECK(usual.bind.webSocket.answersWhenFull);
    CHECK(usual.bind.webSocket.upgradesPerSecond == 500);
    CHECK(usual.bind.webSocket.trustedProxies.empty());
    CHECK(usual.web.services.empty());
    CHECK_FALSE(usual.web.requireView);
    CHECK_FALSE(usual.web.posting);
    CHECK_FALSE(usual.web.postsPerSecond.has_value());
    CHECK(usual.web.jsonDepth == 32);
    CHECK(usual.web.jsonValues == 10'000);
    // Publishers' ports are reached by the same people.
    CHECK(read("").settings.publisherListeners.at(0).bind.webSocket.upgradesPerSecond == 500);

    const ListenerSettings set =
        of(port(R"(<MaxHandshakesPerSecond value="7"/><TrustedProxies value="10.0.0.7, fd00::/8"/>)"
                R"(<PublicHost value="prices.example.com, b:8443"/><WebServices value="Z_FEED, A_FEED"/>)"
                R"(<RequireView value="1"/><WebPosting value="1"/><WebRequestsPerSecond value="100"/>)"
                R"(<WebMountsPerClient value="1000"/><WebPostsPerSecond value="0"/><WebJsonDepth value="64"/>)"
                R"(<WebJsonValues value="0"/>)"));
    CHECK(set.bind.webSocket.upgradesPerSecond == 7);
    CHECK(set.bind.webSocket.trustedProxies ==
          std::vector{*eta::parseAddressRange("10.0.0.7"), *eta::parseAddressRange("fd00::/8")});
    CHECK(set.bind.webSocket.origins.publicHosts == std::vector<std::string>{"prices.example.com", "b:8443"});
    CHECK(set.web.services == std::vector<std::string>{"A_FEED", "Z_FEED"});  // in order: they are looked up
    CHECK(set.web.requireView);
    CHECK(set.web.posting);
    CHECK(set.web.requestsPerSecond == 100);
    CHECK(set.web.mountsPerClient == 1000);
    CHECK(set.web.postsPerSecond == 0);
    CHECK(set.web.jsonDepth == 64);
    CHECK(set.web.jsonValues == 0);

    CHECK_FALSE(usual.bind.webSocket.events);
    CHECK(of(port(R"(<Sse value="1"/>)")).bind.webSocket.events);
    refused(port(R"(<Sse value="1"/><WebSocket value="0"/>)"),
            {"Sse of Server [consumers] is 1, and its WebSocket is 0", "hub.xml:4"});
    refused(port(R"(<Sse value="1"/><WsProtocols value="rssl.rwf"/>)"),
            {"Sse of Server [consumers]", "WsProtocols names no JSON protocol", "rssl.json.v2"});
    refused(port("<TrustedProxies value=\"10.0.0.7/8\"/>"),
            {"TrustedProxies of Server [consumers]", "[10.0.0.7/8]", "10.0.0.0/8", "hub.xml:4"});
    refused(port("<TrustedProxies value=\"proxy1\"/>"), {"TrustedProxies", "[proxy1] is neither"});
    // The port's own default service, where it has one, is what its clients wait for.
    const auto warned = [](const char* services) {
        const HubConfig c = port(std::string("<DefaultService value=\"B\"/><WebServices value=\"") + services + "\"/>",
                                 "<DefaultService value=\"A\"/>");
        REQUIRE(c.usable());
        return std::ranges::any_of(c.records, [](const auto& r) {
            return r.text.find("does not name the DefaultService [B]") != std::string::npos;
        });
    };
    CHECK(warned("A"));
    CHECK_FALSE(warned("B, C"));
    CHECK(usual.bind.webSocket.loginCookies.empty());
    CHECK(of(port(R"(<CookieLogin value="AuthToken, position"/><TrustedProxies value="10.0.0.7"/>)"))
              .bind.webSocket.loginCookies == std::vector<std::string>{"AuthToken", "position"});
    refused(port("<CookieLogin value=\"AuthToken\"/>"),
            {"CookieLogin of Server [consumers] needs RSSL_ENCRYPTED, or TrustedProxies", "hub.xml:4"});
    const auto cookies = [](const char* names, const char* more = "") {
        return port(std::string("<TrustedProxies value=\"10.0.0.7\"/><CookieLogin value=\"") + names + "\"/>" + more);
    };
    refused(cookies("a b"), {"CookieLogin of Server [consumers]: [a b] is no name of a cookie"});
    refused(cookies("a=b"), {"[a=b] is no name of a cookie"});
    refused(cookies("a, b, c, d"), {"names 4 cookies; there are at most three"});
    refused(cookies("a", "<AllowedOrigins value=\"*\"/>"), {"CookieLogin", "that name the pages: with * any page"});
    refused(cookies("a", "<AllowedOrigins value=\"https://a.example, null\"/>"), {"with null any page"});
    refused(port("<PublicHost value=\"a:b:c\"/>"), {"PublicHost of Server [consumers]", "[a:b:c] is no host"});
}
