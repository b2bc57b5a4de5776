// capi/provider: the order in which publishers, and a thread that sends much beside them, take the connection.
#pragma once

#include <atomic>
#include <mutex>

namespace emissary::capi {

/// A lock of publishers. The thread that sends all images again takes it for each image alone; a lock that is released
/// and taken again at once hardly ever goes to those that sleep, so that thread lets one of them go first each time.
class Order {
public:
    /// Of a publisher.
    void lock() {
        waiting_.fetch_add(1);
        mutex_.lock();
        // In this order: who has seen this publisher wait sees it served afterwards.
        waiting_.fetch_sub(1);
        served_.fetch_add(1);
        served_.notify_all();
    }
    void unlock() { mutex_.unlock(); }
    /// The same for the thread that gives way: to one publisher, when any waits. At most one thread calls this.
    void lockAfterOne() {
        const unsigned served = served_.load();
        if (waiting_.load() != 0) served_.wait(served);
        mutex_.lock();
    }
    /// Publishers that wait, for tests.
    [[nodiscard]] unsigned waiting() const noexcept { return waiting_.load(); }

private:
    std::mutex mutex_;
    std::atomic<unsigned> waiting_{0}, served_{0};
};

}  // namespace emissary::capi
