// Peers and lines that lose, repeat and mix up (tunnel.md 3).
#include "fixture.h"

#include <random>

using namespace tunneltest;
using Strings = std::vector<std::string>;

TEST_CASE("a gap is asked for once, and only what is missing is sent again", "[tunnel]") {
    Pair p;
    p.open();
    for (unsigned i = 0; i < 8; ++i)
        REQUIRE(p.asking->submit(DataType::Opaque, content(100, i)) == SubmitFault::none);
    p.passes = [](Bytes message, bool) {
        const std::string text = Seen(message).text();
        return text != "data 2" && text != "data 3" && text != "data 6";
    };
    p.settle(8);
    CHECK(p.seen == Strings{"> data 1", "> data 2 lost", "> data 3 lost", "> data 4", "> data 5", "> data 6 lost",
                            "> data 7", "> data 8", "< ack 1 [2-3] [6-6]", "> again 2", "> again 3", "> again 6",
                            "< ack 8"});
    REQUIRE(p.provider.data.size() == 8);
    for (unsigned i = 0; i < 8; ++i)
        CHECK(p.provider.data[i] == content(100, i));
    CHECK(p.counters.repeated == 3);
    CHECK(p.counters.duplicates == 0);
}

TEST_CASE("a gap behind one that was asked for is not told before the repeats are there", "[tunnel]") {
    Pair p;
    p.open();
    p.passes = [&](Bytes message, bool) {
        const std::string text = Seen(message).text();
        return text != "data 1" && text != "data 3";
    };
    for (unsigned i = 0; i < 4; ++i)
        REQUIRE(p.asking->submit(DataType::Opaque, content(100, i)) == SubmitFault::none);
    p.deliver(p.up, true, 2);  // 2 arrives, 1 is missing
    p.deliver(p.up, true, 2);  // 4 arrives, 3 is missing too
    CHECK(p.seen.size() == 4);
    p.settle();
    CHECK(p.seen == Strings{"> data 1 lost", "> data 2", "> data 3 lost", "> data 4", "< ack 0 [1-1]", "> again 1",
                            "< ack 2 [3-3]", "> again 3", "< ack 4"});
}

TEST_CASE("a repeat that is lost is asked for again", "[tunnel]") {
    Pair p;
    p.open();
    int again = 0;
    p.passes = [&](Bytes message, bool) {
        const std::string text = Seen(message).text();
        return text != "data 1" && text != "data 2" && (text != "again 1" || again++ != 0);
    };
    for (unsigned i = 0; i < 3; ++i)
        REQUIRE(p.asking->submit(DataType::Opaque, content(100, i)) == SubmitFault::none);
    p.settle();
    CHECK(p.provider.data.size() == 3);
}

TEST_CASE("an answer to a gap that does not come is asked for after a while", "[tunnel]") {
    Pair p;
    p.open();
    int naks = 0;
    p.passes = [&](Bytes message, bool) {
        const Seen s(message);
        return s.text() != "data 1" && (s.header.isData() || s.header.missing.empty() || naks++ != 0);
    };
    for (unsigned i = 0; i < 2; ++i)
        REQUIRE(p.asking->submit(DataType::Opaque, content(100, i)) == SubmitFault::none);
    p.settle();
    CHECK(p.provider.data.empty());
    p.pass(501ms);
    p.settle();
    CHECK(p.provider.data.size() == 2);
}

TEST_CASE("a lost last message stays lost until something follows", "[tunnel]") {
    Pair p;
    p.open();
    p.passes = [](Bytes message, bool) { return Seen(message).text() != "data 1"; };
    REQUIRE(p.asking->submit(DataType::Opaque, content(100)) == SubmitFault::none);
    p.settle();
    p.pass(30s);
    p.settle();
    CHECK(p.provider.data.empty());
    REQUIRE(p.asking->submit(DataType::Opaque, content(101)) == SubmitFault::none);
    p.settle();
    CHECK(p.provider.data.size() == 2);
}

TEST_CASE("what comes twice is delivered once", "[tunnel]") {
    Pair p;
    p.open();
    REQUIRE(p.asking->submit(DataType::Opaque, content(100)) == SubmitFault::none);
    p.up.out.push_back(p.up.out.front());
    p.settle();
    CHECK(p.provider.data.size() == 1);
    CHECK(p.counters.duplicates == 1);
}

TEST_CASE("what is kept behind a gap has a limit, and is asked for again", "[tunnel]") {
    Pair p;
    p.limits.heldMessages = GENERATE(3u, 4096u);
    p.limits.heldBytes = p.limits.heldMessages == 3 ? 1u << 20 : 350;
    p.open();
    p.passes = [](Bytes message, bool) { return Seen(message).text() != "data 1"; };
    for (unsigned i = 0; i < 10; ++i)
        REQUIRE(p.asking->submit(DataType::Opaque, content(100, i)) == SubmitFault::none);
    p.settle(10);
    CHECK(p.counters.held >= 3);
    CHECK(p.counters.dropped == 6);
    CHECK(p.provider.data.size() == 10);
}

