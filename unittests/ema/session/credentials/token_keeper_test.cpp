// When tokens are fetched and renewed: the sequences of session.jsonl on a clock that stands still (credentials.md 6,
// 7).
#include "session/credentials/TokenKeeper.h"

#include "Ema.h"
#include "support/RestServer.h"
#include "support/StillLoop.h"
#include "support/catch.hpp"

#include <atomic>
#include <optional>
#include <string>
#include <vector>

using namespace emissary;
using namespace emissary::test;
using emissary::ema::OAuthSource;
using emissary::ema::TokenKeeper;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

class Loop final : public StillLoop, ema::TokenOwner {
public:
    std::vector<std::string> said;  ///< "token AT1", "asked", "warning ...", "error ..."
    ema::SessionManagementSettings settings;
    OAuthSource source;
    std::function<RestServer::Reply(const RestServer::Request&)> answer;
    std::function<void(TokenKeeper&)> onAsked;
    RestServer server;
    std::optional<ema::RestCalls> calls;
    std::optional<TokenKeeper> keeper;
    std::atomic<int> asked{0};
    int tokens = 0, life = 5;  // the server's thread's

    Loop()
        : server([this](const RestServer::Request& r) -> RestServer::Reply {
              ++asked;
              return answer ? answer(r) : token();
          }) {
        openLoop();
        settings.tokenUrlV1 = settings.tokenUrlV2 = server.url("/token");
        settings.reissueInterval = milliseconds(1000);
        source.credential.userName = "user";
        source.credential.clientId = "client1";
        source.credential.password = rest::Secret("pw");
    }
    ~Loop() {
        locked([&] {
            keeper.reset();
            calls.reset();
        });
        loop.reset();
    }
    /// The next one; on the server's thread, as every `answer`.
    [[nodiscard]] RestServer::Reply token() {
        const std::string number = std::to_string(++tokens);
        return {.body = source.credential.byPassword() ? tokenV1("AT" + number, "RT" + number, life)
                                                       : tokenV2("AT" + number, life)};
    }
    void open() {
        locked([&] {
            calls.emplace(*loop, rest::HttpClientOptions{}, [](const std::string&) {});
            keeper.emplace(*loop, *calls, static_cast<ema::TokenOwner&>(*this), settings, source, rest::HttpRoute{},
                           "Channel_1");
        });
    }
    /// Asks for a token and waits for the outcome: empty, or why there is none.
    std::string want(TokenKeeper::Need need = TokenKeeper::Need::any) {
        std::optional<std::string> result;
        locked([&] { keeper->want(need, [&](const std::string& refusal) { result = refusal; }); });
        until([&] { return result.has_value(); });
        return *result;
    }
    void advance(milliseconds by) {
        clock.advance(by);
        for (int i = 0; i < 3; ++i)
            turn();
    }
    [[nodiscard]] std::vector<std::string> grants() const {
        std::vector<std::string> all;
        for (const auto& r : server.requests()) {
            auto form = r.form();
            std::string line = form["grant_type"];
            for (const char* member : {"password", "newPassword", "refresh_token", "client_secret"})
                if (form.contains(member)) line += " " + form[member];
            all.push_back(line);
        }
        return all;
    }
    [[nodiscard]] std::size_t requests() const { return server.requests().size(); }
    void awaitSaid(std::size_t count) {
        until([&] { return said.size() >= count; });
    }

private:
    void pollPeers() override {}
    [[nodiscard]] std::vector<std::string> history() const override { return said; }
    void onNewToken(TokenKeeper& k) override { said.push_back("token " + std::string(k.token().access.view())); }
    void askForCredential(TokenKeeper& k) override {
        said.push_back("asked");
        if (onAsked) onAsked(k);
    }
    void tokenWarning(const std::string& text) override { said.push_back("warning " + text); }
    void tokenError(const std::string& text) override { said.push_back("error " + text); }
    [[nodiscard]] rest::Tracing tracing() const noexcept override { return rest::Tracing::off; }
};

using Said = std::vector<std::string>;

}  // namespace

