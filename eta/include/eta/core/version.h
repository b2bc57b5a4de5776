// eta/core: the version of the project, written down once: in the project() call of the top CMakeLists.txt.
#pragma once
#include <string_view>

namespace emissary {

/// Major, minor and patch number of this build, for example `0.3.0`. It stands in the handshake of every connection
/// (docs/spec/transport.md section 3), in the package and in what `--version` of each program prints. Any thread may
/// call it.
[[nodiscard]] std::string_view version() noexcept;

}  // namespace emissary
