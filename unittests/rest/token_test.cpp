// Token requests and answers (credentials.md 2, 3, 5.2, 6.3).
#include "rest/token.h"
#include "support/RestServer.h"
#include "support/catch.hpp"
#include "support/paths.h"

#include <fstream>
#include <string>

using namespace emissary;
using namespace emissary::rest;

namespace {

[[nodiscard]] std::string formOf(Grant grant, const Credential& c, const std::string& refresh = {}) {
    Secret form;
    REQUIRE_FALSE(makeTokenForm(grant, c, Secret(refresh), std::chrono::seconds(1), form));
    return std::string(form.view());
}

[[nodiscard]] std::string readRefusal(const std::string& body, Grant grant = Grant::clientCredentials) {
    Secret text(body);
    Token token;
    return readToken(text, grant, token).text;
}

}  // namespace

TEST_CASE("forms have the members of the vectors, in their order", "[rest][token]") {
    Credential c;
    c.userName = "user name@x.com";
    c.clientId = "client1";
    c.password = Secret("p&ss=w\xC3\xB6rd+ /%");
    // As recorded, but a blank is %20.
    CHECK(formOf(Grant::password, c) ==
          "grant_type=password&username=user%20name%40x.com&client_id=client1&takeExclusiveSignOnControl=true&scope="
          "trapi.streaming.pricing.read&password=p%26ss%3Dw%C3%B6rd%2B%20%2F%25");
    c.takeExclusiveSignOnControl = false;
    c.scope = "my.scope";
    c.newPassword = Secret("new-pw");
    c.clientSecret = Secret("sss");
    CHECK(formOf(Grant::password, c) ==
          "grant_type=password&username=user%20name%40x.com&client_id=client1&takeExclusiveSignOnControl=false&scope="
          "my.scope&password=p%26ss%3Dw%C3%B6rd%2B%20%2F%25&newPassword=new-pw&client_secret=sss");
    CHECK(
        formOf(Grant::refreshToken, c, "RT1") ==
        "grant_type=refresh_token&username=user%20name%40x.com&client_id=client1&refresh_token=RT1&client_secret=sss");
    Credential v2;
    v2.clientId = "GE-CLIENT";
    v2.clientSecret = Secret("se&cret+/=1");
    CHECK(formOf(Grant::clientCredentials, v2) ==
          "grant_type=client_credentials&client_id=GE-CLIENT&scope=trapi.streaming.pricing.read&client_secret="
          "se%26cret%2B%2F%3D1");
    SECTION("a JWK goes before the secret, and one that cannot be read makes no request") {
        v2.clientJwk = Secret("{}");
        Secret form;
        CHECK(makeTokenForm(Grant::clientCredentials, v2, Secret(), std::chrono::seconds(1), form));
    }
}