TEST_CASE("a V1 token is renewed at its part of life", "[ema][credentials]") {
    Loop l;
    l.open();
    CHECK(l.want().empty());
    CHECK(l.said == Said{"token AT1"});
    CHECK(l.grants() == Said{"password pw"});
    CHECK(l.want().empty());  // the same serves others
    CHECK(l.requests() == 1);
    l.advance(milliseconds(3990));
    CHECK(l.requests() == 1);
    l.advance(milliseconds(20));
    l.awaitSaid(2);
    l.advance(milliseconds(4010));
    l.awaitSaid(3);
    CHECK(l.said == Said{"token AT1", "token AT2", "token AT3"});
    CHECK(l.grants() == Said{"password pw", "refresh_token RT1", "refresh_token RT2"});
}

TEST_CASE("a shorter life after a renewal asks for the password at once", "[ema][credentials]") {
    Loop l;
    l.answer = [&](const RestServer::Request&) {
        l.life = l.asked == 2 ? 3 : 5;
        return l.token();
    };
    l.open();
    CHECK(l.want().empty());
    l.advance(milliseconds(4010));
    l.awaitSaid(2);
    CHECK(l.said == Said{"token AT1", "token AT3"});  // the second one was not used
    CHECK(l.grants() == Said{"password pw", "refresh_token RT1", "password pw"});
}

TEST_CASE("renewals that fail", "[ema][credentials]") {
    Loop l;
    l.settings.reissueAttempts = 2;
    int fail = 0;
    int status = 500;
    l.answer = [&](const RestServer::Request&) -> RestServer::Reply {
        if (fail-- > 0) return {.status = status, .body = "{}"};
        return l.token();
    };
    l.open();
    CHECK(l.want().empty());
    const std::string text =
        "Failed REST request for the token service from HTTP status code 500 for user: user. Text: {}";
    SECTION("once: the password after the interval") {
        fail = 1;
        l.advance(milliseconds(4010));
        l.awaitSaid(2);
        CHECK(l.said[1] == "warning " + text);
        l.advance(milliseconds(990));
        CHECK(l.requests() == 2);
        l.advance(milliseconds(20));
        l.awaitSaid(3);
        CHECK(l.said[2] == "token AT2");
        CHECK(l.grants() == Said{"password pw", "refresh_token RT1", "password pw"});
    }
    SECTION("again and again: one more attempt than the limit") {
        fail = 100;
        l.advance(milliseconds(4010));
        l.awaitSaid(2);
        l.advance(milliseconds(1010));
        l.awaitSaid(3);
        l.advance(milliseconds(1010));
        l.awaitSaid(4);
        CHECK(l.said[3] == "error " + text + "; there will be no further attempt");
        l.advance(seconds(3600));
        CHECK(l.grants() == Said{"password pw", "refresh_token RT1", "password pw", "password pw"});
    }
    SECTION("for good: nothing follows, and a reconnect keeps failing") {
        fail = 100;
        status = GENERATE(403, 404, 410, 451);
        l.advance(milliseconds(4010));
        l.awaitSaid(2);
        CHECK(l.said[1].find("error Failed REST request") == 0);
        l.advance(seconds(3600));
        CHECK(l.requests() == 2);
        CHECK(l.want(TokenKeeper::Need::fresh).find("HTTP status code " + std::to_string(status)) != std::string::npos);
        CHECK(l.requests() == 2);
    }
    SECTION("answers without a token are failures too") {
        l.answer = [&](const RestServer::Request&) -> RestServer::Reply { return {.body = "hello"}; };
        l.advance(milliseconds(4010));
        l.awaitSaid(2);
        CHECK(l.said[1].find("it is no JSON object") != std::string::npos);
    }
}

