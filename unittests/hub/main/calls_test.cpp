// emissary-hub ctl and reload as processes, with tokens and TLS: exit codes, and tokens that are read again.
#include "hub/node/certificates.h"
#include "perftools/ToolProcess.h"
#include "support/catch.hpp"

#include <csignal>
#include <fstream>
#include <optional>

namespace emissary::ctl_test {

using Catch::Contains;
using perf::test::freePort;
using perf::test::TempDir;
using perf::test::ToolProcess;

namespace {

constexpr double kPatience = 60;
// SHA-256 of "alpha" and "gamma".
constexpr const char* kReader = "reader:read:8ed3f6ad685b959ead7022518e1af76cd816f8e8ec7ccdda1ed4018e8f2223f8\n";
constexpr const char* kChief = "chief:admin:be9d587defa1f0c09ef49eb17e206983a5f8f8289e4281860bd0ee5a19592c67\n";

struct Guarded {
    TempDir dir;
    std::optional<test::Certificates> made;
    int pages = freePort();
    std::optional<ToolProcess> hub;

    explicit Guarded(bool encrypted, const std::string& more = {}) {
        dir.write("tokens", std::string(kReader) + kChief);
        dir.write("reader", "alpha\n");
        dir.write("chief", "gamma\n");
        dir.write("nobody", "delta\n");
        std::string files;
        if (encrypted) {
            hub::ListenerSettings s;
            made.emplace().encrypt(s);
            files = "<HttpCertificate value=\"" + s.bind.tls.certificate + "\"/><HttpKey value=\"" +
                    s.bind.tls.privateKey + "\"/>";
        }
        dir.write("hub.xml", "<HubConfig><Hub><Name value=\"tested\"/><HttpTokens value=\"" + dir.file("tokens") +
                                 "\"/>" + files + more + "</Hub></HubConfig>");
    }
    void start() {
        hub.emplace(EMISSARY_HUB, words({"-port", "0", "-niPort", "0"}), dir, "hub.out");
        INFO(hub->output());
        REQUIRE(hub->waitForOutput("pages on http", kPatience));
    }
    [[nodiscard]] std::vector<std::string> words(std::vector<std::string> first) const {
        first.insert(first.end(), {"-c", "hub.xml", "-httpPort", std::to_string(pages)});
        return first;
    }
    /// Exit code and text.
    std::pair<int, std::string> ask(std::vector<std::string> first) {
        ToolProcess tool(EMISSARY_HUB, words(std::move(first)), dir, "ask.out");
        const auto ended = tool.wait(kPatience);
        REQUIRE(ended.has_value());
        return {*ended, tool.output()};
    }
    void check(std::vector<std::string> first, int code, const std::string& part) {
        const auto [got, text] = ask(std::move(first));
        INFO(text);
        CHECK(got == code);
        CHECK_THAT(text, Contains(part));
        CHECK(text.find("alpha") == std::string::npos);
        CHECK(text.find("gamma") == std::string::npos);
    }
};

}  // namespace

TEST_CASE("calls are made from the command line, with a token and an exit code", "[hub][main][calls][tls]") {
    const bool encrypted = GENERATE(false, true);
    INFO((encrypted ? "TLS" : "clear text"));
    Guarded g(encrypted);
    g.start();
    g.check({"ctl"}, 0, "eject-client [client=N] [user=TEXT] [text=TEXT] [again=true]");
    g.check({"ctl", "nonsense"}, 2, "[nonsense] is no call; emissary-hub ctl lists the calls");
    g.check({"ctl", "pause-client", "client"}, 2, "[client] is no NAME=VALUE");
    g.check({"ctl", "pause-client", "client=x"}, 2, "client=x is no whole number");
    g.check({"ctl", "pause-client", "klient=1"}, 2, "pause-client has no argument [klient]");
    g.check({"ctl", "pause-client", "client=1"}, 1, "This needs a token");
    g.check({"ctl", "pause-client", "client=1", "--token-file", "nobody"}, 1, "This token is not known.");
    g.check({"ctl", "pause-client", "client=1", "--token-file", "missing"}, 1, "its first line has no token");
    g.check({"ctl", "pause-client", "client=1", "--token-file", "reader"}, 1, "needs the role operate");
    g.check({"ctl", "pause-client", "client=007", "--token-file", "chief"}, 1, "no connection has the number 7");
    g.check({"ctl", "eject-client", "user=a \"b\"", "--token-file", "chief"}, 1, "is not logged in");
    g.check({"reload", "--token-file", "reader"}, 1, "needs the role admin");
    g.check({"reload", "--token-file", "chief"}, 0, "The configuration says what runs.");

    // A file with a wrong line is not taken, and the answer says so.
    g.dir.write("tokens", std::string(kReader) + "chief:admin\n");
    g.check({"reload", "--token-file", "chief"}, 0, "tokens:2: a line has 3 parts; write: name:role:hash");
    g.check({"reload", "--token-file", "chief"}, 0, "The tokens that were read before stay in use.");
    g.dir.write("tokens", kReader);
    g.check({"reload", "--token-file", "chief"}, 0, "The configuration says what runs.");
    g.check({"reload", "--token-file", "chief"}, 1, "This token is not known.");
    CHECK_THAT(g.hub->output(), Contains("pages on http" + std::string(encrypted ? "s" : "") + "://127.0.0.1:"));

    g.dir.write("tokens", kChief);
    g.hub->signal(SIGHUP);
    REQUIRE(g.hub->waitForOutput("SIGHUP: the log was opened as configured now", kPatience));
    g.check({"ctl", "drain", "--token-file", "chief"}, 0, "within DrainTimeout, and ends");
    CHECK(g.hub->wait(kPatience) == 0);
    CHECK_THAT(g.hub->output(), Contains("drains (drain of 'chief' at 127.0.0.1)"));
}

TEST_CASE("--check says who may use pages that are not on the loopback", "[hub][main][calls]") {
    Guarded g(false, "<HttpAddress value=\"0.0.0.0\"/>");
    g.check({"--check"}, 0, "HttpCertificate names no file: tokens travel in clear text");
    g.dir.write("tokens", "wrong\n");
    g.check({"--check"}, 1, "tokens:1: a line has 3 parts");
    g.dir.write("hub.xml", "<HubConfig><Hub><HttpAddress value=\"0.0.0.0\"/></Hub></HubConfig>");
    g.check({"--check"}, 0, "HttpTokens names no file: whoever reaches the pages may read them");
    g.dir.write("hub.xml", "<HubConfig><Hub><HttpKey value=\"hub.xml\"/></Hub></HubConfig>");
    g.check({"--check"}, 1, "HttpCertificate and HttpKey go together");
    g.dir.write("hub.xml",
                "<HubConfig><Hub><HttpKey value=\"hub.xml\"/><HttpCertificate value=\"hub.xml\"/></Hub></HubConfig>");
    g.check({"--check"}, 1, "HttpCertificate: ");
    g.dir.write("hub.xml", "<HubConfig><Hub><HttpCaptureFolder value=\"/nowhere\"/></Hub></HubConfig>");
    g.check({"--check"}, 1, "HttpCaptureFolder: files cannot be made in [/nowhere]");
}

}  // namespace emissary::ctl_test
