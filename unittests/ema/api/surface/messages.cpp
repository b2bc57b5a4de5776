// Messages (ema-api.md 4, 8).
#include "Ema.h"
#include "surface.h"

using namespace refinitiv::ema;
using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;
using emissary::apitest::member;

void surfaceOfMsg() {
    static_assert(std::is_convertible_v<Msg*, ComplexType*>);
    static_assert(std::has_virtual_destructor_v<Msg>);
    member<Msg, bool() const>(&Msg::hasMsgKey);
    member<Msg, bool() const>(&Msg::hasName);
    member<Msg, bool() const>(&Msg::hasNameType);
    member<Msg, bool() const>(&Msg::hasServiceId);
    member<Msg, bool() const>(&Msg::hasId);
    member<Msg, bool() const>(&Msg::hasFilter);
    member<Msg, bool() const>(&Msg::hasExtendedHeader);
    member<Msg, Int32() const>(&Msg::getStreamId);
    member<Msg, UInt16() const>(&Msg::getDomainType);
    member<Msg, const EmaString&() const>(&Msg::getName);
    member<Msg, UInt8() const>(&Msg::getNameType);
    member<Msg, UInt32() const>(&Msg::getServiceId);
    member<Msg, Int32() const>(&Msg::getId);
    member<Msg, UInt32() const>(&Msg::getFilter);
    member<Msg, const EmaBuffer&() const>(&Msg::getExtendedHeader);
    member<Msg, const Attrib&() const>(&Msg::getAttrib);
    member<Msg, const Payload&() const>(&Msg::getPayload);
}

void surfaceOfReqMsg() {
    static_assert(std::is_convertible_v<ReqMsg*, Msg*>);
    static_assert(std::has_virtual_destructor_v<ReqMsg>);
    static_assert(std::is_copy_constructible_v<ReqMsg> && !std::is_copy_assignable_v<ReqMsg>);
    static_assert(ReqMsg::TickByTickEnum == 0);
    static_assert(ReqMsg::JustInTimeConflatedEnum == 0xFFFFFF00);
    static_assert(ReqMsg::BestConflatedRateEnum == 0xFFFFFFFF);
    static_assert(ReqMsg::BestRateEnum == 0xFFFFFFFE);
    static_assert(ReqMsg::RealTimeEnum == 0);
    static_assert(ReqMsg::BestDelayedTimelinessEnum == 0xFFFFFFFF);
    static_assert(ReqMsg::BestTimelinessEnum == 0xFFFFFFFE);
    static_assert(std::is_constructible_v<ReqMsg>);
    static_assert(std::is_constructible_v<ReqMsg, const ReqMsg&>);
    static_assert(std::is_convertible_v<const ReqMsg&, ReqMsg>);
    member<ReqMsg, const EmaString&() const>(&ReqMsg::getRateAsString);
    member<ReqMsg, const EmaString&() const>(&ReqMsg::getTimelinessAsString);
    member<ReqMsg, bool() const>(&ReqMsg::hasPriority);
    member<ReqMsg, bool() const>(&ReqMsg::hasQos);
    member<ReqMsg, bool() const>(&ReqMsg::hasView);
    member<ReqMsg, bool() const>(&ReqMsg::hasBatch);
    member<ReqMsg, bool() const>(&ReqMsg::hasServiceName);
    member<ReqMsg, UInt8() const>(&ReqMsg::getPriorityClass);
    member<ReqMsg, UInt16() const>(&ReqMsg::getPriorityCount);
    member<ReqMsg, UInt32() const>(&ReqMsg::getQosTimeliness);
    member<ReqMsg, UInt32() const>(&ReqMsg::getQosRate);
    member<ReqMsg, bool() const>(&ReqMsg::getInitialImage);
    member<ReqMsg, bool() const>(&ReqMsg::getInterestAfterRefresh);
    member<ReqMsg, bool() const>(&ReqMsg::getConflatedInUpdates);
    member<ReqMsg, bool() const>(&ReqMsg::getPause);
    member<ReqMsg, bool() const>(&ReqMsg::getPrivateStream);
    member<ReqMsg, const EmaString&() const>(&ReqMsg::getServiceName);
    member<ReqMsg, ReqMsg&()>(&ReqMsg::clear);
    member<ReqMsg, ReqMsg&(Int32)>(&ReqMsg::streamId);
    member<ReqMsg, ReqMsg&(UInt16)>(&ReqMsg::domainType);
    static_assert(requires(ReqMsg & c) {
        { c.domainType() } -> std::same_as<ReqMsg&>;
    });
    member<ReqMsg, ReqMsg&(const EmaString&)>(&ReqMsg::name);
    member<ReqMsg, ReqMsg&(UInt8)>(&ReqMsg::nameType);
    static_assert(requires(ReqMsg & c) {
        { c.nameType() } -> std::same_as<ReqMsg&>;
    });
    member<ReqMsg, ReqMsg&(const EmaString&)>(&ReqMsg::serviceName);
    member<ReqMsg, ReqMsg&(UInt32)>(&ReqMsg::serviceId);
    member<ReqMsg, ReqMsg&(Int32)>(&ReqMsg::id);
    member<ReqMsg, ReqMsg&(UInt32)>(&ReqMsg::filter);
    member<ReqMsg, ReqMsg&(UInt8, UInt16)>(&ReqMsg::priority);
    static_assert(requires(ReqMsg & c) {
        { c.priority() } -> std::same_as<ReqMsg&>;
    });
    static_assert(requires(ReqMsg & c, UInt8 a0) {
        { c.priority(a0) } -> std::same_as<ReqMsg&>;
    });
    member<ReqMsg, ReqMsg&(UInt32, UInt32)>(&ReqMsg::qos);
    static_assert(requires(ReqMsg & c) {
        { c.qos() } -> std::same_as<ReqMsg&>;
    });
    static_assert(requires(ReqMsg & c, UInt32 a0) {
        { c.qos(a0) } -> std::same_as<ReqMsg&>;
    });
    member<ReqMsg, ReqMsg&(const ComplexType&)>(&ReqMsg::attrib);
    member<ReqMsg, ReqMsg&(const ComplexType&)>(&ReqMsg::payload);
    member<ReqMsg, ReqMsg&(const EmaBuffer&)>(&ReqMsg::extendedHeader);
    member<ReqMsg, ReqMsg&(bool)>(&ReqMsg::initialImage);
    static_assert(requires(ReqMsg & c) {
        { c.initialImage() } -> std::same_as<ReqMsg&>;
    });
    member<ReqMsg, ReqMsg&(bool)>(&ReqMsg::interestAfterRefresh);
    static_assert(requires(ReqMsg & c) {
        { c.interestAfterRefresh() } -> std::same_as<ReqMsg&>;
    });
    member<ReqMsg, ReqMsg&(bool)>(&ReqMsg::pause);
    static_assert(requires(ReqMsg & c) {
        { c.pause() } -> std::same_as<ReqMsg&>;
    });
    member<ReqMsg, ReqMsg&(bool)>(&ReqMsg::conflatedInUpdates);
    static_assert(requires(ReqMsg & c) {
        { c.conflatedInUpdates() } -> std::same_as<ReqMsg&>;
    });
    member<ReqMsg, ReqMsg&(bool)>(&ReqMsg::privateStream);
    static_assert(requires(ReqMsg & c) {
        { c.privateStream() } -> std::same_as<ReqMsg&>;
    });
    member<ReqMsg, ReqMsg&(const EmaString&)>(&ReqMsg::serviceListName);
    member<ReqMsg, DataType::DataTypeEnum() const>(&ReqMsg::getDataType);
    member<ReqMsg, Data::DataCode() const>(&ReqMsg::getCode);
    member<ReqMsg, const EmaBuffer&() const>(&ReqMsg::getAsHex);
    member<ReqMsg, const EmaString&() const>(&ReqMsg::toString);
    member<ReqMsg, const EmaString&(const rdm::DataDictionary&) const>(&ReqMsg::toString);
}

