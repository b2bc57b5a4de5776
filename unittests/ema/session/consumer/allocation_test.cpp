// Updates on their way to a consumer's callback, with allocations counted.
#include "SessionTest.h"
#include "support/AllocationCounter.h"

using namespace emissary::test;

TEST_CASE("An update costs no allocation", "[ema][session][memory]") {
    ProviderThread provider;
    const ConsumerConfigFile file(provider.port());
    struct Reader : OmmConsumerClient {
        std::int64_t sum = 0;
        int updates = 0, refreshes = 0;
        void onRefreshMsg(const RefreshMsg&, const OmmConsumerEvent&) override { ++refreshes; }
        void onUpdateMsg(const UpdateMsg& m, const OmmConsumerEvent&) override {
            ++updates;
            const FieldList& fields = m.getPayload().getFieldList();
            while (fields.forth())
                sum += fields.getEntry().getReal().getMantissa();
        }
    } client;
    OmmConsumer consumer(
        OmmConsumerConfig(file.path()).username("user").operationModel(OmmConsumerConfig::UserDispatchEnum));
    std::vector<std::int32_t> ids;
    for (const char* name : {"A", "B", "C"}) {
        consumer.registerClient(item(name), client);
        ids.push_back(provider.requested(name));
    }
    const auto burst = [&](int count) {
        provider.run([&](RawProvider& p) {
            emissary::reactor::GrowingBuffer b;
            codec::FieldListEncoder list;
            list.begin(b.start());
            for (const std::int16_t f : {std::int16_t{22}, std::int16_t{25}})
                list.addReal(f, {1, 14});
            if (!list.complete().ok()) throw std::runtime_error("encoding failed");
            for (int i = 0; i < count; ++i) {
                codec::Msg m = RawProvider::update(ids[static_cast<std::size_t>(i) % ids.size()]);
                m.containerType = codec::DataType::FieldList;
                m.payload = b.view();
                p.send(m);
            }
        });
    };
    provider.run([&](RawProvider& p) {
        for (const auto id : ids)
            p.send(RawProvider::refresh(id));
    });
    while (client.refreshes < 3)
        consumer.dispatch(1000000);
    burst(300);
    while (client.updates < 300)
        consumer.dispatch(1000000);

    const auto before = allocationsOfThisThread();
    burst(3000);
    const auto sending = allocationsOfThisThread() - before;  // the task handed to the provider's thread
    while (client.updates < 3300)
        consumer.dispatch(1000000);
    CHECK(allocationsOfThisThread() - before == sending);
    CHECK(client.sum == 2 * 3300);
}
