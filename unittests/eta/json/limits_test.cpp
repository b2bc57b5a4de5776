// Hostile and odd input: limits, truncation at every byte, wrong types everywhere, no allocation in steady state.
#include "eta/codec/containers.h"
#include "support.h"
#include "support/AllocationCounter.h"
#include "support/catch.hpp"

#include <random>

#include <malloc.h>

using namespace json_test;

namespace {

std::string repeated(const std::string& part, std::size_t times) {
    std::string out;
    for (std::size_t i = 0; i < times; ++i)
        out += part;
    return out;
}

const std::string kUpdate = R"({"ID":5,"Type":"Update","Fields":{)";

}  // namespace

TEST_CASE("texts nest 64 levels and no more", "[json][limits]") {
    auto converter = plain();
    const auto nested = [](std::size_t levels) {
        return R"({"ID":5,"Type":"Generic","Json":)" + repeated("[", levels) + repeated("]", levels) + "}";
    };
    CHECK(convert(converter, nested(63)).failure == "");
    CHECK(convert(converter, nested(64)).failure == "ParseError");
    CHECK(convert(converter, nested(100'000)).failure == "ParseError");
    CHECK(convert(converter, repeated(R"({"a":)", 100'000)).failure == "ParseError");
}

TEST_CASE("RWF nests 16 levels: deeper JSON is refused, deeper RWF too", "[json][limits]") {
    auto converter = plain();
    const auto lists = [](std::size_t levels) {
        return R"({"ID":5,"Type":"Generic","Elements":)" + repeated(R"({"e":{"Type":"ElementList","Data":)", levels) +
               "{}" + repeated("}}", levels) + "}";
    };
    const Conversion good = convert(converter, lists(14));
    REQUIRE(good.failure == "");
    CHECK(codec::validate(unhex(good.messages.at(0)), codec::DataType::Msg).ok());
    CHECK(convert(converter, lists(15)).failure == "EncodeError");
    CHECK(difference(parseJson(lists(14)), parseJson(toText(converter, unhex(good.messages[0])))) == "");
}

TEST_CASE("numbers are no longer than 64 characters", "[json][limits]") {
    auto converter = plain();
    const auto text = [](const std::string& number) { return kUpdate + "\"BID\":" + number + "}}"; };
    CHECK(convert(converter, text("1." + repeated("0", 62))).failure == "");
    CHECK(convert(converter, text("1." + repeated("0", 63))).failure == "ParseError");
}

TEST_CASE("what no integer member can hold is refused, never cut", "[json][limits]") {
    auto converter = plain();
    const auto refused = [&](const std::string& members) {
        INFO(members);
        CHECK(convert(converter, "{" + members + "}").failure != "");
    };
    const auto taken = [&](const std::string& members) {
        INFO(members);
        CHECK(convert(converter, "{" + members + "}").failure == "");
    };
    taken(R"("ID":2147483647,"Type":"Close")");
    refused(R"("ID":2147483648,"Type":"Close")");
    taken(R"("ID":-2147483648,"Type":"Close")");
    refused(R"("ID":-2147483649,"Type":"Close")");
    refused(R"("ID":18446744073709551621,"Type":"Close")");
    taken(R"("ID":1,"Type":"Generic","SeqNumber":4294967295)");
    refused(R"("ID":1,"Type":"Generic","SeqNumber":4294967296)");
    refused(R"("ID":1,"Type":"Generic","SeqNumber":-1)");
    taken(R"("ID":1,"Type":"Generic","PartNumber":32767)");
    refused(R"("ID":1,"Type":"Generic","PartNumber":32768)");
    taken(R"("ID":1,"Type":"Generic","Domain":255)");
    refused(R"("ID":1,"Type":"Generic","Domain":256)");
    taken(R"("ID":1,"Key":{"Service":65535})");
    refused(R"("ID":1,"Key":{"Service":65536})");
    taken(R"("ID":1,"Key":{"Filter":4294967295})");
    refused(R"("ID":1,"Key":{"Filter":4294967296})");
    refused(R"("ID":1,"Key":{"Identifier":2147483648})");
    refused(R"("ID":1,"Type":"Update","Fields":{"PROD_PERM":18446744073709551616})");
    refused(R"("ID":1,"Type":"Update","Fields":{"PROD_PERM":-1})");
    refused(R"("ID":1,"Type":"Update","Fields":{"SENTIMENT":9223372036854775808})");
    refused(R"("ID":1,"Type":"Update","Fields":{"SENTIMENT":-9223372036854775809})");
    refused(R"("ID":1,"Type":"Update","Fields":{"CURRENCY":65536})");
    refused(R"("ID":1,"Type":"Update","Fields":{"BID":92233720368547758080000000001})");
    refused(R"("ID":1,"Type":"Update","Fields":{"BID":1e999999999999})");
    taken(R"("ID":1,"Type":"Update","Fields":{"BID":0e999999999999})");
    refused(R"("ID":1,"Type":"Update","Vector":{"Entries":[{"Index":1073741824,"Action":"Set"}]})");
    refused(R"("ID":1,"Type":"Update","Map":{"KeyType":"UInt","CountHint":1073741824})");
    refused(R"("ID":1,"Type":"Update","FilterList":{"Entries":[{"ID":256,"Action":"Set"}]})");
    refused(R"("ID":1,"Type":"Post","PostUserInfo":{"Address":"1.2.3.256","UserID":1})");
    refused(R"("ID":1,"Type":"Post","PostUserInfo":{"Address":"1.2.3","UserID":1})");
    refused(R"("ID":1,"Type":"Post","PostUserInfo":{"Address":"1.2.3.4.5","UserID":1})");
    refused(R"("ID":1,"Type":"Post","PostUserInfo":{"Address":4294967296,"UserID":1})");
    refused(R"("ID":1,"Key":{"Name":"A"},"View":[32768])");
    refused(R"("ID":1,"Key":{"Name":")" + std::string(256, 'x') + R"("})");
}

TEST_CASE("a key that is too long is refused by name, with what it may have", "[json][limits]") {
    auto converter = plain();
    const auto refusal = [&](const std::string& key) {
        std::array<std::byte, 70'000> room;
        BeWriter out(room);
        const std::string text = R"({"ID":1,"Domain":"Login","Key":{)" + key + "}}";
        REQUIRE(converter.start(text));
        return converter.next(out) == json::Inbound::failure ? converter.describeFailure() : "";
    };
    CHECK(refusal(R"("Name":")" + std::string(255, 'x') + R"(")") == "");
    const std::string name = refusal(R"("Name":")" + std::string(256, 'x') + R"(")");
    CHECK_THAT(name, Catch::Contains("a name has at most 255 bytes") && Catch::Contains("Key.Name"));
    const auto token = [](std::size_t bytes) {
        return R"("NameType":"AuthnToken","Elements":{"AuthenticationToken":")" + std::string(bytes, 't') + R"("})";
    };
    CHECK(refusal(token(32'000)) == "");
    const std::string longToken = refusal(token(33'000));
    CHECK_THAT(longToken, Catch::Contains("a key has at most 32743 bytes") && Catch::Contains("Key.Elements"));
    CHECK_THAT(longToken, !Catch::Contains("tttt"));
}

TEST_CASE("more entries than a container can count are refused", "[json][limits]") {
    auto converter = plain();
    const auto list = [](std::size_t n) {
        return R"({"ID":5,"Type":"Update","Map":{"KeyType":"UInt","Entries":[)" +
               repeated(R"({"Action":"Delete","Key":1},)", n - 1) + R"({"Action":"Delete","Key":1}]}})";
    };
    CHECK(convert(converter, list(65'535)).failure == "");
    CHECK(convert(converter, list(65'536)).failure == "EncodeError");
    // A value longer than its length prefix can say.
    CHECK(convert(converter, kUpdate + "\"PREF_LINK\":\"" + std::string(65'536, 'x') + "\"}}").failure ==
          "EncodeError");
}

TEST_CASE("texts beyond the transport's limit are refused", "[json][limits]") {
    auto converter = plain();
    const std::string message = R"({"ID":5,"Type":"Close"})";
    CHECK(convert(converter, message + std::string(6'291'456 - message.size(), ' ')).failure == "");
    CHECK(convert(converter, message + std::string(6'291'457 - message.size(), ' ')).failure == "ParseError");
    CHECK(convert(converter, "").failure == "ParseError");
    CHECK(convert(converter, "   ").failure == "ParseError");
}

TEST_CASE("everything that is not JSON is refused as such", "[json][limits]") {
    auto converter = plain();
    for (const std::string text : {"{",
                                   "}",
                                   "[",
                                   "]",
                                   "[}",
                                   "{]",
                                   "nul",
                                   "{\"ID\":5,}",
                                   "[{\"ID\":5,\"Type\":\"Close\"},]",
                                   "{\"ID\":05}",
                                   "{\"ID\":5.}",
                                   "{\"ID\":.5}",
                                   "{\"ID\":+5}",
                                   "{\"ID\":1e}",
                                   "{\"ID\":0x10}",
                                   "{\"ID\":NaN}",
                                   "{\"ID\":Inf}",
                                   "{\"ID\":5 \"Type\":5}",
                                   "{\"ID\" 5}",
                                   "{ID:5}",
                                   "{\"ID\":5}{\"ID\":6}",
                                   "{\"ID\":5} x",
                                   "{\"a\":tru}",
                                   "{\"a\":truex}",
                                   "{\"a\":nulll}",
                                   "{\"a\":\"\\q\"}",
                                   "{\"a\":\"\\u12\"}",
                                   "{\"a\":\"\n\"}",
                                   "{\"a\":\"",
                                   "{\"a\\",
                                   "\xEF\xBB\xBF{}",
                                   "{\"a\":\"\xFF\"}",
                                   "{\"a\":\"\xC0\x80\"}",
                                   "{\"a\":\"\xED\xA0\x80\"}",
                                   "{\"a\":1 2}",
                                   "[1 2]",
                                   "{\"a\"}",
                                   "{\"a\":}",
                                   "{,}",
                                   "[,]",
                                   "{\"a\":-}",
                                   "{\"a\":--1}",
                                   "{\"a\":1e+}",
                                   "\"x\"",
                                   "5",
                                   "null",
                                   "true"}) {
        INFO(text);
        const Conversion refused = convert(converter, text);
        CHECK(refused.failure == "ParseError");
        CHECK(parseJson(refused.reply).at("Type").text == "Error");
    }
}

TEST_CASE("strings of all kinds arrive as they are", "[json]") {
    auto converter = plain();
    const auto stored = [&](const std::string& text) {
        const Conversion got = convert(converter, kUpdate + "\"PREF_LINK\":\"" + text + "\"}}");
        INFO(text);
        REQUIRE(got.failure == "");
        const auto bytes = unhex(got.messages.at(0));
        codec::Msg m;
        REQUIRE(codec::decodeMsg(bytes, m).ok());
        codec::FieldListDecoder list;
        REQUIRE(list.start(m.payload).ok());
        codec::FieldEntry entry;
        REQUIRE(list.next(entry));
        return std::string(asText(entry.data));
    };
    CHECK(stored(R"(\"\\\/\b\f\n\r\t)") == "\"\\/\b\f\n\r\t");
    CHECK(stored(R"(\u0041\u00e9\u20ac\ud83d\ude00)") == "A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
    // Half a pair, as a program writes it that cuts a text within a character, costs this character.
    const std::string lost = "\xEF\xBF\xBD";
    CHECK(stored(R"(cut \ud83d)") == "cut " + lost);
    CHECK(stored(R"(\ude00 cut)") == lost + " cut");
    CHECK(stored(R"(\ud83d\u0041)") == lost + "A");
    CHECK(stored(R"(\ud83dx)") == lost + "x");
    CHECK(stored(R"(\ud83d\n)") == lost + "\n");
    CHECK(stored(R"(\ud83d\ud83d\ude00)") == lost + "\xF0\x9F\x98\x80");
    CHECK(stored("plain text of some length \\u0041 and more of it") == "plain text of some length A and more of it");
    CHECK(stored("\\\\") == "\\");
    CHECK(stored("1234567") == "1234567");
    CHECK(stored("12345678") == "12345678");
    CHECK(stored("1234567\\n") == "1234567\n");
}

TEST_CASE("octets that are not UTF-8 go out as replacement characters", "[json]") {
    auto converter = plain();
    const auto written = [&](const std::string& octets) {
        GrowingBuffer buffer;
        codec::Msg m;
        m.cls = codec::MsgClass::Ack;
        m.flags = codec::AckFlag::text;
        m.text = asBytes(octets);
        REQUIRE(codec::encodeMsg(buffer.start(), m).ok());
        return parseJson(toText(converter, buffer.view())).at("Text").text;
    };
    const std::string bad = "\xEF\xBF\xBD";
    CHECK(written("a\xFFz") == "a" + bad + "z");
    CHECK(written("\xC0\x80") == bad + bad);
    CHECK(written("\xE2\x82") == bad + bad);
    CHECK(written("\xED\xA0\x80") == bad + bad + bad);
    CHECK(written("\xF0\x9F\x98\x80") == "\xF0\x9F\x98\x80");
    CHECK(written("\xF4\x90\x80\x80") == bad + bad + bad + bad);
    CHECK(written(std::string("\0\x1f\x7f", 3)) == std::string("\0\x1f\x7f", 3));
}

TEST_CASE("a vector cut at every byte is refused or converted, never more", "[json][limits]") {
    auto converter = plain();
    std::size_t cuts = 0;
    forEachVector([&](const std::string&, const Json& line) {
        if (line.find("json") == nullptr) return;
        const std::string& text = line.at("json").source;
        for (std::size_t n = 0; n < text.size(); n += 1 + text.size() / 64) {
            const Conversion got = convert(converter, text.substr(0, n));
            CHECK(got.failure == "ParseError");
            ++cuts;
        }
        const Json& rwf = line.at("rwf");
        if (rwf.kind != Json::Kind::string || rwf.text.size() < 16) return;
        const auto bytes = unhex(rwf.text);
        GrowingBuffer out(16);
        for (std::size_t n = 0; n < bytes.size(); n += 1 + bytes.size() / 64) {
            const std::vector<std::byte> cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(n));
            if (converter.toJson(cut, out.start()).ok()) CHECK_NOTHROW(parseJson(std::string(asText(out.view()))));
            else CHECK(out.view().empty());
        }
    });
    CHECK(cuts > 10'000);
}

TEST_CASE("a value of any type in any place is refused or converted", "[json][limits]") {
    auto converter = plain();
    std::mt19937 random(20241);
    const std::vector<std::string> values{"null",
                                          "true",
                                          "-1",
                                          "1.5",
                                          "1e400",
                                          "\"\"",
                                          "\"x\"",
                                          "[]",
                                          "{}",
                                          "[null]",
                                          R"({"Type":"Map","Data":{}})",
                                          "[[1]]",
                                          "99999999999999999999"};
    std::size_t tried = 0;
    forEachVector([&](const std::string&, const Json& line) {
        if (line.find("json") == nullptr) return;
        const std::string& text = line.at("json").source;
        std::vector<std::pair<std::size_t, std::size_t>> places;  // every value behind a colon
        const std::function<void(const Json&)> walk = [&](const Json& v) {
            const std::size_t at = text.find(":" + v.source);
            if (at != std::string::npos) places.emplace_back(at + 1, v.source.size());
            for (const auto& [name, member] : v.members)
                walk(member);
            for (const Json& item : v.items)
                walk(item);
        };
        walk(line.at("json"));
        for (const auto& [at, length] : places) {
            const std::string changed =
                text.substr(0, at) + values[random() % values.size()] + text.substr(at + length);
            const Conversion got = convert(converter, changed);
            for (const std::string& message : got.messages)
                if (message.size() > 8) CHECK(codec::validate(unhex(message), codec::DataType::Msg).ok());
            ++tried;
        }
    });
    CHECK(tried > 3'000);
}

TEST_CASE("nothing is allocated once messages of the usual size have passed", "[json][allocation]") {
    auto converter = plain();
    const std::string text =
        R"([{"ID":5,"Type":"Update","Key":{"Service":260,"Name":"K","Elements":{"a":1}},"PermData":"AQID","Fields":)"
        R"({"BID":12.50,"TRDTIM_1":"07:08:09","CURRENCY":"USD","DSPLY_NAME":"Z\u00fcr","REG_FIELD1":"AAEC"}},)"
        R"({"ID":6,"Type":"Update","Map":{"KeyType":"UInt","Summary":{"Fields":{"BID":1}},"Entries":)"
        R"([{"Action":"Add","Key":1,"Fields":{"ASK":2}}]}}])";
    GrowingBuffer rwf(4096), out(4096);
    const auto round = [&] {
        int messages = 0;
        if (!converter.start(text)) return -1;
        while (converter.next(rwf.start()) == json::Inbound::message) {
            ++messages;
            if (!converter.toJson(rwf.view(), out.start()).ok()) return -2;
        }
        return messages;
    };
    REQUIRE(round() == 2);
    const std::uint64_t before = emissary::test::allocationsOfThisThread();
    int messages = 0;
    for (int i = 0; i < 100; ++i)
        messages += round();
    const std::uint64_t after = emissary::test::allocationsOfThisThread();
    CHECK(messages == 200);
    CHECK(after == before);
}

#ifndef EMISSARY_UNDER_SANITIZER  // whose heaps do not say how much of them is in use

TEST_CASE("a text of very many messages leaves no memory behind", "[json][allocation]") {
    constexpr std::size_t kMany = 140'000;
    auto converter = plain();
    GrowingBuffer rwf(4096);
    const auto read = [&](std::size_t messages) {
        std::string text = "[";
        for (std::size_t i = 0; i < messages; ++i)
            text += std::string(i == 0 ? "" : ",") + R"({"ID":5,"Type":"Update","Fields":{"BID":1}})";
        text += "]";
        REQUIRE(converter.start(text));
        std::size_t found = 0;
        while (converter.next(rwf.start()) == json::Inbound::message)
            ++found;
        REQUIRE(found == messages);
    };
    const auto inUse = [] {
        const auto heap = ::mallinfo2();
        return heap.uordblks + heap.hblkhd;
    };
    read(2);
    read(2);
    const std::size_t before = inUse();
    read(kMany);
    read(2);
    const std::size_t after = inUse();
    INFO(before << " and " << after << " bytes");
    CHECK(after < before + (1u << 20));  // a number for each of the messages is twice as much
}

#endif
