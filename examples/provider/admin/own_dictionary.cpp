// Serves dictionaries itself: loads the files, and under user control of the dictionary answers each request with as
// many parts as it takes.
//
//     own_dictionary [port]     ends when its client has gone, or after 60 seconds
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

class Source : public OmmProviderClient {
public:
    bool clientHasGone = false;

    Source() {
        dictionary_.loadFieldDictionary("RDMFieldDictionary");
        dictionary_.loadEnumTypeDictionary("enumtype.def");
    }

private:
    void onReqMsg(const ReqMsg& request, const OmmProviderEvent& event) override {
        if (request.getDomainType() == MMT_DICTIONARY) {
            sendDictionary(request, event);
            return;
        }
        RefreshMsg answer;
        answer.domainType(request.getDomainType()).name(request.getName()).solicited(true).state().complete(true);
        if (request.getDomainType() == MMT_LOGIN) answer.nameType(USER_NAME);
        else
            answer.serviceId(request.getServiceId())
                .payload(FieldList().addReal(22, 3990, OmmReal::ExponentNeg2Enum).complete());
        event.getProvider().submit(answer, event.getHandle());
    }

    // The filter is the verbosity. The encoder goes on where it stopped, and says when it is through.
    void sendDictionary(const ReqMsg& request, const OmmProviderEvent& event) {
        const bool fields = request.getName() == "RWFFld";
        if (!fields && request.getName() != "RWFEnum") {
            StatusMsg refusal;
            refusal.domainType(MMT_DICTIONARY).name(request.getName());
            refusal.state(OmmState::ClosedEnum, OmmState::SuspectEnum, OmmState::NotFoundEnum, "no such dictionary");
            event.getProvider().submit(refusal, event.getHandle());
            return;
        }
        const UInt32 partBytes = 4000;
        Int32 position = fields ? dictionary_.getMinFid() : 0;
        int parts = 0;
        for (bool through = false; !through; ++parts) {
            Series series;
            through = fields ? dictionary_.encodeFieldDictionary(series, position, request.getFilter(), partBytes)
                             : dictionary_.encodeEnumTypeDictionary(series, position, request.getFilter(), partBytes);
            RefreshMsg answer;
            answer.domainType(MMT_DICTIONARY).name(request.getName()).serviceId(request.getServiceId());
            answer.filter(request.getFilter()).solicited(true).clearCache(parts == 0).complete(through).payload(series);
            answer.state(OmmState::OpenEnum, OmmState::OkEnum, OmmState::NoneEnum, "hand-made dictionary");
            event.getProvider().submit(answer, event.getHandle());
        }
        std::cout << request.getName() << " sent in " << (parts > 1 ? "parts" : "one part") << std::endl;
    }

    void onClose(const ReqMsg& request, const OmmProviderEvent&) override {
        if (request.getDomainType() == MMT_LOGIN) clientHasGone = true;
    }

    DataDictionary dictionary_;
};

int main(int argc, char* argv[]) {
    try {
        Source source;
        OmmProvider provider(OmmIProviderConfig()
                                 .port(argc > 1 ? argv[1] : "14002")
                                 .adminControlDictionary(OmmIProviderConfig::UserControlEnum)
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
