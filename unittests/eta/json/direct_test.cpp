// Messages that are made straight from the tokens of their fields are those that the tree of the whole text gives, byte
// by byte, and what is refused is refused in the same words.
#include "support.h"
#include "support/catch.hpp"
#include "json/JsonToRwf.h"

#include <array>
#include <random>

using namespace json_test;

namespace {

/// What a text turns into: each message as hex or a word, each refusal as its place and reason.
using Outcome = std::vector<std::string>;

std::string wordOf(json::Inbound found) {
    switch (found) {
    case json::Inbound::message:
        return "message ";
    case json::Inbound::ping:
        return "ping";
    case json::Inbound::pong:
        return "pong";
    case json::Inbound::error:
        return "error";
    default:
        return "?";
    }
}

std::string wordsOf(const json::Failure& f) {
    return std::string(json::name(f.cls)) + " at " + std::to_string(f.offset) + " of " + std::string(f.member) +
           " got " + std::string(f.received) + " because " + std::string(f.reason) + " stream " +
           std::to_string(f.streamId) + (f.hasStream ? " " : "? ") + std::to_string(f.messageClass) + " " +
           std::to_string(f.domain) + (f.unsolicited ? " unsolicited" : "");
}

/// The sources of a conversion, and both ways.
struct Both {
    json::Options options;
    const dictionary::Dictionary* dictionary = &vectorDictionary();
    NamedServices services;
    json::Converter converter{options};
    json::Tree tree, head;
    json::EncodeScratch scratch;
    std::size_t direct = 0, compared = 0;

    explicit Both(const json::Options& o) : options(o), converter(o) {
        converter.setDictionary(dictionary);
        converter.setServices(&services);
    }

    [[nodiscard]] Outcome throughTree(std::string_view text) {
        if (!tree.parse(text, options.limits)) return {"no JSON"};
        Outcome all;
        const bool array = tree.kind(0) == json::Kind::array;
        for (json::NodeIndex at = array ? 1 : 0; at != tree.end(0); at = tree.nextItem(at)) {
            json::Failure failure;
            json::PeerError peer;
            std::uint8_t type = 0;
            GrowingBuffer out;
            json::JsonToRwf reader(options, dictionary, &services, tree, scratch, failure);
            if (!reader.message(at, out.start(), type, peer)) all.push_back(wordsOf(failure));
            else if (type == json::kPing) all.emplace_back("ping");
            else if (type == json::kPong) all.emplace_back("pong");
            else if (type == json::kError) all.emplace_back("error");
            else all.push_back("message " + hex(out.view()));
        }
        return all;
    }

    [[nodiscard]] Outcome asUsual(std::string_view text) {
        const std::unique_ptr<char[]> exact(new char[text.size()]);  // a sanitizer sees what is read behind it
        std::copy(text.begin(), text.end(), exact.get());
        if (!converter.start({exact.get(), text.size()})) return {"no JSON"};
        Outcome all;
        GrowingBuffer out;
        for (;;) {
            const json::Inbound found = converter.next(out.start());
            if (found == json::Inbound::end) return all;
            if (found == json::Inbound::failure) all.push_back(wordsOf(converter.failure()));
            else if (found == json::Inbound::message) all.push_back(wordOf(found) + hex(out.view()));
            else all.push_back(wordOf(found));
        }
    }

    /// Whether fields are left to be read from their tokens.
    [[nodiscard]] bool leavesFields(std::string_view text) {
        return head.scan(text) && head.buildHead(options.limits) && head.flatFields().at != 0;
    }