void surfaceOfRefreshMsg() {
    static_assert(std::is_convertible_v<RefreshMsg*, Msg*>);
    static_assert(std::has_virtual_destructor_v<RefreshMsg>);
    static_assert(std::is_copy_constructible_v<RefreshMsg> && !std::is_copy_assignable_v<RefreshMsg>);
    static_assert(std::is_constructible_v<RefreshMsg>);
    static_assert(std::is_constructible_v<RefreshMsg, const RefreshMsg&>);
    static_assert(std::is_convertible_v<const RefreshMsg&, RefreshMsg>);
    member<RefreshMsg, bool() const>(&RefreshMsg::hasQos);
    member<RefreshMsg, bool() const>(&RefreshMsg::hasSeqNum);
    member<RefreshMsg, bool() const>(&RefreshMsg::hasPartNum);
    member<RefreshMsg, bool() const>(&RefreshMsg::hasPermissionData);
    member<RefreshMsg, bool() const>(&RefreshMsg::hasPublisherId);
    member<RefreshMsg, bool() const>(&RefreshMsg::hasServiceName);
    member<RefreshMsg, const OmmState&() const>(&RefreshMsg::getState);
    member<RefreshMsg, const OmmQos&() const>(&RefreshMsg::getQos);
    member<RefreshMsg, UInt32() const>(&RefreshMsg::getSeqNum);
    member<RefreshMsg, UInt16() const>(&RefreshMsg::getPartNum);
    member<RefreshMsg, const EmaBuffer&() const>(&RefreshMsg::getItemGroup);
    member<RefreshMsg, const EmaBuffer&() const>(&RefreshMsg::getPermissionData);
    member<RefreshMsg, UInt32() const>(&RefreshMsg::getPublisherIdUserId);
    member<RefreshMsg, UInt32() const>(&RefreshMsg::getPublisherIdUserAddress);
    member<RefreshMsg, bool() const>(&RefreshMsg::getSolicited);
    member<RefreshMsg, bool() const>(&RefreshMsg::getDoNotCache);
    member<RefreshMsg, bool() const>(&RefreshMsg::getComplete);
    member<RefreshMsg, bool() const>(&RefreshMsg::getClearCache);
    member<RefreshMsg, bool() const>(&RefreshMsg::getPrivateStream);
    member<RefreshMsg, const EmaString&() const>(&RefreshMsg::getServiceName);
    member<RefreshMsg, RefreshMsg&()>(&RefreshMsg::clear);
    member<RefreshMsg, RefreshMsg&(Int32)>(&RefreshMsg::streamId);
    member<RefreshMsg, RefreshMsg&(UInt16)>(&RefreshMsg::domainType);
    static_assert(requires(RefreshMsg & c) {
        { c.domainType() } -> std::same_as<RefreshMsg&>;
    });
    member<RefreshMsg, RefreshMsg&(const EmaString&)>(&RefreshMsg::name);
    member<RefreshMsg, RefreshMsg&(UInt8)>(&RefreshMsg::nameType);
    static_assert(requires(RefreshMsg & c) {
        { c.nameType() } -> std::same_as<RefreshMsg&>;
    });
    member<RefreshMsg, RefreshMsg&(const EmaString&)>(&RefreshMsg::serviceName);
    member<RefreshMsg, RefreshMsg&(UInt32)>(&RefreshMsg::serviceId);
    member<RefreshMsg, RefreshMsg&(Int32)>(&RefreshMsg::id);
    member<RefreshMsg, RefreshMsg&(UInt32)>(&RefreshMsg::filter);
    member<RefreshMsg, RefreshMsg&(UInt32, UInt32)>(&RefreshMsg::qos);
    static_assert(requires(RefreshMsg & c) {
        { c.qos() } -> std::same_as<RefreshMsg&>;
    });
    static_assert(requires(RefreshMsg & c, UInt32 a0) {
        { c.qos(a0) } -> std::same_as<RefreshMsg&>;
    });
    member<RefreshMsg, RefreshMsg&(OmmState::StreamState, OmmState::DataState, UInt8, const EmaString&)>(
        &RefreshMsg::state);
    static_assert(requires(RefreshMsg & c) {
        { c.state() } -> std::same_as<RefreshMsg&>;
    });
    static_assert(requires(RefreshMsg & c, OmmState::StreamState a0) {
        { c.state(a0) } -> std::same_as<RefreshMsg&>;
    });
    static_assert(requires(RefreshMsg & c, OmmState::StreamState a0, OmmState::DataState a1) {
        { c.state(a0, a1) } -> std::same_as<RefreshMsg&>;
    });
    static_assert(requires(RefreshMsg & c, OmmState::StreamState a0, OmmState::DataState a1, UInt8 a2) {
        { c.state(a0, a1, a2) } -> std::same_as<RefreshMsg&>;
    });
    member<RefreshMsg, RefreshMsg&(UInt32)>(&RefreshMsg::seqNum);
    member<RefreshMsg, RefreshMsg&(UInt16)>(&RefreshMsg::partNum);
    member<RefreshMsg, RefreshMsg&(const EmaBuffer&)>(&RefreshMsg::itemGroup);
    member<RefreshMsg, RefreshMsg&(const EmaBuffer&)>(&RefreshMsg::permissionData);
    member<RefreshMsg, RefreshMsg&(UInt32, UInt32)>(&RefreshMsg::publisherId);
    member<RefreshMsg, RefreshMsg&(const ComplexType&)>(&RefreshMsg::attrib);
    member<RefreshMsg, RefreshMsg&(const ComplexType&)>(&RefreshMsg::payload);
    member<RefreshMsg, RefreshMsg&(const EmaBuffer&)>(&RefreshMsg::extendedHeader);
    member<RefreshMsg, RefreshMsg&(bool)>(&RefreshMsg::solicited);
    static_assert(requires(RefreshMsg & c) {
        { c.solicited() } -> std::same_as<RefreshMsg&>;
    });
    member<RefreshMsg, RefreshMsg&(bool)>(&RefreshMsg::doNotCache);
    static_assert(requires(RefreshMsg & c) {
        { c.doNotCache() } -> std::same_as<RefreshMsg&>;
    });
    member<RefreshMsg, RefreshMsg&(bool)>(&RefreshMsg::clearCache);
    static_assert(requires(RefreshMsg & c) {
        { c.clearCache() } -> std::same_as<RefreshMsg&>;
    });
    member<RefreshMsg, RefreshMsg&(bool)>(&RefreshMsg::complete);
    static_assert(requires(RefreshMsg & c) {
        { c.complete() } -> std::same_as<RefreshMsg&>;
    });
    member<RefreshMsg, RefreshMsg&(bool)>(&RefreshMsg::privateStream);
    static_assert(requires(RefreshMsg & c) {
        { c.privateStream() } -> std::same_as<RefreshMsg&>;
    });
    member<RefreshMsg, DataType::DataTypeEnum() const>(&RefreshMsg::getDataType);
    member<RefreshMsg, Data::DataCode() const>(&RefreshMsg::getCode);
    member<RefreshMsg, const EmaBuffer&() const>(&RefreshMsg::getAsHex);
    member<RefreshMsg, const EmaString&() const>(&RefreshMsg::toString);
    member<RefreshMsg, const EmaString&(const rdm::DataDictionary&) const>(&RefreshMsg::toString);
}

