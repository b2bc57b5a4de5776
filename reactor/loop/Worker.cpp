// The thread that flushes, waits for descriptors, sends pings and returns memory, and the commands that reach it.
#include "loop/Worker.h"

#include "loop/heap.h"
#include "reactor/memory.h"
#include "reactor/threads.h"

#include <algorithm>
#include <cerrno>
#include <new>
#include <utility>

#include <poll.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

namespace emissary::reactor {
namespace {

constexpr Duration kMulticastRetry = std::chrono::milliseconds(1);
constexpr std::uint64_t kWakeId = 0, kTimerId = ~std::uint64_t{0};

timespec toTimespec(Duration d) noexcept {
    const auto s = std::chrono::duration_cast<std::chrono::seconds>(d);
    return {static_cast<time_t>(s.count()),
            static_cast<long>(std::chrono::duration_cast<std::chrono::nanoseconds>(d - s).count())};
}

/// The shorter of two periods, of which zero is none.
Duration shorter(Duration a, Duration b) noexcept {
    if (a == Duration::zero() || b == Duration::zero()) return std::max(a, b);
    return std::min(a, b);
}

/// A twelfth of the timeout: a ping leaves between 1/3 and 5/12 of it.
Duration pingPeriod(const Output& o) noexcept {
    return std::chrono::milliseconds(std::max<int>(1, o.channel->info().pingTimeoutSeconds) * 1000 / 12);
}

}  // namespace

int preciseEpollWait(int epollFd, epoll_event* events, int capacity, Duration timeout) noexcept {
    if (timeout < Duration::zero()) return epoll_wait(epollFd, events, capacity, -1);
    if (timeout == Duration::zero()) return epoll_wait(epollFd, events, capacity, 0);
    const timespec ts = toTimespec(timeout);
    static std::atomic<bool> missing{false};  // kernels before 5.11
    if (!missing.load(std::memory_order_relaxed)) {
        const int n = epoll_pwait2(epollFd, events, capacity, &ts, nullptr);
        if (n >= 0 || errno != ENOSYS) return n;
        missing.store(true, std::memory_order_relaxed);
    }
    pollfd p{epollFd, POLLIN, 0};
    const int ready = ppoll(&p, 1, &ts, nullptr);
    return ready > 0 ? epoll_wait(epollFd, events, capacity, 0) : ready;
}

Worker::Worker(std::string name, std::string cpu) : name_(std::move(name)), cpu_(std::move(cpu)) {
    epoll_event e{};
    e.events = EPOLLIN | EPOLLET;  // each signal is reported once, and needs no read
    e.data.u64 = kWakeId;
    epoll_ctl(epollFd_, EPOLL_CTL_ADD, eventFd_, &e);
    e.data.u64 = kTimerId;
    epoll_ctl(epollFd_, EPOLL_CTL_ADD, timerFd_, &e);
    thread_ = std::thread([this] { run(); });
}

Worker::~Worker() {
    {
        const std::lock_guard guard(mutex_);
        stop_ = true;
    }
    signal();
    thread_.join();
    // Commands that were not taken hold references to each other.
    while (inbox_.output)
        inbox_ = std::exchange(inbox_.output->next[static_cast<std::size_t>(inbox_.what)], {});
}

void Worker::signal() noexcept {
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto n = write(eventFd_, &one, sizeof one);
}

void Worker::push(What what, std::shared_ptr<Output> output) noexcept {
    {
        const std::lock_guard guard(mutex_);
        enter(what, std::move(output));
        if (std::exchange(signalled_, true)) return;
    }
    signal();
}

/// mutex_ held.
void Worker::enter(What what, std::shared_ptr<Output> output) noexcept {
    output->next[static_cast<std::size_t>(what)] = std::exchange(inbox_, {});
    inbox_ = {std::move(output), what};
    inboxCounts_.entered(inboxCounts_.length + 1);
}

/// Sets the timer, or takes it back (max); mutex_ held.
void Worker::wakeAt(TimePoint when) noexcept {
    timerAt_ = when;
    itimerspec at{};
    if (when != TimePoint::max()) at.it_value = toTimespec(when.time_since_epoch());
    timerfd_settime(timerFd_, TFD_TIMER_ABSTIME, &at, nullptr);
}

void Worker::returnHeapSoon() noexcept {
    {
        const std::lock_guard guard(mutex_);
        heapDue_ = true;
        if (std::exchange(signalled_, true)) return;
    }
    signal();
}

void Worker::settle() noexcept {
    std::unique_lock guard(mutex_);
    const std::uint64_t mine = ++asked_;
    if (!std::exchange(signalled_, true)) signal();
    settled_.wait(guard, [&] { return answered_ >= mine; });
}

void Worker::add(std::shared_ptr<Output> output) noexcept {
    push(What::add, std::move(output));
}
void Worker::arm(std::shared_ptr<Output> output) noexcept {
    Output& o = *output;
    const std::lock_guard guard(mutex_);
    o.by = o.departure.by();
    if (!std::exchange(o.wanted, true)) {
        ++wanted_;
        if (o.entered) inboxCounts_.entered(inboxCounts_.length + 1);  // where the one stands that was taken back
    }
    if (!std::exchange(o.entered, true)) enter(What::arm, std::move(output));
    if (!signalled_ && o.by < timerAt_) wakeAt(o.by);
}
bool Worker::disarm(Output& output) noexcept {
    const std::lock_guard guard(mutex_);
    if (!std::exchange(output.wanted, false)) return false;
    inboxCounts_.length = inboxCounts_.length - 1;
    if (--wanted_ == 0 && timerAt_ != TimePoint::max()) wakeAt(TimePoint::max());
    return true;
}
void Worker::remove(std::shared_ptr<Output> output) noexcept {
    push(What::remove, std::move(output));
}

void Worker::run() {
    nameThisThread(name_);
    bindThisThread(cpu_);
    constexpr int kMostEvents = 128;  // a look at all that is armed follows
    epoll_event events[kMostEvents];
    for (;;) {
        TimePoint until = std::min(pingAt_, trimAt_);
        for (const auto& o : armed_)
            until = std::min(until, o->due);
        Duration wait{-1};
        if (until != TimePoint::max()) wait = std::max(until - Clock::now(), Duration::zero());
        bool heapDue = false, called = false;
        const int n = preciseEpollWait(epollFd_, events, kMostEvents, wait);
        const TimePoint real = Clock::now();
        wakeups_.store(wakeups() + 1, std::memory_order_relaxed);
        for (int i = 0; i < n; ++i) {
            if (events[i].data.u64 == kWakeId || events[i].data.u64 == kTimerId) called = true;
            else writable(events[i].data.u64, real);
        }
        Queued commands;
        std::uint64_t asked = 0;
        if (called) {
            const std::lock_guard guard(mutex_);
            signalled_ = false;
            if (stop_) return;
            commands = takeInbox();
            heapDue = std::exchange(heapDue_, false);
            if (asked_ != answered_) asked = asked_;
        }
        obey(std::move(commands), real);
        if (asked != 0) {
            const std::lock_guard guard(mutex_);
            answered_ = asked;
            settled_.notify_all();
        }
        flushRound(real);
        if (real >= pingAt_) pingRound();
        if (real >= trimAt_) trimRound(real);
        if (heapDue) returnHeap();
    }
}

/// The commands that were not taken back, the oldest in front; mutex_ held.
Worker::Queued Worker::takeInbox() noexcept {
    Queued oldest;
    while (inbox_.output) {
        Output& o = *inbox_.output;
        Queued rest = std::exchange(o.next[static_cast<std::size_t>(inbox_.what)], {});
        Queued command = std::exchange(inbox_, std::move(rest));
        if (command.what == What::arm) {
            o.entered = false;
            if (!std::exchange(o.wanted, false)) continue;
            o.due = o.by;
        }
        o.next[static_cast<std::size_t>(command.what)] = std::exchange(oldest, std::move(command));
    }
    wanted_ = 0;
    timerAt_ = TimePoint::max();  // the thread looks at what is due by itself
    inboxCounts_.length = 0;
    return oldest;
}

void Worker::obey(Queued oldest, TimePoint real) {
    while (oldest.output) {
        Queued rest = std::exchange(oldest.output->next[static_cast<std::size_t>(oldest.what)], {});
        try {
            take(oldest.what, oldest.output, real);
        } catch (const std::bad_alloc&) {
            // No thread would flush this link or keep it alive, so it ends.
            broken(*oldest.output);
        }
        oldest = std::move(rest);
    }
    // Once for all that went, and before settle() returns.
    if (std::exchange(armedEnded_, false)) std::erase_if(armed_, [](const auto& o) { return !o->listed; });
}

void Worker::take(What what, const std::shared_ptr<Output>& output, TimePoint real) {
    Output& o = *output;
    switch (what) {
    case What::add: {
        ++o.owner.counts.connections;
        o.id = ++lastId_;
        o.place = all_.size();
        all_.push_back(output);
        try {
            byId_.emplace(o.id, output);
        } catch (...) {  // in both, or in neither
            all_.pop_back();
            throw;
        }
        pingPeriod_ = shorter(pingPeriod_, pingPeriod(o));
        pingAt_ = std::min(pingAt_, real + pingPeriod_);
        if (const Duration trim = o.owner.trimPeriod; trim != Duration::zero()) {
            trimPeriod_ = shorter(trimPeriod_, trim);
            trimAt_ = std::min(trimAt_, real + trimPeriod_);
            o.trimAt = real + trim;
        }
        break;
    }
    case What::arm:
        list(output);
        break;
    case What::remove:
        drop(o);
        o.owner.counts.connections -= 1;
        if (all_.empty()) {
            pingAt_ = trimAt_ = TimePoint::max();
            pingPeriod_ = trimPeriod_ = Duration::zero();
        }
        break;
    }
}

void Worker::list(const std::shared_ptr<Output>& output) {
    output->period = output->owner.flushDelay;
    if (output->listed) return;
    armed_.push_back(output);
    output->listed = true;
}

/// The last one takes its place. Of the armed ones it goes with the others of this round.
void Worker::drop(Output& o) noexcept {
    if (o.listed && !o.blocked) armedEnded_ = true;
    o.listed = o.blocked = false;
    if (byId_.erase(o.id) == 0) return;  // there was no memory to add it
    all_[o.place].swap(all_.back());
    all_[o.place]->place = o.place;
    all_.pop_back();
}

void Worker::flushRound(TimePoint real) {
    std::erase_if(armed_, [&](const std::shared_ptr<Output>& o) {
        if (o->due > real) return false;
        const bool stay = flushOne(*o, real);
        o->listed = stay;
        return !stay || o->blocked;
    });
}

/// True when the link stays on the list.
bool Worker::flushOne(Output& o, TimePoint real) {
    const std::lock_guard guard(o.channel->outputLock());
    if (o.closed) return o.armed = false;
    const std::uint32_t commits = std::exchange(o.commits, 0);
    const std::size_t queued = o.channel->queuedBytes();
    if (queued == 0 && commits == 0) {  // a pause
        o.departure.ended();
        return o.armed = false;
    }
    if (queued != 0) ++o.owner.counts.flushes;
    if (queued != 0 && !o.channel->flush()) {
        if (o.channel->outputEnded()) {
            broken(o);
            return o.armed = false;
        }
        if (!rowOf(o.channel->info().connectionType).tellsWritable) {
            o.due = real + kMulticastRetry;
            return true;
        }
        epoll_event e{};
        e.events = EPOLLOUT | EPOLLONESHOT;
        e.data.u64 = o.id;
        if (epoll_ctl(epollFd_, EPOLL_CTL_MOD, o.channel->fd(), &e) != 0)
            epoll_ctl(epollFd_, EPOLL_CTL_ADD, o.channel->fd(), &e);
        o.blocked = true;
        ++o.owner.counts.blocked;
        return true;
    }
    o.departure.flushed(Departure::By::worker, real, commits);
    if (!o.departure.steady()) {
        o.departure.ended();
        return o.armed = false;
    }
    // When more was submitted than what is left here, the high-water mark does the flushing: look less often.
    const bool marked = commits > 64;
    const Duration delay = o.owner.flushDelay;
    o.period = marked ? std::min(o.period * 2, std::max(Departure::kLongest, delay)) : delay;
    o.due = real + o.period;
    return true;
}

void Worker::broken(Output& o) {
    // Pairs with the acquire in Reactor::Impl::drainFailed().
    if (!o.failed.exchange(true, std::memory_order_acq_rel)) o.owner.kick();
}

void Worker::writable(std::uint64_t id, TimePoint real) {
    const auto at = byId_.find(id);
    if (at == byId_.end() || !at->second->blocked) return;
    Output& o = *at->second;
    try {
        armed_.push_back(at->second);
    } catch (const std::bad_alloc&) {
        o.blocked = o.listed = false;
        return broken(o);
    }
    o.blocked = false;
    o.due = real;  // flushRound() is next
}

void Worker::pingRound() {
    Duration shortest{};
    for (const auto& o : all_) {
        shortest = shorter(shortest, pingPeriod(*o));
        const std::lock_guard guard(o->channel->outputLock());
        if (o->closed || o->channel->state() != eta::transport::ChannelState::active) continue;
        o->channel->pingIfIdle(o->owner.clock.now());
        if (o->channel->outputEnded()) broken(*o);
    }
    pingPeriod_ = shortest;
    pingAt_ = Clock::now() + pingPeriod_;
}

/// What a burst took goes back when a whole period passed without one. The lock is held only while chunks are counted
/// off; they are freed without it.
void Worker::trimRound(TimePoint real) {
    Duration shortest{};
    for (const auto& o : all_) {
        const Duration trim = o->owner.trimPeriod;
        if (trim == Duration::zero()) continue;
        shortest = shorter(shortest, trim);
        if (real + trim / 2 < o->trimAt) continue;  // those of about the same time are done in one round
        o->trimAt = real + trim;
        eta::transport::OutputQueue::Spare spare;  // outlives the guard
        const std::lock_guard guard(o->channel->outputLock());
        if (!o->closed) spare = o->channel->trimOutput();
    }
    trimVector(all_);
    trimVector(armed_);
    trimTable(byId_);
    trimPeriod_ = shortest;
    trimAt_ = shortest == Duration::zero() ? TimePoint::max() : Clock::now() + shortest;
}

}  // namespace emissary::reactor
