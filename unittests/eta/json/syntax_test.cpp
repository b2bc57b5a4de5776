// Where and why a text is not JSON.
#include "eta/core/GrowingBuffer.h"
#include "support.h"
#include "support/catch.hpp"
#include "json/Tree.h"
#include "json/syntax.h"

#include <random>

using namespace json_test;

namespace {

struct Fault {
    std::string_view text;
    std::uint32_t offset;
    std::string_view reason;
};

}  // namespace

TEST_CASE("a text that is not JSON is refused with place and reason", "[json]") {
    const Fault faults[] = {
        {"", 0, "the text is empty"},
        {"  \r\n", 4, "the text is empty"},
        {"17", 0, "a message is an object, or an array of objects"},
        {R"({"ID":5,})", 8, "a member's name in quotes is missing"},
        {R"({"ID" 5})", 6, "':' is missing behind a member's name"},
        {R"({"ID":5 "Type":"Close"})", 8, "',' or '}' is missing"},
        {R"([{"ID":5}{"ID":6}])", 9, "',' or ']' is missing"},
        {R"([{"ID":5},])", 10, "a value is missing"},
        {R"({"ID":})", 6, "a value is missing"},
        {R"({"ID":"5":6})", 9, "',' or '}' is missing"},
        {R"(["ID":5])", 5, "',' or ']' is missing"},
        {R"({"ID":5)", 7, "the text ends too early"},
        {R"({"ID":5}})", 8, "something stands behind the message"},
        {R"({"ID":05})", 6, "this is not a JSON number"},
        {R"({"ID":5.})", 6, "this is not a JSON number"},
        {R"({"ID":1e})", 6, "this is not a JSON number"},
        {R"({"ID":-})", 6, "this is not a JSON number"},
        {R"({"ID":nil})", 6, "this word is not JSON: strings stand in quotes"},
        {R"({"ID":True})", 6, "a value is missing"},
        {R"({"ID":truely})", 10, "',' or '}' is missing"},
        {R"({"Type":"Close})", 8, "the closing quote of this string is missing"},
        {R"({"Type":"Clo\se"})", 12, "this escape is not JSON"},
        {"{\"Type\":\"Clo\nse\"}", 12, "a control character in a string must be escaped"},
        {"{\"Type\":\"Clo\xFFse\"}", 12, "this is not UTF-8"},
        {"{\"Type\":\"Clo\xC0\x80se\"}", 12, "this is not UTF-8"},
        {"{\"Type\":\"Clo\xED\xA0\x80se\"}", 12, "this is not UTF-8"},
    };
    json::Tree tree;
    json::Converter converter(plainOptions());
    for (const Fault& fault : faults) {
        INFO(fault.text);
        CHECK_FALSE(tree.parse(fault.text));
        const json::SyntaxFault found = json::findSyntaxFault(fault.text);
        CHECK(found.offset == fault.offset);
        CHECK(found.reason == fault.reason);
        REQUIRE_FALSE(converter.start(fault.text));
        CHECK(converter.failure().offset == fault.offset);
        CHECK(converter.describeFailure().find(fault.reason) != std::string::npos);
        CHECK(converter.describeFailure().find("character " + std::to_string(fault.offset) + " of") !=
              std::string::npos);
    }
    SECTION("beyond a limit") {
        const std::string deep = std::string(65, '[') + std::string(65, ']');
        CHECK_FALSE(tree.parse(deep));
        CHECK(json::findSyntaxFault(deep).offset == 64);
        const std::string longNumber = "[" + std::string(65, '1') + "]";
        CHECK_FALSE(tree.parse(longNumber));
        CHECK(json::findSyntaxFault(longNumber).reason == std::string_view("this number is too long"));
        const std::string longText(json::kMaxTextSize + 1, ' ');
        CHECK_FALSE(tree.parse(longText));
        CHECK(json::findSyntaxFault(longText).offset == json::kMaxTextSize);
    }
}

