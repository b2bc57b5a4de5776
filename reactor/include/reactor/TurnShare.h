// The time that one turn of the loop gives to work that one message can make long.
#pragma once

#include "eta/core/Clock.h"
#include "reactor/TurnEnd.h"

#include <chrono>

namespace emissary::reactor {

/// A share of every turn's time for all work of one kind. Work beyond it goes on in the next turn, from a timer without
/// delay. Measured on the steady clock, whatever clock the loop has. Registered with its reactor for its life.
/// Dispatching thread only, with the session lock held.
class TurnShare final : TurnEnd {
public:
    /// Gives `ofTurn` of each turn. Throws std::bad_alloc.
    TurnShare(Reactor& reactor, std::chrono::microseconds ofTurn) : TurnEnd(reactor), ofTurn_(ofTurn) {}

    /// Time that is spent while it lives counts. Pieces of one share do not overlap.
    class Piece {
    public:
        /// Begins now.
        explicit Piece(TurnShare& share) noexcept : share_(share), begun_(eta::Clock::now()) {}
        ~Piece() { share_.spent_ += eta::Clock::now() - begun_; }
        Piece(const Piece&) = delete;
        Piece& operator=(const Piece&) = delete;
        /// Ask after each step. A piece does its first step even if the share is spent.
        [[nodiscard]] bool left() const noexcept {
            return share_.spent_ + (eta::Clock::now() - begun_) < share_.ofTurn_;
        }

    private:
        TurnShare& share_;
        const eta::TimePoint begun_;
    };
    /// Something is left of this turn.
    [[nodiscard]] bool left() const noexcept { return spent_ < ofTurn_; }

private:
    void onTurnEnd() noexcept override { spent_ = {}; }

    const std::chrono::microseconds ofTurn_;
    eta::Duration spent_{};
};

}  // namespace emissary::reactor
