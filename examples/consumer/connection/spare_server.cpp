// Has more than one server to go to: a channel set is tried in order, at the start and whenever the connection is lost.
// Items follow to the next server by themselves.
//
//     spare_server [host [first port [second port]]]     run provider/prices/quotes on both ports, then kill the first
//     one
#include "Ema.h"

#include <cstdlib>
#include <iostream>
#include <utility>

using namespace refinitiv::ema::access;

class Watcher : public OmmConsumerClient {
public:
    int images = 0;

private:
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent& event) override {
        std::cout << "image of " << msg.getName() << " from port " << event.getChannelInformation().port() << std::endl;
        ++images;
    }
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent&) override {
        if (msg.hasState()) std::cout << msg.getState().toString() << std::endl;
    }
};

void describeServers(Map& config, const char* host, const char* first, const char* second) {
    Map consumers, channels;
    consumers
        .addKeyAscii("Careful", MapEntry::AddEnum,
                     ElementList().addAscii("ChannelSet", "First, Second").addInt("ReconnectMinDelay", 100).complete())
        .complete();
    for (const auto& [name, port] : {std::pair("First", first), std::pair("Second", second)})
        channels.addKeyAscii(name, MapEntry::AddEnum,
                             ElementList().addAscii("Host", host).addAscii("Port", port).complete());
    config.addKeyAscii(
        "ConsumerGroup", MapEntry::AddEnum,
        ElementList().addAscii("DefaultConsumer", "Careful").addMap("ConsumerList", consumers).complete());
    config.addKeyAscii("ChannelGroup", MapEntry::AddEnum,
                       ElementList().addMap("ChannelList", channels.complete()).complete());
    config.complete();
}

int main(int argc, char* argv[]) {
    try {
        Map config;
        describeServers(config, argc > 1 ? argv[1] : "localhost", argc > 2 ? argv[2] : "14002",
                        argc > 3 ? argv[3] : "14003");
        Watcher watcher;
        OmmConsumer consumer(OmmConsumerConfig().config(config).operationModel(OmmConsumerConfig::UserDispatchEnum));
        consumer.registerClient(ReqMsg().serviceName("DIRECT_FEED").name("EMI.X"), watcher);
        for (const UInt64 end = GetTime::getMillis() + 40'000; watcher.images < 2 && GetTime::getMillis() < end;)
            consumer.dispatch(100'000);
        return watcher.images == 2 ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
