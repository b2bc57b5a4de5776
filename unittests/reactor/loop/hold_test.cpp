// A link that is held: its peer is not read from for a while, and loses nothing by it.
#include "far_end.h"

#include "support/StillClock.h"
#include "support/until.h"

#include <numeric>

using namespace emissary;
using namespace emissary::test;
using namespace std::chrono_literals;
using reactor::Link;
using reactor::Reactor;

namespace {

struct Held {
    explicit Held(const transport_test::Row& row, StillClock* clock = nullptr) : far(row), loop(options(clock)) {
        const std::lock_guard guard(loop.lock());
        link = loop.adopt(std::move(far.accepted), told);
    }
    ~Held() {
        const std::lock_guard guard(loop.lock());
        link.reset();
    }
    static reactor::ReactorOptions options(StillClock* clock) {
        reactor::ReactorOptions o = FarEnd::options();
        if (clock != nullptr) o.clock = clock;
        return o;
    }
    void turn() {
        loop.dispatch(0us, 10);
        far.read();
    }
    void hold(bool held) {
        const std::lock_guard guard(loop.lock());
        link->hold(held);
    }
    void send(std::int32_t id) {
        const std::lock_guard guard(loop.lock());
        REQUIRE(link->send(eta::Bytes(updateOf(id))).ok());
    }

    FarEnd far;
    IdHandler told;
    Reactor loop;
    std::unique_ptr<Link> link;
};

std::vector<std::uint32_t> numbers(std::uint32_t first, std::uint32_t last) {
    std::vector<std::uint32_t> all(last - first + 1);
    std::iota(all.begin(), all.end(), first);
    return all;
}

}  // namespace

TEST_CASE("what a peer sends while its link is held comes afterwards, whole and in order", "[reactor][loop]") {
    const transport_test::Row& row = transport_test::row(GENERATE(from_range(transport_test::rowNames())));
    INFO(row.name);
    Held h(row);
    REQUIRE(turnUntil([&] { return h.link->active(); }, [&] { h.turn(); }));
    for (std::int32_t id = 1; id <= 20; ++id)
        h.far.send(id);
    REQUIRE(turnUntil([&] { return h.told.got.size() == 20; }, [&] { h.turn(); }));
    h.hold(true);
    h.hold(true);
    for (std::int32_t id = 21; id <= 200; ++id) {
        h.far.send(id);
        h.send(id);
    }
    REQUIRE(turnUntil([&] { return h.far.heard.size() == 180; }, [&] { h.turn(); }));  // output goes on
    CHECK(h.told.got == numbers(1, 20));
    h.hold(false);
    REQUIRE(turnUntil([&] { return h.told.got.size() >= 200; }, [&] { h.turn(); }));
    CHECK(h.told.got == numbers(1, 200));
    CHECK(h.far.heard == numbers(21, 200));
    CHECK(h.told.downs.empty());
}

TEST_CASE("a link that is held by the handler of a message gets the next one later", "[reactor][loop]") {
    struct Holding final : reactor::LinkHandler {
        std::vector<std::uint32_t> got;
        void onLinkUp(Link&) override {}
        void onLinkMessage(Link& link, eta::Bytes message) override {
            got.push_back(eta::loadBe<std::uint32_t>(message.data() + 4));
            link.hold(true);
        }
        void onLinkDown(Link&, const std::string&, bool) override {}
    } told;
    Held h(transport_test::row("tcp"));
    REQUIRE(turnUntil([&] { return h.link->active(); }, [&] { h.turn(); }));
    {
        const std::lock_guard guard(h.loop.lock());
        h.link->setHandler(told);
    }
    for (std::int32_t id = 1; id <= 5; ++id)
        h.far.send(id);
    for (std::uint32_t n = 1; n <= 5; ++n) {
        REQUIRE(turnUntil([&] { return told.got.size() >= n; }, [&] { h.turn(); }));
        for (int i = 0; i < 5; ++i)
            h.turn();
        CHECK(told.got == numbers(1, n));
        h.hold(false);
    }
}

TEST_CASE("the end of a connection is told of although it is held", "[reactor][loop]") {
    Held h(transport_test::row("tcp"));
    REQUIRE(turnUntil([&] { return h.link->active(); }, [&] { h.turn(); }));
    h.hold(true);
    h.far.send(1);
    h.far.peer->close();
    // What it sent is not read; what is sent to it finds nobody.
    REQUIRE(turnUntil([&] { return !h.told.downs.empty(); },
                      [&] {
                          {
                              const std::lock_guard guard(h.loop.lock());
                              static_cast<void>(h.link->send(eta::Bytes(updateOf(1))));
                          }
                          h.loop.dispatch(0us, 10);
                      }));
    CHECK_FALSE(h.link->active());
}

TEST_CASE("a peer that is not read from is not taken for dead", "[reactor][loop]") {
    StillClock clock;
    Held h(transport_test::row("tcp"), &clock);
    REQUIRE(turnUntil([&] { return h.link->active(); }, [&] { h.turn(); }));
    h.hold(true);
    const auto timeout = std::chrono::seconds(h.link->info().pingTimeoutSeconds);
    const auto pass = [&](std::chrono::seconds time) {
        for (std::chrono::seconds gone{}; gone < time && h.told.downs.empty(); gone += std::chrono::seconds(1)) {
            clock.advance(std::chrono::seconds(1));
            h.turn();
        }
    };
    pass(4 * timeout);
    REQUIRE(h.told.downs.empty());
    h.far.send(1);
    h.hold(false);
    REQUIRE(turnUntil([&] { return !h.told.got.empty(); }, [&] { h.turn(); }));
    CHECK(h.told.downs.empty());
    pass(4 * timeout);  // now its silence counts
    REQUIRE_FALSE(h.told.downs.empty());
    CHECK_THAT(h.told.downs.front(), Catch::Contains("ping timeout"));
}
