// PerfTools/Common: what images and updates of one connection have had of its bytes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace emissary::perf {

/// Counts while images wait. A connection that takes less than is asked for would be filled by updates alone: there are
/// always more of them, and they find the room that the last ones left.
class ImageShare {
public:
    /// Images wait while a connection has more than this to send: an update behind it is a millisecond late or less.
    static constexpr std::size_t kRoomBytes = 256u << 10;
    /// Nanoseconds that images have before the updates of a tick: where these take the whole tick, there would be none.
    static constexpr std::int64_t kNanos = 200'000;

    /// Images begin to wait; the connection has been given `sent` bytes in all.
    void begin(std::uint64_t sent) noexcept {
        start_ = sent;
        updates_ = 0;
        counting_ = true;
    }
    void end() noexcept { counting_ = false; }  ///< none waits any more
    [[nodiscard]] bool counting() const noexcept { return counting_; }
    /// So many bytes of what the connection was given were updates.
    void add(std::uint64_t updates) noexcept { updates_ += updates; }
    /// Less than `percent` (1 to 99) of what the connection has been given since begin(), now `sent` bytes in all, were
    /// no updates.
    [[nodiscard]] bool owed(std::uint64_t sent, std::uint32_t percent) const noexcept {
        const std::uint64_t all = sent > start_ ? sent - start_ : 0;
        const std::uint64_t images = all > updates_ ? all - updates_ : 0;
        return images * (100 - percent) < updates_ * percent;
    }

private:
    std::uint64_t start_ = 0, updates_ = 0;
    bool counting_ = false;
};

}  // namespace emissary::perf
