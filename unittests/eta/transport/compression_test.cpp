// zlib and LZ4 on a connection: captures of an existing implementation, negotiation, round trips, hostile input.
#include "support.h"
#include "support/catch.hpp"
#include "transport/channel/handshake.h"
#include "transport/stream/CompressingStream.h"

#include <random>

#include <lz4.h>
#include <zlib.h>

using namespace transport_test;

namespace {

ByteVector randomBytes(std::size_t n, unsigned seed) {
    std::mt19937 random(seed);
    ByteVector out(n);
    for (std::byte& b : out)
        b = static_cast<std::byte>(random());
    return out;
}

struct Reader {
    FrameReader frames;
    Reader(Compression type, std::size_t maxMessage) {
        REQUIRE(frames.activate(maxMessage, 2, 0, {}));
        frames.decompressWith(Decompressor::make(type, maxMessage));
    }
    /// Feeds in pieces of `step` bytes; stops at a failure.
    std::vector<ByteVector> feed(Bytes wire, std::size_t step) {
        std::vector<ByteVector> out;
        while (!wire.empty()) {
            const auto room = frames.space();
            const std::size_t n = std::min({step, wire.size(), room.size()});
            std::copy_n(wire.begin(), n, room.begin());
            frames.added(n);
            wire = wire.subspan(n);
            for (Bytes m;;) {
                const FrameEvent event = frames.next(m);
                if (event == FrameEvent::failed) return out;
                if (event == FrameEvent::needMore) break;
                if (event == FrameEvent::message) out.emplace_back(m.begin(), m.end());
                else ++pings;
            }
        }
        return out;
    }
    std::size_t pings = 0;
};

std::vector<std::size_t> sizesOf(const std::vector<ByteVector>& messages) {
    std::vector<std::size_t> sizes;
    for (const ByteVector& m : messages)
        sizes.push_back(m.size());
    return sizes;
}

/// Takes what the stream above sends, a limited number of bytes a time.
class Sink final : public ByteStream {
public:
    IoResult handshake() noexcept override { return {}; }
    IoResult receive(std::span<std::byte>) noexcept override { return {IoResult::Kind::wouldBlock, 0, 0}; }
    IoResult send(std::span<const iovec> parts) noexcept override {
        std::size_t taken = 0;
        for (const iovec& p : parts) {
            const std::size_t n = std::min(p.iov_len, limit - taken);
            const auto* const b = static_cast<const std::byte*>(p.iov_base);
            bytes.insert(bytes.end(), b, b + n);
            taken += n;
        }
        if (taken == 0 && !parts.empty()) return {IoResult::Kind::wouldBlock, 0, 0};
        return {IoResult::Kind::ok, taken, 0};
    }
    void shutdown() noexcept override {}
    void close() noexcept override {}
    int fd() const noexcept override { return -1; }
    ByteVector bytes;
    std::size_t limit = SIZE_MAX;
};

ByteVector plainFrame(Bytes payload, std::uint8_t flags = frame::kData) {
    ByteVector f(frame::kHeader + payload.size());
    storeBe(f.data(), static_cast<std::uint16_t>(payload.size() + frame::kHeader));
    f[2] = static_cast<std::byte>(flags);
    std::copy(payload.begin(), payload.end(), f.data() + frame::kHeader);
    return f;
}

BindOptions compressed(Compression type) {
    BindOptions o = bindOptions();
    o.compression = type;
    return o;
}
ConnectOptions asking(Compression type) {
    ConnectOptions o = connectOptions(0);
    o.compression = type;
    return o;
}

}  // namespace

