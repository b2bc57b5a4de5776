// A write that fails ends the output and nothing else: what the peer had sent before it went away is delivered first.
#include "eta/codec/Msg.h"
#include "eta/transport/rows.h"
#include "reactor/JsonLayer.h"
#include "support/StillClock.h"
#include "support/catch.hpp"
#include "support/until.h"

#include <sys/socket.h>

using namespace emissary;
using namespace std::chrono_literals;
using eta::transport::Channel;
using reactor::Link;
using reactor::Reactor;
using transport_test::Ability;
using transport_test::Row;

namespace {

constexpr std::size_t kMessages = 300;  // several turns; 30 KB fit into any receive buffer before anybody reads

struct Listener final : reactor::LinkHandler {
    std::size_t messages = 0;
    std::vector<std::string> downs, warnings;
    void onLinkUp(Link&) override {}
    void onLinkMessage(Link&, eta::Bytes) override { ++messages; }
    void onLinkDown(Link&, const std::string& reason, bool) override { downs.push_back(reason); }
    void onLinkWarning(Link&, const std::string& text) override { warnings.push_back(text); }
};

eta::codec::Msg update() {
    eta::codec::Msg m;
    m.cls = eta::codec::MsgClass::Update;
    m.streamId = 5;
    m.domain = 6;
    return m;
}

/// A link in a reactor, either end of a connection; the test plays the other end.
struct BrokenLink {
    test::StillClock clock;
    Listener told;
    Reactor loop{options(clock)};
    std::unique_ptr<transport_test::Server> server;
    std::unique_ptr<Channel> peer;
    std::unique_ptr<Link> link;
    bool json = false;

    BrokenLink(const Row& row, bool client) : json(row.json) {
        transport_test::Pair pair = transport_test::makePair(row);
        server = std::move(pair.server);
        peer = std::move(client ? pair.accepted : pair.client);
        const std::lock_guard guard(loop.lock());
        link = loop.adopt(std::move(client ? pair.client : pair.accepted), told);
    }
    ~BrokenLink() {
        const std::lock_guard guard(loop.lock());
        link.reset();
    }
    static reactor::ReactorOptions options(const test::StillClock& clock) {
        reactor::ReactorOptions o;
        o.clock = &clock;
        o.jsonLayer = reactor::jsonLayer();
        return o;
    }
    template <class Condition>
    void until(Condition condition) {
        REQUIRE(test::turnUntil(condition, [this] { loop.dispatch(1ms, 50); }));
    }
    static std::vector<std::byte> encoded() {
        std::vector<std::byte> bytes(64);
        eta::BeWriter out(bytes);
        REQUIRE(eta::codec::encodeMsg(out, update()).ok());
        bytes.resize(out.size());
        return bytes;
    }
    void peerSends(std::size_t count) {
        const std::vector<std::byte> rwf = encoded();
        const eta::Bytes message =
            json ? eta::asBytes(R"({"ID":5,"Type":"Update","UpdateType":"Unspecified"})") : eta::Bytes(rwf);
        for (std::size_t i = 0; i < count; ++i)
            REQUIRE(peer->write(message).ok());
        REQUIRE(transport_test::flushWait(*peer));
    }
    eta::Error send() {
        const std::lock_guard guard(loop.lock());
        return link->send(update());
    }
    eta::Error sendBytes() {
        const std::vector<std::byte> bytes = encoded();
        const std::lock_guard guard(loop.lock());
        return link->send(eta::Bytes(bytes));
    }
    /// Sends, without a look at what there is to read, until an attempt fails; returns how.
    eta::Error sendUntilRefused() {
        const auto end = reactor::Clock::now() + 10s;
        for (;;) {
            if (const eta::Error e = send(); !e.ok()) return e;
            REQUIRE(reactor::Clock::now() < end);
            const std::lock_guard guard(loop.lock());
            link->flush();
        }
    }
};

}  // namespace

TEST_CASE("a failed write leaves what was received to be delivered", "[reactor][loop]") {
    const Row& r = transport_test::row(GENERATE(from_range(transport_test::rowNames({Ability::listener}))));
    const bool client = GENERATE(true, false);
    INFO(r.name << (client ? ", client" : ", server"));
    BrokenLink b(r, client);
    b.peerSends(1);
    b.until([&] { return b.told.messages == 1; });
    REQUIRE(b.send().ok());  // stays unread, so that the end of the peer is a reset
    REQUIRE(transport_test::readable(b.peer->fd()));

    b.peerSends(kMessages);
    b.peer->close();
    const eta::Error refused = b.sendUntilRefused();
    CHECK(refused.code == eta::Errc::closed);
    CHECK(b.send().code == eta::Errc::closed);  // and not for want of buffers
    CHECK(b.sendBytes().code == eta::Errc::closed);
    CHECK(b.link->active());

    b.until([&] { return !b.told.downs.empty(); });
    CHECK(b.told.messages == 1 + kMessages);
    CHECK(b.told.warnings.empty());
    REQUIRE(b.told.downs.size() == 1);
    CHECK(b.told.downs[0].size() > std::string(": ").size() + b.link->info().peerAddress.size());
    CHECK_FALSE(b.link->active());
}

TEST_CASE("a broken link whose end does not come is given up after a while", "[reactor][loop]") {
    const bool client = GENERATE(true, false);
    INFO((client ? "client" : "server"));
    BrokenLink b(transport_test::row("tcp"), client);
    b.peerSends(1);
    b.until([&] { return b.told.messages == 1; });
    REQUIRE(::shutdown(b.link->channel()->fd(), SHUT_WR) == 0);  // only the way out is broken
    CHECK(b.sendUntilRefused().code == eta::Errc::closed);
    b.peerSends(3);
    b.until([&] { return b.told.messages == 4; });
    CHECK(b.told.downs.empty());

    b.peerSends(2);
    b.clock.advance(6s);
    b.until([&] { return !b.told.downs.empty(); });
    CHECK(b.told.messages == 6);
    REQUIRE(b.told.downs.size() == 1);
    CHECK_THAT(b.told.downs[0], Catch::Contains("connection lost: Broken pipe"));
}

TEST_CASE("the worker's failed write leaves what was received too", "[reactor][loop]") {
    BrokenLink b(transport_test::row("tcp"), true);
    b.peerSends(1);
    b.until([&] { return b.told.messages == 1; });
    REQUIRE(b.send().ok());
    REQUIRE(transport_test::readable(b.peer->fd()));
    b.peerSends(kMessages);
    b.peer->close();
    // Too little for the high-water mark: the first is flushed by the caller, the others by the worker.
    for (int i = 0; i < 3; ++i)
        static_cast<void>(b.send());
    b.until([&] { return !b.told.downs.empty(); });
    CHECK(b.told.messages == 1 + kMessages);
    CHECK(b.told.downs.size() == 1);
}
