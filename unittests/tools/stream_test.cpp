// Captured byte streams: the captures of unittests/vectors/ripc, whole, damaged and cut.
#include "eta/codec/model/Value.h"
#include "rwfcat/rwfcat.h"
#include "support.h"
#include "support/paths.h"

using namespace emissary::eta;
using namespace emissary::rwfcat;
using codec::model::unhex;
using transport::Compression;

namespace {

using Sizes = std::vector<std::size_t>;

struct Seen final : StreamSink {
    Sizes sizes;
    std::vector<std::uint64_t> offsets, badOffsets;
    std::string notes, bad;
    void onMessage(Bytes message, std::uint64_t offset) override {
        sizes.push_back(message.size());
        offsets.push_back(offset);
    }
    void onNote(std::uint64_t, const std::string& text) override { notes += text + "\n"; }
    void onBadBytes(std::uint64_t offset, const std::string& text) override {
        badOffsets.push_back(offset);
        bad += text + "\n";
    }
};

std::vector<std::byte> capture(const std::string& name) {
    std::ifstream in(emissary::test::vectorPath("/ripc/") + name + ".hex");
    REQUIRE(in.good());
    std::vector<std::byte> bytes;
    for (std::string line; std::getline(in, line);)
        if (!line.empty() && line[0] != '#')
            for (const std::byte b : unhex(line))
                bytes.push_back(b);
    return bytes;
}

Seen read(Bytes bytes, Agreement agreement = {}, std::size_t piece = 1u << 20, bool anywhere = false) {
    Seen seen;
    RipcStream stream(agreement, seen, anywhere);
    for (std::size_t at = 0; at < bytes.size(); at += piece)
        stream.feed(bytes.subspan(at, std::min(piece, bytes.size() - at)));
    stream.finish();
    return seen;
}

Agreement agreed(Compression compression, int version = 14) {
    Agreement a;
    a.compression = compression;
    a.ripcVersion = version;
    return a;
}

/// A frame around a message.
void append(std::vector<std::byte>& out, const std::string& messageHex) {
    const auto message = unhex(messageHex);
    const auto length = static_cast<unsigned>(message.size() + 3);
    out.push_back(static_cast<std::byte>(length >> 8));
    out.push_back(static_cast<std::byte>(length));
    out.push_back(std::byte{2});
    out.insert(out.end(), message.begin(), message.end());
}

const std::string kClose = "00080506000000050000";  // a close of stream 5

}  // namespace

TEST_CASE("captures of frames", "[rwfcat]") {
    for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{1} << 20}) {
        INFO(piece);
        CHECK(read(capture("data_small"), {}, piece).sizes == Sizes{5});
        CHECK(read(capture("ping"), {}, piece).sizes.empty());
        CHECK(read(capture("packed_5_6_7"), {}, piece).sizes == Sizes{5, 6, 7});
        CHECK(read(capture("frag_v14_500"), {}, piece).sizes == Sizes{500});
        CHECK(read(capture("frag_v14_1000"), {}, piece).sizes == Sizes{1000});
        CHECK(read(capture("frag_v12_500"), agreed(Compression::none, 12), piece).sizes == Sizes{500});
        CHECK(read(capture("zlib_stream"), agreed(Compression::zlib), piece).sizes ==
              Sizes{97, 100, 250, 60, 60, 40, 40});
        CHECK(read(capture("zlib_stream_default"), agreed(Compression::zlib), piece).sizes ==
              Sizes{100, 100, 100, 10, 29, 30, 50, 60});
        CHECK(read(capture("lz4_stream"), agreed(Compression::lz4), piece).sizes == Sizes{400, 900, 1200});
        for (const char* name : {"data_small", "frag_v14_500", "frag_v14_1000", "packed_5_6_7", "ping"})
            CHECK(read(capture(name), {}, piece).bad.empty());
    }
    CHECK(read(capture("frag_v14_500")).offsets == std::vector<std::uint64_t>{406});  // the frame that completes it
}

TEST_CASE("captures of handshakes", "[rwfcat]") {
    for (const char* name : {"v14_nokey_request_and_ack", "v13_request_and_ack", "v12_request_and_ack",
                             "v11_request_and_ack", "v14_request_lz4", "v14_request_zlib", "v14_client_key", "nak"})
        for (const std::size_t piece : {std::size_t{1}, std::size_t{1} << 20}) {
            INFO(name << " in pieces of " << piece);
            const Seen seen = read(capture(name), {}, piece);
            CHECK(seen.bad.empty());
            CHECK_FALSE(seen.notes.empty());
        }
    const Seen both = read(capture("v14_nokey_request_and_ack"));
    CHECK(emissary::test::has(both.notes, "connection request, RIPC 14"));
    CHECK(emissary::test::has(both.notes, "connection ack, RIPC 14, largest message 6144"));
    CHECK(emissary::test::has(read(capture("nak")).notes, "Connection refused."));
}

