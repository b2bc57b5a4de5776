// What the vectors leave out: envelopes, error replies, options, order and repetition of members, services.
#include "eta/codec/containers.h"
#include "support.h"
#include "support/catch.hpp"

using namespace json_test;

namespace {

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

TEST_CASE("an empty array is legal; each message of an array stands for itself", "[json]") {
    auto converter = plain();
    const Conversion none = convert(converter, " [ ] ");
    CHECK(none.failure == "");
    CHECK(none.messages.empty());
    CHECK(convert(converter, R"([[{"Type":"Ping"}]])").failure == "ParseError");

    const std::vector<std::pair<std::string, std::string>> bad{
        {R"({"ID":2})", "[1].Key"},
        {R"({"ID":2,"Type":"Nope"})", "[1].Type"},
        {R"({"ID":2,"Type":"Status","State":{"Data":"Fine"}})", "[1].State.Data"},
        {R"({"ID":2,"Type":"Update","Fields":{"BID":1,"TRADE_DATE":"yesterday"}})", "[1].Fields.TRADE_DATE"},
        {R"({"ID":2,"Type":"Update","Map":{"KeyType":"UInt","Entries":[{"Action":"Add","Key":1},{"Key":2}]}})",
         "[1].Map.Entries[1].Action"},
        {R"({"Type":"Close"})", "[1].ID"},
        {R"(7)", "[1]"},
        {R"([{"ID":2,"Type":"Close"}])", "[1]"},
    };
    GrowingBuffer out, answer;
    for (const auto& [message, place] : bad) {
        INFO(message);
        const std::string text = R"([{"ID":1,"Type":"Close"},)" + message + R"(,{"Type":"Ping"},)" + message +
                                 R"(,{"ID":3,"Type":"Close"}])";
        REQUIRE(converter.start(text));
        CHECK(converter.next(out.start()) == json::Inbound::message);
        REQUIRE(converter.next(out.start()) == json::Inbound::failure);
        CHECK(out.view().empty());
        CHECK(converter.describeFailure().find("at " + place + ", ") != std::string::npos);
        converter.writeError(answer.start());
        CHECK(parseJson(std::string(asText(answer.view()))).at("Text").text.ends_with(" at " + place));
        CHECK(converter.next(out.start()) == json::Inbound::ping);
        REQUIRE(converter.next(out.start()) == json::Inbound::failure);
        CHECK(converter.describeFailure().find("at [3]") != std::string::npos);
        REQUIRE(converter.next(out.start()) == json::Inbound::message);
        CHECK(hex(out.view()) == "00080506000000030000");
        CHECK(converter.next(out.start()) == json::Inbound::end);
    }
}

TEST_CASE("a failure says which message it was", "[json]") {
    auto converter = plain();
    GrowingBuffer out;
    const auto failed = [&](const std::string& text) {
        REQUIRE(converter.start(text));
        REQUIRE(converter.next(out.start()) == json::Inbound::failure);
        return converter.failure();
    };
    const auto image = failed(R"({"ID":-4,"Type":"Refresh","Domain":"MarketByOrder","Solicited":false,"Qos":1})");
    CHECK(image.hasStream);
    CHECK(image.streamId == -4);
    CHECK(image.messageClass == 2);
    CHECK(image.domain == 7);
    CHECK(image.unsolicited);
    const auto nothing = failed(R"({"Type":"Update","SeqNumber":-1})");
    CHECK_FALSE(nothing.hasStream);
    CHECK(nothing.messageClass == 4);
    CHECK(nothing.domain == 6);
    CHECK(failed(R"({"ID":4,"Type":"Nope"})").messageClass == 0);
}

TEST_CASE("the path to what is wrong has a bound", "[json]") {
    auto converter = plain();
    GrowingBuffer out;
    std::string text = "1.5";
    for (int i = 0; i < 12; ++i)
        text = R"({"KeyType":"UInt","Entries":[{"Action":"Add","Key":1,"Map":)" + text + "}]}";
    const std::string name(5000, 'x');
    const std::string nested = R"({"ID":1,"Type":"Update","Map":)" + text + "}";
    REQUIRE(converter.start(nested));
    REQUIRE(converter.next(out.start()) == json::Inbound::failure);
    CHECK(converter.describeFailure().size() < 600);
    const std::string named = R"({"ID":1,"Type":"Update","Elements":{")" + name + "\":true}}";
    REQUIRE(converter.start(named));
    REQUIRE(converter.next(out.start()) == json::Inbound::failure);
    CHECK(converter.describeFailure().size() < 600);
    CHECK(converter.describeFailure().find("Elements." + name.substr(0, 64) + ",") != std::string::npos);
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
    // A list that an element of RWF cannot hold is named, not what stands behind it.
    const auto batch = [](std::size_t count) {
        std::string names;
        for (std::size_t i = 0; i < count; ++i)
            names += (i != 0 ? ",\"NAME_OF_" : "\"NAME_OF_") + std::to_string(10'000 + i) + "\"";
        return R"({"ID":5,"Key":{"Name":[)" + names + R"(]},"View":[22]})";
    };
    CHECK(convert(converter, batch(4600)).failure == "");
    CHECK(convert(converter, batch(4800)).failure == "EncodeError");
    CHECK(converter.describeFailure().find("Why: the list is longer than 65535 bytes in RWF; send it in parts.") !=
          std::string::npos);
    CHECK(converter.describeFailure().find("at Key.Name") != std::string::npos);
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

TEST_CASE("a text that fits is written, however little room is left behind it", "[json]") {
    auto converter = plain();
    const Conversion c = convert(
        converter,
        R"({"ID":5,"Type":"Update","Fields":{"BID":12.5,"ASK":-0.25,"TRDTIM_1":"14:05:09","DSPLY_NAME":"ZINC"}})");
    REQUIRE(c.failure == "");
    const std::vector<std::byte> message = unhex(c.messages.at(0));
    const std::string whole = toText(converter, message);
    for (std::size_t room = 0; room <= whole.size() + 40; ++room) {
        std::vector<std::byte> block(room);
        BeWriter out{std::span<std::byte>(block)};
        const Error e = converter.toJson(message, out);
        INFO(room);
        CHECK(e.ok() == (room >= whole.size()));
        CHECK(asText(out.view()) == (e.ok() ? std::string_view(whole) : std::string_view{}));
    }
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
    // With a zone: UTC.
    CHECK(time("07:08:09.5+05:30") == "\"01:38:09.5\"");
    CHECK(time("12:00:00+02:00") == "\"10:00:00\"");
    CHECK(time("12:00:00-0330") == "\"15:30:00\"");
    CHECK(time("12:00+14") == "\"22:00:00\"");
    CHECK(time("01:00:00+02:00") == "\"23:00:00\"");
    CHECK(time("23:30:60-01:00") == "\"00:30:60\"");
    CHECK(time("070809-00:30") == "\"07:38:09\"");
    CHECK(time("9:30:00") == "\"09:30:00\"");
    CHECK(time("7:08") == "\"07:08:00\"");
    CHECK(time("17") == "\"17\"");
    CHECK(time("") == "null");
    for (const std::string bad :
         {"7",     "7:8",   "07:08+24:00", "07:08+02:60", "07:08+2:00",          "07:08+", "07:08 +02:00", "07:8",
          "24:00", "07:60", "07:08:61",    "07:08:09.",   "07:08:09.1234567890", "07-08",  "07:08:09+5",   "070",
          "07080", "noon",  " 07:08",      "07:08 "}) {
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
    CHECK(date("2022-1-5") == "\"2022-01-05\"");
    CHECK(date("2022-11-5") == "\"2022-11-05\"");
    CHECK(date("--2-9") == "\"--02-09\"");
    // Parts of zeros are blank.
    CHECK(date("2022-11-00") == "\"2022-11\"");
    CHECK(date("20221100") == "\"2022-11\"");
    CHECK(date("2022-00-00") == "\"2022\"");
    CHECK(date("2024-00-01") == "\"2024--01\"");
    CHECK(date("0000-01-01") == "\"--01-01\"");
    CHECK(date("0000-00-00") == "null");
    for (const std::string bad :
         {"2024-13-01", "2024-01-32", "2024-02-30", "2023-02-29", "20240431", "24-01-01", "2024/01/01", "2024-001-1",
          "2024-1-001", "2024-01-01x", "70000-01-01", "--", "---1", "2024-", "2024--", "202402"}) {
        INFO(bad);
        CHECK(date(bad) == "UnexpectedValue");
    }
    const auto dateTime = [&](const std::string& text) {
        const Conversion got = convert(
            converter, R"({"ID":5,"Type":"Generic","Elements":{"a":{"Type":"DateTime","Data":")" + text + "\"}}}");
        if (!got.failure.empty()) return got.failure;
        return parseJson(toText(converter, unhex(got.messages.at(0)))).at("Elements").at("a").at("Data").source;
    };
    CHECK(dateTime("2026-03-29T01:30:00-05:00") == "\"2026-03-29T06:30:00\"");
    CHECK(dateTime("2026-03-29 01:30:00") == "\"2026-03-29T01:30:00\"");
    CHECK(dateTime("2026-3-9 1:30:00.25Z") == "\"2026-03-09T01:30:00.25\"");
    CHECK(dateTime("2026-12-31T23:30:00-01:00") == "\"2027-01-01T00:30:00\"");
    CHECK(dateTime("2027-01-01T00:30:00+01:00") == "\"2026-12-31T23:30:00\"");
    CHECK(dateTime("2024-02-28T23:30:00-01:00") == "\"2024-02-29T00:30:00\"");
    CHECK(dateTime("2023-02-28T23:30:00-01:00") == "\"2023-03-01T00:30:00\"");
    CHECK(dateTime("2000-03-01T00:00:00+00:01") == "\"2000-02-29T23:59:00\"");
    CHECK(dateTime("2100-03-01T00:00:00+00:01") == "\"2100-02-28T23:59:00\"");
    CHECK(dateTime("T00:30:00+01:00") == "\"T23:30:00\"");
    CHECK(dateTime("2024-02T03:30:00+01:00") == "\"2024-02T02:30:00\"");
    for (const std::string bad : {"2024-02T00:30:00+01:00", "2024-02-31T23:30:00-01:00", "0001-01-01T00:00:00+01:00",
                                  "65535-12-31T23:59:59-01:00", " 12:00:00", "2024-02-01 ", "2024-02-01  12:00"}) {
        INFO(bad);
        CHECK(dateTime(bad) == "UnexpectedValue");
    }
}

TEST_CASE("numbers as other programs print them", "[json]") {
    auto converter = plain();
    const auto value = [&](const std::string& field, const std::string& text) {
        const Conversion got =
            convert(converter, R"({"ID":5,"Type":"Update","Fields":{")" + field + "\":" + text + "}}");
        if (!got.failure.empty()) return got.failure;
        return parseJson(toText(converter, unhex(got.messages.at(0)))).at("Fields").at(field).source;
    };
    const auto real = [&](const std::string& text) { return value("BID", text); };
    CHECK(real("0.30000000000000004") == "0.3");
    CHECK(real("3.3000000000000003") == "3.3");
    CHECK(real("-3.3000000000000003") == "-3.3");
    CHECK(real("1e-15") == "0");
    CHECK(real("-1e-300") == "0");
    CHECK(real("5e-15") == "0.00000000000001");
    CHECK(real("-5e-15") == "-0.00000000000001");
    CHECK(real("4.999e-15") == "0");
    CHECK(real("0.1234567890123456") == "0.12345678901235");
    CHECK(real("0.000000000000015") == "0.00000000000002");
    CHECK(real("0.99999999999999999") == "1");
    CHECK(real("123456.78901234567890") == "123456.7890123456789");
    CHECK(real("1234567890123456789.5") == "1234567890123456790");
    CHECK(real("9223372036854775807") == "9223372036854775807");
    CHECK(real("-9223372036854775808") == "-9223372036854775808");
    CHECK(real("9223372036854775808") == "9223372036854775810");
    CHECK(real("822337203685477580.75") == "822337203685477580.8");
    CHECK(real("1.0000000000000000000000000000000001") == "1");
    CHECK(real("9223372036854775807e7") == "92233720368547758070000000");
    CHECK(real("1e25") == "10000000000000000000000000");
    CHECK(real("45.50") == "45.50");
    CHECK(real("1.25e-3") == "0.00125");
    CHECK(real("1e26") == "EncodeError");
    CHECK(real("9223372036854775808e7") == "EncodeError");
    CHECK(real("-1e400") == "EncodeError");

    const auto unsignedInt = [&](const std::string& text) { return value("PROD_PERM", text); };
    CHECK(unsignedInt("5.0") == "5");
    CHECK(unsignedInt("1e3") == "1000");
    CHECK(unsignedInt("1.5e1") == "15");
    CHECK(unsignedInt("1200e-2") == "12");
    CHECK(unsignedInt("18446744073709551615.000") == "18446744073709551615");
    CHECK(unsignedInt("0e99999") == "0");
    CHECK(unsignedInt("-0.0") == "0");
    for (const std::string bad : {"5.5", "1e-1", "18446744073709551616.0", "1e20", "1e99999", "-5.0", "\"5\""}) {
        INFO(bad);
        CHECK(unsignedInt(bad) == "UnexpectedValue");
    }
    CHECK(value("SENTIMENT", "-5.0") == "-5");
    CHECK(value("SENTIMENT", "-9.223372036854775808e18") == "-9223372036854775808");
    CHECK(value("SENTIMENT", "9223372036854775808.0") == "UnexpectedValue");
    CHECK(convert(converter, R"({"ID":5.0,"Type":"Close"})").messages ==
          std::vector<std::string>{"00080506000000050000"});
    CHECK(convert(converter, R"({"ID":5.5,"Type":"Close"})").failure == "UnexpectedValue");

    // A number in quotes is said as such.
    CHECK(real("\"12.5\"") == "ParseError");
    CHECK(reply(converter, R"({"ID":5,"Type":"Update","Fields":{"BID":"12.5"}})").find("without quotes") !=
          std::string::npos);
    CHECK(reply(converter, R"({"ID":5,"Type":"Update","Fields":{"PROD_PERM":"12"}})").find("without quotes") !=
          std::string::npos);

    const auto element = [&](const std::string& type, const std::string& text) {
        const Conversion got = convert(converter, R"({"ID":5,"Type":"Generic","Elements":{"a":{"Type":")" + type +
                                                      R"(","Data":)" + text + "}}}");
        if (!got.failure.empty()) return got.failure;
        return parseJson(toText(converter, unhex(got.messages.at(0)))).at("Elements").at("a").at("Data").source;
    };
    CHECK(element("Double", "1e-400") == "0");
    CHECK(element("Float", "1e-60") == "0");
    CHECK(element("Double", "1e400") == "EncodeError");
    CHECK(element("Float", "1e60") == "EncodeError");
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