TEST_CASE("captured compressed streams are understood, however they arrive", "[transport][compression]") {
    const std::size_t step = GENERATE(std::size_t{1}, std::size_t{7}, std::size_t{100000});
    SECTION("zlib with bodies split over two frames, M = 100") {
        Reader r(Compression::zlib, 100);
        const auto messages = r.feed(concat(vectorLines("zlib_stream")), step);
        CHECK(sizesOf(messages) == std::vector<std::size_t>{97, 100, 250, 60, 60, 40, 40});
        CHECK(messages.at(3) == pattern(60));
        CHECK(messages.at(4) == pattern(60));
    }
    SECTION("zlib mixed with plain frames") {
        Reader r(Compression::zlib, 6144);
        const auto messages = r.feed(concat(vectorLines("zlib_stream_default")), step);
        CHECK(sizesOf(messages) == std::vector<std::size_t>{100, 100, 100, 10, 29, 30, 50, 60});
        for (const ByteVector& m : messages)
            CHECK(m == pattern(m.size()));
    }
    SECTION("LZ4 with split fragments") {
        Reader r(Compression::lz4, 400);
        const auto messages = r.feed(concat(vectorLines("lz4_stream")), step);
        CHECK(sizesOf(messages) == std::vector<std::size_t>{400, 900, 1200});
        CHECK(messages.at(0) == pattern(400));
        CHECK(messages.at(2) == pattern(1200));
    }
}

TEST_CASE("what is sent compressed is what an existing implementation sends", "[transport][compression]") {
    // The same zlib produces the same bytes from the same input at the same level.
    auto sink = std::make_unique<Sink>();
    Sink& out = *sink;
    CompressingStream stream(std::move(sink), Compressor::make(Compression::zlib, 6), 30, 6144, 2);
    const auto put = [&](ByteVector f) {
        const iovec part{f.data(), f.size()};
        const IoResult io = stream.send({&part, 1});
        CHECK(io.bytes == f.size());
    };
    put(plainFrame(pattern(100)));
    put(plainFrame(pattern(100)));
    stream.setThreshold(101);
    put(plainFrame(pattern(100)));
    put(plainFrame(pattern(10)));
    CHECK(toHex(out.bytes) ==
          toHex(concat({vectorLines("zlib_stream_default")[0], vectorLines("zlib_stream_default")[1],
                        vectorLines("zlib_stream_default")[2], vectorLines("zlib_stream_default")[3]})));
    CHECK(stream.bytesIn() == 3 * 103 + 13);
    CHECK(stream.bytesOut() == out.bytes.size());
}

TEST_CASE("a compressed body that outgrows its frame goes on in a second one", "[transport][compression]") {
    auto sink = std::make_unique<Sink>();
    Sink& out = *sink;
    CompressingStream stream(std::move(sink), Compressor::make(Compression::zlib, 6), 30, 100, 2);
    const ByteVector noise = randomBytes(100, 7);
    const ByteVector f = plainFrame(noise);
    const iovec part{const_cast<std::byte*>(f.data()), f.size()};
    REQUIRE(stream.send({&part, 1}).bytes == f.size());
    CHECK(loadBe<std::uint16_t>(out.bytes.data()) == 103);
    CHECK(std::to_integer<int>(out.bytes[2]) == 0x0C);
    CHECK(std::to_integer<int>(out.bytes[105]) == 0x04);
    Reader r(Compression::zlib, 100);
    CHECK(r.feed(out.bytes, 1) == std::vector<ByteVector>{noise});

    SECTION("LZ4 sends it plain instead: some readers cannot join the halves") {
        auto sink4 = std::make_unique<Sink>();
        Sink& out4 = *sink4;
        CompressingStream lz4(std::move(sink4), Compressor::make(Compression::lz4, 0), 30, 100, 2);
        REQUIRE(lz4.send({&part, 1}).bytes == f.size());
        CHECK(out4.bytes == f);
    }
}