void surfaceOfStatusMsg() {
    static_assert(std::is_convertible_v<StatusMsg*, Msg*>);
    static_assert(std::has_virtual_destructor_v<StatusMsg>);
    static_assert(std::is_copy_constructible_v<StatusMsg> && !std::is_copy_assignable_v<StatusMsg>);
    static_assert(std::is_constructible_v<StatusMsg>);
    static_assert(std::is_constructible_v<StatusMsg, const StatusMsg&>);
    static_assert(std::is_convertible_v<const StatusMsg&, StatusMsg>);
    member<StatusMsg, bool() const>(&StatusMsg::hasItemGroup);
    member<StatusMsg, bool() const>(&StatusMsg::hasState);
    member<StatusMsg, bool() const>(&StatusMsg::hasPermissionData);
    member<StatusMsg, bool() const>(&StatusMsg::hasPublisherId);
    member<StatusMsg, bool() const>(&StatusMsg::hasServiceName);
    member<StatusMsg, const OmmState&() const>(&StatusMsg::getState);
    member<StatusMsg, const EmaBuffer&() const>(&StatusMsg::getItemGroup);
    member<StatusMsg, const EmaBuffer&() const>(&StatusMsg::getPermissionData);
    member<StatusMsg, UInt32() const>(&StatusMsg::getPublisherIdUserId);
    member<StatusMsg, UInt32() const>(&StatusMsg::getPublisherIdUserAddress);
    member<StatusMsg, bool() const>(&StatusMsg::getClearCache);
    member<StatusMsg, bool() const>(&StatusMsg::getPrivateStream);
    member<StatusMsg, const EmaString&() const>(&StatusMsg::getServiceName);
    member<StatusMsg, StatusMsg&()>(&StatusMsg::clear);
    member<StatusMsg, StatusMsg&(Int32)>(&StatusMsg::streamId);
    member<StatusMsg, StatusMsg&(UInt16)>(&StatusMsg::domainType);
    static_assert(requires(StatusMsg & c) {
        { c.domainType() } -> std::same_as<StatusMsg&>;
    });
    member<StatusMsg, StatusMsg&(const EmaString&)>(&StatusMsg::name);
    member<StatusMsg, StatusMsg&(UInt8)>(&StatusMsg::nameType);
    static_assert(requires(StatusMsg & c) {
        { c.nameType() } -> std::same_as<StatusMsg&>;
    });
    member<StatusMsg, StatusMsg&(const EmaString&)>(&StatusMsg::serviceName);
    member<StatusMsg, StatusMsg&(UInt32)>(&StatusMsg::serviceId);
    member<StatusMsg, StatusMsg&(Int32)>(&StatusMsg::id);
    member<StatusMsg, StatusMsg&(UInt32)>(&StatusMsg::filter);
    member<StatusMsg, StatusMsg&(OmmState::StreamState, OmmState::DataState, UInt8, const EmaString&)>(
        &StatusMsg::state);
    static_assert(requires(StatusMsg & c) {
        { c.state() } -> std::same_as<StatusMsg&>;
    });
    static_assert(requires(StatusMsg & c, OmmState::StreamState a0) {
        { c.state(a0) } -> std::same_as<StatusMsg&>;
    });
    static_assert(requires(StatusMsg & c, OmmState::StreamState a0, OmmState::DataState a1) {
        { c.state(a0, a1) } -> std::same_as<StatusMsg&>;
    });
    static_assert(requires(StatusMsg & c, OmmState::StreamState a0, OmmState::DataState a1, UInt8 a2) {
        { c.state(a0, a1, a2) } -> std::same_as<StatusMsg&>;
    });
    member<StatusMsg, StatusMsg&(const EmaBuffer&)>(&StatusMsg::itemGroup);
    member<StatusMsg, StatusMsg&(const EmaBuffer&)>(&StatusMsg::permissionData);
    member<StatusMsg, StatusMsg&(UInt32, UInt32)>(&StatusMsg::publisherId);
    member<StatusMsg, StatusMsg&(const ComplexType&)>(&StatusMsg::attrib);
    member<StatusMsg, StatusMsg&(const ComplexType&)>(&StatusMsg::payload);
    member<StatusMsg, StatusMsg&(const EmaBuffer&)>(&StatusMsg::extendedHeader);
    member<StatusMsg, StatusMsg&(bool)>(&StatusMsg::clearCache);
    static_assert(requires(StatusMsg & c) {
        { c.clearCache() } -> std::same_as<StatusMsg&>;
    });
    member<StatusMsg, StatusMsg&(bool)>(&StatusMsg::privateStream);
    static_assert(requires(StatusMsg & c) {
        { c.privateStream() } -> std::same_as<StatusMsg&>;
    });
    member<StatusMsg, DataType::DataTypeEnum() const>(&StatusMsg::getDataType);
    member<StatusMsg, Data::DataCode() const>(&StatusMsg::getCode);
    member<StatusMsg, const EmaBuffer&() const>(&StatusMsg::getAsHex);
    member<StatusMsg, const EmaString&() const>(&StatusMsg::toString);
    member<StatusMsg, const EmaString&(const rdm::DataDictionary&) const>(&StatusMsg::toString);
}

