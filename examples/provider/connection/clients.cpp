// Watches its client sessions: who is connected, from where and how, what the operating system says about the line, and
// closes a session that has been there long enough.
//
//     clients [port]     ends when its client has gone, or after 60 seconds
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

class Source : public OmmProviderClient {
public:
    bool clientHasGone = false;
    UInt64 item = 0, client = 0;

private:
    void onReqMsg(const ReqMsg& request, const OmmProviderEvent& event) override {
        RefreshMsg answer;
        answer.domainType(request.getDomainType()).name(request.getName()).solicited(true).state().complete(true);
        if (request.getDomainType() == MMT_LOGIN) {
            // The event knows the session that the request came from.
            const ChannelInformation& channel = event.getChannelInformation();
            std::cout << request.getName() << " from " << channel.getIPaddress() << ", component "
                      << channel.getConnectedComponentInfo() << std::endl;
            answer.nameType(USER_NAME);
        } else {
            answer.serviceId(request.getServiceId());
            answer.payload(FieldList().addReal(22, 3990, OmmReal::ExponentNeg2Enum).complete());
            item = event.getHandle();
            client = event.getClientHandle();
        }
        event.getProvider().submit(answer, event.getHandle());
    }
    void onClose(const ReqMsg& request, const OmmProviderEvent&) override {
        if (request.getDomainType() == MMT_LOGIN) clientHasGone = true;
    }
};

int main(int argc, char* argv[]) {
    try {
        Source source;
        OmmProvider provider(OmmIProviderConfig()
                                 .port(argc > 1 ? argv[1] : "14002")
                                 .operationModel(OmmIProviderConfig::UserDispatchEnum),
                             source);
        std::cout << "ready" << std::endl;
        const UInt64 end = GetTime::getMillis() + 60'000;
        while (source.item == 0 && GetTime::getMillis() < end)
            provider.dispatch(100'000);

        EmaVector<ChannelInformation> sessions;
        provider.getConnectedClientChannelInfo(sessions);
        std::cout << sessions.size() << " session" << std::endl;
        for (UInt32 i = 0; i < sessions.size(); ++i)
            std::cout << "    state " << sessions[i].getChannelState() << ", RWF " << sessions[i].getMajorVersion()
                      << "." << sessions[i].getMinorVersion() << ", pings within " << sessions[i].getPingTimeout()
                      << " s" << std::endl;
        ChannelStatistics statistics;
        provider.getConnectedClientChannelStats(source.client, statistics);
        std::cout << "retransmitted segments known: " << (statistics.hasTcpRetransmitCount() ? "yes" : "no")
                  << std::endl;

        // More room for what waits for a slow reader of this session.
        provider.modifyIOCtl(IOCtlCode::MaxNumBuffersEnum, 200, source.client);

        provider.closeChannel(source.client);
        std::cout << "closed" << std::endl;
        // Its items are gone with it.
        try {
            provider.submit(UpdateMsg().payload(FieldList().addReal(22, 1, OmmReal::Exponent0Enum).complete()),
                            source.item);
        } catch (const OmmException& failure) {
            std::cout << "its item: " << failure.getExceptionTypeAsString() << std::endl;
        }
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
