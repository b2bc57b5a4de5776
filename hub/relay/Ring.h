// Records from one thread to another, in order.
#pragma once

#include <boost/lockfree/spsc_queue.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace emissary::hub::relay {

/// How far the two sides of a ring are. MessageLog keeps the bytes of records until the reader has passed them.
class Progress {
public:
    /// The writer's thread: records pushed so far.
    [[nodiscard]] std::uint64_t pushed() const noexcept { return pushed_; }
    /// Records that the reader has finished with. Any thread.
    [[nodiscard]] std::uint64_t passed() const noexcept {
        return passed_.load(std::memory_order_acquire);  // pairs with the release in pass()
    }

protected:
    void pass(std::uint64_t count) noexcept {
        passed_.store(passed_.load(std::memory_order_relaxed) + count, std::memory_order_release);
    }
    std::uint64_t pushed_ = 0;
    alignas(64) std::atomic<std::uint64_t> passed_{0};
};

/// A bounded queue between one writer thread and one reader thread. The writer handles a full queue; no record is ever
/// dropped.
template <class Record>
class Ring final : public Progress {
public:
    explicit Ring(std::size_t capacity) : queue_(capacity) {}

    // --- the writer's thread
    /// False: it is full.
    [[nodiscard]] bool tryPush(const Record& record) noexcept {
        if (!queue_.push(record)) return false;
        ++pushed_;
        return true;
    }

    // --- the reader's thread
    /// Calls `f` with at most `most` records; they count as passed when all of these calls have returned.
    template <class F>
    std::size_t take(std::size_t most, F&& f) {
        std::size_t count = 0;
        while (count < most && queue_.consume_one(f))
            ++count;
        if (count != 0) pass(count);
        return count;
    }
    [[nodiscard]] bool empty() const noexcept { return queue_.read_available() == 0; }

private:
    boost::lockfree::spsc_queue<Record> queue_;
};

}  // namespace emissary::hub::relay
