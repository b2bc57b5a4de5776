// Announces its service itself: under user control of the directory nothing is sent until the program submits a
// directory image; items follow, and a directory update takes the service down.
//
//     own_directory [host:port]     needs a server that takes publishers
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

const UInt64 directoryHandle = 1, itemHandle = 2, serviceId = 5;

void announce(OmmProvider& provider) {
    OmmArray domains;
    domains.addUInt(MMT_MARKET_PRICE).complete();
    FilterList filters;
    filters
        .add(SERVICE_INFO_ID, FilterEntry::SetEnum,
             ElementList().addAscii(ENAME_NAME, "HAND_MADE_PUB").addArray(ENAME_CAPABILITIES, domains).complete())
        .add(SERVICE_STATE_ID, FilterEntry::SetEnum,
             ElementList().addUInt(ENAME_SVC_STATE, SERVICE_UP).addUInt(ENAME_ACCEPTING_REQS, 0).complete())
        .complete();
    RefreshMsg directory;
    directory.domainType(MMT_DIRECTORY).filter(SERVICE_INFO_FILTER | SERVICE_STATE_FILTER).clearCache(true);
    directory.state().complete(true).payload(Map().addKeyUInt(serviceId, MapEntry::AddEnum, filters).complete());
    provider.submit(directory, directoryHandle);
}

void takeDown(OmmProvider& provider) {
    FilterList filters;
    filters
        .add(SERVICE_STATE_ID, FilterEntry::UpdateEnum,
             ElementList().addUInt(ENAME_SVC_STATE, SERVICE_DOWN).addUInt(ENAME_ACCEPTING_REQS, 0).complete())
        .complete();
    UpdateMsg change;
    change.domainType(MMT_DIRECTORY).payload(Map().addKeyUInt(serviceId, MapEntry::UpdateEnum, filters).complete());
    provider.submit(change, directoryHandle);
}

int main(int argc, char* argv[]) {
    try {
        OmmProvider provider(OmmNiProviderConfig()
                                 .host(argc > 1 ? argv[1] : "localhost:14003")
                                 .adminControlDirectory(OmmNiProviderConfig::UserControlEnum)
                                 .operationModel(OmmNiProviderConfig::UserDispatchEnum));
        RefreshMsg image;
        image.serviceName("HAND_MADE_PUB").name("EMI.X").state().complete(true);
        image.payload(FieldList().addReal(22, 3990, OmmReal::ExponentNeg2Enum).complete());
        try {
            provider.submit(image, itemHandle);
        } catch (const OmmInvalidUsageException&) { std::cout << "not announced yet" << std::endl; }
        announce(provider);
        provider.submit(image, itemHandle);
        provider.dispatch(10'000);
        takeDown(provider);
        provider.dispatch(10'000);
        std::cout << "taken down" << std::endl;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
