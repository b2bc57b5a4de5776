// The texts of an array's elements, against the parser, and where an array breaks off.
#include "json/Tree.h"

#include "eta/json/elements.h"

#include "support/catch.hpp"

#include <random>
#include <string>
#include <vector>

namespace json = emissary::eta::json;

namespace {

/// Nothing: the text is no array to its end. `got` has what came before.
bool split(std::string_view text, std::vector<std::string>& got) {
    for (std::size_t at = 0; at < text.size();) {
        const auto element = json::elementAt(text, at);
        if (!element) return false;
        REQUIRE(element->next > at);
        REQUIRE(element->end <= text.size());
        at = element->next;
        if (element->begin == element->end) {
            REQUIRE(at == text.size());
            break;
        }
        got.emplace_back(text.substr(element->begin, element->end - element->begin));
    }
    return !text.empty();
}

std::vector<std::string> elements(std::string_view text) {
    std::vector<std::string> got;
    INFO(text);
    REQUIRE(json::isArray(text));
    REQUIRE(split(text, got));
    return got;
}

}  // namespace

TEST_CASE("an array is split at the commas between its elements", "[json]") {
    using Texts = std::vector<std::string>;
    CHECK(elements("[]").empty());
    CHECK(elements(" [ \n] ").empty());
    CHECK(elements("[{}]") == Texts{"{}"});
    CHECK(elements(" [ {} , {\"a\":[1,2]} ,[3,[4,5]]\r\n] ") == Texts{"{}", "{\"a\":[1,2]}", "[3,[4,5]]"});
    CHECK(elements(R"([{"a":"]},{\"[\\"},"x,y",12 ,null])") ==
          Texts{R"({"a":"]},{\"[\\"})", R"("x,y")", "12 ", "null"});
    CHECK_FALSE(json::isArray(""));
    CHECK_FALSE(json::isArray("  {}"));
}

TEST_CASE("what is no array to its end breaks off, and never behind its end", "[json]") {
    for (const std::string_view text : {"[", "[{}", "[{},", "[{}, ", "[,{}]", "[{},]", "[{},,{}]", "[{}]x", "[{}],",
                                        "[{}{}]", "[{}}]", "[\"a]", "[\"a\\", "{}", "x", " "}) {
        INFO(text);
        std::vector<std::string> got;
        CHECK_FALSE(split(text, got));
    }
}

TEST_CASE("each array that the parser takes is split into what the parser finds in it", "[json]") {
    const std::string whole = R"([{"ID":5,"F":{"A":-2.5e+3,"B":"\"]\u00e4"}},[[],[1,2]],"x\\", 7, null,{}])";
    const std::string_view letters = "{}[]\",:\\u01e.-tfn ";
    std::mt19937 random(5);
    json::Tree tree, part;
    for (int round = 0; round < 20'000; ++round) {
        std::string text = whole;
        for (auto changes = random() % 3; changes != 0; --changes) {
            const std::size_t at = random() % text.size();
            switch (random() % 3) {
            case 0:
                text[at] = letters[random() % letters.size()];
                break;
            case 1:
                text.erase(at, 1);
                break;
            default:
                text.insert(at, 1, letters[random() % letters.size()]);
            }
        }
        INFO(text);
        std::vector<std::string> got;
        const bool isWhole = split(text, got);
        if (!tree.parse(text) || tree.kind(0) != json::Kind::array) continue;
        REQUIRE(isWhole);
        std::size_t items = 0;
        for (auto at = json::Tree::first(0); at != tree.end(0); at = tree.nextItem(at)) {
            REQUIRE(items < got.size());
            REQUIRE(part.parseElement(got[items++]));
            REQUIRE(part.kind(1) == tree.kind(at));
            REQUIRE(part.nextItem(1) - 1 == tree.nextItem(at) - at);
            REQUIRE(part.end(0) == part.nextItem(1));
        }
        REQUIRE(items == got.size());
    }
}