TEST_CASE("a port takes messages of so many levels and values, and says which bound it was", "[json]") {
    json::Options options = plainOptions();
    options.limits = {{4, "WebJsonDepth"}, {6, "WebJsonValues"}};
    const std::string_view deep = "objects and arrays are nested too deeply", many = "a message has too many values";
    struct Row {
        std::string text;
        std::string_view reason;
        std::uint32_t offset;
    };
    const Row rows[] = {
        {R"({"ID":1,"x":[[[]]]})", "", 0},
        {R"({"ID":1,"x":[[[[]]]]})", deep, 15},
        {R"([{"ID":1,"x":[[[]]]}])", "", 0},  // the array around messages is no part of them
        {R"([{"ID":1,"x":[[[{}]]]}])", deep, 16},
        {R"({"ID":1,"a":[1,2,3]})", "", 0},
        {R"({"ID":1,"a":[1,2,3,null]})", many, 19},
        {R"({"ID":1,"a":[1,2,3],"b":"x"})", many, 24},
        {R"({"ID":1,"Key":{"Name":["a","b","c","d","e","f","g","h"]}})", "", 0},  // names of a batch
        {R"([{"ID":1,"a":[1,2,3]},{"ID":1,"a":[1,2,3]}])", "", 0},                // each message for itself
        {R"([{"ID":1,"a":[1,2,3]},{"ID":1,"a":[1,2,3,{}]}])", many, 41},
    };
    json::Converter converter(options);
    json::Tree tree;
    for (const Row& row : rows) {
        INFO(row.text);
        const json::SyntaxFault found = json::findSyntaxFault(row.text, options.limits);
        CHECK(found.reason == row.reason);
        CHECK(tree.parse(row.text, options.limits) == row.reason.empty());
        CHECK(tree.parse(row.text));
        REQUIRE(converter.start(row.text) == row.reason.empty());
        if (row.reason.empty()) continue;
        CHECK(found.offset == row.offset);
        const bool depth = row.reason == deep;
        CHECK(converter.failure().limit.most == (depth ? 4 : 6));
        const std::string said =
            std::string(row.reason) + (depth ? " (at most 4: WebJsonDepth)." : " (at most 6: WebJsonValues).");
        CHECK(converter.describeFailure().find(said) != std::string::npos);
        emissary::eta::GrowingBuffer out;
        converter.writeError(out.start());
        CHECK(emissary::eta::asText(out.view()).find(said) != std::string_view::npos);
    }
    // A message of a long array, which is read by itself.
    for (const Row& row : rows) {
        if (row.text.front() == '[') continue;
        INFO(row.text);
        REQUIRE(converter.startElement(row.text, 7) == row.reason.empty());
        if (!row.reason.empty()) CHECK(converter.failure().offset == row.offset);
    }
    // What is no message is told from what is too much of one.
    REQUIRE_FALSE(converter.startElement("[[[[[1]]]]]", 0));
    CHECK(converter.failure().reason == deep);
    REQUIRE_FALSE(converter.start(R"({"ID":})"));
    CHECK(converter.failure().limit.most == 0);
    // The bound of all texts holds beside that of a port.
    converter.options().limits = {{200, ""}, {}};
    REQUIRE_FALSE(converter.start(std::string_view(std::string(65, '[') + std::string(65, ']'))));
    CHECK(converter.failure().reason == deep);
}

TEST_CASE("the search for faults agrees with the parser about what is JSON", "[json]") {
    const std::string_view good[] = {R"({"ID":5})", R"([])", R"({})",
                                     R"( [ {"a":[1,-2.5e+3,0,0.5,true,false,null,"\u00e4\ud83d\ude00\n",{}]} ] )",
                                     "{\"name\":\"\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80\"}"};
    json::Tree tree;
    for (const std::string_view text : good) {
        INFO(text);
        CHECK(tree.parse(text));
        CHECK(std::string_view(json::findSyntaxFault(text).reason).empty());
    }
    // One octet changed, left out or put in, anywhere.
    std::mt19937 random(11);
    const std::string_view letters = "{}[]\",:\\u01e.-tfn \x01\xC3";
    for (const std::string_view text : good)
        for (int round = 0; round < 2000; ++round) {
            std::string broken(text);
            const std::size_t at = random() % broken.size();
            const char letter = letters[random() % letters.size()];
            switch (random() % 3) {
            case 0:
                broken[at] = letter;
                break;
            case 1:
                broken.erase(at, 1);
                break;
            default:
                broken.insert(at, 1, letter);
            }
            INFO(broken);
            const json::SyntaxFault fault = json::findSyntaxFault(broken);
            REQUIRE(tree.parse(broken) == std::string_view(fault.reason).empty());
            REQUIRE(fault.offset <= broken.size());
            const json::TextLimits limits{{3, ""}, {11, ""}};
            REQUIRE(tree.parse(broken, limits) == json::findSyntaxFault(broken, limits).reason.empty());
        }
}
