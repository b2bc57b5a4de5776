// Which states there are: a peer may send any number that the bits hold (rwf.md 2.10).
#pragma once

#include "eta/codec/Msg.h"

namespace emissary::eta::codec {

/// Both numbers are states that streams and their data have. Unspecified is one of them: it says nothing.
[[nodiscard]] constexpr bool isDefined(const State& state) noexcept {
    return state.stream <= StreamState::redirected && state.data <= DataState::suspect;
}

/// The message carries a state, and it is none: malformed wherever messages enter, though its header can be decoded.
[[nodiscard]] constexpr bool hasUndefinedState(const Msg& msg) noexcept {
    return msg.hasState() && !isDefined(msg.state);
}

}  // namespace emissary::eta::codec
