// The audit log: events as lines of JSON, numbered and dated (hub.md 14).
#pragma once

#include "eta/core/Clock.h"
#include "hub/audit/LineWriter.h"
#include "hub/audit/audit_counts.h"
#include "hub/core/AuditSink.h"
#include "hub/core/log.h"
#include "reactor/MetricSource.h"
#include "reactor/Reactor.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace emissary::hub::audit {

/// Now, of the calendar.
using WallTime = std::function<eta::WallClock::time_point()>;

struct AuditOptions {
    AuditSettings settings;
    std::vector<std::string> listeners;     ///< names by Client::listener
    WallTime wallClock;                     ///< empty = the system's
    LogLine log;                            ///< of failures to write; may be empty
    std::chrono::milliseconds retry{1000};  ///< after a failure to write
};

/// All calls with the session lock held, on the dispatching thread. Every line has a number, which rises by one from
/// event to event, over restarts as well; lines that are lost leave a gap, and a line says so.
class AuditLog final : public AuditSink {
public:
    AuditLog(AuditOptions options, reactor::Reactor& reactor);
    /// The last line says that the hub stops. Waits until what can be written is.
    ~AuditLog();
    AuditLog(const AuditLog&) = delete;
    AuditLog& operator=(const AuditLog&) = delete;

    /// Refused: nothing can be written in the folder; the text says why.
    [[nodiscard]] eta::Refused start();
    void audit(const AuditEvent& event) noexcept override;

    [[nodiscard]] const Counts& counts() const noexcept { return counts_; }

private:
    void write(const AuditEvent& event);
    /// Begins a line with its number and time; returns its day.
    [[nodiscard]] std::int64_t begin(std::uint64_t number, std::string_view event);
    void field(std::string_view name, std::string_view text, std::size_t most = kMostBytes);
    void field(std::string_view name, std::uint64_t number);
    bool end(std::int64_t day, bool forced = false);
    /// Says that lines were lost, once there is room for it.
    void tellLost(bool forced = false);
    void lookAgain();
    void tellNotes();

    static constexpr std::size_t kMostBytes = 256, kMostText = 1024;  // of names and sentences, before they are escaped

    const AuditOptions options_;
    reactor::Reactor& reactor_;
    LineWriter writer_;
    Counts counts_;
    std::uint64_t number_ = 0;                            // of the last event
    std::uint64_t lost_ = 0, lostFrom_ = 0, lostTo_ = 0;  // since it was said last
    std::string line_;                                    // room for the one that is made
    bool cut_ = false, started_ = false;
    reactor::TimerId timer_ = 0;
    reactor::MetricSource metrics_;
};

}  // namespace emissary::hub::audit
