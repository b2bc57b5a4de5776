// The bus: one thread that connects and sends, and the hand-over to the node's thread and from it.
#include "hub/nats/NatsBus.h"

#include "eta/core/Clock.h"

#ifdef EMISSARY_HAVE_NATS

#include "hub/nats/Connection.h"
#include "reactor/threads.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <set>
#include <thread>

namespace emissary::hub::nats {

namespace {

using namespace std::chrono_literals;

class Sending final : public NatsBus {
public:
    Sending(const NatsLibrary& library, NatsOptions options)
        : library_(library), options_(std::move(options)), crossing_(std::make_shared<Crossing>(library, options_)),
          thread_([this] { run(); }) {}
    ~Sending() override {
        stop_.store(true, std::memory_order_release);
        crossing_->toSender.signal();
        thread_.join();
    }

    void publish(std::string_view subject, eta::Bytes frame) override {
        if (!crossing_->out.push(subject, frame)) ++counts_.outLost;
        counts_.outPeak.raiseTo(crossing_->out.used());
        crossing_->toSender.signal();
    }
    void publishAsking(std::string_view subject, std::string_view nobody, eta::Bytes frame) override {
        std::string both(1, kAsking);
        both.append(subject).append(1, '\0').append(nobody);
        publish(both, frame);
    }
    void onNobody(std::function<void(std::string_view)> heard) override { nobody_ = std::move(heard); }
    void subscribe(std::string_view subject) override {
        {
            const std::lock_guard guard(mutex_);
            subjects_.emplace(subject);
        }
        subjectsChanged();
    }
    void unsubscribe(std::string_view subject) override {
        {
            const std::lock_guard guard(mutex_);
            subjects_.erase(std::string(subject));
        }
        subjectsChanged();
    }
    [[nodiscard]] std::size_t mostFrame() const noexcept override { return mostFrame_.load(std::memory_order_relaxed); }
    [[nodiscard]] eta::TimePoint now() const noexcept override { return eta::Clock::now(); }

    [[nodiscard]] int fd() const noexcept override { return crossing_->toNode.fd(); }
    std::size_t receive(std::size_t most, const std::function<void(eta::Bytes)>& use) override {
        Crossing& c = *crossing_;
        c.toNode.clear();
        counts_.inPeak.raiseTo(c.inBytes());
        counts_.inLost = c.inLost.load(std::memory_order_relaxed);
        counts_.errors = c.errors.load(std::memory_order_relaxed);
        std::size_t n = 0;
        for (; n < most; ++n) {
            natsMsg* const m = c.next();
            if (m == nullptr) return n;
            if (library_.length(m) == 0 && library_.saysNobody != nullptr && library_.saysNobody(m)) {
                if (nobody_) nobody_(library_.subject(m));
            } else {
                use({reinterpret_cast<const std::byte*>(library_.data(m)),
                     static_cast<std::size_t>(library_.length(m))});
            }
            c.taken(m);
        }
        if (c.waits()) c.toNode.signal();
        return n;
    }

    [[nodiscard]] State state() const noexcept override {
        return counts_.connected != 0 ? State::connected : State::connecting;
    }
    [[nodiscard]] std::string server() const override {
        const std::lock_guard guard(mutex_);
        return server_;
    }
    [[nodiscard]] std::string lastError() const override { return crossing_->error(); }
    [[nodiscard]] const NatsCounts& counts() const noexcept override { return counts_; }

private:
    void subjectsChanged() noexcept {
        changes_.fetch_add(1, std::memory_order_release);  // pairs with the acquire in follow()
        crossing_->toSender.signal();
    }
    [[nodiscard]] bool stopping() const noexcept { return stop_.load(std::memory_order_acquire); }

    void run();
    [[nodiscard]] std::unique_ptr<Connection> connect();
    void serve(Connection& c);
    void follow(Connection& c);
    void discard();
    void pause(std::chrono::milliseconds time);

    static constexpr char kAsking = '?';  // in front of two subjects: that of the frame, a zero, and publishAsking()'s

