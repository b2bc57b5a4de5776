// Answers requests for prices: accepts every login, sends an image of each item that is asked for, and then moves its
// price fifty times a second until the consumer closes the item.
//
//     quotes [port [seconds]]     runs until its last consumer has logged out, or that many seconds (60)
#include "Ema.h"

#include <cstdlib>
#include <iostream>
#include <map>
#include <set>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

class QuoteSource : public OmmProviderClient {
public:
    bool everyoneHasGone() const { return hadClients_ && clients_.empty(); }

    // One update for each open item: its bid moves up by a cent.
    void moveAll(OmmProvider& provider) {
        for (auto& [handle, item] : items_) {
            ++item.bid;
            provider.submit(UpdateMsg()
                                .updateTypeNum(INSTRUMENT_UPDATE_QUOTE)
                                .payload(FieldList()
                                             .addReal(22, item.bid, OmmReal::ExponentNeg2Enum)      // BID
                                             .addReal(25, item.bid + 3, OmmReal::ExponentNeg2Enum)  // ASK
                                             .complete()),
                            handle);
        }
    }

private:
    struct Item {
        UInt64 client;  // whose item it is
        Int64 bid;      // in cents
    };

    // Every request arrives here: logins first, then items.
    void onReqMsg(const ReqMsg& request, const OmmProviderEvent& event) override {
        if (request.getDomainType() == MMT_LOGIN) acceptLogin(request, event);
        else if (request.getDomainType() == MMT_MARKET_PRICE) openItem(request, event);
        else refuse(request, event);
    }

    void acceptLogin(const ReqMsg& request, const OmmProviderEvent& event) {
        std::cout << "login of " << request.getName() << std::endl;
        event.getProvider().submit(RefreshMsg()
                                       .domainType(MMT_LOGIN)
                                       .name(request.getName())
                                       .nameType(USER_NAME)
                                       .solicited(true)
                                       .complete(true)
                                       .state(OmmState::OpenEnum, OmmState::OkEnum, OmmState::NoneEnum, "welcome"),
                                   event.getHandle());
        clients_.insert(event.getClientHandle());
        hadClients_ = true;
    }

    void openItem(const ReqMsg& request, const OmmProviderEvent& event) {
        const bool streaming = request.getInterestAfterRefresh();
        std::cout << (streaming ? "open " : "snapshot of ") << request.getName() << std::endl;
        const Int64 bid = 3990;
        RefreshMsg image;
        image.name(request.getName()).serviceId(request.getServiceId()).solicited(true).complete(true);
        image.state(streaming ? OmmState::OpenEnum : OmmState::NonStreamingEnum, OmmState::OkEnum, OmmState::NoneEnum,
                    "here it is");
        image.payload(FieldList()
                          .addRmtes(3, EmaBuffer("EMISSARY EXAMPLE", 16))   // DSPLY_NAME
                          .addEnum(15, 840)                                 // CURRENCY
                          .addReal(22, bid, OmmReal::ExponentNeg2Enum)      // BID
                          .addReal(25, bid + 3, OmmReal::ExponentNeg2Enum)  // ASK
                          .addReal(30, 900, OmmReal::Exponent0Enum)         // BIDSIZE
                          .addReal(31, 1200, OmmReal::Exponent0Enum)        // ASKSIZE
                          .complete());
        event.getProvider().submit(image, event.getHandle());
        // The handle of a snapshot ends with its image.
        if (streaming) items_[event.getHandle()] = {event.getClientHandle(), bid};
    }

    void refuse(const ReqMsg& request, const OmmProviderEvent& event) {
        StatusMsg answer;
        answer.domainType(request.getDomainType()).name(request.getName()).serviceId(request.getServiceId());
        answer.state(OmmState::ClosedEnum, OmmState::SuspectEnum, OmmState::NotFoundEnum, "only prices here");
        event.getProvider().submit(answer, event.getHandle());
    }

    // The end of one item, or of a login: that ends every item of the client without further calls.
    void onClose(const ReqMsg& request, const OmmProviderEvent& event) override {
        if (request.getDomainType() != MMT_LOGIN) {
            std::cout << "close " << request.getName() << std::endl;
            items_.erase(event.getHandle());
            return;
        }
        std::cout << "logout of " << request.getName() << std::endl;
        const UInt64 client = event.getClientHandle();
        for (auto item = items_.begin(); item != items_.end();)
            item = item->second.client == client ? items_.erase(item) : std::next(item);
        clients_.erase(client);
    }

    std::map<UInt64, Item> items_;  // by handle
    std::set<UInt64> clients_;
    bool hadClients_ = false;
};

int main(int argc, char* argv[]) {
    const char* port = argc > 1 ? argv[1] : "14002";
    const UInt64 end = GetTime::getMillis() + 1000 * std::strtoull(argc > 2 ? argv[2] : "60", nullptr, 10);
    try {
        QuoteSource source;
        OmmProvider provider(OmmIProviderConfig().port(port).operationModel(OmmIProviderConfig::UserDispatchEnum),
                             source);
        std::cout << "ready on port " << port << std::endl;
        UInt64 nextMove = 0;
        while (!source.everyoneHasGone() && GetTime::getMillis() < end) {
            provider.dispatch(10'000);  // microseconds
            if (GetTime::getMillis() < nextMove) continue;
            source.moveAll(provider);
            nextMove = GetTime::getMillis() + 20;
        }
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
