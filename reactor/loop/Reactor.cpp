// reactor/loop: the turn of the loop: events, timers, posted calls, output, trimming; and the public calls around it.
#include "loop/ReactorImpl.h"
#include "loop/Worker.h"

#include <algorithm>
#include <cassert>
#include <new>

#include <sys/epoll.h>

namespace emissary::reactor {
namespace {

/// Calls for which there was no memory are made again this much later, this many times.
constexpr Duration kPause = std::chrono::milliseconds(100);
constexpr int kTries = 5;
constexpr std::uint32_t kPollEvery = 16;  // turns fed from buffers alone before descriptors get a look

}  // namespace

Reactor::Impl::Impl(ReactorOptions o)
    : options(std::move(o)), clock(options.clock != nullptr ? options.clock : &steady),
      turnTime(clock->now()), outputs{*clock, options.flushDelay, options.trimPeriod,
                                      [this] {
                                          links.noteFailure();
                                          kick();
                                      },
                                      counts} {
    lookups->wakeFd = poller.kickFd();
    if (options.shareWorker && options.workerCpu.empty()) worker = sharedWorker();
    else worker = std::make_shared<Worker>(options.name + "-wrk", options.workerCpu);
}

Reactor::Impl::~Impl() {
    partings.clear();
    assert(links.size() == 0);
    metricsServer.reset();  // its thread takes the session lock
    worker->settle();       // it looks at no output of this reactor any more, and has let all go
    worker.reset();
    {
        const std::lock_guard guard(lookups->mutex);
        lookups->wakeFd = -1;
    }
    static_cast<void>(lookups->letters.take());
}

void Reactor::Impl::enter() noexcept {
    dispatcher.store(thisThread(), std::memory_order_relaxed);
}
void Reactor::Impl::leave() noexcept {
    dispatcher.store(0, std::memory_order_relaxed);
}

/// The dispatching thread must look at something at `when`; wakes it when it would sleep longer.
void Reactor::Impl::noticeBy(TimePoint when) noexcept {
    if (waitUntil != TimePoint::min() && when < waitUntil) kick();
}

int Reactor::Impl::dispatch(std::chrono::microseconds timeout, int maxEvents) {
    if (lock.heldByThisThread()) return 0;  // from inside a callback
    if (maxEvents < 1) maxEvents = 1;
    if (!dispatchTurn.take(timeout)) return 0;
    lock.lock();
    enter();
    turnTime = turnStart = readClock();
    links.flushWaiting();
    endTurn();
    events = 0;
    try {
        dispatchTurns(timeout, maxEvents);
    } catch (const std::bad_alloc&) { links.allStarved(); }
    endTurn();
    if (events != 0) {
        recordTurn(readClock());
        counts.events += static_cast<std::uint64_t>(events);
    }
    leave();
    const int handled = events;
    lock.unlock();
    dispatchTurn.giveBack();
    return handled;
}

void Reactor::Impl::dispatchTurns(std::chrono::microseconds timeout, int maxEvents) {
    turn(maxEvents);
    if (events == 0) {
        const bool forever = timeout.count() < 0;
        const TimePoint end = timeout.count() > 0 ? realTurnTime() + timeout : TimePoint::max();
        bool looked = false;
        for (bool again = true; again; looked = true) {
            Duration left{0};
            if (forever) left = Duration{-1};
            else if (timeout.count() > 0) left = std::max(end - realTurnTime(), Duration::zero());
            if (looked && left == Duration::zero()) break;
            again = left != Duration::zero();
            poll(left, maxEvents, again);
            turn(events == 0 ? maxEvents : 0);  // links that were read just now have had their share
            if (events != 0 || wakeRequested.exchange(false, std::memory_order_relaxed)) break;
        }
    } else if (++turns % kPollEvery == 0 || longTurn) {
        longTurn = false;
        poll(Duration::zero(), maxEvents, false);
    }
}

/// Everything that needs no look at descriptors.
void Reactor::Impl::turn(int maxEvents) {
    takeLetters();
    if (!posted.empty()) runPosted();
    const int expired = timers.expire(turnTime, [this](std::function<void()>& call) { runCall(call); });
    events += expired;
    counts.timersRun += static_cast<std::uint64_t>(expired);
    // What has arrived is read before the timers that these have started: see session/AnswerTimer.h.
    if (expired != 0) longTurn = true;
    links.look();
    if (turnTime >= memory.due()) memory.trim();
    if (maxEvents != 0 && links.anyReady()) links.readReady(maxEvents);
}

void Reactor::Impl::poll(Duration wait, int maxEvents, bool unlocked) {
    epoll_event found[64];
    int n = 0;
    if (unlocked) {
        endTurn();
        // What the clock owes us; an injected clock may stand still, then a kick() tells us to look again.
        const TimePoint next = std::min({timers.next(), links.nextLook(), memory.due()});
        const TimePoint now = readClock();
        recordTurn(now);
        ++counts.waits;
        if (next != TimePoint::max()) {
            const Duration toNext = std::max(next - now, Duration::zero());
            wait = wait < Duration::zero() ? toNext : std::min(wait, toNext);
        }
        if (!posted.empty() || links.anyReady()) wait = Duration::zero();
        waitUntil = next;
        leave();
        lock.unlock();
        std::uint64_t looks = 0;
        n = poller.wait(found, wait, looks);
        lock.lock();
        enter();
        counts.busyLooks += looks;
        waitUntil = TimePoint::min();
        turnTime = turnStart = readClock();
    } else {
        n = poller.look(found);
        turnTime = readClock();
    }
    for (int i = 0; i < n; ++i) {
        if (found[i].data.u64 != Poller::kKickId) {
            handle(found[i].data.u64, found[i].events, maxEvents);
            continue;
        }
        poller.takeKick();
        ++counts.wakeups;
    }
}

void Reactor::Impl::handle(std::uint64_t id, std::uint32_t epollEvents, int maxEvents) {
    if (Link::Impl* const link = links.find(id)) {
        if (link->phase == Link::Impl::Phase::initializing) links.forLink(id, [&] { link->initialize(); });
        else if (link->phase == Link::Impl::Phase::active && !link->input.inReady) {
            if (link->held && (epollEvents & (EPOLLHUP | EPOLLERR)) == 0) return;
            link->hold(false);  // its end is read
            links.read(*link, maxEvents);
        }
        // One that is on the ready list had its share of this turn already, and is read in the next one.
    } else if (const auto w = watched.find(id); w != watched.end()) {
        w->second.source->onReady(epollEvents);
    }
}

void Reactor::Impl::runPosted() {
    posted.forEach([this](std::function<void()>& call) {
        runCall(call);
        ++events;
        letWaitersIn();
    });
}

void Reactor::Impl::takeLetters() {
    for (auto& letter : lookups->letters.take()) {
        Link::Impl* const link = links.find(letter.linkId);
        if (link == nullptr) continue;  // closed meanwhile
        links.forLink(letter.linkId, [&] {
            std::unique_ptr<eta::transport::Channel> channel;
            if (letter.route) channel = eta::transport::Channel::connect(*letter.route, readClock(), letter.refused);
            if (channel) link->start(std::move(channel));
            else link->down(letter.refused.text, false);
        });
    }
}

/// Timers and posted calls: without memory every link of the session ends, and the call is tried again, because others
/// may rely on it (the next connection attempt, for one).
void Reactor::Impl::runCall(std::function<void()>& call, int tries) {
    try {
        return call();
    } catch (const std::bad_alloc&) {}
    links.allStarved();
    if (tries == kTries) return;
    try {
        timers.start(turnTime + kPause,
                     [this, again = std::move(call), tries]() mutable { runCall(again, tries + 1); });
    } catch (const std::bad_alloc&) {}  // then it is lost
}

/// Its own memory that no message needs now.
void Reactor::Impl::trim() noexcept {
    if (scratch.size() > eta::kOwnPages) std::vector<std::byte>().swap(scratch);
    timers.trim();
    links.trim();
    posted.trim();
}

void Reactor::Impl::letWaitersIn() {
    if (!lock.wanted()) return;
    leave();
    lock.giveWay();
    enter();
}

void Reactor::Impl::endTurn() noexcept {
    for (TurnEnd* const who : turnEnds)
        who->onTurnEnd();
    links.flushDirty();
    // Whoever dispatches inside its own burst may wait for the answer to what it sent.
    if (burstHere()) links.flushGathering();
}

// --- TurnEnd ---------------------------------------------------------------------------------------------------------

TurnEnd::TurnEnd(Reactor& reactor) : reactor_(reactor) {
    reactor_.impl_->turnEnds.push_back(this);
}
TurnEnd::~TurnEnd() {
    std::erase(reactor_.impl_->turnEnds, this);
}

// --- Reactor ---------------------------------------------------------------------------------------------------------

Reactor::Reactor(ReactorOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Reactor::~Reactor() = default;

SessionLock& Reactor::lock() noexcept {
    return impl_->lock;
}
int Reactor::dispatch(std::chrono::microseconds timeout, int maxEvents) {
    return impl_->dispatch(timeout, maxEvents);
}
void Reactor::wake() noexcept {
    impl_->wakeRequested.store(true, std::memory_order_relaxed);
    impl_->kick();
}
bool Reactor::onDispatchThread() const noexcept {
    return impl_->dispatchingHere();
}
std::size_t Reactor::parting() const noexcept {
    return impl_->partings.size();
}
TimePoint Reactor::now() const noexcept {
    return impl_->dispatchingHere() ? impl_->turnTime : impl_->clock->now();
}

TimePoint Reactor::readClock() const noexcept {
    return impl_->dispatchingHere() ? impl_->readClock() : impl_->clock->now();  // whoever dispatches writes the count
}

bool Reactor::beginBurst() noexcept {
    if (impl_->burstOf != 0) return false;
    impl_->burstOf = thisThread();
    return true;
}
void Reactor::endBurst() noexcept {
    impl_->burstOf = 0;
    impl_->links.flushGathering();
}

std::time_t Reactor::timeOfDay() const noexcept {
    return impl_->clock->timeOfDay();
}

TimerId Reactor::startTimer(Duration delay, std::function<void()> callback) {
    const TimePoint deadline = now() + delay;
    const TimerId id = impl_->timers.start(deadline, std::move(callback));
    impl_->noticeBy(deadline);
    return id;
}
void Reactor::cancelTimer(TimerId id) noexcept {
    impl_->timers.cancel(id);
}
void Reactor::post(std::function<void()> callback) {
    impl_->post(std::move(callback));
}
void Reactor::Impl::post(std::function<void()> callback) {
    posted.add(std::move(callback));
    if (!dispatchingHere()) kick();
}
void Reactor::watch(int fd, std::uint32_t epollEvents, EventSource& source) {
    const std::uint64_t id = ++impl_->lastId;
    impl_->watched.emplace(id, Impl::Watched{fd, &source});
    impl_->poller.add(fd, epollEvents, id);
}
void Reactor::unwatch(int fd) noexcept {
    for (auto it = impl_->watched.begin(); it != impl_->watched.end(); ++it) {
        if (it->second.fd != fd) continue;
        impl_->poller.remove(fd);
        impl_->watched.erase(it);
        return;
    }
}

std::unique_ptr<Link> Reactor::connect(const eta::transport::ConnectOptions& options, LinkHandler& handler) {
    auto link = std::unique_ptr<Link>(new Link(std::make_unique<Link::Impl>()));
    Link::Impl& l = *link->impl_;
    l.reactor = impl_.get();
    l.self = link.get();
    l.handler = &handler;
    l.id = ++impl_->lastId;
    l.directWrite = options.directWrite;
    l.totals = &impl_->channels.of(eta::transport::describeTarget(options));
    impl_->links.add(l);
    Lookups::begin(impl_->lookups, l.id, options);
    return link;
}

std::unique_ptr<Link> Reactor::accepted(LinkHandler& handler) {
    auto link = std::unique_ptr<Link>(new Link(std::make_unique<Link::Impl>()));
    Link::Impl& l = *link->impl_;
    l.reactor = impl_.get();
    l.self = link.get();
    l.handler = &handler;
    l.id = ++impl_->lastId;
    l.totals = &impl_->channels.of("accepted");
    impl_->links.add(l);
    return link;
}

std::unique_ptr<Link> Reactor::adopt(std::unique_ptr<eta::transport::Channel> channel, LinkHandler& handler) {
    auto link = accepted(handler);
    link->impl_->start(std::move(channel));
    return link;
}

std::unique_ptr<Link> Reactor::resume(std::shared_ptr<eta::transport::Channel> channel, LinkHandler& handler) {
    auto link = accepted(handler);
    link->impl_->resume(std::move(channel));
    return link;
}

}  // namespace emissary::reactor
