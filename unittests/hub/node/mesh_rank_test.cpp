// PreferRank: a hub whose own sources give way to another hub of a lower rank, without a gap and without a moment in
// which what is old looks current.
#include "hub/backbone/Backbone.h"
#include "hub/nats/NatsServer.h"
#include "offers.h"

#include <array>
#include <atomic>

using namespace emissary;
using namespace emissary::test;

namespace {

/// The hub "both" has PreferRank and rank 2.
struct Ranked : Meshed {
    Ranked() {
        change = [](HubSettings& s) {
            s.mesh.preferRank = s.name == "both";
            s.mesh.heartbeat = 500ms;  // a process that the machine does not run for 4 of them shows items as suspect
            for (SourceSettings& source : s.sources) {
                source.reconnect.minDelay = 10ms;
                source.reconnect.maxDelay = 20ms;
            }
        };
    }
    /// The items that went to the hub that comes first.
    [[nodiscard]] static std::uint64_t gone(HubFixture& f) { return metric(f, "emissary_hub_mesh_preferred_total"); }
    /// The provider of the hub has no current image: it sends one that is suspect.
    static void suspectImage(HubFixture& f, std::int32_t stream, std::uint64_t bid) {
        Msg image = RawProvider::refresh(stream, StreamState::open, true);
        image.flags |= RefreshFlag::clearCache;
        image.state.data = suspect;
        f.fill(image, bid);
        f.provider.send(image);
    }
    /// The provider of the hub is told that nobody wants the stream any more.
    static void closed(HubFixture& f, std::int32_t stream) {
        for (;;) {
            const auto got = f.asked();
            if (got.msg.cls == MsgClass::Close && got.msg.streamId == stream) return;
        }
    }
    /// So many frames of the mesh come, heartbeats and others: whatever was to be asked has been asked.
    static void wait(HubFixture& f, std::uint64_t frames = 8) {
        const std::uint64_t before = metric(f, "emissary_hub_mesh_frames_in_total");
        f.until([&] { return metric(f, "emissary_hub_mesh_frames_in_total") > before + frames; });
    }
};

/// States of a client from here on.
struct States {
    explicit States(Far& c) {
        c.onState = [this](std::uint8_t state) { bad += state == ok ? 0u : 1u; };
    }
    unsigned bad = 0;
};

void goesAndComesBack(Ranked& m) {
    HubFixture& both = m.add("both", Meshed::Role::both, 2);
    both.connected();
    Far c(both, "near");
    FarText text(both, "IBM");
    c.open();
    std::int32_t own = Meshed::asked(both);
    both.refresh(own, 10);
    c.until(10);
    text.until("10");
    States states(c);
    // A hub that comes first is there: it is asked, and the own source goes on until its image has come.
    HubFixture& first = m.add("first", Meshed::Role::owner, 1);
    first.connected();
    const std::int32_t far = Meshed::asked(first);
    both.update(own, 11);
    c.until(11);
    text.until("11");
    CHECK(Ranked::gone(both) == 0);
    first.refresh(far, 50);
    c.until(50);
    text.until("50");
    CHECK(states.bad == 0);
    Ranked::closed(both, own);
    CHECK(Ranked::gone(both) == 1);
    CHECK(Meshed::metric(both, "emissary_hub_mesh_remote") == 1);
    CHECK(Meshed::metric(both, "emissary_hub_mesh_suspect") == 0);
    for (std::uint64_t bid = 51; bid < 70; ++bid) {
        first.update(far, bid);
        c.until(bid);
        text.until(std::to_string(bid));
    }
    // A client that comes later has the same value; the own source hears of nothing.
    Far late(both, "late");
    late.open();
    late.until(69);
    CHECK(both.provider.inbox.empty());
    CHECK(states.bad == 0);
    // The other hub loses its source: nothing of it is shown as Ok again, and the own one has the item.
    first.provider.die();
    c.untilState(suspect);
    own = Meshed::asked(both);
    CHECK(c.data == suspect);
    both.refresh(own, 90);
    c.until(90);
    text.until("90");
    both.update(own, 91);
    c.until(91);
    CHECK(Meshed::metric(both, "emissary_hub_mesh_remote") == 0);
    // And again, when it is back.
    states.bad = 0;
    first.provider.revive();
    const std::int32_t again = Meshed::asked(first);
    first.refresh(again, 120);
    c.until(120);
    late.until(120);
    text.until("120");
    CHECK(states.bad == 0);
    first.update(again, 121);
    c.until(121);
    text.until("121");
}

}  // namespace

