// Active channels under pressure: slow readers, exhausted buffers, raw peers that break the rules, pings, threads.
#include "support.h"
#include "support/AllocationCounter.h"
#include "support/catch.hpp"
#include "support/until.h"
#include "transport/channel/handshake.h"

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <thread>

#include <sys/socket.h>

using namespace transport_test;

namespace {

// Options that make the kernel push back early.
BindOptions narrowServer() {
    BindOptions o = bindOptions();
    o.sysSendBufSize = 2048;
    o.sysRecvBufSize = 2048;
    return o;
}
ConnectOptions narrowClient() {
    ConnectOptions o = connectOptions(0);
    o.sysSendBufSize = 2048;
    o.sysRecvBufSize = 2048;
    return o;
}

std::string numberOf(Bytes m) {
    return std::string(asText(m.first(std::min<std::size_t>(8, m.size()))));
}

ByteVector numberedText(unsigned i, std::size_t size) {
    ByteVector m = pattern(std::max<std::size_t>(size, 8));
    std::string n = std::to_string(i);
    n.insert(0, 8 - n.size(), '0');
    const Bytes b = asBytes(n);
    std::copy(b.begin(), b.end(), m.begin());
    return m;
}

// Flushes one end and reads the other until a message comes.
ByteVector pump(Channel& from, Channel& to) {
    for (;;) {
        static_cast<void>(from.flush());
        const ReadResult r = to.read();
        REQUIRE(r.kind != ReadResult::Kind::closed);
        if (r.kind == ReadResult::Kind::message) return {r.message.begin(), r.message.end()};
        static_cast<void>(readable(to.fd(), 1));
    }
}

}  // namespace

TEST_CASE("a slow reader gets everything, in order, across many partial writes", "[transport][flow]") {
    ConnectOptions c = narrowClient();
    c.guaranteedOutputBuffers = 400;
    Pair p = makePair(narrowServer(), c);
    constexpr unsigned kMessages = 3000;
    unsigned sent = 0, received = 0;
    bool blockedOnce = false;
    while (received < kMessages) {
        while (sent < kMessages) {  // sizes from 8 bytes to several fragments
            const std::size_t size = sent % 50 == 0 ? 20000 : 8 + sent * 37 % 3000;
            const Error e = p.client->write(numberedText(sent, size));
            if (e.code == Errc::noBuffers) break;
            REQUIRE(e.ok());
            ++sent;
        }
        if (!p.client->flush()) {
            blockedOnce = true;
            CHECK(p.client->wantsWrite());
        }
        for (int i = 0; i < 5; ++i) {  // reads a little only
            const ReadResult r = p.accepted->read();
            if (r.kind != ReadResult::Kind::message) break;
            REQUIRE(std::stoul(numberOf(r.message)) == received);
            const std::size_t size = received % 50 == 0 ? 20000 : std::max<std::size_t>(8, 8 + received * 37 % 3000);
            REQUIRE(r.message.size() == size);
            ++received;
        }
    }
    CHECK(blockedOnce);
    CHECK(p.client->queuedBytes() == 0);
    CHECK(p.client->counters().writesBlocked > 0);
    CHECK(p.client->counters().messagesWritten == kMessages);
    CHECK(p.accepted->counters().messagesRead == kMessages);
    CHECK(p.client->flush());
    CHECK_FALSE(p.client->wantsWrite());
}

