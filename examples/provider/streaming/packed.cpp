// Sends many small messages in one packet: a PackedMsg collects them for one client session until it is full, and goes
// out as a whole. Saves system calls and headers when there is much to say at once.
//
//     packed [port [updates]]     ends when its client has gone, or after 60 seconds
#include "Ema.h"

#include <cstdlib>
#include <iostream>
#include <vector>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

class Source : public OmmProviderClient {
public:
    bool clientHasGone = false;
    UInt64 client = 0;
    std::vector<UInt64> items;

private:
    void onReqMsg(const ReqMsg& request, const OmmProviderEvent& event) override {
        RefreshMsg answer;
        answer.domainType(request.getDomainType()).name(request.getName()).solicited(true).state().complete(true);
        if (request.getDomainType() == MMT_LOGIN) {
            answer.nameType(USER_NAME);
            client = event.getClientHandle();
        } else {
            answer.serviceId(request.getServiceId());
            answer.payload(FieldList().addReal(22, 3990, OmmReal::ExponentNeg2Enum).complete());
            items.push_back(event.getHandle());
        }
        event.getProvider().submit(answer, event.getHandle());
    }
    void onClose(const ReqMsg& request, const OmmProviderEvent&) override {
        if (request.getDomainType() == MMT_LOGIN) clientHasGone = true;
        items.clear();
    }
};

int main(int argc, char* argv[]) {
    const int updates = argc > 2 ? std::atoi(argv[2]) : 100;
    try {
        Source source;
        OmmProvider provider(OmmIProviderConfig()
                                 .port(argc > 1 ? argv[1] : "14002")
                                 .operationModel(OmmIProviderConfig::UserDispatchEnum),
                             source);
        std::cout << "ready" << std::endl;
        const UInt64 end = GetTime::getMillis() + 60'000;
        while (source.items.size() < 3 && !source.clientHasGone && GetTime::getMillis() < end)
            provider.dispatch(100'000);
        if (source.items.size() == 3) {
            PackedMsg pack(provider);
            pack.initBuffer(source.client, UInt32{1000});  // so small that it fills up now and then
            int packets = 0;
            FieldList fields;
            UpdateMsg update;
            for (int i = 0; i < updates; ++i) {
                fields.clear().addReal(22, 3991 + i, OmmReal::ExponentNeg2Enum).complete();
                update.clear().payload(fields);
                const UInt64 item = source.items[static_cast<std::size_t>(i) % 3];
                try {
                    pack.addMsg(update, item);
                } catch (const OmmInvalidUsageException& full) {
                    if (full.getErrorCode() != OmmInvalidUsageException::BufferTooSmallEnum) throw;
                    provider.submit(pack);  // what fits is still in it
                    ++packets;
                    pack.initBuffer(source.client, UInt32{1000}).addMsg(update, item);
                }
            }
            std::cout << "last packet: " << pack.packedMsgCount() << " messages, "
                      << (pack.remainingSize() < pack.maxSize() ? "room left" : "empty") << std::endl;
            provider.submit(pack);
            ++packets;
            std::cout << updates << " updates in " << packets << " packets" << std::endl;
        }
        while (!source.clientHasGone && GetTime::getMillis() < end)
            provider.dispatch(100'000);
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