void surfaceOfUpdateMsg() {
    static_assert(std::is_convertible_v<UpdateMsg*, Msg*>);
    static_assert(std::has_virtual_destructor_v<UpdateMsg>);
    static_assert(std::is_copy_constructible_v<UpdateMsg> && !std::is_copy_assignable_v<UpdateMsg>);
    static_assert(std::is_constructible_v<UpdateMsg>);
    static_assert(std::is_constructible_v<UpdateMsg, const UpdateMsg&>);
    static_assert(std::is_convertible_v<const UpdateMsg&, UpdateMsg>);
    member<UpdateMsg, bool() const>(&UpdateMsg::hasSeqNum);
    member<UpdateMsg, bool() const>(&UpdateMsg::hasPermissionData);
    member<UpdateMsg, bool() const>(&UpdateMsg::hasConflated);
    member<UpdateMsg, bool() const>(&UpdateMsg::hasPublisherId);
    member<UpdateMsg, bool() const>(&UpdateMsg::hasServiceName);
    member<UpdateMsg, UInt8() const>(&UpdateMsg::getUpdateTypeNum);
    member<UpdateMsg, UInt32() const>(&UpdateMsg::getSeqNum);
    member<UpdateMsg, const EmaBuffer&() const>(&UpdateMsg::getPermissionData);
    member<UpdateMsg, UInt16() const>(&UpdateMsg::getConflatedTime);
    member<UpdateMsg, UInt16() const>(&UpdateMsg::getConflatedCount);
    member<UpdateMsg, UInt32() const>(&UpdateMsg::getPublisherIdUserId);
    member<UpdateMsg, UInt32() const>(&UpdateMsg::getPublisherIdUserAddress);
    member<UpdateMsg, bool() const>(&UpdateMsg::getDoNotCache);
    member<UpdateMsg, bool() const>(&UpdateMsg::getDoNotConflate);
    member<UpdateMsg, bool() const>(&UpdateMsg::getDoNotRipple);
    member<UpdateMsg, const EmaString&() const>(&UpdateMsg::getServiceName);
    member<UpdateMsg, UpdateMsg&()>(&UpdateMsg::clear);
    member<UpdateMsg, UpdateMsg&(Int32)>(&UpdateMsg::streamId);
    member<UpdateMsg, UpdateMsg&(UInt16)>(&UpdateMsg::domainType);
    static_assert(requires(UpdateMsg & c) {
        { c.domainType() } -> std::same_as<UpdateMsg&>;
    });
    member<UpdateMsg, UpdateMsg&(const EmaString&)>(&UpdateMsg::name);
    member<UpdateMsg, UpdateMsg&(UInt8)>(&UpdateMsg::nameType);
    static_assert(requires(UpdateMsg & c) {
        { c.nameType() } -> std::same_as<UpdateMsg&>;
    });
    member<UpdateMsg, UpdateMsg&(const EmaString&)>(&UpdateMsg::serviceName);
    member<UpdateMsg, UpdateMsg&(UInt32)>(&UpdateMsg::serviceId);
    member<UpdateMsg, UpdateMsg&(Int32)>(&UpdateMsg::id);
    member<UpdateMsg, UpdateMsg&(UInt32)>(&UpdateMsg::filter);
    member<UpdateMsg, UpdateMsg&(UInt8)>(&UpdateMsg::updateTypeNum);
    member<UpdateMsg, UpdateMsg&(UInt32)>(&UpdateMsg::seqNum);
    member<UpdateMsg, UpdateMsg&(const EmaBuffer&)>(&UpdateMsg::permissionData);
    member<UpdateMsg, UpdateMsg&(UInt16, UInt16)>(&UpdateMsg::conflated);
    static_assert(requires(UpdateMsg & c) {
        { c.conflated() } -> std::same_as<UpdateMsg&>;
    });
    static_assert(requires(UpdateMsg & c, UInt16 a0) {
        { c.conflated(a0) } -> std::same_as<UpdateMsg&>;
    });
    member<UpdateMsg, UpdateMsg&(UInt32, UInt32)>(&UpdateMsg::publisherId);
    member<UpdateMsg, UpdateMsg&(const ComplexType&)>(&UpdateMsg::attrib);
    member<UpdateMsg, UpdateMsg&(const ComplexType&)>(&UpdateMsg::payload);
    member<UpdateMsg, UpdateMsg&(const EmaBuffer&)>(&UpdateMsg::extendedHeader);
    member<UpdateMsg, UpdateMsg&(bool)>(&UpdateMsg::doNotCache);
    static_assert(requires(UpdateMsg & c) {
        { c.doNotCache() } -> std::same_as<UpdateMsg&>;
    });
    member<UpdateMsg, UpdateMsg&(bool)>(&UpdateMsg::doNotConflate);
    static_assert(requires(UpdateMsg & c) {
        { c.doNotConflate() } -> std::same_as<UpdateMsg&>;
    });
    member<UpdateMsg, UpdateMsg&(bool)>(&UpdateMsg::doNotRipple);
    static_assert(requires(UpdateMsg & c) {
        { c.doNotRipple() } -> std::same_as<UpdateMsg&>;
    });
    member<UpdateMsg, DataType::DataTypeEnum() const>(&UpdateMsg::getDataType);
    member<UpdateMsg, Data::DataCode() const>(&UpdateMsg::getCode);
    member<UpdateMsg, const EmaBuffer&() const>(&UpdateMsg::getAsHex);
    member<UpdateMsg, const EmaString&() const>(&UpdateMsg::toString);
    member<UpdateMsg, const EmaString&(const rdm::DataDictionary&) const>(&UpdateMsg::toString);
}

