// Credentials given inside onCredentialRenewal() (ema-api.md section 12).
#pragma once

#include "Access/Include/EmaString.h"
#include "Access/Include/detail/Owned.h"

namespace emissary::ema {
struct OAuth2CredentialRenewalImpl;
}

namespace refinitiv::ema::access {

/// Credentials given inside onCredentialRenewal() (ema-api.md section 12): argument of
/// OmmConsumer::renewOAuth2Credentials(). Setters copy; clear() and the destructor
/// overwrite secrets with zeros. Getters are valid until the object changes. Copyable, not thread safe.
class EMA_ACCESS_API OAuth2CredentialRenewal {
public:
    OAuth2CredentialRenewal();  ///< empty, with the default scope and exclusive sign-on
    OAuth2CredentialRenewal(const OAuth2CredentialRenewal& other);             ///< copies the values
    OAuth2CredentialRenewal& operator=(const OAuth2CredentialRenewal& other);  ///< copies the values
    virtual ~OAuth2CredentialRenewal();
    OAuth2CredentialRenewal& clear();                        ///< as new; secrets are overwritten with zeros
    OAuth2CredentialRenewal& userName(EmaString& userName);  ///< for the password grant (V1)
    OAuth2CredentialRenewal& password(EmaString& password);  ///< for the password grant (V1); a secret
    /// Replaces the password at the token service; a secret.
    OAuth2CredentialRenewal& newPassword(EmaString& newPassword);
    OAuth2CredentialRenewal& clientId(EmaString& clientId);          ///< for both grants
    OAuth2CredentialRenewal& clientSecret(EmaString& clientSecret);  ///< for client credentials (V2); a secret
    /// Key for client credentials (V2) without a secret; a secret.
    OAuth2CredentialRenewal& clientJWK(const EmaString& clientJWK);
    OAuth2CredentialRenewal& audience(const EmaString& audience);  ///< to whom a signed request is addressed
    OAuth2CredentialRenewal& tokenScope(EmaString& tokenScope);    ///< default "trapi.streaming.pricing.read"
    /// Whether other sign-ons of the user end; default true.
    OAuth2CredentialRenewal& takeExclusiveSignOnControl(bool takeExclusiveSignOnControl);
    const EmaString& getUserName();        ///< as set; empty by default
    const EmaString& getPassword();        ///< as set; empty by default
    const EmaString& getNewPassword();     ///< as set; empty by default
    const EmaString& getClientId();        ///< as set; empty by default
    const EmaString& getClientSecret();    ///< as set; empty by default
    const EmaString& getClientJWK();       ///< as set; empty by default
    const EmaString& getAudience();        ///< as set; empty by default
    const EmaString& getTokenScope();      ///< as set, or the default
    bool getTakeExclusiveSignOnControl();  ///< as set; true by default

private:
    detail::Owned<emissary::ema::OAuth2CredentialRenewalImpl> impl_;
};

}  // namespace refinitiv::ema::access
