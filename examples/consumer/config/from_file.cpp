// Takes everything about the connection from EmaConfig.xml: the channels to try, where the dictionary comes from, the
// logger, time limits. The program only says which of the file's consumers it wants to be.
//
//     from_file [EmaConfig.xml or its folder [consumer name]]     run provider/config/from_file first
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;

class Image : public OmmConsumerClient {
public:
    bool done = false;

private:
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent& event) override {
        std::cout << msg.getServiceName() << " " << msg.getName() << std::endl;
        const FieldList& fields = msg.getPayload().getFieldList();
        while (fields.forth())
            std::cout << "    " << fields.getEntry().getName() << " = " << fields.getEntry().getLoad().toString()
                      << std::endl;
        std::cout << "came from port " << event.getChannelInformation().port() << std::endl;
        done = true;
    }
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent&) override {
        if (msg.hasState()) std::cout << msg.getState().toString() << std::endl;
    }
};

int main(int argc, char* argv[]) {
    try {
        Image image;
        // Without a path the file is looked for in the working directory.
        OmmConsumerConfig config(argc > 1 ? argv[1] : "");
        config.operationModel(OmmConsumerConfig::UserDispatchEnum);
        if (argc > 2) config.consumerName(argv[2]);  // else the file's DefaultConsumer
        OmmConsumer consumer(config);
        std::cout << "connected as " << consumer.getConsumerName() << std::endl;
        consumer.registerClient(ReqMsg().serviceName("DESK_FEED").name("EMI.X").interestAfterRefresh(false), image);
        for (const UInt64 end = GetTime::getMillis() + 30'000; !image.done && GetTime::getMillis() < end;)
            consumer.dispatch(100'000);
        return image.done ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const OmmException& failure) {  // a path that does not exist, a consumer that the file does not have, ...
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
