// One item for each container and payload that a message can carry besides field lists: Vector, Series, FilterList,
// ElementList, opaque bytes, XML, ANSI pages, JSON, and another message. The name of the item says which.
//
//     every_container [port]     ends when its client has gone, or after 60 seconds
#include "Ema.h"

#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <string>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

FieldList& price(FieldList& fields, Int64 cents) {
    fields.clear().addReal(22, cents, OmmReal::ExponentNeg2Enum).complete();
    return fields;
}

// A yield curve: points in order, which later updates insert and delete by position.
void vectorPayload(RefreshMsg& image) {
    FieldList point;
    Vector curve;
    curve.sortable(true).totalCountHint(3).summaryData(FieldList().addEnum(15, 978).complete());
    for (UInt32 position = 0; position < 3; ++position)
        curve.add(position, VectorEntry::SetEnum, price(point, 210 + 15 * position));
    image.payload(curve.complete());
}

// A history: rows without key, oldest first.
void seriesPayload(RefreshMsg& image) {
    FieldList row;
    Series history;
    history.totalCountHint(2).summaryData(FieldList().addRmtes(3, EmaBuffer("DAILY", 5)).complete());
    for (UInt8 day = 1; day <= 2; ++day)
        history.add(
            row.clear().addDate(17, 2026, 3, day).addReal(21, 3900 + day, OmmReal::ExponentNeg2Enum).complete());
    image.payload(history.complete());
}

// Parts that a consumer may want or not, each with a type of its own.
void filterPayload(RefreshMsg& image) {
    FieldList quote;
    FilterList parts;
    parts.add(1, FilterEntry::SetEnum, price(quote, 3990))
        .add(2, FilterEntry::SetEnum, ElementList().addAscii("Analyst", "desk").addInt("Rating", 4).complete())
        .add(3, FilterEntry::ClearEnum)
        .complete();
    image.payload(parts);
}

// Named values of any type, arrays and nested lists among them.
void elementPayload(RefreshMsg& image) {
    OmmArray array;
    for (Int64 value : {3, 1, 4})
        array.addInt(value);
    image.payload(ElementList()
                      .info(5)
                      .addUInt("Version", 7)
                      .addArray("Digits", array.complete())
                      .addElementList("Owner", ElementList().addAscii("Name", "desk").addUInt("Room", 12).complete())
                      .addQos("Quality", OmmQos::RealTimeEnum, OmmQos::TickByTickEnum)
                      .addState("Health", OmmState::OpenEnum, OmmState::SuspectEnum, OmmState::NoneEnum, "slow today")
                      .addDateTime("Since", 2026, 1, 2, 3, 4, 5)
                      .add("Nothing")
                      .complete());
}

// The current image of another item, as a message inside the message.
void messagePayload(RefreshMsg& image) {
    FieldList quote;
    RefreshMsg inner;
    inner.name("INNER.X").serviceId(1).state(OmmState::OpenEnum, OmmState::OkEnum, OmmState::NoneEnum, "inside");
    image.payload(inner.complete(true).payload(price(quote, 777)));
}

const std::map<std::string, std::function<void(RefreshMsg&)>> items{
    {"VECTOR", vectorPayload},
    {"SERIES", seriesPayload},
    {"FILTERS", filterPayload},
    {"ELEMENTS", elementPayload},
    {"MESSAGE", messagePayload},
    {"OPAQUE", [](RefreshMsg& image) { image.payload(OmmOpaque().set(EmaBuffer("\x00\x01\xff", 3))); }},
    {"XML", [](RefreshMsg& image) { image.payload(OmmXml().set("<bid currency=\"USD\">39.90</bid>")); }},
    {"PAGE", [](RefreshMsg& image) { image.payload(OmmAnsiPage().set("\x1b[1;1HSPOT RATES")); }},
    {"JSON", [](RefreshMsg& image) { image.payload(OmmJson().set("{\"bid\": 39.90}")); }},
    {"EMPTY", [](RefreshMsg&) {}},  // a message may also have no payload
};

class Source : public OmmProviderClient {
public:
    bool clientHasGone = false;

private:
    void onReqMsg(const ReqMsg& request, const OmmProviderEvent& event) override {
        RefreshMsg answer;
        answer.domainType(request.getDomainType()).name(request.getName()).solicited(true).complete(true);
        answer.state(request.getInterestAfterRefresh() ? OmmState::OpenEnum : OmmState::NonStreamingEnum);
        if (request.getDomainType() == MMT_LOGIN) {
            answer.nameType(USER_NAME);
        } else {
            answer.serviceId(request.getServiceId());
            const auto item = items.find(request.getName().c_str());
            if (item == items.end()) {
                event.getProvider().submit(StatusMsg().state(OmmState::ClosedEnum, OmmState::SuspectEnum,
                                                             OmmState::NotFoundEnum, "no such item"),
                                           event.getHandle());
                return;
            }
            item->second(answer);
        }
        event.getProvider().submit(answer, event.getHandle());
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
