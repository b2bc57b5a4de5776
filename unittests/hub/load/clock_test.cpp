// A clock that jumps by a day and more, forwards and backwards: whoever is there is served, and timers run on. The time
// of day is nobody's business here: timers are on the reactor's clock.
#include "hub/core/ItemTable.h"
#include "hub/core/Source.h"
#include "hub/node/publisher.h"
#include "support/StillClock.h"

using namespace emissary;
using namespace emissary::test;
using namespace std::chrono_literals;

namespace {

class Stepped {
public:
    explicit Stepped(StillClock& clock) : fixture({}, &clock), clock_(clock) { fixture.connected(); }
    /// A client is served from login to item.
    void serves(const char* user) {
        const std::size_t before = fixture.hub->rooms().items.size();
        INFO(user << ": " << (fixture.lines.empty() ? "" : fixture.lines.back()));
        RawConsumer c = fixture.loggedIn(user);
        const std::string name = std::string("ITEM_OF_") + user;
        c.send(HubFixture::request(5, name));
        RawProvider::Got asked = fixture.asked();
        while (asked.msg.cls != MsgClass::Request || asked.name() != name)  // items of before may be closed first
            asked = fixture.asked();
        const std::int32_t stream = asked.msg.streamId;
        fixture.refresh(stream, 3, name);
        CHECK(HubFixture::fields(c.next().msg) == "22=3 25=4");
        fixture.update(stream, 4);
        CHECK(HubFixture::fields(c.next().msg) == "22=4 25=5");
        c.send(RawConsumer::close(5));
        c.disconnect();
        fixture.until([&] { return fixture.hub->rooms().items.size() <= before; });
        fixture.provider.inbox.clear();
    }
    /// The source is back if it went.
    void sourceBack() {
        fixture.until([&] {
            clock_.advance(50ms);
            bool up = false;
            fixture.hub->eachSource([&](Source& s) { up = up || s.up(); });
            return up;
        });
        fixture.provider.inbox.clear();
    }
    HubFixture fixture;

private:
    StillClock& clock_;
};

/// Of the item on stream 7; nobody may have published it yet.
void awaitImage(RawConsumer& c) {
    for (;;) {
        const Received got = c.next();
        if (got.msg.cls == MsgClass::Refresh && got.msg.streamId == 7) return;
    }
}

}  // namespace

TEST_CASE("a hub whose clock jumps goes on serving", "[hub][clock]") {
    StillClock clock;
    Stepped s(clock);
    s.serves("before");
    for (const auto step : {25h, 24h * 40, 24h * 400}) {
        clock.advance(step);
        for (int i = 0; i < 20; ++i)
            s.fixture.turn();
        s.sourceBack();
        s.serves("later");
        // Whoever comes behind the jump is not taken for somebody who has been silent for as long.
        RawConsumer c = s.fixture.loggedIn("stays");
        for (int i = 0; i < 20; ++i) {
            clock.advance(1s);
            s.fixture.turn();
        }
        CHECK(HubFixture::silent(c));
        c.disconnect();
    }
    for (const auto step : {25h, 24h * 40}) {
        clock.advance(-step);
        for (int i = 0; i < 20; ++i)
            s.fixture.turn();
        s.sourceBack();
        s.serves("earlier");
    }
}

TEST_CASE("clients and publishers that are there when the clock jumps keep what they have, or hear of its end",
          "[hub][clock]") {
    StillClock clock;
    Stepped s(clock);
    HubFixture& f = s.fixture;
    Publisher pub(f);
    RawConsumer c = f.loggedIn("stays");
    const std::uint16_t feed = serviceOf(c);
    pub.refresh(-1, "IBM", 5);
    f.until([&] { return f.hub->rooms().items.size() == 1; });
    c.send(RawConsumer::request(7, 6, "IBM", feed));
    awaitImage(c);
    const std::chrono::hours step = GENERATE(std::chrono::hours(25), std::chrono::hours(-25));
    clock.advance(step);
    for (int i = 0; i < 20; ++i)
        f.turn();
    s.sourceBack();
    s.serves("new");
    // A publisher that comes now is served; the client that stayed hears of it, or its connection has ended.
    Publisher next(f);
    next.refresh(-1, "IBM", 6);
    while (c.tryNext(0ms)) {}
    f.until([&] {
        clock.advance(10ms);
        std::size_t publishers = 0;
        f.hub->eachSource([&](Source& source) { publishers += source.kind().publishes ? 1 : 0; });
        return publishers != 0 && f.hub->rooms().items.size() == 1;
    });
    RawConsumer late = f.loggedIn("late");
    late.send(RawConsumer::request(7, 6, "IBM", serviceOf(late)));
    awaitImage(late);
}