void surfaceOfGenericMsg() {
    static_assert(std::is_convertible_v<GenericMsg*, Msg*>);
    static_assert(std::has_virtual_destructor_v<GenericMsg>);
    static_assert(std::is_copy_constructible_v<GenericMsg> && !std::is_copy_assignable_v<GenericMsg>);
    static_assert(std::is_constructible_v<GenericMsg>);
    static_assert(std::is_constructible_v<GenericMsg, const GenericMsg&>);
    static_assert(std::is_convertible_v<const GenericMsg&, GenericMsg>);
    member<GenericMsg, bool() const>(&GenericMsg::hasSeqNum);
    member<GenericMsg, bool() const>(&GenericMsg::hasSecondarySeqNum);
    member<GenericMsg, bool() const>(&GenericMsg::hasPartNum);
    member<GenericMsg, bool() const>(&GenericMsg::hasPermissionData);
    member<GenericMsg, UInt32() const>(&GenericMsg::getSeqNum);
    member<GenericMsg, UInt32() const>(&GenericMsg::getSecondarySeqNum);
    member<GenericMsg, UInt16() const>(&GenericMsg::getPartNum);
    member<GenericMsg, const EmaBuffer&() const>(&GenericMsg::getPermissionData);
    member<GenericMsg, bool() const>(&GenericMsg::getComplete);
    member<GenericMsg, GenericMsg&()>(&GenericMsg::clear);
    member<GenericMsg, GenericMsg&(Int32)>(&GenericMsg::streamId);
    member<GenericMsg, GenericMsg&(UInt16)>(&GenericMsg::domainType);
    static_assert(requires(GenericMsg & c) {
        { c.domainType() } -> std::same_as<GenericMsg&>;
    });
    member<GenericMsg, GenericMsg&(const EmaString&)>(&GenericMsg::name);
    member<GenericMsg, GenericMsg&(UInt8)>(&GenericMsg::nameType);
    static_assert(requires(GenericMsg & c) {
        { c.nameType() } -> std::same_as<GenericMsg&>;
    });
    member<GenericMsg, GenericMsg&(UInt32)>(&GenericMsg::serviceId);
    member<GenericMsg, GenericMsg&(Int32)>(&GenericMsg::id);
    member<GenericMsg, GenericMsg&(UInt32)>(&GenericMsg::filter);
    member<GenericMsg, GenericMsg&(UInt32)>(&GenericMsg::seqNum);
    member<GenericMsg, GenericMsg&(UInt32)>(&GenericMsg::secondarySeqNum);
    member<GenericMsg, GenericMsg&(UInt16)>(&GenericMsg::partNum);
    member<GenericMsg, GenericMsg&(const EmaBuffer&)>(&GenericMsg::permissionData);
    member<GenericMsg, GenericMsg&(const ComplexType&)>(&GenericMsg::attrib);
    member<GenericMsg, GenericMsg&(const ComplexType&)>(&GenericMsg::payload);
    member<GenericMsg, GenericMsg&(const EmaBuffer&)>(&GenericMsg::extendedHeader);
    member<GenericMsg, GenericMsg&(bool)>(&GenericMsg::providerDriven);
    static_assert(requires(GenericMsg & c) {
        { c.providerDriven() } -> std::same_as<GenericMsg&>;
    });
    member<GenericMsg, GenericMsg&(bool)>(&GenericMsg::complete);
    static_assert(requires(GenericMsg & c) {
        { c.complete() } -> std::same_as<GenericMsg&>;
    });
    member<GenericMsg, DataType::DataTypeEnum() const>(&GenericMsg::getDataType);
    member<GenericMsg, Data::DataCode() const>(&GenericMsg::getCode);
    member<GenericMsg, const EmaBuffer&() const>(&GenericMsg::getAsHex);
    member<GenericMsg, const EmaString&() const>(&GenericMsg::toString);
    member<GenericMsg, const EmaString&(const rdm::DataDictionary&) const>(&GenericMsg::toString);
}

