// A batch and a view in one request: many items, and of each of them only some fields.
//
//     batch_with_view [host:port]     run provider/requests/on_demand first
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

class Watcher : public OmmConsumerClient {
public:
    int images = 0;

private:
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent&) override {  // why there is no image (yet)
        if (msg.hasState()) std::cerr << msg.getState().toString() << std::endl;
    }
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent&) override {
        std::cout << msg.getName() << ":";
        const FieldList& fields = msg.getPayload().getFieldList();
        while (fields.forth())
            std::cout << " " << fields.getEntry().getName();
        std::cout << std::endl;
        ++images;
    }
};

int main(int argc, char* argv[]) {
    try {
        OmmArray names, fields;
        names.addAscii("EMI.X").addAscii("SSA.X").complete();
        fields.fixedWidth(2).addInt(22).addInt(30).complete();  // BID and BIDSIZE
        ElementList payload;
        payload.addArray(ENAME_BATCH_ITEM_LIST, names)
            .addUInt(ENAME_VIEW_TYPE, VT_FIELD_ID_LIST)
            .addArray(ENAME_VIEW_DATA, fields)
            .complete();

        Watcher watcher;
        OmmConsumer consumer(OmmConsumerConfig()
                                 .host(argc > 1 ? argv[1] : "localhost:14002")
                                 .operationModel(OmmConsumerConfig::UserDispatchEnum));
        consumer.registerClient(ReqMsg().serviceName("DIRECT_FEED").payload(payload), watcher);
        for (const UInt64 end = GetTime::getMillis() + 30'000; watcher.images < 2 && GetTime::getMillis() < end;)
            consumer.dispatch(100'000);
        return watcher.images == 2 ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