TEST_CASE("a hub of a lower rank takes an item over with its image, and the own source has it while that one is away",
          "[hub][node][mesh][rank]") {
    Ranked m;
    goesAndComesBack(m);
}

TEST_CASE("the same over a server of NATS", "[hub][node][mesh][rank][nats]") {
    NatsServer server;
    Ranked m;
    m.natsServer = server.url();
    goesAndComesBack(m);
}

TEST_CASE("with equal ranks, or without PreferRank, the own source keeps its items", "[hub][node][mesh][rank]") {
    Ranked m;
    const bool equal = GENERATE(true, false);
    if (!equal) m.change = {};
    HubFixture& both = m.add("both", Meshed::Role::both, 2);
    HubFixture& other = m.add("other", Meshed::Role::owner, equal ? 2 : 1);
    both.connected();
    other.connected();
    both.until([&] { return both.hub->rooms().services.find(HubFixture::kId)->mesh.usable(); });
    Far c(both, "near");
    c.open();
    const std::int32_t own = Meshed::asked(both);
    both.refresh(own, 10);
    c.until(10);
    Ranked::wait(both);
    CHECK(other.provider.inbox.empty());
    both.update(own, 11);
    c.until(11);
    CHECK(Ranked::gone(both) == 0);
    CHECK(Meshed::metric(both, "emissary_hub_mesh_remote") == 0);
}

TEST_CASE("a new item is asked of the hub that comes first alone", "[hub][node][mesh][rank]") {
    Ranked m;
    HubFixture& both = m.add("both", Meshed::Role::both, 2);
    HubFixture& first = m.add("first", Meshed::Role::owner, 1);
    both.connected();
    first.connected();
    both.until([&] { return both.hub->rooms().services.find(HubFixture::kId)->meshFirst(); });
    Far c(both, "near");
    c.open();
    const std::int32_t far = Meshed::asked(first);
    first.refresh(far, 50);
    c.until(50);
    CHECK(both.provider.inbox.empty());
    // An image of the other hub that is not there yet takes nothing from the own source.
    first.provider.die();
    c.untilState(suspect);
    const std::int32_t own = Meshed::asked(both);
    both.refresh(own, 60);
    c.until(60);
    States states(c);
    first.provider.revive();
    (void)Meshed::asked(first);
    for (std::uint64_t bid = 61; bid < 70; ++bid) {
        both.update(own, bid);
        c.until(bid);
        Ranked::wait(both, 1);
    }
    CHECK(states.bad == 0);
    CHECK(Ranked::gone(both) == 0);
}

TEST_CASE("a source that needs longer than a second for an item is asked once, and has it then",
          "[hub][node][mesh][rank]") {
    Ranked m;
    HubFixture& both = m.add("both", Meshed::Role::both, 2);
    both.connected();
    Far c(both, "near");
    FarText text(both, "IBM");
    c.open();
    std::int32_t own = Meshed::asked(both);
    both.refresh(own, 10);
    c.until(10);
    text.until("10");
    States states(c);
    HubFixture& first = m.add("first", Meshed::Role::owner, 1);
    first.connected();
    const std::int32_t far = Meshed::asked(first);
    // All that hubs ask of each other in this time goes its way.
    const auto answers = eta::Clock::now() + 1500ms;
    both.until([&] { return eta::Clock::now() >= answers; });
    both.update(own, 11);
    c.until(11);
    CHECK(first.provider.inbox.empty());  // neither closed nor asked anew
    CHECK(Ranked::gone(both) == 0);
    first.refresh(far, 50);
    c.until(50);
    text.until("50");
    CHECK(Ranked::gone(both) == 1);
    CHECK(states.bad == 0);
    Ranked::closed(both, own);
    first.update(far, 51);
    c.until(51);
    text.until("51");
}

