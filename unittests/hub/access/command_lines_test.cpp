// Questions to LoginCommand as JSON, and what counts as an answer.
#include "hub/access/command_lines.h"
#include "support/catch.hpp"

using namespace emissary;
using namespace emissary::hub;
using namespace emissary::hub::access;

namespace {

[[nodiscard]] std::string lineFor(const client::LoginAsk& ask) {
    std::string why;
    const rest::Secret question = questionOf(ask, why);
    return question.empty() ? "not asked: " + why : std::string(lineOf(7, question).view());
}

[[nodiscard]] std::string faultOf(std::string_view line) {
    std::string why;
    return readAnswer(line, why) ? "" : why;
}

}  // namespace

TEST_CASE("questions are one line of JSON, whatever peers call themselves", "[hub][access]") {
    client::LoginAsk ask;
    ask.user = "dana";
    ask.password = "se\"cr\\et\n{}";
    ask.position = "10.1.1.1/net";
    ask.applicationId = "256";
    ask.address = "[::ffff:10.1.2.3]:4711";
    CHECK(lineFor(ask) == R"({"id":7,"ask":"login","user":"dana","nameType":1,"password":"se\"cr\\et\n{}",)"
                          R"("position":"10.1.1.1/net","applicationId":"256","ip":"10.1.2.3"})"
                          "\n");
    ask.user = "\",\"ok\":true,\"x\":\"\r\n\xC3\xA4";
    ask.user += '\0';
    const std::string hostile = lineFor(ask);
    CHECK(hostile.find('\n') == hostile.size() - 1);
    CHECK(hostile.find(R"("user":"\",\"ok\":true,\"x\":\"\r\n)"
                       "\xC3\xA4"
                       R"(\u0000","nameType")") != std::string::npos);
    ask.token = "t.o.k";
    ask.user.clear();
    CHECK(lineFor(ask).find("password") == std::string::npos);
    CHECK(lineFor(ask).find(R"("token":"t.o.k")") != std::string::npos);

    CHECK(lineFor(ask).find("cert") == std::string::npos);
    ask.certSubject = "CN=dana,O=\"desk\"";
    ask.certNames = {"dana@desk.test", "ws7"};
    CHECK(lineFor(ask).find(R"("certSubject":"CN=dana,O=\"desk\"","certNames":["dana@desk.test","ws7"]})") !=
          std::string::npos);
    ask.certSubject.clear();
    ask.certNames.clear();
    ask.again = true;
    ask.as = "dana";
    CHECK(lineFor(ask).find(R"("ip":"10.1.2.3","as":"dana"})") != std::string::npos);
    ask.as.clear();
    CHECK(lineFor(ask).find(R"("as":""})") != std::string::npos);
    ask.again = false;

    // JSON cannot say these, and about what it says instead nobody has asked.
    ask.user = "d\xFFna";
    CHECK(lineFor(ask) == "not asked: user is no UTF-8");
    ask.user.assign(kLongestLogin, 'u');
    CHECK(lineFor(ask) == "not asked: the question would be too long");
    ask.user.assign(kLongestLogin - 512, 'u');
    CHECK(lineFor(ask).size() > kLongestLogin - 512);
}

TEST_CASE("questions about items have groups and permission data", "[hub][access]") {
    const std::vector<std::string> groups{"desk", "a\"b"};
    const std::vector<std::byte> data{std::byte{3}, std::byte{0xFF}, std::byte{0}};
    client::RequestAsk ask;
    ask.user = "dana";
    ask.groups = groups;
    ask.service = "FX";
    ask.name = "EUR=";
    ask.domain = 6;
    std::string why;
    CHECK(questionOf(ask, why).view() ==
          R"(,"ask":"item","user":"dana","groups":["desk","a\"b"],"service":"FX","name":"EUR=","domain":6})"
          "\n");
    ask.permData = data;
    CHECK(questionOf(ask, why).view().find(R"("permData":"A/8A"})") != std::string_view::npos);
    ask.nameType = 4;
    ask.isPrivate = true;
    CHECK(questionOf(ask, why).view().find(R"("domain":6,"nameType":4,"private":true,)") != std::string_view::npos);
}

