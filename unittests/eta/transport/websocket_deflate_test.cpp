// permessage-deflate without history: no state between messages, bounds on what a client's message may become.
#include "transport/websocket/WebSocketReader.h"
#include "transport/websocket/permessage_deflate.h"
#include "websocket_support.h"

#include <array>
#include <string>

using namespace transport_test;

namespace {

using ws::MessageDeflater;
using ws::MessageInflater;

ByteVector deflated(MessageDeflater& deflater, const std::string& text) {
    Staging out;
    REQUIRE(deflater.deflate(asBytes(text), true, out));
    return {out.view().begin(), out.view().end()};
}

/// What a server's reader says to one compressed message.
ws::Event said(ws::Reader& reader, const ByteVector& message, Bytes& out) {
    const ByteVector frame = wsFrame(0xC1, asText(message));
    const std::span<std::byte> room = reader.space();
    REQUIRE(room.size() >= frame.size());
    std::memcpy(room.data(), frame.data(), frame.size());
    reader.added(frame.size());
    return reader.next(out);
}

}  // namespace

TEST_CASE("deflaters without history may take turns in the middle of messages", "[transport][websocket]") {
    const std::string one = R"({"ID":1,"Type":"Update","Fields":{"BID":12.5}})", two = R"({"ID":2,"Type":"Ping"})";
    std::array<MessageDeflater, 3> all;
    for (MessageDeflater& d : all)
        REQUIRE(d.start(6, true));
    MessageInflater inflater;
    REQUIRE(inflater.start(true));
    for (int i = 0; i < 3; ++i) {
        Staging first, text;
        REQUIRE(all[0].deflate(asBytes(one), false, first));
        const ByteVector whole = deflated(all[1], two), other = deflated(all[2], one);
        REQUIRE(all[0].deflate(asBytes(two), true, first));
        REQUIRE(inflater.inflate(first.view(), 1000, text) == MessageInflater::Outcome::ok);
        CHECK(asText(text.view()) == one + two);
        REQUIRE(inflater.inflate(whole, 1000, text) == MessageInflater::Outcome::ok);
        CHECK(asText(text.view()) == two);
        REQUIRE(inflater.inflate(other, 1000, text) == MessageInflater::Outcome::ok);
        CHECK(asText(text.view()) == one);
    }
}

TEST_CASE("nothing of another connection's messages can be referred to", "[transport][websocket]") {
    const std::string secret(200, 'q');
    MessageDeflater remembers;
    REQUIRE(remembers.start(6, false));
    const ByteVector first = deflated(remembers, "a secret: " + secret),
                     second = deflated(remembers, "a secret: " + secret);
    REQUIRE(second.size() < first.size());  // it refers to the first
    MessageInflater mine, other;
    REQUIRE(mine.start(true));
    REQUIRE(other.start(true));
    Staging text;
    REQUIRE(mine.inflate(first, 1000, text) == MessageInflater::Outcome::ok);
    CHECK(other.inflate(second, 1000, text) == MessageInflater::Outcome::damaged);
    CHECK(mine.inflate(second, 1000, text) == MessageInflater::Outcome::damaged);
    MessageInflater keeps;
    REQUIRE(keeps.start(false));
    REQUIRE(keeps.inflate(first, 1000, text) == MessageInflater::Outcome::ok);
    CHECK(keeps.inflate(second, 1000, text) == MessageInflater::Outcome::ok);
}

TEST_CASE("what a client's compressed message becomes is bounded", "[transport][websocket]") {
    MessageDeflater deflater;
    REQUIRE(deflater.start(9, true));
    Bytes out;
    const auto event = [&](std::size_t bytes) {
        ws::Reader reader(true, 16u << 20);
        reader.start(ws::Reader::Mode::message);
        REQUIRE(reader.inflate(true));
        const ws::Event e = said(reader, deflated(deflater, std::string(bytes, ' ')), out);
        if (e == ws::Event::failed) CHECK(reader.fault() == ws::Fault::tooBig);
        return e;
    };
    CHECK(event(ws::Reader::kAlwaysInflated) == ws::Event::message);
    CHECK(out.size() == ws::Reader::kAlwaysInflated);
    CHECK(event(ws::Reader::kAlwaysInflated + 1) == ws::Event::failed);  // far above 100 times
    CHECK(event(8u << 20) == ws::Event::failed);
}

TEST_CASE("a client has the history that it asks for, and a browser its own", "[transport][websocket]") {
    BindOptions b = bindOptions();
    b.compression = Compression::zlib;
    const JsonPeer browser = jsonPeer(b, "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n");
    CHECK_THAT(browser.head, Catch::Contains("permessage-deflate\r\n"));
    const JsonPeer asks = jsonPeer(b, "Sec-WebSocket-Extensions: permessage-deflate;server_no_context_takeover\r\n");
    CHECK_THAT(asks.head, Catch::Contains("permessage-deflate;server_no_context_takeover\r\n"));
}
