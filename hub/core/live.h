// Which mounts get updates: asked where messages fan out, and where another thread is told (To::live).
#pragma once

#include "hub/core/Client.h"
#include "hub/core/Mount.h"

namespace emissary::hub {

/// It has no image yet, nor the first parts of one. A mount that waits for another image keeps its updates: the source
/// of the item may be one that sends no other.
[[nodiscard]] inline bool awaitsImage(const Mount& mount) noexcept {
    return mount.is(Mount::waiting) && !mount.is(Mount::inParts | Mount::began);
}

/// Neither the mount nor its client wants updates held back.
[[nodiscard]] inline bool flows(const Mount& mount, const Client& client) noexcept {
    return !mount.is(Mount::paused) && !client.paused && !client.onStandby;
}

}  // namespace emissary::hub
