// PerfTools/CommonEma: the main() of the tools on the message API.
#pragma once
#include "CpuBinding.h"
#include "Ema.h"
#include "InputError.h"
#include "Options.h"
#include "PrintConfig.h"
#include "StopSignal.h"
#include "TextFile.h"

#include <cstdio>
#include <exception>
#include <malloc.h>
#include <string_view>
#include <vector>

namespace emissary::perf {

using namespace messages;

/// Blocks from this size on go back to the system when they are freed, as those of tables do that grow with the items.
/// By itself the heap keeps blocks that are no larger than the largest one that was ever freed.
inline constexpr int kOwnBlock = 256 << 10;

/// Reads the options with `read`, serves -? and --print-config, prints the inputs, binds the main thread and does
/// `work`. `Worker::configure()` is what a thread makes of a `Config`. Returns the exit code; prints what is thrown.
template <class Worker, class Config, class Settings>
int toolMain(int argc, char** argv, Tool tool, Settings (*read)(Options&), int (*work)(const Settings&)) {
    constexpr int kFailure = 255;
#ifdef M_MMAP_THRESHOLD
    ::mallopt(M_MMAP_THRESHOLD, kOwnBlock);
#endif
    const std::vector<std::string_view> arguments(argv + 1, argv + argc);
    try {
        Options options(tool);
        options.parse(arguments);
        if (const std::string text = options.toldInstead(); !text.empty()) {
            std::fputs(text.c_str(), stdout);
            return codeOfOutput(0, kFailure);
        }
        const Settings settings = read(options);
        if (options.flag("--print-config")) {
            printConfig<Config>(options, settings.threads.size(), [&settings](Config& config, std::size_t number) {
                Worker::configure(config, settings, number);
            });
            return codeOfOutput(0, kFailure);
        }
        installStopSignal();  // before the first line, because a reader of it may press Ctrl-C at once
        std::printf("--- TEST INPUTS ---\n%s%s\n", tool == Tool::consumer ? "\n" : "", settings.testInputs.c_str());
        std::fflush(stdout);
        std::string error;
        if (!bindThisThread(settings.mainThread, error)) throw InputError(error);
        const int code = work(settings);
        return codeOfOutput(code, kFailure);
    } catch (const std::exception& exception) {
        std::printf("%s\n", exception.what());
    } catch (const refinitiv::ema::access::OmmException& exception) {
        std::printf("ERROR: TEST FAILED due to error: %s\n", exception.getText().c_str());
    }
    return codeOfOutput(kFailure, kFailure);
}

}  // namespace emissary::perf
