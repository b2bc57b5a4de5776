// Starts and joins a thread, and keeps the text of its failure.
#include "Worker.h"

#include "Clock.h"
#include "StopSignal.h"

#include <algorithm>
#include <exception>

namespace emissary::perf {

void Worker::start() {
    thread_ = std::thread([this] {
        try {
            std::string error;
            if (bindThisThread(settings_.threads[number_ - 1], error)) run();
            else fail(error);
        } catch (const std::exception& exception) { fail(exception.what()); }
        // The end of work is noted before the library is torn down: that may take long, and rates must not be divided
        // by it.
        workedUntil_.store(nowNanos(), std::memory_order_release);
        release();
        ended_.store(true, std::memory_order_release);
    });
}

bool Worker::join(std::int64_t untilNanos) {
    while (!ended_.load(std::memory_order_acquire) && nowNanos() < untilNanos)
        sleepUntil(nowNanos() + 1'000'000);
    if (!ended_.load(std::memory_order_acquire)) return false;
    if (thread_.joinable()) thread_.join();
    return true;
}

void Worker::fail(const std::string& why) {
    const std::lock_guard lock(failureMutex_);
    // The first failure is the cause; later ones are mostly its consequences.
    if (failed_.load(std::memory_order_relaxed)) return;
    failure_ = why;
    failed_.store(true, std::memory_order_release);
}

std::string Worker::failure() const {
    const std::lock_guard lock(failureMutex_);
    return failure_;
}

bool Worker::stopping() const noexcept {
    return finishing_.load(std::memory_order_relaxed) || failed_.load(std::memory_order_relaxed) || stopRequested();
}

void Worker::pause(std::int64_t nanos) const {
    static constexpr std::int64_t kLook = 20'000'000;
    for (const std::int64_t end = nowNanos() + nanos; !stopping() && nowNanos() < end;)
        sleepUntil(std::min(end, nowNanos() + kLook));
}

std::uint64_t Worker::stampNow() const noexcept {
    return static_cast<std::uint64_t>(stampUnits(nowNanos()));
}

}  // namespace emissary::perf
