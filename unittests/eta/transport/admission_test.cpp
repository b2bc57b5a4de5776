// Who may stay when a listener is full.
#include "rows.h"
#include "support.h"
#include "support/catch.hpp"
#include "transport/channel/Admission.h"
#include "transport/channel/handshake.h"

#include <sys/resource.h>
#include <unistd.h>

using namespace transport_test;

namespace {

struct Guests {
    explicit Guests(const BindOptions& options) : server(listen(options)) {}

    /// A connection that says the first `bytes` of a connection request; init() has seen them.
    Channel& come(std::size_t bytes, double when = 0) {
        raws.push_back(RawSocket::connectTo(server->port()));
        channels.push_back(acceptOne(*server, at(when)));
        say(channels.size() - 1, bytes, when);
        return *channels.back();
    }
    void say(std::size_t which, std::size_t bytes, double when) {
        if (bytes == 0) return;
        const auto request = encodeRequest(ConnectionRequest{});
        raws[which].send(Bytes(request).first(std::min(bytes, request.size())));
        if (bytes >= request.size()) {
            REQUIRE(settle(*channels[which], at(when)) == InitStatus::active);
        } else {
            REQUIRE(readable(channels[which]->fd()));
            REQUIRE(channels[which]->init(at(when)) == InitStatus::inProgress);
        }
    }
    /// Whether a newcomer gets in.
    bool another(double when) {
        RawSocket raw = RawSocket::connectTo(server->port());
        REQUIRE(readable(server->fd()));
        const auto channel = server->accept(at(when));
        CHECK((channel != nullptr || raw.closedByPeer()));
        return channel != nullptr;
    }
    static constexpr std::size_t kAll = 1000;

    std::unique_ptr<Server> server;
    std::vector<RawSocket> raws;
    std::vector<std::unique_ptr<Channel>> channels;
};

BindOptions three() {
    BindOptions o = bindOptions();
    o.maxConnections = 3;
    o.firstByteTimeout = std::chrono::seconds(5);
    return o;
}

}  // namespace

TEST_CASE("silent connections do not keep newcomers out", "[transport][admission]") {
    BindOptions o = bindOptions();
    SECTION("above the limit of those in their handshake") {
        o.maxInitializing = 3;
    }
    SECTION("above the limit of one address") {
        o.maxInitializingPerAddress = 3;
    }
    SECTION("above the limit of all connections") {
        o.maxConnections = 3;
    }
    SECTION("above the limit of all connections of one address") {
        o.maxConnectionsPerAddress = 3;
    }
    Guests g(o);
    g.come(8);
    g.come(0);
    g.come(0);
    g.come(Guests::kAll);  // came last and gets in
    CHECK(g.raws[1].closedByPeer());
    CHECK(g.channels[1]->init(at(0)) == InitStatus::failed);
    CHECK_THAT(g.channels[1]->errorText(), Catch::Contains("closed to make room for others"));
    CHECK(g.server->counters().evicted == 1);
    CHECK(g.server->counters().refusedBusy == 0);
    CHECK(g.channels[0]->init(at(0)) == InitStatus::inProgress);
    CHECK(g.channels[2]->init(at(0)) == InitStatus::inProgress);
}

TEST_CASE("a flood of silent connections never holds a caller up", "[transport][admission]") {
    BindOptions o = bindOptions();
    o.maxInitializing = 64;
    o.maxInitializingPerAddress = 32;
    Guests g(o);
    for (int i = 0; i < 300; ++i)
        g.come(0);
    g.come(Guests::kAll);
    CHECK(g.channels.back()->state() == ChannelState::active);
    CHECK(g.server->counters().evicted == 300 + 1 - 32);
}

TEST_CASE("what waits to be read is not silence", "[transport][admission]") {
    BindOptions o = bindOptions();
    o.maxInitializing = 2;
    Guests g(o);
    g.come(0);
    g.raws[0].send(Bytes(encodeRequest(ConnectionRequest{})));  // and nobody has looked yet
    REQUIRE(readable(g.channels[0]->fd()));
    g.come(0);
    g.come(0);
    CHECK(g.raws[1].closedByPeer());
    CHECK(settle(*g.channels[0]) == InitStatus::active);
}

TEST_CASE("who is full of connections that got far enough refuses, for a while", "[transport][admission]") {
    Guests g(three());
    SECTION("in their handshake") {
        for (int i = 0; i < 3; ++i)
            g.come(8);
    }
    SECTION("after it, and nobody has vouched for them") {
        for (int i = 0; i < 3; ++i)
            g.come(Guests::kAll);
    }
    CHECK_FALSE(g.another(4.9));
    CHECK(g.server->counters().refusedBusy == 1);
    CHECK(g.another(5));
    CHECK(g.raws[0].closedByPeer());
    CHECK(g.server->counters().evicted == 1);
}

TEST_CASE("who is settled stays, and its place is free when it ends", "[transport][admission]") {
    Guests g(three());
    for (int i = 0; i < 3; ++i)
        g.come(Guests::kAll).settled();
    CHECK_FALSE(g.another(100));
    CHECK(g.server->counters().evicted == 0);
    g.channels[1]->close();
    CHECK(g.another(100));
}

TEST_CASE("silent connections do not keep all descriptors", "[transport][admission]") {
    Guests g(bindOptions());
    g.come(8);
    g.come(0);
    RawSocket newcomer = RawSocket::connectTo(g.server->port());
    REQUIRE(readable(g.server->fd()));
    rlimit before{};
    REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
    rlimit few = before;
    few.rlim_cur = 256;
    REQUIRE(::setrlimit(RLIMIT_NOFILE, &few) == 0);
    std::vector<RawSocket> hogs;
    for (int fd = ::dup(newcomer.fd()); fd >= 0; fd = ::dup(newcomer.fd()))
        hogs.emplace_back(fd);
    const auto channel = g.server->accept(at(0));
    hogs.clear();
    REQUIRE(::setrlimit(RLIMIT_NOFILE, &before) == 0);
    CHECK(channel == nullptr);
    CHECK(newcomer.closedByPeer());
    CHECK(g.raws[1].closedByPeer());
    CHECK(g.server->counters().evicted == 1);
    CHECK(g.channels[0]->init(at(0)) == InitStatus::inProgress);
}

TEST_CASE("the first byte has a deadline of its own", "[transport][admission]") {
    BindOptions o = bindOptions();
    o.firstByteTimeout = std::chrono::seconds(5);
    Guests g(o);
    g.come(0);
    g.come(1);
    CHECK(g.channels[0]->initDeadline() == at(5));
    CHECK(g.channels[1]->initDeadline() == at(60));
    CHECK(g.channels[0]->init(at(5)) == InitStatus::failed);
    CHECK(g.channels[1]->init(at(59)) == InitStatus::inProgress);
    CHECK(g.server->counters().handshakeTimeouts == 1);
}

TEST_CASE("IPv6 addresses of one network are one address", "[transport][admission]") {
    using Key = Admission::Key;
    const Key a{0x20, 1, 0xd, 0xb8, 0, 1, 0, 2, 1, 2, 3, 4, 5, 6, 7, 8};
    Key b = a, c = a;
    b[15] = b[8] = 99;
    c[7] = 3;
    CHECK(Admission::keyOf(a) == Admission::keyOf(b));
    CHECK(Admission::keyOf(a) != Admission::keyOf(c));
    const Key v4{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 192, 0, 2, 1};
    Key other = v4;
    other[15] = 2;
    CHECK(Admission::keyOf(v4) == v4);
    CHECK(Admission::keyOf(v4) != Admission::keyOf(other));
}
