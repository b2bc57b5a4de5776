// tools/wsload: the phases of a run.
#include "Run.h"

#include "Summary.h"
#include "Truth.h"

#include "eta/core/Clock.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <deque>
#include <optional>
#include <stdexcept>
#include <string>

namespace emissary::wsload {

using eta::Clock;
using eta::TimePoint;
using eta::transport::ConnectionType;
using eta::transport::ConnectOptions;
using std::chrono::seconds;

namespace {

double since(TimePoint t) {
    return std::chrono::duration<double>(Clock::now() - t).count();
}

ConnectOptions connectOptions(const Options& o, bool slow) {
    ConnectOptions c;
    c.host = o.address.host;
    c.port = o.address.port;
    c.connectionType = o.address.encrypted ? ConnectionType::encrypted : ConnectionType::webSocket;
    c.encryptedProtocol = ConnectionType::webSocket;
    c.tls.caStore = o.ca;
    c.webSocket.protocols = "rssl.json.v2";
    c.webSocket.path = o.address.path;
    c.webSocket.cookies = o.cookies;
    if (o.deflate) c.compression = eta::transport::Compression::zlib;
    c.componentInfo = "wsload";
    c.initializationTimeout = seconds(60);  // thousands at once take their turns
    // Memory for each client counts here: thousands of them share this process.
    c.numInputBuffers = 2;
    if (slow) c.sysRecvBufSize = 4096;  // what the system holds is read too, as the sender sees it
    return c;
}

void raiseDescriptorLimit(unsigned clients) {
    rlimit limit{};
    // A socket for each client; the rest is for files, epoll and the standard streams.
    const rlim_t needed = clients + 64;
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= needed) return;
    limit.rlim_cur = std::min(limit.rlim_max, std::max<rlim_t>(needed, limit.rlim_cur));
    if (::setrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur < needed)
        throw std::runtime_error(std::to_string(clients) + " clients need " + std::to_string(needed) +
                                 " descriptors, allowed are " + std::to_string(limit.rlim_cur) + " (ulimit -n)");
}

class Run {
public:
    explicit Run(const Options& options)
        : options_(options), items_(options), setup_{.options = options_,
                                                     .items = items_,
                                                     .route = nullptr,
                                                     .slowRoute = nullptr,
                                                     .target = options.address.host + ":" + options.address.port,
                                                     .limit = std::chrono::microseconds(
                                                         static_cast<std::int64_t>(options.maxLatencyMs * 1000))} {
        const ConnectOptions c = connectOptions(options, false);
        if (const eta::Refused wrong = eta::transport::checkConnect(c)) throw std::runtime_error(wrong.text);
        setup_.route = eta::transport::lookUp(c);
        setup_.slowRoute = eta::transport::lookUp(connectOptions(options, true));
        // Before hours of measuring, not behind them.
        if (!options_.out.empty()) makeFolder(options_.out);
        std::signal(SIGXFSZ, SIG_IGN);  // beyond `ulimit -f` a write fails, and the run says which
        ::sigemptyset(&signals_);
        ::sigaddset(&signals_, SIGINT);
        ::sigaddset(&signals_, SIGTERM);
        ::pthread_sigmask(SIG_BLOCK, &signals_, nullptr);  // the threads begin behind it
    }
    int go() {
        // Stalls are watched from before the first connection on: a machine that is too slow shows while it logs in.
        for (unsigned i = 0; i < options_.threads; ++i)
            loaders_.emplace_back(setup_, control_, i);
        stalls_.emplace(options_.threads);
        for (Loader& l : loaders_)
            l.start();
        summary_.stallsSpin = stalls_->spins();
        images();
        if (summary_.allReady && !summary_.interrupted) measure();
        if (summary_.allReady && !summary_.interrupted && settles()) settle();
        control_.phase.store(Phase::over, std::memory_order_release);
        for (Loader& l : loaders_)
            l.join();
        for (Loader& l : loaders_) {  // gaps behind the last line
            Interval rest;
            (void)l.collect(control_.interval.load(std::memory_order_acquire), rest);
            // Behind the last line nothing is measured, but a gap is a fault at any time.
            rest.counts.messages = rest.counts.bytes = rest.counts.above = 0;
            summary_.counts.add(rest.counts);
        }
        if (truthThere_) compare();
        gather(summary_, loaders_, setup_);
        judge(summary_, options_);
        print(summary_, options_);
        if (!options_.out.empty()) writeFiles(summary_, loaders_, setup_);
        return summary_.failures.empty() ? 0 : 1;
    }

private:
    /// True when a signal ends the run.
    bool waitOrSignal() {
        // Signals are taken here and not in a handler: nothing has to be async-signal-safe.
        const timespec moment{.tv_sec = 0, .tv_nsec = 20'000'000};
        if (::sigtimedwait(&signals_, nullptr, &moment) <= 0) return summary_.interrupted;
        return summary_.interrupted = true;
    }
    template <class Of>
    [[nodiscard]] unsigned sum(Of of) const {
        unsigned n = 0;
        for (const Loader& l : loaders_)
            n += of(l.tally()).load(std::memory_order_relaxed);
        return n;
    }
    [[nodiscard]] unsigned ready() const {
        return sum([](const Tally& t) -> const auto& { return t.ready; });
    }
    [[nodiscard]] unsigned ended() const {
        return sum([](const Tally& t) -> const auto& { return t.ended; });
    }
    void images() {
        const TimePoint begun = Clock::now();
        TimePoint said = begun;
        std::printf("%u clients to %s\n", options_.clients, setup_.target.c_str());
        std::fflush(stdout);
        while (ready() + ended() < options_.clients && since(begun) < options_.patience && !waitOrSignal())
            if (since(said) >= 5) {
                said = Clock::now();
                std::string missing;
                for (std::size_t i = 0; i < loaders_.size() && missing.empty(); ++i)
                    missing = loaders_[i].missing();
                std::printf("%u clients have their images; %s\n", ready(), missing.c_str());
                std::fflush(stdout);
            }
        summary_.imageSeconds = since(begun);
        summary_.allReady = ready() == options_.clients;
        std::printf("%u of %u clients have all images after %.3f s\n", ready(), options_.clients,
                    summary_.imageSeconds);
        std::fflush(stdout);
    }
    void measure() {
        control_.phase.store(Phase::warmup, std::memory_order_release);
        // Stalls of the start are not those of the measurement.
        (void)stalls_->take();
        intervals(options_.warmup, false);
        if (summary_.interrupted) return;
        // release: with the acquire of a loader's turn, which then counts into the measured figures.
        control_.phase.store(Phase::measured, std::memory_order_release);
        const TimePoint begun = Clock::now();
        std::printf("measuring\n");
        std::fflush(stdout);
        intervals(options_.duration, true);
        summary_.measuredSeconds = since(begun);
        control_.phase.store(settles() ? Phase::settling : Phase::over, std::memory_order_release);
        std::printf("measured\n");
        std::fflush(stdout);
    }
    void intervals(unsigned length, bool measured) {
        const TimePoint begun = Clock::now();
        for (TimePoint from = begun; since(begun) < length && !summary_.interrupted;) {
            const double left = length - since(begun);
            const double take = std::min<double>(left, options_.statsInterval);
            while (since(from) < take && ended() < options_.clients && !waitOrSignal()) {}
            interval(from, measured);
            from = Clock::now();
            if (ended() >= options_.clients) return;
        }
    }
    void interval(TimePoint from, bool measured) {
        // Every loader closes the interval in a turn of its own, so that its figures need no lock.
        const unsigned n = control_.interval.fetch_add(1, std::memory_order_release) + 1;
        Interval all;
        double busiest = 0;
        for (Loader& l : loaders_) {
            Interval one;
            while (!l.collect(n, one))
                ::usleep(200);  // its turn, which is short
            busiest = std::max(busiest, std::chrono::duration<double>(one.busy).count());
            all.merge(one);
        }
        const double took = since(from);
        IntervalRow row;
        row.utc = timeOfDay(Clock::now()).substr(0, 8);
        row.measured = measured;
        row.clients = ready();
        row.seconds = took;
        row.messageRate = static_cast<double>(all.counts.messages) / took;
        row.byteRate = static_cast<double>(all.counts.bytes) / took;
        // The busiest thread, not the average: one overloaded loader is enough to spoil latencies.
        row.busy = busiest / took;
        const auto& h = all.latencies.histogram;
        row.p50 = h.quantile(0.5), row.p99 = h.quantile(0.99), row.p999 = h.quantile(0.999), row.max = h.max();
        row.largestTurn =
            static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(all.largestTurn).count());
        row.counts = all.counts;
        row.stalls = stalls_->take();
        // Gaps count from the first image on; messages, bytes and latencies while it is measured.
        if (!measured) all.counts.messages = all.counts.bytes = all.counts.above = 0;
        summary_.counts.add(all.counts);
        if (measured) {
            summary_.stalls.count += row.stalls.count;
            summary_.stalls.sum += row.stalls.sum;
            summary_.stalls.longest = std::max(summary_.stalls.longest, row.stalls.longest);
        }
        summary_.rows.push_back(row);
        printRow(row);
    }
    [[nodiscard]] bool settles() const { return !options_.truthFile.empty() || options_.postRate != 0; }
    /// Posts are answered. The feed stops on a signal; that its file is there shows that it did.
    void settle() {
        constexpr int kForAnswers = 10, kForFile = 30, kBehindFile = 2;
        const TimePoint begun = Clock::now();
        const auto unanswered = [this] {
            std::uint64_t n = 0;
            for (const Loader& l : loaders_)
                n += l.tally().unanswered.load(std::memory_order_relaxed);
            return n;
        };
        while (unanswered() != 0 && since(begun) < kForAnswers && !waitOrSignal()) {}
        summary_.unanswered = unanswered();
        if (options_.truthFile.empty()) return;
        while (::access(options_.truthFile.c_str(), R_OK) != 0) {
            if (since(begun) > kForFile || waitOrSignal()) return;
        }
        truthThere_ = true;
        const TimePoint there = Clock::now();
        while (since(there) < kBehindFile && !waitOrSignal()) {}
    }
    void compare() {
        const Truth truth(options_.truthFile);
        summary_.truthChecked = true;
        for (const Loader& l : loaders_)
            for (const Client& c : l.clients())
                // A churning client may be between two connections now, and then has nothing to compare.
                if (c.group() != Group::churning)
                    summary_.truthDifferences += truth.compare(c, items_, summary_.troubles);
    }

    const Options& options_;
    const Items items_;
    Setup setup_;
    Control control_;
    sigset_t signals_{};
    std::deque<Loader> loaders_;
    std::optional<Stalls> stalls_;
    Summary summary_;
    bool truthThere_ = false;
};

}  // namespace

int run(const Options& options) {
    raiseDescriptorLimit(options.clients);
    return Run(options).go();
}

}  // namespace emissary::wsload
