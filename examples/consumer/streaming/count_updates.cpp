// Counts the updates of three items until it has seen as many as it wants, and checks that the prices of each item only
// rise: whether messages came alone or in packets makes no difference.
//
//     count_updates [host:port [updates]]     run provider/streaming/packed first
#include "Ema.h"

#include <cstdlib>
#include <iostream>
#include <map>

using namespace refinitiv::ema::access;

class Counter : public OmmConsumerClient {
public:
    int updates = 0;
    bool ordered = true;

private:
    void onUpdateMsg(const UpdateMsg& msg, const OmmConsumerEvent& event) override {
        ++updates;
        const FieldList& fields = msg.getPayload().getFieldList();
        if (!fields.forth(22)) return;
        const Int64 price = fields.getEntry().getReal().getMantissa();
        if (price <= last_[event.getHandle()]) ordered = false;
        last_[event.getHandle()] = price;
    }
    std::map<UInt64, Int64> last_;
};

int main(int argc, char* argv[]) {
    const int wanted = argc > 2 ? std::atoi(argv[2]) : 100;
    try {
        Counter counter;
        OmmConsumer consumer(OmmConsumerConfig()
                                 .host(argc > 1 ? argv[1] : "localhost:14002")
                                 .operationModel(OmmConsumerConfig::UserDispatchEnum));
        for (const char* name : {"EMI.X", "SSA.X", "RY.X"})
            consumer.registerClient(ReqMsg().serviceName("DIRECT_FEED").name(name), counter);
        for (const UInt64 end = GetTime::getMillis() + 30'000; counter.updates < wanted && GetTime::getMillis() < end;)
            consumer.dispatch(100'000);
        std::cout << counter.updates << " updates, " << (counter.ordered ? "in order" : "out of order") << std::endl;
        return counter.updates == wanted && counter.ordered ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
