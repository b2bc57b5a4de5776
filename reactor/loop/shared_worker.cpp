// Keeps a pool of workers, of which the least used one takes the next reactor; a child process gets a pool of its
// own.
#include "loop/Worker.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <string>
#include <thread>

#include <pthread.h>

namespace emissary::reactor {
namespace {

constexpr unsigned kMost = 8;

struct SharedWorkers {
    std::mutex mutex;
    std::array<std::weak_ptr<Worker>, kMost> workers;  // guarded by mutex
};

/// Null until the first reactor asks, in this process. Never freed: instances may end after static objects have.
std::atomic<SharedWorkers*> pool{nullptr};

/// The parent's threads are not here, and its mutex may be locked for ever.
void inChild() noexcept {
    pool.store(nullptr, std::memory_order_relaxed);
}

SharedWorkers& current() {
    static const int registered = ::pthread_atfork(nullptr, nullptr, &inChild);
    if (registered != 0) throw std::bad_alloc();
    SharedWorkers* found = pool.load(std::memory_order_acquire);
    if (found != nullptr) return *found;
    auto made = std::make_unique<SharedWorkers>();
    if (pool.compare_exchange_strong(found, made.get(), std::memory_order_acq_rel)) return *made.release();
    return *found;
}

}  // namespace

std::shared_ptr<Worker> sharedWorker() {
    SharedWorkers& p = current();
    const std::lock_guard guard(p.mutex);
    const std::size_t most = std::clamp(std::thread::hardware_concurrency(), 1U, kMost);
    std::shared_ptr<Worker> best;
    long users = 0;
    for (std::size_t i = 0; i < most; ++i) {
        std::shared_ptr<Worker> one = p.workers[i].lock();
        if (!one) {
            one = std::make_shared<Worker>("ema-wrk" + std::to_string(i + 1), std::string());
            p.workers[i] = one;
            return one;
        }
        if (!best || one.use_count() < users) {
            users = one.use_count();
            best = std::move(one);
        }
    }
    return best;
}

}  // namespace emissary::reactor
