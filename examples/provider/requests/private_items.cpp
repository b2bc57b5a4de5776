// Serves private streams: an item that is this consumer's alone, such as its own orders. Whoever asks for it in the
// ordinary way is told to ask again for a private stream.
//
//     private_items [port]     ends when its client has gone, or after 60 seconds
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
        if (request.getDomainType() == MMT_LOGIN) {
            RefreshMsg answer;
            answer.domainType(MMT_LOGIN).name(request.getName()).nameType(USER_NAME).solicited(true).complete(true);
            event.getProvider().submit(answer.state(), event.getHandle());
        } else if (!request.getPrivateStream()) {
            std::cout << request.getName() << ": asked for in public" << std::endl;
            StatusMsg redirect;
            redirect.name(request.getName()).serviceId(request.getServiceId()).privateStream(true);
            redirect.state(OmmState::ClosedRedirectedEnum, OmmState::SuspectEnum, OmmState::NoneEnum,
                           "ask for a private stream");
            event.getProvider().submit(redirect, event.getHandle());
        } else {
            std::cout << request.getName() << ": asked for in private" << std::endl;
            RefreshMsg image;
            image.name(request.getName()).serviceId(request.getServiceId()).solicited(true).complete(true);
            image.privateStream(true).state(OmmState::OpenEnum, OmmState::OkEnum, OmmState::NoneEnum, "yours alone");
            event.getProvider().submit(image.payload(FieldList().addAscii(3426, "A-0017").complete()),
                                       event.getHandle());
        }
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
