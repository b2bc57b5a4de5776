// A whole hub, turn by turn: how much of this thread's time the longest took. Time on the processor, so that what else
// the machine does meanwhile does not count.
#pragma once

#include "hub/node/publisher.h"

#include <ctime>

namespace emissary::test {

[[nodiscard]] inline double threadMs() noexcept {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) / 1e6;
}

class Turns {
public:
    explicit Turns(HubFixture& f) : fixture_(f) {}
    /// The hub alone: what peers do is not counted. `each` is called between turns.
    void until(const std::function<bool()>& done, const std::function<void()>& each = {}) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        while (!done()) {
            REQUIRE(std::chrono::steady_clock::now() < end);
            const double begin = threadMs();
            fixture_.hub->dispatch(std::chrono::microseconds(0));
            const double took = threadMs() - begin;
            longest = std::max(longest, took);
            all += took;
            ++count;
            fixture_.provider.poll();
            if (each) each();
        }
    }
    void reset() { longest = all = 0, count = 0; }
    double longest = 0, all = 0;  ///< in milliseconds
    std::size_t count = 0;

private:
    HubFixture& fixture_;
};

}  // namespace emissary::test
