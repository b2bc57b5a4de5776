// The public login helpers (ema-api.md section 14): each attribute has a setter, a question and a getter, which forward
// to LoginAttributes.
#include "Domain/Login/Include/Login.h"

#include "domain/LoginImpl.h"

namespace refinitiv::ema::domain::login {

using namespace refinitiv::ema::access;
using A = emissary::ema::LoginAttribute;

// --- LoginReq -------------------------------------------------------------------------------------------------------

Login::LoginReq::LoginReq() = default;
Login::LoginReq::LoginReq(const LoginReq& other) = default;
Login::LoginReq::LoginReq(const ReqMsg& reqMsg) {
    message(reqMsg);
}
Login::LoginReq& Login::LoginReq::operator=(const LoginReq& other) = default;
Login::LoginReq::~LoginReq() = default;
Login::LoginReq& Login::LoginReq::clear() {
    impl_.clear();
    return *this;
}
Login::LoginReq& Login::LoginReq::message(const ReqMsg& reqMsg) {
    emissary::ema::decode(reqMsg, *impl_);
    return *this;
}
const ReqMsg& Login::LoginReq::getMessage() const {
    return emissary::ema::encode(*impl_);
}
const EmaString& Login::LoginReq::toString() const {
    return emissary::ema::print(*impl_);
}
Login::LoginReq& Login::LoginReq::allowSuspectData(bool value) {
    impl_->setNumber(A::allowSuspectData, value ? 1 : 0);
    return *this;
}
bool Login::LoginReq::hasAllowSuspectData() const {
    return impl_->has(A::allowSuspectData);
}
bool Login::LoginReq::getAllowSuspectData() const {
    return impl_->number(A::allowSuspectData) != 0;
}
Login::LoginReq& Login::LoginReq::downloadConnectionConfig(bool value) {
    impl_->setNumber(A::downloadConnectionConfig, value ? 1 : 0);
    return *this;
}
bool Login::LoginReq::hasDownloadConnectionConfig() const {
    return impl_->has(A::downloadConnectionConfig);
}
bool Login::LoginReq::getDownloadConnectionConfig() const {
    return impl_->number(A::downloadConnectionConfig) != 0;
}
Login::LoginReq& Login::LoginReq::applicationId(const EmaString& value) {
    impl_->setText(A::applicationId, value);
    return *this;
}
bool Login::LoginReq::hasApplicationId() const {
    return impl_->has(A::applicationId);
}
const EmaString& Login::LoginReq::getApplicationId() const {
    impl_->require(A::applicationId, "LoginReq", "ApplicationId");
    return impl_->text(A::applicationId);
}
Login::LoginReq& Login::LoginReq::applicationName(const EmaString& value) {
    impl_->setText(A::applicationName, value);
    return *this;
}
bool Login::LoginReq::hasApplicationName() const {
    return impl_->has(A::applicationName);
}
const EmaString& Login::LoginReq::getApplicationName() const {
    impl_->require(A::applicationName, "LoginReq", "ApplicationName");
    return impl_->text(A::applicationName);
}
Login::LoginReq& Login::LoginReq::position(const EmaString& value) {
    impl_->setText(A::position, value);
    return *this;
}
bool Login::LoginReq::hasPosition() const {
    return impl_->has(A::position);
}
const EmaString& Login::LoginReq::getPosition() const {
    impl_->require(A::position, "LoginReq", "Position");
    return impl_->text(A::position);
}
Login::LoginReq& Login::LoginReq::applicationAuthorizationToken(const EmaString& value) {
    impl_->setText(A::applicationAuthorizationToken, value);
    return *this;
}
bool Login::LoginReq::hasApplicationAuthorizationToken() const {
    return impl_->has(A::applicationAuthorizationToken);
}
const EmaString& Login::LoginReq::getApplicationAuthorizationToken() const {
    impl_->require(A::applicationAuthorizationToken, "LoginReq", "ApplicationAuthorizationToken");
    return impl_->text(A::applicationAuthorizationToken);
}
Login::LoginReq& Login::LoginReq::instanceId(const EmaString& value) {
    impl_->setText(A::instanceId, value);
    return *this;
}
bool Login::LoginReq::hasInstanceId() const {
    return impl_->has(A::instanceId);
}
const EmaString& Login::LoginReq::getInstanceId() const {
    impl_->require(A::instanceId, "LoginReq", "InstanceId");
    return impl_->text(A::instanceId);
}
Login::LoginReq& Login::LoginReq::password(const EmaString& value) {
    impl_->setText(A::password, value);
    return *this;
}
bool Login::LoginReq::hasPassword() const {
    return impl_->has(A::password);
}
const EmaString& Login::LoginReq::getPassword() const {
    impl_->require(A::password, "LoginReq", "Password");
    return impl_->text(A::password);
}
Login::LoginReq& Login::LoginReq::providePermissionExpressions(bool value) {
    impl_->setNumber(A::providePermissionExpressions, value ? 1 : 0);
    return *this;
}
bool Login::LoginReq::hasProvidePermissionExpressions() const {
    return impl_->has(A::providePermissionExpressions);
}
bool Login::LoginReq::getProvidePermissionExpressions() const {
    return impl_->number(A::providePermissionExpressions) != 0;
}
Login::LoginReq& Login::LoginReq::providePermissionProfile(bool value) {
    impl_->setNumber(A::providePermissionProfile, value ? 1 : 0);
    return *this;
}
bool Login::LoginReq::hasProvidePermissionProfile() const {
    return impl_->has(A::providePermissionProfile);
}
bool Login::LoginReq::getProvidePermissionProfile() const {
    return impl_->number(A::providePermissionProfile) != 0;
}
Login::LoginReq& Login::LoginReq::singleOpen(bool value) {
    impl_->setNumber(A::singleOpen, value ? 1 : 0);
    return *this;
}
bool Login::LoginReq::hasSingleOpen() const {
    return impl_->has(A::singleOpen);
}
bool Login::LoginReq::getSingleOpen() const {
    return impl_->number(A::singleOpen) != 0;
}
Login::LoginReq& Login::LoginReq::role(UInt32 value) {
    impl_->setNumber(A::role, value);
    return *this;
}
bool Login::LoginReq::hasRole() const {
    return impl_->has(A::role);
}
UInt32 Login::LoginReq::getRole() const {
    return impl_->number32(A::role);
}
Login::LoginReq& Login::LoginReq::supportProviderDictionaryDownload(bool value) {
    impl_->setNumber(A::supportProviderDictionaryDownload, value ? 1 : 0);
    return *this;
}
bool Login::LoginReq::hasSupportProviderDictionaryDownload() const {
    return impl_->has(A::supportProviderDictionaryDownload);
}
bool Login::LoginReq::getSupportProviderDictionaryDownload() const {
    return impl_->number(A::supportProviderDictionaryDownload) != 0;
}
Login::LoginReq& Login::LoginReq::pause(bool value) {
    impl_->setNumber(A::pause, value ? 1 : 0);
    return *this;
}
bool Login::LoginReq::hasPause() const {
    return impl_->has(A::pause);
}
bool Login::LoginReq::getPause() const {
    return impl_->number(A::pause) != 0;
}
Login::LoginReq& Login::LoginReq::authenticationExtended(const EmaBuffer& value) {
    impl_->setExtended(value);
    return *this;
}
bool Login::LoginReq::hasAuthenticationExtended() const {
    return impl_->has(A::authenticationExtended);
}
const EmaBuffer& Login::LoginReq::getAuthenticationExtended() const {
    impl_->require(A::authenticationExtended, "LoginReq", "AuthenticationExtended");
    return impl_->extended;
}
Login::LoginReq& Login::LoginReq::name(const EmaString& value) {
    impl_->setText(A::name, value);
    return *this;
}
bool Login::LoginReq::hasName() const {
    return impl_->has(A::name);
}
const EmaString& Login::LoginReq::getName() const {
    impl_->require(A::name, "LoginReq", "Name");
    return impl_->text(A::name);
}
Login::LoginReq& Login::LoginReq::nameType(const UInt32& value) {
    impl_->setSmall(A::nameType, value);
    return *this;
}
bool Login::LoginReq::hasNameType() const {
    return impl_->has(A::nameType);
}
const UInt32& Login::LoginReq::getNameType() const {
    return impl_->small(A::nameType);
}

// --- LoginRefresh ---------------------------------------------------------------------------------------------------

Login::LoginRefresh::LoginRefresh() = default;
Login::LoginRefresh::LoginRefresh(const LoginRefresh& other) = default;
Login::LoginRefresh::LoginRefresh(const RefreshMsg& refreshMsg) {
    message(refreshMsg);
}
Login::LoginRefresh& Login::LoginRefresh::operator=(const LoginRefresh& other) = default;
Login::LoginRefresh::~LoginRefresh() = default;
Login::LoginRefresh& Login::LoginRefresh::clear() {
    impl_.clear();
    return *this;
}
Login::LoginRefresh& Login::LoginRefresh::message(const RefreshMsg& refreshMsg) {
    emissary::ema::decode(refreshMsg, *impl_);
    return *this;
}
const RefreshMsg& Login::LoginRefresh::getMessage() const {
    return emissary::ema::encode(*impl_);
}
const EmaString& Login::LoginRefresh::toString() const {
    return emissary::ema::print(*impl_);
}
Login::LoginRefresh& Login::LoginRefresh::allowSuspectData(bool value) {
    impl_->setNumber(A::allowSuspectData, value ? 1 : 0);
    return *this;
}
bool Login::LoginRefresh::hasAllowSuspectData() const {
    return impl_->has(A::allowSuspectData);
}
bool Login::LoginRefresh::getAllowSuspectData() const {
    return impl_->number(A::allowSuspectData) != 0;
}
Login::LoginRefresh& Login::LoginRefresh::applicationId(const EmaString& value) {
    impl_->setText(A::applicationId, value);
    return *this;
}
bool Login::LoginRefresh::hasApplicationId() const {
    return impl_->has(A::applicationId);
}
const EmaString& Login::LoginRefresh::getApplicationId() const {
    impl_->require(A::applicationId, "LoginRefresh", "ApplicationId");
    return impl_->text(A::applicationId);
}
Login::LoginRefresh& Login::LoginRefresh::applicationName(const EmaString& value) {
    impl_->setText(A::applicationName, value);
    return *this;
}
bool Login::LoginRefresh::hasApplicationName() const {
    return impl_->has(A::applicationName);
}
const EmaString& Login::LoginRefresh::getApplicationName() const {
    impl_->require(A::applicationName, "LoginRefresh", "ApplicationName");
    return impl_->text(A::applicationName);
}
Login::LoginRefresh& Login::LoginRefresh::position(const EmaString& value) {
    impl_->setText(A::position, value);
    return *this;
}
bool Login::LoginRefresh::hasPosition() const {
    return impl_->has(A::position);
}
const EmaString& Login::LoginRefresh::getPosition() const {
    impl_->require(A::position, "LoginRefresh", "Position");
    return impl_->text(A::position);
}
Login::LoginRefresh& Login::LoginRefresh::providePermissionExpressions(bool value) {
    impl_->setNumber(A::providePermissionExpressions, value ? 1 : 0);
    return *this;
}
bool Login::LoginRefresh::hasProvidePermissionExpressions() const {
    return impl_->has(A::providePermissionExpressions);
}
bool Login::LoginRefresh::getProvidePermissionExpressions() const {
    return impl_->number(A::providePermissionExpressions) != 0;
}
Login::LoginRefresh& Login::LoginRefresh::providePermissionProfile(bool value) {
    impl_->setNumber(A::providePermissionProfile, value ? 1 : 0);
    return *this;
}
bool Login::LoginRefresh::hasProvidePermissionProfile() const {
    return impl_->has(A::providePermissionProfile);
}
bool Login::LoginRefresh::getProvidePermissionProfile() const {
    return impl_->number(A::providePermissionProfile) != 0;
}
Login::LoginRefresh& Login::LoginRefresh::singleOpen(bool value) {
    impl_->setNumber(A::singleOpen, value ? 1 : 0);
    return *this;
}
bool Login::LoginRefresh::hasSingleOpen() const {
    return impl_->has(A::singleOpen);
}
bool Login::LoginRefresh::getSingleOpen() const {
    return impl_->number(A::singleOpen) != 0;
}
Login::LoginRefresh& Login::LoginRefresh::supportProviderDictionaryDownload(bool value) {
    impl_->setNumber(A::supportProviderDictionaryDownload, value ? 1 : 0);
    return *this;
}
bool Login::LoginRefresh::hasSupportProviderDictionaryDownload() const {
    return impl_->has(A::supportProviderDictionaryDownload);
}
bool Login::LoginRefresh::getSupportProviderDictionaryDownload() const {
    return impl_->number(A::supportProviderDictionaryDownload) != 0;
}
Login::LoginRefresh& Login::LoginRefresh::supportBatchRequests(UInt32 value) {
    impl_->setBatchSupport(value);
    return *this;
}
bool Login::LoginRefresh::hasSupportBatchRequests() const {
    return impl_->has(A::supportBatchRequests);
}
UInt32 Login::LoginRefresh::getSupportBatchRequests() const {
    return impl_->number32(A::supportBatchRequests);
}
Login::LoginRefresh& Login::LoginRefresh::supportEnhancedSymbolList(UInt32 value) {
    impl_->setNumber(A::supportEnhancedSymbolList, value);
    return *this;
}
bool Login::LoginRefresh::hasSupportEnhancedSymbolList() const {
    return impl_->has(A::supportEnhancedSymbolList);
}
UInt32 Login::LoginRefresh::getSupportEnhancedSymbolList() const {
    return impl_->number32(A::supportEnhancedSymbolList);
}
Login::LoginRefresh& Login::LoginRefresh::supportOMMPost(bool value) {
    impl_->setNumber(A::supportOMMPost, value ? 1 : 0);
    return *this;
}
bool Login::LoginRefresh::hasSupportOMMPost() const {
    return impl_->has(A::supportOMMPost);
}
bool Login::LoginRefresh::getSupportOMMPost() const {
    return impl_->number(A::supportOMMPost) != 0;
}
Login::LoginRefresh& Login::LoginRefresh::supportOptimizedPauseResume(bool value) {
    impl_->setNumber(A::supportOptimizedPauseResume, value ? 1 : 0);
    return *this;
}
bool Login::LoginRefresh::hasSupportOptimizedPauseResume() const {
    return impl_->has(A::supportOptimizedPauseResume);
}
bool Login::LoginRefresh::getSupportOptimizedPauseResume() const {
    return impl_->number(A::supportOptimizedPauseResume) != 0;
}
Login::LoginRefresh& Login::LoginRefresh::supportViewRequests(bool value) {
    impl_->setNumber(A::supportViewRequests, value ? 1 : 0);
    return *this;
}
bool Login::LoginRefresh::hasSupportViewRequests() const {
    return impl_->has(A::supportViewRequests);
}
bool Login::LoginRefresh::getSupportViewRequests() const {
    return impl_->number(A::supportViewRequests) != 0;
}
Login::LoginRefresh& Login::LoginRefresh::supportStandby(bool value) {
    impl_->setNumber(A::supportStandby, value ? 1 : 0);
    return *this;
}
bool Login::LoginRefresh::hasSupportStandby() const {
    return impl_->has(A::supportStandby);
}
bool Login::LoginRefresh::getSupportStandby() const {
    return impl_->number(A::supportStandby) != 0;
}
Login::LoginRefresh& Login::LoginRefresh::solicited(bool value) {
    impl_->setNumber(A::solicited, value ? 1 : 0);
    return *this;
}
bool Login::LoginRefresh::hasSolicited() const {
    return impl_->has(A::solicited);
}
bool Login::LoginRefresh::getSolicited() const {
    return impl_->number(A::solicited) != 0;
}
Login::LoginRefresh& Login::LoginRefresh::clearCache(bool value) {
    impl_->setNumber(A::clearCache, value ? 1 : 0);
    return *this;
}
bool Login::LoginRefresh::hasClearCache() const {
    return impl_->has(A::clearCache);
}
bool Login::LoginRefresh::getClearCache() const {
    return impl_->number(A::clearCache) != 0;
}
Login::LoginRefresh& Login::LoginRefresh::authenticationExtended(const EmaBuffer& value) {
    impl_->setExtended(value);
    return *this;
}
bool Login::LoginRefresh::hasAuthenticationExtended() const {
    return impl_->has(A::authenticationExtended);
}
const EmaBuffer& Login::LoginRefresh::getAuthenticationExtended() const {
    impl_->require(A::authenticationExtended, "LoginRefresh", "AuthenticationExtended");
    return impl_->extended;
}
Login::LoginRefresh& Login::LoginRefresh::authenticationTTReissue(const UInt64& value) {
    impl_->setNumber(A::authenticationTTReissue, value);
    return *this;
}
bool Login::LoginRefresh::hasAuthenticationTTReissue() const {
    return impl_->has(A::authenticationTTReissue);
}
const UInt64& Login::LoginRefresh::getAuthenticationTTReissue() const {
    impl_->require(A::authenticationTTReissue, "LoginRefresh", "AuthenticationTTReissue");
    return impl_->number(A::authenticationTTReissue);
}
Login::LoginRefresh& Login::LoginRefresh::authenticationErrorCode(const UInt64& value) {
    impl_->setNumber(A::authenticationErrorCode, value);
    return *this;
}
bool Login::LoginRefresh::hasAuthenticationErrorCode() const {
    return impl_->has(A::authenticationErrorCode);
}
const UInt64& Login::LoginRefresh::getAuthenticationErrorCode() const {
    impl_->require(A::authenticationErrorCode, "LoginRefresh", "AuthenticationErrorCode");
    return impl_->number(A::authenticationErrorCode);
}
Login::LoginRefresh& Login::LoginRefresh::authenticationErrorText(const EmaString& value) {
    impl_->setText(A::authenticationErrorText, value);
    return *this;
}
bool Login::LoginRefresh::hasAuthenticationErrorText() const {
    return impl_->has(A::authenticationErrorText);
}
const EmaString& Login::LoginRefresh::getAuthenticationErrorText() const {
    impl_->require(A::authenticationErrorText, "LoginRefresh", "AuthenticationErrorText");
    return impl_->text(A::authenticationErrorText);
}
Login::LoginRefresh& Login::LoginRefresh::name(const EmaString& value) {
    impl_->setText(A::name, value);
    return *this;
}
bool Login::LoginRefresh::hasName() const {
    return impl_->has(A::name);
}
const EmaString& Login::LoginRefresh::getName() const {
    impl_->require(A::name, "LoginRefresh", "Name");
    return impl_->text(A::name);
}
Login::LoginRefresh& Login::LoginRefresh::nameType(const UInt32& value) {
    impl_->setSmall(A::nameType, value);
    return *this;
}
bool Login::LoginRefresh::hasNameType() const {
    return impl_->has(A::nameType);
}
const UInt32& Login::LoginRefresh::getNameType() const {
    return impl_->small(A::nameType);
}
Login::LoginRefresh& Login::LoginRefresh::state(const OmmState::StreamState& streamState,
                                                const OmmState::DataState dataState, const UInt8& statusCode,
                                                const EmaString& statusText) {
    impl_->setState(streamState, dataState, statusCode, statusText);
    return *this;
}
bool Login::LoginRefresh::hasState() const {
    return impl_->has(A::state);
}
const OmmState& Login::LoginRefresh::getState() const {
    impl_->require(A::state, "LoginRefresh", "State");
    return impl_->stateView();
}
Login::LoginRefresh& Login::LoginRefresh::seqNum(const UInt32& value) {
    impl_->setSmall(A::seqNum, value);
    return *this;
}
bool Login::LoginRefresh::hasSeqNum() const {
    return impl_->has(A::seqNum);
}
const UInt32& Login::LoginRefresh::getSeqNum() const {
    impl_->require(A::seqNum, "LoginRefresh", "SeqNum");
    return impl_->small(A::seqNum);
}

// --- LoginStatus ----------------------------------------------------------------------------------------------------

Login::LoginStatus::LoginStatus() = default;
Login::LoginStatus::LoginStatus(const LoginStatus& other) = default;
Login::LoginStatus::LoginStatus(const StatusMsg& statusMsg) {
    message(statusMsg);
}
Login::LoginStatus& Login::LoginStatus::operator=(const LoginStatus& other) = default;
Login::LoginStatus::~LoginStatus() = default;
Login::LoginStatus& Login::LoginStatus::clear() {
    impl_.clear();
    return *this;
}
Login::LoginStatus& Login::LoginStatus::message(const StatusMsg& statusMsg) {
    emissary::ema::decode(statusMsg, *impl_);
    return *this;
}
const StatusMsg& Login::LoginStatus::getMessage() const {
    return emissary::ema::encode(*impl_);
}
const EmaString& Login::LoginStatus::toString() const {
    return emissary::ema::print(*impl_);
}
Login::LoginStatus& Login::LoginStatus::authenticationErrorCode(const UInt64& value) {
    impl_->setNumber(A::authenticationErrorCode, value);
    return *this;
}
bool Login::LoginStatus::hasAuthenticationErrorCode() const {
    return impl_->has(A::authenticationErrorCode);
}
const UInt64& Login::LoginStatus::getAuthenticationErrorCode() const {
    impl_->require(A::authenticationErrorCode, "LoginStatus", "AuthenticationErrorCode");
    return impl_->number(A::authenticationErrorCode);
}
Login::LoginStatus& Login::LoginStatus::authenticationErrorText(const EmaString& value) {
    impl_->setText(A::authenticationErrorText, value);
    return *this;
}
bool Login::LoginStatus::hasAuthenticationErrorText() const {
    return impl_->has(A::authenticationErrorText);
}
const EmaString& Login::LoginStatus::getAuthenticationErrorText() const {
    impl_->require(A::authenticationErrorText, "LoginStatus", "AuthenticationErrorText");
    return impl_->text(A::authenticationErrorText);
}
Login::LoginStatus& Login::LoginStatus::name(const EmaString& value) {
    impl_->setText(A::name, value);
    return *this;
}
bool Login::LoginStatus::hasName() const {
    return impl_->has(A::name);
}
const EmaString& Login::LoginStatus::getName() const {
    impl_->require(A::name, "LoginStatus", "Name");
    return impl_->text(A::name);
}
Login::LoginStatus& Login::LoginStatus::nameType(const UInt32& value) {
    impl_->setSmall(A::nameType, value);
    return *this;
}
bool Login::LoginStatus::hasNameType() const {
    return impl_->has(A::nameType);
}
const UInt32& Login::LoginStatus::getNameType() const {
    return impl_->small(A::nameType);
}
Login::LoginStatus& Login::LoginStatus::state(const OmmState::StreamState& streamState,
                                              const OmmState::DataState dataState, const UInt8& statusCode,
                                              const EmaString& statusText) {
    impl_->setState(streamState, dataState, statusCode, statusText);
    return *this;
}
bool Login::LoginStatus::hasState() const {
    return impl_->has(A::state);
}
const OmmState& Login::LoginStatus::getState() const {
    impl_->require(A::state, "LoginStatus", "State");
    return impl_->stateView();
}

}  // namespace refinitiv::ema::domain::login
