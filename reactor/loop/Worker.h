// The worker thread of one reactor: deferred flushes, waiting for writability, pings.
#pragma once

#include "loop/OpenDescriptor.h"
#include "loop/Output.h"
#include "loop/counts.h"
#include "reactor/Reactor.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

struct epoll_event;

namespace emissary::reactor {

/// Never takes the session lock. Sleeps without any wake-up while no link is armed, no ping and no trim is due.
class Worker {
public:
    struct Periods {
        Duration flushDelay;
        Duration trim;  ///< zero: never
    };
    Worker(std::string name, std::string cpu, const TimeSource& clock, Periods periods, std::function<void()> kick);
    ~Worker();  ///< joins; prompt
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    /// From now on this connection's pings are looked after. Any thread.
    void add(std::shared_ptr<Output> output) noexcept;
    /// Output waits: it shall be flushed at Output::departure.by(). Output::armed was just set. Wakes no thread: a
    /// timer does when the time has come.
    void arm(std::shared_ptr<Output> output) noexcept;
    /// Takes that back. False: the worker has begun to look after it, and will find that nothing is left. Output lock
    /// held.
    [[nodiscard]] bool disarm(Output& output) noexcept;
    /// The link is closed; forget it.
    void remove(std::shared_ptr<Output> output) noexcept;
    /// The heap's free pages go back to the system from this thread, which keeps nobody waiting.
    void returnHeapSoon() noexcept;

    [[nodiscard]] const WorkerCounts& counts() const noexcept { return counts_; }
    [[nodiscard]] const QueueCounts& inboxCounts() const noexcept { return inboxCounts_; }

private:
    using What = Output::Command;
    using Queued = Output::Queued;
    void push(What what, std::shared_ptr<Output> output) noexcept;
    void enter(What what, std::shared_ptr<Output> output) noexcept;
    void wakeAt(TimePoint when) noexcept;
    void run();
    [[nodiscard]] Queued takeInbox() noexcept;
    void obey(Queued oldest, TimePoint real);
    void take(What what, const std::shared_ptr<Output>& output, TimePoint real);
    void list(const std::shared_ptr<Output>& output);
    void flushRound(TimePoint real);
    bool flushOne(Output& output, TimePoint real);
    void broken(Output& output);
    void writable(std::uint64_t id, TimePoint real);
    void pingRound();
    void trimRound();

    const std::string name_, cpu_;
    const TimeSource& clock_;
    const Duration flushDelay_, trimPeriod_;
    const std::function<void()> kick_;  // tells the dispatching thread to look at Output::failed
    const OpenDescriptor epollFd_ = OpenDescriptor::epoll(), eventFd_ = OpenDescriptor::event(),
                         timerFd_ = OpenDescriptor::timer();
    std::mutex mutex_;
    // Never full: a command of each kind has its place in the output it is for.
    Queued inbox_;                          // guarded by mutex_: the newest command, the others behind it
    QueueCounts inboxCounts_;               // written under mutex_
    bool signalled_ = false;                // guarded by mutex_: eventFd_ was written, and the inbox not taken yet
    std::size_t wanted_ = 0;                // guarded by mutex_: outputs that wait for the timer
    TimePoint timerAt_ = TimePoint::max();  // guarded by mutex_: when it fires; max = not set
    bool stop_ = false;                     // guarded by mutex_
    bool heapDue_ = false;                  // guarded by mutex_
    // The thread's own.
    std::vector<std::shared_ptr<Output>> all_, armed_;
    std::uint64_t lastId_ = 0;
    TimePoint pingAt_ = TimePoint::max(), trimAt_ = TimePoint::max();
    Duration pingPeriod_{};
    WorkerCounts counts_;
    std::thread thread_;
};

/// epoll_wait with a nanosecond timeout (negative = for ever).
int preciseEpollWait(int epollFd, ::epoll_event* events, int capacity, Duration timeout) noexcept;

}  // namespace emissary::reactor
