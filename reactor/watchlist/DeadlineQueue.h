// Deadlines that are all equally far away.
#pragma once

#include "reactor/ItemQueue.h"
#include "reactor/Reactor.h"

#include <algorithm>
#include <functional>

namespace emissary::reactor::consumer {

/// FIFO of requests that await an answer of the peer; `What` names the request. Answered entries stay until their
/// deadline, or until they are half of all entries; then the queue is compacted. So an answer costs nothing, and memory
/// is at most twice what waits. Session lock held throughout.
template <class What>
class DeadlineQueue {
public:
    struct Owner {
        std::function<bool(const What&)> waits;  ///< false: it was answered
        std::function<void(const What&)> due;    ///< its time is over and it waits; may start others, or forget all
        std::function<void()> allDue;            ///< after those whose time was over together
    };

    /// Zero is no timeout: nothing is ever due.
    DeadlineQueue(Reactor& reactor, Duration timeout, Owner owner)
        : reactor_(reactor), timeout_(timeout), owner_(std::move(owner)) {}
    ~DeadlineQueue() { forget(); }
    DeadlineQueue(const DeadlineQueue&) = delete;
    DeadlineQueue& operator=(const DeadlineQueue&) = delete;

    /// From now on; throws std::bad_alloc.
    void start(const What& what) {
        if (timeout_ == Duration::zero()) return;
        if (waiting_.size() >= sweepAt_) sweep();
        waiting_.push_back({what, reactor_.now() + timeout_});
        ++started_;
        if (timer_ == 0) arm(timeout_);
    }
    void forget() noexcept {
        waiting_.clear();
        reactor_.cancelTimer(std::exchange(timer_, 0));
    }
    /// Looks at all entries only when few came since the last time.
    void trim() {
        if (std::exchange(started_, 0) < waiting_.size() / 2) sweep();
        waiting_.trim();
    }
    /// Those that wait, and some that were answered.
    [[nodiscard]] std::size_t size() const noexcept { return waiting_.size(); }

private:
    struct Deadline {
        What what;
        TimePoint at;
    };
    void sweep() {
        waiting_.eraseIf([this](const Deadline& d) { return !owner_.waits(d.what); });
        sweepAt_ = std::max(kLeastPlaces, 2 * waiting_.size());
    }
    void arm(Duration delay) {
        timer_ = reactor_.startTimer(delay, [this] { expire(); });
    }
    void expire() {
        timer_ = 0;
        const TimePoint now = reactor_.now();
        while (!waiting_.empty() && waiting_.front().at <= now) {
            const What what = waiting_.front().what;
            waiting_.pop_front();
            if (owner_.waits(what)) owner_.due(what);
        }
        // Those that were answered meanwhile need no wake-up.
        while (!waiting_.empty() && !owner_.waits(waiting_.front().what))
            waiting_.pop_front();
        if (!waiting_.empty() && timer_ == 0) arm(waiting_.front().at - now);
        if (owner_.allDue) owner_.allDue();
    }

    Reactor& reactor_;
    const Duration timeout_;
    const Owner owner_;
    ItemQueue<Deadline> waiting_;
    std::size_t sweepAt_ = kLeastPlaces, started_ = 0;
    TimerId timer_ = 0;
};

}  // namespace emissary::reactor::consumer
