// Reliable multicast without sockets: every way a peer can lie, and what all of it may cost.
#include "multicast_datagrams.h"
#include "support/catch.hpp"

using namespace transport_test;
using namespace mcast;
using namespace std::chrono_literals;

TEST_CASE("multicast: a silent network costs a heartbeat a second", "[transport][multicast]") {
    Network net;
    Node& a = net.add();
    net.add();
    a.write(numbered(0));
    net.run(5s);
    const std::size_t before = net.groupDatagrams;
    net.run(10s);
    CHECK(net.groupDatagrams - before <= 22);
    CHECK(net.groupDatagrams - before >= 18);
}

TEST_CASE("multicast: a slow reader loses what does not fit and is told", "[transport][multicast]") {
    Network net;
    ReceiverOptions small;
    small.maxWaiting = 10;
    Node &a = net.add(), &b = net.add({}, small);
    net.run(50ms);
    b.reads = false;
    for (unsigned i = 0; i < 400; ++i)
        a.write(numbered(i, 1000));
    net.run(50ms);
    CHECK(b.receiver->stored() <= 10);
    b.reads = true;
    net.run(3s);
    CHECK(b.slow == 1);
    CHECK(b.receiver->overflows.get() > 0);
    REQUIRE(b.gaps.size() == 1);
    CHECK(b.received.size() + b.gaps[0] == 400);
}

TEST_CASE("multicast: the pool of the sender is bounded", "[transport][multicast]") {
    Network net;
    SenderOptions small;
    small.poolHigh = 100;
    small.poolLow = 80;
    Node& a = net.add(small);
    net.add();
    for (unsigned i = 0; i < 1000; ++i) {
        a.write(numbered(i));
        REQUIRE(a.sender->held() <= 100);
    }
    CHECK(a.sender->takeCongestion());
    CHECK_FALSE(a.sender->takeCongestion());
}

TEST_CASE("multicast: many repairs are congestion, and stay within a budget", "[transport][multicast]") {
    Network net(9);
    ReceiverOptions wide;
    wide.maxMissing = 60000;
    SenderOptions send;
    Node &a = net.add(send), &b = net.add({}, wide);
    net.run(50ms);
    net.drops = [&](const Node& to, Bytes d) {
        return &to == &b && typeOf(d) == Type::data && !isRepair(d) && sequenceOf(d) % 2 == 0;
    };
    for (unsigned i = 0; i < 12000; ++i)
        a.write(numbered(i));
    net.run(300ms);
    CHECK(a.sender->repairsSent.get() <= 12000);
    CHECK(a.sender->takeCongestion());
    net.run(3s);
    CHECK(b.received.size() == 12000);
    CHECK(a.sender->repairsSent.get() == 6000);
}

TEST_CASE("multicast: forged requests cost little", "[transport][multicast]") {
    Network net;
    Node& a = net.add();
    net.run(50ms);
    for (unsigned i = 0; i < 1000; ++i)
        a.write(numbered(i));
    net.run(10ms);
    std::array<std::byte, kHeaderBytes + kMaxRanges * kRangeBytes> d;
    Header h;
    h.type = Type::request;
    h.session = a.sendOptions.session;
    h.returnPort = 9;
    const auto ask = [&](const std::vector<Range>& ranges) {
        const std::size_t n = writeRanges(d.data(), h, ranges);
        net.inject({}, {d.data(), n});
        net.run(0ms);
    };
    SECTION("the same packets again and again") {
        for (int i = 0; i < 5000; ++i)
            ask({{1, 0xFFFF}});
        net.run(200ms);
        CHECK(a.sender->repairsSent.get() <= 1000);
        CHECK(a.sender->requestsIgnored.get() >= 3000);
        net.run(1s);
        CHECK(a.sender->repairsSent.get() <= 1000);
    }
    SECTION("over and over, later") {
        for (int i = 0; i < 40; ++i) {
            ask({{500, 0}});
            net.run(40ms);
        }
        CHECK(a.sender->repairsSent.get() <= a.sendOptions.repairsPerPacket);
    }
    SECTION("packets that never were, or are long gone") {
        ask({{0, 0}, {5000, 0xFFFF}, {0x80000000u, 0xFFFF}});
        ask({{0xFFFFFF00u, 10}});
        net.run(100ms);
        CHECK(a.sender->repairsSent.get() == 0);
    }
    SECTION("of another session") {
        h.session += 1;
        ask({{1, 10}});
        CHECK(a.sender->repairsSent.get() == 0);
    }
}

