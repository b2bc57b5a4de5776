// Multicast with real sockets on the loopback interface: channels, loss between them, options, statistics.
#include "multicast_datagrams.h"
#include "support/catch.hpp"
#include "support/until.h"
#include "transport/multicast/SequencedStream.h"
#include "transport/multicast/datagram.h"
#include "transport/multicast/sockets.h"

#include <atomic>
#include <cerrno>
#include <functional>
#include <random>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace transport_test;

namespace {

/// What the next calls of sendmmsg() fail with: the network as it never is on a loopback interface.
struct {
    int error = 0;
    std::atomic<unsigned> calls{0};
} failing;

struct Failing {
    explicit Failing(int error) {
        failing.calls = 0;
        failing.error = error;
    }
    ~Failing() { failing.error = 0; }
};

}  // namespace

extern "C" int sendmmsg(int fd, mmsghdr* messages, unsigned count, int flags) {
    if (failing.error != 0) {
        ++failing.calls;
        errno = failing.error;
        return -1;
    }
    return static_cast<int>(::syscall(SYS_sendmmsg, fd, messages, count, flags));
}

namespace {

constexpr auto kReliable = ConnectionType::reliableMulticast;
constexpr auto kSequenced = ConnectionType::sequencedMulticast;

/// Joins a group, or only sends to one: a program that says exactly what a test wants.
class RawGroup {
public:
    RawGroup(std::uint16_t hears, std::uint16_t sends) : sends_(sends) {
        Refused refused;
        SocketAddress group;
        mcast::Interface lo;
        REQUIRE_FALSE(mcast::findInterface("lo", AF_INET, lo));
        own_ = mcast::openSendSocket(AF_INET, "0", 0, lo, 1, true, 0, refused);
        REQUIRE(own_);
        if (hears == 0) return;
        REQUIRE_FALSE(mcast::resolveGroup("239.255.14.1", std::to_string(hears), "test", group));
        group_ = mcast::openGroupSocket(group, lo, 0, refused);
        REQUIRE(group_);
    }
    void send(Bytes datagram) {
        Refused refused;
        SocketAddress group;
        REQUIRE_FALSE(mcast::resolveGroup("239.255.14.1", std::to_string(sends_), "test", group));
        REQUIRE(::sendto(own_.get(), datagram.data(), datagram.size(), 0, group.get(), group.length) ==
                static_cast<ssize_t>(datagram.size()));
    }
    ByteVector receive(SocketAddress* from = nullptr) {
        ByteVector d(70000);
        SocketAddress ignored;
        SocketAddress& sender = from != nullptr ? *from : ignored;
        sender.length = sizeof sender.storage;
        const ssize_t n = ::recvfrom(group_.get(), d.data(), d.size(), MSG_DONTWAIT, sender.get(), &sender.length);
        d.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
        return d;
    }
    [[nodiscard]] int fd() const { return group_.get(); }
    [[nodiscard]] std::uint16_t port() const { return localOf(own_.get()).port(); }

private:
    Descriptor group_, own_;
    std::uint16_t sends_;
};

/// Stands between two channels of one group each: what one sends reaches the other through here, and not all of it.
class Forwarder {
public:
    Forwarder(std::uint16_t from, std::uint16_t to) : raw_(from, to) {}
    double loss = 0, duplication = 0, reordering = 0;
    std::function<bool(Bytes)> drops;
    void turn() {
        for (;;) {
            const ByteVector d = raw_.receive();
            if (d.empty()) break;
            if ((drops && drops(d)) || chance(loss)) continue;
            if (chance(reordering)) {
                held_.push_back(d);
                continue;
            }
            raw_.send(d);
            if (chance(duplication)) raw_.send(d);
        }
        for (const ByteVector& d : std::exchange(held_, {}))
            raw_.send(d);
    }
    [[nodiscard]] int fd() const { return raw_.fd(); }

private:
    bool chance(double p) { return std::uniform_real_distribution<>(0, 1)(random_) < p; }
    RawGroup raw_;
    std::vector<ByteVector> held_;
    std::mt19937 random_{42};
};

/// Two channels with a forwarder for each direction between them.
struct Lossy {
    std::unique_ptr<Channel> a, b;
    std::unique_ptr<Forwarder> aToB, bToA;
    std::vector<ByteVector> atA, atB;
    std::vector<std::uint32_t> gapsAtB;
    std::vector<Condition> conditionsAtA;

