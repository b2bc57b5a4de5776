// Pushes the counts of a hub to a collector of OpenTelemetry, over HTTP with JSON.
#pragma once

#include "hub/ops/Questions.h"
#include "hub/ops/ops_counts.h"
#include "reactor/MetricSource.h"
#include "reactor/OpenDescriptor.h"

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace emissary::rest {
class HttpClient;
}

namespace emissary::hub::ops {

/// Pushes from construction to destruction, on a thread of its own, every `interval`. What a collector does not take is
/// not kept: the next push has it all, because counts grow. The first failure in a row is logged, and so is the success
/// behind it. What is refused for a part counts as a failure. Must go before the rooms do.
class OtlpPush {
public:
    static constexpr std::chrono::milliseconds kLastPush{2000};

    struct Options {
        OtlpSettings settings;
        std::chrono::milliseconds patience{2000};                    ///< for the hub's own answer
        std::chrono::milliseconds timeout{10'000};                   ///< for the collector's
        std::function<void(bool bad, const std::string& text)> log;  ///< called on the hub's loop
    };
    OtlpPush(Inspected hub, Options options);
    ~OtlpPush();
    OtlpPush(const OtlpPush&) = delete;
    OtlpPush& operator=(const OtlpPush&) = delete;

    /// The last push, of what happened since the one before. The reactor's thread, when its loop turns no more; waits
    /// twice `patience` for a push that is being made, and kLastPush for the collector, at most.
    void end();

private:
    void run();
    void stop();
    /// One push; empty, or why it failed.
    [[nodiscard]] std::string push();
    [[nodiscard]] std::string send(const reactor::metrics::Snapshot& counts, std::chrono::milliseconds timeout,
                                   bool last);
    void outcome(const std::string& failure);

    const Options options_;
    Questions questions_;
    std::uint64_t startedAt_;  ///< wall clock, nanoseconds
    OtlpCounts counts_;        ///< written by the thread below
    std::unique_ptr<reactor::MetricSource> metrics_;
    const std::unique_ptr<rest::HttpClient> client_;
    bool failing_ = false;
    std::mutex lock_;
    std::optional<reactor::metrics::Snapshot> last_;  ///< of end(); under lock_
    const reactor::OpenDescriptor stop_ = reactor::OpenDescriptor::event();
    std::thread thread_;  // last: it uses the others
};

}  // namespace emissary::hub::ops
