// Why a call of set-up was refused, for a person (docs/errors.md).
#pragma once

#include <string>

namespace emissary::eta {

/// A sentence that a person can act on; empty: the call was not refused.
struct [[nodiscard]] Refused {
    std::string text;
    /// True when the call was refused.
    explicit operator bool() const noexcept { return !text.empty(); }
};

}  // namespace emissary::eta
