// Plain values: class of service, tunnel requests, credentials, discovery, preferred host, lists, limits
// (ema-api.md 9, 11, 12).
#include "Ema.h"
#include "ema/data/support.h"
#include "errors/raise.h"
#include "session/channel/SessionInfoAccess.h"
#include "session/discovery/service_discovery.h"

using namespace ematest;

TEST_CASE("class of service has its defaults, keeps what is set and clears", "[ema][values]") {
    ClassOfService cos;
    const auto defaults = [&cos] {
        CHECK(cos.getCommon().getMaxMsgSize() == 6144);
        CHECK(cos.getAuthentication().getType() == CosAuthentication::NotRequiredEnum);
        CHECK(cos.getFlowControl().getType() == CosFlowControl::NoneEnum);
        CHECK(cos.getFlowControl().getRecvWindowSize() == -1);
        CHECK(cos.getFlowControl().getSendWindowSize() == -1);
        CHECK(cos.getDataIntegrity().getType() == CosDataIntegrity::BestEffortEnum);
        CHECK(cos.getGuarantee().getType() == CosGuarantee::NoneEnum);
        CHECK(cos.getGuarantee().getPersistLocally());
        CHECK(cos.getGuarantee().getPersistenceFilePath().empty());
    };
    defaults();
    cos.common(CosCommon().maxMsgSize(614400))
        .authentication(CosAuthentication().type(CosAuthentication::OmmLoginEnum))
        .flowControl(
            CosFlowControl().type(CosFlowControl::BidirectionalEnum).recvWindowSize(12288).sendWindowSize(4096))
        .dataIntegrity(CosDataIntegrity().type(CosDataIntegrity::ReliableEnum))
        .guarantee(
            CosGuarantee().type(CosGuarantee::PersistentQueueEnum).persistLocally(false).persistenceFilePath("/q"));
    const ClassOfService copy(cos);
    CHECK(copy.getCommon().getMaxMsgSize() == 614400);
    CHECK(copy.getAuthentication().getType() == CosAuthentication::OmmLoginEnum);
    CHECK(copy.getFlowControl().getType() == CosFlowControl::BidirectionalEnum);
    CHECK(copy.getFlowControl().getRecvWindowSize() == 12288);
    CHECK(copy.getFlowControl().getSendWindowSize() == 4096);
    CHECK(copy.getDataIntegrity().getType() == CosDataIntegrity::ReliableEnum);
    CHECK(copy.getGuarantee().getType() == CosGuarantee::PersistentQueueEnum);
    CHECK_FALSE(copy.getGuarantee().getPersistLocally());
    CHECK(text(copy.getGuarantee().getPersistenceFilePath()) == "/q");
    CHECK(copy.getCommon().getMaxMsgSize() == CosCommon(copy.getCommon()).getMaxMsgSize());
    cos.clear();
    defaults();
    CHECK(CosCommon().maxMsgSize(1).clear().getMaxMsgSize() == 6144);
    CHECK(CosFlowControl().recvWindowSize(1).recvWindowSize().getRecvWindowSize() == -1);
    CHECK(CosGuarantee().persistenceFilePath("x").persistenceFilePath().getPersistenceFilePath().empty());
}

TEST_CASE("class of service refuses what is no class of service", "[ema][values][misuse]") {
    CosFlowControl flow;
    CHECK(thrownBy([&] { flow.recvWindowSize(-2); }).text ==
          "CosFlowControl::recvWindowSize(): a window of -2 bytes; use 0 or more, or -1 for the default");
    CHECK(thrownBy([&] { flow.sendWindowSize(-2); }).text ==
          "CosFlowControl::sendWindowSize(): a window of -2 bytes; use 0 or more");
    CHECK_THROWS_AS(flow.recvWindowSize(-2), OmmOutOfRangeException);
    CHECK_THROWS_AS(flow.sendWindowSize(-1), OmmOutOfRangeException);
    CHECK_THROWS_AS(CosCommon().maxMsgSize(0), OmmOutOfRangeException);
    CHECK_THROWS_AS(CosCommon().maxMsgSize(UINT64_MAX), OmmOutOfRangeException);
}

