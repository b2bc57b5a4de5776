// A publisher that EmaConfig.xml describes: the server, and the service that it announces there.
//
//     from_file [EmaConfig.xml or its folder]     needs a server that takes publishers
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;

int main(int argc, char* argv[]) {
    try {
        OmmProvider provider(
            OmmNiProviderConfig(argc > 1 ? argv[1] : "").operationModel(OmmNiProviderConfig::UserDispatchEnum));
        std::cout << "connected as " << provider.getProviderName() << std::endl;
        RefreshMsg image;
        image.serviceName("DESK_PUB").name("EMI.X").state().complete(true);
        provider.submit(image.payload(FieldList().addReal(22, 3990, OmmReal::ExponentNeg2Enum).complete()), 1);
        // A service that the directory does not have is refused here; nothing goes over the line.
        try {
            image.clear().serviceName("OTHER_PUB").name("EMI.X").state().complete(true);
            provider.submit(image.payload(FieldList().addReal(22, 1, OmmReal::Exponent0Enum).complete()), 2);
        } catch (const OmmInvalidUsageException& failure) { std::cout << failure.getText() << std::endl; }
        provider.dispatch(10'000);
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
