// Keeps signals away from the threads that the hub starts.
#pragma once

#include <csignal>

#include <pthread.h>

namespace emissary::hub {

/// While it lives, threads that are started get no signals: those are for the thread that dispatches.
class NoSignals {
public:
    NoSignals() noexcept {
        sigset_t all;
        sigfillset(&all);
        ::pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~NoSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    NoSignals(const NoSignals&) = delete;
    NoSignals& operator=(const NoSignals&) = delete;

private:
    sigset_t before_;
};

}  // namespace emissary::hub
