// The contents of a source directory request (rdm.md 3).
#pragma once

#include <cstdint>
#include <optional>

namespace emissary::reactor {
class TurnShare;
}

namespace emissary::reactor::client {

/// What a directory request asks for.
struct DirectoryOptions {
    std::uint32_t filter = 63;               ///< rdm::DirectoryFilter bits; all six
    std::optional<std::uint16_t> serviceId;  ///< of this service only
    bool streaming = true;
    /// What the server says of its directory is taken over in steps, within this share of a turn, and nothing else is
    /// read from it meanwhile. Borrowed, outlives the role; null: at once. While the application has directory streams
    /// it is done at once as well.
    TurnShare* share = nullptr;
};

}  // namespace emissary::reactor::client