TEST_CASE("buffers run out, and come back", "[transport][flow]") {
    ConnectOptions c = narrowClient();
    c.guaranteedOutputBuffers = 5;
    Pair p = makePair(narrowServer(), c);
    CHECK(p.client->info().guaranteedOutputBuffers == 5);
    std::size_t sent = 0;
    while (!p.client->reserve(6144).empty()) {
        REQUIRE(p.client->commit(6144).ok());
        ++sent;
        REQUIRE(sent < 100000);
    }
    CHECK(p.client->queuedBytes() > 4 * 6147);
    CHECK(p.client->queuedBytes() <= 5 * 6147);
    CHECK(p.client->counters().noBuffers == 1);
    CHECK(p.client->write(pattern(6144)).code == Errc::noBuffers);
    CHECK(p.client->write(pattern(100000)).code == Errc::noBuffers);
    CHECK(p.client->counters().noBuffers == 3);
    for (std::size_t i = 0; i < sent; ++i) {
        REQUIRE(pump(*p.client, *p.accepted).size() == 6144);
    }
    REQUIRE(p.client->flush());
    CHECK(p.client->write(pattern(10)).ok());

    SECTION("a message larger than the whole bound passes when nothing else waits") {
        REQUIRE(p.client->flush());
        REQUIRE(readMessage(*p.accepted) == pattern(10));
        REQUIRE(p.client->write(pattern(300000)).ok());
        CHECK(p.client->write(pattern(10)).code == Errc::noBuffers);
        CHECK(pump(*p.client, *p.accepted) == pattern(300000));
    }
    SECTION("more buffers may be granted while it runs") {
        CHECK(p.client->setOption(1, 1000).ok());
        for (int i = 0; i < 500; ++i)
            REQUIRE(p.client->write(pattern(6144)).ok());
    }
}

TEST_CASE("write refuses what cannot be a message", "[transport][flow]") {
    ConnectOptions c = connectOptions(0);
    c.maxMessageBytes = 10000;
    Pair p = makePair(bindOptions(), c);
    CHECK(p.client->write({}).code == Errc::outOfRange);
    CHECK(p.client->write(pattern(10001)).code == Errc::outOfRange);
    CHECK(p.client->write(pattern(10000)).ok());
    CHECK(p.client->reserve(6145).empty());
    CHECK(p.client->reserve(6144).size() == 6144);
    CHECK(p.client->commit(6145).code == Errc::usage);
    CHECK(p.client->commit(6144).ok());
    CHECK(p.client->commit(1).code == Errc::usage);
}

TEST_CASE("message sizes around the frame limit", "[transport][flow]") {
    for (const std::uint32_t m : {25u, 200u, 6144u, 65535u}) {
        BindOptions b = bindOptions();
        b.maxFragmentSize = m;
        ConnectOptions c = connectOptions(0);
        c.guaranteedOutputBuffers = 100000;
        Pair p = makePair(b, c);
        const std::size_t most = p.client->maxFragmentSize() + 2;
        CHECK(most == std::min<std::size_t>(m, 65532));
        CHECK(p.client->reserve(most).size() == most);
        for (const std::size_t size :
             {std::size_t{1}, most - 1, most, most + 1, 2 * most, 3 * most - 7, std::size_t{200000}}) {
            INFO("M " << m << ", message " << size);
            REQUIRE(p.client->write(pattern(size)).ok());
            REQUIRE(pump(*p.client, *p.accepted) == pattern(size));
        }
    }
    BindOptions b = bindOptions();
    b.maxFragmentSize = 24;  // outside the valid range: the default
    CHECK(makePair(b).client->maxFragmentSize() == 6142);
}

TEST_CASE("when commit flushes", "[transport][flow]") {
    ConnectOptions c = connectOptions(0);
    SECTION("at the high-water mark") {
        c.highWaterMark = 100;
        Pair p = makePair(bindOptions(), c);
        const auto before = p.client->counters().writeCalls;
        REQUIRE(p.client->write(pattern(97)).ok());
        CHECK(p.client->queuedBytes() == 100);
        CHECK(p.client->counters().writeCalls == before);
        REQUIRE(p.client->write(pattern(1)).ok());
        CHECK(p.client->queuedBytes() == 0);
        CHECK(p.client->counters().writeCalls == before + 1);  // both in one call
        CHECK(p.client->setOption(3, 1000).ok());
        REQUIRE(p.client->write(pattern(500)).ok());
        CHECK(p.client->queuedBytes() == 503);
    }
    SECTION("later and later in a burst, until flush() ends it") {
        constexpr std::size_t kMark = 1000, kMost = 64 << 10;
        c.highWaterMark = kMark;
        Pair p = makePair(bindOptions(), c);
        const ByteVector message = pattern(600);
        const auto end = Clock::now() + emissary::test::kPatience;
        for (std::size_t most = 0; most <= kMark;) {  // until two marks followed each other quickly enough
            REQUIRE(Clock::now() < end);
            bool flushed = false;
            for (int i = 0; i < 300; ++i) {
                REQUIRE(p.client->write(message).ok());
                const std::size_t queued = p.client->queuedBytes();
                flushed = flushed || queued == 0;
                REQUIRE(queued <= (flushed ? kMost : kMark));  // the first of a burst goes as it always does
                most = std::max(most, queued);
            }
            REQUIRE(flushWait(*p.client));
            CHECK(p.client->queuedBytes() == 0);
            for (int i = 0; i < 300; ++i)
                REQUIRE(readMessage(*p.accepted) == message);
        }
    }
    SECTION("with every message on direct write") {
        c.directWrite = true;
        Pair p = makePair(bindOptions(), c);
        const auto before = p.client->counters().writeCalls;
        for (int i = 0; i < 3; ++i)
            REQUIRE(p.client->write(pattern(5)).ok());
        CHECK(p.client->counters().writeCalls == before + 3);
    }
}

