// Asks for some fields of an item instead of all: a view. It travels in the payload of the request; a later reissue
// replaces it by another one.
//
//     view [host:port]     run provider/requests/on_demand first
#include "Ema.h"

#include <cstdlib>
#include <initializer_list>
#include <iostream>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

class Viewer : public OmmConsumerClient {
public:
    int images = 0, updates = 0;

private:
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent&) override {  // why there is no image (yet)
        if (msg.hasState()) std::cerr << msg.getState().toString() << std::endl;
    }
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent&) override {
        print("image", msg.getPayload().getFieldList());
        ++images;
        updates = 0;
    }
    void onUpdateMsg(const UpdateMsg& msg, const OmmConsumerEvent&) override {
        if (updates++ == 0) print("update", msg.getPayload().getFieldList());
    }
    static void print(const char* what, const FieldList& fields) {
        std::cout << what << ":";
        while (fields.forth())
            std::cout << " " << fields.getEntry().getName();
        std::cout << std::endl;
    }
};

// The payload of a request for these fields.
void describeView(ElementList& payload, std::initializer_list<Int16> fieldIds) {
    OmmArray ids;
    ids.fixedWidth(2);
    for (const Int16 id : fieldIds)
        ids.addInt(id);
    payload.addUInt(ENAME_VIEW_TYPE, VT_FIELD_ID_LIST).addArray(ENAME_VIEW_DATA, ids.complete()).complete();
}

int main(int argc, char* argv[]) {
    try {
        Viewer viewer;
        OmmConsumer consumer(OmmConsumerConfig()
                                 .host(argc > 1 ? argv[1] : "localhost:14002")
                                 .operationModel(OmmConsumerConfig::UserDispatchEnum));
        const UInt64 end = GetTime::getMillis() + 30'000;
        const auto waitForImage = [&](int number) {
            while ((viewer.images < number || viewer.updates < 1) && GetTime::getMillis() < end)
                consumer.dispatch(100'000);
        };
        ElementList quote, trade;
        describeView(quote, {22, 25});
        describeView(trade, {6});
        const UInt64 item =
            consumer.registerClient(ReqMsg().serviceName("DIRECT_FEED").name("EMI.X").payload(quote), viewer);
        waitForImage(1);
        consumer.reissue(ReqMsg().serviceName("DIRECT_FEED").name("EMI.X").payload(trade), item);
        waitForImage(2);
        consumer.reissue(ReqMsg().serviceName("DIRECT_FEED").name("EMI.X"), item);  // everything
        waitForImage(3);
        return viewer.images == 3 ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
