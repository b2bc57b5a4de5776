// Asks for a list of symbols and for all that is on it: one request, and the library opens the price of every name that
// the list has or gets. Their messages come to the same client.
//
//     symbol_list_with_data [host:port]     run provider/books/symbol_list first
#include "Ema.h"

#include <cstdlib>
#include <iostream>
#include <set>
#include <string>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

class Watcher : public OmmConsumerClient {
public:
    std::set<std::string> prices;

private:
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent&) override {  // why there is no image (yet)
        if (msg.hasState()) std::cerr << msg.getState().toString() << std::endl;
    }
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent&) override {
        if (msg.getDomainType() == MMT_SYMBOL_LIST) {
            std::cout << "the list" << std::endl;
            return;
        }
        std::cout << "price of " << msg.getName() << std::endl;
        prices.insert(msg.getName().c_str());
    }
};

int main(int argc, char* argv[]) {
    try {
        Watcher watcher;
        OmmConsumer consumer(OmmConsumerConfig()
                                 .host(argc > 1 ? argv[1] : "localhost:14002")
                                 .operationModel(OmmConsumerConfig::UserDispatchEnum));
        // SYMBOL_LIST_DATA_SNAPSHOTS would ask for images alone.
        ElementList payload;
        payload.addElementList(ENAME_SYMBOL_LIST_BEHAVIORS,
                               ElementList().addUInt(ENAME_DATA_STREAMS, SYMBOL_LIST_DATA_STREAMS).complete());
        ReqMsg request;
        request.domainType(MMT_SYMBOL_LIST).serviceName("DIRECT_FEED").name("0#ALL").payload(payload.complete());
        consumer.registerClient(request, watcher);
        // Three names of the image and the one that is added later.
        for (const UInt64 end = GetTime::getMillis() + 30'000; watcher.prices.size() < 4 && GetTime::getMillis() < end;)
            consumer.dispatch(100'000);
        return watcher.prices.size() == 4 ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