TEST_CASE("what the ack agreed on is used for the frames behind it", "[rwfcat]") {
    auto bytes = capture("v14_ack_lz4");
    const std::size_t handshake = bytes.size();
    for (const std::byte b : capture("lz4_stream"))
        bytes.push_back(b);
    const Seen seen = read(bytes);
    CHECK(seen.sizes == Sizes{400, 900, 1200});
    REQUIRE_FALSE(seen.offsets.empty());
    CHECK(seen.offsets.front() == handshake);
}

TEST_CASE("compressed frames of unknown kind are skipped, and told of", "[rwfcat]") {
    const Seen seen = read(capture("zlib_stream_default"));
    CHECK(seen.sizes == Sizes{100, 10, 29});  // the plain ones
    CHECK(emissary::test::has(seen.notes, "compressed frame, skipped"));
    CHECK(emissary::test::has(seen.bad, "--compression"));
    CHECK(seen.badOffsets.size() == 1);
    // zlib refers to what came before: without its beginning a stream cannot be read
    const auto whole = capture("zlib_stream_default");
    const Seen late = read(Bytes(whole).subspan(0x32), agreed(Compression::zlib));
    CHECK(late.sizes == Sizes{100, 10, 29});
    CHECK(late.badOffsets.size() == 1);
}

TEST_CASE("damage is told with its place", "[rwfcat]") {
    std::vector<std::byte> bytes = capture("v14_nokey_request_and_ack");
    std::vector<std::size_t> frames;
    for (int i = 0; i < 4; ++i) {
        frames.push_back(bytes.size());
        append(bytes, kClose);
    }
    REQUIRE(read(bytes).sizes == Sizes{10, 10, 10, 10});
    for (std::size_t i = 0; i < frames.size(); ++i) {
        INFO(i);
        auto damaged = bytes;
        damaged[frames[i] + 2] = std::byte{0x01};  // neither plain nor compressed
        Seen seen = read(damaged);
        CHECK(seen.sizes.size() == i);
        CHECK(seen.badOffsets == std::vector<std::uint64_t>{frames[i]});
        damaged = bytes;
        damaged[frames[i]] = std::byte{0xFF};  // longer than the connection allows
        seen = read(damaged);
        CHECK(seen.badOffsets == std::vector<std::uint64_t>{frames[i]});
        CHECK(emissary::test::has(seen.bad, "exceeds"));
        seen = read(Bytes(bytes).first(frames[i] + 5));
        CHECK(seen.sizes.size() == i);
        CHECK(seen.badOffsets == std::vector<std::uint64_t>{frames[i]});
        CHECK(emissary::test::has(seen.bad, "ends inside a frame"));
    }
    // every byte of the handshake: whatever it becomes, nothing is read past it and messages are not invented
    for (std::size_t i = 0; i < frames.front(); ++i) {
        auto damaged = bytes;
        damaged[i] ^= std::byte{0xFF};
        CHECK(read(damaged).sizes.size() <= 4);
    }
}

TEST_CASE("a capture from the middle of a connection finds the frames", "[rwfcat]") {
    std::vector<std::byte> bytes;
    for (int i = 0; i < 6; ++i)
        append(bytes, kClose);
    for (std::size_t from = 0; from < 13; ++from) {
        INFO(from);
        const Seen seen = read(Bytes(bytes).subspan(from), {}, 1u << 20, true);
        CHECK(seen.sizes.size() == (from == 0 ? 6u : 5u));
        CHECK(seen.bad.empty());
    }
    Agreement agreement;
    Seen seen;
    RipcStream stream(agreement, seen, true);
    stream.feed(Bytes(bytes).first(20));
    stream.gap(19);
    stream.feed(Bytes(bytes).subspan(39));
    stream.finish();
    CHECK(seen.sizes.size() == 4);
    REQUIRE(seen.badOffsets.size() == 1);
    CHECK(seen.badOffsets.front() == 20);
    CHECK(seen.offsets.back() == 65);
}

TEST_CASE("connections of other kinds are named", "[rwfcat]") {
    const auto told = [](std::string_view text) { return read(Bytes(std::as_bytes(std::span(text)))).bad; };
    CHECK(emissary::test::has(told("GET /WebSocket HTTP/1.1\r\n\r\n"), "WebSocket"));
    CHECK(emissary::test::has(told("\x16\x03\x01\x02\x01\x01\x01"), "encrypted"));
}

TEST_CASE("kinds of input are told apart", "[rwfcat]") {
    CHECK(guessInput("# comment\n\n00 0a 0B\n") == Input::hex);
    CHECK(guessInput("") == Input::hex);
    CHECK(guessInput(std::string_view("\0\x08\x02", 3)) == Input::raw);
    CHECK(guessInput("\xD4\xC3\xB2\xA1") == Input::capture);
    CHECK(guessInput("\x0A\x0D\x0D\x0A") == Input::capture);
    CHECK(guessInput("hello") == Input::hex);  // a slip, which is named
    CHECK(guessInput("GET /WebSocket HTTP/1.1\r\n\r\n") == Input::raw);
}
