// Posts one contribution in three parts: they share a post id, count their part numbers, and each has a sequence number
// because each is acknowledged for itself. Only the last part is complete.
//
//     in_parts [host:port]     run provider/posting/blotter first
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;

class Contributor : public OmmConsumerClient {
public:
    bool open = false;
    int acks = 0;

private:
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent&) override {  // why there is no image (yet)
        if (msg.hasState()) std::cerr << msg.getState().toString() << std::endl;
    }
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent&) override { open = msg.getComplete(); }
    void onAckMsg(const AckMsg& msg, const OmmConsumerEvent&) override {
        std::cout << "part with sequence number " << msg.getSeqNum() << " of post " << msg.getAckId() << " accepted"
                  << std::endl;
        ++acks;
    }
};

int main(int argc, char* argv[]) {
    try {
        Contributor contributor;
        OmmConsumer consumer(OmmConsumerConfig()
                                 .host(argc > 1 ? argv[1] : "localhost:14002")
                                 .operationModel(OmmConsumerConfig::UserDispatchEnum));
        const UInt64 item = consumer.registerClient(ReqMsg().serviceName("DIRECT_FEED").name("EMI.X"), contributor);
        const UInt64 end = GetTime::getMillis() + 30'000;
        while (!contributor.open && GetTime::getMillis() < end)
            consumer.dispatch(100'000);

        const Int16 fieldOfPart[] = {22, 25, 6};  // BID, ASK, TRDPRC_1
        for (UInt16 part = 0; part < 3; ++part) {
            FieldList fields;
            fields.addReal(fieldOfPart[part], 4000 + part, OmmReal::ExponentNeg2Enum).complete();
            PostMsg post;
            post.postId(9).partNum(part).seqNum(100u + part).solicitAck(true).complete(part == 2);
            consumer.submit(post.payload(fields), item);
        }
        while (contributor.acks < 3 && GetTime::getMillis() < end)
            consumer.dispatch(100'000);
        return contributor.acks == 3 ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
