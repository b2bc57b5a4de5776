// Says how important an item is and how good its data must be: priority class and count with the request and changed
// later, and the quality of service that is wanted. A quality that nobody offers leaves the item waiting.
//
//     priority_and_quality [host:port]     run provider/requests/on_demand first
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;

class Watcher : public OmmConsumerClient {
public:
    int images = 0, refusals = 0;

private:
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent&) override {
        std::cout << msg.getName() << ": image" << std::endl;
        ++images;
    }
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent&) override {
        std::cout << msg.getName() << ": " << msg.getState().getStreamStateAsString() << ", "
                  << msg.getState().getDataStateAsString() << ", " << msg.getState().getStatusText() << std::endl;
        ++refusals;
    }
};

int main(int argc, char* argv[]) {
    try {
        Watcher watcher;
        OmmConsumer consumer(OmmConsumerConfig()
                                 .host(argc > 1 ? argv[1] : "localhost:14002")
                                 .operationModel(OmmConsumerConfig::UserDispatchEnum));
        ReqMsg request;
        request.serviceName("DIRECT_FEED").name("EMI.X").priority(5, 2);
        // The best that there is, timeliness before rate: the same as saying nothing.
        request.qos(ReqMsg::BestTimelinessEnum, ReqMsg::BestRateEnum);
        const UInt64 item = consumer.registerClient(request, watcher);
        // Data that is 60 seconds late: this service has real time only.
        consumer.registerClient(
            request.clear().serviceName("DIRECT_FEED").name("LATE.X").qos(60, ReqMsg::TickByTickEnum), watcher);
        for (const UInt64 end = GetTime::getMillis() + 30'000;
             (watcher.images < 1 || watcher.refusals < 1) && GetTime::getMillis() < end;)
            consumer.dispatch(100'000);
        // More important now; no new image.
        consumer.reissue(request.clear().serviceName("DIRECT_FEED").name("EMI.X").priority(9, 1).initialImage(false),
                         item);
        return watcher.images == 1 && watcher.refusals == 1 ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
