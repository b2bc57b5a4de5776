// Finds fields without walking all of them: by id, by name, and several at once by a list, which is an ElementList in
// the form of a view. Each search goes on from where the list stands, so reset() between searches that may go back.
//
//     find [host:port]     run provider/fields/all_types first
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

class Finder : public OmmConsumerClient {
public:
    bool done = false;

    Finder() {
        OmmArray ids, names;
        ids.fixedWidth(2).addInt(25).addInt(22).addInt(6).complete();
        byIds_.addUInt(ENAME_VIEW_TYPE, VT_FIELD_ID_LIST).addArray(ENAME_VIEW_DATA, ids).complete();
        names.addAscii("Version").addAscii("Language").complete();
        byNames_.addUInt(ENAME_VIEW_TYPE, VT_ELEMENT_NAME_LIST).addArray(ENAME_VIEW_DATA, names).complete();
    }

private:
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent&) override {  // why there is no image (yet)
        if (msg.hasState()) std::cerr << msg.getState().toString() << std::endl;
    }
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent&) override {
        const FieldList& fields = msg.getPayload().getFieldList();

        if (fields.forth(22)) std::cout << "by id: " << fields.getEntry().getName() << std::endl;

        fields.reset();
        if (fields.forth("ASK")) std::cout << "by name: " << fields.getEntry().getReal().getAsDouble() << std::endl;

        // ASK stands behind BID here, so without reset() BID is not found any more.
        std::cout << "BID behind ASK: " << (fields.forth("BID") ? "yes" : "no") << std::endl;

        fields.reset();
        while (fields.forth(byIds_))
            std::cout << "by a list of ids: " << fields.getEntry().getName() << std::endl;

        // Element lists are searched in the same way, with names. EX_MET_DAT is a field that holds one.
        fields.reset();
        if (fields.forth(30127)) {
            const ElementList& elements = fields.getEntry().getElementList();
            if (elements.forth("Author"))
                std::cout << "element: " << shown(elements.getEntry().getAscii()) << std::endl;
            elements.reset();
            while (elements.forth(byNames_))
                std::cout << "by a list of names: " << elements.getEntry().getName() << std::endl;
        }

        fields.reset();
        std::cout << "a field that is not there: " << (fields.forth(9999) ? "found" : "not found") << std::endl;
        done = true;
    }

    ElementList byIds_, byNames_;
};

int main(int argc, char* argv[]) {
    try {
        Finder finder;
        OmmConsumer consumer(OmmConsumerConfig()
                                 .host(argc > 1 ? argv[1] : "localhost:14002")
                                 .operationModel(OmmConsumerConfig::UserDispatchEnum));
        consumer.registerClient(ReqMsg().serviceName("DIRECT_FEED").name("TYPES.X"), finder);
        for (const UInt64 end = GetTime::getMillis() + 30'000; !finder.done && GetTime::getMillis() < end;)
            consumer.dispatch(100'000);
        return finder.done ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
