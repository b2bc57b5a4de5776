// What a source is told and how often: priorities of its items, and a login that it does not take yet
// (hub.md 4.1, 4.3).
#include "upstream_fixture.h"

using namespace emissary;
using namespace emissary::test;
using namespace std::chrono_literals;

TEST_CASE("a reissue's priority counts: class maximum, count sum, told at most once a second") {
    Upstream h;
    h.ready();
    Client &one = h.client(), &two = h.client();
    h.open(one, 5, "IBM", h.a, 1);
    REQUIRE(h.join(two, 6));
    h.refresh(h.a, h.expect(h.a, "IBM").streamId, 1);
    h.advance(2s);
    h.a.inbox.clear();
    const auto reissue = [&](Client& c, std::int32_t stream, std::uint8_t cls, std::uint16_t count) {
        const std::lock_guard guard(h.loop->lock());
        codec::Msg m;
        m.cls = codec::MsgClass::Request;
        m.flags = codec::RequestFlag::priority | codec::RequestFlag::noRefresh;
        m.priorityClass = cls;
        m.priorityCount = count;
        h.flow->reissue(c, stream, {.wantsRefresh = false, .paused = false, .view = {}, .request = &m});
    };
    const auto expect = [&](std::uint8_t cls, std::uint16_t count) {
        h.settle();
        CHECK(h.a.inbox.empty());
        h.clock.advance(1s);
        const codec::Msg said = h.expect(h.a, "IBM", false);
        CHECK(said.priorityClass == cls);
        CHECK(said.priorityCount == count);
        h.settle();
        CHECK(h.a.inbox.empty());
    };
    for (std::uint8_t cls = 2; cls < 6; ++cls)
        reissue(one, 5, cls, 3);
    expect(5, 4);
    reissue(two, 6, 3, 10);
    expect(5, 13);
    reissue(one, 5, 2, 1);  // the highest is another's now
    expect(3, 11);
    h.leave(two, 6);
    expect(2, 1);
    reissue(one, 5, 1, 1);  // the way back is said as well
    h.settle();
    h.clock.advance(1s);
    CHECK_FALSE(h.expect(h.a, "IBM", false).has(codec::RequestFlag::pause));
    CHECK(h.item()->priorityClass() == 1);
    CHECK(h.item()->priorityCount() == 1);
}

TEST_CASE("the source is asked for conflation in updates when a client wants that") {
    Upstream h;
    h.ready();
    Client& one = h.client();
    h.open(one, 5, "IBM", h.a, 1);
    h.settle();
    h.a.inbox.clear();
    codec::Msg m;
    m.cls = codec::MsgClass::Request;
    m.flags = codec::RequestFlag::noRefresh | codec::RequestFlag::confInfoInUpdates;
    {
        const std::lock_guard guard(h.loop->lock());
        h.flow->reissue(one, 5, {.wantsRefresh = false, .paused = false, .view = {}, .request = &m});
    }
    h.clock.advance(1s);
    CHECK(h.expect(h.a, "IBM", false).has(codec::RequestFlag::confInfoInUpdates));
}

TEST_CASE("no update runs over what the source did not send while it was paused") {
    Upstream h;
    h.ready();
    Client& one = h.client();
    const std::int32_t id = h.open(one, 5, "IBM", h.a, 1);
    const auto reissue = [&](bool paused, bool wantsRefresh) {
        const std::lock_guard guard(h.loop->lock());
        h.flow->reissue(one, 5, {.wantsRefresh = wantsRefresh, .paused = paused});
    };
    reissue(true, false);
    h.clock.advance(1s);
    CHECK(h.expect(h.a, "IBM", false).has(codec::RequestFlag::pause));
    h.take();
    bool asked = false, joined = false;
    SECTION("resumed without a refresh") {
        reissue(false, false);
    }
    SECTION("resumed with one") {
        reissue(false, true);
        asked = true;
    }
    SECTION("another one joins") {
        REQUIRE(h.join(h.client(), 6));
        joined = true;
    }
    CHECK_FALSE(h.expect(h.a, "IBM").has(codec::RequestFlag::pause));
    h.update(h.a, id, 7);
    h.settle();
    CHECK(h.take().empty());
    h.refresh(h.a, id, 8);
    h.update(h.a, id, 9);
    h.until([&] { return Upstream::count(h.out, "UPD 9") == 1; });
    if (joined) CHECK(h.take() == std::vector<std::string>{"1:6 RFSH Open/Ok solicited 8", "1:6 UPD 9"});
    else CHECK(h.take().front() == (asked ? "0:5 RFSH Open/Ok solicited 8" : "0:5 RFSH Open/Ok 8"));
    if (!joined) return;
    reissue(false, false);  // it has missed some as well
    h.refresh(h.a, id, 10);
    h.until([&] { return h.got("0:5 RFSH Open/Ok 10"); });
}

