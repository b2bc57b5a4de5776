// The values that go with one message through all its containers.
#pragma once

#include "hub/cache/ImageStore.h"

namespace emissary::hub::cache {

/// What a message may do, and what came of it so far.
struct Pass {
    bool ripple = false;           ///< an update without DO_NOT_RIPPLE
    bool addUnknownFields = true;  ///< to lists that are there
    std::uint32_t maxEntries = 0;  ///< of one container
    bool current = true;           ///< what is stored afterwards tells the truth
    Applied fault = Applied::ok;   ///< malformed or full: nothing more is applied
    Counts* counts = nullptr;

    /// Nothing has failed.
    [[nodiscard]] bool ok() const noexcept { return fault == Applied::ok; }
    /// The first failure is kept.
    void fail(Applied why) noexcept {
        if (fault == Applied::ok) fault = why;
    }
};

}  // namespace emissary::hub::cache
