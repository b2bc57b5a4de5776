// What a channel tells of its messages, for every way a connection is carried (xml-trace.md 2).
#include "rows.h"
#include "support.h"
#include "support/catch.hpp"

#include <mutex>

using namespace transport_test;

namespace {

using Event = MessageTrace::Event;

struct Told {
    Event event;
    ByteVector message;
    bool operator==(const Told&) const = default;
};

/// What all channels of one side told.
struct Journal final : TraceSource {
    struct Writer final : MessageTrace {
        explicit Writer(Journal& into) : journal(into) {}
        ~Writer() override { ++journal.ended; }
        void tell(Event event, Bytes message) noexcept override {
            const std::lock_guard lock(journal.mutex);
            journal.told.push_back({event, ByteVector(message.begin(), message.end())});
        }
        Journal& journal;
    };
    bool atOnce() const noexcept override { return fromTheStart; }
    std::unique_ptr<MessageTrace> open(const ChannelInfo&, int) noexcept override {
        ++opened;
        return refuses ? nullptr : std::make_unique<Writer>(*this);
    }
    [[nodiscard]] std::vector<Told> take() { return std::exchange(told, {}); }

    std::mutex mutex;
    std::vector<Told> told;
    bool fromTheStart = true, refuses = false;
    int opened = 0, ended = 0;
};

struct TracedPair {
    std::shared_ptr<Journal> client = std::make_shared<Journal>(), server = std::make_shared<Journal>();
    Pair pair;
    explicit TracedPair(const Row& row, bool fromTheStart = true) {
        client->fromTheStart = server->fromTheStart = fromTheStart;
        BindOptions bind = row.bind;
        ConnectOptions connect = row.connect;
        bind.tracing = server;
        connect.tracing = client;
        bind.guaranteedOutputBuffers = connect.guaranteedOutputBuffers = 500;
        pair = makePair(bind, connect);
    }
};

ByteVector text(std::size_t size) {
    return pattern(size);
}

}  // namespace

TEST_CASE("trace: messages are told whole, as the application has them, by both ends", "[transport][trace]") {
    for (const std::string& name : rowNames({Ability::listener})) {
        const Row& r = row(name);
        INFO(r.name);
        TracedPair t(r);
        CHECK(t.client->opened == 1);
        CHECK(t.server->opened == 1);
        for (const std::size_t size : {std::size_t{1}, std::size_t{30}, std::size_t{6000}, std::size_t{50000}}) {
            INFO("size " << size);
            const ByteVector sent = text(size);
            REQUIRE(t.pair.client->write(sent).ok());
            CHECK(t.client->take() == std::vector<Told>{{Event::outgoing, sent}});
            REQUIRE(flushWait(*t.pair.client));
            CHECK(readMessage(*t.pair.accepted) == r.received(sent));
            CHECK(t.server->take() == std::vector<Told>{{Event::incoming, r.received(sent)}});
        }
        // In place, and dropped: only what is queued is told.
        const auto room = t.pair.accepted->reserve(64);
        REQUIRE(room.size() == 64);
        CHECK(t.pair.accepted->commit(0).ok());
        CHECK(t.server->take().empty());
        CHECK_FALSE(t.pair.accepted->commit(5).ok());
        CHECK(t.server->take().empty());
        // The end is told by the end that did not choose it.
        t.pair.client->close();
        CHECK(t.client->take().empty());
        CHECK(t.client->ended == 1);
        CHECK(readWait(*t.pair.accepted).kind == ReadResult::Kind::closed);
        CHECK(t.server->take() == std::vector<Told>{{Event::channelClosed, {}}});
        CHECK(t.server->ended == 0);
        t.pair.accepted->close();
        CHECK(t.server->ended == 1);
    }
}