TEST_CASE("TunnelStreamRequest has its defaults, keeps copies and refuses contradictions", "[ema][values]") {
    TunnelStreamRequest request;
    CHECK(request.getDomainType() == 0);
    CHECK(request.getResponseTimeOut() == 60);
    CHECK(request.getGuaranteedOutputBuffers() == 50);
    CHECK(request.getClassOfService().getCommon().getMaxMsgSize() == 6144);
    CHECK_FALSE(request.hasServiceId());
    CHECK_FALSE(request.hasServiceName());
    CHECK_FALSE(request.hasName());
    CHECK_FALSE(request.hasLoginReqMsg());
    CHECK_USAGE(InvalidOperationEnum, request.getServiceId());
    CHECK_USAGE(InvalidOperationEnum, request.getServiceName());
    CHECK_USAGE(InvalidOperationEnum, request.getName());
    CHECK_USAGE(InvalidOperationEnum, request.getLoginReqMsg());
    CHECK(thrownBy([&] { static_cast<void>(request.getName()); }).text ==
          "TunnelStreamRequest::getName(): it is not set; ask hasName() first");
    {
        ElementList attributes;
        attributes.addAscii("Position", "p").complete();
        const ReqMsg login(ReqMsg().domainType(refinitiv::ema::rdm::MMT_LOGIN).name("user").attrib(attributes));
        request.domainType(200).serviceName("QUEUES").name("tunnel").responseTimeout(5).guaranteedOutputBuffers(7);
        request.classOfService(ClassOfService().common(CosCommon().maxMsgSize(1))).loginReqMsg(login);
    }
    TunnelStreamRequest copy(request);
    CHECK(copy.getDomainType() == 200);
    CHECK(text(copy.getServiceName()) == "QUEUES");
    CHECK(text(copy.getName()) == "tunnel");
    CHECK(copy.getResponseTimeOut() == 5);
    CHECK(copy.getGuaranteedOutputBuffers() == 7);
    CHECK(copy.getClassOfService().getCommon().getMaxMsgSize() == 1);
    CHECK(text(copy.getLoginReqMsg().getName()) == "user");
    CHECK(copy.getLoginReqMsg().getAttrib().getElementList().forth(EmaString("Position")));
    CHECK_USAGE(InvalidOperationEnum, copy.serviceId(1));
    copy.clear().serviceId(9);
    CHECK(copy.getServiceId() == 9);
    CHECK_FALSE(copy.hasName());
    CHECK_USAGE(InvalidOperationEnum, copy.serviceName("x"));
    CHECK(request.responseTimeout().getResponseTimeOut() == 60);
    CHECK(request.guaranteedOutputBuffers().getGuaranteedOutputBuffers() == 50);
    copy = request;
    CHECK(text(copy.getServiceName()) == "QUEUES");
}

TEST_CASE("credentials are plain values", "[ema][values]") {
    OAuth2Credential credential;
    CHECK(text(credential.getTokenScope()) == "trapi.streaming.pricing.read");
    CHECK(credential.getTakeExclusiveSignOnControl());
    credential.userName("u").password("p").clientId("c").clientSecret("s").clientJWK("{}").audience("a");
    credential.tokenScope("t").channelList("C1,C2").takeExclusiveSignOnControl(false);
    const OAuth2Credential copy(credential);
    credential.clear();
    CHECK(credential.getPassword().empty());
    CHECK(credential.getTakeExclusiveSignOnControl());
    CHECK(text(copy.getUserName()) == "u");
    CHECK(text(copy.getPassword()) == "p");
    CHECK(text(copy.getClientId()) == "c");
    CHECK(text(copy.getClientSecret()) == "s");
    CHECK(text(copy.getClientJWK()) == "{}");
    CHECK(text(copy.getAudience()) == "a");
    CHECK(text(copy.getTokenScope()) == "t");
    CHECK(text(copy.getChannelList()) == "C1,C2");
    CHECK_FALSE(copy.getTakeExclusiveSignOnControl());

    EmaString user("u"), password("p"), fresh("n"), id("c"), secret("s"), scope("t");
    OAuth2CredentialRenewal renewal;
    CHECK(text(renewal.getTokenScope()) == "trapi.streaming.pricing.read");
    CHECK(renewal.getTakeExclusiveSignOnControl());
    renewal.userName(user).password(password).newPassword(fresh).clientId(id).clientSecret(secret).tokenScope(scope);
    renewal.clientJWK("{}").audience("a").takeExclusiveSignOnControl(false);
    password.secureClear();
    CHECK(text(renewal.getUserName()) == "u");
    CHECK(text(renewal.getPassword()) == "p");
    CHECK(text(renewal.getNewPassword()) == "n");
    CHECK(text(renewal.getClientId()) == "c");
    CHECK(text(renewal.getClientSecret()) == "s");
    CHECK(text(renewal.getClientJWK()) == "{}");
    CHECK(text(renewal.getAudience()) == "a");
    CHECK(text(renewal.getTokenScope()) == "t");
    CHECK_FALSE(renewal.getTakeExclusiveSignOnControl());
    CHECK(renewal.clear().getNewPassword().empty());

    EmaBuffer extended("xyz", 3);
    LoginMsgCredentialRenewal login;
    login.userName(user).authenticationExtended(extended);
    extended.clear();
    CHECK(text(login.getUserName()) == "u");
    CHECK(text(login.getAuthenticationExtended()) == "xyz");
    CHECK(login.clear().getUserName().empty());
}

