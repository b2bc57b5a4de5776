// Signals through an event descriptor, once until it is cleared.
#include "hub/relay/Wakeup.h"

#include <cerrno>
#include <cstdint>
#include <system_error>

#include <sys/eventfd.h>
#include <unistd.h>

namespace emissary::hub::relay {

Wakeup::Wakeup() : fd_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
    if (fd_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
}

Wakeup::~Wakeup() {
    ::close(fd_);
}

void Wakeup::signal() noexcept {
    if (signalled_.exchange(true, std::memory_order_acq_rel)) return;  // pairs with the exchange in clear()
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto n = ::write(fd_, &one, sizeof one);
}

/// The descriptor first: a ring between the two is heard by the look that follows, one after them writes anew.
void Wakeup::clear() noexcept {
    std::uint64_t count = 0;
    [[maybe_unused]] const auto n = ::read(fd_, &count, sizeof count);
    signalled_.exchange(false, std::memory_order_acq_rel);
}

}  // namespace emissary::hub::relay
