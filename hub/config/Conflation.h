// hub/config: how often the updates of an item go to its clients (hub.md 8.2).
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

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

/// Lower rates of one service that requests may ask for.
inline constexpr std::size_t kMostOfferedRates = 3;

/// What holds for the rate of a service.
struct ServiceRates {
    ServiceRates() = default;
    ServiceRates(const Conflation& c) : rule(c) {}
    ServiceRates(const Conflation& c, std::vector<Conflation> rates, bool says)
        : rule(c), offered(std::move(rates)), announced(says) {}

    Conflation rule;
    std::vector<Conflation> offered;  ///< that a request may ask for by its QoS, at most kMostOfferedRates
    bool announced = false;           ///< directory and images have the QoS that `rule` makes of the sources'

    // A mount has one number for its QoS (Mount::qos): the place in the list of the sources, and which rate of
    // `offered` it is to have, 0 being none of them.
    [[nodiscard]] std::size_t ways() const noexcept { return offered.size() + 1; }

    friend bool operator==(const ServiceRates&, const ServiceRates&) = default;
};

/// The rule of a request that asks for one of the rates that its service offers; `rule`: what holds without it.
[[nodiscard]] Conflation asked(const Conflation& rule, const Conflation& rate) noexcept;

}  // namespace emissary::hub
