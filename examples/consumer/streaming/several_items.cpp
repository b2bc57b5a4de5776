// Opens several items with one client object and tells them apart by handle and by closure, the pointer that was given
// at registration. Closes one of them half way: no call for it comes after that.
//
//     several_items [host:port]     run provider/prices/quotes first
#include "Ema.h"

#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

using namespace refinitiv::ema::access;

// The application's own idea of an item; a pointer to it travels as closure.
struct Position {
    std::string name;
    int shares;
    UInt64 handle = 0;
    int updates = 0;
    double bid = 0;
};

class Portfolio : public OmmConsumerClient {
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent& event) override {
        value(*static_cast<Position*>(event.getClosure()), msg.getPayload().getFieldList());
    }
    void onUpdateMsg(const UpdateMsg& msg, const OmmConsumerEvent& event) override {
        auto& position = *static_cast<Position*>(event.getClosure());
        ++position.updates;
        value(position, msg.getPayload().getFieldList());
    }
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent& event) override {
        const auto& position = *static_cast<Position*>(event.getClosure());
        if (msg.hasState()) std::cout << position.name << ": " << msg.getState().toString() << std::endl;
    }
    static void value(Position& position, const FieldList& fields) {
        if (fields.forth("BID")) position.bid = fields.getEntry().getReal().getAsDouble();
    }
};

int main(int argc, char* argv[]) {
    try {
        std::vector<Position> positions{{"EMI.X", 100}, {"SSA.X", 250}, {"RY.X", 40}};
        Portfolio portfolio;
        OmmConsumer consumer(OmmConsumerConfig()
                                 .host(argc > 1 ? argv[1] : "localhost:14002")
                                 .operationModel(OmmConsumerConfig::UserDispatchEnum));
        for (Position& position : positions)
            position.handle = consumer.registerClient(ReqMsg().serviceName("DIRECT_FEED").name(position.name.c_str()),
                                                      portfolio, &position);

        const UInt64 end = GetTime::getMillis() + 30'000;
        const auto dispatchUntil = [&](auto condition) {
            while (!condition() && GetTime::getMillis() < end)
                consumer.dispatch(100'000);
        };
        dispatchUntil([&] { return positions[2].updates >= 3; });
        const int atClose = positions[0].updates;
        consumer.unregister(positions[0].handle);
        std::cout << positions[0].name << " closed" << std::endl;

        dispatchUntil([&] { return positions[2].updates >= 8; });
        double total = 0;
        for (const Position& position : positions)
            total += position.shares * position.bid;
        std::cout << "value " << total << std::endl;
        if (positions[0].updates == atClose) std::cout << "nothing came after the close" << std::endl;
        return positions[2].updates >= 8 ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
