// Which pages of browsers may open a WebSocket, and what those that may not get.
#include "eta/core/host_names.h"
#include "eta/transport/origins.h"
#include "transport/websocket/origin.h"
#include "websocket_support.h"

using namespace transport_test;
using emissary::eta::splitHost;

namespace {

OriginOptions strict() {
    OriginOptions o;
    o.checked = true;
    o.pagesPort = 8080;
    o.hosts = {"hub1"};
    return o;
}

/// Empty: the page may connect.
std::string verdict(const OriginOptions& rules, const char* origin, std::string_view host = "hub1:14002",
                    bool encrypted = true, bool sameMachine = false) {
    return ws::checkOrigin(rules, {host, origin == nullptr ? std::nullopt : std::optional<std::string>(origin),
                                   encrypted, sameMachine})
        .text;
}

BindOptions checking(OriginOptions rules = strict()) {
    BindOptions o = bindOptions();
    o.webSocket.origins = std::move(rules);
    return o;
}

/// Sends the upgrade with these headers; the whole answer.
std::string answerTo(const BindOptions& bind, std::string_view headers, std::string& reason,
                     std::uint64_t* refused = nullptr) {
    const auto server = listen(bind);
    RawSocket raw = RawSocket::connectTo(server->port());
    raw.send(asBytes(request("tr_json2, rssl.rwf", headers)));
    const auto channel = acceptOne(*server);
    const InitStatus status = settle(*channel);
    reason = channel->errorText();
    const std::string head = readHead(raw);
    CHECK((status == InitStatus::active) == head.starts_with("HTTP/1.1 101 "));
    if (refused != nullptr) *refused = server->counters().originsRefused;
    if (status == InitStatus::active) {
        INFO(headers);
        const std::size_t at = headers.find("Origin: ");
        CHECK(channel->info().origin ==
              (at == std::string_view::npos ? "" : headers.substr(at + 8, headers.find('\r', at) - at - 8)));
    }
    return head;
}

}  // namespace

TEST_CASE("hosts and ports of the headers Host and Origin", "[transport][websocket]") {
    struct Row {
        const char *text, *host, *port;
    };
    for (const Row& r : {Row{"hub1:8080", "hub1", "8080"}, Row{"hub1", "hub1", ""}, Row{"hub1.:80", "hub1", "80"},
                         Row{"[::1]:8080", "::1", "8080"}, Row{"[::1]", "::1", ""}, Row{"10.0.0.7:1", "10.0.0.7", "1"},
                         Row{"", "", ""}, Row{":80", "", "80"}, Row{"hub1:80a", "", ""}, Row{"hub1:123456", "", ""},
                         Row{"[::1", "", ""}, Row{"[::1]x", "", ""}, Row{"a:b:c", "", ""}}) {
        INFO(r.text);
        CHECK(splitHost(r.text).host == r.host);
        if (*r.host != '\0') CHECK(splitHost(r.text).port == r.port);
    }
    CHECK(splitHost(std::string(300, 'a')).host.empty());
    const std::vector<std::string> names{"hub1"};
    for (const char* own : {"localhost", "LOCALHOST", "127.0.0.1", "::1", "10.0.0.7", "HUB1"})
        CHECK(emissary::eta::isOwnHost(own, names));
    for (const char* other : {"", "hub", "hub11", "hub1.evil.example", "127.0.0.1.evil.example"})
        CHECK_FALSE(emissary::eta::isOwnHost(other, names));
    for (const char* here : {"127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"})
        CHECK(emissary::eta::isLoopback(here));
    for (const char* there : {"", "10.0.0.7", "::2", "128.0.0.1", "1127.0.0.1"})
        CHECK_FALSE(emissary::eta::isLoopback(there));
    using emissary::eta::networkOf;
    CHECK(networkOf("10.0.0.7") == "10.0.0.7");
    CHECK(networkOf("::ffff:10.0.0.7") == "10.0.0.7");
    CHECK(networkOf("fd00:1:2:3::7") == networkOf("fd00:1:2:3:ffff::8"));
    CHECK(networkOf("fd00:1:2:3::7") != networkOf("fd00:1:2:4::7"));
    CHECK(networkOf("shmem:14002") == "shmem:14002");
}

