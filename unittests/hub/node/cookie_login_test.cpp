// Browsers whose cookies are their login.
#include "browser.h"
#include "certificates.h"
#include "hub/core/Client.h"
#include "perftools/TempDir.h"
#include "support/Signer.h"

using namespace emissary;
using namespace emissary::test;
using json_test::Json;

namespace {

/// A port with TLS, and one behind a proxy that has ended it; tokens are checked.
struct CookiePorts {
    CookiePorts()
        : f([this](HubSettings& s) {
              s.services[0].cache.rule = CachePolicy::Rule::all;
              s.access.loginCheck = AccessSettings::LoginCheck::jwt;
              s.access.jwtAlgorithm = AccessSettings::Algorithm::es256;
              s.access.jwtAudience = "hub";
              s.access.jwtKeyFile = dir.write("keys", signer.pem());
              ListenerSettings port = s.listeners[0];
              port.bind.webSocket.origins.checked = true;
              port.bind.webSocket.origins.pagesPort = Browser::kPages;
              port.bind.webSocket.loginCookies = {"AuthToken", "position", "applicationId"};
              const ListenerSettings plain = s.listeners[0] = port;
              certificates.encrypt(s.listeners[0]);
              port.name = "proxied";
              port.bind.webSocket.trustedProxies = {*eta::parseAddressRange("127.0.0.1")};
              port.bind.webSocket.origins.publicHosts = {"prices.example.com"};
              s.listeners.push_back(port);
              port = plain;
              port.name = "plain";
              s.listeners.push_back(port);
          }) {
        f.provider.automatic.items = true;
        f.until([this] { return f.hub->dictionary() != nullptr; });  // the directory is there then
    }
    [[nodiscard]] std::string token(const std::string& user, int seconds = 3600) const {
        const auto now =
            std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch());
        return signer.token(R"({"sub":")" + user + R"(","aud":"hub","exp":)" + std::to_string(now.count() + seconds) +
                            "}");
    }
    std::unique_ptr<Browser> come(const std::string& headers, Browser::Line line = Browser::Line::tls,
                                  std::uint16_t port = 0) {
        return std::make_unique<Browser>(
            f, f.hub->port(port), (port == 0 ? Browser::originOf(f.hub->port(), line) : std::string()) + headers, line);
    }
    [[nodiscard]] const Client* client(const std::string& user) {
        ClientTable& clients = f.hub->rooms().clients;
        for (std::uint32_t i = 0; i < clients.end(); ++i)
            if (const Client* const c = clients.find(i); c != nullptr && c->user == user) return c;
        return nullptr;
    }

    const Signer signer = Signer::curve();
    const Certificates certificates;
    perf::test::TempDir dir;
    HubFixture f;
};

[[nodiscard]] std::string cookies(const std::string& token) {
    return "Cookie: theme=dark; AuthToken=" + token + "; position=10.0.0.1/desk; applicationId=\"777\"\r\n";
}

void works(Browser& browser) {
    browser.send(R"({"ID":5,"Key":{"Name":"IBM"}})");
    const Json image = browser.next("ID", "5");
    INFO(image.source);
    CHECK(image.at("Type").text == "Refresh");
}

}  // namespace

