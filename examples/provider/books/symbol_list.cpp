// Publishes a list of symbols and the items on it: names as keys of a Map without content, and names that come and go.
//
//     symbol_list [port]     ends when its client has gone, or after 60 seconds
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

class Source : public OmmProviderClient {
public:
    bool clientHasGone = false;
    UInt64 list = 0;

private:
    void onReqMsg(const ReqMsg& request, const OmmProviderEvent& event) override {
        RefreshMsg answer;
        answer.domainType(request.getDomainType()).name(request.getName()).solicited(true).complete(true);
        answer.state(request.getInterestAfterRefresh() ? OmmState::OpenEnum : OmmState::NonStreamingEnum);
        if (request.getDomainType() == MMT_LOGIN) {
            answer.nameType(USER_NAME);
        } else if (request.getDomainType() == MMT_SYMBOL_LIST) {
            Map names;
            names.totalCountHint(3);
            for (const char* name : {"AAA.X", "BBB.X", "CCC.X"})
                names.addKeyAscii(name, MapEntry::AddEnum);
            answer.serviceId(request.getServiceId()).payload(names.complete());
            list = event.getHandle();
        } else {
            std::cout << "price of " << request.getName() << std::endl;
            answer.serviceId(request.getServiceId());
            answer.payload(FieldList().addReal(22, 3990, OmmReal::ExponentNeg2Enum).complete());
        }
        event.getProvider().submit(answer, event.getHandle());
    }
    void onClose(const ReqMsg& request, const OmmProviderEvent& event) override {
        if (request.getDomainType() == MMT_LOGIN) clientHasGone = true;
        if (clientHasGone || event.getHandle() == list) list = 0;
    }
};

// The service must say that it has symbol lists; the built-in directory does not.
void describeDirectory(Map& config) {
    OmmArray domains, dictionaries;
    domains.addAscii("MMT_MARKET_PRICE").addAscii("MMT_SYMBOL_LIST").addAscii("MMT_DICTIONARY").complete();
    dictionaries.addAscii("Files").complete();
    ElementList service;
    service
        .addElementList("InfoFilter", ElementList()
                                          .addUInt("ServiceId", 1)
                                          .addArray("Capabilities", domains)
                                          .addArray("DictionariesProvided", dictionaries)
                                          .addArray("DictionariesUsed", dictionaries)
                                          .complete())
        .complete();
    Map services, directories, files;
    services.addKeyAscii("DIRECT_FEED", MapEntry::AddEnum, service).complete();
    directories.addKeyAscii("Directory", MapEntry::AddEnum, services).complete();
    files.addKeyAscii("Files", MapEntry::AddEnum, ElementList().addEnum("DictionaryType", 0).complete()).complete();
    config
        .addKeyAscii(
            "DirectoryGroup", MapEntry::AddEnum,
            ElementList().addAscii("DefaultDirectory", "Directory").addMap("DirectoryList", directories).complete())
        .addKeyAscii("DictionaryGroup", MapEntry::AddEnum, ElementList().addMap("DictionaryList", files).complete())
        .complete();
}

int main(int argc, char* argv[]) {
    try {
        Map config;
        describeDirectory(config);
        Source source;
        OmmProvider provider(OmmIProviderConfig()
                                 .config(config)
                                 .port(argc > 1 ? argv[1] : "14002")
                                 .operationModel(OmmIProviderConfig::UserDispatchEnum),
                             source);
        std::cout << "ready" << std::endl;
        const UInt64 end = GetTime::getMillis() + 60'000;
        while (source.list == 0 && !source.clientHasGone && GetTime::getMillis() < end)
            provider.dispatch(100'000);
        if (source.list != 0)
            provider.submit(UpdateMsg()
                                .domainType(MMT_SYMBOL_LIST)
                                .payload(Map()
                                             .addKeyAscii("DDD.X", MapEntry::AddEnum)
                                             .addKeyAscii("BBB.X", MapEntry::DeleteEnum)
                                             .complete()),
                            source.list);
        while (!source.clientHasGone && GetTime::getMillis() < end)
            provider.dispatch(100'000);
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
