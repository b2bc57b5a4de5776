// Out of memory: a session ends, the process goes on.
#include "loop/ReactorImpl.h"

#include <algorithm>
#include <new>

namespace emissary::reactor {

namespace {

/// What could not be done for want of memory is tried again this much later, this many times.
constexpr Duration kPause = std::chrono::milliseconds(100);
constexpr int kTries = 5;

}  // namespace

/// Whatever was being done for this link was left half done: the link ends, and with it what it was done for.
void Reactor::Impl::starved(std::uint64_t linkId) {
    if (const auto at = links.find(linkId); at != links.end()) at->second->starved = true;
    dropStarved();
}

/// Work of no particular link was left half done.
void Reactor::Impl::allStarved() {
    for (const auto& [id, link] : links)
        link->starved = link->starved || link->phase != Link::Impl::Phase::closed;
    dropStarved();
}

void Reactor::Impl::dropStarved() {
    starvedAt = TimePoint::max();
    for (;;) {
        const auto at = std::find_if(links.begin(), links.end(), [](const auto& l) { return l.second->starved; });
        if (at == links.end()) return;
        const std::uint64_t id = at->first;
        Link::Impl& link = *at->second;
        link.starved = false;
        link.gone = nullptr;  // of a call that is no more
        try {
            link.down("out of memory", false);  // short enough to need none
        } catch (const std::bad_alloc&) {
            // Those who shall hear of it need memory themselves: again in a while, if the link is still there.
            if (const auto still = links.find(id); still != links.end()) still->second->starved = true;
            starvedAt = turnTime + kPause;
            return;
        }
    }
}

/// Timers and posted calls: without memory every link of the session ends, and the call is tried again, because others
/// may rely on it (the next connection attempt, for one).
void Reactor::Impl::runCall(std::function<void()>& call, int tries) {
    try {
        return call();
    } catch (const std::bad_alloc&) {}
    allStarved();
    if (tries == kTries) return;
    try {
        timers.start(turnTime + kPause,
                     [this, again = std::move(call), tries]() mutable { runCall(again, tries + 1); });
    } catch (const std::bad_alloc&) {}  // then it is lost
}

}  // namespace emissary::reactor
