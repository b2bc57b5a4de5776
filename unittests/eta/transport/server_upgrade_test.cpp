// What a server decides about a request for a WebSocket or for events: without sockets, and what it asks the gate.
#include "transport/websocket/server_upgrade.h"
#include "transport/websocket/websocket_frames.h"
#include "websocket_support.h"

using namespace transport_test;

namespace {

/// Answers as it is told, and notes what it is asked.
struct TestGate : ws::UpgradeGate {
    Answer may, rate;
    std::string asked;
    Answer mayUpgrade(const ws::UpgradeRequest&) override { return asked += "may ", may; }
    Answer withinRate() override { return asked += "rate ", rate; }
    void headRefused() noexcept override { asked += "head "; }
    void originRefused() noexcept override { asked += "origin "; }
};

struct Decisions {
    WebSocketOptions options;
    TestGate gate;
    bool encrypted = false, anyPrefix = false, deflate = false;
    std::optional<std::string> refusal;

    ws::UpgradeDecision decide(const std::string& received) {
        gate.asked.clear();
        return ws::decideUpgrade(received, {options, encrypted, anyPrefix, deflate, &refusal, &gate});
    }
};

constexpr std::string_view kDeflate = "Sec-WebSocket-Extensions: permessage-deflate\r\n";

std::string events(std::string_view headers = {}, std::string_view method = "GET") {
    return std::string(method) + " /sse?user=u HTTP/1.1\r\nHost: x\r\n" + std::string(headers) + "\r\n";
}

std::string loginIn(ws::UpgradeDecision& decision) {
    return decision.login.waits() ? std::string(asText(decision.login.read())) : std::string();
}

void checkRefused(const ws::UpgradeDecision& d, const char* status, const char* why) {
    INFO(d.reason);
    CHECK(d.progress == ws::Progress::bad);
    CHECK_THAT(d.answer, Catch::StartsWith(std::string("HTTP/1.1 ") + status + " "));
    CHECK_THAT(d.reason, Catch::Contains(why));
    CHECK_FALSE(d.login.held());
}

}  // namespace

TEST_CASE("a server decides about an upgrade when the whole request is there", "[transport][websocket]") {
    Decisions port;
    const std::string whole = request("tr_json2");
    for (std::size_t n = 0; n < whole.size(); ++n) {
        const ws::UpgradeDecision d = port.decide(whole.substr(0, n));
        REQUIRE(d.progress == ws::Progress::needMore);
        REQUIRE(d.answer.empty());
        REQUIRE(port.gate.asked.empty());
    }
    const ws::UpgradeDecision d = port.decide(whole);
    CHECK(d.progress == ws::Progress::complete);
    CHECK(d.consumed == whole.size());
    CHECK(port.gate.asked == "may rate ");
    checkRefused(port.decide(whole + "x"), "400", "data before the answer");
    CHECK(port.gate.asked == "may ");
}

TEST_CASE("what is agreed depends on the protocol", "[transport][websocket]") {
    Decisions port;
    SECTION("JSON, with compression where both sides want it") {
        CHECK_FALSE(port.decide(request("tr_json2", kDeflate)).deflate.enabled);
        port.deflate = true;
        CHECK_FALSE(port.decide(request("tr_json2")).deflate.enabled);
        const ws::UpgradeDecision d = port.decide(request("tr_json2", kDeflate));
        CHECK(d.json);
        CHECK_FALSE(d.events);
        CHECK(d.protocol == "tr_json2");
        CHECK(d.deflate.enabled);
        CHECK(ws::parseUpgradeAnswer(d.answer, kKey, "tr_json2", true).deflate.enabled);
    }
    SECTION("RIPC frames, which have a compression of their own") {
        port.deflate = true;
        const ws::UpgradeDecision d = port.decide(request("rssl.rwf", kDeflate));
        CHECK(d.progress == ws::Progress::complete);
        CHECK_FALSE(d.json);
        CHECK(d.protocol == "rssl.rwf");
        CHECK_FALSE(d.deflate.enabled);
    }
    SECTION("events, where the port has them") {
        checkRefused(port.decide(events()), "404", "path");
        port.options.events = true;
        ws::UpgradeDecision d = port.decide(events());
        CHECK(d.progress == ws::Progress::complete);
        CHECK(d.json);
        CHECK(d.events);
        CHECK(d.protocol == kEventStream);
        CHECK_THAT(d.answer, Catch::Contains("text/event-stream"));
        CHECK_THAT(loginIn(d), Catch::Contains(R"("Name":"u")"));
        CHECK(port.gate.asked == "may rate ");
    }
    SECTION("none in common") {
        port.options.protocols = "rssl.rwf";
        checkRefused(port.decide(request("tr_json2")), "400", "the client offers \"tr_json2\", this server serves");
        CHECK(port.gate.asked == "may ");
    }
}

