// What is known about the connection: the line behind it, its versions and limits, what the operating system counts,
// and which of its limits can be changed while it runs. Ends when the provider closes the session.
//
//     channel_facts [host:port]     run provider/connection/clients first
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

class Watcher : public OmmConsumerClient {
public:
    bool down = false;

private:
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent& event) override {
        if (msg.getDomainType() != MMT_MARKET_PRICE) return;
        // Every event can say which connection it came over.
        std::cout << msg.getName() << " came over port " << event.getChannelInformation().port() << std::endl;
    }
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent&) override {
        if (msg.getDomainType() != MMT_LOGIN || !msg.hasState()) return;
        down = msg.getState().getDataState() == OmmState::SuspectEnum;
        if (down) std::cout << "the connection is down" << std::endl;
    }
};

int main(int argc, char* argv[]) {
    try {
        Watcher watcher;
        OmmConsumer consumer(OmmConsumerConfig()
                                 .host(argc > 1 ? argv[1] : "localhost:14002")
                                 .operationModel(OmmConsumerConfig::UserDispatchEnum),
                             watcher);
        ChannelInformation channel;
        consumer.getChannelInformation(channel);
        std::cout << "active: " << (channel.getChannelState() == ChannelInformation::ActiveEnum ? "yes" : "no")
                  << ", plain socket: "
                  << (channel.getConnectionType() == ChannelInformation::SocketEnum ? "yes" : "no")
                  << ", RWF: " << (channel.getProtocolType() == ChannelInformation::RwfEnum ? "yes" : "no")
                  << std::endl;
        std::cout << channel.toString() << std::endl;  // everything, a line each

        ChannelStatistics statistics;
        consumer.getChannelStatistics(statistics);
        if (statistics.hasTcpRetransmitCount())
            std::cout << statistics.getTcpRetransmitCount() << " segments sent twice" << std::endl;

        consumer.modifyIOCtl(IOCtlCode::HighWaterMarkEnum, 4096);  // bytes that wait at most before they are written
        try {
            consumer.modifyIOCtl(4711, 1);
        } catch (const OmmInvalidUsageException& failure) { std::cout << failure.getText() << std::endl; }
        consumer.registerClient(ReqMsg().serviceName("DIRECT_FEED").name("EMI.X"), watcher);
        for (const UInt64 end = GetTime::getMillis() + 30'000; !watcher.down && GetTime::getMillis() < end;)
            consumer.dispatch(100'000);
        return watcher.down ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
