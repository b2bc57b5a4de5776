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
    bool postTemplate = false;  // for the domain of such an item
    bool genericTemplate = false;
    for (std::size_t i = 0; i < items.size(); ++i) {
        // Posts and generic messages need a stream that stays open, so snapshots do not count here.
        const ItemList::Entry& item = items.entry(i);
        if (settings.snapshot || item.snapshot) continue;
        const DomainTemplates& domain =
            item.domain == Domain::marketByOrder ? messages.marketByOrder : messages.marketPrice;
        postItem = postItem || item.post;
        genericItem = genericItem || item.generic;
        postTemplate = postTemplate || (item.post && !domain.posts.empty());
        genericTemplate = genericTemplate || (item.generic && !domain.generics.empty());
    }
    const auto require = [](bool condition, const std::string& text) {
        if (!condition) throw OptionError("Config Error: " + text);
    };
    const bool post = settings.postRate != 0;
    const bool generic = settings.genericRate != 0;
    require(!post || postItem, "-postingRate needs a streaming item with post=\"true\" in " + settings.itemFile + ".");
    require(!generic || genericItem,
            "-genericMsgRate needs a streaming item with genMsg=\"true\" in " + settings.itemFile + ".");
    require(!post || postTemplate,
            "-postingRate needs a postMsg in " + settings.messageFile + " for the items' domain.");
    require(!generic || genericTemplate,
            "-genericMsgRate needs a genMsg in " + settings.messageFile + " for the items' domain.");
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
