// Wakes a thread that has nothing to do.
#pragma once

#include <atomic>

namespace emissary::hub::relay {

/// An event descriptor that is written only when nobody has done so since it was looked at: what is rung in a row costs
/// an atomic exchange.
class Bell {
public:
    /// Throws std::system_error when descriptors are exhausted.
    Bell();
    ~Bell();
    Bell(const Bell&) = delete;
    Bell& operator=(const Bell&) = delete;

    /// Readable from ring() to silence().
    [[nodiscard]] int fd() const noexcept { return fd_; }
    /// Any thread. What the caller wrote before is seen by who calls silence() after it.
    void ring() noexcept;
    /// The woken thread, before it looks once more at what it was rung for.
    void silence() noexcept;

private:
    int fd_;
    std::atomic<bool> rung_{false};
};

}  // namespace emissary::hub::relay
