// Doubles the mark while a burst lasts, raises it while the kernel pushes back, and puts it back afterwards.
#include "eta/transport/FlushMark.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace emissary::eta::transport {
namespace {

// While the kernel pushes back, commit() tries again only after this much more is queued: the loop flushes when the
// descriptor becomes writable, and a system call for each message would only be refused again.
constexpr std::size_t kRetryBytes = 32u << 10;

// In a burst system calls are what costs most: a high-water mark that is reached within this time after the last one is
// followed by one twice as high, up to this many bytes, until flush() ends the burst.
constexpr std::chrono::microseconds kBurstPause{200};
constexpr std::size_t kMostInBurst = 64u << 10;

}  // namespace

void FlushMark::start(std::size_t highWater, bool direct, std::size_t handOnAt) noexcept {
    highWater_ = highWater;
    direct_ = direct;
    handOnAt_ = handOnAt;
    apply(0);
}

void FlushMark::setHighWater(std::size_t bytes, std::size_t queued) noexcept {
    highWater_ = bytes;
    apply(queued);
}

void FlushMark::setDirect(bool direct, std::size_t queued) noexcept {
    direct_ = direct;
    apply(queued);
}

void FlushMark::reached(std::size_t bound, std::size_t queued) noexcept {
    // A transport that hands on at a fixed size never waits for more.
    if (direct_ || handOnAt_ != 0) return;
    const TimePoint now = Clock::now();
    // Two marks within 200 us: a burst, so the mark doubles.
    const bool burst = now - std::exchange(reachedAt_, now) < kBurstPause;
    // A quarter of the bound at most: a queue must not fill up before its first flush.
    const std::size_t most = std::max(highWater_, std::min(kMostInBurst, bound / 4));
    const std::size_t raised = burst ? std::min(2 * std::max(highWater_, raised_), most) : 0;
    if (raised == raised_) return;
    raised_ = raised;
    apply(queued);
}

void FlushMark::expect(std::size_t bound, std::size_t queued) noexcept {
    // Announced by the application, so the mark is raised at once.
    if (direct_ || handOnAt_ != 0) return;
    raised_ = std::max(highWater_, std::min(kMostInBurst, bound / 4));
    apply(queued);
}

/// Back to the mark that was configured; `queued` bytes wait at the moment.
void FlushMark::lower(std::size_t queued) noexcept {
    raised_ = 0;
    apply(queued);
}

void FlushMark::pushedBack(bool blocked, std::size_t queued) noexcept {
    blocked_ = blocked;
    apply(queued);
}

void FlushMark::end() noexcept {
    ended_.store(true, std::memory_order_release);  // pairs with the acquire in apply()
    zero();
}

void FlushMark::apply(std::size_t queued) noexcept {
    // blocked_ raises the mark only by what is queued, so that commit() tries again after kRetryBytes more.
    const std::size_t mark = handOnAt_ != 0 ? std::min(highWater_, handOnAt_) : std::max(highWater_, raised_);
    const std::size_t normal = direct_ ? 0 : mark;
    above_.store(blocked_ ? std::max(normal, queued + kRetryBytes) : normal, std::memory_order_relaxed);
    // end() may have run in between; its zero must win.
    if (ended_.load(std::memory_order_acquire)) zero();  // meanwhile
}

}  // namespace emissary::eta::transport
