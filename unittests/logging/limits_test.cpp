// Records that peers cause: what passes while the clock stands still, and when it is said how many did not.
#include "PeerLimits.h"
#include "support.h"

using namespace emissary;
using namespace emissary::logging;
using namespace emissary::logging::test;
using namespace std::chrono_literals;

namespace {

struct Limited {
    explicit Limited(std::uint32_t perMinute) {
        LoggerSettings s = to(sink);
        s.peerRecordsPerMinute = perMinute;
        s.clock = &clock;
        logger = openLogger(s);
    }
    void peer(int times, const char* component = "Peer", LogSeverity severity = LogSeverity::warning) {
        for (int i = 0; i < times; ++i)
            logger->logPeer(component, severity, [&] { return ++texts, std::string("record"); });
    }
    [[nodiscard]] std::size_t kept() const { return sink->kept.size(); }
    [[nodiscard]] const NotingSink::Kept& last() const { return sink->kept.back(); }

    std::shared_ptr<NotingSink> sink = std::make_shared<NotingSink>();
    StillClock clock;
    std::shared_ptr<Logger> logger;
    int texts = 0;  ///< that were made
};

}  // namespace

TEST_CASE("while the clock stands still a burst passes, and not one record more", "[logging][limits]") {
    Limited l(1200);
    l.peer(10'000);
    CHECK(l.kept() == 500);
    CHECK(l.texts == 500);  // nothing is made for those that are left out
    CHECK(l.logger->hasLeftOut());
    l.logger->tellLeftOut();
    CHECK(l.kept() == 500);  // the limit is not over
    SECTION("when it is over the count is said, once") {
        l.clock.advance(999ms);
        l.logger->tellLeftOut();
        CHECK(l.kept() == 500);
        l.clock.advance(1ms);
        l.logger->tellLeftOut();
        REQUIRE(l.kept() == 501);
        CHECK(l.last().text ==
              "9500 records were left out within 0 s: peers cause more than MaxPeerRecordsPerMinute lets through");
        CHECK(l.last().component == "Peer");
        CHECK(l.last().severity == LogSeverity::warning);
        CHECK_FALSE(l.logger->hasLeftOut());
        l.logger->tellLeftOut();
        CHECK(l.kept() == 501);
    }
    SECTION("any other record says it too") {
        l.clock.advance(1s);
        l.logger->log("Own", LogSeverity::success, "own");
        REQUIRE(l.kept() == 502);
        CHECK(l.sink->kept[500].text.starts_with("9500 records"));
        CHECK(l.last().text == "own");
    }
    SECTION("the end of the logger says it at the latest") {
        l.logger.reset();
        REQUIRE(l.kept() == 501);
        CHECK(l.last().text.starts_with("9500 records"));
    }
    SECTION("20 a second pass from then on") {
        l.clock.advance(1s);
        l.peer(100);
        CHECK(l.kept() == 500 + 1 + 20);
    }
}

TEST_CASE("a flood that does not end is told of every ten seconds", "[logging][limits]") {
    Limited l(60);
    std::size_t told = 0;
    for (int i = 0; i < 300; ++i) {  // half a minute
        l.peer(10);
        l.clock.advance(100ms);
    }
    std::uint64_t left = 0;
    for (const auto& r : l.sink->kept)
        if (r.text.find("left out") != std::string::npos) ++told, left += std::stoull(r.text);
    CHECK(told >= 2);
    CHECK(told <= 3);
    l.logger.reset();
    for (std::size_t i = l.sink->kept.size() - 1; i < l.sink->kept.size(); ++i)
        left += std::stoull(l.sink->kept[i].text);
    CHECK(left + static_cast<std::uint64_t>(l.texts) == 3000);  // every one was written or counted
}

TEST_CASE("a flood of one kind hides no other", "[logging][limits]") {
    Limited l(60);
    l.peer(1000);
    CHECK(l.kept() == 25);
    l.peer(5, "Peer", LogSeverity::error);
    l.peer(5, "Another");
    CHECK(l.kept() == 35);
    l.logger->log("Peer", LogSeverity::warning, "what no peer causes has no limit");
    CHECK(l.kept() == 36);
}

TEST_CASE("limits that are switched off, and records below the severity", "[logging][limits]") {
    Limited l(0);
    l.peer(5000);
    CHECK(l.kept() == 5000);
    l.peer(10, "Peer", LogSeverity::verbose);
    CHECK(l.kept() == 5000);
    CHECK_FALSE(l.logger->hasLeftOut());
}

TEST_CASE("kinds beyond the table share a limit", "[logging][limits]") {
    const StillClock clock;
    PeerLimits limits(60, &clock);
    for (int i = 0; i < 64; ++i)
        CHECK(limits.admit("component " + std::to_string(i), LogSeverity::error));
    int passed = 0;
    for (int i = 64; i < 1000; ++i)
        passed += limits.admit("component " + std::to_string(i), LogSeverity::error);
    CHECK(passed == 24);
    CHECK(limits.take(PeerLimits::Which::due).empty());
    const auto left = limits.take(PeerLimits::Which::all);
    REQUIRE(left.size() == 1);
    CHECK(left[0].component == "component 63");
    CHECK(left[0].records == 936 - 24);
    CHECK_FALSE(limits.any());
}

TEST_CASE("the smallest limit lets one record pass", "[logging][limits]") {
    Limited l(1);
    l.peer(3);
    CHECK(l.kept() == 1);
    l.clock.advance(60s);
    l.peer(1);
    CHECK(l.kept() == 3);
}
