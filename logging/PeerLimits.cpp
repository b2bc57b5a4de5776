// Counts of records that were left out, by component and severity.
#include "PeerLimits.h"

#include <algorithm>
#include <utility>

namespace emissary::logging {

PeerLimits::PeerLimits(std::uint32_t recordsPerMinute, const reactor::TimeSource* clock)
    : perMinute_(recordsPerMinute), clock_(clock) {}

reactor::TimePoint PeerLimits::now() const noexcept {
    return clock_ != nullptr ? clock_->now() : reactor::Clock::now();
}

PeerLimits::Kind& PeerLimits::kindOf(std::string_view component, LogSeverity severity) {
    const auto known =
        std::ranges::find_if(kinds_, [&](const Kind& k) { return k.severity == severity && k.component == component; });
    if (known != kinds_.end()) return *known;
    // Components are our own names and few. The bound holds if one should come from a peer after all.
    if (kinds_.size() >= kMostKinds) return kinds_.back();
    // 25 seconds' worth at once, the rest as it comes.
    const std::uint32_t burst =
        std::max<std::uint32_t>(1, static_cast<std::uint32_t>(std::uint64_t{perMinute_} * 25 / 60));
    const reactor::Duration every = std::chrono::duration_cast<reactor::Duration>(std::chrono::minutes(1)) / perMinute_;
    return kinds_.emplace_back(Kind{std::string(component), severity, reactor::RecordLimit(burst, every), {}, {}, 0});
}

bool PeerLimits::admit(std::string_view component, LogSeverity severity) {
    if (perMinute_ == 0) return true;
    const reactor::TimePoint at = now();
    const std::lock_guard guard(mutex_);
    Kind& kind = kindOf(component, severity);
    if (kind.limit.pass(at)) return true;
    if (kind.records++ == 0) kind.first = at;
    kind.last = at;
    any_.store(true, std::memory_order_relaxed);
    return false;
}

std::vector<PeerLimits::LeftOut> PeerLimits::take(Which which) {
    std::vector<LeftOut> out;
    const reactor::TimePoint at = now();
    const std::lock_guard guard(mutex_);
    bool more = false;
    for (Kind& kind : kinds_) {
        if (kind.records == 0) continue;
        if (which == Which::due && at - kind.last < kOver && at - kind.first < kPeriod) {
            more = true;
            continue;
        }
        const auto during = std::chrono::ceil<std::chrono::seconds>(kind.last - kind.first);
        out.push_back({kind.component, kind.severity, std::exchange(kind.records, 0), during});
        (void)kind.limit.takeSuppressed();
    }
    any_.store(more, std::memory_order_relaxed);
    return out;
}

}  // namespace emissary::logging
