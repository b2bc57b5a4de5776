// A provider that EmaConfig.xml describes: its port, its services and their state, the dictionaries it offers. The
// library answers directory and dictionary requests from that; the program only sees logins and items.
//
//     from_file [EmaConfig.xml or its folder [clients]]     ends when `clients` (1) have come and gone, or after
//                                                           60 seconds
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

class Desk : public OmmProviderClient {
public:
    int logouts = 0;

private:
    void onReqMsg(const ReqMsg& request, const OmmProviderEvent& event) override {
        RefreshMsg answer;
        answer.domainType(request.getDomainType()).name(request.getName()).solicited(true).complete(true);
        if (request.getDomainType() == MMT_LOGIN) {
            answer.nameType(USER_NAME).state(OmmState::OpenEnum, OmmState::OkEnum, OmmState::NoneEnum, "welcome");
        } else {
            // The directory decides what arrives here: requests for other domains and for a service that is down have
            // been refused already.
            std::cout << "request for " << request.getName() << " of " << request.getServiceName() << std::endl;
            answer.serviceName(request.getServiceName());
            answer.state(OmmState::NonStreamingEnum, OmmState::OkEnum, OmmState::NoneEnum, "configured in a file");
            answer.payload(FieldList().addReal(22, 1025, OmmReal::ExponentNeg2Enum).complete());
        }
        event.getProvider().submit(answer, event.getHandle());
    }
    void onClose(const ReqMsg& request, const OmmProviderEvent&) override {
        if (request.getDomainType() == MMT_LOGIN) ++logouts;
    }
};

int main(int argc, char* argv[]) {
    const int clients = argc > 2 ? std::atoi(argv[2]) : 1;
    try {
        Desk desk;
        OmmProvider provider(
            OmmIProviderConfig(argc > 1 ? argv[1] : "").operationModel(OmmIProviderConfig::UserDispatchEnum), desk);
        std::cout << "ready: " << provider.getProviderName() << std::endl;
        for (const UInt64 end = GetTime::getMillis() + 60'000; desk.logouts < clients && GetTime::getMillis() < end;)
            provider.dispatch(100'000);
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
