// Makes consumers and providers of every kind, notes their callbacks, and lists the threads of the process.
#include "ema/session/engine/Instances.h"

#include "ema/session/consumer/SessionTest.h"
#include "ema/session/niprovider/NiProviderTest.h"
#include "ema/session/provider/ProviderTest.h"
#include "support/until.h"

#include <filesystem>
#include <sstream>

#include <unistd.h>

namespace emissary::test {
namespace {

[[nodiscard]] std::string nameOf(int item) {
    return "A" + std::to_string(item);
}

class ConsumerInstance final : public Instance {
public:
    explicit ConsumerInstance(Options o) : file_(server_.port()) {
        OmmConsumerConfig config(file_.path());
        config.username("user");
        if (o.userDispatch) config.operationModel(OmmConsumerConfig::UserDispatchEnum);
        consumer_ =
            o.errorClient ? std::make_unique<OmmConsumer>(config, errors_) : std::make_unique<OmmConsumer>(config);
        raw_ = consumer_.get();
        for (int i = 0; i < o.items; ++i) {
            const std::string name = nameOf(i);
            consumer_->registerClient(item(name.c_str()), client_);
            stream_ = server_.requested(name);
            server_.run([&](RawProvider& p) { p.send(RawProvider::refresh(stream_)); });
        }
    }
    void provoke() override {
        server_.run([&](RawProvider& p) { p.send(RawProvider::update(stream_)); });
    }
    Int64 dispatch(Int64 timeoutUs) override { return raw_->dispatch(timeoutUs); }
    void call() override {
        ChannelInformation information;
        raw_->getChannelInformation(information);
    }
    void end() override { consumer_.reset(); }
    std::string instanceName() override { return raw_->getConsumerName().c_str(); }

private:
    struct Client final : OmmConsumerClient {
        explicit Client(ConsumerInstance& i) : of(i) {}
        void onUpdateMsg(const UpdateMsg&, const OmmConsumerEvent& e) override {
            of.called([&] {
                (void)e.getChannelInformation();
                (void)e.getChannelStatistics();
            });
        }
        ConsumerInstance& of;
    };
    ProviderThread server_;
    ConsumerConfigFile file_;
    Client client_{*this};
    Errors<OmmConsumerErrorClient> errors_{*this};
    std::unique_ptr<OmmConsumer> consumer_;
    OmmConsumer* raw_ = nullptr;  // also while it is being destroyed
    std::int32_t stream_ = 0;
};

/// A post, on the login stream of an interactive provider and on an item of the other.
template <class Base>
struct PostClient : Base {
    explicit PostClient(std::function<void(const std::function<void()>&)> c) : called(std::move(c)) {}
    void onPostMsg(const PostMsg&, const OmmProviderEvent& e) override {
        called([&] {
            (void)e.getChannelInformation();
            (void)e.getChannelStatistics();
        });
    }
    const std::function<void(const std::function<void()>&)> called;
};

class ProviderInstance : public Instance {
public:
    Int64 dispatch(Int64 timeoutUs) override { return raw_->dispatch(timeoutUs); }
    void end() override { provider_.reset(); }
    std::string instanceName() override { return raw_->getProviderName().c_str(); }

protected:
    template <class Config>
    void open(Config& config, OmmProviderClient& client, Options o) {
        if (o.userDispatch) config.operationModel(Config::UserDispatchEnum);
        provider_ = o.errorClient ? std::make_unique<OmmProvider>(config, client, errors_)
                                  : std::make_unique<OmmProvider>(config, client);
        raw_ = provider_.get();
    }
    OmmProvider* raw_ = nullptr;  // also while it is being destroyed

private:
    Errors<OmmProviderErrorClient> errors_{*this};
    std::unique_ptr<OmmProvider> provider_;
};

class InteractiveInstance final : public ProviderInstance {
public:
    explicit InteractiveInstance(Options o) : client_([this](const auto& ask) { called(ask); }) {
        OmmIProviderConfig config(file_.path());
        open(config, client_, o);
        RawConsumer::Pump pump;
        if (o.userDispatch) pump = [this] { (void)raw_->dispatch(1000); };
        consumer_ = std::make_unique<RawConsumer>(loggedIn(*raw_, pump));
        for (int i = 0; i < o.items; ++i) {
            consumer_->send(RawConsumer::request(5 + i, 6, nameOf(i), std::uint16_t{1}));
            REQUIRE(consumer_->next().msg.cls == codec::MsgClass::Refresh);
        }
    }
    ~InteractiveInstance() override { end(); }
    void provoke() override {
        codec::Msg post;
        post.cls = codec::MsgClass::Post;
        post.domain = 1;
        post.streamId = 1;
        post.flags = codec::PostFlag::complete;
        consumer_->send(post);
    }
    void call() override {
        EmaVector<ChannelInformation> clients;
        raw_->getConnectedClientChannelInfo(clients);
    }

private:
    ConfigFile file_;
    PostClient<RecordingClient> client_;
    std::unique_ptr<RawConsumer> consumer_;
};

class NonInteractiveInstance final : public ProviderInstance {
public:
    explicit NonInteractiveInstance(Options o) : client_([this](const auto& ask) { called(ask); }) {
        OmmNiProviderConfig config(file_.path());
        config.host(hostOf(acceptor_)).username("user");
        open(config, client_, o);
        FieldList fields;
        for (int i = 0; i < o.items; ++i) {
            RefreshMsg image;
            image.name(nameOf(i).c_str()).serviceName("TEST_NI_PUB").complete(true).payload(price(fields, i));
            image.state(OmmState::OpenEnum, OmmState::OkEnum);
            raw_->submit(image, static_cast<UInt64>(5 + i));
        }
        REQUIRE(acceptor_.waitFor([&](const NiAcceptor::Totals& t, const auto&) {
            return t.refreshes == static_cast<std::uint64_t>(o.items);
        }));
    }
    ~NonInteractiveInstance() override { end(); }
    void provoke() override { REQUIRE(acceptor_.post(nameOf(0), ++postId_) == 1); }
    void call() override {
        ChannelInformation information;
        raw_->getChannelInformation(information);
    }

private:
    NiAcceptor acceptor_{NiAcceptor::Run::thread};
    NiConfigFile file_;
    PostClient<OmmProviderClient> client_;
    std::uint32_t postId_ = 0;
};

}  // namespace

std::unique_ptr<Instance> Instance::make(Kind kind, Options options) {
    switch (kind) {
    case Kind::consumer:
        return std::make_unique<ConsumerInstance>(options);
    case Kind::interactiveProvider:
        return std::make_unique<InteractiveInstance>(options);
    case Kind::nonInteractiveProvider:
        return std::make_unique<NonInteractiveInstance>(options);
    }
    return nullptr;
}

const char* Instance::name(Kind kind) {
    static constexpr const char* kNames[] = {"a consumer", "an interactive provider", "a non-interactive provider"};
    return kNames[static_cast<std::size_t>(kind)];
}

void Instance::onCallback(Hook hook) {
    const std::lock_guard guard(mutex_);
    hook_ = std::move(hook);
}

void Instance::called(const std::function<void()>& askEvent) {
    Hook hook;
    {
        const std::lock_guard guard(mutex_);
        hook = hook_;
    }
    if (hook) hook(askEvent);
}

void Instance::tell(std::string what) {
    const std::lock_guard guard(mutex_);
    told_.push_back(std::move(what));
    changed_.notify_all();
}

std::vector<std::string> Instance::told() {
    const std::lock_guard guard(mutex_);
    return told_;
}

bool Instance::waitTold(const std::string& start) {
    std::unique_lock guard(mutex_);
    return changed_.wait_for(guard, kPatience, [&] {
        return std::any_of(told_.begin(), told_.end(), [&](const std::string& t) { return t.starts_with(start); });
    });
}

ThreadView ThreadView::of(const std::string& tid) {
    const std::string folder = "/proc/self/task/" + tid + "/";
    ThreadView view;
    view.tid = tid;
    std::string line;
    std::ifstream in(folder + "stat");
    std::getline(in, line);  // pid (name) state ppid ... utime stime ..., the fields 14 and 15
    const auto open = line.find('('), close = line.rfind(')');
    if (close == std::string::npos) return view;
    view.name = line.substr(open + 1, close - open - 1);
    std::istringstream rest(line.substr(close + 1));
    std::string field;
    double ticks = 0;
    for (int n = 3; n <= 15 && rest >> field; ++n) {
        if (n == 3) view.state = field[0];
        if (n >= 14) ticks += std::stod(field);
    }
    view.cpuSeconds = ticks / static_cast<double>(::sysconf(_SC_CLK_TCK));
    for (std::ifstream status(folder + "status"); std::getline(status, line);)
        if (line.starts_with("voluntary_ctxt_switches:")) view.wakeUps = std::stoull(line.substr(line.find(':') + 1));
    return view;
}

std::vector<ThreadView> ThreadView::all() {
    std::vector<ThreadView> views;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task"))
        views.push_back(of(entry.path().filename().string()));
    return views;
}

}  // namespace emissary::test
