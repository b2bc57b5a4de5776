// OAuth 2 credentials of a consumer (ema-api.md section 12).
#pragma once

#include "Access/Include/EmaString.h"
#include "Access/Include/detail/Owned.h"

namespace emissary::ema {
struct OAuth2CredentialImpl;
}

namespace refinitiv::ema::access {

/// Credentials for tokens (ema-api.md section 12): argument of OmmConsumerConfig::addOAuth2Credential(). Setters copy;
/// clear() and the destructor overwrite secrets with zeros. Getters are valid until the object changes. Copyable, not
/// thread safe.
class EMA_ACCESS_API OAuth2Credential {
public:
    OAuth2Credential();                               ///< empty, with the default scope and exclusive sign-on
    OAuth2Credential(const OAuth2Credential& other);  ///< copies the values
    OAuth2Credential& operator=(const OAuth2Credential& other);  ///< copies the values
    ~OAuth2Credential();
    OAuth2Credential& clear();                                      ///< as new; secrets are overwritten with zeros
    OAuth2Credential& userName(const EmaString& userName);          ///< for the password grant (V1)
    OAuth2Credential& password(const EmaString& password);          ///< for the password grant (V1); a secret
    OAuth2Credential& clientId(const EmaString& clientId);          ///< for both grants
    OAuth2Credential& clientSecret(const EmaString& clientSecret);  ///< for client credentials (V2); a secret
    /// Key for client credentials (V2) without a secret; a secret.
    OAuth2Credential& clientJWK(const EmaString& clientJWK);
    OAuth2Credential& audience(const EmaString& audience);      ///< to whom a signed request is addressed
    OAuth2Credential& tokenScope(const EmaString& tokenScope);  ///< default "trapi.streaming.pricing.read"
    /// Names of channels or session channels that they are for, separated by commas; empty: all that no other one
    /// names.
    OAuth2Credential& channelList(const EmaString& channelList);
    /// Whether other sign-ons of the user end; default true.
    OAuth2Credential& takeExclusiveSignOnControl(bool takeExclusiveSignOnControl);
    const EmaString& getUserName() const;        ///< as set; empty by default
    const EmaString& getPassword() const;        ///< as set; empty by default
    const EmaString& getClientId() const;        ///< as set; empty by default
    const EmaString& getClientSecret() const;    ///< as set; empty by default
    const EmaString& getClientJWK() const;       ///< as set; empty by default
    const EmaString& getAudience() const;        ///< as set; empty by default
    const EmaString& getTokenScope() const;      ///< as set, or the default
    const EmaString& getChannelList() const;     ///< as set; empty by default
    bool getTakeExclusiveSignOnControl() const;  ///< as set; true by default

private:
    detail::Owned<emissary::ema::OAuth2CredentialImpl> impl_;
};

}  // namespace refinitiv::ema::access
