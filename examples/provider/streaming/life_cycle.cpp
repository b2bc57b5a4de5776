// Everything that can happen to an open item, one after the other: an update, a whole new image that nobody asked for,
// bad and good health, a word without a state, and the end for good.
// Another item is refused because it does not exist, and one is closed so that the consumer asks again.
//
//     life_cycle [port]     ends when its client has gone, or after 60 seconds
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

class Source : public OmmProviderClient {
public:
    bool clientHasGone = false;
    UInt64 item = 0;

private:
    void onReqMsg(const ReqMsg& request, const OmmProviderEvent& event) override {
        OmmProvider& provider = event.getProvider();
        if (request.getDomainType() == MMT_LOGIN) {
            RefreshMsg answer;
            answer.domainType(MMT_LOGIN).name(request.getName()).nameType(USER_NAME).solicited(true).complete(true);
            provider.submit(answer.state(), event.getHandle());
            return;
        }
        std::cout << "request for " << request.getName() << std::endl;
        if (request.getName() == "NONE.X") {
            provider.submit(StatusMsg().state(OmmState::ClosedEnum, OmmState::SuspectEnum, OmmState::NotFoundEnum,
                                              "there is no such item"),
                            event.getHandle());
            return;
        }
        RefreshMsg image;
        image.name(request.getName()).serviceId(request.getServiceId()).solicited(true).complete(true);
        image.state(OmmState::OpenEnum, OmmState::OkEnum, OmmState::NoneEnum, "first image");
        image.seqNum(1).qos(OmmQos::RealTimeEnum, OmmQos::TickByTickEnum).permissionData(EmaBuffer("\x03\x01", 2));
        image.payload(FieldList().addReal(22, 3990, OmmReal::ExponentNeg2Enum).complete());
        provider.submit(image, event.getHandle());
        if (request.getName() != "AGAIN.X") item = event.getHandle();
        else if (++asked_ == 1)  // "ask again": the consumer's library does so by itself
            provider.submit(StatusMsg().state(OmmState::ClosedRecoverEnum, OmmState::SuspectEnum, OmmState::NoneEnum,
                                              "line is being moved"),
                            event.getHandle());
    }
    void onClose(const ReqMsg& request, const OmmProviderEvent&) override {
        if (request.getDomainType() == MMT_LOGIN) clientHasGone = true;
        else std::cout << "close of " << request.getName() << std::endl;
    }

    int asked_ = 0;
};

void play(OmmProvider& provider, UInt64 item) {
    FieldList fields;
    provider.submit(UpdateMsg()
                        .seqNum(2)
                        .updateTypeNum(INSTRUMENT_UPDATE_QUOTE)
                        .conflated(3, 250)  // stands for three updates in 250 ms
                        .payload(fields.addReal(22, 3991, OmmReal::ExponentNeg2Enum).complete()),
                    item);
    // Not solicited: replaces what the consumer has, for example after a correction.
    RefreshMsg image;
    image.state(OmmState::OpenEnum, OmmState::OkEnum, OmmState::NoneEnum, "corrected").complete(true).clearCache(true);
    provider.submit(image.payload(fields.clear().addReal(22, 4050, OmmReal::ExponentNeg2Enum).complete()), item);

    StatusMsg status;
    provider.submit(status.state(OmmState::OpenEnum, OmmState::SuspectEnum, OmmState::GapDetectedEnum, "missed some"),
                    item);
    provider.submit(status.clear().state(OmmState::OpenEnum, OmmState::OkEnum, OmmState::NoneEnum, "complete again"),
                    item);
    // New permission data alone, the state stays as it is.
    provider.submit(status.clear().permissionData(EmaBuffer("\x03\x02", 2)), item);
    provider.submit(status.clear().state(OmmState::ClosedEnum, OmmState::SuspectEnum, OmmState::NoneEnum, "delisted"),
                    item);
    // The handle has ended with that.
    try {
        provider.submit(UpdateMsg().payload(fields), item);
    } catch (const OmmException& failure) {
        std::cout << "after the end: " << failure.getExceptionTypeAsString() << std::endl;
    }
}

int main(int argc, char* argv[]) {
    try {
        Source source;
        OmmProvider provider(OmmIProviderConfig()
                                 .port(argc > 1 ? argv[1] : "14002")
                                 .operationModel(OmmIProviderConfig::UserDispatchEnum),
                             source);
        std::cout << "ready" << std::endl;
        const UInt64 end = GetTime::getMillis() + 60'000;
        while (source.item == 0 && !source.clientHasGone && GetTime::getMillis() < end)
            provider.dispatch(100'000);
        if (source.item != 0) play(provider, source.item);
        while (!source.clientHasGone && GetTime::getMillis() < end)
            provider.dispatch(100'000);
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
