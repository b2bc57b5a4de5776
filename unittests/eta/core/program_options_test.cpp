// Command lines of programs: what the table takes, what is refused, what --help shows.
#include "eta/core/program_options.h"

#include "support/catch.hpp"

using namespace emissary::eta;

namespace {

struct Values {
    std::string host = "here";
    unsigned count = 1;
    bool fast = false;
    int kind = 0;
};

std::vector<ProgramOption> optionsInto(Values& v) {
    return {{"-h", "HOST", "where", takeText(v.host), "--host"},
            {"--count", "N", "how many\nof them", takeNumber(v.count, 1u, 9u)},
            {"--kind", "WORD", "a or b", takeChoice<int>(v.kind, {{"a", 1}, {"b", 2}})},
            {"--fast", "", "at once", takeFlag(v.fast)}};
}

ProgramLine read(Values& v, std::initializer_list<const char*> words) {
    std::vector<const char*> argv{"program"};
    argv.insert(argv.end(), words);
    return readProgramLine("program", optionsInto(v), static_cast<int>(argv.size()), argv.data());
}

}  // namespace

TEST_CASE("options lay their values into fields", "[eta][core][options]") {
    Values v;
    const ProgramLine line = read(v, {"one", "-h", "there", "--count", "9", "--kind", "b", "--fast", "-", "two"});
    CHECK(line.mistake.empty());
    CHECK(line.words == std::vector<std::string>{"one", "-", "two"});
    CHECK(v.host == "there");
    CHECK(v.count == 9);
    CHECK(v.kind == 2);
    CHECK(v.fast);
    CHECK(read(v, {"--host", "-x"}).mistake.empty());
    CHECK(v.host == "-x");
}

TEST_CASE("mistakes of a command line name the option", "[eta][core][options]") {
    Values v;
    const ProgramLine unknown = read(v, {"--fats", "--count"});
    CHECK(unknown.unknown == "--fats");
    CHECK(unknown.mistake == "unknown option [--fats]; program --help lists the options");
    CHECK(read(v, {"--count"}).mistake == "--count needs a value: --count N");
    CHECK(read(v, {"-h", "--fast"}).mistake == "-h needs a value: -h HOST");  // another option, not a value
    CHECK(read(v, {"--count", "--host", "there"}).mistake == "--count needs a value: --count N");
    CHECK(v.host == "here");
    CHECK_FALSE(v.fast);
    for (const char* const bad : {"0", "10", "x", "1x", "", "-1"})
        CHECK(read(v, {"--count", bad}).mistake ==
              "--count must be a number from 1 to 9, not '" + std::string(bad) + "'");
    CHECK(read(v, {"--kind", "c"}).mistake == "--kind must be one of a, b, not 'c'");
    CHECK(read(v, {"--host", ""}).mistake == "-h has an empty value");
    CHECK(v.count == 1);
}

TEST_CASE("help and version are asked for everywhere", "[eta][core][options]") {
    Values v;
    CHECK(read(v, {"--fast", "--help", "--nonsense"}).help);
    CHECK(read(v, {"-?"}).help);
    CHECK(read(v, {"--version"}).version);
    CHECK(read(v, {"-h", "there"}).help == false);  // an option of its own
    CHECK(optionLines(optionsInto(v)) == "  -h HOST                   where\n"
                                         "  --count N                 how many\n"
                                         "                            of them\n"
                                         "  --kind WORD               a or b\n"
                                         "  --fast                    at once\n"
                                         "  --help                    this text\n"
                                         "  --version                 the version\n");
}
