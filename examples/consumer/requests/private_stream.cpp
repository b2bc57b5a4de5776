// Asks for an item, is sent to a private stream by the provider, and opens that: it is never shared with other requests
// for the same item and not opened again by itself after a loss.
//
//     private_stream [host:port]     run provider/requests/private_items first
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;

class Watcher : public OmmConsumerClient {
public:
    bool redirected = false, done = false;

private:
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent&) override {
        std::cout << "image, " << (msg.getPrivateStream() ? "private" : "public") << ", "
                  << msg.getState().getStatusText() << std::endl;
        done = true;
    }
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent&) override {
        std::cout << msg.getState().toString() << std::endl;
        redirected = msg.getState().getStreamState() == OmmState::ClosedRedirectedEnum && msg.getPrivateStream();
    }
};

int main(int argc, char* argv[]) {
    try {
        Watcher watcher;
        OmmConsumer consumer(OmmConsumerConfig()
                                 .host(argc > 1 ? argv[1] : "localhost:14002")
                                 .operationModel(OmmConsumerConfig::UserDispatchEnum));
        const UInt64 end = GetTime::getMillis() + 30'000;
        ReqMsg request;
        consumer.registerClient(request.serviceName("DIRECT_FEED").name("MY_ORDERS"), watcher);
        while (!watcher.redirected && GetTime::getMillis() < end)
            consumer.dispatch(100'000);
        consumer.registerClient(request.clear().serviceName("DIRECT_FEED").name("MY_ORDERS").privateStream(true),
                                watcher);
        while (!watcher.done && GetTime::getMillis() < end)
            consumer.dispatch(100'000);
        return watcher.done ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
