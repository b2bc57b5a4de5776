// Expands a chain: asks for the first link record, collects the members it names, and follows NEXT_LR from record to
// record until there is none. Requests are made from inside a callback, which is allowed.
//
//     chain [host:port [first record]]     run provider/streaming/chain first
#include "Ema.h"

#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

using namespace refinitiv::ema::access;

class Chain : public OmmConsumerClient {
public:
    bool done = false;
    std::vector<std::string> members;
    OmmConsumer* consumer = nullptr;

    void open(const EmaString& record) {
        consumer->registerClient(ReqMsg().serviceName("DIRECT_FEED").name(record).interestAfterRefresh(false), *this);
    }

private:
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent&) override {
        const FieldList& fields = msg.getPayload().getFieldList();
        UInt64 count = 0;
        EmaString next;
        while (fields.forth()) {
            const FieldEntry& field = fields.getEntry();
            if (field.getCode() == Data::BlankEnum) continue;
            const Int16 id = field.getFieldId();
            // Records have either fourteen short links (LINK_1 and following) or long ones (LONGLINK1 ...).
            if (id == 239) count = field.getUInt();
            else if (id == 238) next = field.getAscii();
            else if ((id >= 240 && id <= 253 && UInt64(id - 240) < count) ||
                     (id >= 800 && id <= 813 && UInt64(id - 800) < count))
                members.emplace_back(field.getAscii().c_str());
        }
        if (next.empty()) done = true;
        else open(next);
    }
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent&) override {
        std::cout << msg.getState().toString() << std::endl;
        done = msg.getState().getStreamState() == OmmState::ClosedEnum;
    }
};

int main(int argc, char* argv[]) {
    try {
        Chain chain;
        OmmConsumer consumer(OmmConsumerConfig()
                                 .host(argc > 1 ? argv[1] : "localhost:14002")
                                 .operationModel(OmmConsumerConfig::UserDispatchEnum));
        chain.consumer = &consumer;
        chain.open(argc > 2 ? argv[2] : "0#INDEX");
        for (const UInt64 end = GetTime::getMillis() + 30'000; !chain.done && GetTime::getMillis() < end;)
            consumer.dispatch(100'000);
        for (const std::string& member : chain.members)
            std::cout << member << std::endl;
        return chain.members.empty() ? EXIT_FAILURE : EXIT_SUCCESS;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
