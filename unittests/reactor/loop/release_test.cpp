// A connection that goes from one reactor to another: nothing that is under way is lost, and everything is counted
// once.
#include "far_end.h"

#include "reactor/metrics/Snapshot.h"
#include "support/until.h"

#include <array>

using namespace emissary;
using namespace emissary::test;
using namespace std::chrono_literals;
using eta::transport::Channel;
using reactor::Link;
using reactor::Reactor;
using transport_test::Ability;

namespace {

/// A link that is in one of two reactors, and the other end of its connection.
struct Traveller {
    explicit Traveller(const transport_test::Row& row) : far(row) {
        const std::lock_guard guard(loops[0].lock());
        link = loops[0].adopt(std::move(far.accepted), told);
    }
    ~Traveller() {
        const std::lock_guard guard(loops[at].lock());
        link.reset();
    }
    void turn() {
        loops[0].dispatch(0us, 10);
        loops[1].dispatch(0us, 10);
        far.read();
    }
    void move() {
        std::shared_ptr<Channel> channel;
        {
            const std::lock_guard guard(loops[at].lock());
            channel = link->release();
            REQUIRE(channel != nullptr);
            CHECK_FALSE(link->active());
            CHECK(link->release() == nullptr);
            CHECK(link->send(updateOf(9)).code == eta::Errc::closed);
            link.reset();
        }
        at = 1 - at;
        const std::lock_guard guard(loops[at].lock());
        link = loops[at].resume(std::move(channel), told);
        CHECK(link->active());
    }
    void send(std::int32_t id) {
        const std::lock_guard guard(loops[at].lock());
        REQUIRE(link->send(eta::Bytes(updateOf(id))).ok());
    }
    [[nodiscard]] std::uint64_t count(std::size_t loop, const char* name) {
        return loops[loop].metrics().value(name).value_or(0);
    }

    FarEnd far;
    IdHandler told;
    std::array<Reactor, 2> loops{Reactor(FarEnd::options()), Reactor(FarEnd::options())};
    std::unique_ptr<Link> link;
    std::size_t at = 0;
};

}  // namespace

TEST_CASE("a connection goes from one reactor to another and back while both ends send", "[reactor][loop]") {
    const transport_test::Row& row = transport_test::row(GENERATE(from_range(transport_test::rowNames())));
    INFO(row.name);
    Traveller t(row);
    REQUIRE(test::turnUntil([&] { return t.link->active(); }, [&] { t.turn(); }));
    std::vector<std::uint32_t> sent;
    std::array<std::uint64_t, 2> read{};
    for (std::int32_t id = 1; id <= 300; ++id) {
        sent.push_back(static_cast<std::uint32_t>(id));
        t.far.send(id);
        t.send(id);
        if (id % 3 == 0) t.turn();
        if (id % 10 == 0) t.move();  // with messages that were received and not read, and output that waits
        for (std::size_t i = 0; i < 2; ++i) {
            const std::uint64_t now = t.count(i, "emissary_channel_messages_read_total");
            CHECK(now >= read[i]);
            CHECK(now <= 300);
            read[i] = now;
        }
    }
    REQUIRE(test::turnUntil([&] { return t.told.got.size() >= sent.size() && t.far.heard.size() >= sent.size(); },
                            [&] { t.turn(); }));
    CHECK(t.told.got == sent);
    CHECK(t.far.heard == sent);
    CHECK(t.count(0, "emissary_channel_messages_read_total") + t.count(1, "emissary_channel_messages_read_total") ==
          t.link->channel()->counters().messagesRead);
    CHECK(t.count(0, "emissary_channel_messages_written_total") +
              t.count(1, "emissary_channel_messages_written_total") ==
          t.link->channel()->counters().messagesWritten);
    CHECK(t.told.downs.empty());
}

TEST_CASE("the end of a connection is told in the reactor where it is now", "[reactor][loop]") {
    const transport_test::Row& row =
        transport_test::row(GENERATE(from_range(transport_test::rowNames({Ability::listener}))));
    INFO(row.name);
    Traveller t(row);
    REQUIRE(test::turnUntil([&] { return t.link->active(); }, [&] { t.turn(); }));
    for (std::int32_t id = 1; id <= 30; ++id) {
        t.far.send(id);
        t.send(id);
        if (id % 10 == 0) t.move();
    }
    REQUIRE(test::turnUntil([&] { return t.told.got.size() == 30 && t.far.heard.size() == 30; }, [&] { t.turn(); }));
    CHECK(t.told.downs.empty());
    t.far.peer->close();
    REQUIRE(test::turnUntil([&] { return !t.told.downs.empty(); }, [&] { t.turn(); }));
}

TEST_CASE("a connection that ended on its way is told of where it arrives", "[reactor][loop]") {
    Traveller t(transport_test::row("tcp"));
    REQUIRE(test::turnUntil([&] { return t.link->active(); }, [&] { t.turn(); }));
    t.far.send(1);
    t.far.peer->close();
    t.move();
    REQUIRE(test::turnUntil([&] { return !t.told.downs.empty(); },
                            [&] {
                                t.loops[0].dispatch(0us, 10);
                                t.loops[1].dispatch(0us, 10);
                            }));
    CHECK(t.told.got == std::vector<std::uint32_t>{1});
    CHECK(t.at == 1);
}

TEST_CASE("JSON is not resumed where nothing converts it", "[reactor][loop]") {
    Traveller t(transport_test::row("websocket json"));
    REQUIRE(test::turnUntil([&] { return t.link->active(); }, [&] { t.turn(); }));
    std::shared_ptr<Channel> channel;
    {
        const std::lock_guard guard(t.loops[0].lock());
        channel = t.link->release();
    }
    Reactor plain({});
    const std::lock_guard guard(plain.lock());
    CHECK_THROWS_AS(plain.resume(std::move(channel), t.told), std::invalid_argument);
}
