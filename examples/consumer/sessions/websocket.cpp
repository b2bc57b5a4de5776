// Connects over WebSocket instead of a plain socket; the messages inside are the same, in the binary format
// (rssl.rwf) or as JSON (rssl.json.v2).
//
//     websocket [host:port [protocol]]     run provider/sessions/lines with "websocket" first
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;

class Watcher : public OmmConsumerClient {
public:
    int updates = 0;

private:
    void onUpdateMsg(const UpdateMsg&, const OmmConsumerEvent&) override { ++updates; }
};

int main(int argc, char* argv[]) {
    try {
        Map channels, consumers, config;
        consumers.addKeyAscii("Web", MapEntry::AddEnum, ElementList().addAscii("Channel", "WebSocket").complete())
            .complete();
        channels
            .addKeyAscii("WebSocket", MapEntry::AddEnum,
                         ElementList()
                             .addEnum("ChannelType", 7)
                             .addAscii("WsProtocols", argc > 2 ? argv[2] : "rssl.rwf")
                             .complete())
            .complete();
        config
            .addKeyAscii("ConsumerGroup", MapEntry::AddEnum,
                         ElementList().addAscii("DefaultConsumer", "Web").addMap("ConsumerList", consumers).complete())
            .addKeyAscii("ChannelGroup", MapEntry::AddEnum, ElementList().addMap("ChannelList", channels).complete())
            .complete();

        Watcher watcher;
        OmmConsumer consumer(OmmConsumerConfig()
                                 .config(config)
                                 .host(argc > 1 ? argv[1] : "localhost:14002")
                                 .operationModel(OmmConsumerConfig::UserDispatchEnum));
        ChannelInformation channel;
        consumer.getChannelInformation(channel);
        std::cout << (channel.getConnectionType() == ChannelInformation::WebSocketEnum ? "websocket" : "something else")
                  << (channel.getProtocolType() == ChannelInformation::RwfEnum ? " with RWF" : " with JSON")
                  << std::endl;
        consumer.registerClient(ReqMsg().serviceName("DIRECT_FEED").name("EMI.X"), watcher);
        for (const UInt64 end = GetTime::getMillis() + 30'000; watcher.updates < 3 && GetTime::getMillis() < end;)
            consumer.dispatch(100'000);
        std::cout << (watcher.updates >= 3 ? "updates flow" : "no updates") << std::endl;
        return watcher.updates >= 3 ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
