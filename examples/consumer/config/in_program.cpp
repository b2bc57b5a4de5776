// The same configuration as a file would hold, made by the program: a Map whose keys are the groups of EmaConfig.xml.
// It is laid over the file, if there is one.
//
//     in_program [host [port]]     run provider/config/in_program first
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;

class Image : public OmmConsumerClient {
public:
    bool done = false;

private:
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent&) override {
        std::cout << msg.getServiceName() << " " << msg.getName() << ": " << msg.getState().toString() << std::endl;
        const FieldList& fields = msg.getPayload().getFieldList();
        while (fields.forth())
            std::cout << "    " << fields.getEntry().getName() << " = " << fields.getEntry().getLoad().toString()
                      << std::endl;
        done = true;
    }
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent&) override {
        if (msg.hasState()) std::cout << msg.getState().toString() << std::endl;
    }
};

// A group of one entry: ElementList { Map "<list>" { "<name>" -> parameters } }.
void addGroup(Map& config, const char* group, const char* list, const char* name, const ElementList& parameters,
              const char* defaultElement = nullptr) {
    Map entries;
    entries.addKeyAscii(name, MapEntry::AddEnum, parameters).complete();
    ElementList content;
    if (defaultElement != nullptr) content.addAscii(defaultElement, name);
    content.addMap(list, entries).complete();
    config.addKeyAscii(group, MapEntry::AddEnum, content);
}

int main(int argc, char* argv[]) {
    try {
        Map config;
        addGroup(config, "ConsumerGroup", "ConsumerList", "Screen",
                 ElementList()
                     .addAscii("Channel", "Feed")
                     .addAscii("Dictionary", "Local_Files")
                     .addAscii("Logger", "Console")
                     .addUInt("ItemCountHint", 100)
                     .addUInt("LoginRequestTimeOut", 20'000)
                     .addUInt("MaxDispatchCountUserThread", 50)
                     .complete(),
                 "DefaultConsumer");
        addGroup(config, "ChannelGroup", "ChannelList", "Feed",
                 ElementList()
                     .addEnum("ChannelType", 0)  // socket
                     .addAscii("Host", argc > 1 ? argv[1] : "localhost")
                     .addAscii("Port", argc > 2 ? argv[2] : "14002")
                     .addUInt("TcpNodelay", 1)
                     .addUInt("ConnectionPingTimeout", 30'000)
                     .complete());
        addGroup(config, "DictionaryGroup", "DictionaryList", "Local_Files",
                 ElementList()
                     .addEnum("DictionaryType", 0)  // files
                     .addAscii("RdmFieldDictionaryFileName", "./RDMFieldDictionary")
                     .addAscii("EnumTypeDefFileName", "./enumtype.def")
                     .complete());
        addGroup(config, "LoggerGroup", "LoggerList", "Console",
                 ElementList()
                     .addEnum("LoggerType", 1)      // standard output
                     .addEnum("LoggerSeverity", 3)  // errors
                     .complete());
        config.complete();

        Image image;
        OmmConsumer consumer(OmmConsumerConfig().config(config).operationModel(OmmConsumerConfig::UserDispatchEnum));
        std::cout << "connected as " << consumer.getConsumerName() << std::endl;
        consumer.registerClient(ReqMsg().serviceName("PROGRAM_FEED").name("EMI.X").interestAfterRefresh(false), image);
        for (const UInt64 end = GetTime::getMillis() + 30'000; !image.done && GetTime::getMillis() < end;)
            consumer.dispatch(100'000);
        return image.done ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
