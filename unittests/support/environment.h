// Numbers by which a longer or another run of a test is asked for.
#pragma once

#include <cstdlib>

namespace emissary::test {

/// Of the environment's variable `name`; `otherwise` when it is not set.
[[nodiscard]] inline unsigned long numberFromEnvironment(const char* name, unsigned long otherwise) {
    const char* const text = std::getenv(name);
    return text != nullptr ? std::strtoul(text, nullptr, 10) : otherwise;
}

}  // namespace emissary::test
