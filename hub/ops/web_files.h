// Files that browsers get as they are: the status page (hub/ops/web), the live page and the module it stands on (web).
#pragma once

#include <string_view>

namespace emissary::hub::ops {

struct WebFile {
    std::string_view path;  ///< of the request
    std::string_view type;  ///< Content-Type
    std::string_view text;
};

/// Null when there is none of this path. Lives as long as the program.
[[nodiscard]] const WebFile* findWebFile(std::string_view path) noexcept;

}  // namespace emissary::hub::ops
