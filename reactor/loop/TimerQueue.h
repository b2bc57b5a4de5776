// The timers of one reactor, earliest first.
#pragma once

#include "reactor/Reactor.h"
#include "reactor/memory.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace emissary::reactor {

/// Guarded by the session lock. Cancelled timers leave their heap entry behind until it surfaces or they outnumber the
/// running ones.
class TimerQueue {
public:
    TimerId start(TimePoint deadline, std::function<void()> callback) {
        const TimerId id = ++lastId_;
        heap_.push_back({deadline, id});  // first: an entry without a callback is a cancelled one
        std::push_heap(heap_.begin(), heap_.end(), later);
        callbacks_.emplace(id, std::move(callback));
        return id;
    }

    void cancel(TimerId id) noexcept {
        if (callbacks_.erase(id) == 0 || heap_.size() < 2 * callbacks_.size() + 64) return;
        std::erase_if(heap_, [this](const Entry& e) { return !callbacks_.contains(e.id); });
        std::make_heap(heap_.begin(), heap_.end(), later);
    }

    /// TimePoint::max() when none runs.
    [[nodiscard]] TimePoint next() noexcept {
        while (!heap_.empty() && !callbacks_.contains(heap_.front().id))
            pop();
        return heap_.empty() ? TimePoint::max() : heap_.front().deadline;
    }

    /// Runs what is due, except timers started meanwhile, through `run`; returns how many ran.
    template <class Run>
    int expire(TimePoint now, Run run) {
        const TimerId newest = lastId_;
        int ran = 0;
        while (next() <= now && heap_.front().id <= newest) {
            const TimerId id = heap_.front().id;
            pop();
            const auto it = callbacks_.find(id);
            std::function<void()> callback = std::move(it->second);
            callbacks_.erase(it);
            run(callback);
            ++ran;
        }
        return ran;
    }

    [[nodiscard]] std::size_t size() const noexcept { return callbacks_.size(); }

    void trim() noexcept {
        trimVector(heap_);
        trimTable(callbacks_);
    }

private:
    struct Entry {
        TimePoint deadline;
        TimerId id;
    };
    static bool later(const Entry& a, const Entry& b) noexcept {
        return a.deadline != b.deadline ? a.deadline > b.deadline : a.id > b.id;
    }
    void pop() noexcept {
        std::pop_heap(heap_.begin(), heap_.end(), later);
        heap_.pop_back();
    }

    std::vector<Entry> heap_;
    boost::unordered_flat_map<TimerId, std::function<void()>> callbacks_;
    TimerId lastId_ = 0;
};

}  // namespace emissary::reactor
