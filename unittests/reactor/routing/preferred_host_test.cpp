// The way back to the preferred channel (ema-config.md 9).
#include "reactor/consumer/fixture.h"

using namespace emissary::test;
using emissary::reactor::consumer::CronSchedule;
using emissary::reactor::consumer::PreferredHost;
using Lines = std::vector<std::string>;
using std::chrono::seconds;

namespace {

/// Channel_1 is preferred; the consumer is on Channel_2 because the first was not there.
class TwoHosts : public Consumer {
public:
    RawProvider second;
    TwoHosts() {
        others.push_back(&second);
        options.channels.resize(2);
        options.channels[1].name = "Channel_2";
        options.channels[1].connect = connectOptions(second.port());
        options.preferredHost.enabled = true;
        provider.automatic.items = second.automatic.items = true;
    }
    void fallenOver() {
        provider.stopListening();
        start();
        until([&] {
            clock.advance(std::chrono::milliseconds(50));
            return role->phase() == ConsumerRole::Phase::ready;
        });
        REQUIRE(role->channel().name == "Channel_2");
        REQUIRE_FALSE(role->onPreferredHost());
        opened();
        second.wire.clear();
    }
    /// What was under way has been handled: an update of X came through from the host in use.
    void barrier() {
        RawProvider& host = role->channel().name == "Channel_1" ? provider : second;
        host.send(RawProvider::update(wireId_));
        const std::size_t before = count("X UPD");
        until([&] { return count("X UPD") > before; });
        std::erase(events, "X UPD");
    }
    void opened() {
        open("X");
        expectEvent("X RFSH Open/Ok/0");
        takeEvents();
        const auto& wire = role->channel().name == "Channel_1" ? provider.wire : second.wire;
        for (const std::string& line : wire)
            if (line.ends_with(" X")) wireId_ = std::stoi(line.substr(4));
    }
    Refusal fallBack() {
        const std::lock_guard guard(loop->lock());
        return role->fallBack();
    }
    void expectBack() {
        expectEvent("X RFSH Open/Ok/0");
        CHECK(role->channel().name == "Channel_1");
        CHECK(role->onPreferredHost());
        CHECK(takeEvents() == Lines{"X STAT Open/Suspect/0", "X RFSH Open/Ok/0"});
        until([&] { return !second.connected(); });
        CHECK(second.wire == Lines{"CLOSE 1 d1 0x0"});  // said good-bye
        for (const std::string& line : provider.wire)
            if (line.ends_with(" X")) wireId_ = std::stoi(line.substr(4));
    }

private:
    std::int32_t wireId_ = 0;
};

}  // namespace

TEST_CASE("preferred host: starts there", "[reactor][preferred]") {
    TwoHosts c;
    c.options.preferredHost.channel = 1;
    c.ready();
    CHECK(c.role->channel().name == "Channel_2");
    CHECK(c.provider.connections == 0);
    CHECK(c.role->onPreferredHost());
}

TEST_CASE("preferred host: back at the interval", "[reactor][preferred]") {
    TwoHosts c;
    c.options.preferredHost.interval = seconds(30);
    c.fallenOver();
    CHECK(c.role->untilPreferredCheck() > seconds(20));
    CHECK(c.role->untilPreferredCheck() <= seconds(30));
    // Not there yet: the connection in use stays as it is.
    c.clock.advance(seconds(30));
    c.until([&] { return !c.warnings.empty(); });
    CHECK(c.warnings[0].find("preferred channel Channel_1 (127.0.0.1:") == 0);
    CHECK(c.warnings[0].find("cannot be reached, channel Channel_2") != std::string::npos);
    c.barrier();
    CHECK(c.role->channel().name == "Channel_2");
    CHECK(c.takeEvents().empty());
    c.provider.revive();
    c.barrier();
    CHECK(c.provider.connections == 0);
    c.clock.advance(seconds(30));
    c.expectBack();
}

TEST_CASE("preferred host: back at the time of the schedule", "[reactor][preferred]") {
    class Wall final : public emissary::reactor::TimeSource {
    public:
        std::atomic<std::time_t> time{1714557590};  // ten seconds before a full minute
        StillClock& clock;
        explicit Wall(StillClock& c) : clock(c) {}
        [[nodiscard]] emissary::reactor::TimePoint now() const noexcept override { return clock.now(); }
        [[nodiscard]] std::time_t timeOfDay() const noexcept override { return time; }
    };
    TwoHosts c;
    Wall wall(c.clock);
    emissary::eta::Refused refused;
    c.options.preferredHost.schedule = CronSchedule::parse("* * * * *", refused);
    c.options.preferredHost.interval = seconds(1);  // the schedule rules
    c.provider.stopListening();
    emissary::reactor::ReactorOptions o;
    o.clock = &wall;
    c.loop = std::make_unique<emissary::reactor::Reactor>(o);
    {
        const std::lock_guard guard(c.loop->lock());
        c.role = std::make_unique<ConsumerRole>(*c.loop, c.options, c);
        c.role->start();
    }
    c.until([&] {
        c.clock.advance(std::chrono::milliseconds(50));
        return c.role->phase() == ConsumerRole::Phase::ready;
    });
    c.opened();
    c.second.wire.clear();
    c.provider.revive();
    CHECK(c.role->untilPreferredCheck() == seconds(10));
    // Time passes, but the minute is not full: nothing happens.
    c.clock.advance(seconds(31));
    c.barrier();
    CHECK(c.provider.connections == 0);
    wall.time += 10;
    c.clock.advance(seconds(31));
    c.expectBack();
    CHECK(c.role->untilPreferredCheck() == seconds(60));
}

