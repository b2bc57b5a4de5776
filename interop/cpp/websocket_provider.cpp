// The application behind the WebSocket scenarios: any item that does not begin with NONE, with or without a view, as
// prices or as orders; updates ten times a second; posts with acknowledgement or refusal. On one port it takes RSSL and
// WebSocket clients, on the other one those with TLS. Runs until it is ended, or for ten times --patience.
#include "line.h"
#include "view.h"

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

namespace {

class Source : public OmmProviderClient {
public:
    void updateAll() {
        ++price_;
        for (const auto& [handle, item] : items_)
            if (item.prices && shows(item, 22))
                submit(item, handle,
                       UpdateMsg()
                           .updateTypeNum(INSTRUMENT_UPDATE_QUOTE)
                           .payload(FieldList().addReal(22, price_, OmmReal::ExponentNeg2Enum).complete()));
    }

private:
    struct Item {
        OmmProvider* provider;
        UInt64 client;
        std::string name;
        std::vector<Int16> view;
        bool prices;
    };

    static void submit(const Item& item, UInt64 handle, const UpdateMsg& update) {
        try {
            item.provider->submit(update, handle);
        } catch (const OmmException&) {}  // the connection is lost, and onClose() is to come
    }

    void onReqMsg(const ReqMsg& request, const OmmProviderEvent& event) override {
        RefreshMsg answer;
        answer.domainType(request.getDomainType()).name(request.getName()).solicited(true).complete(true);
        answer.state(OmmState::OpenEnum, OmmState::OkEnum, OmmState::NoneEnum, "here it is");
        if (request.getDomainType() == MMT_LOGIN) {
            answer.nameType(request.getNameType());
            answer.attrib(ElementList().addUInt(ENAME_SUPPORT_POST, 1).addUInt(ENAME_SUPPORT_VIEW, 1).complete());
            event.getProvider().submit(answer, event.getHandle());
            return;
        }
        Item item{&event.getProvider(), event.getClientHandle(), request.getName().c_str(), interop::viewOf(request),
                  request.getDomainType() == MMT_MARKET_PRICE};
        if (item.name.starts_with("NONE")) {
            event.getProvider().submit(
                StatusMsg()
                    .domainType(request.getDomainType())
                    .name(request.getName())
                    .serviceId(request.getServiceId())
                    .state(OmmState::ClosedEnum, OmmState::SuspectEnum, OmmState::NotFoundEnum, "no such item"),
                event.getHandle());
            return;
        }
        FieldList fields;
        fill(fields, item);
        Map orders;
        orders.addKeyAscii("ORDER1", MapEntry::AddEnum, fields).complete();
        answer.serviceId(request.getServiceId()).name(request.getName());
        if (item.prices) answer.payload(fields);
        else answer.payload(orders);
        event.getProvider().submit(answer, event.getHandle());
        if (request.getInterestAfterRefresh()) items_[event.getHandle()] = std::move(item);
    }

    void onReissue(const ReqMsg& request, const OmmProviderEvent& event) override { onReqMsg(request, event); }

    static bool shows(const Item& item, Int16 field) {
        return item.view.empty() || std::find(item.view.begin(), item.view.end(), field) != item.view.end();
    }

    void fill(FieldList& fields, const Item& item) const {
        if (shows(item, 3)) fields.addRmtes(3, EmaBuffer("SOME ITEM", 9));
        if (shows(item, 15)) fields.addEnum(15, 840);  // CURRENCY: USD
        if (shows(item, 16)) fields.addDate(16, 2026, 3, 29);
        if (shows(item, 22)) fields.addReal(22, price_, OmmReal::ExponentNeg2Enum);
        if (shows(item, 25)) fields.addReal(25, price_ + 5, OmmReal::ExponentNeg2Enum);
        if (shows(item, 30)) fields.addReal(30, 12, OmmReal::Exponent0Enum);
        fields.complete();
    }