TEST_CASE("a request is refused at the first thing that is wrong", "[transport][websocket]") {
    Decisions port;
    // Each of these is wrong in everything that comes after it, too.
    port.gate.rate.status = 429;
    port.gate.rate.why = "too fast";
    const std::string evil = "Origin: https://evil.example\r\n";
    SECTION("the rate, last") {
        const ws::UpgradeDecision d = port.decide(request("tr_json2"));
        checkRefused(d, "429", "too fast");
        CHECK_THAT(d.answer, Catch::EndsWith("\r\n\r\ntoo fast"));
        CHECK(port.gate.asked == "may rate ");
        port.options.events = true;
        checkRefused(port.decide(events({}, "OPTIONS")), "429", "too fast");
        CHECK(port.gate.asked == "may rate ");
    }
    SECTION("a client that is not wanted here learns why, one of RIPC later") {
        port.refusal = "go elsewhere";
        const ws::UpgradeDecision d = port.decide(request("tr_json2"));
        checkRefused(d, "403", "refused: go elsewhere");
        CHECK(d.refused);
        CHECK_THAT(d.answer, Catch::EndsWith("\r\n\r\ngo elsewhere"));
        CHECK(port.gate.asked == "may ");
        port.options.events = true;
        CHECK(port.decide(events()).refused);
        CHECK_FALSE(port.decide(request("rssl.rwf")).refused);
        CHECK(port.gate.asked == "may rate ");
    }
    SECTION("a page of elsewhere learns nothing of the port") {
        port.refusal = "go elsewhere";
        port.options.origins.checked = true;
        const ws::UpgradeDecision d = port.decide(request("none", evil));
        checkRefused(d, "403", "AllowedOrigins");
        CHECK_THAT(d.answer, !Catch::Contains("elsewhere"));
        CHECK_FALSE(d.refused);
        CHECK(d.origin.empty());
        CHECK(port.gate.asked == "may origin ");
        port.options.events = true;
        checkRefused(port.decide(events("Sec-Fetch-Site: cross-site\r\n")), "403", "Sec-Fetch-Site");
        CHECK(port.gate.asked == "may origin ");
    }
    SECTION("no room") {
        port.options.origins.checked = true;
        port.gate.may.status = 503;
        port.gate.may.why = "full";
        checkRefused(port.decide(request("none", evil)), "503", "full");
        CHECK(port.gate.asked == "may ");
    }
    SECTION("no WebSocket here") {
        port.options.served = false;
        port.gate.may.status = 503;
        checkRefused(port.decide(request("none", evil)), "404", "WebSocket of this port is 0");
        CHECK(port.gate.asked.empty());
    }
    SECTION("a head that is too long") {
        port.options.served = false;
        port.options.maxHeadLines = 3;
        checkRefused(port.decide(request("none", evil)), "431", "");
        CHECK(port.gate.asked == "head ");
        port.options.maxHeadLines = 100;
        checkRefused(port.decide("GET /other HTTP/1.1\r\nHost: x\r\n\r\n"), "404", "/other");
        CHECK(port.gate.asked.empty());
    }
}

TEST_CASE("cookies are a login where nobody on the way can read them", "[transport][websocket]") {
    Decisions port;
    port.options.loginCookies = {"AuthToken"};
    port.options.events = true;
    const std::string cookie = "Cookie: AuthToken=secret\r\n", safe = "Origin: https://x\r\n",
                      plain = "Origin: http://x\r\n", sameSite = "Sec-Fetch-Site: same-origin\r\n";
    const auto has = [&](const std::string& wire) {
        ws::UpgradeDecision d = port.decide(wire);
        INFO(d.reason);
        REQUIRE(d.progress == ws::Progress::complete);
        return loginIn(d).find("secret") != std::string::npos;
    };
    CHECK_FALSE(has(request("tr_json2", cookie)));
    port.anyPrefix = true;  // of a proxy that has ended the TLS
    CHECK(has(request("tr_json2", cookie)));
    port.anyPrefix = false;
    port.encrypted = true;
    CHECK(has(request("tr_json2", cookie)));
    CHECK(has(request("tr_json2", cookie + safe)));
    CHECK_FALSE(has(request("tr_json2", cookie + plain)));
    CHECK_FALSE(has(request("rssl.rwf", cookie)));
    // Pictures send cookies too, and say neither Origin nor that they are of this site.
    const auto logsIn = [&](const std::string& headers) {
        ws::UpgradeDecision d = port.decide("GET /sse HTTP/1.1\r\nHost: x\r\n" + cookie + headers + "\r\n");
        return d.progress == ws::Progress::complete && loginIn(d).find("secret") != std::string::npos;
    };
    CHECK(logsIn(sameSite));
    CHECK(logsIn(safe));
    CHECK_FALSE(logsIn(plain));
    CHECK_FALSE(logsIn(""));
    checkRefused(port.decide(request("tr_json2", "Cookie: AuthToken=a\"b\r\n")), "400", "no cookie may have");
    CHECK(port.gate.asked == "may ");
    // A browser's question is answered, and that is all of this connection.
    ws::UpgradeDecision asks = port.decide(events(safe, "OPTIONS"));
    CHECK(asks.progress == ws::Progress::bad);
    CHECK_THAT(asks.answer, Catch::StartsWith("HTTP/1.1 204 ") && Catch::Contains("Credentials"));
    CHECK_FALSE(asks.login.held());
}

TEST_CASE("a server says where a page that may connect comes from", "[transport][websocket]") {
    Decisions port;
    port.options.origins.checked = true;
    port.options.origins.allowed = {"https://page.example"};
    const std::string from = "Origin: https://page.example\r\n";
    CHECK(port.decide(request("tr_json2", from)).origin == "https://page.example");
    CHECK(port.decide(request("tr_json2", from) + "x").origin == "https://page.example");
    CHECK(port.decide(request("tr_json2")).origin.empty());
}

TEST_CASE("a login that waits is in one place", "[transport][websocket]") {
    ws::FirstMessage one, other;
    one.put(R"({"ID":-1,"Domain":"Login"})");
    other = std::move(one);
    CHECK_FALSE(one.held());
    CHECK(asText(other.read()) == R"({"ID":-1,"Domain":"Login"})");
    const ws::FirstMessage third(std::move(other));
    CHECK(third.held());
    CHECK_FALSE(third.waits());
    CHECK_FALSE(other.held());
}