TEST_CASE("packed messages travel in one frame", "[transport][flow]") {
    RawPeer p = makeRawPeer();
    const ByteVector body = hex("0005 4142434445 0006 414243444546 0007 41424344454647");
    const auto room = p.channel->reserve(100);
    std::copy(body.begin(), body.end(), room.begin());
    REQUIRE(p.channel->commitPacked(body.size(), 3).ok());
    REQUIRE(p.channel->flush());
    CHECK(p.raw.receiveFrame() == vectorLines("packed_5_6_7").at(0));
    CHECK(p.channel->counters().messagesWritten == 3);
}

TEST_CASE("a peer that breaks the framing rules loses its channel", "[transport][flow]") {
    struct Row {
        const char* wire;
        const char* reason;
    };
    const auto row = GENERATE(
        Row{"0002", "frame length 2 is below the header"}, Row{"1804", "frame length 6148 exceeds 6147"},
        Row{"0003 00", "neither plain nor compressed"}, Row{"0004 06 41", "both plain and compressed"},
        Row{"0004 04 41", "no compression was agreed"}, Row{"0004 0a 41", "not compressed"},
        Row{"0005 03 01 41", "handshake frame"}, Row{"0005 03 20 41", "unknown extended"},
        Row{"0003 03", "shorter than its own header"}, Row{"0006 12 0002 41", "packed message of 2 bytes"},
        Row{"0007 13 04 0001 41", "packed and a fragment"}, Row{"0007 03 04 0000 41", "fragment id 0"},
        Row{"0007 03 04 0001 41", "never begun, id 1"}, Row{"000b 03 08 00000000 0001 41", "announces 0 bytes"},
        Row{"000b 03 08 7fffffff 0001 41", "exceeds 67108864"},
        Row{"000b 03 08 00000002 0001 41 0008 03 04 0001 4242", "passes the announced total"});
    INFO(row.wire);
    RawPeer p = makeRawPeer();
    p.raw.send(concat({hex("0004 02 41"), hex(row.wire), hex("0004 02 42")}));
    CHECK(readMessage(*p.channel) == hex("41"));  // what came before is fine
    CHECK(readWait(*p.channel).kind == ReadResult::Kind::closed);
    CHECK_THAT(p.channel->errorText(), Catch::StartsWith("127.0.0.1:") && Catch::Contains(row.reason));
    CHECK(p.channel->state() == ChannelState::closed);
    CHECK(p.channel->read().kind == ReadResult::Kind::closed);
    CHECK_FALSE(p.channel->flush());
    CHECK_FALSE(p.channel->wantsWrite());
    CHECK(p.channel->init(at(0)) == InitStatus::failed);
    CHECK(p.server->counters().protocolErrors == 1);
    CHECK(p.raw.closedByPeer());
}

TEST_CASE("limits of reassembly are options", "[transport][flow]") {
    BindOptions b = bindOptions();
    b.maxMessageBytes = 1000;
    b.maxPartialMessages = 1;
    RawPeer p = makeRawPeer(14, b);
    SECTION("size") {
        p.raw.send(hex("000b 03 08 000003e9 0001 41"));
    }
    SECTION("number") {
        p.raw.send(hex("000b 03 08 000003e8 0001 41  000b 03 08 00000005 0002 41"));
    }
    CHECK(readWait(*p.channel).kind == ReadResult::Kind::closed);
}

