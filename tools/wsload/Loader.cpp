// tools/wsload: the loop of a thread.
#include "Loader.h"

#include "eta/core/Clock.h"

#include <sys/epoll.h>
#include <unistd.h>

#include <pthread.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <stdexcept>

namespace emissary::wsload {

using eta::Clock;
using eta::Duration;
using eta::TimePoint;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

constexpr int kMostEvents = 64;  // clients in one turn

Group groupOf(const Options& o, unsigned number) {
    if (number < o.slow) return Group::slow;
    // Every second client, so that all threads have some of both.
    return o.churn != 0 && (number / o.threads) % 2 == 1 ? Group::churning : Group::steady;
}

Duration processorTime() {
    timespec t{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return seconds(t.tv_sec) + std::chrono::nanoseconds(t.tv_nsec);
}

}  // namespace

Loader::Loader(const Setup& setup, Control& control, unsigned index)
    : setup_(setup), control_(control),
      index_(index), state_{.setup = setup,
                            .tally = tally_,
                            .live = {},
                            .random = std::minstd_rand(static_cast<unsigned>(setup.options.seed) * 7919 + index + 1)},
      epoll_(::epoll_create1(EPOLL_CLOEXEC)), events_(sizeof(epoll_event) * kMostEvents) {
    if (epoll_ < 0) throw std::runtime_error(std::string("epoll: ") + std::strerror(errno));
    for (unsigned number = index; number < setup.options.clients; number += setup.options.threads)
        clients_.emplace_back(state_, number, groupOf(setup.options, number));
}

Loader::~Loader() {
    join();
    ::close(epoll_);
}

void Loader::start() {
    thread_ = std::thread([this] { run(); });
    ::pthread_setname_np(thread_.native_handle(), ("load" + std::to_string(index_)).c_str());
}

void Loader::join() {
    if (thread_.joinable()) thread_.join();
}

void Loader::run() {
    const auto& cpus = setup_.options.cpus;
    std::string error;
    if (!cpus.empty() && !perf::bindThisThread(cpus[index_ % cpus.size()], error))
        state_.tally.trouble("thread " + std::to_string(index_) + ": " + error);
    begun_ = secondAt_ = Clock::now();
    Duration before = processorTime();
    for (;;) {
        auto* const events = reinterpret_cast<epoll_event*>(events_.data());
        const int ready = ::epoll_wait(epoll_, events, kMostEvents, waitMs(Clock::now()));
        const TimePoint now = Clock::now();
        // Looked at once for each turn: all that a turn counts belongs to one phase.
        if (const Phase phase = control_.phase.load(std::memory_order_acquire); phase != state_.phase) begin(phase);
        if (state_.phase == Phase::over) break;
        turn(now, ready);
        const TimePoint after = Clock::now();
        const Duration took = after - now, used = processorTime();
        if (state_.phase == Phase::measured) {
            state_.live.largestTurn = std::max(state_.live.largestTurn, took);
            state_.live.busy += used - before;
            tally_.busy += used - before;
            if (took > tally_.largestTurn) tally_.largestTurn = took, tally_.largestTurnAt = now;
        }
        before = used;
        if (control_.interval.load(std::memory_order_acquire) != handedInterval_) handOver();
    }
    const TimePoint now = Clock::now();
    // What is stale until the end counts as stale.
    for (Client& c : clients_)
        c.end(now);
    handOver();
}

void Loader::begin(Phase phase) {
    if (phase == Phase::warmup || phase == Phase::settling) {  // what came before has no line
        state_.live.counts.messages = state_.live.counts.bytes = state_.live.counts.above = 0;
        state_.live.latencies.clear();
    }
    state_.phase = phase;
    if (phase == Phase::warmup) churnFrom_ = Clock::now();
    if (phase == Phase::measured) state_.measuredFrom = Clock::now();
    if (phase != Phase::settling) return;
    for (std::size_t i = 0; i < clients_.size(); ++i)  // what waits for the slow ones comes at full speed now
        if (clients_[i].group() == Group::slow) {
            clients_[i].notSlowAnyMore();
            timers_.push({Clock::now(), i, Due::resume});
        }
}

int Loader::waitMs(TimePoint now) const {
    // Clients that could read on must not wait for an event.
    if (!again_.empty()) return 0;
    TimePoint until = now + milliseconds(setup_.options.postRate != 0 ? 1 : 10);
    if (!timers_.empty()) until = std::min(until, timers_.top().at);
    return static_cast<int>(std::max<std::int64_t>(0, std::chrono::ceil<milliseconds>(until - now).count()));
}

void Loader::turn(TimePoint now, int ready) {
    const auto* const events = reinterpret_cast<const epoll_event*>(events_.data());
    // Swapped, because serving a client may list it again.
    serving_.swap(again_);
    again_.clear();
    for (const std::size_t at : serving_)
        clients_[at].listed = false;
    for (int i = 0; i < ready; ++i)
        serve(events[i].data.u64, now);
    for (const std::size_t at : serving_)
        if (!clients_[at].listed) serve(at, now);  // listed: it was among the events
    connectMore(now);
    runTimers(now);
    churn(now);
    post(now);
    if (now - secondAt_ >= seconds(1)) everySecond(now);
}

void Loader::connectMore(TimePoint now) {
    if (connected_ == clients_.size()) return;
    const double begun =
        1 + std::chrono::duration<double>(now - begun_).count() * setup_.options.connectRate / setup_.options.threads;
    const auto wanted = std::min(clients_.size(), static_cast<std::size_t>(begun));
    // A few at a time: those that are connected have their turn.
    for (unsigned n = 0; n < 16 && connected_ < wanted; ++n) {
        const std::size_t at = connected_++;
        then(at, clients_[at].connect(now), now);
    }
}

void Loader::serve(std::size_t at, TimePoint now) {
    then(at, clients_[at].serve(now), now);
}

void Loader::then(std::size_t at, Client::Next next, TimePoint now) {
    Client& client = clients_[at];
    switch (next) {
    case Client::Next::again:
        if (!client.listed) again_.push_back(at);
        client.listed = true;
        break;
    case Client::Next::pause:
        unwatch(at);
        timers_.push({client.pausedUntil(), at, Due::resume});
        return;
    case Client::Next::comeBack:
        unwatch(at);
        timers_.push({now + client.pauseBeforeReturn(), at, Due::connect});
        return;
    case Client::Next::askAgain:
        timers_.push({now + client.pauseBeforeReturn(), at, Due::ask});
        break;
    case Client::Next::nothing:
        unwatch(at);
        return;
    case Client::Next::wait:
        break;
    }
    watch(at);
}

void Loader::watch(std::size_t at) {
    Client& client = clients_[at];
    const int fd = client.fd();
    const std::uint32_t wanted = EPOLLIN | (client.wantsWrite() ? EPOLLOUT : 0u);
    if (fd < 0) return unwatch(at);
    if (fd == client.watched && wanted == client.interest) return;
    epoll_event e{};
    e.events = wanted;
    e.data.u64 = at;
    // A descriptor that was closed has left by itself; its number may be that of a new one.
    if (::epoll_ctl(epoll_, fd == client.watched ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, fd, &e) != 0 && errno == ENOENT)
        (void)::epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &e);
    client.watched = fd;
    client.interest = wanted;
}

