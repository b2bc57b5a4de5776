// Connections that come and go, a port that is drained, clients that ask too much.
#include "requests.h"

#include "reactor/metrics/Snapshot.h"
#include "support/resident.h"

using namespace emissary;
using namespace emissary::test;
using codec::DataState::suspect;
namespace StreamState = codec::StreamState;

TEST_CASE("a client that goes takes its streams along, whatever it was doing", "[hub][client][life]") {
    PortFixture f;
    RawConsumer stays = f.loggedIn("stays"), c = f.loggedIn();
    for (std::int32_t i = 5; i < 15; ++i) {
        c.send(request(i, "I" + std::to_string(i)));
        (void)c.next();
    }
    stays.send(request(5, "I5"));
    (void)stays.next();
    CHECK(f.mounts.size() == 11);
    SECTION("closed") {
        c.disconnect();
    }
    SECTION("in the middle of a message") {
        c.dieMidMessage();
    }
    SECTION("garbage") {
        const std::byte garbage[] = {std::byte{0}, std::byte{9}, std::byte{0xFF}, std::byte{0xFF}, std::byte{1}};
        c.sendBytes(garbage);
        CHECK(c.waitClosed());
    }
    SECTION("while a refresh is waited for") {
        f.answers = false;
        c.send(request(77, "LATE"));
        f.runUntil([&] { return f.item("LATE") != nullptr; });
        c.disconnect();
    }
    f.runUntil([&] { return f.clients.size() == 1; });
    CHECK(f.mounts.size() == 1);
    CHECK(f.items.size() == 1);
    CHECK(f.gone == std::vector<std::string>{"dana"});
    CHECK(f.port->counts().ends[EndReason::lost].connections == 1);
    f.locked([&] {
        f.update(*f.item("I5"));
        return 0;
    });
    CHECK(stays.next().msg.cls == MsgClass::Update);
    const auto snapshot = f.loop.metrics();
    CHECK(snapshot.value("emissary_hub_clients") == 1);
    CHECK(snapshot.value("emissary_hub_client_connects_total") == 2);
    CHECK(snapshot.value("emissary_hub_client_disconnects_total") == 1);
    CHECK(snapshot.value("emissary_hub_logins_total") == 2);
}

TEST_CASE("a port that is drained takes nobody, says so, and sends the rest away in time", "[hub][client][life]") {
    PortFixture f;
    RawConsumer c = f.loggedIn(), stranger = f.connect();
    c.send(RawConsumer::directoryRequest(3));
    (void)c.next();
    c.send(request(5));
    (void)c.next();
    bool done = false;
    f.locked([&] {
        f.port->drain(std::chrono::seconds(10), [&] { done = true; });
        return 0;
    });
    const Received got = c.next();
    CHECK(got.msg.domain == 4);
    rdm::Directory told;
    REQUIRE(told.add(f.feed().merged));
    REQUIRE(told.apply(got.msg.payload, false).ok());
    CHECK_FALSE(told.find(std::uint16_t{3})->state.acceptingRequests());
    c.send(request(6));
    checkState(c.next(), 6, StreamState::closedRecover, suspect);
    f.locked([&] {
        f.update(*f.item("IBM"));
        return 0;
    });
    CHECK(c.next().msg.cls == MsgClass::Update);
    SECTION("all go by themselves") {
        c.disconnect();
        stranger.disconnect();
    }
    SECTION("or when the time is over") {
        f.clock.advance(std::chrono::seconds(11));
        const Received last = c.next();
        CHECK(last.msg.domain == 1);
        checkState(last, 1, StreamState::closedRecover, suspect, 12);
        CHECK(c.waitClosed());
        CHECK(stranger.waitClosed());
        f.runUntil([&] { return f.port->counts().ends[EndReason::drained].connections == 2; });
    }
    f.runUntil([&] {
        f.clock.advance(std::chrono::milliseconds(60));
        return done;
    });
    CHECK(f.mounts.size() == 0);
    CHECK(f.clients.size() == 0);
}

