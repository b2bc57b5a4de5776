// JSON messages that leave in several fragments of the output queue: how they fill WebSocket frames, what control
// frames do meanwhile, and that large frames arrive.
#include "eta/transport/OutputQueue.h"
#include "transport/websocket/WebSocketReader.h"
#include "transport/websocket/WebSocketStream.h"
#include "transport/websocket/permessage_deflate.h"
#include "websocket_support.h"

#include <random>

#include <sys/socket.h>

using namespace transport_test;

namespace {

/// What lies below the stream: takes as many bytes as it is allowed to, and yields what the test puts in.
struct Wire {
    ByteVector in, out;
    std::size_t allowance = SIZE_MAX;  ///< bytes that it takes until it would block
    bool closed = false;
};

class WireStream final : public ByteStream {
public:
    explicit WireStream(Wire& wire) : wire_(wire) {}
    IoResult handshake() noexcept override { return {}; }
    IoResult receive(std::span<std::byte> into) noexcept override {
        const std::size_t n = std::min(into.size(), wire_.in.size());
        if (n == 0) return {IoResult::Kind::wouldBlock, 0, 0};
        std::copy_n(wire_.in.begin(), n, into.begin());
        wire_.in.erase(wire_.in.begin(), wire_.in.begin() + static_cast<std::ptrdiff_t>(n));
        return {IoResult::Kind::ok, n, 0};
    }
    IoResult send(std::span<const iovec> parts) noexcept override {
        std::size_t taken = 0;
        for (const iovec& part : parts) {
            const auto* const from = static_cast<const std::byte*>(part.iov_base);
            const std::size_t n = std::min(part.iov_len, wire_.allowance);
            wire_.out.insert(wire_.out.end(), from, from + n);
            wire_.allowance -= n;
            taken += n;
        }
        if (taken == 0 && !parts.empty()) return {IoResult::Kind::wouldBlock, 0, 0};
        return {IoResult::Kind::ok, taken, 0};
    }
    void shutdown() noexcept override {}
    void close() noexcept override { wire_.closed = true; }
    int fd() const noexcept override { return 0; }

private:
    Wire& wire_;
};

struct Sent {
    int first = 0;  ///< FIN, RSV and opcode
    ByteVector payload;
};

struct WireFrames {
    std::vector<Sent> frames;
    ByteVector rest;  ///< of a frame that is not complete

