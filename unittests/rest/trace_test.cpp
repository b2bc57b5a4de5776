// The REST log has no secrets in it (credentials.md 8.1).
#include "http/RestTrace.h"
#include "support/catch.hpp"

#include <string>

using namespace emissary::rest;

TEST_CASE("forms and answers are masked", "[rest][log]") {
    CHECK(maskedForm("grant_type=password&username=u&password=secret&newPassword=n&client_secret=x&scope=s") ==
          "grant_type=password&username=u&password=***&newPassword=***&client_secret=***&scope=s");
    CHECK(maskedForm("refresh_token=RT&client_assertion=JWS&client_assertion_type=t") ==
          "refresh_token=***&client_assertion=***&client_assertion_type=t");
    CHECK(maskedTokens(R"({"access_token":"AT","refresh_token" : "R\"T","expires_in":5})") ==
          R"({"access_token":"***","refresh_token" : "***","expires_in":5})");
    CHECK(maskedTokens(R"({"access\u005ftoken":"AT"})").find("AT\"") == std::string::npos);
    CHECK(maskedTokens(R"({"error":"access_token"})") == R"({"error":"access_token"})");
    CHECK(maskedTokens(R"({"access_token":12345678})") == R"({"access_token":"***"})");
    CHECK(maskedTokens("plain text") == "plain text");
    const std::string whole = R"({"a":1,"access_token":"SECRET-TOKEN","b":2})";
    for (std::size_t n = 0; n <= whole.size(); ++n)
        CHECK(maskedTokens(whole.substr(0, n)).find("SECRET") == std::string::npos);
}

TEST_CASE("entries have the form of the specification", "[rest][log]") {
    HttpRequest request;
    request.url = "https://h/auth/oauth2/v2/token";
    request.form = Secret("grant_type=client_credentials&client_secret=hidden");
    request.bearer = Secret("hidden");
    request.route.proxyHost = "proxy";
    request.route.proxyPassword = Secret("hidden");
    const std::string text = traceOf(request);
    CHECK(text.find("<!-- Time: ") == 0);
    for (const char* line : {"--- REST REQUEST ---", "URL: https://h/auth/oauth2/v2/token", "HTTP method: POST",
                             " Content-Type : application/x-www-form-urlencoded",
                             "HTTP body data: grant_type=client_credentials&client_secret=***",
                             "Proxy host name: proxy", "Request timeout: 90"})
        CHECK(text.find(std::string(line) + "\n") != std::string::npos);
    CHECK(text.find("hidden") == std::string::npos);
    HttpAnswer answer;
    answer.status = 200;
    answer.body = Secret(R"({"access_token":"hidden"})");
    const std::string masked = traceOf(
        answer, "Content-Type: application/json\r\nSet-Cookie: hidden\r\nSET-COOKIE: hidden\r\n\r\n", Tracing::masked);
    CHECK(masked.find("--- REST RESPONSE ---\nHTTP header data:\n Content-Type : application/json\n") !=
          std::string::npos);
    CHECK(masked.find("HTTP status code: 200") != std::string::npos);
    CHECK(masked.find("hidden") == std::string::npos);
    CHECK(traceOf(answer, "", Tracing::verbose).find("hidden") != std::string::npos);
    CHECK(traceOfFailure("Connection refused", 7, 111)
              .find("--- REST RESPONSE ERROR ---\nError: Connection refused\n"
                    " Error ID: 7\n System error: 111\n") != std::string::npos);
}
