// hub/mesh: the receiving end of a lane: which of its frames have come, and up to when that is proven to be all.
#pragma once

#include "eta/core/Clock.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace emissary::hub::mesh {

/// Counts sequences; knows nothing of items. A frame that is missing may come later; after a while it is lost, and what
/// the lane carried is no longer certain. Bounded: it remembers kMostHoles places where frames are missing.
class LaneIn {
public:
    enum class Frame : std::uint8_t { next, late, repeated };
    /// Frames are lost: what the lane carries is uncertain, and was certain before.
    struct Loss {
        eta::TimePoint since;   ///< when it was noticed that something is missing
        eta::TimePoint proven;  ///< provenAt() then
    };

    /// A frame has come.
    Frame received(std::uint64_t sequence, eta::TimePoint now) noexcept;
    /// The sender says that `sequence` was its last one, and said so after this node's time `at`.
    void claimed(std::uint64_t sequence, eta::TimePoint at, eta::TimePoint now) noexcept;
    /// Frames up to this one are lost for a reason of the caller's.
    void lose(std::uint64_t sequence, eta::TimePoint now) noexcept;
    /// Gives frames up that have been missing since before `before`. A loss is returned once.
    [[nodiscard]] std::optional<Loss> expire(eta::TimePoint before) noexcept;

    /// Everything behind this sequence has come or may still come; what came up to it is uncertain.
    [[nodiscard]] std::uint64_t lostUpTo() const noexcept { return lostUpTo_; }
    /// Everything that was sent before this time of this node has come (apart from lostUpTo()).
    [[nodiscard]] eta::TimePoint provenAt() const noexcept { return provenAt_; }
    [[nodiscard]] bool started() const noexcept { return next_ != 0; }
    [[nodiscard]] bool missing() const noexcept { return holes_ != 0; }
    /// Times that frames were found missing.
    [[nodiscard]] std::uint64_t gaps() const noexcept { return gaps_; }

    static constexpr std::size_t kMostHoles = 128;

private:
    struct Hole {
        std::uint64_t from, to;
        eta::TimePoint since;
    };
    void open(std::uint64_t from, std::uint64_t to, eta::TimePoint now) noexcept;
    void giveUp(std::uint64_t upTo, eta::TimePoint since) noexcept;
    void erase(std::size_t hole) noexcept;
    void prove() noexcept;

    std::uint64_t next_ = 0;  // 0: nothing is known of the lane
    std::uint64_t lostUpTo_ = 0, claim_ = 0, gaps_ = 0;
    eta::TimePoint provenAt_ = eta::TimePoint::min(), claimAt_ = eta::TimePoint::min();
    std::array<Hole, kMostHoles> hole_{};
    std::size_t holes_ = 0;
    std::optional<Loss> loss_;
};

}  // namespace emissary::hub::mesh
