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

/// Login messages by their attributes (ema-api.md section 14), so that applications need not know the elements of
/// rdm.md section 2. For each attribute there is a setter, which copies and may be chained, a question has...() and a
/// getter: of an attribute that is not set it gives the setter's default, or throws where there is none.
class EMA_ACCESS_API Login {
public:
    /// What a consumer or non-interactive provider asks for. Not thread safe.
    class EMA_ACCESS_API LoginReq {
    public:
        LoginReq();                                  ///< with the defaults that clear() names
        LoginReq(const LoginReq& other);             ///< copies the attributes
        LoginReq(const access::ReqMsg& reqMsg);      ///< the attributes of a message, as by message()
        LoginReq& operator=(const LoginReq& other);  ///< copies the attributes
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

        LoginReq& allowSuspectData(bool value = true);  ///< whether suspect data is acceptable, or closed instead
        LoginReq& downloadConnectionConfig(bool value = false);     ///< whether a list of servers is asked for
        LoginReq& applicationId(const access::EmaString& value);    ///< number of the application, as text
        LoginReq& applicationName(const access::EmaString& value);  ///< name of the application
        LoginReq& position(const access::EmaString& value);         ///< where the user is: `ADDRESS/net`
        /// Token that authorizes the application.
        LoginReq& applicationAuthorizationToken(const access::EmaString& value);
        LoginReq& instanceId(const access::EmaString& value);  ///< tells instances of one user apart
        LoginReq& password(const access::EmaString& value);    ///< password of the user
        /// Whether permission expressions are wanted or given.
        LoginReq& providePermissionExpressions(bool value = true);
        LoginReq& providePermissionProfile(bool value = true);  ///< whether a permission profile is wanted or given
        LoginReq& singleOpen(bool value = true);  ///< whether the library keeps streams open through losses
        LoginReq& role(access::UInt32 value = refinitiv::ema::rdm::LOGIN_ROLE_CONS);  ///< rdm::LOGIN_ROLE_*
        /// Whether dictionaries may be asked of it by a provider.
        LoginReq& supportProviderDictionaryDownload(bool value = false);
        LoginReq& pause(bool value = false);  ///< the pause flag of the request
        /// What the authentication in use defines, as bytes.
        LoginReq& authenticationExtended(const access::EmaBuffer& value);
        LoginReq& name(const access::EmaString& value);   ///< the user, or the token of rdm::USER_AUTH_TOKEN
        LoginReq& nameType(const access::UInt32& value);  ///< rdm::USER_*

        bool hasAllowSuspectData() const;                   ///< whether it is set
        bool hasDownloadConnectionConfig() const;           ///< whether it is set
        bool hasApplicationId() const;                      ///< whether it is set
        bool hasApplicationName() const;                    ///< whether it is set
        bool hasPosition() const;                           ///< whether it is set
        bool hasApplicationAuthorizationToken() const;      ///< whether it is set
        bool hasInstanceId() const;                         ///< whether it is set
        bool hasPassword() const;                           ///< whether it is set
        bool hasProvidePermissionExpressions() const;       ///< whether it is set
        bool hasProvidePermissionProfile() const;           ///< whether it is set
        bool hasSingleOpen() const;                         ///< whether it is set
        bool hasRole() const;                               ///< whether it is set
        bool hasSupportProviderDictionaryDownload() const;  ///< whether it is set
        bool hasPause() const;                              ///< whether it is set
        bool hasAuthenticationExtended() const;             ///< whether it is set
        bool hasName() const;                               ///< whether it is set
        bool hasNameType() const;                           ///< whether it is set

        // Not set: the default of the setter, where it has none OmmInvalidUsageException/InvalidOperation.
        bool getAllowSuspectData() const;                     ///< whether suspect data is acceptable, or closed instead
        bool getDownloadConnectionConfig() const;             ///< whether a list of servers is asked for
        const access::EmaString& getApplicationId() const;    ///< number of the application, as text
        const access::EmaString& getApplicationName() const;  ///< name of the application
        const access::EmaString& getPosition() const;         ///< where the user is: `ADDRESS/net`
        const access::EmaString& getApplicationAuthorizationToken() const;  ///< token that authorizes the application
        const access::EmaString& getInstanceId() const;                     ///< tells instances of one user apart
        const access::EmaString& getPassword() const;                       ///< password of the user
        bool getProvidePermissionExpressions() const;       ///< whether permission expressions are wanted or given
        bool getProvidePermissionProfile() const;           ///< whether a permission profile is wanted or given
        bool getSingleOpen() const;                         ///< whether the library keeps streams open through losses
        access::UInt32 getRole() const;                     ///< rdm::LOGIN_ROLE_*
        bool getSupportProviderDictionaryDownload() const;  ///< whether dictionaries may be asked of it by a provider
        bool getPause() const;                              ///< the pause flag of the request
        /// What the authentication in use defines, as bytes.
        const access::EmaBuffer& getAuthenticationExtended() const;
        const access::EmaString& getName() const;   ///< the user, or a token
        const access::UInt32& getNameType() const;  ///< rdm::USER_*

