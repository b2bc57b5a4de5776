// Login messages by their attributes (ema-api.md section 14).
#pragma once

#include "Access/Include/OmmState.h"
#include "Access/Include/RefreshMsg.h"
#include "Access/Include/ReqMsg.h"
#include "Access/Include/StatusMsg.h"
#include "Access/Include/detail/Owned.h"

namespace emissary::ema {
struct LoginReqImpl;
struct LoginRefreshImpl;
struct LoginStatusImpl;
}  // namespace emissary::ema

namespace refinitiv::ema::domain::login {

/// Builds login messages from attributes and reads attributes from login messages, so that applications need not know
/// the elements of rdm.md section 2. Setters copy.
class EMA_ACCESS_API Login {
public:
    /// What a consumer or non-interactive provider asks for. Not thread safe.
    class EMA_ACCESS_API LoginReq {
    public:
        LoginReq();
        LoginReq(const LoginReq& other);
        LoginReq(const access::ReqMsg& reqMsg);
        LoginReq& operator=(const LoginReq& other);
        virtual ~LoginReq();
        /// As new: allowSuspectData, permission expressions and profile, role consumer, application 256 "ema", position
        /// ADDRESS/net and the user of the process, name type 1.
        LoginReq& clear();
        /// Takes over the attributes of a message; what was set before, defaults too, is forgotten. Elements that Login
        /// does not know are left out, and so is a FilterList. Throws OmmInvalidUsageException/InvalidData when an
        /// attribute has another type than it must.
        LoginReq& message(const access::ReqMsg& reqMsg);
        /// A message with the attributes that are set; valid until the next call or the end of this object.
        const access::ReqMsg& getMessage() const;
        const access::EmaString&
        toString() const;  ///< an empty line and "element : value" lines; valid until the next call

        LoginReq& allowSuspectData(bool value = true);
        LoginReq& downloadConnectionConfig(bool value = false);
        LoginReq& applicationId(const access::EmaString& value);
        LoginReq& applicationName(const access::EmaString& value);
        LoginReq& position(const access::EmaString& value);
        LoginReq& applicationAuthorizationToken(const access::EmaString& value);
        LoginReq& instanceId(const access::EmaString& value);
        LoginReq& password(const access::EmaString& value);
        LoginReq& providePermissionExpressions(bool value = true);
        LoginReq& providePermissionProfile(bool value = true);
        LoginReq& singleOpen(bool value = true);
        LoginReq& role(access::UInt32 value = refinitiv::ema::rdm::LOGIN_ROLE_CONS);  ///< rdm::LOGIN_ROLE_*
        LoginReq& supportProviderDictionaryDownload(bool value = false);
        LoginReq& pause(bool value = false);  ///< the pause flag of the request
        LoginReq& authenticationExtended(const access::EmaBuffer& value);
        LoginReq& name(const access::EmaString& value);
        LoginReq& nameType(const access::UInt32& value);  ///< rdm::USER_*, at most 255

        bool hasAllowSuspectData() const;
        bool hasDownloadConnectionConfig() const;
        bool hasApplicationId() const;
        bool hasApplicationName() const;
        bool hasPosition() const;
        bool hasApplicationAuthorizationToken() const;
        bool hasInstanceId() const;
        bool hasPassword() const;
        bool hasProvidePermissionExpressions() const;
        bool hasProvidePermissionProfile() const;
        bool hasSingleOpen() const;
        bool hasRole() const;
        bool hasSupportProviderDictionaryDownload() const;
        bool hasPause() const;
        bool hasAuthenticationExtended() const;
        bool hasName() const;
        bool hasNameType() const;