TEST_CASE("a connection that is made anew has a new token", "[ema][credentials]") {
    Loop l;
    SECTION("V1: by the refresh token, and by the password when that fails") {
        bool fail = false;
        l.answer = [&](const RestServer::Request&) -> RestServer::Reply {
            if (std::exchange(fail, false)) return {.status = 500, .body = "{}"};
            return l.token();
        };
        l.open();
        CHECK(l.want().empty());
        CHECK(l.want(TokenKeeper::Need::fresh).empty());
        fail = true;
        CHECK_FALSE(l.want(TokenKeeper::Need::fresh).empty());
        CHECK(l.want(TokenKeeper::Need::fresh).empty());
        CHECK(l.grants() == Said{"password pw", "refresh_token RT1", "refresh_token RT2", "password pw"});
    }
    SECTION("V2: only then, or when its life is over") {
        l.source.credential = {};
        l.source.credential.clientId = "GE-1";
        l.source.credential.clientSecret = rest::Secret("secret");
        l.life = 600;
        l.open();
        CHECK(l.want().empty());
        l.advance(seconds(299));
        CHECK(l.want().empty());
        CHECK(l.requests() == 1);
        l.advance(seconds(2));
        CHECK(l.requests() == 1);  // nothing by itself
        CHECK(l.want().empty());
        CHECK(l.requests() == 2);
        CHECK(l.want(TokenKeeper::Need::fresh).empty());
        CHECK(l.grants() == Said(3, "client_credentials secret"));
    }
}

TEST_CASE("who asks while a request is under way waits for it", "[ema][credentials]") {
    Loop l;
    l.open();
    int answered = 0;
    l.locked([&] {
        for (int i = 0; i < 3; ++i)
            l.keeper->want(TokenKeeper::Need::fresh, [&](const std::string& refusal) {
                CHECK(refusal.empty());
                ++answered;
            });
        CHECK(answered == 0);  // never inside the call
    });
    l.until([&] { return answered == 3; });
    CHECK(l.requests() == 1);
}

TEST_CASE("a credential client is asked once the first token is there", "[ema][credentials]") {
    struct Client final : refinitiv::ema::access::OmmOAuth2ConsumerClient {
    } client;
    Loop l;
    l.source.client = &client;
    const auto supply = [](const char* password, const char* newPassword) {
        return [=](TokenKeeper& k) {
            rest::Credential next = k.source().credential;
            CHECK(next.password.empty());  // nothing was kept
            next.password = rest::Secret(password);
            next.newPassword = rest::Secret(newPassword);
            k.supply(std::move(next));
        };
    };
    l.answer = [&](const RestServer::Request&) {
        l.life = l.asked == 2 ? 3 : 5;  // the renewal shrinks
        return l.token();
    };
    l.open();
    CHECK(l.want().empty());
    CHECK(l.keeper->source().credential.password.empty());
    SECTION("and its answer is used") {
        l.onAsked = supply("pw-again", "");
        l.advance(milliseconds(4010));
        l.awaitSaid(3);
        CHECK(l.said == Said{"token AT1", "asked", "token AT3"});
        CHECK(l.grants() == Said{"password pw", "refresh_token RT1", "password pw-again"});
        CHECK(l.keeper->source().credential.password.empty());
    }
    SECTION("a new password goes along") {
        l.onAsked = supply("pw-again", "new-pw");
        l.advance(milliseconds(4010));
        l.awaitSaid(3);
        CHECK(l.grants().back() == "password pw-again new-pw");
    }
    SECTION("without an answer there is no request, and it is asked again after the interval") {
        l.advance(milliseconds(4010));
        l.awaitSaid(3);
        CHECK(l.said[2] == "warning the credential client gave no credentials");
        CHECK(l.requests() == 2);
        l.onAsked = supply("late", "");
        l.advance(milliseconds(1010));
        l.awaitSaid(5);
        CHECK(l.said[4] == "token AT3");
    }
}

TEST_CASE("a key that cannot be read makes no request", "[ema][credentials]") {
    Loop l;
    l.source.credential = {};
    l.source.credential.clientId = "GE-1";
    l.source.credential.clientJwk = rest::Secret("{}");
    l.open();
    CHECK(l.want().find("the client JWK cannot be used") == 0);
    CHECK(l.requests() == 0);
}

TEST_CASE("a keeper ends in the middle of everything", "[ema][credentials]") {
    Loop l;
    l.answer = [](const RestServer::Request&) -> RestServer::Reply { return {.silent = true}; };
    l.open();
    bool called = false;
    l.locked([&] { l.keeper->want(TokenKeeper::Need::any, [&](const std::string&) { called = true; }); });
    l.until([&] { return l.requests() == 1; });
    l.locked([&] { l.keeper.reset(); });
    for (int i = 0; i < 3; ++i)
        l.turn();
    CHECK_FALSE(called);
}
