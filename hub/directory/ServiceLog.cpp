// Notes when services change, and writes records that sum up what happened to their items.
#include "hub/directory/ServiceLog.h"

#include <algorithm>
#include <cstdio>

namespace emissary::hub::directory {

namespace {

[[nodiscard]] std::string secondsText(reactor::Duration d) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f s", std::chrono::duration<double>(d).count());
    return text;
}

/// Items without an answer, and items that are suspect (kItemStateNames).
// Index 0 counts items without an answer, index 2 those that are suspect.
[[nodiscard]] std::uint64_t unanswered(const Service& service) noexcept {
    return service.counts.items[0].items;
}
/// Of those that had data before the service went down.
[[nodiscard]] std::uint64_t notCurrent(const Service& service, std::uint64_t unansweredBefore) noexcept {
    const std::uint64_t now = unanswered(service);
    return service.counts.items[2].items + (now > unansweredBefore ? now - unansweredBefore : 0);
}

}  // namespace

void ServiceLog::turned(const Service& service) {
    if (!log_) return;
    State& state = states_[service.id];
    const bool up = service.up(), first = !state.wasUp;
    const reactor::TimePoint now = reactor_.now();
    if (up && first) {
        log_(Severity::success, "service '" + service.name + "' is up");
    } else if (up && !state.up) {
        const bool items = notCurrent(service, state.unanswered) != 0;
        log_(Severity::success, "service '" + service.name + "' is up again after " + secondsText(now - state.since) +
                                    (items ? "; its items are asked for again" : ""));
        // The log says later when all items are current again, or which are not.
        state.recovering = items;
        if (items && timer_ == 0) timer_ = reactor_.startTimer(kLook, [this] { look(); });
    } else if (!up && state.up) {
        state.unanswered = unanswered(service);
        log_(Severity::warning,
             "service '" + service.name + "' is down: no source serves it" +
                 (service.items == 0   ? std::string()
                  : service.items == 1 ? "; 1 item is open on it"
                                       : "; " + std::to_string(service.items) + " items are open on it"));
        state.recovering = false;
    } else if (!up && first) {
        log_(Severity::warning, "service '" + service.name + "' is there, but not up");
    }
    // since is the time of the last turn, so that durations are of this outage alone.
    if (up != state.up || first) state.since = now;
    state.up = up;
    state.wasUp = state.wasUp || up;
}

void ServiceLog::gone(const Service& service, Why why) {
    if (states_.erase(service.id) == 0 || !log_) return;
    const char* reason = "";
    switch (why) {
    case Why::deleted:
        reason = "' is gone: its source deleted it; its items are closed";
        break;
    case Why::lost:
        reason = "' is gone: no source serves it any more (DeleteLostServices); its items are closed";
        break;
    case Why::room:
        reason =
            "' is gone: no source serves it any more, and another service needs its place (MaxServices); its items "
            "are closed";
        break;
    }
    log_(Severity::warning, "service '" + service.name + reason);
}

bool ServiceLog::settled(const Service& service, State& state) {
    const std::uint64_t missing = notCurrent(service, state.unanswered);
    // Items that had no answer before the outage are not part of what was lost.
    const std::uint64_t all = service.items - std::min(service.items, std::min(unanswered(service), state.unanswered));
    const reactor::Duration took = reactor_.now() - state.since;
    if (missing == 0) {
        log_(Severity::success, "service '" + service.name + "': all " + std::to_string(all) +
                                    " items are current again, " + secondsText(took) + " after it came back");
        return true;
    }
    // Said once after kLate; whoever reads the log need not wait for the last item.
    if (took < kLate) return false;
    log_(Severity::warning, "service '" + service.name + "': " + std::to_string(missing) + " of " +
                                std::to_string(all) + " items are still not current " + secondsText(took) +
                                " after it came back");
    return true;
}

void ServiceLog::look() {
    timer_ = 0;
    bool more = false;
    for (auto& [id, state] : states_) {
        if (!state.recovering) continue;
        const Service* const service = services_.find(id);
        state.recovering = service != nullptr && !settled(*service, state);
        more = more || state.recovering;
    }
    if (more) timer_ = reactor_.startTimer(kLook, [this] { look(); });
}

}  // namespace emissary::hub::directory