        // Attributes that are not set throw OmmInvalidUsageException/InvalidOperation.
        bool getAllowSuspectData() const;
        bool getDownloadConnectionConfig() const;
        const access::EmaString& getApplicationId() const;
        const access::EmaString& getApplicationName() const;
        const access::EmaString& getPosition() const;
        const access::EmaString& getApplicationAuthorizationToken() const;
        const access::EmaString& getInstanceId() const;
        const access::EmaString& getPassword() const;
        bool getProvidePermissionExpressions() const;
        bool getProvidePermissionProfile() const;
        bool getSingleOpen() const;
        access::UInt32 getRole() const;
        bool getSupportProviderDictionaryDownload() const;
        bool getPause() const;
        const access::EmaBuffer& getAuthenticationExtended() const;
        const access::EmaString& getName() const;
        const access::UInt32& getNameType() const;

    private:
        access::detail::Owned<emissary::ema::LoginReqImpl> impl_;
    };

    /// What the other side grants. Not thread safe.
    class EMA_ACCESS_API LoginRefresh {
    public:
        LoginRefresh();
        LoginRefresh(const LoginRefresh& other);
        LoginRefresh(const access::RefreshMsg& refreshMsg);
        LoginRefresh& operator=(const LoginRefresh& other);
        virtual ~LoginRefresh();
        /// As new: allowSuspectData, permission expressions and profile, single open, solicited, name type 1.
        LoginRefresh& clear();
        /// Takes over the attributes of a message; what was set before, defaults too, is forgotten. Elements that Login
        /// does not know are left out, and so is a FilterList. Throws OmmInvalidUsageException/InvalidData when an
        /// attribute has another type than it must.
        LoginRefresh& message(const access::RefreshMsg& refreshMsg);
        /// A message with the attributes that are set; valid until the next call or the end of this object.
        const access::RefreshMsg& getMessage() const;
        const access::EmaString&
        toString() const;  ///< an empty line and "element : value" lines; valid until the next call

        LoginRefresh& allowSuspectData(bool value = true);
        LoginRefresh& applicationId(const access::EmaString& value);
        LoginRefresh& applicationName(const access::EmaString& value);
        LoginRefresh& position(const access::EmaString& value);
        LoginRefresh& providePermissionExpressions(bool value = true);
        LoginRefresh& providePermissionProfile(bool value = true);
        LoginRefresh& singleOpen(bool value = true);
        LoginRefresh& supportProviderDictionaryDownload(bool value = false);
        LoginRefresh& supportBatchRequests(access::UInt32 value = 0x000);  ///< rdm::SUPPORT_BATCH_*
        LoginRefresh&
        supportEnhancedSymbolList(access::UInt32 value = refinitiv::ema::rdm::SUPPORT_SYMBOL_LIST_NAMES_ONLY);
        LoginRefresh& supportOMMPost(bool value = false);
        LoginRefresh& supportOptimizedPauseResume(bool value = false);
        LoginRefresh& supportViewRequests(bool value = false);
        LoginRefresh& supportStandby(bool value = false);
        LoginRefresh& solicited(bool value = false);
        LoginRefresh& clearCache(bool value = false);
        LoginRefresh& authenticationExtended(const access::EmaBuffer& value);
        LoginRefresh& authenticationTTReissue(const access::UInt64& value);  ///< seconds since 1970
        LoginRefresh& authenticationErrorCode(const access::UInt64& value);
        LoginRefresh& authenticationErrorText(const access::EmaString& value);
        LoginRefresh& name(const access::EmaString& value);
        LoginRefresh& nameType(const access::UInt32& value);  ///< rdm::USER_*, at most 255
        LoginRefresh& state(const access::OmmState::StreamState& streamState,
                            const access::OmmState::DataState dataState, const access::UInt8& statusCode,
                            const access::EmaString& statusText);
        LoginRefresh& seqNum(const access::UInt32& value);

