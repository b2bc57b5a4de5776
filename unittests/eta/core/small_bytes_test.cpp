// Bytes kept by value: with and without a block of their own, and from one to the other.
#include "eta/core/SmallBytes.h"
#include "support/catch.hpp"

#include <string>
#include <vector>

using namespace emissary;
using Small = eta::SmallBytes<18>;

namespace {

std::string text(const Small& s) {
    return std::string(eta::asText(s.view()));
}

}  // namespace

TEST_CASE("Small bytes are what was assigned, at every length around their own room", "[eta][core]") {
    static_assert(sizeof(Small) == 20 && alignof(Small) == 2);
    Small s;
    CHECK(s.view().empty());
    for (const std::size_t before : {0u, 1u, 17u, 18u, 19u, 4000u})
        for (const std::size_t after : {0u, 1u, 17u, 18u, 19u, 65535u}) {
            INFO(before << " bytes, then " << after);
            s.assign(eta::asBytes(std::string(before, 'B')));
            CHECK(text(s) == std::string(before, 'B'));
            s.assign(eta::asBytes(std::string(after, 'A')));
            CHECK(text(s) == std::string(after, 'A'));
            CHECK(s.size() == after);
        }
    s.clear();
    CHECK(s.size() == 0);
    CHECK(s.view().empty());
}

TEST_CASE("Small bytes move with their block, and leave nothing behind", "[eta][core]") {
    for (const std::size_t length : {0u, 18u, 19u, 300u}) {
        INFO(length << " bytes");
        const std::string content(length, 'C');
        Small from;
        from.assign(eta::asBytes(content));
        const std::byte* const block = from.view().data();
        Small moved(std::move(from));
        CHECK(text(moved) == content);
        CHECK(from.size() == 0);  // as the class says
        if (length > 18) CHECK(moved.view().data() == block);
        Small other;
        other.assign(eta::asBytes(std::string(100, 'O')));
        other = std::move(moved);
        CHECK(text(other) == content);
        CHECK(moved.size() == 0);
        from.assign(eta::asBytes("again"));
        CHECK(text(from) == "again");
    }
}
