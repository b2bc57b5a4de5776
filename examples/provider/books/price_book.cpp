// Publishes the depth of a market (MarketByPrice): one Map entry for each price level, keyed by bytes, each with its
// own permission data; the number of levels is announced as a hint.
//
//     price_book [port]     ends when its client has gone, or after 60 seconds
#include "Ema.h"

#include <cstdlib>
#include <iostream>
#include <string>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

// Levels are keyed by price and side, for example "39.90B".
EmaBuffer levelKey(const std::string& price, char side) {
    const std::string key = price + side;
    return EmaBuffer(key.data(), static_cast<UInt32>(key.size()));
}

class PriceBook : public OmmProviderClient {
public:
    bool clientHasGone = false;
    UInt64 book = 0;

private:
    void onReqMsg(const ReqMsg& request, const OmmProviderEvent& event) override {
        RefreshMsg answer;
        answer.domainType(request.getDomainType()).name(request.getName()).solicited(true).state().complete(true);
        if (request.getDomainType() == MMT_LOGIN) {
            answer.nameType(USER_NAME);
        } else {
            const EmaBuffer lock("\x03\x01\x42", 3);  // who may see the level, in the permission system's own bytes
            Map levels;
            levels.totalCountHint(3).summaryData(FieldList().addEnum(15, 826).complete());
            FieldList best, second, offer;
            fill(best, 3990, 1500, 3);
            fill(second, 3989, 400, 1);
            fill(offer, 3993, 900, 2);
            levels.addKeyBuffer(levelKey("39.90", 'B'), MapEntry::AddEnum, best, lock)
                .addKeyBuffer(levelKey("39.89", 'B'), MapEntry::AddEnum, second)
                .addKeyBuffer(levelKey("39.93", 'A'), MapEntry::AddEnum, offer)
                .complete();
            answer.serviceId(request.getServiceId()).payload(levels);
            book = event.getHandle();
        }
        event.getProvider().submit(answer, event.getHandle());
    }
    static void fill(FieldList& level, Int64 price, Int64 size, UInt64 orders) {
        level
            .addReal(3427, price, OmmReal::ExponentNeg2Enum)  // ORDER_PRC
            .addReal(4356, size, OmmReal::Exponent0Enum)      // ACC_SIZE
            .addUInt(3430, orders)                            // NO_ORD
            .complete();
    }
    void onClose(const ReqMsg& request, const OmmProviderEvent&) override {
        if (request.getDomainType() == MMT_LOGIN) clientHasGone = true;
        book = 0;
    }
};

int main(int argc, char* argv[]) {
    try {
        PriceBook source;
        OmmProvider provider(OmmIProviderConfig()
                                 .port(argc > 1 ? argv[1] : "14002")
                                 .operationModel(OmmIProviderConfig::UserDispatchEnum),
                             source);
        std::cout << "ready" << std::endl;
        const UInt64 end = GetTime::getMillis() + 60'000;
        while (source.book == 0 && !source.clientHasGone && GetTime::getMillis() < end)
            provider.dispatch(100'000);
        // The best bid is traded away, then the next one grows.
        if (source.book != 0)
            provider.submit(UpdateMsg()
                                .domainType(MMT_MARKET_BY_PRICE)
                                .updateTypeNum(INSTRUMENT_UPDATE_TRADE)
                                .payload(Map().addKeyBuffer(levelKey("39.90", 'B'), MapEntry::DeleteEnum).complete()),
                            source.book);
        if (source.book != 0) {
            FieldList size;
            size.addReal(4356, 650, OmmReal::Exponent0Enum).complete();
            provider.submit(
                UpdateMsg()
                    .domainType(MMT_MARKET_BY_PRICE)
                    .updateTypeNum(INSTRUMENT_UPDATE_QUOTE)
                    .payload(Map().addKeyBuffer(levelKey("39.89", 'B'), MapEntry::UpdateEnum, size).complete()),
                source.book);
        }
        while (!source.clientHasGone && GetTime::getMillis() < end)
            provider.dispatch(100'000);
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
