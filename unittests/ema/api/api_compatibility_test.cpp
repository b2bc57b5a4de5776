// What docs/compatibility.md says of members that once were refused.
#include "ema/session/consumer/SessionTest.h"

using namespace emissary::test;

namespace {

class NoOAuth final : public OmmOAuth2ConsumerClient {};

}  // namespace

TEST_CASE("with an error client a missing feature is reported, not thrown", "[ema][compatibility]") {
    ProviderThread provider;
    const ConsumerConfigFile file(provider.port());
    RecordingErrorClient errors;
    OmmConsumer consumer(OmmConsumerConfig(file.path()).username("user"), errors);
    CHECK(thrown([&] { consumer.modifyReactorIOCtl(IOCtlReactorCode::EnableRestLoggingEnum, 1); }).empty());
    REQUIRE(errors.usage.size() == 2);
    CHECK(errors.usage[1] == "-4048:" + errors.usage[0]);
}

TEST_CASE("what gives nothing for want of a feature does not throw", "[ema][compatibility]") {
    ProviderThread provider;
    const ConsumerConfigFile file(provider.port());
    NoOAuth oauth;
    OmmConsumer consumer(OmmConsumerConfig(file.path()).username("user"), oauth);
    EmaVector<ChannelInformation> sessions;
    sessions.push_back(ChannelInformation());
    consumer.getSessionInformation(sessions);
    CHECK(sessions.empty());
}
