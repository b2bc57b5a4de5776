// Wrong uses of a provider: class, code and a text that says what and how to mend it (ema-api.md 7, 8).
#include "ema/session/provider/ProviderTest.h"
#include "support/catch.hpp"

using namespace emissary;
using namespace emissary::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using Code = OmmInvalidUsageException;

namespace {

class OtherConfig final : public OmmProviderConfig {
public:
    explicit OtherConfig(ProviderRole role) : role_(role) {}
    ProviderRole getProviderRole() const override { return role_; }

private:
    ProviderRole role_;
};

/// "-22: text" of the OmmInvalidUsageException, "<class>: text" of another one.
template <class Call>
std::string refusal(Call call) {
    try {
        call();
    } catch (const OmmInvalidUsageException& e) {
        return std::to_string(e.getErrorCode()) + ": " + e.getText().c_str();
    } catch (const OmmException& e) {
        return std::string(e.getExceptionTypeAsString().c_str()) + ": " + e.getText().c_str();
    }
    return {};
}

}  // namespace

TEST_CASE("a provider needs one of the two configurations", "[ema][misuse][provider]") {
    for (const auto role : {OmmProviderConfig::InteractiveEnum, OmmProviderConfig::NonInteractiveEnum}) {
        const OtherConfig config(role);
        CHECK_THAT(
            refusal([&] { OmmProvider p(config); }),
            StartsWith("-22: OmmProvider") &&
                Contains(role == OmmProviderConfig::InteractiveEnum ? "OmmIProviderConfig" : "OmmNiProviderConfig"));
    }
    const ConfigFile file;
    RecordingClient app;
    CHECK_THAT(refusal([&] { OmmProvider p(OmmIProviderConfig(file.path()).providerName("Nobody"), app); }),
               StartsWith("OmmInvalidConfigurationException: ") && Contains("Nobody"));
    CHECK_THAT(refusal([&] { OmmIProviderConfig config("/no/such/EmaConfig.xml"); }),
               StartsWith("OmmInvalidConfigurationException: ") && Contains("/no/such/EmaConfig.xml"));
    OmmIProviderConfig config(file.path());
    CHECK_THAT(refusal([&] { config.addAdminMsg(RefreshMsg().domainType(MMT_LOGIN)); }),
               StartsWith("-22: ") && Contains("addAdminMsg"));
}

