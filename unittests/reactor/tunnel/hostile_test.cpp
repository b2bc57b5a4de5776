// A peer that says what cannot be, at either end: fragments out of order, totals that lie, windows of any size,
// acknowledgements of what was never sent (tunnel.md 4, 5).
#include "fixture.h"

#include <random>

using namespace tunneltest;
using Strings = std::vector<std::string>;

namespace {

/// An open tunnel of which one end is the peer's to lie to.
struct Hostile : Pair {
    explicit Hostile(bool atConsumer, const ClassOfService& cos = reliable()) : atConsumer_(atConsumer) {
        limits.partialMessages = 2;
        limits.partialBytes = 3000;
        limits.heldMessages = 10;
        limits.heldBytes = 5000;
        open(cos);
    }
    [[nodiscard]] End& end() { return atConsumer_ ? static_cast<End&>(*asking) : *asked; }
    [[nodiscard]] TestUser& user() { return atConsumer_ ? consumer : provider; }
    [[nodiscard]] TestWire& wire() { return atConsumer_ ? up : down; }

    void data(std::uint32_t seqNum, Bytes payload, const Header& h = {}) {
        std::array<std::byte, 16> room{};
        eta::BeWriter inner{room};
        encodeData(inner, h, kStreamVersion);
        Msg m = generic(inner.view());
        m.flags |= eta::codec::GenericFlag::seqNum;
        m.seqNum = seqNum;
        m.payload = payload;
        end().onMessage(m);
    }
    void fragment(std::uint16_t id, std::uint32_t number, std::uint32_t total, std::size_t size,
                  std::uint32_t seqNum = 0) {
        Header h;
        h.fragment = true;
        h.messageId = id;
        h.fragmentNumber = number;
        h.totalBytes = total;
        h.containerType = DataType::Opaque;
        data(seqNum != 0 ? seqNum : ++seq, content(size), h);
    }
    void ack(std::uint32_t seqNum, std::int32_t window, std::span<const SeqRange> missing = {}) {
        std::array<std::byte, 256> room;
        eta::BeWriter inner{room};
        encodeAck(inner, false, seqNum, missing, window);
        Msg m = generic(inner.view());
        m.flags |= eta::codec::GenericFlag::complete;
        end().onMessage(m);
        end().flush();
    }
    std::uint32_t seq = 0;

private:
    static Msg generic(Bytes header) {
        Msg m;
        m.cls = MsgClass::Generic;
        m.domain = 127;
        m.streamId = 1001;
        m.flags = eta::codec::GenericFlag::extendedHeader;
        m.extendedHeader = header;
        m.containerType = DataType::Opaque;
        return m;
    }
    const bool atConsumer_;
};

}  // namespace

