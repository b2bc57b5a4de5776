// Frames without sockets: captures, every byte split, every row of transport.md section 9 that concerns frames.
#include "support.h"
#include "support/catch.hpp"
#include "transport/stream/StagedStream.h"

#include <algorithm>
#include <random>

#include <sys/mman.h>
#include <unistd.h>

using namespace transport_test;

namespace {

struct Feed {
    std::vector<ByteVector> messages;
    std::size_t pings = 0;
    bool failed = false;
};

void start(FrameReader& reader, std::size_t maxMessage, std::size_t idBytes, const FrameLimits& limits = {}) {
    REQUIRE(reader.activate(maxMessage, idBytes, 0, limits));
}

void drain(FrameReader& reader, Feed& feed) {
    for (;;) {
        Bytes m;
        const bool more = reader.more();
        switch (reader.next(m)) {
        case FrameEvent::message:
            feed.messages.emplace_back(m.begin(), m.end());
            break;
        case FrameEvent::ping:
            ++feed.pings;
            break;
        case FrameEvent::failed:
            feed.failed = true;
            return;
        case FrameEvent::needMore: {
            // more() may promise a frame that was only a fragment, but never hides a message.
            static_cast<void>(more);
            CHECK_FALSE(reader.more());
            return;
        }
        }
    }
}

// Delivers in pieces of `step` bytes, taking whatever comes out after each.
Feed feedAll(FrameReader& reader, Bytes wire, std::size_t step) {
    Feed feed;
    while (!wire.empty() && !feed.failed) {
        const auto room = reader.space();
        const std::size_t n = std::min({step, wire.size(), room.size()});
        REQUIRE(n > 0);
        std::copy_n(wire.begin(), n, room.begin());
        reader.added(n);
        wire = wire.subspan(n);
        drain(reader, feed);
    }
    return feed;
}

Feed feedOnce(Bytes wire, std::size_t maxMessage = 200, std::size_t idBytes = 2, const FrameLimits& limits = {}) {
    FrameReader reader;
    start(reader, maxMessage, idBytes, limits);
    return feedAll(reader, wire, wire.size());
}

struct Refusal {
    FrameFault fault;
    std::string text;
    std::size_t delivered;
};
Refusal refusalOf(const std::string& wire, std::size_t maxMessage = 200, std::size_t idBytes = 2,
                  const FrameLimits& limits = {}) {
    FrameReader reader;
    start(reader, maxMessage, idBytes, limits);
    const ByteVector bytes = hex(wire);
    const Feed feed = feedAll(reader, bytes, bytes.size());
    CHECK(feed.failed);
    Bytes m;
    CHECK(reader.next(m) == FrameEvent::failed);  // for good
    return {reader.fault(), reader.faultText(), feed.messages.size()};
}

std::string be32(std::size_t v) {
    std::byte b[4];
    storeBe(b, static_cast<std::uint32_t>(v));
    return toHex(b);
}

// A frame from its parts, the length filled in.
ByteVector frameOf(const std::string& head, Bytes body) {
    ByteVector f = hex("0000 " + head);
    f.insert(f.end(), body.begin(), body.end());
    storeBe(f.data(), static_cast<std::uint16_t>(f.size()));
    return f;
}

}  // namespace

TEST_CASE("captured frames decode, however the bytes arrive", "[transport][frames]") {
    struct Row {
        const char* name;
        std::size_t idBytes;
        std::vector<std::size_t> sizes;
        std::size_t pings;
    };
    const std::vector<Row> rows{{"data_small", 2, {5}, 0},         {"ping", 2, {}, 1},
                                {"packed_5_6_7", 2, {5, 6, 7}, 0}, {"frag_v14_500", 2, {500}, 0},
                                {"frag_v14_1000", 2, {1000}, 0},   {"frag_v12_500", 1, {500}, 0}};
    for (const Row& row : rows) {
        const ByteVector wire = concat(vectorLines(row.name));
        for (std::size_t step = 1; step <= wire.size(); ++step) {
            INFO(row.name << " in pieces of " << step);
            FrameReader reader;
            start(reader, 200, row.idBytes);
            const Feed feed = feedAll(reader, wire, step);
            REQUIRE_FALSE(feed.failed);
            REQUIRE(feed.pings == row.pings);
            REQUIRE(feed.messages.size() == row.sizes.size());
            for (std::size_t i = 0; i < row.sizes.size(); ++i)
                REQUIRE(feed.messages[i] == pattern(row.sizes[i]));
            REQUIRE(reader.buffered().empty());
        }
    }
}

