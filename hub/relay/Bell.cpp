// Rings and silences through an event descriptor.
#include "hub/relay/Bell.h"

#include <cerrno>
#include <cstdint>
#include <system_error>

#include <sys/eventfd.h>
#include <unistd.h>

namespace emissary::hub::relay {

Bell::Bell() : fd_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
    if (fd_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
}

Bell::~Bell() {
    ::close(fd_);
}

void Bell::ring() noexcept {
    if (rung_.exchange(true, std::memory_order_acq_rel)) return;  // pairs with the exchange in silence()
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto n = ::write(fd_, &one, sizeof one);
}

/// The descriptor first: a ring between the two is heard by the look that follows, one after them writes anew.
void Bell::silence() noexcept {
    std::uint64_t count = 0;
    [[maybe_unused]] const auto n = ::read(fd_, &count, sizeof count);
    rung_.exchange(false, std::memory_order_acq_rel);
}

}  // namespace emissary::hub::relay
