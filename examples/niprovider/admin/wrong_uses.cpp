// What a publisher must not do, reported to its error client: updates before the first image, items without a service,
// and calls that belong to interactive providers.
//
//     wrong_uses [host:port]     needs a server that takes publishers
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;

class ErrorLog : public OmmProviderErrorClient {
public:
    void onInvalidUsage(const EmaString& text, Int32 errorCode) override {
        std::cout << "wrong use (" << errorCode << "): " << text << std::endl;
    }
    void onInvalidHandle(UInt64 handle, const EmaString& text) override {
        std::cout << "wrong handle " << handle << ": " << text << std::endl;
    }
};

int main(int argc, char* argv[]) {
    try {
        ErrorLog errors;
        OmmProvider provider(OmmNiProviderConfig()
                                 .host(argc > 1 ? argv[1] : "localhost:14003")
                                 .operationModel(OmmNiProviderConfig::UserDispatchEnum),
                             errors);
        FieldList fields;
        fields.addReal(22, 3990, OmmReal::ExponentNeg2Enum).complete();
        // 1. An update comes after an image.
        provider.submit(UpdateMsg().serviceName("NI_PUB").name("EMI.X").payload(fields), 17);
        // 2. The first message says which service the item belongs to.
        provider.submit(RefreshMsg().name("EMI.X").state().complete(true).payload(fields), 17);
        // 3. Nobody posts to a publisher's items by itself, so there is nothing to acknowledge.
        provider.submit(AckMsg().ackId(1), 17);
        // 4. A publisher has no clients.
        EmaVector<ChannelInformation> clients;
        provider.getConnectedClientChannelInfo(clients);
        // 5. What is right still works.
        provider.submit(RefreshMsg().serviceName("NI_PUB").name("EMI.X").state().complete(true).payload(fields), 17);
        ChannelInformation channel;
        provider.getChannelInformation(channel);
        std::cout << "still " << (channel.getChannelState() == ChannelInformation::ActiveEnum ? "active" : "down")
                  << std::endl;
        provider.dispatch(10'000);
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