TEST_CASE("a raw peer interleaves fragments, pings and packed messages", "[transport][flow]") {
    RawPeer p = makeRawPeer();
    p.raw.send(hex("000b 03 08 00000003 0009 41  000c 03 08 00000003 0001 6162  0003 02  0007 03 04 0009 42"
                   "000a 12 0002 7879 0001 7a  0007 03 04 0001 63  0007 03 04 0009 43"));
    CHECK(readWait(*p.channel).kind == ReadResult::Kind::ping);
    CHECK(readMessage(*p.channel) == hex("7879"));
    CHECK(readMessage(*p.channel) == hex("7a"));
    CHECK(readMessage(*p.channel) == hex("616263"));
    CHECK(readMessage(*p.channel) == hex("414243"));
    const ChannelCounters c = p.channel->counters();
    CHECK(c.messagesRead == 4);
    CHECK(c.pingsRead == 1);
    CHECK(c.fragmentsRead == 5);
}

TEST_CASE("how a connection ends is told apart", "[transport][flow]") {
    RawPeer p = makeRawPeer();
    SECTION("an orderly end delivers what was sent before") {
        p.raw.send(hex("0004 02 41"));
        p.raw.close();
        CHECK(readMessage(*p.channel) == hex("41"));
        CHECK(readWait(*p.channel).kind == ReadResult::Kind::closed);
        CHECK_THAT(p.channel->errorText(), Catch::EndsWith(": closed by peer"));
    }
    SECTION("in the middle of a message") {
        p.raw.send(hex("0005 02 41"));
        p.raw.close();
        CHECK(readWait(*p.channel).kind == ReadResult::Kind::closed);
        CHECK_THAT(p.channel->errorText(), Catch::EndsWith("in the middle of a message"));
    }
    SECTION("a reset, met by the writer first") {
        p.raw.reset();
        REQUIRE(readable(p.channel->fd()));
        REQUIRE(p.channel->write(pattern(5)).ok());
        CHECK_FALSE(p.channel->flush());
        CHECK(p.channel->write(pattern(5)).code == Errc::closed);
        CHECK(p.channel->reserve(5).empty());
        CHECK(p.channel->outputEnded());
        CHECK(p.channel->state() == ChannelState::active);
        CHECK(readWait(*p.channel).kind == ReadResult::Kind::closed);
        CHECK_THAT(p.channel->errorText(), Catch::Contains("connection lost"));
    }
    SECTION("a reset, met by the reader") {
        p.raw.reset();
        CHECK(readWait(*p.channel).kind == ReadResult::Kind::closed);
        CHECK_THAT(p.channel->errorText(), Catch::Contains("connection lost"));
    }
}

TEST_CASE("pings go out when nothing else does", "[transport][flow]") {
    BindOptions b = bindOptions();
    b.pingTimeoutSeconds = 30;
    RawPeer p = makeRawPeer(14, b);
    REQUIRE(p.channel->info().pingTimeoutSeconds == 30);
    p.channel->pingIfIdle(at(9.9));
    CHECK(p.channel->counters().pingsWritten == 0);
    p.channel->pingIfIdle(at(10));
    CHECK(p.channel->counters().pingsWritten == 1);
    CHECK(p.raw.receiveFrame() == hex("000302"));
    p.channel->pingIfIdle(at(15));
    REQUIRE(p.channel->write(pattern(5)).ok());
    p.channel->pingIfIdle(at(30));  // flushes; that counts as a ping
    CHECK(p.raw.receiveFrame() == vectorLines("data_small").at(0));
    p.channel->pingIfIdle(at(31));
    p.channel->pingIfIdle(at(40.9));
    CHECK(p.channel->counters().pingsWritten == 1);
    p.channel->pingIfIdle(at(41));
    CHECK(p.channel->counters().pingsWritten == 2);
    CHECK(p.raw.receiveFrame() == hex("000302"));
}

