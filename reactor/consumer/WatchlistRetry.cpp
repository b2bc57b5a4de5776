// Streams that ended recoverably are asked for again: at once, and later each time when they end again.
#include "consumer/Watchlist.h"

namespace emissary::reactor::consumer {

/// For closedRecover(): the stream is parked.
void Watchlist::retryLater(Stream& s) {
    Retry& retry = retries_[&s];
    s.retried = true;
    const Duration wait = retry.pace.next(reactor_.now(), options_.recoveryMinDelay, options_.recoveryMaxDelay);
    if (wait == Duration::zero()) return refetchLater(s);
    if (retry.timer != 0) return;
    retry.timer = reactor_.startTimer(wait, [this, &s] {
        retries_[&s].timer = 0;
        // Parked for another reason by now, it is tried when that changes.
        if (s.state == Stream::State::parked && s.service->model != nullptr) recover(s);
    });
}

/// True while a stream waits before it is asked for again, whatever its service does meanwhile.
bool Watchlist::retryWaits(const Stream& s) const noexcept {
    if (!s.retried) return false;
    const auto at = retries_.find(&s);
    return at != retries_.end() && at->second.timer != 0;
}

void Watchlist::forgetRetry(Stream& s) noexcept {
    if (!s.retried) return;
    s.retried = false;
    const auto at = retries_.find(&s);
    if (at == retries_.end()) return;
    reactor_.cancelTimer(at->second.timer);
    retries_.erase(at);
}

}  // namespace emissary::reactor::consumer
