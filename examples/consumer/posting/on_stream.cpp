// Posts values on an item that it has open and asks for acknowledgements: a good one, which comes back as an update,
// and one that the provider refuses. The answer names the post by its id.
//
//     on_stream [host:port]     run provider/posting/blotter first
#include "Ema.h"

#include <cstdlib>
#include <iostream>

#include <unistd.h>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

class Contributor : public OmmConsumerClient {
public:
    int acks = 0;
    OmmConsumer* consumer = nullptr;

private:
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent&) override {  // why there is no image (yet)
        if (msg.hasState()) std::cerr << msg.getState().toString() << std::endl;
    }
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent& event) override {
        // From here on the stream takes posts.
        if (!msg.getComplete() || msg.getState().getStreamState() != OmmState::OpenEnum) return;
        post(event.getHandle(), 1, 4100);
        post(event.getHandle(), 2, -5);
    }

    void post(UInt64 item, UInt32 id, Int64 bid) {
        FieldList fields;
        fields.addReal(22, bid, OmmReal::ExponentNeg2Enum).complete();
        PostMsg post;
        post.postId(id).solicitAck(true).complete(true);
        post.publisherId(static_cast<UInt32>(getpid()), 0x7f000001);  // who posts: process and host address
        post.payload(UpdateMsg().payload(fields));                    // the message that subscribers shall get
        consumer->submit(post, item);
    }

    void onUpdateMsg(const UpdateMsg& msg, const OmmConsumerEvent&) override {
        const FieldList& fields = msg.getPayload().getFieldList();
        if (fields.forth("BID")) std::cout << "published: " << fields.getEntry().getReal().toString() << std::endl;
        if (msg.hasPublisherId() && msg.getPublisherIdUserId() == static_cast<UInt32>(getpid()))
            std::cout << "and it was me" << std::endl;
    }

    void onAckMsg(const AckMsg& msg, const OmmConsumerEvent&) override {
        std::cout << "post " << msg.getAckId() << ": ";
        if (msg.hasNackCode() && msg.getNackCode() != AckMsg::NoneEnum)
            std::cout << "refused, " << msg.getNackCodeAsString() << ", " << (msg.hasText() ? msg.getText() : "");
        else std::cout << "accepted";
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
        contributor.consumer = &consumer;
        consumer.registerClient(ReqMsg().serviceName("DIRECT_FEED").name("EMI.X"), contributor);
        for (const UInt64 end = GetTime::getMillis() + 30'000; contributor.acks < 2 && GetTime::getMillis() < end;)
            consumer.dispatch(100'000);
        return contributor.acks == 2 ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