TEST_CASE("an interactive provider refuses wrong calls by name", "[ema][misuse][provider]") {
    const ConfigFile file;
    RecordingClient app;
    OmmProvider provider(OmmIProviderConfig(file.path()), app);
    ReqMsg dictionary;
    dictionary.domainType(MMT_DICTIONARY).name("RWFFld").serviceName("DIRECT_FEED").filter(DICTIONARY_NORMAL);

    SECTION("registerClient() without anybody to ask, or for another domain") {
        CHECK_THAT(refusal([&] { provider.registerClient(dictionary, app); }),
                   StartsWith("-4049: registerClient()") && Contains("no client is logged in"));
        CHECK_THAT(refusal([&] { provider.registerClient(ReqMsg().name("IBM.N").serviceId(1), app); }),
                   StartsWith("-22: registerClient()") && Contains("domain 6"));
    }
    SECTION("handles that name nothing") {
        CHECK_FALSE(refusal([&] { provider.reissue(dictionary, 4711); }).empty());
        CHECK_NOTHROW(provider.unregister(4711));
        CHECK_THAT(refusal([&] { provider.submit(UpdateMsg(), 4711); }), StartsWith("-22: ") && Contains("4711"));
        CHECK_THAT(refusal([&] { provider.submit(GenericMsg(), 4711); }), StartsWith("-22: ") && Contains("4711"));
        CHECK_THAT(refusal([&] { provider.submit(AckMsg().ackId(1), 4711); }), StartsWith("-22: ") && Contains("4711"));
        CHECK_THAT(refusal([&] { provider.closeChannel(4711); }),
                   StartsWith("-22: closeChannel()") && Contains("4711"));
        ChannelStatistics statistics;
        CHECK_THAT(refusal([&] { provider.getConnectedClientChannelStats(4711, statistics); }),
                   StartsWith("-22: getConnectedClientChannelStats()") && Contains("4711"));
        CHECK_THAT(refusal([&] { provider.modifyIOCtl(IOCtlCode::HighWaterMarkEnum, 4000); }),
                   StartsWith("-22: modifyIOCtl()") && Contains("getClientHandle()"));
    }
    SECTION("members of the other role") {
        ChannelInformation information;
        CHECK_THAT(refusal([&] { provider.getChannelInformation(information); }),
                   StartsWith("-4048: getChannelInformation()") && Contains("getConnectedClientChannelInfo()"));
        ChannelStatistics statistics;
        CHECK_THAT(refusal([&] { provider.getChannelStatistics(statistics); }),
                   StartsWith("-4048: getChannelStatistics()") && Contains("getConnectedClientChannelStats()"));
    }
    SECTION("acknowledgements that nobody waits for") {
        const ConfigFile strict("<EnforceAckIDValidation value=\"1\"/>");
        RecordingClient other;
        OmmProvider enforcing(OmmIProviderConfig(strict.path()), other);
        RawConsumer c = loggedIn(enforcing);
        c.send(RawConsumer::request(5, 6, "TRI.N", 1));
        const UInt64 handle = other.at(2).handle;
        CHECK_THAT(refusal([&] { enforcing.submit(AckMsg().ackId(4712), handle); }),
                   StartsWith("-22: ") && Contains("4712") && Contains("EnforceAckIDValidation"));
    }
    SECTION("packs: nothing to send, no client, no handle, out of order") {
        PackedMsg pack(provider);
        CHECK_THAT(refusal([&] { pack.initBuffer(); }), StartsWith("-4048: PackedMsg::initBuffer()"));
        CHECK_THAT(refusal([&] { pack.initBuffer(UInt32{5000}); }), StartsWith("-4048: PackedMsg::initBuffer()"));
        CHECK_THAT(refusal([&] { pack.initBuffer(UInt64{4711}); }),
                   StartsWith("OmmInvalidHandleException: ") && Contains("4711"));
        CHECK_THAT(refusal([&] { pack.addMsg(UpdateMsg().name("N"), 1); }),
                   StartsWith("-4048: PackedMsg::addMsg()") && Contains("initBuffer()"));
        CHECK_THAT(refusal([&] { provider.submit(pack); }),
                   StartsWith("-4048: submit(PackedMsg)") && Contains("initBuffer()"));
        CHECK(pack.packedMsgCount() == 0);
        CHECK_NOTHROW(pack.clear());
        RawConsumer c = loggedIn(provider);
        c.send(RawConsumer::request(5, 6, "TRI.N", 1));
        const UInt64 handle = app.at(2).handle;
        pack.initBuffer(app.at(2).client);
        CHECK_THAT(refusal([&] { pack.addMsg(UpdateMsg(), 0); }), StartsWith("-4048: PackedMsg::addMsg()"));
        CHECK_THAT(refusal([&] { pack.addMsg(UpdateMsg().serviceId(99), handle); }),
                   StartsWith("-22: PackedMsg::addMsg()") && Contains("99"));
        CHECK_THAT(refusal([&] { pack.addMsg(UpdateMsg(), handle); }),
                   StartsWith("-4048: PackedMsg::addMsg()") && Contains("empty UpdateMsg"));
        CHECK_THAT(refusal([&] { pack.addMsg(UpdateMsg().serviceName("NO_SUCH"), handle); }),
                   StartsWith("-22: PackedMsg::addMsg()") && Contains("NO_SUCH"));
        CHECK(pack.packedMsgCount() == 0);
        CHECK_THAT(refusal([&] { provider.submit(UpdateMsg().serviceName("NO_SUCH"), handle); }),
                   StartsWith("-4048: submit(UpdateMsg)") && Contains("NO_SUCH"));
        CHECK_THAT(refusal([&] { provider.modifyIOCtl(4711, 1, app.at(1).client); }),
                   StartsWith("-22: modifyIOCtl(4711, 1)") && Contains("IOCtlCode"));
        CHECK_THAT(refusal([&] { provider.modifyIOCtl(IOCtlCode::ServerNumPoolBuffersEnum, 1, app.at(1).client); }),
                   StartsWith("-22: modifyIOCtl(8, 1)") && Contains("MaxNumBuffersEnum"));
        CHECK_THAT(refusal([&] { pack.addMsg(ReqMsg().name("N"), handle); }),
                   StartsWith("-22: PackedMsg::addMsg()") && Contains("not allowed"));
    }
}

TEST_CASE("a provider with an error client reports wrong calls twice", "[ema][misuse][provider]") {
    const ConfigFile file;
    RecordingClient app;
    RecordingErrors errors;
    OmmProvider provider(OmmIProviderConfig(file.path()), app, errors);
    provider.submit(UpdateMsg(), 4711);
    REQUIRE(errors.texts.size() == 1);
    CHECK_THAT(errors.texts[0], Contains("4711"));
    CHECK(errors.codes == std::vector<Int32>{Code::InvalidArgumentEnum});
}
