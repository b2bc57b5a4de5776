// One life of a connection: channel list, handshake, loss, waits, malformed peer, other servers' links.
#include "fixture.h"

using namespace emissary;
using namespace emissary::test;
using namespace std::chrono_literals;

TEST_CASE("A connection comes up, and what comes on it is decoded", "[reactor][client]") {
    Caller c;
    c.connected();
    const std::string where = "channel Channel_1 (127.0.0.1:" + c.channels[0].connect.port + ")";
    CHECK(c.connection->where() == where);
    REQUIRE(c.log.size() == 3);
    CHECK(c.log[0] == "connecting: " + where + ": connecting");
    CHECK(c.log[1].starts_with("up: " + where + ": connected, RIPC version "));
    CHECK(c.log[2] == "onConnected");
    CHECK(c.connection->sender().link() == c.connection->link());

    c.until([&] { return c.servers[0].connected(); });
    c.servers[0].send(RawProvider::update(7));
    c.until([&] { return !c.received.empty(); });
    CHECK(c.received == std::vector<std::int32_t>{7});
    CHECK(c.connection->counters().connects == 1);
}

TEST_CASE("A lost connection is tried again after a wait", "[reactor][client]") {
    Caller c;
    c.reconnect.minDelay = c.reconnect.maxDelay = 1000ms;
    c.connected();
    c.log.clear();
    c.servers[0].die();
    c.until([&] { return c.connection->state() == State::waiting; });
    REQUIRE(c.log.size() == 3);
    CHECK(c.log[0] == "onLost, was up");
    CHECK(c.log[1].starts_with("down: channel Channel_1"));
    CHECK(c.log[2] == "onWaiting");
    CHECK(c.connection->lastReason().starts_with("channel Channel_1"));
    CHECK(c.connection->link() == nullptr);
    CHECK(c.connection->sender().link() == nullptr);
    CHECK(c.connection->counters().disconnects == 1);

    SECTION("not before it is over") {
        c.clock.advance(999ms);
        for (int i = 0; i < 3; ++i)
            c.turn();
        CHECK(c.connection->counters().connects == 1);
    }
    SECTION("a failed attempt is no loss of a connection") {
        c.log.clear();
        c.clock.advance(1500ms);
        c.until([&] { return c.logged("onWaiting"); });
        CHECK(c.logged("connecting: "));
        CHECK(c.logged("connectFailed: "));
        CHECK(c.logged("onLost, was not up"));
        CHECK(c.connection->counters().disconnects == 1);
    }
    SECTION("closed meanwhile, there is no further attempt") {
        {
            const std::lock_guard guard(c.loop->lock());
            c.connection->close();
        }
        c.clock.advance(10000ms);
        for (int i = 0; i < 3; ++i)
            c.turn();
        CHECK(c.connection->state() == State::closed);
        CHECK(c.connection->counters().connects == 1);
    }
}

TEST_CASE("Channels are tried in turn, and the first again after the last", "[reactor][client]") {
    Caller c(3);
    c.reconnect.minDelay = c.reconnect.maxDelay = 100ms;
    c.servers[0].die();
    c.servers[1].die();
    c.start();
    c.until([&] {
        if (c.connection->state() == State::waiting) c.clock.advance(100ms);
        return c.connection->state() == State::up;
    });
    CHECK(c.connection->channel().name == "Channel_3");
    CHECK(c.connection->counters().connects == 3);
    CHECK(c.connection->counters().disconnects == 0);

    c.servers[0].revive();
    {
        const std::lock_guard guard(c.loop->lock());
        c.connection->drop("enough");
    }
    CHECK(c.connection->index() == 0);
    CHECK(c.connection->lastReason().ends_with(": enough"));
    c.clock.advance(100ms);
    c.until([&] { return c.connection->state() == State::up; });
    CHECK(c.connection->channel().name == "Channel_1");
}

TEST_CASE("A limit of attempts", "[reactor][client]") {
    Caller c;
    c.reconnect.minDelay = c.reconnect.maxDelay = 100ms;
    c.reconnect.attemptLimit = 2;
    c.servers[0].die();
    c.start();
    c.until([&] {
        if (c.connection->state() == State::waiting) c.clock.advance(100ms);
        return c.connection->state() == State::closed;
    });
    CHECK(c.connection->counters().connects == 3);  // the first one, and two more
    REQUIRE(c.log.size() > 2);
    CHECK(c.log[c.log.size() - 2] == "onGivenUp: channel closed");
    CHECK(c.log.back().starts_with("closed: channel Channel_1"));

    SECTION("a closed connection may be started anew") {
        c.servers[0].revive();
        {
            const std::lock_guard guard(c.loop->lock());
            c.connection->start();
        }
        c.connected();
        CHECK(c.connection->counters().connects == 4);
    }
}

