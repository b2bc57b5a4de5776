// Talks with a consumer in generic messages: messages that belong to a stream but are neither image nor update, and go
// both ways. Answers each question with the same sequence number, and asks one itself.
//
//     answers [port]     ends when its client has gone, or after 60 seconds
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

class Desk : public OmmProviderClient {
public:
    bool clientHasGone = false;

private:
    void onReqMsg(const ReqMsg& request, const OmmProviderEvent& event) override {
        RefreshMsg answer;
        answer.domainType(request.getDomainType()).name(request.getName()).solicited(true).state().complete(true);
        if (request.getDomainType() == MMT_LOGIN) answer.nameType(USER_NAME);
        else answer.serviceId(request.getServiceId()).payload(FieldList().addInt(5170, 1).complete());
        event.getProvider().submit(answer, event.getHandle());
    }

    void onGenericMsg(const GenericMsg& msg, const OmmProviderEvent& event) override {
        const ElementList& question = msg.getPayload().getElementList();
        std::cout << "message " << msg.getSeqNum() << (msg.hasName() ? " about " : "")
                  << (msg.hasName() ? msg.getName().c_str() : "") << std::endl;
        if (!question.forth("Question")) return;
        GenericMsg answer;
        answer.name("Answer").seqNum(100).secondarySeqNum(msg.getSeqNum()).complete(true);
        answer.payload(ElementList().addAscii("Answer", EmaString("to ") + question.getEntry().getAscii()).complete());
        event.getProvider().submit(answer, event.getHandle());
    }

    void onClose(const ReqMsg& request, const OmmProviderEvent&) override {
        clientHasGone = request.getDomainType() == MMT_LOGIN;
    }
};

int main(int argc, char* argv[]) {
    try {
        Desk desk;
        OmmProvider provider(OmmIProviderConfig()
                                 .port(argc > 1 ? argv[1] : "14002")
                                 .operationModel(OmmIProviderConfig::UserDispatchEnum),
                             desk);
        std::cout << "ready" << std::endl;
        for (const UInt64 end = GetTime::getMillis() + 60'000; !desk.clientHasGone && GetTime::getMillis() < end;)
            provider.dispatch(100'000);
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
