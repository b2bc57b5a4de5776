// Which setting wins when several say something: the function call, then the program's Map, then the file, then the
// built-in default. The file beside this program names two channels; the Map changes the port of the first one, and
// host() leads past both.
//
//     precedence [host:port]     run provider/config/from_file first
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;

// A Map that changes one parameter of one channel and leaves the rest to the file.
void portOfMainFeed(Map& config, const char* port) {
    Map channels;
    channels.addKeyAscii("Main_Feed", MapEntry::AddEnum, ElementList().addAscii("Port", port).complete()).complete();
    config.addKeyAscii("ChannelGroup", MapEntry::AddEnum, ElementList().addMap("ChannelList", channels).complete());
    config.complete();
}

void connect(const char* what, OmmConsumerConfig& config) {
    OmmConsumer consumer(config.operationModel(OmmConsumerConfig::UserDispatchEnum));
    ChannelInformation channel;
    consumer.getChannelInformation(channel);
    std::cout << what << ": " << consumer.getConsumerName() << " on port " << channel.port() << std::endl;
}

int main(int argc, char* argv[]) {
    try {
        const EmaString host(argc > 1 ? argv[1] : "localhost:14002");
        const EmaString port = host.substr(static_cast<UInt32>(host.findLast(":") + 1), EmaString::npos);

        OmmConsumerConfig file;  // EmaConfig.xml of the working directory
        connect("file", file.consumerName("Desk_With_Files"));

        // The Map wins over the file ...
        Map wrongPort, rightPort;
        portOfMainFeed(wrongPort, "1");
        portOfMainFeed(rightPort, port);
        OmmConsumerConfig map;
        // ... and of two Maps the later one.
        connect("map", map.consumerName("Desk_With_Files").config(wrongPort).config(rightPort));

        // The function call wins over the Map.
        OmmConsumerConfig call;
        connect("call", call.consumerName("Desk_With_Files").config(wrongPort).host(host));
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
    // A name that stands nowhere is refused when the consumer is made.
    try {
        OmmConsumer nobody(OmmConsumerConfig().consumerName("Nobody"));
    } catch (const OmmInvalidConfigurationException& failure) {
        std::cout << failure.getText() << std::endl;
        return EXIT_SUCCESS;
    }
    return EXIT_FAILURE;
}
