// A client and a server over loopback: handshake, reserve/commit, write, flush, ping, close.
#include "support.h"
#include "support/catch.hpp"

#include <mutex>

using namespace transport_test;

TEST_CASE("a client and a server agree and exchange messages", "[transport]") {
    Pair p = makePair();
    CHECK(p.client->state() == ChannelState::active);
    CHECK(p.client->info().ripcVersion == 14);
    CHECK(p.accepted->info().ripcVersion == 14);
    CHECK(p.client->maxFragmentSize() == 6142);
    CHECK(p.client->info().pingTimeoutSeconds == 60);
    CHECK(p.client->info().clientToServerPings);
    CHECK(p.client->info().serverToClientPings);
    CHECK(p.client->info().peerPort == p.server->port());
    CHECK(p.accepted->info().peerAddress.starts_with("127.0.0.1:"));
    CHECK_FALSE(p.client->info().serverSide);
    CHECK(p.accepted->info().serverSide);
    CHECK(p.server->counters().handshakesDone == 1);

    SECTION("reserve and commit encode in place") {
        const std::lock_guard guard(p.client->outputLock());
        const auto room = p.client->reserve(100);
        REQUIRE(room.size() == 100);
        room[0] = std::byte{'h'};
        room[1] = std::byte{'i'};
        CHECK(p.client->commit(2).ok());
        CHECK(p.client->queuedBytes() == 5);
        CHECK(p.client->flush());
        CHECK(p.client->queuedBytes() == 0);
        CHECK(readMessage(*p.accepted) == hex("6869"));
    }
    SECTION("both directions, many messages, in order") {
        for (unsigned i = 1; i <= 500; ++i) {
            const ByteVector m = pattern(i);
            REQUIRE(p.accepted->write(m).ok());
            REQUIRE(p.client->write(m).ok());
        }
        REQUIRE(flushWait(*p.accepted));
        REQUIRE(flushWait(*p.client));
        for (unsigned i = 1; i <= 500; ++i) {
            REQUIRE(readMessage(*p.client) == pattern(i));
            REQUIRE(readMessage(*p.accepted) == pattern(i));
        }
        CHECK(p.client->counters().messagesRead == 500);
        CHECK(p.accepted->counters().messagesWritten == 500);
    }
    SECTION("closing one end closes the other, with a reason that names the peer") {
        const std::string peer = p.client->info().peerAddress;
        p.accepted->close();
        CHECK(p.accepted->fd() == -1);
        CHECK(readWait(*p.client).kind == ReadResult::Kind::closed);
        CHECK(p.client->errorText() == peer + ": closed by peer");
        CHECK(p.client->state() == ChannelState::closed);
        CHECK(p.client->fd() >= 0);
        CHECK(p.client->write(pattern(5)).code == Errc::closed);
        CHECK(p.client->reserve(5).empty() == false);  // a reservation may still succeed; the commit tells
        CHECK(p.client->commit(5).code == Errc::closed);
        p.client->close();
        CHECK(p.client->fd() == -1);
        CHECK(p.client->read().kind == ReadResult::Kind::closed);
        p.client->close();
    }
}
