// Ready-made messages written to a link one after the other while its output is held, and what is told at the end of a
// turn.
#include "eta/codec/Msg.h"
#include "eta/transport/rows.h"
#include "reactor/JsonLayer.h"
#include "reactor/TurnEnd.h"
#include "support/AllocationCounter.h"
#include "support/StillClock.h"
#include "support/catch.hpp"
#include "support/until.h"

#include <thread>

using namespace emissary;
using namespace std::chrono_literals;
using eta::Errc;
using eta::transport::Channel;
using reactor::Link;
using reactor::Reactor;
using transport_test::Ability;
using transport_test::ByteVector;
using transport_test::Row;

namespace {

struct Handler final : reactor::LinkHandler {
    std::size_t messages = 0, downs = 0;
    void onLinkUp(Link&) override {}
    void onLinkMessage(Link&, eta::Bytes) override { ++messages; }
    std::string why;
    void onLinkDown(Link&, const std::string& reason, bool) override {
        ++downs;
        why = reason;
    }
};

ByteVector update(std::int32_t streamId, std::size_t payload = 0) {
    const ByteVector content(payload, std::byte{0x5A});
    eta::codec::Msg m;
    m.cls = eta::codec::MsgClass::Update;
    m.streamId = streamId;
    m.domain = 6;
    if (payload != 0) {
        m.containerType = eta::codec::DataType::Opaque;
        m.payload = content;
    }
    ByteVector bytes(eta::codec::maxEncodedSize(m));
    eta::BeWriter out(bytes);
    REQUIRE(eta::codec::encodeMsg(out, m).ok());
    bytes.resize(out.size());
    return bytes;
}

/// A link in a reactor that the test dispatches, and the other end of its connection.
struct Ends {
    explicit Ends(const Row& row, const reactor::TimeSource* clock = nullptr) : loop(options(clock)) {
        pair = transport_test::makePair(row);
        {
            const std::lock_guard guard(loop.lock());
            link = loop.adopt(std::move(pair.accepted), told);
        }
        const auto end = reactor::Clock::now() + test::kPatience;
        while (!link->active()) {
            turn();
            REQUIRE(reactor::Clock::now() < end);
        }
    }
    ~Ends() {
        const std::lock_guard guard(loop.lock());
        link.reset();
    }
    static reactor::ReactorOptions options(const reactor::TimeSource* clock) {
        reactor::ReactorOptions o;
        o.clock = clock;
        o.jsonLayer = reactor::jsonLayer();
        return o;
    }
    void turn() { loop.dispatch(0us, 10); }
    /// The peer's next message; turns the loop meanwhile.
    ByteVector next() {
        const auto end = reactor::Clock::now() + test::kPatience;
        for (;;) {
            turn();
            const eta::transport::ReadResult r = pair.client->read();
            if (r.kind == eta::transport::ReadResult::Kind::message) return {r.message.begin(), r.message.end()};
            REQUIRE(r.kind != eta::transport::ReadResult::Kind::closed);
            REQUIRE(reactor::Clock::now() < end);
        }
    }
    [[nodiscard]] std::uint64_t writeCalls() { return link->channel()->counters().writeCalls; }

    Handler told;
    Reactor loop;
    transport_test::Pair pair;
    std::unique_ptr<Link> link;
};

const Row& tcp() {
    return transport_test::row("tcp");
}

}  // namespace

TEST_CASE("a look at deadlines and pings needs no memory", "[reactor][loop]") {
    test::StillClock clock;
    Ends e(tcp(), &clock);
    const std::chrono::milliseconds quarter(e.link->channel()->info().pingTimeoutSeconds * 250);
    REQUIRE(e.pair.client->write(update(1)).ok());
    e.pair.client->flush();
    const auto end = reactor::Clock::now() + test::kPatience;
    while (e.told.messages == 0) {
        e.turn();
        REQUIRE(reactor::Clock::now() < end);
    }
    clock.advance(quarter);
    e.turn();  // makes the list of links, and finds that something has been received
    const std::uint64_t before = test::allocationsOfThisThread();
    clock.advance(quarter);
    e.turn();
    CHECK(test::allocationsOfThisThread() == before);
    INFO(e.told.why);
    CHECK(e.told.downs == 0);
    clock.advance(3 * quarter);
    e.turn();
    CHECK(e.told.downs == 1);  // these were the looks that find a peer that is silent
}

