// The work for requests of clients that one turn of the loop may do.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace emissary::hub {

/// Work is counted, not timed, in bytes of images read; other work counts as the bytes that take about as long. Code
/// that does work spends; code that takes requests asks first whether something is left, and lets them wait otherwise
/// (client::Pace). One image is never cut, so a turn may spend as much more as its last piece of work costs. On the
/// reactor's thread.
class TurnBudget {
public:
    static constexpr std::size_t kOfTurn = 2u << 20;      ///< some milliseconds
    static constexpr std::size_t kOfClient = 256u << 10;  ///< of one client that has waited, until another one's turn
    static constexpr std::size_t kRequest = 1024;         ///< a stream opened, changed or closed
    static constexpr std::size_t kFilter = 4, kText = 8;  ///< times the bytes: cut down to a view, made JSON
    static constexpr std::size_t kOneFilter = 256;        ///< and for each cut, however short the payload
    static constexpr std::size_t kList = 32;              ///< times the bytes: lists in payloads of requests
    static constexpr std::size_t kDirectory = 4;          ///< times the bytes: directory messages to clients

    void spend(std::size_t work) noexcept {
        spent_ += work;
        total_ += work;
    }
    [[nodiscard]] bool left() const noexcept { return spent_ < kOfTurn; }
    /// Of everything so far: two readings tell what was spent between them.
    [[nodiscard]] std::uint64_t total() const noexcept { return total_; }
    /// The turn is over; returns what it spent.
    std::size_t turnOver() noexcept {
        const std::size_t spent = spent_;
        spent_ = 0;
        return spent;
    }

private:
    std::size_t spent_ = 0;
    std::uint64_t total_ = 0;
};

}  // namespace emissary::hub
