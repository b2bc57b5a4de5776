// EmaCppConsPerf: requests items, reads their images and updates and measures how fast and how late they come.
#include "ConsumerRun.h"
#include "ConsumerWorker.h"
#include "InputError.h"
#include "ItemList.h"
#include "Options.h"
#include "PrintConfig.h"
#include "Settings.h"
#include "StopSignal.h"

#include <cstdio>

namespace {

using namespace emissary::perf;

constexpr int kFailure = 255;

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

int run(std::span<const std::string_view> arguments) {
    Options options(Tool::consumer);
    options.parse(arguments);
    if (options.helpWanted()) {
        std::fputs(options.usage().c_str(), stdout);
        return 0;
    }
    const ConsumerSettings settings = consumerSettings(options);
    if (options.flag("--print-config")) {
        printConfig<refinitiv::ema::access::OmmConsumerConfig>(
            options, settings.threads.size(),
            [&settings](auto& config, std::size_t number) { ConsumerWorker::configure(config, settings, number); });
        return 0;
    }
    installStopSignal();  // before the first line: who reads it may already press Ctrl-C
    std::printf("--- TEST INPUTS ---\n\n%s\n", settings.testInputs.c_str());
    std::fflush(stdout);

    std::string error;
    if (!bindThisThread(settings.mainThread, error)) throw InputError(error);
    const ItemList items = readItemList(settings.itemFile, settings.itemCount);
    MessageData messages;  // only posts and generic messages need templates
    if (settings.postRate != 0 || settings.genericRate != 0) messages = loadMessageData(settings.messageFile);
    checkInputs(settings, items, messages);
    return ConsumerRun(settings, items, messages).run();
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