TEST_CASE("a batch puts stream ids into ready-made messages, on every kind of connection", "[reactor][loop][batch]") {
    const Row& row = transport_test::row(GENERATE(from_range(transport_test::rowNames())));
    INFO(row.name);
    Ends e(row);
    const ByteVector message = update(77);
    {
        const std::lock_guard guard(e.loop.lock());
        Link::Batch batch(*e.link);
        for (const std::int32_t id : {5, -6, 0x7FFFFFFF})
            REQUIRE(batch.send(message, id).ok());
        // To convert a message may take longer than the flush delay: then it leaves at once.
        if (!row.json) CHECK(batch.queuedBytes() != 0);
    }
    for (const std::int32_t id : {5, -6, 0x7FFFFFFF}) {
        const ByteVector got = e.next();
        if (row.json) CHECK_THAT(std::string(eta::asText(got)), Catch::Contains("\"ID\":" + std::to_string(id) + ","));
        else CHECK(got == update(id));
    }
    // The worker may be about to note what it has just handed to the kernel.
    const auto end = reactor::Clock::now() + test::kPatience;
    while (e.link->queuedBytes() != 0 && reactor::Clock::now() < end)
        e.turn();
    CHECK(e.link->queuedBytes() == 0);
}

TEST_CASE("a batch of a turn leaves with one system call", "[reactor][loop][batch]") {
    Ends e(tcp());
    struct Writer final : reactor::TurnEnd {
        Writer(Ends& ends, int count) : TurnEnd(ends.loop), ends_(ends), left_(count) {}
        void onTurnEnd() noexcept override {
            const ByteVector message = update(1, 100);
            Link::Batch batch(*ends_.link);
            for (; left_ != 0; --left_)
                static_cast<void>(batch.send(message, left_));
        }
        Ends& ends_;
        int left_;
    };
    constexpr int kMessages = 100;  // nearly twice the high-water mark
    const std::uint64_t before = e.writeCalls();
    {
        std::unique_ptr<Writer> writer;
        {
            const std::lock_guard guard(e.loop.lock());
            writer = std::make_unique<Writer>(e, kMessages);
        }
        e.turn();
        CHECK(writer->left_ == 0);
        const std::lock_guard guard(e.loop.lock());
        writer.reset();
    }
    CHECK(e.writeCalls() - before == 1);
    for (int id = kMessages; id != 0; --id)
        CHECK(e.next() == update(id, 100));

    // Messages that are sent one by one still leave at the mark, which stands where it stood.
    const std::uint64_t behind = e.writeCalls();
    {
        const std::lock_guard guard(e.loop.lock());
        e.loop.post([&] {
            const ByteVector message = update(1, 100);
            for (int i = 0; i != kMessages; ++i)
                CHECK(e.link->send(message).ok());
        });
    }
    for (int i = 0; i != kMessages; ++i)
        CHECK(e.next() == update(1, 100));
    CHECK(e.writeCalls() - behind == 2);
}

TEST_CASE("a batch takes messages larger than a frame", "[reactor][loop][batch]") {
    const Row& row =
        transport_test::row(GENERATE(from_range(transport_test::rowNames({Ability::bytes, Ability::fragments}))));
    INFO(row.name);
    Ends e(row);
    const std::size_t frame = e.link->channel()->maxFragmentSize();
    const ByteVector large = update(77, 3 * frame), small = update(78);
    {
        const std::lock_guard guard(e.loop.lock());
        Link::Batch batch(*e.link);
        REQUIRE(batch.send(small, 5).ok());
        REQUIRE(batch.send(large, 6).ok());
        REQUIRE(batch.send(small, 7).ok());
        CHECK(batch.reserve(frame + 3).empty());
    }
    CHECK(e.next() == update(5));
    CHECK(e.next() == update(6, 3 * frame));
    CHECK(e.next() == update(7));
}

