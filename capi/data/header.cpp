// capi/data: reads the header of each class of message.
#include "data/header.h"

namespace emissary::capi {
namespace {

using namespace refinitiv::ema::access;

template <class Message>
void sequence(const Message& msg, emi_header& h) {
    if (!msg.hasSeqNum()) return;
    h.has |= EMI_HAS_SEQUENCE;
    h.sequence = msg.getSeqNum();
}

template <class Message>
void user(const Message& msg, emi_header& h) {
    if (!msg.hasPublisherId()) return;
    h.has |= EMI_HAS_USER;
    h.user_id = msg.getPublisherIdUserId();
    h.user_address = msg.getPublisherIdUserAddress();
}

template <class Message>
void part(const Message& msg, emi_header& h) {
    h.complete = msg.getComplete() ? 1 : 0;
    if (!msg.hasPartNum()) return;
    h.has |= EMI_HAS_PART;
    h.part = msg.getPartNum();
}

template <class Message>
void service(const Message& msg, emi_header& h) {
    if (msg.hasServiceName()) h.service = msg.getServiceName().c_str();
}

void read(const RefreshMsg& msg, emi_header& h) {
    sequence(msg, h);
    user(msg, h);
    part(msg, h);
    service(msg, h);
    h.text = msg.getState().getStatusText().c_str();
    h.code = msg.getState().getStatusCode();
}
void read(const UpdateMsg& msg, emi_header& h) {
    sequence(msg, h);
    user(msg, h);
    service(msg, h);
}
void read(const StatusMsg& msg, emi_header& h) {
    user(msg, h);
    service(msg, h);
    if (!msg.hasState()) return;
    h.text = msg.getState().getStatusText().c_str();
    h.code = msg.getState().getStatusCode();
}
void read(const GenericMsg& msg, emi_header& h) {
    sequence(msg, h);
    part(msg, h);
}
void read(const AckMsg& msg, emi_header& h) {
    sequence(msg, h);
    service(msg, h);
    h.has |= EMI_HAS_ID;
    h.id = msg.getAckId();
    if (msg.hasNackCode()) h.nack = msg.getNackCode();
    if (msg.hasText()) h.text = msg.getText().c_str();
}
void read(const PostMsg& msg, emi_header& h) {
    sequence(msg, h);
    part(msg, h);
    service(msg, h);
    h.has |= EMI_HAS_USER;
    h.user_id = msg.getPublisherIdUserId();
    h.user_address = msg.getPublisherIdUserAddress();
    h.ack = msg.getSolicitAck() ? 1 : 0;
    if (msg.hasPostId()) {
        h.has |= EMI_HAS_ID;
        h.id = msg.getPostId();
    }
    if (msg.hasPostUserRights()) {
        h.has |= EMI_HAS_RIGHTS;
        h.rights = msg.getPostUserRights();
    }
}

}  // namespace

emi_header headerOf(emi_type type, const Msg& msg) {
    emi_header h{};
    h.size = sizeof h;
    h.type = static_cast<std::uint8_t>(type);
    h.domain = static_cast<std::uint8_t>(msg.getDomainType());
    h.complete = 1;
    // Texts are the message's own: they hold as long as the message does.
    h.name = msg.hasName() ? msg.getName().c_str() : "";
    h.service = h.text = "";
    if (msg.hasServiceId()) {
        h.has |= EMI_HAS_SERVICE_ID;
        h.service_id = static_cast<std::uint16_t>(msg.getServiceId());
    }
    switch (type) {
    case EMI_REFRESH:
        read(static_cast<const RefreshMsg&>(msg), h);
        break;
    case EMI_UPDATE:
        read(static_cast<const UpdateMsg&>(msg), h);
        break;
    case EMI_STATUS:
        read(static_cast<const StatusMsg&>(msg), h);
        break;
    case EMI_GENERIC:
        read(static_cast<const GenericMsg&>(msg), h);
        break;
    case EMI_ACK:
        read(static_cast<const AckMsg&>(msg), h);
        break;
    case EMI_POST:
        read(static_cast<const PostMsg&>(msg), h);
        break;
    case EMI_REQUEST:
        service(static_cast<const ReqMsg&>(msg), h);
        break;
    }
    return h;
}

// Refreshes and updates are the bulk: most say nothing beyond their row, and need no header of their own in a batch.
bool saysMore(emi_type type, const Msg& msg) {
    switch (type) {
    case EMI_REFRESH: {
        const auto& refresh = static_cast<const RefreshMsg&>(msg);
        const auto& state = refresh.getState();
        // The text of a good image is left out of batches: it says the same each time.
        return refresh.hasSeqNum() || refresh.hasPublisherId() || !refresh.getComplete() ||
               state.getStatusCode() != OmmState::NoneEnum || state.getDataState() != OmmState::OkEnum;
    }
    case EMI_UPDATE: {
        const auto& update = static_cast<const UpdateMsg&>(msg);
        return update.hasSeqNum() || update.hasPublisherId();
    }
    default:
        return true;
    }
}

}  // namespace emissary::capi