    void compare(std::string_view text) {
        // After texts that have to go through the tree, some go that way without being tried.
        for (int i = 0; i < 2; ++i)
            if (!converter.start(R"({"ID":5,"Type":"Update","Fields":{"BID":1}})")) FAIL("plain");
        // What is tried first depends on whether the text before was an array of several.
        if (++compared % 2 == 0 && !converter.start(R"([{"ID":5,"Type":"Update","Fields":{"BID":1}},)"
                                                    R"({"ID":6,"Type":"Update","Fields":{"BID":2}}])"))
            FAIL("several");
        const Outcome wanted = throughTree(text), got = asUsual(text);
        direct += leavesFields(text) && wanted.size() == 1 && wanted[0].starts_with("message");
        if (got == wanted) return;  // one assertion for each text would take longer than the texts
        INFO(text);
        CHECK(got == wanted);
    }
};

json::Options strictOptions() {
    json::Options o = plainOptions();
    o.catchUnknownMembers = o.catchUnknownFields = true;
    return o;
}

json::Options tightOptions() {
    json::Options o = plainOptions();
    o.limits = {{3, "DEPTH"}, {9, "VALUES"}};
    return o;
}

std::vector<std::string> texts() {
    std::vector<std::string> all;
    forEachVector([&](const std::string&, const Json& line) {
        if (const Json* text = line.find("json_text"); text != nullptr) all.push_back(text->text);
        else all.push_back(line.at("json").source);
    });
    const auto fields = [&](const std::string& members) {
        all.push_back(R"({"ID":5,"Type":"Update","Fields":{)" + members + "}}");
        all.push_back(R"([{"ID":5,"Type":"Update","UpdateType":"Quote","Key":{"Service":260,"Name":"A"},"Fields":{)" +
                      members + "}}]");
    };
    for (const char* value : {"1",
                              "-1",
                              "0",
                              "-0",
                              "12.5",
                              "0.125",
                              "-12.50",
                              "1e3",
                              "1E-3",
                              "01",
                              "1.",
                              ".5",
                              "-",
                              "1 ",
                              " 1",
                              "null",
                              "nul",
                              "nulls",
                              "true",
                              "false",
                              "\"\"",
                              "\"A\"",
                              "\"A\" ",
                              "\"12:30:01\"",
                              "\"12:30:01.5\"",
                              "\"25:00:00\"",
                              "\"2024-02-29\"",
                              "\"\xC3\xA9\"",
                              "\"\xE2\x82\xAC uro\"",
                              "\"\xC3\"",
                              "\"a\\nb\"",
                              "\"a\\u0041\"",
                              "\"Inf\"",
                              "\"-Inf\"",
                              "\"NaN\"",
                              "\"QUJD\"",
                              "\"Q\"",
                              "{}",
                              "[]",
                              "{\"A\":1}",
                              "[1]",
                              "1234567890123456",
                              "12345678901234567",
                              "18446744073709551615",
                              "18446744073709551616",
                              "99999999.99999999",
                              "123456789.5",
                              "0.123456789",
                              "65535",
                              "65536",
                              "\"a text of sixteen\"",
                              "\"a text of 16 cha\"",
                              "\"USD\"",
                              "",
                              "1,",
                              "1}",
                              "1,\"BID\":2",
                              "1,\"BID\"",
                              "1 \"BID\":2",
                              "1:2",
                              "\"A\"\"B\"",
                              "\"A\"1",
                              "1\"A\"",
                              "\"A\":\"B\""})
        for (const char* name : {"BID", "PROD_PERM", "CURRENCY", "TRDTIM_1", "TRADE_DATE", "DSPLY_NAME", "PREF_LINK",
                                 "SENTIMENT", "REG_FIELD1", "22", "-5", "UNKNOWN", ""}) {
            fields("\"" + std::string(name) + "\":" + value);
            fields("\"ASK\":2,\"" + std::string(name) + "\":" + value + ",\"BIDSIZE\":3");
        }
    for (const char* member : {"BID\":1,\"", "\"BID\" :1", "\"BID\": 1", "\"BID\":1 ,\"ASK\":2", " \"BID\":1",
                               "\"BID\":1 ", "BID:1", "\"BID:1", "\"B\\u0049D\":1", ",", "\"BID\":1,",
                               "\"BID\":1,,\"ASK\":2", "\"BID\":1,\"BID\":2", "\"BID\",\"ASK\":1", "\"BID\":1,\"ASK\""})
        fields(member);
    const std::string one = R"({"ID":5,"Type":"Update","Fields":{"BID":1}})";
    for (const char* text :
         {R"({"ID":5,"Type":"Update","Fields":{"BID":1},"UpdateType":"Quote"})",
          R"({"Fields":{"BID":1},"ID":5,"Type":"Update"})",
          R"({"Fields":{"BID":1}})",
          R"({"ID":5,"ID":6,"Type":"Update","Fields":{"BID":1}})",
          R"({"ID":5,"Type":"Update","Fields":null})",
          R"({"ID":5,"Type":"Update","Fields":1,"Fields":{"BID":1}})",
          R"({"ID":5,"Type":"Update","Fields":{"ASK":2},"Fields":{"BID":1}})",
          R"({"ID":5,"Type":"Update","Map":{},"Fields":{"BID":1}})",
          R"({"ID":5,"Type":"Update","FieldList":{"BID":1}})",
          R"({"ID":5,"Type":"Ping","Fields":{"BID":1}})",
          R"({"ID":5,"Type":"Error","Fields":{"BID":1}})",
          R"({"ID":5,"Type":"Close","Fields":{"BID":1}})",
          R"({"ID":5,"Key":{"Fields":{"BID":1}}})",
          R"({"ID":5,"Type":"Status","Key":{"Name":"A","Fields":{"BID":1}},"Fields":{"BID":1}})",
          R"({"ID":5,"Type":"Refresh","State":{"Stream":"Open","Data":"Ok"},"Fields":{"BID":1}})",
          R"({"ID":5,"Type":"Refresh","State":{"Stream":7},"Fields":{"BID":1}})",
          R"({"ID":5,"Type":"Update","PermData":"AwEs","Fields":{"BID":"x"}})",
          R"({"ID":5,"Type":"Update","PermData":"AwEs","ExtHdr":"AwEs","Fields":{"PREF_LINK":"x"}})",
          R"({"ID":5,"Type":"Update","Unknown":1,"Fields":{"BID":1}})",
          R"({"ID":"5","Type":"Update","Fields":{"BID":1}})",
          R"([{"ID":5,"Type":"Update","Fields":{"BID":1}}] )",
          R"([ {"ID":5,"Type":"Update","Fields":{"BID":1}}])",
          R"([[{"ID":5,"Type":"Update","Fields":{"BID":1}}]])",
          R"([{"ID":5,"Type":"Update","Fields":{"BID":1}}}])",
          R"([{"ID":5,"Type":"Update","Fields":{"BID":1}}]])",
          R"({"ID":5,"Type":"Update","Fields":{"BID":1}}])",
          R"({"ID":5,"Type":"Update","Fields":{"BID":{}}})",
          R"({"ID":5,"Type":"Update","Domain":"Login","Fields":{"BID":"x"}})",
          R"({"ID":5,"Type":"Update","Fields":{}})",
          R"([{"ID":5,"Type":"Update","Fields":{}}])",
          R"({"ID":5,"Type":"Update","Fields":{"BID":1,"ASK":2,"BIDSIZE":3,"ASKSIZE":4,"TRDPRC_1":5,"ACVOL_1":6}})"})
        all.emplace_back(text);
    all.push_back("[" + one + "," + one + "]");
    for (const char* type : {"Quote", "Trade"})
        for (const char* key :
             {"", R"("Key":{"Service":260,"Name":"ABC.N"},)", R"("Key":{"Service":"FEED_A","Name":"A"},)",
              R"("Key":{"Service":260,"Name":"Name"},)", R"("Key":{"Service":260,"Name":""},)",
              R"("Key":{"Name":"A","Service":260,"NameType":"Ric"},)", R"("Key":{"Service":260},)",
              R"("Key":{"Service":260,"Name":"A","Name":"B"},)", R"("Key":{"Service":260,"Name":"A" },)",
              R"("Key":{},)", R"("DoNotCache":true,"SeqNumber":17,)", R"("ID":6,)",
              R"("SeqNumber":17,"Key":{"Service":260,"Name":"AB"},)",
              R"("Key":{"Service":260,"Name":"AB","SeqNumber":1},"SeqNumber":17,)", R"("SeqNumber":1,"SeqNumber":17,)",
              R"("SeqNumber":4294967296,)", R"("SeqNumber":1.0,)"})
            for (const char* fields : {R"("BID":104.36,"ASK":104.39,"BIDSIZE":1200,"TRDTIM_1":"09:30:42.118")",
                                       R"("PREF_LINK":"R","DSPLY_NAME":"ZINC CASH OFF.","BID":-0.5,"CURRENCY":840)",
                                       R"("BID":1,"UNKNOWN":1,"ASK":2)", R"("BID":1,"ASK":null,"PROD_PERM":41231)", ""})
                all.push_back(R"([{"ID":10,"Type":"Update","UpdateType":")" + std::string(type) + R"(",)" + key +
                              R"("Fields":{)" + fields + "}}]");
    all.push_back(R"([{"Type":"Ping"},)" + one + "]");
    all.push_back("[" + one + R"(,{"Type":"Ping"}])");
    all.push_back(R"({"ID":5,"Type":"Update","Fields":{"PREF_LINK":")" + std::string(65'536, 'x') + "\"}}");
    return all;
}

}  // namespace