TEST_CASE("silence expires only when the peer promised pings", "[transport][flow]") {
    BindOptions b = bindOptions();
    b.pingTimeoutSeconds = 30;
    SECTION("it did") {
        RawPeer p = makeRawPeer(14, b);
        CHECK_FALSE(p.channel->pingExpired(at(29.9)));
        p.raw.send(hex("000302"));
        CHECK(readWait(*p.channel).kind == ReadResult::Kind::ping);
        CHECK_FALSE(p.channel->pingExpired(at(30)));
        p.raw.send(hex("00"));  // any byte counts
        REQUIRE(readable(p.channel->fd()));
        CHECK(p.channel->read().kind == ReadResult::Kind::wouldBlock);
        CHECK_FALSE(p.channel->pingExpired(at(40)));
        CHECK_FALSE(p.channel->pingExpired(at(69.9)));
        CHECK(p.channel->pingExpired(at(70)));
        CHECK(p.channel->state() == ChannelState::active);  // closing is the caller's
    }
    SECTION("it did not") {
        b.clientToServerPings = false;
        RawPeer p = makeRawPeer(14, b);
        CHECK_FALSE(p.channel->info().clientToServerPings);
        CHECK_FALSE(p.channel->pingExpired(at(1000)));
    }
    SECTION("the client looks at the other direction") {
        b.serverToClientPings = false;
        Pair p = makePair(b);
        CHECK_FALSE(p.client->pingExpired(at(1000)));
        CHECK(p.accepted->pingExpired(at(1000)));
    }
}

