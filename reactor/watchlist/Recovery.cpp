// Parks streams, asks for them again at a bounded rate, and ends those that shall not recover.
#include "watchlist/Recovery.h"

#include "reactor/rdm/Qos.h"

namespace emissary::reactor::consumer {

using namespace eta::codec;

Recovery::~Recovery() {
    for (const auto& service : services_)
        stopRecovering(*service);
    for (const auto& [stream, retry] : retries_)
        context_.reactor.cancelTimer(retry.timer);
}

// --- beginning -------------------------------------------------------------------------------------------------------

void Recovery::start(Stream& s) {
    const ServiceEntry& service = *s.service;
    const auto& window = service.model->load.openWindow;
    // The provider says how many requests it takes before it has answered some (OpenWindow). What goes beyond waits
    // here and is released one for each image that comes.
    if (context_.options.obeyOpenWindow && window && service.outstanding >= *window)
        return streams_.step(s, StreamEvent::windowFull);
    wire_.askImage(s);
}

void Recovery::startLater(Stream& s, std::string_view why) {
    if (comesBack(s)) {
        streams_.step(s, StreamEvent::unserved);
        return sharers_.tellAll(s, StreamState::open, why);
    }
    sharers_.refuseAll(s, why);
    finish(s);
}

// --- waiting ---------------------------------------------------------------------------------------------------------

void Recovery::park(Stream& s) {
    streams_.step(s, StreamEvent::lost);
    Sharers::allPending(s);
}

/// A provider that always ends what it is asked for gets a request now and then, not a tight loop.
void Recovery::againInTime(Stream& s) {
    Retry& retry = retries_[&s];
    s.hasRetry = true;
    const WatchlistOptions& o = context_.options;
    const Duration wait = retry.pace.next(context_.reactor.now(), o.recoveryMinDelay, o.recoveryMaxDelay);
    if (wait == Duration::zero()) return again(s);
    retry.timer = context_.reactor.startTimer(wait, [this, &s] {
        retries_[&s].timer = 0;
        streams_.step(s, StreamEvent::pauseOver);
        if (s.service->model != nullptr) recover(s);
    });
    streams_.step(s, StreamEvent::pauseBegins);
}

void Recovery::forgetRetry(Stream& s) noexcept {
    if (!s.hasRetry) return;
    s.hasRetry = false;
    const auto at = retries_.find(&s);
    if (at == retries_.end()) return;
    context_.reactor.cancelTimer(at->second.timer);
    retries_.erase(at);
}

/// A stream that waits tries again; says so when it has to go on waiting.
void Recovery::recover(Stream& s) {
    if (s.life.is(StreamPhase::pausing)) return StreamTable::moveBehind(s);
    Qos chosen;
    if (const std::string_view why = mismatch(s, chosen); !why.empty()) {
        sharers_.tellAll(s, StreamState::open, why);
        if (s.life.is(StreamPhase::waiting)) return StreamTable::moveBehind(s);  // others have yet to be tried
        return streams_.step(s, StreamEvent::unserved);
    }
    s.qos = chosen;
    Stream* const other = s.isPrivate ? nullptr : streams_.find(StreamKey::of(s));
    if (other == nullptr) return start(s);
    // Two streams for one item would cost the provider twice.
    sharers_.move(s, *other);  // another request for the same item came meanwhile
    finish(s);
}

void Recovery::askAllAgain() {
    while (Stream* s = streams_.again().first)
        recover(*s);
}

// --- the service moves -----------------------------------------------------------------------------------------------

void Recovery::recoverParked(ServiceEntry& service) {
    askAgain();
    service.toRecover = service.parked.size;
    if (service.recoverTimer == 0) recoverSome(service);
    releaseQueued(service);
}

/// A round over the parked streams, in their order. A hundred thousand requests at once would fill memory with output
/// that the connection does not take; so the round waits when output is behind, and lets others in between.
void Recovery::recoverSome(ServiceEntry& service) {
    constexpr int kAtOnce = 2000;
    for (int n = 0; n < kAtOnce && service.toRecover != 0 && !context_.sender.congested(); ++n) {
        Stream* s = service.parked.first;
        if (s == nullptr) service.toRecover = 1;
        else recover(*s);
        --service.toRecover;
    }
    if (service.toRecover == 0) return;
    service.recoverTimer = context_.reactor.startTimer(
        context_.sender.congested() ? Duration(std::chrono::milliseconds(1)) : Duration::zero(), [this, &service] {
            service.recoverTimer = 0;
            recoverSome(service);
            releaseQueued(service);
        });
}

void Recovery::stopRecovering(ServiceEntry& service) noexcept {
    service.toRecover = 0;
    context_.reactor.cancelTimer(std::exchange(service.recoverTimer, 0));
}

void Recovery::releaseQueued(ServiceEntry& service) {
    while (service.queued.first != nullptr && service.model != nullptr &&
           (!service.model->load.openWindow || service.outstanding < *service.model->load.openWindow)) {
        Stream& s = *service.queued.first;
        // The service may have changed since the stream was queued (session.md 4.1, step 5).
        Qos chosen;
        const std::string_view why = mismatch(s, chosen);
        if (why.empty() && rdm::equal(chosen, s.qos)) {
            start(s);
        } else if (why.empty() || comesBack(s)) {
            park(s);
            recover(s);
        } else {
            sharers_.refuseAll(s, why);
            finish(s);
        }
    }
}

// --- ending ----------------------------------------------------------------------------------------------------------

void Recovery::end(Stream& s) {
    forgetRetry(s);
    streams_.step(s, StreamEvent::over);
}

void Recovery::retire(Stream& s, bool sayClose) {
    ServiceEntry& service = *s.service;
    if (sayClose && s.life.onWire()) wire_.close(s);
    finish(s);
    releaseQueued(service);
}

void Recovery::finish(Stream& s) {
    forgetRetry(s);
    streams_.step(s, StreamEvent::abandoned);
    if (!s.busy) streams_.unpin(s);
}

}  // namespace emissary::reactor::consumer