TEST_CASE("what the layer below refuses for now is kept and counted as held", "[transport][compression]") {
    auto sink = std::make_unique<Sink>();
    Sink& out = *sink;
    out.limit = 5;
    CompressingStream stream(std::move(sink), Compressor::make(Compression::zlib, 6), 30, 6144, 2);
    const ByteVector f = plainFrame(pattern(500));
    const iovec part{const_cast<std::byte*>(f.data()), f.size()};
    out.limit = 0;
    REQUIRE(stream.send({&part, 1}).bytes == f.size());
    const std::size_t held = stream.held();
    CHECK(held > 10);
    out.limit = 5;
    CHECK(stream.send({}).kind == IoResult::Kind::ok);
    CHECK(stream.held() == 0);
    CHECK(out.bytes.size() == held);
}

TEST_CASE("hostile compressed frames end the connection", "[transport][compression]") {
    const auto faultOf = [](Compression type, std::size_t maxMessage, const ByteVector& wire) {
        Reader r(type, maxMessage);
        CHECK(r.feed(wire, 100000).empty());
        return r.frames.fault();
    };
    const auto deflated = [](const ByteVector& in, int flush) {
        z_stream z{};
        REQUIRE(deflateInit(&z, 9) == Z_OK);
        ByteVector out(in.size() + 100);
        z.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(in.data()));
        z.avail_in = static_cast<uInt>(in.size());
        z.next_out = reinterpret_cast<Bytef*>(out.data());
        z.avail_out = static_cast<uInt>(out.size());
        ::deflate(&z, flush);
        deflateEnd(&z);
        return ByteVector(out.begin(), out.end() - static_cast<std::ptrdiff_t>(z.avail_out));
    };
    SECTION("a bomb: a small body that becomes larger than M") {
        const ByteVector bomb = plainFrame(deflated(ByteVector(1u << 20), Z_SYNC_FLUSH), frame::kCompressed);
        REQUIRE(bomb.size() < 2000);
        CHECK(faultOf(Compression::zlib, 6144, bomb) == FrameFault::badCompression);
    }
    SECTION("exactly M is fine, one more is not") {
        for (const std::size_t n : {std::size_t{6144}, std::size_t{6145}}) {
            Reader r(Compression::zlib, 6144);
            const auto got = r.feed(plainFrame(deflated(ByteVector(n), Z_SYNC_FLUSH), frame::kCompressed), 100000);
            CHECK(got.size() == (n == 6144 ? 1u : 0u));
        }
        ByteVector block(8000);
        const ByteVector zeros(6145);
        for (const int n : {6144, 6145}) {
            const int size = LZ4_compress_default(reinterpret_cast<const char*>(zeros.data()),
                                                  reinterpret_cast<char*>(block.data()), n, 8000);
            Reader r(Compression::lz4, 6144);
            const auto got =
                r.feed(plainFrame(Bytes(block).first(static_cast<std::size_t>(size)), frame::kCompressed), 100000);
            CHECK(got.size() == (n == 6144 ? 1u : 0u));
        }
    }
    SECTION("the end of the zlib stream, garbage, a missing header") {
        CHECK(faultOf(Compression::zlib, 6144, plainFrame(deflated(pattern(50), Z_FINISH), frame::kCompressed)) ==
              FrameFault::badCompression);
        CHECK(faultOf(Compression::zlib, 6144, plainFrame(randomBytes(50, 1), frame::kCompressed)) ==
              FrameFault::badCompression);
        CHECK(faultOf(Compression::lz4, 6144, plainFrame(randomBytes(50, 1), frame::kCompressed)) ==
              FrameFault::badCompression);
    }
    SECTION("the second half of a split body is another frame, a third part, too long or too short") {
        for (const char* second : {"0006 02 414243", "0006 0c 414243", "0006 14 414243", "0007 05 08 414243", "0003 02",
                                   "ffff 04", "0000 04", "0003 04"})
            CHECK(faultOf(Compression::zlib, 6144, concat({hex("0006 0c 789c72"), hex(second)})) ==
                  FrameFault::badSplit);
    }
    SECTION("a split body whose second half has not arrived delivers nothing yet") {
        Reader r(Compression::zlib, 6144);
        CHECK(r.feed(hex("0006 0c 789c72 0006 04 74"), 1).empty());
        CHECK(r.frames.fault() == FrameFault::none);
    }
    SECTION("an empty compressed body is a ping") {
        Reader r(Compression::zlib, 6144);
        CHECK(r.feed(hex("0003 04"), 3).empty());
        CHECK(r.pings == 1);
    }
    SECTION("packed lists are checked after decompression") {
        const ByteVector overrun = concat({hex("0005 4142434445 00ff 41"), pattern(40)});
        CHECK(faultOf(Compression::zlib, 6144,
                      plainFrame(deflated(overrun, Z_SYNC_FLUSH), frame::kCompressed | frame::kPacked)) ==
              FrameFault::packedOverrun);
    }
    SECTION("random damage never passes unnoticed into a crash") {
        const ByteVector good = concat(vectorLines("zlib_stream"));
        const ByteVector good4 = concat(vectorLines("lz4_stream"));
        for (unsigned seed = 0; seed < 300; ++seed) {
            std::mt19937 random(seed);
            ByteVector bad = seed % 2 == 0 ? good : good4;
            for (int k = 0; k < 3; ++k)
                bad[random() % bad.size()] = static_cast<std::byte>(random());
            Reader r(seed % 2 == 0 ? Compression::zlib : Compression::lz4, seed % 2 == 0 ? 100 : 400);
            for (const ByteVector& m : r.feed(bad, 50))
                CHECK(m.size() <= 4000);
        }
    }
}

