// Reliable multicast without sockets: every way a network can treat datagrams, and every way a peer can lie.
#include "multicast_network.h"
#include "support/catch.hpp"

using namespace transport_test;
using namespace mcast;
using namespace std::chrono_literals;

namespace {

ByteVector numbered(unsigned number, std::size_t size = 60) {
    ByteVector m = pattern(std::max<std::size_t>(size, 4));
    storeBe(m.data(), static_cast<std::uint32_t>(number));
    return m;
}

std::vector<ByteVector> series(unsigned from, unsigned to, std::size_t size = 60) {
    std::vector<ByteVector> all;
    for (unsigned i = from; i < to; ++i)
        all.push_back(numbered(i, size));
    return all;
}

Type typeOf(Bytes datagram) {
    return static_cast<Type>(datagram[3]);
}
bool isRepair(Bytes datagram) {
    return typeOf(datagram) == Type::data && (datagram[4] & std::byte{kRepair}) != std::byte{0};
}
std::uint32_t sequenceOf(Bytes datagram) {
    return loadBe<std::uint32_t>(datagram.data() + 12);
}

/// A datagram as a sender with this session would send it.
ByteVector datagram(Type type, std::uint32_t sequence, std::uint32_t oldest, Bytes body, std::uint32_t session = 77,
                    std::uint8_t flags = 0, std::uint16_t firstStart = 0) {
    Header h;
    h.type = type;
    h.flags = flags;
    h.session = session;
    h.sequence = sequence;
    h.oldest = oldest;
    h.returnPort = 5001;
    h.firstStart = firstStart;
    ByteVector d(kHeaderBytes + body.size());
    writeHeader(d.data(), h, d.size());
    std::copy(body.begin(), body.end(), d.begin() + kHeaderBytes);
    return d;
}

ByteVector frameOf(Bytes message) {
    ByteVector f(message.size() + 3);
    storeBe(f.data(), static_cast<std::uint16_t>(f.size()));
    f[2] = std::byte{frame::kData};
    std::copy(message.begin(), message.end(), f.begin() + 3);
    return f;
}

}  // namespace

TEST_CASE("multicast: a quiet network carries messages of every size", "[transport][multicast]") {
    Network net;
    Node &a = net.add(), &b = net.add(), &c = net.add();
    net.run(50ms);
    std::vector<ByteVector> sent;
    for (const std::size_t size : {4u, 100u, 1441u, 1442u, 1443u, 3000u, 100000u})
        sent.push_back(numbered(static_cast<unsigned>(sent.size()), size));
    for (const ByteVector& m : sent)
        a.write(m);
    net.run(3s);
    CHECK(b.received == sent);
    CHECK(c.received == sent);
    CHECK(a.received.empty());  // the own ones come back and are known
    CHECK(b.gaps.empty());
    CHECK(net.unicastDatagrams == 0);
    CHECK(a.sender->held() == 0);  // nobody can ask for them any more
}

TEST_CASE("multicast: several messages share a datagram", "[transport][multicast]") {
    Network net;
    Node &a = net.add(), &b = net.add();
    net.run(50ms);
    for (unsigned i = 0; i < 40; ++i)
        REQUIRE(a.sender->append(frameOf(numbered(i)), true));
    a.sender->seal();
    std::array<iovec, 8> waiting;
    CHECK(a.sender->unsent(waiting) == 2);  // 40 frames of 63 bytes into 1444 each
    a.write(numbered(40));
    net.run(100ms);
    CHECK(b.received == series(0, 41));
}