TEST_CASE("a mixed stream decodes at every split point", "[transport][frames]") {
    const ByteVector wire =
        concat({concat(vectorLines("data_small")), concat(vectorLines("frag_v14_500")), concat(vectorLines("ping")),
                concat(vectorLines("packed_5_6_7")), concat(vectorLines("frag_v14_1000")), hex("000462 41")});
    const std::vector<std::size_t> sizes{5, 500, 5, 6, 7, 1000, 1};  // the last: reserved flags are ignored
    for (std::size_t cut = 0; cut <= wire.size(); ++cut) {
        FrameReader reader;
        start(reader, 200, 2);
        Feed feed = feedAll(reader, Bytes(wire).first(cut), wire.size());
        const Feed rest = feedAll(reader, Bytes(wire).subspan(cut), wire.size());
        REQUIRE_FALSE((feed.failed || rest.failed));
        feed.messages.insert(feed.messages.end(), rest.messages.begin(), rest.messages.end());
        REQUIRE(feed.messages.size() == sizes.size());
        for (std::size_t i = 0; i < sizes.size(); ++i)
            REQUIRE(feed.messages[i] == pattern(sizes[i]));
        REQUIRE(feed.pings + rest.pings == 1);
    }
}

TEST_CASE("the largest frame passes and one byte more does not", "[transport][frames]") {
    CHECK(feedOnce(frameOf("02", pattern(200))).messages.at(0) == pattern(200));
    CHECK(feedOnce(frameOf("02", pattern(65532)), 65535).messages.at(0) == pattern(65532));

    SECTION("at once, before the rest arrives") {
        const Refusal r = refusalOf("00cc");
        CHECK(r.fault == FrameFault::tooLong);
        CHECK(r.text == "frame length 204 exceeds 203");
    }
}

TEST_CASE("frames that must be refused", "[transport][frames]") {
    CHECK(refusalOf("0002").fault == FrameFault::tooShort);
    CHECK(refusalOf("0000").fault == FrameFault::tooShort);
    CHECK(refusalOf("0003 01").fault == FrameFault::noBody);
    CHECK(refusalOf("0004 00 41").fault == FrameFault::noBody);
    CHECK(refusalOf("0004 06 41").fault == FrameFault::twoBodies);
    CHECK(refusalOf("0004 0a 41").fault == FrameFault::loneCompFragment);
    CHECK(refusalOf("0004 08 41").fault == FrameFault::loneCompFragment);
    CHECK(refusalOf("0004 04 41").fault == FrameFault::notCompressed);
    CHECK(refusalOf("0004 0c 41").fault == FrameFault::notCompressed);
    CHECK(refusalOf("0004 14 41").fault == FrameFault::notCompressed);
    CHECK(refusalOf("0003 03").fault == FrameFault::headerCut);
    CHECK(refusalOf("0005 03 01 41").fault == FrameFault::handshakeFrame);
    CHECK(refusalOf("0005 03 02 41").fault == FrameFault::handshakeFrame);
    CHECK(refusalOf("0005 03 10 41").fault == FrameFault::unknownExtended);
    CHECK(refusalOf("0005 03 80 41").fault == FrameFault::unknownExtended);
    CHECK(refusalOf("000b 03 0c 00000005 0001 41").fault == FrameFault::unknownExtended);
    CHECK(refusalOf("000b 13 08 00000005 0001 41").fault == FrameFault::packedFragment);
    CHECK(refusalOf("0007 13 04 0001 41").fault == FrameFault::packedFragment);
    SECTION("packed") {
        CHECK(refusalOf("0006 12 0002 41").fault == FrameFault::packedOverrun);
        CHECK(refusalOf("0004 12 41").fault == FrameFault::packedOverrun);
        // one good message, then a lone byte or an overrun: nothing is delivered
        CHECK(refusalOf("0007 12 0001 41 00").delivered == 0);
        const Refusal r = refusalOf("000a 12 0001 41 0009 41 42");
        CHECK(r.delivered == 0);
        CHECK(r.text == "packed message of 9 bytes passes the end of its frame (2 left)");
    }
    SECTION("fragments") {
        CHECK(refusalOf("0009 03 08 00000005 00").fault == FrameFault::headerCut);
        CHECK(refusalOf("0008 03 08 00000005", 200, 1).fault == FrameFault::headerCut);
        CHECK(refusalOf("0005 03 04 00").fault == FrameFault::headerCut);
        CHECK(refusalOf("000b 03 08 00000005 0000 41").fault == FrameFault::fragmentIdZero);
        CHECK(refusalOf("0007 03 04 0000 41").fault == FrameFault::fragmentIdZero);
        CHECK(refusalOf("0006 03 04 00 41", 200, 1).fault == FrameFault::fragmentIdZero);
        CHECK(refusalOf("000b 03 08 00000000 0001 41").fault == FrameFault::fragmentTotal);
        CHECK(refusalOf("000c 03 08 00000001 0001 4142").fault == FrameFault::fragmentTotal);
        CHECK(refusalOf("000b 03 08 04000001 0001 41").fault == FrameFault::fragmentTotalLimit);
        CHECK(refusalOf("000b 03 08 ffffffff 0001 41").fault == FrameFault::fragmentTotalLimit);
        CHECK(refusalOf("0007 03 04 0007 41").fault == FrameFault::fragmentUnknown);
        CHECK(refusalOf("000b 03 08 00000002 0001 41 0008 03 04 0001 4142").fault == FrameFault::fragmentOverflow);
        // complete, so its id is unknown again
        CHECK(refusalOf("000b 03 08 00000001 0001 41 0007 03 04 0001 41").fault == FrameFault::fragmentUnknown);
    }
    SECTION("too many partial messages, or too many bytes in them") {
        std::string wire;
        for (unsigned id = 1; id <= 65; ++id)
            wire += "000b 03 08 00000005 " + be32(id).substr(4) + " 41";
        CHECK(refusalOf(wire).fault == FrameFault::tooManyPartials);
        FrameLimits limits;
        limits.maxPartialBytes = 10;
        CHECK(refusalOf("000f 03 08 00000009 0001 4141414141 000f 03 08 00000009 0002 4141414141 0007 03 04 0002 41",
                        200, 2, limits)
                  .fault == FrameFault::partialBytesLimit);
    }
}

