// Gives ended connections their closing message, and closes each when its peer has read it or its time is up.
#include "loop/Partings.h"

#include "loop/ReactorImpl.h"

#include <algorithm>
#include <mutex>
#include <utility>

namespace emissary::reactor {

void Partings::take(Link::Impl& from, const Farewell& farewell) {
    {
        const std::lock_guard guard(from.channel->outputLock());
        if (!from.channel->finish(farewell.code, farewell.text)) return;
    }
    if (parting_.size() >= kMost) parting_.pop_front();
    auto link = std::unique_ptr<Link>(new Link(std::make_unique<Link::Impl>()));
    Link::Impl& l = *link->impl_;
    l.reactor = &loop_;
    l.self = link.get();
    l.handler = this;
    l.id = ++loop_.lastId;
    l.totals = from.totals;
    loop_.links.add(l);
    const TimePoint now = loop_.dispatchingHere() ? loop_.turnTime : loop_.readClock();
    parting_.push_back({std::move(link), now + farewell.linger});
    try {
        watch();
        l.resume(from.release());
        l.layer = nullptr;  // nothing of it is converted
        l.flushNow();
    } catch (const std::bad_alloc&) {
        parting_.pop_back();
        throw;
    }
}

void Partings::clear() noexcept {
    loop_.timers.cancel(std::exchange(timer_, 0));
    parting_.clear();
}

void Partings::onLinkDown(Link& link, const std::string&, bool) {
    parting_.remove_if([&](const Parting& one) { return one.link.get() == &link; });
}

void Partings::watch() {
    if (timer_ != 0 || parting_.empty()) return;
    const auto first = std::ranges::min_element(parting_, {}, &Parting::until);
    timer_ = loop_.timers.start(first->until, [this] { look(); });
    loop_.noticeBy(first->until);
}

void Partings::look() {
    timer_ = 0;
    parting_.remove_if([now = loop_.turnTime](const Parting& one) { return one.until <= now; });
    watch();
}

}  // namespace emissary::reactor
