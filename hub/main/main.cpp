// emissary-hub: the distribution hub (docs/emissary-hub.md).
#include "hub/main/Program.h"

#include <cstdio>
#include <exception>

int main(int argc, char** argv) {
    using namespace emissary::hub;
    const CommandLine line = readCommandLine(argc, argv);
    if (!line.mistake.empty()) {
        std::fprintf(stderr, "emissary-hub: %s\n", line.mistake.c_str());
        return static_cast<int>(Exit::usage);
    }
    try {
        return static_cast<int>(Program().run(line));
    } catch (const std::exception& e) {
        std::fprintf(stderr, "emissary-hub: %s\n", e.what());
        return static_cast<int>(Exit::unusable);
    }
}
