// What is counted of the use of a service by a user on a day.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace emissary::hub::usage {

/// Whose use of what. Names are printable, at most 256 bytes of what was said.
struct Key {
    std::string user, service;
    std::string product;  ///< of the item's permission data; empty: they have none that can be read
    friend auto operator<=>(const Key&, const Key&) = default;
};

/// The row for all that are beyond the bound on rows. No product code is a word.
inline const Key kOthers{"", "", "others"};

struct Numbers {
    std::uint64_t opened = 0;          ///< streams that got an image, or an update
    std::chrono::nanoseconds held{0};  ///< that they were open, all added up
    std::uint64_t updates = 0;         ///< of their items meanwhile, without those that passed a paused stream
    std::uint64_t snapshots = 0;       ///< images that were asked for once
    [[nodiscard]] bool any() const noexcept { return (opened | updates | snapshots) != 0 || held.count() != 0; }
    Numbers& operator+=(const Numbers& more) noexcept {
        opened += more.opened;
        held += more.held;
        updates += more.updates;
        snapshots += more.snapshots;
        return *this;
    }
};

}  // namespace emissary::hub::usage
