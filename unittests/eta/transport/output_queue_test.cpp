// The output arena without sockets: layout, partial writes, fragments, bounds, memory.
#include "support.h"
#include "support/catch.hpp"

#include <random>

using namespace transport_test;

namespace {

constexpr std::size_t kBig = 1u << 30;

void put(OutputQueue& q, Bytes payload) {
    const auto room = q.reserve(payload.size());
    REQUIRE(room.size() == payload.size());
    std::copy(payload.begin(), payload.end(), room.begin());
    REQUIRE(q.commit(payload.size(), frame::kData, 1));
}
void put(OutputQueue& q, const std::string& text) {
    put(q, asBytes(text));
}

// Takes at most `limit` bytes as one system call would; returns what "the wire" saw.
ByteVector sendSome(OutputQueue& q, std::size_t limit) {
    OutputQueue::Gather parts;
    const std::size_t n = q.gather(parts);
    ByteVector wire;
    for (std::size_t i = 0; i < n && wire.size() < limit; ++i) {
        const auto* p = static_cast<const std::byte*>(parts[i].iov_base);
        wire.insert(wire.end(), p, p + std::min(parts[i].iov_len, limit - wire.size()));
    }
    q.sent(wire.size());
    return wire;
}
ByteVector sendAll(OutputQueue& q, std::size_t step = kBig) {
    ByteVector wire;
    while (q.queuedBytes() != 0) {
        const ByteVector part = sendSome(q, step);
        REQUIRE_FALSE(part.empty());
        wire.insert(wire.end(), part.begin(), part.end());
    }
    return wire;
}

// Payloads of a stream of frames, as text; a ping shows as "".
std::vector<std::string> payloads(Bytes wire) {
    std::vector<std::string> out;
    while (!wire.empty()) {
        REQUIRE(wire.size() >= 3);
        const std::size_t n = loadBe<std::uint16_t>(wire.data());
        REQUIRE(n <= wire.size());
        out.emplace_back(asText(wire.subspan(3, n - 3)));
        wire = wire.subspan(n);
    }
    return out;
}

ByteVector reassemble(Bytes wire, std::size_t maxMessage, std::size_t idBytes) {
    FrameReader reader;
    REQUIRE(reader.activate(maxMessage, idBytes, wire.size() + 64, {}));
    const auto room = reader.space();
    REQUIRE(room.size() >= wire.size());
    std::copy(wire.begin(), wire.end(), room.begin());
    reader.added(wire.size());
    Bytes m;
    REQUIRE(reader.next(m) == FrameEvent::message);
    CHECK(reader.buffered().empty());
    return {m.begin(), m.end()};
}

using Text = std::vector<std::string>;

std::string numbered(std::string prefix, int n) {
    return prefix.append(std::to_string(n));
}

}  // namespace

TEST_CASE("a committed message is a frame", "[transport][output]") {
    OutputQueue q;
    CHECK(q.reserve(5).empty());  // not active yet
    q.activate(200, 2, kBig);
    put(q, "ABCDE");
    CHECK(q.queuedBytes() == 8);
    CHECK(sendAll(q) == vectorLines("data_small").at(0));
    REQUIRE(q.pushPing());
    CHECK(sendAll(q) == vectorLines("ping").at(0));
    SECTION("fewer bytes than reserved, or none") {
        REQUIRE(q.reserve(200).size() == 200);
        REQUIRE(q.commit(0, frame::kData, 1));
        CHECK(q.queuedBytes() == 0);
        CHECK_FALSE(q.commit(1, frame::kData, 1));  // dropped
        const auto room = q.reserve(200);
        room[0] = std::byte{'x'};
        CHECK_FALSE(q.commit(201, frame::kData, 1));
        REQUIRE(q.commit(1, frame::kData, 1));
        CHECK(toHex(sendAll(q)) == "00040278");
    }
    SECTION("packed") {
        const auto room = q.reserve(24);
        const ByteVector body = hex("0005 4142434445 0006 414243444546 0007 41424344454647");
        std::copy(body.begin(), body.end(), room.begin());
        REQUIRE(q.commit(body.size(), frame::kData | frame::kPacked, 3));
        CHECK(q.messages() == 4);
        CHECK(sendAll(q) == vectorLines("packed_5_6_7").at(0));
    }
    CHECK(q.reserve(201).empty());
}

