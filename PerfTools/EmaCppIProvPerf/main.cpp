// EmaCppIProvPerf: serves item requests with images and publishes updates at a given rate.
#include "InputError.h"
#include "Options.h"
#include "PrintConfig.h"
#include "ProviderRun.h"
#include "ProviderWorker.h"
#include "Settings.h"
#include "StopSignal.h"

#include <cstdio>

namespace {

using namespace emissary::perf;

constexpr int kFailure = 255;

int run(std::span<const std::string_view> arguments) {
    Options options(Tool::provider);
    options.parse(arguments);
    if (options.helpWanted()) {
        std::fputs(options.usage().c_str(), stdout);
        return 0;
    }
    const ProviderSettings settings = providerSettings(options);
    if (options.flag("--print-config")) {
        printConfig<refinitiv::ema::access::OmmIProviderConfig>(
            options, settings.threads.size(),
            [&settings](auto& config, std::size_t number) { ProviderWorker::configure(config, settings, number); });
        return 0;
    }
    installStopSignal();  // before the first line: who reads it may already press Ctrl-C
    std::printf("--- TEST INPUTS ---\n%s\n", settings.testInputs.c_str());
    std::fflush(stdout);

    std::string error;
    if (!bindThisThread(settings.mainThread, error)) throw InputError(error);
    const MessageData messages = loadMessageData(settings.messageFile);
    std::fflush(stdout);
    if (!messages.marketPrice.present)
        throw OptionError("Config Error: " + settings.messageFile + " has no marketPriceMsgList.");
    if (settings.genericRate != 0 && messages.marketPrice.generics.empty())
        throw OptionError("Config Error: -genericMsgRate needs a genMsg in " + settings.messageFile + ".");
    return ProviderRun(settings, messages).run();
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string_view> arguments(argv + 1, argv + argc);
    try {
        return run(arguments);
    } catch (const std::exception& exception) {
        std::printf("%s\n", exception.what());
        return kFailure;
    } catch (const refinitiv::ema::access::OmmException& exception) {
        std::printf("ERROR: TEST FAILED due to error: %s\n", exception.getText().c_str());
        return kFailure;
    }
}