TEST_CASE("multicast: loss, duplication and reordering are repaired", "[transport][multicast]") {
    const auto seed = static_cast<std::uint32_t>(GENERATE(range(1, 9)));
    const double loss = GENERATE(0.01, 0.1, 0.25);
    INFO("seed " << seed << ", loss " << loss);
    Network net(seed);
    ReceiverOptions patient;
    patient.requests = 25;  // at this loss some packet would otherwise run out of attempts
    SenderOptions keeping;
    keeping.repairsPerPacket = 60;
    keeping.hold = patient.giveUpAfter();
    Node &a = net.add(keeping, patient), &b = net.add(keeping, patient), &c = net.add(keeping, patient);
    net.run(50ms);
    net.loss = loss;
    net.duplication = 0.05;
    net.reordering = 0.2;
    std::vector<ByteVector> sent;
    for (unsigned i = 0; i < 300; ++i) {
        sent.push_back(numbered(i, i % 50 == 49 ? 5000 : 20 + i % 200));
        a.write(sent.back());
        if (i % 3 == 0) net.run(1ms);
    }
    net.run(15s);
    CHECK(b.received == sent);
    CHECK(c.received == sent);
    CHECK(b.gaps.empty());
    CHECK(b.receiver->requestsSent.get() > 0);
    CHECK(a.sender->repairsSent.get() > 0);
    CHECK(b.receiver->repairsReceived.get() > 0);
    CHECK(b.receiver->stored() == 0);
}

TEST_CASE("multicast: the last packet is missed thanks to the heartbeat", "[transport][multicast]") {
    Network net;
    Node &a = net.add(), &b = net.add();
    net.run(50ms);
    a.write(numbered(0));
    net.run(5ms);
    net.drops = [&](const Node&, Bytes d) { return typeOf(d) == Type::data && !isRepair(d); };
    a.write(numbered(1));
    net.run(400ms);
    CHECK(b.received == series(0, 2));
    CHECK(b.receiver->requestsSent.get() == 1);
}

TEST_CASE("multicast: the wait before the first request is random, and a repair cancels it", "[transport][multicast]") {
    Network net(3);
    Node& a = net.add();
    for (int i = 0; i < 20; ++i)
        net.add();
    net.run(50ms);
    // All twenty lose the same packet: few of them ask.
    net.drops = [](const Node&, Bytes d) { return typeOf(d) == Type::data && sequenceOf(d) == 2 && !isRepair(d); };
    for (unsigned i = 0; i < 3; ++i)
        a.write(numbered(i));
    net.run(2s);
    std::uint64_t asked = 0;
    for (std::size_t i = 1; i < net.nodes.size(); ++i) {
        CHECK(net.nodes[i]->received == series(0, 3));
        asked += net.nodes[i]->receiver->requestsSent.get();
    }
    CHECK(asked >= 1);
    CHECK(asked <= 3);
    CHECK(a.sender->repairsSent.get() == 1);
}

TEST_CASE("multicast: a reordered packet is not asked for", "[transport][multicast]") {
    Network net;
    Node &a = net.add(), &b = net.add();
    net.run(50ms);
    a.write(numbered(0));
    net.run(1ms);
    std::vector<ByteVector> caught;
    net.drops = [&](const Node& to, Bytes d) {
        if (&to != &b || typeOf(d) != Type::data || sequenceOf(d) != 2) return false;
        caught.emplace_back(d.begin(), d.end());
        return true;
    };
    a.write(numbered(1));
    a.write(numbered(2));
    net.run(0ms);
    REQUIRE(caught.size() == 1);
    net.inject(a.self, caught.front());
    net.run(1s);
    CHECK(b.received == series(0, 3));
    CHECK(b.receiver->requestsSent.get() == 0);
}

