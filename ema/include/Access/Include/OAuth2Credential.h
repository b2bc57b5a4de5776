// OAuth 2 credentials of a consumer (ema-api.md section 12).
#pragma once

#include "Access/Include/EmaString.h"
#include "Access/Include/detail/Owned.h"

namespace emissary::ema {
struct OAuth2CredentialImpl;
}

namespace refinitiv::ema::access {

/// Argument of OmmConsumerConfig::addOAuth2Credential(). Setters copy; clear() and the destructor overwrite secrets
/// with zeros. Copyable. Not thread safe.
class EMA_ACCESS_API OAuth2Credential {
public:
    OAuth2Credential();
    OAuth2Credential(const OAuth2Credential& other);
    OAuth2Credential& operator=(const OAuth2Credential& other);
    ~OAuth2Credential();
    OAuth2Credential& clear();
    OAuth2Credential& userName(const EmaString& userName);
    OAuth2Credential& password(const EmaString& password);
    OAuth2Credential& clientId(const EmaString& clientId);
    OAuth2Credential& clientSecret(const EmaString& clientSecret);
    OAuth2Credential& clientJWK(const EmaString& clientJWK);
    OAuth2Credential& audience(const EmaString& audience);
    OAuth2Credential& tokenScope(const EmaString& tokenScope);    ///< default "trapi.streaming.pricing.read"
    OAuth2Credential& channelList(const EmaString& channelList);  ///< names of session channels, separated by commas
    OAuth2Credential& takeExclusiveSignOnControl(bool takeExclusiveSignOnControl);  ///< default true
    const EmaString& getUserName() const;
    const EmaString& getPassword() const;
    const EmaString& getClientId() const;
    const EmaString& getClientSecret() const;
    const EmaString& getClientJWK() const;
    const EmaString& getAudience() const;
    const EmaString& getTokenScope() const;
    const EmaString& getChannelList() const;
    bool getTakeExclusiveSignOnControl() const;

private:
    detail::Owned<emissary::ema::OAuth2CredentialImpl> impl_;
};

}  // namespace refinitiv::ema::access
