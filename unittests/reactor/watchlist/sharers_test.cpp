// The ring of a stream's sharers: their order, whoever leaves.
#include "watchlist/Sharers.h"

#include "support/catch.hpp"

#include <array>
#include <vector>

using namespace emissary::reactor::consumer;

namespace {

std::vector<const Request*> sharersOf(const Stream& s) {
    std::vector<const Request*> all;
    for (const Request* r = s.first(); r != nullptr && all.size() < 10; r = s.after(*r)) {
        CHECK(r->stream == &s);
        all.push_back(r);
    }
    return all;
}

}  // namespace

TEST_CASE("Sharers stay in the order of opening, whoever leaves", "[reactor][watchlist]") {
    std::array<Request, 4> r;
    for (std::size_t leaves = 0; leaves < r.size(); ++leaves) {
        INFO("number " << leaves << " leaves");
        Stream s;
        std::vector<const Request*> expected;
        CHECK(sharersOf(s).empty());
        for (Request& one : r) {
            Sharers::append(s, one);
            expected.push_back(&one);
            CHECK(sharersOf(s) == expected);
            CHECK(s.isShared() == (expected.size() > 1));
            CHECK(s.last == &one);
        }
        Sharers::unlink(r[leaves]);
        CHECK(r[leaves].stream == nullptr);
        expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(leaves));
        CHECK(sharersOf(s) == expected);
        Sharers::unlink(r[leaves]);  // on no stream: nothing happens
        Sharers::append(s, r[leaves]);
        expected.push_back(&r[leaves]);
        CHECK(sharersOf(s) == expected);
        while (Request* const first = s.first()) {
            CHECK(sharersOf(s) == expected);
            Sharers::unlink(*first);
            expected.erase(expected.begin());
        }
        CHECK(expected.empty());
        CHECK(s.last == nullptr);
        CHECK_FALSE(s.isShared());
    }
}