// Its time goes on with the turns of the hub, and heartbeats by the clock: turns under a sanitizer are too long for
// both.
#ifndef EMISSARY_UNDER_SANITIZER
TEST_CASE("a hub that has no image yet is asked for it more and more rarely", "[hub][node][mesh][rank]") {
    struct Time final : reactor::TimeSource {
        [[nodiscard]] eta::TimePoint now() const noexcept override { return TimeSource::now() + ahead.load(); }
        std::atomic<eta::Duration> ahead{eta::Duration::zero()};
    } time;
    Ranked m;
    m.mesh.clock = &time;
    HubFixture& both = m.add("both", Meshed::Role::both, 2);
    both.connected();
    Far c(both, "near");
    c.open();
    const std::int32_t own = Meshed::asked(both);
    both.refresh(own, 10);
    c.until(10);
    States states(c);
    HubFixture& first = m.add("first", Meshed::Role::owner, 1);
    first.connected();
    const std::int32_t far = Meshed::asked(first);
    Ranked::suspectImage(first, far, 50);
    // When the image was asked for once more. Nobody waits for the time that passes.
    std::vector<eta::TimePoint> asked;
    const auto asks = [&] { return Meshed::metric(both, "emissary_hub_mesh_resyncs_total"); };
    eta::Duration alive{};
    std::uint64_t bid = 10;
    for (std::uint64_t known = 0; asked.size() < 8; time.ahead = time.ahead.load() + 10ms) {
        both.turn();
        if (time.ahead.load() - alive >= 10s) {  // a connection that is silent for 60 s ends
            alive = time.ahead;
            both.update(own, ++bid);
            first.update(far, 50);
            c.until(bid);
            c.readAll();
        }
        if (asks() != known) asked.push_back(time.now());
        CHECK(asks() <= known + 1);
        known = asks();
        std::string when;
        for (const eta::TimePoint at : asked)
            when +=
                std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(at - asked.front()).count()) + " ";
        INFO("asked after " << when << "ms");
        REQUIRE(time.ahead.load() < 150s);
    }
    for (std::size_t i = 0; i + 1 < asked.size(); ++i) {
        const std::chrono::milliseconds pause = std::array{1s, 2s, 4s, 8s, 16s, 30s, 30s}[i];
        INFO("pause " << i << " of "
                      << std::chrono::duration_cast<std::chrono::milliseconds>(asked[i + 1] - asked[i]).count());
        CHECK(asked[i + 1] - asked[i] > pause - 200ms);
        CHECK(asked[i + 1] - asked[i] < pause + 500ms);
    }
    CHECK(Ranked::gone(both) == 0);
    CHECK(states.bad == 0);
    CHECK(first.provider.inbox.empty());  // its source hears of none of it
    // It has one by now, and the item goes over when it comes.
    first.refresh(far, 51, "IBM", StreamState::open, false);
    c.until(51);
    CHECK(Ranked::gone(both) == 1);
}
#endif

TEST_CASE("an item whose source says Ok without an image goes over, and its source hears nothing of it",
          "[hub][node][mesh][rank]") {
    Ranked m;
    HubFixture& both = m.add("both", Meshed::Role::both, 2);
    both.connected();
    Far c(both, "near");
    FarText text(both, "IBM");
    c.open();
    const std::int32_t own = Meshed::asked(both);
    both.refresh(own, 10);
    c.until(10);
    text.until("10");
    HubFixture& first = m.add("first", Meshed::Role::owner, 1);
    first.connected();
    const std::int32_t far = Meshed::asked(first);
    Ranked::suspectImage(first, far, 50);
    Ranked::wait(both);
    CHECK(Ranked::gone(both) == 0);
    Msg status;
    status.cls = MsgClass::Status;
    status.domain = 6;
    status.streamId = far;
    status.flags = codec::StatusFlag::state;
    status.state = {StreamState::open, ok, 0, {}};
    first.provider.send(status);
    c.until(50);
    text.until("50");
    CHECK(Ranked::gone(both) == 1);
    CHECK(first.provider.inbox.empty());
    Ranked::closed(both, own);
    first.update(far, 51);
    c.until(51);
}

