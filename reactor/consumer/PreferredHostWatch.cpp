// Sets the timers of the checks, and connects to the preferred host on trial.
#include "consumer/PreferredHostWatch.h"

#include <algorithm>
#include <utility>

namespace emissary::reactor::consumer {

using std::chrono::seconds;

namespace {

/// The next check is the next attempt.
[[nodiscard]] session::ReconnectOptions once() noexcept {
    session::ReconnectOptions o;
    o.attemptLimit = 0;
    return o;
}

}  // namespace

PreferredHostWatch::PreferredHostWatch(Reactor& reactor, const std::vector<ConsumerChannel>& channels,
                                       PreferredHostOwner& owner)
    : reactor_(reactor), calls_(reactor), owner_(owner),
      connection_(reactor, "preferred channel", {channels.begin(), channels.end()}, once(), *this, *this) {}

void PreferredHostWatch::start(PreferredHost options) {
    // A check that was asked for and has not run yet is due by any options.
    const TimerId soon = options.enabled ? std::exchange(soon_, 0) : 0;
    stop();
    soon_ = soon;
    options_ = std::move(options);
    if (!options_.enabled) return;
    // A schedule has its time by the wall clock; an interval counts from here.
    if (options_.schedule) dueTime_ = options_.schedule->next(reactor_.timeOfDay());
    arm();
}

void PreferredHostWatch::stop() noexcept {
    reactor_.cancelTimer(std::exchange(timer_, 0));
    reactor_.cancelTimer(std::exchange(soon_, 0));
    connection_.close();
}

void PreferredHostWatch::arm() {
    Duration wait{};
    if (options_.schedule) {
        // Never long: the time of day may be set anew.
        const auto away = static_cast<std::int64_t>(dueTime_ - reactor_.timeOfDay());
        wait = seconds(std::clamp<std::int64_t>(away, 1, 30));
    } else if (options_.interval.count() > 0) {
        wait = options_.interval;
        due_ = reactor_.now() + wait;
    } else {
        return;
    }
    timer_ = reactor_.startTimer(wait, [this] { expired(); });
}

void PreferredHostWatch::expired() {
    timer_ = 0;
    if (options_.schedule) {
        const std::time_t now = reactor_.timeOfDay();
        if (now < dueTime_) return arm();
        dueTime_ = options_.schedule->next(now);
    }
    arm();
    owner_.preferredCheckDue();
}

seconds PreferredHostWatch::left() const noexcept {
    if (timer_ == 0) return seconds(0);
    const seconds away = options_.schedule ? seconds(dueTime_ - reactor_.timeOfDay())
                                           : std::chrono::ceil<seconds>(due_ - reactor_.now());
    return std::max(away, seconds(0));
}

void PreferredHostWatch::checkSoon() {
    if (soon_ != 0) return;
    soon_ = reactor_.startTimer({}, [this] {
        soon_ = 0;
        owner_.preferredCheckDue();
    });
}

void PreferredHostWatch::reach() {
    connection_.select(options_.channel);
    connection_.start();
}

void PreferredHostWatch::onConnected() {
    // The hand-over runs later from the loop, because this link is in the middle of a call.
    calls_.post([this, up = connection_.link()] {
        // The link may be lost in the meantime.
        if (up != nullptr && connection_.link() == up) owner_.preferredUp(connection_.release());
    });
}

}  // namespace emissary::reactor::consumer
