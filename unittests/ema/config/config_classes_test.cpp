// The public configuration classes on top of the configuration.
#include "Ema.h"
#include "settings/ConfigAccess.h"
#include "support.h"
#include "support/paths.h"

using namespace emissary::ema;
using namespace emissary::ema::test;
using namespace refinitiv::ema::access;
namespace rdm = refinitiv::ema::rdm;

namespace {

/// The code of the OmmInvalidUsageException that the call throws; 0 when it throws nothing.
template <class F>
int usageError(F&& call) {
    try {
        call();
    } catch (const OmmInvalidUsageException& e) { return e.getErrorCode(); }
    return 0;
}
constexpr int kInvalidArgument = OmmInvalidUsageException::InvalidArgumentEnum;

}  // namespace

// Not a std::exception: say what it says when a test does not expect it.
CATCH_TRANSLATE_EXCEPTION(const OmmException& e) {
    return e.toString().c_str();
}

TEST_CASE("constructors read the file or throw", "[config][classes]") {
    const TestFolder folder;
    CHECK(thrownBy([] { const OmmConsumerConfig config("nowhere"); }).type == kInvalidConfiguration);
    CHECK(thrownBy([] { const OmmIProviderConfig config("nowhere"); }).type == kInvalidConfiguration);
    CHECK(thrownBy([] { const OmmNiProviderConfig config("nowhere"); }).type == kInvalidConfiguration);
    folder.write("EmaConfig.xml",
                 "<EmaConfig><DirectoryGroup><DefaultDirectory value=\"x\"/></DirectoryGroup></EmaConfig>");
    CHECK(thrownBy([] { const OmmConsumerConfig config; }).type == kInvalidConfiguration);
    CHECK(thrownBy([] { const OmmIProviderConfig config; }).type == kInvalidConfiguration);
    CHECK(thrownBy([] { const OmmNiProviderConfig config; }).type == kInvalidConfiguration);
}

TEST_CASE("calls on a consumer's configuration", "[config][classes]") {
    const TestFolder folder;
    OmmConsumerConfig config;
    config.username("u")
        .password("p")
        .position("1.2.3.4/net")
        .applicationId("7")
        .host("h:1")
        .operationModel(OmmConsumerConfig::UserDispatchEnum)
        .workerThreadBind("1")
        .apiThreadBind("2")
        .shouldInitializeCPUIDlib(false);
    ConsumerSettings s = ConfigAccess::of(config).settings();
    CHECK(s.login.userName == "u");
    CHECK(s.login.password == std::string("p"));
    CHECK(s.login.position == "1.2.3.4/net");
    CHECK(s.login.applicationId == "7");
    CHECK(s.channels.at(0).connect.host == "h");
    CHECK(s.channels.at(0).connect.port == "1");
    CHECK(s.userDispatch);
    CHECK(s.workerThreadBind == "1");
    CHECK(s.apiThreadBind == "2");
    config.operationModel();
    CHECK_FALSE(ConfigAccess::of(config).settings().userDispatch);
    config.consumerName("x");
    CHECK(thrownBy([&] { (void)ConfigAccess::of(config).settings(); }).type == kInvalidConfiguration);
    config.clear();
    s = ConfigAccess::of(config).settings();
    CHECK(s.channels.at(0).connect.host == "localhost");
    CHECK(s.login.applicationId == "256");
    CHECK(s.workerThreadBind.empty());
}

