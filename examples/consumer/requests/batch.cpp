// Opens many items with one request: a batch. Every item is a stream of its own with a handle of its own; the handle of
// the batch is their parent and is answered once, when the request has been split.
//
//     batch [host:port]     run provider/prices/quotes first
#include "Ema.h"

#include <cstdlib>
#include <iostream>
#include <set>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

class BatchWatcher : public OmmConsumerClient {
public:
    UInt64 batch = 0;
    std::set<UInt64> items;

private:
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent& event) override {
        std::cout << msg.getName() << ": image, " << (event.getParentHandle() == batch ? "of the batch" : "of nobody")
                  << std::endl;
        items.insert(event.getHandle());
    }
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent& event) override {
        std::cout << (event.getHandle() == batch ? "batch: " : "item: ") << msg.getState().toString() << std::endl;
    }
};

int main(int argc, char* argv[]) {
    try {
        BatchWatcher watcher;
        OmmConsumer consumer(OmmConsumerConfig()
                                 .host(argc > 1 ? argv[1] : "localhost:14002")
                                 .operationModel(OmmConsumerConfig::UserDispatchEnum));
        OmmArray names;
        for (const char* name : {"EMI.X", "SSA.X", "RY.X"})
            names.addAscii(name);
        // No name in the request itself: the payload has them.
        ReqMsg request;
        request.serviceName("DIRECT_FEED")
            .payload(ElementList().addArray(ENAME_BATCH_ITEM_LIST, names.complete()).complete());
        watcher.batch = consumer.registerClient(request, watcher);

        for (const UInt64 end = GetTime::getMillis() + 30'000; watcher.items.size() < 3 && GetTime::getMillis() < end;)
            consumer.dispatch(100'000);
        // Items are closed one by one; the batch itself has nothing to close.
        for (const UInt64 item : watcher.items)
            consumer.unregister(item);
        return watcher.items.size() == 3 ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
