// A request for a tunnel stream as plain values (ema-api.md section 11).
#include "Access/Include/TunnelStreamRequest.h"

#include "Access/Include/OmmInvalidUsageException.h"
#include "Access/Include/ReqMsg.h"
#include "errors/raise.h"

#include <memory>
#include <optional>
#include <string>

namespace emissary::ema {

struct TunnelStreamRequestImpl {
    using ReqMsg = refinitiv::ema::access::ReqMsg;
    using EmaString = refinitiv::ema::access::EmaString;

    refinitiv::ema::access::UInt8 domainType = 0;
    std::optional<refinitiv::ema::access::UInt32> serviceId;
    std::optional<EmaString> serviceName, name;
    // Seconds; fragments that may be queued or unacknowledged at once (tunnel.md 9.4).
    refinitiv::ema::access::UInt32 responseTimeout = 60, guaranteedOutputBuffers = 50;
    refinitiv::ema::access::ClassOfService classOfService;
    std::shared_ptr<const ReqMsg> login;  ///< never changed, so that copies may share it
};

}  // namespace emissary::ema

namespace refinitiv::ema::access {

namespace {

/// A getter of something that is not set.
void require(bool there, const char* member) {
    if (!there)
        emissary::ema::throwInvalidUsage(std::string("TunnelStreamRequest::get") + member +
                                             "(): it is not set; ask has" + member + "() first",
                                         OmmInvalidUsageException::InvalidOperationEnum);
}
/// A service is named by name or by id, never by both.
void refuseBoth(bool other, const char* setter, const char* otherName) {
    if (other)
        emissary::ema::throwInvalidUsage(std::string("TunnelStreamRequest::") + setter + "(): the " + otherName +
                                             " is already set; name the service by one of the two, or clear() first",
                                         OmmInvalidUsageException::InvalidOperationEnum);
}

}  // namespace

TunnelStreamRequest::TunnelStreamRequest() = default;
TunnelStreamRequest::TunnelStreamRequest(const TunnelStreamRequest& other) = default;
TunnelStreamRequest& TunnelStreamRequest::operator=(const TunnelStreamRequest& other) = default;
TunnelStreamRequest::~TunnelStreamRequest() = default;
TunnelStreamRequest& TunnelStreamRequest::clear() {
    impl_.clear();
    return *this;
}
TunnelStreamRequest& TunnelStreamRequest::domainType(UInt8 domainType) {
    impl_->domainType = domainType;
    return *this;
}
TunnelStreamRequest& TunnelStreamRequest::serviceId(UInt32 serviceId) {
    refuseBoth(hasServiceName(), "serviceId", "service name");
    impl_->serviceId = serviceId;
    return *this;
}
TunnelStreamRequest& TunnelStreamRequest::serviceName(const EmaString& serviceName) {
    refuseBoth(hasServiceId(), "serviceName", "service id");
    impl_->serviceName = serviceName;
    return *this;
}
TunnelStreamRequest& TunnelStreamRequest::name(const EmaString& name) {
    impl_->name = name;
    return *this;
}
TunnelStreamRequest& TunnelStreamRequest::responseTimeout(UInt32 timeout) {
    impl_->responseTimeout = timeout;
    return *this;
}
TunnelStreamRequest& TunnelStreamRequest::guaranteedOutputBuffers(UInt32 value) {
    impl_->guaranteedOutputBuffers = value;
    return *this;
}
TunnelStreamRequest& TunnelStreamRequest::classOfService(const ClassOfService& cos) {
    impl_->classOfService = cos;
    return *this;
}
TunnelStreamRequest& TunnelStreamRequest::loginReqMsg(const ReqMsg& loginReq) {
    impl_->login = std::make_shared<const ReqMsg>(loginReq);
    return *this;
}
bool TunnelStreamRequest::hasServiceId() const {
    return impl_->serviceId.has_value();
}
bool TunnelStreamRequest::hasServiceName() const {
    return impl_->serviceName.has_value();
}
bool TunnelStreamRequest::hasName() const {
    return impl_->name.has_value();
}
bool TunnelStreamRequest::hasLoginReqMsg() const {
    return impl_->login != nullptr;
}
UInt16 TunnelStreamRequest::getDomainType() const {
    return impl_->domainType;
}
UInt32 TunnelStreamRequest::getServiceId() const {
    require(hasServiceId(), "ServiceId");
    return *impl_->serviceId;
}
const EmaString& TunnelStreamRequest::getServiceName() const {
    require(hasServiceName(), "ServiceName");
    return *impl_->serviceName;
}
const EmaString& TunnelStreamRequest::getName() const {
    require(hasName(), "Name");
    return *impl_->name;
}
UInt32 TunnelStreamRequest::getResponseTimeOut() const {
    return impl_->responseTimeout;
}
UInt32 TunnelStreamRequest::getGuaranteedOutputBuffers() const {
    return impl_->guaranteedOutputBuffers;
}
const ClassOfService& TunnelStreamRequest::getClassOfService() const {
    return impl_->classOfService;
}
const ReqMsg& TunnelStreamRequest::getLoginReqMsg() const {
    require(hasLoginReqMsg(), "LoginReqMsg");
    return *impl_->login;
}

}  // namespace refinitiv::ema::access
