// PostMsg and AckMsg (ema-api.md 4.7, 4.8).
#include "Access/Include/AckMsg.h"
#include "Access/Include/PostMsg.h"
#include "data/message_members.h"

namespace refinitiv::ema::access {

namespace codec = emissary::eta::codec;

EMISSARY_MESSAGE(PostMsg, Post)
EMISSARY_SERVICE_NAME(PostMsg)
EMISSARY_SEQ_NUM(PostMsg, codec::PostFlag)
EMISSARY_PART_NUM(PostMsg, codec::PostFlag)
EMISSARY_PERMISSION(PostMsg, codec::PostFlag)
EMISSARY_FLAG(PostMsg, solicitAck, getSolicitAck, codec::PostFlag::ack)
EMISSARY_FLAG(PostMsg, complete, getComplete, codec::PostFlag::complete)

bool PostMsg::hasPostId() const {
    return impl_->has(codec::PostFlag::postId);
}
PostMsg& PostMsg::postId(UInt32 postId) {
    impl_->change().postId = postId;
    impl_->setFlag(codec::PostFlag::postId, true);
    return *this;
}
UInt32 PostMsg::getPostId() const {
    impl_->require(hasPostId(), "getPostId()");
    return impl_->wire->postId;
}
bool PostMsg::hasPostUserRights() const {
    return impl_->has(codec::PostFlag::postUserRights);
}
PostMsg& PostMsg::postUserRights(UInt16 postUserRights) {
    // 15 bits on the wire (rwf.md 4.4).
    if (postUserRights > 32767) emissary::ema::throwOutOfRange("PostMsg: postUserRights is above 32767");
    impl_->change().postUserRights = postUserRights;
    impl_->setFlag(codec::PostFlag::postUserRights, true);
    return *this;
}
UInt16 PostMsg::getPostUserRights() const {
    impl_->require(hasPostUserRights(), "getPostUserRights()");
    return impl_->wire->postUserRights;
}
const EmaString& PostMsg::getPostUserRightsAsString() const {
    const UInt16 rights = getPostUserRights();
    EmaString& t = impl_->texts().words.clear();
    const auto add = [&](UInt16 bit, const char* name) {
        if ((rights & bit) != 0) t.append(t.empty() ? "" : " | ").append(name);
    };
    add(CreateEnum, "Create");
    add(DeleteEnum, "Delete");
    add(ModifyPermissionEnum, "ModifyPermission");
    return t;
}
PostMsg& PostMsg::publisherId(UInt32 userId, UInt32 userAddress) {
    codec::Msg& m = impl_->change();
    m.postUserId = userId;
    m.postUserAddress = userAddress;
    return *this;
}
UInt32 PostMsg::getPublisherIdUserId() const {
    return impl_->wire->postUserId;
}
UInt32 PostMsg::getPublisherIdUserAddress() const {
    return impl_->wire->postUserAddress;
}

EMISSARY_MESSAGE(AckMsg, Ack)
EMISSARY_SERVICE_NAME(AckMsg)
EMISSARY_SEQ_NUM(AckMsg, codec::AckFlag)
EMISSARY_FLAG(AckMsg, privateStream, getPrivateStream, codec::AckFlag::privateStream)
UInt32 AckMsg::getAckId() const {
    return impl_->wire->ackId;
}
EMISSARY_SET(AckMsg, ackId(UInt32 postId), impl_->change().ackId = postId)
bool AckMsg::hasNackCode() const {
    return impl_->has(codec::AckFlag::nakCode);
}
AckMsg& AckMsg::nackCode(UInt8 nackCode) {
    impl_->change().nakCode = nackCode;
    impl_->setFlag(codec::AckFlag::nakCode, true);
    return *this;
}
UInt8 AckMsg::getNackCode() const {
    impl_->require(hasNackCode(), "getNackCode()");
    return impl_->wire->nakCode;
}
const EmaString& AckMsg::getNackCodeAsString() const {
    static constexpr const char* kNames[] = {"None",          "AccessDenied", "DeniedBySource", "SourceDown",
                                             "SourceUnknown", "NoResources",  "NoResponse",     "GatewayDown",
                                             nullptr,         nullptr,        "SymbolUnknown",  "NotOpen",
                                             "InvalidContent"};
    const UInt8 code = getNackCode();
    EmaString& t = impl_->texts().words;
    if (code < std::size(kNames) && kNames[code] != nullptr) return t = kNames[code];
    return t.set("Unknown NackCode value ").append(static_cast<Int32>(code));
}
bool AckMsg::hasText() const {
    return impl_->has(codec::AckFlag::text);
}
AckMsg& AckMsg::text(const EmaString& text) {
    impl_->change().text = impl_->keep(emissary::ema::MsgImpl::text, emissary::ema::bytesOf(text));
    impl_->setFlag(codec::AckFlag::text, true);
    return *this;
}
const EmaString& AckMsg::getText() const {
    impl_->require(hasText(), "getText()");
    return impl_->textOf(emissary::ema::MsgImpl::ackText, impl_->wire->text);
}

}  // namespace refinitiv::ema::access
