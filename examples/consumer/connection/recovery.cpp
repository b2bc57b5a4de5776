// Lives through the loss of its connection: items become suspect, the library connects again, logs in and asks for the
// items anew, and data flow as before. The program does nothing for that but watch; it ends when the item has come
// back.
//
//     recovery [host:port]     run provider/prices/quotes first, kill it, and start it again
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

class Watcher : public OmmConsumerClient {
public:
    bool lost = false, back = false;

private:
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent&) override {
        if (msg.getDomainType() == MMT_LOGIN) {
            std::cout << "login: " << msg.getState().toString() << std::endl;
        } else {
            std::cout << (lost ? "item is back: " : "item: ") << msg.getState().toString() << std::endl;
            back = lost;
        }
    }
    void onUpdateMsg(const UpdateMsg&, const OmmConsumerEvent&) override {
        if (!flowing_) std::cout << "updates flow" << std::endl;
        flowing_ = true;
    }
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent&) override {
        if (!msg.hasState()) return;
        std::cout << (msg.getDomainType() == MMT_LOGIN ? "login: " : "item: ") << msg.getState().toString()
                  << std::endl;
        // Open and suspect: nothing is closed, the library takes care of it.
        if (msg.getDomainType() != MMT_LOGIN && msg.getState().getDataState() == OmmState::SuspectEnum) lost = true;
    }
    bool flowing_ = false;
};

// Tries again soon and for ever; the defaults are 1 and 5 seconds.
void describeReconnects(Map& config) {
    Map consumers;
    consumers
        .addKeyAscii("Patient", MapEntry::AddEnum,
                     ElementList()
                         .addInt("ReconnectAttemptLimit", -1)
                         .addInt("ReconnectMinDelay", 100)
                         .addInt("ReconnectMaxDelay", 200)
                         .complete())
        .complete();
    ElementList group;
    group.addAscii("DefaultConsumer", "Patient").addMap("ConsumerList", consumers).complete();
    config.addKeyAscii("ConsumerGroup", MapEntry::AddEnum, group).complete();
}

int main(int argc, char* argv[]) {
    try {
        Map config;
        describeReconnects(config);
        Watcher watcher;
        OmmConsumer consumer(OmmConsumerConfig()
                                 .config(config)
                                 .host(argc > 1 ? argv[1] : "localhost:14002")
                                 .operationModel(OmmConsumerConfig::UserDispatchEnum),
                             watcher);
        consumer.registerClient(ReqMsg().serviceName("DIRECT_FEED").name("EMI.X"), watcher);
        for (const UInt64 end = GetTime::getMillis() + 40'000; !watcher.back && GetTime::getMillis() < end;)
            consumer.dispatch(100'000);
        return watcher.back ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