void surfaceOfPostMsg() {
    static_assert(std::is_convertible_v<PostMsg*, Msg*>);
    static_assert(std::has_virtual_destructor_v<PostMsg>);
    static_assert(std::is_copy_constructible_v<PostMsg> && !std::is_copy_assignable_v<PostMsg>);
    static_assert(PostMsg::CreateEnum == 0x01);
    static_assert(PostMsg::DeleteEnum == 0x02);
    static_assert(PostMsg::ModifyPermissionEnum == 0x04);
    static_assert(std::is_constructible_v<PostMsg>);
    static_assert(std::is_constructible_v<PostMsg, const PostMsg&>);
    static_assert(std::is_convertible_v<const PostMsg&, PostMsg>);
    member<PostMsg, const EmaString&() const>(&PostMsg::getPostUserRightsAsString);
    member<PostMsg, bool() const>(&PostMsg::hasSeqNum);
    member<PostMsg, bool() const>(&PostMsg::hasPostId);
    member<PostMsg, bool() const>(&PostMsg::hasPartNum);
    member<PostMsg, bool() const>(&PostMsg::hasPostUserRights);
    member<PostMsg, bool() const>(&PostMsg::hasPermissionData);
    member<PostMsg, bool() const>(&PostMsg::hasServiceName);
    member<PostMsg, UInt32() const>(&PostMsg::getSeqNum);
    member<PostMsg, UInt32() const>(&PostMsg::getPostId);
    member<PostMsg, UInt16() const>(&PostMsg::getPartNum);
    member<PostMsg, UInt16() const>(&PostMsg::getPostUserRights);
    member<PostMsg, const EmaBuffer&() const>(&PostMsg::getPermissionData);
    member<PostMsg, UInt32() const>(&PostMsg::getPublisherIdUserId);
    member<PostMsg, UInt32() const>(&PostMsg::getPublisherIdUserAddress);
    member<PostMsg, bool() const>(&PostMsg::getSolicitAck);
    member<PostMsg, bool() const>(&PostMsg::getComplete);
    member<PostMsg, const EmaString&() const>(&PostMsg::getServiceName);
    member<PostMsg, PostMsg&()>(&PostMsg::clear);
    member<PostMsg, PostMsg&(Int32)>(&PostMsg::streamId);
    member<PostMsg, PostMsg&(UInt16)>(&PostMsg::domainType);
    static_assert(requires(PostMsg & c) {
        { c.domainType() } -> std::same_as<PostMsg&>;
    });
    member<PostMsg, PostMsg&(const EmaString&)>(&PostMsg::name);
    member<PostMsg, PostMsg&(UInt8)>(&PostMsg::nameType);
    static_assert(requires(PostMsg & c) {
        { c.nameType() } -> std::same_as<PostMsg&>;
    });
    member<PostMsg, PostMsg&(const EmaString&)>(&PostMsg::serviceName);
    member<PostMsg, PostMsg&(UInt32)>(&PostMsg::serviceId);
    member<PostMsg, PostMsg&(Int32)>(&PostMsg::id);
    member<PostMsg, PostMsg&(UInt32)>(&PostMsg::filter);
    member<PostMsg, PostMsg&(UInt32)>(&PostMsg::seqNum);
    member<PostMsg, PostMsg&(UInt32)>(&PostMsg::postId);
    member<PostMsg, PostMsg&(UInt16)>(&PostMsg::partNum);
    member<PostMsg, PostMsg&(UInt16)>(&PostMsg::postUserRights);
    member<PostMsg, PostMsg&(const EmaBuffer&)>(&PostMsg::permissionData);
    member<PostMsg, PostMsg&(UInt32, UInt32)>(&PostMsg::publisherId);
    member<PostMsg, PostMsg&(const ComplexType&)>(&PostMsg::attrib);
    member<PostMsg, PostMsg&(const ComplexType&)>(&PostMsg::payload);
    member<PostMsg, PostMsg&(const EmaBuffer&)>(&PostMsg::extendedHeader);
    member<PostMsg, PostMsg&(bool)>(&PostMsg::solicitAck);
    static_assert(requires(PostMsg & c) {
        { c.solicitAck() } -> std::same_as<PostMsg&>;
    });
    member<PostMsg, PostMsg&(bool)>(&PostMsg::complete);
    static_assert(requires(PostMsg & c) {
        { c.complete() } -> std::same_as<PostMsg&>;
    });
    member<PostMsg, DataType::DataTypeEnum() const>(&PostMsg::getDataType);
    member<PostMsg, Data::DataCode() const>(&PostMsg::getCode);
    member<PostMsg, const EmaBuffer&() const>(&PostMsg::getAsHex);
    member<PostMsg, const EmaString&() const>(&PostMsg::toString);
    member<PostMsg, const EmaString&(const rdm::DataDictionary&) const>(&PostMsg::toString);
}

