// TransportPerf: what the transport alone carries, from a server to a client, back, or both ways.
#include "InputError.h"
#include "Options.h"
#include "StopSignal.h"
#include "TransportRun.h"
#include "TransportSettings.h"

#include <cstdio>

namespace {

using namespace emissary::perf;
using emissary::messages::InputError;

constexpr int kFailure = 255;

int run(std::span<const std::string_view> arguments) {
    Options options(Tool::transport);
    options.parse(arguments);
    if (const std::string text = options.toldInstead(); !text.empty()) {
        std::fputs(text.c_str(), stdout);
        return codeOfOutput(0, kFailure);
    }
    const TransportPerfSettings settings = transportPerfSettings(options);
    installStopSignal();  // before the first line, because a reader of it may press Ctrl-C at once
    std::printf("--- TEST INPUTS ---\n%s\n", settings.testInputs.c_str());
    std::fflush(stdout);
    std::string error;
    // Bound before the workers begin: each binds itself again, by its own entry of -threads.
    if (!bindThisThread(settings.mainThread, error)) throw InputError(error);
    return codeOfOutput(TransportRun(settings).run(), kFailure);
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string_view> arguments(argv + 1, argv + argc);
    try {
        return run(arguments);
    } catch (const std::exception& exception) {
        std::printf("%s\n", exception.what());
        return kFailure;
    }
}
