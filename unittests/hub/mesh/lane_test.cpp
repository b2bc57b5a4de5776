// The receiving end of a lane: holes, late frames, losses, proofs.
#include "hub/mesh/LaneIn.h"
#include "support/catch.hpp"

#include <random>
#include <set>

using namespace emissary;
using hub::mesh::LaneIn;
using namespace std::chrono_literals;

namespace {
constexpr eta::TimePoint at(int ms) {
    return eta::TimePoint(std::chrono::milliseconds(ms));
}
}  // namespace

TEST_CASE("A lane begins with the first frame, and says nothing about what was before", "[mesh]") {
    LaneIn lane;
    CHECK_FALSE(lane.started());
    CHECK(lane.received(10, at(0)) == LaneIn::Frame::next);
    CHECK(lane.lostUpTo() == 9);
    CHECK(lane.expire(at(0)).has_value());
    CHECK_FALSE(lane.expire(at(0)).has_value());
    CHECK(lane.received(10, at(1)) == LaneIn::Frame::repeated);
    CHECK(lane.received(11, at(1)) == LaneIn::Frame::next);
    CHECK(lane.provenAt() == eta::TimePoint::min());
    lane.claimed(11, at(1), at(2));
    CHECK(lane.provenAt() == at(1));
}

TEST_CASE("A frame that is late fills its hole; one that does not come is lost", "[mesh]") {
    LaneIn lane;
    lane.claimed(0, at(0), at(0));
    static_cast<void>(lane.expire(at(0)));
    CHECK(lane.received(1, at(1)) == LaneIn::Frame::next);
    CHECK(lane.received(5, at(2)) == LaneIn::Frame::next);
    CHECK(lane.missing());
    CHECK(lane.received(3, at(3)) == LaneIn::Frame::late);  // in the middle of the hole
    CHECK(lane.received(3, at(3)) == LaneIn::Frame::repeated);
    lane.claimed(5, at(3), at(4));
    CHECK(lane.provenAt() == at(0));
    CHECK(lane.received(2, at(4)) == LaneIn::Frame::late);
    CHECK(lane.provenAt() == at(0));
    CHECK(lane.received(4, at(5)) == LaneIn::Frame::late);
    CHECK(lane.provenAt() == at(3));
    CHECK_FALSE(lane.missing());

    CHECK(lane.received(8, at(6)) == LaneIn::Frame::next);
    CHECK_FALSE(lane.expire(at(5)).has_value());
    const auto loss = lane.expire(at(6));
    REQUIRE(loss.has_value());
    CHECK(loss->since == at(6));
    CHECK(loss->proven == at(3));
    CHECK(lane.lostUpTo() == 7);
    CHECK(lane.received(7, at(7)) == LaneIn::Frame::repeated);
}

TEST_CASE("The tail of a lane is missed when a heartbeat names it", "[mesh]") {
    LaneIn lane;
    lane.claimed(4, at(0), at(0));
    static_cast<void>(lane.expire(at(0)));
    lane.claimed(6, at(10), at(11));
    CHECK(lane.missing());
    CHECK(lane.provenAt() == at(0));
    CHECK(lane.received(5, at(12)) == LaneIn::Frame::late);
    CHECK(lane.received(6, at(12)) == LaneIn::Frame::late);
    CHECK(lane.provenAt() == at(10));
    lane.claimed(5, at(9), at(13));  // an older one
    CHECK(lane.provenAt() == at(10));
}

TEST_CASE("Holes are bounded: the oldest is given up", "[mesh]") {
    LaneIn lane;
    static_cast<void>(lane.received(1, at(0)));
    static_cast<void>(lane.expire(at(0)));
    for (unsigned i = 1; i <= LaneIn::kMostHoles; ++i)
        static_cast<void>(lane.received(1 + 2 * i, at(1)));
    CHECK(lane.lostUpTo() == 0);
    static_cast<void>(lane.received(1000, at(1)));
    CHECK(lane.lostUpTo() == 2);
    CHECK(lane.received(4, at(1)) == LaneIn::Frame::late);
    CHECK(lane.received(500, at(1)) == LaneIn::Frame::late);  // one hole becomes two: there was room
    CHECK(lane.received(700, at(1)) == LaneIn::Frame::late);  // and now the oldest has to go
    CHECK(lane.lostUpTo() == 6);
}

TEST_CASE("A lane agrees with a set of numbers", "[mesh]") {
    std::mt19937_64 random(5);
    for (int round = 0; round < 300; ++round) {
        LaneIn lane;
        lane.claimed(0, at(0), at(0));
        static_cast<void>(lane.expire(at(0)));
        std::set<std::uint64_t> came;
        std::uint64_t last = 0;
        for (int i = 0; i < 200; ++i) {
            const int now = i + 1;
            if (random() % 4 != 0 || last == 0) {
                last += 1 + (random() % 5 == 0 ? random() % 4 : 0);
                CHECK(lane.received(last, at(now)) == LaneIn::Frame::next);
                came.insert(last);
            } else {
                const std::uint64_t s = 1 + random() % last;
                const bool isNew = s > lane.lostUpTo() && !came.contains(s);
                const LaneIn::Frame f = lane.received(s, at(now));
                // It may be given up in this very call, when there are too many holes.
                CHECK((f == LaneIn::Frame::late) == (isNew && (f == LaneIn::Frame::late || s > lane.lostUpTo())));
                if (f == LaneIn::Frame::late) came.insert(s);
            }
            lane.claimed(last, at(now), at(now));
            static_cast<void>(lane.expire(at(now - 20)));
            bool all = true;
            for (std::uint64_t s = lane.lostUpTo() + 1; s <= last; ++s)
                all = all && came.contains(s);
            CHECK((lane.provenAt() == at(now)) == all);
        }
    }
}
