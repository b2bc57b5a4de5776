// Which mounts get updates (To::live): used by fan-out, and by the relay, which tells the fronts.
#pragma once

#include "hub/core/Client.h"
#include "hub/core/Mount.h"

namespace emissary::hub {

/// It has no image yet, nor the first parts of one, or has missed updates and waits for the image that mends that. A
/// mount that waits for another image and has missed nothing keeps its updates: the source may send no other image.
[[nodiscard]] inline bool awaitsImage(const Mount& mount) noexcept {
    return mount.is(Mount::waiting) && !mount.is(Mount::inParts) &&
           (!mount.is(Mount::began) || mount.is(Mount::missed));
}

/// Neither the mount nor its client wants updates held back.
[[nodiscard]] inline bool flows(const Mount& mount, const Client& client) noexcept {
    return !mount.is(Mount::paused) && !client.paused && !client.onStandby;
}

}  // namespace emissary::hub
