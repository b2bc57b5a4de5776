// Who may use the pages: tokens, roles, and those who guess.
#include "../../perftools/TempDir.h"
#include "../node/certificates.h"
#include "rig.h"

#include <fstream>

using namespace emissary;
using namespace emissary::hub;
using ops::test::has;
using ops::test::Rig;
using perf::test::TempDir;

namespace {

// SHA-256 of "alpha", "beta" and "gamma".
constexpr const char* kTokens = "reader:read:8ed3f6ad685b959ead7022518e1af76cd816f8e8ec7ccdda1ed4018e8f2223f8\n"
                                "worker:operate:f44e64e75f3948e9f73f8dfa94721c4ce8cbb4f265c4790c702b2d41cfbf2753\n"
                                "chief:admin:be9d587defa1f0c09ef49eb17e206983a5f8f8289e4281860bd0ee5a19592c67\n";

struct Guarded {
    TempDir dir;
    access::OperatorTokens tokens{dir.file("tokens")};
    Rig rig;
    std::uint16_t port = 0;

    /// `everywhere`: on all interfaces; else on the loopback.
    explicit Guarded(bool everywhere) {
        std::ofstream(dir.file("tokens")) << kTokens;
        REQUIRE(tokens.read().empty());
        port = rig.serve(std::chrono::seconds(20), [&](ops::Pages::Options& o) {
            o.tokens = &tokens;
            if (everywhere) o.http.address = "0.0.0.0";
        });
    }
    [[nodiscard]] std::string ask(const std::string& line, const std::string& headers = {}) const {
        return test::http(port, line + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + headers + "\r\n");
    }
    [[nodiscard]] std::string get(const std::string& path, const std::string& token = {}) const {
        return ask("GET " + path, token.empty() ? "" : "Authorization: Bearer " + token + "\r\n");
    }
    [[nodiscard]] std::string drain(const std::string& token, const std::string& headers) const {
        return ask("POST /drain", (token.empty() ? "" : "Authorization: Bearer " + token + "\r\n") + headers);
    }
    [[nodiscard]] std::vector<std::string> notes() {
        const std::lock_guard guard(rig.mutex);
        std::vector<std::string> out;
        for (const ops::CallNote& n : rig.notes)
            out.push_back((n.refused ? "refused " : "made ") + n.code + " " + n.text + " " + n.user + " " + n.address);
        return out;
    }
    [[nodiscard]] std::string count(const std::string& name) const {
        const std::string text = get("/metrics", "alpha");
        const std::size_t at = text.find(name + "{");
        if (at == std::string::npos) return text;
        const std::string line = text.substr(at, text.find('\n', at) - at);
        return line.substr(line.rfind(' ') + 1);
    }
};

constexpr const char* kMeant = "X-Emissary-Drain: yes\r\n";

}  // namespace

TEST_CASE("pages on all interfaces need a token, but for the two that probes ask", "[hub][ops][operators]") {
    Guarded g(true);
    for (const char* const path : {"/", "/connz", "/metrics", "/itemz?service=FEED&name=IBM", "/live/", "/nothing"}) {
        INFO(path);
        const std::string refused = g.get(path);
        has(refused, "HTTP/1.1 401 ");
        has(refused, "WWW-Authenticate: Bearer realm=\"emissary-hub\"\r\n");
        has(refused, "WWW-Authenticate: Basic realm=\"emissary-hub\"");
        CHECK(g.get(path, "alpha").find("HTTP/1.1 401 ") == std::string::npos);
    }
    has(g.get("/connz", "alpha"), "ann<b>");
    has(g.get("/connz", "gamma"), "HTTP/1.1 200 ");
    has(g.get("/healthz"), "HTTP/1.1 200 ");
    has(g.get("/readyz"), "HTTP/1.1 200 ");
    g.rig.up.isUp_ = false;
    CHECK(g.get("/readyz").find("up: up") == std::string::npos);
    has(g.get("/readyz"), "sources are not up\n");
    has(g.get("/readyz", "alpha"), "not up: up\n");
    // "anything:alpha" and "alpha" in base64: browsers send the first form.
    has(g.ask("GET /connz", "Authorization: Basic YW55dGhpbmc6YWxwaGE=\r\n"), "HTTP/1.1 200 ");
    has(g.ask("GET /connz", "authorization: bEARER  alpha\r\n"), "HTTP/1.1 200 ");
    for (const char* const wrong : {"Basic YWxwaGE=", "Basic ****", "Bearer", "Bearer ", "Digest alpha", "alpha"}) {
        INFO(wrong);
        has(g.ask("GET /connz", std::string("Authorization: ") + wrong + "\r\n"), "HTTP/1.1 401 ");
    }
}

