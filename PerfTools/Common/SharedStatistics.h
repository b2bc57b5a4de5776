// Value statistics that one thread fills and the main thread collects.
#pragma once
#include "Statistics.h"

#include <mutex>

namespace emissary::perf {

/// Used for rare samples only (times of -measureEncode and -measureDecode): every call takes a lock.
class SharedStatistics {
public:
    void add(double value) {
        const std::lock_guard lock(mutex_);
        values_.add(value);
    }
    /// What was added since the last call.
    [[nodiscard]] ValueStatistics drain() {
        const std::lock_guard lock(mutex_);
        const ValueStatistics result = values_;
        values_.clear();
        return result;
    }

private:
    std::mutex mutex_;
    ValueStatistics values_;  // guarded by mutex_
};

}  // namespace emissary::perf