TEST_CASE("frames that are unusual and legal", "[transport][frames]") {
    SECTION("extended without a fragment bit") {
        const Feed f = feedOnce(hex("0006 03 00 4142  0004 03 00  0008 13 00 0002 4142"));
        CHECK(f.messages == std::vector<ByteVector>{hex("4142"), hex("4142")});
        CHECK(f.pings == 1);
    }
    SECTION("an empty body is a ping, packed or fragment too") {
        CHECK(feedOnce(hex("0003 12  0003 62  0006 03 04 0009  0005 12 0000")).pings == 4);
    }
    SECTION("empty slots of a packed frame carry nothing") {
        const Feed f = feedOnce(hex("000c 12 0000 0001 41 0000 0000  0004 02 42"));
        CHECK(f.messages == std::vector<ByteVector>{hex("41"), hex("42")});
    }
    SECTION("a first fragment that is the whole message") {
        CHECK(feedOnce(hex("000c 03 08 00000002 0001 4142")).messages.at(0) == hex("4142"));
    }
    SECTION("fragments of several messages and whole messages interleave") {
        const Feed f = feedOnce(hex("000b 03 08 00000003 0001 41  000b 03 08 00000002 0002 61  0004 02 78"
                                    "0007 03 04 0001 42  0007 03 04 0002 62  0003 02  0007 03 04 0001 43"));
        CHECK(f.messages == std::vector<ByteVector>{hex("78"), hex("6162"), hex("414243")});
        CHECK(f.pings == 1);
    }
    SECTION("a new first fragment replaces the unfinished one of its id, and is counted") {
        FrameReader reader;
        start(reader, 200, 2);
        const ByteVector wire = hex("000b 03 08 00000003 0001 41  000b 03 08 00000002 0001 61  0007 03 04 0001 62");
        const Feed f = feedAll(reader, wire, wire.size());
        CHECK(f.messages == std::vector<ByteVector>{hex("6162")});
        CHECK(reader.partialsReplaced() == 1);
    }
    SECTION("an announced total costs nothing until bytes arrive") {
        FrameReader reader;
        start(reader, 200, 2);
        std::string wire;
        for (unsigned id = 1; id <= 64; ++id)
            wire += "000b 03 08 04000000 " + be32(id).substr(4) + " 41";
        CHECK_FALSE(feedAll(reader, hex(wire), 1000000).failed);  // 64 x 64 MiB announced
    }
}