TEST_CASE("elements of a request stand beside its view and its names", "[json]") {
    auto converter = plain();
    for (
        const std::string text :
        {R"({"ID":5,"Type":"Request","Domain":"SymbolList","Key":{"Name":"L"},"View":[22],"Elements":{)"
         R"(":SymbolListBehaviors":{"Type":"ElementList","Data":{":DataStreams":1}}}})",
         R"({"ID":5,"Type":"Request","Domain":"SymbolList","Key":{"Name":["L","M"]},"View":[22],"Elements":{"a":"b"}})",
         R"({"ID":5,"Type":"Request","Domain":"SymbolList","Key":{"Name":"L"},"Elements":{)"
         R"(":SymbolListBehaviors":{"Type":"ElementList","Data":{":DataStreams":2}}}})"}) {
        INFO(text);
        const Conversion got = convert(converter, text);
        REQUIRE(got.failure == "");
        CHECK(difference(parseJson(text), parseJson(toText(converter, unhex(got.messages.at(0))))) == "");
    }
    CHECK(convert(converter, R"({"ID":5,"Key":{"Name":"A"},"View":[22],"Map":{"KeyType":"UInt"}})").failure ==
          "EncodeError");
    CHECK(convert(converter, R"({"ID":[5,6],"Type":"Close","Elements":{"a":1}})").failure == "EncodeError");
}

