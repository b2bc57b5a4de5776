// ema/data: members that several message classes have, expanded once per class; each forwards to MsgImpl.
#pragma once

#include "data/MsgImpl.h"

#include "Access/Include/OmmInvalidUsageException.h"
#include "data/add_values.h"
#include "data/wire_qos.h"
#include "errors/raise.h"

#define EMISSARY_SET(Class, Signature, ...)                                                                            \
    Class& Class::Signature {                                                                                          \
        __VA_ARGS__;                                                                                                   \
        return *this;                                                                                                  \
    }
// A boolean that is one flag on the wire.
#define EMISSARY_FLAG(Class, setter, getter, flag)                                                                     \
    Class& Class::setter(bool on) {                                                                                    \
        impl_->setFlag(flag, on);                                                                                      \
        return *this;                                                                                                  \
    }                                                                                                                  \
    bool Class::getter() const {                                                                                       \
        return impl_->has(flag);                                                                                       \
    }

#define EMISSARY_MESSAGE(Class, Kind)                                                                                  \
    Class::Class() : Msg(std::make_unique<emissary::ema::MsgImpl>(codec::MsgClass::Kind)) {}                           \
    Class::Class(const Class& other) : Msg(emissary::ema::MsgImpl::copyOf(*other.impl_)) {}                            \
    Class::~Class() = default;                                                                                         \
    DataType::DataTypeEnum Class::getDataType() const {                                                                \
        return DataType::Class##Enum;                                                                                  \
    }                                                                                                                  \
    EMISSARY_SET(Class, clear(), impl_->clear())                                                                       \
    EMISSARY_SET(Class, streamId(Int32 streamId), impl_->changePlain().streamId = streamId)                            \
    EMISSARY_SET(Class, domainType(UInt16 domainType), impl_->setDomain(domainType))                                   \
    Class& Class::name(const EmaString& name) {                                                                        \
        const emissary::eta::Bytes kept = impl_->keep(emissary::ema::MsgImpl::name, emissary::ema::bytesOf(name));     \
        codec::MsgKey& key = impl_->changeKey();                                                                       \
        key.name = kept;                                                                                               \
        key.flags |= codec::KeyFlag::name;                                                                             \
        return *this;                                                                                                  \
    }                                                                                                                  \
    Class& Class::nameType(UInt8 nameType) {                                                                           \
        codec::MsgKey& key = impl_->changeKey();                                                                       \
        key.nameType = nameType;                                                                                       \
        key.flags |= codec::KeyFlag::nameType;                                                                         \
        return *this;                                                                                                  \
    }                                                                                                                  \
    EMISSARY_SET(Class, serviceId(UInt32 serviceId), impl_->setServiceId(serviceId))                                   \
    Class& Class::id(Int32 id) {                                                                                       \
        codec::MsgKey& key = impl_->changeKey();                                                                       \
        key.identifier = id;                                                                                           \
        key.flags |= codec::KeyFlag::identifier;                                                                       \
        return *this;                                                                                                  \
    }                                                                                                                  \
    Class& Class::filter(UInt32 filter) {                                                                              \
        codec::MsgKey& key = impl_->changeKey();                                                                       \
        key.filter = filter;                                                                                           \
        key.flags |= codec::KeyFlag::filter;                                                                           \
        return *this;                                                                                                  \
    }                                                                                                                  \
    EMISSARY_SET(Class, attrib(const ComplexType& data), impl_->setAttrib(data))                                       \
    EMISSARY_SET(Class, payload(const ComplexType& data), impl_->setPayload(data))                                     \
    Class& Class::extendedHeader(const EmaBuffer& buffer) {                                                            \
        impl_->change().extendedHeader =                                                                               \
            impl_->keep(emissary::ema::MsgImpl::extendedHeader, emissary::ema::bytesOf(buffer));                       \
        impl_->setFlag(emissary::ema::flagsOf(codec::MsgClass::Kind).extendedHeader, true);                            \
        return *this;                                                                                                  \
    }

