// Text forms against the conversion vectors, and what the vectors leave out.
#include "eta/codec/model/json.h"
#include "eta/codec/primitives.h"
#include "eta/codec/text.h"
#include "eta/core/printable.h"
#include "support/catch.hpp"

#include <cmath>

using namespace emissary::eta;
using namespace emissary::eta::codec;
using namespace emissary::eta::codec::model;

namespace {

/// What a reader returned, in the form of a vector's value.
[[nodiscard]] std::string outcome(Decoded d, Value v) {
    if (d == Decoded::malformed) return "malformed";
    v.blank = d == Decoded::blank;
    return dump(v);
}

[[nodiscard]] std::string expected(const Vector& v) {
    if (!v.error.empty()) return "malformed";
    Value value = *v.value;
    // A blank time is spelled out as its markers in some vectors.
    const bool blankTime = value.type == DataType::Time && value.dateTime.time.blank();
    const bool blankBoth = value.type == DataType::DateTime && value.dateTime.blank();
    value.blank = value.blank || blankTime || blankBoth;
    return dump(value);
}

void checkReal(const Vector& v, TextBuffer& buffer) {
    if (v.op == "realOut") {
        const Real real = v.value->blank ? Real{} : v.value->real;
        if (!v.value->blank) CHECK(toText(real, buffer) == v.text);
        if (!v.doubleBits) return;
        const double d = toDouble(real);
        if (std::isnan(d)) CHECK(std::isnan(std::bit_cast<double>(*v.doubleBits)));
        else CHECK(std::bit_cast<std::uint64_t>(d) == *v.doubleBits);
        return;
    }
    Value got;
    got.type = DataType::Real;
    if (v.op == "realFromString") {
        const Decoded d = parseReal(v.in, got.real);
        CHECK(outcome(d, got) == expected(v));
        return;
    }
    const bool done = fromDouble(std::bit_cast<double>(*v.inBits), v.hint, got.real);
    CHECK(done == v.error.empty());
    if (done) CHECK(dump(got) == dump(*v.value));
}

void checkDate(const Vector& v, TextBuffer& buffer) {
    Value got;
    if (v.op == "dateOut") {
        CHECK(toText(v.value->dateTime.date, buffer) == v.text);
        CHECK(toIsoText(v.value->dateTime.date, buffer) == v.iso);
        if (v.valid) CHECK(isValid(v.value->dateTime.date) == *v.valid);
    } else if (v.op == "timeOut") {
        CHECK(toText(v.value->dateTime.time, buffer) == v.text);
        CHECK(toIsoText(v.value->dateTime.time, buffer) == v.iso);
        if (v.valid) CHECK(isValid(v.value->dateTime.time) == *v.valid);
    } else if (v.op == "dateTimeOut") {
        CHECK(toText(v.value->dateTime, buffer) == v.text);
        CHECK(toIsoText(v.value->dateTime, buffer) == v.iso);
    } else if (v.op == "dateFromString") {
        got.type = DataType::Date;
        const Decoded d = parseDate(v.in, got.dateTime.date);
        CHECK(outcome(d, got) == expected(v));
    } else if (v.op == "timeFromString") {
        got.type = DataType::Time;
        const Decoded d = parseTime(v.in, got.dateTime.time);
        CHECK(outcome(d, got) == expected(v));
    } else if (v.op == "dateTimeFromString") {
        got.type = DataType::DateTime;
        const Decoded d = parseDateTime(v.in, got.dateTime);
        CHECK(outcome(d, got) == expected(v));
    } else {
        FAIL("no such conversion: " << v.op);
    }
}

}  // namespace

TEST_CASE("conversion vectors", "[codec][text]") {
    const auto count = forEachVector("convert.jsonl", [](const Vector& v) {
        INFO(v.name << " '" << v.in << "'");
        TextBuffer buffer;
        if (v.op == "floatOut") {
            CHECK(toText(std::bit_cast<float>(static_cast<std::uint32_t>(v.value->bits)), buffer) == v.text);
        } else if (v.op == "doubleOut") {
            CHECK(toText(std::bit_cast<double>(v.value->bits), buffer) == v.text);
        } else if (v.op.starts_with("real")) {
            checkReal(v, buffer);
        } else {
            checkDate(v, buffer);
        }
    });
    CHECK(count == 452);
}

