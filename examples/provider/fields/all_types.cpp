// Builds one image with fields of every kind: numbers, prices with different precision, dates and times, enumerated
// values, texts, bytes, an array, containers inside fields, blank fields and one that no dictionary knows.
//
//     all_types [port]     ends when its client has gone, or after 60 seconds
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

class Source : public OmmProviderClient {
public:
    bool clientHasGone = false;

private:
    void onReqMsg(const ReqMsg& request, const OmmProviderEvent& event) override {
        RefreshMsg answer;
        answer.domainType(request.getDomainType()).name(request.getName()).solicited(true).complete(true);
        if (request.getDomainType() == MMT_LOGIN) {
            answer.nameType(USER_NAME).state(OmmState::OpenEnum, OmmState::OkEnum, OmmState::NoneEnum, "welcome");
        } else {
            answer.serviceId(request.getServiceId());
            answer.state(OmmState::OpenEnum, OmmState::OkEnum, OmmState::NoneEnum, "one of each");
            FieldList fields;
            fill(fields);
            answer.payload(fields);
        }
        event.getProvider().submit(answer, event.getHandle());
    }

    static void fill(FieldList& fields) {
        fields.info(1, 0);  // the id of the dictionary, and a record template of the publisher's own
        // The type of a field is the dictionary's affair: add each one as the dictionary has it.
        fields.addUInt(1, 62);                                             // PROD_PERM
        fields.addRmtes(3, EmaBuffer("ONE OF EACH", 11));                  // DSPLY_NAME
        fields.addEnum(4, 2);                                              // RDN_EXCHID: New York
        fields.addEnum(14, 1);                                             // PRCTCK_1: up
        fields.addEnum(15, 978);                                           // CURRENCY: euro
        fields.addDate(16, 2026, 3, 27);                                   // TRADE_DATE
        fields.addTime(18, 14, 30, 5);                                     // TRDTIM_1
        fields.addTime(1025, 14, 30, 5, 123);                              // QUOTIM, with milliseconds
        fields.addReal(22, 123'456, OmmReal::ExponentNeg3Enum);            // BID: 123.456
        fields.addReal(25, 987, OmmReal::Divisor8Enum);                    // ASK: 123 3/8
        fields.addRealFromDouble(6, 123.4449, OmmReal::ExponentNeg2Enum);  // TRDPRC_1: rounded to 123.44
        fields.addReal(32, 12, OmmReal::ExponentPos5Enum);                 // ACVOL_1: 1200000
        fields.addReal(36, 0, OmmReal::InfinityEnum);                      // PERATIO
        fields.addAscii(3426, "A-0017");                                   // ORDER_ID
        fields.addBuffer(457, EmaBuffer("\x01\x02\xfe\xff", 4));           // REG_FIELD1
        fields.addArray(30013, OmmArray().addAscii("first").addAscii("second").complete());  // HDLN_PE
        fields.addElementList(30127,
                              ElementList().addAscii("Author", "desk").addUInt("Version", 3).complete());  // EX_MET_DAT
        // Blank: the field has a value of that type, and the value is "nothing".
        fields.addCodeReal(12);   // HIGH_1
        fields.addCodeDate(17);   // ACTIV_DATE
        fields.addInt(-9999, 7);  // no dictionary knows this one
        fields.complete();
    }

    void onClose(const ReqMsg& request, const OmmProviderEvent&) override {
        clientHasGone = request.getDomainType() == MMT_LOGIN;
    }
};

int main(int argc, char* argv[]) {
    try {
        Source source;
        OmmProvider provider(OmmIProviderConfig()
                                 .port(argc > 1 ? argv[1] : "14002")
                                 .operationModel(OmmIProviderConfig::UserDispatchEnum),
                             source);
        std::cout << "ready" << std::endl;
        for (const UInt64 end = GetTime::getMillis() + 60'000; !source.clientHasGone && GetTime::getMillis() < end;)
            provider.dispatch(100'000);
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