TEST_CASE("calls on providers' configurations", "[config][classes]") {
    const TestFolder folder;
    OmmIProviderConfig interactive;
    CHECK(interactive.getProviderRole() == OmmProviderConfig::InteractiveEnum);
    interactive.port("0")
        .operationModel(OmmIProviderConfig::UserDispatchEnum)
        .adminControlDirectory(OmmIProviderConfig::UserControlEnum)
        .adminControlDictionary(OmmIProviderConfig::UserControlEnum);
    const IProviderSettings p = ConfigAccess::of(interactive).settings();
    CHECK(p.server.bind.port == "0");
    CHECK(p.userDispatch);
    CHECK(p.directoryByUser);
    CHECK(p.dictionaryByUser);
    interactive.adminControlDirectory();
    CHECK_FALSE(ConfigAccess::of(interactive).settings().directoryByUser);
    interactive.providerName("x");
    CHECK(thrownBy([&] { (void)ConfigAccess::of(interactive).settings(); }).type == kInvalidConfiguration);

    OmmNiProviderConfig other;
    CHECK(other.getProviderRole() == OmmProviderConfig::NonInteractiveEnum);
    other.host("h").instanceId("i").username("u").adminControlDirectory(OmmNiProviderConfig::UserControlEnum);
    const NiProviderSettings n = ConfigAccess::of(other).settings();
    CHECK(n.channels.at(0).connect.host == "h");
    CHECK(n.channels.at(0).connect.port == "14003");
    CHECK(n.login.instanceId == std::string("i"));
    CHECK(n.directoryByUser);
}

TEST_CASE("administrative messages of a consumer", "[config][classes]") {
    const TestFolder folder;
    OmmConsumerConfig config;
    const ConsumerConfigImpl& impl = ConfigAccess::of(config);
    config.addAdminMsg(ReqMsg().domainType(rdm::MMT_LOGIN).name("one"));
    config.addAdminMsg(ReqMsg().domainType(rdm::MMT_LOGIN).name("two"));  // the last one wins
    REQUIRE(impl.loginRequest);
    CHECK(impl.loginRequest->getName() == "two");
    config.addAdminMsg(ReqMsg().domainType(rdm::MMT_DIRECTORY).filter(3));
    REQUIRE(impl.directoryRequest);
    CHECK(impl.directoryRequest->getFilter() == 3);
    const auto dictionary = [](const char* name) {
        return ReqMsg().domainType(rdm::MMT_DICTIONARY).name(name).serviceId(1).filter(7);
    };
    config.addAdminMsg(ReqMsg(dictionary("RWFFld"))).addAdminMsg(ReqMsg(dictionary("RWFEnum")));
    CHECK(impl.fieldDictionaryRequest);
    CHECK(impl.enumDictionaryRequest);
    // What cannot be used is left out, with a record in the log of each consumer.
    config.addAdminMsg(ReqMsg(dictionary("Other")));
    config.addAdminMsg(ReqMsg().domainType(rdm::MMT_DICTIONARY).serviceId(1).filter(7));
    config.addAdminMsg(ReqMsg().domainType(rdm::MMT_DICTIONARY).name("RWFFld").filter(7));
    config.addAdminMsg(ReqMsg().domainType(rdm::MMT_DICTIONARY).name("RWFFld").serviceId(1));
    CHECK(impl.fieldDictionaryRequest->hasFilter());
    const auto records = impl.settings().queued;
    REQUIRE(records.size() >= 4);
    const auto last = std::vector(records.end() - 4, records.end());
    CHECK(last[0].text ==
          "OmmConsumerConfig::addAdminMsg: unknown dictionary [Other]; it must be RWFFld or RWFEnum; the "
          "request is ignored and the built-in one is used");
    for (std::size_t i = 1; i < 4; ++i)
        CHECK(last[i].text ==
              "OmmConsumerConfig::addAdminMsg: a dictionary request needs a name, a service and a filter; "
              "the request is ignored and the built-in one is used");
    CHECK(usageError([&] { config.addAdminMsg(ReqMsg().domainType(rdm::MMT_MARKET_PRICE).name("X")); }) ==
          kInvalidArgument);
    config.clear();
    CHECK_FALSE(impl.loginRequest);
    CHECK_FALSE(impl.fieldDictionaryRequest);
}

