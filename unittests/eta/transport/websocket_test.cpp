// WebSocket connections: captures, both kinds of client on one port, JSON messages, closing, misbehaviour, proxies.
#include "rows.h"
#include "support/catch.hpp"
#include "transport/WebSocketReader.h"
#include "transport/handshake.h"
#include "transport/http_upgrade.h"
#include "transport/permessage_deflate.h"
#include "transport/streams.h"

using namespace transport_test;
namespace ws = emissary::eta::transport::ws;

namespace {

ByteVector text(std::string_view s) {
    const Bytes b = asBytes(s);
    return {b.begin(), b.end()};
}

std::string textOf(const ByteVector& b) {
    return std::string(asText(b));
}

constexpr std::string_view kKey = "dGhlIHNhbXBsZSBub25jZQ==";

std::string request(std::string_view protocols, std::string_view extra = {}) {
    return "GET /WebSocket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n"
           "Sec-WebSocket-Key: " +
           std::string(kKey) + "\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: " + std::string(protocols) +
           "\r\n" + std::string(extra) + "\r\n";
}

std::string readHead(RawSocket& raw) {
    std::string head;
    while (!head.ends_with("\r\n\r\n")) {
        const ByteVector b = raw.receive(1);
        if (b.empty()) break;
        head += textOf(b);
    }
    return head;
}

ByteVector wsFrame(int first, std::string_view payload, bool masked = true) {
    ByteVector f(ws::kMaxHeader + payload.size());
    const ws::Mask mask{0x12, 0x34, 0x56, 0x78};
    const std::size_t n =
        ws::writeHeader(f.data(), ws::Opcode::text, true, false, payload.size(), masked ? &mask : nullptr);
    f[0] = static_cast<std::byte>(first);
    const Bytes p = asBytes(payload);
    if (masked) ws::applyMask(f.data() + n, p.data(), p.size(), mask, 0);
    else std::copy(p.begin(), p.end(), f.data() + n);
    f.resize(n + payload.size());
    return f;
}

struct JsonPeer {
    std::unique_ptr<Server> server;
    std::unique_ptr<Channel> channel;
    RawSocket raw;
    std::string head;
};

/// A server channel that is active with a raw WebSocket client at the other end.
JsonPeer jsonPeer(const BindOptions& bind = bindOptions(), std::string_view extra = {},
                  std::string_view protocols = "tr_json2") {
    JsonPeer p;
    p.server = listen(bind);
    p.raw = RawSocket::connectTo(p.server->port());
    p.raw.send(asBytes(request(protocols, extra)));
    p.channel = acceptOne(*p.server);
    const InitStatus s = settle(*p.channel);
    INFO(p.channel->errorText());
    REQUIRE(s == InitStatus::active);
    p.head = readHead(p.raw);
    return p;
}

ByteVector maskedCapture(const std::string& name, std::size_t line) {
    return vectorLines(name).at(line);
}

struct Taken {
    std::vector<ByteVector> messages;
    std::vector<ByteVector> pings;
    bool closed = false;
    std::uint16_t status = 0;
    ws::Fault fault = ws::Fault::none;
};

Taken takeAll(ws::Reader& reader, Bytes wire, std::size_t step) {
    Taken t;
    while (!wire.empty() && t.fault == ws::Fault::none && !t.closed) {
        const auto room = reader.space();
        const std::size_t n = std::min({step, wire.size(), room.size()});
        std::copy_n(wire.begin(), n, room.begin());
        reader.added(n);
        wire = wire.subspan(n);
        for (bool more = true; more;) {
            Bytes out;
            switch (reader.next(out)) {
            case ws::Event::needMore:
                more = false;
                break;
            case ws::Event::data:
                if (t.messages.empty()) t.messages.emplace_back();
                t.messages.back().insert(t.messages.back().end(), out.begin(), out.end());
                break;
            case ws::Event::message:
                t.messages.emplace_back(out.begin(), out.end());
                break;
            case ws::Event::ping:
                t.pings.emplace_back(out.begin(), out.end());
                break;
            case ws::Event::pong:
                break;
            case ws::Event::close:
                t.closed = true;
                t.status = reader.closeStatus();
                more = false;
                break;
            case ws::Event::failed:
                t.fault = reader.fault();
                more = false;
                break;
            }
        }
    }
    return t;
}

}  // namespace

