// Accepts any item and moves its price ten times a second for a minute (or as many seconds as the second argument
// says).
#include "Ema.h"

#include <cstdlib>
#include <iostream>
#include <iterator>
#include <map>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

struct PriceMaker : OmmProviderClient {
    std::map<UInt64, UInt64> items;  // the handle of each open item, and that of its client

    void onReqMsg(const ReqMsg& request, const OmmProviderEvent& event) override {
        RefreshMsg answer;
        answer.domainType(static_cast<UInt16>(request.getDomainType()))
            .name(request.getName())
            .solicited(true)
            .complete(true);
        answer.state(OmmState::OpenEnum, OmmState::OkEnum, OmmState::NoneEnum, "accepted");
        if (request.getDomainType() == MMT_LOGIN) answer.nameType(USER_NAME);
        else
            answer.serviceId(request.getServiceId())
                .payload(FieldList().addReal(22, 3990, OmmReal::ExponentNeg2Enum).complete());
        event.getProvider().submit(answer, event.getHandle());
        if (request.getDomainType() == MMT_MARKET_PRICE) items[event.getHandle()] = event.getClientHandle();
    }
    // Of a client that leaves only the login is closed: its items go with it.
    void onClose(const ReqMsg& request, const OmmProviderEvent& event) override {
        items.erase(event.getHandle());
        if (request.getDomainType() != MMT_LOGIN) return;
        for (auto item = items.begin(); item != items.end();)
            item = item->second == event.getClientHandle() ? items.erase(item) : std::next(item);
    }
};

int main(int argc, char* argv[]) {
    try {
        PriceMaker maker;
        OmmProvider provider(OmmIProviderConfig()
                                 .port(argc > 1 ? argv[1] : "14002")
                                 .operationModel(OmmIProviderConfig::UserDispatchEnum),
                             maker);
        const UInt64 end = GetTime::getMillis() + 1000 * static_cast<UInt64>(argc > 2 ? std::atoi(argv[2]) : 60);
        for (Int64 price = 3990; GetTime::getMillis() < end; ++price) {
            for (const UInt64 next = GetTime::getMillis() + 100; GetTime::getMillis() < next;)
                provider.dispatch(20'000);
            for (const auto& [item, client] : maker.items)
                provider.submit(
                    UpdateMsg().payload(FieldList().addReal(22, price, OmmReal::ExponentNeg2Enum).complete()), item);
        }
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