TEST_CASE("what is queued leaves in one piece", "[transport][output]") {
    OutputQueue q;
    q.activate(6144, 2, kBig);
    for (int i = 0; i < 100; ++i)
        put(q, "message");
    OutputQueue::Gather parts;
    CHECK(q.gather(parts) == 1);
    CHECK(parts[0].iov_len == 1000);
}

TEST_CASE("an interrupted frame is finished before any other", "[transport][output]") {
    for (std::size_t cut = 1; cut < 30; ++cut) {
        INFO("first write took " << cut);
        OutputQueue q;
        q.activate(200, 2, kBig);
        for (const char* m : {"m1-long", "m2-long", "m3-long"})
            put(q, m);  // 10 bytes each
        ByteVector wire = sendSome(q, cut);
        put(q, "m4");
        const ByteVector rest = sendAll(q, 1);  // and then byte by byte
        wire.insert(wire.end(), rest.begin(), rest.end());
        CHECK(payloads(wire) == Text{"m1-long", "m2-long", "m3-long", "m4"});
    }
}

TEST_CASE("random traffic in random writes keeps frames whole and in order", "[transport][output]") {
    const auto seed = static_cast<unsigned>(Catch::rngSeed());
    std::mt19937 random(seed);
    INFO("seed " << seed);
    for (int round = 0; round < 20; ++round) {
        OutputQueue q;
        q.activate(6144, 2, kBig);
        ByteVector wire;
        int next = 0;
        for (int step = 0; step < 2000; ++step) {
            for (auto k = random() % 3; k > 0; --k) {
                std::string text = numbered("", next++).append(":");
                text.resize(text.size() + random() % (random() % 20 == 0 ? 6000 : 60), '.');
                put(q, text);
            }
            if (random() % 3 == 0) {
                const ByteVector part = sendSome(q, random() % 3000);
                wire.insert(wire.end(), part.begin(), part.end());
            }
            if (random() % 500 == 0) q.trim();
        }
        const ByteVector rest = sendAll(q);
        wire.insert(wire.end(), rest.begin(), rest.end());
        int seen = 0;
        for (const std::string& text : payloads(wire))
            REQUIRE(text.substr(0, text.find(':')) == numbered("", seen++));
        CHECK(seen == next);
    }
}

TEST_CASE("fragments equal the captures", "[transport][output]") {
    OutputQueue q;
    q.activate(200, 2, kBig);
    REQUIRE(q.pushFragmented(pattern(500)));
    CHECK(q.queuedBytes() == q.fragmentedBytes(500));
    CHECK(sendAll(q) == concat(vectorLines("frag_v14_500")));
    REQUIRE(q.pushFragmented(pattern(1000)));  // id 2
    CHECK(q.queuedBytes() == q.fragmentedBytes(1000));
    CHECK(sendAll(q) == concat(vectorLines("frag_v14_1000")));
    CHECK(q.fragments() == 9);
    OutputQueue old;
    old.activate(200, 1, kBig);
    REQUIRE(old.pushFragmented(pattern(500)));
    CHECK(sendAll(old) == concat(vectorLines("frag_v12_500")));
}

TEST_CASE("fragments of every size come back together", "[transport][output]") {
    for (const std::size_t idBytes : {1u, 2u}) {
        for (std::size_t size = 51; size < 400; ++size) {
            OutputQueue q;
            q.activate(50, idBytes, kBig);
            REQUIRE(q.pushFragmented(pattern(size)));
            REQUIRE(q.queuedBytes() == q.fragmentedBytes(size));
            REQUIRE(reassemble(sendAll(q), 50, idBytes) == pattern(size));
        }
    }
    OutputQueue q;
    q.activate(frame::kMaxBody, 2, kBig);
    REQUIRE(q.pushFragmented(pattern(1000000)));
    CHECK(reassemble(sendAll(q), frame::kMaxBody, 2) == pattern(1000000));
}