TEST_CASE("multicast: a promise of the sender silences others", "[transport][multicast]") {
    Network net(2);
    ReceiverOptions wide;
    wide.maxMissing = 500;
    Node& a = net.add();
    Node &b = net.add({}, wide), &c = net.add({}, wide);
    net.run(50ms);
    std::size_t promises = 0;
    net.drops = [&](const Node& to, Bytes d) {
        if (&to == &c && typeOf(d) == Type::promise) ++promises;
        return &to != &a && typeOf(d) == Type::data && !isRepair(d) && sequenceOf(d) > 1 && sequenceOf(d) <= 301;
    };
    for (unsigned i = 0; i < 303; ++i)
        a.write(numbered(i));
    net.run(2s);
    CHECK(b.received == series(0, 303));
    CHECK(c.received == series(0, 303));
    CHECK(promises >= 1);
    CHECK(a.sender->repairsSent.get() == 300);  // 64 at once; the others asked for what was promised to one of them
}

TEST_CASE("multicast: memory after a burst is given back", "[transport][multicast]") {
    Network net;
    Node& a = net.add();
    Node& b = net.add();
    net.run(50ms);
    net.drops = [&](const Node& to, Bytes d) {
        return &to == &b && typeOf(d) == Type::data && !isRepair(d) && sequenceOf(d) == 1;
    };
    for (unsigned i = 0; i < 20000; ++i)
        a.write(numbered(i));
    net.run(5s);
    CHECK(b.received.size() == 20000);
    CHECK(b.receiver->stored() == 0);
    CHECK(a.sender->held() == 0);
    a.write(numbered(20000));
    net.run(100ms);
    CHECK(b.received.size() == 20001);
}

TEST_CASE("multicast: a header is what the document says", "[transport][multicast]") {
    Header h;
    h.type = Type::data;
    h.flags = kRepair;
    h.session = 0x01020304;
    h.sequence = 0x11121314;
    h.oldest = 0x11121310;
    h.returnPort = 0xC350;
    h.firstStart = 0;
    ByteVector d(kHeaderBytes + 6);
    writeHeader(d.data(), h, d.size());
    const ByteVector body = frameOf(hex("414243"));
    std::copy(body.begin(), body.end(), d.begin() + kHeaderBytes);
    //                 magic ver type flags proto length session  sequence oldest   port start reserved | frame
    CHECK(toHex(d) == toHex(hex("454D 01 01 01 00 0022 01020304 11121314 11121310 C350 0000 00000000 | 000602414243")));
    Header back;
    Bytes rest;
    REQUIRE(parse(d, back, rest) == Fault::none);
    CHECK(back.session == h.session);
    CHECK(back.sequence == h.sequence);
    CHECK(back.oldest == h.oldest);
    CHECK(back.returnPort == h.returnPort);
    CHECK(back.flags == kRepair);
    CHECK(toHex(rest) == toHex(body));
}

