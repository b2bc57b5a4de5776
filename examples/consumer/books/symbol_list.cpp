// Keeps a list of symbols: which items there are, as names that are added and deleted.
//
//     symbol_list [host:port]     run provider/books/symbol_list first
#include "Ema.h"

#include <cstdlib>
#include <iostream>
#include <set>
#include <string>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

class SymbolList : public OmmConsumerClient {
public:
    bool changed = false;

private:
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent&) override {  // why there is no image (yet)
        if (msg.hasState()) std::cerr << msg.getState().toString() << std::endl;
    }
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent&) override {
        apply(msg.getPayload().getMap());
        show();
    }
    void onUpdateMsg(const UpdateMsg& msg, const OmmConsumerEvent&) override {
        apply(msg.getPayload().getMap());
        show();
        changed = true;
    }
    void apply(const Map& map) {
        while (map.forth()) {
            const std::string name = map.getEntry().getKey().getAscii().c_str();
            if (map.getEntry().getAction() == MapEntry::DeleteEnum) names_.erase(name);
            else names_.insert(name);
        }
    }
    void show() const {
        std::cout << names_.size() << " symbols:";
        for (const std::string& name : names_)
            std::cout << " " << name;
        std::cout << std::endl;
    }
    std::set<std::string> names_;
};

int main(int argc, char* argv[]) {
    try {
        SymbolList list;
        OmmConsumer consumer(OmmConsumerConfig()
                                 .host(argc > 1 ? argv[1] : "localhost:14002")
                                 .operationModel(OmmConsumerConfig::UserDispatchEnum));
        consumer.registerClient(ReqMsg().domainType(MMT_SYMBOL_LIST).serviceName("DIRECT_FEED").name("0#ALL"), list);
        for (const UInt64 end = GetTime::getMillis() + 30'000; !list.changed && GetTime::getMillis() < end;)
            consumer.dispatch(100'000);
        return list.changed ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