TEST_CASE("ServiceList keeps services in order", "[ema][values]") {
    ServiceList list("FEEDS");
    list.addService("A").addService("B").addService("A").addService("C").removeService("B").removeService("Z");
    CHECK(text(list.name()) == "FEEDS");
    REQUIRE(list.concreteServiceList().size() == 2);
    CHECK(list.concreteServiceList()[0] == "A");
    CHECK(list.concreteServiceList()[1] == "C");
    ServiceList copy(list);
    list.name("OTHER").clear();
    CHECK(list.name().empty());
    CHECK(list.concreteServiceList().empty());
    CHECK(text(copy.name()) == "FEEDS");
    CHECK(copy.concreteServiceList().size() == 2);
}

TEST_CASE("GlobalConfig remembers limits", "[ema][values]") {
    GlobalConfig::setMsgTypePoolLimit(7);
    GlobalConfig::setComplexTypePoolLimit(8);
    GlobalConfig::setDataTypePoolLimit(9);
    CHECK(GlobalConfig::getMsgTypePoolLimit() == 7);
    CHECK(GlobalConfig::getComplexTypePoolLimit() == 8);
    CHECK(GlobalConfig::getDataTypePoolLimit() == 9);
    { const UpdateMsg gone; }
    CHECK(GlobalConfig::getUpdateMsgInPoolCount() == 0);
}

TEST_CASE("preferred host options and information", "[ema][values]") {
    PreferredHostOptions options;
    CHECK_FALSE(options.getEnablePreferredHostOptions());
    CHECK(options.getPHDetectionTimeInterval() == 0);
    options.enablePreferredHostOptions(true).phDetectionTimeSchedule("0 */5 * * *").phDetectionTimeInterval(60);
    options.preferredChannelName("C").preferredWSBChannelName("W").phFallBackWithInWSBGroup(true);
    options.sessionChannelName("S");
    const PreferredHostOptions copy(options);
    options.clear();
    CHECK_FALSE(options.getEnablePreferredHostOptions());
    CHECK(options.getSessionChannelName().empty());
    CHECK(copy.getEnablePreferredHostOptions());
    CHECK(text(copy.getPHDetectionTimeSchedule()) == "0 */5 * * *");
    CHECK(copy.getPHDetectionTimeInterval() == 60);
    CHECK(text(copy.getPreferredChannelName()) == "C");
    CHECK(text(copy.getPreferredWSBChannelName()) == "W");
    CHECK(copy.getPHFallBackWithInWSBGroup());
    CHECK(text(copy.getSessionChannelName()) == "S");

    PreferredHostInfo info;
    info.enablePreferredHostOptions(true).phDetectionTimeSchedule("0 0 * * *").phDetectionTimeInterval(30);
    info.preferredChannelName("C").phFallBackWithInWSBGroup(false).remainingDetectionTime(12).isChannelPreferred(true);
    CHECK(info.getRemainingDetectionTime() == 12);
    CHECK(info.getIsChannelPreferred());
    const std::string lines = "ph preferred host option: enabled\n\tph detection time schedule: 0 0 * * *\n\t"
                              "ph detection time interval: 30\n\tph channel name: C\n\t"
                              "ph fall back with in WSB group: disabled\n\tph is channel preferred: preferred";
    CHECK(text(info.toString()) == lines);

    ChannelInformation channel;
    CHECK_FALSE(channel.getPreferredHostInfo().getEnablePreferredHostOptions());
    const std::string before = text(channel.toString());
    CHECK(before.find("ph ") == std::string::npos);
    channel.preferredHostInfo(info);
    CHECK(text(channel.toString()) == before + "\n\t" + lines);
    const ChannelInformation other(channel);
    CHECK(other.getPreferredHostInfo().getPHDetectionTimeInterval() == 30);
    CHECK(text(info.clear().toString()) ==
          "ph preferred host option: disabled\n\tph detection time schedule: \n\tph detection time interval: 0\n\t"
          "ph channel name: \n\tph fall back with in WSB group: disabled\n\tph is channel preferred: non-preferred");
}