TEST_CASE("a peer that asks for everything again and again gets no more than it can read", "[tunnel]") {
    Pair p;
    p.open();
    for (unsigned i = 0; i < 50; ++i)
        REQUIRE(p.asking->submit(DataType::Opaque, content(100, i)) == SubmitFault::none);
    std::vector<SeqRange> all(kMostRanges, SeqRange{1, 50});
    std::array<std::byte, 256> room{};
    eta::BeWriter inner{room};
    encodeAck(inner, false, 0, all, 0);
    Msg m;
    m.cls = MsgClass::Generic;
    m.domain = 127;
    m.streamId = 1001;
    m.flags = eta::codec::GenericFlag::extendedHeader;
    m.extendedHeader = inner.view();
    p.up.out.clear();
    p.asking->onMessage(m);
    CHECK(p.up.out.size() == 50);
    p.up.full = true;
    for (int i = 0; i < 100; ++i)
        p.asking->onMessage(m);
    CHECK(p.up.out.size() == 50);
    CHECK(p.asking->buffersUsed() == 50);
}

TEST_CASE("numbers go on past their end", "[tunnel]") {
    CHECK(ahead(1, 0xFFFFFFFF) == 2);
    CHECK(ahead(0xFFFFFFFF, 1) == -2);
}

TEST_CASE("ten thousand messages arrive over a line that loses, repeats and mixes up one in ten", "[tunnel]") {
    Pair p;
    const unsigned seed = GENERATE(1u, 2u);
    CAPTURE(seed);
    std::mt19937 random(seed);
    p.open();
    p.limits.heldBytes = 64u << 20;
    std::deque<std::pair<Block, bool>> late;
    p.passes = [&](Bytes message, bool fromConsumer) {
        p.seen.clear();
        switch (random() % 30) {
        case 0:
            return false;
        case 1:  // once more later
            late.emplace_back(Block(message.begin(), message.end()), fromConsumer);
            return true;
        case 2:
            late.emplace_back(Block(message.begin(), message.end()), fromConsumer);
            return false;
        default:
            return true;
        }
    };
    const auto size = [](unsigned i) { return i % 50 == 0 ? 1 + (i * 7919u) % 100'000u : 1 + (i * 131u) % 2000u; };
    constexpr unsigned kMessages = 10'000;
    unsigned submitted[2] = {0, 0};
    const auto arrived = [&] { return p.provider.data.size() >= kMessages && p.consumer.data.size() >= kMessages; };
    std::size_t checked[2] = {0, 0};
    for (int idle = 0; !arrived() && idle < 10'000;) {
        End* const ends[2] = {p.asking.get(), p.asked.get()};
        for (int side = 0; side < 2; ++side)
            for (int i = 0; i < 20 && submitted[side] < kMessages + 200; ++i) {
                if (ends[side]->submit(DataType::Opaque, content(size(submitted[side]), submitted[side])) !=
                    SubmitFault::none)
                    break;
                ++submitted[side];
            }
        p.deliver(p.up, true, random() % 50);
        p.deliver(p.down, false, random() % 50);
        while (!late.empty() && random() % 2 == 0) {
            const auto [message, fromConsumer] = late.front();
            late.pop_front();
            p.hand(Seen(message).m, fromConsumer);
        }
        p.flush();
        if (p.up.out.empty() && p.down.out.empty()) ++idle, p.pass(100ms);
        // Compared as they come, so that memory stays small.
        for (TestUser* user : {&p.provider, &p.consumer}) {
            std::size_t& n = checked[user == &p.consumer];
            for (; n < user->data.size(); ++n) {
                if (user->data[n] != content(size(static_cast<unsigned>(n)), static_cast<unsigned>(n)))
                    FAIL("message " << n << " differs");
                Block().swap(user->data[n]);
            }
        }
    }
    CHECK(arrived());
    CHECK(p.counters.repeated > 1000);
    CHECK(p.counters.broken == 0);
}

TEST_CASE("a hundred tunnels beside each other do not touch each other", "[tunnel]") {
    Ground ground;
    struct Line {
        TestWire up, down;
        TestUser consumer, provider;
        std::unique_ptr<ConsumerEnd> asking;
        std::unique_ptr<ProviderEnd> asked;
    };
    std::vector<std::unique_ptr<Line>> lines;
    for (int i = 0; i < 100; ++i) {
        auto& line = *lines.emplace_back(std::make_unique<Line>());
        ConsumerRequest r = Pair::request(windowed());
        r.identity.streamId = 5 + i;
        line.asking = std::make_unique<ConsumerEnd>(ground.setting(line.up), r, line.consumer);
        line.asking->start();
        line.asked = std::make_unique<ProviderEnd>(ground.setting(line.down), r.identity, windowed(), line.provider);
        REQUIRE_FALSE(line.asked->accept(windowed(), 50));
        Msg m;
        REQUIRE(decodeMsg(line.down.out.front(), m).ok());
        line.asking->onMessage(m);
        REQUIRE(line.asking->submit(DataType::Opaque, content(50, static_cast<unsigned>(i))) == SubmitFault::none);
        REQUIRE(decodeMsg(line.up.out.back(), m).ok());
        CHECK(m.streamId == 5 + i);
        CHECK(m.seqNum == 1);
        line.asked->onMessage(m);
        CHECK(line.provider.data.back() == content(50, static_cast<unsigned>(i)));
    }
    CHECK(ground.counters.open == 200);
    lines.clear();
    CHECK(ground.counters.open == 0);
    CHECK(ground.counters.buffersUsed == 0);
}
