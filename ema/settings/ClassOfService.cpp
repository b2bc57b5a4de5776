// The parts of a tunnel stream's class of service (ema-api.md section 11): values with range checks.
#include "Access/Include/ClassOfService.h"

#include "errors/raise.h"

#include <string>

namespace refinitiv::ema::access {

namespace {

/// The enumerations of this file all have the values 0 and 1.
template <class E>
E checked(E value, const char* setter) {
    const auto number = static_cast<int>(value);
    if (number != 0 && number != 1)
        emissary::ema::throwOutOfRange(std::string(setter) + ": " + std::to_string(number) +
                                       " is not a value of the enumeration; use one of its names");
    return value;
}

/// A window in bytes.
Int64 checkedWindow(Int64 size, Int64 least, const char* setter) {
    if (size < least)
        emissary::ema::throwOutOfRange(std::string(setter) + ": a window of " + std::to_string(size) + " bytes; use " +
                                       (least < 0 ? "0 or more, or -1 for the default" : "0 or more"));
    return size;
}

}  // namespace

CosCommon::CosCommon() = default;
CosCommon::CosCommon(const CosCommon& other) = default;
CosCommon& CosCommon::operator=(const CosCommon& other) = default;
CosCommon::~CosCommon() = default;
CosCommon& CosCommon::clear() {
    return *this = CosCommon();
}
CosCommon& CosCommon::maxMsgSize(UInt64 maxMsgSize) {
    if (maxMsgSize == 0 || maxMsgSize > INT64_MAX)
        emissary::ema::throwOutOfRange("CosCommon::maxMsgSize(): " + std::to_string(maxMsgSize) +
                                       " bytes; use 1 to 9223372036854775807");
    maxMsgSize_ = maxMsgSize;
    return *this;
}
UInt64 CosCommon::getMaxMsgSize() const {
    return maxMsgSize_;
}

CosAuthentication::CosAuthentication() = default;
CosAuthentication::CosAuthentication(const CosAuthentication& other) = default;
CosAuthentication& CosAuthentication::operator=(const CosAuthentication& other) = default;
CosAuthentication::~CosAuthentication() = default;
CosAuthentication& CosAuthentication::clear() {
    return *this = CosAuthentication();
}
CosAuthentication& CosAuthentication::type(CosAuthenticationType type) {
    type_ = checked(type, "CosAuthentication::type()");
    return *this;
}
CosAuthentication::CosAuthenticationType CosAuthentication::getType() const {
    return type_;
}

CosFlowControl::CosFlowControl() = default;
CosFlowControl::CosFlowControl(const CosFlowControl& other) = default;
CosFlowControl& CosFlowControl::operator=(const CosFlowControl& other) = default;
CosFlowControl::~CosFlowControl() = default;
CosFlowControl& CosFlowControl::clear() {
    return *this = CosFlowControl();
}
CosFlowControl& CosFlowControl::type(CosFlowControlType type) {
    type_ = checked(type, "CosFlowControl::type()");
    return *this;
}
CosFlowControl& CosFlowControl::recvWindowSize(Int64 size) {
    recvWindowSize_ = checkedWindow(size, -1, "CosFlowControl::recvWindowSize()");
    return *this;
}
CosFlowControl& CosFlowControl::sendWindowSize(Int64 size) {
    sendWindowSize_ = checkedWindow(size, 0, "CosFlowControl::sendWindowSize()");
    return *this;
}
CosFlowControl::CosFlowControlType CosFlowControl::getType() const {
    return type_;
}
Int64 CosFlowControl::getRecvWindowSize() const {
    return recvWindowSize_;
}
Int64 CosFlowControl::getSendWindowSize() const {
    return sendWindowSize_;
}

CosDataIntegrity::CosDataIntegrity() = default;
CosDataIntegrity::CosDataIntegrity(const CosDataIntegrity& other) = default;
CosDataIntegrity& CosDataIntegrity::operator=(const CosDataIntegrity& other) = default;
CosDataIntegrity::~CosDataIntegrity() = default;
CosDataIntegrity& CosDataIntegrity::clear() {
    return *this = CosDataIntegrity();
}
CosDataIntegrity& CosDataIntegrity::type(CosDataIntegrityType type) {
    type_ = checked(type, "CosDataIntegrity::type()");
    return *this;
}
CosDataIntegrity::CosDataIntegrityType CosDataIntegrity::getType() const {
    return type_;
}

CosGuarantee::CosGuarantee() = default;
CosGuarantee::CosGuarantee(const CosGuarantee& other) = default;
CosGuarantee& CosGuarantee::operator=(const CosGuarantee& other) = default;
CosGuarantee::~CosGuarantee() = default;
CosGuarantee& CosGuarantee::clear() {
    return *this = CosGuarantee();
}
CosGuarantee& CosGuarantee::type(CosGuaranteeType type) {
    type_ = checked(type, "CosGuarantee::type()");
    return *this;
}
CosGuarantee& CosGuarantee::persistLocally(bool persistLocally) {
    persistLocally_ = persistLocally;
    return *this;
}
CosGuarantee& CosGuarantee::persistenceFilePath(const EmaString& filePath) {
    filePath_ = filePath;
    return *this;
}
CosGuarantee::CosGuaranteeType CosGuarantee::getType() const {
    return type_;
}
bool CosGuarantee::getPersistLocally() const {
    return persistLocally_;
}
const EmaString& CosGuarantee::getPersistenceFilePath() const {
    return filePath_;
}

ClassOfService::ClassOfService() = default;
ClassOfService::ClassOfService(const ClassOfService& other) = default;
ClassOfService& ClassOfService::operator=(const ClassOfService& other) = default;
ClassOfService::~ClassOfService() = default;
ClassOfService& ClassOfService::clear() {
    return *this = ClassOfService();
}
ClassOfService& ClassOfService::common(const CosCommon& cosCommon) {
    common_ = cosCommon;
    return *this;
}
ClassOfService& ClassOfService::authentication(const CosAuthentication& cosAuthentication) {
    authentication_ = cosAuthentication;
    return *this;
}
ClassOfService& ClassOfService::flowControl(const CosFlowControl& cosFlowControl) {
    flowControl_ = cosFlowControl;
    return *this;
}
ClassOfService& ClassOfService::dataIntegrity(const CosDataIntegrity& cosDataIntegrity) {
    dataIntegrity_ = cosDataIntegrity;
    return *this;
}
ClassOfService& ClassOfService::guarantee(const CosGuarantee& cosGuarantee) {
    guarantee_ = cosGuarantee;
    return *this;
}
const CosCommon& ClassOfService::getCommon() const {
    return common_;
}
const CosAuthentication& ClassOfService::getAuthentication() const {
    return authentication_;
}
const CosFlowControl& ClassOfService::getFlowControl() const {
    return flowControl_;
}
const CosDataIntegrity& ClassOfService::getDataIntegrity() const {
    return dataIntegrity_;
}
const CosGuarantee& ClassOfService::getGuarantee() const {
    return guarantee_;
}

}  // namespace refinitiv::ema::access
