// Takes settings from the environment: EMISSARY_CONFIG names the configuration file, and
// EMISSARY_<GROUP>_<NAME>_<PARAMETER> sets one parameter of one entry. The program itself names nothing.
//
//     EMISSARY_CHANNEL_Main_Feed_Port=15000 environment     run provider/config/from_file first
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;

int main() {
    try {
        OmmConsumer consumer(OmmConsumerConfig().operationModel(OmmConsumerConfig::UserDispatchEnum));
        ChannelInformation channel;
        consumer.getChannelInformation(channel);
        std::cout << consumer.getConsumerName() << " on port " << channel.port() << std::endl;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
