#include "watchlist/RequestTimeouts.h"

namespace emissary::reactor::consumer {

void RequestTimeouts::start(Stream& s) {
    const Duration timeout = context_.options.requestTimeout;
    s.timerMark = 0;
    if (timeout == Duration::zero()) return;
    s.timerMark = ++lastMark_ == 0 ? ++lastMark_ : lastMark_;
    pending_.push_back({s.wireId, s.timerMark, context_.reactor.now() + timeout});
    if (timer_ == 0) arm(timeout);
}

void RequestTimeouts::forget() noexcept {
    pending_.clear();
    context_.reactor.cancelTimer(std::exchange(timer_, 0));
}

Stream* RequestTimeouts::waiting(const Pending& p) const noexcept {
    Stream* s = streams_.find(p.wireId);
    return s != nullptr && s->timerMark == p.mark ? s : nullptr;
}

void RequestTimeouts::arm(Duration delay) {
    timer_ = context_.reactor.startTimer(delay, [this] { expire(); });
}

void RequestTimeouts::expire() {
    timer_ = 0;
    const TimePoint now = context_.reactor.now();
    while (!pending_.empty() && pending_.front().at <= now) {
        const Pending p = pending_.front();
        pending_.pop_front();
        if (Stream* s = waiting(p)) handler_.expired(*s);
    }
    // Entries that were answered meanwhile need no wake-up.
    while (!pending_.empty() && waiting(pending_.front()) == nullptr)
        pending_.pop_front();
    if (!pending_.empty() && timer_ == 0) arm(pending_.front().at - now);
    handler_.allExpired();
}

}  // namespace emissary::reactor::consumer
