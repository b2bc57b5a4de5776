// EmaCppNIProvPerf: connects, logs in, publishes its items and updates at a given rate.
#include "PublisherRun.h"
#include "PublisherWorker.h"
#include "Settings.h"
#include "ToolMain.h"

#include <cstdio>

namespace {

using namespace emissary::perf;

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

int run(const NiProviderSettings& settings) {
    const MessageData messages = loadMessageData(settings.messageFile);
    std::fflush(stdout);
    const ItemList items = readItemList(settings.itemFile, settings.itemCount);
    checkInputs(settings, items, messages);
    return PublisherRun(settings, items, messages).run();
}

}  // namespace

int main(int argc, char** argv) {
    using Config = refinitiv::ema::access::OmmNiProviderConfig;
    return toolMain<PublisherWorker, Config>(argc, argv, Tool::niProvider, &niProviderSettings, &run);
}