    explicit Lossy(ConnectOptions o) {
        const std::uint16_t aOut = freeUdpPort(), aIn = freeUdpPort(), bOut = freeUdpPort(), bIn = freeUdpPort();
        aToB = std::make_unique<Forwarder>(aOut, bIn);
        bToA = std::make_unique<Forwarder>(bOut, aIn);
        const auto make = [&](std::uint16_t in, std::uint16_t out) {
            o.multicast.receivePort = std::to_string(in);
            o.multicast.sendPort = std::to_string(out);
            auto c = open(o);
            REQUIRE(c->init(at(0)) == InitStatus::active);
            return c;
        };
        a = make(aIn, aOut);
        b = make(bIn, bOut);
    }
    /// Everybody works until `done`; false when that takes too long.
    bool until(const std::function<bool()>& done) {
        const TimePoint end = Clock::now() + emissary::test::kPatience;
        while (!done()) {
            if (Clock::now() > end) return false;
            pollfd fds[] = {
                {a->fd(), POLLIN, 0}, {b->fd(), POLLIN, 0}, {aToB->fd(), POLLIN, 0}, {bToA->fd(), POLLIN, 0}};
            static_cast<void>(::poll(fds, 4, 100));
            turn();
        }
        return true;
    }
    void turn() {
        aToB->turn();
        bToA->turn();
        take(*a, atA);
        take(*b, atB);
    }
    void take(Channel& c, std::vector<ByteVector>& into) {
        for (;;) {
            const ReadResult r = c.read();
            if (r.kind == ReadResult::Kind::message) into.emplace_back(r.message.begin(), r.message.end());
            if (r.kind == ReadResult::Kind::condition && &c == b.get() && r.condition == Condition::gap)
                gapsAtB.push_back(r.lost);
            if (r.kind == ReadResult::Kind::condition && &c == a.get()) conditionsAtA.push_back(r.condition);
            if (r.kind == ReadResult::Kind::closed || (r.kind == ReadResult::Kind::wouldBlock && !r.more)) return;
        }
    }
};

ConnectOptions impatient() {
    ConnectOptions o = multicastOptions(kReliable, 0, 0);
    o.multicast.tdata = 0;  // ask after a millisecond
    o.multicast.trreq = 1;
    o.multicast.twait = 0;
    return o;
}

std::string failure(const ConnectOptions& o) {
    Refused refused;
    auto c = Channel::connect(o, at(0), refused);
    CHECK(c == nullptr);
    return refused.text;
}

}  // namespace

TEST_CASE("multicast channel: what a lossy network does is repaired", "[transport][multicast]") {
    ConnectOptions o = impatient();
    o.multicast.nrreq = 40;
    o.multicast.ndata = 60;
    Lossy net(o);
    for (Forwarder* f : {net.aToB.get(), net.bToA.get()}) {
        f->loss = 0.1;
        f->duplication = 0.05;
        f->reordering = 0.1;
    }
    std::vector<ByteVector> toB, toA;
    for (unsigned i = 0; i < 600; ++i) {
        toB.push_back(numbered(i, i % 100 == 99 ? 20000 : 20 + i % 300));
        REQUIRE(net.a->write(toB.back()).ok());
        if (i % 3 == 0) {
            toA.push_back(numbered(i, 50));
            REQUIRE(net.b->write(toA.back()).ok());
        }
        if (i % 10 == 0) {
            static_cast<void>(net.a->flush());
            static_cast<void>(net.b->flush());
            net.turn();
        }
    }
    static_cast<void>(net.a->flush());
    static_cast<void>(net.b->flush());
    REQUIRE(net.until([&] { return net.atB.size() >= toB.size() && net.atA.size() >= toA.size(); }));
    CHECK(net.atB == toB);
    CHECK(net.atA == toA);
    CHECK(net.gapsAtB.empty());
    const MulticastCounters a = net.a->multicastCounters(), b = net.b->multicastCounters();
    CHECK(a.repairsSent > 0);
    CHECK(b.repairsReceived > 0);
    CHECK(b.requestsSent > 0);
    CHECK(a.requestsReceived > 0);
    CHECK(a.unicastReceived > 0);
    CHECK(b.unicastSent >= a.unicastReceived);
    CHECK(a.gaps == 0);
    CHECK(b.gaps == 0);
    CHECK(a.multicastSent > 60);
    CHECK(b.multicastReceived > 60);
    CHECK(b.senders == 1);
}

