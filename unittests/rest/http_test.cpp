// Requests over HTTP and HTTPS: redirects, refusals, certificates, proxies, time-outs, garbage (credentials.md 5).
#include "rest/HttpClient.h"
#include "support/RestServer.h"
#include "support/catch.hpp"
#include "support/until.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include <poll.h>

using namespace emissary;
using namespace emissary::rest;
using emissary::test::RestServer;
using Reply = RestServer::Reply;

namespace {

[[nodiscard]] HttpRequest post(const std::string& url) {
    HttpRequest r;
    r.url = url;
    r.form = Secret("grant_type=password&password=secret");
    r.timeout = std::chrono::seconds(30);
    return r;
}
[[nodiscard]] HttpRequest get(const std::string& url) {
    HttpRequest r = post(url);
    r.form.clear();
    r.bearer = Secret("AT1");
    return r;
}
[[nodiscard]] HttpAnswer ask(HttpRequest request, HttpClientOptions options = {}) {
    HttpClient client(std::move(options));
    return client.perform(std::move(request));
}
[[nodiscard]] RestServer::Answer always(Reply reply) {
    return [reply](const RestServer::Request&) { return reply; };
}

}  // namespace

TEST_CASE("a request has the headers of the specification", "[rest][http]") {
    RestServer server(always({.body = "{}"}));
    REQUIRE(ask(post(server.url("/token"))).good());
    REQUIRE(ask(get(server.url("/list?x=1"))).good());
    const auto seen = server.requests();
    REQUIRE(seen.size() == 2);
    CHECK(seen[0].method == "POST");
    CHECK(seen[0].body == "grant_type=password&password=secret");
    CHECK(seen[0].header("content-type") == "application/x-www-form-urlencoded");
    CHECK(seen[0].header("accept") == "application/json");
    CHECK(seen[0].header("authorization").empty());
    CHECK(seen[1].method == "GET");
    CHECK(seen[1].target == "/list?x=1");
    CHECK(seen[1].header("authorization") == "Bearer AT1");
    CHECK(seen[1].body.empty());
}

TEST_CASE("redirects", "[rest][http]") {
    const int status = GENERATE(301, 302, 303, 307, 308);
    RestServer server([&](const RestServer::Request& r) -> Reply {
        if (r.path() == "/else/where") return {.body = "here"};
        return {.status = status, .body = "moved", .headers = {{"Location", "/else/where"}}};
    });
    INFO(status);
    SECTION("of a token request: the same once more, 303 is an error") {
        const HttpAnswer answer = ask(post(server.url("/token")));
        const auto seen = server.requests();
        if (status == 303) {
            CHECK(answer.status == 303);
            CHECK(seen.size() == 1);
            CHECK(answer.movedTo.empty());
        } else {
            CHECK(answer.good());
            REQUIRE(seen.size() == 2);
            CHECK(seen[1].method == "POST");
            CHECK(seen[1].body == seen[0].body);
            CHECK(answer.movedTo == (status == 301 || status == 308 ? server.url("/else/where") : ""));
        }
    }
    SECTION("of a discovery request: Location as it is, with the token") {
        const HttpAnswer answer = ask(get(server.url("/list?transport=tcp")));
        CHECK(answer.good());
        CHECK(answer.body.view() == "here");
        const auto seen = server.requests();
        REQUIRE(seen.size() == 2);
        CHECK(seen[1].method == "GET");
        CHECK(seen[1].target == "/else/where");
        CHECK(seen[1].header("authorization") == "Bearer AT1");
        CHECK(answer.movedTo == (status == 301 || status == 308 ? server.url("/else/where") : ""));
    }
}