TEST_CASE("a message made from tokens is the one that its tree gives", "[json][direct]") {
    for (const json::Options& options : {plainOptions(), strictOptions(), tightOptions(), json::Options{}}) {
        Both both(options);
        for (const std::string& text : texts()) {
            both.compare(text);
            both.compare(text);  // with what the first time has taught
        }
        CHECK(both.direct > 300);
        CHECK(both.converter.directly() > 1'000);  // odd values go through the tree
    }
}

TEST_CASE("updates that begin like a known one may differ in id, sequence number and name alone", "[json][direct]") {
    const auto update = [](const std::string& id, const std::string& number, const std::string& name,
                           const std::string& between = "") {
        return R"([{"ID":)" + id + R"(,"Type":"Update","UpdateType":"Quote","SeqNumber":)" + number +
               R"(,"Key":{"Service":260,"Name":)" + name + "}," + between + R"("Fields":{"BID":1.5,"ASK":null}}])";
    };
    const std::string name = "\"ABC.N\"";
    Both both(plainOptions());
    const auto again = [&](const std::string& text) {
        both.compare(update("5", "17", name));  // is known
        both.compare(text);
    };
    for (const char* id : {"0", "-5", "5.0", "5e0", "\"5\"", "null", "05", "2147483647", "2147483648", "4294967301",
                           "5 ", " 5", "{}", "[5]", "", "99999999999999999"})
        again(update(id, "17", name));
    for (const char* number : {"0", "-1", "17.0", "1e3", "\"17\"", "null", "017", "4294967295", "4294967296", "17 ",
                               " 17", "{}", "[]", "", "99999999999999999999"})
        again(update("5", number, name));
    for (const std::string& other :
         {std::string("\"A\""), std::string("\"\""), std::string("\"A\" "), std::string(" \"A\""), std::string("A"),
          std::string("5"), std::string("null"), std::string("[\"A\"]"), std::string("{}"), std::string("\"A"),
          std::string("\"A\"\"B\""), std::string("\"A\",\"Name\":\"B\""), std::string("\"\xC3\xA9\""),
          std::string("\"\xC3\""), std::string("\"\\u0041\""), "\"" + std::string(255, 'x') + "\"",
          "\"" + std::string(256, 'x') + "\"", std::string("\"},\""), std::string("\"A\"},\"SeqNumber\":{\"A\":1")})
        again(update("5", "17", other));
    for (const char* between : {"\"ID\":6,", "\"SeqNumber\":18,", "\"Unknown\":1,", "\"DoNotCache\":true,", " "})
        again(update("5", "17", name, between));
    CHECK(both.direct > 70);
    CHECK(both.converter.directly() >= both.direct);
    // What is known under one option says nothing under another.
    both.converter.options().catchUnknownMembers = false;
    const std::string odd = R"({"ID":5,"Type":"Update","Odd":1,"Fields":{"BID":1}})";
    REQUIRE(both.asUsual(odd)[0].starts_with("message"));
    both.converter.options().catchUnknownMembers = true;
    REQUIRE(both.asUsual(odd)[0].starts_with("UnexpectedKey"));
}

TEST_CASE("every beginning of a text gives the same through its tokens as through its tree", "[json][direct]") {
    Both both(plainOptions());
    for (const std::string& text : texts())
        for (std::size_t n = 1; n < std::min<std::size_t>(text.size(), 400); ++n)
            both.compare(std::string_view(text).substr(0, n));
}

TEST_CASE("damaged texts give the same through their tokens as through their trees", "[json][direct]") {
    std::mt19937 random(20261130);
    const std::vector<std::string> all = texts();
    const std::string_view interesting = "\"\"::,,{}[]0123456789.-+eE \t\n\\/nulltrueAZ\x01\x7F\x80\xC3\xFF";
    const std::string_view names[] = {"\"Fields\":{",         "\"ID\":5,", "\"BID\":1,", "\"Key\":{",
                                      "\"Type\":\"Update\",", "}}"};
    Both plain(plainOptions()), strict(strictOptions());
    std::vector<std::string> direct;
    for (const std::string& text : all)
        if (plain.leavesFields(text)) direct.push_back(text);
    for (int i = 0; i < 120'000; ++i) {
        const std::vector<std::string>& from = random() % 4 == 0 ? all : direct;
        std::string text = from[random() % from.size()];
        if (text.size() > 2'000) continue;
        for (auto changes = 1 + random() % 3; changes != 0 && !text.empty(); --changes) {
            const std::size_t at = random() % text.size();
            const std::string_view other = all[random() % all.size()];
            switch (random() % 8) {
            case 6:
            case 7:  // stays what it is
                if (text[at] >= '0' && text[at] <= '9') text[at] = static_cast<char>('0' + random() % 10);
                else if (text[at] >= 'A' && text[at] <= 'Z') text[at] = static_cast<char>('A' + random() % 26);
                break;
            case 0:
                text[at] = interesting[random() % interesting.size()];
                break;
            case 1:
                text.erase(at, 1 + random() % 4);
                break;
            case 2:
                text.insert(at, 1, interesting[random() % interesting.size()]);
                break;
            case 3:
                text.insert(at, names[random() % std::size(names)]);
                break;
            case 4:
                text.insert(at, text.substr(random() % text.size(), random() % 20));
                break;
            default:
                text.replace(at, random() % 8, other.substr(random() % other.size(), random() % 16));
            }
        }
        plain.compare(text);
        strict.compare(text);
    }
    CHECK(plain.direct > 10'000);
}

namespace {

/// Whether each message of an array is left with its fields as tokens.
bool leavesArray(json::Tree& tree, std::string_view text) {
    if (!tree.scan(text)) return false;
    bool good = true;
    std::size_t messages = 0;
    for (const std::uint32_t* at = tree.firstMessage(); at != nullptr && good; ++messages) {
        good = tree.buildHead(at, {});
        if (good) at = tree.nextMessage(good);
    }
    return good && messages > 1;
}

/// Messages, some of them odd, in one array.
std::vector<std::string> arrays(std::mt19937& random, std::size_t count) {
    std::vector<std::string> plain, odd;
    json::Tree tree;
    for (std::string text : texts()) {
        if (text.size() > 600) continue;
        if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
        const bool direct = tree.scan(text) && tree.buildHead({}) && tree.flatFields().at != 0;
        (direct ? plain : odd).push_back(text);
    }
    std::vector<std::string> all;
    while (all.size() < count) {
        std::string array = "[";
        for (auto n = 1 + random() % 5; n != 0; --n) {
            const auto& from = random() % 12 == 0 ? odd : plain;
            array += from[random() % from.size()] + (n == 1 ? "" : ",");
        }
        all.push_back(array + "]");
    }
    return all;
}

}  // namespace

TEST_CASE("messages of an array give the same through their tokens as through their tree", "[json][direct]") {
    std::mt19937 random(20261201);
    for (const json::Options& options : {plainOptions(), strictOptions(), tightOptions(), json::Options{}}) {
        Both both(options);
        std::size_t left = 0;
        for (const std::string& text : arrays(random, 4'000)) {
            both.compare(text);
            left += leavesArray(both.head, text);
        }
        CHECK(left > 1'000);
        CHECK(both.converter.directly() > 200);  // all of its messages have to be plain updates
    }
}

TEST_CASE("arrays that are cut or damaged give the same through their tokens as through their tree", "[json][direct]") {
    std::mt19937 random(20261202);
    Both plain(plainOptions()), strict(strictOptions());
    const std::string_view interesting = "\"\":,{}[]059.-eE \t\\ntA\x01\x80";
    std::vector<std::string> all = arrays(random, 150);
    const auto update = [](int id, const char* name, const char* fields) {
        return R"({"ID":)" + std::to_string(id) +
               R"(,"Type":"Update","UpdateType":"Quote","Key":{"Service":260,"Name":")" + name + R"("},"Fields":{)" +
               fields + "}}";
    };
    all.push_back("[" + update(5, "A", R"("BID":1.5,"ASK":2)") + "," + update(6, "BCD.N", R"("BID":17,"ASK":null)") +
                  "," + update(2147483647, "E", "") + "]");
    for (const std::string& text : all) {
        if (text.size() > 700) continue;
        for (std::size_t n = 1; n < text.size(); ++n)
            plain.compare(std::string_view(text).substr(0, n));
        for (std::size_t at = 0; at < text.size(); ++at) {
            std::string other = text;
            other[at] = interesting[random() % interesting.size()];
            plain.compare(other);
            strict.compare(other);
            other = text;
            other.erase(at, 1 + random() % 3);
            strict.compare(other);
            other = text;
            other.insert(at, 1, interesting[random() % interesting.size()]);
            plain.compare(other);
        }
    }
}

TEST_CASE("messages of an array are made with what counts when they are given", "[json][direct]") {
    const std::string text =
        R"([{"ID":5,"Type":"Update","Fields":{"BID":1}},{"ID":6,"Type":"Update","Fields":{"BID":2}},)"
        R"({"ID":7,"Type":"Update","Fields":{"BID":3}}])";
    auto converter = plain();
    GrowingBuffer out;
    REQUIRE(converter.start(text));
    REQUIRE(converter.next(out.start()) == json::Inbound::message);
    CHECK(codec::streamIdOf(out.view()) == 5);
    converter.setDictionary(nullptr);
    REQUIRE(converter.next(out.start()) == json::Inbound::failure);
    CHECK(converter.failure().cls == json::ErrorClass::DictionaryNotInitialized);
    CHECK(converter.failure().streamId == 6);
    CHECK(converter.failure().offset == text.find("{\"BID\":2"));
    converter.setDictionary(&vectorDictionary());
    REQUIRE(converter.next(out.start()) == json::Inbound::message);
    CHECK(codec::streamIdOf(out.view()) == 7);
    CHECK(converter.next(out.start()) == json::Inbound::end);
    CHECK(converter.next(out.start()) == json::Inbound::end);
    // Before the first, too.
    REQUIRE(converter.start(text));
    converter.setDictionary(nullptr);
    REQUIRE(converter.next(out.start()) == json::Inbound::failure);
    CHECK(converter.failure().streamId == 5);
    converter.setDictionary(&vectorDictionary());
    // Limits of a text are those that it was begun with.
    REQUIRE(converter.start(text));
    REQUIRE(converter.next(out.start()) == json::Inbound::message);
    converter.options().limits = {{1, "DEPTH"}, {1, "VALUES"}};
    converter.options().carriesServiceNames = !converter.options().carriesServiceNames;
    REQUIRE(converter.next(out.start()) == json::Inbound::message);
    REQUIRE(converter.next(out.start()) == json::Inbound::message);
    CHECK(codec::streamIdOf(out.view()) == 7);
    converter.options().limits = {};
    converter.options().carriesServiceNames = !converter.options().carriesServiceNames;
    // One that has no room costs itself alone.
    REQUIRE(converter.start(text));
    REQUIRE(converter.next(out.start()) == json::Inbound::message);
    std::array<std::byte, 12> block;
    BeWriter none(block);
    REQUIRE(converter.next(none) == json::Inbound::failure);
    CHECK(converter.failure().streamId == 6);
    REQUIRE(converter.next(out.start()) == json::Inbound::message);
    CHECK(codec::streamIdOf(out.view()) == 7);
}

TEST_CASE("a message of an array has the depth of the whole text", "[json][direct]") {
    Both both(plainOptions());
    for (std::size_t levels = 58; levels < 68; ++levels)
        both.compare(R"([{"ID":5,"Type":"Update","Odd":)" + std::string(levels, '[') + std::string(levels, ']') +
                     R"(,"Fields":{"BID":1}},{"ID":6,"Type":"Update","Fields":{"BID":1}}])");
}

TEST_CASE("a service that an array names means what it means when its message is given", "[json][direct]") {
    struct Moving final : json::ServiceNames {
        std::uint16_t id = 1;
        [[nodiscard]] std::optional<std::uint16_t> idOf(std::string_view) const noexcept override { return id; }
        [[nodiscard]] std::string_view nameOf(std::uint16_t) const noexcept override { return {}; }
    } services;
    for (const std::string blank : {"", " "}) {
        const std::string one =
            R"({"ID":5,"Type":"Update","Key":{"Service":)" + blank + R"("A","Name":"B"},"Fields":{"BID":1}})";
        auto converter = plain();
        converter.setServices(&services);
        GrowingBuffer out;
        const std::string text = "[" + one + "," + one + "]";
        REQUIRE(converter.start(text));
        for (const std::uint16_t id : {std::uint16_t{1}, std::uint16_t{2}}) {
            services.id = id;
            REQUIRE(converter.next(out.start()) == json::Inbound::message);
            codec::Msg msg;
            REQUIRE(codec::decodeMsg(out.view(), msg).ok());
            CHECK(msg.key.serviceId == id);
        }
    }
}

TEST_CASE("a message made from tokens that has no room is refused as through the tree", "[json][direct]") {
    auto converter = plain();
    const std::string text = R"({"ID":5,"Type":"Update","Fields":{"BID":1,"ASK":2}})";
    for (std::size_t room = 0; room < 24; ++room) {
        std::vector<std::byte> block(room);
        BeWriter out(block);
        REQUIRE(converter.start(text));
        REQUIRE(converter.next(out) == json::Inbound::failure);
        CHECK(converter.failure().cls == json::ErrorClass::EncodeError);
        CHECK(converter.failure().streamId == 5);
        CHECK(out.size() == 0);
        CHECK(converter.next(out) == json::Inbound::end);
    }
}