TEST_CASE("printed forms of the primitive vectors", "[codec][text]") {
    std::size_t printed = 0;
    forEachVector("primitives.jsonl", [&printed](const Vector& v) {
        if (!v.str || v.value->blank) return;
        INFO(v.name);
        TextBuffer buffer;
        ++printed;
        switch (v.type) {
        case DataType::Int:
            CHECK(toText(static_cast<std::int64_t>(v.value->bits), buffer) == *v.str);
            break;
        case DataType::UInt:
        case DataType::Enum:
            CHECK(toText(v.value->bits, buffer) == *v.str);
            break;
        case DataType::Float:
            CHECK(toText(std::bit_cast<float>(static_cast<std::uint32_t>(v.value->bits)), buffer) == *v.str);
            break;
        case DataType::Double:
            CHECK(toText(std::bit_cast<double>(v.value->bits), buffer) == *v.str);
            break;
        case DataType::Real:
            CHECK(toText(v.value->real, buffer) == *v.str);
            break;
        case DataType::Date:
            CHECK(toText(v.value->dateTime.date, buffer) == *v.str);
            break;
        case DataType::Time:
            CHECK(toText(v.value->dateTime.time, buffer) == *v.str);
            break;
        case DataType::DateTime:
            // With a blank time these vectors print no separator; the conversion vectors and rwf.md 6.4 do.
            CHECK(toText(v.value->dateTime, buffer) == *v.str + (v.value->dateTime.time.blank() ? " " : ""));
            break;
        case DataType::Qos:
            CHECK(toText(v.value->qos, buffer) == *v.str);
            break;
        case DataType::State: {
            const State& state = v.value->state;
            CHECK(std::string("State: ") + streamStateName(state.stream) + "/" + dataStateName(state.data) + "/" +
                      stateCodeName(state.code) + " - text: \"" + v.value->bytes + "\"" ==
                  *v.str);
            break;
        }
        default:
            --printed;
            break;
        }
    });
    CHECK(printed == 120);
}

TEST_CASE("reals at the edges of their range", "[codec][text]") {
    TextBuffer buffer;
    constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
    CHECK(toText(Real{lowest, 14}, buffer) == "-9223372036854775808");
    CHECK(toText(Real{lowest, 0}, buffer) == "-92233.72036854775808");
    CHECK(toText(Real{lowest, 21}, buffer) == "-92233720368547758080000000");
    CHECK(toText(Real{lowest, 30}, buffer) == "-36028797018963968");
    CHECK(toText(Real{0, 32}, buffer).empty());
    CHECK(toText(Real{-1, 24}, buffer) == "-1/4");
    CHECK(toText(Real{2, 25}, buffer) == "2/8");

    Real r{1, 1};
    CHECK(parseReal("-9223372036854775808", r) == Decoded::value);
    CHECK(r == Real{lowest, 14});
    for (const char* bad : {"9223372036854775808", "1.", ".", "-", "1 2", "1/", "1/512", "1/0", "1/2/4", "1e5", "12a",
                            "3 1/2 ,", "--1", "+", "18446744073709551617", "0 18446744073709551615/256"}) {
        INFO(bad);
        r = Real{7, 7};
        CHECK(parseReal(bad, r) == Decoded::malformed);
        CHECK(r == Real{7, 7});
    }
    CHECK(parseReal("-3 1/2", r) == Decoded::value);
    CHECK(r == Real{-7, 23});
    CHECK(parseReal("+.5", r) == Decoded::value);
    CHECK(r == Real{5, 13});

    CHECK_FALSE(fromDouble(1e19, 14, r));
    CHECK_FALSE(fromDouble(-1e19, 14, r));
    CHECK_FALSE(fromDouble(9223372036854775808.0, 14, r));
    CHECK_FALSE(fromDouble(1, 31, r));
    CHECK(fromDouble(-9223372036854775808.0, 14, r));
    CHECK(r == Real{lowest, 14});
    CHECK(fromDouble(2.5, 14, r));
    CHECK(r.mantissa == 3);
    CHECK(fromDouble(-2.5, 14, r));
    CHECK(r.mantissa == -3);
    CHECK(fromDouble(-HUGE_VAL, 63, r));
    CHECK(r == Real{0, Real::kNegInfinity});
}