TEST_CASE("redirects that are not followed", "[rest][http]") {
    SECTION("a second one") {
        RestServer server([&](const RestServer::Request& r) -> Reply {
            return {.status = 302, .headers = {{"Location", r.target + "x"}}};
        });
        CHECK(ask(post(server.url("/token"))).failure == "Too many redirect attempts.");
        CHECK(server.requests().size() == 2);
    }
    SECTION("one without Location") {
        RestServer server(always({.status = 302, .body = "no"}));
        const HttpAnswer answer = ask(post(server.url("/token")));
        CHECK(answer.status == 302);
        CHECK(answer.failure.empty());
        CHECK(answer.body.view() == "no");
    }
    SECTION("to where others can listen: from https to http, to another host without encryption") {
        RestServer plain(always({.body = "{}"}));
        RestServer server(always({.status = 307, .headers = {{"Location", plain.url("/token")}}}),
                          test::restCertificates() + "/server.pem", test::restCertificates() + "/server-key.pem");
        HttpRequest request = post(server.url("/token"));
        request.route.caStore = test::restCertificates() + "/ca.pem";
        CHECK(ask(request).failure == "redirect to an insecure URL");
        RestServer away(always({.status = 307, .headers = {{"Location", plain.url("/token")}}}));
        CHECK(ask(post(away.url("/token"))).failure == "redirect to an insecure URL");
        RestServer file(always({.status = 307, .headers = {{"Location", "file:///etc/passwd"}}}));
        CHECK_FALSE(ask(post(file.url("/token"))).good());
        CHECK(plain.requests().empty());
    }
}

TEST_CASE("a request for one origin follows redirects within it alone", "[rest][http]") {
    RestServer other(always({.body = "{}"}));
    std::atomic<const std::string*> location{nullptr};
    RestServer server([&](const RestServer::Request& r) -> Reply {
        if (r.path() == "/here") return {.body = "here"};
        return {.status = 307, .body = "moved", .headers = {{"Location", *location}}};
    });
    const std::string port = std::to_string(server.port());
    for (const std::string& within : std::vector<std::string>{"/here", server.url("/here")}) {
        INFO(within);
        location = &within;
        HttpRequest one = post(server.url("/push"));
        one.sameOrigin = true;
        CHECK(ask(std::move(one)).body.view() == "here");
    }
    for (const std::string& elsewhere :
         std::vector<std::string>{other.url("/push"), "https://localhost:" + port + "/here", "http://localhost/here",
                                  "http://127.0.0.1:" + port + "/here", "https://elsewhere.test/push"}) {
        INFO(elsewhere);
        location = &elsewhere;
        HttpRequest one = post(server.url("/push"));
        one.sameOrigin = true;
        const HttpAnswer answer = ask(std::move(one));
        CHECK(answer.status == 307);
        CHECK(answer.failure == "redirect to another server, which is not followed");
        CHECK(answer.movedTo.empty());
    }
    CHECK(other.connections() == 0);
}

TEST_CASE("errors come back as they are, and nothing is repeated", "[rest][http]") {
    for (const int status : {400, 401, 403, 404, 410, 451, 500, 503}) {
        RestServer server(always({.status = status, .body = "why", .headers = {{"Retry-After", "0"}}}));
        const HttpAnswer answer = ask(post(server.url("/token")));
        CHECK(answer.status == status);
        CHECK(answer.failure.empty());
        CHECK_FALSE(answer.good());
        CHECK(answer.body.view() == "why");
        CHECK(server.requests().size() == 1);
    }
}