TEST_CASE("fragment ids wrap to 1 and are never 0", "[transport][output]") {
    OutputQueue q;
    q.activate(25, 1, kBig);
    for (int i = 1; i <= 600; ++i) {
        REQUIRE(q.pushFragmented(pattern(26)));
        REQUIRE(std::to_integer<int>(sendAll(q)[8]) == (i - 1) % 255 + 1);
    }
}

TEST_CASE("the bound refuses, and one frame always passes", "[transport][output]") {
    OutputQueue q;
    q.activate(200, 2, 100);
    put(q, pattern(200));  // nothing was queued
    CHECK(q.reserve(1).empty());
    sendAll(q);
    put(q, pattern(47));
    put(q, pattern(47));
    CHECK(q.queuedBytes() == 100);
    CHECK(q.reserve(1).empty());
}

TEST_CASE("memory is recycled, and given back after a burst", "[transport][output]") {
    OutputQueue q;
    q.activate(6144, 2, kBig);
    for (int i = 0; i < 1000; ++i)
        put(q, pattern(6144));
    const std::size_t burst = q.bytesHeld();
    CHECK(burst >= 1000 * 6144u);
    sendAll(q);
    for (int i = 0; i < 1000; ++i)
        put(q, pattern(6144));
    CHECK(q.bytesHeld() == burst);
    sendAll(q);
    q.trim();
    CHECK(q.bytesHeld() <= burst);
    put(q, pattern(10));
    sendAll(q);
    q.trim();
    CHECK(q.bytesHeld() <= burst / 90);  // one chunk
    CHECK(q.trim().bytes() != 0);
    CHECK(q.bytesHeld() == 0);
    put(q, pattern(10));
    CHECK(q.bytesHeld() != 0);
    CHECK(payloads(sendAll(q)) == Text{"ABCDEFGHIJ"});
}

TEST_CASE("what was not begun is dropped, whole messages only", "[transport][output]") {
    const std::size_t sent = GENERATE(0u, 1u, 7u, 8u, 12u, 15u, 16u);  // frames of 8 bytes
    INFO(sent);
    OutputQueue q;
    q.activate(100, 2, kBig);
    for (const char* text : {"first", "secnd", "third"})
        put(q, text);
    ByteVector wire = sent != 0 ? sendSome(q, sent) : ByteVector{};
    const std::size_t kept = (sent + 7) / 8;
    CHECK(q.dropUnsent() == (3 - kept) * 8);
    CHECK(q.queuedBytes() == kept * 8 - sent);
    put(q, "end");
    const ByteVector rest = sendAll(q, 3);
    wire.insert(wire.end(), rest.begin(), rest.end());
    std::vector<std::string> expected{"first", "secnd", "third"};
    expected.resize(kept);
    expected.emplace_back("end");
    CHECK(payloads(wire) == expected);
    CHECK(q.dropUnsent() == 0);
}

TEST_CASE("of a message in fragments that has begun nothing is dropped, over many chunks", "[transport][output]") {
    constexpr std::size_t kM = 6000;
    const std::size_t sent = GENERATE(0u, 1u, 6003u, 50'000u, 200'000u);
    INFO(sent);
    OutputQueue q;
    q.activate(kM, 2, kBig);
    const ByteVector large = pattern(300'000);
    REQUIRE(q.pushFragmented(large));
    const std::size_t wireOfLarge = q.queuedBytes();
    for (int i = 0; i < 100; ++i)
        put(q, std::string(5000, 'y'));
    REQUIRE(q.pushFragmented(large));
    const std::size_t all = q.queuedBytes();
    ByteVector wire;
    while (wire.size() < sent) {
        const ByteVector part = sendSome(q, sent - wire.size());
        wire.insert(wire.end(), part.begin(), part.end());
    }
    CHECK(q.dropUnsent() == (sent == 0 ? all : all - wireOfLarge));
    CHECK(q.queuedBytes() == (sent == 0 ? 0 : wireOfLarge - sent));
    put(q, "end");
    const ByteVector rest = sendAll(q, 4096);
    wire.insert(wire.end(), rest.begin(), rest.end());
    CHECK(wire.size() == (sent == 0 ? 0 : wireOfLarge) + 3 + 3);
    CHECK(asText(Bytes(wire).last(3)) == "end");
}