TEST_CASE("captured WebSocket traffic of an existing implementation is understood", "[transport][websocket]") {
    const std::size_t step = GENERATE(std::size_t{1}, std::size_t{5}, std::size_t{100000});
    SECTION("JSON from a client, masked") {
        ws::Reader r(true, 1u << 20);
        r.start(ws::Reader::Mode::message);
        const Taken t = takeAll(r, concat(vectorLines("ws_json_client_frames")), step);
        REQUIRE(t.messages.size() == 3);
        CHECK(textOf(t.messages[0]).front() == '[');
        CHECK(t.closed);
        CHECK(t.status == 1000);
    }
    SECTION("JSON from a server") {
        ws::Reader r(false, 1u << 20);
        r.start(ws::Reader::Mode::message);
        const Taken t = takeAll(r, concat(vectorLines("ws_json_server_frames")), step);
        REQUIRE_FALSE(t.messages.empty());
        CHECK(textOf(t.messages[0]) == R"([{"ID":1}])");
        CHECK(t.closed);
    }
    SECTION("a message in two frames") {
        ws::Reader r(false, 1u << 20);
        r.start(ws::Reader::Mode::message);
        const Taken t = takeAll(r, concat(vectorLines("ws_json_fragmented_server")), step);
        REQUIRE(t.messages.size() == 1);
        CHECK(t.messages[0] == concat({text("["), pattern(250), text("]")}));
        CHECK(t.status == 1001);
    }
    SECTION("deflated messages of both sides") {
        for (const bool client : {true, false}) {
            ws::Reader r(client, 1u << 20);
            r.start(ws::Reader::Mode::message);
            REQUIRE(r.inflate());
            const Taken t = takeAll(
                r, concat(vectorLines(client ? "ws_json_deflate_client_frames" : "ws_json_deflate_server_frames")),
                step);
            REQUIRE(t.messages.size() >= 3);
            CHECK(textOf(t.messages[0]) == R"([{"ID":1}])");
            CHECK(t.messages[1] == t.messages[2]);
            CHECK(t.closed);
        }
    }
    SECTION("RIPC inside") {
        ws::Reader r(true, 1u << 20);
        r.start(ws::Reader::Mode::stream);
        const Taken t = takeAll(r, concat(vectorLines("ws_rwf_client_frames")), step);
        REQUIRE(t.messages.size() == 1);
        const auto parsed = parseRequest(t.messages[0]);
        CHECK(parsed.kind == Parsed<ConnectionRequest>::Kind::ok);
        CHECK(parsed.consumed == 50);
        CHECK(loadBe<std::uint16_t>(t.messages[0].data()) == 50);
        CHECK(t.closed);
    }
}

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
        {edited("Host: x\r\n", "A: " + std::string(33000, 'x') + "\r\n"), 413, "32768"},
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