TEST_CASE("fragments that cannot be right end the tunnel at either end", "[tunnel]") {
    const bool atConsumer = GENERATE(true, false);
    Hostile p(atConsumer);
    std::string why;
    SECTION("a second one without the first") {
        p.fragment(1, 2, 2000, 1000);
        why = "a fragment came without the one before it";
    }
    SECTION("in the wrong order, with numbers in order") {
        p.fragment(1, 1, 3000, 1000);
        p.fragment(1, 3, 3000, 1000);
        why = "a fragment came without the one before it";
    }
    SECTION("one twice") {
        p.fragment(1, 1, 3000, 1000);
        p.fragment(1, 2, 3000, 1000);
        p.fragment(1, 2, 3000, 1000);
        why = "a fragment came without the one before it";
    }
    SECTION("more than the total") {
        p.fragment(1, 1, 1500, 1000);
        p.fragment(1, 2, 1500, 1000);
        why = "the fragments of a message are longer than was announced";
    }
    SECTION("another total later, which does not count") {
        p.fragment(1, 1, 1500, 1000);
        p.fragment(1, 2, 5000, 1000);
        why = "the fragments of a message are longer than was announced";
    }
    SECTION("a total beyond all") {
        p.fragment(1, 1, 0xFFFF'FFFF, 1000);
        why = "a fragmented message is longer than the class of service allows";
    }
    SECTION("a first fragment of a total of nothing") {
        p.fragment(1, 1, 0, 1);
        why = "the fragments of a message are longer than was announced";
    }
    SECTION("more messages at once than may be") {
        for (std::uint16_t id = 1; id <= 3; ++id)
            p.fragment(id, 1, 1500, 100);
        why = "too many fragmented messages are under way";
    }
    SECTION("more bytes at once than may be") {
        p.fragment(1, 1, 2500, 2000);
        p.fragment(2, 1, 2500, 2000);
        why = "the fragmented messages under way are too long";
    }
    CHECK(p.user().take() == Strings{(atConsumer ? "3/2 " : "4/2 ") + why});  // a consumer may ask again
    CHECK(p.user().data.empty());
    CHECK_FALSE(p.end().open());
}

TEST_CASE("fragments that overtake each other are put in order, and what is ahead is bounded", "[tunnel]") {
    Hostile p(GENERATE(true, false));
    SECTION("those that were overtaken") {
        p.fragment(1, 3, 2500, 500, 3);
        p.fragment(1, 2, 2500, 1000, 2);
        CHECK(p.user().data.empty());
        p.fragment(1, 1, 2500, 1000, 1);
        REQUIRE(p.user().data.size() == 1);
        CHECK(p.user().data[0].size() == 2500);
    }
    SECTION("many messages, and one that never comes") {
        for (std::uint32_t seqNum = 1000; seqNum >= 2; --seqNum)
            p.data(seqNum, content(10));
        CHECK(p.counters.held == 10);
        CHECK(p.counters.dropped == 999 - 10);
    }
    SECTION("many bytes") {
        for (std::uint32_t seqNum = 2; seqNum < 100; ++seqNum)
            p.data(seqNum, content(2000));
        CHECK(p.counters.held == 2);
    }
    SECTION("numbers from far away") {
        for (const std::uint32_t seqNum : {0x7FFF'FFFFu, 0x8000'0000u, 0xFFFF'FFFFu, 0u})
            p.data(seqNum, content(10));
        p.end().flush();
    }
    CHECK(p.user().take().empty());
    CHECK(p.end().open());
    if (p.user().data.empty()) {  // what was missing comes, and the tunnel goes on
        p.data(1, content(7));
        REQUIRE_FALSE(p.user().data.empty());
        CHECK(p.user().data[0] == content(7));
    }
}

TEST_CASE("windows of any size stop a sender or let it go, and nothing else", "[tunnel]") {
    Hostile p(GENERATE(true, false), windowed());
    const std::int32_t window = GENERATE(0, -1, INT32_MIN, INT32_MAX);
    p.ack(0, window);
    p.wire().out.clear();
    unsigned taken = 0;
    while (taken < 2000 && p.end().submit(DataType::Opaque, content(6000)) == SubmitFault::none)
        ++taken;
    CHECK(taken < 2000);  // what is queued is bounded by buffers, whatever the window
    if (window == INT32_MAX) CHECK(p.wire().out.size() == taken);
    else CHECK(p.wire().out.empty());
    CHECK(p.end().buffersUsed() == taken);
    // The peer lets all of it go.
    p.ack(0, INT32_MAX);
    CHECK(p.wire().out.size() == taken);
    p.ack(taken, 0);
    CHECK(p.end().buffersUsed() == 0);
    CHECK(p.counters.buffersUsed == 0);
    CHECK(p.end().open());
}

TEST_CASE("a peer that sends more than the window is taken and counted", "[tunnel]") {
    Hostile p(GENERATE(true, false), windowed(6144));
    for (std::uint32_t seqNum = 1; seqNum <= 100; ++seqNum)
        p.data(seqNum, content(7000));
    CHECK(p.user().data.size() == 100);
    CHECK(p.counters.windowExceeded != 0);
    p.user().data.clear();
    CHECK(p.end().open());
}

TEST_CASE("acknowledgements of anything cost what is queued, and give it back", "[tunnel]") {
    const bool atConsumer = GENERATE(true, false);
    std::mt19937 random(11);
    for (int round = 0; round < 30; ++round) {
        Hostile p(atConsumer, windowed());
        const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
        const auto number = [&]() -> std::uint32_t {
            switch (below(5)) {
            case 0:
                return below(0xFFFF'FFFFu);
            case 1:
                return 0xFFFF'FFFFu - below(3);
            case 2:
                return 0x7FFF'FFFFu + below(3);
            default:
                return below(40);
            }
        };
        for (int i = 0; i < 200 && !p.end().ended(); ++i) {
            (void)p.end().submit(DataType::Opaque, content(1 + below(9000)));
            std::vector<SeqRange> missing;
            for (std::uint32_t n = below(8); n != 0; --n)
                missing.push_back({number(), number()});
            p.ack(number(), static_cast<std::int32_t>(number()), missing);
            p.wire().out.clear();
        }
        p.asking.reset();
        p.asked.reset();
        CHECK(p.counters.buffersUsed == 0);
    }
}
