// What it costs to hand something to another thread: the mailboxes of the reactor as they are (a mutex around a list
// that is taken as a whole) against queues of Boost.Lockfree, bounded and counted alike.
//
//   mailbox_bench [milliseconds per run, 300] [pairs, 5]
//
// burst: every producer posts as fast as it can. idle: every producer posts once in 50 microseconds, so that the reader
// has gone to sleep each time. Both variants of a pair run one after the other; the figures are medians of all pairs,
// nanoseconds of the poster for each post (system call of the wake-up included) and processor time of the whole
// process.
#include <boost/lockfree/queue.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::duration_cast;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr std::size_t kCapacity = 8192;

struct Command {
    void* what;
    std::uint64_t kind;
};

/// As in Worker and Reactor: counts cost nothing more, they are under the mutex anyway.
class MutexMailbox {
public:
    bool tryPost(Command c, bool& signal) {
        const std::lock_guard guard(mutex_);
        if (list_.size() >= kCapacity) return ++full_, false;
        list_.push_back(c);
        ++posted_;
        if (list_.size() > peak_) peak_ = list_.size();
        signal = !std::exchange(signalled_, true);
        return true;
    }
    template <class Take>
    std::size_t drain(Take take) {
        {
            const std::lock_guard guard(mutex_);
            taken_.swap(list_);
            signalled_ = false;
        }
        for (const Command& c : taken_)
            take(c);
        const std::size_t n = taken_.size();
        taken_.clear();
        return n;
    }

private:
    std::mutex mutex_;
    std::vector<Command> list_, taken_;
    std::uint64_t posted_ = 0, full_ = 0;
    std::size_t peak_ = 0;
    bool signalled_ = false;
};

class LockfreeMailbox {
public:
    bool tryPost(Command c, bool& signal) {
        if (!queue_.bounded_push(c)) {
            full_.fetch_add(1, std::memory_order_relaxed);
            return false;
        }
        const std::uint64_t length =
            posted_.fetch_add(1, std::memory_order_relaxed) + 1 - takenCount_.load(std::memory_order_relaxed);
        for (std::uint64_t peak = peak_.load(std::memory_order_relaxed);
             length > peak && length < (1u << 30) &&
             !peak_.compare_exchange_weak(peak, length, std::memory_order_relaxed);) {}
        signal = !signalled_.exchange(true, std::memory_order_acq_rel);
        return true;
    }
    template <class Take>
    std::size_t drain(Take take) {
        signalled_.store(false, std::memory_order_seq_cst);
        std::size_t n = 0;
        for (Command c; queue_.pop(c); ++n)
            take(c);
        takenCount_.store(takenCount_.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
        return n;
    }

private:
    boost::lockfree::queue<Command, boost::lockfree::capacity<kCapacity>> queue_;
    std::atomic<std::uint64_t> posted_{0}, full_{0}, takenCount_{0}, peak_{0};
    std::atomic<bool> signalled_{false};
};

struct Result {
    double nsPerPost = 0, cpuNsPerPost = 0, millionPerSecond = 0, waits = 0;
};

double cpuNs() {
    rusage u{};
    getrusage(RUSAGE_SELF, &u);
    const auto of = [](const timeval& t) {
        return 1e9 * static_cast<double>(t.tv_sec) + 1e3 * static_cast<double>(t.tv_usec);
    };
    return of(u.ru_utime) + of(u.ru_stime);
}

template <class Mailbox>
Result measure(int producers, bool burst, milliseconds time) {
    auto box = std::make_unique<Mailbox>();
    const int fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    std::atomic<bool> stop{false}, producing{true};
    std::atomic<std::uint64_t> posts{0}, waits{0}, spent{0};
    const double cpuBefore = cpuNs();
    const auto start = Clock::now();
    std::thread reader([&] {
        std::uint64_t sum = 0;
        while (!stop.load(std::memory_order_acquire)) {
            pollfd p{fd, POLLIN, 0};
            poll(&p, 1, 10);
            std::uint64_t n = 0;
            [[maybe_unused]] const auto r = read(fd, &n, sizeof n);
            box->drain([&](const Command& c) { sum += c.kind; });
        }
        box->drain([&](const Command& c) { sum += c.kind; });
        if (sum != posts.load())
            std::printf("lost: %llu of %llu\n", static_cast<unsigned long long>(sum),
                        static_cast<unsigned long long>(posts.load()));
    });
    std::vector<std::thread> threads;
    for (int t = 0; t < producers; ++t)
        threads.emplace_back([&] {
            std::uint64_t mine = 0, full = 0;
            nanoseconds inside{0};
            while (producing.load(std::memory_order_relaxed)) {
                const auto before = Clock::now();
                const int batch = burst ? 64 : 1;
                for (int i = 0; i < batch; ++i) {
                    bool signal = false;
                    while (!box->tryPost({&mine, 1}, signal)) {
                        ++full;
                        std::this_thread::yield();
                    }
                    if (signal) {
                        const std::uint64_t one = 1;
                        [[maybe_unused]] const auto w = write(fd, &one, sizeof one);
                    }
                }
                inside += Clock::now() - before;
                mine += static_cast<std::uint64_t>(batch);
                if (!burst) std::this_thread::sleep_for(microseconds(50));
            }
            posts += mine;
            waits += full;
            spent += static_cast<std::uint64_t>(inside.count());
        });
    std::this_thread::sleep_for(time);
    producing = false;
    for (auto& t : threads)
        t.join();
    const double wall = static_cast<double>(duration_cast<nanoseconds>(Clock::now() - start).count());
    stop.store(true, std::memory_order_release);
    reader.join();
    close(fd);
    const double n = static_cast<double>(posts.load());
    return {static_cast<double>(spent.load()) / n, (cpuNs() - cpuBefore) / n, 1e3 * n / wall,
            100 * static_cast<double>(waits.load()) / n};
}

double median(std::vector<double> v) {
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
    const milliseconds time(argc > 1 ? std::atoi(argv[1]) : 300);
    const int pairs = argc > 2 ? std::atoi(argv[2]) : 5;
    std::printf("%-6s %9s %-9s %10s %10s %10s %8s\n", "load", "producers", "mailbox", "ns/post", "cpu ns", "M posts/s",
                "waits %");
    for (const bool burst : {true, false})
        for (const int producers : {1, 2, 4}) {
            std::vector<double> ns[2], cpu[2], rate[2], waits[2], ratio;
            for (int i = 0; i < pairs; ++i) {
                const Result r[2] = {measure<MutexMailbox>(producers, burst, time),
                                     measure<LockfreeMailbox>(producers, burst, time)};
                for (int k = 0; k < 2; ++k) {
                    ns[k].push_back(r[k].nsPerPost);
                    cpu[k].push_back(r[k].cpuNsPerPost);
                    rate[k].push_back(r[k].millionPerSecond);
                    waits[k].push_back(r[k].waits);
                }
                ratio.push_back(r[1].nsPerPost / r[0].nsPerPost);
            }
            for (int k = 0; k < 2; ++k)
                std::printf("%-6s %9d %-9s %10.1f %10.1f %10.3f %8.2f\n", burst ? "burst" : "idle", producers,
                            k == 0 ? "mutex" : "lockfree", median(ns[k]), median(cpu[k]), median(rate[k]),
                            median(waits[k]));
            std::printf("%-6s %9d ratio lockfree/mutex %.2f (%.2f .. %.2f)\n", burst ? "burst" : "idle", producers,
                        median(ratio), *std::min_element(ratio.begin(), ratio.end()),
                        *std::max_element(ratio.begin(), ratio.end()));
        }
}
