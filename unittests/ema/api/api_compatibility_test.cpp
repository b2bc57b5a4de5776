// What docs/compatibility.md says of members that once were refused.
#include "ema/session/consumer/SessionTest.h"

using namespace emissary::test;

namespace {

class NoOAuth final : public OmmOAuth2ConsumerClient {};

}  // namespace

TEST_CASE("a consumer without session management has no session information, which is no error", "[ema][compatibility]") {
    ProviderThread provider;
    const ConsumerConfigFile file(provider.port());
    NoOAuth oauth;
    OmmConsumer consumer(OmmConsumerConfig(file.path()).username("user"), oauth);
    EmaVector<ChannelInformation> sessions;
    sessions.push_back(ChannelInformation());
    consumer.getSessionInformation(sessions);
    CHECK(sessions.empty());
}
