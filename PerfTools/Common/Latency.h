// PerfTools/Common: latencies on their way from the thread that measures them to the main thread that reports them.
#pragma once
#include "LatencyHistogram.h"
#include "Statistics.h"
#include "TextFile.h"

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace emissary::perf {

/// What was timed.
enum class LatencyKind : std::uint8_t { update, post, generic };
inline constexpr std::size_t kLatencyKinds = 3;

/// When it was timed: before all images were there, or after.
enum class LatencyPhase : std::uint8_t { startup, steady };
inline constexpr std::size_t kLatencyPhases = 2;

/// Latencies of one kind. The statistics are in microseconds, the histogram in the unit of the time stamps.
struct LatencySeries {
    ValueStatistics values;
    LatencyHistogram histogram;

    void add(std::int64_t latency, bool nanos) noexcept {
        values.add(nanos ? static_cast<double>(latency) / 1000.0 : static_cast<double>(latency));
        histogram.record(latency < 0 ? 0 : static_cast<std::uint64_t>(latency));
    }
    void merge(const LatencySeries& other) noexcept {
        values.merge(other.values);
        histogram.merge(other.histogram);
    }
    void clear() noexcept {
        values.clear();
        histogram.clear();
    }
};

/// One single latency, for the latency file. Times are in the unit of the time stamps.
struct LatencyRecord {
    LatencyKind kind = LatencyKind::update;
    std::int64_t start = 0;
    std::int64_t end = 0;
};

/// All series of one connection.
struct LatencySet {
    std::array<std::array<LatencySeries, kLatencyPhases>, kLatencyKinds> series;

    [[nodiscard]] LatencySeries& of(LatencyKind kind, LatencyPhase phase) noexcept {
        return series[static_cast<std::size_t>(kind)][static_cast<std::size_t>(phase)];
    }
    [[nodiscard]] const LatencySeries& of(LatencyKind kind, LatencyPhase phase) const noexcept {
        return series[static_cast<std::size_t>(kind)][static_cast<std::size_t>(phase)];
    }
    void merge(const LatencySet& other) noexcept;
    void clear() noexcept;
};

/// Counts time stamps that cannot be in the unit of this side: -nanoTime was given to one side only.
struct ForeignStamps {
    std::uint64_t count = 0;
    bool nanos = false;  ///< the peer's are nanoseconds, ours microseconds; false: the other way round

    ForeignStamps& operator+=(const ForeignStamps& o) noexcept {
        count += o.count;
        nanos = nanos || o.nanos;
        return *this;
    }
};
/// A line about them for the user; empty when there are none.
[[nodiscard]] std::string foreignStampsLine(const ForeignStamps& stamps);

/// Takes latencies from the receiving thread and hands them to the main thread. The lock is met by two threads only,
/// and by the second one a few times per second.
class LatencyCollector {
public:
    LatencyCollector(bool nanos, bool keepRecords);

    /// Stamps of another unit are counted only.
    void record(LatencyKind kind, LatencyPhase phase, std::int64_t start, std::int64_t end);
    /// Adds what was recorded since the last call to `set` and forgets it.
    void drain(LatencySet& set);
    /// The single latencies since the last call; empty unless they are kept.
    void drainRecords(std::vector<LatencyRecord>& records);
    [[nodiscard]] ForeignStamps foreign() const;

private:
    const bool nanos_;
    const bool keepRecords_;
    mutable std::mutex mutex_;
    ForeignStamps foreign_;               // guarded by mutex_
    std::unique_ptr<LatencySet> set_;     // guarded by mutex_
    std::vector<LatencyRecord> records_;  // guarded by mutex_
};

/// The latency file: `Message type, Send time, Receive time, Latency (usec)`.
class LatencyFile {
public:
    /// Throws InputError when the file cannot be opened.
    explicit LatencyFile(const std::string& name);
    void write(const std::vector<LatencyRecord>& records);

private:
    TextFile file_;
};

/// `Upd, start, end, end-start` and a newline.
[[nodiscard]] std::string latencyRow(const LatencyRecord& record);

}  // namespace emissary::perf
