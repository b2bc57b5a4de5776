// What public headers read and write inline is what eta reads and writes.
#include "Access/Include/detail/wire_bytes.h"
#include "eta/codec/shortest.h"
#include "eta/core/printable.h"
#include "support/catch.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace wire = emissary::ema::wire;
namespace shortest = emissary::eta::codec::detail;

TEST_CASE("the bytes of inline values are those of the codec", "[ema][data]") {
    std::vector<std::uint64_t> numbers{0, ~std::uint64_t{0}};
    for (unsigned bit = 0; bit < 64; ++bit)
        for (const std::uint64_t near : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}})
            numbers.push_back((std::uint64_t{1} << bit) + near);
    for (const std::uint64_t n : numbers) {
        INFO(n);
        CHECK(wire::unsignedWidth(n) == shortest::unsignedWidth(n));
        CHECK(wire::signedWidth(static_cast<std::int64_t>(n)) == shortest::signedWidth(static_cast<std::int64_t>(n)));
        CHECK(wire::isPlainWord(n) == emissary::eta::isPlainWord(n));
        std::array<std::byte, 8> eight{};
        emissary::eta::storeBe(eight.data(), n);
        CHECK(wire::load<std::uint64_t>(eight.data()) == n);
        CHECK(wire::load<std::uint16_t>(eight.data()) == emissary::eta::loadBe<std::uint16_t>(eight.data()));
        CHECK(wire::networkOrder(n) == emissary::eta::reorder<std::endian::big>(n));
    }
    for (const unsigned second : {0u, 59u})
        for (const unsigned milli : {0u, 1u, 999u})
            for (const unsigned micro : {0u, 1u, 999u})
                for (const unsigned nano : {0u, 1u, 255u, 256u, 999u}) {
                    INFO(second << " " << milli << " " << micro << " " << nano);
                    CHECK(wire::timeWidth(second, milli, micro, nano) ==
                          shortest::timeWidth(second, milli, micro, nano));
                    CHECK(wire::packTime(23, 58, second, milli, micro, nano) ==
                          shortest::packTime(23, 58, second, milli, micro, nano));
                }
    CHECK(wire::packDate(2026, 3, 29) == shortest::packDate(2026, 3, 29));
    for (unsigned c = 0; c < 256; ++c) {  // each byte at each place of a word of blanks
        for (unsigned at = 0; at < 64; at += 8) {
            const std::uint64_t word = (0x2020202020202020 & ~(std::uint64_t{0xFF} << at)) | std::uint64_t{c} << at;
            CHECK(wire::isPlainWord(word) == emissary::eta::isPlainWord(word));
        }
    }
    CHECK(wire::bits<std::uint32_t>(1.5f) == 0x3FC00000);
    CHECK(wire::bits<std::uint64_t>(-2.0) == 0xC000000000000000);
}
