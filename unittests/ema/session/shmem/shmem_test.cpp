// OmmConsumer and OmmProvider over shared memory: both dispatch modes, both directions at once, several consumers, ends
// that go and come back (docs/wire/shared-memory.md).
#include "ema/session/consumer/SessionTest.h"
#include "support/until.h"

#include <map>

using namespace emissary::test;

namespace {

constexpr int kUpdates = 20000, kPosts = 2000;
constexpr Int16 kFid = 1;  // PROD_PERM, an unsigned integer

/// A name that stands for the port, of this process alone.
std::string portName() {
    static std::atomic<int> number{0};
    return "emissary-test-" + std::to_string(::getpid()) + "-" + std::to_string(++number);
}

class ProviderFile : public EmaConfigFile {
public:
    explicit ProviderFile(const std::string& port, const std::string& serverParameters = {})
        : EmaConfigFile(config::provider({}) +
                        config::section("Server", config::parameter("ServerType", "ServerType::RSSL_UNIDIR_SHMEM") +
                                                      config::parameter("Port", port) + serverParameters) +
                        config::logger() + config::dictionary() +
                        config::directory("DIRECT_FEED", 1, {"MMT_DICTIONARY", "MMT_MARKET_PRICE"}, true)) {}
};

class ConsumerFile : public EmaConfigFile {
public:
    explicit ConsumerFile(const std::string& port, const std::string& channelParameters = {})
        : EmaConfigFile(config::consumer(R"(<ReconnectMinDelay value="20"/><ReconnectMaxDelay value="20"/>)") +
                        config::channel("RSSL_UNIDIR_SHMEM", config::parameter("Port", port) + channelParameters) +
                        config::logger() + config::dictionary()) {}
};

/// The configuration lives as long as the expression that it is made in.
OmmIProviderConfig& dispatched(OmmIProviderConfig&& c, bool user) {
    return c.operationModel(user ? OmmIProviderConfig::UserDispatchEnum : OmmIProviderConfig::ApiDispatchEnum);
}
OmmConsumerConfig& dispatched(OmmConsumerConfig&& c, bool user) {
    return c.operationModel(user ? OmmConsumerConfig::UserDispatchEnum : OmmConsumerConfig::ApiDispatchEnum);
}

/// Dispatches as long as it lives; nothing under API dispatch.
template <class Instance>
class Dispatching {
public:
    Dispatching(Instance& instance, bool user) {
        if (user)
            thread_ = std::thread([this, &instance] {
                while (!stop_)
                    instance.dispatch(2000);
            });
    }
    ~Dispatching() {
        stop_ = true;
        if (thread_.joinable()) thread_.join();
    }

private:
    std::atomic<bool> stop_{false};
    std::thread thread_;
};

FieldList& number(FieldList& fields, UInt64 value) {
    return fields.clear().addUInt(kFid, value).complete(), fields;
}

/// -1 without one.
Int64 numberIn(const Msg& m) {
    const Data& data = m.getPayload().getData();
    if (data.getDataType() != DataType::FieldListEnum) return -1;
    const FieldList& fields = static_cast<const FieldList&>(data);
    while (fields.forth())
        if (fields.getEntry().getFieldId() == kFid && fields.getEntry().getLoadType() == DataType::UIntEnum)
            return static_cast<Int64>(fields.getEntry().getUInt());
    return -1;
}

/// Gives images of number 0, acknowledges posts, and checks that their numbers come in order.
class Publisher final : public OmmProviderClient {
public:
    std::atomic<int> posts{0}, disorder{0};