    private:
        access::detail::Owned<emissary::ema::LoginReqImpl> impl_;
    };

    /// What the other side grants. Not thread safe.
    class EMA_ACCESS_API LoginRefresh {
    public:
        LoginRefresh();                                      ///< with the defaults that clear() names
        LoginRefresh(const LoginRefresh& other);             ///< copies the attributes
        LoginRefresh(const access::RefreshMsg& refreshMsg);  ///< the attributes of a message, as by message()
        LoginRefresh& operator=(const LoginRefresh& other);  ///< copies the attributes
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

        LoginRefresh& allowSuspectData(bool value = true);  ///< whether suspect data is acceptable, or closed instead
        LoginRefresh& applicationId(const access::EmaString& value);    ///< number of the application, as text
        LoginRefresh& applicationName(const access::EmaString& value);  ///< name of the application
        LoginRefresh& position(const access::EmaString& value);         ///< where the user is: `ADDRESS/net`
        /// Whether permission expressions are wanted or given.
        LoginRefresh& providePermissionExpressions(bool value = true);
        LoginRefresh& providePermissionProfile(bool value = true);  ///< whether a permission profile is wanted or given
        LoginRefresh& singleOpen(bool value = true);  ///< whether the library keeps streams open through losses
        /// Whether dictionaries may be asked of it by a provider.
        LoginRefresh& supportProviderDictionaryDownload(bool value = false);
        LoginRefresh& supportBatchRequests(access::UInt32 value = 0x000);  ///< sum of rdm::SUPPORT_BATCH_*, else throws
        /// rdm::SUPPORT_SYMBOL_LIST_*.
        LoginRefresh&
        supportEnhancedSymbolList(access::UInt32 value = refinitiv::ema::rdm::SUPPORT_SYMBOL_LIST_NAMES_ONLY);
        LoginRefresh& supportOMMPost(bool value = false);               ///< whether posts are taken
        LoginRefresh& supportOptimizedPauseResume(bool value = false);  ///< whether single items can be paused
        LoginRefresh& supportViewRequests(bool value = false);          ///< whether views are served
        LoginRefresh& supportStandby(bool value = false);               ///< whether the server can be a standby
        LoginRefresh& solicited(bool value = false);                    ///< whether it answers a request
        LoginRefresh& clearCache(bool value = false);  ///< whether what was received before is to be forgotten
        /// What the authentication in use defines, as bytes.
        LoginRefresh& authenticationExtended(const access::EmaBuffer& value);
        /// When to authenticate again, in seconds since 1970.
        LoginRefresh& authenticationTTReissue(const access::UInt64& value);
        LoginRefresh& authenticationErrorCode(const access::UInt64& value);     ///< 0 = authenticated
        LoginRefresh& authenticationErrorText(const access::EmaString& value);  ///< why not authenticated
        LoginRefresh& name(const access::EmaString& value);                     ///< the user, or a token
        LoginRefresh& nameType(const access::UInt32& value);                    ///< rdm::USER_*
        /// State of the login stream.
        LoginRefresh& state(const access::OmmState::StreamState& streamState,
                            const access::OmmState::DataState dataState, const access::UInt8& statusCode,
                            const access::EmaString& statusText);
        LoginRefresh& seqNum(const access::UInt32& value);  ///< sequence number of the message

        bool hasAllowSuspectData() const;                   ///< whether it is set
        bool hasApplicationId() const;                      ///< whether it is set
        bool hasApplicationName() const;                    ///< whether it is set
        bool hasPosition() const;                           ///< whether it is set
        bool hasProvidePermissionExpressions() const;       ///< whether it is set
        bool hasProvidePermissionProfile() const;           ///< whether it is set
        bool hasSingleOpen() const;                         ///< whether it is set
        bool hasSupportProviderDictionaryDownload() const;  ///< whether it is set
        bool hasSupportBatchRequests() const;               ///< whether it is set
        bool hasSupportEnhancedSymbolList() const;          ///< whether it is set
        bool hasSupportOMMPost() const;                     ///< whether it is set
        bool hasSupportOptimizedPauseResume() const;        ///< whether it is set
        bool hasSupportViewRequests() const;                ///< whether it is set
        bool hasSupportStandby() const;                     ///< whether it is set
        bool hasSolicited() const;                          ///< whether it is set
        bool hasClearCache() const;                         ///< whether it is set
        bool hasAuthenticationExtended() const;             ///< whether it is set
        bool hasAuthenticationTTReissue() const;            ///< whether it is set
        bool hasAuthenticationErrorCode() const;            ///< whether it is set
        bool hasAuthenticationErrorText() const;            ///< whether it is set
        bool hasName() const;                               ///< whether it is set
        bool hasNameType() const;                           ///< whether it is set
        bool hasState() const;                              ///< whether it is set
        bool hasSeqNum() const;                             ///< whether it is set

