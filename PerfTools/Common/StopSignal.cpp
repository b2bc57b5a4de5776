// Installs the handler, which sets the mark.
#include "StopSignal.h"

#include <atomic>
#include <csignal>

namespace emissary::perf {

namespace {

std::atomic<bool> stop{false};
static_assert(std::atomic<bool>::is_always_lock_free, "it is set in a signal handler");

extern "C" void onStopSignal(int) {
    stop.store(true, std::memory_order_relaxed);
}

}  // namespace

void installStopSignal() noexcept {
    struct sigaction action {};
    action.sa_handler = onStopSignal;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    // A reader that closes its end of our output (head, less) must not kill a test before its files are written.
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, nullptr);
    sigaction(SIGXFSZ, &action, nullptr);  // beyond `ulimit -f` a write fails, and the run says which
}

bool stopRequested() noexcept {
    return stop.load(std::memory_order_relaxed);
}

}  // namespace emissary::perf
