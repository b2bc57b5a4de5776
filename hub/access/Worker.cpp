// Runs jobs source by source, and posts what comes of them.
#include "hub/access/Worker.h"

#include "hub/core/NoSignals.h"
#include "reactor/threads.h"

#include <cassert>
#include <new>
#include <utility>

namespace emissary::hub::access {

Worker::~Worker() {
    assert(!thread_.joinable());
}

void Worker::start(std::chrono::milliseconds period, std::function<Outcome(bool)> regular) {
    period_ = period;
    regular_ = std::move(regular);
    // Signals of the process belong to its main thread.
    const NoSignals inherited;
    thread_ = std::thread([this] { run(); });
}

void Worker::stop() noexcept {
    if (!thread_.joinable()) return;
    {
        const std::lock_guard guard(mutex_);
        ends_ = true;
    }
    wake_.notify_one();
    thread_.join();
}

void Worker::add(std::uint64_t ticket, const std::string& source, Job job) {
    cancel(ticket);
    Jobs one;  // all that may fail for want of memory comes before both lists have it
    one.emplace(ticket, std::move(job));
    {
        const std::lock_guard guard(mutex_);
        const auto known = sources_.emplace(ticket, source).first;
        try {
            jobs_[source].merge(one);
        } catch (const std::bad_alloc&) {
            sources_.erase(known);
            throw;
        }
    }
    wake_.notify_one();
}

void Worker::cancel(std::uint64_t ticket) noexcept {
    // Destroyed after the guard: what the job holds may take a lock of its own.
    Job job;  // goes without the mutex
    const std::lock_guard guard(mutex_);
    const auto known = sources_.find(ticket);
    if (known == sources_.end()) return;
    const auto source = jobs_.find(known->second);
    sources_.erase(known);
    const auto at = source->second.find(ticket);
    job = std::move(at->second);
    source->second.erase(at);
    if (source->second.empty()) jobs_.erase(source);
}

/// The mutex is held, and there is one. The sources come in the order of their names, over and over.
Worker::Job Worker::takeNext() {
    auto source = jobs_.upper_bound(served_);
    if (source == jobs_.end()) source = jobs_.begin();
    try {
        served_ = source->first;
    } catch (const std::bad_alloc&) { served_.clear(); }  // the next one is the first of all
    const auto first = source->second.begin();
    Job job = std::move(first->second);
    sources_.erase(first->first);
    source->second.erase(first);
    if (source->second.empty()) jobs_.erase(source);
    return job;
}

void Worker::hurry() {
    {
        const std::lock_guard guard(mutex_);
        hurried_ = true;
    }
    wake_.notify_one();
}

void Worker::run() {
    reactor::nameThisThread("hub-access");
    auto next = eta::Clock::now() + period_;
    std::unique_lock guard(mutex_);
    for (;;) {
        wake_.wait_until(guard, next, [this] { return ends_ || hurried_ || !jobs_.empty(); });
        if (ends_) return;
        const auto now = eta::Clock::now();
        if (hurried_ || now >= next) {
            const bool hurried = std::exchange(hurried_, false);
            // Never held with the session lock: regular_ and jobs read files.
            guard.unlock();
            send(regular_(hurried));
            next = eta::Clock::now() + period_;
        } else if (!jobs_.empty()) {
            const Job job = takeNext();
            guard.unlock();
            send(job());
        } else continue;
        guard.lock();
    }
}

/// Without memory the outcome is lost: a login then ends by LoginCheckTimeout.
void Worker::send(Outcome outcome) noexcept {
    if (!outcome) return;
    try {
        const std::lock_guard guard(reactor_.lock());
        // The outcome may arrive after the worker has gone: the session then drops it.
        reactor_.post([done = std::move(outcome), alive = watched_] {
            if (!alive.expired()) done();
        });
    } catch (const std::bad_alloc&) {}
    reactor_.wake();
}

}  // namespace emissary::hub::access
