// toString() of the login helper against golden texts (unittests/vectors/text/login.md, ema-api.md 14).
#include "EmaDomain.h"

#include "Ema.h"
#include "config/options/own_identity.h"
#include "ema/data/support.h"
#include "support/paths.h"

#include <fstream>
#include <map>

using namespace ematest;
using refinitiv::ema::domain::login::Login;

namespace {

/// The texts by title. They were made by the user root on a host without address: those two are this process's here.
std::map<std::string, std::string> goldenTexts() {
    std::ifstream file(emissary::test::vectorPath("/text/login.md"));
    std::map<std::string, std::string> texts;
    std::string title;
    bool inside = false;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("## ")) title = line.substr(3);
        else if (line == "```") inside = !inside;
        else if (inside && line == "UserName : root")
            texts[title] += "UserName : " + emissary::parameters::operatingSystemUser() + "\n";
        else if (inside && line == "Position : 127.0.0.1/net")
            texts[title] += "Position : " + emissary::parameters::ownAddress() + "/net\n";
        else if (inside) texts[title] += line + "\n";
    }
    return texts;
}

std::map<std::string, std::string> ourTexts() {
    std::map<std::string, std::string> out;
    out["LoginReq fresh"] = text(Login::LoginReq().toString());
    out["LoginReq name(u)"] = text(Login::LoginReq().name("u").toString());
    Login::LoginReq req;
    req.allowSuspectData(false).downloadConnectionConfig(true).applicationId("77").applicationName("app");
    req.applicationAuthorizationToken("tok").instanceId("inst").password("pw").position("1.2.3.4/h");
    req.providePermissionExpressions(false).providePermissionProfile(false).role(1).singleOpen(false);
    req.supportProviderDictionaryDownload(true).pause(true).authenticationExtended(buffer("AE"));
    out["LoginReq everything"] = text(req.name("u").nameType(1).toString());
    req.clear().allowSuspectData(true).downloadConnectionConfig(false).singleOpen(true);
    req.supportProviderDictionaryDownload(false).pause(false).name("u").nameType(5);
    out["LoginReq other values"] = text(req.toString());

    out["LoginRefresh fresh"] = text(Login::LoginRefresh().toString());
    Login::LoginRefresh refresh;
    refresh.allowSuspectData(false).applicationId("77").applicationName("app").position("1.2.3.4/h");
    refresh.providePermissionExpressions(false).providePermissionProfile(false).singleOpen(false);
    refresh.supportBatchRequests(7).supportEnhancedSymbolList(1).supportOMMPost(true);
    refresh.supportOptimizedPauseResume(true).supportProviderDictionaryDownload(true).supportViewRequests(true);
    refresh.supportStandby(true).solicited(true).clearCache(true).authenticationExtended(buffer("AE"));
    refresh.authenticationTTReissue(1234).authenticationErrorCode(5).authenticationErrorText("err");
    refresh.name("u").nameType(1).state(OmmState::OpenEnum, OmmState::OkEnum, OmmState::NoneEnum, "t").seqNum(9);
    out["LoginRefresh everything"] = text(refresh.toString());
    refresh.clear().supportBatchRequests(0).supportEnhancedSymbolList(0).supportOMMPost(false);
    refresh.supportOptimizedPauseResume(false).supportProviderDictionaryDownload(false).supportViewRequests(false);
    refresh.supportStandby(false).solicited(false).clearCache(false).name("u");
    refresh.state(OmmState::ClosedRecoverEnum, OmmState::SuspectEnum, OmmState::NotFoundEnum, "");
    out["LoginRefresh other values"] = text(refresh.toString());

    out["LoginStatus fresh"] = text(Login::LoginStatus().toString());
    Login::LoginStatus status;
    status.authenticationErrorCode(5).authenticationErrorText("err").name("u").nameType(1);
    status.state(OmmState::ClosedEnum, OmmState::SuspectEnum, OmmState::NotFoundEnum, "gone");
    out["LoginStatus everything"] = text(status.toString());
    return out;
}

}  // namespace

TEST_CASE("logins print the golden texts", "[ema][login][vectors]") {
    const auto golden = goldenTexts();
    const auto ours = ourTexts();
    CHECK(golden.size() == 9);
    for (const auto& [title, expected] : golden) {
        INFO(title);
        REQUIRE(ours.count(title) == 1);
        CHECK(ours.at(title) == expected);
    }
}
