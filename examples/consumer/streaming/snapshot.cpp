// Asks for images alone: interestAfterRefresh(false). Each stream ends with its image, so nothing has to be closed.
// An item that does not exist is answered with a status, and so is a service that nobody offers yet: that request
// waits.
//
//     snapshot [host:port]     run provider/prices/quotes first
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

class Snapshots : public OmmConsumerClient {
public:
    int answers = 0;

private:
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent&) override {
        std::cout << msg.getName() << ": " << msg.getState().getStreamStateAsString();
        const FieldList& fields = msg.getPayload().getFieldList();
        if (fields.forth("BID")) std::cout << ", bid " << fields.getEntry().getReal().toString();
        std::cout << std::endl;
        if (msg.getComplete()) ++answers;
    }
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent&) override {
        const OmmState& state = msg.getState();
        std::cout << (msg.hasName() ? msg.getName().c_str() : "an item") << ": " << state.getStreamStateAsString()
                  << ", " << state.getStatusCodeAsString() << ", " << state.getStatusText() << std::endl;
        ++answers;
    }
};

int main(int argc, char* argv[]) {
    try {
        Snapshots snapshots;
        OmmConsumer consumer(OmmConsumerConfig()
                                 .host(argc > 1 ? argv[1] : "localhost:14002")
                                 .operationModel(OmmConsumerConfig::UserDispatchEnum));
        ReqMsg request;
        for (const char* name : {"EMI.X", "SSA.X"})
            consumer.registerClient(request.clear().serviceName("DIRECT_FEED").name(name).interestAfterRefresh(false),
                                    snapshots);
        // A domain that the provider does not know, and a service that the directory does not list
        // (ServiceWaitTimeOut):
        request.clear().domainType(MMT_MARKET_MAKER).serviceName("DIRECT_FEED").name("EMI.X");
        consumer.registerClient(request.interestAfterRefresh(false), snapshots);
        request.clear().serviceName("NO_SUCH_FEED").name("EMI.X");
        consumer.registerClient(request.interestAfterRefresh(false), snapshots);

        for (const UInt64 end = GetTime::getMillis() + 30'000; snapshots.answers < 4 && GetTime::getMillis() < end;)
            consumer.dispatch(100'000);
        std::cout << snapshots.answers << " answers" << std::endl;
        return snapshots.answers == 4 ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
