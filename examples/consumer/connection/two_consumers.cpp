// Two consumers in one program, each with its own connection and thread: one dispatches for itself, the other is
// dispatched here. The same item through both.
//
//     two_consumers [host:port [second host:port]]     run provider/prices/quotes first
#include "Ema.h"

#include <atomic>
#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;

class Counter : public OmmConsumerClient {
public:
    std::atomic<int> updates{0};

private:
    void onUpdateMsg(const UpdateMsg&, const OmmConsumerEvent&) override { ++updates; }
};

int main(int argc, char* argv[]) {
    const char* first = argc > 1 ? argv[1] : "localhost:14002";
    try {
        Counter ownThread, thisThread;
        OmmConsumer one(OmmConsumerConfig().host(first).username("one"));
        OmmConsumer two(OmmConsumerConfig()
                            .host(argc > 2 ? argv[2] : first)
                            .username("two")
                            .operationModel(OmmConsumerConfig::UserDispatchEnum));
        std::cout << one.getConsumerName() << " and " << two.getConsumerName() << std::endl;
        one.registerClient(ReqMsg().serviceName("DIRECT_FEED").name("EMI.X"), ownThread);
        two.registerClient(ReqMsg().serviceName("DIRECT_FEED").name("EMI.X"), thisThread);
        // For the one with its own thread dispatch() has nothing to do.
        if (one.dispatch(OmmConsumer::NoWaitEnum) == OmmConsumer::TimeoutEnum)
            std::cout << "one runs by itself" << std::endl;
        for (const UInt64 end = GetTime::getMillis() + 30'000;
             (ownThread.updates < 3 || thisThread.updates < 3) && GetTime::getMillis() < end;)
            two.dispatch(100'000);
        if (ownThread.updates < 3 || thisThread.updates < 3) return EXIT_FAILURE;
        std::cout << "both got updates" << std::endl;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
