// What the vectors leave out: envelopes, error replies, options, order and repetition of members, services.
#include "eta/codec/containers.h"
#include "support.h"
#include "support/catch.hpp"

using namespace json_test;

namespace {

json::Converter plain() {
    json::Converter converter(plainOptions());
    converter.setDictionary(&vectorDictionary());
    return converter;
}

std::string described(json::Converter& converter, const std::string& text) {
    const Conversion got = convert(converter, text);
    INFO(text);
    REQUIRE(got.failure == "");
    REQUIRE(got.messages.size() == 1);
    return describe(unhex(got.messages[0]), vectorDictionary());
}

std::string reply(json::Converter& converter, const std::string& text) {
    GrowingBuffer rwf, out;
    REQUIRE(converter.start(text));
    while (converter.next(rwf.start()) == json::Inbound::message) {}
    converter.writeError(out.start());
    return std::string(asText(out.view()));
}

}  // namespace

TEST_CASE("members may come in any order, payloads before what they need", "[json]") {
    auto converter = plain();
    CHECK(described(converter, R"({"Fields":{"BID":1},"UpdateType":"Quote","Type":"Update","ID":5})") ==
          described(converter, R"({"ID":5,"Type":"Update","UpdateType":"Quote","Fields":{"BID":1}})"));
    CHECK(described(converter,
                    R"({"ID":5,"Type":"Update","Map":{"Entries":[{"Fields":{"BID":1},"Key":7,"Action":"Add"}],)"
                    R"("Summary":{"Fields":{"ASK":2}},"CountHint":3,"KeyType":"UInt"}})") ==
          described(converter, R"({"ID":5,"Type":"Update","Map":{"KeyType":"UInt","CountHint":3,"Summary":{"Fields":)"
                               R"({"ASK":2}},"Entries":[{"Action":"Add","Key":7,"Fields":{"BID":1}}]}})"));
    CHECK(described(converter, R"({"ID":5,"Type":"Generic","Elements":{"a":{"Data":-3,"Type":"Int"}}})") ==
          described(converter, R"({"ID":5,"Type":"Generic","Elements":{"a":{"Type":"Int","Data":-3}}})"));
}

TEST_CASE("of members given twice the last one counts, and two payloads are refused", "[json]") {
    auto converter = plain();
    CHECK(described(converter, R"({"ID":4,"ID":5,"Type":"Update","Type":"Close"})") ==
          described(converter, R"({"ID":5,"Type":"Close"})"));
    CHECK(convert(converter, R"({"ID":5,"Type":"Update","Fields":{},"Elements":{}})").failure == "EncodeError");
    CHECK(convert(converter, R"({"ID":5,"Key":{"Name":["A"]},"Fields":{}})").failure == "EncodeError");
}

TEST_CASE("what counts as true", "[json]") {
    json::Converter converter = plain();
    const auto streams = [&](const std::string& value) {
        const std::string said = described(converter, R"({"ID":5,"Key":{"Name":"A"},"Streaming":)" + value + "}");
        INFO(said);
        return said == described(converter, R"({"ID":5,"Key":{"Name":"A"},"Streaming":true})");
    };
    const std::string no = described(converter, R"({"ID":5,"Key":{"Name":"A"},"Streaming":false})");
    REQUIRE(no != described(converter, R"({"ID":5,"Key":{"Name":"A"},"Streaming":true})"));
    for (const char* yes : {"true", "1", "\"true\""})
        CHECK(streams(yes));
    for (const char* value : {"false", "0", "2", "\"1\"", "\"x\"", "\"\"", "null", "1.0"}) {
        INFO(value);
        CHECK(described(converter, R"({"ID":5,"Key":{"Name":"A"},"Streaming":)" + std::string(value) + "}") == no);
    }
}