TEST_CASE("administrative messages of providers", "[config][classes]") {
    const TestFolder folder;
    Map services;
    services.complete();
    const auto check = [&](auto& config, const auto& impl) {
        config.addAdminMsg(RefreshMsg().domainType(rdm::MMT_DIRECTORY).payload(services));
        CHECK(impl.directoryRefresh);
        CHECK(usageError([&] {
                  config.addAdminMsg(RefreshMsg().domainType(rdm::MMT_MARKET_PRICE).payload(services));
              }) == kInvalidArgument);
        CHECK(usageError([&] { config.addAdminMsg(RefreshMsg().domainType(rdm::MMT_DIRECTORY)); }) == kInvalidArgument);
        config.clear();
        CHECK_FALSE(impl.directoryRefresh);
    };
    OmmIProviderConfig interactive;
    check(interactive, ConfigAccess::of(interactive));
    OmmNiProviderConfig other;
    check(other, ConfigAccess::of(other));
    other.addAdminMsg(ReqMsg().domainType(rdm::MMT_LOGIN).name("n"));
    CHECK(ConfigAccess::of(other).loginRequest->getName() == "n");
    CHECK(usageError([&] { other.addAdminMsg(ReqMsg().domainType(rdm::MMT_DIRECTORY)); }) == kInvalidArgument);
}

TEST_CASE("a consumer takes a dictionary that holds fields and enumerations", "[config][classes]") {
    const TestFolder folder;
    OmmConsumerConfig config;
    const ConsumerConfigImpl& impl = ConfigAccess::of(config);
    rdm::DataDictionary dictionary;
    CHECK(usageError([&] { config.dataDictionary(dictionary); }) == kInvalidArgument);
    dictionary.loadFieldDictionary(emissary::test::sourcePath("/etc/RDMFieldDictionary").c_str());
    CHECK(usageError([&] { config.dataDictionary(dictionary); }) == kInvalidArgument);
    dictionary.loadEnumTypeDictionary(emissary::test::sourcePath("/etc/enumtype.def").c_str());
    config.dataDictionary(dictionary);
    CHECK(impl.dictionary == &dictionary);
    config.dataDictionary(dictionary, true);
    REQUIRE(impl.dictionary != nullptr);
    CHECK(impl.dictionary != &dictionary);
    dictionary.clear();
    CHECK(impl.dictionary->hasEntry("BID"));
    config.clear();
    CHECK(impl.dictionary == nullptr);
}

TEST_CASE("values that can never be used are refused at once", "[config][classes]") {
    const TestFolder folder;
    OmmConsumerConfig config;
    CHECK(usageError([&] { config.addLoginMsgCredential(ReqMsg(), "C"); }) == kInvalidArgument);  // no login request
    CHECK(usageError([&] { config.channelType(static_cast<EmaConfig::ConnectionTypeEnum>(5)); }) == kInvalidArgument);
    CHECK(usageError([&] { config.encryptedProtocolType(static_cast<EmaConfig::EncryptedProtocolTypeEnum>(1)); }) ==
          kInvalidArgument);
    config.channelType(EmaConfig::ConnectionTypeEnum::HTTP);
    CHECK(usageError([&] { (void)ConfigAccess::of(config).settings(); }) ==
          OmmInvalidUsageException::UnSupportedChannelTypeEnum);

    // Names for TLS, proxies and REST are taken and kept.
    config.clear();
    config.tunnelingProxyHostName("a").tunnelingProxyPort("1").sslCAStore("b").libcurlName("c").tokenScope();
    config.tokenServiceUrl().tokenServiceUrlV2().serviceDiscoveryUrl().restProxyHostName("d");
    config.takeExclusiveSignOnControl(false).tunnelingSecurityProtocol(OmmConsumerConfig::ENC_TLSV1_3);
    CHECK(ConfigAccess::of(config).calls.kept.at("sslCAStore") == "b");
    CHECK(ConfigAccess::of(config).calls.kept.at("tunnelingSecurityProtocol") == "8");
    CHECK_NOTHROW(ConfigAccess::of(config).settings());
}
