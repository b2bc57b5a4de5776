// Follows the states of streams: images that were asked for and those that were not, health that comes and goes,
// streams that end, and one that the library opens again by itself.
//
//     states [host:port]     run provider/streaming/life_cycle first
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;

class Follower : public OmmConsumerClient {
public:
    int ends = 0, images = 0;

private:
    static const char* item(const OmmConsumerEvent& event) { return static_cast<const char*>(event.getClosure()); }

    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent& event) override {
        std::cout << item(event) << (msg.getSolicited() ? " image: " : " new image: ")
                  << msg.getState().getStatusText();
        if (msg.hasSeqNum()) std::cout << ", number " << msg.getSeqNum();
        if (msg.hasQos()) std::cout << ", " << msg.getQos().toString();
        if (msg.hasPermissionData())
            std::cout << ", " << msg.getPermissionData().length() << " bytes of permission data";
        if (msg.getClearCache()) std::cout << ", forget the old one";
        std::cout << std::endl;
        ++images;
    }
    void onUpdateMsg(const UpdateMsg& msg, const OmmConsumerEvent& event) override {
        std::cout << item(event) << " update";
        if (msg.hasConflated())
            std::cout << ", stands for " << msg.getConflatedCount() << " in " << msg.getConflatedTime() << " ms";
        std::cout << std::endl;
    }
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent& event) override {
        std::cout << item(event) << " status: ";
        if (!msg.hasState()) {
            std::cout << "no state, " << msg.getPermissionData().length() << " bytes of permission data" << std::endl;
            return;
        }
        std::cout << msg.getState().toString() << std::endl;
        // Closed means closed for good. What can be recovered is recovered by the library: such streams stay Open.
        if (msg.getState().getStreamState() == OmmState::ClosedEnum) ++ends;
    }
};

int main(int argc, char* argv[]) {
    try {
        Follower follower;
        OmmConsumer consumer(OmmConsumerConfig()
                                 .host(argc > 1 ? argv[1] : "localhost:14002")
                                 .operationModel(OmmConsumerConfig::UserDispatchEnum));
        char names[][8] = {"NONE.X", "AGAIN.X", "EMI.X"};
        for (char* name : names)
            consumer.registerClient(ReqMsg().serviceName("DIRECT_FEED").name(name), follower, name);
        // Two items end; images: two of AGAIN.X, two of EMI.X.
        for (const UInt64 end = GetTime::getMillis() + 30'000;
             (follower.ends < 2 || follower.images < 4) && GetTime::getMillis() < end;)
            consumer.dispatch(100'000);
        return follower.ends == 2 && follower.images == 4 ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
