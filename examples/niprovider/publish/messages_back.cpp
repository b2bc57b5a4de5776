// Listens to what the server sends: the state of the login, generic messages and posts for items that it publishes.
// The client that was given to the constructor gets them all.
//
//     messages_back [host:port]     needs a server that takes publishers
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

class Listener : public OmmProviderClient {
public:
    bool asked = false, contributed = false;

private:
    void onRefreshMsg(const RefreshMsg& msg, const OmmProviderEvent&) override {
        if (msg.getDomainType() == MMT_LOGIN) std::cout << "login: " << msg.getState().toString() << std::endl;
    }
    void onStatusMsg(const StatusMsg& msg, const OmmProviderEvent&) override {
        if (msg.hasState()) std::cout << "status: " << msg.getState().toString() << std::endl;
    }
    void onGenericMsg(const GenericMsg& msg, const OmmProviderEvent& event) override {
        std::cout << "generic message for item " << event.getHandle();
        if (msg.hasName()) std::cout << " about " << msg.getName();
        std::cout << std::endl;
        GenericMsg answer;
        answer.name(msg.hasName() ? msg.getName() : "?").seqNum(1).complete(true);
        event.getProvider().submit(answer.payload(ElementList().addAscii("Answer", "yes").complete()),
                                   event.getHandle());
        asked = true;
    }
    void onPostMsg(const PostMsg& msg, const OmmProviderEvent& event) override {
        std::cout << "post " << msg.getPostId() << " for item " << event.getHandle() << std::endl;
        contributed = true;
    }
};

int main(int argc, char* argv[]) {
    try {
        Listener listener;
        OmmProvider provider(OmmNiProviderConfig()
                                 .host(argc > 1 ? argv[1] : "localhost:14003")
                                 .operationModel(OmmNiProviderConfig::UserDispatchEnum),
                             listener);
        RefreshMsg image;
        image.serviceName("NI_PUB").name("EMI.X").state().complete(true);
        provider.submit(image.payload(FieldList().addReal(22, 3990, OmmReal::ExponentNeg2Enum).complete()), 7);
        for (const UInt64 end = GetTime::getMillis() + 30'000;
             !(listener.asked && listener.contributed) && GetTime::getMillis() < end;)
            provider.dispatch(100'000);
        return listener.asked && listener.contributed ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
