// reactor/loop: waits with epoll, or busily for times too short to sleep, and takes kicks from other threads.
#include "loop/Poller.h"

#include "loop/Worker.h"

#include <algorithm>

#include <sys/prctl.h>
#include <unistd.h>

namespace emissary::reactor {

bool tooShortToSleep(Duration wait) noexcept {
    // A thread with a larger timer slack wants few wake-ups: no longer wait than this is polled for it.
    constexpr Duration kMost = std::chrono::microseconds(100);
    if (wait <= Duration::zero() || wait >= kMost) return false;
    const int slack = ::prctl(PR_GET_TIMERSLACK);  // nanoseconds, of this thread; 0 under a real-time policy
    return slack > 0 && wait < std::chrono::nanoseconds(slack);
}

Poller::Poller(std::chrono::microseconds busyPoll) : busyPoll_(busyPoll) {
    add(kickFd_, EPOLLIN, kKickId);
}

bool Poller::control(int what, int fd, std::uint32_t events, std::uint64_t id) noexcept {
    epoll_event e{};
    e.events = events;
    e.data.u64 = id;
    return ::epoll_ctl(epollFd_, what, fd, &e) == 0;
}

int Poller::wait(std::span<epoll_event> found, Duration longest, std::uint64_t& looks) const noexcept {
    int n = 0;
    if (tooShortToSleep(longest)) n = busyWait(found, longest, longest, looks);
    else if (busyPoll_.count() != 0)
        n = busyWait(found, busyPoll_.count() < 0 ? Duration::max() : Duration(busyPoll_), longest, looks);
    if (n == 0) n = preciseEpollWait(epollFd_, found.data(), static_cast<int>(found.size()), longest);
    return n;
}

/// Looks again and again in the place of sleeping, for `most` at most; how many descriptors were found ready. `wait`
/// (negative: for ever) is what is left of it.
int Poller::busyWait(std::span<epoll_event> found, Duration most, Duration& wait, std::uint64_t& looks) const noexcept {
    const bool forever = wait < Duration::zero();
    if (!forever) most = std::min(most, wait);
    const TimePoint begun = Clock::now();
    Duration passed{0};
    int n = 0;
    for (; n <= 0 && passed < most; passed = Clock::now() - begun) {
        n = look(found);
        ++looks;
    }
    if (!forever) wait = std::max(wait - passed, Duration::zero());
    return std::max(n, 0);
}

void Poller::kick() noexcept {
    if (signalled_.exchange(true, std::memory_order_acq_rel)) return;
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto n = ::write(kickFd_, &one, sizeof one);
}

void Poller::takeKick() noexcept {
    std::uint64_t count = 0;
    [[maybe_unused]] const auto r = ::read(kickFd_, &count, sizeof count);
    signalled_.store(false, std::memory_order_release);
}

}  // namespace emissary::reactor