TEST_CASE("preferred host: back on demand", "[reactor][preferred]") {
    TwoHosts c;
    c.fallenOver();
    CHECK(c.role->untilPreferredCheck() == seconds(0));
    c.provider.revive();
    CHECK_FALSE(c.fallBack());
    c.expectBack();
    // There already: nothing to do.
    CHECK_FALSE(c.fallBack());
    c.barrier();
    CHECK(c.takeEvents().empty());
    CHECK(c.provider.connections == 1);
}

TEST_CASE("preferred host: while waiting to reconnect, the next attempt goes there", "[reactor][preferred]") {
    TwoHosts c;
    c.options.reconnect.minDelay = c.options.reconnect.maxDelay = std::chrono::milliseconds(10000);
    c.start();
    c.until([&] { return c.role->phase() == ConsumerRole::Phase::ready; });
    c.provider.disconnect();
    c.until([&] { return c.role->phase() == ConsumerRole::Phase::backingOff; });
    CHECK_FALSE(c.fallBack());
    c.turn();
    CHECK(c.role->channel().name == "Channel_1");
    c.clock.advance(seconds(10));
    c.until([&] { return c.role->phase() == ConsumerRole::Phase::ready; });
    CHECK(c.role->channel().name == "Channel_1");
    CHECK(c.second.connections == 0);
}

TEST_CASE("preferred host: options change while running", "[reactor][preferred]") {
    TwoHosts c;
    c.options.preferredHost.enabled = false;
    c.fallenOver();
    CHECK(c.fallBack().text == "The preferred host options are not enabled.");
    c.provider.revive();
    PreferredHost next;
    next.enabled = true;
    next.interval = seconds(5);
    {
        const std::lock_guard guard(c.loop->lock());
        c.role->setPreferredHost(next);
    }
    CHECK(c.role->untilPreferredCheck() == seconds(5));
    c.clock.advance(seconds(5));
    c.expectBack();
    {
        const std::lock_guard guard(c.loop->lock());
        c.role->setPreferredHost({});
    }
    CHECK(c.role->untilPreferredCheck() == seconds(0));
    CHECK_FALSE(c.role->onPreferredHost());
}

TEST_CASE("preferred host: within a warm-standby group the starting server becomes active again",
          "[reactor][preferred][standby]") {
    const bool within = GENERATE(true, false);
    TwoHosts c;
    c.provider.standbyModes = c.second.standbyModes = 3;
    for (auto& channel : c.options.channels)
        channel.standbyGroup = 1;
    c.options.preferredHost.withinGroup = within;
    c.ready();
    c.until([&] { return c.second.wire.size() >= 3; });  // login, mode, directory: the standby is there
    c.opened();
    c.until([&] {
        return std::any_of(c.second.wire.begin(), c.second.wire.end(),
                           [](const std::string& l) { return l.ends_with(" X"); });
    });
    c.provider.die();
    c.until([&] { return c.role->channel().name == "Channel_2"; });
    c.provider.wire.clear();
    c.provider.revive();
    c.until([&] {  // it is the standby now, and has the item
        c.clock.advance(std::chrono::milliseconds(50));
        return std::any_of(c.provider.wire.begin(), c.provider.wire.end(),
                           [](const std::string& l) { return l.ends_with(" X"); });
    });
    c.barrier();  // and its image has come: after the change it would be for the open item
    c.barrier();
    c.takeEvents();
    CHECK_FALSE(c.fallBack());
    // From the loop: the caller may be inside a callback, or not the thread that dispatches.
    CHECK(c.role->channel().name == "Channel_2");
    c.turn();
    c.barrier();
    CHECK(c.role->channel().name == (within ? "Channel_1" : "Channel_2"));
    CHECK(c.takeEvents().empty());  // nobody notices
    CHECK(c.role->onPreferredHost());
}

TEST_CASE("preferred host: other options do not undo what was asked for a moment before", "[reactor][preferred]") {
    TwoHosts c;
    c.fallenOver();
    c.provider.revive();
    CHECK_FALSE(c.fallBack());
    const bool enabled = GENERATE(true, false);
    PreferredHost other = c.options.preferredHost;
    other.enabled = enabled;
    other.interval = seconds(600);
    c.locked([&] { c.role->setPreferredHost(other); });
    if (enabled) return c.expectBack();
    c.barrier();
    CHECK(c.role->channel().name == "Channel_2");
    CHECK(c.provider.connections == 0);
}

TEST_CASE("preferred host: from the last resort back to the warm-standby group", "[reactor][preferred][standby]") {
    TwoHosts c;
    c.provider.standbyModes = 3;
    c.options.channels[0].standbyGroup = 1;
    c.fallenOver();
    c.provider.revive();
    CHECK_FALSE(c.fallBack());
    c.expectBack();
}