TEST_CASE("multicast: what cannot be recovered is reported once, in its place", "[transport][multicast]") {
    Network net;
    Node &a = net.add(), &b = net.add(), &c = net.add();
    net.run(50ms);
    SECTION("after the configured number of requests") {
        net.drops = [&](const Node& to, Bytes d) {
            return &to == &b && typeOf(d) == Type::data && sequenceOf(d) >= 3 && sequenceOf(d) <= 5;
        };
        for (unsigned i = 0; i < 10; ++i)
            a.write(numbered(i));
        net.run(1s);
        CHECK(b.received == series(0, 2));  // order is kept: what came later waits
        CHECK(b.receiver->stored() == 5);
        net.run(2s);
        auto expected = series(0, 2);
        const auto rest = series(5, 10);
        expected.insert(expected.end(), rest.begin(), rest.end());
        CHECK(b.received == expected);
        CHECK(b.gaps == std::vector<std::uint32_t>{3});
        CHECK(b.receiver->gaps.get() == 3);
        CHECK(b.receiver->requestsSent.get() == 9);  // three packets, three times
        CHECK(b.receiver->requestDatagrams.get() == 3);
        CHECK(c.received == series(0, 10));
    }
    SECTION("at once, when the sender has dropped it") {
        SenderOptions forgetful;
        forgetful.hold = 0ms;
        Node& d = net.add(forgetful);
        net.run(300ms);
        net.drops = [&](const Node&, Bytes g) { return typeOf(g) == Type::data && sequenceOf(g) == 2; };
        for (unsigned i = 0; i < 3; ++i)
            d.write(numbered(i));
        net.run(300ms);
        CHECK(b.gaps == std::vector<std::uint32_t>{1});
        CHECK(b.received.size() == 2);
        CHECK(a.gaps == std::vector<std::uint32_t>{1});
    }
    SECTION("at the end of a session") {
        net.drops = [&](const Node& to, Bytes d) { return &to == &b && typeOf(d) == Type::data; };
        a.write(numbered(0));
        a.leave();
        net.run(10ms);
        CHECK(b.gaps == std::vector<std::uint32_t>{1});
        CHECK(b.received.empty());
    }
    SECTION("more at once than may be missing") {
        net.drops = [&](const Node& to, Bytes d) {
            return &to == &b && typeOf(d) == Type::data && !isRepair(d) && sequenceOf(d) > 1 && sequenceOf(d) <= 201;
        };
        for (unsigned i = 0; i < 210; ++i)
            a.write(numbered(i));
        net.run(2s);
        CHECK(b.gaps == std::vector<std::uint32_t>{200 - 128});
        CHECK(b.received.size() == 210 - (200 - 128));
    }
}

TEST_CASE("multicast: a gap in a fragmented message loses that message alone", "[transport][multicast]") {
    Network net;
    Node &a = net.add(), &b = net.add();
    net.run(50ms);
    net.drops = [&](const Node&, Bytes d) { return typeOf(d) == Type::data && sequenceOf(d) == 3; };
    a.write(numbered(0));
    a.write(numbered(1, 6000));  // packets 2 to 6
    // The end of a large message and the beginning of the next one in one datagram.
    a.write(numbered(2));
    net.run(3s);
    CHECK(b.received == std::vector<ByteVector>{numbered(0), numbered(2)});
    CHECK(b.gaps == std::vector<std::uint32_t>{1});
}

TEST_CASE("multicast: who joins late begins with the next message", "[transport][multicast]") {
    Network net;
    Node& a = net.add();
    net.run(50ms);
    for (unsigned i = 0; i < 500; ++i)
        a.write(numbered(i));
    net.run(5s);
    SECTION("in silence") {
        Node& late = net.add();
        net.run(2s);
        CHECK(late.receiver->senders() == 1);
        a.write(numbered(500));
        net.run(100ms);
        CHECK(late.received == series(500, 501));
        CHECK(late.gaps.empty());
    }
    SECTION("in the middle of a large message") {
        std::vector<ByteVector> caught;
        net.drops = [&](const Node&, Bytes) { return false; };
        Node* late = nullptr;
        net.add();
        std::size_t seen = 0;
        net.drops = [&](const Node& to, Bytes d) { return &to == late && typeOf(d) == Type::data && ++seen <= 2; };
        late = &net.add();
        a.write(numbered(500, 6000));
        a.write(numbered(501));
        net.run(1s);
        CHECK(late->received == series(501, 502));
        CHECK(late->gaps.empty());
        CHECK(net.unicastDatagrams == 0);
    }
}

TEST_CASE("multicast: the first packets of a new sender are not lost to those who were there",
          "[transport][multicast]") {
    Network net;
    Node& b = net.add();
    net.run(1s);
    net.drops = [](const Node&, Bytes d) { return typeOf(d) == Type::data && sequenceOf(d) <= 2 && !isRepair(d); };
    Node& a = net.add();
    for (unsigned i = 0; i < 4; ++i)
        a.write(numbered(i));
    net.run(1s);
    CHECK(b.received == series(0, 4));
    CHECK(b.gaps.empty());
}

