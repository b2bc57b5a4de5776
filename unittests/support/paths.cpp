// Paths of files in the source tree.
#include "support/paths.h"

namespace emissary::test {

std::string sourcePath(const char* below) {
    return std::string(EMISSARY_SOURCE_DIR) + below;
}
std::string vectorPath(const char* below) {
    return sourcePath("/unittests/vectors") + below;
}

}  // namespace emissary::test