TEST_CASE("memory of received bytes is counted, and leaves the count with trimming", "[transport][flow]") {
    Pair p = makePair();
    const ByteVector large = pattern(500'000);
    for (int i = 0; i < 2; ++i) {
        REQUIRE(p.client->write(large).ok());
        CHECK(pump(*p.client, *p.accepted) == large);
        CHECK(p.accepted->counters().inputHeld >= large.size());
    }
    p.accepted->trimInput();
    CHECK(p.accepted->counters().inputHeld >= large.size());  // there may be another one
    p.accepted->trimInput();
    CHECK(p.accepted->counters().inputHeld < large.size() / 2);
    REQUIRE(p.client->write(large).ok());
    CHECK(pump(*p.client, *p.accepted) == large);
    CHECK(p.client->counters().inputHeld < large.size());
}

TEST_CASE("one read serves a flood fairly", "[transport][flow]") {
    // A huge message in many fragments: read() comes back before it is complete, and says there is more.
    BindOptions b = bindOptions();
    b.numInputBuffers = 2;
    ConnectOptions c = connectOptions(0);
    c.guaranteedOutputBuffers = 10000;
    c.sysSendBufSize = 4u << 20;
    Pair p = makePair(b, c);
    REQUIRE(p.client->write(pattern(8u << 20)).ok());
    bool done = false;
    while (!done) {
        static_cast<void>(p.client->flush());
        const ReadResult r = p.accepted->read();
        REQUIRE(r.kind != ReadResult::Kind::closed);
        if (r.kind == ReadResult::Kind::message) {
            CHECK(r.message.size() == 8u << 20);
            done = true;
        }
    }
    CHECK(p.accepted->counters().readCalls >= 128);  // 64 KiB at a time
}

TEST_CASE("steady traffic allocates nothing", "[transport][flow]") {
    Pair p = makePair();
    const ByteVector message = pattern(76), large = pattern(20000);
    std::uint64_t before = 0, bytes = 0;
    for (int round = 0; round < 200; ++round) {
        if (round == 20) before = emissary::test::allocationsOfThisThread();
        for (int i = 0; i < 100; ++i) {
            const auto room = p.client->reserve(message.size());
            if (room.empty()) std::abort();
            std::copy(message.begin(), message.end(), room.begin());
            if (!p.client->commit(message.size()).ok()) std::abort();
        }
        if (!p.client->write(large).ok()) std::abort();
        while (!p.client->flush())
            static_cast<void>(writable(p.client->fd()));
        for (std::size_t got = 0; got < 101;) {
            const ReadResult r = p.accepted->read();
            if (r.kind == ReadResult::Kind::message) ++got, bytes += r.message.size();
            else if (r.kind == ReadResult::Kind::wouldBlock) static_cast<void>(readable(p.accepted->fd()));
            else std::abort();
        }
    }
    const std::uint64_t after = emissary::test::allocationsOfThisThread();
    CHECK(after - before == 0);
    CHECK(bytes == 200u * (7600 + 20000));
}

TEST_CASE("several writers, one reader, both directions at once", "[transport][flow][threads]") {
    constexpr unsigned kWriters = 3, kEach = 4000;
    ConnectOptions c = connectOptions(0);
    c.guaranteedOutputBuffers = 20;
    c.sysSendBufSize = 20000;
    Pair p = makePair(bindOptions(), c);
    std::vector<std::thread> writers;
    std::atomic<unsigned> failures{0};
    std::atomic<std::uint64_t> observed{0};
    for (unsigned w = 0; w < kWriters; ++w) {
        writers.emplace_back([&, w] {
            for (unsigned i = 0; i < kEach;) {
                Error e;
                {
                    const std::lock_guard guard(p.client->outputLock());
                    e = p.client->write(numberedText(w * 1000000 + i, i % 100 == 0 ? 15000 : 60));
                    if (i % 7 == 0) static_cast<void>(p.client->flush());
                }
                if (e.ok()) ++i;
                else if (e.code == Errc::noBuffers) static_cast<void>(writable(p.client->fd(), 10));
                else {
                    failures.fetch_add(1);
                    return;
                }
            }
            const std::lock_guard guard(p.client->outputLock());
            static_cast<void>(p.client->flush());
        });
    }
    // The client's owner thread reads what the other side sends, and does what an event loop would.
    std::atomic<bool> stop{false};
    std::thread owner([&] {
        while (!stop.load()) {
            const ReadResult r = p.client->read();
            if (r.kind == ReadResult::Kind::closed) failures.fetch_add(1);
            if (r.kind == ReadResult::Kind::wouldBlock) static_cast<void>(readable(p.client->fd(), 1));
            if (p.client->wantsWrite() || p.client->queuedBytes() != 0) {
                const std::lock_guard guard(p.client->outputLock());
                static_cast<void>(p.client->flush());
                p.client->pingIfIdle(at(1));
                p.client->trimOutput();
            }
            observed.store(p.client->counters().messagesWritten + p.client->queuedBytes());
        }
    });
    std::array<unsigned, kWriters> next{};
    unsigned total = 0, wrong = 0;
    while (total < kWriters * kEach && failures.load() == 0) {
        const ReadResult r = readWait(*p.accepted);
        if (r.kind != ReadResult::Kind::message) break;
        const unsigned long n = std::stoul(numberOf(r.message));
        unsigned& expected = next[n / 1000000];
        if (n % 1000000 != expected++) ++wrong;
        ++total;
        if (total % 10 == 0) {
            static_cast<void>(p.accepted->write(pattern(30)));
            static_cast<void>(p.accepted->flush());
        }
    }
    stop = true;
    for (std::thread& t : writers)
        t.join();
    owner.join();
    CHECK(total == kWriters * kEach);
    CHECK(wrong == 0);
    CHECK(failures.load() == 0);
}

TEST_CASE("a channel that fails under its writers lets them go", "[transport][flow][threads]") {
    for (int round = 0; round < 20; ++round) {
        RawPeer p = makeRawPeer();
        std::atomic<bool> over{false};
        std::thread writer([&] {
            for (;;) {
                const std::lock_guard guard(p.channel->outputLock());
                const Error e = p.channel->write(pattern(500));
                if (e.code == Errc::closed) break;
            }
            over = true;
        });
        if (round % 2 == 0) p.raw.send(hex("0002"));
        else p.raw.reset();
        ReadResult r;
        do
            r = readWait(*p.channel);
        while (r.kind != ReadResult::Kind::closed);
        writer.join();
        CHECK(over);
        const std::lock_guard guard(p.channel->outputLock());
        p.channel->close();
    }
}