TEST_CASE("multicast channel: what cannot be repaired is a condition, or the end", "[transport][multicast]") {
    ConnectOptions o = impatient();
    o.multicast.nrreq = 1;
    o.multicast.disconnectOnGaps = GENERATE(false, true);
    INFO("disconnectOnGaps " << o.multicast.disconnectOnGaps);
    Lossy net(o);
    REQUIRE(net.a->write(numbered(0)).ok());
    REQUIRE(net.a->flush());
    REQUIRE(net.until([&] { return net.atB.size() == 1; }));
    net.aToB->drops = [](Bytes d) { return d[3] == std::byte{1} && loadBe<std::uint32_t>(d.data() + 12) == 2; };
    for (unsigned i = 1; i < 4; ++i) {
        REQUIRE(net.a->write(numbered(i)).ok());
        REQUIRE(net.a->flush());
    }
    if (o.multicast.disconnectOnGaps) {
        REQUIRE(net.until([&] { return net.b->state() == ChannelState::closed; }));
        CHECK_THAT(net.b->errorText(), Catch::Contains("unrecoverable packet gap (-61): 1 packets of 127.0.0.1:"));
        CHECK(net.atB.size() == 1);
        return;
    }
    REQUIRE(net.until([&] { return net.atB.size() == 3; }));
    CHECK(net.gapsAtB == std::vector<std::uint32_t>{1});
    CHECK(net.atB == std::vector<ByteVector>{numbered(0), numbered(2), numbered(3)});
    CHECK(net.b->multicastCounters().gaps == 1);
    CHECK(net.b->state() == ChannelState::active);
}

TEST_CASE("multicast channel: three on one group", "[transport][multicast]") {
    const std::uint16_t port = freeUdpPort();
    const ConnectOptions o = multicastOptions(kReliable, port, port);  // hears what it sends to
    std::vector<std::unique_ptr<Channel>> all;
    for (int i = 0; i < 3; ++i) {
        all.push_back(open(o));
        REQUIRE(all.back()->init(at(0)) == InitStatus::active);
    }
    for (unsigned from = 0; from < 3; ++from) {
        REQUIRE(all[from]->write(numbered(from)).ok());
        REQUIRE(all[from]->flush());
        for (unsigned to = 0; to < 3; ++to)
            if (to != from) CHECK(readMessage(*all[to]) == numbered(from));
    }
    for (const auto& c : all) {  // nobody hears itself
        CHECK(c->read().kind == ReadResult::Kind::wouldBlock);
        CHECK(c->multicastCounters().senders == 2);
    }
    SECTION("one leaves") {
        all[2].reset();
        REQUIRE(all[0]->write(numbered(7)).ok());
        REQUIRE(all[0]->flush());
        CHECK(readMessage(*all[1]) == numbered(7));
    }
}

TEST_CASE("multicast channel: a dead group is noticed by its silence, an empty one is not", "[transport][multicast]") {
    Pair p = makeGroupPair(multicastOptions(kReliable, 0, 0));
    CHECK_FALSE(p.client->pingExpired(at(0)));
    CHECK_FALSE(p.client->pingExpired(at(1000)));  // nobody was ever there
    REQUIRE(p.accepted->write(numbered(1)).ok());
    REQUIRE(p.accepted->flush());
    REQUIRE(readMessage(*p.client) == numbered(1));
    CHECK_FALSE(p.client->pingExpired(at(1000)));
    CHECK(p.client->pingExpired(at(1061)));
    SECTION("who takes leave is not missed") {
        p.accepted->close();
        while (readable(p.client->fd(), 200))
            static_cast<void>(p.client->read());
        CHECK_FALSE(p.client->pingExpired(at(1200)));
        CHECK_FALSE(p.client->pingExpired(at(1300)));
    }
}

TEST_CASE("multicast channel: a sender waits for nobody, and a slow reader is told", "[transport][multicast]") {
    ConnectOptions o = multicastOptions(kReliable, 0, 0);
    o.multicast.tdata = 1;
    Pair p = makeGroupPair(o);
    const ByteVector big = numbered(1, 1400);
    std::size_t sent = 0;
    // More than the kernel holds for the reader, who is asleep.
    const std::size_t room = p.client->info().sysRecvBufSize;
    for (; sent * 1400 < 2 * std::size_t{room}; ++sent) {
        const Error e = p.accepted->write(big);
        if (!e.ok()) break;
    }
    static_cast<void>(p.accepted->flush());
    REQUIRE(sent * 1400 > room);
    bool slow = false, gap = false;
    std::size_t got = 0;
    std::uint64_t lost = 0;
    const TimePoint end = Clock::now() + emissary::test::kPatience;
    while (got + lost < sent && Clock::now() < end) {
        const ReadResult r = p.client->read();
        if (r.kind == ReadResult::Kind::message) ++got;
        if (r.kind == ReadResult::Kind::condition && r.condition == Condition::slowReader) slow = true;
        if (r.kind == ReadResult::Kind::condition && r.condition == Condition::gap) gap = true, lost += r.lost;
        if (r.kind == ReadResult::Kind::wouldBlock && !r.more) {
            while (p.accepted->read().more) {}
            static_cast<void>(readable(p.client->fd(), 5));
        }
    }
    CHECK(slow);
    CHECK(gap);  // more than nmissing at once
    CHECK(got + lost >= sent);
    CHECK(p.client->multicastCounters().overflows > 0);
}