        bool hasAllowSuspectData() const;
        bool hasApplicationId() const;
        bool hasApplicationName() const;
        bool hasPosition() const;
        bool hasProvidePermissionExpressions() const;
        bool hasProvidePermissionProfile() const;
        bool hasSingleOpen() const;
        bool hasSupportProviderDictionaryDownload() const;
        bool hasSupportBatchRequests() const;
        bool hasSupportEnhancedSymbolList() const;
        bool hasSupportOMMPost() const;
        bool hasSupportOptimizedPauseResume() const;
        bool hasSupportViewRequests() const;
        bool hasSupportStandby() const;
        bool hasSolicited() const;
        bool hasClearCache() const;
        bool hasAuthenticationExtended() const;
        bool hasAuthenticationTTReissue() const;
        bool hasAuthenticationErrorCode() const;
        bool hasAuthenticationErrorText() const;
        bool hasName() const;
        bool hasNameType() const;
        bool hasState() const;
        bool hasSeqNum() const;

        // Attributes that are not set throw OmmInvalidUsageException/InvalidOperation.
        bool getAllowSuspectData() const;
        const access::EmaString& getApplicationId() const;
        const access::EmaString& getApplicationName() const;
        const access::EmaString& getPosition() const;
        bool getProvidePermissionExpressions() const;
        bool getProvidePermissionProfile() const;
        bool getSingleOpen() const;
        bool getSupportProviderDictionaryDownload() const;
        access::UInt32 getSupportBatchRequests() const;
        access::UInt32 getSupportEnhancedSymbolList() const;
        bool getSupportOMMPost() const;  ///< false when it is not set
        bool getSupportOptimizedPauseResume() const;
        bool getSupportViewRequests() const;
        bool getSupportStandby() const;
        bool getSolicited() const;
        bool getClearCache() const;
        const access::EmaBuffer& getAuthenticationExtended() const;
        const access::UInt64& getAuthenticationTTReissue() const;
        const access::UInt64& getAuthenticationErrorCode() const;
        const access::EmaString& getAuthenticationErrorText() const;
        const access::EmaString& getName() const;
        const access::UInt32& getNameType() const;
        const access::OmmState& getState() const;
        const access::UInt32& getSeqNum() const;

    private:
        access::detail::Owned<emissary::ema::LoginRefreshImpl> impl_;
    };

    /// Change of the login stream, or its refusal. Not thread safe.
    class EMA_ACCESS_API LoginStatus {
    public:
        LoginStatus();
        LoginStatus(const LoginStatus& other);
        LoginStatus(const access::StatusMsg& statusMsg);
        LoginStatus& operator=(const LoginStatus& other);
        virtual ~LoginStatus();
        LoginStatus& clear();  ///< as new: name type 1
        /// Takes over the attributes of a message; what was set before, defaults too, is forgotten. Elements that Login
        /// does not know are left out, and so is a FilterList. Throws OmmInvalidUsageException/InvalidData when an
        /// attribute has another type than it must.
        LoginStatus& message(const access::StatusMsg& statusMsg);
        /// A message with the attributes that are set; valid until the next call or the end of this object.
        const access::StatusMsg& getMessage() const;
        const access::EmaString&
        toString() const;  ///< an empty line and "element : value" lines; valid until the next call

        LoginStatus& authenticationErrorCode(const access::UInt64& value);
        LoginStatus& authenticationErrorText(const access::EmaString& value);
        LoginStatus& name(const access::EmaString& value);
        LoginStatus& nameType(const access::UInt32& value);  ///< rdm::USER_*, at most 255
        LoginStatus& state(const access::OmmState::StreamState& streamState,
                           const access::OmmState::DataState dataState, const access::UInt8& statusCode,
                           const access::EmaString& statusText);

        bool hasAuthenticationErrorCode() const;
        bool hasAuthenticationErrorText() const;
        bool hasName() const;
        bool hasNameType() const;
        bool hasState() const;

        // Attributes that are not set throw OmmInvalidUsageException/InvalidOperation.
        const access::UInt64& getAuthenticationErrorCode() const;
        const access::EmaString& getAuthenticationErrorText() const;
        const access::EmaString& getName() const;
        const access::UInt32& getNameType() const;
        const access::OmmState& getState() const;

    private:
        access::detail::Owned<emissary::ema::LoginStatusImpl> impl_;
    };
};

}  // namespace refinitiv::ema::domain::login