TEST_CASE("a publisher of the hub keeps its image up to date while a hub of a lower rank serves the item",
          "[hub][node][mesh][rank]") {
    Ranked m;
    const auto change = m.change;
    m.change = [&](HubSettings& s) {
        change(s);
        if (s.name == "both") s.sources.clear();
    };
    HubFixture& both = m.add("both", Meshed::Role::both, 2);
    Feed feed(both);
    feed.refresh(-5, "IBM", 10);
    both.until([&] { return Meshed::metric(both, "emissary_hub_published_total") == 1; });
    Far c(both, "near");
    FarText text(both, "IBM");
    c.open();
    c.until(10);
    text.until("10");
    States states(c);
    HubFixture& first = m.add("first", Meshed::Role::owner, 1);
    first.connected();
    const std::int32_t far = Meshed::asked(first);
    feed.update(-5, 11);
    c.until(11);
    first.refresh(far, 50);
    c.until(50);
    text.until("50");
    CHECK(states.bad == 0);
    CHECK(Ranked::gone(both) == 1);
    // Its refreshes and updates go to nobody, and are kept.
    const std::uint64_t published = Meshed::metric(both, "emissary_hub_published_total");
    feed.refresh(-5, "IBM", 12);
    feed.update(-5, 13);
    both.until([&] { return Meshed::metric(both, "emissary_hub_published_total") >= published + 2; });
    first.update(far, 51);
    c.until(51);
    CHECK(c.value == "1=51");
    first.provider.die();
    c.until(13);
    text.until("13");
    feed.update(-5, 14);
    c.until(14);
    // What is published meanwhile stays here until the other hub has an image.
    states.bad = 0;
    first.provider.revive();
    const std::int32_t again = Meshed::asked(first);
    feed.update(-5, 15);
    c.until(15);
    first.refresh(again, 70);
    c.until(70);
    text.until("70");
    CHECK(states.bad == 0);
}

TEST_CASE("an item that the hub of a lower rank has not is served here", "[hub][node][mesh][rank]") {
    Ranked m;
    const auto change = m.change;
    m.change = [&](HubSettings& s) {
        change(s);
        if (s.name == "first") s.sources.clear();
    };
    // The first one has what its publisher has sent, and asks others for the rest.
    HubFixture& first = m.add("first", Meshed::Role::both, 1);
    HubFixture& both = m.add("both", Meshed::Role::both, 2);
    both.connected();
    Feed feed(first);
    feed.refresh(-5, "IBM", 10);
    both.until([&] { return both.hub->rooms().services.find(HubFixture::kId)->meshFirst(); });
    Far here(both, "near", 6), there(both, "near", 7);
    there.open("IBM");
    there.until(10);
    here.open("TRI");
    const std::int32_t own = Meshed::asked(both);
    both.refresh(own, 30, "TRI");
    here.until(30);
    both.update(own, 31);
    here.until(31);
    Ranked::wait(both);
    here.readAll();
    CHECK(here.data == ok);
    feed.update(-5, 11);
    there.until(11);
    // A client of the first hub has it from the second one: there is no circle.
    Far far(first, "far");
    far.open("TRI");
    far.until(31);
    both.update(own, 32);
    far.until(32);
    here.until(32);
}

TEST_CASE("hubs that have an item from one that prefers another go there first, without a suspect moment",
          "[hub][node][mesh][rank]") {
    Ranked m;
    HubFixture& both = m.add("both", Meshed::Role::both, 2);
    HubFixture& edge = m.add("edge", Meshed::Role::edge);
    both.connected();
    edge.connected();
    Far near(both, "near"), far(edge, "far");
    near.open();
    const std::int32_t own = Meshed::asked(both);
    both.refresh(own, 10);
    near.until(10);
    far.open();
    far.until(10);
    States nearStates(near), farStates(far);
    HubFixture& first = m.add("first", Meshed::Role::owner, 1);
    first.connected();
    const std::int32_t other = Meshed::asked(first);
    both.update(own, 11);
    near.until(11);
    far.until(11);
    first.refresh(other, 50);
    far.until(50);
    near.until(50);
    first.update(other, 51);
    far.until(51);
    near.until(51);
    CHECK(farStates.bad == 0);
    CHECK(nearStates.bad == 0);
    Ranked::closed(both, own);
    CHECK(Meshed::metric(both, "emissary_hub_mesh_owned") == 0);
}
