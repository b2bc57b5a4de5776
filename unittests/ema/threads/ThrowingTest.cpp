// Several threads of the application dispatch one object while its callbacks throw: each exception comes out of the
// call that ran the callback. Meant for ThreadSanitizer too.
#include "niprovider/NiProviderTest.h"
#include "provider/ProviderTest.h"
#include "session/SessionTest.h"

#include <thread>

using namespace emissary::test;

namespace {

struct Thrown {
    std::thread::id by = std::this_thread::get_id();
};

/// Two threads dispatch until told to stop.
class Dispatching {
public:
    template <class Dispatch>
    explicit Dispatching(Dispatch dispatch) {
        for (std::thread& t : threads_)
            t = std::thread([this, dispatch] {
                while (!stop_) {
                    try {
                        dispatch();
                    } catch (const Thrown& thrown) { ++(thrown.by == std::this_thread::get_id() ? own : strange); }
                }
            });
    }
    ~Dispatching() {
        stop_ = true;
        for (std::thread& t : threads_)
            t.join();
    }
    /// True when as many exceptions came out, within ten seconds.
    [[nodiscard]] bool wait(int exceptions) const {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        while (own + strange < exceptions && std::chrono::steady_clock::now() < end)
            std::this_thread::yield();
        return own + strange >= exceptions;
    }
    std::atomic<int> own{0}, strange{0};  ///< came out of the thread that ran the callback; of another one

private:
    std::atomic<bool> stop_{false};
    std::thread threads_[2];
};

constexpr int kExceptions = 300;
/// A call that ran two callbacks lets out what the first one threw.
constexpr int kLetOut = kExceptions * 9 / 10;

}  // namespace

TEST_CASE("Two threads dispatch a consumer whose callbacks throw", "[ema][session][threads]") {
    class Client final : public OmmConsumerClient {
        void onUpdateMsg(const UpdateMsg&, const OmmConsumerEvent&) override { throw Thrown(); }
    } client;
    ProviderThread server;
    const ConsumerConfigFile file(server.port(), R"(<MaxDispatchCountUserThread value="1"/>)");
    OmmConsumer consumer(OmmConsumerConfig(file.path()).operationModel(OmmConsumerConfig::UserDispatchEnum));
    consumer.registerClient(item("A"), client);
    const std::int32_t id = server.requested("A");
    server.run([&](RawProvider& p) { p.send(RawProvider::refresh(id)); });
    Dispatching threads([&] { consumer.dispatch(1000); });
    for (int sent = 0; sent < kExceptions; sent += 10) {
        server.run([&](RawProvider& p) {
            for (int i = 0; i < 10; ++i)
                p.send(RawProvider::update(id));
        });
    }
    const bool all = threads.wait(kLetOut);
    INFO(threads.own << " of the own, " << threads.strange << " of another thread");
    CHECK(all);
    CHECK(threads.strange == 0);
}

TEST_CASE("Two threads dispatch an interactive provider whose callbacks throw", "[ema][provider][threads]") {
    class Client final : public RecordingClient {
        void onPostMsg(const PostMsg&, const OmmProviderEvent&) override { throw Thrown(); }
    } client;
    const ConfigFile file(R"(<MaxDispatchCountUserThread value="1"/>)");
    OmmProvider provider(OmmIProviderConfig(file.path()).operationModel(OmmIProviderConfig::UserDispatchEnum), client);
    Dispatching threads([&] { provider.dispatch(1000); });
    RawConsumer consumer(emissary::ema::ProviderAccess::port(provider));
    consumer.send(RawConsumer::loginRequest("user"));
    REQUIRE(consumer.next().msg.cls == codec::MsgClass::Refresh);
    codec::Msg post;
    post.cls = codec::MsgClass::Post;
    post.domain = 1;
    post.streamId = 1;
    post.flags = codec::PostFlag::complete;
    for (int i = 0; i < kExceptions; ++i)
        consumer.send(post);
    const bool all = threads.wait(kLetOut);
    INFO(threads.own << " of the own, " << threads.strange << " of another thread");
    CHECK(all);
    CHECK(threads.strange == 0);
}

TEST_CASE("Two threads dispatch a non-interactive provider whose callbacks throw", "[ema][niprovider][threads]") {
    class Client final : public OmmProviderClient {
        void onPostMsg(const PostMsg&, const OmmProviderEvent&) override { throw Thrown(); }
    } client;
    NiAcceptor acceptor(NiAcceptor::Run::thread);
    const NiConfigFile file(R"(<MaxDispatchCountUserThread value="1"/>)");
    OmmProvider provider(
        OmmNiProviderConfig(file.path()).host(hostOf(acceptor)).operationModel(OmmNiProviderConfig::UserDispatchEnum),
        client);
    FieldList fields;
    fields.addReal(22, 3391, OmmReal::ExponentNeg2Enum).complete();
    RefreshMsg image;
    image.name("A").serviceName("TEST_NI_PUB").complete(true).payload(fields);
    image.state(OmmState::OpenEnum, OmmState::OkEnum);
    provider.submit(image, 5);
    Dispatching threads([&] { provider.dispatch(1000); });
    REQUIRE(acceptor.waitForLine("RFSH"));
    for (UInt32 i = 1; i <= kExceptions; ++i)
        REQUIRE(acceptor.post("A", i) == 1);
    const bool all = threads.wait(kLetOut);
    INFO(threads.own << " of the own, " << threads.strange << " of another thread");
    CHECK(all);
    CHECK(threads.strange == 0);
}