TEST_CASE("multicast: datagrams that are not what they should be", "[transport][multicast]") {
    const ByteVector frames = concat({frameOf(hex("41")), frameOf(hex("4243"))});
    struct Case {
        const char* what;
        ByteVector bytes;
        Fault fault;
    };
    const auto changed = [&](ByteVector d, std::size_t offset, std::uint8_t v) {
        d[offset] = std::byte{v};
        return d;
    };
    const ByteVector good = datagram(Type::data, 5, 1, frames);
    const ByteVector request = [] {
        ByteVector d(kHeaderBytes + 2 * kRangeBytes);
        Header h;
        h.type = Type::request;
        h.returnPort = 1;
        writeRanges(d.data(), h, std::vector<Range>{{5, 2}, {9, 0}});
        return d;
    }();
    const std::vector<Case> cases{
        {"good data", good, Fault::none},
        {"good request", request, Fault::none},
        {"good heartbeat", datagram(Type::heartbeat, 1, 1, {}), Fault::none},
        {"empty", {}, Fault::tooShort},
        {"wrong magic", changed(good, 0, 0x44), Fault::notOurs},
        {"sequenced multicast", hex("01 00 00 0C 0000 0E 01 00000001"), Fault::notOurs},
        {"another version", changed(good, 2, 2), Fault::otherVersion},
        {"unknown type", changed(good, 3, 9), Fault::badType},
        {"type 0", changed(good, 3, 0), Fault::badType},
        {"length too small", changed(good, 7, 0x1C), Fault::badLength},
        {"length too large", changed(good, 7, 0xFF), Fault::badLength},
        {"larger than allowed", ByteVector(9000, good[0]), Fault::notOurs},
        {"no return port", changed(changed(good, 20, 0), 21, 0), Fault::badBody},
        {"older than the oldest", datagram(Type::data, 5, 6, frames), Fault::badBody},
        {"data without a frame", datagram(Type::data, 5, 1, {}), Fault::badBody},
        {"a frame that is too short", datagram(Type::data, 5, 1, hex("0002 02")), Fault::badBody},
        {"a frame of length 0", datagram(Type::data, 5, 1, hex("0000 02")), Fault::badBody},
        {"a frame that is too long", datagram(Type::data, 5, 1, hex("0005 02 41")), Fault::badBody},
        {"a byte behind the last frame", datagram(Type::data, 5, 1, concat({frames, hex("00")})), Fault::badBody},
        {"a start within a frame", datagram(Type::data, 5, 1, frames, 77, 0, 1), Fault::badBody},
        {"a start behind the frames", datagram(Type::data, 5, 1, frames, 77, 0, 9), Fault::badBody},
        {"a start far behind the frames", datagram(Type::data, 5, 1, frames, 77, 0, 0xFFFE), Fault::badBody},
        {"no start at all", datagram(Type::data, 5, 1, frames, 77, 0, kNoStart), Fault::none},
        {"a heartbeat with a body", datagram(Type::heartbeat, 5, 1, hex("00")), Fault::badBody},
        {"a heartbeat before the oldest", datagram(Type::heartbeat, 5, 6, {}), Fault::badBody},
        {"a request for nothing", datagram(Type::request, 5, 1, {}), Fault::badBody},
        {"half a range", datagram(Type::request, 5, 1, hex("00000001 00")), Fault::badBody},
        {"ranges that overlap", datagram(Type::request, 5, 1, hex("00000001 0005 00000003 0000")), Fault::badBody},
        {"ranges out of order", datagram(Type::request, 5, 1, hex("00000009 0000 00000003 0000")), Fault::badBody},
        {"too many ranges", datagram(Type::promise, 5, 1, ByteVector((kMaxRanges + 1) * kRangeBytes)), Fault::badBody},
    };
    for (const Case& c : cases) {
        INFO(c.what);
        const ByteVector exact = c.bytes;
        Header h;
        Bytes body;
        CHECK(parse(exact, h, body) == c.fault);
    }
    for (const ByteVector& whole : {good, request}) {
        for (std::size_t n = 0; n < whole.size(); ++n) {
            const ByteVector cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n));
            Header h;
            Bytes body;
            CHECK(parse(cut, h, body) != Fault::none);
        }
    }
}

TEST_CASE("multicast: a sender that breaks the framing is not listened to any more", "[transport][multicast]") {
    Network net;
    Node &a = net.add(), &b = net.add();
    net.run(50ms);
    const Endpoint evil{{9}, 5001};
    const auto hostile = GENERATE(values<std::string>({
        "0006 00 414243",                   // neither data nor compressed
        "0006 04 414243",                   // compressed, which was never agreed on
        "0008 12 0009 414243",              // a packed message longer than its frame
        "0004 03 01",                       // a handshake frame
        "0009 03 04 0001 414243",           // the continuation of nothing
        "000D 03 08 00000001 0001 414243",  // more than announced
        "000D 03 08 FFFFFFFF 0001 414243",  // far more announced than allowed
    }));
    INFO(hostile);
    net.inject(evil, datagram(Type::data, 10, 10, hex(hostile)));
    net.run(10ms);
    CHECK(b.receiver->rejected.get() == 1);
    CHECK(b.gaps.size() == 1);
    net.inject(evil, datagram(Type::data, 11, 10, frameOf(hex("4142"))));
    a.write(numbered(1));
    net.run(100ms);
    CHECK(b.received == series(1, 2));  // others are not affected
    net.inject(evil, datagram(Type::data, 200, 200, frameOf(hex("4142")), 78));
    net.run(10ms);
    CHECK(b.received.size() == 2);  // a new session may try again
}

