// Finds a service by what it offers instead of by its name: looks through the directory for one that is up and has
// prices, and opens an item there.
//
//     first_service [host:port]     run provider/admin/own_directory first
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

class Finder : public OmmConsumerClient {
public:
    bool found = false;
    UInt64 service = 0;

private:
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent&) override {
        const Map& services = msg.getPayload().getMap();
        while (services.forth() && !found) {
            const FilterList& filters = services.getEntry().getFilterList();
            bool up = false, prices = false;
            while (filters.forth()) {
                const ElementList& elements = filters.getEntry().getElementList();
                if (elements.forth(ENAME_SVC_STATE)) up = elements.getEntry().getUInt() == SERVICE_UP;
                elements.reset();
                if (!elements.forth(ENAME_CAPABILITIES)) continue;
                const OmmArray& domains = elements.getEntry().getArray();
                while (domains.forth())
                    if (domains.getEntry().getUInt() == MMT_MARKET_PRICE) prices = true;
            }
            found = up && prices;
            if (found) service = services.getEntry().getKey().getUInt();
        }
    }
};

class Image : public OmmConsumerClient {
public:
    bool done = false;

private:
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent&) override {
        std::cout << msg.getName() << " of " << msg.getServiceName() << " (" << msg.getServiceId() << ")" << std::endl;
        done = true;
    }
};

int main(int argc, char* argv[]) {
    try {
        Finder finder;
        Image image;
        OmmConsumer consumer(OmmConsumerConfig()
                                 .host(argc > 1 ? argv[1] : "localhost:14002")
                                 .operationModel(OmmConsumerConfig::UserDispatchEnum));
        // A snapshot of the directory is enough here.
        consumer.registerClient(ReqMsg()
                                    .domainType(MMT_DIRECTORY)
                                    .filter(SERVICE_INFO_FILTER | SERVICE_STATE_FILTER)
                                    .interestAfterRefresh(false),
                                finder);
        const UInt64 end = GetTime::getMillis() + 30'000;
        while (!finder.found && GetTime::getMillis() < end)
            consumer.dispatch(100'000);
        // Services can be named by their id as well.
        consumer.registerClient(ReqMsg().serviceId(static_cast<UInt32>(finder.service)).name("EMI.X"), image);
        while (!image.done && GetTime::getMillis() < end)
            consumer.dispatch(100'000);
        return image.done ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
