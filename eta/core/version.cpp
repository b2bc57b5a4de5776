// Returns the version that CMake has passed in.
#include "eta/core/version.h"

namespace emissary {

std::string_view version() noexcept {
    return EMISSARY_VERSION;
}

}  // namespace emissary
