// What a port asks of browsers, in HubConfig.xml.
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
