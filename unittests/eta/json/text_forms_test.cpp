// Numbers as text, beside a plain way of writing them, and what is not touched beyond their room; fields at the ends of
// lists.
#include "json/text_forms.h"

#include "eta/core/copy_short.h"
#include "eta/core/json_escapes.h"
#include "support.h"
#include "support/catch.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <random>
#include <string>
#include <string_view>
#include <vector>

using namespace emissary::eta;
using codec::Real;

namespace {

/// What `put` writes into room of that size, which nothing may be written behind.
template <std::size_t Room, class Put>
std::string textOf(Put put) {
    std::array<char, Room + 8> buffer;
    buffer.fill('\x7F');
    const std::string text(buffer.data(), put(buffer.data()));
    CHECK(std::all_of(buffer.end() - 8, buffer.end(), [](char c) { return c == '\x7F'; }));
    return text;
}

/// The digits with a point in their place, or with zeros behind them; fractions of two by doubling.
std::string plainText(const Real& v) {
    if (v.mantissa == 0) return "0";
    const std::string sign = v.mantissa < 0 ? "-" : "";
    const std::uint64_t m =
        v.mantissa < 0 ? 0 - static_cast<std::uint64_t>(v.mantissa) : static_cast<std::uint64_t>(v.mantissa);
    std::string text = std::to_string(m);
    if (v.hint <= 14) {
        const std::size_t decimals = 14U - v.hint;
        if (decimals == 0) return sign + text;
        if (text.size() <= decimals) text.insert(0, decimals + 1 - text.size(), '0');
        return sign + text.insert(text.size() - decimals, ".");
    }
    if (v.hint <= 21) return sign + text + std::string(v.hint - 14U, '0');
    const unsigned bits = v.hint - 22U;
    text = std::to_string(m >> bits);
    unsigned rest = static_cast<unsigned>(m & ((1U << bits) - 1));
    if (rest != 0) text += '.';
    for (; rest != 0; rest = rest * 10 & ((1U << bits) - 1))
        text += std::to_string(rest * 10 >> bits);
    return sign + text;
}

}  // namespace

TEST_CASE("reals are written as digits with a point in its place", "[json]") {
    std::mt19937_64 random(7);
    for (std::uint8_t hint = 0; hint <= 30; ++hint) {
        for (int i = 0; i < 2000; ++i) {
            Real v;
            v.hint = hint;
            v.mantissa = static_cast<std::int64_t>(random() >> random() % 64);
            if (random() % 2 == 0) v.mantissa = -v.mantissa;
            if (i == 0) v.mantissa = INT64_MIN;
            if (i == 1) v.mantissa = INT64_MAX;
            if (i == 2) v.mantissa = 0;
            const auto put = [&v](char* to) { return json::putReal(to, v); };
            if (textOf<json::kRealRoom>(put) != plainText(v))
                FAIL(int{hint} << ", " << v.mantissa << ": " << textOf<json::kRealRoom>(put));
        }
    }
}

TEST_CASE("integers are written in the digits that they have", "[json]") {
    std::uint64_t power = 1;
    for (int digits = 0; digits < 20; ++digits, power *= 10) {
        for (const std::uint64_t v : {power - 1, power, power + 1, ~std::uint64_t{0}}) {
            CHECK(textOf<json::kDigitsRoom>([v](char* to) { return json::putDigits(to, v); }) == std::to_string(v));
            const auto s = std::bit_cast<std::int64_t>(v);
            CHECK(textOf<json::kSignedRoom>([s](char* to) { return json::putSigned(to, s); }) == std::to_string(s));
        }
    }
}

TEST_CASE("short copies touch what they copy and nothing else", "[json]") {
    const std::string from = "abcdefghijklmnopqrstuvwxyzABCDEF";
    for (std::size_t n = 0; n <= kShortCopy; ++n) {
        std::string to(kShortCopy + 2, '.');
        CHECK(copyShort(to.data() + 1, from.data(), n) == to.data() + 1 + n);
        CHECK(to == "." + from.substr(0, n) + std::string(kShortCopy + 1 - n, '.'));
    }
}

TEST_CASE("short texts are equal when every character is", "[json]") {
    for (std::size_t n = 0; n <= kShortCopy; ++n) {
        const std::string text = std::string("abcdefghijklmnopqrstuvwxyzABCDEF").substr(0, n);
        CHECK(equalShort(text, std::string(text)));
        CHECK_FALSE(equalShort(text, text + "x"));
        for (std::size_t at = 0; at < n; ++at) {
            std::string other = text;
            other[at] = '#';
            CHECK_FALSE(equalShort(text, other));
        }
    }
}

TEST_CASE("a text is plain when a JSON string has it as it is", "[json]") {
    for (std::size_t length = 1; length <= 20; ++length)
        for (std::size_t at = 0; at < length; ++at)
            for (int c = 0; c < 256; ++c) {
                std::string text(length, 'x'), quoted;
                text[at] = static_cast<char>(c);
                appendJsonString(quoted, text);
                const bool plain = quoted == '"' + text + '"' && c < 0x80;
                if (isPlainJson(text) != plain) FAIL(c << " at " << at << " of " << length);
            }
    CHECK(isPlainJson(""));
}

