#include "consumer/PreferredHostWatch.h"

#include <algorithm>
#include <utility>

namespace emissary::reactor::consumer {

using std::chrono::seconds;

void PreferredHostWatch::start(PreferredHost options) {
    stop();
    options_ = std::move(options);
    if (!options_.enabled) return;
    if (options_.schedule) dueTime_ = options_.schedule->next(reactor_.timeOfDay());
    arm();
}

void PreferredHostWatch::stop() noexcept {
    reactor_.cancelTimer(std::exchange(timer_, 0));
    link_.reset();
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

void PreferredHostWatch::reach(const eta::transport::ConnectOptions& where) {
    if (!link_) link_ = reactor_.connect(where, *this);
}

void PreferredHostWatch::onLinkUp(Link& link) {
    // Handed over from the loop: this link is in the middle of a call.
    reactor_.post([this, up = &link] {
        if (link_.get() == up && link_->active()) owner_.preferredUp(std::move(link_));
    });
}

void PreferredHostWatch::onLinkDown(Link& link, const std::string& reason, bool) {
    if (link_.get() != &link) return;
    link_.reset();
    owner_.preferredFailed(reason);
}

}  // namespace emissary::reactor::consumer