TEST_CASE("before activation and after drop nothing comes out", "[transport][frames]") {
    FrameReader reader;
    const ByteVector wire = hex("0004 02 41");
    auto room = reader.space();
    std::copy(wire.begin(), wire.end(), room.begin());
    reader.added(wire.size());
    Bytes m;
    CHECK(reader.next(m) == FrameEvent::needMore);
    CHECK(reader.buffered().size() == 4);
    start(reader, 200, 2);  // bytes behind the handshake survive
    CHECK(reader.next(m) == FrameEvent::message);
    CHECK(toHex(m) == "41");
    reader.drop();
    CHECK(reader.next(m) == FrameEvent::needMore);
}

TEST_CASE("random streams decode the same in random pieces", "[transport][frames]") {
    const auto seed = static_cast<unsigned>(Catch::rngSeed());
    std::mt19937 random(seed);
    INFO("seed " << seed);
    const auto pick = [&](std::size_t lo, std::size_t hi) {
        return std::uniform_int_distribution<std::size_t>(lo, hi)(random);
    };
    for (int round = 0; round < 50; ++round) {
        ByteVector wire;
        std::vector<ByteVector> expected;
        for (int i = 0; i < 100; ++i) {
            ByteVector f;
            if (pick(0, 3) == 0) {
                ByteVector body;
                for (std::size_t k = pick(1, 5); k > 0; --k) {
                    const ByteVector m = pattern(pick(1, 30));
                    body.push_back(std::byte{0});
                    body.push_back(static_cast<std::byte>(m.size()));
                    body.insert(body.end(), m.begin(), m.end());
                    expected.push_back(m);
                }
                f = frameOf("12", body);
            } else {
                expected.push_back(pattern(pick(1, 200)));
                f = frameOf("02", expected.back());
            }
            wire.insert(wire.end(), f.begin(), f.end());
        }
        FrameReader reader;
        start(reader, 200, 2);
        Feed all;
        for (Bytes rest(wire); !rest.empty();) {
            const std::size_t n = std::min(rest.size(), pick(1, 300));
            const Feed part = feedAll(reader, rest.first(n), n);
            all.messages.insert(all.messages.end(), part.messages.begin(), part.messages.end());
            rest = rest.subspan(n);
        }
        REQUIRE(all.messages == expected);
    }
}

TEST_CASE("arbitrary bytes never do harm", "[transport][frames]") {
    std::mt19937 random(static_cast<unsigned>(Catch::rngSeed()));
    for (int round = 0; round < 2000; ++round) {
        ByteVector wire(1 + random() % 400);
        for (std::byte& b : wire)
            b = static_cast<std::byte>(random());
        for (std::size_t at = 0; at + 3 < wire.size(); at += 1 + random() % 60) {  // make some of it look like frames
            wire[at] = std::byte{0};
            wire[at + 2] = static_cast<std::byte>(random() % 2 == 0 ? 0x03 : 0x12);
            wire[at + 3] = static_cast<std::byte>(random() % 3 * 4);
        }
        FrameReader reader;
        start(reader, 200, static_cast<std::size_t>(1 + round % 2));
        static_cast<void>(feedAll(reader, wire, 1 + random() % 100));
    }
    SUCCEED();
}

namespace {

std::size_t residentPages(const std::byte* from, std::size_t bytes) {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const auto first = (reinterpret_cast<std::uintptr_t>(from) + page - 1) / page * page;
    const auto last = (reinterpret_cast<std::uintptr_t>(from) + bytes) / page * page;
    std::vector<unsigned char> flags((last - first) / page);
    REQUIRE(::mincore(reinterpret_cast<void*>(first), last - first, flags.data()) == 0);
    return static_cast<std::size_t>(std::count_if(flags.begin(), flags.end(), [](unsigned char f) { return f & 1; }));
}

void receive(FrameReader& reader, const ByteVector& bytes) {
    const auto room = reader.space();
    REQUIRE(room.size() >= bytes.size());
    std::copy(bytes.begin(), bytes.end(), room.begin());
    reader.added(bytes.size());
}

}  // namespace