// The last bytes of a list are read from a copy: the same text comes out wherever in its list a field stands.
TEST_CASE("a field has the same text at the end of its list and before others", "[json]") {
    json::Converter converter = json_test::plain();
    converter.options().expandEnums = true;
    const auto textOf = [&](const std::string& fields) {
        GrowingBuffer rwf, out;
        const std::string text = R"({"ID":5,"Type":"Update","UpdateType":"Quote","Fields":{)" + fields + "}}";
        INFO(text);
        REQUIRE(converter.start(text));
        REQUIRE(converter.next(rwf.start()) == json::Inbound::message);
        const std::vector<std::byte> message(rwf.view().begin(), rwf.view().end());
        REQUIRE(converter.toJson(message, out.start()).ok());
        CHECK(asText(out.view()) == text);
    };
    const std::string behind = R"(,"PREF_LINK":"longer than what a copy may take")";
    for (const char* const field : {R"("BID":12.5075)",
                                    R"("BID":-0.5)",
                                    R"("BID":99999999)",
                                    R"("BID":100000000)",
                                    R"("BID":0.00000012)",
                                    R"("BID":null)",
                                    R"("BID":0)",
                                    R"("BID":"Inf")",
                                    R"("PROD_PERM":0)",
                                    R"("PROD_PERM":9)",
                                    R"("PROD_PERM":12345678)",
                                    R"("PROD_PERM":18446744073709551615)",
                                    R"("SENTIMENT":-1)",
                                    R"("SENTIMENT":-9000)",
                                    R"("SENTIMENT":-9223372036854775808)",
                                    R"("SENTIMENT":null)",

                                    R"("TIMACT":"09:30:00")",
                                    R"("TIMACT":"09:30:00.5")",
                                    R"("TIMACT":"09:30:00.05")",
                                    R"("TIMACT":"09:30:00.042")",
                                    R"("QUOTIM_NS":"23:59:59.000001")",
                                    R"("TIMACT":null)",
                                    R"("TRADE_DATE":"2024-02-29")",
                                    R"("TRADE_DATE":"2024-02")",
                                    R"("TRADE_DATE":null)",
                                    R"("DSPLY_NAME":"A")",
                                    R"("DSPLY_NAME":"ABCDEFGH")",
                                    R"("DSPLY_NAME":"ABCDEFGHI")",
                                    R"("DSPLY_NAME":"A\"B")",
                                    R"("DSPLY_NAME":null)",
                                    R"("PREF_LINK":"\\")",
                                    R"("CURRENCY":"EUR")",
                                    R"("CURRENCY":999)",
                                    R"("RDN_EXCHID":"NAS")",
                                    R"("REG_FIELD1":"AAEC")",
                                    R"("REG_FIELD1":null)"}) {
        textOf(field);
        textOf(field + behind);
        textOf(field + std::string(",") + field);
    }
}

TEST_CASE("no form of a value takes more room than is said, whatever the value is", "[json]") {
    std::mt19937_64 random(3);
    // Mostly what has many digits.
    const auto any = [&](std::uint64_t most) {
        const std::uint64_t v = random();
        return v % 4 == 0   ? most
               : v % 4 == 1 ? most - random() % 10
               : v % 4 == 2 ? random() % (most | 1)
                            : random() % 12;
    };
    const auto tried = [](std::size_t room, const auto& put) {
        std::array<char, 128> place;
        place.fill('~');
        const char* const end = put(place.data());
        REQUIRE(end <= place.data() + room);
        REQUIRE(std::all_of(place.begin() + static_cast<std::ptrdiff_t>(room), place.end(),
                            [](char c) { return c == '~'; }));
    };
    for (int i = 0; i < 200'000; ++i) {
        const std::uint64_t v = any(~0ull);
        tried(json::kDigitsRoom, [&](char* to) { return json::putDigits(to, v); });
        tried(json::kSignedRoom, [&](char* to) { return json::putSigned(to, static_cast<std::int64_t>(v)); });
        codec::Real real;
        real.mantissa = static_cast<std::int64_t>(any(~0ull) >> random() % 64);
        real.hint = static_cast<std::uint8_t>(random() % 36);
        tried(json::kRealRoom, [&](char* to) { return json::putReal(to, real); });
        codec::Date date;
        date.year = static_cast<std::uint16_t>(any(65'535));
        date.month = static_cast<std::uint8_t>(any(255));
        date.day = static_cast<std::uint8_t>(any(255));
        tried(json::kDateRoom, [&](char* to) { return json::putDate(to, date); });
        codec::Time time;
        time.hour = static_cast<std::uint8_t>(any(255));
        time.minute = static_cast<std::uint8_t>(any(255));
        time.second = static_cast<std::uint8_t>(any(255));
        time.millisecond = static_cast<std::uint16_t>(any(65'535));
        time.microsecond = static_cast<std::uint16_t>(any(65'535));
        time.nanosecond = static_cast<std::uint16_t>(any(65'535));
        tried(json::kTimeRoom, [&](char* to) { return json::putTime(to, time); });
    }
}

TEST_CASE("the longest address of a poster is written whole", "[json]") {
    codec::Msg post;
    post.cls = codec::MsgClass::Post;
    post.streamId = 5;
    post.domain = 6;
    post.containerType = codec::DataType::NoData;
    post.postUserAddress = 0xFFFF'FFFF;
    post.postUserId = 7;
    std::array<std::byte, 200> message, text;
    BeWriter encoded(message), out(text);
    REQUIRE(codec::encodeMsg(encoded, post).ok());
    json::Converter converter;
    REQUIRE(converter.toJson(Bytes(message).first(encoded.size()), out).ok());
    CHECK_THAT(std::string(asText(Bytes(text).first(out.size()))), Catch::Contains("\"Address\":\"255.255.255.255\""));
}
