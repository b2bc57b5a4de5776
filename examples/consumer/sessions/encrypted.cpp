// Connects over TLS and checks the server's certificate against a file of trusted authorities. The messages inside are
// the same as on a plain socket.
//
//     encrypted [host:port [authorities.pem]]     run provider/sessions/lines with "encrypted" first
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
        consumers.addKeyAscii("Safe", MapEntry::AddEnum, ElementList().addAscii("Channel", "Tls").complete())
            .complete();
        channels
            .addKeyAscii("Tls", MapEntry::AddEnum,
                         ElementList()
                             .addEnum("ChannelType", 1)            // encrypted ...
                             .addEnum("EncryptedProtocolType", 0)  // ... socket
                             .addAscii("OpenSSLCAStore", argc > 2 ? argv[2] : "authorities.pem")
                             .complete())
            .complete();
        config
            .addKeyAscii("ConsumerGroup", MapEntry::AddEnum,
                         ElementList().addAscii("DefaultConsumer", "Safe").addMap("ConsumerList", consumers).complete())
            .addKeyAscii("ChannelGroup", MapEntry::AddEnum, ElementList().addMap("ChannelList", channels).complete())
            .complete();

        Watcher watcher;
        OmmConsumer consumer(OmmConsumerConfig()
                                 .config(config)
                                 .host(argc > 1 ? argv[1] : "localhost:14002")
                                 .operationModel(OmmConsumerConfig::UserDispatchEnum));
        ChannelInformation channel;
        consumer.getChannelInformation(channel);
        std::cout << (channel.getConnectionType() == ChannelInformation::EncryptedEnum ? "encrypted" : "in the clear")
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
