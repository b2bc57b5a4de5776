// Posts off stream: on the login, for an item that this application does not have open, named in the message itself.
// Acknowledgements come to the client that registered for the login. Without solicitAck() there is none.
//
//     off_stream [host:port]     run provider/posting/blotter first
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

class Contributor : public OmmConsumerClient {
public:
    bool loggedIn = false;
    int acks = 0;

private:
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent&) override {  // why there is no image (yet)
        if (msg.hasState()) std::cerr << msg.getState().toString() << std::endl;
    }
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent&) override {
        loggedIn = msg.getState().getStreamState() == OmmState::OpenEnum;
        if (msg.getAttrib().getDataType() != DataType::ElementListEnum) return;
        const ElementList& attributes = msg.getAttrib().getElementList();
        if (attributes.forth(ENAME_SUPPORT_POST))
            std::cout << "the provider takes posts: " << attributes.getEntry().getUInt() << std::endl;
    }
    void onAckMsg(const AckMsg& msg, const OmmConsumerEvent&) override {
        std::cout << "post " << msg.getAckId() << (msg.hasNackCode() ? " refused" : " accepted");
        if (msg.hasName()) std::cout << " for " << msg.getName();
        if (msg.hasSeqNum()) std::cout << ", sequence number " << msg.getSeqNum();
        std::cout << std::endl;
        ++acks;
    }
};

int main(int argc, char* argv[]) {
    try {
        Contributor contributor;
        OmmConsumer consumer(OmmConsumerConfig()
                                 .host(argc > 1 ? argv[1] : "localhost:14002")
                                 .operationModel(OmmConsumerConfig::UserDispatchEnum));
        const UInt64 login = consumer.registerClient(ReqMsg().domainType(MMT_LOGIN), contributor);
        const UInt64 end = GetTime::getMillis() + 30'000;
        while (!contributor.loggedIn && GetTime::getMillis() < end)
            consumer.dispatch(100'000);

        FieldList fields;
        fields.addReal(22, 4150, OmmReal::ExponentNeg2Enum).complete();
        PostMsg post;
        // Nobody is told about this one:
        post.serviceName("DIRECT_FEED").name("SSA.X").postId(1).complete(true).payload(fields);
        consumer.submit(post, login);
        // And this one is acknowledged:
        post.clear().serviceName("DIRECT_FEED").name("RY.X").postId(2).seqNum(77).solicitAck(true).complete(true);
        consumer.submit(post.payload(fields), login);
        // An acknowledgement needs an id to name.
        try {
            consumer.submit(PostMsg().serviceName("DIRECT_FEED").name("RY.X").solicitAck(true).payload(fields), login);
        } catch (const OmmInvalidUsageException& failure) {
            std::cout << "refused here: " << failure.getText() << std::endl;
        }
        while (contributor.acks < 1 && GetTime::getMillis() < end)
            consumer.dispatch(100'000);
        return contributor.acks == 1 ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
