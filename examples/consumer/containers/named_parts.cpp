// Reads a FilterList, whose parts have numbers and may each be of another type, and an ElementList, whose values have
// names: arrays, nested lists, states, dates and values without data among them.
//
//     named_parts [host:port]     run provider/containers/every_container first
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;

class Reader : public OmmConsumerClient {
public:
    int images = 0;

private:
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent&) override {  // why there is no image (yet)
        if (msg.hasState()) std::cerr << msg.getState().toString() << std::endl;
    }
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent&) override {
        ++images;
        if (msg.getPayload().getDataType() == DataType::FilterListEnum) print(msg.getPayload().getFilterList());
        else print(msg.getPayload().getElementList(), 1);
    }

    static void print(const FilterList& parts) {
        while (parts.forth()) {
            const FilterEntry& part = parts.getEntry();
            std::cout << "part " << int{part.getFilterId()} << " " << part.getFilterActionAsString() << " "
                      << DataType(part.getLoadType()).toString() << std::endl;
        }
        // One part alone, by its number:
        parts.reset();
        if (parts.forth(2)) print(parts.getEntry().getElementList(), 1);
    }

    static void print(const ElementList& elements, int depth) {
        while (elements.forth()) {
            const ElementEntry& element = elements.getEntry();
            std::cout << std::string(4 * static_cast<std::size_t>(depth), ' ') << element.getName() << ": ";
            switch (element.getLoadType()) {
            case DataType::ElementListEnum:
                std::cout << std::endl;
                print(element.getElementList(), depth + 1);
                continue;
            case DataType::ArrayEnum: {
                const OmmArray& array = element.getArray();
                while (array.forth())
                    std::cout << array.getEntry().getInt() << " ";
                break;
            }
            case DataType::QosEnum:
                std::cout << element.getQos().getTimelinessAsString();
                break;
            case DataType::StateEnum:
                std::cout << element.getState().getStatusText();
                break;
            case DataType::DateTimeEnum:
                std::cout << element.getDateTime().getYear();
                break;
            case DataType::NoDataEnum:
                std::cout << "-";
                break;
            default:
                std::cout << element.getLoad().toString();
                break;
            }
            std::cout << std::endl;
        }
    }
};

int main(int argc, char* argv[]) {
    try {
        Reader reader;
        OmmConsumer consumer(OmmConsumerConfig()
                                 .host(argc > 1 ? argv[1] : "localhost:14002")
                                 .operationModel(OmmConsumerConfig::UserDispatchEnum));
        for (const char* name : {"FILTERS", "ELEMENTS"})
            consumer.registerClient(ReqMsg().serviceName("DIRECT_FEED").name(name).interestAfterRefresh(false), reader);
        for (const UInt64 end = GetTime::getMillis() + 30'000; reader.images < 2 && GetTime::getMillis() < end;)
            consumer.dispatch(100'000);
        return reader.images == 2 ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
