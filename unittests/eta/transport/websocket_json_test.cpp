// WebSocket connections that carry JSON.
#include "rows.h"
#include "transport/channel/streams.h"
#include "transport/websocket/http_upgrade.h"
#include "transport/websocket/permessage_deflate.h"
#include "websocket_support.h"

using namespace transport_test;

namespace {

ByteVector maskedCapture(const std::string& name, std::size_t line) {
    return vectorLines(name).at(line);
}

}  // namespace

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
    SECTION("frames that came together are one call of the system") {
        ByteVector together;
        for (int i = 0; i < 20; ++i) {
            const ByteVector frame = wsFrame(0x81, R"([{"ID":7}])");
            together.insert(together.end(), frame.begin(), frame.end());
        }
        const std::uint64_t before = p.channel->counters().readCalls;
        p.raw.send(together);
        for (int i = 0; i < 20; ++i)
            CHECK(textOf(readMessage(*p.channel)) == R"([{"ID":7}])");
        CHECK(p.channel->counters().readCalls - before <= 3);
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
