// Frames of WebSocket connections: captures, any cut, RIPC inside.
#include "rows.h"
#include "transport/channel/handshake.h"
#include "transport/channel/streams.h"
#include "transport/websocket/WebSocketReader.h"
#include "websocket_support.h"

using namespace transport_test;

namespace {

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
