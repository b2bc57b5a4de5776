// Prints the prices of one item until it has seen ten updates. Run PriceProvider first.
#include "Ema.h"
#include "emissary/LogSink.h"

#include <atomic>
#include <cstdlib>
#include <iostream>
#include <memory>

using namespace refinitiv::ema::access;

struct PricePrinter : OmmConsumerClient {
    std::atomic<bool> image{false};
    std::atomic<int> updates{0};

    void print(const char* what, const FieldList& fields) {
        std::cout << what;
        while (fields.forth())
            if (fields.getEntry().getCode() != Data::BlankEnum)
                std::cout << "  " << fields.getEntry().getName() << "=" << fields.getEntry().getLoad();
        std::cout << std::endl;
    }
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent&) override {
        image = true;
        print("image ", msg.getPayload().getFieldList());
    }
    void onUpdateMsg(const UpdateMsg& msg, const OmmConsumerEvent&) override {
        print("update", msg.getPayload().getFieldList()), ++updates;
    }
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent&) override {
        if (msg.hasState()) std::cerr << "EMI.X of DIRECT_FEED: " << msg.getState().toString() << std::endl;
    }
};

// What the library reports goes to standard error: why there is no connection, and what it waits for.
struct Reports : emissary::LogSink {
    void write(const emissary::LogRecord& record) override { std::cerr << record.text << std::endl; }
};

int main(int argc, char* argv[]) {
    try {
        PricePrinter printer;
        OmmConsumerConfig config;
        config.host(argc > 1 ? argv[1] : "localhost:14002").operationModel(OmmConsumerConfig::UserDispatchEnum);
        OmmConsumer consumer(emissary::logTo(config, std::make_shared<Reports>()));
        consumer.registerClient(ReqMsg().serviceName("DIRECT_FEED").name("EMI.X"), printer);
        const UInt64 tellAt = GetTime::getMillis() + 1500;
        for (bool told = false; printer.updates < 10;) {
            consumer.dispatch(100'000);
            if (told || printer.image || GetTime::getMillis() < tellAt) continue;
            std::cerr << "still waiting: there is no image of EMI.X from DIRECT_FEED" << std::endl;
            told = true;
        }
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
