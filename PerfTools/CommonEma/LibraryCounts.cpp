// Takes the library's counts at both ends of a test, and prints the differences.
#include "LibraryCounts.h"

#include "Text.h"

#include <algorithm>

namespace emissary::perf {

LibraryCounts::LibraryCounts(const MetricsSnapshot& snapshot) {
    const auto of = [&](const char* name) { return snapshot.value(name).value_or(0); };
    reads = of("emissary_channel_read_calls_total");
    writes = of("emissary_channel_write_calls_total");
    blocked = of("emissary_channel_writes_blocked_total");
    refused = of("emissary_channel_no_buffers_total");
    peakBytes = of("emissary_channel_output_queued_peak_bytes");
    turns = of("emissary_loop_turn_seconds");
    stalls = of("emissary_loop_stalls_total");
    wakeups = of("emissary_loop_wakeups_total") + of("emissary_worker_wakeups_total");
}

LibraryCounts& LibraryCounts::operator+=(const LibraryCounts& other) noexcept {
    reads += other.reads;
    writes += other.writes;
    blocked += other.blocked;
    refused += other.refused;
    // Peaks of different threads happened at different moments: their sum never existed.
    peakBytes = std::max(peakBytes, other.peakBytes);
    turns += other.turns;
    stalls += other.stalls;
    wakeups += other.wakeups;
    return *this;
}

std::string LibraryCounts::line() const {
    using Number = unsigned long long;
    std::string out;
    appendf(out,
            "  Library: %llu reads, %llu writes (%llu blocked), %llu messages without room, at most %llu bytes queued, "
            "%llu turns (%llu stalled), %llu wake-ups\n",
            static_cast<Number>(reads), static_cast<Number>(writes), static_cast<Number>(blocked),
            static_cast<Number>(refused), static_cast<Number>(peakBytes), static_cast<Number>(turns),
            static_cast<Number>(stalls), static_cast<Number>(wakeups));
    return out;
}

}  // namespace emissary::perf
