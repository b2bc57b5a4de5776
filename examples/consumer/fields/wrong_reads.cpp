// What happens when a field is read as something it is not: each wrong use throws an exception that says what was asked
// and what is there, and the next read works again.
//
//     wrong_reads [host:port]     run provider/fields/all_types first
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;

class Reader : public OmmConsumerClient {
public:
    bool done = false;

private:
    // Runs one read and prints what it throws.
    template <class Read>
    static void attempt(const char* what, Read read) {
        try {
            read();
            std::cout << what << ": fine" << std::endl;
        } catch (const OmmInvalidUsageException& failure) {
            std::cout << what << ": " << failure.getText() << " (" << failure.getErrorCode() << ")" << std::endl;
        }
    }

    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent&) override {  // why there is no image (yet)
        if (msg.hasState()) std::cerr << msg.getState().toString() << std::endl;
    }
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent&) override {
        const Payload& payload = msg.getPayload();
        attempt("payload as map", [&] { payload.getMap(); });

        const FieldList& fields = payload.getFieldList();
        attempt("entry before forth", [&] { fields.getEntry(); });

        fields.forth("BID");
        attempt("price as integer", [&] { fields.getEntry().getInt(); });
        attempt("price as price", [&] { fields.getEntry().getReal(); });

        fields.reset();
        fields.forth("HIGH_1");
        attempt("blank price", [&] { fields.getEntry().getReal(); });

        fields.reset();
        fields.forth("TRDTIM_1");
        attempt("display of a time", [&] { fields.getEntry().getEnumDisplay(); });

        // Optional members of the message, too:
        attempt("sequence number", [&] { msg.getSeqNum(); });
        std::cout << "has sequence number: " << msg.hasSeqNum() << std::endl;
        done = true;
    }
};

int main(int argc, char* argv[]) {
    try {
        Reader reader;
        OmmConsumer consumer(OmmConsumerConfig()
                                 .host(argc > 1 ? argv[1] : "localhost:14002")
                                 .operationModel(OmmConsumerConfig::UserDispatchEnum));
        consumer.registerClient(ReqMsg().serviceName("DIRECT_FEED").name("TYPES.X"), reader);
        for (const UInt64 end = GetTime::getMillis() + 30'000; !reader.done && GetTime::getMillis() < end;)
            consumer.dispatch(100'000);
        return reader.done ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