void surfaceOfAckMsg() {
    static_assert(std::is_convertible_v<AckMsg*, Msg*>);
    static_assert(std::has_virtual_destructor_v<AckMsg>);
    static_assert(std::is_copy_constructible_v<AckMsg> && !std::is_copy_assignable_v<AckMsg>);
    static_assert(AckMsg::NoneEnum == 0);
    static_assert(AckMsg::AccessDeniedEnum == 1);
    static_assert(AckMsg::DeniedBySourceEnum == 2);
    static_assert(AckMsg::SourceDownEnum == 3);
    static_assert(AckMsg::SourceUnknownEnum == 4);
    static_assert(AckMsg::NoResourcesEnum == 5);
    static_assert(AckMsg::NoResponseEnum == 6);
    static_assert(AckMsg::GatewayDownEnum == 7);
    static_assert(AckMsg::SymbolUnknownEnum == 10);
    static_assert(AckMsg::NotOpenEnum == 11);
    static_assert(AckMsg::InvalidContentEnum == 12);
    static_assert(std::is_constructible_v<AckMsg>);
    static_assert(std::is_constructible_v<AckMsg, const AckMsg&>);
    static_assert(std::is_convertible_v<const AckMsg&, AckMsg>);
    member<AckMsg, const EmaString&() const>(&AckMsg::getNackCodeAsString);
    member<AckMsg, bool() const>(&AckMsg::hasSeqNum);
    member<AckMsg, bool() const>(&AckMsg::hasNackCode);
    member<AckMsg, bool() const>(&AckMsg::hasText);
    member<AckMsg, bool() const>(&AckMsg::hasServiceName);
    member<AckMsg, UInt32() const>(&AckMsg::getSeqNum);
    member<AckMsg, UInt32() const>(&AckMsg::getAckId);
    member<AckMsg, UInt8() const>(&AckMsg::getNackCode);
    member<AckMsg, const EmaString&() const>(&AckMsg::getText);
    member<AckMsg, bool() const>(&AckMsg::getPrivateStream);
    member<AckMsg, const EmaString&() const>(&AckMsg::getServiceName);
    member<AckMsg, AckMsg&()>(&AckMsg::clear);
    member<AckMsg, AckMsg&(Int32)>(&AckMsg::streamId);
    member<AckMsg, AckMsg&(UInt16)>(&AckMsg::domainType);
    static_assert(requires(AckMsg & c) {
        { c.domainType() } -> std::same_as<AckMsg&>;
    });
    member<AckMsg, AckMsg&(const EmaString&)>(&AckMsg::name);
    member<AckMsg, AckMsg&(UInt8)>(&AckMsg::nameType);
    static_assert(requires(AckMsg & c) {
        { c.nameType() } -> std::same_as<AckMsg&>;
    });
    member<AckMsg, AckMsg&(const EmaString&)>(&AckMsg::serviceName);
    member<AckMsg, AckMsg&(UInt32)>(&AckMsg::serviceId);
    member<AckMsg, AckMsg&(Int32)>(&AckMsg::id);
    member<AckMsg, AckMsg&(UInt32)>(&AckMsg::filter);
    member<AckMsg, AckMsg&(UInt32)>(&AckMsg::seqNum);
    member<AckMsg, AckMsg&(UInt32)>(&AckMsg::ackId);
    member<AckMsg, AckMsg&(UInt8)>(&AckMsg::nackCode);
    member<AckMsg, AckMsg&(const EmaString&)>(&AckMsg::text);
    member<AckMsg, AckMsg&(const ComplexType&)>(&AckMsg::attrib);
    member<AckMsg, AckMsg&(const ComplexType&)>(&AckMsg::payload);
    member<AckMsg, AckMsg&(const EmaBuffer&)>(&AckMsg::extendedHeader);
    member<AckMsg, AckMsg&(bool)>(&AckMsg::privateStream);
    static_assert(requires(AckMsg & c) {
        { c.privateStream() } -> std::same_as<AckMsg&>;
    });
    member<AckMsg, DataType::DataTypeEnum() const>(&AckMsg::getDataType);
    member<AckMsg, Data::DataCode() const>(&AckMsg::getCode);
    member<AckMsg, const EmaBuffer&() const>(&AckMsg::getAsHex);
    member<AckMsg, const EmaString&() const>(&AckMsg::toString);
    member<AckMsg, const EmaString&(const rdm::DataDictionary&) const>(&AckMsg::toString);
}

void surfaceOfPackedMsg() {
    static_assert(std::has_virtual_destructor_v<PackedMsg>);
    static_assert(!std::is_copy_constructible_v<PackedMsg> && !std::is_copy_assignable_v<PackedMsg>);
    static_assert(std::is_constructible_v<PackedMsg, OmmProvider&>);
    static_assert(std::is_convertible_v<OmmProvider&, PackedMsg>);
    member<PackedMsg, PackedMsg&()>(&PackedMsg::initBuffer);
    member<PackedMsg, PackedMsg&(UInt32)>(&PackedMsg::initBuffer);
    member<PackedMsg, PackedMsg&(UInt64)>(&PackedMsg::initBuffer);
    member<PackedMsg, PackedMsg&(UInt64, UInt32)>(&PackedMsg::initBuffer);
    member<PackedMsg, PackedMsg&(const Msg&, UInt64)>(&PackedMsg::addMsg);
    member<PackedMsg, UInt64() const>(&PackedMsg::remainingSize);
    member<PackedMsg, UInt64() const>(&PackedMsg::packedMsgCount);
    member<PackedMsg, UInt64() const>(&PackedMsg::maxSize);
    member<PackedMsg, PackedMsg&()>(&PackedMsg::clear);
}
