// Calls for the next turn of a loop.
#pragma once

#include "loop/loop_counts.h"
#include "reactor/memory.h"

#include <functional>
#include <new>
#include <vector>

namespace emissary::reactor {

/// Calls that wait for the next turn, in order. Guarded by the session lock.
class PostedCalls {
public:
    static constexpr std::size_t kMost = 1u << 18;

    PostedCalls() noexcept { counts_.capacity = kMost; }

    /// Throws std::bad_alloc when memory is short or kMost calls are waiting already.
    void add(std::function<void()> call) {
        if (waiting_.size() >= kMost) {
            ++counts_.full;
            throw std::bad_alloc();  // there is no memory set aside for more
        }
        waiting_.push_back(std::move(call));
        counts_.entered(waiting_.size());
    }
    [[nodiscard]] bool empty() const noexcept { return waiting_.empty(); }
    /// Gives `run` the calls that wait by now, one after the other; what they post waits for the next time.
    template <class Run>
    void forEach(Run&& run) {
        running_.swap(waiting_);
        counts_.length = 0;
        for (auto& call : running_)
            run(call);
        running_.clear();
    }
    void trim() noexcept {
        trimVector(waiting_);
        trimVector(running_);
    }
    [[nodiscard]] const QueueCounts& counts() const noexcept { return counts_; }

private:
    std::vector<std::function<void()>> waiting_, running_;
    QueueCounts counts_;
};

}  // namespace emissary::reactor
