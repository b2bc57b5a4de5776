// Files of users: what is read, what is said of each line that is none, and which logins are taken.
#include "hashes.h"
#include "hub/access/LoginFile.h"
#include "support/catch.hpp"

using namespace emissary;
using namespace emissary::hub;
using namespace emissary::hub::access;
using LoginKind = client::LoginVerdict::Kind;

namespace {

[[nodiscard]] std::string onlyUserFault(std::string_view text) {
    Faults faults;
    (void)LoginFile::read(text, faults);
    const std::vector<std::string> all = faults.lines("f");
    REQUIRE(all.size() == 1);
    return all.front();
}

[[nodiscard]] client::LoginAsk login(const std::string& user, const std::string& password,
                                     const std::string& address = "10.1.2.3:4711") {
    client::LoginAsk ask;
    ask.user = user;
    ask.password = password;
    ask.address = address;
    return ask;
}

}  // namespace

TEST_CASE("users with passwords, groups and addresses", "[hub][access]") {
    Faults faults;
    const std::string text = "# users\n"
                             "dana:" +
                             test::hashOf("secret") +
                             ":desk,all:10.1.*\n"
                             "\n"
                             "free:::\r\n"
                             "DOMAIN\\eve x:" +
                             test::hashOf("s:e,c", "$y$j75$saltsalt") + "::fe80::*,127.0.0.1\n";
    const LoginFile file = LoginFile::read(text, faults);
    for (const std::string& line : faults.lines("f"))
        FAIL(line);
    REQUIRE(file.size() == 3);

    const client::LoginVerdict yes = file.decide(login("dana", "secret"));
    CHECK(yes.kind == LoginKind::accepted);
    CHECK(yes.groups == std::vector<std::string>{"desk", "all"});
    CHECK(file.decide(login("free", "")).kind == LoginKind::accepted);
    CHECK(file.decide(login("free", "whatever")).kind == LoginKind::accepted);
    CHECK(file.decide(login("free", "")).groups.empty());
    CHECK(file.decide(login("DOMAIN\\eve x", "s:e,c", "[fe80::1]:80")).kind == LoginKind::accepted);
    CHECK(file.decide(login("DOMAIN\\eve x", "s:e,c", "[::ffff:127.0.0.1]:80")).kind == LoginKind::accepted);

    const client::LoginAsk wrong[] = {login("dana", "Secret"),
                                      login("dana", ""),
                                      login("dana", "secret "),
                                      login("dana", std::string("secret\0", 7)),
                                      login("dana", std::string(5000, 's')),
                                      login("Dana", "secret"),
                                      login("", "secret"),
                                      login("dana", "secret", "10.2.2.3:4711"),
                                      login("dana", "secret", "10.1:4711"),
                                      login("dana", "secret", ""),
                                      login("DOMAIN\\eve x", "s:e,c", "10.1.2.3:1"),
                                      login("nobody", "")};
    for (const client::LoginAsk& ask : wrong) {
        INFO(ask.user << " " << ask.address);
        const client::LoginVerdict no = file.decide(ask);
        CHECK(no.kind == LoginKind::notEntitled);
        CHECK(no.text == "The user, the password or the address is not accepted.");
        CHECK_FALSE(no.reason.empty());
        CHECK(no.groups.empty());
    }
    CHECK(file.decide(login("dana", "x")).reason == "the password is wrong");
    CHECK(file.decide(login("nobody", "secret")).reason == "there is no such user");
}

TEST_CASE("every error of a file of users is told with its line and without hashes", "[hub][access]") {
    CHECK(onlyUserFault("dana") == "f:1: a line has 4 parts; write: user:hash:group,group:address");
    CHECK(onlyUserFault("dana:::\neve::").find("f:2: a line has 4 parts") == 0);
    CHECK(onlyUserFault(":::").find("a user has a name") != std::string::npos);
    CHECK(onlyUserFault("dana :::").find("a user has a name, without blanks") != std::string::npos);
    CHECK(onlyUserFault(" dana:::").find("a user has a name, without blanks") != std::string::npos);
    CHECK(onlyUserFault("da\x01na:::").find("a control character") != std::string::npos);
    CHECK(onlyUserFault("dana:::\n# x\ndana:::").find("f:3: user [dana] has a line already") == 0);
    CHECK(onlyUserFault("dana::desk,:").find("the third part is no list") != std::string::npos);
    CHECK(onlyUserFault("dana::desk, all:").find("the third part is no list") != std::string::npos);
    CHECK(onlyUserFault("dana::@desk:").find("group [@desk] is written without @") != std::string::npos);
    CHECK(onlyUserFault("dana::de*:").find("is no pattern") != std::string::npos);
    CHECK(onlyUserFault("dana:::10.1.*,").find("the fourth part is no list") != std::string::npos);
    CHECK(onlyUserFault("dana:::10.1.0.0/16").find("address [10.1.0.0/16] is no numeric address") != std::string::npos);
    CHECK(onlyUserFault("").find("f: has no user") == 0);
    for (const char* const hash : {"plain text", "*", "!", "!$6$salt$hash", "$99$x$y"}) {
        INFO(hash);
        const std::string fault = onlyUserFault("dana:" + std::string(hash) + "::");
        CHECK(fault.find("the second part is no hash of crypt(3)") != std::string::npos);
        CHECK(fault.find(hash + std::string("]")) == std::string::npos);
    }
}

TEST_CASE("hosts of peers", "[hub][access]") {
    CHECK(hostOf("10.1.2.3:4711") == "10.1.2.3");
    CHECK(hostOf("[::1]:4711") == "::1");
    CHECK(hostOf("[::ffff:10.1.2.3]:4711") == "10.1.2.3");
    CHECK(hostOf("[::ffff:1]:4711") == "::ffff:1");
    CHECK(hostOf("shmem:14002, process 7") == "shmem");
    CHECK(hostOf("") == "");
}
