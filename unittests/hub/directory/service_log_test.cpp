// What an operator reads of services and of reasons that repeat.
#include "hub/core/RepeatedReason.h"
#include "hub/directory/ServiceLog.h"
#include "support/StillClock.h"
#include "support/catch.hpp"

#include <mutex>

using namespace emissary;
using namespace emissary::hub;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

struct LogFixture {
    test::StillClock clock;
    reactor::Reactor reactor{[this] {
        reactor::ReactorOptions o;
        o.clock = &clock;
        return o;
    }()};
    ServiceTable services{{}, {}};
    std::vector<std::pair<Severity, std::string>> lines;
    directory::ServiceLog log{services, reactor,
                              [this](Severity s, const std::string& line) { lines.emplace_back(s, line); }};
    Service& service = *services.add("FEED", 1);

    void turn(bool up) {
        const std::lock_guard guard(reactor.lock());
        service.merged.state.up = up;
        log.turned(service);
    }
    void pass(milliseconds time) {
        clock.advance(time);
        reactor.dispatch(milliseconds(0), 100);
    }
    void said(Severity severity, const std::string& part) {
        REQUIRE(lines.size() == 1);
        INFO(lines[0].second);
        CHECK(lines[0].first == severity);
        CHECK(lines[0].second.find(part) != std::string::npos);
        lines.clear();
    }
};

}  // namespace

TEST_CASE("the fall of a service is a warning, its return and that of its items are said", "[hub][directory]") {
    LogFixture f;
    f.turn(true);
    f.said(Severity::success, "service 'FEED' is up");
    f.service.items = 10;
    f.turn(false);
    f.said(Severity::warning, "10 items are open on it");
    f.service.counts.items[1].items = 0;
    f.service.counts.items[2].items = 10;
    f.pass(seconds(3));
    f.turn(true);
    f.said(Severity::success, "is up again after 3.0 s; its items are asked for again");

    SECTION("all items come back") {
        f.pass(milliseconds(300));
        CHECK(f.lines.empty());
        f.service.counts.items[2].items = 0;
        f.pass(milliseconds(300));
        f.said(Severity::success, "all 10 items are current again, 0.6 s after it came back");
        f.pass(seconds(1));
        CHECK(f.lines.empty());
    }
    SECTION("some stay away") {
        f.service.counts.items[2].items = 4;
        for (int i = 0; i < 61; ++i)
            f.pass(seconds(1));
        f.said(Severity::warning, "4 of 10 items are still not current");
    }
    SECTION("it goes down once more") {
        f.turn(false);
        f.said(Severity::warning, "is down");
        f.pass(seconds(61));
        CHECK(f.lines.empty());
    }
}

TEST_CASE("a service that is deleted is forgotten", "[hub][directory]") {
    LogFixture f;
    f.turn(true);
    f.lines.clear();
    f.log.gone(f.service);
    f.said(Severity::warning, "is gone");
    f.log.gone(f.service);
    CHECK(f.lines.empty());
}

TEST_CASE("a reason is logged once, then once a minute", "[hub]") {
    RepeatedReason reason;
    const reactor::TimePoint start{};
    CHECK(reason.next(start, "refused") == "refused");
    CHECK(reason.next(start + seconds(1), "refused").empty());
    CHECK(reason.next(start + seconds(59), "refused").empty());
    CHECK(reason.next(start + seconds(60), "refused") == "refused (2 more times in the last minute)");
    CHECK(reason.next(start + seconds(61), "timed out") == "timed out");
    CHECK(reason.next(start + seconds(62), "refused") == "refused");
    reason.forget();
    CHECK(reason.next(start + seconds(63), "refused") == "refused");
}
