// reactor: descriptors that a loop, and what waits beside one, cannot be without.
#pragma once

#include <cerrno>
#include <system_error>

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

namespace emissary::reactor {

/// An open descriptor, closed with this object. What makes one throws std::system_error when the system refuses: there
/// is no reactor without it, and constructors have no other way to say so.
class OpenDescriptor {
public:
    /// For epoll_wait(); not inherited by programs that are started.
    [[nodiscard]] static OpenDescriptor epoll() {
        return OpenDescriptor(::epoll_create1(EPOLL_CLOEXEC), "cannot create an epoll descriptor");
    }
    /// An eventfd at 0, which does not block.
    [[nodiscard]] static OpenDescriptor event() {
        return OpenDescriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), "cannot create an event descriptor");
    }
    /// A timerfd of the monotonic clock, not set, which does not block.
    [[nodiscard]] static OpenDescriptor timer() {
        return OpenDescriptor(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK),
                              "cannot create a timer descriptor");
    }
    OpenDescriptor(const OpenDescriptor&) = delete;
    OpenDescriptor& operator=(const OpenDescriptor&) = delete;
    ~OpenDescriptor() { ::close(fd_); }
    /// The number that the system gave it.
    operator int() const noexcept { return fd_; }

private:
    OpenDescriptor(int fd, const char* what) : fd_(fd) {
        if (fd < 0) throw std::system_error(errno, std::generic_category(), what);
    }
    const int fd_;
};

}  // namespace emissary::reactor
