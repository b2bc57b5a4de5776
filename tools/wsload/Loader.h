// tools/wsload: one thread with its clients: waits for their descriptors, serves them, and starts what is due.
#pragma once

#include "Client.h"

#include <atomic>
#include <deque>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

namespace emissary::wsload {

/// Between the run and its threads.
struct Control {
    std::atomic<Phase> phase{Phase::connecting};
    std::atomic<unsigned> interval{0};  ///< grows when a line is due: the threads hand over what they have
};

class Loader {
public:
    /// Takes the clients whose number, divided by the number of threads, leaves `index`.
    Loader(const Setup& setup, Control& control, unsigned index);
    ~Loader();
    Loader(const Loader&) = delete;
    Loader& operator=(const Loader&) = delete;
    /// Begins the thread, which ends when the phase is over.
    void start();
    void join();
    /// Counts without locks, and what other threads may read at any time.
    [[nodiscard]] const Tally& tally() const { return tally_; }
    /// Adds what was handed over; false while that of this interval is not there yet. Any thread.
    [[nodiscard]] bool collect(unsigned interval, Interval& into);
    /// When the thread has ended.
    [[nodiscard]] const std::deque<Client>& clients() const { return clients_; }
    /// Of a client that has not all its images; empty: there is none. Any thread.
    [[nodiscard]] std::string missing() const;

private:
    enum class Due : std::uint8_t { resume, connect, ask };
    struct Timer {
        eta::TimePoint at;
        std::size_t client;
        Due due;
        bool operator>(const Timer& other) const { return at > other.at; }
    };
    void run();
    void begin(Phase phase);
    void turn(eta::TimePoint now, int ready);
    void connectMore(eta::TimePoint now);
    void serve(std::size_t at, eta::TimePoint now);
    void then(std::size_t at, Client::Next next, eta::TimePoint now);
    void watch(std::size_t at);
    void unwatch(std::size_t at);
    void runTimers(eta::TimePoint now);
    void everySecond(eta::TimePoint now);
    void churn(eta::TimePoint now);
    void post(eta::TimePoint now);
    void handOver();
    [[nodiscard]] int waitMs(eta::TimePoint now) const;

    const Setup& setup_;
    Control& control_;
    const unsigned index_;
    Tally tally_;
    ThreadState state_;
    std::deque<Client> clients_;
    std::size_t connected_ = 0;  // of clients_, begun
    std::vector<std::size_t> again_, serving_;
    std::priority_queue<Timer, std::vector<Timer>, std::greater<>> timers_;
    eta::TimePoint begun_{}, secondAt_{}, churnFrom_{};
    std::uint64_t churned_ = 0, posted_ = 0;
    std::size_t nextChurn_ = 0, nextPost_ = 0;
    unsigned seconds_ = 0;
    int epoll_ = -1;
    std::vector<unsigned char> events_;  // epoll_event, kept away from the header

    mutable std::mutex lock_;
    Interval handed_;              // guarded by lock_
    unsigned handedInterval_ = 0;  // guarded by lock_
    std::string missing_;          // guarded by lock_
    std::thread thread_;
};

}  // namespace emissary::wsload
