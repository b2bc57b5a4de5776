// Reliable multicast without sockets: every way a network can treat datagrams, and what is repaired.
#include "multicast_datagrams.h"
#include "support/catch.hpp"

using namespace transport_test;
using namespace mcast;
using namespace std::chrono_literals;

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