TEST_CASE("which compression a server agrees to", "[transport][compression]") {
    using C = Compression;
    struct Row {
        C server;
        bool forced;
        int version, bitmap;
        C expected;
    };
    const Row rows[] = {
        {C::none, false, 14, 3, C::none},    {C::zlib, false, 14, 0, C::none}, {C::zlib, false, 14, 1, C::zlib},
        {C::zlib, false, 14, 2, C::none},    {C::zlib, false, 14, 3, C::zlib}, {C::lz4, false, 14, 3, C::lz4},
        {C::lz4, false, 12, 2, C::lz4},      {C::lz4, false, 11, 2, C::none},  {C::zlib, false, 11, 1, C::zlib},
        {C::zlib, false, 14, 0xFC, C::none}, {C::zlib, true, 14, 0, C::zlib},  {C::zlib, true, 14, 2, C::zlib},
        {C::lz4, true, 13, 0, C::lz4},       {C::lz4, true, 13, 1, C::lz4},    {C::lz4, true, 12, 0, C::zlib},
        {C::lz4, true, 12, 1, C::zlib},      {C::lz4, true, 12, 2, C::lz4},    {C::zlib, true, 12, 2, C::lz4},
        {C::lz4, true, 11, 2, C::zlib},      {C::none, true, 14, 1, C::none},
    };
    for (const Row& row : rows) {
        BindOptions o;
        o.compression = row.server;
        o.forceCompression = row.forced;
        o.compressionLevel = 3;
        ConnectionRequest r;
        r.ripcVersion = row.version;
        r.compressionBitmap = static_cast<std::uint8_t>(row.bitmap);
        INFO("server " << int(row.server) << " forced " << row.forced << " RIPC " << row.version << " offer "
                       << row.bitmap);
        const ConnectionAck a = negotiate(o, r);
        CHECK(a.compressionType == static_cast<std::uint16_t>(row.expected));
        CHECK(int{a.compressionLevel} == (row.expected == C::zlib ? 3 : 0));
        CHECK(a.forcedCompression == (row.forced && row.expected != C::none));
    }
    CHECK(compressionOffer(C::lz4, 11) == kOffersZlib);
    CHECK(compressionOffer(C::lz4, 12) == kOffersLz4);
    CHECK(compressionOffer(C::none, 14) == 0);
}

