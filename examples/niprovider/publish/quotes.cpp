// Publishes without being asked: connects to a server, logs in as a provider, announces its service and sends images
// and updates of its items. Handles are numbers of the program's own; the first message for one opens its stream.
//
//     quotes [host:port [updates]]     needs a server that takes publishers
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

int main(int argc, char* argv[]) {
    const int updates = argc > 2 ? std::atoi(argv[2]) : 3;
    try {
        // Returns when the login is accepted and the directory is sent; the built-in one has the service NI_PUB.
        OmmProvider provider(OmmNiProviderConfig()
                                 .host(argc > 1 ? argv[1] : "localhost:14003")
                                 .username("publisher")
                                 .operationModel(OmmNiProviderConfig::UserDispatchEnum));
        std::cout << "connected as " << provider.getProviderName() << std::endl;

        const char* const names[] = {"EMI.X", "SSA.X"};
        for (UInt64 item = 1; item <= 2; ++item) {
            RefreshMsg image;
            image.serviceName("NI_PUB").name(names[item - 1]).complete(true);
            image.state(OmmState::OpenEnum, OmmState::OkEnum, OmmState::NoneEnum, "unasked");
            image.payload(FieldList()
                              .addReal(22, 3990, OmmReal::ExponentNeg2Enum)
                              .addReal(25, 3993, OmmReal::ExponentNeg2Enum)
                              .complete());
            provider.submit(image, item);
        }
        for (int i = 1; i <= updates; ++i) {
            for (UInt64 item = 1; item <= 2; ++item) {
                UpdateMsg update;
                update.updateTypeNum(INSTRUMENT_UPDATE_QUOTE);
                update.payload(FieldList().addReal(22, 3990 + i, OmmReal::ExponentNeg2Enum).complete());
                provider.submit(update, item);
            }
            provider.dispatch(10'000);
        }
        // The end of one item. The other ones end with the connection.
        provider.submit(StatusMsg().state(OmmState::ClosedEnum, OmmState::SuspectEnum, OmmState::NoneEnum, "no more"),
                        1);
        std::cout << "published" << std::endl;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
