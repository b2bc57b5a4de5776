// What callbacks note, in order, and a test waits for.
#pragma once

#include "support/until.h"

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

namespace emissary::test {

/// Any thread adds, any thread reads.
template <class Record>
class Records {
public:
    void add(Record r) {
        const std::lock_guard guard(mutex_);
        records_.push_back(std::move(r));
        changed_.notify_all();
    }
    /// True when `enough(records)` holds, now or within kPatience.
    template <class Enough>
    [[nodiscard]] bool wait(Enough enough) {
        std::unique_lock guard(mutex_);
        return changed_.wait_for(guard, kPatience, [&] { return enough(records_); });
    }
    [[nodiscard]] std::size_t count(const Record& r) {
        const std::lock_guard guard(mutex_);
        return static_cast<std::size_t>(std::count(records_.begin(), records_.end(), r));
    }
    [[nodiscard]] std::size_t size() {
        const std::lock_guard guard(mutex_);
        return records_.size();
    }
    [[nodiscard]] std::vector<Record> all() {
        const std::lock_guard guard(mutex_);
        return records_;
    }
    [[nodiscard]] std::vector<Record> take() {
        const std::lock_guard guard(mutex_);
        return std::exchange(records_, {});
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Record> records_;  // guarded by mutex_
};

}  // namespace emissary::test
