// hub/config: how often the updates of an item go to its clients (hub.md 8.2).
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace emissary::hub {

/// A rule for the rate of updates. The modes join more from one to the next.
struct Conflation {
    enum class Mode : std::uint8_t {
        none,       ///< as they come, even when a client is behind
        jit,        ///< as they come; those for a client that is behind are joined (SlowLimits)
        tradesafe,  ///< of SlowLimits::conflateTypes one in an interval; all others at once, what waits ahead of them
        interval,   ///< of all types one in an interval
    };
    Mode mode = Mode::jit;
    std::chrono::milliseconds interval{333};
    friend bool operator==(const Conflation&, const Conflation&) = default;

    /// Updates wait for the end of an interval.
    [[nodiscard]] bool hasInterval() const noexcept { return mode == Mode::tradesafe || mode == Mode::interval; }
};

/// Both hold: the longer interval, and of the modes the one that joins more. Of rules without an interval the second
/// wins over jit. Which of several rules comes first decides nothing but that.
[[nodiscard]] Conflation stricter(const Conflation& rule, const std::optional<Conflation>& other) noexcept;

/// Different rules with an interval that a hub may have, of services, ports and user classes together; also the most
/// different rules of services, and the most user classes.
inline constexpr std::size_t kMostConflations = 63;

}  // namespace emissary::hub
