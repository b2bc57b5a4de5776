// An application as small as the README's: it answers every request with an Open image and updates what is open.
// What clients ask for beyond that is the library's to sort out.
#include "ProviderTest.h"
#include "eta/codec/encoders.h"
#include "eta/core/GrowingBuffer.h"
#include "support/item_list.h"

#include <set>

using namespace emissary;
using namespace emissary::test;

namespace {

class PriceMaker final : public OmmProviderClient {
public:
    std::set<UInt64> items;
    std::vector<std::string> names;

    void onReqMsg(const ReqMsg& request, const OmmProviderEvent& event) override {
        RefreshMsg answer;
        answer.domainType(static_cast<UInt16>(request.getDomainType()))
            .name(request.getName())
            .solicited(true)
            .complete(true);
        answer.state(OmmState::OpenEnum, OmmState::OkEnum, OmmState::NoneEnum, "accepted");
        if (request.getDomainType() == MMT_LOGIN) answer.nameType(USER_NAME);
        else
            answer.serviceId(request.getServiceId())
                .payload(FieldList().addReal(22, 3990, OmmReal::ExponentNeg2Enum).complete());
        event.getProvider().submit(answer, event.getHandle());
        if (request.getDomainType() != MMT_MARKET_PRICE) return;
        items.insert(event.getHandle());
        names.emplace_back(request.getName().c_str());
    }
    void onClose(const ReqMsg&, const OmmProviderEvent& event) override { items.erase(event.getHandle()); }
};

/// The application's loop, one turn at a time.
struct SmallApplication {
    ConfigFile file;
    PriceMaker maker;
    OmmProvider provider{OmmIProviderConfig(file.path()).operationModel(OmmIProviderConfig::UserDispatchEnum), maker};

    void turn() {
        provider.dispatch(1000);
        const std::set<UInt64> open = maker.items;
        for (const UInt64 item : open)
            provider.submit(UpdateMsg().payload(FieldList().addReal(22, 1, OmmReal::ExponentNeg2Enum).complete()),
                            item);
    }
    RawConsumer client() {
        return loggedIn(provider, [this] { turn(); });
    }
    void until(const std::function<bool()>& done) {
        for (int turns = 0; !done() && turns < 10'000; ++turns)
            turn();
        REQUIRE(done());
    }
};

/// The next message of the stream that is no update.
Received nextOf(RawConsumer& c, std::int32_t streamId) {
    for (;;) {
        Received got = c.next();
        if (got.msg.streamId == streamId && got.msg.cls != codec::MsgClass::Update) return got;
    }
}

}  // namespace

TEST_CASE("a small application serves snapshots: each ends with its image", "[ema][provider][snapshot]") {
    SmallApplication app;
    RawConsumer c = app.client();
    for (std::int32_t id = 5; id < 25; ++id) {
        codec::Msg snapshot = RawConsumer::request(id, 6, "S" + std::to_string(id), 1);
        snapshot.flags = 0;
        c.send(snapshot);
        const Received image = nextOf(c, id);
        CHECK(image.msg.cls == codec::MsgClass::Refresh);
        CHECK(image.msg.state.stream == codec::StreamState::nonStreaming);
    }
    app.until([&] { return app.maker.items.empty(); });
    CHECK(ema::ProviderAccess::counters(app.provider).openStreams == 1);
}

TEST_CASE("a small application serves batches: each item is a request of its own", "[ema][provider][batch]") {
    SmallApplication app;
    RawConsumer c = app.client();
    eta::GrowingBuffer body;
    codec::Msg batch = batchRequest(20, {"A", "B", "C"}, 1, body);
    batch.flags |= codec::RequestFlag::msgKeyInUpdates;
    c.send(batch);
    CHECK(nextOf(c, 20).msg.state.stream == codec::StreamState::closed);
    CHECK(nextOf(c, 23).name() == "C");
    CHECK(app.maker.names == std::vector<std::string>{"A", "B", "C"});
    for (;;) {
        const Received got = c.next();
        if (got.msg.cls != codec::MsgClass::Update) continue;
        REQUIRE(got.msg.hasKey());
        CHECK(got.name() == std::string(1, static_cast<char>('A' + got.msg.streamId - 21)));
        CHECK(got.msg.key.serviceId == 1);
        break;
    }
    for (const std::int32_t id : {21, 22, 23})
        c.send(RawConsumer::close(id));
    app.until([&] { return app.maker.items.empty(); });
}
