// Asks the server that it publishes to for the dictionaries, to know which fields it may use.
//
//     dictionary [host:port]     needs a server that takes publishers and has dictionaries
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

class Download : public OmmProviderClient {
public:
    int complete = 0;
    DataDictionary dictionary;

private:
    void onRefreshMsg(const RefreshMsg& msg, const OmmProviderEvent&) override {
        const Series& part = msg.getPayload().getSeries();
        if (msg.getName() == "RWFFld") dictionary.decodeFieldDictionary(part, DICTIONARY_NORMAL);
        else dictionary.decodeEnumTypeDictionary(part, DICTIONARY_NORMAL);
        if (!msg.getComplete()) return;
        std::cout << msg.getName() << " is complete" << std::endl;
        ++complete;
    }
    void onStatusMsg(const StatusMsg& msg, const OmmProviderEvent&) override {
        if (msg.hasState()) std::cout << msg.getState().toString() << std::endl;
    }
};

int main(int argc, char* argv[]) {
    try {
        Download download;
        OmmProvider provider(OmmNiProviderConfig()
                                 .host(argc > 1 ? argv[1] : "localhost:14003")
                                 .operationModel(OmmNiProviderConfig::UserDispatchEnum));
        for (const char* name : {"RWFFld", "RWFEnum"})
            provider.registerClient(
                ReqMsg().domainType(MMT_DICTIONARY).serviceName("NI_PUB").name(name).filter(DICTIONARY_NORMAL),
                download);
        for (const UInt64 end = GetTime::getMillis() + 30'000; download.complete < 2 && GetTime::getMillis() < end;)
            provider.dispatch(100'000);
        if (download.complete < 2) return EXIT_FAILURE;
        const DictionaryEntry& bid = download.dictionary.getEntry("BID");
        std::cout << bid.getAcronym() << " is field " << bid.getFid() << std::endl;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
