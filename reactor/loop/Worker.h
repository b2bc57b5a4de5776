// The worker thread of one reactor, or of several: deferred flushes, waiting for writability, pings.
#pragma once

#include "loop/Output.h"
#include "loop/loop_counts.h"
#include "reactor/OpenDescriptor.h"
#include "reactor/Reactor.h"
#include "reactor/memory.h"

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

struct epoll_event;

namespace emissary::reactor {

/// Never takes a session lock. Sleeps without any wake-up while no link is armed, no ping and no trim is due. Whose the
/// outputs are it knows from them: those of several reactors may be mixed.
class Worker {
public:
    Worker(std::string name, std::string cpu);
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
    /// Waits until what was said before is done, so that the worker has nothing left of a reactor that ends. Without
    /// any lock.
    void settle() noexcept;
    /// The heap's free pages go back to the system from this thread, which keeps nobody waiting.
    void returnHeapSoon() noexcept;

    /// How often the thread woke up.
    [[nodiscard]] std::uint64_t wakeups() const noexcept { return wakeups_.load(std::memory_order_relaxed); }
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
    void drop(Output& output) noexcept;
    void flushRound(TimePoint real);
    bool flushOne(Output& output, TimePoint real);
    void broken(Output& output);
    void writable(std::uint64_t id, TimePoint real);
    void pingRound();
    void trimRound(TimePoint real);
    void signal() noexcept;

    const std::string name_, cpu_;
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
    // guarded by mutex_: how often settle() was called, and how many of these calls may return
    std::uint64_t asked_ = 0, answered_ = 0;
    std::condition_variable settled_;
    // The thread's own.
    std::vector<std::shared_ptr<Output>> all_;              // each at its Output::place
    std::vector<std::shared_ptr<Output>> armed_;            // to be flushed when they are due
    bool armedEnded_ = false;                               // some of armed_ were dropped, and are no longer listed
    ItemMap<std::uint64_t, std::shared_ptr<Output>> byId_;  // all_ once more: whose the events of epoll are
    std::uint64_t lastId_ = 0;
    TimePoint pingAt_ = TimePoint::max(), trimAt_ = TimePoint::max();
    Duration pingPeriod_{}, trimPeriod_{};  // the shortest; zero: none
    std::atomic<std::uint64_t> wakeups_{0};
    std::thread thread_;
};

/// epoll_wait with a nanosecond timeout (negative = for ever).
int preciseEpollWait(int epollFd, ::epoll_event* events, int capacity, Duration timeout) noexcept;

/// One of a few workers, as many as there are processors and eight at most: a new one as long as there are fewer, then
/// the one that the fewest reactors have. Each ends with the last reactor that has it. A process that came out of
/// fork() makes its own. Any thread; throws std::system_error when no thread can be started, and std::bad_alloc.
[[nodiscard]] std::shared_ptr<Worker> sharedWorker();

}  // namespace emissary::reactor
