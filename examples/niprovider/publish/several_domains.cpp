// Publishes items of several domains on one connection: a price, an order book in two parts, and a list of symbols.
//
//     several_domains [host:port]     needs a server that takes publishers
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

enum Item : UInt64 { Price = 100, Book = 200, Level = 300 };

void publishPrice(OmmProvider& provider) {
    RefreshMsg image;
    image.domainType(MMT_MARKET_PRICE).serviceName("NI_PUB").name("EMI.X").state().complete(true);
    provider.submit(image.payload(FieldList().addReal(22, 3990, OmmReal::ExponentNeg2Enum).complete()), Price);
}

void publishBook(OmmProvider& provider) {
    for (UInt16 part = 0; part < 2; ++part) {
        FieldList order;
        order.addReal(3427, 3990 + part, OmmReal::ExponentNeg2Enum).addEnum(3428, 1u + part).complete();
        Map orders;
        if (part == 0) orders.summaryData(FieldList().addEnum(15, 840).complete());
        orders.addKeyAscii(part == 0 ? "ORDER1" : "ORDER2", MapEntry::AddEnum, order).complete();
        RefreshMsg image;
        image.domainType(MMT_MARKET_BY_ORDER).serviceName("NI_PUB").name("EMI.X").state();
        provider.submit(image.partNum(part).complete(part == 1).payload(orders), Book);
    }
    // An order is taken out.
    Map change;
    change.addKeyAscii("ORDER1", MapEntry::DeleteEnum).complete();
    provider.submit(UpdateMsg().domainType(MMT_MARKET_BY_ORDER).payload(change), Book);
}

void publishLevels(OmmProvider& provider) {
    FieldList level;
    level.addReal(3427, 3990, OmmReal::ExponentNeg2Enum).addReal(4356, 1500, OmmReal::Exponent0Enum).complete();
    Map levels;
    levels.addKeyBuffer(EmaBuffer("39.90B", 6), MapEntry::AddEnum, level).complete();
    RefreshMsg image;
    image.domainType(MMT_MARKET_BY_PRICE).serviceName("NI_PUB").name("EMI.X").state().complete(true);
    provider.submit(image.payload(levels), Level);
}

int main(int argc, char* argv[]) {
    try {
        OmmProvider provider(OmmNiProviderConfig()
                                 .host(argc > 1 ? argv[1] : "localhost:14003")
                                 .operationModel(OmmNiProviderConfig::UserDispatchEnum));
        // The same name in three domains: three items.
        publishPrice(provider);
        publishBook(provider);
        publishLevels(provider);
        provider.dispatch(10'000);
        std::cout << "published" << std::endl;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
