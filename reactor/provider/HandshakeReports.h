// Which failed handshakes the log hears of, and how many of the same reason stand behind a line.
#pragma once

#include "provider/ProviderContext.h"

#include <string>
#include <vector>

namespace emissary::reactor {

/// Strangers may connect as often as they like: at most one failure a second is reported. Those in between are counted
/// by reason, and each reason's count goes out with a report of that reason, at the latest when its turn comes. Session
/// lock held.
class HandshakeReports {
public:
    static constexpr std::chrono::seconds kPeriod{1};
    /// Reasons that are counted apart; failures of further reasons meanwhile share one count.
    static constexpr std::size_t kReasons = 16;

    explicit HandshakeReports(ProviderContext& context) noexcept : context_(context) {}
    ~HandshakeReports() { context_.reactor.cancelTimer(timer_); }
    HandshakeReports(const HandshakeReports&) = delete;
    HandshakeReports& operator=(const HandshakeReports&) = delete;

    /// A connection ended before its handshake was done. The reason may begin with the peer's address, which makes no
    /// reason another one. Throws std::bad_alloc.
    void failed(const std::string& reason, const std::string& peer);

private:
    struct Waiting {
        std::string reason, text;  ///< without the peer; as the last failure said it
        std::uint64_t failures = 0;
    };
    void report(const Waiting& of);
    void reportNext();

    ProviderContext& context_;
    std::vector<Waiting> waiting_;  // in the order in which their reasons came
    TimerId timer_ = 0;             // runs for a period after each report
};

}  // namespace emissary::reactor
