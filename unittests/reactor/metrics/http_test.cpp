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
    HttpServer server(options, [](const HttpRequest& request) -> HttpReply {
        if (request.path == "/memory") throw std::bad_alloc();
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
    SECTION("answers HEAD without a body") {
        const std::string reply = http(server.port(), "HEAD /x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
        CHECK(reply.rfind("HTTP/1.1 200 ", 0) == 0);
        CHECK(reply.substr(reply.find("\r\n\r\n") + 4).empty());
    }
    SECTION("refuses other methods, bodies, requests that are too long and what is no request") {
        const char* const close = " HTTP/1.1\r\nHost: h\r\nConnection: close\r\n";
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
    SECTION("serves no more connections at once than the limit, and the others when there is room") {
        std::vector<test::Connection> held;
        for (unsigned i = 0; i < options.maxConnections; ++i) {
            held.emplace_back(server.port());
            held.back().send("GET /x HTTP/1.1\r\n");  // and no further
        }
        test::Connection late(server.port());
        late.send("GET /late HTTP/1.1\r\nHost: h\r\n\r\n");
        CHECK(late.receiveSome(100ms).empty());
        held.clear();
        std::string reply = late.receiveSome();
        for (int i = 0; i < 500 && reply.empty(); ++i)  // it was closed instead of kept waiting
            reply = httpGet(server.port(), "/late");
        CHECK(reply.rfind("HTTP/1.1 200 ", 0) == 0);
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
