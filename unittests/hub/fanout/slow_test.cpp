// Clients that do not read.
#include "fixture.h"

#include "support/StillClock.h"

using namespace emissary;
using namespace emissary::test;
using namespace std::chrono_literals;

namespace {

void fill(FanOutFixture& f, FanOutFixture::Peer& p, std::size_t bytes) {
    const std::vector<std::byte> payload(5000, std::byte{1});
    codec::Msg m = update(payload);
    m.containerType = codec::DataType::Opaque;
    f.until([&] {
        f.locked([&] { f.out->send(*f.item, m, To::live); });
        return p.link->queuedBytes() > bytes || p.client->cutOff;
    });
}

}  // namespace

TEST_CASE("a client that leaves too much unread is cut off, and nobody else notices", "[hub][fanout][slow]") {
    FanOutFixture f({.behindAbove = 100'000, .behindBelow = 50'000, .disconnectAbove = 8'000'000, .timeout = 0ms});
    auto &slow = f.connect(), &quick = f.connect();
    f.locked([&] {
        f.out->admit(*slow.client);
        f.out->admit(*quick.client);
    });
    f.mount(slow, 5);
    f.mount(quick, 6);
    const std::vector<std::byte> payload(5000, std::byte{1});
    codec::Msg m = update(payload);
    m.containerType = codec::DataType::Opaque;
    std::size_t sent = 0, got = 0;
    f.until([&] {
        f.locked([&] {
            for (int i = 0; i < 10; ++i, ++sent)
                f.out->send(*f.item, m, To::live);
        });
        while (FanOutFixture::readOne(quick))
            ++got;
        return !f.cut.empty();
    });
    CHECK(f.cut.size() == 1);
    CHECK(f.cut[0].first == slow.client->index);
    CHECK_THAT(f.cut[0].second, Catch::StartsWith("the client reads too slowly: ") &&
                                    Catch::Contains(" bytes wait for it, since ") &&
                                    Catch::EndsWith("; DisconnectAbove is 8000000"));
    CHECK(slow.link->queuedBytes() > 8'000'000);
    CHECK(slow.link->queuedBytes() < 9'000'000);
    CHECK_FALSE(quick.client->cutOff);
    const std::uint64_t before = slow.client->sent;
    f.send(m);
    ++sent;
    f.turn();
    CHECK(slow.client->sent == before);  // it gets nothing more
    f.until([&] {
        while (FanOutFixture::readOne(quick))
            ++got;
        return got == sent;
    });
    CHECK(f.cut.size() == 1);
    CHECK(f.out->counts().cutOff.get() == 1);
}

TEST_CASE("the rules of its listener hold for a client", "[hub][fanout][slow]") {
    FanOutFixture f;
    f.locked([&] {
        f.out->addListener("usual", {});
        f.out->addListener("strict", {.behindAbove = 10'000, .behindBelow = 5'000, .disconnectAbove = 2'000'000});
    });
    auto &usual = f.connect(), &strict = f.connect();
    strict.client->listener = 1;
    f.locked([&] {
        f.out->admit(*usual.client);
        f.out->admit(*strict.client);
    });
    f.mount(usual, 5);
    f.mount(strict, 6);
    fill(f, strict, 10'000);
    CHECK(strict.client->behind);
    CHECK_FALSE(usual.client->behind);
    fill(f, strict, SIZE_MAX);
    f.until([&] { return !f.cut.empty(); });
    CHECK(f.cut.size() == 1);
    CHECK(f.cut[0].first == strict.client->index);
    CHECK(usual.link->queuedBytes() > 256'000);
    CHECK(usual.client->behind);
}

TEST_CASE("a client whose output is full before it may be is cut off as well", "[hub][fanout][slow]") {
    FanOutFixture f;  // not admitted: the channel's own bound is smaller
    auto& slow = f.connect();
    f.mount(slow, 5);
    fill(f, slow, SIZE_MAX);
    f.until([&] { return !f.cut.empty(); });
    CHECK_THAT(f.cut[0].second, Catch::Contains(", no room for more; DisconnectAbove is "));
    CHECK(f.out->counts().unsent.get() != 0);
}

TEST_CASE("a client that takes nothing for a while is cut off; one that takes a little is not", "[hub][fanout][slow]") {
    StillClock clock;
    FanOutFixture f(
        {.behindAbove = 100'000, .behindBelow = 50'000, .disconnectAbove = 100'000'000, .timeout = 30'000ms}, [&] {
            reactor::ReactorOptions o;
            o.clock = &clock;
            return o;
        }());
    auto& slow = f.connect();
    f.locked([&] { f.out->admit(*slow.client); });
    f.mount(slow, 5);
    fill(f, slow, 5'000'000);
    CHECK(slow.client->behind);
    CHECK(f.out->counts().slow.get() == 1);
    const auto pass = [&](std::chrono::seconds time) {
        for (auto t = 0s; t < time; t += 1s) {
            clock.advance(1s);
            f.turn();
            f.turn();
        }
    };
    pass(25s);
    CHECK(f.cut.empty());
    SECTION("nothing") {
        pass(7s);
        REQUIRE(f.cut.size() == 1);
        CHECK_THAT(f.cut[0].second,
                   Catch::Contains("has read nothing for 30 s: ") && Catch::Contains("SlowClientTimeout"));
    }
    SECTION("a little") {
        const std::uint64_t before = slow.link->channel()->counters().uncompressedBytesWritten;
        f.until([&] {
            static_cast<void>(FanOutFixture::read(slow));
            f.locked([&] { slow.link->flush(); });
            return slow.link->channel()->counters().uncompressedBytesWritten != before;
        });
        pass(20s);
        CHECK(f.cut.empty());
    }
    SECTION("all of it: it is not behind any more") {
        f.until([&] {
            while (FanOutFixture::readOne(slow)) {}
            return slow.link->queuedBytes() == 0;
        });
        pass(1s);
        CHECK_FALSE(slow.client->behind);
        CHECK(f.out->counts().slow.get() == 0);
        pass(60s);
        CHECK(f.cut.empty());
    }
}

TEST_CASE("updates that may be discarded are, for clients that are behind", "[hub][fanout][slow]") {
    FanOutFixture f({.behindAbove = 100'000, .behindBelow = 50'000, .disconnectAbove = 100'000'000, .timeout = 0ms});
    auto &slow = f.connect(), &quick = f.connect();
    f.locked([&] { f.out->admit(*slow.client); });
    f.mount(slow, 5);
    fill(f, slow, 5'000'000);
    f.mount(quick, 6);
    f.turn();
    const std::uint64_t before = slow.client->sent;
    f.send(update({}, codec::UpdateFlag::discardable));
    f.turn();
    CHECK(slow.client->sent == before);
    CHECK(f.received(quick) == 1);
    CHECK(f.out->counts().discarded.get() == 1);
    f.send(update({}));
    f.turn();
    CHECK(slow.client->sent == before + 1);
}
