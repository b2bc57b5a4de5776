// How a connection becomes a WebSocket: upgrade requests and their answers, and the way through a proxy.
#include "rows.h"
#include "transport/channel/handshake.h"
#include "transport/channel/streams.h"
#include "transport/websocket/cookie_login.h"
#include "transport/websocket/http_upgrade.h"
#include "transport/websocket/permessage_deflate.h"
#include "websocket_support.h"

using namespace transport_test;

TEST_CASE("captured upgrades are accepted and answered alike", "[transport][websocket]") {
    for (const char* name : {"ws_json_upgrade", "ws_rwf_upgrade", "ws_json_deflate_upgrade"}) {
        INFO(name);
        const auto lines = vectorLines(name);
        const std::string asked = textOf(lines[0]), answered = textOf(lines[1]);
        const ws::UpgradeRequest r = ws::parseUpgradeRequest(asked);
        INFO(r.reason);
        REQUIRE(r.progress == ws::Progress::complete);
        CHECK(r.consumed == asked.size());
        const bool deflate = std::string(name).find("deflate") != std::string::npos;
        CHECK(r.deflate.enabled == deflate);
        CHECK(r.deflate.serverForgets == deflate);
        REQUIRE_FALSE(r.protocols.empty());
        const ws::UpgradeAnswer a = ws::parseUpgradeAnswer(answered, r.key, "tr_json2, rssl.rwf", deflate);
        INFO(a.reason);
        CHECK(a.progress == ws::Progress::complete);
        CHECK(a.deflate.enabled == deflate);
        // What we would answer passes the same checks, and every cut of it asks for more.
        const std::string own = ws::acceptAnswer(r.key, a.protocol, r.deflate);
        CHECK(ws::parseUpgradeAnswer(own, r.key, "tr_json2, rssl.rwf", deflate).progress == ws::Progress::complete);
        for (std::size_t n = 0; n < own.size(); ++n)
            REQUIRE(ws::parseUpgradeAnswer(std::string_view(own).substr(0, n), r.key, "tr_json2, rssl.rwf", deflate)
                        .progress == ws::Progress::needMore);
        for (std::size_t n = 0; n < asked.size(); ++n)
            REQUIRE(ws::parseUpgradeRequest(std::string_view(asked).substr(0, n)).progress == ws::Progress::needMore);
    }
    CHECK(ws::acceptValue(kKey) == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");  // RFC 6455, 1.3
}

TEST_CASE("upgrade requests that are refused, and with which status", "[transport][websocket]") {
    const std::string good = request("rssl.rwf");
    REQUIRE(ws::parseUpgradeRequest(good).progress == ws::Progress::complete);
    const auto edited = [&](const std::string& from, const std::string& to) {
        std::string s = good;
        const std::size_t at = s.find(from);
        REQUIRE(at != std::string::npos);
        return s.replace(at, from.size(), to);
    };
    const std::string key = "Sec-WebSocket-Key: " + std::string(kKey) + "\r\n";
    struct Bad {
        std::string wire;
        int status;
        const char* says;
    };
    const Bad rows[] = {
        {edited("GET", "PUT"), 400, "PUT"},
        {edited("HTTP/1.1", "HTTP/1.0"), 400, "HTTP version"},
        {edited("/WebSocket", "/"), 404, "path"},
        {edited("/WebSocket", "/other"), 404, "/other"},
        {edited("Upgrade: websocket", "Upgrade: h2c"), 400, "Upgrade: websocket"},
        {edited("Connection: keep-alive, Upgrade", "Connection: close"), 400, "Connection"},
        {edited("Connection: keep-alive, Upgrade", "Connection: Upgraded"), 400, "Connection"},
        {edited("Version: 13", "Version: 8"), 426, "8"},
        {edited("Sec-WebSocket-Version: 13\r\n", ""), 426, "no Sec-WebSocket-Version"},
        {edited(key, ""), 400, "no Sec-WebSocket-Key"},
        {edited(std::string(kKey), "c2hvcnQ="), 400, "16 octets"},
        {edited(std::string(kKey), std::string(kKey) + "AAAA"), 400, "16 octets"},
        {edited(std::string(kKey), "**********************=="), 400, "16 octets"},
        {edited(key, key + key), 400, "Sec-WebSocket-Key occurs twice"},
        {edited("Host: x\r\n", "Host: x\r\nhost: y\r\n"), 400, "Host occurs twice"},
        {edited("Host: x\r\n", ""), 400, "no Host"},
        {edited("Sec-WebSocket-Version: 13\r\n", "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Version: 13\r\n"), 400,
         "twice"},
        {edited("Host: x\r\n", "Host: x\r\nContent-Length: 5\r\n"), 400, "body"},
        {edited("Host: x\r\n", "Host: x\r\nTransfer-Encoding: chunked\r\n"), 400, "body"},
        {edited("Host: x\r\n", "no colon\r\n"), 400, "without a name"},
        {edited("Host: x\r\n", "Host : x\r\n"), 400, "blank"},
        {edited("Host: x\r\n", "Host: x\nA: b\r\n"), 400, "bare line end"},
        {edited("Host: x\r\n", std::string("A: \0b\r\n", 7)), 400, "zero byte"},
        {edited("Host: x\r\n", "A: " + std::string(33000, 'x') + "\r\n"), 431, "32768"},
    };
    for (const Bad& row : rows) {
        INFO(row.wire.substr(0, 200));
        const ws::UpgradeRequest r = ws::parseUpgradeRequest(row.wire);
        CHECK(r.progress == ws::Progress::bad);
        CHECK(r.status == row.status);
        CHECK_THAT(r.reason, Catch::Contains(row.says));
        const std::string answer = ws::refusal(r.status);
        CHECK(answer.rfind("HTTP/1.1 " + std::to_string(row.status), 0) == 0);
        CHECK_THAT(answer, Catch::Contains("Content-Length: 0") && Catch::Contains("Connection: close"));
        CHECK(answer.find("chunked") == std::string::npos);
    }
    std::string lines = "GET /WebSocket HTTP/1.1\r\n";
    for (int i = 0; i < 101; ++i)
        lines += "X-" + std::to_string(i) + ": y\r\n";
    CHECK(ws::parseUpgradeRequest(lines).progress == ws::Progress::bad);  // no need to wait for the end
    CHECK(ws::parseUpgradeRequest(edited("/WebSocket", "/websocket/x?y")).progress == ws::Progress::complete);
}

TEST_CASE("the answers a client refuses", "[transport][websocket]") {
    const std::string good = ws::acceptAnswer(kKey, "tr_json2", {});
    const auto why = [&](std::string from, const std::string& to, bool deflate = false) {
        std::string s = good;
        const std::size_t at = s.find(from);
        REQUIRE(at != std::string::npos);
        const ws::UpgradeAnswer a =
            ws::parseUpgradeAnswer(s.replace(at, from.size(), to), kKey, "rssl.json.v2", deflate);
        CHECK(a.progress == ws::Progress::bad);
        return a.reason;
    };
    CHECK(ws::parseUpgradeAnswer(good, kKey, "rssl.json.v2", false).progress == ws::Progress::complete);
    CHECK_THAT(why("101 Switching Protocols", "400 Bad Request"), Catch::Contains("400 Bad Request"));
    CHECK_THAT(why("Upgrade: websocket\r\n", ""), Catch::Contains("Upgrade"));
    CHECK_THAT(why("Connection: Upgrade\r\n", ""), Catch::Contains("Connection"));
    CHECK_THAT(why("s3pPLM", "s3pPLm"), Catch::Contains("accept value"));
    CHECK_THAT(why("tr_json2", "rssl.rwf"), Catch::Contains("not offered"));
    CHECK_THAT(why("tr_json2", ""), Catch::Contains("not offered"));
    const std::string end = "tr_json2\r\n";
    const std::string deflate = end + "Sec-WebSocket-Extensions: permessage-deflate";
    CHECK_THAT(why(end, deflate + "\r\n"), Catch::Contains("extension"));
    CHECK_THAT(why(end, deflate + ";client_max_window_bits=10\r\n", true), Catch::Contains("extension"));
    CHECK_THAT(why(end, deflate + ";unknown\r\n", true), Catch::Contains("extension"));
    CHECK_THAT(why(end, deflate + ", x\r\n", true), Catch::Contains("extension"));
    CHECK(ws::parseUpgradeAnswer("SSH-2.0", kKey, "tr_json2", false).progress == ws::Progress::bad);
}

TEST_CASE("cookies that are a login", "[transport][websocket]") {
    CHECK(ws::cookieNamed("a=1; b=2;c = 3 ;d=\"4\"", "a") == "1");
    CHECK(ws::cookieNamed("a=1; b=2;c = 3 ;d=\"4\"", "b") == "2");
    CHECK(ws::cookieNamed("a=1; b=2;c = 3 ;d=\"4\"", "c") == "3");
    CHECK(ws::cookieNamed("a=1; b=2;c = 3 ;d=\"4\"", "d") == "4");
    CHECK(ws::cookieNamed("xa=1; a; =2; A=3; a=x=y==; a=5", "a") == "x=y==");  // whole names, in their case
    CHECK(ws::cookieNamed("a=\"", "a") == "\"");
    for (const char* const none : {"", ";", "=", " ; ;", "a", "a=", "a=;a=1", "b=1"})
        CHECK(ws::cookieNamed(none, "a").empty());

    const std::vector<std::string> names{"AuthToken", "position", "applicationId"};
    CHECK(ws::loginOf("applicationId=256; position=10.0.0.1/net; AuthToken=e.f-g_h", names).text ==
          R"({"ID":-1,"Domain":"Login","Key":{"NameType":"AuthnToken","Elements":{"AuthenticationToken":"e.f-g_h",)"
          R"("Position":"10.0.0.1/net","ApplicationId":"256"}}})");
    CHECK(ws::loginOf("t=1; position=2", {"t"}).text ==
          R"({"ID":-1,"Domain":"Login","Key":{"NameType":"AuthnToken","Elements":{"AuthenticationToken":"1"}}})");
    CHECK(ws::loginOf("position=2; applicationId=3", names).text.empty());
    CHECK(ws::loginOf("AuthToken=1", {}).text.empty());
    for (const std::string bad : {"\"", "\\", ",", " x", "\x7f", "\x80", "\x01"}) {
        const ws::CookieLogin login = ws::loginOf("AuthToken=1; position=sec" + bad + "ret", names);
        CHECK(login.text.empty());
        CHECK(login.fault == "the cookie position has a character that no cookie may have");
    }
    const ws::UpgradeRequest r = ws::parseUpgradeRequest(request("tr_json2", "cookie: a=1\r\nCookie: b=2\r\n"));
    CHECK(r.cookies == "a=1;b=2");
}

TEST_CASE("which sub-protocol is chosen", "[transport][websocket]") {
    const std::string def = WebSocketOptions{}.protocols;
    CHECK(ws::chooseProtocol(def, {"rssl.rwf", "tr_json2"}) == "tr_json2");  // the server's order
    CHECK(ws::chooseProtocol("rssl.rwf tr_json2", {"tr_json2", "rssl.rwf"}) == "rssl.rwf");
    CHECK(ws::chooseProtocol("tr_json2", {"rssl.json.v2"}) == "rssl.json.v2");  // in the client's spelling
    CHECK(ws::chooseProtocol("rssl.json.v2", {"tr_json2"}) == "tr_json2");
    CHECK(ws::chooseProtocol("rssl.rwf", {"tr_rwf"}) == "tr_rwf");
    CHECK_FALSE(ws::chooseProtocol("rssl.rwf", {"tr_json2"}));
    CHECK_FALSE(ws::chooseProtocol(def, {"xtr_json2", "tr_json", ""}));  // whole tokens
    CHECK_FALSE(ws::chooseProtocol(def, {}));
    CHECK_FALSE(ws::checkProtocols(def));
    CHECK_THAT(ws::checkProtocols("rssl.rwf, soap").text, Catch::Contains("soap"));
    CHECK(ws::checkProtocols(" , "));
    const std::string sent = ws::upgradeRequest("h", "1", {}, kKey, "rssl.json.v2,tr_json2 rssl.rwf", false);
    CHECK_THAT(sent, Catch::Contains("Sec-WebSocket-Protocol: tr_json2, rssl.rwf\r\n"));
    CHECK_THAT(ws::upgradeRequest("::1", "1", {}, kKey, "rssl.rwf", true),
               Catch::Contains("Host: [::1]:1\r\n") &&
                   Catch::Contains("permessage-deflate;server_no_context_takeover"));
}

TEST_CASE("which compression offers are accepted", "[transport][websocket]") {
    const auto accepted = [](const std::string& offer) {
        const ws::UpgradeRequest r =
            ws::parseUpgradeRequest(request("tr_json2", "Sec-WebSocket-Extensions: " + offer + "\r\n"));
        REQUIRE(r.progress == ws::Progress::complete);
        return r.deflate;
    };
    CHECK(accepted("permessage-deflate").enabled);
    CHECK(accepted("permessage-deflate; client_max_window_bits").enabled);
    CHECK(accepted("permessage-deflate;client_max_window_bits=\"10\"").enabled);
    CHECK(accepted("permessage-deflate;server_no_context_takeover").serverForgets);
    CHECK(accepted("permessage-deflate;client_no_context_takeover").clientForgets);
    CHECK(accepted("x-webkit-deflate-frame, permessage-deflate").enabled);
    CHECK(accepted("permessage-deflate;server_max_window_bits=9, permessage-deflate").enabled);  // the second offer
    for (const char* bad :
         {"permessage-deflate;server_max_window_bits=9", "permessage-deflate;server_max_window_bits=16",
          "permessage-deflate;client_max_window_bits=7", "permessage-deflate;client_max_window_bits=08",
          "permessage-deflate;unknown=1", "permessage-deflate;server_no_context_takeover=1",
          "permessage-deflate;server_no_context_takeover;server_no_context_takeover", "permessage-deflated", ""})
        CHECK_FALSE(accepted(bad).enabled);
}

TEST_CASE("one port serves RIPC and WebSocket clients", "[transport][websocket]") {
    auto server = listen(bindOptions());
    for (const char* how : {"socket", "rssl.rwf", "tr_json2", "tr_rwf"}) {
        INFO(how);
        ConnectOptions c = connectOptions(server->port());
        const bool plain = std::string(how) == "socket";
        if (!plain) {
            c.connectionType = ConnectionType::webSocket;
            c.webSocket.protocols = how;
        }
        auto client = open(c);
        auto accepted = acceptOne(*server);
        InitStatus cs{}, as{};
        for (int turn = 0; turn < 3000 && !(cs == InitStatus::active && as == InitStatus::active); ++turn) {
            if (cs != InitStatus::active) cs = client->init(at(0));
            if (as != InitStatus::active) as = accepted->init(at(0));
            static_cast<void>(readable(client->fd(), 1));
        }
        CHECK(cs == InitStatus::active);
        CHECK(as == InitStatus::active);
        CHECK(accepted->info().webSocketProtocol == (plain ? "" : how));
    }
    CHECK(server->counters().handshakesDone == 4);
}

TEST_CASE("an upgrade request arrives in pieces of any size", "[transport][websocket]") {
    const bool encrypted = GENERATE(false, true);
    INFO((encrypted ? "encrypted" : "plain"));
    const Row& r = row(encrypted ? "tls 1.3" : "tcp");
    auto server = listen(r.bind);
    ConnectOptions c = r.connect;
    c.port = std::to_string(server->port());
    const std::string whole = request("tr_json2");
    /// Sends pieces of `first` bytes and then of `each` bytes; false as soon as the server gives up.
    const auto upgrades = [&](std::size_t first, std::size_t each) {
        Refused refused;
        auto stream =
            rowOf(c.connectionType)
                .calls->open(startConnect(resolve(c.host, c.port, false, refused).at(0), c, refused), c, refused);
        REQUIRE(stream != nullptr);
        auto accepted = acceptOne(*server);
        for (int turn = 0; turn < 3000 && stream->handshake().kind == IoResult::Kind::wouldBlock; ++turn) {
            if (accepted->init(at(0)) == InitStatus::failed) return false;
            static_cast<void>(readable(stream->fd(), 1));
        }
        for (std::size_t done = 0; done < whole.size();) {
            const std::size_t n = std::min(done == 0 ? first : each, whole.size() - done);
            const std::uint64_t before = accepted->counters().bytesRead;
            iovec part{const_cast<char*>(whole.data()) + done, n};
            REQUIRE(stream->send({&part, 1}).bytes == n);
            done += n;
            do {
                REQUIRE(readable(accepted->fd()));
                const InitStatus s = accepted->init(at(0));
                if (s == InitStatus::failed) return false;
                if (s == InitStatus::active) break;
            } while (done <= 4 && accepted->counters().bytesRead < before + n);
        }
        return settle(*accepted) == InitStatus::active && accepted->info().webSocketProtocol == "tr_json2";
    };
    for (std::size_t first = 1; first < whole.size(); ++first) {
        INFO("first " << first);
        REQUIRE(upgrades(first, whole.size()));
    }
    CHECK(upgrades(1, 1));
    CHECK(upgrades(2, 1));
    CHECK(upgrades(3, 7));
}

TEST_CASE("a server that closes instead of answering the upgrade is perhaps an encrypted one",
          "[transport][websocket]") {
    RawListener listener;
    ConnectOptions c = connectOptions(listener.port());
    c.connectionType = ConnectionType::webSocket;
    auto client = open(c);
    RawSocket s = listener.accept();
    REQUIRE(writable(client->fd()));
    REQUIRE(client->init(at(0)) == InitStatus::inProgress);
    REQUIRE(asText(s.receive(4)) == "GET ");  // the rest stays unread: the close is a reset
    s.close();
    REQUIRE(readable(client->fd()));
    CHECK(client->init(at(0)) == InitStatus::failed);
    CHECK_THAT(client->errorText(), Catch::Contains("is RSSL_ENCRYPTED meant?"));
}

TEST_CASE("a server answers a bad upgrade over HTTP and closes", "[transport][websocket]") {
    BindOptions b = bindOptions();
    b.webSocket.protocols = "rssl.rwf";
    struct Bad {
        std::string wire;
        const char *status, *says;
    };
    const Bad rows[] = {{request("tr_json2"), "HTTP/1.1 400 ", "no common sub-protocol"},
                        {request(""), "HTTP/1.1 400 ", "no common sub-protocol"},
                        {"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "HTTP/1.1 404 ", "path \"/\""},
                        {request("rssl.rwf") + "early", "HTTP/1.1 400 ", "data before the answer"}};
    for (const Bad& row : rows) {
        INFO(row.wire);
        auto server = listen(b);
        RawSocket raw = RawSocket::connectTo(server->port());
        raw.send(asBytes(row.wire));
        auto accepted = acceptOne(*server);
        CHECK(settle(*accepted) == InitStatus::failed);
        CHECK_THAT(accepted->errorText(), Catch::Contains(row.says));
        CHECK(readHead(raw).rfind(row.status, 0) == 0);
        CHECK(raw.closedByPeer());
        CHECK(server->counters().handshakeFailures == 1);
    }
}

TEST_CASE("a client goes through an HTTP proxy", "[transport][websocket][proxy]") {
    RawListener proxy;
    ConnectOptions c = connectOptions(0);
    c.host = "server.example";
    c.port = "14002";
    c.connectionType = ConnectionType::webSocket;
    c.webSocket.protocols = "tr_json2";
    c.proxy.host = "127.0.0.1";
    c.proxy.port = std::to_string(proxy.port());
    c.proxy.user = "me";
    c.proxy.password = "secret";
    auto client = open(c);
    REQUIRE(writable(client->fd()));
    RawSocket peer = proxy.accept();
    CHECK(client->init(at(0)) == InitStatus::inProgress);
    const std::string asked = readHead(peer);
    CHECK(asked.rfind("CONNECT server.example:14002 HTTP/1.1\r\n", 0) == 0);
    CHECK_THAT(asked, Catch::Contains("Proxy-Authorization: Basic bWU6c2VjcmV0\r\n"));
    SECTION("that lets it pass") {
        peer.send(asBytes("HTTP/1.1 200 Connection established\r\n\r\n"));
        REQUIRE(readable(client->fd()));
        CHECK(client->init(at(0)) == InitStatus::inProgress);
        const ws::UpgradeRequest r = ws::parseUpgradeRequest(readHead(peer));
        REQUIRE(r.progress == ws::Progress::complete);
        peer.send(asBytes(ws::acceptAnswer(r.key, "tr_json2", {})));
        CHECK(settle(*client) == InitStatus::active);
    }
    SECTION("that does not") {
        peer.send(asBytes("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n"));
        CHECK(settle(*client) == InitStatus::failed);
        CHECK_THAT(client->errorText(), Catch::Contains("407 Proxy Authentication Required"));
    }
    SECTION("that hangs up") {
        peer.close();
        CHECK(settle(*client) == InitStatus::failed);
        CHECK_THAT(client->errorText(), Catch::Contains("proxy closed"));
    }
    SECTION("that says nothing: the proxy's time, then") {
        CHECK(client->initDeadline() == at(40));
        CHECK(client->init(at(39.9)) == InitStatus::inProgress);
        CHECK(client->init(at(40)) == InitStatus::failed);
        CHECK_THAT(client->errorText(), Catch::Contains("proxy timeout") && Catch::Contains("127.0.0.1"));
    }
    SECTION("that takes its time: the server has all of its own") {
        peer.send(asBytes("HTTP/1.1 200 Connection established\r\n\r\n"));
        REQUIRE(readable(client->fd()));
        CHECK(client->init(at(39)) == InitStatus::inProgress);
        CHECK(client->initDeadline() == at(39) + c.initializationTimeout);
        CHECK(client->init(client->initDeadline()) == InitStatus::failed);
        CHECK_THAT(client->errorText(), Catch::Contains("initialization timeout"));
    }
}

TEST_CASE("a proxy is told the user's domain, a server another path", "[transport][websocket][proxy]") {
    RawListener proxy;
    ConnectOptions c = connectOptions(0);
    c.connectionType = ConnectionType::webSocket;
    c.webSocket.path = "/WebSocket/feed";
    c.proxy.host = "127.0.0.1";
    c.proxy.port = std::to_string(proxy.port());
    c.proxy.user = "me";
    c.proxy.domain = "OFFICE";
    auto client = open(c);
    REQUIRE(writable(client->fd()));
    RawSocket peer = proxy.accept();
    CHECK(client->init(at(0)) == InitStatus::inProgress);
    CHECK_THAT(readHead(peer), Catch::Contains("Proxy-Authorization: Basic T0ZGSUNFXG1lOg==\r\n"));  // OFFICE\me:
    {
        ConnectOptions nobody = c;  // a domain alone is no user
        nobody.proxy.user.clear();
        auto other = open(nobody);
        REQUIRE(writable(other->fd()));
        RawSocket at2 = proxy.accept();
        CHECK(other->init(at(0)) == InitStatus::inProgress);
        CHECK(readHead(at2).find("Proxy-Authorization") == std::string::npos);
    }
    peer.send(asBytes("HTTP/1.1 200 OK\r\n\r\n"));
    REQUIRE(readable(client->fd()));
    CHECK(client->init(at(0)) == InitStatus::inProgress);
    const std::string head = readHead(peer);
    CHECK(head.rfind("GET /WebSocket/feed HTTP/1.1\r\n", 0) == 0);
    CHECK(ws::parseUpgradeRequest(head).progress == ws::Progress::complete);  // our servers take it

    Refused refused;
    for (const char* path : {"WebSocket", "/a b", "/a\r\nX: y"}) {
        c.webSocket.path = path;
        CHECK(Channel::connect(c, at(0), refused) == nullptr);
        CHECK_THAT(refused.text, Catch::Contains("ObjectName"));
    }
}
