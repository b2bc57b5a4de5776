// Lets the server compress what it sends: asked for in the channel's configuration, agreed on when the connection is
// made. Images and updates look the same.
//
//     compressed [host [port]]     run provider/sessions/lines first
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;

class Watcher : public OmmConsumerClient {
public:
    int updates = 0;

private:
    void onUpdateMsg(const UpdateMsg& msg, const OmmConsumerEvent&) override {
        const FieldList& fields = msg.getPayload().getFieldList();
        if (fields.forth("BID") && updates == 0)
            std::cout << "bid " << fields.getEntry().getReal().toString() << std::endl;
        ++updates;
    }
};

// A channel of the library's default name would do as well; it only has to be the consumer's.
void describeChannel(Map& config, const char* host, const char* port) {
    Map consumers, channels;
    consumers.addKeyAscii("Thrifty", MapEntry::AddEnum, ElementList().addAscii("Channel", "Narrow").complete())
        .complete();
    channels
        .addKeyAscii("Narrow", MapEntry::AddEnum,
                     ElementList()
                         .addAscii("Host", host)
                         .addAscii("Port", port)
                         .addEnum("CompressionType", 1)        // zlib; 2 would be LZ4
                         .addUInt("CompressionThreshold", 60)  // bytes; shorter messages go as they are
                         .complete())
        .complete();
    config
        .addKeyAscii("ConsumerGroup", MapEntry::AddEnum,
                     ElementList().addAscii("DefaultConsumer", "Thrifty").addMap("ConsumerList", consumers).complete())
        .addKeyAscii("ChannelGroup", MapEntry::AddEnum, ElementList().addMap("ChannelList", channels).complete())
        .complete();
}

int main(int argc, char* argv[]) {
    try {
        Map config;
        describeChannel(config, argc > 1 ? argv[1] : "localhost", argc > 2 ? argv[2] : "14002");
        Watcher watcher;
        OmmConsumer consumer(OmmConsumerConfig().config(config).operationModel(OmmConsumerConfig::UserDispatchEnum));
        ChannelInformation channel;
        consumer.getChannelInformation(channel);
        std::cout << (channel.getCompressionType() == ChannelInformation::ZLIBEnum ? "zlib" : "not compressed")
                  << std::endl;
        consumer.registerClient(ReqMsg().serviceName("DIRECT_FEED").name("EMI.X"), watcher);
        for (const UInt64 end = GetTime::getMillis() + 30'000; watcher.updates < 3 && GetTime::getMillis() < end;)
            consumer.dispatch(100'000);
        return watcher.updates >= 3 ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
