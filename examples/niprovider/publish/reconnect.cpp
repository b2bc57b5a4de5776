// Lives through the loss of its connection: the library connects, logs in and sends the directory again; the images are
// the program's affair, so it publishes them anew when the login is back.
//
//     reconnect [host:port]     needs a server that takes publishers and drops the connection once
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

class SessionWatcher : public OmmProviderClient {
public:
    int logins = 0;

private:
    void onRefreshMsg(const RefreshMsg& msg, const OmmProviderEvent&) override {
        if (msg.getDomainType() != MMT_LOGIN || msg.getState().getStreamState() != OmmState::OpenEnum) return;
        ++logins;
        std::cout << "login " << logins << std::endl;
    }
    void onStatusMsg(const StatusMsg& msg, const OmmProviderEvent&) override {
        if (msg.hasState()) std::cout << "status: " << msg.getState().toString() << std::endl;
    }
};

void publish(OmmProvider& provider, Int64 price) {
    RefreshMsg image;
    image.serviceName("NI_PUB").name("EMI.X").state().complete(true);
    provider.submit(image.payload(FieldList().addReal(22, price, OmmReal::ExponentNeg2Enum).complete()), 1);
}

void describeReconnects(Map& config) {
    Map providers;
    providers
        .addKeyAscii("Patient", MapEntry::AddEnum,
                     ElementList().addInt("ReconnectMinDelay", 100).addInt("ReconnectMaxDelay", 200).complete())
        .complete();
    config
        .addKeyAscii(
            "NiProviderGroup", MapEntry::AddEnum,
            ElementList().addAscii("DefaultNiProvider", "Patient").addMap("NiProviderList", providers).complete())
        .complete();
}

int main(int argc, char* argv[]) {
    try {
        Map config;
        describeReconnects(config);
        SessionWatcher watcher;
        OmmProvider provider(OmmNiProviderConfig()
                                 .config(config)
                                 .host(argc > 1 ? argv[1] : "localhost:14003")
                                 .operationModel(OmmNiProviderConfig::UserDispatchEnum),
                             watcher);
        publish(provider, 3990);
        const UInt64 end = GetTime::getMillis() + 40'000;
        while (watcher.logins < 2 && GetTime::getMillis() < end)
            provider.dispatch(100'000);
        publish(provider, 4000);
        provider.dispatch(10'000);
        std::cout << "published again" << std::endl;
        return watcher.logins == 2 ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
