// PerfTools/Common: one thread of a tool and how it ends.
#pragma once
#include "Clock.h"
#include "LateTicks.h"
#include "Settings.h"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

namespace emissary::perf {

/// A thread that works until it is asked to end or cannot go on. The main thread starts it, watches it and joins it;
/// everything public may be called from any thread. Derived classes join the thread before they are destroyed.
class Worker {
public:
    /// `number` counts from 1; the thread is bound as the settings say for it. The settings outlive the worker.
    Worker(const ToolSettings& settings, std::string name, std::size_t number)
        : settings_(settings), name_(std::move(name)), number_(number) {}
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    virtual ~Worker() = default;

    void start();
    /// Asks the thread to end; join() waits for it until the given moment of nowNanos() and says whether it ended. A
    /// thread that sleeps until something wakes it is woken by an override.
    virtual void finish() noexcept { finishing_.store(true, std::memory_order_relaxed); }
    [[nodiscard]] bool join(std::int64_t untilNanos);

    /// It has given back everything; what it left may be read.
    [[nodiscard]] bool ended() const noexcept { return ended_.load(std::memory_order_acquire); }
    /// nowNanos() when its work was over (everything that it counted came before); 0 as long as it works.
    [[nodiscard]] std::int64_t workedUntil() const noexcept { return workedUntil_.load(std::memory_order_acquire); }

    /// The ticks that the thread came to late, if it counts them; it notes, the main thread takes.
    [[nodiscard]] LateTickCounter& lateTicks() noexcept { return lateTicks_; }

    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    /// True once the thread cannot go on; failure() then says why.
    [[nodiscard]] bool failed() const noexcept { return failed_.load(std::memory_order_acquire); }
    [[nodiscard]] std::string failure() const;
    /// A sentence to print for the user now; usually empty. The main thread asks again and again.
    [[nodiscard]] virtual std::string takeNews() { return {}; }
    /// True when something ended the thread's test early; `outcome` then says what.
    [[nodiscard]] virtual bool overBefore(std::string& /*outcome*/) const { return false; }

protected:
    /// The work of the thread, called on it. An exception from it counts as a failure.
    virtual void run() = 0;
    /// Gives back what must not outlive the thread's work; on the thread, after run(), however that ended.
    virtual void release() = 0;

    /// Ends the thread with a failure; of several reasons the first one is kept.
    void fail(const std::string& why);
    [[nodiscard]] bool stopping() const noexcept;
    /// Sleeps, but no longer than until the thread is to end.
    void pause(std::int64_t nanos) const;
    /// Marks the end of this thread's test: messages that arrive from now on are not counted.
    [[nodiscard]] bool isTestOver() const noexcept { return workedUntil_.load(std::memory_order_relaxed) != 0; }
    /// A moment in the unit of time stamps: microseconds, or nanoseconds with -nanoTime.
    [[nodiscard]] std::int64_t stampUnits(std::int64_t nanos) const noexcept {
        return perf::stampUnits(settings_.nanoTime, nanos);
    }
    [[nodiscard]] std::uint64_t stampNow() const noexcept;
    [[nodiscard]] std::size_t number() const noexcept { return number_; }

private:
    const ToolSettings& settings_;
    const std::string name_;
    const std::size_t number_;
    std::atomic<bool> finishing_{false};
    std::atomic<bool> failed_{false};
    std::atomic<bool> ended_{false};
    std::atomic<std::int64_t> workedUntil_{0};
    LateTickCounter lateTicks_;
    mutable std::mutex failureMutex_;
    std::string failure_;  // guarded by failureMutex_
    std::thread thread_;
};

}  // namespace emissary::perf
