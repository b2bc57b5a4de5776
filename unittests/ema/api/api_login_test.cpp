// The login helper: attributes to messages and back (ema-api.md 14, rdm.md 2.1 to 2.3).
#include "EmaDomain.h"

#include "Ema.h"
#include "ema/data/support.h"

using namespace ematest;
using namespace refinitiv::ema;
using refinitiv::ema::domain::login::Login;

namespace {

/// "Name:Type=value" of every attribute, in wire order.
std::vector<std::string> attributes(const Msg& msg) {
    std::vector<std::string> out;
    REQUIRE(msg.getAttrib().getDataType() == DataType::ElementListEnum);
    const ElementList& list = msg.getAttrib().getElementList();
    list.reset();
    while (list.forth()) {
        const ElementEntry& e = list.getEntry();
        out.push_back(text(e.getName()) + ":" + DataType(e.getLoadType()).toString().c_str() + "=" +
                      (e.getLoadType() == DataType::BufferEnum ? text(e.getBuffer()) : text(e.getLoad().toString())));
    }
    return out;
}
using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("LoginReq travels as a login request", "[ema][login]") {
    Login::LoginReq login;
    login.name("user").nameType(rdm::USER_NAME).applicationId("256").applicationName("app").position("1.2.3.4/net");
    login.password("secret").instanceId("i7").applicationAuthorizationToken("token");
    login.providePermissionProfile(false).providePermissionExpressions().singleOpen().allowSuspectData(false);
    login.supportProviderDictionaryDownload(true).role(rdm::LOGIN_ROLE_PROV).downloadConnectionConfig(true);
    login.authenticationExtended(buffer("ext")).pause(true);

    const ReqMsg& sent = login.getMessage();
    CHECK(sent.getDomainType() == rdm::MMT_LOGIN);
    const ReceivedMsg<ReqMsg> msg(sent);
    CHECK(text(msg->getName()) == "user");
    CHECK(msg->getNameType() == rdm::USER_NAME);
    CHECK(msg->getPause());
    CHECK_FALSE(msg->hasServiceId());
    CHECK(attributes(*msg) == Lines{"AuthenticationExtended:Buffer=ext", "ApplicationId:Ascii=256",
                                    "ApplicationName:Ascii=app", "ApplicationAuthorizationToken:Ascii=token",
                                    "Position:Ascii=1.2.3.4/net", "Password:Ascii=secret", "InstanceId:Ascii=i7",
                                    "ProvidePermissionProfile:UInt=0", "ProvidePermissionExpressions:UInt=1",
                                    "SingleOpen:UInt=1", "SupportProviderDictionaryDownload:UInt=1",
                                    "AllowSuspectData:UInt=0", "Role:UInt=1", "DownloadConnectionConfig:UInt=1"});

    const Login::LoginReq in(*msg);
    CHECK(text(in.getName()) == "user");
    CHECK(in.getNameType() == 1);
    CHECK(text(in.getApplicationId()) == "256");
    CHECK(text(in.getApplicationName()) == "app");
    CHECK(text(in.getPosition()) == "1.2.3.4/net");
    CHECK(text(in.getPassword()) == "secret");
    CHECK(text(in.getInstanceId()) == "i7");
    CHECK(text(in.getApplicationAuthorizationToken()) == "token");
    CHECK_FALSE(in.getProvidePermissionProfile());
    CHECK(in.getProvidePermissionExpressions());
    CHECK(in.getSingleOpen());
    CHECK_FALSE(in.getAllowSuspectData());
    CHECK(in.getSupportProviderDictionaryDownload());
    CHECK(in.getRole() == rdm::LOGIN_ROLE_PROV);
    CHECK(in.getDownloadConnectionConfig());
    CHECK(text(in.getAuthenticationExtended()) == "ext");
    CHECK(in.getPause());
    CHECK(text(in.toString()) == text(login.toString()));
}

TEST_CASE("LoginRefresh travels as a login refresh", "[ema][login]") {
    Login::LoginRefresh login;
    login.name("user").nameType(rdm::USER_NAME).applicationId("256").applicationName("app").position("p");
    login.providePermissionProfile().providePermissionExpressions(false).singleOpen(false).allowSuspectData();
    login.supportOMMPost(true).supportBatchRequests(0x7).supportViewRequests(true).supportOptimizedPauseResume(true);
    login.supportStandby(true).supportEnhancedSymbolList(rdm::SUPPORT_SYMBOL_LIST_DATA_STREAMS);
    login.supportProviderDictionaryDownload(true).authenticationTTReissue(1700000000000).solicited(true);
    login.authenticationExtended(buffer("resp")).authenticationErrorCode(5).authenticationErrorText("none");
    login.state(OmmState::OpenEnum, OmmState::OkEnum, OmmState::NoneEnum, "Login accepted");
    login.clearCache(true).seqNum(77);

    const ReceivedMsg<RefreshMsg> msg(login.getMessage());
    CHECK(msg->getDomainType() == rdm::MMT_LOGIN);
    CHECK(msg->getSolicited());
    CHECK(msg->getClearCache());
    CHECK(msg->getComplete());
    CHECK(msg->getSeqNum() == 77);
    CHECK(text(msg->getState().toString()) == "Open / Ok / None / 'Login accepted'");
    CHECK(attributes(*msg) ==
          Lines{"ApplicationId:Ascii=256", "ApplicationName:Ascii=app", "Position:Ascii=p",
                "ProvidePermissionProfile:UInt=1", "ProvidePermissionExpressions:UInt=0", "SingleOpen:UInt=0",
                "AllowSuspectData:UInt=1", "SupportOMMPost:UInt=1", "SupportBatchRequests:UInt=7",
                "SupportViewRequests:UInt=1", "SupportOptimizedPauseResume:UInt=1", "SupportStandby:UInt=1",
                "SupportEnhancedSymbolList:UInt=1", "SupportProviderDictionaryDownload:UInt=1",
                "AuthenticationTTReissue:UInt=1700000000000", "AuthenticationExtendedResp:Buffer=resp",
                "AuthenticationErrorCode:UInt=5", "AuthenticationErrorText:Ascii=none"});

    Login::LoginRefresh in;
    in.message(*msg);
    CHECK(in.getSupportOMMPost());
    CHECK(in.getSupportBatchRequests() == 7);
    CHECK(in.getSupportViewRequests());
    CHECK(in.getSupportOptimizedPauseResume());
    CHECK(in.getSupportStandby());
    CHECK(in.getSupportEnhancedSymbolList() == 1);
    CHECK(in.getAuthenticationTTReissue() == 1700000000000);
    CHECK(text(in.getAuthenticationExtended()) == "resp");
    CHECK(in.getAuthenticationErrorCode() == 5);
    CHECK(text(in.getAuthenticationErrorText()) == "none");
    CHECK(in.getSolicited());
    CHECK(in.getClearCache());
    CHECK(in.getSeqNum() == 77);
    CHECK(in.getState().getStreamState() == OmmState::OpenEnum);
    CHECK(in.getState().getDataState() == OmmState::OkEnum);
    CHECK(text(in.getState().getStatusText()) == "Login accepted");
    CHECK(text(in.toString()) == text(login.toString()));
}

TEST_CASE("LoginStatus travels as a login status", "[ema][login]") {
    Login::LoginStatus login;
    login.name("user").nameType(rdm::USER_AUTH_TOKEN).authenticationErrorCode(3).authenticationErrorText("expired");
    login.state(OmmState::ClosedEnum, OmmState::SuspectEnum, OmmState::NotAuthorizedEnum, "Denied");
    const ReceivedMsg<StatusMsg> msg(login.getMessage());
    CHECK(msg->getDomainType() == rdm::MMT_LOGIN);
    CHECK(text(msg->getState().toString()) == "Closed / Suspect / Not entitled / 'Denied'");
    CHECK(attributes(*msg) == Lines{"AuthenticationErrorCode:UInt=3", "AuthenticationErrorText:Ascii=expired"});
    const Login::LoginStatus in(*msg);
    CHECK(in.getNameType() == 5);
    CHECK(in.getAuthenticationErrorCode() == 3);
    CHECK(in.getState().getStatusCode() == OmmState::NotAuthorizedEnum);
    CHECK(text(in.toString()) == text(login.toString()));
}

TEST_CASE("login attributes that are not set do not travel and cannot be read", "[ema][login]") {
    Login::LoginReq login;
    login.message(ReqMsg().domainType(rdm::MMT_LOGIN));  // a message that says nothing
    CHECK_FALSE(login.hasName());
    CHECK_FALSE(login.hasAllowSuspectData());
    CHECK(text(login.toString()) == "\n");
    CHECK(login.getMessage().getAttrib().getDataType() == DataType::NoDataEnum);
    CHECK_FALSE(login.getMessage().hasName());
    CHECK_USAGE(InvalidOperationEnum, login.getName());
    CHECK_USAGE(InvalidOperationEnum, login.getAuthenticationExtended());
    CHECK_USAGE(InvalidOperationEnum, login.getApplicationId());
    CHECK_USAGE(InvalidOperationEnum, login.getApplicationName());
    CHECK_USAGE(InvalidOperationEnum, login.getApplicationAuthorizationToken());
    CHECK_USAGE(InvalidOperationEnum, login.getInstanceId());
    CHECK_USAGE(InvalidOperationEnum, login.getPassword());
    // What has a default is that.
    CHECK(login.getNameType() == rdm::USER_NAME);
    CHECK(login.getRole() == rdm::LOGIN_ROLE_CONS);
    CHECK(login.getSingleOpen());
    CHECK(login.getAllowSuspectData());
    CHECK(login.getProvidePermissionExpressions());
    CHECK(login.getProvidePermissionProfile());
    CHECK_FALSE(login.getDownloadConnectionConfig());
    CHECK_FALSE(login.getSupportProviderDictionaryDownload());
    CHECK_FALSE(login.getPause());
    CHECK(thrownBy([&] { static_cast<void>(login.getPosition()); }).text ==
          "Login::LoginReq::getPosition(): it is not set; ask hasPosition() first");
    const Login::LoginRefresh refresh;
    CHECK_USAGE(InvalidOperationEnum, refresh.getState());
    CHECK_USAGE(InvalidOperationEnum, refresh.getSeqNum());
    CHECK_USAGE(InvalidOperationEnum, refresh.getAuthenticationTTReissue());
    CHECK_USAGE(InvalidOperationEnum, Login::LoginStatus().getState());
    CHECK_OUT_OF_RANGE(login.nameType(256));

    login.name("user").singleOpen();
    const Login::LoginReq copy(login);
    login.clear();
    CHECK(text(login.getName()) != "");
    CHECK_FALSE(login.hasSingleOpen());
    CHECK_FALSE(login.downloadConnectionConfig(true).clear().hasDownloadConnectionConfig());
    CHECK_FALSE(login.getDownloadConnectionConfig());
    CHECK(text(copy.getName()) == "user");
    login = copy;
    CHECK(login.getSingleOpen());
    CHECK(attributes(login.getMessage()) == Lines{"SingleOpen:UInt=1"});
}

TEST_CASE("fresh and cleared logins have the attributes of a login that nobody changed", "[ema][login]") {
    const auto check = [](const Login::LoginReq& login) {
        CHECK(login.getAllowSuspectData());
        CHECK(text(login.getApplicationId()) == "256");
        CHECK(text(login.getApplicationName()) == "ema");
        CHECK(text(login.getPosition()).find("/net") != std::string::npos);
        CHECK(login.getProvidePermissionExpressions());
        CHECK(login.getProvidePermissionProfile());
        CHECK(login.getRole() == rdm::LOGIN_ROLE_CONS);
        CHECK_FALSE(text(login.getName()).empty());
        CHECK(login.getNameType() == rdm::USER_NAME);
        CHECK(login.hasAllowSuspectData());
        CHECK(login.hasRole());
        CHECK(login.hasName());
        CHECK(login.hasNameType());
        CHECK_FALSE(login.hasSingleOpen());
        CHECK_FALSE(login.hasPause());
        CHECK_FALSE(login.hasPassword());
        CHECK(attributes(*ReceivedMsg<ReqMsg>(login.getMessage())) ==
              Lines{"ApplicationId:Ascii=256", "ApplicationName:Ascii=ema",
                    "Position:Ascii=" + text(login.getPosition()), "ProvidePermissionProfile:UInt=1",
                    "ProvidePermissionExpressions:UInt=1", "AllowSuspectData:UInt=1", "Role:UInt=0"});
    };
    check(Login::LoginReq());
    Login::LoginReq used;
    used.name("other").password("x").singleOpen().role(1).pause(true).position("p").clear();
    check(used);

    const auto checkRefresh = [](const Login::LoginRefresh& login) {
        CHECK(login.getAllowSuspectData());
        CHECK(login.getProvidePermissionExpressions());
        CHECK(login.getProvidePermissionProfile());
        CHECK(login.getSingleOpen());
        CHECK(login.getSolicited());
        CHECK(login.getNameType() == rdm::USER_NAME);
        CHECK_FALSE(login.hasName());
        CHECK_FALSE(login.hasState());
        CHECK_FALSE(login.hasSupportOMMPost());
        CHECK_FALSE(login.getSupportOMMPost());
        CHECK_FALSE(login.getSupportStandby());
        CHECK_FALSE(login.hasSupportStandby());
        CHECK(login.getSupportBatchRequests() == 0);
        CHECK(login.getSupportEnhancedSymbolList() == rdm::SUPPORT_SYMBOL_LIST_NAMES_ONLY);
        CHECK_FALSE(login.getSupportViewRequests());
        CHECK_FALSE(login.getSupportOptimizedPauseResume());
        CHECK_FALSE(login.getSupportProviderDictionaryDownload());
        CHECK_FALSE(login.getClearCache());
        CHECK_USAGE(InvalidOperationEnum, login.getAuthenticationErrorCode());
        CHECK_USAGE(InvalidOperationEnum, login.getAuthenticationErrorText());
        CHECK(ReceivedMsg<RefreshMsg>(login.getMessage())->getSolicited());
    };
    checkRefresh(Login::LoginRefresh());
    Login::LoginRefresh granted;
    granted.solicited(false).supportOMMPost(true).name("n").seqNum(3).singleOpen(false).clear();
    checkRefresh(granted);

    CHECK(Login::LoginStatus().getNameType() == rdm::USER_NAME);
    CHECK_FALSE(Login::LoginStatus().hasName());
    Login::LoginStatus status;
    CHECK(status.name("n").nameType(3).clear().getNameType() == rdm::USER_NAME);
}

TEST_CASE("a login by token carries it as an element, and nowhere else", "[ema][login]") {
    Login::LoginReq login;
    login.message(ReqMsg().domainType(rdm::MMT_LOGIN));
    const std::string token(2000, 't');  // longer than a name may be
    login.name(EmaString(token.c_str())).nameType(rdm::USER_AUTH_TOKEN).applicationId("256");
    login.authenticationExtended(buffer("ext"));
    const ReceivedMsg<ReqMsg> msg(login.getMessage());
    REQUIRE(msg->hasName());
    CHECK(text(msg->getName()) == std::string(1, '\0'));
    CHECK(msg->getNameType() == rdm::USER_AUTH_TOKEN);
    CHECK(attributes(*msg) ==
          Lines{"AuthenticationToken:Ascii=" + token, "AuthenticationExtended:Buffer=ext", "ApplicationId:Ascii=256"});
    const Login::LoginReq in(*msg);
    CHECK(text(in.getName()) == token);
    CHECK(in.getNameType() == rdm::USER_AUTH_TOKEN);
    CHECK(text(in.toString()).find(token) == std::string::npos);
    CHECK(attributes(*ReceivedMsg<ReqMsg>(in.getMessage())) == attributes(*msg));

    SECTION("one that an older program sent as the name is read") {
        const Login::LoginReq older(ReqMsg().domainType(rdm::MMT_LOGIN).name("tok").nameType(rdm::USER_AUTH_TOKEN));
        CHECK(text(older.getName()) == "tok");
        CHECK(attributes(older.getMessage()) == Lines{"AuthenticationToken:Ascii=tok"});
    }
    SECTION("there is none without the name type") {
        login.nameType(rdm::USER_NAME).name("user");
        CHECK(text(login.getMessage().getName()) == "user");
        CHECK(attributes(login.getMessage()) == Lines{"AuthenticationExtended:Buffer=ext", "ApplicationId:Ascii=256"});
    }
    SECTION("answers do not repeat it") {
        Login::LoginRefresh refresh;
        refresh.name("tok").nameType(rdm::USER_AUTH_TOKEN).state(OmmState::OpenEnum, OmmState::OkEnum, 0, "");
        CHECK(text(refresh.getMessage().getName()) == std::string(1, '\0'));
        CHECK(refresh.getMessage().getNameType() == rdm::USER_AUTH_TOKEN);
        Login::LoginStatus status;
        status.name("tok").nameType(rdm::USER_AUTH_TOKEN);
        CHECK(text(status.getMessage().getName()) == std::string(1, '\0'));
        CHECK(status.getMessage().getAttrib().getDataType() == DataType::NoDataEnum);
    }
}

TEST_CASE("support for batches is a sum of what there is", "[ema][login]") {
    Login::LoginRefresh login;
    for (const UInt32 bits : {0u, 1u, 2u, 3u, 4u, 5u, 6u, 7u})
        CHECK(login.supportBatchRequests(bits).getSupportBatchRequests() == bits);
    for (const UInt32 bits : {8u, 9u, 16u, 0xFFFFFFFFu})
        CHECK_USAGE(InvalidArgumentEnum, login.supportBatchRequests(bits));
    CHECK(login.getSupportBatchRequests() == 7);
}

TEST_CASE("login messages of other programs are read with tolerance, and wrong types are refused", "[ema][login]") {
    const auto login = [](const ElementList& list) {
        return Login::LoginReq(ReqMsg().domainType(rdm::MMT_LOGIN).name("u").attrib(list));
    };
    SECTION("texts may be buffers, unknown elements are skipped, blank ones are not set") {
        ElementList list;
        list.addBuffer("Position", buffer("here")).addAscii("Whatever", "x").addUInt("RoundTripLatency", 2);
        list.addCodeAscii("Password").addAscii("AuthenticationExtended", "abc").complete();
        const Login::LoginReq in = login(list);
        CHECK(text(in.getPosition()) == "here");
        CHECK_FALSE(in.hasPassword());
        CHECK(text(in.getAuthenticationExtended()) == "abc");
        CHECK(in.hasPause());
        CHECK_FALSE(in.getPause());
    }
    SECTION("wrong types name the element and what it must be") {
        ElementList number;
        number.addAscii("SingleOpen", "1").complete();
        CHECK_USAGE(InvalidDataEnum, login(number));
        CHECK(thrownBy([&] { login(number); }).text ==
              "Login message: attribute SingleOpen has the type Ascii; it must be UInt");
        ElementList text;
        text.addUInt("Position", 1).complete();
        CHECK_USAGE(InvalidDataEnum, login(text));
        FieldList fields;
        fields.addUInt(1, 1).complete();
        CHECK_USAGE(InvalidDataEnum, Login::LoginReq(ReqMsg().name("u").attrib(fields)));
    }
    SECTION("a filter list is taken as attributes") {
        FilterList filters;
        ElementList elements;
        elements.addUInt("SingleOpen", 1).complete();
        filters.add(1, FilterEntry::SetEnum, elements).complete();
        const ReceivedMsg<ReqMsg> request(ReqMsg().domainType(rdm::MMT_LOGIN).name("u").attrib(filters));
        CHECK(text(Login::LoginReq(*request).getName()) == "u");
        const ReceivedMsg<RefreshMsg> refresh(
            RefreshMsg().domainType(rdm::MMT_LOGIN).name("u").state().attrib(filters));
        CHECK(text(Login::LoginRefresh(*refresh).getName()) == "u");
        const ReceivedMsg<StatusMsg> status(StatusMsg().domainType(rdm::MMT_LOGIN).name("u").attrib(filters));
        CHECK(text(Login::LoginStatus(*status).getName()) == "u");
    }
    SECTION("a refused message leaves what was there") {
        ElementList bad;
        bad.addInt("Role", 1).complete();
        Login::LoginReq in;
        in.name("kept");
        CHECK_USAGE(InvalidDataEnum, in.message(ReqMsg().name("other").attrib(bad)));
        CHECK(text(in.getName()) == "kept");
    }
    SECTION("a new message forgets the old one") {
        Login::LoginReq in;
        in.name("old").role(1);
        in.message(ReqMsg().domainType(rdm::MMT_LOGIN).name("new"));
        CHECK(text(in.getName()) == "new");
        CHECK_FALSE(in.hasRole());
    }
}
