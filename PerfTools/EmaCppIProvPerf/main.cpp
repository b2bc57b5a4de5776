// EmaCppIProvPerf: serves item requests with images and publishes updates at a given rate.
#include "ProviderRun.h"
#include "ProviderWorker.h"
#include "Settings.h"
#include "ToolMain.h"

#include <cstdio>

namespace {

using namespace emissary::perf;

int run(const ProviderSettings& settings) {
    const MessageData messages = loadMessageData(settings.messageFile);
    std::fflush(stdout);
    if (!messages.marketPrice.present && !messages.marketByOrder.present)
        throw OptionError("Config Error: " + settings.messageFile +
                          " has neither a marketPriceMsgList nor a marketByOrderMsgList.");
    if (settings.genericRate != 0 && messages.marketPrice.generics.empty() && messages.marketByOrder.generics.empty())
        throw OptionError("Config Error: -genericMsgRate needs a genMsg in " + settings.messageFile + ".");
    return ProviderRun(settings, messages).run();
}

}  // namespace

int main(int argc, char** argv) {
    using Config = refinitiv::ema::access::OmmIProviderConfig;
    return toolMain<ProviderWorker, Config>(argc, argv, Tool::provider, &providerSettings, &run);
}
