// A provider that makes its configuration itself: server, dictionary and a directory of one service, as a Map with the
// structure of EmaConfig.xml.
//
//     in_program [port]     ends when its client has gone, or after 60 seconds
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

class Source : public OmmProviderClient {
public:
    bool clientHasGone = false;

private:
    void onReqMsg(const ReqMsg& request, const OmmProviderEvent& event) override {
        RefreshMsg answer;
        answer.domainType(request.getDomainType()).name(request.getName()).solicited(true).complete(true);
        if (request.getDomainType() == MMT_LOGIN) {
            answer.nameType(USER_NAME).state(OmmState::OpenEnum, OmmState::OkEnum, OmmState::NoneEnum, "welcome");
        } else {
            answer.serviceId(request.getServiceId());
            answer.state(OmmState::NonStreamingEnum, OmmState::OkEnum, OmmState::NoneEnum, "configured in the program");
            answer.payload(FieldList().addReal(22, 1025, OmmReal::ExponentNeg2Enum).complete());
        }
        event.getProvider().submit(answer, event.getHandle());
    }
    void onClose(const ReqMsg& request, const OmmProviderEvent&) override {
        clientHasGone = request.getDomainType() == MMT_LOGIN;
    }
};

// One service: what it offers (InfoFilter) and how it is (StateFilter).
void describeService(ElementList& service, UInt64 id) {
    OmmArray capabilities, dictionaries;
    capabilities.addAscii("MMT_MARKET_PRICE").addAscii("MMT_DICTIONARY").complete();
    dictionaries.addAscii("Field_Files").complete();  // the name of the entry in DictionaryGroup
    Series qos;
    qos.add(
        ElementList().addAscii("Timeliness", "Timeliness::RealTime").addAscii("Rate", "Rate::TickByTick").complete());
    qos.complete();
    service.addElementList("InfoFilter", ElementList()
                                             .addUInt("ServiceId", id)
                                             .addAscii("Vendor", "Program")
                                             .addUInt("IsSource", 1)
                                             .addArray("Capabilities", capabilities)
                                             .addArray("DictionariesProvided", dictionaries)
                                             .addArray("DictionariesUsed", dictionaries)
                                             .addSeries("QoS", qos)
                                             .complete());
    service.addElementList("StateFilter",
                           ElementList().addUInt("ServiceState", 1).addUInt("AcceptingRequests", 1).complete());
    service.complete();
}

// A group of one entry: ElementList { Map "<list>" { "<name>" -> content } }.
void addGroup(Map& config, const char* group, const char* list, const char* name, const ComplexType& content) {
    Map entries;
    entries.addKeyAscii(name, MapEntry::AddEnum, content).complete();
    config.addKeyAscii(group, MapEntry::AddEnum, ElementList().addMap(list, entries).complete());
}

int main(int argc, char* argv[]) {
    try {
        ElementList service;
        describeService(service, 20);
        Map services;
        services.addKeyAscii("PROGRAM_FEED", MapEntry::AddEnum, service).complete();

        Map config;
        addGroup(config, "IProviderGroup", "IProviderList", "Program_Provider",
                 ElementList()
                     .addAscii("Server", "Program_Port")
                     .addAscii("Directory", "Program_Directory")
                     .addAscii("Logger", "Console")
                     .complete());
        addGroup(config, "ServerGroup", "ServerList", "Program_Port",
                 ElementList().addEnum("ServerType", 0).addAscii("Port", argc > 1 ? argv[1] : "14002").complete());
        addGroup(config, "DirectoryGroup", "DirectoryList", "Program_Directory", services);
        addGroup(config, "DictionaryGroup", "DictionaryList", "Field_Files",
                 ElementList()
                     .addEnum("DictionaryType", 0)  // files
                     .addAscii("RdmFieldDictionaryFileName", "./RDMFieldDictionary")
                     .addAscii("EnumTypeDefFileName", "./enumtype.def")
                     .complete());
        addGroup(config, "LoggerGroup", "LoggerList", "Console",
                 ElementList().addEnum("LoggerType", 1).addEnum("LoggerSeverity", 3).complete());
        config.complete();

        Source source;
        OmmProvider provider(OmmIProviderConfig()
                                 .config(config)
                                 .providerName("Program_Provider")
                                 .operationModel(OmmIProviderConfig::UserDispatchEnum),
                             source);
        std::cout << "ready: " << provider.getProviderName() << std::endl;
        for (const UInt64 end = GetTime::getMillis() + 60'000; !source.clientHasGone && GetTime::getMillis() < end;)
            provider.dispatch(100'000);
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
