// Takes contributions: values that consumers post on an open item or, off stream, on their login. Good ones are
// published to whoever watches the item and acknowledged; others are refused with a reason.
//
//     blotter [port]     ends when its client has gone, or after 60 seconds
#include "Ema.h"

#include <cstdlib>
#include <iostream>
#include <map>
#include <string>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

class Blotter : public OmmProviderClient {
public:
    bool clientHasGone = false;

private:
    void onReqMsg(const ReqMsg& request, const OmmProviderEvent& event) override {
        RefreshMsg answer;
        answer.domainType(request.getDomainType()).name(request.getName()).solicited(true).state().complete(true);
        if (request.getDomainType() == MMT_LOGIN) {
            // Tell the consumer that posting is welcome.
            answer.nameType(USER_NAME).attrib(ElementList().addUInt(ENAME_SUPPORT_POST, 1).complete());
        } else {
            answer.serviceId(request.getServiceId());
            answer.payload(FieldList().addReal(22, 3990, OmmReal::ExponentNeg2Enum).complete());
            watchers_[request.getName().c_str()] = event.getHandle();
        }
        event.getProvider().submit(answer, event.getHandle());
    }

    // The event's handle says on which stream the post came: an item, or the login for an off-stream post.
    void onPostMsg(const PostMsg& post, const OmmProviderEvent& event) override {
        const bool offStream = post.hasName();
        const std::string name = offStream ? post.getName().c_str() : nameOf(event.getHandle());
        std::cout << (offStream ? "off-stream" : "on-stream") << " post for " << name;
        if (post.hasPostId()) std::cout << ", id " << post.getPostId();
        if (post.hasPartNum()) std::cout << ", part " << post.getPartNum() << (post.getComplete() ? " (last)" : "");
        std::cout << ", from " << post.getPublisherIdUserId() << std::endl;

        const auto watcher = watchers_.find(name);
        const bool good = publish(post, watcher == watchers_.end() ? 0 : watcher->second, event);
        if (!post.getSolicitAck()) return;
        AckMsg ack;
        ack.domainType(post.getDomainType()).ackId(post.getPostId());
        if (post.hasSeqNum()) ack.seqNum(post.getSeqNum());
        if (offStream) ack.name(post.getName()).serviceId(post.getServiceId());
        if (!good) ack.nackCode(AckMsg::InvalidContentEnum).text("a bid must be above zero");
        event.getProvider().submit(ack, event.getHandle());
    }

    // What is posted may be a whole message, whose payload counts, or the bare fields.
    static bool publish(const PostMsg& post, UInt64 watcher, const OmmProviderEvent& event) {
        const Payload& payload = post.getPayload();
        const FieldList* posted = nullptr;
        if (payload.getDataType() == DataType::UpdateMsgEnum)
            posted = &payload.getUpdateMsg().getPayload().getFieldList();
        else if (payload.getDataType() == DataType::RefreshMsgEnum)
            posted = &payload.getRefreshMsg().getPayload().getFieldList();
        else if (payload.getDataType() == DataType::FieldListEnum) posted = &payload.getFieldList();
        else return false;
        FieldList fields;
        while (posted->forth()) {
            const FieldEntry& field = posted->getEntry();
            if (field.getLoadType() != DataType::RealEnum) continue;
            if (field.getReal().getAsDouble() <= 0) return false;
            fields.addReal(field.getFieldId(), field.getReal().getMantissa(), field.getReal().getMagnitudeType());
        }
        UpdateMsg update;
        update.publisherId(post.getPublisherIdUserId(), post.getPublisherIdUserAddress()).payload(fields.complete());
        if (watcher != 0) event.getProvider().submit(update, watcher);
        return true;
    }

    std::string nameOf(UInt64 handle) const {
        for (const auto& [name, watcher] : watchers_)
            if (watcher == handle) return name;
        return "?";
    }

    void onClose(const ReqMsg& request, const OmmProviderEvent&) override {
        clientHasGone = request.getDomainType() == MMT_LOGIN;
    }

    std::map<std::string, UInt64> watchers_;  // handle of each open item
};

int main(int argc, char* argv[]) {
    try {
        Blotter blotter;
        OmmProvider provider(OmmIProviderConfig()
                                 .port(argc > 1 ? argv[1] : "14002")
                                 .operationModel(OmmIProviderConfig::UserDispatchEnum),
                             blotter);
        std::cout << "ready" << std::endl;
        for (const UInt64 end = GetTime::getMillis() + 60'000; !blotter.clientHasGone && GetTime::getMillis() < end;)
            provider.dispatch(100'000);
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
