// Prints the prices of one item until it has seen ten updates. Run PriceProvider first.
#include "Ema.h"

#include <atomic>
#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;

struct PricePrinter : OmmConsumerClient {
    std::atomic<int> updates{0};

    void print(const char* what, const FieldList& fields) {
        std::cout << what;
        while (fields.forth())
            if (fields.getEntry().getCode() != Data::BlankEnum)
                std::cout << "  " << fields.getEntry().getName() << "=" << fields.getEntry().getLoad();
        std::cout << std::endl;
    }
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent&) override {
        print("image ", msg.getPayload().getFieldList());
    }
    void onUpdateMsg(const UpdateMsg& msg, const OmmConsumerEvent&) override {
        print("update", msg.getPayload().getFieldList()), ++updates;
    }
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent&) override { std::cout << msg << std::endl; }
};

int main(int argc, char* argv[]) {
    try {
        PricePrinter printer;
        OmmConsumer consumer(OmmConsumerConfig()
                                 .host(argc > 1 ? argv[1] : "localhost:14002")
                                 .operationModel(OmmConsumerConfig::UserDispatchEnum));
        consumer.registerClient(ReqMsg().serviceName("DIRECT_FEED").name("EMI.X"), printer);
        while (printer.updates < 10)
            consumer.dispatch(1'000'000);
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
