// Quality of service: order, ranges, choice.
#include "reactor/rdm/Qos.h"
#include "support/catch.hpp"

using namespace emissary::reactor::rdm;

namespace {
Qos qos(std::uint8_t timeliness, std::uint8_t rate, std::uint16_t timeInfo = 0, std::uint16_t rateInfo = 0) {
    return {timeliness, rate, false, timeInfo, rateInfo};
}
}  // namespace

TEST_CASE("QoS order", "[reactor][rdm]") {
    SECTION("timeliness counts before rate") {
        CHECK(better(qos(1, 3, 0, 500), qos(2, 1)));
        CHECK_FALSE(better(qos(2, 1), qos(1, 3, 0, 500)));
    }
    SECTION("the smaller delay and the smaller interval are better") {
        CHECK(better(qos(3, 1, 5), qos(3, 1, 6)));
        CHECK(better(qos(1, 3, 0, 100), qos(1, 3, 0, 200)));
    }
    SECTION("info values of other kinds do not count") {
        CHECK(equal(qos(1, 1, 7, 9), qos(1, 1)));
        CHECK_FALSE(better(qos(1, 1, 1), qos(1, 1, 2)));
    }
}

TEST_CASE("QoS range", "[reactor][rdm]") {
    const Qos best = qos(1, 1), worst = qos(2, 3, 0, 65535);
    CHECK(inRange(qos(1, 1), best, worst));
    CHECK(inRange(qos(2, 2), best, worst));
    CHECK(inRange(qos(1, 3, 0, 1000), best, worst));
    SECTION("each half must lie in it") {
        CHECK_FALSE(inRange(qos(3, 1, 10), best, worst));
        CHECK_FALSE(inRange(qos(2, 1), best, qos(1, 3, 0, 65535)));
    }
    SECTION("an unspecified half lies in no range") {
        CHECK_FALSE(inRange(qos(0, 1), best, worst));
        CHECK_FALSE(inRange(qos(1, 0), best, worst));
    }
    SECTION("best equal to worst means equality") {
        CHECK(inRange(qos(3, 2, 20), qos(3, 2, 20), qos(3, 2, 20)));
        CHECK_FALSE(inRange(qos(3, 2, 21), qos(3, 2, 20), qos(3, 2, 20)));
    }
}

TEST_CASE("choosing a QoS", "[reactor][rdm]") {
    std::vector<Qos> offered{qos(2, 1), qos(1, 3, 0, 100), qos(1, 1)};
    sortBestFirst(offered);
    SECTION("nothing wanted: the best offered") {
        CHECK(equal(*chooseQos(offered, nullptr, nullptr), qos(1, 1)));
    }
    SECTION("one wanted: it must be offered") {
        const Qos want = qos(2, 1), other = qos(2, 2);
        CHECK(equal(*chooseQos(offered, &want, nullptr), want));
        CHECK(chooseQos(offered, &other, nullptr) == nullptr);
    }
    SECTION("a range: the first offered that lies in it") {
        const Qos best = qos(1, 2), worst = qos(2, 3, 0, 65535);
        CHECK(equal(*chooseQos(offered, &best, &worst), qos(1, 3, 0, 100)));
        const Qos late = qos(3, 1, 1), later = qos(3, 3, 65535, 65535);
        CHECK(chooseQos(offered, &late, &later) == nullptr);
    }
    SECTION("nothing offered means realtime tick-by-tick") {
        const Qos want = qos(1, 1), other = qos(2, 1);
        CHECK(chooseQos({}, &want, nullptr) != nullptr);
        CHECK(chooseQos({}, &other, nullptr) == nullptr);
    }
}
