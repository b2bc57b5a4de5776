// Why a call of set-up was refused, for a person (docs/errors.md).
#pragma once

#include <string>

namespace emissary::eta {

/// A sentence that a person can act on: what, where, what to do; empty: the call was not refused. A call that gives
/// nothing else returns one; a call that gives something takes one as its last parameter, and gives null, 0 or empty
/// when it refuses. Owns its text.
struct [[nodiscard]] Refused {
    std::string text;  ///< the sentence
    /// True when the call was refused.
    explicit operator bool() const noexcept { return !text.empty(); }
};

}  // namespace emissary::eta
