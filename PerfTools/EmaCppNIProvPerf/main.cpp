// EmaCppNIProvPerf: connects, logs in, publishes its items and updates at a given rate.
#include "InputError.h"
#include "Options.h"
#include "PrintConfig.h"
#include "PublisherRun.h"
#include "PublisherWorker.h"
#include "Settings.h"
#include "StopSignal.h"

#include <cstdio>

namespace {

using namespace emissary::perf;

constexpr int kFailure = 255;

// Every item needs an image and, when there are updates, something to update.
void checkInputs(const NiProviderSettings& settings, const ItemList& items, const MessageData& messages) {
    for (std::size_t i = 0; i < items.size(); ++i) {
        const bool orders = items.entry(i).domain == Domain::marketByOrder;
        if (!(orders ? messages.marketByOrder : messages.marketPrice).present)
            throw OptionError("Config Error: " + settings.messageFile + " has no " +
                              (orders ? "marketByOrderMsgList" : "marketPriceMsgList") + ", which item '" +
                              std::string(items.name(i)) + "' of " + settings.itemFile + " needs.");
    }
}

int run(std::span<const std::string_view> arguments) {
    Options options(Tool::niProvider);
    options.parse(arguments);
    if (options.helpWanted()) {
        std::fputs(options.usage().c_str(), stdout);
        return 0;
    }
    const NiProviderSettings settings = niProviderSettings(options);
    if (options.flag("--print-config")) {
        printConfig<refinitiv::ema::access::OmmNiProviderConfig>(
            options, settings.threads.size(),
            [&settings](auto& config, std::size_t number) { PublisherWorker::configure(config, settings, number); });
        return 0;
    }
    installStopSignal();  // before the first line: who reads it may already press Ctrl-C
    std::printf("--- TEST INPUTS ---\n%s\n", settings.testInputs.c_str());
    std::fflush(stdout);

    std::string error;
    if (!bindThisThread(settings.mainThread, error)) throw InputError(error);
    const MessageData messages = loadMessageData(settings.messageFile);
    std::fflush(stdout);
    const ItemList items = readItemList(settings.itemFile, settings.itemCount);
    checkInputs(settings, items, messages);
    return PublisherRun(settings, items, messages).run();
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
