// The output of a connection, as its link and the worker share it.
#pragma once

#include "eta/transport/Channel.h"
#include "loop/Departure.h"
#include "loop/loop_counts.h"
#include "reactor/Reactor.h"

#include <atomic>
#include <functional>
#include <memory>

namespace emissary::reactor {

class Worker;

/// The reactor that outputs belong to, as their worker sees it.
struct OutputOwner {
    const TimeSource& clock;
    const Duration flushDelay, trimPeriod;  ///< of ReactorOptions
    const std::function<void()> kick;       ///< tells the dispatching thread to look at Output::failed
    LoopCounts& loop;                       ///< with the session lock held
    WorkerCounts counts{};                  ///< what the worker did for it; the worker writes
};

/// What a link and the worker share of one connection. The link owns the input half; this keeps the channel alive while
/// the worker may still touch its output half.
struct Output {
    Output(std::shared_ptr<eta::transport::Channel> c, OutputOwner& of) : channel(std::move(c)), owner(of) {}

    /// A connection that has gone to another reactor belongs to two outputs for a while; the old one is closed.
    const std::shared_ptr<eta::transport::Channel> channel;
    OutputOwner& owner;  ///< of the link, hence closed before it; the worker's until Worker::settle() has returned
    // Guarded by channel->outputLock().
    bool armed = false;               ///< the worker has this link on its list and will flush
    bool closed = false;              ///< the owner closed the channel, or gave it away
    std::uint32_t commits = 0;        ///< since the last flush, outside turns
    Departure departure;              ///< when they leave
    std::atomic<bool> failed{false};  ///< a write failed; the dispatching thread reads to the end
    /// What the worker is to do next with which output; each kind waits at most once for an output, so commands need no
    /// memory of their own.
    enum class Command : std::uint8_t { add, arm, remove };
    struct Queued {
        std::shared_ptr<Output> output;
        Command what = Command::add;
    };
    Queued next[3];  ///< behind the command of that kind; guarded by the worker's mutex, then the worker's own
    // Guarded by the worker's mutex.
    bool entered = false;  ///< the command arm waits
    bool wanted = false;   ///< and was not taken back
    TimePoint by{};        ///< when it shall be done
    /// Messages were queued outside a turn of the loop: they leave now, or wait. Output lock and session lock held.
    /// True: Worker::arm() is to be called once the output lock is free.
    [[nodiscard]] bool submitted(std::uint32_t messages, bool directWrite) noexcept {
        commits += messages;
        return !armed && leaveOrWait(directWrite);
    }
    /// The thread that submitted them dispatches: what waits leaves, and the worker need not help. Session lock held.
    /// False: the worker has to look at it.
    [[nodiscard]] bool flushWaiting(Worker& worker, TimePoint now) noexcept;

    /// submitted() for the first message after a flush.
    [[nodiscard]] bool leaveOrWait(bool directWrite) noexcept;

    // The worker's own.
    std::uint64_t id = 0;
    std::size_t place = 0;  ///< among all outputs of the worker
    TimePoint due{};
    TimePoint trimAt{};  ///< when unused memory is looked for
    Duration period{};
    bool listed = false;   ///< on the list of armed links, or blocked
    bool blocked = false;  ///< the kernel pushed back; waits for EPOLLOUT, and is not on that list meanwhile
};

}  // namespace emissary::reactor