TEST_CASE("multicast: failed, then restarted; packed and fragmented frames", "[transport][multicast]") {
    Network net;
    Node& b = net.add();
    const Endpoint from{{9}, 5001};
    net.inject(from, datagram(Type::data, 1, 1, frameOf(numbered(1))));
    net.inject(from, datagram(Type::data, 2, 1, hex("0006 00 414243")));  // neither data nor compressed
    net.inject(from, datagram(Type::data, 3, 1, frameOf(numbered(3))));
    net.run(10ms);
    REQUIRE(b.received == series(1, 2));
    REQUIRE(b.gaps.size() == 1);
    REQUIRE(b.receiver->rejected.get() == 1);
    for (const std::uint32_t session : {78u, 79u}) {
        INFO("session " << session);
        b.received.clear();
        b.gaps.clear();
        net.inject(from, datagram(Type::data, 1, 1, frameOf(numbered(10)), session));
        net.inject(from, datagram(Type::data, 2, 1, hex("000C 12 0003 414243 0002 4445"), session));
        net.inject(from, datagram(Type::data, 3, 1, hex("000D 03 08 00000005 0001 414243"), session));
        net.inject(from, datagram(Type::data, 4, 1, hex("0008 03 04 0001 4445"), session, 0, kNoStart));
        net.inject(from, datagram(Type::data, 5, 1, frameOf(numbered(11)), session));
        net.run(10ms);
        CHECK(b.received ==
              std::vector<ByteVector>{numbered(10), hex("414243"), hex("4445"), hex("4142434445"), numbered(11)});
        CHECK(b.gaps.empty());
        CHECK(b.receiver->rejected.get() == (session == 78 ? 1 : 2));
        net.inject(from, datagram(Type::data, 6, 1, hex("0008 12 0009 414243"), session));  // and fails again
        net.run(10ms);
        CHECK(b.gaps.size() == 1);
    }
}

TEST_CASE("multicast: too many senders are refused, and make room again", "[transport][multicast]") {
    Network net;
    Node& b = net.add();
    for (unsigned i = 0; i < 100; ++i) {
        Endpoint e;
        e.address[0] = static_cast<std::uint8_t>(i);
        net.inject(e, datagram(Type::data, 1, 1, frameOf(hex("4142"))));
    }
    net.run(10ms);
    CHECK(b.receiver->senders() == Receiver::kMaxSenders);
    CHECK(b.receiver->rejected.get() == 100 - Receiver::kMaxSenders);
    net.run(11s);
    CHECK(b.receiver->senders() == 0);
}

TEST_CASE("multicast: sequence numbers that jump", "[transport][multicast]") {
    Network net;
    Node& b = net.add();
    const Endpoint from{{1}, 5001};
    net.inject(from, datagram(Type::data, 1, 1, frameOf(numbered(1))));
    SECTION("with data") {
        net.inject(from, datagram(Type::data, 0x40000000u, 1, frameOf(numbered(2))));
        net.run(1ms);
        CHECK(b.received == std::vector<ByteVector>{numbered(1), numbered(2)});
    }
    SECTION("with a heartbeat") {
        net.inject(from, datagram(Type::heartbeat, 0x40000000u, 1, {}));
        net.run(1ms);
        CHECK(b.received == std::vector<ByteVector>{numbered(1)});
    }
    REQUIRE(b.gaps.size() == 1);
    CHECK(b.gaps[0] == 0x40000000u - 2);
    CHECK(b.receiver->stored() == 0);
}

TEST_CASE("multicast: noise changes nothing but what it hits", "[transport][multicast]") {
    const auto seed = static_cast<std::uint32_t>(GENERATE(range(1, 5)));
    INFO("seed " << seed);
    Network net(seed);
    Node &a = net.add(), &b = net.add();
    net.run(50ms);
    std::vector<ByteVector> kinds{datagram(Type::data, 3, 1, frameOf(numbered(9))), datagram(Type::heartbeat, 3, 1, {}),
                                  datagram(Type::promise, 3, 1, hex("00000001 0005"))};
    for (unsigned i = 0; i < 3000; ++i) {
        ByteVector d = kinds[net.random() % kinds.size()];
        for (unsigned k = net.random() % 4; k != 0; --k)
            d[net.random() % d.size()] = static_cast<std::byte>(net.random());
        d.resize(d.size() - net.random() % 2);
        net.inject({{200}, 5001}, d);
        if (i % 10 == 0) {
            a.write(numbered(i / 10));
            net.run(1ms);
        }
    }
    net.run(3s);
    std::vector<ByteVector> ours;
    for (const ByteVector& m : b.received)
        if (m.size() == 60 && loadBe<std::uint32_t>(m.data()) < 300 && m == numbered(loadBe<std::uint32_t>(m.data())))
            if (ours.size() < 300 && m == numbered(static_cast<unsigned>(ours.size()))) ours.push_back(m);
    CHECK(ours == series(0, 300));
}
