// Messages from other threads to one reader.
#pragma once

#include "loop/loop_counts.h"

#include <mutex>
#include <utility>
#include <vector>

namespace emissary::reactor {

/// A bounded list under a mutex, taken as a whole. The reader holds the mutex for a swap of pointers only; a lock-free
/// queue was measured beside it and is not faster (docs/measurements/0.3.0.md, "Mailboxes"). The reader is woken
/// through a descriptor that poster and reader agree on.
template <class T>
class Mailbox {
public:
    explicit Mailbox(std::size_t capacity) { counts_.capacity = capacity; }

    /// False when it is full: the letter stays with the caller. Counted.
    [[nodiscard]] bool tryPost(T& letter) {
        const std::lock_guard guard(mutex_);
        if (letters_.size() >= counts_.capacity) {
            ++counts_.full;
            return false;
        }
        letters_.push_back(std::move(letter));
        counts_.entered(letters_.size());
        return true;
    }
    [[nodiscard]] std::vector<T> take() noexcept {
        if (counts_.length == 0) return {};  // what is posted meanwhile comes with a wake-up of its own
        const std::lock_guard guard(mutex_);
        counts_.length = 0;
        return std::exchange(letters_, {});
    }
    [[nodiscard]] QueueCounts counts() const noexcept { return counts_; }

private:
    std::mutex mutex_;
    std::vector<T> letters_;  // guarded by mutex_
    QueueCounts counts_;      // written under mutex_
};

}  // namespace emissary::reactor
