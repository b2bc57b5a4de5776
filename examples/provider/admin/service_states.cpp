// Changes its source directory while consumers watch: gives every item of a group a new state, takes the service down
// and brings it up again, adds a service and deletes it. The library passes all that on to whoever has asked for the
// directory, and drops the items of what is gone. (The directory itself comes from the configuration.)
//
//     service_states [port]     ends when its client has gone, or after 60 seconds
#include "Ema.h"

#include <cstdlib>
#include <functional>
#include <iostream>
#include <vector>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

class Source : public OmmProviderClient {
public:
    bool clientHasGone = false;
    int open = 0;
    static inline const EmaBuffer group{"\x00\x07", 2};

private:
    void onReqMsg(const ReqMsg& request, const OmmProviderEvent& event) override {
        RefreshMsg answer;
        answer.domainType(request.getDomainType()).name(request.getName()).solicited(true).state().complete(true);
        if (request.getDomainType() == MMT_LOGIN) {
            answer.nameType(USER_NAME);
        } else {
            // Items that share a fate share a group: EMI.X and SSA.X, but not RY.X.
            answer.serviceId(request.getServiceId());
            if (request.getName() != "RY.X") answer.itemGroup(group);
            answer.payload(FieldList().addReal(22, 3990, OmmReal::ExponentNeg2Enum).complete());
            ++open;
        }
        event.getProvider().submit(answer, event.getHandle());
    }
    void onClose(const ReqMsg& request, const OmmProviderEvent&) override {
        clientHasGone = request.getDomainType() == MMT_LOGIN;
    }
};

// Sends a change of one service: filter entry `id` of it, with the given elements.
void change(OmmProvider& provider, UInt64 service, UInt8 id, const ElementList& elements) {
    FilterList filters;
    filters.add(id, FilterEntry::UpdateEnum, elements).complete();
    provider.submit(UpdateMsg()
                        .domainType(MMT_DIRECTORY)
                        .payload(Map().addKeyUInt(service, MapEntry::UpdateEnum, filters).complete()),
                    0);  // to all sessions
}

void groupState(OmmProvider& provider, OmmState::DataState data, const char* text) {
    change(provider, 1, SERVICE_GROUP_ID,
           ElementList()
               .addBuffer(ENAME_GROUP, Source::group)
               .addState(ENAME_STATUS, OmmState::OpenEnum, data, OmmState::NoneEnum, text)
               .complete());
}

void serviceState(OmmProvider& provider, UInt64 up) {
    change(provider, 1, SERVICE_STATE_ID,
           ElementList().addUInt(ENAME_SVC_STATE, up).addUInt(ENAME_ACCEPTING_REQS, up).complete());
}

void addService(OmmProvider& provider) {
    OmmArray capabilities;
    capabilities.addUInt(MMT_MARKET_PRICE).complete();
    FilterList filters;
    filters
        .add(SERVICE_INFO_ID, FilterEntry::SetEnum,
             ElementList().addAscii(ENAME_NAME, "EXTRA_FEED").addArray(ENAME_CAPABILITIES, capabilities).complete())
        .add(SERVICE_STATE_ID, FilterEntry::SetEnum,
             ElementList().addUInt(ENAME_SVC_STATE, 1).addUInt(ENAME_ACCEPTING_REQS, 1).complete())
        .complete();
    provider.submit(
        UpdateMsg().domainType(MMT_DIRECTORY).payload(Map().addKeyUInt(2, MapEntry::AddEnum, filters).complete()), 0);
}

void deleteService(OmmProvider& provider) {
    provider.submit(UpdateMsg().domainType(MMT_DIRECTORY).payload(Map().addKeyUInt(2, MapEntry::DeleteEnum).complete()),
                    0);
}

int main(int argc, char* argv[]) {
    try {
        Source source;
        OmmProvider provider(OmmIProviderConfig()
                                 .port(argc > 1 ? argv[1] : "14002")
                                 .operationModel(OmmIProviderConfig::UserDispatchEnum),
                             source);
        std::cout << "ready" << std::endl;
        const UInt64 end = GetTime::getMillis() + 60'000;
        while (source.open < 3 && !source.clientHasGone && GetTime::getMillis() < end)
            provider.dispatch(100'000);
        const std::vector<std::function<void()>> events{
            [&] { groupState(provider, OmmState::SuspectEnum, "exchange is late"); },
            [&] { groupState(provider, OmmState::OkEnum, "exchange is back"); },
            [&] { serviceState(provider, SERVICE_DOWN); },
            [&] { serviceState(provider, SERVICE_UP); },
            [&] { addService(provider); },
            [&] { deleteService(provider); },
        };
        for (const auto& happen : events) {
            happen();
            provider.dispatch(1'000);
        }
        while (!source.clientHasGone && GetTime::getMillis() < end)
            provider.dispatch(100'000);
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
