// Publishes a page of text in RMTES and then changes parts of its rows: an update that begins with "move to column n"
// replaces the characters from there and leaves the rest of the row alone.
//
//     page [port]     ends when its client has gone, or after 60 seconds
#include "Ema.h"

#include <cstdlib>
#include <iostream>
#include <string>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

class PageSource : public OmmProviderClient {
public:
    bool clientHasGone = false;
    UInt64 page = 0;  // the handle of the open page

private:
    void onReqMsg(const ReqMsg& request, const OmmProviderEvent& event) override {
        RefreshMsg answer;
        answer.domainType(request.getDomainType()).name(request.getName()).solicited(true).complete(true);
        answer.state(OmmState::OpenEnum, OmmState::OkEnum, OmmState::NoneEnum, "welcome");
        if (request.getDomainType() == MMT_LOGIN) {
            answer.nameType(USER_NAME);
        } else {
            const std::string title = "SPOT RATES            14:30", rate = "EUR/USD  1.0842/44";
            answer.serviceId(request.getServiceId());
            answer.payload(FieldList()
                               .addRmtes(215, buffer(title))  // ROW64_1
                               .addRmtes(216, buffer(rate))   // ROW64_2
                               // RMTES has its own characters; a text in UTF-8 is announced by ESC % 0.
                               .addRmtes(217, buffer("\x1b%0Z\xc3\xbcrich, caf\xc3\xa9"))  // ROW64_3
                               .complete());
            page = event.getHandle();
        }
        event.getProvider().submit(answer, event.getHandle());
    }
    void onClose(const ReqMsg& request, const OmmProviderEvent&) override {
        if (request.getDomainType() == MMT_LOGIN) clientHasGone = true;
        page = 0;
    }
    static EmaBuffer buffer(const std::string& text) {
        return EmaBuffer(text.data(), static_cast<UInt32>(text.size()));
    }
};

struct Change {
    Int16 row;
    int column;
    const char* text;
};

// ESC [ n `: what follows goes to column n.
EmaBuffer fromColumn(int column, const std::string& text) {
    const std::string bytes = "\x1b[" + std::to_string(column) + "`" + text;
    return EmaBuffer(bytes.data(), static_cast<UInt32>(bytes.size()));
}

int main(int argc, char* argv[]) {
    try {
        PageSource source;
        OmmProvider provider(OmmIProviderConfig()
                                 .port(argc > 1 ? argv[1] : "14002")
                                 .operationModel(OmmIProviderConfig::UserDispatchEnum),
                             source);
        std::cout << "ready" << std::endl;
        const UInt64 end = GetTime::getMillis() + 60'000;
        while (source.page == 0 && !source.clientHasGone && GetTime::getMillis() < end)
            provider.dispatch(100'000);
        for (const Change& change : {Change{215, 25, "31"}, Change{216, 13, "39/41"}, Change{215, 25, "32"}}) {
            if (source.page == 0) break;
            FieldList row;
            row.addRmtes(change.row, fromColumn(change.column, change.text)).complete();
            provider.submit(UpdateMsg().payload(row), source.page);
        }
        while (!source.clientHasGone && GetTime::getMillis() < end)
            provider.dispatch(100'000);
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