TEST_CASE("multicast channel: bad options say what is wrong", "[transport][multicast]") {
    ConnectOptions o = multicastOptions(kReliable, 20001, 20002);
    SECTION("no group") {
        o.multicast.sendAddress = "127.0.0.1";
        CHECK_THAT(failure(o),
                   Catch::Contains("send address \"127.0.0.1\" is no multicast group: use one of 224.0.0.0/4"));
    }
    SECTION("no port") {
        o.multicast.receivePort = "0";
        CHECK_THAT(failure(o), Catch::Contains("receive port \"0\": it must not be 0"));
    }
    SECTION("a port that is no number") {
        o.multicast.unicastPort = "nowhere";
        CHECK_THAT(failure(o), Catch::Contains("unicast port \"nowhere\" is neither a number nor a known service"));
    }
    SECTION("no such interface") {
        o.interfaceName = "nosuch0";
        CHECK_THAT(failure(o), Catch::Contains("nosuch0"));
    }
    SECTION("families mixed") {
        o.multicast.sendAddress = "ff15::1";
        CHECK_THAT(failure(o), Catch::Contains("both be IPv4 or both be IPv6"));
    }
    SECTION("statistics without a group") {
        o.multicast.hsmInterval = 1;
        CHECK_THAT(failure(o), Catch::Contains("host statistics"));
    }
    SECTION("a server") {
        BindOptions b;
        b.connectionType = kReliable;
        Refused refused;
        CHECK(Server::bind(b, refused) == nullptr);
        CHECK_THAT(refused.text, Catch::Contains("has no server side"));
    }
}

TEST_CASE("multicast channel: the unicast port roams when it may", "[transport][multicast]") {
    RawGroup other(0, 1);
    ConnectOptions o = multicastOptions(kReliable, freeUdpPort(), freeUdpPort());
    o.multicast.unicastPort = std::to_string(other.port());
    CHECK_THAT(failure(o), Catch::Contains("in use"));
    o.multicast.portRoamRange = 20;
    Refused refused;
    auto c = Channel::connect(o, at(0), refused);
    CHECK(c != nullptr);
}

TEST_CASE("multicast channel: host statistics", "[transport][multicast]") {
    const std::uint16_t port = freeUdpPort();
    RawGroup listener(port, 1);
    ConnectOptions o = multicastOptions(kReliable, 0, 0);
    o.multicast.hsmInterval = 1;
    o.multicast.hsmAddress = "239.255.14.1";
    o.multicast.hsmPort = std::to_string(port);
    Pair p = makeGroupPair(o);
    REQUIRE(p.client->write(numbered(1)).ok());
    REQUIRE(p.client->flush());
    static_cast<void>(p.client->read());
    REQUIRE(readable(listener.fd()));
    const ByteVector d = listener.receive();
    mcast::Header h;
    Bytes body;
    REQUIRE(mcast::parse(d, h, body) == mcast::Fault::none);
    CHECK(h.type == mcast::Type::statistics);
    BeReader r(body);
    CHECK(r.u32() == static_cast<std::uint32_t>(::getpid()));
    REQUIRE(r.u8() == 13);
    CHECK(r.read<std::uint64_t>() >= 1);  // multicast packets sent
    for (int i = 1; i < 13; ++i)
        static_cast<void>(r.read<std::uint64_t>());
    char host[65] = "";
    ::gethostname(host, sizeof host - 1);
    CHECK(asText(r.buf8()) == std::string(host).substr(0, 64));
    CHECK(r.ok());
    CHECK(r.remaining() == 0);
}

