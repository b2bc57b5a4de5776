// Publishes an order book (MarketByOrder): the orders as entries of a Map, what holds for all of them as its summary,
// the image in three parts, and then orders that come, change and go.
//
//     order_book [port]     ends when its client has gone, or after 60 seconds
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

enum Side : UInt16 { Bid = 1, Ask = 2 };

// The content of one order: price in cents, size, side.
void fillOrder(FieldList& order, Int64 price, Int64 size, Side side) {
    order
        .addReal(3427, price, OmmReal::ExponentNeg2Enum)  // ORDER_PRC
        .addEnum(3428, side)                              // ORDER_SIDE
        .addReal(3429, size, OmmReal::Exponent0Enum)      // ORDER_SIZE
        .complete();
}

class OrderBook : public OmmProviderClient {
public:
    bool clientHasGone = false;
    UInt64 book = 0;  // the handle of the open book

private:
    void onReqMsg(const ReqMsg& request, const OmmProviderEvent& event) override {
        if (request.getDomainType() == MMT_LOGIN) {
            RefreshMsg answer;
            answer.domainType(MMT_LOGIN).name(request.getName()).nameType(USER_NAME).solicited(true).complete(true);
            event.getProvider().submit(answer.state(), event.getHandle());  // Open, Ok
        } else {
            sendImage(request, event);
            book = event.getHandle();
        }
    }

    static void sendImage(const ReqMsg& request, const OmmProviderEvent& event) {
        for (UInt16 part = 0; part < 3; ++part) {
            Map orders;
            orders.keyFieldId(3426).totalCountHint(6);  // ORDER_ID; a reader may reserve room for 6 entries
            // The summary travels once, with the first part.
            if (part == 0)
                orders.summaryData(
                    FieldList().addEnum(15, 840).addAscii(3422, "EMI").complete());  // CURRENCY, PROV_SYMB
            for (int i = 0; i < 2; ++i) {
                const int number = 2 * part + i;
                FieldList order;
                fillOrder(order, 1000 - 10 * (number / 2) + (number % 2 == 0 ? 0 : 20 * (number / 2 + 1)),
                          100 * (number + 1), number % 2 == 0 ? Bid : Ask);
                EmaString id("ORDER");
                orders.addKeyAscii(id.append(number), MapEntry::AddEnum, order);
            }
            RefreshMsg image;
            image.domainType(MMT_MARKET_BY_ORDER).name(request.getName()).serviceId(request.getServiceId());
            image.solicited(true).state().partNum(part).complete(part == 2).payload(orders.complete());
            event.getProvider().submit(image, event.getHandle());
        }
    }

    void onClose(const ReqMsg& request, const OmmProviderEvent&) override {
        if (request.getDomainType() == MMT_LOGIN) clientHasGone = true;
        book = 0;
    }
};

int main(int argc, char* argv[]) {
    try {
        OrderBook source;
        OmmProvider provider(OmmIProviderConfig()
                                 .port(argc > 1 ? argv[1] : "14002")
                                 .operationModel(OmmIProviderConfig::UserDispatchEnum),
                             source);
        std::cout << "ready" << std::endl;
        const UInt64 end = GetTime::getMillis() + 60'000;
        while (source.book == 0 && !source.clientHasGone && GetTime::getMillis() < end)
            provider.dispatch(100'000);
        if (source.book != 0) {
            FieldList fresh, smaller;
            fillOrder(fresh, 1005, 700, Bid);
            smaller.addReal(3429, 40, OmmReal::Exponent0Enum).complete();
            Map changes;
            changes.keyFieldId(3426)
                .addKeyAscii("ORDER6", MapEntry::AddEnum, fresh)
                .addKeyAscii("ORDER2", MapEntry::UpdateEnum, smaller)  // only what has changed
                .addKeyAscii("ORDER4", MapEntry::DeleteEnum)
                .complete();
            provider.submit(UpdateMsg().domainType(MMT_MARKET_BY_ORDER).payload(changes), source.book);
        }
        while (!source.clientHasGone && GetTime::getMillis() < end)
            provider.dispatch(100'000);
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