TEST_CASE("pages on the loopback are open, and what changes the hub needs a role", "[hub][ops][operators]") {
    Guarded g(false);
    has(g.get("/connz"), "HTTP/1.1 200 ");
    has(g.get("/connz", "nobody"), "HTTP/1.1 401 ");
    has(g.drain("", kMeant), "HTTP/1.1 401 ");
    has(g.drain("alpha", kMeant), "HTTP/1.1 403 ");
    has(g.drain("beta", kMeant), "This needs the role admin, and the token of 'worker' has operate.");
    has(g.drain("gamma", ""), "X-Emissary-Drain");
    has(g.drain("gamma", std::string(kMeant) + "Origin: http://evil.example\r\n"), "HTTP/1.1 403 ");
    CHECK_FALSE(g.rig.drained);
    has(g.count("emissary_hub_ops_token_missing_total"), "1");
    has(g.count("emissary_hub_ops_role_refused_total"), "2");
    const std::vector<std::string> notes = g.notes();
    CHECK(notes == std::vector<std::string>{
                       "refused wrong_token GET /connz  127.0.0.1", "refused token_missing POST /drain  127.0.0.1",
                       "refused role POST /drain reader 127.0.0.1", "refused role POST /drain worker 127.0.0.1",
                       "refused not_meant POST /drain chief 127.0.0.1",
                       "refused other_site POST /drain chief 127.0.0.1"});
    has(g.drain("gamma", kMeant), "HTTP/1.1 202 ");
    while (!g.rig.drained)  // it begins when the answer has left
        (void)g.get("/healthz");
}

TEST_CASE("whoever guesses tokens is not heard for a minute, and does not fill the audit log",
          "[hub][ops][operators]") {
    Guarded g(true);
    for (unsigned i = 0; i < ops::Gate::kMostFailures; ++i)
        has(g.get("/connz", "guess" + std::to_string(i)), "HTTP/1.1 401 ");
    const std::string blocked = g.get("/connz", "alpha");
    has(blocked, "HTTP/1.1 429 ");
    has(blocked, "Retry-After: 60\r\n");
    for (int i = 0; i < 30; ++i)
        has(g.get("/connz", "guess"), "HTTP/1.1 429 ");
    has(g.get("/healthz"), "HTTP/1.1 200 ");
    CHECK(g.notes().size() == ops::Gate::kMostFailures);
}

TEST_CASE("a token that was taken out of the file is not taken any more", "[hub][ops][operators]") {
    Guarded g(true);
    has(g.get("/connz", "alpha"), "HTTP/1.1 200 ");
    std::ofstream(g.dir.file("tokens")) << std::string(kTokens).substr(std::string(kTokens).find("worker"));
    REQUIRE(g.tokens.read().empty());
    has(g.get("/connz", "alpha"), "HTTP/1.1 401 ");
    has(g.get("/connz", "beta"), "HTTP/1.1 200 ");
}

TEST_CASE("pages speak TLS where a certificate is named, and nothing else", "[hub][ops][operators][tls]") {
    const test::Certificates made;
    ListenerSettings files;
    made.encrypt(files);
    Rig rig;
    const std::uint16_t port = rig.serve(std::chrono::seconds(20), [&](ops::Pages::Options& o) {
        access::Faults faults;
        REQUIRE(access::readTextFile(files.bind.tls.certificate, o.http.tls.certificate, faults));
        REQUIRE(access::readTextFile(files.bind.tls.privateKey, o.http.tls.key, faults));
    });
    const std::string ca = std::filesystem::path(files.bind.tls.certificate).parent_path() / "ca.pem";
    const auto ask = [&](const std::string& options) {
        const std::string command = "printf 'GET /servicez HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: "
                                    "close\\r\\n\\r\\n' | openssl s_client -quiet "
                                    "-verify_return_error -CAfile '" +
                                    ca + "' " + options + " -connect 127.0.0.1:" + std::to_string(port) +
                                    " 2>/dev/null";
        std::string all;
        FILE* const out = ::popen(command.c_str(), "r");
        REQUIRE(out != nullptr);
        char piece[4096];
        for (std::size_t n = 0; (n = std::fread(piece, 1, sizeof piece, out)) > 0;)
            all.append(piece, n);
        (void)::pclose(out);
        return all;
    };
    has(ask("-verify_hostname localhost -tls1_3"), R"("hub":"alpha")");
    has(ask("-tls1_2"), R"("hub":"alpha")");
    CHECK(ask("-verify_hostname elsewhere.example").empty());
    CHECK(ask("-tls1_1 -cipher DEFAULT@SECLEVEL=0").empty());
    CHECK(test::httpGet(port, "/servicez").find("alpha") == std::string::npos);
    CHECK(ops::test::has(ask("-tls1_3"), R"("hub":"alpha")"));  // what came in clear text has harmed nobody

    reactor::HttpOptions wrong;
    wrong.tls = {"no certificate", "no key"};
    CHECK_THROWS_WITH(reactor::HttpServer(wrong, [](const reactor::HttpRequest&) { return reactor::HttpReply{}; }),
                      Catch::Contains("cannot serve TLS on 127.0.0.1"));
}