TEST_CASE("an empty array is legal; an array stops at its first bad message", "[json]") {
    auto converter = plain();
    const Conversion none = convert(converter, " [ ] ");
    CHECK(none.failure == "");
    CHECK(none.messages.empty());
    const Conversion some = convert(converter, R"([{"Type":"Ping"},{"ID":1,"Type":"Close"},{"ID":2},{"Type":"Pong"}])");
    CHECK(some.failure == "MissingKey");
    CHECK(some.messages == std::vector<std::string>{"Ping", "00080506000000010000"});
    CHECK(convert(converter, R"([[{"Type":"Ping"}]])").failure == "ParseError");
}

TEST_CASE("an Error message of the peer is told with its text", "[json]") {
    auto converter = plain();
    GrowingBuffer out;
    REQUIRE(converter.start(R"([{"ID":7,"Type":"Error","Text":"so \"bad\"","Debug":{"Line":1}},{"Type":"Error"}])"));
    REQUIRE(converter.next(out.start()) == json::Inbound::error);
    CHECK(converter.peerError().streamId == 7);
    CHECK(converter.peerError().text == "so \"bad\"");
    REQUIRE(converter.next(out.start()) == json::Inbound::error);
    CHECK(converter.peerError().streamId == 0);
    CHECK(converter.peerError().text == "");
    CHECK(converter.next(out.start()) == json::Inbound::end);
}

TEST_CASE("the reply to a bad message names stream, value, member and place", "[json]") {
    auto converter = plain();
    const std::string text = R"([{"ID":7,"Type":"Update","UpdateType":"Zap"}])";
    const Json error = parseJson(reply(converter, text));
    CHECK(error.at("ID").text == "7");
    CHECK(error.at("Type").text == "Error");
    CHECK(error.at("Text").text.find("'Zap' for key 'UpdateType'") != std::string::npos);
    CHECK(error.at("Debug").at("Message").text == text);
    CHECK(error.at("Debug").at("Offset").text == std::to_string(text.find("Zap")));
    CHECK(converter.describeFailure().find("UnexpectedValue") == 0);
}

TEST_CASE("replies repeat at most 1024 characters, and never what a login carries", "[json]") {
    auto converter = plain();
    const std::string longText = R"({"ID":7,"Type":"Update","UpdateType":")" + std::string(5000, 'x') + "\"}";
    const Json error = parseJson(reply(converter, longText));
    CHECK(error.at("Debug").at("Message").text == longText.substr(0, 1024));
    CHECK(error.at("Text").text.size() < 200);
    for (const std::string text :
         {R"({"ID":1,"Domain":"Login","Key":{"Name":12345}})", R"({"ID":1,"Domain":1,"Key":{"Name":12345}})",
          R"({"ID":2,"Type":"Post","Message":{"ID":1,"Domain":"Login","Key":{"Name":12345}}})",
          R"({"ID":1,"Domain":1,"Key":{"Elements":{"Password":{"Type":"Enum","Data":"12345"}}}})",
          R"({"ID":1,"Key":{"Name":"x","Elements":{"AuthenticationToken":"12345","a":true}}})"}) {
        INFO(text);
        const std::string answer = reply(converter, text);
        CHECK(answer.find("12345") == std::string::npos);
        CHECK(parseJson(answer).at("Debug").find("Message") == nullptr);
        CHECK(converter.describeFailure().find("12345") == std::string::npos);
    }
}

TEST_CASE("without a dictionary only field lists are refused", "[json]") {
    json::Converter converter(plainOptions());
    CHECK(convert(converter, R"({"ID":5,"Type":"Update","Fields":{}})").failure == "DictionaryNotInitialized");
    CHECK(convert(converter, R"({"ID":5,"Key":{"Name":"A"},"View":["BID"]})").failure == "DictionaryNotInitialized");
    CHECK(convert(converter, R"({"ID":5,"Key":{"Name":"A"},"View":[22]})").failure == "");
    CHECK(convert(converter, R"({"ID":5,"Type":"Generic","Elements":{"a":1}})").failure == "");
    const auto update = unhex("00090406000000050004000800010006030c07d0");
    CHECK(toText(converter, update) == "error " + std::to_string(static_cast<int>(Errc::notFound)));
    CHECK(parseJson(toText(converter, unhex("000904060000000500040008000000"))).at("Fields").members.empty());
}

