// Dispatching on the application's own thread: nothing is called back outside dispatch(). Shows its three kinds of
// waiting (not at all, some microseconds, until something comes) and what it returns.
//
//     user_dispatch [host:port]     run provider/prices/quotes first
#include "Ema.h"

#include <cstdlib>
#include <iostream>
#include <thread>

using namespace refinitiv::ema::access;

class Counter : public OmmConsumerClient {
public:
    int messages = 0;
    std::thread::id caller;

private:
    void onAllMsg(const Msg&, const OmmConsumerEvent&) override {  // is called before the particular function
        ++messages;
        caller = std::this_thread::get_id();
    }
};

int main(int argc, char* argv[]) {
    try {
        Counter counter;
        OmmConsumer consumer(OmmConsumerConfig()
                                 .host(argc > 1 ? argv[1] : "localhost:14002")
                                 .operationModel(OmmConsumerConfig::UserDispatchEnum));
        std::cout << consumer.getConsumerName() << std::endl;
        consumer.registerClient(ReqMsg().serviceName("DIRECT_FEED").name("EMI.X"), counter);

        // 1. Wait until something comes, however long it takes.
        while (counter.messages < 1)
            consumer.dispatch(OmmConsumer::InfiniteWaitEnum);
        std::cout << "first message" << std::endl;

        // 2. Look and do not wait. TimeoutEnum says that there was nothing to do: time for other work.
        int empty = 0;
        while (counter.messages < 5)
            if (consumer.dispatch(OmmConsumer::NoWaitEnum) == OmmConsumer::TimeoutEnum) ++empty;
        if (empty > 0) std::cout << "some turns were empty" << std::endl;

        // 3. Wait for half a second at most; the argument is in microseconds.
        while (counter.messages < 10)
            if (consumer.dispatch(500'000) == OmmConsumer::TimeoutEnum) std::cout << "half a second of silence\n";
        if (counter.caller == std::this_thread::get_id()) std::cout << "every call came on this thread" << std::endl;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
