// Windows, buffers, fragments: nothing goes beyond what was agreed (tunnel.md 4, 5, 9.4).
#include "fixture.h"
#include "support/AllocationCounter.h"

#include <map>
#include <random>

using namespace tunneltest;
using Strings = std::vector<std::string>;

namespace {

/// Looks at one direction from between: data sent and not acknowledged stays within the window that was said last.
struct WindowObserver {
    std::int64_t window = 0, most = 0, inFlight = 0;
    std::map<std::uint32_t, std::size_t> unacked;
    void sent(const Seen& s) {
        if (s.m.cls != MsgClass::Generic || !s.header.isData()) return;
        unacked[s.m.seqNum] = s.m.payload.size();
        inFlight = 0;
        for (const auto& [seq, size] : unacked)
            inFlight += static_cast<std::int64_t>(size);
        CHECK(inFlight <= window);
        most = std::max(most, inFlight);
    }
    void acknowledged(const Seen& s) {
        if (s.m.cls != MsgClass::Generic || s.header.isData()) return;
        unacked.erase(unacked.begin(), unacked.upper_bound(s.header.seqNum));
        window = s.header.window;
    }
};

Block ack(std::uint32_t seqNum, std::int32_t window, std::vector<SeqRange> missing = {}) {
    static std::array<std::byte, 256> room;
    eta::BeWriter inner{room};
    encodeAck(inner, false, seqNum, missing, window);
    Msg m;
    m.cls = MsgClass::Generic;
    m.domain = 127;
    m.streamId = 1001;
    m.flags = eta::codec::GenericFlag::extendedHeader | eta::codec::GenericFlag::complete;
    m.extendedHeader = inner.view();
    Block block(eta::codec::maxEncodedSize(m));
    eta::BeWriter out{block};
    REQUIRE(encodeMsg(out, m).ok());
    block.resize(out.size());
    return block;
}
void give(End& end, const Block& message) {
    Msg m;
    REQUIRE(decodeMsg(message, m).ok());
    end.onMessage(m);
    end.flush();
}

}  // namespace

