// The sequences of session.md 11 in which a client breaks the rules of an interactive OmmProvider: 16 and 17.
#include "ema/session/provider/ProviderTest.h"

using namespace emissary::test;

namespace {

void checkRefused(const Received& got, std::int32_t streamId) {
    CHECK(got.msg.cls == codec::MsgClass::Status);
    CHECK(got.msg.streamId == streamId);
    REQUIRE(got.msg.hasState());
    CHECK(got.msg.state.stream == codec::StreamState::closedRecover);
    CHECK(got.msg.state.data == codec::DataState::suspect);
    CHECK(int{got.msg.state.code} == OmmState::UsageErrorEnum);
}

}  // namespace

TEST_CASE("Sequence 16: an item request without a login", "[ema][session][sequence]") {
    const ConfigFile file;
    RecordingClient app;
    OmmProvider provider(OmmIProviderConfig(file.path()), app);
    RawConsumer client(emissary::ema::ProviderAccess::port(provider));
    client.send(RawConsumer::request(5, 6, "A", std::uint16_t{1}));
    checkRefused(client.next(), 5);
    CHECK(app.size() == 0);
}

TEST_CASE("Sequence 17: the same key on two streams", "[ema][session][sequence]") {
    const ConfigFile file;
    RecordingClient app;
    OmmProvider provider(OmmIProviderConfig(file.path()), app);
    RawConsumer client = loggedIn(provider);
    client.send(RawConsumer::request(5, 6, "A", std::uint16_t{1}));
    CHECK(client.next().msg.cls == codec::MsgClass::Refresh);
    client.send(RawConsumer::request(6, 6, "A", std::uint16_t{1}));
    checkRefused(client.next(), 6);

    FieldList fields;
    fields.addInt(22, 1).complete();
    provider.submit(UpdateMsg().payload(fields), app.at(2).handle);
    const Received update = client.next();
    CHECK(update.msg.cls == codec::MsgClass::Update);
    CHECK(update.msg.streamId == 5);
}