TEST_CASE("A peer that sends what cannot be decoded", "[reactor][client]") {
    Caller c;
    c.reconnect.minDelay = c.reconnect.maxDelay = 100ms;
    c.survives = 5;
    c.connected();
    c.until([&] { return c.servers[0].connected(); });
    std::vector<std::byte> bytes;
    {
        reactor::GrowingBuffer b;
        REQUIRE(codec::encodeMsg(b.start(), RawProvider::refresh(5)).ok());
        bytes.assign(b.view().begin(), b.view().end());
    }
    SECTION("on a stream that survives it: told once, counted each time") {
        bytes.resize(bytes.size() - 3);
        c.servers[0].sendBytes(bytes);
        c.servers[0].sendBytes(bytes);
        c.servers[0].send(RawProvider::update(7));
        c.until([&] { return !c.received.empty(); });
        CHECK(c.connection->counters().malformed == 2);
        REQUIRE(c.warnings.size() == 1);
        CHECK(c.warnings[0].find("undecodable message (") != std::string::npos);
        CHECK(c.warnings[0].ends_with(", stream 5"));
        CHECK(c.connection->state() == State::up);
    }
    SECTION("on any other: the connection ends and is made again") {
        c.survives = -1;
        bytes.resize(bytes.size() - 3);
        c.servers[0].sendBytes(bytes);
        c.until([&] { return c.connection->state() == State::waiting; });
        CHECK(c.logged("down: "));
        CHECK(c.connection->lastReason().find("undecodable message (") != std::string::npos);
        c.clock.advance(100ms);
        c.until([&] { return c.connection->state() == State::up; });
    }
    SECTION("not even a stream id: nothing survives that") {
        bytes.resize(2);
        c.servers[0].sendBytes(bytes);
        c.until([&] { return c.connection->state() == State::waiting; });
    }
}

TEST_CASE("A link of another server takes the place of a lost one", "[reactor][client]") {
    Caller c(2);
    c.connected();
    Caller* const self = &c;
    struct Spare final : reactor::LinkHandler {
        void onLinkUp(reactor::Link&) override { up = true; }
        void onLinkMessage(reactor::Link&, Bytes) override {}
        void onLinkDown(reactor::Link&, const std::string&, bool) override {}
        bool up = false;
    } spare;
    std::unique_ptr<reactor::Link> link;
    {
        const std::lock_guard guard(c.loop->lock());
        link = c.loop->connect(c.channels[1].connect, spare);
    }
    c.until([&] { return spare.up && c.servers[1].connected(); });

    SECTION("at the loss, which nobody hears of as such") {
        c.replace = [self, &link](const std::string& reason) {
            CHECK_FALSE(reason.empty());
            (void)self->connection->takeOver(1, std::move(link), reason);
            return true;
        };
        c.log.clear();
        c.servers[0].die();
        c.until([&] { return c.connection->index() == 1; });
        REQUIRE(c.log.size() == 1);
        CHECK(c.log[0].starts_with("switched: channel Channel_2"));
        CHECK(c.log[0].find("takes over; channel Channel_1") != std::string::npos);
        CHECK(c.connection->counters().disconnects == 1);
    }
    SECTION("instead of one that works: that one is lost first") {
        c.log.clear();
        {
            const std::lock_guard guard(c.loop->lock());
            c.connection->moveTo(1, std::move(link), "left for another");
        }
        CHECK(c.logged("onLost, was up"));
        CHECK(c.log.back() == "onConnected");
        CHECK_FALSE(c.logged("onWaiting"));
    }
    SECTION("unless a callback closes everything") {
        c.lost = [self] { self->connection->close(); };
        const std::lock_guard guard(c.loop->lock());
        c.connection->moveTo(1, std::move(link), "left for another");
        CHECK(c.connection->state() == State::closed);
        return;
    }
    CHECK(c.connection->channel().name == "Channel_2");
    CHECK(c.connection->state() == State::up);
    c.servers[1].send(RawProvider::update(9));
    c.until([&] { return !c.received.empty(); });
    CHECK(c.received.back() == 9);
}

TEST_CASE("The owner may destroy its connection when the next attempt is arranged", "[reactor][client]") {
    Caller c;
    c.connected();
    c.waiting = [&] { c.connection.reset(); };
    c.servers[0].die();
    c.until([&] { return c.connection == nullptr; });
    c.clock.advance(10000ms);
    for (int i = 0; i < 3; ++i)
        c.turn();
}
