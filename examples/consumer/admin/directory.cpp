// Watches the source directory: which services there are, what they offer, whether they are up. The library answers
// from what it has learned at login and tells every change afterwards; items are told when their group changes its
// state.
//
//     directory [host:port]     run provider/admin/service_states first
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

class DirectoryWatcher : public OmmConsumerClient {
public:
    bool deleted = false;

private:
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent&) override {
        std::cout << "directory" << std::endl;
        print(msg.getPayload().getMap());
    }
    void onUpdateMsg(const UpdateMsg& msg, const OmmConsumerEvent&) override {
        std::cout << "change" << std::endl;
        print(msg.getPayload().getMap());
    }

    void print(const Map& services) {
        while (services.forth()) {
            const MapEntry& service = services.getEntry();
            std::cout << "  " << service.getMapActionAsString() << " service " << service.getKey().getUInt()
                      << std::endl;
            if (service.getAction() == MapEntry::DeleteEnum) deleted = true;
            else print(service.getFilterList());
        }
    }
    static void print(const FilterList& filters) {
        while (filters.forth()) {
            const FilterEntry& filter = filters.getEntry();
            if (filter.getLoadType() != DataType::ElementListEnum) continue;
            const ElementList& elements = filter.getElementList();
            while (elements.forth()) {
                const ElementEntry& element = elements.getEntry();
                if (element.getName() == ENAME_NAME) std::cout << "    name " << element.getAscii() << std::endl;
                else if (element.getName() == ENAME_SVC_STATE)
                    std::cout << (element.getUInt() == SERVICE_UP ? "    up" : "    down") << std::endl;
                else if (element.getName() == ENAME_CAPABILITIES) printCapabilities(element.getArray());
            }
        }
    }
    static void printCapabilities(const OmmArray& domains) {
        std::cout << "    domains";
        while (domains.forth())
            std::cout << " " << domains.getEntry().getUInt();
        std::cout << std::endl;
    }
};

class ItemWatcher : public OmmConsumerClient {
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent& event) override {
        if (msg.hasState())
            std::cout << static_cast<const char*>(event.getClosure()) << ": " << msg.getState().toString() << std::endl;
    }
};

int main(int argc, char* argv[]) {
    try {
        DirectoryWatcher directory;
        ItemWatcher items;
        OmmConsumer consumer(OmmConsumerConfig()
                                 .host(argc > 1 ? argv[1] : "localhost:14002")
                                 .operationModel(OmmConsumerConfig::UserDispatchEnum));
        // All services; a service name and fewer filters would narrow it down.
        ReqMsg request;
        request.domainType(MMT_DIRECTORY).filter(SERVICE_INFO_FILTER | SERVICE_STATE_FILTER | SERVICE_GROUP_FILTER);
        consumer.registerClient(request, directory);
        char names[][8] = {"EMI.X", "SSA.X", "RY.X"};
        for (char* name : names)
            consumer.registerClient(ReqMsg().serviceName("DIRECT_FEED").name(name), items, name);
        for (const UInt64 end = GetTime::getMillis() + 30'000; !directory.deleted && GetTime::getMillis() < end;)
            consumer.dispatch(100'000);
        return directory.deleted ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