TEST_CASE("service discovery asks for credentials first", "[ema][values][misuse]") {
    class Client final : public ServiceEndpointDiscoveryClient {};
    Client client;
    ServiceEndpointDiscovery discovery("https://token", "https://tokenV2", "https://discovery");
    const auto asks = [&](const ServiceEndpointDiscoveryOption& option) {
        return thrownBy([&] { discovery.registerClient(option, client); });
    };
    ServiceEndpointDiscoveryOption option;
    CHECK(asks(option).code == OmmInvalidUsageException::InvalidArgumentEnum);
    CHECK(asks(option).text ==
          "ServiceEndpointDiscovery::registerClient(): Failed to query service discovery. Required "
          "parameter username or clientId are not set");
    option.username("u").clientId("c");
    CHECK(asks(option).code == OmmInvalidUsageException::InvalidArgumentEnum);
    CHECK(asks(option).text.find("password, clientSecret, and clientJWK are not set") != std::string::npos);
    option.clear().username("u").password("p").audience("a");
    CHECK(asks(option).text.find("Required parameter clientId is not set") != std::string::npos);
    option.clear().clientSecret("s").clientJWK("{}");
    CHECK(asks(option).text.find("username or clientId are not set") != std::string::npos);
    option.clear().clientId("c").tokenScope().takeExclusiveSignOnControl(false);
    CHECK(asks(option).text.find("password, clientSecret, and clientJWK are not set") != std::string::npos);
    CHECK_USAGE(InvalidArgumentEnum,
                option.transport(static_cast<ServiceEndpointDiscoveryOption::TransportProtocol>(3)));
    CHECK_USAGE(InvalidArgumentEnum,
                option.transprot(static_cast<ServiceEndpointDiscoveryOption::TransportProtocol>(3)));
    CHECK_USAGE(InvalidArgumentEnum,
                option.dataFormat(static_cast<ServiceEndpointDiscoveryOption::DataformatProtocol>(3)));
    CHECK_NOTHROW(option.transport(ServiceEndpointDiscoveryOption::TcpEnum)
                      .transprot(ServiceEndpointDiscoveryOption::WebsocketEnum)
                      .dataFormat(ServiceEndpointDiscoveryOption::RwfEnum));
    ServiceEndpointDiscoveryConfig config;
    config.tokenServiceUrlV1().tokenServiceUrlV2("v2").serviceDiscoveryUrl("d").restEnableLog(true);
    ServiceEndpointDiscovery configured(config);
    CHECK_USAGE(InvalidArgumentEnum, configured.registerClient(option, client));
}

TEST_CASE("discovered endpoints", "[ema][values]") {
    using Access = emissary::ema::ServiceEndpointDiscoveryAccess;
    const auto response = Access::response();
    EmaVector<EmaString> formats, locations;
    formats.push_back("rwf");
    locations.push_back("us-east-1a");
    locations.push_back("us-east-1b");
    for (const char* host : {"a.example", "b.example"})
        Access::add(*response, "aws", "tcp", host, "14002", formats, locations);
    const EmaVector<ServiceEndpointDiscoveryInfo>& list = response->getServiceEndpointInfoList();
    REQUIRE(list.size() == 2);
    CHECK(text(list[1].getEndPoint()) == "b.example");
    CHECK(text(list[0].getPort()) == "14002");
    CHECK(text(list[0].getProvider()) == "aws");
    CHECK(text(list[0].getTransport()) == "tcp");
    CHECK(list[0].getDataFormatList().size() == 1);
    CHECK(list[0].getLocationList()[1] == "us-east-1b");
    CHECK(text(list[0].toString()) ==
          "Service Endpoint Discovery Info\n\tprovider: aws\n\ttransport: tcp\n\tendpoint: a.example\n"
          "\tport: 14002\n\tdata formats: rwf\n\tlocations: us-east-1a, us-east-1b\n");
    CHECK(text(response->toString()) == text(list[0].toString()) + text(list[1].toString()));
    ServiceEndpointDiscovery discovery;
    int closure = 0;
    const auto event = Access::event(discovery, &closure);
    CHECK(event.getClosure() == &closure);
    CHECK(&event.getServiceEndpointDiscovery() == &discovery);
}

