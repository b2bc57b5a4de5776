// tools/wsload: pauses of the machine itself, which no program on it can help.
#pragma once

#include "eta/core/Clock.h"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <thread>

namespace emissary::wsload {

/// A thread that notes when it did not run for more than a millisecond although it wanted to. Where the machine has
/// three processors more than the loader has threads (for feed, server and itself) it spins; elsewhere a spinning
/// thread would be what disturbs, so it sleeps a millisecond at a time and notes how much later it wakes: that has
/// pauses in it in which other programs had the processors.
class Stalls {
public:
    struct Found {
        std::uint64_t count = 0;
        eta::Duration longest{}, sum{};
    };
    explicit Stalls(unsigned threads);
    ~Stalls();
    Stalls(const Stalls&) = delete;
    Stalls& operator=(const Stalls&) = delete;
    [[nodiscard]] bool spins() const { return spins_; }
    /// What was found since the last call.
    [[nodiscard]] Found take();

private:
    void run();

    const bool spins_;
    std::atomic<bool> over_{false};
    std::mutex lock_;
    Found found_;  // guarded by lock_
    std::thread thread_;
};

}  // namespace emissary::wsload