TEST_CASE("pages of this host may connect, others must be named", "[transport][websocket]") {
    const OriginOptions rules = strict();
    CHECK(verdict(rules, nullptr).empty());  // no browser
    // The page of this port, whatever the case, and those of the pages' port.
    CHECK(verdict(rules, "https://hub1:14002").empty());
    CHECK(verdict(rules, "https://HUB1:14002").empty());
    CHECK(verdict(rules, "https://hub1:8080").empty());
    CHECK(verdict(rules, "https://hub1:14002/").empty());  // no browser sends the slash, but libraries do
    CHECK(verdict(rules, "https://hub1", "hub1:443").empty());
    CHECK(verdict(rules, "https://hub1", "hub1").empty());
    CHECK(verdict(rules, "https://10.0.0.7:8080", "10.0.0.7:14002").empty());
    CHECK(verdict(rules, "https://[fd00::7]:8080", "[fd00::7]:14002").empty());
    for (const char* other :
         {"https://hub1:9999", "https://hub1", "https://evil.example", "https://hub1.evil.example:14002", "null", "",
          "file://", "https://", "hub1:14002", "https://hub1:14002/path", "https://user@hub1:14002", "ftp://hub1:14002",
          "https://hub1:14002,https://evil.example", "https://hub1:14002 https://evil.example"}) {
        INFO(other);
        CHECK(verdict(rules, other).find("AllowedOrigins") != std::string::npos);
    }
    // A name that somebody made to lead here is no name of this host, although Origin and Host agree.
    CHECK_FALSE(verdict(rules, "https://evil.example:14002", "evil.example:14002").empty());
    // Without pages their port is a foreign one.
    OriginOptions noPages = rules;
    noPages.pagesPort = 0;
    CHECK_FALSE(verdict(noPages, "https://hub1:8080").empty());
    CHECK_FALSE(verdict(noPages, "https://hub1:0").empty());

    OriginOptions named = rules;
    named.allowed = {"https://prices.example.com", "http://10.0.0.9:8000", "null"};
    CHECK(verdict(named, "https://prices.example.com").empty());
    CHECK(verdict(named, "https://prices.example.com:443").empty());
    CHECK(verdict(named, "https://Prices.Example.com").empty());
    CHECK(verdict(named, "http://10.0.0.9:8000").empty());
    CHECK(verdict(named, "null").empty());
    for (const char* other : {"http://prices.example.com", "https://prices.example.com:8443",
                              "https://a.prices.example.com", "http://10.0.0.9", "https://10.0.0.9:8000"}) {
        INFO(other);
        CHECK_FALSE(verdict(named, other).empty());
    }
    named.allowed = {"*"};
    CHECK(verdict(named, "https://evil.example").empty());
    CHECK(verdict(named, "null").empty());

    OriginOptions required = rules;
    required.required = true;
    CHECK(verdict(required, nullptr).find("RequireOrigin") != std::string::npos);
    CHECK(verdict(required, "https://hub1:8080").empty());

    OriginOptions off;
    off.required = true;
    off.allowed = {"https://prices.example.com"};
    CHECK(verdict(off, "https://evil.example").empty());
}