TEST_CASE("compressed connections carry everything in both directions", "[transport][compression]") {
    const auto type = GENERATE(Compression::zlib, Compression::lz4);
    const int version = GENERATE(14, 12);
    BindOptions b = compressed(type);
    b.maxFragmentSize = 700;
    ConnectOptions c = asking(type);
    c.firstVersion = version;
    Pair p = makePair(b, c);
    CHECK(p.client->info().compression == type);
    CHECK(p.accepted->info().compression == type);
    CHECK(p.client->info().compressionThreshold == (type == Compression::zlib ? 30u : 300u));
    std::mt19937 random(42);
    for (int turn = 0; turn < 60; ++turn) {
        Channel& from = turn % 2 == 0 ? *p.client : *p.accepted;
        Channel& to = turn % 2 == 0 ? *p.accepted : *p.client;
        std::vector<ByteVector> sent;
        for (int k = 0; k < 8; ++k) {
            const std::size_t size = random() % 2500 + 1;
            sent.push_back(random() % 3 == 0 ? randomBytes(size, static_cast<unsigned>(random())) : pattern(size));
            REQUIRE(from.write(sent.back()).ok());
        }
        const ByteVector body = concat({hex("0003 414243 0040"), pattern(64)});
        const auto room = from.reserve(body.size());
        REQUIRE(room.size() == body.size());
        std::copy(body.begin(), body.end(), room.begin());
        REQUIRE(from.commitPacked(body.size(), 2).ok());
        sent.push_back(hex("414243"));
        sent.push_back(pattern(64));
        REQUIRE(flushWait(from));
        for (const ByteVector& m : sent)
            REQUIRE(readMessage(to) == m);
    }
    const ChannelCounters sent = p.client->counters(), received = p.accepted->counters();
    CHECK(sent.bytesWritten < sent.uncompressedBytesWritten);
    CHECK(received.bytesRead == sent.bytesWritten);
}

TEST_CASE("the threshold may be raised, and small messages then go plain", "[transport][compression]") {
    ConnectOptions c = asking(Compression::zlib);
    c.compressionThreshold = 10;  // below the minimum: the minimum
    Pair p = makePair(compressed(Compression::zlib), c);
    CHECK(p.client->info().compressionThreshold == 30);
    CHECK_FALSE(p.client->setOption(9, 29).ok());
    REQUIRE(p.client->setOption(9, 1000).ok());
    const std::uint64_t before = p.client->counters().bytesWritten;
    REQUIRE(p.client->write(pattern(999)).ok());
    REQUIRE(flushWait(*p.client));
    CHECK(p.client->counters().bytesWritten - before == 999 + 3);
    REQUIRE(p.client->write(pattern(1000)).ok());
    REQUIRE(flushWait(*p.client));
    CHECK(p.client->counters().bytesWritten - before < 999 + 3 + 200);
    CHECK(readMessage(*p.accepted) == pattern(999));
    CHECK(readMessage(*p.accepted) == pattern(1000));
}

TEST_CASE("a server can force its compression upon a client that offered none", "[transport][compression]") {
    BindOptions b = compressed(GENERATE(Compression::zlib, Compression::lz4));
    b.forceCompression = true;
    Pair p = makePair(b, connectOptions(0));
    CHECK(p.client->info().compression == b.compression);
    REQUIRE(p.client->write(pattern(5000)).ok());
    REQUIRE(flushWait(*p.client));
    CHECK(readMessage(*p.accepted) == pattern(5000));
    CHECK(p.client->counters().bytesWritten < 1000);
}

TEST_CASE("a compressed frame on a connection without compression is refused", "[transport][compression]") {
    RawPeer p = makeRawPeer(14, compressed(Compression::zlib));  // the raw client offers nothing
    p.raw.send(vectorLines("zlib_stream_default")[0]);
    CHECK(readWait(*p.channel).kind == ReadResult::Kind::closed);
    CHECK_THAT(p.channel->errorText(), Catch::Contains("no compression was agreed"));
}