TEST_CASE("services by name, both ways", "[json]") {
    auto converter = plain();
    const NamedServices services;
    CHECK(convert(converter, R"({"ID":5,"Key":{"Name":"A","Service":"FEED_A"}})").failure == "UnexpectedValue");
    converter.setServices(&services);
    const Conversion got = convert(converter, R"({"ID":5,"Key":{"Name":"A","Service":"FEED_B"}})");
    REQUIRE(got.failure == "");
    CHECK(parseJson(toText(converter, unhex(got.messages.at(0)))).at("Key").at("Service").text == "FEED_B");
    CHECK(convert(converter, R"({"ID":5,"Key":{"Name":"A","Service":"FEED_C"}})").failure == "UnexpectedValue");
}

TEST_CASE("options of existing connections: any quality, unknown fields refused", "[json]") {
    json::Converter converter;
    converter.setDictionary(&vectorDictionary());
    CHECK(convert(converter, R"({"ID":5,"Type":"Update","Fields":{"NOT_A_FIELD":1}})").failure == "UnexpectedField");
    CHECK(described(converter, R"({"ID":5,"Key":{"Name":"A"}})").find(" worst ") != std::string::npos);
    converter.options().defaultDynamicQos = false;
    CHECK(described(converter, R"({"ID":5,"Key":{"Name":"A"}})").find(" worst ") == std::string::npos);
    converter.options().acceptEnumText = false;
    CHECK(convert(converter, R"({"ID":5,"Type":"Update","Fields":{"CURRENCY":"USD"}})").failure == "UnexpectedValue");
}

TEST_CASE("JSON payloads are embedded only when they are JSON", "[json]") {
    auto converter = plain();
    const auto wrapped = [](const std::string& text) {
        GrowingBuffer buffer;
        codec::Msg m;
        m.cls = codec::MsgClass::Generic;
        m.containerType = codec::DataType::Json;
        m.payload = asBytes(text);
        REQUIRE(codec::encodeMsg(buffer.start(), m).ok());
        return std::vector<std::byte>(buffer.view().begin(), buffer.view().end());
    };
    CHECK(parseJson(toText(converter, wrapped("{\"a\":[1, 2]}"))).at("Json").source == "{\"a\":[1, 2]}");
    CHECK(parseJson(toText(converter, wrapped("5"))).at("Json").text == "5");
    CHECK(toText(converter, wrapped("1,2")).starts_with("error"));
    CHECK(toText(converter, wrapped("]},{\"ID\":1")).starts_with("error"));
    const std::string text = R"({"ID":5,"Type":"Generic","Json":{"b":[1.50,"\u0041\n",null,{"c":-0e1}],"a":true}})";
    const Conversion got = convert(converter, text);
    REQUIRE(got.failure == "");
    CHECK(difference(parseJson(text).at("Json"), parseJson(toText(converter, unhex(got.messages.at(0)))).at("Json")) ==
          "");
}

TEST_CASE("RMTES text outside ASCII reads back", "[json]") {
    auto converter = plain();
    const std::string text = "{\"ID\":5,\"Type\":\"Update\",\"UpdateType\":\"Unspecified\","
                             "\"Fields\":{\"DSPLY_NAME\":\"Z\xC3\xBCr \xE6\x97\xA5\"}}";
    const Conversion got = convert(converter, text);
    REQUIRE(got.failure == "");
    CHECK(difference(parseJson(text), parseJson(toText(converter, unhex(got.messages.at(0))))) == "");
}

TEST_CASE("a writer that is full is rolled back", "[json]") {
    auto converter = plain();
    const auto update = unhex("00090406000000050004000800010006030c07d0");
    const std::string whole = toText(converter, update);
    std::vector<std::byte> block(whole.size());
    for (std::size_t n = 0; n < whole.size(); ++n) {
        BeWriter out(std::span<std::byte>(block).first(n));
        CHECK(converter.toJson(update, out).code == Errc::noSpace);
        CHECK(out.size() == 0);
        CHECK(out.ok());
    }
    BeWriter out{std::span<std::byte>(block)};
    CHECK(converter.toJson(update, out).ok());
    CHECK(asText(out.view()) == whole);
}

