// Files of rules: what is read, and what is said of each line that is none.
#include "hub/access/Rules.h"
#include "hub/access/glob.h"
#include "perftools/TempDir.h"
#include "support/catch.hpp"

#include <fstream>

#include <sys/stat.h>

using namespace emissary;
using namespace emissary::hub::access;

namespace {

[[nodiscard]] std::vector<std::string> faultsOf(std::string_view text) {
    Faults faults;
    (void)Rules::read(text, faults);
    return faults.lines("f");
}

[[nodiscard]] std::string onlyFault(std::string_view text) {
    const std::vector<std::string> all = faultsOf(text);
    REQUIRE(all.size() == 1);
    return all.front();
}

}  // namespace

TEST_CASE("patterns: stars, question marks, and everything else as it is", "[hub][access]") {
    struct Row {
        const char *pattern, *text;
        bool fits;
    };
    const Row rows[] = {{"", "", true},           {"", "a", false},       {"*", "", true},
                        {"*", "abc", true},       {"?", "", false},       {"?", "a", true},
                        {"?", "ab", false},       {"a*", "a", true},      {"a*", "ba", false},
                        {"*a", "ba", true},       {"*a", "ab", false},    {"a*b*c", "aXbYc", true},
                        {"a*b*c", "acb", false},  {"*.N", "IBM.N", true}, {"*.N", "IBM.NX", false},
                        {"**", "x", true},        {"*?", "", false},      {"*?", "x", true},
                        {"?*?", "x", false},      {"?*?", "xy", true},    {"0#.DJI", "0#.DJI", true},
                        {"a.c", "abc", false},    {"[ab]", "a", false},   {"*ab", "aab", true},
                        {"*aab*", "aaaab", true}, {"IBM", "ibm", false}};
    for (const Row& row : rows) {
        INFO(row.pattern << " and " << row.text);
        CHECK(matches(row.pattern, row.text) == row.fits);
    }
    const std::string hostile(1024, 'a');
    CHECK_FALSE(matches("*a*a*a*a*a*a*a*a*a*a*a*a*b", hostile));
}

TEST_CASE("rules keep their order, their lines and their words", "[hub][access]") {
    Faults faults;
    const Rules rules = Rules::read("# who may what\n"
                                    "\n"
                                    "  allow\t@desk  FEED*   *.N  MarketPrice   # the desk\r\n"
                                    "deny dana * 0#.DJI 7\n"
                                    "allow * FEED ? *",
                                    faults);
    REQUIRE(faults.empty());
    REQUIRE(rules.size() == 3);
    CHECK(rules[0].what == Rule::What::allow);
    CHECK(rules[0].who == Rule::Who::group);
    CHECK(rules[0].subject == "desk");
    CHECK(rules[0].service == "FEED*");
    CHECK(rules[0].name == "*.N");
    CHECK(rules[0].domain == std::uint8_t{6});
    CHECK(rules[0].line == 3);
    CHECK(rules[1].what == Rule::What::deny);
    CHECK(rules[1].subject == "dana");
    CHECK(rules[1].name == "0#.DJI");
    CHECK(rules[1].domain == std::uint8_t{7});
    CHECK(rules[2].who == Rule::Who::everybody);
    CHECK_FALSE(rules[2].domain);
    CHECK(rules[2].line == 5);
}

TEST_CASE("domains of rules are names, numbers or all", "[hub][access]") {
    struct Row {
        const char* word;
        int number;  ///< 0: it is none
    };
    const Row rows[] = {{"MarketPrice", 6},
                        {"MarketByOrder", 7},
                        {"MarketByPrice", 8},
                        {"MarketMaker", 9},
                        {"SymbolList", 10},
                        {"YieldCurve", 22},
                        {"MMT_MARKET_BY_PRICE", 8},
                        {"128", 128},
                        {"255", 255},
                        {"6", 6},
                        {"256", 0},
                        {"0", 0},
                        {"-1", 0},
                        {"marketPrice", 0},
                        {"Marketprice", 0},
                        {"Price", 0},
                        {"99999999999999", 0},
                        {"Login", 0},
                        {"1", 0},
                        {"4", 0},
                        {"Dictionary", 0},
                        {"6x", 0}};
    for (const Row& row : rows) {
        INFO(row.word);
        Faults faults;
        const Rules rules = Rules::read("allow * * * " + std::string(row.word), faults);
        CHECK(faults.empty() == (row.number != 0));
        if (row.number != 0 && faults.empty()) CHECK(int{*rules[0].domain} == row.number);
    }
}