TEST_CASE("multicast channel: strangers on the group do no harm", "[transport][multicast]") {
    Pair p = makeGroupPair(multicastOptions(kReliable, 0, 0));
    RawGroup raw(0, p.accepted->info().peerPort);  // where `accepted` sends to: `client` hears it
    std::mt19937 random(1);
    for (int i = 0; i < 200; ++i) {
        ByteVector noise(random() % 9100 + 1);
        for (std::byte& b : noise)
            b = static_cast<std::byte>(random());
        raw.send(noise);
    }
    raw.send(hex("01 00 00 0C 0000 0E 01 00000001"));
    REQUIRE(p.accepted->write(numbered(1)).ok());
    REQUIRE(p.accepted->flush());
    ReadResult r;
    while (r.kind == ReadResult::Kind::wouldBlock && readable(p.client->fd()))
        r = p.client->read();  // a batch of noise gives nothing, and there is more
    CHECK(ByteVector(r.message.begin(), r.message.end()) == numbered(1));
    CHECK(p.client->multicastCounters().rejected >= 201);
}

// --- sequenced -------------------------------------------------------------------------------------------------------

TEST_CASE("sequenced multicast: datagrams as specified", "[transport][multicast]") {
    const std::uint16_t in = freeUdpPort(), out = freeUdpPort();
    ConnectOptions o = multicastOptions(kSequenced, in, out);
    o.multicast.instanceId = 0x1234;
    auto c = open(o);
    REQUIRE(c->init(at(0)) == InitStatus::active);
    RawGroup raw(out, in);
    REQUIRE(c->write(hex("414243")).ok());
    REQUIRE(c->flush());
    REQUIRE(readable(raw.fd()));
    CHECK(toHex(raw.receive()) == toHex(hex("01 00 00 0C 1234 0E 01 00000001 | 0003 414243")));
    REQUIRE(c->writeSequenced(hex("4445"), 77, true).ok());
    REQUIRE(readable(raw.fd()));
    CHECK(toHex(raw.receive()) == toHex(hex("01 01 00 0C 1234 0E 01 0000004D | 0002 4445")));
    REQUIRE(c->writeSequenced(hex("4445"), 100).ok());
    REQUIRE(c->write(hex("46")).ok());
    REQUIRE(c->flush());
    REQUIRE(readable(raw.fd()));
    static_cast<void>(raw.receive());
    REQUIRE(readable(raw.fd()));
    CHECK(toHex(raw.receive()) == toHex(hex("01 00 00 0C 1234 0E 01 00000065 | 0001 46")));
    CHECK(c->writeSequenced(ByteVector(3000), 1).code == Errc::outOfRange);
    CHECK(c->write(ByteVector(4000)).code == Errc::outOfRange);

    const auto next = [&] {
        REQUIRE(readable(c->fd()));
        return c->read();
    };
    raw.send(hex("01 00 00 0C 0007 0E 01 0000000A | 0002 4142 0001 43"));
    ReadResult r = next();
    CHECK(toHex(r.message) == "4142");
    CHECK(r.more);
    REQUIRE(c->datagramInfo() != nullptr);
    CHECK(c->datagramInfo()->sequence == 10);
    CHECK(c->datagramInfo()->instanceId == 7);
    CHECK(c->datagramInfo()->address == "127.0.0.1");
    CHECK(c->datagramInfo()->port == raw.port());
    CHECK_FALSE(c->datagramInfo()->retransmission);
    CHECK(toHex(c->read().message) == "43");
    raw.send(hex("01 00 00 0C 0007 0E 01 0000000A"));
    CHECK(next().kind == ReadResult::Kind::ping);
    raw.send(hex("01 00 00 0C 0007 0E 01 0000000D | 0001 44"));  // 11 and 12 are missing
    r = next();
    CHECK(r.kind == ReadResult::Kind::condition);
    CHECK(r.condition == Condition::gap);
    CHECK(r.lost == 2);
    CHECK(toHex(c->read().message) == "44");
    raw.send(hex("01 01 00 0C 0007 0E 01 0000000B | 0001 45"));
    CHECK(toHex(next().message) == "45");
    CHECK(c->datagramInfo()->retransmission);
    raw.send(hex("01 00 00 0C 0008 0E 01 00000500 | 0001 46"));  // another instance counts for itself
    CHECK(toHex(next().message) == "46");
    CHECK(c->multicastCounters().gaps == 2);
}

