// Reads the two containers whose entries have an order: a Vector, whose entries have positions and actions, and a
// Series, whose entries just follow each other. Both have a summary and may say how many entries there are in all.
//
//     ordered_lists [host:port]     run provider/containers/every_container first
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;

void printFields(const FieldList& fields) {
    while (fields.forth())
        std::cout << " " << fields.getEntry().getName() << "=" << fields.getEntry().getLoad().toString();
    std::cout << std::endl;
}

class Reader : public OmmConsumerClient {
public:
    int images = 0;

private:
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent&) override {  // why there is no image (yet)
        if (msg.hasState()) std::cerr << msg.getState().toString() << std::endl;
    }
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent&) override {
        ++images;
        if (msg.getPayload().getDataType() == DataType::VectorEnum) print(msg.getPayload().getVector());
        else if (msg.getPayload().getDataType() == DataType::SeriesEnum) print(msg.getPayload().getSeries());
    }

    static void print(const Vector& vector) {
        std::cout << "vector, " << (vector.getSortable() ? "sortable" : "not sortable") << ", about "
                  << vector.getTotalCountHint() << " entries, summary";
        printFields(vector.getSummaryData().getFieldList());
        while (vector.forth()) {
            const VectorEntry& entry = vector.getEntry();
            std::cout << "    " << entry.getVectorActionAsString() << " " << entry.getPosition() << ":";
            printFields(entry.getFieldList());
        }
    }
    static void print(const Series& series) {
        std::cout << "series, summary";
        printFields(series.getSummaryData().getFieldList());
        while (series.forth()) {
            std::cout << "   ";
            printFields(series.getEntry().getFieldList());
        }
    }
};

int main(int argc, char* argv[]) {
    try {
        Reader reader;
        OmmConsumer consumer(OmmConsumerConfig()
                                 .host(argc > 1 ? argv[1] : "localhost:14002")
                                 .operationModel(OmmConsumerConfig::UserDispatchEnum));
        for (const char* name : {"VECTOR", "SERIES"})
            consumer.registerClient(ReqMsg().serviceName("DIRECT_FEED").name(name).interestAfterRefresh(false), reader);
        for (const UInt64 end = GetTime::getMillis() + 30'000; reader.images < 2 && GetTime::getMillis() < end;)
            consumer.dispatch(100'000);
        return reader.images == 2 ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
