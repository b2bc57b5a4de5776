// Collects measurements under a lock, merges histograms, and writes the latency file.
#include "Latency.h"

#include "Text.h"

namespace emissary::perf {

void LatencySet::merge(const LatencySet& other) noexcept {
    for (std::size_t kind = 0; kind < kLatencyKinds; ++kind)
        for (std::size_t phase = 0; phase < kLatencyPhases; ++phase)
            series[kind][phase].merge(other.series[kind][phase]);
}

void LatencySet::clear() noexcept {
    for (auto& phases : series)
        for (LatencySeries& one : phases)
            one.clear();
}

LatencyCollector::LatencyCollector(bool nanos, bool keepRecords)
    : nanos_(nanos), keepRecords_(keepRecords), set_(std::make_unique<LatencySet>()) {}

void LatencyCollector::record(LatencyKind kind, LatencyPhase phase, std::int64_t start, std::int64_t end) {
    const std::lock_guard lock(mutex_);
    // Both sides read the same clock. A latency is far smaller than the time since the clock's origin; when the units
    // differ, one stamp is a thousand times the other.
    constexpr std::int64_t kFar = 500;
    if (start / kFar > end || start < end / kFar) {
        ++foreign_.count;
        foreign_.nanos = start > end;
        return;
    }
    set_->of(kind, phase).add(end - start, nanos_);
    if (keepRecords_) records_.push_back({kind, start, end});
}

ForeignStamps LatencyCollector::foreign() const {
    const std::lock_guard lock(mutex_);
    return foreign_;
}

std::string foreignStampsLine(const ForeignStamps& stamps) {
    if (stamps.count == 0) return {};
    std::string out;
    appendf(out,
            "Warning: %llu time stamps were in %s, but this side counts %s: their latencies are left out. Give "
            "-nanoTime to both sides or to neither.\n",
            static_cast<unsigned long long>(stamps.count), stamps.nanos ? "nanoseconds" : "microseconds",
            stamps.nanos ? "microseconds" : "nanoseconds");
    return out;
}

void LatencyCollector::drain(LatencySet& set) {
    const std::lock_guard lock(mutex_);
    set.merge(*set_);
    set_->clear();
}

void LatencyCollector::drainRecords(std::vector<LatencyRecord>& records) {
    records.clear();
    // Without -latencyFile nothing is kept: a record per message would grow by gigabytes an hour.
    if (!keepRecords_) return;
    const std::lock_guard lock(mutex_);
    records.swap(records_);
}

LatencyFile::LatencyFile(const std::string& name) : file_(name) {
    file_.write("Message type, Send time, Receive time, Latency (usec)\n");
}

void LatencyFile::write(const std::vector<LatencyRecord>& records) {
    std::string rows;
    for (const LatencyRecord& record : records)
        rows += latencyRow(record);
    file_.write(rows);
}

std::string latencyRow(const LatencyRecord& record) {
    static constexpr std::array kNames = {"Upd", "Pst", "Gen"};
    std::string row;
    appendf(row, "%s, %lld, %lld, %lld\n", kNames[static_cast<std::size_t>(record.kind)],
            static_cast<long long>(record.start), static_cast<long long>(record.end),
            static_cast<long long>(record.end - record.start));
    return row;
}

}  // namespace emissary::perf
