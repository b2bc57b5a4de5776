// Compares the updates of one item from two sources: the same ones, in the same order (hub.md 4.2).
#pragma once

#include "eta/core/bytes.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

namespace emissary::hub::upstream {

/// Keeps a hash of each update that one of the two sources has sent and the other has not yet, at most kMost a side. A
/// match says what lies between: updates in front of it that only one side has are missing or extra, those that both
/// sides have something for are different. Nothing is kept of payloads.
class PairWindow {
public:
    static constexpr std::size_t kMost = 16;
    enum class Side : std::uint8_t { active, standby };
    /// What an update has shown, in updates.
    struct Found {
        std::uint32_t same = 0, missing = 0, extra = 0, different = 0, late = 0;
        [[nodiscard]] bool differs() const noexcept { return missing + extra + different + late != 0; }
    };

    /// Of an update: its payload, whatever its header says.
    [[nodiscard]] static std::uint32_t hashOf(eta::Bytes payload) noexcept {
        const std::size_t h = std::hash<std::string_view>{}(eta::asText(payload));
        return static_cast<std::uint32_t>(h ^ h >> 32);
    }

    Found came(Side side, std::uint32_t hash) noexcept {
        Queue& own = of(side);
        Queue& other = of(side == Side::active ? Side::standby : Side::active);
        for (std::size_t k = 0; k < other.count; ++k) {
            if (other[k] != hash) continue;
            const Found found = matched(side, own.count, k);
            own.count = 0;
            other.drop(k + 1);
            state_ = State::inStep;
            return found;
        }
        Found found;
        if (own.count == kMost) {
            if (state_ == State::fresh) {
                // Two streams that have not met yet: one may be a good part behind the other.
            } else if (other.count == 0) {
                // The other side has sent nothing for longer than the window: it is late, or has stopped.
                found.late = 1;
                state_ = State::lagging;
            } else if (side == Side::standby && state_ != State::lagging) {
                found.different = 1;
            }
            own.drop(1);
        }
        own.add(hash);
        return found;
    }
    /// A side has sent an image: updates that are in it are not to be waited for.
    void restart() noexcept {
        queues_[0].count = queues_[1].count = 0;
        state_ = State::fresh;
    }

private:
    /// Before the first match it is not known where the two streams meet, and after a lag not what was forgotten.
    enum class State : std::uint8_t { fresh, inStep, lagging };
    struct Queue {
        std::array<std::uint32_t, kMost> hashes{};
        std::uint8_t from = 0, count = 0;
        [[nodiscard]] std::uint32_t operator[](std::size_t i) const noexcept { return hashes[(from + i) % kMost]; }
        void add(std::uint32_t hash) noexcept {
            hashes[(from + count) % kMost] = hash;
            ++count;
        }
        void drop(std::size_t n) noexcept {
            from = static_cast<std::uint8_t>((from + n) % kMost);
            count = static_cast<std::uint8_t>(count - n);
        }
    };
    [[nodiscard]] Queue& of(Side side) noexcept { return queues_[static_cast<std::size_t>(side)]; }
    /// `own`: updates of `side` without a match in front of this one; `skipped`: those of the other side.
    [[nodiscard]] Found matched(Side side, std::size_t own, std::size_t skipped) const noexcept {
        Found found;
        found.same = 1;
        if (state_ != State::inStep) return found;
        const auto active = static_cast<std::uint32_t>(side == Side::active ? own : skipped);
        const auto standby = static_cast<std::uint32_t>(side == Side::active ? skipped : own);
        found.different = active < standby ? active : standby;
        found.missing = active - found.different;
        found.extra = standby - found.different;
        return found;
    }

    std::array<Queue, 2> queues_{};
    State state_ = State::fresh;
};

}  // namespace emissary::hub::upstream
