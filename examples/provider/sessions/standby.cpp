// One of a pair of servers for warm standby: says in its login answer that it can stand by, hears from the consumer
// whether it is the active one, and publishes only while it is.
//
//     standby [port]     ends when its client has gone, or after 60 seconds
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

class Server : public OmmProviderClient {
public:
    bool clientHasGone = false, active = false;
    UInt64 item = 0;

private:
    void onReqMsg(const ReqMsg& request, const OmmProviderEvent& event) override {
        RefreshMsg answer;
        answer.domainType(request.getDomainType()).name(request.getName()).solicited(true).state().complete(true);
        if (request.getDomainType() == MMT_LOGIN) {
            answer.nameType(USER_NAME).attrib(ElementList()
                                                  .addUInt(ENAME_SINGLE_OPEN, 1)
                                                  .addUInt(ENAME_ALLOW_SUSPECT_DATA, 1)
                                                  .addUInt(ENAME_SUPPORT_STANDBY, 1)
                                                  .addUInt("SupportStandbyMode", 3)  // by login and by service
                                                  .complete());
        } else {
            answer.serviceId(request.getServiceId());
            answer.payload(FieldList().addReal(22, 3990, OmmReal::ExponentNeg2Enum).complete());
            item = event.getHandle();
            std::cout << "asked for " << request.getName() << std::endl;
        }
        event.getProvider().submit(answer, event.getHandle());
    }
    // "You are active" or "stand by": a Map entry with the mode.
    void onGenericMsg(const GenericMsg& msg, const OmmProviderEvent&) override {
        if (!msg.hasName() || msg.getName() != ENAME_CONS_CONN_STATUS) return;
        const Map& status = msg.getPayload().getMap();
        while (status.forth()) {
            if (status.getEntry().getLoadType() != DataType::ElementListEnum) continue;
            const ElementList& elements = status.getEntry().getElementList();
            if (!elements.forth(ENAME_WARMSTANDBY_MODE)) continue;
            active = elements.getEntry().getUInt() == 0;
            std::cout << (active ? "active" : "standing by") << std::endl;
        }
    }
    void onClose(const ReqMsg& request, const OmmProviderEvent&) override {
        if (request.getDomainType() == MMT_LOGIN) clientHasGone = true;
        item = 0;
    }
};

int main(int argc, char* argv[]) {
    try {
        Server server;
        OmmProvider provider(OmmIProviderConfig()
                                 .port(argc > 1 ? argv[1] : "14002")
                                 .operationModel(OmmIProviderConfig::UserDispatchEnum),
                             server);
        std::cout << "ready" << std::endl;
        Int64 bid = 3990;
        for (const UInt64 end = GetTime::getMillis() + 60'000; !server.clientHasGone && GetTime::getMillis() < end;) {
            provider.dispatch(10'000);
            if (server.item != 0 && server.active)
                provider.submit(
                    UpdateMsg().payload(FieldList().addReal(22, ++bid, OmmReal::ExponentNeg2Enum).complete()),
                    server.item);
        }
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
