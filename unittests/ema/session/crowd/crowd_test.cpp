// Many instances in one process: what each costs in threads and memory (session.md 8).
#include "ema/session/consumer/SessionTest.h"
#include "ema/session/niprovider/NiProviderTest.h"
#include "ema/session/provider/ProviderTest.h"
#include "support/resident.h"
#include "support/until.h"

#include <chrono>
#include <filesystem>
#include <set>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace emissary;
using namespace emissary::test;

namespace {

std::size_t threads() {
    const std::filesystem::directory_iterator tasks("/proc/self/task");
    return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

/// Of threads that run the work of instances in the background.
std::size_t workers() {
    std::size_t n = 0;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
        std::string name;
        std::ifstream(task.path() / "comm") >> name;
        n += name.find("wrk") != std::string::npos ? 1 : 0;
    }
    return n;
}

/// Answers every request and keeps the handles.
class FeedApplication final : public RecordingClient {
public:
    void onReqMsg(const ReqMsg& m, const OmmProviderEvent& e) override {
        RecordingClient::onReqMsg(m, e);
        if (m.getDomainType() != MMT_MARKET_PRICE) return;
        const std::lock_guard guard(mutex_);
        open_.insert(e.getHandle());
    }
    void onClose(const ReqMsg& m, const OmmProviderEvent& e) override {
        RecordingClient::onClose(m, e);
        const std::lock_guard guard(mutex_);
        open_.erase(e.getHandle());
    }
    void tick(OmmProvider& provider) {
        std::set<UInt64> open;
        {
            const std::lock_guard guard(mutex_);
            open = open_;
        }
        FieldList fields;
        fields.addReal(22, 3392, OmmReal::ExponentNeg2Enum).complete();
        for (const UInt64 handle : open) {
            try {
                provider.submit(UpdateMsg().payload(fields), handle);
            } catch (const OmmException&) {}  // closed meanwhile
        }
    }

private:
    std::mutex mutex_;
    std::set<UInt64> open_;  // guarded by mutex_
};

/// A provider in a process of its own, whose memory and threads are not those of its consumers. To be made before
/// anything else has threads.
class FeedProcess {
public:
    FeedProcess() {
        REQUIRE(::pipe(told_) == 0);
        REQUIRE(::pipe(asked_) == 0);
        pid_ = ::fork();
        REQUIRE(pid_ >= 0);
        if (pid_ == 0) serve();
        ::close(told_[1]);
        ::close(asked_[0]);
        REQUIRE(::read(told_[0], &port_, sizeof port_) == sizeof port_);
    }
    ~FeedProcess() {
        ::close(told_[0]);
        ::close(asked_[1]);  // the child's end
        ::waitpid(pid_, nullptr, 0);
    }
    FeedProcess(const FeedProcess&) = delete;
    FeedProcess& operator=(const FeedProcess&) = delete;
    [[nodiscard]] std::uint16_t port() const noexcept { return port_; }
    /// One update for every item that is open.
    void tick() { REQUIRE(::write(asked_[1], "t", 1) == 1); }

private:
    [[noreturn]] void serve() {
        ::close(told_[0]);
        ::close(asked_[1]);
        try {
            const ConfigFile file;
            FeedApplication app;
            OmmProvider provider(OmmIProviderConfig(file.path()), app);
            const std::uint16_t port = ema::ProviderAccess::port(provider);
            if (::write(told_[1], &port, sizeof port) == sizeof port)
                for (char c = 0; ::read(asked_[0], &c, 1) == 1;)
                    app.tick(provider);
        } catch (...) { ::_exit(1); }
        ::_exit(0);
    }
    int told_[2]{}, asked_[2]{};
    pid_t pid_ = -1;
    std::uint16_t port_ = 0;
};

struct Watcher final : OmmConsumerClient {
    int images = 0, updates = 0;
    void onRefreshMsg(const RefreshMsg&, const OmmConsumerEvent&) override { ++images; }
    void onUpdateMsg(const UpdateMsg&, const OmmConsumerEvent&) override { ++updates; }
};

/// Each with its own connection and item, all dispatched by the calling thread.
struct Crowd {
    std::vector<std::unique_ptr<OmmConsumer>> consumers;
    std::vector<std::unique_ptr<Watcher>> watchers;