TEST_CASE("a batch writes what stands on the wire as it is", "[reactor][loop][batch]") {
    const Row& row = transport_test::row(GENERATE(as<std::string>{}, "tcp", "websocket json"));
    INFO(row.name);
    Ends e(row);
    const std::string text = R"({"ID":5,"Type":"Update","UpdateType":"Unspecified"})";
    const ByteVector rwf = update(5);
    const eta::Bytes message = row.json ? eta::asBytes(text) : eta::Bytes(rwf);
    {
        const std::lock_guard guard(e.loop.lock());
        Link::Batch batch(*e.link);
        const std::span<std::byte> room = batch.reserve(message.size() + 40);
        REQUIRE(room.size() >= message.size());
        std::copy(message.begin(), message.end(), room.begin());
        CHECK(batch.commit(message.size()).ok());
        CHECK(batch.write(message).ok());
        CHECK(batch.commit(1).code == Errc::usage);  // without a reservation
    }
    const ByteVector sent(message.begin(), message.end());
    CHECK(e.next() == row.received(sent));
    CHECK(e.next() == row.received(sent));
}

TEST_CASE("a link may be used as always while a batch holds its output", "[reactor][loop][batch]") {
    Ends e(tcp());
    const ByteVector message = update(1);
    SECTION("other messages keep their place in the order, and flush") {
        {
            const std::lock_guard guard(e.loop.lock());
            Link::Batch batch(*e.link);
            CHECK(batch.send(message, 5).ok());
            eta::codec::Msg m;
            REQUIRE(eta::codec::decodeMsg(message, m).ok());
            m.streamId = 6;
            CHECK(e.link->send(m).ok());
            CHECK(batch.send(message, 7).ok());
            CHECK(e.link->send(eta::Bytes(update(8))).ok());
            e.link->flush();
            CHECK(batch.queuedBytes() == 0);
            CHECK(batch.send(message, 9).ok());
        }
        for (const std::int32_t id : {5, 6, 7, 8, 9})
            CHECK(e.next() == update(id));
    }
    SECTION("closed: what was queued leaves, what follows is refused") {
        const std::lock_guard guard(e.loop.lock());
        Link::Batch batch(*e.link);
        CHECK(batch.send(message, 5).ok());
        e.link->close();
        CHECK(batch.send(message, 6).code == Errc::closed);
        CHECK(batch.write(message).code == Errc::closed);
        CHECK(batch.reserve(10).empty());
        CHECK(batch.commit(10).code == Errc::closed);
        CHECK(batch.queuedBytes() == 0);
        CHECK(transport_test::readMessage(*e.pair.client) == update(5));
    }
    SECTION("destroyed") {
        const std::lock_guard guard(e.loop.lock());
        Link::Batch batch(*e.link);
        e.link.reset();
        CHECK(batch.send(message, 6).code == Errc::closed);
    }
    SECTION("a batch of a closed link is one of nothing") {
        const std::lock_guard guard(e.loop.lock());
        e.link->close();
        Link::Batch batch(*e.link);
        CHECK(batch.send(message, 6).code == Errc::closed);
        CHECK(e.link->queuedBytes() == 0);
    }
    SECTION("what is no message is refused") {
        const std::lock_guard guard(e.loop.lock());
        Link::Batch batch(*e.link);
        CHECK(batch.send(eta::Bytes(message).first(7), 6).code == Errc::usage);
        CHECK(batch.queuedBytes() == 0);
    }
}

