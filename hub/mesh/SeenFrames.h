// hub/mesh: which frames have come, for a node that gets each of them on two ways.
#pragma once

#include "hub/mesh/frames.h"

#include <cstdint>
#include <cstring>
#include <vector>

namespace emissary::hub::mesh {

/// Remembers about the last kFrames frames by a hash of all their bytes: sender, epoch, lane and sequence are among
/// them, so two frames that differ in anything are two, whoever made them. What it has forgotten is left to the node,
/// which makes nothing of copies either. Nothing is allocated after the beginning.
class SeenFrames {
public:
    static constexpr std::size_t kFrames = std::size_t{1} << 16;

    /// Whether the frame is a copy of one that was looked at.
    [[nodiscard]] bool isCopy(Bytes frame) noexcept {
        const std::uint64_t hash = hashOf(frame);
        std::uint64_t& place = places_[hash % kFrames];
        if (place == hash) return true;
        place = hash;
        return false;
    }

    /// Its next copy is none.
    void forget(Bytes frame) noexcept {
        const std::uint64_t hash = hashOf(frame);
        std::uint64_t& place = places_[hash % kFrames];
        if (place == hash) place = 0;
    }

private:
    [[nodiscard]] static std::uint64_t hashOf(Bytes frame) noexcept {
        std::uint64_t hash = 0x9E3779B97F4A7C15u;
        const auto mix = [&](std::uint64_t word) {
            hash = (hash ^ word) * 0xD6E8FEB86659FD93u;
            hash ^= hash >> 32;
        };
        mix(frame.size());
        for (; frame.size() >= sizeof(std::uint64_t); frame = frame.subspan(sizeof(std::uint64_t))) {
            std::uint64_t word = 0;
            std::memcpy(&word, frame.data(), sizeof word);
            mix(word);
        }
        std::uint64_t last = 0;
        if (!frame.empty()) std::memcpy(&last, frame.data(), frame.size());
        mix(last);
        return hash != 0 ? hash : 1;  // 0 is an empty place
    }

    std::vector<std::uint64_t> places_ = std::vector<std::uint64_t>(kFrames);
};

}  // namespace emissary::hub::mesh
