// Serves prices over a line of another kind: compressed, over WebSocket, or encrypted with a certificate. Only the
// configuration of the server differs; the program is the same for all of them.
//
//     lines [port [compressed]]
//     lines port websocket [protocol]
//     lines port encrypted certificate key     each ends when its client has gone, or after 60 seconds
#include "Ema.h"

#include <cstdlib>
#include <iostream>
#include <string>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

class Source : public OmmProviderClient {
public:
    bool clientHasGone = false;
    UInt64 item = 0;

private:
    void onReqMsg(const ReqMsg& request, const OmmProviderEvent& event) override {
        RefreshMsg answer;
        answer.domainType(request.getDomainType()).name(request.getName()).solicited(true).state().complete(true);
        if (request.getDomainType() == MMT_LOGIN) {
            answer.nameType(USER_NAME);
        } else {
            answer.serviceId(request.getServiceId());
            answer.payload(FieldList().addReal(22, 3990, OmmReal::ExponentNeg2Enum).complete());
            item = event.getHandle();
        }
        event.getProvider().submit(answer, event.getHandle());
    }
    void onClose(const ReqMsg& request, const OmmProviderEvent&) override {
        if (request.getDomainType() == MMT_LOGIN) clientHasGone = true;
        item = 0;
    }
};

void describeServer(Map& config, const char* port, const std::string& kind, const char* first, const char* second) {
    ElementList server;
    server.addAscii("Port", port);
    if (kind == "websocket") {
        server.addEnum("ServerType", 7).addAscii("WsProtocols", first);
    } else if (kind == "encrypted") {
        server.addEnum("ServerType", 1).addAscii("ServerCert", first).addAscii("ServerPrivateKey", second);
    } else {
        server.addEnum("ServerType", 0).addEnum("CompressionType", 1).addUInt("CompressionThreshold", 60);
    }
    Map providers, servers;
    providers.addKeyAscii("Lines", MapEntry::AddEnum, ElementList().addAscii("Server", "Line").complete()).complete();
    servers.addKeyAscii("Line", MapEntry::AddEnum, server.complete()).complete();
    config
        .addKeyAscii("IProviderGroup", MapEntry::AddEnum,
                     ElementList().addAscii("DefaultIProvider", "Lines").addMap("IProviderList", providers).complete())
        .addKeyAscii("ServerGroup", MapEntry::AddEnum, ElementList().addMap("ServerList", servers).complete())
        .complete();
}

int main(int argc, char* argv[]) {
    const std::string kind = argc > 2 ? argv[2] : "compressed";
    try {
        Map config;
        describeServer(config, argc > 1 ? argv[1] : "14002", kind, argc > 3 ? argv[3] : "rssl.rwf",
                       argc > 4 ? argv[4] : "");
        Source source;
        OmmProvider provider(OmmIProviderConfig().config(config).providerName("Lines").operationModel(
                                 OmmIProviderConfig::UserDispatchEnum),
                             source);
        std::cout << "ready" << std::endl;
        Int64 bid = 3990;
        for (const UInt64 end = GetTime::getMillis() + 60'000; !source.clientHasGone && GetTime::getMillis() < end;) {
            provider.dispatch(10'000);
            if (source.item != 0)
                provider.submit(
                    UpdateMsg().payload(FieldList().addReal(22, ++bid, OmmReal::ExponentNeg2Enum).complete()),
                    source.item);
        }
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
