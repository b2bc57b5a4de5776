// hub/nats: wakes a thread that waits for a descriptor.
#pragma once

#include "reactor/OpenDescriptor.h"

#include <atomic>
#include <chrono>
#include <cstdint>

#include <poll.h>

namespace emissary::hub::nats {

/// An event descriptor that is written once until it is cleared; further signals cost an atomic exchange.
class Bell {
public:
    /// Throws std::system_error when descriptors are exhausted.
    Bell() : fd_(reactor::OpenDescriptor::event()) {}

    /// Readable from signal() to clear().
    [[nodiscard]] int fd() const noexcept { return fd_; }
    /// Any thread. The thread that clears next sees everything that the caller wrote before.
    void signal() noexcept {
        if (signalled_.exchange(true, std::memory_order_acq_rel)) return;  // pairs with the exchange in clear()
        const std::uint64_t one = 1;
        [[maybe_unused]] const auto n = ::write(fd_, &one, sizeof one);
    }
    /// The woken thread, before it looks for work. A signal between the two steps is heard by that look.
    void clear() noexcept {
        std::uint64_t count = 0;
        [[maybe_unused]] const auto n = ::read(fd_, &count, sizeof count);
        signalled_.exchange(false, std::memory_order_acq_rel);
    }
    /// Until it is signalled, at most so long; clears it.
    void wait(std::chrono::milliseconds most) noexcept {
        pollfd p{fd_, POLLIN, 0};
        static_cast<void>(::poll(&p, 1, static_cast<int>(most.count())));
        clear();
    }

private:
    reactor::OpenDescriptor fd_;
    std::atomic<bool> signalled_{false};
};

}  // namespace emissary::hub::nats