TEST_CASE("a double becomes the nearest Real", "[codec][text]") {
    const auto mantissa = [](double v, int hint) {
        Real r;
        REQUIRE(fromDouble(v, static_cast<std::uint8_t>(hint), r));
        CHECK(int{r.hint} == hint);
        return r.mantissa;
    };
    CHECK(mantissa(4324.920024907418, 2) == 4324920024907418);
    CHECK(mantissa(4503599627370497.0, 14) == 4503599627370497);
    CHECK(mantissa(9007199254740991.0, 14) == 9007199254740991);
    CHECK(mantissa(9223372036854774784.0, 14) == 9223372036854774784);
    CHECK(mantissa(0.49999999999999994, 14) == 0);
    CHECK(mantissa(-0.49999999999999994, 14) == 0);
    CHECK(mantissa(0.5, 14) == 1);
    CHECK(mantissa(-0.5, 14) == -1);
    CHECK(mantissa(1.5, 14) == 2);
    CHECK(mantissa(-1.5, 14) == -2);
    CHECK(mantissa(-0.0, 0) == 0);
    CHECK(mantissa(0.125, 12) == 13);
    CHECK(mantissa(-0.125, 12) == -13);
    CHECK(mantissa(3.3, 0) == 330'000'000'000'000);
    CHECK(mantissa(0.1, 0) == 10'000'000'000'000);
    CHECK(mantissa(5.1e-15, 0) == 1);
    CHECK(mantissa(4.9e-15, 0) == 0);
    CHECK(mantissa(5e-324, 0) == 0);
    CHECK(mantissa(25.0, 15) == 3);
    CHECK(mantissa(-25.0, 15) == -3);
    CHECK(mantissa(24.999999999999996, 15) == 2);
    CHECK(mantissa(5'000'000.0, 21) == 1);
    CHECK(mantissa(4'999'999.999999999, 21) == 0);
    CHECK(mantissa(9.2233720368547748e25, 21) > 9'223'372'036'854'774'000);
    CHECK(mantissa(1.0 / 512, 30) == 1);
    CHECK(mantissa(-3.25, 24) == -13);
    // Against arithmetic in numbers that are wide enough.
    std::uint64_t seed = 1;
    for (int i = 0; i < 20000; ++i) {
        seed = seed * 6364136223846793005 + 1442695040888963407;
        const double v = static_cast<double>(static_cast<std::int64_t>(seed) >> 20) / 1048576.0 / (i % 7 + 1);
        for (int decimals = 0; decimals <= 4; ++decimals) {
            const long double exact = static_cast<long double>(v) * std::pow(10.0L, decimals);
            if (std::fabs(exact) > 1e15L) continue;  // else the product may be rounded
            const long double rest = std::fabs(exact - std::trunc(exact));
            if (std::fabs(rest - 0.5L) < 1e-3L) continue;
            CHECK(mantissa(v, 14 - decimals) == std::llround(exact));
        }
    }
    Real r;
    CHECK_FALSE(fromDouble(92233.7203685478, 0, r));
    CHECK_FALSE(fromDouble(1.7976931348623157e308, 21, r));
    CHECK_FALSE(fromDouble(9.3e25, 21, r));
    CHECK_FALSE(fromDouble(9223372036854775808.0, 30, r));
}

TEST_CASE("dates and times that are read with care", "[codec][text]") {
    Date d;
    for (const char* bad : {"2025-13", "2025-02-30", "1900-02-29", "17 mar 2025", "17 MAR", "2025-", "20250",
                            "1/2/2025", "--13-01", "12345678901"}) {
        INFO(bad);
        CHECK(parseDate(bad, d) == Decoded::malformed);
    }
    CHECK(parseDate("03/17/99", d) == Decoded::value);
    CHECK(d == Date{17, 3, 1999});
    CHECK(parseDate("9 SEP   99", d) == Decoded::value);
    CHECK(d == Date{9, 9, 99});  // the year 99, right-aligned as it is printed
    CHECK(parseDate("5 DEC 24", d) == Decoded::value);
    CHECK(d == Date{5, 12, 1924});
    CHECK(parseDate("05 DEC 99", d) == Decoded::value);
    CHECK(d == Date{5, 12, 1999});
    CHECK(parseDate("05 DEC 0024", d) == Decoded::value);
    CHECK(d == Date{5, 12, 24});
    CHECK(parseDate("12/05/24", d) == Decoded::value);
    CHECK(d == Date{5, 12, 1924});
    TextBuffer buffer;
    CHECK(parseDate(toText(Date{5, 12, 24}, buffer), d) == Decoded::value);
    CHECK(d == Date{5, 12, 24});

    Time t;
    for (const char* bad : {"24:00", "12:60", "12:30:61", "1:30", "12", "12:30:15.", "12:30:15.1234567890",
                            "12:30:15:5", "12:30 15", "12:30:15+1", "123", "12:30:15Zx"}) {
        INFO(bad);
        CHECK(parseTime(bad, t) == Decoded::malformed);
    }
    CHECK(parseTime("12:30:15.000000001+01:30", t) == Decoded::value);
    CHECK(t == Time{12, 30, 15, 0, 0, 1});

    DateTime dt;
    CHECK(parseDateTime("T12:30", dt) == Decoded::value);
    CHECK(dt == DateTime{{}, {12, 30, 0, 0, 0, 0}});
    CHECK(parseDateTime("01 OCT 2025 12:30", dt) == Decoded::value);
    CHECK(dt == DateTime{{1, 10, 2025}, {12, 30, 0, 0, 0, 0}});
    CHECK(parseDateTime("5 DEC 24 12:30", dt) == Decoded::value);
    CHECK(dt == DateTime{{5, 12, 1924}, {12, 30, 0, 0, 0, 0}});
    CHECK(parseDateTime("5 DEC 24", dt) == Decoded::value);
    CHECK(dt == DateTime{{5, 12, 1924}, Time::blankTime()});
    CHECK(parseDateTime("2025-03-17", dt) == Decoded::value);
    CHECK(dt == DateTime{{17, 3, 2025}, Time::blankTime()});
    CHECK(parseDateTime("T", dt) == Decoded::malformed);
    CHECK(parseDateTime("2025-03-17T25:00", dt) == Decoded::malformed);
}