    [[nodiscard]] std::vector<std::size_t> lengths() const {
        std::vector<std::size_t> all;
        for (const Sent& f : frames)
            all.push_back(f.payload.size());
        return all;
    }
    [[nodiscard]] std::vector<int> firsts() const {
        std::vector<int> all;
        for (const Sent& f : frames)
            all.push_back(f.first);
        return all;
    }
    /// The payload of all data frames.
    [[nodiscard]] ByteVector data() const {
        ByteVector all;
        for (const Sent& f : frames)
            if ((f.first & 8) == 0) all.insert(all.end(), f.payload.begin(), f.payload.end());
        return all;
    }
};

WireFrames parse(Bytes wire, bool fromClient) {
    WireFrames p;
    while (!wire.empty()) {
        ws::Header h;
        REQUIRE(ws::parseHeader(wire, fromClient, true, h) == ws::Fault::none);
        if (h.size == 0 || wire.size() - h.size < h.length) break;
        Sent f;
        f.first = std::to_integer<int>(wire[0]);
        f.payload.resize(static_cast<std::size_t>(h.length));
        if (fromClient) ws::applyMask(f.payload.data(), wire.data() + h.size, f.payload.size(), h.mask, 0);
        else std::copy_n(wire.begin() + static_cast<std::ptrdiff_t>(h.size), f.payload.size(), f.payload.begin());
        wire = wire.subspan(h.size + f.payload.size());
        p.frames.push_back(std::move(f));
    }
    p.rest.assign(wire.begin(), wire.end());
    return p;
}

/// One end of a JSON connection whose output is a channel's queue.
struct End {
    End(bool server, std::size_t limit, bool deflate = false) : isServer(server) {
        WebSocketStream::Settings s;
        s.server = server;
        s.deflate = deflate;
        s.frameBytes = limit;
        s.host = "h";
        s.port = "1";
        s.options.protocols = "tr_json2";
        const std::string asked = ws::upgradeRequest("h", "1", {}, kKey, "tr_json2", deflate);
        stream = std::make_unique<WebSocketStream>(std::make_unique<WireStream>(wire), std::move(s),
                                                   server ? asBytes(asked) : Bytes{});
        if (!server) {
            REQUIRE(stream->handshake().kind == IoResult::Kind::wouldBlock);
            const ws::UpgradeRequest r = ws::parseUpgradeRequest(asText(wire.out));
            REQUIRE(r.progress == ws::Progress::complete);
            say(asBytes(ws::acceptAnswer(r.key, "tr_json2", r.deflate)));
        }
        REQUIRE(stream->handshake().kind == IoResult::Kind::ok);
        REQUIRE(stream->messageSource() != nullptr);
        wire.out.clear();
        limitOfQueue = stream->describe(info);
        queue.activate(limitOfQueue, 2, 64u << 20);
    }
    void say(Bytes bytes) { wire.in.insert(wire.in.end(), bytes.begin(), bytes.end()); }
    void sayControl(int first, std::string_view payload) {
        ByteVector f(ws::kMaxHeader + payload.size());
        const ws::Mask mask{1, 2, 3, 4};
        const std::size_t n =
            ws::writeHeader(f.data(), ws::Opcode::ping, true, false, payload.size(), isServer ? &mask : nullptr);
        f[0] = static_cast<std::byte>(first);
        const Bytes p = asBytes(payload);
        if (isServer) ws::applyMask(f.data() + n, p.data(), p.size(), mask, 0);
        else std::copy(p.begin(), p.end(), f.begin() + static_cast<std::ptrdiff_t>(n));
        f.resize(n + payload.size());
        say(f);
    }
    MessageSource::Event read() {
        Bytes message;
        return stream->messageSource()->next(message);
    }
    void write(Bytes message) {
        if (message.size() > limitOfQueue) {
            REQUIRE(queue.pushFragmented(message));
            return;
        }
        const auto room = queue.reserve(message.size());
        REQUIRE(room.size() == message.size());
        std::copy(message.begin(), message.end(), room.begin());
        REQUIRE(queue.commit(message.size(), frame::kData, 1));
    }
    /// Sends until `bytes` went; true when nothing is left.
    bool flush(std::size_t bytes = SIZE_MAX) {
        wire.allowance = bytes;
        OutputQueue::Gather parts;
        for (;;) {
            const std::size_t n = queue.gather(parts);
            if (n == 0 && stream->held() == 0) return true;
            std::size_t total = 0;
            for (std::size_t k = 0; k < n; ++k)
                total += parts[k].iov_len;
            const IoResult io = stream->send({parts.data(), n});
            REQUIRE(io.kind != IoResult::Kind::error);
            queue.sent(io.bytes);
            if (io.bytes < total || stream->held() != 0) return false;
        }
    }
    [[nodiscard]] WireFrames sent() const { return parse(wire.out, !isServer); }

    bool isServer;
    Wire wire;
    ChannelInfo info;
    std::unique_ptr<WebSocketStream> stream;
    OutputQueue queue;
    std::size_t limitOfQueue = 0;
};

ByteVector wrapped(const ByteVector& message) {
    return concat({{std::byte{'['}}, message, {std::byte{']'}}});
}

/// Text that does not compress much.
ByteVector noise(std::size_t bytes) {
    std::mt19937 random(7);
    ByteVector out(bytes);
    for (std::byte& b : out)
        b = static_cast<std::byte>('0' + random() % 64);
    return out;
}

/// Frames of `limit` + 3 bytes and the rest.
std::vector<std::size_t> expectedLengths(std::size_t text, std::size_t limit) {
    std::vector<std::size_t> all;
    for (; text > limit + 3; text -= limit + 3)
        all.push_back(limit + 3);
    all.push_back(text);
    return all;
}

}  // namespace

