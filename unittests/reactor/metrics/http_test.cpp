// The server of pages: requests whole, in pieces, late and malformed.
#include "reactor/http/HttpServer.h"

#include "reactor/Reactor.h"
#include "support/catch.hpp"
#include "support/http_get.h"

#include <atomic>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

using namespace emissary;
using namespace std::chrono_literals;
using reactor::HttpOptions;
using reactor::HttpReply;
using reactor::HttpRequest;
using reactor::HttpServer;
using test::http;
using test::httpGet;

TEST_CASE("HTTP server", "[reactor][http]") {
    HttpOptions options;
    options.maxConnections = 4;
    options.maxRequestBytes = 4096;
    options.hosts = {"pages.example.com"};
    HttpServer server(options, [](const HttpRequest& request) -> HttpReply {
        if (request.path == "/memory") throw std::bad_alloc();
        if (request.path == "/long") return {200, "text/x-test", std::string(8u << 20, 'x')};
        if (request.path == "/peer") return {200, "text/x-test", request.peer};
        if (request.path == "/missing") return {404, "text/plain", "nothing here\n"};
        return {200, "text/x-test", request.method + " " + request.path + " " + request.argument("a")};
    });
    REQUIRE(server.port() != 0);

    SECTION("answers with status, type and body") {
        const std::string reply = httpGet(server.port(), "/x?a=1%202&b=3");
        CHECK(reply.rfind("HTTP/1.1 200 OK\r\n", 0) == 0);
        CHECK(reply.find("Content-Type: text/x-test\r\n") != std::string::npos);
        CHECK(reply.substr(reply.find("\r\n\r\n") + 4) == "GET /x 1 2");
        CHECK(httpGet(server.port(), "/missing").rfind("HTTP/1.1 404 ", 0) == 0);
    }
    SECTION("knows where a request came from") {
        CHECK(httpGet(server.port(), "/peer").ends_with("\r\n\r\n127.0.0.1"));
    }
    SECTION("a zero byte ends neither a path nor an argument") {
        const auto body = [&](const char* path) {
            const std::string reply = httpGet(server.port(), path);
            return reply.substr(reply.find("\r\n\r\n") + 4);
        };
        CHECK(body("/%00") == "GET /%00 ");
        CHECK(body("/x%00y") == "GET /x%00y ");
        CHECK(body("/x?a=1%002") == "GET /x 1%002");
        CHECK(body("/%41%2e%3D%7a%1") == "GET /A.=z%1 ");
        CHECK(body("/%") == "GET /% ");
        CHECK(body("/%0") == "GET /%0 ");
        CHECK(body("/%zz?a=%e2%82%AC+b") == "GET /%zz \xE2\x82\xAC b");
    }
    SECTION("takes the body of a POST up to its bound") {
        HttpOptions options;
        options.maxBodyBytes = 10;
        HttpServer taking(options, [](const HttpRequest& r) {
            return HttpReply{200, "text/plain", r.method + "=" + r.body};
        });
        const auto ask = [&](const std::string& method, const std::string& headers, const std::string& body) {
            const std::string reply =
                http(taking.port(),
                     method + " /x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + headers + "\r\n" + body);
            return reply.substr(9, 3) + reply.substr(reply.find("\r\n\r\n") + 3);
        };
        CHECK(ask("POST", "Content-Length: 10\r\n", "0123456789") == "200\nPOST=0123456789");
        CHECK(ask("POST", "Content-Length: 0\r\n", "") == "200\nPOST=");
        CHECK(ask("POST", "", "") == "200\nPOST=");
        for (const char* const size : {"11", "99999999999999999999", "-1", "1x", ""})
            CHECK_FALSE(ask("POST", std::string("Content-Length: ") + size + "\r\n", "0123456789a").starts_with("200"));
        CHECK(ask("POST", "Transfer-Encoding: chunked\r\n", "1\r\na\r\n0\r\n\r\n").starts_with("413"));
        CHECK(ask("GET", "Content-Length: 1\r\n", "a").starts_with("413"));
    }
    SECTION("answers HEAD without a body") {
        const std::string reply =
            http(server.port(), "HEAD /x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        CHECK(reply.rfind("HTTP/1.1 200 ", 0) == 0);
        CHECK(reply.substr(reply.find("\r\n\r\n") + 4).empty());
    }
    SECTION("refuses other methods, bodies, requests that are too long and what is no request") {
        const char* const close = " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
        CHECK(http(server.port(), std::string("DELETE /x") + close + "\r\n").rfind("HTTP/1.1 405 ", 0) == 0);
        CHECK(http(server.port(), std::string("POST /x") + close + "Content-Length: 3\r\n\r\nabc")
                  .rfind("HTTP/1.1 413 ", 0) == 0);
        const std::string longReply =
            http(server.port(), std::string("GET /x") + close + "X: " + std::string(8000, 'x') + "\r\n\r\n");
        CHECK(longReply.find(" 200 ") == std::string::npos);
        CHECK(http(server.port(), "\r\n\r\nnonsense\r\n\r\n").find(" 200 ") == std::string::npos);
        CHECK(httpGet(server.port(), "/x").rfind("HTTP/1.1 200 ", 0) == 0);
    }
    SECTION("survives a handler that runs out of memory") {
        CHECK(httpGet(server.port(), "/memory").rfind("HTTP/1.1 503 ", 0) == 0);
        CHECK(httpGet(server.port(), "/x").rfind("HTTP/1.1 200 ", 0) == 0);
    }
    SECTION("above the limit of connections the one that was idle for longest gives way") {
        std::vector<test::Connection> held;
        for (unsigned i = 0; i < options.maxConnections; ++i) {
            held.emplace_back(server.port());
            held.back().send("GET /x HTTP/1.1\r\n");  // and no further
        }
        for (int late = 0; late < 3; ++late)
            CHECK(httpGet(server.port(), "/late").rfind("HTTP/1.1 200 ", 0) == 0);
        CHECK(held.front().ended());
        held.back().send("Host: localhost\r\n\r\n");
        CHECK(held.back().receiveSome().rfind("HTTP/1.1 200 ", 0) == 0);
    }
    SECTION("above the limit of connections those that do not take their replies give way, too") {
        std::vector<test::Connection> held;
        for (unsigned i = 0; i < 10 * options.maxConnections; ++i) {
            held.emplace_back(server.port());
            held.back().send("GET /long HTTP/1.1\r\nHost: localhost\r\n\r\n");
            if (i % options.maxConnections == 0) CHECK(httpGet(server.port(), "/late").rfind("HTTP/1.1 200 ", 0) == 0);
        }
        CHECK(held.front().ended());
    }
    SECTION("says which site it is asked as, and takes no other name") {
        const auto as = [&](const std::string& host) {
            return http(server.port(), "GET /x HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
        };
        for (const char* const mine : {"127.0.0.1", "127.0.0.1:8080", "localhost", "LocalHost.:80", "[::1]:8080",
                                       "192.0.2.7", "pages.example.com", "PAGES.example.COM:443"}) {
            INFO(mine);
            CHECK(as(mine).rfind("HTTP/1.1 200 ", 0) == 0);
        }
        for (const char* const other :
             {"evil.example", "evil.example:8080", "127.0.0.1.evil.example", "localhost.evil", "xpages.example.com",
              "[::1", "1.2.3.4.5", "\t", "user@127.0.0.1", "127.0.0.1:80@evil.example", "localhost:80,evil.example",
              "[::1].evil.example", "[::1]evil.example"}) {
            INFO(other);
            CHECK(as(other).rfind("HTTP/1.1 200 ", 0) == std::string::npos);
        }
        CHECK(as("evil.example").rfind("HTTP/1.1 421 ", 0) == 0);
        CHECK(http(server.port(), "GET /x HTTP/1.0\r\n\r\n").find(" 200 ") != std::string::npos);
        const std::string reply = httpGet(server.port(), "/x");
        CHECK(reply.find("X-Content-Type-Options: nosniff\r\n") != std::string::npos);
        CHECK(reply.find("frame-ancestors 'none'") != std::string::npos);
    }
    SECTION("says which address cannot be used") {
        HttpOptions same;
        same.port = server.port();
        const auto handler = [](const HttpRequest&) { return HttpReply{}; };
        try {
            const HttpServer second(same, handler);
            FAIL("it could be bound twice");
        } catch (const std::system_error& e) {
            CHECK(std::string(e.what()).find("127.0.0.1:" + std::to_string(same.port)) != std::string::npos);
            CHECK(e.code() == std::errc::address_in_use);
        }
        HttpOptions nowhere;
        nowhere.address = "no.such.address";
        CHECK_THROWS_AS(HttpServer(nowhere, handler), std::system_error);
    }
}

TEST_CASE("A request's head has a time, whatever of it comes meanwhile", "[reactor][http]") {
    HttpOptions options;
    options.headTimeout = 200ms;
    HttpServer server(options, [](const HttpRequest&) { return HttpReply{}; });
    test::Connection silent(server.port()), slow(server.port()), kept(server.port());
    kept.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    CHECK(kept.receiveSome().rfind("HTTP/1.1 200 ", 0) == 0);
    const auto begin = std::chrono::steady_clock::now();
    bool ended = false;
    for (int i = 0; i < 1000 && !ended; ++i) {  // a byte now and then
        slow.send(i == 0 ? "G" : "E");
        ended = slow.ended(10ms);
    }
    CHECK(ended);
    CHECK(std::chrono::steady_clock::now() - begin < 5s);
    CHECK(silent.ended());
    CHECK(kept.ended());  // a connection that is kept open is idle too
}

TEST_CASE("What is to follow a reply follows when it has left", "[reactor][http]") {
    std::atomic<bool> after{false};
    HttpServer server({}, [&](const HttpRequest&) {
        return HttpReply{202, "text/plain", "soon\n", [&] { after = true; }};
    });
    CHECK(httpGet(server.port(), "/").find("soon") != std::string::npos);
    for (int i = 0; i < 10'000 && !after; ++i)
        CHECK(httpGet(server.port(), "/").find("soon") != std::string::npos);
    CHECK(after);
}

TEST_CASE("A reactor serves its counts", "[reactor][http][metrics]") {
    reactor::ReactorOptions options;
    options.name = "served";
    reactor::Reactor r(options);
    const std::uint16_t port = r.serveMetrics("127.0.0.1", 0);
    std::atomic<bool> stop{false};
    std::thread loop([&] {
        while (!stop)
            r.dispatch(100ms, 10);
    });
    std::atomic<int> waiting{0};  // calls that were posted and did not run yet: a queue has a bound
    std::thread poster([&] {
        while (!stop) {
            if (waiting > 1000) {
                std::this_thread::yield();
                continue;
            }
            const std::lock_guard guard(r.lock());
            ++waiting;
            r.post([&] { --waiting; });
        }
    });
    for (int i = 0; i < 20; ++i) {
        const std::string page = httpGet(port, "/metrics");
        REQUIRE(page.find("Content-Type: text/plain; version=0.0.4") != std::string::npos);
        REQUIRE(page.find("emissary_loop_events_total{instance=\"served\"} ") != std::string::npos);
    }
    CHECK(httpGet(port, "/metrics.json").find("Content-Type: application/json") != std::string::npos);
    CHECK(httpGet(port, "/metrics.txt").find("emissary_loop_timers{instance=\"served\"} 0 timers\n") !=
          std::string::npos);
    CHECK(httpGet(port, "/other").rfind("HTTP/1.1 404 ", 0) == 0);
    stop = true;
    r.wake();
    loop.join();
    poster.join();
    SECTION("and says that it lives although nobody dispatches and the lock is held") {
        const std::lock_guard guard(r.lock());
        CHECK(httpGet(port, "/healthz").find("\r\n\r\nok\n") != std::string::npos);
    }
}
