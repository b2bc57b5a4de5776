// Asks for an item without saying which service shall deliver it: a service list names several, and the library takes
// the first one that can (request routing).
//
//     service_list [host:port]     run provider/prices/quotes first
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;

class Image : public OmmConsumerClient {
public:
    bool done = false;

private:
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent&) override {
        std::cout << msg.getName() << " came from " << msg.getServiceName() << std::endl;
        done = true;
    }
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent&) override {
        if (msg.hasState()) std::cout << msg.getState().toString() << std::endl;
    }
};

int main(int argc, char* argv[]) {
    try {
        ServiceList prices("PRICES");
        prices.addService("NOT_THERE").addService("DIRECT_FEED");
        OmmConsumerConfig config;
        config.host(argc > 1 ? argv[1] : "localhost:14002").addServiceList(prices);

        Image image;
        OmmConsumer consumer(config.operationModel(OmmConsumerConfig::UserDispatchEnum));
        consumer.registerClient(ReqMsg().serviceListName("PRICES").name("EMI.X"), image);
        for (const UInt64 end = GetTime::getMillis() + 30'000; !image.done && GetTime::getMillis() < end;)
            consumer.dispatch(100'000);
        return image.done ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
