// reactor/loop: lets one thread at a time dispatch.
#pragma once

#include "eta/core/Clock.h"
#include "loop/Poller.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace emissary::reactor {

/// A dispatching thread gives way to callers between two messages, but must not give way to another dispatching thread,
/// which would use lists that the first one is changing. Lock order: before the session lock. Any thread.
class DispatchTurn {
public:
    /// Waits until it is this thread's turn, at most `timeout` (below 0: without end), and subtracts the time waited
    /// from `timeout`. False when the turn did not come: another thread has dispatched meanwhile.
    [[nodiscard]] bool take(std::chrono::microseconds& timeout) {
        std::unique_lock guard(mutex_);
        if (taken_) {
            const auto isFree = [this] { return !taken_; };
            if (timeout.count() < 0) {
                free_.wait(guard, isFree);
            } else {
                const auto begun = eta::Clock::now();
                if (timeout.count() == 0) return false;
                if (!tooShortToSleep(timeout)) {
                    if (!free_.wait_for(guard, timeout, isFree)) return false;
                } else if (!lookFor(guard, begun + timeout)) {
                    return false;
                }
                const auto waited = std::chrono::duration_cast<std::chrono::microseconds>(eta::Clock::now() - begun);
                timeout = std::max(timeout - waited, std::chrono::microseconds(0));
            }
        }
        taken_ = true;
        return true;
    }
    void giveBack() {
        {
            const std::lock_guard guard(mutex_);
            taken_ = false;
        }
        free_.notify_one();
    }

private:
    /// Looks until the turn is free or `end` has come; the former is true.
    [[nodiscard]] bool lookFor(std::unique_lock<std::mutex>& guard, eta::TimePoint end) {
        while (taken_) {
            if (eta::Clock::now() >= end) return false;
            guard.unlock();
            std::this_thread::yield();
            guard.lock();
        }
        return true;
    }

    std::mutex mutex_;
    std::condition_variable free_;
    bool taken_ = false;
};

}  // namespace emissary::reactor