TEST_CASE("every error of a file of rules is told with its line", "[hub][access]") {
    CHECK(onlyFault("permit dana * * *") == "f:1: a rule begins with allow or deny or ask, not with [permit]; write: "
                                            "allow|deny|ask WHO SERVICE NAME DOMAIN");
    CHECK(onlyFault("allow dana * *").find("a rule has 5 words, and these are 4") != std::string::npos);
    CHECK(onlyFault("allow dana * * * *").find("a rule has 5 words, and these are 6") != std::string::npos);
    CHECK(onlyFault("allow").find("these are 1") != std::string::npos);
    CHECK(onlyFault("allow @ * * *") == "f:1: a group has a name behind its @");
    CHECK(onlyFault("allow da* * * *").find("WHO [da*] is a user, a @group, or * alone") != std::string::npos);
    CHECK(onlyFault("allow @d?sk * * *").find("WHO [@d?sk]") != std::string::npos);
    CHECK(onlyFault("allow * * * Nothing").find("DOMAIN [Nothing] is neither") != std::string::npos);
    CHECK(onlyFault("allow * * * 5").find("DOMAIN [5] has no items") != std::string::npos);
    CHECK(onlyFault("allow * * \x01x *").find("a control character stands in [") != std::string::npos);
    CHECK(onlyFault(std::string_view("allow * * a\0b *", 15)).find("a control character") != std::string::npos);
    CHECK(onlyFault("allow * * " + std::string(1025, 'a') + " *") == "f:1: a word has more than 1024 bytes");
    CHECK(onlyFault("").find("has no rule; to grant nothing") != std::string::npos);
    CHECK(onlyFault("# allow * * * *\n\n").find("f: has no rule") == 0);

    const std::vector<std::string> all = faultsOf("allow * * * *\nallw * * * *\n\ndeny * * *\nallow * * * Nine\n");
    REQUIRE(all.size() == 3);
    CHECK(all[0].find("f:2: ") == 0);
    CHECK(all[1].find("f:4: ") == 0);
    CHECK(all[2].find("f:5: ") == 0);

    std::string many;
    for (int i = 0; i < 150; ++i)
        many += "nonsense\n";
    CHECK(faultsOf(many).size() == 101);
    CHECK(faultsOf(many).back() == "f: and 50 further errors");
}

TEST_CASE("files that cannot be read say why", "[hub][access]") {
    const perf::test::TempDir dir;
    const auto read = [&](const std::string& name) {
        std::string text;
        Faults faults;
        CHECK_FALSE(readTextFile(dir.file(name), text, faults));
        REQUIRE(faults.size() == 1);
        CHECK(faults.kept()[0].line == 0);
        return faults.kept()[0].text;
    };
    CHECK(read("none") == "cannot be read: No such file or directory");
    REQUIRE(::mkdir(dir.file("folder").c_str(), 0700) == 0);
    CHECK(read("folder") == "cannot be read: it is no file");
    REQUIRE(::mkfifo(dir.file("pipe").c_str(), 0600) == 0);
    CHECK(read("pipe") == "cannot be read: it is no file");
    std::ofstream(dir.file("good")) << "text";
    std::string text;
    Faults faults;
    CHECK(readTextFile(dir.file("good"), text, faults));
    CHECK(text == "text");
    const std::uint64_t before = versionOf(dir.file("good"));
    CHECK(before != 0);
    CHECK(versionOf(dir.file("good")) == before);
    std::ofstream(dir.file("good")) << "longer text";
    CHECK(versionOf(dir.file("good")) != before);
    CHECK(versionOf(dir.file("none")) == 0);
}
