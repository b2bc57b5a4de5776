// Gives the library a dictionary that the program has loaded: nothing is downloaded at start-up, and several consumers
// of a process can share one.
//
//     own_dictionary [host:port]     run provider/prices/quotes first, and this in a folder with the dictionary files
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

class Image : public OmmConsumerClient {
public:
    bool done = false;

private:
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent&) override {  // why there is no image (yet)
        if (msg.hasState()) std::cerr << msg.getState().toString() << std::endl;
    }
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent&) override {
        const FieldList& fields = msg.getPayload().getFieldList();
        while (fields.forth())
            std::cout << fields.getEntry().getName() << " = " << fields.getEntry().getLoad().toString() << std::endl;
        done = true;
    }
};

int main(int argc, char* argv[]) {
    try {
        DataDictionary dictionary;
        dictionary.loadFieldDictionary("RDMFieldDictionary");
        dictionary.loadEnumTypeDictionary("enumtype.def");
        std::cout << "field dictionary " << dictionary.getFieldVersion() << " with " << dictionary.getEntries().size()
                  << " fields" << std::endl;

        Image image;
        // Not copied: the dictionary must live longer than the consumers that use it.
        OmmConsumerConfig config;
        config.host(argc > 1 ? argv[1] : "localhost:14002").dataDictionary(dictionary, false);
        OmmConsumer consumer(config.operationModel(OmmConsumerConfig::UserDispatchEnum));
        consumer.registerClient(ReqMsg().serviceName("DIRECT_FEED").name("EMI.X").interestAfterRefresh(false), image);
        for (const UInt64 end = GetTime::getMillis() + 30'000; !image.done && GetTime::getMillis() < end;)
            consumer.dispatch(100'000);
        return image.done ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