TEST_CASE("the input buffer's pages go back after a burst", "[transport][frames]") {
    FrameReader reader;
    REQUIRE(reader.activate(6144, 2, 8u << 20, {}));
    const std::byte* const buffer = reader.space().data();
    ByteVector one(100), burst;
    one[1] = std::byte{100};
    one[2] = std::byte{frame::kData};
    while (burst.size() < 1'000'000)
        burst.insert(burst.end(), one.begin(), one.end());
    Feed feed;
    receive(reader, burst);
    drain(reader, feed);
    CHECK(feed.messages.size() == burst.size() / one.size());
    CHECK(reader.bytesHeld() == burst.size());
    CHECK(reader.trim() == 0);  // was needed since the last time
    receive(reader, {one.begin(), one.begin() + 60});
    drain(reader, feed);
    CHECK(residentPages(buffer, 1'000'000) > 240);
    CHECK(reader.trim() > 900'000);
    CHECK(residentPages(buffer, 1'000'000) <= 1);
    CHECK(reader.bytesHeld() == 60);
    receive(reader, {one.begin() + 60, one.end()});  // what was there is there
    feed = {};
    drain(reader, feed);
    REQUIRE(feed.messages.size() == 1);
    CHECK(feed.messages[0] == ByteVector(one.begin() + 3, one.end()));
    feed = {};
    receive(reader, burst);
    drain(reader, feed);
    CHECK(feed.messages.size() == burst.size() / one.size());
}

TEST_CASE("however large the buffer, one receive touches little of it", "[transport][frames]") {
    constexpr std::size_t most = 1u << 20;
    FrameReader reader;
    REQUIRE(reader.activate(6144, 2, 32u << 20, {}));
    CHECK(reader.space().size() <= most);
    const ByteVector one = frameOf("02", pattern(997));  // no whole number of them fits into one receive
    ByteVector wire;
    while (wire.size() < 9 * most)
        wire.insert(wire.end(), one.begin(), one.end());
    const Feed feed = feedAll(reader, wire, wire.size());
    CHECK(feed.messages.size() == wire.size() / one.size());
    CHECK(reader.bytesHeld() <= most + one.size());
}

TEST_CASE("the block of a large message goes back", "[transport][frames]") {
    FrameReader reader;
    start(reader, 6144, 2);
    OutputQueue q;
    q.activate(6144, 2, 8u << 20);
    const auto send = [&] {
        REQUIRE(q.pushFragmented(pattern(500'000)));
        OutputQueue::Gather parts;
        Feed feed;
        while (const std::size_t n = q.gather(parts)) {
            for (std::size_t i = 0; i < n; ++i) {
                const auto* at = static_cast<const std::byte*>(parts[i].iov_base);
                for (std::size_t left = parts[i].iov_len; left != 0;) {
                    const std::size_t part = std::min<std::size_t>(left, 4000);
                    receive(reader, {at, at + part});
                    drain(reader, feed);
                    at += part;
                    left -= part;
                }
                q.sent(parts[i].iov_len);
                break;
            }
        }
        REQUIRE(feed.messages.size() == 1);
        CHECK(feed.messages[0] == pattern(500'000));
    };
    send();
    CHECK(reader.bytesHeld() >= 500'000);
    reader.trim();
    CHECK(reader.bytesHeld() >= 500'000);  // there may be another one
    CHECK(reader.trim() >= 500'000);
    CHECK(reader.bytesHeld() < 100'000);
    send();
}

TEST_CASE("a staging block goes back when nothing was staged for a while", "[transport][frames]") {
    Staging s;
    REQUIRE(s.append(pattern(100'000)));
    CHECK(s.trim() == 0);  // in use
    CHECK(s.trim() == 0);
    s.taken(60'000);
    CHECK(s.trim() == 0);
    CHECK(s.size() == 40'000);
    s.taken(40'000);
    CHECK(s.trim() >= 100'000);
    CHECK(s.trim() == 0);
    REQUIRE(s.append(pattern(10)));
    s.taken(10);
    CHECK(s.trim() == 0);  // used since the last time
    CHECK(s.trim() != 0);
}

namespace {

// Reads everything that is buffered as a loop does that looks ahead: up to `most` messages are known before their turn.
// What was shown must come, in that order, unless a frame that only next() checks is bad.
struct LookingAhead {
    std::size_t most = 8;
    std::vector<ByteVector> shown;  // and not read yet, in their order
    std::size_t expected = 0;       // messages that came and had been shown
    Feed feed;

    void drain(FrameReader& reader) {
        for (;;) {
            Bytes m;
            const FrameEvent event = reader.next(m);
            if (event == FrameEvent::ping) {
                ++feed.pings;
                continue;
            }
            if (event != FrameEvent::message) {
                feed.failed = event == FrameEvent::failed;
                if (!feed.failed) REQUIRE(shown.empty());  // what is shown is complete
                return;
            }
            feed.messages.emplace_back(m.begin(), m.end());
            if (!shown.empty()) {
                REQUIRE(shown.front() == feed.messages.back());
                shown.erase(shown.begin());
                ++expected;
            }
            while (shown.size() < most) {
                const Bytes next = reader.peek(shown.empty());
                if (next.empty()) break;
                shown.emplace_back(next.begin(), next.end());
            }
        }
    }
};

ByteVector numbered(std::uint32_t n, std::size_t bytes) {
    ByteVector m(bytes, std::byte{0x2A});
    if (bytes >= 4) storeBe(m.data(), n);
    return m;
}

void append(ByteVector& to, const ByteVector& what) {
    to.insert(to.end(), what.begin(), what.end());
}

}  // namespace

TEST_CASE("messages that are looked at ahead are those that come", "[transport][frames]") {
    std::mt19937 random(20);
    std::size_t shown = 0, messages = 0;
    for (int round = 0; round < 300; ++round) {
        ByteVector wire;
        std::size_t count = 0;
        for (int frame = 0; frame < 40; ++frame) {
            const auto size = [&] { return std::size_t{1} + random() % 40; };
            switch (random() % 8) {
            case 0:  // a ping
                append(wire, hex("0003 02"));
                break;
            case 1: {  // in two fragments
                const ByteVector whole = numbered(static_cast<std::uint32_t>(++count), 60);
                append(wire, frameOf("03 08 " + be32(60) + "0007", Bytes(whole).first(20)));
                append(wire, frameOf("03 04 0007", Bytes(whole).subspan(20)));
                break;
            }
            case 2: {  // packed, with empty places
                ByteVector body;
                for (std::size_t i = random() % 5; i != 0; --i) {
                    const std::size_t bytes = random() % 3 == 0 ? 0 : size();
                    body.push_back(std::byte{0});
                    body.push_back(static_cast<std::byte>(bytes));
                    append(body, numbered(static_cast<std::uint32_t>(count), bytes));
                    count += bytes != 0 ? 1 : 0;
                }
                append(wire, frameOf("12", body));
                break;
            }
            default:
                append(wire, frameOf("02", numbered(static_cast<std::uint32_t>(++count), size())));
            }
        }
        FrameReader reader;
        start(reader, 200, 2);
        LookingAhead ahead;
        ahead.most = 1 + random() % 12;
        Bytes rest = wire;
        while (!rest.empty()) {
            const auto room = reader.space();
            const std::size_t n = std::min({std::size_t{1} + random() % 700, rest.size(), room.size()});
            std::copy_n(rest.begin(), n, room.begin());
            reader.added(n);
            rest = rest.subspan(n);
            ahead.drain(reader);
        }
        REQUIRE_FALSE(ahead.feed.failed);
        REQUIRE(ahead.feed.messages.size() == count);
        shown += ahead.expected;
        messages += count;
    }
    CHECK(shown > messages / 2);
}

TEST_CASE("looking ahead stays inside what was received, whatever it is", "[transport][frames]") {
    std::mt19937 random(21);
    for (int round = 0; round < 3000; ++round) {
        FrameReader reader;
        start(reader, 200, 2);
        LookingAhead ahead;
        ByteVector wire;
        for (std::size_t i = 3 + random() % 6; i != 0; --i) {
            // Lengths that may be right, flags that may be, and lists that may pass the end of their frame.
            ByteVector frame = frameOf(random() % 3 == 0 ? "12" : "02", numbered(1, random() % 30));
            if (random() % 4 == 0) frame[random() % frame.size()] = static_cast<std::byte>(random());
            append(wire, frame);
        }
        wire.resize(wire.size() - random() % 4);
        const auto room = reader.space();
        REQUIRE(room.size() >= wire.size());
        std::copy_n(wire.begin(), wire.size(), room.begin());
        reader.added(wire.size());
        // A list that is bad is refused whole by next(), after some of it was shown: then nothing more comes.
        for (;;) {
            Bytes m;
            const FrameEvent event = reader.next(m);
            if (event == FrameEvent::failed || event == FrameEvent::needMore) break;
            for (int i = 0; i < 8; ++i) {
                const Bytes next = reader.peek(i == 0);
                if (next.empty()) break;
                REQUIRE(next.data() >= room.data());
                REQUIRE(next.data() + next.size() <= room.data() + wire.size());
            }
        }
    }
}
