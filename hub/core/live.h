// Which mounts get a message: used by fan-out, by the relay, which tells the fronts, and for sinks.
#pragma once

#include "hub/core/Client.h"
#include "hub/core/Deliveries.h"
#include "hub/core/Mount.h"

namespace emissary::hub {

/// It has no image yet, nor the first parts of one, or has missed updates and waits for the image that mends that. A
/// mount that waits for another image and has missed nothing keeps its updates: the source may send no other image.
[[nodiscard]] inline bool awaitsImage(const Mount& mount) noexcept {
    return mount.is(Mount::waiting) && !mount.is(Mount::inParts) &&
           (!mount.is(Mount::began) || mount.is(Mount::missed));
}

/// Neither the mount, on an item of that service, nor its client wants updates held back.
[[nodiscard]] inline bool flows(const Mount& mount, const Client& client, std::uint16_t service) noexcept {
    return !mount.is(Mount::paused) && !client.paused && !client.standsBy(service);
}

/// Whether an update may go to the mount now; one that its client does not want is missed.
[[nodiscard]] inline bool isLive(Mount& mount, const Client& client, std::uint16_t service) noexcept {
    if (awaitsImage(mount)) return false;
    if (flows(mount, client, service)) [[likely]]
        return true;
    mount.set(Mount::missed, true);
    return false;
}

[[nodiscard]] inline bool isFor(Mount& mount, const Client& client, std::uint16_t service, To to) noexcept {
    switch (to) {
    case To::live:
        return isLive(mount, client, service);
    case To::waiting:
        return mount.is(Mount::waiting);
    case To::settled:
        return !mount.is(Mount::waiting);
    case To::all:
        break;
    }
    return true;
}

}  // namespace emissary::hub