#define EMISSARY_SERVICE_NAME(Class)                                                                                   \
    EMISSARY_SET(Class, serviceName(const EmaString& serviceName), impl_->setServiceName(serviceName))                 \
    bool Class::hasServiceName() const {                                                                               \
        return impl_->hasServiceName;                                                                                  \
    }                                                                                                                  \
    const EmaString& Class::getServiceName() const {                                                                   \
        impl_->require(impl_->hasServiceName, "getServiceName()");                                                     \
        return impl_->textOf(emissary::ema::MsgImpl::serviceText, emissary::eta::asBytes(impl_->service()));           \
    }

#define EMISSARY_SEQ_NUM(Class, Flags)                                                                                 \
    Class& Class::seqNum(UInt32 seqNum) {                                                                              \
        impl_->change().seqNum = seqNum;                                                                               \
        impl_->setFlag(Flags::seqNum, true);                                                                           \
        return *this;                                                                                                  \
    }                                                                                                                  \
    bool Class::hasSeqNum() const {                                                                                    \
        return impl_->has(Flags::seqNum);                                                                              \
    }                                                                                                                  \
    UInt32 Class::getSeqNum() const {                                                                                  \
        impl_->require(hasSeqNum(), "getSeqNum()");                                                                    \
        return impl_->wire->seqNum;                                                                                    \
    }

#define EMISSARY_PART_NUM(Class, Flags)                                                                                \
    Class& Class::partNum(UInt16 partNum) {                                                                            \
        if (partNum > 32767) emissary::ema::throwOutOfRange(#Class ": partNum is above 32767");                        \
        impl_->change().partNum = partNum;                                                                             \
        impl_->setFlag(Flags::partNum, true);                                                                          \
        return *this;                                                                                                  \
    }                                                                                                                  \
    bool Class::hasPartNum() const {                                                                                   \
        return impl_->has(Flags::partNum);                                                                             \
    }                                                                                                                  \
    UInt16 Class::getPartNum() const {                                                                                 \
        impl_->require(hasPartNum(), "getPartNum()");                                                                  \
        return impl_->wire->partNum;                                                                                   \
    }

#define EMISSARY_PERMISSION(Class, Flags)                                                                              \
    Class& Class::permissionData(const EmaBuffer& permissionData) {                                                    \
        impl_->change().permData =                                                                                     \
            impl_->keep(emissary::ema::MsgImpl::permData, emissary::ema::bytesOf(permissionData));                     \
        impl_->setFlag(Flags::permData, true);                                                                         \
        return *this;                                                                                                  \
    }                                                                                                                  \
    bool Class::hasPermissionData() const {                                                                            \
        return impl_->has(Flags::permData);                                                                            \
    }                                                                                                                  \
    const EmaBuffer& Class::getPermissionData() const {                                                                \
        impl_->require(hasPermissionData(), "getPermissionData()");                                                    \
        return impl_->bufferOf(emissary::ema::MsgImpl::permBuffer, impl_->wire->permData);                             \
    }

#define EMISSARY_PUBLISHER(Class, Flags)                                                                               \
    Class& Class::publisherId(UInt32 userId, UInt32 userAddress) {                                                     \
        codec::Msg& m = impl_->change();                                                                               \
        m.postUserId = userId;                                                                                         \
        m.postUserAddress = userAddress;                                                                               \
        impl_->setFlag(Flags::postUserInfo, true);                                                                     \
        return *this;                                                                                                  \
    }                                                                                                                  \
    bool Class::hasPublisherId() const {                                                                               \
        return impl_->has(Flags::postUserInfo);                                                                        \
    }                                                                                                                  \
    UInt32 Class::getPublisherIdUserId() const {                                                                       \
        impl_->require(hasPublisherId(), "getPublisherIdUserId()");                                                    \
        return impl_->wire->postUserId;                                                                                \
    }                                                                                                                  \
    UInt32 Class::getPublisherIdUserAddress() const {                                                                  \
        impl_->require(hasPublisherId(), "getPublisherIdUserAddress()");                                               \
        return impl_->wire->postUserAddress;                                                                           \
    }

namespace emissary::ema {

/// state() of refresh and status messages.
inline void setState(MsgImpl& m, refinitiv::ema::access::OmmState::StreamState stream,
                     refinitiv::ema::access::OmmState::DataState data, UInt8 code, const EmaString& text) {
    m.change().state = {static_cast<UInt8>(stream), static_cast<UInt8>(data), code,
                        m.keep(MsgImpl::stateText, bytesOf(text))};
}

}  // namespace emissary::ema
