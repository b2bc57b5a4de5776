// Sources of hot items are compared: the same updates, in the same order (hub.md 4.2).
#include "upstream_fixture.h"

#include <numeric>

using namespace emissary;
using namespace emissary::test;
using namespace std::chrono_literals;
using upstream::PairWindow;
using Side = PairWindow::Side;
using Numbers = std::array<std::uint64_t, 5>;  // same, missing, extra, different, late

namespace {

/// "a1 b1": the active one has sent update 1, and then the standby.
[[nodiscard]] Numbers seen(PairWindow& window, std::string_view steps) {
    Numbers sum{};
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (steps[i] != 'a' && steps[i] != 'b') continue;
        const auto number = static_cast<std::uint32_t>(std::stoi(std::string(steps.substr(i + 1))));
        const auto f = window.came(steps[i] == 'a' ? Side::active : Side::standby, number);
        const Numbers found{f.same, f.missing, f.extra, f.different, f.late};
        for (std::size_t n = 0; n < sum.size(); ++n)
            sum[n] += found[n];
    }
    return sum;
}
[[nodiscard]] Numbers seen(std::string_view steps) {
    PairWindow window;
    return seen(window, steps);
}

struct Pair : Upstream {
    std::int32_t first = 0, second = 0;
    explicit Pair(SourceMode mode = SourceMode::hot, CachePolicy::Rule rule = CachePolicy::Rule::all) {
        policy.sourceMode = mode;
        policy.cache.rule = rule;
        ready();
        first = open(client(), 5, "IBM", a, 1);
        if (mode != SourceMode::hot) return;
        second = expect(b, "IBM").streamId;
        refresh(b, second, 1);
        settle();
        out.clear();
    }
    Numbers counts() {
        Numbers n{};
        const auto& pair = services->find(std::string_view("FEED"))->counts.pair;
        for (std::size_t i = 0; pair != nullptr && i < n.size(); ++i)
            n[i] = (*pair)[i].updates.get();
        return n;
    }
    void fromA(std::uint64_t value) {
        update(a, first, value);
        settle();
    }
    void fromB(std::uint64_t value) {
        update(b, second, value);
        settle();
    }
};

}  // namespace

TEST_CASE("a window of two streams: missing, extra, different, late") {
    CHECK(seen("a1 b1 a2 b2 a3 b3") == Numbers{3, 0, 0, 0, 0});
    CHECK(seen("a1 a2 a3 b1 b2 b3") == Numbers{3, 0, 0, 0, 0});
    CHECK(seen("b1 b2 a1 a2") == Numbers{2, 0, 0, 0, 0});
    CHECK(seen("a1 b1 a2 a3 b3") == Numbers{2, 1, 0, 0, 0});
    CHECK(seen("a1 b1 b2 b3 a3") == Numbers{2, 0, 1, 0, 0});
    CHECK(seen("a1 b1 a2 b9 a3 b3") == Numbers{2, 0, 0, 1, 0});
    CHECK(seen("a1 b1 a2 a3 b3 b2 a4 b4") == Numbers{3, 1, 1, 0, 0});  // another order
    CHECK(seen("a1 b1 a5 b5 a5 b5") == Numbers{3, 0, 0, 0, 0});        // the same content twice
    // Where the two meet first is not known: what the image had already is no difference.
    CHECK(seen("a1 a2 a3 b3 a4 b4") == Numbers{2, 0, 0, 0, 0});
    PairWindow window;
    CHECK(seen(window, "a1 b1 a2") == Numbers{1, 0, 0, 0, 0});
    window.restart();
    CHECK(seen(window, "a3 b3") == Numbers{1, 0, 0, 0, 0});
}

TEST_CASE("a window is bounded: a standby that stops is late, and in step again after its first match") {
    PairWindow window;
    CHECK(seen(window, "a1 b1") == Numbers{1, 0, 0, 0, 0});
    std::string steps;
    for (int n = 2; n < 2 + 16; ++n)
        steps += "a" + std::to_string(n) + " ";
    CHECK(seen(window, steps) == Numbers{});
    CHECK(seen(window, "a18 a19") == Numbers{0, 0, 0, 0, 2});
    CHECK(seen(window, "b2 b3 b4") == Numbers{1, 0, 0, 0, 0});  // 2 and 3 are not known any more
    CHECK(seen(window, "b5 a20 b6") == Numbers{2, 0, 0, 0, 0});
    // Nothing fits: each of the standby's counts, from the window's end on.
    PairWindow other;
    steps.clear();
    for (int n = 1; n <= 20; ++n)
        steps += "a" + std::to_string(n) + " b" + std::to_string(n + 100) + " ";
    // Before a first match it is not known whether the two are at the same place.
    CHECK(seen(other, steps) == Numbers{});
    CHECK(seen(other, "a200 b200") == Numbers{1, 0, 0, 0, 0});
    CHECK(seen(other, steps) == Numbers{0, 0, 0, 4, 0});
}