TEST_CASE("requests above the rate wait their turn, in order, and ten times as many end it", "[hub][client][life]") {
    ClientOptions options = PortFixture::defaults();
    options.requestsPerSecond = 5;
    PortFixture f(options);
    RawConsumer c = f.loggedIn();
    f.clock.advance(std::chrono::seconds(2));  // at most one second's worth is saved up
    SECTION("some more") {
        for (std::int32_t i = 0; i < 12; ++i)
            c.send(request(10 + i, "I" + std::to_string(i)));
        c.send(RawConsumer::close(10));
        for (std::int32_t i = 0; i < 5; ++i)
            CHECK(c.next().msg.streamId == 10 + i);
        f.runUntil([&] { return f.port->counts().of.held == 8; });
        CHECK(f.client().mounts.contains(10));
        CHECK(f.client().mounts.size() == 5);
        f.clock.advance(std::chrono::milliseconds(1001));
        for (std::int32_t i = 5; i < 10; ++i)
            CHECK(c.next().msg.streamId == 10 + i);
        f.clock.advance(std::chrono::milliseconds(1001));
        CHECK(c.next().msg.streamId == 20);
        CHECK(c.next().msg.streamId == 21);
        f.runUntil([&] { return !f.client().mounts.contains(10); });
        CHECK(ClientSession::of(f.client()).heldBytes == 0);
    }
    SECTION("far more") {
        for (std::int32_t i = 0; i < 70; ++i)
            c.send(request(10 + i, "I" + std::to_string(i)));
        CHECK(c.waitClosed());
        f.runUntil([&] { return f.clients.size() == 0; });
        CHECK(f.port->counts().ends[EndReason::requestRate].connections == 1);
    }
}

TEST_CASE("a listener that cannot be had is refused with a word on why", "[hub][client][life]") {
    PortFixture f;
    const hub::client::Rooms rooms{f.loop, f.clients, f.items, f.mounts, f.services, f.fanOut, f.views, f.flow, f};
    const std::lock_guard guard(f.loop.lock());
    ListenerSettings taken = PortFixture::rwf();
    taken.bind.port = std::to_string(f.port->port());
    ClientPort second(rooms, PortFixture::defaults(), f.check, {PortFixture::rwf(), taken});
    const eta::Refused refused = second.listen();
    CHECK(refused.text.find(taken.bind.port) != std::string::npos);
}

TEST_CASE("clients that connect, open items and leave ten thousand times leave nothing behind", "[hub][client][life]") {
    PortFixture f;
    f.feed().policy.cache.rule = CachePolicy::Rule::none;
    RawConsumer c = f.loggedIn("steady");
    const auto cycle = [&](int n) {
        for (int i = 0; i < n; ++i) {
            c.send(request(10, "A" + std::to_string(i % 50)));
            c.send(request(11, "B"));
            for (int k = 0; k < 2; ++k)
                (void)c.next();
            if (i % 2 == 0) {
                c.send(RawConsumer::close(10));
                c.send(RawConsumer::close(11));
            } else {
                c.send(RawConsumer::close(1, 1));
                PortFixture::login(c, "steady", {});
                (void)c.next();
            }
            if (i % 10 == 0) {
                RawConsumer other = f.loggedIn("other");
                // An item of its own: the one before may not be quite gone, and nobody would ask again for its item.
                other.send(request(5, "O" + std::to_string(i)));
                (void)other.next();
            }
            f.asked.clear();
            f.check.asked.clear();
            f.gone.clear();
            f.lines.clear();
        }
        f.runUntil([&] { return f.clients.size() == 1; });
    };
    cycle(1000);
    const std::size_t before = residentKiB();
    cycle(9000);
    const std::size_t after = residentKiB();
    INFO(before << " KiB before, " << after << " KiB after");
#ifndef EMISSARY_UNDER_SANITIZER                   // they keep what was freed, and notes of it
    const std::size_t rings = f.relay ? 8192 : 0;  // between threads: their pages are touched one after the other
    CHECK(after < before + 2048 + rings);
#endif
    CHECK(f.items.size() == 0);
    CHECK(f.mounts.size() == 0);
    CHECK(f.views.size() == 0);
}
