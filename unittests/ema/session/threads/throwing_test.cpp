// Several threads of the application dispatch one object while its callbacks throw: each exception comes out of the
// call that ran the callback. Meant for ThreadSanitizer too.
#include "ema/session/consumer/SessionTest.h"
#include "ema/session/niprovider/NiProviderTest.h"
#include "ema/session/provider/ProviderTest.h"

#include <thread>
#include <utility>

using namespace emissary::test;

namespace {

constexpr int kCalls = 300;

std::atomic<int> calls{0}, thrown{0};
/// A call of dispatch() may run several callbacks; it lets out the first exception.
thread_local bool unheard = false;

struct Thrown {
    std::thread::id by = std::this_thread::get_id();
};

/// In a callback.
void throwOnce() {
    const bool first = !std::exchange(unheard, true);
    if (first) ++thrown;
    ++calls;
    if (first) throw Thrown();
}

/// Two threads dispatch until told to stop.
class Dispatching {
public:
    template <class Dispatch>
    explicit Dispatching(Dispatch dispatch) {
        calls = thrown = 0;
        for (std::thread& t : threads_)
            t = std::thread([this, dispatch] {
                while (!stop_) {
                    try {
                        dispatch();
                    } catch (const Thrown& what) {
                        unheard = false;
                        ++(what.by == std::this_thread::get_id() ? own_ : strange_);
                    }
                }
            });
    }
    ~Dispatching() { stop(); }
    /// After as many callbacks: what was thrown came out, each of the thread that ran the callback.
    void check() {
        CHECK(eventually([&] { return calls >= kCalls; }, std::chrono::seconds(30)));
        stop();
        CHECK(calls == kCalls);
        CHECK(thrown > 0);
        CHECK(own_ == thrown);
        CHECK(strange_ == 0);
    }

private:
    void stop() {
        stop_ = true;
        for (std::thread& t : threads_)
            if (t.joinable()) t.join();
    }
    std::atomic<int> own_{0}, strange_{0};
    std::atomic<bool> stop_{false};
    std::thread threads_[2];
};

}  // namespace

TEST_CASE("Two threads dispatch a consumer whose callbacks throw", "[ema][session][threads]") {
    class Client final : public OmmConsumerClient {
        void onUpdateMsg(const UpdateMsg&, const OmmConsumerEvent&) override { throwOnce(); }
    } client;
    ProviderThread server;
    const ConsumerConfigFile file(server.port(), R"(<MaxDispatchCountUserThread value="1"/>)");
    OmmConsumer consumer(OmmConsumerConfig(file.path()).operationModel(OmmConsumerConfig::UserDispatchEnum));
    consumer.registerClient(item("A"), client);
    const std::int32_t id = server.requested("A");
    server.run([&](RawProvider& p) { p.send(RawProvider::refresh(id)); });
    Dispatching threads([&] { consumer.dispatch(1000); });
    for (int sent = 0; sent < kCalls; sent += 10) {
        server.run([&](RawProvider& p) {
            for (int i = 0; i < 10; ++i)
                p.send(RawProvider::update(id));
        });
    }
    threads.check();
}

TEST_CASE("Two threads dispatch an interactive provider whose callbacks throw", "[ema][provider][threads]") {
    class Client final : public RecordingClient {
        void onPostMsg(const PostMsg&, const OmmProviderEvent&) override { throwOnce(); }
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
    for (int i = 0; i < kCalls; ++i)
        consumer.send(post);
    threads.check();
}

TEST_CASE("Two threads dispatch a non-interactive provider whose callbacks throw", "[ema][niprovider][threads]") {
    class Client final : public OmmProviderClient {
        void onPostMsg(const PostMsg&, const OmmProviderEvent&) override { throwOnce(); }
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
    for (UInt32 i = 1; i <= kCalls; ++i)
        REQUIRE(acceptor.post("A", i) == 1);
    threads.check();
}