TEST_CASE("a standby that lags behind an image is no difference before its first match") {
    PairWindow window;
    std::string steps;
    for (int n = 1; n <= 40; ++n)
        steps += "a" + std::to_string(n) + " ";
    CHECK(seen(window, steps) == Numbers{});
    CHECK(seen(window, "b30 b31") == Numbers{2, 0, 0, 0, 0});
    window.restart();
    CHECK(seen(window, steps) == Numbers{});
}

TEST_CASE("hot: updates of both sources are compared, counted, and named in the log once a minute") {
    Pair h;
    h.fromA(2);
    h.fromB(2);
    h.fromB(3);
    h.fromA(3);
    CHECK(h.counts() == Numbers{2, 0, 0, 0, 0});
    CHECK(Upstream::count(h.log, "differs") == 0);
    h.fromA(4);
    h.fromA(5);
    h.fromB(5);
    CHECK(h.counts() == Numbers{3, 1, 0, 0, 0});
    REQUIRE(Upstream::count(h.log, "differs") == 1);
    CHECK(Upstream::count(h.log, "source 'B' stands by for service 'FEED' and differs from source 'A', at item 'IBM' "
                                 "now; updates so far: 3 same, 1 missing, 0 extra, 0 different, 0 late") == 1);
    h.fromB(6);
    h.fromB(7);
    h.fromA(7);
    CHECK(h.counts() == Numbers{4, 1, 1, 0, 0});
    CHECK(Upstream::count(h.log, "differs") == 1);
    h.advance(61s);
    h.fromA(8);
    h.fromB(9);
    h.fromA(10);
    h.fromB(10);
    CHECK(h.counts() == Numbers{5, 1, 1, 1, 0});
    CHECK(Upstream::count(h.log, "differs") == 2);
    // Clients had the active one's, all of them and nothing else.
    CHECK(Upstream::count(h.out, "UPD") == 7);
    CHECK_FALSE(h.got("0:5 UPD 9"));
}

TEST_CASE("hot: an image of either source, and a standby that calls itself suspect, begin a new comparison") {
    Pair h;
    h.fromA(2);
    h.fromB(2);
    SECTION("image of the active one") {
        h.fromA(3);
        h.refresh(h.a, h.first, 4, Stream::open, false);
        h.settle();
    }
    SECTION("image of the standby") {
        h.fromA(3);
        h.refresh(h.b, h.second, 3, Stream::open, false);
        h.settle();
    }
    SECTION("status of the active one") {
        h.fromA(3);
        h.a.send(RawProvider::status(h.first, Stream::open, codec::DataState::ok));
        h.settle();
    }
    SECTION("status of the standby") {
        h.fromA(3);
        h.b.send(RawProvider::status(h.second, Stream::open, codec::DataState::ok));
        h.settle();
    }
    SECTION("suspect") {
        h.b.send(RawProvider::status(h.second, Stream::open, suspect));
        h.settle();
        for (std::uint64_t n = 10; n < 40; ++n)
            h.update(h.a, h.first, n);
        h.settle();
        h.refresh(h.b, h.second, 39, Stream::open, false);
        h.settle();
    }
    h.fromA(50);
    h.fromB(50);
    CHECK(h.counts() == Numbers{2, 0, 0, 0, 0});
}

TEST_CASE("hot: after a takeover the pair is compared the other way round") {
    Pair h;
    h.fromA(2);
    h.fromB(2);
    h.a.die();
    h.until([&] { return !h.out.empty() && h.item()->source == &h.at(1); });
    CHECK(Upstream::count(h.out, "Suspect") == 0);
    h.a.revive();
    h.clock.advance(2s);
    h.first = h.expect(h.a, "IBM").streamId;
    h.refresh(h.a, h.first, 2);
    h.settle();
    h.fromB(3);
    h.fromA(3);
    h.fromB(4);
    h.fromB(5);
    h.fromA(5);
    CHECK(h.counts() == Numbers{3, 1, 0, 0, 0});
    CHECK(Upstream::count(h.log, "source 'A' stands by for service 'FEED' and differs from source 'B'") == 1);
}

TEST_CASE("hot: an item is compared as long as it has a second stream") {
    Pair h;
    CHECK(h.item()->compared);
    h.b.die();
    h.until([&] { return !h.at(1).up(); });
    h.settle();
    CHECK_FALSE(h.item()->compared);
    h.b.revive();
    h.clock.advance(5s);
    h.refresh(h.b, h.expect(h.b, "IBM").streamId, 2);
    h.settle();
    CHECK(h.item()->compared);
}

TEST_CASE("hot without a cache: compared as well") {
    Pair h(SourceMode::hot, CachePolicy::Rule::none);
    h.fromA(2);
    h.fromB(2);
    CHECK(h.counts() == Numbers{1, 0, 0, 0, 0});
}

TEST_CASE("services that are no pair are not compared") {
    Pair h(SourceMode::ordered);
    h.fromA(2);
    CHECK_FALSE(h.item()->compared);
    CHECK(h.services->find(std::string_view("FEED"))->counts.pair == nullptr);
}
