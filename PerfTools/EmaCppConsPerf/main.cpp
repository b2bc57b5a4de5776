// EmaCppConsPerf: requests items, reads their images and updates and measures how fast and how late they come.
#include "ConsumerRun.h"
#include "ConsumerWorker.h"
#include "ItemList.h"
#include "Settings.h"
#include "ToolMain.h"

#include <cstdio>

namespace {

using namespace emissary::perf;

// Templates and items that the options need.
void checkInputs(const ConsumerSettings& settings, const ItemList& items, const MessageData& messages) {
    bool postItem = false;
    bool genericItem = false;
    for (std::size_t i = 0; i < items.size(); ++i) {
        postItem = postItem || items.entry(i).post;
        genericItem = genericItem || items.entry(i).generic;
    }
    const auto require = [](bool condition, const std::string& text) {
        if (!condition) throw OptionError("Config Error: " + text);
    };
    const bool post = settings.postRate != 0;
    const bool generic = settings.genericRate != 0;
    require(!post || !messages.marketPrice.posts.empty(),
            "-postingRate needs a postMsg in " + settings.messageFile + ".");
    require(!generic || !messages.marketPrice.generics.empty(),
            "-genericMsgRate needs a genMsg in " + settings.messageFile + ".");
    require(!post || postItem, "-postingRate needs an item with post=\"true\" in " + settings.itemFile + ".");
    require(!generic || genericItem,
            "-genericMsgRate needs an item with genMsg=\"true\" in " + settings.itemFile + ".");
}

int run(const ConsumerSettings& settings) {
    const ItemList items = readItemList(settings.itemFile, settings.itemCount);
    MessageData messages;  // only posts and generic messages need templates
    if (settings.postRate != 0 || settings.genericRate != 0) messages = loadMessageData(settings.messageFile);
    checkInputs(settings, items, messages);
    return ConsumerRun(settings, items, messages).run();
}

}  // namespace

int main(int argc, char** argv) {
    using Config = refinitiv::ema::access::OmmConsumerConfig;
    return toolMain<ConsumerWorker, Config>(argc, argv, Tool::consumer, &consumerSettings, &run);
}