TEST_CASE("cookies of the upgrade are the login, on stream -1", "[hub][node][web][tls]") {
    CookiePorts ports;
    const std::string token = ports.token("dana");
    const bool tls = GENERATE(true, false);
    // Behind the proxy the page has another origin than the port's own.
    const auto browser =
        tls ? ports.come(cookies(token))
            : ports.come("Origin: https://prices.example.com\r\nX-Forwarded-For: 203.0.113.9\r\n" + cookies(token),
                         Browser::Line::plain, 1);
    INFO(browser->answer());
    REQUIRE(browser->open());
    const Json answer = browser->next("Domain", "Login");
    INFO(answer.source);
    CHECK(answer.at("ID").text == "-1");
    CHECK(answer.at("Type").text == "Refresh");
    CHECK(answer.at("State").at("Stream").text == "Open");
    CHECK(answer.source.find(token) == std::string::npos);
    CHECK(answer.source.find(R"("ApplicationId":"777")") != std::string::npos);
    works(*browser);
    {
        const std::lock_guard guard(ports.f.hub->rooms().reactor.lock());
        const Client* const client = ports.client("dana");
        REQUIRE(client != nullptr);
        CHECK(client->position == "10.0.0.1/desk");
    }
    CHECK(std::ranges::none_of(ports.f.lines, [&](const std::string& l) { return l.find(token) != l.npos; }));

    // The token is renewed on the stream of the login, as any other.
    const std::string next = ports.token("dana", 7200);
    browser->send(R"({"ID":-1,"Domain":"Login","Key":{"NameType":"AuthnToken","Elements":{"AuthenticationToken":")" +
                  next + R"("}}})");
    CHECK(browser->next("Domain", "Login").at("State").at("Stream").text == "Open");
}

TEST_CASE("a login by cookies that is not taken", "[hub][node][web][tls]") {
    CookiePorts ports;
    const auto good = ports.come(cookies(ports.token("dana")));
    REQUIRE(good->next("Domain", "Login").at("State").at("Stream").text == "Open");

    SECTION("has a token that nobody may use") {
        const auto late = ports.come(cookies(ports.token("eric", -100)));
        REQUIRE(late->open());
        const Json answer = late->next("Domain", "Login");
        CHECK(answer.at("ID").text == "-1");
        CHECK(answer.at("State").at("Stream").text == "Closed");
        CHECK(late->closeCode() == 1008);
    }
    SECTION("comes from a page of others, whose browser sends the cookies too") {
        const Browser evil(ports.f, ports.f.hub->port(),
                           "Origin: https://evil.example\r\n" + cookies(ports.token("dana")), Browser::Line::tls);
        CHECK(evil.answer().starts_with("HTTP/1.1 403 "));
        const Browser proxied(ports.f, ports.f.hub->port(1),
                              "Origin: https://evil.example\r\nX-Forwarded-For: 203.0.113.9\r\n" +
                                  cookies(ports.token("dana")));
        CHECK(proxied.answer().starts_with("HTTP/1.1 403 "));
    }
    SECTION("has what no cookie may have") {
        const auto bad = ports.come("Cookie: AuthToken=abc\"},\"x\r\n");
        CHECK(bad->answer().starts_with("HTTP/1.1 400 "));
        CHECK(bad->answer().find("the cookie AuthToken has a character") != std::string::npos);
        CHECK(bad->answer().find("abc") == std::string::npos);
    }
    SECTION("has no token, or is on a line that others read: the client logs in by itself") {
        const auto withoutToken = ports.come("Cookie: position=1; theme=\"dark\"\r\n");
        const auto plain =
            ports.come(Browser::originOf(ports.f.hub->port(2)) + cookies(ports.token("eric")), Browser::Line::plain, 2);
        // A page that came without TLS, of a port of this hub.
        const auto page = std::make_unique<Browser>(ports.f, ports.f.hub->port(),
                                                    Browser::originOf(Browser::kPages) + cookies(ports.token("eric")),
                                                    Browser::Line::tls);
        for (const auto& browser : {withoutToken.get(), plain.get(), page.get()}) {
            REQUIRE(browser->open());
            browser->send(R"({"ID":1,"Domain":"Login","Key":{"NameType":"AuthnToken","Elements":)"
                          R"({"AuthenticationToken":")" +
                          ports.token("fred") + R"("}}})");
            const Json answer = browser->next("Domain", "Login");
            CHECK(answer.at("ID").text == "1");
            CHECK(answer.at("State").at("Stream").text == "Open");
        }
        const std::lock_guard guard(ports.f.hub->rooms().reactor.lock());
        CHECK(ports.client("eric") == nullptr);
    }
    works(*good);
}
