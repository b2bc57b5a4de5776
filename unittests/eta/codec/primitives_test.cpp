// Primitives beyond the vectors: every width, both edges, and the wide stores at the end of a block.
#include "eta/codec/model/Value.h"
#include "eta/codec/primitives.h"
#include "support/catch.hpp"

#include <limits>
#include <memory>

using namespace emissary::eta;
using namespace emissary::eta::codec;
using model::hex;
using model::unhex;

namespace {

/// Edges of every width: 2^n - 1, 2^n, 2^n + 1 and their negatives.
template <class Each>
void forEdges(Each each) {
    for (unsigned n = 0; n < 64; ++n) {
        const std::uint64_t power = std::uint64_t{1} << n;
        for (const std::uint64_t v : {power - 1, power, power + 1}) {
            each(v);
            each(0 - v);
        }
    }
}

/// The obvious way, byte by byte.
[[nodiscard]] std::string plainBytes(std::uint64_t v, std::size_t n) {
    std::array<std::byte, 8> out{};
    for (std::size_t i = 0; i < n; ++i)
        out[i] = static_cast<std::byte>(v >> 8 * (n - 1 - i) & 0xFF);
    return hex(Bytes{out}.first(n));
}

template <class Encode>
[[nodiscard]] std::string encodedIn(std::size_t size, Encode encode) {
    const std::unique_ptr<std::byte[]> block{new std::byte[size]};
    BeWriter out{{block.get(), size}};
    encode(out);
    return out.ok() ? hex(out.view()) : describe(out.failure());
}

}  // namespace

TEST_CASE("integers take their shortest width and come back from every width", "[codec][primitives]") {
    forEdges([](std::uint64_t v) {
        const auto s = static_cast<std::int64_t>(v);
        std::size_t width = 8, signedWidth = 8;
        while (width > 1 && v < std::uint64_t{1} << 8 * (width - 1))
            --width;
        while (signedWidth > 1 && s >= -(std::int64_t{1} << (8 * signedWidth - 9)) &&
               s < std::int64_t{1} << (8 * signedWidth - 9))
            --signedWidth;
        INFO(v);
        const std::string unsignedBytes = plainBytes(v, width), signedBytes = plainBytes(v, signedWidth);
        // A block with room to spare takes the wide store, an exact one the careful path.
        for (const std::size_t spare : {0u, 1u, 16u}) {
            CHECK(encodedIn(width + spare, [&](BeWriter& out) { encodeUInt(out, v); }) == unsignedBytes);
            CHECK(encodedIn(signedWidth + spare, [&](BeWriter& out) { encodeInt(out, s); }) == signedBytes);
            CHECK(encodedIn(1 + width + spare, [&](BeWriter& out) { encodeUIntPrefixed(out, v); }) ==
                  plainBytes(width, 1) + unsignedBytes);
            CHECK(encodedIn(1 + signedWidth + spare, [&](BeWriter& out) { encodeIntPrefixed(out, s); }) ==
                  plainBytes(signedWidth, 1) + signedBytes);
            CHECK(encodedIn(2 + signedWidth + spare, [&](BeWriter& out) {
                      encodeRealPrefixed(out, {s, 12});
                  }) == plainBytes(signedWidth + 1, 1) + "0c" + signedBytes);
        }
        for (std::size_t n = width; n <= 8; ++n) {
            std::uint64_t back = 0;
            CHECK(decodeUInt(unhex(plainBytes(v, n)), back) == Decoded::value);
            CHECK(back == v);
        }
        for (std::size_t n = signedWidth; n <= 8; ++n) {
            std::int64_t back = 0;
            CHECK(decodeInt(unhex(plainBytes(v, n)), back) == Decoded::value);
            CHECK(back == s);
        }
    });
}