TEST_CASE("trace: both clients of a group tell their messages", "[transport][trace][multicast]") {
    const std::string name = GENERATE(as<std::string>{}, "reliable multicast", "sequenced multicast");
    INFO(name);
    TracedPair t(row(name));
    CHECK(t.client->opened == 2);  // both have the client's options
    for (const std::size_t size : {std::size_t{1}, std::size_t{30}, std::size_t{1000}}) {
        INFO("size " << size);
        const ByteVector sent = text(size);
        REQUIRE(t.pair.client->write(sent).ok());
        CHECK(t.client->take() == std::vector<Told>{{Event::outgoing, sent}});
        REQUIRE(flushWait(*t.pair.client));
        CHECK(readMessage(*t.pair.accepted) == sent);
        CHECK(t.client->take() == std::vector<Told>{{Event::incoming, sent}});
    }
    t.pair.client->close();
    t.pair.accepted->close();
    CHECK(t.client->ended == 2);
}

TEST_CASE("trace: packed messages are told one by one", "[transport][trace]") {
    TracedPair t(row("tcp"));
    const ByteVector body = concat({hex("0003 414243 0000 0002 4445")});
    const auto room = t.pair.client->reserve(body.size());
    std::copy(body.begin(), body.end(), room.begin());
    REQUIRE(t.pair.client->commitPacked(body.size(), 3).ok());
    CHECK(t.client->take() ==
          std::vector<Told>{{Event::packed, hex("414243")}, {Event::packed, {}}, {Event::packed, hex("4445")}});
    REQUIRE(flushWait(*t.pair.client));
    CHECK(readMessage(*t.pair.accepted) == hex("414243"));
    CHECK(readMessage(*t.pair.accepted) == hex("4445"));
    CHECK(t.server->take() == std::vector<Told>{{Event::incoming, hex("414243")}, {Event::incoming, hex("4445")}});
}

TEST_CASE("trace: pings of both directions", "[transport][trace]") {
    TracedPair t(row("tcp"));
    t.pair.accepted->pingIfIdle(at(0));
    t.pair.accepted->pingIfIdle(at(61));
    CHECK(t.server->take() == std::vector<Told>{{Event::outgoingPing, {}}});
    CHECK(readWait(*t.pair.client).kind == ReadResult::Kind::ping);
    CHECK(t.client->take() == std::vector<Told>{{Event::incomingPing, {}}});
}

TEST_CASE("trace: switched on and off while the channel is up", "[transport][trace]") {
    TracedPair t(row("tcp"), false);
    Channel& client = *t.pair.client;
    const auto send = [&] {
        REQUIRE(client.write(text(20)).ok());
        return t.client->take().size();
    };
    CHECK(send() == 0);
    CHECK(t.client->opened == 0);
    CHECK(client.setOption(ioctl_code::trace, 1).ok());
    CHECK(send() == 1);
    CHECK(client.setOption(ioctl_code::trace, 0).ok());
    CHECK(send() == 0);
    CHECK(client.setOption(ioctl_code::trace, 7).ok());
    CHECK(send() == 1);
    CHECK(t.client->opened == 1);  // one trace for a channel, however often it is switched
    t.server->refuses = true;
    CHECK(t.pair.accepted->setOption(ioctl_code::trace, 1).code == Errc::system);
    REQUIRE(t.pair.accepted->write(text(20)).ok());
    Pair plain = makePair();
    CHECK(plain.client->setOption(ioctl_code::trace, 1).code == Errc::usage);  // nothing to make a trace with
}

TEST_CASE("trace: the most bytes queued are counted anew", "[transport][trace]") {
    Pair p = makePair();
    REQUIRE(p.client->write(text(3000)).ok());
    REQUIRE(flushWait(*p.client));
    CHECK(p.client->counters().queuedPeak > 3000);
    CHECK(p.client->setOption(ioctl_code::peakReset, 1).ok());
    CHECK(p.client->counters().queuedPeak == 0);
    REQUIRE(p.client->write(text(40)).ok());
    REQUIRE(flushWait(*p.client));
    CHECK(p.client->counters().queuedPeak == 43);
}
