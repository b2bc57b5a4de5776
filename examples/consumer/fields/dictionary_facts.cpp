// What the dictionary adds to a field: its names, its type and length, the field it ripples to, the texts of its
// enumerated values. The dictionary that came with the data hangs at every received field list.
//
//     dictionary_facts [host:port]     run provider/fields/all_types first
#include "Ema.h"

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

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

class Facts : public OmmConsumerClient {
public:
    bool done = false;

private:
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent&) override {  // why there is no image (yet)
        if (msg.hasState()) std::cerr << msg.getState().toString() << std::endl;
    }
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent&) override {
        const FieldList& fields = msg.getPayload().getFieldList();

        // Straight from the entry:
        while (fields.forth()) {
            const FieldEntry& field = fields.getEntry();
            if (field.getLoadType() == DataType::EnumEnum && field.hasEnumDisplay())
                std::cout << field.getName() << " " << field.getEnum() << " shows as '" << shown(field.getEnumDisplay())
                          << "'" << std::endl;
            if (field.getFieldId() == 6) {  // TRDPRC_1: where an old last trade goes when a new one comes
                std::cout << field.getName();
                for (Int16 to = field.getRippleTo(); to != 0; to = field.getRippleTo(to))
                    std::cout << " -> " << to;
                std::cout << std::endl;
            }
        }

        // And from the dictionary itself:
        const DataDictionary& dictionary = DictionaryUtility::dataDictionary(fields);
        const DictionaryEntry& bid = dictionary.getEntry("BID");
        std::cout << bid.getAcronym() << " (" << bid.getDDEAcronym() << ") is field " << bid.getFid() << ", price "
                  << (bid.getFieldType() == MfFieldType::PRICE ? "yes" : "no") << ", " << bid.getLength()
                  << " characters" << std::endl;
        if (dictionary.hasEnumType(15, 840)) {
            const EnumType& dollar = dictionary.getEnumType(15, 840);
            std::cout << "currency " << dollar.getValue() << " is " << shown(dollar.getDisplay()) << std::endl;
        }
        std::cout << (dictionary.hasEntry("NO_SUCH") ? "NO_SUCH is there" : "NO_SUCH is not there") << std::endl;
        done = true;
    }
};

int main(int argc, char* argv[]) {
    try {
        Facts facts;
        OmmConsumer consumer(OmmConsumerConfig()
                                 .host(argc > 1 ? argv[1] : "localhost:14002")
                                 .operationModel(OmmConsumerConfig::UserDispatchEnum));
        consumer.registerClient(ReqMsg().serviceName("DIRECT_FEED").name("TYPES.X"), facts);
        for (const UInt64 end = GetTime::getMillis() + 30'000; !facts.done && GetTime::getMillis() < end;)
            consumer.dispatch(100'000);
        return facts.done ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
