// What a source directory request says (rdm.md 3).
#pragma once

#include <cstdint>
#include <optional>

namespace emissary::reactor::client {

/// What a directory request asks for.
struct DirectoryOptions {
    std::uint32_t filter = 63;               ///< rdm::DirectoryFilter bits; all six
    std::optional<std::uint16_t> serviceId;  ///< of this service only
    bool streaming = true;
};

}  // namespace emissary::reactor::client
