// Publishes from the application's thread while the library's own thread looks after the connection (API dispatch, the
// default), and sends a burst as packets of many messages.
//
//     own_thread [host:port [updates]]     needs a server that takes publishers
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;

int main(int argc, char* argv[]) {
    const int updates = argc > 2 ? std::atoi(argv[2]) : 100;
    try {
        OmmProvider provider(OmmNiProviderConfig().host(argc > 1 ? argv[1] : "localhost:14003"));
        RefreshMsg image;
        image.serviceName("NI_PUB").name("EMI.X").state().complete(true);
        provider.submit(image.payload(FieldList().addReal(22, 3990, OmmReal::ExponentNeg2Enum).complete()), 1);

        PackedMsg pack(provider);
        pack.initBuffer();
        int packets = 0;
        for (int i = 1; i <= updates; ++i) {
            UpdateMsg update;
            update.payload(FieldList().addReal(22, 3990 + i, OmmReal::ExponentNeg2Enum).complete());
            try {
                pack.addMsg(update, 1);
            } catch (const OmmInvalidUsageException& full) {
                if (full.getErrorCode() != OmmInvalidUsageException::BufferTooSmallEnum) throw;
                provider.submit(pack);
                ++packets;
                pack.initBuffer().addMsg(update, 1);
            }
        }
        provider.submit(pack);
        std::cout << updates << " updates in " << packets + 1 << " packets" << std::endl;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
