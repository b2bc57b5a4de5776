// Downloads the dictionaries into an object of its own, part by part, and looks things up in it. (The library has done
// the same already for its own use when it connected.)
//
//     dictionary [host:port [service]]     run provider/admin/own_dictionary or provider/prices/quotes first
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

class Download : public OmmConsumerClient {
public:
    int complete = 0;
    DataDictionary dictionary;

private:
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent&) override {
        const Series& part = msg.getPayload().getSeries();
        if (msg.getName() == "RWFFld") dictionary.decodeFieldDictionary(part, DICTIONARY_VERBOSE);
        else dictionary.decodeEnumTypeDictionary(part, DICTIONARY_VERBOSE);
        if (!msg.getComplete()) return;
        std::cout << msg.getName() << " is complete: " << msg.getState().getStatusText() << std::endl;
        ++complete;
    }
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent&) override {
        std::cout << msg.getState().toString() << std::endl;
    }
};

int main(int argc, char* argv[]) {
    try {
        Download download;
        OmmConsumer consumer(OmmConsumerConfig()
                                 .host(argc > 1 ? argv[1] : "localhost:14002")
                                 .operationModel(OmmConsumerConfig::UserDispatchEnum));
        for (const char* name : {"RWFFld", "RWFEnum"}) {
            ReqMsg request;
            request.domainType(MMT_DICTIONARY).serviceName(argc > 2 ? argv[2] : "DIRECT_FEED").name(name);
            consumer.registerClient(request.filter(DICTIONARY_VERBOSE), download);  // how much of it
        }
        for (const UInt64 end = GetTime::getMillis() + 30'000; download.complete < 2 && GetTime::getMillis() < end;)
            consumer.dispatch(100'000);
        if (download.complete < 2) return EXIT_FAILURE;

        const DataDictionary& dictionary = download.dictionary;
        std::cout << dictionary.getEntries().size() << " fields, " << dictionary.getEnumTables().size() << " tables"
                  << std::endl;
        const DictionaryEntry& side = dictionary.getEntry("ORDER_SIDE");
        std::cout << "field " << side.getFid() << " is " << side.getAcronym() << std::endl;
        const EnumTypeTable& values = side.getEnumTypeTable();
        for (UInt32 i = 0; i < values.getEnumTypes().size(); ++i)
            std::cout << "    " << values.getEnumTypes()[i].getValue() << " '" << values.getEnumTypes()[i].getDisplay()
                      << "'" << std::endl;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
