// Consumer and provider in one program: passes on what another provider publishes. Asks upstream for what its own
// consumer asks for, and forwards images, updates and states just as they come, payload and all.
//
//     relay [port [host:port of the source]]     ends when its client has gone, or after 60 seconds
#include "Ema.h"

#include <cstdlib>
#include <iostream>
#include <map>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

class Relay : public OmmProviderClient, public OmmConsumerClient {
public:
    bool clientHasGone = false;
    OmmConsumer* upstream = nullptr;
    OmmProvider* downstream = nullptr;

private:
    // From the consumer below:
    void onReqMsg(const ReqMsg& request, const OmmProviderEvent& event) override {
        if (request.getDomainType() == MMT_LOGIN) {
            RefreshMsg answer;
            answer.domainType(MMT_LOGIN).name(request.getName()).nameType(USER_NAME).solicited(true).complete(true);
            event.getProvider().submit(answer.state(), event.getHandle());
            return;
        }
        std::cout << "passing on " << request.getName() << std::endl;
        ReqMsg up;
        up.domainType(request.getDomainType()).name(request.getName()).serviceName("DIRECT_FEED");
        up.interestAfterRefresh(request.getInterestAfterRefresh());
        // The handle below is the closure above.
        const UInt64 below = event.getHandle();
        above_[below] = upstream->registerClient(up, *this, reinterpret_cast<void*>(below));
    }
    void onClose(const ReqMsg& request, const OmmProviderEvent& event) override {
        if (request.getDomainType() == MMT_LOGIN) {
            clientHasGone = true;
        } else if (const auto stream = above_.find(event.getHandle()); stream != above_.end()) {
            upstream->unregister(stream->second);
            above_.erase(stream);
        }
    }

    // From the provider above:
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent& event) override {
        forward(RefreshMsg(msg), event);
    }
    void onUpdateMsg(const UpdateMsg& msg, const OmmConsumerEvent& event) override { forward(UpdateMsg(msg), event); }
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent& event) override { forward(StatusMsg(msg), event); }

    template <class Message>
    void forward(Message msg, const OmmConsumerEvent& event) {
        downstream->submit(msg, reinterpret_cast<UInt64>(event.getClosure()));
    }

    std::map<UInt64, UInt64> above_;
};

int main(int argc, char* argv[]) {
    try {
        Relay relay;
        OmmConsumer consumer(OmmConsumerConfig()
                                 .host(argc > 2 ? argv[2] : "localhost:14003")
                                 .operationModel(OmmConsumerConfig::UserDispatchEnum));
        OmmProvider provider(OmmIProviderConfig()
                                 .port(argc > 1 ? argv[1] : "14002")
                                 .operationModel(OmmIProviderConfig::UserDispatchEnum),
                             relay);
        relay.upstream = &consumer;
        relay.downstream = &provider;
        std::cout << "ready" << std::endl;
        for (const UInt64 end = GetTime::getMillis() + 60'000; !relay.clientHasGone && GetTime::getMillis() < end;) {
            consumer.dispatch(2'000);  // one thread serves both
            provider.dispatch(2'000);
        }
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
