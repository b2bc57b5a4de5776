// Gets errors as calls instead of exceptions: with an error client nothing is thrown any more once the consumer is
// being made; wrong uses are reported to the client, with the same texts.
//
//     error_client [host:port]     run provider/prices/quotes first
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

class ErrorLog : public OmmConsumerErrorClient {
public:
    int errors = 0;

    void onInvalidUsage(const EmaString& text, Int32 errorCode) override {
        std::cout << "wrong use (" << errorCode << "): " << text << std::endl;
        ++errors;
    }
    void onInvalidHandle(UInt64, const EmaString& text) override {
        std::cout << "wrong handle: " << text << std::endl;
        ++errors;
    }
};

class Watcher : public OmmConsumerClient {
public:
    int images = 0;

private:
    void onRefreshMsg(const RefreshMsg&, const OmmConsumerEvent&) override { ++images; }
};

int main(int argc, char* argv[]) {
    // What is wrong with the configuration itself is still thrown.
    try {
        ErrorLog errors;
        Watcher watcher;
        OmmConsumer consumer(OmmConsumerConfig()
                                 .host(argc > 1 ? argv[1] : "localhost:14002")
                                 .operationModel(OmmConsumerConfig::UserDispatchEnum),
                             errors);
        if (errors.errors > 0) return EXIT_FAILURE;  // no connection: the object is of no use

        // A dictionary request needs a name.
        const UInt64 refused =
            consumer.registerClient(ReqMsg().domainType(MMT_DICTIONARY).serviceName("DIRECT_FEED"), watcher);
        std::cout << "handle " << refused << std::endl;
        // No stream has this handle.
        consumer.reissue(ReqMsg().serviceName("DIRECT_FEED").name("EMI.X"), 12345);
        consumer.submit(GenericMsg().payload(ElementList().addUInt("Hello", 1).complete()), 12345);
        // No limit has this code.
        consumer.modifyIOCtl(-1, 0);
        std::cout << errors.errors << " errors, and still at work" << std::endl;

        consumer.registerClient(ReqMsg().serviceName("DIRECT_FEED").name("EMI.X"), watcher);
        for (const UInt64 end = GetTime::getMillis() + 30'000; watcher.images < 1 && GetTime::getMillis() < end;)
            consumer.dispatch(100'000);
        std::cout << watcher.images << " image" << std::endl;
        return watcher.images == 1 ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