TEST_CASE("multicast: a sender that restarts is a new one", "[transport][multicast]") {
    Network net;
    Node &a = net.add(), &b = net.add();
    net.run(50ms);
    a.write(numbered(0));
    net.run(10ms);
    ByteVector straggler;
    net.drops = [&](const Node& to, Bytes d) {
        if (&to != &b || typeOf(d) != Type::data || sequenceOf(d) != 2) return false;
        straggler.assign(d.begin(), d.end());
        return true;
    };
    SECTION("nothing was owed") {
        a.leave();
    }
    bool owed = false;
    SECTION("a packet was on its way") {
        a.write(numbered(1));
        owed = true;
    }
    if (owed) net.run(30ms);  // the heartbeat tells of it
    net.drops = nullptr;
    a.restart(4711);
    a.write(numbered(2));
    net.run(1s);
    CHECK(b.received == std::vector<ByteVector>{numbered(0), numbered(2)});
    CHECK(b.gaps.size() == (owed ? 1u : 0u));
    if (owed) net.inject(a.self, straggler);  // of the session before
    a.write(numbered(3));
    net.run(1s);
    CHECK(b.received.size() == 3);
    CHECK(b.receiver->heard.get() == 2);
}

TEST_CASE("multicast: senders are told apart", "[transport][multicast]") {
    Network net(5);
    Node& hears = net.add();
    std::vector<Node*> senders;
    for (int i = 0; i < 5; ++i)
        senders.push_back(&net.add());
    net.run(50ms);
    net.loss = 0.05;
    for (unsigned i = 0; i < 100; ++i) {
        for (unsigned s = 0; s < senders.size(); ++s)
            senders[s]->write(numbered(s * 1000 + i));
        net.run(2ms);
    }
    net.loss = 0;
    net.run(3s);
    std::vector<std::vector<ByteVector>> of(5);
    for (const ByteVector& m : hears.received)
        of.at(loadBe<std::uint32_t>(m.data()) / 1000).push_back(m);
    for (unsigned s = 0; s < 5; ++s)
        CHECK(of[s] == series(s * 1000, s * 1000 + 100));
    CHECK(hears.receiver->senders() == 5);
    CHECK(hears.receiver->senderKnown());
}

TEST_CASE("multicast: a sender that falls silent is forgotten", "[transport][multicast]") {
    Network net;
    Node &a = net.add(), &b = net.add();
    net.run(50ms);
    a.write(numbered(0));
    net.run(5s);
    CHECK(b.receiver->senderKnown());
    net.loss = 1;
    net.run(9s);
    CHECK(b.receiver->senders() == 1);
    net.run(2s);
    CHECK(b.receiver->senders() == 0);
    CHECK(b.receiver->sendersLost.get() == 1);
    CHECK_FALSE(b.receiver->senderKnown());
}

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

TEST_CASE("multicast: sequence numbers wrap", "[transport][multicast]") {
    CHECK(distance(2, 0xFFFFFFFFu) == 3);
    CHECK(distance(0xFFFFFFFFu, 2) == -3);
    Receiver r(ReceiverOptions{});
    const Endpoint from{{}, 5001};
    TimePoint now = at(0);
    std::vector<std::uint32_t> got;
    Header h;
    Bytes body, message;
    for (const std::uint32_t s : {0xFFFFFFFDu, 0xFFFFFFFEu, 0u, 0xFFFFFFFFu, 1u, 3u, 2u}) {
        const ByteVector d = datagram(Type::data, s, 0xFFFFFFF0u, frameOf(numbered(s)));
        REQUIRE(parse(d, h, body) == Fault::none);
        r.receive(h, body, from, now);
        while (r.next(message) == Receiver::Event::message)
            got.push_back(loadBe<std::uint32_t>(message.data()));
    }
    CHECK(got == std::vector<std::uint32_t>{0xFFFFFFFDu, 0xFFFFFFFEu, 0xFFFFFFFFu, 0, 1, 2, 3});
}

// --- hostile datagrams -----------------------------------------------------------------------------------------------

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
