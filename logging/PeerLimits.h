// Limits the number of records that peers cause.
#pragma once

#include "logging/LogSink.h"

#include "reactor/RecordLimit.h"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace emissary::logging {

/// One limit for each component and severity, so that a flood of one kind does not hide another. Any thread.
class PeerLimits {
public:
    /// `clock` null: the steady clock. It outlives this.
    PeerLimits(std::uint32_t recordsPerMinute, const reactor::TimeSource* clock);

    /// False: this one is only counted.
    [[nodiscard]] bool admit(std::string_view component, LogSeverity severity);
    /// Whether a record about left-out records is due.
    [[nodiscard]] bool any() const noexcept { return any_.load(std::memory_order_relaxed); }

    /// What was left out of one kind.
    struct LeftOut {
        std::string component;
        LogSeverity severity = LogSeverity::success;
        std::uint64_t records = 0;
        std::chrono::seconds during{0};  ///< from the first to the last, rounded up
    };
    enum class Which : bool { due, all };
    /// The reports that are due now, each once: for limits that are over, and every kPeriod for those that last.
    [[nodiscard]] std::vector<LeftOut> take(Which which);

    static constexpr std::chrono::seconds kOver{1}, kPeriod{10};

private:
    struct Kind {
        std::string component;
        LogSeverity severity;
        reactor::RecordLimit limit;
        reactor::TimePoint first{}, last{};  // of those left out
        std::uint64_t records = 0;
    };
    [[nodiscard]] reactor::TimePoint now() const noexcept;
    [[nodiscard]] Kind& kindOf(std::string_view component, LogSeverity severity);

    static constexpr std::size_t kMostKinds = 64;  // more share the last one

    const std::uint32_t perMinute_;
    const reactor::TimeSource* const clock_;
    std::atomic<bool> any_{false};
    std::mutex mutex_;
    std::vector<Kind> kinds_;  // guarded by mutex_
};

}  // namespace emissary::logging
