// Opens a tunnel stream: a private, reliable, flow-controlled stream to the provider, over which sub-streams and
// messages of any domain travel. How reliable it must be is its class of service, which the provider may refuse.
//
//     tunnel_stream [host:port]     providers without tunnel streams, as those made with OmmProvider are, refuse it
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

class Tunnel : public OmmConsumerClient {
public:
    bool open = false, closed = false;

private:
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent&) override {
        if (!msg.hasState()) return;
        std::cout << "tunnel: " << msg.getState().toString() << std::endl;
        open = msg.getState().getStreamState() == OmmState::OpenEnum;
        closed = !open;
    }
    void onGenericMsg(const GenericMsg& msg, const OmmConsumerEvent&) override { std::cout << msg << std::endl; }
};

int main(int argc, char* argv[]) {
    try {
        // Complete and in order, with an acknowledgement window in both directions.
        ClassOfService service;
        service.common(CosCommon().maxMsgSize(6144))
            .flowControl(
                CosFlowControl().type(CosFlowControl::BidirectionalEnum).recvWindowSize(12000).sendWindowSize(12000))
            .dataIntegrity(CosDataIntegrity().type(CosDataIntegrity::ReliableEnum));
        TunnelStreamRequest request;
        request.classOfService(service)
            .domainType(MMT_SYSTEM)
            .name("Tunnel")
            .serviceName("DIRECT_FEED")
            .responseTimeout(10);

        Tunnel tunnel;
        OmmConsumer consumer(OmmConsumerConfig()
                                 .host(argc > 1 ? argv[1] : "localhost:14002")
                                 .operationModel(OmmConsumerConfig::UserDispatchEnum));
        const UInt64 handle = consumer.registerClient(request, tunnel);
        for (const UInt64 end = GetTime::getMillis() + 30'000;
             !tunnel.open && !tunnel.closed && GetTime::getMillis() < end;)
            consumer.dispatch(100'000);
        if (!tunnel.open) return EXIT_FAILURE;
        // The tunnel is the parent of what travels in it, and messages go through such sub-streams only.
        const UInt64 item = consumer.registerClient(ReqMsg().name("EMI.X").serviceId(1), tunnel, nullptr, handle);
        consumer.submit(
            GenericMsg().domainType(MMT_SYSTEM).payload(ElementList().addAscii("Hello", "there").complete()), item);
        for (const UInt64 end = GetTime::getMillis() + 2000; GetTime::getMillis() < end;)
            consumer.dispatch(100'000);
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
