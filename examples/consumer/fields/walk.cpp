// Walks a field list and reads each field as what it is: the switch over the types that every consumer has somewhere.
// Looks at blanks first, because reading a blank value is an error.
//
//     walk [host:port]     run provider/fields/all_types first
#include "Ema.h"

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>

using namespace refinitiv::ema::access;

// Texts come from elsewhere: what a terminal would obey, or cannot show, is spelled out.
std::string shown(const EmaString& text) {
    std::string out;
    for (UInt32 i = 0; i < text.length(); ++i) {
        const char c = text.c_str()[i];
        char spelled[8];
        std::snprintf(spelled, sizeof spelled, "\\x%02X", static_cast<unsigned>(static_cast<unsigned char>(c)));
        c >= ' ' && c <= '~' ? out += c : out += spelled;
    }
    return out;
}

void printArray(const OmmArray& array) {
    std::cout << "array of";
    while (array.forth())
        std::cout << " '" << shown(array.getEntry().getAscii()) << "'";
}

void printElements(const ElementList& elements) {
    std::cout << "elements";
    while (elements.forth())
        std::cout << " " << shown(elements.getEntry().getName()) << "=" << elements.getEntry().getLoad().toString();
}

void printValue(const FieldEntry& field) {
    if (field.getCode() == Data::BlankEnum) {
        std::cout << "blank";
        return;
    }
    switch (field.getLoadType()) {
    case DataType::IntEnum:
        std::cout << "integer " << field.getInt();
        break;
    case DataType::UIntEnum:
        std::cout << "unsigned " << field.getUInt();
        break;
    case DataType::RealEnum: {
        const OmmReal& real = field.getReal();
        std::cout << "real " << real.toString() << " (" << real.getMantissa() << ", " << real.getMagnitudeTypeAsString()
                  << ", as double " << real.getAsDouble() << ")";
        break;
    }
    case DataType::DateEnum: {
        const OmmDate& date = field.getDate();
        std::cout << "date " << date.getYear() << "-" << int{date.getMonth()} << "-" << int{date.getDay()};
        break;
    }
    case DataType::TimeEnum: {
        const OmmTime& time = field.getTime();
        std::cout << "time " << int{time.getHour()} << "h" << int{time.getMinute()} << "m" << int{time.getSecond()}
                  << "s";
        if (time.getMillisecond() > 0 && time.getMillisecond() <= 999) std::cout << time.getMillisecond() << "ms";
        break;
    }
    case DataType::EnumEnum:
        std::cout << "enumerated " << field.getEnum();
        if (field.hasEnumDisplay()) std::cout << " '" << shown(field.getEnumDisplay()) << "'";
        break;
    case DataType::AsciiEnum:
        std::cout << "text " << shown(field.getAscii());
        break;
    case DataType::RmtesEnum:
        std::cout << "text " << field.getRmtes().toString();
        break;
    case DataType::Utf8Enum:
        std::cout << "text of " << field.getUtf8().length() << " bytes";
        break;
    case DataType::BufferEnum:
        std::cout << field.getBuffer().length() << " bytes";
        break;
    case DataType::ArrayEnum:
        printArray(field.getArray());
        break;
    case DataType::ElementListEnum:
        printElements(field.getElementList());
        break;
    case DataType::ErrorEnum:
        std::cout << "not readable: " << field.getError().getErrorCodeAsString();
        break;
    default:
        std::cout << DataType(field.getLoadType()).toString();
        break;
    }
}

class Walker : public OmmConsumerClient {
public:
    bool done = false;

private:
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent&) override {  // why there is no image (yet)
        if (msg.hasState()) std::cerr << msg.getState().toString() << std::endl;
    }
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent&) override {
        if (msg.getPayload().getDataType() != DataType::FieldListEnum) return;
        const FieldList& fields = msg.getPayload().getFieldList();
        if (fields.hasInfo()) std::cout << "dictionary " << fields.getInfoDictionaryId() << std::endl;
        while (fields.forth()) {
            const FieldEntry& field = fields.getEntry();
            std::cout << field.getFieldId() << " " << shown(field.getName()) << ": ";
            printValue(field);
            std::cout << std::endl;
        }
        done = true;
    }
};

int main(int argc, char* argv[]) {
    try {
        Walker walker;
        OmmConsumer consumer(OmmConsumerConfig()
                                 .host(argc > 1 ? argv[1] : "localhost:14002")
                                 .operationModel(OmmConsumerConfig::UserDispatchEnum));
        consumer.registerClient(ReqMsg().serviceName("DIRECT_FEED").name("TYPES.X"), walker);
        for (const UInt64 end = GetTime::getMillis() + 30'000; !walker.done && GetTime::getMillis() < end;)
            consumer.dispatch(100'000);
        return walker.done ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