TEST_CASE("token answers", "[rest][token]") {
    Token token;
    SECTION("life as a number or a string of digits, for both grants") {
        for (const std::string& body :
             {test::tokenV1("AT", "RT", 300),
              std::string(R"({"access_token":"AT","refresh_token":"RT","expires_in":300})")}) {
            Secret text(body);
            REQUIRE_FALSE(readToken(text, Grant::password, token));
            CHECK(token.access.view() == "AT");
            CHECK(token.refresh.view() == "RT");
            CHECK(token.expiresIn == std::chrono::seconds(300));
            CHECK(token.type == "Bearer");
            CHECK(text.empty());
        }
        Secret odd(R"({"more":[{"x":1}],"expires_in":"100","token_type":"Mac","access_token":"A\/\u0042"} )");
        REQUIRE_FALSE(readToken(odd, Grant::clientCredentials, token));
        CHECK(token.access.view() == "A/B");
        CHECK(token.type == "Mac");
    }
    SECTION("what cannot be used is refused by what is missing") {
        const std::string begin = "the answer of the token service cannot be used: ";
        CHECK(readRefusal("hello") == begin + "it is no JSON object");
        CHECK(readRefusal("") == begin + "it is no JSON object");
        CHECK(readRefusal("[1]") == begin + "it is no JSON object");
        CHECK(readRefusal("{} x") == begin + "it is no JSON object");
        CHECK(readRefusal(R"({"expires_in":100})") == begin + "it has no access_token");
        CHECK(readRefusal(R"({"access_token":"","expires_in":100})") == begin + "it has no access_token");
        CHECK(readRefusal(R"({"access_token":7,"expires_in":100})") == begin + "it has no access_token");
        CHECK(readRefusal(R"({"access_token":"A"})") == begin + "its expires_in is missing or no number of seconds");
        for (const char* life : {"0", "-5", "\"\"", "\"5x\"", "null", "[]", "0.5"})
            CHECK_FALSE(readRefusal(std::string(R"({"access_token":"A","expires_in":)") + life + "}").empty());
        CHECK(readRefusal(test::tokenV2("A", 5), Grant::password) == begin + "it has no refresh_token");
        CHECK(readRefusal(test::tokenV2("A", 5), Grant::refreshToken) == begin + "it has no refresh_token");
        CHECK(readRefusal(R"({"access_token":"A\r\nEvil: 1","expires_in":5})") ==
              begin + "its access_token is no token");
    }
    SECTION("cut anywhere they are refused") {
        const std::string whole = test::tokenV1("AT", "RT", 300);
        for (std::size_t n = 0; n < whole.size(); ++n)
            CHECK_FALSE(readRefusal(whole.substr(0, n), Grant::password).empty());
    }
    SECTION("an endless life is cut") {
        Secret text(R"({"access_token":"A","expires_in":99999999999999})");
        REQUIRE_FALSE(readToken(text, Grant::clientCredentials, token));
        CHECK(token.expiresIn < std::chrono::hours(24 * 3651));
    }
}

TEST_CASE("the assumed life of a client-credentials token", "[rest][token]") {
    using std::chrono::seconds;
    CHECK(assumedLife(seconds(5)) == seconds(4));
    CHECK(assumedLife(seconds(599)) == seconds(569));
    CHECK(assumedLife(seconds(600)) == seconds(300));
    CHECK(assumedLife(seconds(7199)) == seconds(6899));
}

TEST_CASE("what failures are called", "[rest][token]") {
    Credential c;
    c.userName = "user";
    c.password = Secret("pass word");
    HttpAnswer answer;
    answer.status = 401;
    answer.body = Secret(R"({"error":"no","access_token":"AT"} pass%20word pass word)");
    // Whatever the server sends back, no secret gets out.
    CHECK(describeTokenFailure(answer, TokenRequest::first, c) ==
          R"(Failed to request authentication token information with HTTP error 401. Text: )"
          R"({"error":"no","access_token":"***"} *** ***)");
    CHECK(describeTokenFailure(answer, TokenRequest::renewal, c)
              .find("Failed REST request for the token service from HTTP status code 401 for user: user. Text: ") == 0);
    answer = {};
    answer.failure = "Connection refused";
    CHECK(describeTokenFailure(answer, TokenRequest::first, c) ==
          "Failed to request authentication token information. Text: Connection refused");
    CHECK(describeDiscoveryFailure(answer, Secret("AT")) ==
          "Failed to request service discovery information. Text: Connection refused");
    for (const int status : {403, 404, 410, 451})
        CHECK((answer.status = status, answer.final()));
    for (const int status : {0, 200, 400, 401, 500, 503})
        CHECK_FALSE((answer.status = status, answer.final()));
}

TEST_CASE("a secret is overwritten when it goes", "[rest][secret]") {
    char memory[] = "password";
    wipe(memory, sizeof memory);
    CHECK(std::string(memory, sizeof memory) == std::string(sizeof memory, '\0'));
    Secret a("one"), b(a);
    a = Secret("two");
    CHECK(b.view() == "one");
    b = std::move(a);
    CHECK(b.view() == "two");
    b.clear();
    CHECK(b.empty());
}