TEST_CASE("a message in several frames is cut as the captures show", "[transport][websocket]") {
    End end(true, 200);
    end.write(pattern(250));
    REQUIRE(end.flush());
    const auto lines = vectorLines("ws_json_fragmented_server");
    CHECK(toHex(end.wire.out) == toHex(concat({lines.at(0), lines.at(1)})));
}

TEST_CASE("JSON frames are filled to their limit", "[transport][websocket]") {
    const bool server = GENERATE(true, false);
    const auto limit = GENERATE(std::size_t{64}, std::size_t{200}, std::size_t{65'531}, std::size_t{65'532},
                                std::size_t{65'533}, std::size_t{70'000}, std::size_t{131'075}, std::size_t{1'000'000});
    INFO((server ? "server" : "client") << ", limit " << limit);
    End end(server, limit);
    CHECK(end.limitOfQueue == std::min<std::size_t>(limit, frame::kMaxBody));
    CHECK(end.info.maxFragmentSize == limit - 2);
    // One byte below, at and above what fits one frame and three; and a little more than the queue takes at once.
    const std::size_t most = limit + 3 - 2;
    for (const std::size_t n : {limit - 1, limit, most - 1, most, most + 1, most + 2, 3 * (limit + 3) - 3,
                                3 * (limit + 3) - 2, 3 * (limit + 3) - 1, std::size_t{65'533}}) {
        INFO("message of " << n);
        const ByteVector message = pattern(n);
        end.wire.out.clear();
        end.write(message);
        REQUIRE(end.flush());
        const WireFrames p = end.sent();
        CHECK(p.rest.empty());
        CHECK(p.lengths() == expectedLengths(n + 2, limit));
        std::vector<int> firsts(p.frames.size(), 0x00);
        firsts.front() |= 0x01;
        firsts.back() |= 0x80;
        CHECK(p.firsts() == firsts);
        CHECK((p.data() == wrapped(message)));
    }
}

TEST_CASE("the largest limit, and limits beyond", "[transport][websocket]") {
    End end(true, 100'000'000);
    CHECK(end.info.maxFragmentSize == 6'291'454);
    const ByteVector message = noise(6'291'457);
    end.write(message);
    REQUIRE(end.flush());
    WireFrames p = end.sent();
    CHECK(p.lengths() == std::vector<std::size_t>{6'291'459});
    CHECK(toHex(Bytes(end.wire.out).first(10)) == "817f0000000000600003");
    CHECK((p.data() == wrapped(message)));
    End small(true, 3);
    CHECK(small.info.maxFragmentSize == 62);
    CHECK(small.limitOfQueue == 64);
}

TEST_CASE("deflated JSON frames are filled to their limit too", "[transport][websocket]") {
    const bool server = GENERATE(true, false);
    const auto limit = GENERATE(std::size_t{64}, std::size_t{70'000}, std::size_t{1'000'000});
    INFO((server ? "server" : "client") << ", limit " << limit);
    End end(server, limit, true);
    CHECK(end.info.compression == Compression::zlib);
    ws::MessageInflater inflater;
    REQUIRE(inflater.start());
    for (const std::size_t n : {limit, 4 * limit}) {
        const ByteVector message = noise(n);
        end.wire.out.clear();
        end.write(message);
        end.sayControl(0x89, "now");
        REQUIRE(end.flush());
        CHECK(end.read() == MessageSource::Event::ping);  // no deflated frame stays open: said at once
        WireFrames p = end.sent();
        REQUIRE(p.frames.size() >= 2);
        CHECK(textOf(p.frames.back().payload) == "now");
        p.frames.pop_back();
        const ByteVector deflated = p.data();
        CHECK(p.lengths() == expectedLengths(deflated.size(), limit));
        for (std::size_t i = 0; i < p.frames.size(); ++i)
            CHECK(p.frames[i].first == ((i == 0 ? 0x41 : 0) | (i + 1 == p.frames.size() ? 0x80 : 0)));
        Staging text;
        REQUIRE(inflater.inflate(deflated, 16u << 20, text) == ws::MessageInflater::Outcome::ok);
        const Bytes all = text.view();
        CHECK((ByteVector(all.begin(), all.end()) == wrapped(message)));
    }
}

TEST_CASE("a pong waits for the end of the frame that is open", "[transport][websocket]") {
    const bool server = GENERATE(true, false);
    const auto limit = GENERATE(std::size_t{150'000}, std::size_t{1'000'000});
    const auto first = GENERATE(std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{40'000});
    INFO((server ? "server" : "client") << ", limit " << limit << ", interrupted after " << first);
    End end(server, limit);
    const ByteVector message = noise(400'000);
    end.write(message);
    end.write(pattern(10));
    REQUIRE_FALSE(end.flush(first));
    for (const char* ping : {"one", "two", "the last"}) {
        end.sayControl(0x89, ping);
        CHECK(end.read() == MessageSource::Event::ping);
    }
    CHECK(end.wire.out.size() == first);
    bool done = false;
    for (std::size_t i = 0; i < 1000 && !done; ++i)
        done = end.flush(1 + i * 997 % 9973);
    REQUIRE(done);
    const WireFrames p = end.sent();
    CHECK(p.rest.empty());
    std::vector<int> expected{limit > message.size() ? 0x81 : 0x01, 0x8A};
    if (limit < message.size()) expected.insert(expected.end(), {0x00, 0x80});
    expected.push_back(0x81);
    CHECK(p.firsts() == expected);
    REQUIRE((p.frames.size() > 1 && p.frames[1].first == 0x8A));
    CHECK(textOf(p.frames[1].payload) == "the last");
    CHECK((p.data() == concat({wrapped(message), wrapped(pattern(10))})));
    // Between messages it is said at once, and only once.
    end.wire.out.clear();
    end.wire.allowance = SIZE_MAX;
    end.sayControl(0x89, "again");
    CHECK(end.read() == MessageSource::Event::ping);
    CHECK(end.sent().firsts() == std::vector<int>{0x8A});
    end.write(message);
    REQUIRE(end.flush());
    CHECK((end.sent().data() == wrapped(message)));
    CHECK(end.sent().frames.size() == 1 + expectedLengths(message.size() + 2, limit).size());
}

TEST_CASE("pings between all the parts of a message", "[transport][websocket]") {
    const bool server = GENERATE(true, false);
    std::mt19937 random(GENERATE(1u, 2u, 3u, 4u, 5u));
    const auto limit = GENERATE(std::size_t{5000}, std::size_t{100'000}, std::size_t{300'000});
    End end(server, limit);
    std::vector<ByteVector> messages;
    for (int i = 0; i < 6; ++i) {
        messages.push_back(noise(1 + random() % 500'000));
        end.write(messages.back());
    }
    ws::Reader reader(!server, 1u << 20);
    reader.start(ws::Reader::Mode::message);
    std::string lastPing;
    std::size_t got = 0, pongs = 0, pings = 0;
    for (bool done = false; !done;) {
        done = end.flush(random() % 40'000);
        if (!done && random() % 2 == 0) {
            lastPing = std::to_string(++pings);
            end.sayControl(0x89, lastPing);
            REQUIRE(end.read() == MessageSource::Event::ping);
        }
        if (done) REQUIRE(end.flush());
        for (Bytes wire = end.wire.out; !wire.empty();) {
            const auto room = reader.space();
            const std::size_t n = std::min(wire.size(), room.size());
            std::copy_n(wire.begin(), n, room.begin());
            reader.added(n);
            wire = wire.subspan(n);
            Bytes out;
            for (ws::Event e; (e = reader.next(out)) != ws::Event::needMore;) {
                if (e == ws::Event::pong) {
                    ++pongs;
                } else {
                    REQUIRE(e == ws::Event::message);
                    REQUIRE(got < messages.size());
                    CHECK((ByteVector(out.begin(), out.end()) == wrapped(messages[got])));
                    ++got;
                }
            }
        }
        end.wire.out.clear();
    }
    CHECK(got == messages.size());
    CHECK(pings > 0);
    CHECK(pongs > 0);
    CHECK(pongs <= pings);
}

TEST_CASE("a close while a frame is open", "[transport][websocket]") {
    const bool server = GENERATE(true, false);
    INFO((server ? "server" : "client"));
    End end(server, 150'000);
    const ByteVector message = noise(400'000);  // three frames
    end.write(message);
    end.write(pattern(10));
    REQUIRE_FALSE(end.flush(1000));
    end.sayControl(0x89, "ping");
    CHECK(end.read() == MessageSource::Event::ping);
    SECTION("of the peer is answered behind it, and nothing follows") {
        end.sayControl(0x88, std::string("\x03\xE9", 2) + "bye");
        CHECK(end.read() == MessageSource::Event::ended);
        CHECK(end.wire.out.size() == 1000);
        REQUIRE(end.flush());
        const WireFrames p = end.sent();
        CHECK(p.rest.empty());
        REQUIRE(p.firsts() == std::vector<int>{0x01, 0x88});  // instead of the pong
        CHECK(toHex(p.frames.back().payload) == "03e9");
        CHECK((p.data() == concat({{std::byte{'['}}, ByteVector(message.begin(), message.begin() + 150'002)})));
    }
    SECTION("because of a fault of the peer says why behind it") {
        end.sayControl(0x83, "x");
        CHECK(end.read() == MessageSource::Event::failed);
        REQUIRE(end.flush());
        const WireFrames p = end.sent();
        CHECK(p.rest.empty());
        REQUIRE(p.firsts() == std::vector<int>{0x01, 0x88});
        CHECK(toHex(p.frames.back().payload).substr(0, 4) == "03ea");
        CHECK(p.frames.back().payload.size() > 2);
    }
    SECTION("of our own ends within the frame") {
        end.wire.allowance = SIZE_MAX;
        end.stream->close();
        CHECK(end.wire.closed);
        const WireFrames p = end.sent();
        CHECK(p.frames.empty());
        CHECK(end.wire.out.size() == 1000);
        CHECK((parse(end.wire.out, !server).rest.size() == 1000));
    }
}

TEST_CASE("a close between two frames of a message is said at once", "[transport][websocket]") {
    // Frames of exactly two fragments of the queue: first payload 65522 and the bracket, then 65526.
    End end(true, 65'523 + 65'526 - 3);
    end.write(noise(400'000));
    for (std::size_t i = 0; i < 1000 && end.sent().frames.empty(); ++i)
        REQUIRE_FALSE(end.flush(9973));
    const std::size_t before = end.wire.out.size();
    end.sayControl(0x88, "");
    CHECK(end.read() == MessageSource::Event::ended);
    REQUIRE(end.flush());
    const WireFrames p = end.sent();
    CHECK(p.rest.empty());
    REQUIRE(p.frames.size() >= 2);
    CHECK(p.frames.back().first == 0x88);
    CHECK(toHex(p.frames.back().payload) == "03e8");
    CHECK(end.wire.out.size() > before);
    CHECK(p.data().size() < 400'002);
    CHECK(p.data().size() % (65'523 + 65'526) == 0);
}

TEST_CASE("a JSON message of megabytes is one frame and one message", "[transport][websocket]") {
    const bool deflate = GENERATE(false, true);
    BindOptions b = bindOptions();
    ConnectOptions c = connectOptions(0);
    c.connectionType = ConnectionType::webSocket;
    c.webSocket.protocols = "tr_json2";
    c.webSocket.maxMessageBytes = b.maxFragmentSize = 6'291'456;
    if (deflate) b.compression = c.compression = Compression::zlib;
    b.guaranteedOutputBuffers = c.guaranteedOutputBuffers = 200;
    const Pair p = makePair(b, c);
    CHECK(p.client->info().maxFragmentSize == 6'291'454);
    CHECK(p.accepted->info().maxFragmentSize == 6'291'454);
    const ByteVector large = noise(6'291'456 - 2), small = pattern(100);  // with brackets the receive limit
    for (const auto& [from, to] :
         {std::pair(p.accepted.get(), p.client.get()), std::pair(p.client.get(), p.accepted.get())}) {
        for (const ByteVector* m : {&large, &small}) {
            REQUIRE(from->write(*m).ok());
        }
        std::vector<ByteVector> got;
        for (int turn = 0; turn < 100'000 && got.size() < 2; ++turn) {
            static_cast<void>(from->flush());
            ReadResult r = to->read();
            REQUIRE(r.kind != ReadResult::Kind::closed);
            if (r.kind == ReadResult::Kind::message) got.emplace_back(r.message.begin(), r.message.end());
            else if (!r.more) static_cast<void>(readable(to->fd(), 10));
        }
        REQUIRE(got.size() == 2);
        CHECK((got[0] == wrapped(large)));
        CHECK((got[1] == wrapped(small)));
    }
}

TEST_CASE("a slow reader pings in the middle of a frame", "[transport][websocket]") {
    BindOptions b = bindOptions();
    b.maxFragmentSize = 6'291'456;
    b.guaranteedOutputBuffers = 1000;
    auto server = listen(b);
    RawSocket raw = RawSocket::connectTo(server->port());
    raw.send(asBytes(ws::upgradeRequest("h", "1", {}, kKey, "tr_json2", false)));
    auto channel = acceptOne(*server);
    REQUIRE(settle(*channel) == InitStatus::active);
    const std::string answer = ws::acceptAnswer(kKey, "tr_json2", {});
    CHECK(textOf(raw.receive(answer.size())) == answer);
    // Larger than what the system holds for a reader that does not read.
    const ByteVector message = noise(6'000'000);
    REQUIRE(channel->write(message).ok());
    bool blocked = false;
    for (int i = 0; i < 20 && !blocked; ++i) {
        static_cast<void>(channel->flush());
        blocked = !writable(channel->fd(), 20);
        if (channel->queuedBytes() == 0 && !blocked) REQUIRE(channel->write(message).ok());
    }
    REQUIRE(blocked);
    const ByteVector ping = hex("8982 00000000 6869");
    raw.send(ping);
    REQUIRE(readable(channel->fd()));
    CHECK(channel->read().kind == ReadResult::Kind::ping);
    REQUIRE(channel->write(asBytes("end")).ok());
    ByteVector wire;
    const ByteVector last = hex("81055b656e645d");
    for (int turn = 0; turn < 200'000; ++turn) {
        static_cast<void>(channel->flush());
        if (readable(raw.fd(), 10)) {
            std::byte buffer[65536];
            const ssize_t n = ::recv(raw.fd(), buffer, sizeof buffer, 0);
            REQUIRE(n > 0);
            wire.insert(wire.end(), buffer, buffer + n);
        }
        if (wire.size() >= last.size() && std::equal(last.rbegin(), last.rend(), wire.rbegin())) break;
    }
    const WireFrames p = parse(wire, false);
    CHECK(p.rest.empty());
    std::size_t large = 0, pongs = 0;
    for (const Sent& f : p.frames) {
        if (f.first == 0x8A) {
            ++pongs;
            CHECK(textOf(f.payload) == "hi");
        } else if (&f != &p.frames.back()) {
            ++large;
            CHECK(f.first == 0x81);
            CHECK((f.payload == wrapped(message)));
        }
    }
    CHECK(pongs == 1);
    CHECK(large >= 1);
    CHECK(textOf(p.frames.back().payload) == "[end]");
}
