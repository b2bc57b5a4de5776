// Fills in login and directory answers, refusals, and posts that go back to their sender.
#include "admin_messages.h"

namespace emissary::perf {

using namespace refinitiv::ema;
using namespace refinitiv::ema::access;

namespace {

void fillAnswer(const ReqMsg& login, ElementList& attributes, const char* text, RefreshMsg& answer) {
    attributes.complete();
    answer.domainType(rdm::MMT_LOGIN).solicited(true).complete(true);
    answer.state(OmmState::OpenEnum, OmmState::OkEnum, OmmState::NoneEnum, text);
    // A login's answer repeats name and type of the request: they are its key.
    if (login.hasName()) answer.name(login.getName());
    if (login.hasNameType()) answer.nameType(login.getNameType());
    answer.attrib(attributes);
}

}  // namespace

bool acceptLogin(const ReqMsg& login, RefreshMsg& answer) {
    EmaString position("");
    bool timed = false;
    if (login.getAttrib().getDataType() == DataType::ElementListEnum) {
        const ElementList& attributes = login.getAttrib().getElementList();
        while (attributes.forth()) {
            const ElementEntry& element = attributes.getEntry();
            if (element.getCode() == Data::BlankEnum) continue;
            if (element.getName() == rdm::ENAME_POSITION && element.getLoadType() == DataType::AsciiEnum)
                position = element.getAscii();
            if (element.getName() == rdm::ENAME_RTT && element.getLoadType() == DataType::UIntEnum)
                // 2 says that the consumer answers round-trip requests; the provider sends none to others.
                timed = element.getUInt() == 2;
        }
    }
    ElementList attributes;
    // SingleOpen 0: this provider leaves recovery of items to the consumer, since it has no source to recover from.
    attributes.addAscii(rdm::ENAME_APP_ID, "256")
        .addAscii(rdm::ENAME_APP_NAME, "EmaCppIProvPerf")
        .addAscii(rdm::ENAME_POSITION, position)
        .addUInt(rdm::ENAME_SINGLE_OPEN, 0)
        .addUInt(rdm::ENAME_SUPPORT_POST, 1)
        .addUInt(rdm::ENAME_SUPPORT_STANDBY, 1)
        .addUInt("SupportStandbyMode", 3);  // login based and service based
    if (timed) attributes.addUInt(rdm::ENAME_RTT, 2);
    fillAnswer(login, attributes, "Login accepted", answer);
    return timed;
}

void acceptTunnelLogin(const ReqMsg& login, RefreshMsg& answer) {
    ElementList attributes;
    if (login.getAttrib().getDataType() == DataType::ElementListEnum) {
        const ElementList& said = login.getAttrib().getElementList();
        while (said.forth()) {
            const ElementEntry& element = said.getEntry();
            // The attributes are given back as they came, except SingleOpen, which is the provider's to say.
            if (element.getCode() == Data::BlankEnum || element.getName() == rdm::ENAME_SINGLE_OPEN) continue;
            if (element.getLoadType() == DataType::AsciiEnum)
                attributes.addAscii(element.getName(), element.getAscii());
            if (element.getLoadType() == DataType::UIntEnum) attributes.addUInt(element.getName(), element.getUInt());
        }
    }
    attributes.addUInt(rdm::ENAME_SINGLE_OPEN, 0);
    fillAnswer(login, attributes, "Tunnel login accepted.", answer);
}

std::optional<bool> standbyTold(const GenericMsg& message) {
    std::optional<bool> told;
    if (message.getPayload().getDataType() != DataType::MapEnum) return told;
    const Map& map = message.getPayload().getMap();
    while (map.forth()) {
        const MapEntry& status = map.getEntry();
        if (status.getLoadType() != DataType::ElementListEnum) continue;
        const ElementList& list = status.getElementList();
        while (list.forth()) {
            const ElementEntry& element = list.getEntry();
            // 0 makes this server the active one, 1 a standby (rdm.md).
            if (element.getName() == "WarmStandbyMode" && element.getLoadType() == DataType::UIntEnum)
                told = element.getUInt() != 0;
        }
    }
    return told;
}

void refuseItem(const ReqMsg& request, StatusMsg& status) {
    status.domainType(request.getDomainType());
    if (request.hasName()) status.name(request.getName());
    if (request.hasServiceId()) status.serviceId(request.getServiceId());
    status.state(OmmState::ClosedEnum, OmmState::SuspectEnum, OmmState::NotFoundEnum, "Item not found");
}

void refuseBeyond(std::uint32_t openLimit, const ItemEvent& request, StatusMsg& status) {
    status.domainType(static_cast<UInt16>(request.domain)).serviceId(request.serviceId);
    status.privateStream(request.isPrivate);
    status.state(OmmState::ClosedEnum, OmmState::SuspectEnum, OmmState::TooManyItemsEnum,
                 ("The open limit of " + std::to_string(openLimit) + " items is reached.").c_str());
}

void reflect(const PostMsg& post, UpdateMsg& update) {
    const Payload& payload = post.getPayload();
    update.clear();
    update.domainType(post.getDomainType());
    if (payload.getDataType() == DataType::UpdateMsgEnum) {
        const UpdateMsg& posted = payload.getUpdateMsg();
        update.updateTypeNum(posted.getUpdateTypeNum()).payload(posted.getPayload().getData());
    } else if (payload.getDataType() == DataType::RefreshMsgEnum) {
        update.payload(payload.getRefreshMsg().getPayload().getData());
    } else {
        update.payload(payload.getData());
    }
    // Whoever posted recognizes its own update by these two.
    update.publisherId(post.getPublisherIdUserId(), post.getPublisherIdUserAddress());
    if (post.hasSeqNum()) update.seqNum(post.getSeqNum());
}

}  // namespace emissary::perf