    void onReqMsg(const ReqMsg& m, const OmmProviderEvent& e) override {
        RefreshMsg answer;
        answer.name(m.getName()).complete().solicited(true).state(OmmState::OpenEnum, OmmState::OkEnum);
        FieldList fields;
        if (m.getDomainType() == MMT_LOGIN) answer.domainType(MMT_LOGIN).nameType(USER_NAME);
        else answer.serviceName(m.getServiceName()).payload(number(fields, 0));
        e.getProvider().submit(answer, e.getHandle());
        if (m.getDomainType() == MMT_LOGIN) return;
        const std::lock_guard lock(mutex_);
        open_[e.getHandle()] = 0;
    }
    void onClose(const ReqMsg&, const OmmProviderEvent& e) override {
        const std::lock_guard lock(mutex_);
        open_.erase(e.getHandle());
    }
    void onPostMsg(const PostMsg& m, const OmmProviderEvent& e) override {
        if (numberIn(m) != static_cast<Int64>(++lastPost_[e.getClientHandle()])) ++disorder;
        ++posts;
        e.getProvider().submit(AckMsg().ackId(m.getPostId()).domainType(m.getDomainType()), e.getHandle());
    }
    /// The next number to every open item; how many there are. The callbacks come with the session locked, so nothing
    /// is submitted with the list locked.
    std::size_t publish(OmmProvider& provider) {
        std::vector<std::pair<UInt64, UInt64>> now;
        {
            const std::lock_guard lock(mutex_);
            for (auto& [handle, number] : open_)
                now.emplace_back(handle, ++number);
        }
        for (const auto& [handle, next] : now) {
            try {
                provider.submit(UpdateMsg().payload(number(fields_, next)), handle);
            } catch (const OmmException&) {  // its client has gone
                const std::lock_guard lock(mutex_);
                open_.erase(handle);
            }
        }
        return now.size();
    }

private:
    std::mutex mutex_;
    std::map<UInt64, UInt64> open_;      // handle to the last number
    std::map<UInt64, UInt64> lastPost_;  // of each client; on the dispatching thread
    FieldList fields_;
};

/// Checks that every update has the number after the last one.
class Follower final : public OmmConsumerClient {
public:
    std::atomic<Int64> last{-1};
    std::atomic<int> images{0}, disorder{0}, acks{0}, suspects{0};

    void onRefreshMsg(const RefreshMsg& m, const OmmConsumerEvent&) override {
        if (m.getDomainType() != MMT_MARKET_PRICE) return;
        last = numberIn(m);
        ++images;
    }
    void onUpdateMsg(const UpdateMsg& m, const OmmConsumerEvent&) override {
        const Int64 n = numberIn(m);
        if (n != last + 1) ++disorder;
        last = n;
    }
    void onStatusMsg(const StatusMsg& m, const OmmConsumerEvent&) override {
        if (m.hasState() && m.getState().getDataState() == OmmState::SuspectEnum) ++suspects;
    }
    void onAckMsg(const AckMsg&, const OmmConsumerEvent&) override { ++acks; }
};

}  // namespace

TEST_CASE("Updates and posts cross in shared memory, each in order and none lost", "[ema][shmem]") {
    const bool user = GENERATE(false, true);
    INFO((user ? "user" : "API") << " dispatch");
    // A ring of the least size: both ends are held up by it again and again.
    const std::string ring = GENERATE(std::string(), std::string(R"(<SysSendBufSize value="16384"/>)"
                                                                 R"(<SysRecvBufSize value="16384"/>)"));
    INFO("server " << ring);
    const std::string port = portName();
    const ProviderFile providerFile(port, ring);
    const ConsumerFile consumerFile(port);
    Publisher publisher;
    OmmProvider provider(dispatched(OmmIProviderConfig(providerFile.path()), user), publisher);
    const Dispatching providing(provider, user);
    Follower follower;
    OmmConsumer consumer(dispatched(OmmConsumerConfig(consumerFile.path()), user));
    const Dispatching consuming(consumer, user);
    const UInt64 handle = consumer.registerClient(item("A"), follower);
    REQUIRE(eventually([&] { return follower.images == 1; }));

    std::jthread posting([&](const std::stop_token& stop) {
        FieldList fields;
        for (int i = 1; i <= kPosts && !stop.stop_requested();) {
            if (i - follower.acks > 500) {
                std::this_thread::yield();
                continue;
            }
            consumer.submit(PostMsg()
                                .postId(static_cast<UInt32>(i))
                                .solicitAck(true)
                                .complete(true)
                                .domainType(MMT_MARKET_PRICE)
                                .payload(UpdateMsg().payload(number(fields, static_cast<UInt64>(i)))),
                            handle);
            ++i;
        }
    });
    for (int sent = 0; sent < kUpdates;) {
        REQUIRE(eventually([&] { return sent - follower.last < 5000; }));
        if (publisher.publish(provider) != 0) ++sent;
    }
    posting.join();
    CHECK(eventually([&] { return follower.last == kUpdates && follower.acks == kPosts; }, std::chrono::seconds(60)));
    CHECK(follower.disorder == 0);
    CHECK(follower.suspects == 0);
    CHECK(publisher.posts == kPosts);
    ChannelInformation information;
    consumer.getChannelInformation(information);
    CHECK(information.getChannelState() == ChannelInformation::ActiveEnum);
}

