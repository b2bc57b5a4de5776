// When a stream is over (rdm.md 1.2).
#pragma once

#include "eta/codec/Msg.h"

namespace emissary::reactor::rdm {

/// True when nothing follows this message on its stream: a final state, or NonStreaming on a complete refresh. A status
/// without a state changes nothing.
[[nodiscard]] inline bool endsStream(const eta::codec::Msg& m) noexcept {
    using namespace eta::codec;
    if (!m.hasState()) return false;
    if (m.state.isFinal()) return true;
    return m.cls == MsgClass::Refresh && m.state.stream == StreamState::nonStreaming && m.has(RefreshFlag::complete);
}

}  // namespace emissary::reactor::rdm
