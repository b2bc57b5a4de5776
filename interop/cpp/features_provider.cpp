// Serves what the feature scenarios ask for: images with or without a view, updates, posts with acknowledgements,
// generic messages in both directions, private streams, states of item groups, and one image of many fragments.
// JavaFeatures is the consumer. Ends when its client has gone, or when --patience is over.
#include "line.h"
#include "view.h"

#include <algorithm>
#include <map>
#include <vector>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

namespace {

const EmaBuffer kGroup("\x01\x02", 2);

class Source : public OmmProviderClient {
public:
    bool clientHasGone = false;
    int requests = 0, views = 0, privateStreams = 0, posts = 0, refused = 0, generics = 0;
    std::string problem;

    void updateAll(OmmProvider& provider) {
        for (auto& [handle, item] : items_) {
            if (!item.view.empty()) continue;
            provider.submit(
                UpdateMsg().payload(
                    FieldList().addReal(22, interop::priceAfter(++item.updates), OmmReal::ExponentNeg2Enum).complete()),
                handle);
        }
    }

private:
    struct Item {
        std::string name;
        std::vector<Int16> view;
        int updates = 0;
    };

    void onReqMsg(const ReqMsg& request, const OmmProviderEvent& event) override {
        OmmProvider& provider = event.getProvider();
        RefreshMsg answer;
        answer.domainType(request.getDomainType()).name(request.getName()).solicited(true).complete(true);
        answer.state(OmmState::OpenEnum, OmmState::OkEnum, OmmState::NoneEnum, "here it is");
        if (request.getDomainType() == MMT_LOGIN) {
            answer.nameType(USER_NAME).attrib(ElementList()
                                                  .addUInt(ENAME_SUPPORT_POST, 1)
                                                  .addUInt(ENAME_SUPPORT_BATCH, 1)
                                                  .addUInt(ENAME_SUPPORT_VIEW, 1)
                                                  .complete());
            provider.submit(answer, event.getHandle());
            return;
        }
        const std::string name = request.getName().c_str();
        ++requests;
        if (name.starts_with("PRIVATE") && !request.getPrivateStream()) {
            StatusMsg redirect;
            redirect.name(request.getName()).serviceId(request.getServiceId()).privateStream(true);
            redirect.state(OmmState::ClosedRedirectedEnum, OmmState::SuspectEnum, OmmState::NoneEnum, "private only");
            provider.submit(redirect, event.getHandle());
            return;
        }
        privateStreams += request.getPrivateStream();
        Item item{name, interop::viewOf(request)};
        views += !item.view.empty();
        answer.serviceId(request.getServiceId()).privateStream(request.getPrivateStream());
        if (name.starts_with("GROUP")) answer.itemGroup(kGroup);
        FieldList fields;
        Map orders;
        fill(fields, item);
        if (name == "BIG") {
            fill(orders);
            answer.payload(orders);
        } else {
            answer.payload(fields);
        }
        provider.submit(answer, event.getHandle());
        if (name != "BIG" && request.getInterestAfterRefresh()) items_[event.getHandle()] = item;
    }

    static void fill(FieldList& fields, const Item& item) {
        for (const Int16 id : std::initializer_list<Int16>{22, 25, 30, 31})  // BID, ASK, BIDSIZE, ASKSIZE
            if (item.view.empty() || std::find(item.view.begin(), item.view.end(), id) != item.view.end())
                fields.addReal(id, interop::priceAfter(0), OmmReal::ExponentNeg2Enum);
        fields.complete();
    }

    static void fill(Map& map) {
        for (int i = 0; i < interop::kOrders; ++i)
            map.addKeyAscii(("ORDER" + std::to_string(i)).c_str(), MapEntry::AddEnum,
                            FieldList().addReal(22, i, OmmReal::ExponentNeg2Enum).complete());
        map.complete();
    }

    // An update of the item is what becomes of a good post; a price below zero is refused.
    void onPostMsg(const PostMsg& post, const OmmProviderEvent& event) override {
        ++posts;
        const Payload& payload = post.getPayload();
        const FieldList& fields = payload.getDataType() == DataType::UpdateMsgEnum
                                      ? payload.getUpdateMsg().getPayload().getFieldList()
                                      : payload.getFieldList();
        if (!fields.forth(22)) {
            problem = "a post without field 22";
            return;
        }
        const Int64 price = fields.getEntry().getReal().getMantissa();
        UInt64 target = event.getHandle();
        if (post.hasName())
            for (const auto& [handle, item] : items_)
                if (item.name == post.getName().c_str()) target = handle;
        AckMsg ack;
        ack.domainType(post.getDomainType()).ackId(post.getPostId());
        if (post.hasSeqNum()) ack.seqNum(post.getSeqNum());
        if (price < 0) {
            ++refused;
            ack.nackCode(AckMsg::InvalidContentEnum).text("a price is not below zero");
        } else if (items_.contains(target)) {
            UpdateMsg update;
            update.publisherId(post.getPublisherIdUserId(), post.getPublisherIdUserAddress());
            update.payload(FieldList().addReal(22, price, OmmReal::ExponentNeg2Enum).complete());
            event.getProvider().submit(update, target);
        } else {
            problem = "a post for an item that is not open";
        }
        if (post.getSolicitAck()) event.getProvider().submit(ack, event.getHandle());
    }

