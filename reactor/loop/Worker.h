// The worker thread of one reactor: deferred flushes, waiting for writability, pings.
#pragma once

#include "eta/transport/Channel.h"
#include "loop/OpenDescriptor.h"
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

/// What a link and the worker share of one connection. The link owns the input half; this keeps the channel alive while
/// the worker may still touch its output half.
struct Output {
    explicit Output(std::shared_ptr<eta::transport::Channel> c) : channel(std::move(c)) {}

    /// Of a connection that has gone to another reactor, two outputs have it for a while, one of them closed.
    const std::shared_ptr<eta::transport::Channel> channel;
    // Guarded by channel->outputLock().
    bool armed = false;               ///< the worker has this link on its list and will flush
    bool closed = false;              ///< the owner closed the channel, or gave it away
    std::uint32_t commits = 0;        ///< since the worker's last look
    std::atomic<bool> failed{false};  ///< a write failed; the dispatching thread reads to the end
    /// What the worker is to do next with which output; each kind waits at most once for an output, so commands need no
    /// memory of their own.
    enum class Command : std::uint8_t { add, arm, remove };
    struct Queued {
        std::shared_ptr<Output> output;
        Command what = Command::add;
    };
    Queued next[3];  ///< behind the command of that kind; guarded by the worker's mutex, then the worker's own
    // The worker's own.
    std::uint64_t id = 0;
    TimePoint due{};
    Duration period{};
    bool listed = false;   ///< on the list of armed links
    bool blocked = false;  ///< the kernel pushed back; waits for EPOLLOUT
};

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
    /// The link's first message after a pause has left: look after what follows. Output::armed was just set.
    void arm(std::shared_ptr<Output> output) noexcept;
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
    void run();
    void takeCommands(TimePoint real);
    void take(What what, const std::shared_ptr<Output>& output, TimePoint real);
    void list(const std::shared_ptr<Output>& output, TimePoint due);
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
    const OpenDescriptor epollFd_ = OpenDescriptor::epoll(), eventFd_ = OpenDescriptor::event();
    std::mutex mutex_;
    // Never full: a command of each kind has its place in the output it is for.
    Queued inbox_;             // guarded by mutex_: the newest command, the others behind it
    QueueCounts inboxCounts_;  // written under mutex_
    bool signalled_ = false;   // guarded by mutex_: eventFd_ was written and not read yet
    bool stop_ = false;        // guarded by mutex_
    bool heapDue_ = false;     // guarded by mutex_
    // The thread's own.
    Queued taken_;
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
