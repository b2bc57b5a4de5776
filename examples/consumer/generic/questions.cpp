// Sends generic messages on an open item and reads the answers. Sequence numbers tie an answer to its question; a long
// message may travel in parts, of which only the last is complete.
//
//     questions [host:port]     run provider/generic/answers first
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;

class Asker : public OmmConsumerClient {
public:
    bool open = false;
    int answers = 0;

private:
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent&) override {  // why there is no image (yet)
        if (msg.hasState()) std::cerr << msg.getState().toString() << std::endl;
    }
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent&) override { open = msg.getComplete(); }
    void onGenericMsg(const GenericMsg& msg, const OmmConsumerEvent&) override {
        const ElementList& content = msg.getPayload().getElementList();
        if (content.forth("Answer"))
            std::cout << msg.getName() << " to " << msg.getSecondarySeqNum() << ": " << content.getEntry().getAscii()
                      << std::endl;
        ++answers;
    }
};

int main(int argc, char* argv[]) {
    try {
        Asker asker;
        OmmConsumer consumer(OmmConsumerConfig()
                                 .host(argc > 1 ? argv[1] : "localhost:14002")
                                 .operationModel(OmmConsumerConfig::UserDispatchEnum));
        const UInt64 item = consumer.registerClient(ReqMsg().serviceName("DIRECT_FEED").name("EMI.X"), asker);
        const UInt64 end = GetTime::getMillis() + 30'000;
        while (!asker.open && GetTime::getMillis() < end)  // generic messages need an open stream
            consumer.dispatch(100'000);

        for (UInt32 number = 1; number <= 2; ++number) {
            GenericMsg question;
            question.name("Fees").seqNum(number).complete(true);
            question.payload(ElementList().addAscii("Question", number == 1 ? "how much" : "since when").complete());
            consumer.submit(question, item);
        }
        // One that needs no answer, in two parts.
        for (UInt16 part = 0; part < 2; ++part) {
            GenericMsg note;
            note.seqNum(3u + part).partNum(part).complete(part == 1);
            consumer.submit(note.payload(ElementList().addUInt("Part", part).complete()), item);
        }
        while (asker.answers < 2 && GetTime::getMillis() < end)
            consumer.dispatch(100'000);
        return asker.answers == 2 ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