TEST_CASE("dates and times in every accepted form", "[json]") {
    auto converter = plain();
    const auto time = [&](const std::string& text) {
        const Conversion got = convert(converter, R"({"ID":5,"Type":"Update","Fields":{"TRDTIM_1":")" + text + "\"}}");
        if (!got.failure.empty()) return got.failure;
        return parseJson(toText(converter, unhex(got.messages.at(0)))).at("Fields").at("TRDTIM_1").source;
    };
    CHECK(time("07:08") == "\"07:08:00\"");
    CHECK(time("07:08:09.120") == "\"07:08:09.12\"");
    CHECK(time("07:08:09,5") == "\"07:08:09.5\"");
    CHECK(time("07:08:09:123:456:789") == "\"07:08:09.123456789\"");
    CHECK(time("0708") == "\"07:08:00\"");
    CHECK(time("070809.25") == "\"07:08:09.25\"");
    CHECK(time("07:08:09Z") == "\"07:08:09\"");
    CHECK(time("07:08:09.5+05:30") == "\"07:08:09.5\"");
    CHECK(time("17") == "\"17\"");
    CHECK(time("") == "null");
    for (const std::string bad : {"7:08", "07:8", "24:00", "07:60", "07:08:61", "07:08:09.", "07:08:09.1234567890",
                                  "07-08", "07:08:09+5", "070", "07080", "noon", " 07:08", "07:08 "}) {
        INFO(bad);
        CHECK(time(bad) == "UnexpectedValue");
    }
    const auto date = [&](const std::string& text) {
        const Conversion got =
            convert(converter, R"({"ID":5,"Type":"Update","Fields":{"TRADE_DATE":")" + text + "\"}}");
        if (!got.failure.empty()) return got.failure;
        return parseJson(toText(converter, unhex(got.messages.at(0)))).at("Fields").at("TRADE_DATE").source;
    };
    for (const std::string good : {"2024-02-29", "2024-02", "2024", "--02-29", "2024--29", "----29", "65535-06-30"}) {
        INFO(good);
        CHECK(date(good) == "\"" + good + "\"");
    }
    CHECK(date("20240229") == "\"2024-02-29\"");
    for (const std::string bad : {"2024-13-01", "2024-00-01", "2024-01-32", "24-01-01", "2024-1-1", "2024/01/01",
                                  "2024-01-01x", "70000-01-01", "--", "---1", "2024-", "202402", "0000-01-01"}) {
        INFO(bad);
        CHECK(date(bad) == "UnexpectedValue");
    }
}

TEST_CASE("one text serves any stream: where the digits of its id stand", "[json]") {
    using emissary::eta::json::idPlace;
    using namespace emissary::eta;
    codec::Msg m;
    m.cls = codec::MsgClass::Update;
    m.domain = 7;
    json::Converter converter;
    const auto textOf = [&](std::int32_t id) {
        std::byte bytes[64], room[256];
        BeWriter rwf(bytes), out(room);
        m.streamId = id;
        REQUIRE(codec::encodeMsg(rwf, m).ok());
        REQUIRE(converter.toJson(rwf.view(), out).ok());
        return std::string(asText(out.view()));
    };
    const std::string text = textOf(5);
    for (const std::int32_t id : {0, 7, -1, 2147483647, -2147483647 - 1}) {
        const std::string other = textOf(id);
        const auto place = idPlace(other);
        CHECK(other.substr(place.at, place.length) == std::to_string(id));
        const auto own = idPlace(text);
        CHECK(text.substr(0, own.at) + std::to_string(id) + text.substr(own.at + own.length) == other);
    }
    CHECK(idPlace(R"({"ID":[5,6],"Type":"Close"})").length == 0);
    CHECK(idPlace(R"({"Type":"Ping"})").length == 0);
    CHECK(idPlace(R"({"ID":12)").length == 0);
    CHECK(idPlace("").length == 0);
}
