// tools/truthfeed: an item as a consumer watches it.
#pragma once

#include "Truth.h"

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <utility>

namespace emissary::truthfeed {

/// What the consumer wants of a stream now.
enum class Interest : std::uint8_t {
    awaited,  ///< it asked for an image, which has not come
    open,
    paused,
};

struct Watched {
    std::string service;
    unsigned number;
    Copy copy;
    bool ok = false;  ///< the last state said so
    std::string last = "nothing came";
    std::uint64_t handle = 0;  ///< 0: not asked for
    Interest interest = Interest::awaited;
    std::int64_t agesFromMs = 0;     ///< before, its age says nothing: it was paused
    std::int64_t resumeMs = 0;       ///< when a paused one is resumed
    std::int64_t oldestImageMs = 0;  ///< of images that were Ok since the last sample, the highest age

    Watched(std::string s, unsigned n) : service(std::move(s)), number(n), copy(n) {}
    [[nodiscard]] std::string text() const { return service + "/" + Truth(number).name(); }
};

/// The same numbers for the same seed.
class Dice {
public:
    explicit Dice(std::uint32_t seed) : numbers_(seed) {}
    std::uint32_t operator()() { return static_cast<std::uint32_t>(numbers_()); }

private:
    std::mt19937 numbers_;
};

/// Says what is wrong; null: with no single item.
using Wrong = std::function<void(const Watched*, const std::string&)>;

}  // namespace emissary::truthfeed