    const NatsLibrary& library_;
    const NatsOptions options_;
    NatsCounts counts_;
    std::function<void(std::string_view)> nobody_;
    const std::shared_ptr<Crossing> crossing_;
    std::atomic<bool> stop_{false};
    std::atomic<std::size_t> mostFrame_{mesh::Bus::mostFrame()};
    std::atomic<std::uint64_t> changes_{0};
    mutable std::mutex mutex_;
    std::set<std::string, std::less<>> subjects_;  // guarded by mutex_; what the connection has is to become the same
    std::string server_;                           // guarded by mutex_
    std::uint64_t followed_ = 0;                   // the sending thread's, as are all below
    std::size_t next_ = 0;
    std::thread thread_;  // last: it uses all of them
};

void Sending::run() {
    reactor::nameThisThread("nats-send");
    reactor::session::Backoff backoff(options_.reconnect);
    next_ = std::random_device{}() % options_.servers.size();  // hubs spread over the servers
    while (!stopping()) {
        if (const auto c = connect()) {
            const eta::TimePoint since = now();
            serve(*c);
            counts_.connected = 0;
            {
                const std::lock_guard guard(mutex_);
                server_.clear();
            }
            if (stopping()) break;
            ++counts_.disconnects;
            crossing_->complain(c->reason());
            crossing_->toNode.signal();
            // A server that ends connections at once is no reason for haste.
            if (now() - since > options_.reconnect.maxDelay) backoff.reset();
            next_ = (next_ + 1) % options_.servers.size();
        }
        if (!stopping()) pause(backoff.next());
    }
    library_.releaseThread();
}

std::unique_ptr<Connection> Sending::connect() {
    for (std::size_t tries = 0; tries < options_.servers.size() && !stopping(); ++tries) {
        const std::string& url = options_.servers[next_];
        std::string why;
        auto c = Connection::open(library_, options_, url, crossing_, why);
        if (c) {
            discard();  // what waited is of before
            mostFrame_.store(std::min(mesh::Bus::mostFrame(), c->maxPayload()), std::memory_order_relaxed);
            {
                const std::lock_guard guard(mutex_);
                server_ = shownAddress(url);
            }
            return c;
        }
        ++counts_.connectFailures;
        crossing_->complain(std::move(why));
        discard();
        next_ = (next_ + 1) % options_.servers.size();
    }
    return nullptr;
}

void Sending::serve(Connection& c) {
    followed_ = 0;
    follow(c);
    ++counts_.connects;
    counts_.connected = 1;
    crossing_->toNode.signal();
    const auto send = [&](const char* subject, eta::Bytes frame) {
        follow(c);  // a request goes behind the subscription that its answer needs
        const char* nobody = nullptr;
        if (*subject == kAsking) {
            ++subject;
            nobody = subject + std::strlen(subject) + 1;
        }
        if (frame.size() > c.maxPayload()) ++counts_.tooLong;
        else if (c.publish(subject, nobody, frame)) ++counts_.sent;
        else ++counts_.unsent;
    };
    while (!stopping() && !c.ended()) {
        follow(c);
        while (!stopping() && !c.ended() && crossing_->out.pop(send)) {}
        if (crossing_->out.used() == 0) crossing_->toSender.wait(1000ms);
    }
}

/// Brings the subscriptions of the connection to those that are wanted now. Sending thread; others change the wish.
void Sending::follow(Connection& c) {
    const std::uint64_t changes = changes_.load(std::memory_order_acquire);
    if (changes == followed_) return;
    followed_ = changes;
    std::set<std::string, std::less<>> wanted;
    {
        const std::lock_guard guard(mutex_);
        wanted = subjects_;
    }
    std::vector<std::string> gone;
    for (const auto& [subject, subscription] : c.subjects())
        if (!wanted.contains(subject)) gone.push_back(subject);
    for (const std::string& subject : gone)
        c.unsubscribe(subject);
    for (const std::string& subject : wanted)
        if (!c.subjects().contains(subject) && !c.ended()) c.subscribe(subject);
}

void Sending::discard() {
    while (crossing_->out.pop([](const char*, eta::Bytes) {}))
        ++counts_.unsent;
}

void Sending::pause(std::chrono::milliseconds time) {
    for (const eta::TimePoint end = now() + time; !stopping();) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - now());
        if (left <= 0ms) return;
        crossing_->toSender.wait(left);
        discard();
    }
}

}  // namespace

std::unique_ptr<NatsBus> NatsBus::make(NatsOptions options, eta::Refused& refused) {
    if (options.servers.empty()) {
        refused.text = "a mesh over NATS needs the address of a server, for example nats://localhost:4222";
        return nullptr;
    }
    options.inFrames = std::max<std::size_t>(options.inFrames, 1);
    const NatsLibrary* const library = NatsLibrary::load(options.libraryFile, refused);
    if (library == nullptr) return nullptr;
    return std::make_unique<Sending>(*library, std::move(options));
}

}  // namespace emissary::hub::nats

#else

namespace emissary::hub::nats {

std::unique_ptr<NatsBus> NatsBus::make(NatsOptions, eta::Refused& refused) {
    refused.text = "a mesh over NATS is not in this build: libnats-dev was missing when it was made; install it "
                   "(dev/install_packages.sh tests does) and configure anew";
    return nullptr;
}

}  // namespace emissary::hub::nats

#endif
