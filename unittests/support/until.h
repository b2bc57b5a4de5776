// Waiting for a condition, never for a time.
#pragma once

#include <chrono>
#include <thread>

#include <poll.h>

namespace emissary::test {

/// What a test waits for comes within this time, however busy the machine is and whatever a sanitizer adds.
inline constexpr std::chrono::seconds kPatience{60};

/// Calls `turn` until the condition holds; false when it did not within `patience` of real time.
template <class Condition, class Turn>
[[nodiscard]] bool turnUntil(Condition condition, Turn turn, std::chrono::nanoseconds patience = kPatience) {
    const auto end = std::chrono::steady_clock::now() + patience;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > end) return false;
        turn();
    }
    return true;
}

/// Between two turns of what a test drives while it waits for a peer's socket: the first follow at once, those after
/// many that brought nothing with a pause of a millisecond, which the socket ends. Whoever waits for a timer leaves the
/// processor to the other tests.
class TurnPause {
public:
    void operator()(int fd, short events) noexcept {
        if (++turns_ <= kAtOnce || fd < 0) return;
        pollfd p{fd, events, 0};
        ::poll(&p, 1, 1);
    }
    /// Something came, or something else is waited for.
    void reset() noexcept { turns_ = 0; }

private:
    static constexpr int kAtOnce = 100;
    int turns_ = 0;
};

/// The same for a condition that other threads bring about.
template <class Condition>
[[nodiscard]] bool eventually(Condition condition, std::chrono::nanoseconds patience = kPatience) {
    return turnUntil(
        condition, [] { std::this_thread::sleep_for(std::chrono::milliseconds(2)); }, patience);
}

}  // namespace emissary::test