        // Not set: the default of the setter, where it has none OmmInvalidUsageException/InvalidOperation.
        bool getAllowSuspectData() const;                     ///< whether suspect data is acceptable, or closed instead
        const access::EmaString& getApplicationId() const;    ///< number of the application, as text
        const access::EmaString& getApplicationName() const;  ///< name of the application
        const access::EmaString& getPosition() const;         ///< where the user is: `ADDRESS/net`
        bool getProvidePermissionExpressions() const;         ///< whether permission expressions are wanted or given
        bool getProvidePermissionProfile() const;             ///< whether a permission profile is wanted or given
        bool getSingleOpen() const;                           ///< whether the library keeps streams open through losses
        bool getSupportProviderDictionaryDownload() const;    ///< whether dictionaries may be asked of it by a provider
        access::UInt32 getSupportBatchRequests() const;       ///< sum of rdm::SUPPORT_BATCH_*
        access::UInt32 getSupportEnhancedSymbolList() const;  ///< rdm::SUPPORT_SYMBOL_LIST_*
        bool getSupportOMMPost() const;                       ///< whether posts are taken
        bool getSupportOptimizedPauseResume() const;          ///< whether single items can be paused
        bool getSupportViewRequests() const;                  ///< whether views are served
        bool getSupportStandby() const;                       ///< whether the server can be a standby
        bool getSolicited() const;                            ///< whether it answers a request
        bool getClearCache() const;                           ///< whether what was received before is to be forgotten
        /// What the authentication in use defines, as bytes.
        const access::EmaBuffer& getAuthenticationExtended() const;
        /// When to authenticate again, in seconds since 1970.
        const access::UInt64& getAuthenticationTTReissue() const;
        const access::UInt64& getAuthenticationErrorCode() const;     ///< 0 = authenticated
        const access::EmaString& getAuthenticationErrorText() const;  ///< why not authenticated
        const access::EmaString& getName() const;                     ///< the user, or a token
        const access::UInt32& getNameType() const;                    ///< rdm::USER_*
        const access::OmmState& getState() const;                     ///< state of the login stream
        const access::UInt32& getSeqNum() const;                      ///< sequence number of the message

    private:
        access::detail::Owned<emissary::ema::LoginRefreshImpl> impl_;
    };

    /// Change of the login stream, or its refusal. Not thread safe.
    class EMA_ACCESS_API LoginStatus {
    public:
        LoginStatus();                                     ///< with the defaults that clear() names
        LoginStatus(const LoginStatus& other);             ///< copies the attributes
        LoginStatus(const access::StatusMsg& statusMsg);   ///< the attributes of a message, as by message()
        LoginStatus& operator=(const LoginStatus& other);  ///< copies the attributes
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

        LoginStatus& authenticationErrorCode(const access::UInt64& value);     ///< 0 = authenticated
        LoginStatus& authenticationErrorText(const access::EmaString& value);  ///< why not authenticated
        LoginStatus& name(const access::EmaString& value);                     ///< the user, or a token
        LoginStatus& nameType(const access::UInt32& value);                    ///< rdm::USER_*
        /// State of the login stream.
        LoginStatus& state(const access::OmmState::StreamState& streamState,
                           const access::OmmState::DataState dataState, const access::UInt8& statusCode,
                           const access::EmaString& statusText);

        bool hasAuthenticationErrorCode() const;  ///< whether it is set
        bool hasAuthenticationErrorText() const;  ///< whether it is set
        bool hasName() const;                     ///< whether it is set
        bool hasNameType() const;                 ///< whether it is set
        bool hasState() const;                    ///< whether it is set

        // Not set: the default of the setter, where it has none OmmInvalidUsageException/InvalidOperation.
        const access::UInt64& getAuthenticationErrorCode() const;     ///< 0 = authenticated
        const access::EmaString& getAuthenticationErrorText() const;  ///< why not authenticated
        const access::EmaString& getName() const;                     ///< the user, or a token
        const access::UInt32& getNameType() const;                    ///< rdm::USER_*
        const access::OmmState& getState() const;                     ///< state of the login stream

    private:
        access::detail::Owned<emissary::ema::LoginStatusImpl> impl_;
    };
};

}  // namespace refinitiv::ema::domain::login