TEST_CASE("streams that open a paused item ask its source once, however many they are") {
    Upstream h;
    h.ready();
    Client& one = h.client();
    const std::int32_t id = h.open(one, 5, "IBM", h.a, 1);
    {
        const std::lock_guard guard(h.loop->lock());
        h.flow->reissue(one, 5, {.wantsRefresh = false, .paused = true});
    }
    h.clock.advance(1s);
    CHECK(h.expect(h.a, "IBM", false).has(codec::RequestFlag::pause));
    constexpr int kStreams = 50;
    Client& many = h.client();
    for (std::int32_t i = 0; i < kStreams; ++i)
        REQUIRE(h.join(many, 100 + i, "IBM", {.mountFlags = Mount::paused}));
    CHECK(h.expect(h.a, "IBM").has(codec::RequestFlag::pause));
    h.settle();
    CHECK(h.a.inbox.empty());
    // One that wants updates is heard of at once.
    REQUIRE(h.join(h.client(), 6));
    CHECK_FALSE(h.expect(h.a, "IBM", false).has(codec::RequestFlag::pause));  // the image is on its way
    h.take();
    h.refresh(h.a, id, 2);
    h.until([&] { return Upstream::count(h.out, "RFSH Open/Ok solicited 2") == kStreams + 1; });
    CHECK(h.a.inbox.empty());
}

TEST_CASE("what a source is asked for does not depend on thousands of streams") {
    Upstream h;
    h.ready();
    Client& one = h.client();
    const std::int32_t id = h.open(one, 5, "IBM", h.a, 1);
    Client& many = h.client();
    for (std::int32_t i = 0; i < 2000; ++i)
        REQUIRE(h.join(many, 100 + i, "IBM", {.mountFlags = Mount::paused}));
    (void)h.expect(h.a, "IBM");
    h.refresh(h.a, id, 2);
    {
        const std::lock_guard guard(h.loop->lock());
        h.flow->reissue(one, 5, {.wantsRefresh = false, .paused = true});
    }
    h.settle();
    h.clock.advance(1s);
    // Where so many have the item its updates come, though all are paused.
    CHECK_FALSE(h.expect(h.a, "IBM", false).has(codec::RequestFlag::pause));
}

TEST_CASE("a first request asks for updates, though whoever wants the item is paused") {
    Upstream h;
    h.ready();
    Client& one = h.client();
    REQUIRE(h.join(one, 5, "IBM", {.mountFlags = Mount::paused}));
    const codec::Msg request = h.expect(h.a, "IBM");
    CHECK_FALSE(request.has(codec::RequestFlag::pause));
    h.refresh(h.a, request.streamId, 1);
    h.settle();
    h.clock.advance(1s);
    CHECK(h.expect(h.a, "IBM", false).has(codec::RequestFlag::pause));
}

TEST_CASE("a source whose first login is answered ClosedRecover is tried again, on the next of its channels") {
    Upstream h;
    h.settings.resize(1);
    h.settings[0].reconnect.minDelay = 100ms;
    h.settings[0].reconnect.maxDelay = 500ms;
    const bool both = GENERATE(false, true);
    if (both) {
        h.settings[0].channels.push_back(h.settings[0].channels[0]);
        h.settings[0].channels[1].port = std::to_string(h.b.port());
        h.settings[0].channelNames = {"A", "B"};
    }
    h.a.automatic.login = false;
    h.start();
    const auto refuse = [&] {
        h.until([&] { return !h.a.inbox.empty(); });
        h.a.inbox.clear();
        codec::Msg m = RawProvider::status(1, Stream::closedRecover, suspect, 0, "not now");
        m.domain = codec::kLoginDomain;
        h.a.send(m);
        h.settle();
    };
    refuse();
    if (both) {
        h.advance(500ms);
        h.until([&] { return h.at(0).up(); });
        CHECK(h.b.connections == 1);
        return;
    }
    for (std::uint32_t n = 2; n < 6; ++n) {
        CHECK_FALSE(h.at(0).up());
        h.clock.advance(500ms);
        h.until([&] { return h.a.connections == n; });
        refuse();
    }
    h.a.automatic.login = true;
    h.clock.advance(500ms);
    h.until([&] { return h.at(0).up(); });
}
