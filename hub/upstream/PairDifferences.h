// Counts where the two sources of hot items differ, and says so in the log (hub.md 4.2).
#pragma once

#include "hub/core/Item.h"
#include "hub/core/Service.h"
#include "hub/core/log.h"
#include "hub/upstream/PairWindow.h"
#include "reactor/LimitedLines.h"

#include <map>
#include <set>
#include <tuple>

namespace emissary::hub::upstream {

struct SecondStream;

/// A line a minute and service at most, with the counts so far. Stage thread only.
class PairDifferences {
public:
    static constexpr std::chrono::minutes kPeriod{1};

    /// `log` may be empty.
    PairDifferences(reactor::Reactor& reactor, LogLine log)
        : reactor_(reactor), log_(std::move(log)), lines_(reactor, [this](std::uint64_t left) {
              if (log_) log_(Severity::warning, std::to_string(left) + " lines on pairs of sources were left out");
          }) {}

    void count(Service& service, const Item& item, const SecondStream& second, const PairWindow::Found& found);
    /// The two sources speak different protocols, and are not compared: a line when the two are seen first.
    void leaveOut(const Service& service, const Item& item, const SecondStream& second);

private:
    reactor::Reactor& reactor_;
    const LogLine log_;
    reactor::LimitedLines lines_;
    std::map<std::uint16_t, reactor::TimePoint> next_;                           // by service: before then, no line
    std::set<std::tuple<std::uint16_t, std::uint16_t, std::uint16_t>> leftOut_;  // service, and two sources
};

}  // namespace emissary::hub::upstream
