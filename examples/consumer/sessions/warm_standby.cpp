// Keeps a second server ready: a warm-standby group logs in to both and asks both for every item. When the active one
// goes, the other takes over at once, without a new image being waited for.
//
//     warm_standby [host [first port [second port]]]     run provider/sessions/standby on both ports, then kill the
//     first
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

class Watcher : public OmmConsumerClient {
public:
    UInt16 port = 0;

private:
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent& event) override { note("image", msg, event); }
    void onUpdateMsg(const UpdateMsg& msg, const OmmConsumerEvent& event) override { note("update", msg, event); }
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent&) override {
        if (msg.hasState()) std::cout << "item: " << msg.getState().toString() << std::endl;
    }
    // Prints when messages begin to come from another server.
    void note(const char* what, const Msg&, const OmmConsumerEvent& event) {
        const UInt16 from = event.getChannelInformation().port();
        if (from != port) std::cout << what << " from port " << from << std::endl;
        port = from;
    }
};

void describeGroup(Map& config, const char* host, const char* first, const char* second) {
    Map consumers, channels, servers, groups;
    consumers
        .addKeyAscii(
            "Insured", MapEntry::AddEnum,
            ElementList().addAscii("WarmStandbyChannelSet", "Pair").addInt("ReconnectMinDelay", 100).complete())
        .complete();
    channels
        .addKeyAscii("One", MapEntry::AddEnum, ElementList().addAscii("Host", host).addAscii("Port", first).complete())
        .addKeyAscii("Two", MapEntry::AddEnum, ElementList().addAscii("Host", host).addAscii("Port", second).complete())
        .complete();
    servers.addKeyAscii("Server_One", MapEntry::AddEnum, ElementList().addAscii("Channel", "One").complete())
        .addKeyAscii("Server_Two", MapEntry::AddEnum, ElementList().addAscii("Channel", "Two").complete())
        .complete();
    groups
        .addKeyAscii("Pair", MapEntry::AddEnum,
                     ElementList()
                         .addAscii("StartingActiveServer", "Server_One")
                         .addAscii("StandbyServerSet", "Server_Two")
                         .addEnum("WarmStandbyMode", 1)  // by login; 2: by service
                         .complete())
        .complete();
    config
        .addKeyAscii("ConsumerGroup", MapEntry::AddEnum,
                     ElementList().addAscii("DefaultConsumer", "Insured").addMap("ConsumerList", consumers).complete())
        .addKeyAscii("ChannelGroup", MapEntry::AddEnum, ElementList().addMap("ChannelList", channels).complete())
        .addKeyAscii("WarmStandbyServerInfoGroup", MapEntry::AddEnum,
                     ElementList().addMap("WarmStandbyServerInfoList", servers).complete())
        .addKeyAscii("WarmStandbyGroup", MapEntry::AddEnum, ElementList().addMap("WarmStandbyList", groups).complete())
        .complete();
}

int main(int argc, char* argv[]) {
    try {
        Map config;
        describeGroup(config, argc > 1 ? argv[1] : "localhost", argc > 2 ? argv[2] : "14002",
                      argc > 3 ? argv[3] : "14003");
        Watcher watcher;
        OmmConsumer consumer(OmmConsumerConfig().config(config).operationModel(OmmConsumerConfig::UserDispatchEnum));
        consumer.registerClient(ReqMsg().serviceName("DIRECT_FEED").name("EMI.X"), watcher);
        const UInt64 end = GetTime::getMillis() + 40'000;
        while (watcher.port == 0 && GetTime::getMillis() < end)
            consumer.dispatch(100'000);
        const UInt16 active = watcher.port;
        while (watcher.port == active && GetTime::getMillis() < end)
            consumer.dispatch(100'000);
        return watcher.port != active ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