TEST_CASE("a JSON connection carries the bytes of the captures", "[transport][websocket]") {
    JsonPeer p = jsonPeer();
    CHECK_THAT(p.head, Catch::Contains("101 Switching Protocols") && Catch::Contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="));
    CHECK(int{p.channel->info().protocolType} == kProtocolJson);
    CHECK(p.channel->info().connectionType == ConnectionType::webSocket);
    CHECK(p.channel->info().ripcVersion == 0);
    REQUIRE(p.channel->write(text(R"({"ID":1})")).ok());
    REQUIRE(p.channel->flush());
    CHECK(toHex(p.raw.receive(12)) == "810a5b7b224944223a317d5d");
    SECTION("arrays, single objects and binary frames are accepted") {
        p.raw.send(wsFrame(0x81, R"([{"ID":2}])"));
        CHECK(textOf(readMessage(*p.channel)) == R"([{"ID":2}])");
        p.raw.send(wsFrame(0x81, R"({"ID":3})"));
        CHECK(textOf(readMessage(*p.channel)) == R"({"ID":3})");
        p.raw.send(wsFrame(0x82, R"({"ID":4})"));
        CHECK(textOf(readMessage(*p.channel)) == R"({"ID":4})");
    }
    SECTION("the ping asks whatever else is sent, and is 17 bytes") {
        p.channel->pingIfIdle(at(21));
        CHECK(toHex(p.raw.receive(19)) == "81115b7b2254797065223a2250696e67227d5d");
        REQUIRE(p.channel->write(text("{}")).ok());
        REQUIRE(p.channel->flush());
        p.channel->pingIfIdle(at(30));
        CHECK(p.channel->counters().pingsWritten == 1);
        p.channel->pingIfIdle(at(42));
        CHECK(p.channel->counters().pingsWritten == 2);
    }
    SECTION("WebSocket pings are answered with their payload") {
        p.raw.send(wsFrame(0x89, "hi"));
        REQUIRE(readable(p.channel->fd()));
        CHECK(p.channel->read().kind == ReadResult::Kind::ping);
        CHECK(toHex(p.raw.receive(4)) == "8a026869");
        p.raw.send(wsFrame(0x8A, "unasked"));
        REQUIRE(readable(p.channel->fd()));
        CHECK(p.channel->read().kind == ReadResult::Kind::ping);
    }
    SECTION("half a frame is nothing to come back for before more arrives") {
        const ByteVector whole = wsFrame(0x81, R"([{"ID":6}])");
        p.raw.send(Bytes(whole).first(9));
        REQUIRE(readable(p.channel->fd()));
        const ReadResult half = p.channel->read();
        CHECK(half.kind == ReadResult::Kind::wouldBlock);
        CHECK_FALSE(half.more);
        p.raw.send(Bytes(whole).subspan(9));
        CHECK(textOf(readMessage(*p.channel)) == R"([{"ID":6}])");
        CHECK_FALSE(p.channel->read().more);
    }
    SECTION("control frames between the parts of a message") {
        p.raw.send(concat({wsFrame(0x01, "[{\"ID\""), wsFrame(0x89, ""), wsFrame(0x80, ":5}]")}));
        ByteVector m;
        while (m.empty()) {
            const ReadResult r = readWait(*p.channel);
            REQUIRE(r.kind != ReadResult::Kind::closed);
            if (r.kind == ReadResult::Kind::message) m.assign(r.message.begin(), r.message.end());
        }
        CHECK(textOf(m) == R"([{"ID":5}])");
        CHECK(toHex(p.raw.receive(2)) == "8a00");
    }
    SECTION("a close is answered in kind") {
        p.raw.send(wsFrame(0x88, std::string("\x03\xE8", 2) + "Normal Closure"));
        CHECK(readWait(*p.channel).kind == ReadResult::Kind::closed);
        CHECK_THAT(p.channel->errorText(), Catch::Contains("closed by peer (WebSocket 1000 Normal Closure)"));
        CHECK(toHex(p.raw.receive(4)) == "880203e8");
        p.channel->close();
        CHECK(p.raw.closedByPeer());
    }
    SECTION("closing says 1000") {
        p.channel->close();
        CHECK(toHex(p.raw.receive(18)) == "881003e8" + toHex(text("Normal Closure")));
        CHECK(p.raw.closedByPeer());
    }
    SECTION("an end without a close frame") {
        p.raw.close();
        CHECK(readWait(*p.channel).kind == ReadResult::Kind::closed);
        CHECK_THAT(p.channel->errorText(), Catch::Contains("closed by peer"));
    }
}

TEST_CASE("large JSON messages go out in frames of the limit", "[transport][websocket]") {
    BindOptions b = bindOptions();
    b.maxFragmentSize = 200;
    JsonPeer p = jsonPeer(b);
    REQUIRE(p.channel->write(pattern(1000)).ok());
    REQUIRE(p.channel->flush());
    ByteVector all;
    for (bool fin = false, first = true; !fin; first = false) {
        const ByteVector head = p.raw.receive(2);
        REQUIRE(head.size() == 2);
        CHECK((std::to_integer<int>(head[0]) & 0x0F) == (first ? 1 : 0));
        fin = (std::to_integer<int>(head[0]) & 0x80) != 0;
        std::size_t n = std::to_integer<std::size_t>(head[1]);
        if (n == 126) n = loadBe<std::uint16_t>(p.raw.receive(2).data());
        CHECK(n <= 203);
        const ByteVector part = p.raw.receive(n);
        all.insert(all.end(), part.begin(), part.end());
    }
    CHECK(all == concat({text("["), pattern(1000), text("]")}));
}

TEST_CASE("JSON frames may be larger than what RIPC can announce", "[transport][websocket]") {
    BindOptions b = bindOptions();
    struct Agreed {
        std::uint32_t told, reserved;
        bool operator==(const Agreed&) const = default;
    };
    const auto agreed = [&](const char* protocol) {
        ConnectOptions c = connectOptions(0);
        c.connectionType = ConnectionType::webSocket;
        c.webSocket.protocols = protocol;
        const Pair p = makePair(b, c);
        CHECK(p.accepted->reserve(p.accepted->maxFragmentSize() + 2).size() == p.accepted->maxFragmentSize() + 2);
        CHECK(p.accepted->reserve(p.accepted->maxFragmentSize() + 3).empty());
        return Agreed{p.accepted->info().maxFragmentSize, p.accepted->maxFragmentSize()};
    };
    b.maxFragmentSize = 1'000'000;
    CHECK(agreed("tr_json2") == Agreed{999'998, 65530});  // the output queue's frames end there
    CHECK(agreed("rssl.rwf") == Agreed{6142, 6142});
    b.maxFragmentSize = 6'291'456;
    CHECK(agreed("tr_json2") == Agreed{6'291'454, 65530});
    CHECK(agreed("rssl.rwf") == Agreed{6142, 6142});
    b.maxFragmentSize = 6'291'457;  // outside the range of either
    CHECK(agreed("tr_json2") == Agreed{6142, 6142});
    CHECK(agreed("rssl.rwf") == Agreed{6142, 6142});
    b.maxFragmentSize = 65'535;
    CHECK(agreed("tr_json2") == Agreed{65'533, 65'530});
    CHECK(agreed("rssl.rwf") == Agreed{65'530, 65'530});
    b.maxFragmentSize = 20'000;
    CHECK(agreed("tr_json2") == Agreed{19'998, 19'998});
}

TEST_CASE("a JSON client that is not wanted gets the words", "[transport][websocket]") {
    auto server = listen(bindOptions());
    RawSocket raw = RawSocket::connectTo(server->port());
    auto accepted = acceptOne(*server);
    accepted->refuse("Not today.");
    raw.send(asBytes(request("tr_json2")));
    CHECK(settle(*accepted) == InitStatus::failed);
    CHECK(accepted->refused());
    CHECK(server->counters().naksSent == 1);
    const std::string head = readHead(raw);
    CHECK_THAT(head, Catch::StartsWith("HTTP/1.1 403 Forbidden\r\n") && Catch::Contains("text/plain") &&
                         Catch::Contains("Content-Length: 10\r\n"));
    CHECK(textOf(raw.receive(10)) == "Not today.");
    CHECK(raw.closedByPeer());
    const auto answer = [](const std::string& s) { return ws::parseUpgradeAnswer(s, kKey, "tr_json2", false); };
    const std::string whole = ws::refusal(403, "line\none");
    for (std::size_t n = 0; n < whole.size(); ++n)
        REQUIRE(answer(whole.substr(0, n)).progress == ws::Progress::needMore);
    CHECK(answer(whole).refused);
    CHECK(answer(whole).reason == "refused: line one");
    CHECK_FALSE(answer(ws::refusal(403)).refused);
    CHECK(answer(ws::refusal(403, std::string(5000, 'x'))).reason.size() < 1100);
}

TEST_CASE("deflated JSON is what the captures show", "[transport][websocket]") {
    BindOptions b = bindOptions();
    b.compression = Compression::zlib;
    JsonPeer p = jsonPeer(b, "Sec-WebSocket-Extensions: permessage-deflate;server_no_context_takeover\r\n", "tr_json2");
    CHECK_THAT(p.head, Catch::Contains("permessage-deflate;server_no_context_takeover\r\n"));
    CHECK(p.channel->info().compression == Compression::zlib);
    for (int i = 0; i < 2; ++i) {  // no history: equal messages give equal bytes
        REQUIRE(p.channel->write(text(R"({"ID":1})")).ok());
        REQUIRE(p.channel->flush());
        CHECK(toHex(p.raw.receive(14)) == "c10c8aae56f27451b232ac8d0500");
    }
    p.raw.send(maskedCapture("ws_json_deflate_client_frames", 0));
    CHECK(textOf(readMessage(*p.channel)) == R"([{"ID":1}])");
    SECTION("a bomb is refused") {
        BindOptions small = b;
        small.webSocket.maxReceivedBytes = 10000;
        JsonPeer q = jsonPeer(small, "Sec-WebSocket-Extensions: permessage-deflate\r\n");
        ws::MessageDeflater deflater;
        REQUIRE(deflater.start(9, false));
        Staging out;
        REQUIRE(deflater.deflate(ByteVector(1u << 20, std::byte{' '}), true, out));
        REQUIRE(out.size() < 2000);
        q.raw.send(wsFrame(0xC1, asText(out.view())));
        CHECK(readWait(*q.channel).kind == ReadResult::Kind::closed);
        CHECK_THAT(q.channel->errorText(), Catch::Contains("above the receive limit"));
        CHECK(toHex(q.raw.receive(4)).substr(4) == "03f1");  // 1009
    }
    SECTION("without zlib the offer is left unanswered") {
        JsonPeer q = jsonPeer(bindOptions(), "Sec-WebSocket-Extensions: permessage-deflate\r\n");
        CHECK(q.head.find("Extensions") == std::string::npos);
    }
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

TEST_CASE("the last byte of a frame is not forgotten when the caller's buffer was full", "[transport][websocket]") {
    SECTION("of the stream") {
        ws::Reader reader(false, 1000);
        reader.start(ws::Reader::Mode::stream);
        const ByteVector f = wsFrame(0x82, "0123456789", false);
        std::copy(f.begin(), f.end(), reader.space().begin());
        reader.added(f.size());
        Bytes out;
        REQUIRE(reader.next(out, 9) == ws::Event::data);
        CHECK(reader.more());
        REQUIRE(reader.next(out, 9) == ws::Event::data);
        CHECK(asText(out) == "9");
        CHECK_FALSE(reader.more());
    }
    SECTION("of a channel that is read as long as it says more") {
        BindOptions b = bindOptions();
        b.guaranteedOutputBuffers = 100;
        ConnectOptions c = connectOptions(0);
        c.connectionType = ConnectionType::webSocket;
        c.webSocket.protocols = "rssl.rwf";
        b.maxFragmentSize = 6146;
        b.sysSendBufSize = c.sysRecvBufSize = 1u << 20;                           // everything waits in the socket
        const auto last = static_cast<std::size_t>(GENERATE(range(4062, 4067)));  // 4064: one byte more than fits
        INFO("last " << last);
        Pair p = makePair(b, c);
        std::vector<ByteVector> sent(20, pattern(6144));
        sent.push_back(pattern(last));
        for (const ByteVector& m : sent)
            REQUIRE(p.accepted->write(m).ok());
        REQUIRE(flushWait(*p.accepted));
        std::size_t got = 0;
        while (got < sent.size() && readable(p.client->fd(), 500)) {
            for (bool more = true; more;) {
                const ReadResult r = p.client->read();
                REQUIRE(r.kind != ReadResult::Kind::closed);
                got += r.kind == ReadResult::Kind::message;
                more = r.more;
            }
        }
        CHECK(got == sent.size());
    }
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

TEST_CASE("RIPC frames leave in WebSocket frames one by one, and come back in any cut", "[transport][websocket]") {
    JsonPeer p;
    p.server = listen(bindOptions());
    p.raw = RawSocket::connectTo(p.server->port());
    p.raw.send(asBytes(request("rssl.rwf")));
    p.channel = acceptOne(*p.server);
    while (p.channel->init(at(0)) == InitStatus::inProgress && !readable(p.raw.fd(), 1)) {}
    CHECK_THAT(readHead(p.raw), Catch::Contains("rssl.rwf"));
    ConnectionRequest r;
    r.hostName = "raw";
    // The request in two WebSocket frames of one fragmented message.
    const ByteVector bytes = encodeRequest(r);
    const std::string whole = textOf(bytes);
    p.raw.send(concat({wsFrame(0x02, whole.substr(0, 10)), wsFrame(0x80, whole.substr(10))}));
    REQUIRE(settle(*p.channel) == InitStatus::active);
    const ByteVector head = p.raw.receive(2);
    CHECK(std::to_integer<int>(head.at(0)) == 0x82);
    const ByteVector ack = p.raw.receive(std::to_integer<std::size_t>(head.at(1)));
    CHECK(parseAck(ack, false).kind == Parsed<ConnectionAck>::Kind::ok);
    REQUIRE(p.channel->write(text("ABCDE")).ok());
    REQUIRE(p.channel->write(text("FG")).ok());
    p.channel->pingIfIdle(at(0));
    REQUIRE(p.channel->flush());
    CHECK(toHex(p.raw.receive(17)) == "8208"
                                      "0008024142434445"
                                      "8205"
                                      "0005024647");
    const std::string two("\x00\x06\x02xyz\x00\x05\x02vw", 11);
    p.raw.send(concat({wsFrame(0x82, two.substr(0, 4)), wsFrame(0x82, two.substr(4))}));
    CHECK(readMessage(*p.channel) == text("xyz"));
    CHECK(readMessage(*p.channel) == text("vw"));
    SECTION("a pong is a sign of life") {
        CHECK_FALSE(p.channel->pingExpired(at(1)));  // takes note of what was read so far
        p.raw.send(wsFrame(0x8A, ""));
        REQUIRE(readable(p.channel->fd()));
        CHECK(p.channel->read().kind == ReadResult::Kind::wouldBlock);
        CHECK_FALSE(p.channel->pingExpired(at(50)));
        CHECK_FALSE(p.channel->pingExpired(at(109)));
        CHECK(p.channel->pingExpired(at(111)));
    }
    SECTION("text is refused with 1003") {
        p.raw.send(wsFrame(0x81, "{}"));
        CHECK(readWait(*p.channel).kind == ReadResult::Kind::closed);
        CHECK(toHex(p.raw.receive(4)).substr(4) == "03eb");
    }
    SECTION("a message before the close is delivered") {
        p.raw.send(concat({wsFrame(0x82, std::string("\x00\x04\x02z", 4)), wsFrame(0x88, "")}));
        CHECK(readMessage(*p.channel) == text("z"));
        CHECK(readWait(*p.channel).kind == ReadResult::Kind::closed);
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
