// The phases of a stream: the steps that there are, what the chart says of them, and what must hold for all of them.
#include "support/catch.hpp"
#include "support/paths.h"
#include "watchlist/StreamLife.h"

#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace emissary;
using namespace emissary::reactor::consumer;
using P = StreamPhase;
using E = StreamEvent;

namespace {

std::vector<P> allPhases() {
    std::vector<P> all;
    for (std::size_t i = 0; i < kStreamPhases; ++i)
        all.push_back(static_cast<P>(i));
    return all;
}

std::vector<E> allEvents() {
    std::vector<E> all;
    for (std::size_t i = 0; i < kStreamEvents; ++i)
        all.push_back(static_cast<E>(i));
    return all;
}

StreamLife lifeIn(P p) {
    StreamLife life;
    life.enter(p);
    return life;
}

struct Step {
    P from;
    E event;
    P to;
};
/// Every step that there is.
std::vector<Step> allSteps() {
    std::vector<Step> all;
    for (const P from : allPhases())
        for (const E e : allEvents())
            if (const auto to = stepFrom(from, e)) all.push_back({from, e, *to});
    return all;
}

std::string text(P from, E e, P to) {
    return std::string(name(from)) + " --> " + name(to) + " : " + name(e);
}

/// Steps as text, from the chart; an arrow of the composite state stands for one of each of its members.
std::set<std::string> chartSteps() {
    std::ifstream in(test::sourcePath("/docs/watchlist.md"));
    REQUIRE(in);
    std::set<std::string> steps;
    std::string line;
    bool inChart = false;
    while (std::getline(in, line)) {
        if (line == "```mermaid") inChart = true;
        else if (line == "```") inChart = false;
        if (!inChart) continue;
        std::istringstream words(line);
        std::string from, arrow, to, colon, event;
        if (!(words >> from >> arrow >> to >> colon >> event) || arrow != "-->") continue;
        std::vector<std::string> sources{from};
        if (from == "wire") sources = {"requested", "receiving", "open", "renewing"};
        for (const std::string& source : sources) {
            INFO("twice: " << line);
            CHECK(steps.insert(source + " --> " + to + " : " + event).second);
        }
    }
    return steps;
}

}  // namespace

TEST_CASE("A stream's life is the one that the chart draws", "[reactor][watchlist]") {
    const std::set<std::string> chart = chartSteps();
    std::set<std::string> code;
    for (const Step& s : allSteps())
        code.insert(text(s.from, s.event, s.to));
    for (const std::string& s : code) {
        INFO(s);
        CHECK(chart.count(s) == 1);
    }
    for (const std::string& s : chart) {
        INFO(s);
        CHECK(code.count(s) == 1);
    }
}

TEST_CASE("What is true of all steps of a stream", "[reactor][watchlist]") {
    for (const Step& s : allSteps()) {
        INFO(text(s.from, s.event, s.to));
        const StreamLife from = lifeIn(s.from), to = lifeIn(s.to);
        CHECK(s.to != P::fresh);
        if (s.event == E::asked) CHECK((to.onWire() && to.wantsImage()));
        if (s.event == E::part || s.event == E::image) CHECK((from.wantsImage() && to.hasImage()));
        if (s.to == P::open) CHECK(s.event == E::image);                // only an image opens
        if (!from.onWire() && to.onWire()) CHECK(s.event == E::asked);  // only a request leads onto the wire
        if (s.event == E::lost) CHECK(s.to == P::waiting);
        if (s.event == E::over) CHECK(s.to == P::closing);
        if (s.event == E::abandoned) CHECK(s.to == P::ended);
        if (from.hasImage() && to.onWire()) CHECK(to.hasImage());  // an image that is there stays
    }
    for (const P p : allPhases()) {
        INFO(name(p));
        const StreamLife life = lifeIn(p);
        CHECK(stepFrom(p, E::abandoned).has_value() == (p != P::ended));
        CHECK(stepFrom(p, E::lost).has_value() == (life.onWire() || p == P::queued || p == P::closing));
        CHECK(stepFrom(p, E::over).has_value() == (p != P::fresh && p != P::closing && p != P::ended));
        CHECK(stepFrom(p, E::windowFull).has_value() == stepFrom(p, E::unserved).has_value());
        if (life.hasImage()) CHECK(life.onWire());
        if (life.wantsImage()) CHECK(life.onWire());
        if (life.onWire()) CHECK((life.sharable() && (life.hasImage() || life.wantsImage())));
    }
}

TEST_CASE("Every phase of a stream is reached, and every one ends", "[reactor][watchlist]") {
    const auto closure = [](P start) {
        std::set<P> seen{start};
        for (std::size_t before = 0; before != seen.size();) {
            before = seen.size();
            for (const Step& s : allSteps())
                if (seen.count(s.from) != 0) seen.insert(s.to);
        }
        return seen;
    };
    CHECK(closure(P::fresh).size() == kStreamPhases);
    for (const P p : allPhases()) {
        INFO(name(p));
        CHECK(closure(p).count(P::ended) == 1);
    }
    CHECK(closure(P::ended).size() == 1);
}

TEST_CASE("A data state is one of an image", "[reactor][watchlist]") {
    for (const P p : allPhases()) {
        INFO(name(p));
        StreamLife life = lifeIn(p);
        CHECK(life.trusted() == life.hasImage());
        life.setSuspect(true);
        CHECK_FALSE(life.trusted());
        life.enter(P::open);
        CHECK(life.trusted() != lifeIn(p).hasImage());  // stays with an image, and comes from nowhere else
        life.setSuspect(true);
        life.enter(P::waiting);
        life.enter(P::open);
        CHECK(life.trusted());
    }
}
