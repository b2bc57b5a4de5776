// The file of operators' tokens: what is read, what is refused, whose token it is.
#include "hub/access/OperatorFile.h"

#include "../../perftools/TempDir.h"
#include "support/catch.hpp"

#include <fstream>

using namespace emissary::hub::access;

namespace {

// SHA-256 of "alpha", "beta" and "gamma".
constexpr const char* kAlpha = "8ed3f6ad685b959ead7022518e1af76cd816f8e8ec7ccdda1ed4018e8f2223f8";
constexpr const char* kBeta = "f44e64e75f3948e9f73f8dfa94721c4ce8cbb4f265c4790c702b2d41cfbf2753";

[[nodiscard]] std::vector<std::string> tokenFaults(const std::string& text) {
    Faults faults;
    (void)OperatorFile::read(text, faults);
    return faults.lines("tokens");
}

}  // namespace

TEST_CASE("a file of tokens says who may do what", "[hub][access][operators]") {
    Faults faults;
    const OperatorFile file = OperatorFile::read(
        std::string("# comment\n\nnagios:read:") + kAlpha + "\nmaria@desk:admin:" + kBeta + "\r\n", faults);
    CHECK(faults.empty());
    CHECK(file.size() == 2);
    REQUIRE(file.find("alpha") != nullptr);
    CHECK(file.find("alpha")->name == "nagios");
    CHECK(file.find("alpha")->role == OperatorRole::read);
    REQUIRE(file.find("beta") != nullptr);
    CHECK(file.find("beta")->role == OperatorRole::admin);
    for (const char* const other : {"", "alph", "alpha ", "Alpha", "gamma"})
        CHECK(file.find(other) == nullptr);
    CHECK(file.find(kAlpha) == nullptr);  // the hash is no token
    CHECK(file.find(std::string("alpha\0", 6)) == nullptr);
    CHECK(file.find(std::string(100'000, 'a')) == nullptr);
}

TEST_CASE("a line that is wrong refuses the file, with its number and the remedy", "[hub][access][operators]") {
    const std::string good = std::string("a:read:") + kAlpha;
    const auto one = [&](const std::string& line, const std::string& text) {
        const std::vector<std::string> lines = tokenFaults(good + "\n" + line + "\n");
        INFO(line);
        REQUIRE(lines.size() == 1);
        CHECK_THAT(lines.front(), Catch::StartsWith("tokens:2: ") && Catch::Contains(text));
        CHECK(lines.front().find(kBeta) == std::string::npos);
    };
    one("b", "3 parts");
    one("b:read", "3 parts");
    one(std::string(":read:") + kBeta, "a name has");
    one(std::string("b b:read:") + kBeta, "a name has");
    one(std::string("b:root:") + kBeta, "role [root] is none of read, operate, admin");
    one("b:read:secret", "sha256sum");
    one(std::string("b:read:") + kBeta + "0", "sha256sum");
    one(std::string("b:read:g") + std::string(kBeta).substr(1), "sha256sum");
    one(std::string("b:read:") + kAlpha, "another line has the same token");
    one("b:read:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "empty token");
    CHECK(tokenFaults("# nobody\n") == std::vector<std::string>{"tokens: has no token"});
    CHECK(tokenFaults("x\ny\n").size() == 2);
}

TEST_CASE("tokens are read again as a whole, or stay", "[hub][access][operators]") {
    const emissary::perf::test::TempDir dir;
    const auto write = [&](const std::string& text) { std::ofstream(dir.file("tokens")) << text; };
    OperatorTokens tokens(dir.file("tokens"));
    CHECK(tokens.read().size() == 1);
    CHECK(tokens.current() == nullptr);
    write(std::string("a:read:") + kAlpha + "\n");
    CHECK(tokens.read().empty());
    const auto before = tokens.current();
    REQUIRE(before != nullptr);
    write(std::string("b:read:") + kBeta + "\nwrong\n");
    const std::vector<std::string> faults = tokens.read();
    REQUIRE(faults.size() == 1);
    CHECK(faults.front() == "HttpTokens: " + dir.file("tokens") + ":2: a line has 3 parts; write: name:role:hash");
    CHECK(tokens.current() == before);
    write(std::string("b:read:") + kBeta + "\n");
    CHECK(tokens.read().empty());
    CHECK(tokens.current()->find("alpha") == nullptr);
    CHECK(before->find("alpha") != nullptr);  // who holds it may go on reading
}
