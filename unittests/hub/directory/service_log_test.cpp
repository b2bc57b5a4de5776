// What an operator reads of services and of reasons that repeat.
#include "fixture.h"

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

TEST_CASE("items that nobody has published are no items to come back", "[hub][directory]") {
    LogFixture f;
    f.turn(true);
    f.lines.clear();
    f.service.items = 10;
    auto& counts = f.service.counts.items;
    counts[0].items = 3;  // asked for, and never answered
    counts[1].items = 7;
    f.turn(false);
    f.lines.clear();
    counts[1].items = 0;
    SECTION("the others come back") {
        counts[2].items = 7;
        f.turn(true);
        f.said(Severity::success, "is up again after 0.0 s; its items are asked for again");
        counts[2].items = 0;
        counts[1].items = 7;
        f.pass(milliseconds(300));
        f.said(Severity::success, "all 7 items are current again");
    }
    SECTION("one of the others has no answer now") {
        counts[0].items = 4;
        counts[1].items = 6;
        f.turn(true);
        f.lines.clear();
        for (int i = 0; i < 61; ++i)
            f.pass(seconds(1));
        f.said(Severity::warning, "1 of 7 items are still not current");
    }
    SECTION("there were no others") {
        counts[2].items = 0;
        f.service.items = 3;
        f.turn(true);
        f.said(Severity::success, "is up again after 0.0 s");
        f.pass(seconds(61));
        CHECK(f.lines.empty());
    }
}

TEST_CASE("a service that is deleted is forgotten", "[hub][directory]") {
    LogFixture f;
    f.turn(true);
    f.lines.clear();
    f.log.gone(f.service, directory::ServiceLog::Why::deleted);
    f.said(Severity::warning, "is gone: its source deleted it");
    f.log.gone(f.service, directory::ServiceLog::Why::deleted);
    CHECK(f.lines.empty());
}

TEST_CASE("a service that was lost is not said to be deleted by its source", "[hub][directory]") {
    LogFixture f;
    test::Told told;
    test::NoSupply supply;
    test::SomeSource a{Source::kUpstream, "A", 1}, p{Source::kPublisher, "P", 2};
    const bool deletesLost = GENERATE(true, false);
    ServiceTable services{{}, [&] {
                              ServiceSettings s;
                              s.deleteLostServices = deletesLost;
                              return s;
                          }()};
    directory::Merge merge(services, told, [&] {
        directory::MergeOptions o;
        o.serviceLog = &f.log;
        o.maxServices = 1;
        return o;
    }());
    merge.use(Source::kUpstream, supply, told);
    merge.use(Source::kPublisher, supply, told);
    const test::rdm::Service one = test::offered(7, "ONE"), two = test::offered(8, "TWO");
    const std::lock_guard guard(f.reactor.lock());
    test::SomeSource& source = GENERATE(false, true) ? a : p;
    merge.onOffer(source, one, 0x3F);
    f.lines.clear();
    const auto gone = [&] {
        std::string all;
        for (const auto& [severity, line] : f.lines)
            if (line.find("is gone") != std::string::npos) all += line + "\n";
        return all;
    };
    if (deletesLost) {
        SECTION("the source is away") {
            source.isUp = false;
            merge.onSourceChanged(source);
        }
        SECTION("its offer goes with its connection") {
            source.isUp = false;
            merge.onOfferGone(source, 7, false);
        }
        SECTION("the source is over") {
            source.isUp = false;
            merge.onSourceGone(source);
        }
        CHECK(gone() == "service 'ONE' is gone: no source serves it any more (DeleteLostServices); its items are "
                        "closed\n");
    } else {
        source.isUp = false;
        merge.onOfferGone(source, 7, false);
        CHECK(gone().empty());
        source.isUp = true;
        merge.onOffer(source, two, 0x3F);
        CHECK(gone() == "service 'ONE' is gone: no source serves it any more, and another service needs its place "
                        "(MaxServices); its items are closed\n");
    }
    CHECK(services.find("ONE") == nullptr);
}

TEST_CASE("a service that its source takes out of its directory is said to be deleted by it", "[hub][directory]") {
    LogFixture f;
    test::Told told;
    test::NoSupply supply;
    test::SomeSource p{Source::kPublisher, "P", 2};
    ServiceTable services{{}, {}};
    directory::Merge merge(services, told, [&] {
        directory::MergeOptions o;
        o.serviceLog = &f.log;
        return o;
    }());
    merge.use(Source::kPublisher, supply, told);
    const test::rdm::Service one = test::offered(7, "ONE");
    const std::lock_guard guard(f.reactor.lock());
    merge.onOffer(p, one, 0x3F);
    f.lines.clear();
    merge.onOfferGone(p, 7, true);
    CHECK(f.lines.back().second == "service 'ONE' is gone: its source deleted it; its items are closed");
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
