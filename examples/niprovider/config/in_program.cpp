// A publisher that makes its configuration itself: channel and directory as a Map with the structure of EmaConfig.xml,
// two services in it.
//
//     in_program [host [port]]     needs a server that takes publishers
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;

void describeService(ElementList& service, UInt64 id, UInt64 up) {
    OmmArray domains;
    domains.addAscii("MMT_MARKET_PRICE").addAscii("MMT_HISTORY").complete();
    service
        .addElementList("InfoFilter",
                        ElementList().addUInt("ServiceId", id).addArray("Capabilities", domains).complete())
        .addElementList("StateFilter",
                        ElementList().addUInt("ServiceState", up).addUInt("AcceptingRequests", 0).complete())
        .complete();
}

// A group of one entry: ElementList { Map "<list>" { "<name>" -> content } }.
void addGroup(Map& config, const char* group, const char* list, const char* name, const ComplexType& content) {
    Map entries;
    entries.addKeyAscii(name, MapEntry::AddEnum, content).complete();
    config.addKeyAscii(group, MapEntry::AddEnum, ElementList().addMap(list, entries).complete());
}

int main(int argc, char* argv[]) {
    try {
        ElementList day, night;
        describeService(day, 31, 1);
        describeService(night, 32, 0);
        Map services;
        services.addKeyAscii("DAY_PUB", MapEntry::AddEnum, day)
            .addKeyAscii("NIGHT_PUB", MapEntry::AddEnum, night)
            .complete();

        Map config;
        addGroup(
            config, "NiProviderGroup", "NiProviderList", "Program_Publisher",
            ElementList().addAscii("Channel", "Program_Server").addAscii("Directory", "Program_Directory").complete());
        addGroup(config, "ChannelGroup", "ChannelList", "Program_Server",
                 ElementList()
                     .addEnum("ChannelType", 0)
                     .addAscii("Host", argc > 1 ? argv[1] : "localhost")
                     .addAscii("Port", argc > 2 ? argv[2] : "14003")
                     .complete());
        addGroup(config, "DirectoryGroup", "DirectoryList", "Program_Directory", services);
        config.complete();

        OmmProvider provider(OmmNiProviderConfig()
                                 .config(config)
                                 .providerName("Program_Publisher")
                                 .operationModel(OmmNiProviderConfig::UserDispatchEnum));
        std::cout << "connected as " << provider.getProviderName() << std::endl;
        RefreshMsg image;
        image.serviceName("DAY_PUB").name("EMI.X").state().complete(true);
        provider.submit(image.payload(FieldList().addReal(22, 3990, OmmReal::ExponentNeg2Enum).complete()), 1);
        provider.dispatch(10'000);
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