    // A good post is an update of all who watch the item; a price below zero is refused.
    void onPostMsg(const PostMsg& post, const OmmProviderEvent& event) override {
        const Payload& payload = post.getPayload();
        const FieldList* fields = nullptr;
        if (payload.getDataType() == DataType::FieldListEnum) fields = &payload.getFieldList();
        if (payload.getDataType() == DataType::UpdateMsgEnum)
            fields = &payload.getUpdateMsg().getPayload().getFieldList();
        if (payload.getDataType() == DataType::RefreshMsgEnum)
            fields = &payload.getRefreshMsg().getPayload().getFieldList();
        const auto on = items_.find(event.getHandle());
        const std::string name = on != items_.end() ? on->second.name : post.hasName() ? post.getName().c_str() : "";
        AckMsg ack;
        ack.domainType(post.getDomainType()).ackId(post.getPostId());
        if (post.hasSeqNum()) ack.seqNum(post.getSeqNum());
        if (post.hasName()) ack.name(post.getName());
        if (post.hasServiceId()) ack.serviceId(post.getServiceId());
        const bool priced = fields != nullptr && fields->forth(22);
        if (!priced) ack.nackCode(AckMsg::InvalidContentEnum).text("a post without BID");
        const bool good = priced && fields->getEntry().getReal().getAsDouble() >= 0;
        if (priced && !good) ack.nackCode(AckMsg::InvalidContentEnum).text("a price is not below zero");
        if (post.getSolicitAck()) event.getProvider().submit(ack, event.getHandle());
        if (!good) return;
        const OmmReal& bid = fields->getEntry().getReal();
        for (const auto& [handle, item] : items_) {
            if (item.name != name || !shows(item, 22)) continue;
            UpdateMsg update;
            update.publisherId(post.getPublisherIdUserId(), post.getPublisherIdUserAddress());
            update.payload(FieldList().addReal(22, bid.getMantissa(), bid.getMagnitudeType()).complete());
            submit(item, handle, update);
        }
    }

    void onClose(const ReqMsg& request, const OmmProviderEvent& event) override {
        if (request.getDomainType() == MMT_LOGIN)
            std::erase_if(items_, [&](const auto& entry) { return entry.second.client == event.getClientHandle(); });
        else items_.erase(event.getHandle());
    }

    std::map<UInt64, Item> items_;
    Int64 price_ = 3990;
};

void describe(ElementList& entry, const std::string& port, const std::string& certificates, UInt64 pingMillis) {
    entry.addAscii("Port", port.c_str());
    if (!certificates.empty())
        entry.addEnum("ServerType", 1)
            .addEnum("CompressionType", 1)  // permessage-deflate, for clients that ask for it
            .addAscii("ServerCert", (certificates + "/server.pem").c_str())
            .addAscii("ServerPrivateKey", (certificates + "/server-key.pem").c_str());
    if (pingMillis != 0)
        entry.addUInt("ConnectionPingTimeout", pingMillis).addUInt("ConnectionMinPingTimeout", pingMillis);
    entry.complete();
}

std::string run(int argc, char* argv[]) {
    const interop::Line line(argc, argv);
    const std::string names[] = {"Plain", "Encrypted"};
    Map instances, servers;
    for (const std::string& name : names) {
        const bool encrypted = name == "Encrypted";
        instances.addKeyAscii(name.c_str(), MapEntry::AddEnum,
                              ElementList().addAscii("Server", name.c_str()).complete());
        ElementList server;
        describe(server, encrypted ? line.tlsPort : line.port, encrypted ? line.certificates : "", line.pingMillis);
        servers.addKeyAscii(name.c_str(), MapEntry::AddEnum, server);
    }
    instances.complete();
    servers.complete();
    Map config;
    config.addKeyAscii("IProviderGroup", MapEntry::AddEnum, ElementList().addMap("IProviderList", instances).complete())
        .addKeyAscii("ServerGroup", MapEntry::AddEnum, ElementList().addMap("ServerList", servers).complete())
        .complete();
    Source source;
    std::vector<std::unique_ptr<OmmProvider>> providers;
    for (const std::string& name : names) {
        if (name == "Encrypted" && line.tlsPort.empty()) continue;
        providers.push_back(std::make_unique<OmmProvider>(OmmIProviderConfig()
                                                              .config(config)
                                                              .providerName(name.c_str())
                                                              .operationModel(OmmIProviderConfig::UserDispatchEnum),
                                                          source));
    }
    std::cout << "READY" << std::endl;
    UInt64 next = 0;
    for (const UInt64 end = GetTime::getMillis() + 10 * line.patienceMillis(); GetTime::getMillis() < end;) {
        for (const auto& provider : providers)
            provider->dispatch(5'000);
        if (GetTime::getMillis() < next) continue;
        source.updateAll();
        next = GetTime::getMillis() + 100;
    }
    throw interop::Failed("nobody ended it");
}

}  // namespace

int main(int argc, char* argv[]) {
    return interop::report([&] { return run(argc, argv); });
}
