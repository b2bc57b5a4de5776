// Waits for the descriptors of a loop.
#pragma once

#include "eta/core/Clock.h"
#include "reactor/OpenDescriptor.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <span>

#include <sys/epoll.h>

namespace emissary::reactor {

/// A sleep takes so much longer than it should (the timer slack of the calling thread, 50 us unless it was changed)
/// that a wait this short is looked through instead. False for a wait that is negative or zero.
[[nodiscard]] bool tooShortToSleep(eta::Duration wait) noexcept;

/// The descriptors of a loop, and the wait until one is ready or another thread kicks. Each is found under the id it
/// was added with. The Poller does not know what the loop does about it.
class Poller {
public:
    static constexpr std::uint64_t kKickId = 0;  ///< no descriptor's: somebody kicked; see takeKick()

    /// `busyPoll` is ReactorOptions::busyPoll. Throws std::system_error when the system has no descriptors left.
    explicit Poller(std::chrono::microseconds busyPoll);

    void add(int fd, std::uint32_t events, std::uint64_t id) noexcept { control(EPOLL_CTL_ADD, fd, events, id); }
    /// False: it is not there, since a descriptor that is closed leaves by itself.
    [[nodiscard]] bool change(int fd, std::uint32_t events, std::uint64_t id) noexcept {
        return control(EPOLL_CTL_MOD, fd, events, id);
    }
    void remove(int fd) noexcept { ::epoll_ctl(epollFd_, EPOLL_CTL_DEL, fd, nullptr); }

    /// What is ready now; how many.
    int look(std::span<epoll_event> found) const noexcept {
        return ::epoll_wait(epollFd_, found.data(), static_cast<int>(found.size()), 0);
    }
    /// Waits for something to be ready, at most `longest` (negative: for ever), busily at first where that is wanted,
    /// and busily to the end where that end is too near for a sleep; how many are ready. By real time, whatever clock
    /// was injected. Adds up in `looks` how often it looked busily.
    int wait(std::span<epoll_event> found, eta::Duration longest, std::uint64_t& looks) const noexcept;

    /// Ends the wait, or the next one. Any thread, async-signal-safe.
    void kick() noexcept;
    /// The kick was found: the next one will be another.
    void takeKick() noexcept;
    /// Writable by those who kick without this object, as long as it lives.
    [[nodiscard]] int kickFd() const noexcept { return kickFd_; }

private:
    bool control(int what, int fd, std::uint32_t events, std::uint64_t id) noexcept;
    int busyWait(std::span<epoll_event> found, eta::Duration most, eta::Duration& wait,
                 std::uint64_t& looks) const noexcept;

    const std::chrono::microseconds busyPoll_;
    const OpenDescriptor epollFd_ = OpenDescriptor::epoll(), kickFd_ = OpenDescriptor::event();
    std::atomic<bool> signalled_{false};  // kickFd_ was written and not read yet
};

}  // namespace emissary::reactor