TEST_CASE("answers that cannot be read", "[rest][http]") {
    SECTION("garbage") {
        RestServer server(always({.raw = "\x16\x03\x01 this is no HTTP\r\n\r\n"}));
        const HttpAnswer answer = ask(post(server.url("/token")));
        CHECK(answer.status == 0);
        CHECK_FALSE(answer.failure.empty());
    }
    SECTION("less than announced") {
        RestServer server(always({.raw = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"}));
        CHECK(ask(post(server.url("/token"))).status == 0);
    }
    SECTION("more than is taken") {
        RestServer server(always({.body = std::string(5000, 'x')}));
        HttpAnswer answer = ask(post(server.url("/token")), {.mostBytes = 4999});
        CHECK(answer.failure == "the answer is longer than 4999 bytes");
        CHECK(answer.body.empty());
        CHECK(ask(post(server.url("/token")), {.mostBytes = 5000}).good());
    }
    SECTION("nobody there") {
        std::string url;
        {
            RestServer gone(always({}));
            url = gone.url("/token");
        }
        CHECK(ask(post(url)).status == 0);
        CHECK_FALSE(ask(post(url)).failure.empty());
    }
}

TEST_CASE("a silent server is given up", "[rest][http]") {
    RestServer server([](const RestServer::Request& r) -> Reply { return {.silent = r.path() == "/silent"}; });
    HttpClient client({});
    HttpRequest request = post(server.url("/silent"));
    request.timeout = std::chrono::milliseconds(300);
    HttpClient::Id slow = 0, fast = 0, got = 0;
    const auto start = std::chrono::steady_clock::now();
    REQUIRE_FALSE(client.send(request, slow));
    REQUIRE_FALSE(client.send(post(server.url("/token")), fast));
    std::vector<HttpClient::Id> order;
    HttpAnswer answer;
    REQUIRE(test::turnUntil([&] { return order.size() == 2; },
                            [&] {
                                pollfd p{client.fd(), POLLIN, 0};
                                ::poll(&p, 1, 100);
                                while (client.tryTake(got, answer))
                                    order.push_back(got);
                            }));
    CHECK(order == std::vector<HttpClient::Id>{fast, slow});  // the others do not wait for it
    CHECK(answer.status == 0);
    CHECK_FALSE(answer.failure.empty());
    CHECK(std::chrono::steady_clock::now() - start >=
          std::chrono::milliseconds(290));  // libcurl counts whole milliseconds
    CHECK(client.counters().requests == 2);
    CHECK(client.counters().failures == 1);
}

TEST_CASE("the end does not wait for answers", "[rest][http]") {
    RestServer server(always({.silent = true}));
    const auto start = std::chrono::steady_clock::now();
    {
        HttpClient client({.mostRequests = 3});
        HttpClient::Id ids[3] = {}, more = 0;
        for (auto& id : ids)
            REQUIRE_FALSE(client.send(post(server.url("/token")), id));
        const eta::Refused refused = client.send(post(server.url("/token")), more);
        CHECK(refused.text == "no more than 3 REST requests can be under way; wait for the answers");
        CHECK(client.counters().refused == 1);
        REQUIRE(test::eventually([&] { return server.requests().size() == 3; }));
        client.cancel(ids[1]);
        // Its place is free again once the thread has let it go.
        REQUIRE(test::eventually([&] { return !client.send(post(server.url("/token")), more); }));
    }
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(10));
}

TEST_CASE("what is refused before anything is sent", "[rest][http]") {
    CHECK(ask(post("ftp://localhost/token")).failure ==
          "'ftp://localhost/token' is not a URL of a REST service; it must begin with https://");
    HttpRequest request = post("http://localhost:1/");
    request.route.proxyHost = "localhost";
    request.route.proxyPort = "no such service";
    CHECK(ask(request).failure == "the proxy's port 'no such service' is neither a number nor the name of a service");
}

TEST_CASE("servers are checked before anything is sent", "[rest][http][tls]") {
    const std::string& folder = test::restCertificates();
    const auto server = [&](const std::string& name, const std::string& key) {
        return std::make_unique<RestServer>(always({.body = "{}"}), folder + name, folder + key);
    };
    const auto request = [&](const RestServer& s, const std::string& store) {
        HttpRequest r = post(s.url("/token"));
        r.route.caStore = store;
        return r;
    };
    const auto good = server("/server.pem", "/server-key.pem");
    CHECK(ask(request(*good, folder + "/ca.pem")).good());
    CHECK(good->requests().size() == 1);
    SECTION("by the system's authorities, or others") {
        CHECK(ask(request(*good, "")).status == 0);
        CHECK(ask(request(*good, folder + "/bad/unknown-ca.pem")).status == 0);
        CHECK(ask(request(*good, folder + "/bad")).status == 0);
        CHECK(ask(request(*good, "/no/such/file")).status == 0);
        CHECK(good->requests().size() == 1);
    }
    SECTION("name, age, authority") {
        for (const char* bad : {"/bad/other-host.pem", "/bad/out-of-date.pem", "/bad/unknown.pem"}) {
            const auto s = server(bad, "/ec-key.pem");
            const HttpAnswer answer = ask(request(*s, folder + "/ca.pem"));
            INFO(bad << ": " << answer.failure);
            CHECK(answer.status == 0);
            CHECK_FALSE(answer.failure.empty());
            CHECK(s->requests().empty());
        }
    }
}

TEST_CASE("a proxy is gone through", "[rest][http][proxy]") {
    const std::string& folder = test::restCertificates();
    RestServer server(always({.body = "{}"}), folder + "/server.pem", folder + "/server-key.pem");
    RestServer proxy([&](const RestServer::Request& r) -> Reply {
        if (r.method != "CONNECT") return {.status = 400};
        if (r.header("proxy-authorization") != "Basic RE9NXHVzZXI6cEB4Og==")  // DOM\user:p@x:
            return {.status = 407, .headers = {{"Proxy-Authenticate", "Basic realm=\"x\""}}};
        return {.tunnelTo = r.target.substr(r.target.rfind(':') + 1)};
    });
    HttpRequest request = post(server.url("/token"));
    request.route.caStore = folder + "/ca.pem";
    request.route.proxyHost = "localhost";
    request.route.proxyPort = std::to_string(proxy.port());
    request.route.proxyUser = "user";
    request.route.proxyDomain = "DOM";
    request.route.proxyPassword = Secret("p@x:");
    const HttpAnswer answer = ask(request);
    INFO(answer.failure);
    CHECK(answer.good());
    REQUIRE(proxy.requests().size() == 2);  // asked without, then with the password
    CHECK(proxy.requests()[1].target == "localhost:" + std::to_string(server.port()));
    CHECK(server.requests().size() == 1);
    SECTION("which may say no") {
        request.route.proxyPassword = Secret("wrong");
        const HttpAnswer refused = ask(request);
        CHECK_FALSE(refused.good());
        CHECK_FALSE(refused.failure.empty());
        CHECK(server.requests().size() == 1);
    }
}

TEST_CASE("the environment's proxies are not used", "[rest][http][proxy]") {
    RestServer server(always({.body = "{}"}));
    RestServer proxy(always({.status = 502}));
    const std::string at = proxy.url("");
    for (const char* name : {"http_proxy", "https_proxy", "all_proxy", "ALL_PROXY"})
        ::setenv(name, at.c_str(), 1);
    const HttpAnswer answer = ask(post(server.url("/token")));
    for (const char* name : {"http_proxy", "https_proxy", "all_proxy", "ALL_PROXY"})
        ::unsetenv(name);
    INFO(answer.failure);
    CHECK(answer.good());
    CHECK(server.requests().size() == 1);
    CHECK(proxy.requests().empty());
}

TEST_CASE("what was said is traced, secrets are not", "[rest][http][log]") {
    RestServer server([](const RestServer::Request& r) -> Reply {
        if (r.path() == "/first") return {.status = 302, .headers = {{"Location", "/token"}}};
        return {.body = test::tokenV1("SECRET-AT", "SECRET-RT", 5)};
    });
    HttpRequest request = post(server.url("/first"));
    request.tracing = Tracing::masked;
    const HttpAnswer answer = ask(request);
    REQUIRE(answer.trace.size() == 4);
    std::string all;
    for (const std::string& entry : answer.trace)
        all += entry;
    CHECK(all.find("secret") == std::string::npos);
    CHECK(all.find("SECRET") == std::string::npos);
    CHECK(answer.trace[1].find("HTTP status code: 302") != std::string::npos);
    CHECK(answer.trace[3].find("\"expires_in\":\"5\"") != std::string::npos);
    CHECK(answer.body.view().find("SECRET-AT") != std::string::npos);
}

TEST_CASE("a library that is not there is named", "[rest][http]") {
    // Where libcurl is loaded already, that one serves.
    const HttpAnswer answer = ask(post("http://localhost:1/"), {.library = "libcurl-missing.so"});
    CHECK(answer.status == 0);
    CHECK_FALSE(answer.failure.empty());
}
