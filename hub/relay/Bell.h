// Wakes a thread that has nothing to do.
#pragma once

#include <atomic>

namespace emissary::hub::relay {

/// An event descriptor that is written only if it has not been since the reader last looked. Further rings before that
/// cost an atomic exchange each.
class Bell {
public:
    /// Throws std::system_error when descriptors are exhausted.
    Bell();
    ~Bell();
    Bell(const Bell&) = delete;
    Bell& operator=(const Bell&) = delete;

    /// Readable from ring() to silence().
    [[nodiscard]] int fd() const noexcept { return fd_; }
    /// Any thread. The thread that calls silence() next sees everything that the caller wrote before ring().
    void ring() noexcept;
    /// Woken thread only, before it looks at its ring once more.
    void silence() noexcept;

private:
    int fd_;
    std::atomic<bool> rung_{false};
};

}  // namespace emissary::hub::relay
