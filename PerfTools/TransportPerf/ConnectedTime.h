// For how long there was a connection at least.
#pragma once
#include "Clock.h"

#include <cstdint>
#include <mutex>

namespace emissary::perf {

/// A server waits for its clients: its rates are those of the time in which it had one. Any thread; takes a lock of its
/// own, when a connection begins or ends and once an interval.
class ConnectedTime {
public:
    void begin() {
        const std::lock_guard lock(mutex_);
        if (connections_++ == 0) since_ = nowNanos();
    }
    void end() {
        const std::lock_guard lock(mutex_);
        if (--connections_ == 0) before_ += nowNanos() - since_;
    }
    /// Seconds with one connection or more, until `now` (nowNanos()).
    [[nodiscard]] double seconds(std::int64_t now) const {
        const std::lock_guard lock(mutex_);
        const std::int64_t open = connections_ != 0 && now > since_ ? now - since_ : 0;
        return static_cast<double>(before_ + open) / 1e9;
    }

private:
    mutable std::mutex mutex_;
    std::int64_t since_ = 0, before_ = 0;  // guarded by mutex_, as is what follows
    std::uint32_t connections_ = 0;
};

}  // namespace emissary::perf