TEST_CASE("malformed primitives leave the output alone", "[codec][primitives]") {
    const auto bytes = [](std::size_t n) { return std::vector<std::byte>(n, std::byte{0x0E}); };
    std::int64_t i = 7;
    CHECK(decodeInt(bytes(9), i) == Decoded::malformed);
    CHECK(i == 7);
    std::uint64_t u = 7;
    CHECK(decodeUInt(bytes(300), u) == Decoded::malformed);
    CHECK(u == 7);
    Real r{7, 7};
    for (const char* bad : {"1f01", "2401", "3f01", "0e010203040506070809"}) {
        CHECK(decodeReal(unhex(bad), r) == Decoded::malformed);
        CHECK(r == Real{7, 7});
    }
    Time t{1, 2, 3, 4, 5, 6};
    for (const std::size_t n : {1u, 4u, 6u, 9u})
        CHECK(decodeTime(bytes(n), t) == Decoded::malformed);
    CHECK(t == Time{1, 2, 3, 4, 5, 6});
    std::uint16_t e = 7;
    CHECK(decodeEnum(bytes(3), e) == Decoded::malformed);
    CHECK(e == 7);
    Qos q{1, 1, true, 2, 3};
    CHECK(decodeQos(unhex("62"), q) == Decoded::malformed);
    CHECK(q == Qos{1, 1, true, 2, 3});
}

TEST_CASE("blank primitives hold their blank value", "[codec][primitives]") {
    std::int64_t i = 7;
    CHECK(decodeInt({}, i) == Decoded::blank);
    CHECK(i == 0);
    Real r{7, 7};
    for (const char* blank : {"", "20", "0e", "2001", "e0"}) {
        CHECK(decodeReal(unhex(blank), r) == Decoded::blank);
        CHECK(r == Real{});
    }
    Time t;
    for (const char* blank : {"", "ffff", "ffffff", "ffffffffff", "ffffffffff07ff", "ffffffffff3fffff"}) {
        CHECK(decodeTime(unhex(blank), t) == Decoded::blank);
        CHECK(t.blank());
    }
    // One member short of blank is a value.
    CHECK(decodeTime(unhex("ffffffffff3ffffe"), t) == Decoded::value);
    CHECK(decodeTime(unhex("ffffffff00"), t) == Decoded::value);
    CHECK(decodeTime(unhex("ffffffffff07fe"), t) == Decoded::value);
    DateTime d;
    CHECK(decodeDateTime({}, d) == Decoded::blank);
    CHECK(d.blank());
    CHECK(decodeDateTime(unhex("00000000ffff"), d) == Decoded::blank);
    CHECK(decodeDateTime(unhex("010107d0ffff"), d) == Decoded::value);
    CHECK(d.time.blank());
    CHECK(decodeDateTime(unhex("000000000000"), d) == Decoded::value);
}

TEST_CASE("the two top bits of a Real's hint byte are ignored", "[codec][primitives]") {
    Real r;
    CHECK(decodeReal(unhex("cc3ab1"), r) == Decoded::value);
    CHECK(r == Real{15025, 12});
    CHECK(decodeReal(unhex("a1ff"), r) == Decoded::value);
    CHECK(r == Real{0, Real::kInfinity});
}

TEST_CASE("calendar and clock", "[codec][primitives]") {
    CHECK(isValid(Date{29, 2, 2024}));
    CHECK(isValid(Date{29, 2, 2000}));
    CHECK_FALSE(isValid(Date{29, 2, 1900}));
    CHECK_FALSE(isValid(Date{31, 4, 2025}));
    CHECK(isValid(Date{31, 0, 2025}));
    CHECK_FALSE(isValid(Date{1, 13, 2025}));
    CHECK(isValid(Time{23, 59, 60, 999, 999, 999}));
    CHECK_FALSE(isValid(Time{24, 0, 0, 0, 0, 0}));
    CHECK(isValid(Time::blankTime()));
    CHECK(isValid(Time{12, 30, 255, 65535, 2047, 2047}));
    CHECK_FALSE(isValid(Time{12, 255, 0, 65535, 2047, 2047}));
}

TEST_CASE("type numbers and names", "[codec][primitives]") {
    CHECK(baseType(static_cast<DataType>(1)) == DataType::Int);
    CHECK(baseType(static_cast<DataType>(2)) == DataType::UInt);
    CHECK(baseType(static_cast<DataType>(7)) == DataType::Real);
    CHECK(baseType(DataType::DateTime12) == DataType::DateTime);
    CHECK(baseType(DataType::FieldList) == DataType::FieldList);
    CHECK(std::string(name(DataType::RmtesString)) == "RmtesString");
    CHECK(std::string(name(static_cast<DataType>(200))) == "Unknown");
}