TEST_CASE("browsers on other machines need TLS", "[transport][websocket]") {
    OriginOptions rules = strict();
    CHECK(verdict(rules, "http://hub1:8080", "hub1:14002", true).empty());
    CHECK(verdict(rules, "http://hub1:8080", "hub1:14002", false, true).empty());
    CHECK(verdict(rules, "http://hub1:8080", "hub1:14002", false).find("AllowPlainWeb") != std::string::npos);
    CHECK(verdict(rules, nullptr, "hub1:14002", false).empty());               // programs of the house
    CHECK(verdict(rules, "https://hub1:14002", "hub1:14002", false).empty());  // TLS ends at a proxy
    rules.allowed = {"*"};
    CHECK_FALSE(verdict(rules, "http://hub1:8080", "hub1:14002", false).empty());
    CHECK_FALSE(verdict(rules, "null", "hub1:14002", false).empty());
    rules.plainWeb = true;
    CHECK(verdict(rules, "http://hub1:8080", "hub1:14002", false).empty());
    CHECK(verdict(rules, "null", "hub1:14002", false).empty());
}

TEST_CASE("what a configuration may name as an origin", "[transport][websocket]") {
    using emissary::eta::transport::checkAllowedOrigin;
    for (const char* good : {"*", "null", "http://a", "https://a.b:8443", "http://[::1]:8000"})
        CHECK_FALSE(checkAllowedOrigin(good));
    for (const char* bad : {"", "a.b", "a.b:80", "https://", "https://a/", "https://a/path", "wss://a", "https://*",
                            "https://*.a.b", "https://a:port"}) {
        INFO(bad);
        CHECK(checkAllowedOrigin(bad));
    }
    CHECK(checkAllowedOrigin("x\n\x1b[31m" + std::string(4000, 'y')).text.size() < 400);
    CHECK(checkAllowedOrigin("x\ny").text.find('\n') == std::string::npos);
}

TEST_CASE("an upgrade from a foreign page is refused before the port says anything", "[transport][websocket]") {
    std::string reason;
    std::uint64_t refused = 0;
    const std::string head = answerTo(checking(), "Origin: https://evil.example\r\n", reason, &refused);
    CHECK_THAT(head, Catch::StartsWith("HTTP/1.1 403 Forbidden\r\n"));
    CHECK(refused == 1);
    CHECK_THAT(reason, Catch::Contains("WebSocket upgrade refused") && Catch::Contains("https://evil.example") &&
                           Catch::Contains("AllowedOrigins"));
    // Lines of the log stay lines, and short ones.
    answerTo(checking(), "Origin: https://e\x1b[31m\x01" + std::string(3000, 'x') + "\r\n", reason);
    CHECK(reason.find('\x1b') == std::string::npos);
    CHECK(reason.size() < 500);

    OriginOptions named = strict();
    named.allowed = {"http://prices.example.com"};
    CHECK_THAT(answerTo(checking(named), "Origin: http://prices.example.com\r\n", reason, &refused),
               Catch::StartsWith("HTTP/1.1 101 "));
    CHECK(refused == 0);
    CHECK_THAT(answerTo(checking(named), "", reason), Catch::StartsWith("HTTP/1.1 101 "));
    CHECK_THAT(answerTo(checking(named), "Origin: http://prices.example.com\r\nOrigin: null\r\n", reason),
               Catch::StartsWith("HTTP/1.1 400 ") && Catch::Contains("close"));
    CHECK_THAT(reason, Catch::Contains("Origin occurs twice"));
    named.required = true;
    CHECK_THAT(answerTo(checking(named), "", reason, &refused), Catch::StartsWith("HTTP/1.1 403 "));
    CHECK(refused == 1);
    // Where nobody asked for the check, pages connect as before.
    CHECK_THAT(answerTo(bindOptions(), "Origin: https://evil.example\r\n", reason), Catch::StartsWith("HTTP/1.1 101 "));
}

TEST_CASE("a port without WebSocket still serves RIPC", "[transport][websocket]") {
    BindOptions o = bindOptions();
    o.webSocket.served = false;
    std::string reason;
    CHECK_THAT(answerTo(o, "", reason), Catch::StartsWith("HTTP/1.1 404 Not Found\r\n"));
    CHECK_THAT(reason, Catch::Contains("WebSocket of this port is 0"));
    const Pair p = makePair(o);
    CHECK(p.client->state() == ChannelState::active);
}
