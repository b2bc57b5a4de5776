// Reads payloads that are not containers: opaque bytes, XML, ANSI pages, JSON, and messages without any payload. Text
// can be taken as a string, everything as a buffer.
//
//     raw_payloads [host:port]     run provider/containers/every_container first
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;

class Reader : public OmmConsumerClient {
public:
    int answers = 0;

private:
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent&) override {
        ++answers;
        const Payload& payload = msg.getPayload();
        std::cout << msg.getName() << ": ";
        switch (payload.getDataType()) {
        case DataType::OpaqueEnum:
            std::cout << payload.getOpaque().getBuffer().length() << " bytes";
            break;
        case DataType::XmlEnum:
            std::cout << payload.getXml().getString();
            break;
        case DataType::JsonEnum:
            std::cout << payload.getJson().getString();
            break;
        case DataType::AnsiPageEnum:
            std::cout << payload.getAnsiPage().getBuffer().asRawHexString();
            break;
        case DataType::NoDataEnum:
            std::cout << "no payload";
            break;
        default:
            std::cout << DataType(payload.getDataType()).toString();
            break;
        }
        std::cout << std::endl;
    }
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent&) override {
        std::cout << msg.getState().toString() << std::endl;
        ++answers;
    }
};

int main(int argc, char* argv[]) {
    try {
        Reader reader;
        OmmConsumer consumer(OmmConsumerConfig()
                                 .host(argc > 1 ? argv[1] : "localhost:14002")
                                 .operationModel(OmmConsumerConfig::UserDispatchEnum));
        for (const char* name : {"OPAQUE", "XML", "JSON", "PAGE", "EMPTY", "NOTHING"})
            consumer.registerClient(ReqMsg().serviceName("DIRECT_FEED").name(name).interestAfterRefresh(false), reader);
        for (const UInt64 end = GetTime::getMillis() + 30'000; reader.answers < 6 && GetTime::getMillis() < end;)
            consumer.dispatch(100'000);
        return reader.answers == 6 ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