TEST_CASE("unacknowledged data stays within the window, whatever its size", "[tunnel]") {
    Pair p;
    p.open(windowed(GENERATE(-1, 6144, 20'000)));
    WindowObserver up;
    up.window = p.asked->classOfService().recvWindowSize;
    std::mt19937 random(7);
    p.passes = [&](Bytes message, bool fromConsumer) {
        if (!fromConsumer) up.acknowledged(Seen(message));
        return true;
    };
    p.up.observer = [&](Bytes message) { up.sent(Seen(message)); };
    std::size_t submitted = 0;
    for (int i = 0; i < 400; ++i) {
        const std::size_t size = 1 + random() % (i % 10 == 0 ? 60'000 : 3000);
        if (p.asking->submit(DataType::Opaque, content(size)) == SubmitFault::none) ++submitted;
        if (random() % 3 == 0) p.deliver(p.up, true, random() % 8);
        if (random() % 3 == 0) p.deliver(p.down, false, random() % 8);
    }
    p.settle();
    CHECK(p.provider.data.size() == submitted);
    CHECK(submitted > 200);
    CHECK(up.most > up.window - 6144);
    CHECK(p.counters.windowExceeded == 0);
    CHECK(p.counters.windowWaits != 0);
    CHECK(p.counters.buffersUsed == 0);
}

TEST_CASE("a window that is closed stops the sender, one that opens lets it go on", "[tunnel]") {
    Pair p;
    p.open(windowed());
    REQUIRE(p.asking->submit(DataType::Opaque, content(10)) == SubmitFault::none);
    CHECK(p.up.out.size() == 1);
    give(*p.asking, ack(1, 0));
    REQUIRE(p.asking->submit(DataType::Opaque, content(10)) == SubmitFault::none);
    CHECK(p.up.out.size() == 1);
    give(*p.asking, ack(1, 9));
    CHECK(p.up.out.size() == 1);
    give(*p.asking, ack(1, 10));
    CHECK(p.up.out.size() == 2);
    // An acknowledgement of what was never sent counts as one of all that was.
    give(*p.asking, ack(99, 10));
    CHECK(p.asking->buffersUsed() == 0);
}

TEST_CASE("without flow control everything is sent at once, up to the buffers", "[tunnel]") {
    Pair p;
    p.open();
    std::size_t taken = 0;
    while (p.asking->submit(DataType::Opaque, content(6144)) == SubmitFault::none)
        ++taken;
    CHECK(taken == 100);  // one longest message, which is more than 50 fragments
    CHECK(p.up.out.size() == taken);
    CHECK(p.asking->buffersUsed() == taken);
    CHECK(p.counters.buffersFull == 1);
    p.settle();
    CHECK(p.asking->submit(DataType::Opaque, content(6144)) == SubmitFault::none);
    p.settle();
    CHECK(p.provider.data.size() == taken + 1);
}

TEST_CASE("more buffers hold more, and the longest message always fits", "[tunnel]") {
    Pair p;
    ConsumerRequest r = Pair::request();
    r.outputBuffers = GENERATE(0u, 1u, 200u);
    p.ask(r);
    p.settle();
    CHECK(p.asking->submit(DataType::Opaque, content(614'401)) == SubmitFault::tooLong);
    CHECK(p.asking->submit(DataType::Opaque, {}) == SubmitFault::empty);
    REQUIRE(p.asking->submit(DataType::Opaque, content(614'400)) == SubmitFault::none);
    const bool more = p.asking->submit(DataType::Opaque, content(600'000)) == SubmitFault::none;
    CHECK(more == (r.outputBuffers == 200));
    p.settle();
    CHECK(p.provider.data.front() == content(614'400));
}

TEST_CASE("long messages travel in fragments of the size that both take", "[tunnel]") {
    Pair p;
    ClassOfService cos = reliable();
    cos.maxFragmentSize = GENERATE(1000u, 6144u, 9000u);
    p.open(cos);
    std::vector<std::size_t> sizes;
    p.up.observer = [&](Bytes b) {
        const Seen s(b);
        if (s.m.cls == MsgClass::Generic && s.header.isData()) sizes.push_back(s.m.payload.size());
    };
    REQUIRE(p.asking->submit(DataType::Json, content(13'000)) == SubmitFault::none);
    const std::size_t piece = std::min<std::size_t>(cos.maxFragmentSize, 6144);
    CHECK(sizes.size() == (13'000 + piece - 1) / piece);
    CHECK(sizes.front() == piece);
    p.settle();
    REQUIRE(p.provider.data.size() == 1);
    CHECK(p.provider.data[0] == content(13'000));
    CHECK(p.provider.types[0] == DataType::Json);
}

TEST_CASE("fragments that cannot be right end the tunnel", "[tunnel]") {
    Pair p;
    p.limits.partialMessages = 2;
    p.limits.partialBytes = 3000;
    p.open();
    auto fragment = [&, seq = 0u](std::uint16_t id, std::uint32_t number, std::uint32_t total,
                                  std::size_t size) mutable {
        Header h;
        h.fragment = true;
        h.messageId = id;
        h.fragmentNumber = number;
        h.totalBytes = total;
        h.containerType = DataType::Opaque;
        std::array<std::byte, 16> room{};
        eta::BeWriter inner{room};
        encodeData(inner, h, kStreamVersion);
        const Block data = content(size);
        Msg m;
        m.cls = MsgClass::Generic;
        m.domain = 127;
        m.streamId = 1001;
        m.flags = eta::codec::GenericFlag::extendedHeader | eta::codec::GenericFlag::seqNum;
        m.seqNum = ++seq;
        m.extendedHeader = inner.view();
        m.containerType = DataType::Opaque;
        m.payload = data;
        p.asked->onMessage(m);
    };
    std::string why;
    SECTION("a second one without the first") {
        fragment(1, 2, 2000, 1000);
        why = "a fragment came without the one before it";
    }
    SECTION("a piece left out") {
        fragment(1, 1, 3000, 1000);
        fragment(1, 3, 3000, 1000);
        why = "a fragment came without the one before it";
    }
    SECTION("more than announced") {
        fragment(1, 1, 1500, 1000);
        fragment(1, 2, 1500, 1000);
        why = "the fragments of a message are longer than was announced";
    }
    SECTION("a total that is too long") {
        fragment(1, 1, 614'401, 1000);
        why = "a fragmented message is longer than the class of service allows";
    }
    SECTION("too many at once") {
        fragment(1, 1, 1500, 100);
        fragment(2, 1, 1500, 100);
        fragment(3, 1, 1500, 100);
        why = "too many fragmented messages are under way";
    }
    SECTION("too much at once") {
        fragment(1, 1, 2500, 2000);
        fragment(2, 1, 2500, 2000);
        why = "the fragmented messages under way are too long";
    }
    CHECK(p.provider.take() == Strings{"4/2 " + why});
}

TEST_CASE("a first fragment that comes again begins its message anew, and messages may be mixed", "[tunnel]") {
    Pair p;
    p.open();
    REQUIRE(p.asking->submit(DataType::Opaque, content(13'000, 1)) == SubmitFault::none);
    REQUIRE(p.asking->submit(DataType::Opaque, content(13'000, 2)) == SubmitFault::none);
    // 1a 1b 1c 2a 2b 2c -> 1a 2a 1b 2b 1c 2c, with numbers in order.
    const std::array<std::size_t, 6> order{0, 3, 1, 4, 2, 5};
    std::uint32_t seq = 0;
    for (const std::size_t i : order) {
        Msg m;
        REQUIRE(decodeMsg(p.up.out[i], m).ok());
        m.seqNum = ++seq;
        p.asked->onMessage(m);
    }
    REQUIRE(p.provider.data.size() == 2);
    CHECK(p.provider.data[0] == content(13'000, 1));
    CHECK(p.provider.data[1] == content(13'000, 2));
}

TEST_CASE("output that is full keeps messages, in order", "[tunnel]") {
    Pair p;
    p.open();
    p.up.full = true;
    for (unsigned i = 0; i < 5; ++i)
        REQUIRE(p.asking->submit(DataType::Opaque, content(100, i)) == SubmitFault::none);
    CHECK(p.up.out.empty());
    p.pass(2ms);
    CHECK(p.up.out.empty());
    p.up.full = false;
    p.pass(2ms);
    p.settle();
    REQUIRE(p.provider.data.size() == 5);
    CHECK(p.provider.data[4] == content(100, 4));
}

namespace {

/// A wire of a fixed size, so that what is counted is what tunnels allocate.
struct FixedWire final : Wire {
    std::array<std::array<std::byte, 512>, 256> rooms{};
    std::array<std::size_t, 256> sizes{};
    std::size_t count = 0;
    eta::Error tryWrite(Bytes message) noexcept override {
        std::memcpy(rooms[count].data(), message.data(), message.size());
        sizes[count++] = message.size();
        return {};
    }
    void write(const Msg& m) override {
        eta::BeWriter out{rooms[count]};
        (void)encodeMsg(out, m);
        sizes[count++] = out.size();
    }
    void deliver(End& to) {
        for (std::size_t i = 0; i < std::exchange(count, count); ++i) {
            Msg m;
            (void)decodeMsg({rooms[i].data(), sizes[i]}, m);
            to.onMessage(m);
        }
        count = 0;
        to.flush();
    }
};

struct CountingUser final : End::User {
    std::uint64_t messages = 0;
    void onStatus(End&, const Status&) override {}
    void onData(End&, DataType, Bytes) override { ++messages; }
    void onFlushDue(End&) override {}
    void onEnded(End&) override {}
};

}  // namespace

TEST_CASE("a busy tunnel does not allocate", "[tunnel]") {
    Ground ground;
    FixedWire up, down;
    CountingUser consumer, provider;
    const ClassOfService cos = windowed(100'000);
    ConsumerEnd asking(ground.setting(up), Pair::request(cos), consumer);
    ProviderEnd asked(ground.setting(down), {1001, 127, 1, "TUNNEL1"}, cos, provider);
    asking.start();
    up.count = 0;
    REQUIRE_FALSE(asked.accept(cos, 50));
    down.deliver(asking);
    REQUIRE(asking.open());
    const Block message = content(200);
    const auto round = [&] {
        for (int i = 0; i < 100; ++i) {
            (void)asking.submit(DataType::Opaque, message);
            (void)asked.submit(DataType::Opaque, message);
        }
        up.deliver(asked);
        down.deliver(asking);
        up.deliver(asked);
    };
    for (int i = 0; i < 10; ++i)
        round();
    const std::uint64_t before = test::allocationsOfThisThread();
    for (int i = 0; i < 50; ++i)
        round();
    CHECK(test::allocationsOfThisThread() == before);
    CHECK(provider.messages == 6000);
    CHECK(consumer.messages == 6000);
    CHECK(asking.buffersUsed() == 0);
}
