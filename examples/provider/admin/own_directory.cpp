// Answers directory requests itself: under user control of the directory they arrive in the program like any other
// request, with the filters that the consumer wants.
//
//     own_directory [port]     ends when its client has gone, or after 60 seconds
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

class Source : public OmmProviderClient {
public:
    bool clientHasGone = false;

private:
    void onReqMsg(const ReqMsg& request, const OmmProviderEvent& event) override {
        RefreshMsg answer;
        answer.domainType(request.getDomainType()).solicited(true).state().complete(true);
        if (request.getDomainType() == MMT_LOGIN) {
            answer.name(request.getName()).nameType(USER_NAME);
        } else if (request.getDomainType() == MMT_DIRECTORY) {
            std::cout << "directory request, filter " << request.getFilter() << std::endl;
            Map services;
            describe(services, request.getFilter());
            answer.filter(request.getFilter() & (SERVICE_INFO_FILTER | SERVICE_STATE_FILTER | SERVICE_LOAD_FILTER));
            answer.payload(services);
        } else {
            std::cout << "request for " << request.getName() << std::endl;
            answer.name(request.getName()).serviceId(request.getServiceId());
            answer.payload(FieldList().addReal(22, 3990, OmmReal::ExponentNeg2Enum).complete());
        }
        event.getProvider().submit(answer, event.getHandle());
    }

    // One service, as far as the filter asks for it.
    static void describe(Map& services, UInt32 filter) {
        FilterList parts;
        if (filter & SERVICE_INFO_FILTER) {
            OmmArray domains, dictionaries, qos;
            domains.addUInt(MMT_DICTIONARY).addUInt(MMT_MARKET_PRICE).complete();
            dictionaries.addAscii("RWFFld").addAscii("RWFEnum").complete();
            qos.addQos(OmmQos::RealTimeEnum, OmmQos::TickByTickEnum).complete();
            parts.add(SERVICE_INFO_ID, FilterEntry::SetEnum,
                      ElementList()
                          .addAscii(ENAME_NAME, "HAND_MADE")
                          .addAscii(ENAME_VENDOR, "own_directory")
                          .addUInt(ENAME_IS_SOURCE, 1)
                          .addArray(ENAME_CAPABILITIES, domains)
                          .addArray(ENAME_DICTIONARYS_PROVIDED, dictionaries)
                          .addArray(ENAME_DICTIONARYS_USED, dictionaries)
                          .addArray(ENAME_QOS, qos)
                          .complete());
        }
        if (filter & SERVICE_STATE_FILTER)
            parts.add(SERVICE_STATE_ID, FilterEntry::SetEnum,
                      ElementList().addUInt(ENAME_SVC_STATE, SERVICE_UP).addUInt(ENAME_ACCEPTING_REQS, 1).complete());
        if (filter & SERVICE_LOAD_FILTER)
            parts.add(SERVICE_LOAD_ID, FilterEntry::SetEnum,
                      ElementList().addUInt(ENAME_OPEN_LIMIT, 1000).addUInt(ENAME_OPEN_WINDOW, 50).complete());
        services.addKeyUInt(42, MapEntry::AddEnum, parts.complete()).complete();
    }

    void onClose(const ReqMsg& request, const OmmProviderEvent&) override {
        clientHasGone = request.getDomainType() == MMT_LOGIN;
    }
};

int main(int argc, char* argv[]) {
    try {
        Source source;
        OmmProvider provider(OmmIProviderConfig()
                                 .port(argc > 1 ? argv[1] : "14002")
                                 .adminControlDirectory(OmmIProviderConfig::UserControlEnum)
                                 .operationModel(OmmIProviderConfig::UserDispatchEnum),
                             source);
        std::cout << "ready" << std::endl;
        for (const UInt64 end = GetTime::getMillis() + 60'000; !source.clientHasGone && GetTime::getMillis() < end;)
            provider.dispatch(100'000);
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
