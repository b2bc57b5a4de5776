// The contents of a source directory request (rdm.md 3).
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace emissary::reactor {
class TurnShare;
}

namespace emissary::reactor::session {

/// What a directory request asks for.
struct DirectoryOptions {
    std::uint32_t filter = 63;               ///< rdm::DirectoryFilter bits; all six
    std::optional<std::uint16_t> serviceId;  ///< of this service only
    bool streaming = true;
    /// From the request, or the last part of its answer, until the directory is complete; then the connection is given
    /// up for the next one. 0 = no limit.
    std::chrono::milliseconds timeout{45'000};
    /// The role applies directory messages in steps, within this share of a turn, and reads nothing else from the
    /// server meanwhile. Borrowed, outlives the role. Null: within 2 ms of its own. With a share, and while nobody has
    /// opened the directory, the services of a lost connection go in steps as well.
    TurnShare* share = nullptr;
};

}  // namespace emissary::reactor::session
