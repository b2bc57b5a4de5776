// What a consumer or provider has counted so far: traffic, refusals, queues, the event loop, memory. An addition to the
// EMA API, for monitoring; docs/metrics.md lists all counts with their units and meanings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace refinitiv::ema::access {
class OmmConsumer;
class OmmProvider;
}  // namespace refinitiv::ema::access

namespace emissary::eta {
struct CountRow;
}
namespace emissary::reactor::metrics {
class Snapshot;
}

namespace emissary {

/// The values at one moment. Independent of the instance that it was taken from; copies share the values, which never
/// change, so that any number of threads may read them.
class MetricsSnapshot {
public:
    MetricsSnapshot() noexcept = default;  ///< without any value
    /// For the library, which makes snapshots with metrics(): shares these values, which are not null.
    explicit MetricsSnapshot(std::shared_ptr<const reactor::metrics::Snapshot> values) noexcept;

    /// One line for each value, for people: name, labels, value, unit.
    [[nodiscard]] std::string text() const;
    /// An object with the member `metrics`: an array of objects with `name`, `kind`, `unit`, `meaning` and `samples`.
    [[nodiscard]] std::string json() const;
    /// The text exposition format of Prometheus, version 0.0.4.
    [[nodiscard]] std::string prometheus() const;
    /// The value of one count, "emissary_channel_bytes_read_total" for instance, over all labels: their sum, or the
    /// highest of a peak; of a histogram, how many durations it has. Empty when there is no such count.
    [[nodiscard]] std::optional<std::uint64_t> value(std::string_view name) const;

private:
    std::shared_ptr<const reactor::metrics::Snapshot> values_;
};

/// Takes a snapshot. Any thread, also inside callbacks. Waits for the callback that is running, if another thread runs
/// one, and then holds up the instance for about 5 microseconds, and one more for every ten connections; the texts are
/// made later, without holding up anybody. The instance must live until the call returns. One that failed to start may
/// have no values. Throws std::bad_alloc.
[[nodiscard]] MetricsSnapshot metrics(const refinitiv::ema::access::OmmConsumer& consumer);
[[nodiscard]] MetricsSnapshot metrics(const refinitiv::ema::access::OmmProvider& provider);

/// For libraries that stand above this one, such as order books: their totals among the counts of a consumer, in what
/// metrics() returns and on the pages of `MetricsPort`. Tables with the same rows are summed; the sums keep what a
/// table that is gone has counted.
class AddedCounts {
public:
    /// Adds a table of `rows` totals, which lives for ever. `value` gives the number of a row; it is called for each
    /// snapshot by the thread that takes it, which holds up the consumer meanwhile, must not call the consumer, and
    /// throws nothing. Not for a consumer whose start has failed: nothing is added then. Throws std::bad_alloc.
    AddedCounts(refinitiv::ema::access::OmmConsumer& consumer, const eta::CountRow* table, std::size_t rows,
                std::function<std::uint64_t(std::size_t row)> value);
    ~AddedCounts();  ///< takes the table back; before the consumer ends
    AddedCounts(const AddedCounts&) = delete;
    AddedCounts& operator=(const AddedCounts&) = delete;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace emissary
