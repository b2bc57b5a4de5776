// Does with an open item what a provider must not do, and gets a report for each: the provider's error client. The
// consumer notices nothing of it.
//
//     wrong_uses [port]     ends when its client has gone, or after 60 seconds
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

class ErrorLog : public OmmProviderErrorClient {
public:
    void onInvalidUsage(const EmaString& text, Int32 errorCode) override {
        std::cout << "wrong use (" << errorCode << "): " << text << std::endl;
    }
    void onInvalidHandle(UInt64, const EmaString& text) override { std::cout << "wrong handle: " << text << std::endl; }
};

class Source : public OmmProviderClient {
public:
    bool clientHasGone = false;

private:
    void onReqMsg(const ReqMsg& request, const OmmProviderEvent& event) override {
        OmmProvider& provider = event.getProvider();
        RefreshMsg answer;
        answer.domainType(request.getDomainType()).name(request.getName()).solicited(true).state().complete(true);
        if (request.getDomainType() == MMT_LOGIN) {
            provider.submit(answer.nameType(USER_NAME), event.getHandle());
            return;
        }
        FieldList fields;
        fields.addReal(22, 3990, OmmReal::ExponentNeg2Enum).complete();
        // 1. An update before the first image.
        provider.submit(UpdateMsg().payload(fields), event.getHandle());
        // 2. A service that is not in the directory.
        provider.submit(answer.serviceName("NO_SUCH_FEED").payload(fields), event.getHandle());
        // 3. A stream that does not exist.
        provider.submit(UpdateMsg().payload(fields), 4711);
        // 4. An item has one consumer; only admin domains go to everybody at once.
        provider.submit(UpdateMsg().payload(fields), 0);
        // 5. What is right still works.
        answer.clear().name(request.getName()).serviceId(request.getServiceId()).solicited(true).state().complete(true);
        provider.submit(answer.payload(fields), event.getHandle());
    }
    void onClose(const ReqMsg& request, const OmmProviderEvent&) override {
        clientHasGone = request.getDomainType() == MMT_LOGIN;
    }
};

int main(int argc, char* argv[]) {
    try {
        ErrorLog errors;
        Source source;
        OmmProvider provider(OmmIProviderConfig()
                                 .port(argc > 1 ? argv[1] : "14002")
                                 .operationModel(OmmIProviderConfig::UserDispatchEnum),
                             source, errors);
        std::cout << "ready" << std::endl;
        for (const UInt64 end = GetTime::getMillis() + 60'000; !source.clientHasGone && GetTime::getMillis() < end;)
            provider.dispatch(100'000);
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
