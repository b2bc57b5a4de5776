// A consumer and a provider, each called from eight threads at once while its own thread, or the application's, runs
// the callbacks (session.md 8). Meant for ThreadSanitizer; the counts have to be right without it too.
#include "ema/session/consumer/SessionTest.h"
#include "ema/session/provider/ProviderTest.h"

#include <set>

using namespace emissary::test;

namespace {

constexpr int kThreads = 8, kRequests = 120, kUpdates = 1500;

/// Answers everything, and knows which items are open.
class Publisher final : public OmmProviderClient {
public:
    std::atomic<int> requests{0}, reissues{0}, posts{0}, generics{0};

    void onReqMsg(const ReqMsg& m, const OmmProviderEvent& e) override {
        RefreshMsg answer;
        answer.name(m.getName()).complete().solicited(true);
        if (m.getDomainType() == MMT_LOGIN) {
            answer.domainType(MMT_LOGIN).nameType(USER_NAME).state(OmmState::OpenEnum, OmmState::OkEnum);
            e.getProvider().submit(answer, e.getHandle());
            return;
        }
        ++requests;
        const bool streaming = m.getInterestAfterRefresh();
        if (streaming) {
            const std::lock_guard lock(mutex_);
            open_.insert(e.getHandle());
        }
        image(m, e);
    }
    void onReissue(const ReqMsg& m, const OmmProviderEvent& e) override {
        ++reissues;
        if (m.getDomainType() != MMT_LOGIN && m.getInitialImage()) image(m, e);
    }
    void onClose(const ReqMsg&, const OmmProviderEvent& e) override {
        const std::lock_guard lock(mutex_);
        open_.erase(e.getHandle());
    }
    void onPostMsg(const PostMsg& m, const OmmProviderEvent& e) override {
        ++posts;
        e.getProvider().submit(AckMsg().ackId(m.getPostId()).domainType(m.getDomainType()), e.getHandle());
    }
    void onGenericMsg(const GenericMsg& m, const OmmProviderEvent& e) override {
        ++generics;
        if (m.getDomainType() == MMT_MARKET_PRICE) e.getProvider().submit(GenericMsg().complete(true), e.getHandle());
    }
    /// One of the open items, another one each time; 0 when there is none.
    UInt64 any(std::size_t n) {
        const std::lock_guard lock(mutex_);
        if (open_.empty()) return 0;
        return *std::next(open_.begin(), static_cast<std::ptrdiff_t>(n % open_.size()));
    }
    std::size_t open() {
        const std::lock_guard lock(mutex_);
        return open_.size();
    }

private:
    static void image(const ReqMsg& m, const OmmProviderEvent& e) {
        FieldList fields;
        fields.addReal(22, 3391, OmmReal::ExponentNeg2Enum).complete();
        e.getProvider().submit(
            RefreshMsg()
                .name(m.getName())
                .serviceName(m.getServiceName())
                .complete()
                .solicited(true)
                .state(m.getInterestAfterRefresh() ? OmmState::OpenEnum : OmmState::NonStreamingEnum, OmmState::OkEnum)
                .payload(fields),
            e.getHandle());
    }
    std::mutex mutex_;
    std::set<UInt64> open_;  // guarded by mutex_
};

struct Listener final : OmmConsumerClient {
    std::atomic<int> refreshes{0}, updates{0}, acks{0}, generics{0}, running{0}, overlaps{0};
    void onRefreshMsg(const RefreshMsg& m, const OmmConsumerEvent&) override {
        const Inside inside(*this);
        (void)m.getPayload().getDataType();
        ++refreshes;
    }
    void onUpdateMsg(const UpdateMsg& m, const OmmConsumerEvent&) override {
        const Inside inside(*this);
        const FieldList& fields = m.getPayload().getFieldList();
        while (fields.forth())
            (void)fields.getEntry().getFieldId();
        ++updates;
    }
    void onAckMsg(const AckMsg&, const OmmConsumerEvent&) override { ++acks; }
    void onGenericMsg(const GenericMsg&, const OmmConsumerEvent&) override { ++generics; }

private:
    /// Callbacks of one object never overlap.
    struct Inside {
        explicit Inside(Listener& l) : of(l) {
            if (of.running.fetch_add(1) != 0) ++of.overlaps;
        }
        ~Inside() { --of.running; }
        Listener& of;
    };
};

/// Calls dispatch() on a thread of its own until it is destroyed.
template <class Session>
class Dispatcher {
public:
    Dispatcher(Session& session, bool wanted) {
        if (!wanted) return;
        thread_ = std::thread([this, &session] {
            while (!stop_)
                session.dispatch(1000);
        });
    }
    ~Dispatcher() {
        stop_ = true;
        if (thread_.joinable()) thread_.join();
    }

private:
    std::atomic<bool> stop_{false};
    std::thread thread_;
};

/// What the library refuses because of what the other threads have done meanwhile.
template <class Call>
void mayBeRefused(Call call) {
    try {
        call();
    } catch (const OmmInvalidUsageException&) {  // not refreshed yet; too much output
    } catch (const OmmInvalidHandleException&) {}
}

void publish(OmmProvider& provider, Publisher& app, int thread) {
    FieldList fields;
    UpdateMsg update;
    for (int i = 0; i < kUpdates; ++i) {
        const UInt64 handle = app.any(static_cast<std::size_t>(i * kThreads + thread));
        if (handle == 0) {
            std::this_thread::yield();
            continue;
        }
        fields.clear();
        fields.addReal(22, i, OmmReal::ExponentNeg2Enum).complete();
        update.clear().payload(fields);
        mayBeRefused([&] { provider.submit(update, handle); });
        if (i % 100 == 0) {
            EmaVector<ChannelInformation> clients;
            provider.getConnectedClientChannelInfo(clients);
        }
        if (i % 300 == 0)
            mayBeRefused([&] {
                provider.submit(StatusMsg().state(OmmState::OpenEnum, OmmState::OkEnum, 0, "still here"), handle);
            });
    }
}

void consume(OmmConsumer& consumer, Listener& listener, int thread) {
    std::deque<UInt64> mine;
    const UInt64 login = consumer.registerClient(ReqMsg().domainType(MMT_LOGIN), listener);
    const UInt64 directory = consumer.registerClient(ReqMsg().domainType(MMT_DIRECTORY), listener);
    for (int i = 0; i < kRequests; ++i) {
        const std::string name = "ITEM" + std::to_string((i * 7 + thread) % 40);
        ReqMsg request = item(name.c_str());
        if (i % 5 == 4) request.interestAfterRefresh(false);
        const UInt64 h = consumer.registerClient(request, listener);
        if (i % 5 != 4) mine.push_back(h);
        if (i % 3 == 0)
            mayBeRefused([&] { consumer.reissue(item(name.c_str()).priority(2, static_cast<UInt16>(i + 1)), h); });
        if (i % 4 == 1 && !mine.empty()) {
            mayBeRefused([&] { consumer.submit(GenericMsg().complete(true), mine.front()); });
            mayBeRefused([&] {
                consumer.submit(
                    PostMsg().postId(static_cast<UInt32>(thread * kRequests + i)).solicitAck(true).complete(),
                    mine.front());
            });
        }
        if (i % 10 == 0) {
            ChannelInformation information;
            consumer.getChannelInformation(information);
            ChannelStatistics statistics;
            mayBeRefused([&] { consumer.getChannelStatistics(statistics); });
        }
        if (mine.size() > 5) {
            consumer.unregister(mine.front());
            mine.pop_front();
        }
    }
    for (const UInt64 h : mine)
        consumer.unregister(h);
    consumer.unregister(directory);
    consumer.unregister(login);
}

}  // namespace