TEST_CASE("a batch whose link has no room left says so and queues nothing", "[reactor][loop][batch]") {
    Ends e(tcp());
    const ByteVector message = update(1, 1000);
    std::int32_t sent = 0;
    {
        const std::lock_guard guard(e.loop.lock());
        Link::Batch batch(*e.link);
        eta::Error error;
        while ((error = batch.send(message, sent)).ok())
            ++sent;
        CHECK(error.code == Errc::noBuffers);
        const std::size_t queued = batch.queuedBytes();
        CHECK(batch.send(message, sent).code == Errc::noBuffers);
        CHECK(batch.send(update(1, 20'000), sent).code == Errc::noBuffers);
        CHECK(batch.queuedBytes() == queued);
    }
    for (std::int32_t id = 0; id < sent; ++id)
        REQUIRE(e.next() == update(id, 1000));
    const std::lock_guard guard(e.loop.lock());
    CHECK(Link::Batch(*e.link).send(message, 1).ok());
}

TEST_CASE("a batch on a connection that is broken says closed, and the link goes down", "[reactor][loop][batch]") {
    Ends e(tcp());
    e.pair.client->close();
    const ByteVector message = update(1, 1000);
    const auto end = reactor::Clock::now() + test::kPatience;
    eta::Error error;
    while (error.ok()) {
        REQUIRE(reactor::Clock::now() < end);
        const std::lock_guard guard(e.loop.lock());
        Link::Batch batch(*e.link);
        for (int i = 0; i < 100 && error.ok(); ++i)
            error = batch.send(message, i);
        e.link->flush();
    }
    CHECK(error.code == Errc::closed);
    while (e.told.downs == 0) {
        REQUIRE(reactor::Clock::now() < end);
        e.loop.dispatch(1ms, 10);
    }
}

TEST_CASE("a batch from a thread that does not dispatch leaves without a turn", "[reactor][loop][batch]") {
    Ends e(tcp());
    std::thread([&] {
        const std::lock_guard guard(e.loop.lock());
        for (std::int32_t round = 0; round < 3; ++round) {
            Link::Batch batch(*e.link);
            CHECK(batch.send(update(1), 2 * round).ok());
            CHECK(batch.send(update(1), 2 * round + 1).ok());
        }
    }).join();
    for (std::int32_t id = 0; id < 6; ++id) {
        const eta::transport::ReadResult r = transport_test::readWait(*e.pair.client);
        REQUIRE(r.kind == eta::transport::ReadResult::Kind::message);
        CHECK(ByteVector(r.message.begin(), r.message.end()) == update(id));
    }
}

namespace {

/// Sends what it was given at the end of the turn.
struct Gathered final : reactor::TurnEnd {
    Gathered(Reactor& loop, Link& l) : TurnEnd(loop), link(l) {}
    void onTurnEnd() noexcept override {
        ++turns;
        if (count == 0) return;
        Link::Batch batch(link);
        for (; count != 0; --count)
            if (!batch.send(message, static_cast<std::int32_t>(count)).ok()) ++refused;
    }
    Link& link;
    ByteVector message = update(1);
    std::size_t count = 0, turns = 0, refused = 0;
};

}  // namespace

TEST_CASE("what is written at the end of a turn leaves with that turn, in one system call, and costs no memory",
          "[reactor][loop][batch]") {
    Ends e(tcp());
    auto gathered = [&] {
        const std::lock_guard guard(e.loop.lock());
        return std::make_unique<Gathered>(e.loop, *e.link);
    }();
    std::uint64_t calls = 0, allocated = 0;
    for (int round = 0; round < 3; ++round) {
        {
            const std::lock_guard guard(e.loop.lock());
            e.loop.post([&] { gathered->count = 100; });
        }
        calls = e.writeCalls();
        const std::uint64_t before = test::allocationsOfThisThread();
        e.turn();
        allocated = test::allocationsOfThisThread() - before;
        CHECK(e.writeCalls() == calls + 1);
        CHECK(e.link->queuedBytes() == 0);
        for (std::int32_t id = 100; id > 0; --id)
            REQUIRE(transport_test::readMessage(*e.pair.client) == update(id));
    }
    CHECK(allocated == 0);
    CHECK(gathered->refused == 0);
    CHECK(gathered->turns >= 3);
    {
        const std::lock_guard guard(e.loop.lock());
        gathered.reset();
    }
    e.turn();  // nobody is asked any more
}
