// Keeps a page of text up to date: each row is an RmtesBuffer, and apply() merges into it what an update brings, be it
// the whole row or a few characters of it.
//
//     page [host:port]     run provider/fields/page first
#include "Ema.h"

#include <cstdlib>
#include <iostream>
#include <map>

using namespace refinitiv::ema::access;

class Page : public OmmConsumerClient {
public:
    int updates = 0;

private:
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent&) override {  // why there is no image (yet)
        if (msg.hasState()) std::cerr << msg.getState().toString() << std::endl;
    }
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent&) override {
        rows_.clear();
        apply(msg.getPayload().getFieldList());
        show("image");
    }
    void onUpdateMsg(const UpdateMsg& msg, const OmmConsumerEvent&) override {
        const FieldList& fields = msg.getPayload().getFieldList();
        apply(fields);
        ++updates;
        show("update");
    }
    void apply(const FieldList& fields) {
        while (fields.forth())
            if (fields.getEntry().getLoadType() == DataType::RmtesEnum)
                rows_[fields.getEntry().getFieldId()].apply(fields.getEntry().getRmtes());
    }
    void show(const char* what) const {
        std::cout << "---- " << what << std::endl;
        for (const auto& [row, text] : rows_)
            std::cout << text.toString() << std::endl;
    }

    std::map<Int16, RmtesBuffer> rows_;
};

int main(int argc, char* argv[]) {
    try {
        Page page;
        OmmConsumer consumer(OmmConsumerConfig()
                                 .host(argc > 1 ? argv[1] : "localhost:14002")
                                 .operationModel(OmmConsumerConfig::UserDispatchEnum));
        consumer.registerClient(ReqMsg().serviceName("DIRECT_FEED").name("FXPAGE"), page);
        for (const UInt64 end = GetTime::getMillis() + 30'000; page.updates < 3 && GetTime::getMillis() < end;)
            consumer.dispatch(100'000);
        return page.updates == 3 ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