TEST_CASE("Eight threads on a consumer and eight on its provider", "[ema][threads]") {
    const bool userConsumer = GENERATE(false, true), userProvider = GENERATE(false, true);
    INFO("consumer " << (userConsumer ? "user" : "API") << " dispatch, provider " << (userProvider ? "user" : "API")
                     << " dispatch");
    const ConfigFile providerFile;
    Publisher app;
    OmmProvider provider(
        OmmIProviderConfig(providerFile.path())
            .operationModel(userProvider ? OmmIProviderConfig::UserDispatchEnum : OmmIProviderConfig::ApiDispatchEnum),
        app);
    const Dispatcher providing(provider, userProvider);
    const ConsumerConfigFile file(emissary::ema::ProviderAccess::port(provider));
    Listener listener;
    {
        OmmConsumer consumer(OmmConsumerConfig(file.path())
                                 .username("user")
                                 .operationModel(userConsumer ? OmmConsumerConfig::UserDispatchEnum
                                                              : OmmConsumerConfig::ApiDispatchEnum));
        const Dispatcher consuming(consumer, userConsumer);
        std::vector<std::thread> threads;
        for (int t = 0; t < kThreads; ++t) {
            threads.emplace_back([&, t] { consume(consumer, listener, t); });
            threads.emplace_back([&, t] { publish(provider, app, t); });
        }
        for (std::thread& t : threads)
            t.join();
        // Both ends agree on what is left: nothing, and what comes now.
        RecordingConsumerClient last;
        const UInt64 h = consumer.registerClient(item("LAST"), last);
        CHECK(last.wait("LAST refresh Open/Ok/0"));
        CHECK(eventually([&] { return app.open() == 1; }, std::chrono::seconds(20)));
        provider.submit(UpdateMsg(), app.any(0));
        CHECK(last.wait("LAST update"));
        consumer.unregister(h);
    }
    CHECK(listener.overlaps == 0);
    CHECK(listener.refreshes > kThreads);
    CHECK(app.requests > 0);
    CHECK(app.reissues > 0);
}
