// Prints any payload, whatever is nested in it, with one recursive function, as a data browser does; and the same as
// text with toString(). A message may hold another message.
//
//     any_payload [host:port]     run provider/containers/every_container first
#include "Ema.h"

#include <cstdlib>
#include <iostream>
#include <string>

using namespace refinitiv::ema::access;

void print(const Data& data, int depth);

template <class... Parts>
void line(int depth, const Parts&... parts) {
    std::cout << std::string(4 * static_cast<std::size_t>(depth), ' ');
    (std::cout << ... << parts) << std::endl;
}

// Entries of all containers have getLoad(); those with a key, position or name put it in front.
template <class Container, class Head>
void printEntries(const Container& container, int depth, Head head) {
    while (container.forth()) {
        line(depth, head(container.getEntry()), " ", DataType(container.getEntry().getLoadType()).toString());
        print(container.getEntry().getLoad(), depth + 1);
    }
}

void print(const Data& data, int depth) {
    switch (data.getDataType()) {
    case DataType::FieldListEnum:
        printEntries(static_cast<const FieldList&>(data), depth, [](const FieldEntry& e) { return e.getName(); });
        break;
    case DataType::ElementListEnum:
        printEntries(static_cast<const ElementList&>(data), depth, [](const ElementEntry& e) { return e.getName(); });
        break;
    case DataType::MapEnum:
        printEntries(static_cast<const Map&>(data), depth,
                     [](const MapEntry& e) { return e.getKey().getData().toString(); });
        break;
    case DataType::VectorEnum:
        printEntries(static_cast<const Vector&>(data), depth, [](const VectorEntry& e) { return e.getPosition(); });
        break;
    case DataType::SeriesEnum:
        printEntries(static_cast<const Series&>(data), depth, [](const SeriesEntry&) { return "row"; });
        break;
    case DataType::FilterListEnum:
        printEntries(static_cast<const FilterList&>(data), depth,
                     [](const FilterEntry& e) { return int{e.getFilterId()}; });
        break;
    case DataType::RefreshMsgEnum: {
        const auto& message = static_cast<const RefreshMsg&>(data);
        line(depth, "refresh of ", message.getName());
        print(message.getPayload().getData(), depth + 1);
        break;
    }
    case DataType::ArrayEnum: {
        const auto& array = static_cast<const OmmArray&>(data);
        while (array.forth())
            line(depth, array.getEntry().getLoad().toString());
        break;
    }
    case DataType::NoDataEnum:
        break;
    default:
        line(depth, data.toString());
        break;
    }
}

class Browser : public OmmConsumerClient {
public:
    int images = 0;

private:
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent&) override {  // why there is no image (yet)
        if (msg.hasState()) std::cerr << msg.getState().toString() << std::endl;
    }
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent&) override {
        line(0, msg.getName(), " ", DataType(msg.getPayload().getDataType()).toString());
        print(msg.getPayload().getData(), 1);
        if (msg.getName() == "MESSAGE") std::cout << msg.toString();
        ++images;
    }
};

int main(int argc, char* argv[]) {
    try {
        Browser browser;
        OmmConsumer consumer(OmmConsumerConfig()
                                 .host(argc > 1 ? argv[1] : "localhost:14002")
                                 .operationModel(OmmConsumerConfig::UserDispatchEnum));
        for (const char* name : {"VECTOR", "FILTERS", "ELEMENTS", "XML", "MESSAGE"})
            consumer.registerClient(ReqMsg().serviceName("DIRECT_FEED").name(name).interestAfterRefresh(false),
                                    browser);
        for (const UInt64 end = GetTime::getMillis() + 30'000; browser.images < 5 && GetTime::getMillis() < end;)
            consumer.dispatch(100'000);
        return browser.images == 5 ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
