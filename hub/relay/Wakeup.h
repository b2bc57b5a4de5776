// Wakes a thread that has nothing to do.
#pragma once

#include <atomic>

namespace emissary::hub::relay {

/// An event descriptor that is written only if it has not been since the reader last looked. Further signals before
/// that cost an atomic exchange each.
class Wakeup {
public:
    /// Throws std::system_error when descriptors are exhausted.
    Wakeup();
    ~Wakeup();
    Wakeup(const Wakeup&) = delete;
    Wakeup& operator=(const Wakeup&) = delete;

    /// Readable from signal() to clear().
    [[nodiscard]] int fd() const noexcept { return fd_; }
    /// Any thread. The thread that calls clear() next sees everything that the caller wrote before signal().
    void signal() noexcept;
    /// Woken thread only, before it looks at its ring once more.
    void clear() noexcept;

private:
    int fd_;
    std::atomic<bool> signalled_{false};
};

}  // namespace emissary::hub::relay
