// The defined states: a peer may send any number that the bits hold (rwf.md 2.10).
#pragma once

#include "eta/codec/Msg.h"

namespace emissary::eta::codec {

/// Whether stream and data state are defined values. Unspecified is one: it says nothing.
[[nodiscard]] constexpr bool isDefined(const State& state) noexcept {
    return state.stream <= StreamState::redirected && state.data <= DataState::suspect;
}

/// The message carries an undefined state: malformed wherever messages enter, though its header can be decoded.
[[nodiscard]] constexpr bool hasUndefinedState(const Msg& msg) noexcept {
    return msg.hasState() && !isDefined(msg.state);
}

}  // namespace emissary::eta::codec