TEST_CASE("sequenced multicast: what the network refuses for now keeps its number, and pings take none",
          "[transport][multicast]") {
    Pair p = makeGroupPair(multicastOptions(kSequenced, 0, 0));
    REQUIRE(p.client->write(numbered(0)).ok());
    REQUIRE(flushWait(*p.client));
    p.client->pingIfIdle(at(0));
    {
        const Failing network(EAGAIN);
        p.client->pingIfIdle(at(1000));
        REQUIRE(p.client->counters().pingsWritten == 1);
        REQUIRE(p.client->write(numbered(1)).ok());
        CHECK_FALSE(p.client->flush());
        CHECK_FALSE(p.client->flush());
    }
    REQUIRE(flushWait(*p.client));
    CHECK(readMessage(*p.accepted) == numbered(0));
    CHECK(p.accepted->datagramInfo()->sequence == 1);
    CHECK(readWait(*p.accepted).kind == ReadResult::Kind::ping);
    CHECK(p.accepted->datagramInfo()->sequence == 1);
    CHECK(readMessage(*p.accepted) == numbered(1));
    CHECK(p.accepted->datagramInfo()->sequence == 2);
}

TEST_CASE("multicast channel: an interface without buffers is asked again in time, not without a pause",
          "[transport][multicast]") {
    Pair p = makeGroupPair(multicastOptions(kReliable, 0, 0));
    {
        const Failing network(ENOBUFS);
        REQUIRE(p.client->write(numbered(0)).ok());
        static_cast<void>(p.client->flush());
        unsigned wakeups = 0;
        const auto until = Clock::now() + std::chrono::milliseconds(100);
        while (Clock::now() < until) {
            if (!readable(p.client->fd(), 10)) continue;
            ++wakeups;
            static_cast<void>(p.client->read());
        }
        CHECK(wakeups >= 3);    // it does try
        CHECK(wakeups <= 200);  // a few milliseconds apart
        CHECK(failing.calls <= 200);
    }
    ByteVector got;
    for (const auto until = Clock::now() + std::chrono::seconds(5); got.empty() && Clock::now() < until;) {
        if (readable(p.client->fd(), 1)) static_cast<void>(p.client->read());
        if (!readable(p.accepted->fd(), 1)) continue;
        if (const ReadResult r = p.accepted->read(); r.kind == ReadResult::Kind::message)
            got.assign(r.message.begin(), r.message.end());
    }
    CHECK(got == numbered(0));
}

TEST_CASE("sequenced multicast: datagrams that are not what they should be", "[transport][multicast]") {
    const ByteVector good = hex("01 00 00 0C 0007 0E 01 0000000A | 0002 4142 0001 43");
    mcast::SequencedHeader h;
    Bytes body;
    for (std::size_t n = 0; n <= good.size(); ++n) {
        const ByteVector cut(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(n));
        INFO(n << " bytes");
        CHECK(mcast::parseSequenced(cut, h, body) == (n == 12 || n == 16 || n == good.size()));
    }
    const auto with = [&](std::size_t offset, std::uint8_t v) {
        ByteVector d = good;
        d[offset] = std::byte{v};
        return mcast::parseSequenced(d, h, body);
    };
    CHECK_FALSE(with(0, 2));
    CHECK_FALSE(with(0, 0));
    CHECK_FALSE(with(2, 2));
    CHECK_FALSE(with(3, 11));
    CHECK_FALSE(with(3, 0xFF));
    CHECK_FALSE(with(13, 0xFF));
    CHECK(with(3, 16));  // a longer header of a later version
    ByteVector other = good;
    other[2] = std::byte{88};
    CHECK(mcast::parseSequenced(other, h, body, 88));
    CHECK_FALSE(mcast::parseSequenced(good, h, body, 88));
}

TEST_CASE("sequenced multicast: numbers of many senders", "[transport][multicast]") {
    mcast::SequenceTracker t;
    mcast::Endpoint e;
    CHECK(t.follows(e, 1, 0xFFFFFFFE) == 0);
    CHECK(t.follows(e, 1, 0xFFFFFFFF) == 0);
    CHECK(t.follows(e, 1, 1) == 1);  // 0 is missing
    CHECK(t.follows(e, 1, 0) == 0);
    CHECK(t.follows(e, 1, 1) == 0);
    CHECK(t.follows(e, 1, 2) == 0);
    for (unsigned i = 0; i < 1000; ++i) {
        e.address[0] = static_cast<std::uint8_t>(i);
        e.port = static_cast<std::uint16_t>(i);
        CHECK(t.follows(e, 0, 5) == 0);
    }
    CHECK(t.senders() == mcast::SequenceTracker::kMaxSenders);
}
