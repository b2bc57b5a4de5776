// What a start looks like when nobody answers: the constructor gives up after the time that the configuration allows
// and says what it was waiting for and where.
//
//     no_connection [host:port]     nothing may listen there
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;

class ErrorLog : public OmmConsumerErrorClient {
    void onInvalidUsage(const EmaString& text, Int32 errorCode) override {
        std::cout << "reported: " << errorCode << ", " << text << std::endl;
    }
};

// Half a second instead of 45 seconds.
void describePatience(Map& config) {
    Map consumers;
    consumers
        .addKeyAscii("Impatient", MapEntry::AddEnum,
                     ElementList().addUInt("LoginRequestTimeOut", 500).addInt("ReconnectMinDelay", 100).complete())
        .complete();
    config.addKeyAscii(
        "ConsumerGroup", MapEntry::AddEnum,
        ElementList().addAscii("DefaultConsumer", "Impatient").addMap("ConsumerList", consumers).complete());
    config.complete();
}

int main(int argc, char* argv[]) {
    const char* host = argc > 1 ? argv[1] : "localhost:14002";
    Map config;
    describePatience(config);
    try {
        OmmConsumer consumer(OmmConsumerConfig().config(config).host(host));
        std::cout << "somebody answered" << std::endl;
        return EXIT_FAILURE;
    } catch (const OmmInvalidUsageException& failure) {
        std::cout << "thrown: " << failure.getErrorCode() << ", " << failure.getText() << std::endl;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
    // With an error client the same is reported, and the object can only be destroyed.
    try {
        ErrorLog errors;
        OmmConsumer consumer(OmmConsumerConfig().config(config).host(host), errors);
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
