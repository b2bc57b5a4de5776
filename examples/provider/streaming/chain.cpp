// Publishes a chain: a list of items too long for one record, spread over several link records that name each other.
//
//     chain [port]     ends when its client has gone, or after 60 seconds
#include "Ema.h"

#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <vector>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

struct LinkRecord {
    std::vector<std::string> members;  // up to fourteen
    std::string previous, next;        // empty at the ends
};

const std::map<std::string, LinkRecord> records{
    {"0#INDEX", {{"AAA.X", "BBB.X", "CCC.X"}, "", "1#INDEX"}},
    {"1#INDEX", {{"DDD.X", "EEE.X", "FFF.X"}, "0#INDEX", "2#INDEX"}},
    {"2#INDEX", {{"GGG.X"}, "1#INDEX", ""}},
};

class ChainSource : public OmmProviderClient {
public:
    bool clientHasGone = false;

private:
    void onReqMsg(const ReqMsg& request, const OmmProviderEvent& event) override {
        RefreshMsg answer;
        answer.domainType(request.getDomainType()).name(request.getName()).solicited(true).complete(true);
        answer.state(request.getInterestAfterRefresh() ? OmmState::OpenEnum : OmmState::NonStreamingEnum);
        const auto record = records.find(request.getName().c_str());
        if (request.getDomainType() == MMT_LOGIN) {
            answer.nameType(USER_NAME);
        } else if (record == records.end()) {
            StatusMsg refusal;
            refusal.state(OmmState::ClosedEnum, OmmState::SuspectEnum, OmmState::NotFoundEnum, "no such record");
            event.getProvider().submit(refusal, event.getHandle());
            return;
        } else {
            std::cout << "record " << request.getName() << std::endl;
            const LinkRecord& link = record->second;
            FieldList fields;
            fields.addUInt(239, link.members.size());  // REF_COUNT: how many of the links count
            for (std::size_t i = 0; i < link.members.size(); ++i)
                fields.addAscii(static_cast<Int16>(800 + i), link.members[i].c_str());     // LONGLINK1 and following
            fields.addAscii(237, link.previous.c_str()).addAscii(238, link.next.c_str());  // PREV_LR, NEXT_LR
            answer.serviceId(request.getServiceId()).payload(fields.complete());
        }
        event.getProvider().submit(answer, event.getHandle());
    }
    void onClose(const ReqMsg& request, const OmmProviderEvent&) override {
        clientHasGone = request.getDomainType() == MMT_LOGIN;
    }
};

int main(int argc, char* argv[]) {
    try {
        ChainSource source;
        OmmProvider provider(OmmIProviderConfig()
                                 .port(argc > 1 ? argv[1] : "14002")
                                 .operationModel(OmmIProviderConfig::UserDispatchEnum),
                             source);
        std::cout << "ready" << std::endl;
        for (const UInt64 end = GetTime::getMillis() + 60'000; !source.clientHasGone && GetTime::getMillis() < end;)
            provider.dispatch(100'000);
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