TEST_CASE("every exception class says what it is", "[ema][values][misuse]") {
    using namespace emissary::ema;
    const auto shown = [](const auto& call) {
        try {
            call();
        } catch (const OmmException& e) {
            CHECK(std::string(static_cast<const char*>(e)) == text(e.toString()));
            const std::string type = "Exception Type='" + text(e.getExceptionTypeAsString()) + "', Text='";
            CHECK(text(e.toString()).rfind(type, 0) == 0);
            return text(e.toString());
        }
        return std::string();
    };
    CHECK(shown([] { throwInvalidUsage("a", OmmInvalidUsageException::InvalidOperationEnum); }) ==
          "Exception Type='OmmInvalidUsageException', Text='a', ErrorCode='-4048'");
    CHECK(shown([] { throwInvalidHandle("b", 17); }) ==
          "Exception Type='OmmInvalidHandleException', Text='b', Handle='17'");
    CHECK(shown([] { throwInvalidConfiguration("c"); }) ==
          "Exception Type='OmmInvalidConfigurationException', Text='c'");
    CHECK(shown([] { throwInaccessibleLogFile("d", "/f"); }) ==
          "Exception Type='OmmInaccessibleLogFileException', Text='d'");
    CHECK(shown([] { throwMemoryExhaustion("e"); }) == "Exception Type='OmmMemoryExhaustionException', Text='e'");
    CHECK(shown([] { throwOutOfRange("f"); }) == "Exception Type='OmmOutOfRangeException', Text='f'");
    CHECK(shown([] { throwUnsupportedDomain("g", 300); }) ==
          "Exception Type='OmmUnsupportedDomainTypeException', Text='g', DomainType='300'");
    char object = 0;
    const std::string system = shown([&] { throwSystem("h", 11, &object); });
    CHECK(system.rfind("Exception Type='OmmSystemException', Text='h', exceptionCode='11', exceptionAddress='0x", 0) ==
          0);
    CHECK(shown([] { throwInvalidUsage(std::string(5000, 'x'), -1); }).size() < 2200);
    try {
        throwInaccessibleLogFile("d", "/f");
    } catch (const OmmInaccessibleLogFileException& e) { CHECK(text(e.getFilename()) == "/f"); }
    try {
        throwSystem("h", 11, &object);
    } catch (const OmmSystemException& e) {
        CHECK(e.getSystemExceptionCode() == 11);
        CHECK(e.getSystemExceptionAddress() == &object);
    }
    try {
        throwInvalidHandle("b", 17);
    } catch (const OmmInvalidHandleException& e) { CHECK(e.getHandle() == 17); }
}

TEST_CASE("a JSON conversion error carries its session", "[ema][values][misuse]") {
    using namespace emissary::ema;
    const auto session = SessionInfoAccess::make(ChannelInformation().hostname("feed.example"));
    bool caught = false;
    try {
        throwJsonConverter("field 22 has no name", OmmJsonConverterException::UnsupportedDataTypeEnum, session);
    } catch (const OmmJsonConverterException& e) {
        caught = true;
        CHECK(e.getExceptionType() == OmmException::OmmJsonConverterExceptionEnum);
        CHECK(e.getErrorCode() == OmmJsonConverterException::UnsupportedDataTypeEnum);
        CHECK(text(e.getSessionInfo().getChannelInformation().getHostname()) == "feed.example");
        CHECK(text(e.toString()) ==
              "Exception Type='OmmJsonConverterException', Text='field 22 has no name', ErrorCode='-24'");
    }
    CHECK(caught);
}

TEST_CASE("blank parts of a date keep their places", "[ema][values]") {
    ElementList list;
    list.addDate("d", 2011, 0, 0).addDate("d", 2011, 6, 0).addDate("d", 2011, 0, 15).addDate("d", 0, 8, 15);
    list.addDate("d", 2011, 8, 5).addDateTime("dt", 2011, 0, 0, 12, 30).complete();
    const ReceivedMsg<UpdateMsg> msg(UpdateMsg().payload(list));
    const ElementList& in = msg->getPayload().getElementList();
    DateTimeStringFormat format;
    for (const char* expected : {"       2011", "   JUN 2011", "15     2011", "15 AUG     ", "05 AUG 2011"}) {
        REQUIRE(in.forth());
        const OmmDate& date = in.getEntry().getDate();
        CHECK(text(format.dateAsString(const_cast<OmmDate&>(date))) == expected);
        CHECK(text(date.toString()) == expected);
        CHECK(text(in.getEntry().toString()).find("value=\"" + std::string(expected) + "\"") != std::string::npos);
    }
    REQUIRE(in.forth());
    const OmmDateTime& both = in.getEntry().getDateTime();
    CHECK(text(format.dateTimeAsString(const_cast<OmmDateTime&>(both))) == "       2011 12:30:00:000:000:000");
    CHECK(text(both.toString()) == "       2011 12:30:00:000:000:000");
    format.dateTimeStringFormatType(DateTimeStringFormat::STR_DATETIME_ISO8601);
    CHECK(text(format.dateTimeAsString(const_cast<OmmDateTime&>(both))) == "2011T12:30:00");
}
