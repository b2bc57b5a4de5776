// Items for which something is due later, on one timer.
#pragma once

#include "hub/upstream/Waiting.h"
#include "reactor/Reactor.h"

#include <functional>
#include <map>

namespace emissary::hub::upstream {

/// LingeringItems, Retries and the standbys add an item when its last wait is over or void: it has one entry for each
/// of them, or two when it went and came again. Session lock held throughout.
class DueList {
public:
    DueList(reactor::Reactor& reactor, std::function<void(Ref)> due) : reactor_(reactor), due_(std::move(due)) {}
    ~DueList() { reactor_.cancelTimer(timer_); }
    DueList(const DueList&) = delete;
    DueList& operator=(const DueList&) = delete;

    void add(Ref item, reactor::Duration after) {
        const reactor::TimePoint at = reactor_.now() + after;
        const bool sooner = entries_.empty() || at < entries_.begin()->first;
        entries_.emplace(at, item);
        if (sooner) arm();
    }
    [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }

private:
    static constexpr int kAtOnce = 2000;  // in one turn

    void arm() {
        reactor_.cancelTimer(timer_);
        const auto wait = std::max(reactor::Duration::zero(), entries_.begin()->first - reactor_.now());
        timer_ = reactor_.startTimer(wait, [this] { run(); });
    }
    void run() {
        timer_ = 0;
        const reactor::TimePoint now = reactor_.now();
        for (int n = 0; n < kAtOnce && !entries_.empty() && entries_.begin()->first <= now; ++n) {
            const Ref item = entries_.begin()->second;
            entries_.erase(entries_.begin());
            due_(item);
        }
        if (!entries_.empty()) arm();
    }
    reactor::Reactor& reactor_;
    const std::function<void(Ref)> due_;
    std::multimap<reactor::TimePoint, Ref> entries_;
    reactor::TimerId timer_ = 0;
};

}  // namespace emissary::hub::upstream
