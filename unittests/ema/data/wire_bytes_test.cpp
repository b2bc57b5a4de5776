// Numbers, times and dates as public headers write them inline are what eta's decoders read.
#include "Access/Include/detail/wire_bytes.h"
#include "eta/codec/primitives.h"
#include "support/catch.hpp"

#include <array>
#include <cstdint>
#include <initializer_list>
#include <vector>

using namespace emissary::eta;
namespace wire = emissary::ema::wire;

namespace {

/// The fewest bytes from which the number comes back, by trying.
std::size_t fewestBytes(std::uint64_t n, bool isSigned) {
    for (unsigned bytes = 1; bytes < 8; ++bytes) {
        const unsigned cut = 64 - 8 * bytes;
        const std::uint64_t back =
            isSigned ? static_cast<std::uint64_t>(static_cast<std::int64_t>(n << cut) >> cut) : n << cut >> cut;
        if (back == n) return bytes;
    }
    return 8;
}

}  // namespace

TEST_CASE("the widths of inline numbers are the shortest, and their bytes the wire's", "[ema][data]") {
    std::vector<std::uint64_t> numbers{0, ~std::uint64_t{0}};
    for (unsigned bit = 0; bit < 64; ++bit)
        for (const std::uint64_t near : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}})
            numbers.push_back((std::uint64_t{1} << bit) + near);
    for (const std::uint64_t n : numbers) {
        INFO(n);
        CHECK(wire::unsignedWidth(n) == fewestBytes(n, false));
        CHECK(wire::signedWidth(static_cast<std::int64_t>(n)) == fewestBytes(n, true));
        std::array<std::byte, 8> eight{};
        storeBe(eight.data(), n);
        for (unsigned i = 0; i < 8; ++i)
            CHECK(std::to_integer<unsigned>(eight[i]) == (n >> (56 - 8 * i) & 0xFF));
        CHECK(wire::load<std::uint64_t>(eight.data()) == n);
        CHECK(wire::load<std::uint16_t>(eight.data()) == n >> 48);
    }
}

TEST_CASE("inline times and dates are read back by the codec", "[ema][data]") {
    using Numbers = std::initializer_list<std::uint16_t>;
    for (const std::uint8_t second : std::initializer_list<std::uint8_t>{0, 59})
        for (const std::uint16_t milli : Numbers{0, 1, 999})
            for (const std::uint16_t micro : Numbers{0, 1, 999})
                for (const std::uint16_t nano : Numbers{0, 1, 255, 256, 999}) {
                    INFO(+second << " " << milli << " " << micro << " " << nano);
                    const std::size_t width = wire::timeWidth(second, milli, micro, nano);
                    CHECK(width == (nano != 0 ? 8u : micro != 0 ? 7u : milli != 0 ? 5u : second != 0 ? 3u : 2u));
                    std::array<std::byte, 8> bytes{};
                    storeBe(bytes.data(), wire::packTime(23, 58, second, milli, micro, nano));
                    codec::Time read;
                    CHECK(codec::decodeTime(Bytes(bytes).first(width), read) == codec::Decoded::value);
                    CHECK(read == codec::Time{23, 58, second, milli, micro, nano});
                }
    std::array<std::byte, 4> bytes{};
    storeBe(bytes.data(), wire::packDate(2026, 3, 29));
    codec::Date read;
    CHECK(codec::decodeDate(bytes, read) == codec::Decoded::value);
    CHECK((read.year == 2026 && read.month == 3 && read.day == 29));
}

TEST_CASE("words of printable ASCII are found byte by byte", "[ema][data]") {
    for (unsigned c = 0; c < 256; ++c) {  // each byte at each place of a word of blanks
        for (unsigned at = 0; at < 64; at += 8) {
            const std::uint64_t word = (0x2020202020202020 & ~(std::uint64_t{0xFF} << at)) | std::uint64_t{c} << at;
            CHECK(wire::isPlainWord(word) == (c >= ' ' && c <= '~'));
        }
    }
    CHECK(wire::bits<std::uint32_t>(1.5f) == 0x3FC00000);
    CHECK(wire::bits<std::uint64_t>(-2.0) == 0xC000000000000000);
}
