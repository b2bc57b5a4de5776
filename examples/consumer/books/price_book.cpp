// Reads the depth of a market (MarketByPrice): price levels keyed by bytes, the hint how many to expect, the permission
// data of a level, and updates whose type tells a trade from a quote.
//
//     price_book [host:port]     run provider/books/price_book first
#include "Ema.h"

#include <cstdlib>
#include <iostream>
#include <string>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

class Depth : public OmmConsumerClient {
public:
    int updates = 0;

private:
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent&) override {  // why there is no image (yet)
        if (msg.hasState()) std::cerr << msg.getState().toString() << std::endl;
    }
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent&) override {
        const Map& levels = msg.getPayload().getMap();
        if (levels.hasTotalCountHint()) std::cout << "about " << levels.getTotalCountHint() << " levels" << std::endl;
        const FieldList& summary = levels.getSummaryData().getFieldList();
        while (summary.forth())
            std::cout << "all levels: " << summary.getEntry().getName() << " " << summary.getEntry().getEnumDisplay()
                      << std::endl;
        print(levels);
    }
    void onUpdateMsg(const UpdateMsg& msg, const OmmConsumerEvent&) override {
        std::cout << (msg.getUpdateTypeNum() == INSTRUMENT_UPDATE_TRADE ? "trade" : "quote") << std::endl;
        print(msg.getPayload().getMap());
        ++updates;
    }
    static void print(const Map& levels) {
        while (levels.forth()) {
            const MapEntry& level = levels.getEntry();
            const EmaBuffer& key = level.getKey().getBuffer();
            std::cout << "    " << level.getMapActionAsString() << " " << std::string(key.c_buf(), key.length());
            if (level.hasPermissionData())
                std::cout << ", locked by " << level.getPermissionData().length() << " bytes";
            // A deleted level has no content.
            if (level.getLoadType() == DataType::FieldListEnum) {
                const FieldList& fields = level.getFieldList();
                while (fields.forth())
                    std::cout << ", " << fields.getEntry().getName() << " " << fields.getEntry().getLoad().toString();
            }
            std::cout << std::endl;
        }
    }
};

int main(int argc, char* argv[]) {
    try {
        Depth depth;
        OmmConsumer consumer(OmmConsumerConfig()
                                 .host(argc > 1 ? argv[1] : "localhost:14002")
                                 .operationModel(OmmConsumerConfig::UserDispatchEnum));
        consumer.registerClient(ReqMsg().domainType(MMT_MARKET_BY_PRICE).serviceName("DIRECT_FEED").name("EMI.X"),
                                depth);
        for (const UInt64 end = GetTime::getMillis() + 30'000; depth.updates < 2 && GetTime::getMillis() < end;)
            consumer.dispatch(100'000);
        return depth.updates == 2 ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