    Crowd(std::uint16_t port, int size, bool fileDictionary) {
        const ConsumerConfigFile file(port, {}, fileDictionary);
        for (int i = 0; i < size; ++i) {
            OmmConsumerConfig config(file.path());
            config.operationModel(OmmConsumerConfig::UserDispatchEnum);
            consumers.push_back(std::make_unique<OmmConsumer>(config));
            watchers.push_back(std::make_unique<Watcher>());
            consumers.back()->registerClient(item(("A" + std::to_string(i)).c_str()), *watchers.back());
        }
    }
    template <class Holds>
    bool comes(Holds holds) {
        return turnUntil(
            [&] { return std::all_of(watchers.begin(), watchers.end(), [&](auto& w) { return holds(*w); }); },
            [&] {
                for (const auto& c : consumers)
                    (void)c->dispatch(0);
            },
            std::chrono::seconds(60));
    }
};

void raiseDescriptorLimit() {
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace

TEST_CASE("200 consumers with user dispatch share a few workers", "[ema][crowd]") {
    raiseDescriptorLimit();
    FeedProcess feed;
    const std::size_t before = threads();
    {
        Crowd crowd(feed.port(), 200, true);
        REQUIRE(crowd.comes([](const Watcher& w) { return w.images == 1; }));
        CHECK(eventually([&] { return threads() <= before + 10; }));  // a look-up that is over may be ending
        CHECK(workers() >= 1);
        feed.tick();
        REQUIRE(crowd.comes([](const Watcher& w) { return w.updates == 1; }));
        // The others go on when most have gone.
        for (std::size_t i = 0; i < 190; ++i) {
            crowd.consumers[i].reset();
            crowd.watchers[i].reset();
        }
        crowd.consumers.erase(crowd.consumers.begin(), crowd.consumers.begin() + 190);
        crowd.watchers.erase(crowd.watchers.begin(), crowd.watchers.begin() + 190);
        feed.tick();
        CHECK(crowd.comes([](const Watcher& w) { return w.updates == 2; }));
    }
    CHECK(eventually([&] { return threads() == before; }));
}

TEST_CASE("providers with user dispatch share the workers too", "[ema][crowd]") {
    raiseDescriptorLimit();
    constexpr int kEach = 40;
    NiAcceptor acceptor(NiAcceptor::Run::thread);
    const ConfigFile interactiveFile;
    const NiConfigFile publisherFile;
    const std::size_t before = threads();
    {
        RecordingClient app;
        RecordingProviderClient publisherApp;
        std::vector<std::unique_ptr<OmmProvider>> interactive, publishers;
        for (int i = 0; i < kEach; ++i) {
            OmmIProviderConfig config(interactiveFile.path());
            config.operationModel(OmmIProviderConfig::UserDispatchEnum);
            interactive.push_back(std::make_unique<OmmProvider>(config, app));
            OmmNiProviderConfig publishing(publisherFile.path());
            publishing.host(hostOf(acceptor)).username("user").operationModel(OmmNiProviderConfig::UserDispatchEnum);
            publishers.push_back(std::make_unique<OmmProvider>(publishing, publisherApp));
        }
        CHECK(eventually([&] { return threads() <= before + 10; }));
        for (const auto& provider : interactive) {
            RawConsumer c = loggedIn(*provider, [&] { (void)provider->dispatch(1000); });
            c.send(RawConsumer::request(5, 6, "A", std::uint16_t{1}));
            CHECK(c.next().msg.cls == codec::MsgClass::Refresh);
        }
        FieldList fields;
        for (const auto& provider : publishers) {
            RefreshMsg image;
            image.name("A").serviceName("TEST_NI_PUB").complete(true).payload(price(fields, 1));
            image.state(OmmState::OpenEnum, OmmState::OkEnum);
            provider->submit(image, 5);
        }
        CHECK(acceptor.waitFor([](const NiAcceptor::Totals& t, const auto&) { return t.refreshes == kEach; }));
    }
    CHECK(eventually([&] { return threads() == before; }));
}

TEST_CASE("a process that came out of fork() has workers of its own", "[ema][crowd]") {
    FeedProcess feed;
    Crowd parents(feed.port(), 3, true);
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        bool came = false;
        try {
            Crowd own(feed.port(), 3, true);
            came = own.comes([](const Watcher& w) { return w.images == 1; }) && workers() >= 1;
        } catch (...) {}
        ::_exit(came ? 0 : 1);
    }
    int status = 1;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(status == 0);
    REQUIRE(parents.comes([](const Watcher& w) { return w.images == 1; }));
    feed.tick();
    CHECK(parents.comes([](const Watcher& w) { return w.updates == 1; }));
}

// test_ema_crowd "[.measure]"
TEST_CASE("how long a dispatch(10) of a provider waits", "[.measure]") {
    const ConfigFile file;
    RecordingClient app;
    OmmIProviderConfig config(file.path());
    config.operationModel(OmmIProviderConfig::UserDispatchEnum);
    OmmProvider provider(config, app);
    RawConsumer c = loggedIn(provider, [&] { (void)provider.dispatch(1000); });
    while (provider.dispatch(100'000) == OmmProvider::DispatchedEnum) {}
    constexpr std::size_t kCalls = 20'000;
    std::vector<double> took(kCalls);
    for (const Int64 wait : {Int64{10}, Int64{40}, Int64{100}}) {
        for (double& one : took) {
            const auto begun = std::chrono::steady_clock::now();
            (void)provider.dispatch(wait);
            one = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begun).count();
        }
        std::sort(took.begin(), took.end());
        WARN("dispatch(" << wait << ") takes " << took[kCalls / 2] << " us in the middle, 9 of 10 less than "
                         << took[kCalls * 9 / 10]);
    }
}

// test_ema_crowd "[.measure]"
TEST_CASE("what 1,000 consumers with user dispatch cost", "[.measure]") {
    raiseDescriptorLimit();
    constexpr int kSize = 1000;
    const bool fileDictionary = GENERATE(true, false);
    FeedProcess feed;
    const std::size_t before = threads(), memory = residentKiB();
    const auto begun = std::chrono::steady_clock::now();
    Crowd crowd(feed.port(), kSize, fileDictionary);
    const auto started = std::chrono::steady_clock::now();
    REQUIRE(crowd.comes([](const Watcher& w) { return w.images == 1; }));
    feed.tick();
    REQUIRE(crowd.comes([](const Watcher& w) { return w.updates == 1; }));
    WARN((fileDictionary ? "dictionary from files: " : "dictionary from the channel: ")
         << kSize << " consumers, " << threads() - before << " threads, " << (residentKiB() - memory) / 1024 << " MB, "
         << (residentKiB() - memory) / kSize << " KB each, started in "
         << std::chrono::duration_cast<std::chrono::milliseconds>(started - begun).count() << " ms");
}
