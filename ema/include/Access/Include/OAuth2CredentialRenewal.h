// Credentials given inside onCredentialRenewal() (ema-api.md section 12).
#pragma once

#include "Access/Include/EmaString.h"
#include "Access/Include/detail/Owned.h"

namespace emissary::ema {
struct OAuth2CredentialRenewalImpl;
}

namespace refinitiv::ema::access {

/// Argument of OmmConsumer::renewOAuth2Credentials(). Setters copy; clear() and the destructor overwrite secrets with
/// zeros. Copyable. Not thread safe.
class EMA_ACCESS_API OAuth2CredentialRenewal {
public:
    OAuth2CredentialRenewal();
    OAuth2CredentialRenewal(const OAuth2CredentialRenewal& other);
    OAuth2CredentialRenewal& operator=(const OAuth2CredentialRenewal& other);
    virtual ~OAuth2CredentialRenewal();
    OAuth2CredentialRenewal& clear();
    OAuth2CredentialRenewal& userName(EmaString& userName);
    OAuth2CredentialRenewal& password(EmaString& password);
    OAuth2CredentialRenewal& newPassword(EmaString& newPassword);
    OAuth2CredentialRenewal& clientId(EmaString& clientId);
    OAuth2CredentialRenewal& clientSecret(EmaString& clientSecret);
    OAuth2CredentialRenewal& clientJWK(const EmaString& clientJWK);
    OAuth2CredentialRenewal& audience(const EmaString& audience);
    OAuth2CredentialRenewal& tokenScope(EmaString& tokenScope);  ///< default "trapi.streaming.pricing.read"
    OAuth2CredentialRenewal& takeExclusiveSignOnControl(bool takeExclusiveSignOnControl);  ///< default true
    const EmaString& getUserName();
    const EmaString& getPassword();
    const EmaString& getNewPassword();
    const EmaString& getClientId();
    const EmaString& getClientSecret();
    const EmaString& getClientJWK();
    const EmaString& getAudience();
    const EmaString& getTokenScope();
    bool getTakeExclusiveSignOnControl();

private:
    detail::Owned<emissary::ema::OAuth2CredentialRenewalImpl> impl_;
};

}  // namespace refinitiv::ema::access
