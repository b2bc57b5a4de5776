// What clients ask of a provider: logins, items, posts, generic messages. Everything here runs on the dispatching
// thread.
#include "Clock.h"
#include "ProviderWorker.h"
#include "admin_messages.h"
#include "emissary/tunnels.h"

namespace emissary::perf {

using namespace refinitiv::ema;
using namespace refinitiv::ema::access;

void ProviderWorker::onLogin(const ReqMsg& message, const Event& event) {
    RefreshMsg refresh;
    // A login inside a tunnel says nothing about the connection, so it gets no round-trip messages.
    const bool inTunnel = emissary::tunnelBuffersUsed(event.getProvider(), event.getClientHandle()).has_value();
    const bool timed = !inTunnel && acceptLogin(message, refresh);
    if (inTunnel) acceptTunnelLogin(message, refresh);
    logins_.insert(event.getHandle());
    event.getProvider().submit(refresh, event.getHandle());
    // The publishing thread sends the round-trip messages, so the inbox brings it the login, as it brings items.
    if (!timed) return;
    ItemEvent login;
    login.kind = ItemEvent::Kind::timed;
    login.handle = event.getHandle();
    login.client = event.getClientHandle();
    inbox_.add(login, {});
}

void ProviderWorker::queueItem(ItemEvent::Kind kind, const ReqMsg& message, const Event& event) {
    ItemEvent item;
    item.kind = kind;
    item.domain = static_cast<Domain>(message.getDomainType());  // one that was found to be served
    item.streaming = message.getInterestAfterRefresh();
    item.isPrivate = message.getPrivateStream();
    item.serviceId = message.hasServiceId() ? message.getServiceId() : 0;
    item.handle = event.getHandle();
    item.client = event.getClientHandle();
    const EmaString& name = message.getName();
    inbox_.add(item, std::string_view(name.c_str(), name.length()));
}

void ProviderWorker::onReqMsg(const ReqMsg& message, const Event& event) {
    try {
        // One client that left must not end the run for the others.
        const UInt16 domain = message.getDomainType();
        if (domain == rdm::MMT_LOGIN) return onLogin(message, event);
        const bool known =
            (domain == rdm::MMT_MARKET_PRICE && messages_.has(Domain::marketPrice)) ||
            (domain == rdm::MMT_MARKET_BY_ORDER && messages_.has(Domain::marketByOrder)) ||
            (settings_.bookOrders != 0 && (domain == rdm::MMT_MARKET_BY_ORDER || domain == rdm::MMT_MARKET_BY_PRICE));
        if (!known || !message.hasName()) {
            StatusMsg status;
            refuseItem(message, status);
            return void(event.getProvider().submit(status, event.getHandle()));
        }
        received_.requests.add();
        queueItem(ItemEvent::Kind::request, message, event);
    } catch (const OmmException&) {
        return;  // the client left while it was answered
    }
}

void ProviderWorker::onReissue(const ReqMsg& message, const Event& event) {
    try {
        const UInt16 domain = message.getDomainType();
        if (domain == rdm::MMT_LOGIN) return onLogin(message, event);
        const bool item =
            domain == rdm::MMT_MARKET_PRICE || domain == rdm::MMT_MARKET_BY_ORDER || domain == rdm::MMT_MARKET_BY_PRICE;
        if (item && message.getInitialImage()) queueItem(ItemEvent::Kind::reissue, message, event);
    } catch (const OmmException&) {
        return;  // the client left while it was answered
    }
}

void ProviderWorker::onClose(const ReqMsg& message, const Event& event) {
    if (message.getDomainType() == rdm::MMT_LOGIN) {
        // The end of a login is the end of the client: its items get no close messages one by one.
        logins_.erase(event.getHandle());
        ItemEvent left;
        left.kind = ItemEvent::Kind::left;
        left.client = event.getClientHandle();
        inbox_.add(left, {});
        return;
    }
    received_.closes.add();
    ItemEvent item;
    item.kind = ItemEvent::Kind::close;
    item.handle = event.getHandle();
    item.client = event.getClientHandle();
    inbox_.add(item, {});
}

void ProviderWorker::acknowledge(const PostMsg& message, const Event& event, bool ok) {
    if (!message.getSolicitAck() || !message.hasPostId()) return;
    AckMsg ack;
    ack.domainType(message.getDomainType()).ackId(message.getPostId());
    if (message.hasSeqNum()) ack.seqNum(message.getSeqNum());
    if (!ok) ack.nackCode(AckMsg::InvalidContentEnum).text("The post has no content.");
    event.getProvider().submit(ack, event.getHandle());
}

void ProviderWorker::onPostMsg(const PostMsg& message, const Event& event) {
    if (isTestOver()) return;
    try {
        received_.posts.add();
        const std::int64_t begin = settings_.measureDecode ? nowNanos() : 0;
        const Payload& payload = message.getPayload();
        const DataType::DataTypeEnum type = payload.getDataType();
        const bool hasContent = type != DataType::NoDataEnum && type != DataType::ErrorEnum;
        // Before the reflection: a client that waits for the ack does not wait for the decoding.
        acknowledge(message, event, hasContent);
        if (!hasContent) return;
        if (logins_.contains(event.getHandle())) {  // off-stream: the publishing thread knows the items
            inbox_.add(OffStreamPost{event.getClientHandle(), std::make_unique<PostMsg>(message)});
            return;
        }
        reflect(message, reflected_);
        if (settings_.measureDecode) decodeTimes_.add(static_cast<double>(nowNanos() - begin) / 1000.0);
        event.getProvider().submit(reflected_, event.getHandle());
        received_.postsReflected.add();
        tunnelBuffers_.note(event.getProvider(), event.getClientHandle());
    } catch (const OmmException&) {
        return;  // content that cannot be decoded, or the client left
    }
}

void ProviderWorker::noteStandby(const GenericMsg& message, const Event& event) {
    const std::optional<bool> standby = standbyTold(message);
    if (!standby) return;
    ItemEvent change;
    change.kind = *standby ? ItemEvent::Kind::standby : ItemEvent::Kind::active;
    change.client = event.getClientHandle();
    inbox_.add(change, {});
}

void ProviderWorker::onGenericMsg(const GenericMsg& message, const Event& event) {
    if (isTestOver()) return;
    try {
        const UInt16 domain = message.getDomainType();
        // An element list on the login domain answers a round-trip message. The role of warm standby comes as a map.
        if (domain == rdm::MMT_LOGIN && message.getPayload().getDataType() == DataType::ElementListEnum)
            return roundTrips_.note(message.getPayload().getElementList());
        if (domain == rdm::MMT_LOGIN || domain == rdm::MMT_DIRECTORY) return noteStandby(message, event);
        received_.generics.add();
        const std::int64_t begin = settings_.measureDecode ? nowNanos() : 0;
        const FoundStamps stamps = decoder_.decode(message.getPayload());
        if (settings_.measureDecode) decodeTimes_.add(static_cast<double>(nowNanos() - begin) / 1000.0);
        if (stamps.generic != 0)
            latencies_.record(LatencyKind::generic, LatencyPhase::steady, static_cast<std::int64_t>(stamps.generic),
                              static_cast<std::int64_t>(stampNow()));
    } catch (const OmmException&) {
        return;  // content that cannot be decoded
    }
}

}  // namespace emissary::perf