TEST_CASE("a key of a login by token or cookie has a name of one zero byte, whatever name is given", "[json]") {
    auto converter = plain();
    const auto rwf = [&](const std::string& name, const std::string& type) {
        const Conversion got =
            convert(converter, R"({"ID":1,"Domain":"Login","Key":{"NameType":)" + type + name + "}}");
        return got.failure.empty() ? got.messages.at(0) : got.failure;
    };
    for (const std::string type : {R"("AuthnToken")", "5", R"("Cookie")", "4"}) {
        CHECK(rwf(R"(,"Name":"")", type) == rwf("", type));
        CHECK(rwf(R"(,"Name":"\u0000")", type) == rwf("", type));
        CHECK(rwf(R"(,"Name":"a")", type) != rwf("", type));
    }
    CHECK(rwf(R"(,"Name":"")", "1") == rwf("", "1"));
}

TEST_CASE("elements of a login may have other types; null says nothing", "[json]") {
    auto converter = plain();
    const auto elements = [&](const std::string& domain, const std::string& given) {
        const Conversion got =
            convert(converter, R"({"ID":1,"Domain":")" + domain + R"(","Key":{"Name":"u","Elements":)" + given + "}}");
        if (!got.failure.empty()) return got.failure;
        return parseJson(toText(converter, unhex(got.messages.at(0)))).at("Key").at("Elements").source;
    };
    const std::string given = R"({"a":null,"b":true,"c":false,"d":1.5,"e":[1],"f":2.0})";
    CHECK(elements("Login", given) == R"({"b":1,"c":0,"d":"1.5","e":{"Type":"NoData","Data":null},"f":2})");
    CHECK(elements("MarketPrice", given) == "UnexpectedValue");
    CHECK(elements("MarketPrice", R"({"a":null,"f":2.0})") == R"({"f":2})");
    CHECK(reply(converter, R"({"ID":1,"Domain":"Login","Key":{"Name":"u","Elements":{"Role":{"Data":1}}}})")
              .find("at Key.Elements.Role.Type") != std::string::npos);
}
