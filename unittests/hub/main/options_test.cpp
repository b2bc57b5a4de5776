// The command line.
#include "hub/main/options.h"

#include "support/catch.hpp"

#include <initializer_list>
#include <vector>

using namespace emissary::hub;
using Mode = CommandLine::Mode;

namespace {

CommandLine read(std::initializer_list<const char*> words) {
    std::vector<const char*> argv{"emissary-hub"};
    argv.insert(argv.end(), words);
    return readCommandLine(static_cast<int>(argv.size()), argv.data());
}

}  // namespace

TEST_CASE("options of emissary-hub", "[hub][main]") {
    SECTION("without any it runs") {
        const CommandLine c = read({});
        CHECK(c.mode == Mode::run);
        CHECK(c.mistake.empty());
        CHECK(c.configFile.empty());
    }
    SECTION("each has its place") {
        const CommandLine c = read({"-c", "a.xml", "-source", "h:1", "-source", "B=h:2", "-port", "3", "-niPort", "4",
                                    "-httpPort", "5", "-name", "n", "--check"});
        CHECK(c.mistake.empty());
        CHECK(c.mode == Mode::check);
        CHECK(c.configFile == "a.xml");
        CHECK(c.overrides.sources == std::vector<std::string>{"h:1", "B=h:2"});
        CHECK(c.overrides.port == "3");
        CHECK(c.overrides.publisherPort == "4");
        CHECK(c.overrides.httpPort == "5");
        CHECK(c.overrides.name == "n");
        CHECK(read({"--print-config"}).mode == Mode::printConfig);
        CHECK(read({"--version"}).mode == Mode::version);
        CHECK(read({"-h"}).mode == Mode::help);
        CHECK(read({"--help", "--nonsense"}).mistake.empty());
    }
    SECTION("ctl takes a call and its arguments, and the file of a token is for it and for reload") {
        const CommandLine c = read({"ctl", "eject-client", "client=7", "--token-file", "t", "-httpPort", "5"});
        CHECK(c.mistake.empty());
        CHECK(c.mode == Mode::call);
        CHECK(c.call == std::vector<std::string>{"eject-client", "client=7"});
        CHECK(c.tokenFile == "t");
        CHECK(c.overrides.httpPort == "5");
        CHECK(read({"ctl"}).mode == Mode::call);
        CHECK(read({"reload", "--token-file", "t"}).mistake.empty());
        CHECK(
            read({"--token-file", "t"}).mistake.find("is an option of `emissary-hub reload` and `emissary-hub ctl`") !=
            std::string::npos);
    }
    SECTION("usage takes a folder, and its options are for it alone") {
        const CommandLine c = read({"usage", "/var/usage", "--month", "2026-11", "--csv", "--html", "page.html"});
        CHECK(c.mistake.empty());
        CHECK(c.mode == Mode::usage);
        CHECK(c.usage.folder == "/var/usage");
        CHECK(c.usage.month == "2026-11");
        CHECK(c.usage.csv);
        CHECK(c.usage.htmlFile == "page.html");
        CHECK(read({"usage"}).mistake.find("usage needs one folder") != std::string::npos);
        CHECK(read({"usage", "a", "b"}).mistake.find("usage needs one folder") != std::string::npos);
        CHECK(read({"usage", "a", "--month", "2026-13"}).mistake.find("must be a month like 2026-11") !=
              std::string::npos);
        CHECK(read({"usage", "--help"}).mode == Mode::help);
        CHECK(read({"usage", "--help"}).mistake.empty());
        CHECK(read({"--csv"}).mistake.find("options of `emissary-hub usage FOLDER`") != std::string::npos);
        CHECK(read({"use", "a"}).mistake.find("[use] is no option") != std::string::npos);
    }
    SECTION("reload takes no word, and --dry-run is for it alone") {
        const CommandLine c = read({"reload", "--dry-run", "-c", "a.xml", "-httpPort", "5"});
        CHECK(c.mistake.empty());
        CHECK(c.mode == Mode::reload);
        CHECK(c.dryRun);
        CHECK(c.configFile == "a.xml");
        CHECK_FALSE(read({"reload"}).dryRun);
        CHECK(read({"reload", "now"}).mistake.find("[now] is no option") != std::string::npos);
        CHECK(read({"--dry-run"}).mistake.find("an option of `emissary-hub reload`") != std::string::npos);
        CHECK(read({"reload", "--help"}).mode == Mode::help);
        // What is called must not be done by mistake.
        CHECK(read({"ctl", "--dry-run", "drain"}).mistake.find("an option of `emissary-hub reload`") !=
              std::string::npos);
        CHECK(read({"--check", "--dry-run"}).mistake.find("an option of `emissary-hub reload`") != std::string::npos);
        CHECK(read({"usage", "a", "--dry-run"}).mistake.find("an option of `emissary-hub reload`") !=
              std::string::npos);
        CHECK(read({"reload", "--csv"}).mistake.find("options of `emissary-hub usage FOLDER`") != std::string::npos);
        CHECK(read({"ctl", "--html", "x"}).mistake.find("options of `emissary-hub usage FOLDER`") != std::string::npos);
        CHECK(read({"--help", "--dry-run"}).mistake.empty());
    }
    SECTION("mistakes are sentences that name the option") {
        CHECK(read({"--chek"}).mistake.find("[--chek]") != std::string::npos);
        CHECK(read({"-port"}).mistake.find("-port needs a value") != std::string::npos);
        CHECK(read({"-port", ""}).mistake.find("-port has an empty value") != std::string::npos);
    }
    SECTION("the help names every option") {
        const std::string text = usageText();
        for (const char* name : {"-c FILE", "-source [NAME=]HOST:PORT", "-port", "-niPort", "-httpPort", "-name",
                                 "--check", "--print-config", "--version", "--help"}) {
            INFO(name);
            CHECK(text.find(name) != std::string::npos);
        }
    }
    SECTION("the help says what SIGHUP does") {
        const std::string text = usageText();
        CHECK(text.find("SIGHUP opens the log as the file says now, and reads\ncertificates and keys") !=
              std::string::npos);
    }
}
