// Pauses an item and resumes it, then pauses and resumes everything through the login. While an item rests its stream
// stays open; the provider keeps what it would have sent to itself.
//
//     pause_resume [host:port]     run provider/requests/on_demand first
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

class Watcher : public OmmConsumerClient {
public:
    int images = 0, updates = 0;

private:
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent&) override {  // why there is no image (yet)
        if (msg.hasState()) std::cerr << msg.getState().toString() << std::endl;
    }
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent&) override {
        if (msg.getDomainType() == MMT_MARKET_PRICE) ++images;
    }
    void onUpdateMsg(const UpdateMsg&, const OmmConsumerEvent&) override { ++updates; }
};

int main(int argc, char* argv[]) {
    try {
        Watcher watcher;
        OmmConsumer consumer(OmmConsumerConfig()
                                 .host(argc > 1 ? argv[1] : "localhost:14002")
                                 .username("user")
                                 .operationModel(OmmConsumerConfig::UserDispatchEnum));
        const UInt64 end = GetTime::getMillis() + 30'000;
        const auto flowing = [&] {
            for (const int before = watcher.updates; watcher.updates < before + 3 && GetTime::getMillis() < end;)
                consumer.dispatch(100'000);
            std::cout << "updates flow" << std::endl;
        };
        // Nothing comes for ten times the provider's interval.
        const auto resting = [&] {
            while (consumer.dispatch(200'000) == OmmConsumer::DispatchedEnum && GetTime::getMillis() < end) {}
            std::cout << "silence" << std::endl;
        };

        ReqMsg request;
        const UInt64 item = consumer.registerClient(request.serviceName("DIRECT_FEED").name("EMI.X"), watcher);
        flowing();
        // initialImage(false): this is about the stream, no new image is wanted.
        consumer.reissue(request.clear().serviceName("DIRECT_FEED").name("EMI.X").initialImage(false).pause(true),
                         item);
        resting();
        consumer.reissue(request.clear().serviceName("DIRECT_FEED").name("EMI.X").pause(false), item);
        flowing();
        std::cout << watcher.images << " images" << std::endl;

        // The whole session. The key of a login request is the user's name.
        const UInt64 login = consumer.registerClient(request.clear().domainType(MMT_LOGIN), watcher);
        consumer.reissue(request.clear().domainType(MMT_LOGIN).name("user").initialImage(false).pause(true), login);
        resting();
        consumer.reissue(request.clear().domainType(MMT_LOGIN).name("user").initialImage(false), login);
        flowing();
        return GetTime::getMillis() < end ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