TEST_CASE("an answer is whole and right, or nothing", "[hub][access]") {
    std::string why;
    const auto answer = readAnswer(R"({"groups":["desk","all"],"user":"dana","ok":true,"id":18446744073709551615,)"
                                   R"("limits":{"logins":2,"mounts":0,"seconds":60},"more":[1,{"a":null}]})",
                                   why);
    REQUIRE(answer);
    CHECK(answer->id == ~std::uint64_t{0});
    const client::LoginVerdict yes = verdictOf(*answer);
    CHECK(yes.kind == client::LoginVerdict::Kind::accepted);
    CHECK(yes.user == "dana");
    CHECK(yes.groups == std::vector<std::string>{"desk", "all"});
    CHECK(yes.lasts == std::chrono::seconds(60));
    CHECK(yes.maxLogins == 2u);
    CHECK(yes.maxMounts == 0u);
    const auto endless = readAnswer(R"({"id":1,"ok":true,"limits":{"seconds":0}})", why);
    REQUIRE(endless);
    CHECK_FALSE(verdictOf(*endless).lasts);  // no limit, and not at once

    struct Row {
        const char *line, *fault;
    };
    for (const Row& row : {Row{"", "it is no JSON object"},
                           {"yes", "it is no JSON object"},
                           {"[1]", "it is no JSON object"},
                           {R"({"id":1,"ok":true)", "it is no JSON object"},
                           {R"({"id":1,"ok":true} {"id":2,"ok":true})", "it is no JSON object"},
                           {"{\"id\":1,\"ok\":true,\"text\":\"\xFF\"}", "it is no JSON object"},
                           {R"({"id":1,"ok":true,"x":[[[[[[[[[[1]]]]]]]]]]})", "it is no JSON object"},
                           {R"({"ok":true})", "id or ok is missing"},
                           {R"({"id":1})", "id or ok is missing"},
                           {R"({"id":"1","ok":true})", "id is no whole number"},
                           {R"({"id":-1,"ok":true})", "id is no whole number"},
                           {R"({"id":1.0,"ok":true})", "id is no whole number"},
                           {R"({"id":1,"ok":"true"})", "ok is neither true nor false"},
                           {R"({"id":1,"ok":1})", "ok is neither true nor false"},
                           {R"({"id":1,"ok":null})", "ok is neither true nor false"},
                           {R"({"id":1,"ok":false,"ok":true})", "a member stands twice"},
                           {R"({"id":1,"ok":true,"groups":"desk"})", "groups is no list of at most 1000 names"},
                           {R"({"id":1,"ok":true,"groups":[""]})", "groups is no list of at most 1000 names"},
                           {R"({"id":1,"ok":true,"user":"a\u0000b"})", "user is no text of at most 256 bytes"},
                           {R"({"id":1,"ok":true,"limits":{"lives":9}})",
                            "limits has something else than numbers: logins, mounts, seconds"},
                           {R"({"id":1,"ok":true,"limits":{"logins":4294967296}})",
                            "limits has something else than numbers: logins, mounts, seconds"}}) {
        INFO(row.line);
        CHECK(faultOf(row.line) == row.fault);
    }
    std::string many = R"({"id":1,"ok":true,"groups":["g")";
    for (int i = 0; i < 1000; ++i)
        many += ",\"g\"";
    CHECK(faultOf(many + "]}") == "groups is no list of at most 1000 names");
}

TEST_CASE("a refusal says its kind, and a text that a terminal may see", "[hub][access]") {
    using Kind = client::LoginVerdict::Kind;
    const auto refused = [](const std::string& more) {
        std::string why;
        return verdictOf(*readAnswer(R"({"id":1,"ok":false)" + more + "}", why));
    };
    CHECK(refused("").kind == Kind::notEntitled);
    CHECK(refused(R"(,"code":"whatever")").kind == Kind::notEntitled);
    CHECK(refused(R"(,"code":"accepted")").kind == Kind::notEntitled);
    CHECK(refused(R"(,"code":"too_many_logins")").kind == Kind::tooManyLogins);
    CHECK(refused(R"(,"code":"application_denied")").kind == Kind::applicationDenied);
    CHECK(refused(R"(,"code":"unavailable")").kind == Kind::noAnswer);
    CHECK(refused(R"(,"text":"no\u001B[2J\n")").text == "no\\x1B[2J\\x0A");
    CHECK(refused(",\"text\":\"" + std::string(3000, 'x') + "\"").text.size() == 1024);
}
