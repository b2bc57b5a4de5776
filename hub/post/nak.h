// Why a post was not taken (hub.md 7.3).
#pragma once

#include <cstdint>
#include <string_view>

namespace emissary::hub::post {

/// Reasons of negative acknowledgements (rdm.md 1.5).
enum class Nak : std::uint8_t {
    none = 0,  ///< the post was taken
    accessDenied = 1,
    deniedBySource = 2,
    sourceDown = 3,
    sourceUnknown = 4,
    noResources = 5,
    noResponse = 6,
    gatewayDown = 7,
    symbolUnknown = 10,
    notOpen = 11,
    invalidContent = 12,
};

/// What came of a post, or that it is not known yet.
struct Outcome {
    Nak nak = Nak::none;
    std::string_view text = {};  ///< of a refusal; a literal
    bool pending = false;        ///< the source will say
};

inline constexpr Outcome kTaken{};
inline constexpr Outcome kPending{.pending = true};

}  // namespace emissary::hub::post