    // Questions are answered; some of them make something happen before.
    void onGenericMsg(const GenericMsg& msg, const OmmProviderEvent& event) override {
        if (msg.getPayload().getDataType() != DataType::ElementListEnum) return;
        ++generics;
        const ElementList& list = msg.getPayload().getElementList();
        if (list.forth("Answer")) {  // to our own question
            say(event, 0, "Answer", "thank you");
            return;
        }
        list.reset();
        if (!list.forth("Question")) {
            problem = "a generic message that is neither question nor answer";
            return;
        }
        const std::string question = list.getEntry().getAscii().c_str();
        if (question == "group suspect") groupState(event, OmmState::SuspectEnum);
        if (question == "group ok") groupState(event, OmmState::OkEnum);
        say(event, msg.hasSeqNum() ? msg.getSeqNum() : 0, "Answer", "to " + question);
        if (question == "your turn") say(event, 0, "Question", "how are you");
    }

    static void say(const OmmProviderEvent& event, UInt32 to, const char* kind, const std::string& text) {
        GenericMsg msg;
        msg.domainType(MMT_MARKET_PRICE).complete(true).seqNum(1);
        if (to != 0) msg.secondarySeqNum(to);
        event.getProvider().submit(msg.payload(ElementList().addAscii(kind, text.c_str()).complete()),
                                   event.getHandle());
    }

    static void groupState(const OmmProviderEvent& event, OmmState::DataState data) {
        FilterList filters;
        filters
            .add(SERVICE_GROUP_ID, FilterEntry::UpdateEnum,
                 ElementList()
                     .addBuffer(ENAME_GROUP, kGroup)
                     .addState(ENAME_STATUS, OmmState::OpenEnum, data, OmmState::NoneEnum, "all of the group")
                     .complete())
            .complete();
        event.getProvider().submit(UpdateMsg()
                                       .domainType(MMT_DIRECTORY)
                                       .payload(Map().addKeyUInt(1, MapEntry::UpdateEnum, filters).complete()),
                                   0);
    }

    void onClose(const ReqMsg& request, const OmmProviderEvent& event) override {
        items_.erase(event.getHandle());
        if (request.getDomainType() != MMT_LOGIN) return;
        items_.clear();  // the end of a login ends all items without a call for each
        clientHasGone = true;
    }

    std::map<UInt64, Item> items_;
};

std::string run(int argc, char* argv[]) {
    const interop::Line line(argc, argv);
    ElementList server;
    line.describe(server);
    server.addEnum("ServerType", static_cast<UInt16>(line.type()));
    if (line.encrypted())
        server.addEnum("EncryptedProtocolType", static_cast<UInt16>(line.innerType()))
            .addAscii("ServerCert", (line.certificates + "/server.pem").c_str())
            .addAscii("ServerPrivateKey", (line.certificates + "/server-key.pem").c_str());
    Map config;
    config
        .addKeyAscii(
            "IProviderGroup", MapEntry::AddEnum,
            ElementList()
                .addAscii("DefaultIProvider", "Interop")
                .addMap("IProviderList", Map()
                                             .addKeyAscii("Interop", MapEntry::AddEnum,
                                                          ElementList().addAscii("Server", "Interop").complete())
                                             .complete())
                .complete())
        .addKeyAscii(
            "ServerGroup", MapEntry::AddEnum,
            ElementList()
                .addMap("ServerList", Map().addKeyAscii("Interop", MapEntry::AddEnum, server.complete()).complete())
                .complete())
        .complete();
    Source source;
    OmmProvider provider(OmmIProviderConfig().config(config).providerName("Interop").operationModel(
                             OmmIProviderConfig::UserDispatchEnum),
                         source);
    std::cout << "READY" << std::endl;
    UInt64 next = 0;
    const UInt64 end = GetTime::getMillis() + line.patienceMillis();
    while (!source.clientHasGone && source.problem.empty() && GetTime::getMillis() < end) {
        provider.dispatch(5'000);
        if (GetTime::getMillis() < next) continue;
        source.updateAll(provider);
        next = GetTime::getMillis() + 20;
    }
    if (!source.problem.empty()) throw interop::Failed(source.problem);
    if (!source.clientHasGone)
        throw interop::Failed("no client came and went within " + std::to_string(line.patienceSeconds) + " s");
    return "requests=" + std::to_string(source.requests) + " views=" + std::to_string(source.views) +
           " private=" + std::to_string(source.privateStreams) + " posts=" + std::to_string(source.posts) +
           " nacks=" + std::to_string(source.refused) + " generics=" + std::to_string(source.generics);
}

}  // namespace

int main(int argc, char* argv[]) {
    return interop::report([&] { return run(argc, argv); });
}