void Loader::unwatch(std::size_t at) {
    Client& client = clients_[at];
    if (client.watched >= 0 && client.fd() == client.watched)
        (void)::epoll_ctl(epoll_, EPOLL_CTL_DEL, client.watched, nullptr);
    client.watched = -1;
    client.interest = 0;
}

void Loader::runTimers(TimePoint now) {
    for (unsigned n = 0; n < 32 && !timers_.empty() && timers_.top().at <= now; ++n) {
        const Timer timer = timers_.top();
        timers_.pop();
        Client& client = clients_[timer.client];
        if (timer.due == Due::connect) then(timer.client, client.connect(now), now);
        else if (timer.due == Due::ask) {
            if (client.askAgain() == Client::Next::wait) watch(timer.client);
        } else serve(timer.client, now);
    }
}

void Loader::everySecond(TimePoint now) {
    secondAt_ = now;
    const bool trim = ++seconds_ % 5 == 0;
    std::string missing = connected_ < clients_.size() ? clients_[connected_].user() + " is not connected" : "";
    for (std::size_t i = 0; i < connected_; ++i) {
        Client& client = clients_[i];
        if (const Client::Next next = client.look(now, trim);
            next == Client::Next::comeBack || (next == Client::Next::nothing && client.watched >= 0))
            then(i, next, now);
        if (missing.empty() && !client.open()) missing = client.missing();
    }
    const std::lock_guard guard(lock_);
    missing_ = std::move(missing);
}

void Loader::churn(TimePoint now) {
    if (setup_.options.churn == 0 || (state_.phase != Phase::warmup && state_.phase != Phase::measured)) return;
    const double due =
        std::chrono::duration<double>(now - churnFrom_).count() * setup_.options.churn / setup_.options.threads;
    for (; static_cast<double>(churned_ + 1) <= due; ++churned_)
        for (std::size_t n = 0; n < clients_.size(); ++n) {
            const std::size_t at = nextChurn_++ % clients_.size();
            Client& client = clients_[at];
            if (client.group() != Group::churning || !client.open()) continue;
            unwatch(at);
            client.leave(churned_ % 2 == 1, now);
            timers_.push({now + milliseconds(100 + state_.random() % 900), at, Due::connect});
            break;
        }
}

void Loader::post(TimePoint now) {
    const Options& o = setup_.options;
    if (o.postRate == 0 || state_.phase != Phase::measured) return;
    const double due = std::chrono::duration<double>(now - state_.measuredFrom).count() * o.postRate / o.threads;
    for (; static_cast<double>(posted_ + 1) <= due; ++posted_)
        for (std::size_t n = 0; n < clients_.size(); ++n) {
            Client& client = clients_[nextPost_++ % clients_.size()];
            if (!client.open()) continue;
            // The time of the post itself, not of the turn.
            client.post(Clock::now());
            break;
        }
}

void Loader::handOver() {
    const std::lock_guard guard(lock_);
    handed_.merge(state_.live);
    handedInterval_ = control_.interval.load(std::memory_order_acquire);
    state_.live.clear();
}

bool Loader::collect(unsigned interval, Interval& into) {
    const std::lock_guard guard(lock_);
    // The thread hands over by itself, so the counters need no lock: this is asked again until it has.
    if (handedInterval_ != interval) return false;
    into.merge(handed_);
    handed_.clear();
    return true;
}

std::string Loader::missing() const {
    const std::lock_guard guard(lock_);
    return missing_;
}

}  // namespace emissary::wsload