TEST_CASE("values that no clock shows still print within the buffer", "[codec][text]") {
    TextBuffer buffer;
    const DateTime odd{{31, 12, 65535}, {254, 254, 254, 65534, 2046, 2046}};
    CHECK(toText(odd, buffer) == "31 DEC 65535 254:254:254:65534:2046:2046");
    CHECK(toText(Qos{7, 15, true, 65535, 65535}, buffer) ==
          "Qos: Unknown/Unknown/Dynamic - timeInfo: 65535 - rateInfo: 65535");
    CHECK(std::string(streamStateName(31)) == "Unknown");
    CHECK(std::string(stateCodeName(200)).empty());
    CHECK(std::string(stateCodeName(35)) == "Application Authorization failed");
}

TEST_CASE("text from outside is made visible", "[codec][text]") {
    CHECK(printable("plain, with 100 % of it") == "plain, with 100 % of it");
    CHECK(printable("\x1b[2J\x07\x7f") == "\\x1B[2J\\x07\\x7F");
    CHECK(printable(std::string_view("a\0b", 3)) == "a\\x00b");
    CHECK(printable("one\ntwo\tthree\r") == "one\\x0Atwo\\x09three\\x0D");
    CHECK(printable("one\ntwo\tthree\r", LineBreaks::kept) == "one\ntwo\tthree\\x0D");
    CHECK(printable("gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80") ==
          "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80");
    CHECK(printable("\xc2\x9b") == "\\xC2\\x9B");  // a control sequence introducer of 8 bits
    CHECK(printable("\x9b"
                    "1m") == "\\x9B"
                             "1m");  // the same outside of UTF-8
    CHECK(printable("\xc0\xaf\xff\xe2\x82") == "\\xC0\\xAF\\xFF\\xE2\\x82");
    CHECK(printable("\xed\xa0\x80") == "\\xED\\xA0\\x80");  // half a surrogate pair
}

TEST_CASE("Plain text is told from any other, whatever its length and wherever the other byte stands",
          "[codec][text]") {
    CHECK(isPlain({}));
    for (std::size_t length = 1; length <= 40; ++length) {
        std::string text(length, ' ');
        for (std::size_t i = 0; i < length; ++i)
            text[i] = static_cast<char>(' ' + (i * 31 + length) % 0x5F);
        REQUIRE(isPlain(text));
        for (std::size_t at = 0; at < length; ++at) {
            const char kept = text[at];
            for (unsigned byte = 0; byte < 256; ++byte) {
                text[at] = static_cast<char>(byte);
                INFO(length << " bytes, byte " << byte << " at " << at);
                REQUIRE(isPlain(text) == (byte >= ' ' && byte <= '~'));
            }
            text[at] = kept;
        }
    }
    // Neighbours of all kinds: what one byte borrows or carries must not hide the next.
    for (unsigned first = 0; first < 256; ++first)
        for (unsigned second = 0; second < 256; ++second) {
            const std::string text = {'a', 'b', static_cast<char>(first), static_cast<char>(second), 'c', 'd',
                                      'e', 'f'};
            const auto plain = [](unsigned byte) { return byte >= ' ' && byte <= '~'; };
            REQUIRE(isPlain(text) == (plain(first) && plain(second)));
        }
}