TEST_CASE("Several consumers of one server; one that goes in the middle costs the others nothing", "[ema][shmem]") {
    const std::string port = portName();
    const ProviderFile providerFile(port);
    const ConsumerFile consumerFile(port);
    Publisher publisher;
    OmmProvider provider(dispatched(OmmIProviderConfig(providerFile.path()), false), publisher);
    constexpr std::size_t kConsumers = 5;
    std::vector<std::unique_ptr<Follower>> followers;
    std::vector<std::unique_ptr<OmmConsumer>> consumers;
    for (std::size_t i = 0; i < kConsumers; ++i) {
        followers.push_back(std::make_unique<Follower>());
        consumers.push_back(std::make_unique<OmmConsumer>(dispatched(OmmConsumerConfig(consumerFile.path()), false)));
        consumers.back()->registerClient(item("A"), *followers.back());
        REQUIRE(eventually([&] { return followers.back()->images == 1; }));
    }
    std::jthread leaving([&] {
        static_cast<void>(eventually([&] { return followers[0]->last > 500; }));
        consumers[0].reset();
    });
    for (int sent = 0; sent < 5000;) {
        REQUIRE(eventually([&] { return sent - followers[kConsumers - 1]->last < 1000; }));
        if (publisher.publish(provider) != 0) ++sent;
    }
    leaving.join();
    for (std::size_t i = 1; i < kConsumers; ++i) {
        INFO("consumer " << i);
        CHECK(eventually([&] { return followers[i]->last == 5000; }));
        CHECK(followers[i]->disorder == 0);
    }
    CHECK(followers[0]->disorder == 0);
    CHECK(eventually([&] { return publisher.publish(provider) == kConsumers - 1; }));
}

TEST_CASE("A provider that goes and comes back is found again", "[ema][shmem]") {
    const std::string port = portName();
    const ProviderFile providerFile(port);
    const ConsumerFile consumerFile(port);
    Publisher publisher;
    auto provider =
        std::make_unique<OmmProvider>(dispatched(OmmIProviderConfig(providerFile.path()), false), publisher);
    Follower follower;
    OmmConsumer consumer(dispatched(OmmConsumerConfig(consumerFile.path()), false));
    consumer.registerClient(item("A"), follower);
    REQUIRE(eventually([&] { return follower.images == 1; }));
    for (int round = 2; round < 5; ++round) {
        for (int i = 0; i < 100; ++i)
            publisher.publish(*provider);
        provider.reset();
        REQUIRE(eventually([&] { return follower.suspects >= round - 1; }));
        provider = std::make_unique<OmmProvider>(dispatched(OmmIProviderConfig(providerFile.path()), false), publisher);
        REQUIRE(eventually([&] { return follower.images == round; }));
        CHECK(follower.last == 0);
    }
    CHECK(follower.disorder == 0);
}

TEST_CASE("What shared memory cannot do is said when the instance is made", "[ema][shmem]") {
    Publisher publisher;
    SECTION("a name that is taken") {
        const std::string port = portName();
        const ProviderFile file(port);
        OmmProvider first(dispatched(OmmIProviderConfig(file.path()), false), publisher);
        CHECK(thrown([&] {
                  const OmmProvider second(dispatched(OmmIProviderConfig(file.path()), false), publisher);
              }).find("in use by another shared memory server") != std::string::npos);
    }
    SECTION("a group that does not exist") {
        const ProviderFile file(portName(), R"(<SharedMemoryGroup value="no-such-group-here"/>)");
        CHECK(thrown([&] {
                  const OmmProvider p(dispatched(OmmIProviderConfig(file.path()), false), publisher);
              }).find("SharedMemoryGroup \"no-such-group-here\" is no group of this host") != std::string::npos);
    }
    SECTION("another host") {
        const ConsumerFile file(portName(), R"(<Host value="203.0.113.7"/>)");
        CHECK(thrown([&] {
                  const OmmConsumer c(OmmConsumerConfig(file.path()));
              }).find("shared memory reaches servers on this host only") != std::string::npos);
    }
}
